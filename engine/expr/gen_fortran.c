/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gen_fortran.c - Fortran's operators, array elements and intrinsic functions (gen.h). Only the
 * shell computes values that are not numbers of at most 8 bytes (struct ez_scope: fortran, wide,
 * hold); in the target they are refused.
 *
 * Tests: tests/procs/fortran.sh, tests/procs/agree.sh */
#include "engine/expr/gen.h"

#include <string.h>

/* maximum exponent in the target, where a power is generated as multiplications */
#define MOST_POWER 64
#define DEEPEST 15 /* maximum number of dimensions */
/* maximum number of operands in an expression whose code is generated more than once */
#define MOST_AGAIN 1000

const struct ez_type *gen_fortran_logical(void)
{
    return ez_fortran_base("logical(kind=4)");
}

const struct ez_type *gen_fortran_common(const struct ez_type *t)
{
    if (gen_is_wide(t) || t->kind == EZ_TY_POINTER)
        return t;
    return t->kind == EZ_TY_FLOAT ? ez_type_double() : ez_type_int(8, t->size < 8 || t->is_signed);
}

static bool forgen_in_shell(const struct gen *g)
{
    return g->scope->number != NULL;
}

static ez_err *forgen_not_here(const char *what)
{
    return ez_err_new(EZ_E_ARG, 0, "%s possible in a probe", what);
}

/* Copies the code of an operand. If the operand were generated again, the shell would call its
 * functions again. */
static ez_err *forgen_again(struct gen *g, size_t from, size_t to)
{
    if (g->code->op.n + to - from > 2 * EZ_CODE_MOST)
        return ez_err_new(EZ_E_LIMIT, 0, "The expression is too long");
    for (; from < to; from++) {
        const struct ez_code_op op = g->code->op.at[from];
        EZ_PUSH(&g->code->op, op);
    }
    return NULL;
}

/* Finds the value of a subscript that is a constant, or is computed by the shell now. Sets *known
 * to false for any other subscript in a probe, which the target computes. */
static ez_err *forgen_integer(struct gen *g, const struct ez_expr *x, bool *known, int64_t *out)
{
    const struct ez_expr *of = x->kind == EZ_X_UNARY && x->op == '-' ? x->at.at[0] : x;
    struct gen_operand o;
    size_t begin = g->code->op.n;
    uint64_t v = 0;
    *known = of->kind == EZ_X_INT;
    *out = of == x ? (int64_t)of->number : -(int64_t)of->number;
    if (*known)
        return NULL;
    if (++g->again > MOST_AGAIN) /* nested subscripts are evaluated at each level */
        return ez_err_new(EZ_E_LIMIT, 0, "The expression is too long");
    EZ_TRY(gen_operand_of(g, x, &o));
    enum ez_type_kind kind = ez_type_strip(o.type)->kind;
    if (kind != EZ_TY_INT && kind != EZ_TY_CHAR)
        return ez_err_new(EZ_E_ARG, 0, "A subscript must be an integer");
    if (!forgen_in_shell(g)) {
        g->code->op.n = begin;
        return NULL;
    }
    ez_err *e = gen_run(g, g->scope->number, begin, &o, &v);
    g->code->op.n = begin;
    *known = true;
    *out = (int64_t)v;
    return e;
}

/* ---- operators ------------------------------------------------------------------------------- */

/* Generates .eqv. and .neqv. */
static ez_err *forgen_equivalent(struct gen *g, const struct ez_expr *x, struct gen_operand *out)
{
    for (size_t i = 0; i < 2; i++) {
        EZ_TRY(gen_truth_of(g, x->at.at[i]));
        gen_op(g, EZ_OP_NE, 0, EZ_CODE_IMM, 0);
    }
    gen_op(g, x->op == EZ_OP_EQV ? EZ_OP_EQ : EZ_OP_NE, 0, 0, 0);
    *out = gen_value(gen_fortran_logical());
    return NULL;
}

static bool forgen_is_number(const struct ez_type *t)
{
    enum ez_type_kind kind = ez_type_strip(t)->kind;
    return kind == EZ_TY_INT || kind == EZ_TY_CHAR || kind == EZ_TY_FLOAT;
}

/* Returns the type of a power: the larger of two integers or of two floating-point numbers, else
 * the floating-point type. */
static const struct ez_type *forgen_power_type(const struct ez_type *a, const struct ez_type *b)
{
    if (gen_is_float(a) != gen_is_float(b))
        return gen_is_float(a) ? a : b;
    return ez_type_strip(a)->size >= ez_type_strip(b)->size ? a : b;
}

/* Generates a**n as a product. The bits of n, from the highest, say when to square and when to
 * multiply. */
static ez_err *forgen_product(struct gen *g, const struct ez_expr *x, uint64_t n,
                              struct gen_operand *out)
{
    size_t from = g->code->op.n, to;
    EZ_TRY(gen_operand_of(g, x, out));
    to = g->code->op.n;
    if (!forgen_is_number(out->type) || gen_is_float(out->type) || gen_is_wide(out->type))
        return forgen_not_here("Powers of anything but integers are not");
    if (!n) {
        gen_op(g, EZ_OP_DROP, 0, 0, 0);
        gen_const(g, 1);
    }
    for (int bit = n ? 62 - __builtin_clzll(n) : -1; bit >= 0; bit--) {
        gen_op(g, EZ_OP_DUP, 0, 0, 0);
        gen_op(g, EZ_OP_MUL, 0, 0, 0);
        if (!(n >> bit & 1))
            continue;
        EZ_TRY(forgen_again(g, from, to));
        gen_op(g, EZ_OP_MUL, 0, 0, 0);
    }
    gen_cut(g, out->type);
    return NULL;
}

static ez_err *forgen_power(struct gen *g, const struct ez_expr *x, struct gen_operand *out)
{
    struct gen_wide w = { .kind = EZ_X_BINARY, .op = EZ_OP_POWER, .n = 2 };
    int64_t n = 0;
    bool known = false;
    if (!forgen_in_shell(g)) {
        EZ_TRY(forgen_integer(g, x->at.at[1], &known, &n));
        return known && n >= 0 && n <= MOST_POWER
                   ? forgen_product(g, x->at.at[0], (uint64_t)n, out)
                   : forgen_not_here(
                         "Powers with an exponent that is no constant from 0 to 64 are not");
    }
    for (size_t i = 0; i < 2; i++) {
        w.of[i].from = g->code->op.n;
        EZ_TRY(gen_operand_of(g, x->at.at[i], &w.of[i].o));
        w.of[i].to = g->code->op.n;
        if (!forgen_is_number(w.of[i].o.type))
            return ez_err_gdb(EZ_E_ARG,
                              "Argument to arithmetic operation not a number or boolean.");
    }
    w.in = w.type = forgen_power_type(w.of[0].o.type, w.of[1].o.type);
    return gen_wide(g, &w, out);
}

/* Returns whether an operand is a string or a part of one. Leaves no code and calls no function of
 * the program. */
static bool forgen_is_text(struct gen *g, const struct ez_expr *x)
{
    size_t begin = g->code->op.n;
    const struct ez_expr *root = x;
    struct gen_operand o;
    if (x->kind == EZ_X_STRING)
        return true;
    while (root->kind == EZ_X_CALL || root->kind == EZ_X_MEMBER)
        root = root->at.at[0];
    bool is = root->kind == EZ_X_NAME && ez_err_drop(gen_expr(g, root, &o)) &&
              ez_type_strip(o.type)->kind != EZ_TY_FUNC;
    while (x->kind == EZ_X_CALL)
        x = x->at.at[0];
    is = is && ez_err_drop(gen_expr(g, x, &o));
    g->code->op.n = begin;
    const struct ez_type *t = is ? ez_type_strip(o.type) : NULL;
    while (t && t->kind == EZ_TY_ARRAY && !ez_fortran_is_text(t))
        t = ez_type_strip(t->to);
    return t && ez_fortran_is_text(t);
}

ez_err *gen_fortran_binary(struct gen *g, const struct ez_expr *x, struct gen_operand *out,
                           bool *is)
{
    static const int comparisons[] = {
        '<', '>', EZ_OP2('=', '='), EZ_OP2('!', '='), EZ_OP2('<', '='), EZ_OP2('>', '=')
    };
    struct ez_named n;
    *is = true;
    if (x->op == EZ_OP_EQV || x->op == EZ_OP_NEQV)
        return forgen_equivalent(g, x, out);
    if (x->op == EZ_OP_POWER)
        return forgen_power(g, x, out);
    *is = false;
    for (size_t i = 0; i < EZ_ARRAY_LEN(comparisons); i++)
        *is |= comparisons[i] == x->op;
    *is = *is && forgen_is_text(g, x->at.at[0]) && forgen_is_text(g, x->at.at[1]);
    if (!*is)
        return NULL;
    if (!g->scope->fortran)
        return forgen_not_here("Comparisons of texts are not");
    EZ_TRY(g->scope->fortran(g->scope->arg, x, &n));
    *out = gen_of_named(&n);
    return NULL;
}

/* ---- arrays ---------------------------------------------------------------------------------- */

static unsigned forgen_rank(const struct ez_type *t)
{
    unsigned n = 0;
    for (t = ez_type_strip(t); t->kind == EZ_TY_ARRAY && n < DEEPEST; t = ez_type_strip(t->to)) {
        if (ez_fortran_is_text(t))
            return n;
        n++;
    }
    return n;
}

/* Returns the array type of dimension k; 1 is the innermost. */
static const struct ez_type *forgen_dimension(const struct ez_type *t, unsigned k)
{
    t = ez_type_strip(t);
    for (unsigned n = forgen_rank(t); n > k; n--)
        t = ez_type_strip(t->to);
    return t;
}

static ez_err *forgen_no_element(void)
{
    return ez_err_gdb(EZ_E_ARG, "no such vector element");
}

/* Generates the element for one subscript. A known subscript outside of the bounds is an error; if
 * the target computes it, the value becomes unreadable. */
static ez_err *forgen_element(struct gen *g, struct gen_operand of, const struct ez_expr *index,
                              struct gen_operand *out)
{
    const struct ez_type *t = ez_type_strip(of.type);
    bool known, bounded = t->count != UINT64_MAX, gone = gen_has_no_address(&of);
    int64_t i;
    EZ_TRY(forgen_integer(g, index, &known, &i));
    uint64_t from = (uint64_t)i - (uint64_t)t->lower;
    bool outside = known && bounded && from >= t->count;
    if (outside || (gone && !known))
        return outside ? forgen_no_element()
                       : ez_err_gdb(EZ_E_ARG,
                                    "Attempt to take address of value not located in memory.");
    if (gone) { /* the array is in registers or optimized out */
        gen_part(g, &of, from * ez_type_strip(t->to)->size, t->to);
        *out = of;
        return of.where.kind == EZ_AT_NONE || out->offset < 8 * EZ_MAX(1u, of.where.nregs)
                   ? NULL
                   : forgen_no_element();
    }
    EZ_TRY(gen_load(g, &of));
    size_t middle = g->code->op.n;
    if (known) {
        gen_const(g, from);
        return gen_indexed(g, &of, middle, out);
    }
    struct gen_operand o;
    EZ_TRY(gen_operand_of(g, index, &o));
    gen_add(g, -t->lower);
    if (bounded) { /* within the bounds divide by 1, else by 0, which makes the value unreadable */
        gen_op(g, EZ_OP_DUP, 0, 0, 0);
        gen_const(g, t->count);
        gen_op(g, EZ_OP_LT, 0, 0, 0);
        gen_op(g, EZ_OP_DIV, 0, 0, 0);
    }
    return gen_indexed(g, &of, middle, out);
}

static bool forgen_has_range(const struct ez_expr *x)
{
    for (size_t i = 1; i < x->at.n; i++)
        if (x->at.at[i]->kind == EZ_X_RANGE)
            return true;
    return false;
}

/* Checks that the array exists, that the number of subscripts fits, and that a probe can use
 * them. */
static ez_err *forgen_subscripts(struct gen *g, const struct ez_expr *x, const struct ez_type *t)
{
    unsigned rank = ez_fortran_is_text(t) ? 1 : forgen_rank(t);
    if (t->absent)
        return ez_err_gdb(EZ_E_ARG, "no such vector element (vector %s)", t->absent);
    if (x->at.n - 1 != rank)
        return ez_err_gdb(EZ_E_ARG, "Wrong number of subscripts");
    if (!forgen_in_shell(g) && t->is_dynamic)
        return forgen_not_here(
            "Elements of an array whose bounds the running program knows are not");
    if (forgen_has_range(x) && !g->scope->fortran)
        return forgen_not_here("Sections of arrays are not");
    return NULL;
}

/* Replaces a pointer to a string by the string. gfortran describes strings of deferred length as
 * pointers. */
static ez_err *forgen_text_at(struct gen *g, size_t begin, struct gen_operand *o)
{
    const struct ez_type *t = ez_type_strip(o->type);
    if (t->kind != EZ_TY_POINTER || !ez_fortran_is_text(ez_type_strip(t->to)))
        return NULL;
    EZ_TRY(gen_pointed(g, o));
    return gen_shape(g, begin, o);
}

/* Generates a(i, j). The last subscript is that of the outermost dimension. Sets *is to false, and
 * generates nothing, if `a` is no array. */
static ez_err *forgen_elements(struct gen *g, const struct ez_expr *x, struct gen_operand *out,
                               bool *is)
{
    size_t begin = g->code->op.n;
    struct ez_named n;
    const struct ez_expr *f = x->at.at[0];
    bool own = f->kind == EZ_X_VAR && !strncmp(f->text, "$_", 2); /* a function of the shell */
    bool named = x->at.n > 1 && !own;
    *is = named && ez_err_drop(gen_expr(g, x->at.at[0], out));
    if (*is)
        EZ_TRY(forgen_text_at(g, begin, out));
    *is = *is && ez_type_strip(out->type)->kind == EZ_TY_ARRAY;
    if (!*is) {
        g->code->op.n = begin;
        return NULL;
    }
    EZ_TRY(forgen_subscripts(g, x, ez_type_strip(out->type)));
    if (forgen_has_range(x)) {
        EZ_TRY(gen_place_of(g, begin, out, &n));
        EZ_TRY(g->scope->fortran(g->scope->arg, x, &n));
        *out = gen_of_named(&n);
        return NULL;
    }
    for (size_t i = x->at.n; i-- > 1;)
        EZ_TRY(forgen_element(g, *out, x->at.at[i], out));
    return gen_shape(g, begin, out);
}

/* ---- intrinsic functions --------------------------------------------------------------------- */

static ez_err *forgen_wrong(const char *name, const char *what)
{
    return ez_err_new(EZ_E_ARG, 0, "%s %s", name, what);
}

static ez_err *forgen_abs(struct gen *g, const struct ez_expr *x, struct gen_operand *out)
{
    size_t from = g->code->op.n, to;
    EZ_TRY(gen_operand_of(g, x->at.at[1], out));
    to = g->code->op.n;
    EZ_FREE char *type = ez_fortran_text(out->type, false);
    if (!forgen_is_number(out->type) || gen_is_wide(out->type))
        return ez_err_gdb(EZ_E_ARG, "ABS of type %s not supported", type);
    if (gen_is_float(out->type)) {
        gen_const(g, INT64_MAX);
        gen_op(g, EZ_OP_AND, 0, 0, 0);
        return NULL;
    }
    for (unsigned i = 0; i < 2; i++) {
        EZ_TRY(forgen_again(g, from, to));
        /* Pushes all ones if the number is negative, else 0. */
        gen_op(g, EZ_OP_SHR, 1, EZ_CODE_IMM, 63);
        gen_op(g, i ? EZ_OP_SUB : EZ_OP_XOR, 0, 0, 0);
    }
    gen_cut(g, out->type);
    return NULL;
}

/* Generates the two arguments of an intrinsic function, which must be numbers, and describes them
 * in *w. */
static ez_err *forgen_two(struct gen *g, const struct ez_expr *x, struct gen_wide *w)
{
    for (size_t i = 0; i < 2; i++) {
        w->of[i].from = g->code->op.n;
        EZ_TRY(gen_operand_of(g, x->at.at[i + 1], &w->of[i].o));
        w->of[i].to = g->code->op.n;
        if (!forgen_is_number(w->of[i].o.type) || gen_is_several(w->of[i].o.type))
            return forgen_wrong(x->at.at[0]->text, "needs numbers");
    }
    w->kind = EZ_X_BINARY;
    w->n = 2;
    return NULL;
}

/* Generates mod(a, b) and modulo(a, b): for integers, (a % b + b) % b has the sign of b. */
static ez_err *forgen_mod(struct gen *g, const struct ez_expr *x, struct gen_operand *out)
{
    bool modulo = !strcmp(x->at.at[0]->text, "modulo");
    struct gen_wide w = { .op = modulo ? GEN_OP_MODULO : '%' };
    EZ_TRY(forgen_two(g, x, &w));
    if (gen_is_float(w.of[0].o.type) != gen_is_float(w.of[1].o.type))
        return ez_err_gdb(EZ_E_ARG, "non-matching types for parameters to %s ()",
                          modulo ? "MODULO" : "MOD");
    w.in = w.type = forgen_power_type(w.of[0].o.type, w.of[1].o.type);
    if (gen_is_float(w.in) || gen_is_wide(w.in)) {
        if (!g->scope->wide)
            return forgen_not_here("mod and modulo of anything but integers are not");
        return gen_wide(g, &w, out);
    }
    gen_op(g, EZ_OP_MOD, 1, 0, 0);
    for (unsigned i = 0; i < 2 && modulo; i++) {
        EZ_TRY(forgen_again(g, w.of[1].from, w.of[1].to));
        gen_op(g, i ? EZ_OP_MOD : EZ_OP_ADD, 1, 0, 0);
    }
    *out = gen_value(w.in);
    return NULL;
}

/* Generates floor(x) and ceiling(x): the truncated value, minus 1 (floor) or plus 1 (ceiling) if
 * truncation rounded in the opposite direction. */
static ez_err *forgen_floor(struct gen *g, const struct ez_expr *x, struct gen_operand *out)
{
    bool up = !strcmp(x->at.at[0]->text, "ceiling"), known = true;
    struct gen_operand o;
    int64_t kind = 4;
    if (x->at.n > 2)
        EZ_TRY(forgen_integer(g, x->at.at[2], &known, &kind));
    EZ_FREE char *name = ez_sprintf("integer*%lld", (long long)kind);
    const struct ez_type *t = known ? ez_fortran_base(name) : NULL;
    if (!t)
        return forgen_wrong(x->at.at[0]->text, "needs a kind of integers: 1, 2, 4 or 8");
    size_t from = g->code->op.n, to;
    EZ_TRY(gen_operand_of(g, x->at.at[1], &o));
    to = g->code->op.n;
    if (gen_is_float(o.type) && gen_is_wide(o.type))
        return forgen_wrong(x->at.at[0]->text, "needs a number of at most 8 bytes");
    if (!gen_is_float(o.type))
        return ez_err_gdb(EZ_E_ARG, "argument to %s must be of type float",
                          up ? "CEILING" : "FLOOR");
    gen_op(g, EZ_OP_TO_INT, 1, 0, 0);
    gen_op(g, EZ_OP_DUP, 0, 0, 0);
    gen_op(g, EZ_OP_OF_INT, EZ_CODE_SIGNED, 0, 0);
    EZ_TRY(forgen_again(g, from, to));
    gen_op(g, up ? EZ_OP_FLT : EZ_OP_FGT, 0, 0, 0);
    gen_op(g, up ? EZ_OP_ADD : EZ_OP_SUB, 0, 0, 0);
    gen_cut(g, t);
    *out = gen_value(t);
    return NULL;
}

/* Generates cmplx(a), cmplx(a, b) and cmplx(a, b, kind). */
static ez_err *forgen_cmplx(struct gen *g, const struct ez_expr *x, struct gen_operand *out)
{
    struct gen_wide w = { .kind = EZ_X_BINARY, .op = EZ_OP_COMPLEX, .n = 2 };
    int64_t kind = 4;
    bool known = true;
    if (x->at.n > 3)
        EZ_TRY(forgen_integer(g, x->at.at[3], &known, &kind));
    EZ_FREE char *name = ez_sprintf("complex*%lld", (long long)kind);
    w.type = known ? ez_fortran_base(name) : NULL;
    w.in = ez_type_base(kind == 4 ? "float" : "double");
    if (!w.type || !g->scope->wide)
        return w.type ? forgen_not_here("Complex numbers are not")
                      : forgen_wrong("cmplx", "needs a kind of complex numbers: 4 or 8");
    for (size_t i = 0; i < 2; i++) {
        struct gen_operand *o = &w.of[i].o;
        w.of[i].from = g->code->op.n;
        *o = gen_value(ez_type_int(4, true));
        if (x->at.n > i + 1)
            EZ_TRY(gen_operand_of(g, x->at.at[i + 1], o));
        else
            gen_const(g, 0);
        w.of[i].to = g->code->op.n;
        if (!i && x->at.n == 2 && ez_type_strip(o->type)->kind == EZ_TY_COMPLEX) {
            *out = *o;
            return NULL;
        }
        if (!forgen_is_number(o->type))
            return forgen_wrong("cmplx", "needs numbers");
    }
    return gen_wide(g, &w, out);
}

/* Sets *out to the array type of the first argument, and generates nothing. */
static ez_err *forgen_array(struct gen *g, const struct ez_expr *x, const char *what,
                            const struct ez_type **out)
{
    size_t begin = g->code->op.n;
    struct gen_operand o;
    EZ_TRY(gen_expr(g, x->at.at[1], &o));
    g->code->op.n = begin;
    *out = ez_type_strip(o.type);
    if ((*out)->kind != EZ_TY_ARRAY || ez_fortran_is_text(*out))
        return ez_err_gdb(EZ_E_ARG, "%s can only be applied to arrays", what);
    if ((*out)->absent)
        return ez_err_gdb(EZ_E_ARG, "%s can only be used on allocated/associated arrays", what);
    if ((*out)->is_dynamic && !forgen_in_shell(g))
        return forgen_not_here("Bounds that the running program knows are not");
    return NULL;
}

enum forgen_bound { FORTRAN_SIZE, FORTRAN_LOWER, FORTRAN_UPPER };

static int64_t forgen_bound_of(const struct ez_type *dim, enum forgen_bound which)
{
    int64_t n = (int64_t)dim->count;
    return which == FORTRAN_SIZE ? n : which == FORTRAN_LOWER ? dim->lower : dim->lower + n - 1;
}

/* Generates an array of integers with the size or bound of each dimension. */
static ez_err *forgen_bounds(struct gen *g, const struct ez_type *t, enum forgen_bound which,
                             struct gen_operand *out)
{
    unsigned rank = t ? forgen_rank(t) : 0;
    int32_t each[DEEPEST + 1] = { 0 };
    struct ez_named n;
    const struct ez_type array = { .kind = EZ_TY_ARRAY,
                                   .to = ez_fortran_base("integer*4"),
                                   .size = 4ul * rank,
                                   .count = rank,
                                   .lower = 1 };
    for (unsigned k = 1; k <= rank; k++)
        each[k - 1] = (int32_t)forgen_bound_of(forgen_dimension(t, k), which);
    if (!g->scope->hold)
        return forgen_not_here("Results that are arrays are not");
    g->scope->hold(g->scope->arg, &array, each, 4ul * rank, &n);
    *out = gen_of_named(&n);
    return NULL;
}

/* Generates size(a), size(a, dim), lbound and ubound. */
static ez_err *forgen_bound(struct gen *g, const struct ez_expr *x, struct gen_operand *out)
{
    const char *name = x->at.at[0]->text;
    enum forgen_bound which = *name == 's'   ? FORTRAN_SIZE
                              : *name == 'l' ? FORTRAN_LOWER
                                             : FORTRAN_UPPER;
    const char *const words[] = { "SIZE", "LBOUND", "UBOUND" };
    const struct ez_type *t;
    int64_t dim = 1, v = 1;
    bool known = true;
    EZ_TRY(forgen_array(g, x, words[which], &t));
    unsigned rank = forgen_rank(t);
    if (x->at.n > 2)
        EZ_TRY(forgen_integer(g, x->at.at[2], &known, &dim));
    if (!known || dim < 1 || dim > rank)
        return ez_err_gdb(EZ_E_ARG, "DIM argument to %s must be between 1 and %u", words[which],
                          rank);
    if (x->at.n == 2 && which != FORTRAN_SIZE)
        return forgen_bounds(g, t, which, out);
    for (unsigned k = x->at.n > 2 ? (unsigned)dim : 1; k <= (x->at.n > 2 ? (unsigned)dim : rank);
         k++) {
        const struct ez_type *d = forgen_dimension(t, k);
        if (d->count == UINT64_MAX && which != FORTRAN_LOWER)
            return forgen_wrong(words[which],
                                "is not known for a dimension whose end is not known");
        v = x->at.n > 2 ? forgen_bound_of(d, which) : v * (int64_t)d->count;
    }
    gen_const(g, (uint64_t)v);
    *out = gen_value(ez_fortran_base("integer*4"));
    return NULL;
}

static ez_err *forgen_shape(struct gen *g, const struct ez_expr *x, struct gen_operand *out)
{
    size_t begin = g->code->op.n;
    const struct ez_type *t = NULL;
    EZ_TRY(gen_expr(g, x->at.at[1], out));
    g->code->op.n = begin;
    if (forgen_rank(out->type))
        EZ_TRY(forgen_array(g, x, "SHAPE", &t));
    return forgen_bounds(g, t, FORTRAN_SIZE, out);
}

static ez_err *forgen_rank_of(struct gen *g, const struct ez_expr *x, struct gen_operand *out)
{
    size_t begin = g->code->op.n;
    EZ_TRY(gen_expr(g, x->at.at[1], out));
    g->code->op.n = begin;
    gen_const(g, forgen_rank(out->type));
    *out = gen_value(ez_fortran_base("integer*4"));
    return NULL;
}

/* Generates kind(x): the size in bytes of a number, of one part of a complex number, or of a
 * character. */
static ez_err *forgen_kind(struct gen *g, const struct ez_expr *x, struct gen_operand *out)
{
    size_t begin = g->code->op.n;
    EZ_TRY(gen_expr(g, x->at.at[1], out));
    g->code->op.n = begin;
    const struct ez_type *t = ez_type_strip(out->type);
    while (t->kind == EZ_TY_ARRAY || t->kind == EZ_TY_POINTER)
        t = ez_type_strip(t->to);
    bool intrinsic = t->kind >= EZ_TY_INT && t->kind <= EZ_TY_COMPLEX;
    if (!intrinsic)
        return ez_err_gdb(EZ_E_ARG, "argument to kind must be an intrinsic type");
    gen_const(g, t->kind == EZ_TY_COMPLEX ? t->size / 2 : t->size);
    *out = gen_value(ez_type_int(4, true));
    return NULL;
}

/* Generates the address of x. Returns an error for a held copy, which has no address. */
static ez_err *forgen_address(struct gen *g, const struct ez_expr *x, struct gen_operand *out)
{
    size_t begin = g->code->op.n;
    uint64_t at;
    EZ_TRY(gen_expr(g, x, out));
    EZ_TRY(gen_address(g, out));
    *out = gen_value(ez_type_pointer_to(out->type));
    if (forgen_in_shell(g)) {
        EZ_TRY(gen_run(g, g->scope->number, begin, out, &at));
        g->code->op.n = begin;
        gen_const(g, at);
    }
    return NULL;
}

static ez_err *forgen_loc(struct gen *g, const struct ez_expr *x, struct gen_operand *out)
{
    EZ_TRY(forgen_address(g, x->at.at[1], out));
    out->type = ez_fortran_base("integer*8");
    return NULL;
}

/* Generates the truth value whether the array (or its target) is allocated. The array's code begins
 * at `begin`. */
static ez_err *forgen_exists(struct gen *g, size_t begin, const struct ez_type *t,
                             struct gen_operand *out)
{
    if (t->is_dynamic && !forgen_in_shell(g))
        return ez_err_new(
            EZ_E_ARG, 0,
            "Whether an array is allocated is known only while the program is stopped");
    g->code->op.n = begin;
    gen_const(g, !t->absent);
    *out = gen_value(gen_fortran_logical());
    return NULL;
}

static ez_err *forgen_allocated(struct gen *g, const struct ez_expr *x, struct gen_operand *out)
{
    size_t begin = g->code->op.n;
    EZ_TRY(gen_expr(g, x->at.at[1], out));
    const struct ez_type *t = ez_type_strip(out->type);
    if (t->kind != EZ_TY_ARRAY)
        return ez_err_gdb(EZ_E_ARG, "ALLOCATED can only be applied to arrays");
    return forgen_exists(g, begin, t, out);
}

/* Generates associated(p) and associated(p, target). */
static ez_err *forgen_associated(struct gen *g, const struct ez_expr *x, struct gen_operand *out)
{
    size_t begin = g->code->op.n;
    struct gen_operand to;
    EZ_TRY(gen_expr(g, x->at.at[1], out));
    const struct ez_type *t = ez_type_strip(out->type);
    bool array = t->kind == EZ_TY_ARRAY && !t->is_allocatable;
    if (!array && t->kind != EZ_TY_POINTER)
        return ez_err_gdb(EZ_E_ARG, "ASSOCIATED can only be applied to pointers");
    if (array && (x->at.n == 2 || t->absent))
        return forgen_exists(g, begin, t, out);
    if (array && t->is_dynamic && !forgen_in_shell(g))
        return forgen_exists(g, begin, t, out); /* returns the error */
    if (array) {
        g->code->op.n = begin;
        EZ_TRY(forgen_address(g, x->at.at[1], out));
    } else {
        EZ_TRY(gen_load(g, out));
    }
    if (x->at.n > 2) {
        EZ_TRY(forgen_address(g, x->at.at[2], &to));
        gen_op(g, EZ_OP_EQ, 0, 0, 0);
    } else {
        gen_op(g, EZ_OP_NE, 0, EZ_CODE_IMM, 0);
    }
    *out = gen_value(gen_fortran_logical());
    return NULL;
}

static const struct {
    const char *name;
    size_t least, most; /* minimum and maximum number of arguments */
    ez_err *(*make)(struct gen *g, const struct ez_expr *x, struct gen_operand *out);
} intrinsics[] = {
    { "abs", 1, 1, forgen_abs },
    { "mod", 2, 2, forgen_mod },
    { "modulo", 2, 2, forgen_mod },
    { "floor", 1, 2, forgen_floor },
    { "ceiling", 1, 2, forgen_floor },
    { "cmplx", 1, 3, forgen_cmplx },
    { "size", 1, 2, forgen_bound },
    { "lbound", 1, 2, forgen_bound },
    { "ubound", 1, 2, forgen_bound },
    { "shape", 1, 1, forgen_shape },
    { "rank", 1, 1, forgen_rank_of },
    { "kind", 1, 1, forgen_kind },
    { "loc", 1, 1, forgen_loc },
    { "allocated", 1, 1, forgen_allocated },
    { "associated", 1, 2, forgen_associated },
};

bool gen_fortran_is_intrinsic(const char *name)
{
    for (size_t i = 0; i < EZ_ARRAY_LEN(intrinsics); i++)
        if (!strcmp(intrinsics[i].name, name))
            return true;
    return false;
}

ez_err *gen_fortran_call(struct gen *g, const struct ez_expr *x, struct gen_operand *out, bool *is)
{
    const struct ez_expr *f = x->at.at[0];
    EZ_TRY(forgen_elements(g, x, out, is));
    if (*is)
        return NULL;
    for (size_t i = 0; i < EZ_ARRAY_LEN(intrinsics) && f->kind == EZ_X_NAME && !f->scope; i++) {
        if (strcmp(intrinsics[i].name, f->text))
            continue;
        *is = true;
        if (x->at.n - 1 < intrinsics[i].least || x->at.n - 1 > intrinsics[i].most)
            return forgen_wrong(f->text, "does not take this number of arguments");
        if (forgen_has_range(x))
            return forgen_wrong(f->text, "does not take a range as an argument");
        return intrinsics[i].make(g, x, out);
    }
    if (!forgen_has_range(x))
        return NULL;
    EZ_TRY(gen_expr(g, f, out));
    return ez_err_new(EZ_E_ARG, 0, "Only arrays and strings have sections");
}
