/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gen_cast.c - conversion of values to another type (gen.h).
 * Tests: tests/unit/rt/check_code.c, tests/procs/compiled.sh */
#include "engine/expr/gen.h"

void gen_cut(struct gen *g, const struct ez_type *t)
{
    t = ez_type_strip(t);
    if (t->kind == EZ_TY_BOOL) {
        gen_op(g, EZ_OP_NE, 0, EZ_CODE_IMM, 0);
        return;
    }
    if (t->size && t->size < 8)
        gen_op(g, EZ_OP_CUT, 8 * (unsigned)t->size, gen_is_signed(t), 0);
}

uint8_t gen_of_int(const struct ez_type *from, const struct ez_type *to)
{
    return (uint8_t)((gen_is_signed(from) ? EZ_CODE_SIGNED : 0) |
                     (to->size == 4 ? EZ_CODE_FLOAT : 0));
}

void gen_round(struct gen *g, const struct ez_type *from, const struct ez_type *to)
{
    if (to->size == 4 && (!from || ez_type_strip(from)->size != 4))
        gen_op(g, EZ_OP_ROUND, 0, 0, 0);
}

/* Converts the value on the stack to another scalar type. how: EZ_CAST_* */
static ez_err *gen_convert(struct gen *g, struct gen_operand *o, const struct ez_type *to, int how)
{
    bool from_float = gen_is_float(o->type), to_float = gen_is_float(to);
    const struct ez_type *t = ez_type_strip(to);
    bool related;
    if (!ez_type_is_scalar(t) || t->size > 8)
        return gen_no(g, "Converting to", to);
    if (how != EZ_CAST_BITS)
        EZ_TRY(gen_class_pointer(g, o->type, to, &related));
    if (to_float && !from_float)
        gen_op(g, EZ_OP_OF_INT, gen_of_int(o->type, t), 0, 0);
    else if (t->kind == EZ_TY_BOOL)
        gen_truth(g, o);
    else if (!to_float && from_float)
        gen_op(g, EZ_OP_TO_INT, t->size < 8 || t->is_signed, 0, 0);
    if (to_float && from_float)
        gen_round(g, o->type, t);
    if (!to_float)
        gen_cut(g, to);
    o->type = to;
    return NULL;
}

void gen_truth(struct gen *g, const struct gen_operand *o)
{
    if (!gen_is_float(o->type))
        return;
    gen_const(g, 0);
    gen_op(g, EZ_OP_FEQ, 0, 0, 0);
    gen_op(g, EZ_OP_NOT, 0, 0, 0);
}

/* Replaces the type of an operand in memory: (base &)x. */
static ez_err *gen_cast_reference(struct gen *g, const struct ez_type *t, int how,
                                  struct gen_operand *out)
{
    bool related;
    EZ_TRY(gen_address(g, out));
    if (how != EZ_CAST_BITS)
        EZ_TRY(gen_class_pointer(g, ez_type_pointer_to(out->type), t, &related));
    out->type = ez_type_strip(t)->to;
    return NULL;
}

ez_err *gen_cast(struct gen *g, const struct ez_expr *x, const struct ez_type *t, size_t begin,
                 struct gen_operand *out)
{
    const struct ez_type *from = ez_type_strip(out->type);
    if (x->kind == EZ_X_CAST && x->op == EZ_CAST_DYNAMIC)
        return gen_dynamic_cast(g, begin, t, out);
    if (x->kind == EZ_X_CAST && ((from->kind == EZ_TY_UNKNOWN && from->symbol) ||
                                 (from == ez_type_strip(t) && !ez_type_is_scalar(t)))) {
        out->type = t; /* the declared type of a variable, or a struct cast to its own type */
        return NULL;
    }
    if (x->kind == EZ_X_CAST &&
        /* the shell has already executed the calls in the operand */
        ez_type_strip(t)->kind == EZ_TY_VOID) {
        g->code->op.n = begin;
        gen_const(g, 0);
        *out = gen_value(t);
        return NULL;
    }
    if (x->kind == EZ_X_CAST && ez_type_strip(t)->kind == EZ_TY_REFERENCE)
        return gen_cast_reference(g, t, x->op, out);
    if (x->kind == EZ_X_CAST && (gen_is_wide(from) || gen_is_wide(t)))
        return gen_wide_cast(g, begin, out, t);
    EZ_TRY(gen_load(g, out));
    if (x->kind == EZ_X_MEMORY) {
        out->kind = GEN_ADDRESS;
        out->type = t;
        return NULL;
    }
    return gen_convert(g, out, t, x->op);
}
