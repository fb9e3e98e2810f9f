/* SPDX-License-Identifier: GPL-3.0-or-later */
/* types.c - prototypes and the items that a probe can collect (types.h).
 * Tests: tests/procs/types.sh */
#include "engine/probe/types.h"

#include "engine/expr/describe.h"
#include "engine/expr/scope.h"
#include "engine/sym/sym.h"

char *ez_types_prototype(struct ez_object *o, const struct ez_sym *sym)
{
    struct ez_scope *s = NULL;
    if (!ez_err_drop(ez_scope_of(o, 0, sym, sym->vaddr, NULL, &s)))
        return NULL;
    char *text = ez_scope_prototype(s);
    ez_scope_free(s);
    return text;
}

static void types_describe(const struct ez_scope *s, const char *name, const struct ez_named *n,
                           void (*fn)(const struct ez_types_item *, void *), void *arg)
{
    EZ_FREE char *type = s->is_fortran ? ez_fortran_text(n->type, false) : ez_type_text(n->type);
    EZ_FREE char *where = ez_where_text(&n->where);
    const struct ez_types_item item = { name, type, where, ez_type_strip(n->type)->size,
                                        n->where.kind == EZ_AT_NONE };
    fn(&item, arg);
}

void ez_types_scope(struct ez_object *o, uint64_t bias, const struct ez_sym *sym, const char **why,
                    void (*fn)(const struct ez_types_item *, void *), void *arg)
{
    struct ez_scope *s = NULL;
    *why = "its prototype cannot be read";
    if (!ez_err_drop(ez_scope_of(o, bias, sym, sym->vaddr, NULL, &s)))
        return;
    *why = s->why_not;
    for (size_t i = 0; i < s->nparams; i++)
        types_describe(s, s->param[i].name, &s->param[i].at, fn, arg);
    if (!s->why_not && ez_type_strip(s->result.type)->kind != EZ_TY_VOID)
        types_describe(s, NULL, &s->result, fn, arg);
    ez_scope_free(s);
}
