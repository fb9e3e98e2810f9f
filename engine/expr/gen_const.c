/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gen_const.c - constants: literals, and sizes of types (gen.h).
 * Tests: tests/unit/rt/check_code.c */
#include "engine/expr/gen.h"

#include <string.h>

/* Finds the size of a type. void and functions have size 1, as in gcc. */
ez_err *gen_size(const struct ez_type *t, uint64_t *out)
{
    t = ez_type_strip(t);
    t = ez_type_load(t->kind == EZ_TY_REFERENCE && t->to ? ez_type_strip(t->to) : t);
    EZ_FREE char *name = ez_type_text(t);
    *out = t->kind == EZ_TY_VOID || t->kind == EZ_TY_FUNC ? 1 : t->size;
    if (t->is_dynamic && t->count == UINT64_MAX && !t->absent)
        return ez_err_new(
            EZ_E_ARG, 0,
            "The size of %s is not known: its bounds are computed while the program runs", name);
    if (!*out && t->is_declared)
        return ez_err_new(EZ_E_ARG, 0, "The size of %s is not known: the type is incomplete", name);
    return NULL;
}

ez_err *gen_sizeof(struct gen *g, int op, const struct ez_type *t, struct gen_operand *out)
{
    uint64_t size;
    EZ_TRY(gen_size(t, &size));
    gen_const(g, op == EZ_OP_ALIGNOF ? ez_type_alignment(t) : size);
    *out = gen_value(ez_type_int(8, false));
    return NULL;
}

/* Returns the first of int, unsigned, long and unsigned long that the suffixes allow and that holds
 * the number. An unsigned type is chosen only if the number has the suffix u, is not decimal, or
 * fits no other type. */
static const struct ez_type *gen_integer(const struct ez_expr *x)
{
    bool may = x->is_unsigned || !x->is_decimal;
    bool wide = x->is_long || x->number > (may ? UINT32_MAX : INT32_MAX);
    uint64_t most = wide ? INT64_MAX : INT32_MAX;
    return ez_type_int(wide ? 8 : 4, !x->is_unsigned && x->number <= most);
}

static const struct ez_type wide[] = {
    { .kind = EZ_TY_INT, .size = 4, .name = "wchar_t", .is_signed = true },
    { .kind = EZ_TY_INT, .size = 2, .name = "char16_t" },
    { .kind = EZ_TY_INT, .size = 4, .name = "char32_t" },
};

const struct ez_type *gen_wide_char(const char *name)
{
    for (size_t i = 0; i < EZ_ARRAY_LEN(wide); i++)
        if (!strcmp(wide[i].name, name))
            return &wide[i];
    return NULL;
}

ez_err *gen_literal(struct gen *g, const struct ez_expr *x, struct gen_operand *out)
{
    const struct ez_type *own =
        x->type && g->scope->is_fortran ? ez_fortran_base(x->type->base) : NULL;
    if (x->kind == EZ_X_FLOAT && own && own->size > 8)
        return gen_no(g, "A constant of type", own);
    if (x->kind == EZ_X_FLOAT) {
        uint64_t bits;
        bool single = (x->type && !strcmp(x->type->base, "f32")) || (own && own->size == 4);
        double real = x->is_float || single ? (double)(float)x->real : x->real;
        memcpy(&bits, &real, sizeof bits);
        gen_const(g, bits);
        *out = gen_value(own                     ? own
                         : x->is_float || single ? ez_type_base("float")
                                                 : ez_type_double());
        return NULL;
    }
    gen_const(g, x->number);
    *out = gen_value(x->kind == EZ_X_INT ? gen_integer(x) : ez_type_base("char"));
    if (x->type && g->scope->is_rust && ez_rust_base(x->type->base))
        out->type = ez_rust_base(x->type->base);
    if (own)
        out->type = own;
    if (x->type && gen_wide_char(x->type->base))
        out->type = gen_wide_char(x->type->base);
    return NULL;
}
