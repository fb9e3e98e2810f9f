/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gen_text.c - gdb's functions of strings in a probe: $_streq(S, "TEXT"), $_strlen(S) and
 * $_memeq(P, "BYTES", N), computed in the target (gen.h). In the shell, engine/eval computes them.
 *
 * The literal is a part of the code. The target reads a text only up to the first difference, or its
 * NUL. If the text cannot be read so far, the operation faults.
 * Tests: tests/unit/rt/check_code.c, tests/procs/data.sh */
#include <string.h>

#include "engine/expr/gen.h"

/* Puts the address of a string on the stack. As a string counts a char pointer or array, and an
 * integer of 8 bytes, as which the arguments of unknown functions and of USDT probes are known. */
static ez_err *text_address(struct gen *g, const struct ez_expr *x, const char *function)
{
    struct gen_operand o;
    EZ_TRY(gen_expr(g, x, &o));
    EZ_TRY(gen_load(g, &o));
    const struct ez_type *t = ez_type_strip(o.type);
    bool address = t->kind == EZ_TY_POINTER || (t->kind == EZ_TY_INT && t->size == 8);
    if (address && (t->kind == EZ_TY_INT || ez_type_strip(t->to)->size <= 1))
        return NULL;
    EZ_FREE char *name = ez_type_text(o.type);
    return ez_err_hint(
        ez_err_new(EZ_E_ARG, 0, "%s needs a string, and not a value of type %s", function, name),
        "A cast to char * helps");
}

/* Compares n bytes at the address on the stack with those at `bytes`. */
static void text_same(struct gen *g, const char *bytes, size_t n)
{
    gen_op(g, EZ_OP_SAME, 0, (unsigned)(n + 7) / 8, (int64_t)n);
    for (size_t i = 0; i < n; i += 8) {
        struct ez_code_op data = { 0 };
        memcpy(&data, bytes + i, EZ_MIN(n - i, sizeof data));
        EZ_PUSH(&g->code->op, data);
    }
}

static ez_err *text_compare(struct gen *g, const struct ez_expr *x, const struct ez_expr *literal,
                            size_t n, const char *function)
{
    if (n > EZ_SAME_MOST)
        return ez_err_new(EZ_E_LIMIT, 0, "%s compares at most %d bytes in a probe", function,
                          EZ_SAME_MOST);
    EZ_TRY(text_address(g, x, function));
    if (n)
        text_same(g, literal->text, n);
    else
        gen_op(g, EZ_OP_EQ, 0, EZ_CODE_IMM, 0), gen_op(g, EZ_OP_OR, 0, EZ_CODE_IMM, 1);
    return NULL;
}

static bool text_is_literal(const struct ez_expr *x)
{
    return x->kind == EZ_X_STRING && !x->type;
}

/* $_streq(S, "TEXT"), in either order. */
static ez_err *text_streq(struct gen *g, const struct ez_expr *x)
{
    const struct ez_expr *a = x->at.at[1], *b = x->at.at[2];
    if (text_is_literal(a) && !text_is_literal(b)) {
        const struct ez_expr *swap = a;
        a = b;
        b = swap;
    }
    if (!text_is_literal(b))
        return ez_err_new(EZ_E_ARG, 0, "One argument of $_streq must be a literal in a probe");
    return text_compare(g, a, b, strlen(b->text) + 1, "$_streq");
}

static ez_err *text_memeq(struct gen *g, const struct ez_expr *x)
{
    const struct ez_expr *literal = x->at.at[2], *n = x->at.at[3];
    if (!text_is_literal(literal) || n->kind != EZ_X_INT || n->number > literal->number + 1)
        return ez_err_hint(ez_err_new(EZ_E_ARG, 0,
                                      "The arguments 2 and 3 of $_memeq must be a literal and a "
                                      "number of its bytes in a probe"),
                           "Write for example $_memeq(p, \"GET \", 4)");
    return text_compare(g, x->at.at[1], literal, n->number, "$_memeq");
}

static ez_err *text_strlen(struct gen *g, const struct ez_expr *x)
{
    EZ_TRY(text_address(g, x->at.at[1], "$_strlen"));
    gen_op(g, EZ_OP_LENGTH, 0, 0, EZ_LENGTH_MOST);
    return NULL;
}

ez_err *gen_text_call(struct gen *g, const struct ez_expr *x, struct gen_operand *out, bool *is)
{
    static const struct {
        const char *name;
        size_t n;
        ez_err *(*generate)(struct gen *g, const struct ez_expr *x);
    } known[] = { { "$_memeq", 3, text_memeq },
                  { "$_streq", 2, text_streq },
                  { "$_strlen", 1, text_strlen } };
    const struct ez_expr *f = x->at.at[0];
    *is = false;
    for (size_t i = 0; f->kind == EZ_X_VAR && i < EZ_ARRAY_LEN(known); i++) {
        if (strcmp(f->text, known[i].name) != 0)
            continue;
        *is = true;
        *out = gen_value(ez_type_int(4, true));
        if (x->at.n - 1 != known[i].n)
            return ez_err_new(EZ_E_ARG, 0, "You must provide %zu argument%s to %s", known[i].n,
                              known[i].n == 1 ? "" : "s", f->text);
        return known[i].generate(g, x);
    }
    return NULL;
}
