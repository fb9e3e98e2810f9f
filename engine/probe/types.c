/* SPDX-License-Identifier: GPL-3.0-or-later */
/* types.c - see types.h. Tests: tests/procs/types.sh */
#include "engine/probe/types.h"

#include "engine/data/describe.h"
#include "engine/data/scope.h"
#include "engine/sym/sym.h"

struct asking {
    const char *text;
    bool whole;
    char *found;
    ez_err *first; /* of the program, whose names are meant first                        */
};

static void types_ask(struct asking *q, struct ez_object *o, uint64_t bias,
                      const struct ez_sym *sym)
{
    struct ez_scope *s = NULL;
    const struct ez_type *t = NULL;
    bool named = false;
    ez_err *e = ez_scope_of(o, bias, sym, sym ? sym->vaddr : 0, "", &s);
    if (!e)
        e = ez_describe_type(s, q->text, &t, &named);
    if (!e && named && !q->whole && t->kind == EZ_TY_NAMED && t->to)
        t = t->to; /* whatis TYPEDEF: one step */
    if (!e)
        q->found = q->whole ? ez_type_whole(t) : ez_type_text(t);
    if (s)
        ez_scope_free(s);
    if (q->first)
        ez_err_free(e);
    else
        q->first = e;
}

static void types_ask_module(const struct ez_module_info *m, void *arg)
{
    struct asking *q = arg;
    if (m->obj && !q->found)
        types_ask(q, m->obj, m->bias, NULL);
}

ez_err *ez_types_of(struct ez_target *t, ez_addr pc, const char *text, bool whole, char **out)
{
    struct asking q = { .text = text, .whole = whole };
    struct ez_module_info m = { 0 };
    uint64_t off;
    if (pc.v) {
        const struct ez_sym *sym = ez_symbolize(t, pc, &off, &m);
        if (sym && m.obj)
            types_ask(&q, m.obj, m.bias, sym);
    }
    ez_err *e = q.found ? NULL : ez_modules(t, types_ask_module, &q);
    *out = q.found;
    if (q.found || e) {
        ez_err_free(q.first);
        return e;
    }
    return q.first ? q.first
                   : ez_err_hint(ez_err_new(EZ_E_STATE, 0, "No symbol table is loaded."),
                                 "use the \"file\" command");
}

char *ez_types_prototype(struct ez_object *o, const struct ez_sym *sym)
{
    struct ez_scope *s = NULL;
    if (!ez_err_drop(ez_scope_of(o, 0, sym, sym->vaddr, "", &s)))
        return NULL;
    char *text = ez_scope_prototype(s);
    ez_scope_free(s);
    return text;
}

static void types_tell(const char *name, const struct ez_named *n,
                       void (*fn)(const struct ez_types_item *, void *), void *arg)
{
    EZ_FREE char *type = ez_type_text(n->type), *where = ez_where_text(&n->where);
    const struct ez_types_item item = { name, type, where, ez_type_strip(n->type)->size,
                                        n->where.kind == EZ_AT_NONE };
    fn(&item, arg);
}

void ez_types_scope(struct ez_object *o, uint64_t bias, const struct ez_sym *sym, const char **why,
                    void (*fn)(const struct ez_types_item *, void *), void *arg)
{
    struct ez_scope *s = NULL;
    *why = "its prototype cannot be read";
    if (!ez_err_drop(ez_scope_of(o, bias, sym, sym->vaddr, "", &s)))
        return;
    *why = s->why_not;
    for (size_t i = 0; i < s->nparams; i++)
        types_tell(s->param[i].name, &s->param[i].at, fn, arg);
    if (!s->why_not && ez_type_strip(s->result.type)->kind != EZ_TY_VOID)
        types_tell(NULL, &s->result, fn, arg);
    ez_scope_free(s);
}
