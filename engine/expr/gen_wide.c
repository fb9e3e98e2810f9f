/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gen_wide.c - numbers of more than 8 bytes (gen.h). They do not fit into the machine's words, so
 * the shell computes such a subexpression at once, and holds its value; the generated code only
 * reads the value. In probes the expression is refused.
 *
 * Tests: tests/procs/wide.sh */
#include "engine/expr/gen.h"

#include <string.h>

bool gen_is_wide(const struct ez_type *t)
{
    t = ez_type_strip(t);
    return ((t->kind == EZ_TY_INT || t->kind == EZ_TY_FLOAT) && t->size > 8) ||
           gen_is_strange_float(t) || gen_is_several(t);
}

ez_err *gen_wide(struct gen *g, struct gen_wide *w, struct gen_operand *out)
{
    const struct ez_scope *s = g->scope;
    struct ez_named n;
    for (unsigned i = 0; i < w->n; i++)
        if (w->kind != EZ_X_CALL && !ez_type_is_scalar(w->of[i].o.type) &&
            !gen_is_several(w->of[i].o.type))
            return gen_no(g, "Computing with a value of type", w->of[i].o.type);
    if (!s->wide)
        return gen_no(g, "Computing with a value of type", w->kind == EZ_X_CAST ? w->type : w->in);
    w->code = g->code->op.at;
    ez_err *e = s->wide(s->arg, w, &n);
    g->code->op.n = w->of[0].from;
    if (!e)
        *out = (struct gen_operand){ .kind = GEN_PLACE, .type = n.type, .where = n.where };
    return e;
}

ez_err *gen_wide_cast(struct gen *g, size_t begin, struct gen_operand *o, const struct ez_type *to)
{
    struct gen_wide w = { .kind = EZ_X_CAST, .in = to, .type = to, .n = 1 };
    if (!g->scope->wide && gen_is_wide(o->type))
        return gen_no(g, "Computing with a value of type", o->type);
    bool complex = ez_type_strip(to)->kind == EZ_TY_COMPLEX,
         of_complex = ez_type_strip(o->type)->kind == EZ_TY_COMPLEX;
    if ((!complex && !ez_type_is_scalar(to)) || (gen_is_several(o->type) && !of_complex))
        return gen_no(g, "Converting to", to);
    w.of[0] = (struct gen_piece){ begin, g->code->op.n, *o };
    return gen_wide(g, &w, o);
}
