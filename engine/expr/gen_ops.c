/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gen_ops.c - operators by C's rules: integers are promoted, operands are converted to a common
 * type, pointers are scaled by the size of their elements (gen.h).
 * Tests: tests/unit/rt/check_code.c, tests/procs/compiled.sh */
#include "engine/expr/gen.h"

#include <string.h>

/* ---- values ---------------------------------------------------------------------------------- */

static const struct ez_type *gen_promoted(const struct ez_type *t)
{
    t = ez_type_strip(t);
    if (t->kind == EZ_TY_FLOAT)
        return t->size == 4 ? ez_type_base("float") : t->size == 8 ? ez_type_double() : t;
    if (t->kind == EZ_TY_POINTER || t->size >= 8)
        return t;
    return t->size == 4 && t->kind == EZ_TY_INT ? t : ez_type_int(4, t->size < 4 || t->is_signed);
}

static const struct ez_type *gen_common(const struct ez_type *a, const struct ez_type *b);

/* Returns, for two types of which at least one is complex, the complex type with the wider
 * parts. */
static const struct ez_type *gen_common_complex(const struct ez_type *a, const struct ez_type *b)
{
    static const char *const names[] = { "complex float", "complex double", "complex long double" };
    const struct ez_type *of[2] = { ez_type_strip(a), ez_type_strip(b) }, *part[2];
    for (unsigned i = 0; i < 2; i++)
        part[i] = of[i]->kind == EZ_TY_COMPLEX ? ez_type_part(of[i]) : of[i];
    if (gen_is_several(part[0]) || gen_is_several(part[1])) /* a vector */
        return of[of[0]->kind != EZ_TY_COMPLEX];
    const struct ez_type *common = gen_common(part[0], part[1]);
    for (unsigned i = 0; i < 2; i++)
        if (of[i]->kind == EZ_TY_COMPLEX && part[i]->size == common->size)
            return of[i];
    return ez_type_base(names[common->size == 4 ? 0 : common->size == 8 ? 1 : 2]);
}

/* Returns the type in which two operands are computed. */
static const struct ez_type *gen_common(const struct ez_type *a, const struct ez_type *b)
{
    if (ez_type_strip(a)->kind == EZ_TY_COMPLEX || ez_type_strip(b)->kind == EZ_TY_COMPLEX)
        return gen_common_complex(a, b);
    if (gen_is_several(a) || gen_is_several(b)) {
        bool first = gen_is_several(a) &&
                     (!gen_is_several(b) || ez_type_strip(a)->size >= ez_type_strip(b)->size);
        return ez_type_strip(first ? a : b);
    }
    a = gen_promoted(a);
    b = gen_promoted(b);
    if (a->kind == EZ_TY_FLOAT && b->kind == EZ_TY_FLOAT)
        return a->size > b->size ? a : b;
    if (a->kind == EZ_TY_FLOAT || b->kind == EZ_TY_FLOAT)
        return a->kind == EZ_TY_FLOAT ? a : b;
    if (a->kind == EZ_TY_POINTER || b->kind == EZ_TY_POINTER)
        return a->kind == EZ_TY_POINTER ? a : b;
    if (a->size != b->size)
        return a->size > b->size ? a : b;
    return ez_type_int((unsigned)a->size, a->is_signed && b->is_signed);
}

static const struct {
    int op;
    /* operation on integers, and on doubles (EZ_OP_END if there is none) */
    enum ez_opcode code, real;
    /* compares: the result is a truth value; turns: on doubles, the result must be negated */
    bool compares, turns;
} binary[] = {
    { '+', EZ_OP_ADD, EZ_OP_FADD, false, false },
    { '-', EZ_OP_SUB, EZ_OP_FSUB, false, false },
    { '*', EZ_OP_MUL, EZ_OP_FMUL, false, false },
    { '/', EZ_OP_DIV, EZ_OP_FDIV, false, false },
    { '%', EZ_OP_MOD, EZ_OP_END, false, false },
    { '&', EZ_OP_AND, EZ_OP_END, false, false },
    { '|', EZ_OP_OR, EZ_OP_END, false, false },
    { '^', EZ_OP_XOR, EZ_OP_END, false, false },
    { EZ_OP2('<', '<'), EZ_OP_SHL, EZ_OP_END, false, false },
    { EZ_OP2('>', '>'), EZ_OP_SHR, EZ_OP_END, false, false },
    { EZ_OP2('=', '='), EZ_OP_EQ, EZ_OP_FEQ, true, false },
    { EZ_OP2('!', '='), EZ_OP_NE, EZ_OP_FEQ, true, true },
    { '<', EZ_OP_LT, EZ_OP_FLT, true, false },
    { EZ_OP2('<', '='), EZ_OP_LE, EZ_OP_FLE, true, false },
    { '>', EZ_OP_GT, EZ_OP_FGT, true, false },
    { EZ_OP2('>', '='), EZ_OP_GE, EZ_OP_FGE, true, false },
};

/* Returns the type of a comparison's result: bool in C++ and Rust, logical in Fortran, int in C. */
static const struct ez_type *gen_truth_type(const struct gen *g)
{
    if (g->scope->is_fortran)
        return gen_fortran_logical();
    return g->scope->is_cxx || g->scope->is_rust ? ez_type_base("bool") : ez_type_int(4, true);
}

/* Generates the truth value of an operand whose code begins at `begin`. */
static ez_err *gen_truth_from(struct gen *g, size_t begin, struct gen_operand *o)
{
    if (gen_is_wide(o->type))
        EZ_TRY(gen_wide_cast(g, begin, o, ez_type_base("bool")));
    EZ_TRY(gen_load(g, o));
    gen_truth(g, o);
    return NULL;
}

ez_err *gen_truth_of(struct gen *g, const struct ez_expr *x)
{
    struct gen_operand o;
    size_t begin = g->code->op.n;
    EZ_TRY(gen_expr(g, x, &o));
    return gen_truth_from(g, begin, &o);
}

/* Generates && and ||: the second operand is evaluated only if the first does not decide. */
static ez_err *gen_logical(struct gen *g, const struct ez_expr *x, struct gen_operand *out)
{
    bool both = x->op == EZ_OP2('&', '&');
    EZ_TRY(gen_truth_of(g, x->at.at[0]));
    size_t jump = g->code->op.n;
    gen_op(g, both ? EZ_OP_JZ : EZ_OP_JNZ, 0, 0, 0);
    EZ_TRY(gen_truth_of(g, x->at.at[1]));
    gen_op(g, EZ_OP_NE, 0, EZ_CODE_IMM, 0);
    gen_op(g, EZ_OP_JUMP, 0, 0, 1);
    g->code->op.at[jump].imm = (int32_t)(g->code->op.n - jump - 1);
    gen_const(g, !both);
    *out = gen_value(gen_truth_type(g));
    return NULL;
}

/* Finds the size of the objects to which a pointer points. */
static ez_err *gen_stride(const struct gen *g, const struct ez_type *t, int32_t *out)
{
    uint64_t size;
    const struct ez_type *to = ez_type_strip(ez_type_strip(t)->to);
    for (; to->kind == EZ_TY_ARRAY; to = ez_type_strip(to->to))
        if (to->count == UINT64_MAX)
            return ez_err_gdb(EZ_E_ARG, "Cannot perform pointer math on incomplete types, try "
                                        "casting to a known type, or void *.");
    EZ_TRY(gen_size(ez_type_strip(t)->to, &size));
    if (size > INT32_MAX)
        return ez_err_hint(gen_no(g, "Counting in elements of", ez_type_strip(t)->to),
                           "Cast the pointer to char *, and count in bytes");
    *out = size ? (int32_t)size : 1;
    return NULL;
}

/* Inserts an operation at index `at`, between the code of two operands. No jump may lead across
 * this index. */
static void gen_insert(struct gen *g, size_t at, struct ez_code_op op)
{
    EZ_PUSH(&g->code->op, op);
    memmove(g->code->op.at + at + 1, g->code->op.at + at,
            (g->code->op.n - 1 - at) * sizeof *g->code->op.at);
    g->code->op.at[at] = op;
}

/* Finds the operation that converts an operand to type `to`. Returns false if none is needed. */
static bool gen_conversion(const struct ez_type *from, const struct ez_type *to,
                           struct ez_code_op *out)
{
    bool real = gen_is_float(to);
    if (real && !gen_is_float(from)) {
        *out = (struct ez_code_op){ .op = EZ_OP_OF_INT, .a = gen_of_int(from, to) };
        return true;
    }
    if (real || to->kind == EZ_TY_POINTER || to->size >= 8 || to->is_signed || !gen_is_signed(from))
        return false;
    *out = (struct ez_code_op){ .op = EZ_OP_CUT, .a = (uint8_t)(8 * to->size) };
    return true;
}

/* Applies the operation `how` at compile time if it is EZ_OP_CUT and the code from `at` on is a
 * constant. Returns whether it did. */
static bool gen_folds(struct gen *g, size_t at, const struct ez_code_op *how)
{
    struct ez_code_op *c = &g->code->op.at[at];
    if (at + 1 != g->code->op.n || c->op != EZ_OP_IMM || how->op != EZ_OP_CUT)
        return false;
    uint64_t v = (uint64_t)(int64_t)c->imm & ((1ull << how->a) - 1);
    g->code->op.n = at;
    gen_const(g, v);
    return true;
}

/* Generates an operation on two words. middle: begin of the second operand's code; if that operand
 * is a constant, it becomes the operation's immediate. */
static void gen_op2(struct gen *g, size_t middle, enum ez_opcode op, bool is_signed)
{
    struct ez_code_op *last = &g->code->op.at[g->code->op.n - 1];
    if (middle + 1 == g->code->op.n && last->op == EZ_OP_IMM) {
        *last = (struct ez_code_op){ (uint8_t)op, is_signed, EZ_CODE_IMM, last->imm };
        return;
    }
    gen_op(g, op, is_signed, 0, 0);
}

static ez_err *gen_no_number(const char *operation, bool is_pointer)
{
    ez_err *e = ez_err_gdb(EZ_E_ARG, "Argument to %s.", operation);
    return is_pointer ? ez_err_hint(e, "Cast a pointer to long to compute with its bits") : e;
}

struct gen_pair { /* two operands on the stack; the first operand is below the second */
    struct gen_operand a, b;
    size_t begin, middle; /* begin of the first and of the second operand's code */
    /* one of the operands has more than 8 bytes, and is not on the stack (gen_wide.c) */
    bool wide;
};

/* Prepares an operand of arithmetic: promotes a bit-field to int if all its values fit, and
 * replaces an array by a pointer (in Fortran, an array is an error). */
static ez_err *gen_operand_from(struct gen *g, struct gen_operand *out)
{
    unsigned bits = out->bits;
    if (gen_is_wide(out->type) || gen_is_object(g, out->type))
        return NULL;
    if (g->scope->is_fortran && ez_type_strip(out->type)->kind == EZ_TY_ARRAY)
        return gen_no_number("arithmetic operation not a number or boolean", false);
    EZ_TRY(gen_load(g, out));
    if (bits && bits < 32 && ez_type_strip(out->type)->size == 4)
        out->type = ez_type_int(4, true);
    return NULL;
}

ez_err *gen_operand_of(struct gen *g, const struct ez_expr *x, struct gen_operand *out)
{
    EZ_TRY(gen_expr(g, x, out));
    return gen_operand_from(g, out);
}

static ez_err *gen_both(struct gen *g, const struct ez_expr *x, const struct ez_expr *y,
                        struct gen_pair *p)
{
    p->begin = g->code->op.n;
    EZ_TRY(gen_operand_of(g, x, &p->a));
    p->middle = g->code->op.n;
    EZ_TRY(gen_operand_of(g, y, &p->b));
    p->wide = gen_is_wide(p->a.type) || gen_is_wide(p->b.type);
    return NULL;
}

static const struct ez_type *gen_to_common(struct gen *g, const struct gen_pair *p)
{
    const struct ez_type *common = gen_common(p->a.type, p->b.type);
    struct ez_code_op op;
    if (g->scope->is_fortran)
        common = gen_fortran_common(common);
    if (gen_conversion(p->b.type, common, &op) && !gen_folds(g, p->middle, &op))
        EZ_PUSH(&g->code->op, op);
    if (gen_conversion(p->a.type, common, &op))
        gen_insert(g, p->middle, op);
    return common;
}

/* Generates p + n, n + p, p - n and p - q. */
static ez_err *gen_pointers(struct gen *g, int op, const struct gen_pair *p,
                            struct gen_operand *out)
{
    bool first = gen_is_pointer(p->a.type);
    const struct ez_type *t = first ? p->a.type : p->b.type;
    struct ez_code_op scale = { .op = EZ_OP_MUL, .b = EZ_CODE_IMM };
    EZ_TRY(gen_stride(g, t, &scale.imm));
    if (op == '-' && gen_is_pointer(p->b.type)) {
        gen_op(g, EZ_OP_SUB, 0, 0, 0);
        gen_op(g, EZ_OP_DIV, 1, EZ_CODE_IMM, scale.imm);
        *out = gen_value(ez_type_int(8, true));
        return NULL;
    }
    if (first)
        EZ_PUSH(&g->code->op, scale);
    else
        gen_insert(g, p->middle, scale);
    gen_op(g, op == '+' ? EZ_OP_ADD : EZ_OP_SUB, 0, 0, 0);
    *out = gen_value(t);
    return NULL;
}

static ez_err *gen_compute(struct gen *g, size_t k, const struct gen_pair *p,
                           struct gen_operand *out)
{
    bool shifts = binary[k].code == EZ_OP_SHL || binary[k].code == EZ_OP_SHR;
    bool truths = ez_type_strip(p->a.type)->kind == EZ_TY_BOOL &&
                  ez_type_strip(p->b.type)->kind == EZ_TY_BOOL;
    bool order = binary[k].compares && binary[k].code != EZ_OP_EQ && binary[k].code != EZ_OP_NE;
    if (g->scope->is_fortran && truths && order)
        return ez_err_new(EZ_E_ARG, 0, "Logical values cannot be compared by <, <=, > or >=");
    const struct ez_type *t = shifts ? gen_promoted(p->a.type) : gen_to_common(g, p);
    bool real = gen_is_float(t);
    if ((real && binary[k].real == EZ_OP_END) || (shifts && gen_is_float(p->b.type)))
        return ez_err_gdb(EZ_E_ARG, "Argument to arithmetic operation not a number or boolean.");
    if (real)
        gen_op(g, binary[k].real, 0, 0, 0);
    else
        gen_op2(g, p->middle, binary[k].code, gen_is_signed(t));
    if (binary[k].turns && real)
        gen_op(g, EZ_OP_NOT, 0, 0, 0);
    if (!binary[k].compares && real)
        gen_round(g, NULL, t);
    else if (!binary[k].compares)
        gen_cut(g, t);
    *out = gen_value(binary[k].compares ? gen_truth_type(g) : t);
    return NULL;
}

/* Generates an operation that has an operand of more than 8 bytes. */
static ez_err *gen_compute_wide(struct gen *g, size_t k, const struct gen_pair *p,
                                struct gen_operand *out)
{
    bool shifts = binary[k].code == EZ_OP_SHL || binary[k].code == EZ_OP_SHR;
    const struct ez_type *in = shifts && !gen_is_several(p->a.type)
                                   ? gen_promoted(p->a.type)
                                   : gen_common(p->a.type, p->b.type);
    if (gen_is_float(in) && binary[k].real == EZ_OP_END)
        return ez_err_gdb(EZ_E_ARG, "Argument to arithmetic operation not a number or boolean.");
    struct gen_wide w = { .kind = EZ_X_BINARY,
                          .op = binary[k].op,
                          .in = in,
                          .type = binary[k].compares ? gen_truth_type(g) : in,
                          .n = 2 };
    w.of[0] = (struct gen_piece){ p->begin, p->middle, p->a };
    w.of[1] = (struct gen_piece){ p->middle, g->code->op.n, p->b };
    return gen_wide(g, &w, out);
}

/* Generates the sequence x, y. */
static ez_err *gen_sequence(struct gen *g, const struct ez_expr *x, struct gen_operand *out)
{
    struct gen_operand first;
    EZ_TRY(gen_expr(g, x->at.at[0], &first));
    if (first.kind != GEN_PLACE)
        gen_op(g, EZ_OP_DROP, 0, 0, 0);
    return gen_expr(g, x->at.at[1], out);
}

/* Generates 2i: a complex number made of two real numbers. */
static ez_err *gen_imaginary(struct gen *g, const struct ez_expr *x, struct gen_operand *out)
{
    struct gen_pair p;
    EZ_TRY(gen_both(g, x->at.at[0], x->at.at[1], &p));
    bool single = gen_is_float(p.b.type) && ez_type_strip(p.b.type)->size == 4;
    struct gen_wide w = { .kind = EZ_X_BINARY,
                          .op = EZ_OP_COMPLEX,
                          .in = ez_type_base(single ? "float" : "double"),
                          .type = ez_type_base(single ? "complex float" : "complex double"),
                          .n = 2 };
    w.of[0] = (struct gen_piece){ p.begin, p.middle, p.a };
    w.of[1] = (struct gen_piece){ p.middle, g->code->op.n, p.b };
    return gen_wide(g, &w, out);
}

static ez_err *gen_binary(struct gen *g, const struct ez_expr *x, struct gen_operand *out)
{
    struct gen_pair p;
    size_t k = 0;
    bool is = false;
    if (g->scope->is_fortran)
        EZ_TRY(gen_fortran_binary(g, x, out, &is));
    if (is)
        return NULL;
    if (x->op == EZ_OP2('&', '&') || x->op == EZ_OP2('|', '|'))
        return gen_logical(g, x, out);
    if (x->op == ',')
        return gen_sequence(g, x, out);
    if (x->op == EZ_OP_COMPLEX)
        return gen_imaginary(g, x, out);
    while (k < EZ_ARRAY_LEN(binary) && binary[k].op != x->op)
        k++;
    if (k == EZ_ARRAY_LEN(binary))
        return ez_err_new(EZ_E_ARG, 0, "Pointers to members are not possible in a probe");
    EZ_TRY(gen_both(g, x->at.at[0], x->at.at[1], &p));
    bool pa = gen_is_pointer(p.a.type), pb = gen_is_pointer(p.b.type);
    if (gen_is_object(g, p.a.type) || gen_is_object(g, p.b.type)) {
        struct gen_wide w = { .n = 2, .of = { { p.begin, p.middle, p.a } } };
        w.of[1] = (struct gen_piece){ p.middle, g->code->op.n, p.b };
        return gen_operator(g, x, x->op, &w, out);
    }
    if (pa && gen_is_wide(p.b.type)) { /* pointer + number of more than 8 bytes */
        EZ_TRY(gen_wide_cast(g, p.middle, &p.b, ez_type_int(8, true)));
        EZ_TRY(gen_load(g, &p.b));
        p.wide = false;
    }
    if (p.wide)
        return gen_compute_wide(g, k, &p, out);
    if (pa && pb && binary[k].compares) {
        size_t grown;
        EZ_TRY(gen_to_base(g, &p.a.type, p.middle, &p.b.type, &grown));
        p.middle += grown;
    }
    if ((x->op == '+' || x->op == '-') && (pa || pb)) {
        bool wrong = pa && pb ? x->op == '+' : gen_is_float(pa ? p.b.type : p.a.type);
        if (wrong || (x->op == '-' && !pa))
            return gen_no_number("arithmetic operation not a number or boolean", true);
        return gen_pointers(g, x->op, &p, out);
    }
    if ((pa || pb) && !binary[k].compares)
        return gen_no_number("arithmetic operation not a number or boolean", true);
    return gen_compute(g, k, &p, out);
}

/* Generates x ? a : b whose a or b has more than 8 bytes. The code of x begins at from[0], that of
 * a at from[1], that of b at from[2]. */
static ez_err *gen_conditional_wide(struct gen *g, const size_t from[3],
                                    const struct gen_operand *a, const struct gen_operand *b,
                                    struct gen_operand *out)
{
    const struct ez_type *in = gen_common(a->type, b->type);
    struct gen_wide w = { .kind = EZ_X_COND, .in = in, .type = in, .n = 3 };
    w.of[0] = (struct gen_piece){ from[0], from[1] - 1, gen_value(ez_type_int(8, false)) };
    w.of[1] = (struct gen_piece){ from[1], from[2] - 1, *a };
    w.of[2] = (struct gen_piece){ from[2], g->code->op.n, *b };
    return gen_wide(g, &w, out);
}

/* Returns whether the operand is an array, a string or a struct, which ?: cannot put on the stack.
 * Only the shell can choose between such operands. */
static bool gen_is_whole(const struct gen *g, const struct gen_operand *o)
{
    return g->scope->number && !ez_type_is_scalar(o->type) && !gen_is_several(o->type);
}

/* Generates an operand that ?: selects. Arrays and structs are not put on the stack. */
static ez_err *gen_choice(struct gen *g, const struct ez_expr *x, struct gen_operand *out)
{
    EZ_TRY(gen_expr(g, x, out));
    return gen_is_whole(g, out) ? NULL : gen_operand_from(g, out);
}

/* In the shell only: evaluates the condition whose code is [begin, end). */
static ez_err *gen_holds(struct gen *g, size_t begin, size_t end, bool *out)
{
    const struct gen_operand truth = gen_value(ez_type_int(8, false));
    size_t n = g->code->op.n;
    uint64_t word = 0;
    g->code->op.n = end;
    ez_err *e = gen_run(g, g->scope->number, begin, &truth, &word);
    g->code->op.n = n;
    *out = word;
    return e;
}

/* Removes the code from `begin` on, except [from, to). */
static void gen_keep(struct gen *g, size_t begin, size_t from, size_t to)
{
    memmove(&g->code->op.at[begin], &g->code->op.at[from], (to - from) * sizeof *g->code->op.at);
    g->code->op.n = begin + to - from;
}

/* Handles x ? a : b if an operand is an array or a struct: evaluates x at once, and keeps only the
 * code of the chosen operand. why: the error of operand a, if it could not be generated; NULL if it
 * could. It is freed or returned. */
static ez_err *gen_chosen(struct gen *g, const size_t from[3], ez_err *why,
                          const struct gen_operand *a, const struct gen_operand *b,
                          struct gen_operand *out)
{
    bool first;
    ez_err *e = gen_holds(g, from[0], from[1] - 1, &first);
    if (e || (first && why))
        return e ? (ez_err_free(why), e) : why;
    ez_err_free(why);
    if (first)
        gen_keep(g, from[0], from[1], from[2] - 1);
    else
        gen_keep(g, from[0], from[2], g->code->op.n);
    *out = first ? *a : *b;
    return NULL;
}

static ez_err *gen_conditional(struct gen *g, const struct ez_expr *x, struct gen_operand *out)
{
    struct gen_operand a, b;
    size_t begin = g->code->op.n;
    bool first;
    EZ_TRY(gen_truth_of(g, x->at.at[0]));
    size_t to_else = g->code->op.n;
    gen_op(g, EZ_OP_JZ, 0, 0, 0);
    ez_err *why = gen_choice(g, x->at.at[1], &a);
    if (!why && gen_is_whole(g, &a)) {
        EZ_TRY(gen_holds(g, begin, to_else, &first));
        gen_keep(g, begin, to_else + 1, first ? g->code->op.n : to_else + 1);
        *out = a;
        return first ? NULL : gen_expr(g, x->at.at[2], out);
    }
    size_t to_end = g->code->op.n;
    gen_op(g, EZ_OP_JUMP, 0, 0, 0);
    g->code->op.at[to_else].imm = (int32_t)(g->code->op.n - to_else - 1);
    ez_err *e = gen_choice(g, x->at.at[2], &b);
    if (!e && gen_is_whole(g, &b))
        return gen_chosen(g, (size_t[]){ begin, to_else + 1, to_end + 1 }, why, &a, &b, out);
    EZ_TRY(ez_err_first(why, e));
    if (gen_is_wide(a.type) || gen_is_wide(b.type))
        return gen_conditional_wide(g, (size_t[]){ begin, to_else + 1, to_end + 1 }, &a, &b, out);
    size_t grown;
    EZ_TRY(gen_to_base(g, &a.type, to_end, &b.type, &grown));
    to_end += grown;
    g->code->op.at[to_else].imm += (int32_t)grown;
    const struct ez_type *common = gen_common(a.type, b.type);
    struct ez_code_op op;
    if (gen_conversion(b.type, common, &op))
        EZ_PUSH(&g->code->op, op);
    if (gen_conversion(a.type, common, &op)) {
        gen_insert(g, to_end++, op);
        g->code->op.at[to_else].imm++;
    }
    g->code->op.at[to_end].imm = (int32_t)(g->code->op.n - to_end - 1);
    *out = gen_value(common);
    return NULL;
}

/* Generates an element of an array, or of the array to which a pointer points. */
static ez_err *gen_element(struct gen *g, struct gen_operand of, const struct ez_expr *index,
                           struct gen_operand *out)
{
    struct gen_pair p = { .a = of };
    const struct ez_type *t = ez_type_strip(of.type);
    if (t->kind == EZ_TY_ARRAY && gen_has_no_address(&p.a) && index->kind == EZ_X_INT) {
        gen_part(g, &p.a, index->number * ez_type_strip(t->to)->size, t->to);
        *out = p.a; /* The element belongs to an array that is in registers, or optimized out. */
        if (out->where.kind == EZ_AT_NONE)
            return NULL;
        return out->offset < 8 * EZ_MAX(1u, out->where.nregs)
                   ? NULL
                   : ez_err_gdb(EZ_E_ARG, "no such vector element");
    }
    int64_t lower = t->kind == EZ_TY_ARRAY ? t->lower : 0;
    EZ_TRY(gen_load(g, &p.a));
    p.middle = g->code->op.n;
    EZ_TRY(gen_expr(g, index, &p.b));
    if (gen_is_wide(p.b.type))
        EZ_TRY(gen_wide_cast(g, p.middle, &p.b, ez_type_int(8, true)));
    EZ_TRY(gen_load(g, &p.b));
    if (gen_is_float(p.b.type)) /* As in gdb, a[1.5] is a[1]. */
        gen_op(g, EZ_OP_TO_INT, 1, 0, 0);
    gen_add(g, -lower);
    if (!gen_is_pointer(p.a.type))
        return ez_err_gdb(EZ_E_ARG, "cannot subscript something of type `%s'",
                          ez_type_strip(p.a.type)->name ? ez_type_strip(p.a.type)->name : "?");
    EZ_TRY(gen_pointers(g, '+', &p, out));
    return gen_pointed(g, out);
}

ez_err *gen_indexed(struct gen *g, const struct gen_operand *of, size_t middle,
                    struct gen_operand *out)
{
    struct gen_pair p = { .a = *of, .b = gen_value(ez_type_int(8, true)), .middle = middle };
    EZ_TRY(gen_pointers(g, '+', &p, out));
    return gen_pointed(g, out);
}

static ez_err *gen_index(struct gen *g, const struct ez_expr *x, struct gen_operand *out)
{
    size_t begin = g->code->op.n;
    EZ_TRY(gen_expr(g, x->at.at[0], out));
    if (gen_is_object(g, out->type)) {
        struct gen_wide w = { .n = 2, .of = { { begin, g->code->op.n, *out } } };
        w.of[1].from = w.of[0].to;
        EZ_TRY(gen_operand_of(g, x->at.at[1], &w.of[1].o));
        w.of[1].to = g->code->op.n;
        return gen_operator(g, x, EZ_OP_INDEX, &w, out);
    }
    const struct ez_type *t = ez_type_strip(out->type);
    if (ez_rust_is_slice(t)) /* the first word of a slice points to the elements */
        gen_part(g, out, t->field[0].offset, t->field[0].type);
    return gen_element(g, *out, x->at.at[1], out);
}

/* For Rust: returns whether x is an integer, so that !x means C's ~x. */
static bool gen_complements(struct gen *g, const struct ez_expr *x)
{
    size_t begin = g->code->op.n;
    struct gen_operand o;
    bool integer = ez_err_drop(gen_expr(g, x, &o)) && ez_type_strip(o.type)->kind == EZ_TY_INT;
    g->code->op.n = begin;
    return integer;
}

/* Generates __real__ x and __imag__ x: a part of a complex number. If the number is in memory, its
 * part is, too. */
static ez_err *gen_complex_part(struct gen *g, const struct ez_expr *x, struct gen_operand *out)
{
    size_t begin = g->code->op.n;
    bool imag = x->op == EZ_OP_IMAG;
    EZ_TRY(gen_expr(g, x->at.at[0], out));
    const struct ez_type *t = ez_type_strip(out->type), *part;
    if (t->kind == EZ_TY_COMPLEX) {
        part = ez_type_part(t);
        gen_part(g, out, imag ? part->size : 0, part);
        return NULL;
    }
    if (!ez_type_is_scalar(t) || t->kind == EZ_TY_POINTER)
        return ez_err_new(EZ_E_ARG, 0, "%s needs a number", imag ? "__imag__" : "__real__");
    if (!imag)
        return NULL;
    g->code->op.n = begin;
    gen_const(g, 0);
    *out = gen_value(gen_is_wide(t) ? ez_type_int(4, true) : t);
    return gen_is_wide(t) ? gen_wide_cast(g, begin, out, t) : NULL;
}

static ez_err *gen_unary(struct gen *g, const struct ez_expr *x, struct gen_operand *out)
{
    if (x->op == EZ_OP_REAL || x->op == EZ_OP_IMAG)
        return gen_complex_part(g, x, out);
    if (x->op == '&') {
        EZ_TRY(gen_expr(g, x->at.at[0], out));
        EZ_TRY(gen_address(g, out));
        *out = gen_value(ez_type_pointer_to(out->type));
        return NULL;
    }
    if (x->op == '*') {
        size_t from = g->code->op.n;
        EZ_TRY(gen_expr(g, x->at.at[0], out));
        if (gen_is_object(g, out->type))
            return gen_operator_of(g, x, x->op, from, out);
        EZ_TRY(gen_pointed(g, out));
        return g->scope->is_fortran ? gen_shape(g, from, out) : NULL;
    }
    if (x->op == '!' && !(g->scope->is_rust && gen_complements(g, x->at.at[0]))) {
        size_t from = g->code->op.n;
        EZ_TRY(gen_expr(g, x->at.at[0], out));
        if (gen_is_object(g, out->type))
            return gen_operator_of(g, x, x->op, from, out);
        EZ_TRY(gen_truth_from(g, from, out));
        gen_op(g, EZ_OP_NOT, 0, 0, 0);
        *out = gen_value(gen_truth_type(g));
        return NULL;
    }
    size_t begin = g->code->op.n;
    EZ_TRY(gen_operand_of(g, x->at.at[0], out));
    if (gen_is_object(g, out->type))
        return gen_operator_of(g, x, x->op, begin, out);
    bool real = gen_is_float(out->type),
         pointer = gen_is_pointer(out->type) && !gen_is_wide(out->type);
    if ((real || pointer) && x->op == '~')
        return gen_no_number("complement operation not an integer, boolean", pointer);
    if (pointer)
        return gen_no_number(x->op == '-' ? "negate operation not a number"
                                          : "positive operation not a number",
                             true);
    if (gen_is_wide(out->type)) {
        struct gen_wide w = {
            .kind = EZ_X_UNARY, .op = x->op, .in = out->type, .type = out->type, .n = 1
        };
        w.of[0] = (struct gen_piece){ begin, g->code->op.n, *out };
        return gen_wide(g, &w, out);
    }
    /* a Fortran number of 4 or more bytes keeps its type */
    bool own = g->scope->is_fortran && ez_type_strip(out->type)->size >= 4;
    out->type = own ? out->type : gen_promoted(out->type);
    if (real && x->op == '-') {
        gen_const(g, 1ull << 63);
        gen_op(g, EZ_OP_XOR, 0, 0, 0);
    } else if (x->op != '+' && !real) { /* the operator is -, ~ or Rust's ! */
        gen_op(g, x->op == '-' ? EZ_OP_NEG : EZ_OP_COM, 0, 0, 0);
        gen_cut(g, out->type);
    }
    return NULL;
}

/* Finds the type of an operand and generates nothing. */
static ez_err *gen_type_of(struct gen *g, const struct ez_expr *x, const struct ez_type **out)
{
    size_t begin = g->code->op.n;
    bool types = g->types;
    struct gen_operand o = { .kind = GEN_VALUE };
    g->types = true;
    ez_err *e = gen_expr(g, x, &o);
    g->types = types;
    EZ_TRY(e);
    g->code->op.n = begin;
    *out = o.type;
    return NULL;
}

static ez_err *gen_typed(struct gen *g, const struct ez_expr *x, struct gen_operand *out)
{
    const struct ez_type *t;
    size_t begin = g->code->op.n;
    if (x->type)
        EZ_TRY(g->scope->type(g->scope->arg, x->type, &t));
    else
        EZ_TRY(gen_type_of(g, x->at.at[0], &t));
    if (x->kind == EZ_X_SIZEOF)
        return gen_sizeof(g, x->op, t, out);
    EZ_TRY(gen_expr(g, x->at.at[0], out));
    return gen_cast(g, x, t, begin, out);
}

static ez_err *gen_kind(struct gen *g, const struct ez_expr *x, struct gen_operand *out)
{
    bool held = false;
    size_t begin = g->code->op.n;
    if (x->kind == EZ_X_CALL && g->scope->is_fortran)
        EZ_TRY(gen_fortran_call(g, x, out, &held));
    if (held)
        return NULL;
    EZ_TRY(gen_held(g, x, out, &held));
    if (held)
        return gen_referred(g, out);
    if (x->kind == EZ_X_CALL)
        EZ_TRY(gen_text_call(g, x, out, &held));
    if (held)
        return NULL;
    switch (x->kind) {
    case EZ_X_INT:
    case EZ_X_CHAR:
    case EZ_X_FLOAT:
        return gen_literal(g, x, out);
    case EZ_X_NAME:
        EZ_TRY(gen_name(g, x, out));
        return gen_referred(g, out);
    case EZ_X_VAR:
        EZ_TRY(gen_variable(g, x->text, out));
        return gen_referred(g, out);
    case EZ_X_UNARY:
        return gen_unary(g, x, out);
    case EZ_X_BINARY:
        return gen_binary(g, x, out);
    case EZ_X_COND:
        return gen_conditional(g, x, out);
    case EZ_X_CAST:
    case EZ_X_MEMORY:
    case EZ_X_SIZEOF:
        return gen_typed(g, x, out);
    case EZ_X_MEMBER:
    case EZ_X_ARROW:
        EZ_TRY(gen_expr(g, x->at.at[0], out));
        return gen_member(g, x, begin, out);
    case EZ_X_INDEX:
        return gen_index(g, x, out);
    default:
        break;
    }
    return ez_err_new(EZ_E_ARG, 0, "%s are not possible in a probe",
                      x->kind == EZ_X_CALL     ? "Calls"
                      : x->kind == EZ_X_ASSIGN ? "Assignments"
                      : x->kind == EZ_X_STRING ? "Strings"
                                               : "Repetitions (@)");
}

ez_err *gen_expr(struct gen *g, const struct ez_expr *x, struct gen_operand *out)
{
    *out = (struct gen_operand){ .kind = GEN_VALUE };
    return gen_kind(g, x, out);
}
