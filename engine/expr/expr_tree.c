/* SPDX-License-Identifier: GPL-3.0-or-later */
/* expr_tree.c - creates, frees and searches the trees of expressions (expr.h).
 * Tests: tests/unit/expr/check_expr.c */
#include "engine/expr/expr_priv.h"

#include <string.h>

struct ez_expr *expr_new(enum ez_expr_kind kind)
{
    struct ez_expr *x = ez_alloc(sizeof *x);
    x->kind = kind;
    return x;
}

struct ez_expr *expr_with(enum ez_expr_kind kind, int op, struct ez_expr *a, struct ez_expr *b)
{
    struct ez_expr *x = expr_new(kind);
    x->op = op;
    EZ_PUSH(&x->at, a);
    if (b)
        EZ_PUSH(&x->at, b);
    return x;
}

void ez_type_name_free(struct ez_type_name *t)
{
    if (!t)
        return;
    free(t->base);
    EZ_VEC_FREE(&t->dim);
    free(t);
}

void ez_expr_free(struct ez_expr *x)
{
    if (!x)
        return;
    for (size_t i = 0; i < x->at.n; i++)
        ez_expr_free(x->at.at[i]);
    EZ_VEC_FREE(&x->at);
    ez_type_name_free(x->type);
    free(x->text);
    free(x->scope);
    free(x);
}

bool ez_expr_has_var(const struct ez_expr *x, const char *variable)
{
    if (x->kind == EZ_X_VAR && !strcmp(x->text, variable))
        return true;
    for (size_t i = 0; i < x->at.n; i++)
        if (ez_expr_has_var(x->at.at[i], variable))
            return true;
    return false;
}
