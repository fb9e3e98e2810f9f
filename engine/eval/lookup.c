/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lookup.c - finds what a name in an expression means in the selected frame.
 *
 * The order of the search: variables of the function and of its source file; variables of the
 * program's file; names that any module exports; names private to other source files of the frame's
 * module; names private to other modules. So private names of a library that was interrupted in a
 * system call do not hide the program's. gdb has the same order, except that here the program's
 * private names precede exports of libraries. Names without debug information are searched in the
 * symbol tables.
 *
 * Tests: tests/procs/hiding.sh */
#include <string.h>

#include "engine/dwarf/dwarf.h"
#include "engine/expr/scope.h"
#include "engine/eval/eval_priv.h"
#include "engine/target.h"

/* ---- scopes ---------------------------------------------------------------------------------- */

static void lookup_add_other(const struct ez_module_info *m, void *arg)
{
    struct eval *ev = arg;
    struct ez_scope *s;
    ev->any = true;
    if (!m->obj || m->obj == ev->here.obj)
        return;
    if (!ez_err_drop(ez_scope_of(m->obj, m->bias, NULL, 0, NULL, &s)))
        return;
    s->tls = tls_address;
    s->tls_arg = ev;
    EZ_PUSH(&ev->other, ((struct eval_other){ m->obj, s, m->is_program }));
}

static void lookup_need_others(struct eval *ev)
{
    if (!ev->others_made)
        ez_err_drop(ez_modules(ev->t, lookup_add_other, ev));
    ev->others_made = true;
}

/* Returns the scope of the program's file, or NULL if that is the frame's module or has no debug
 * information. */
static struct ez_scope *lookup_program(struct eval *ev)
{
    if (!ev->inner || ev->here.is_program)
        return NULL;
    lookup_need_others(ev);
    for (size_t i = 0; i < ev->other.n; i++)
        if (ev->other.at[i].is_program && !ev->other.at[i].s->why_not)
            return ev->other.at[i].s;
    return NULL;
}

static struct ez_scope *lookup_scope_of(struct eval *ev, const struct ez_object *obj)
{
    if (obj == ev->here.obj)
        return ev->inner;
    lookup_need_others(ev);
    for (size_t i = 0; i < ev->other.n; i++)
        if (ev->other.at[i].obj == obj)
            return ev->other.at[i].s;
    return NULL;
}

/* ---- names ----------------------------------------------------------------------------------- */

struct finding {
    const char *name;
    bool exported; /* skip private names of libraries */
    const struct ez_module_info *in;
    const struct ez_sym *sym;
    const struct ez_object *obj;
    bool in_program;
    uint64_t addr;
};

static void lookup_keep_symbol(const struct ez_sym *s, void *arg)
{
    struct finding *f = arg;
    bool data = f->sym && f->sym->kind == EZ_SYM_DATA;
    if (f->sym && !(data && s->kind != EZ_SYM_DATA))
        return;
    if (s->kind == EZ_SYM_PLT || (f->exported && s->local && !f->in->is_program))
        return;
    f->sym = s;
    f->obj = f->in->obj;
    f->in_program = f->in->is_program;
    f->addr = s->vaddr + f->in->bias;
}

static void lookup_in_module(const struct ez_module_info *m, void *arg)
{
    struct finding *f = arg;
    f->in = m;
    if (m->obj && !f->sym)
        ez_object_find_name(m->obj, f->name, lookup_keep_symbol, f);
}

/* What the search found for a name that has no definition. */
struct lookup {
    ez_err *first;                  /* first error, other than the error for a missing name */
    const struct ez_type *declared; /* type from a declaration */
};

/* Makes *out from a symbol that has no debug information, except perhaps a declaration. */
static void lookup_by_symbol(struct eval *ev, const struct finding *f,
                             const struct ez_type *declared, struct ez_named *out)
{
    static const struct ez_type text = { .kind = EZ_TY_FUNC,
                                         .name = "<text variable, no debug info>",
                                         .symbol = "" };
    out->where = (struct ez_where){ .kind = EZ_AT_MEMORY, .addr = f->addr };
    out->type = &text;
    if (f->sym->kind == EZ_SYM_DATA && declared) {
        out->type = declared;
    } else if (f->sym->kind == EZ_SYM_DATA) {
        struct ez_type *t = ez_alloc(sizeof *t);
        char *own = ez_strdup(f->name);
        *t = (struct ez_type){ .kind = EZ_TY_UNKNOWN,
                               .name = "<data variable, no debug info>",
                               .symbol = own };
        EZ_PUSH(&ev->v->kept, (void *)t);
        EZ_PUSH(&ev->v->kept, (void *)own);
        out->type = t;
    }
}

/* Returns the name without a leading "::", which names of symbols do not have. */
static const char *lookup_bare(const char *name)
{
    return strncmp(name, "::", 2) ? name : name + 2;
}

static bool lookup_symbol(struct eval *ev, const char *name, const struct lookup *l,
                          struct ez_named *out)
{
    struct finding f = { .name = lookup_bare(name) };
    ez_err_drop(ez_modules(ev->t, lookup_in_module, &f));
    if (f.sym)
        lookup_by_symbol(ev, &f, l->declared, out);
    return f.sym != NULL;
}

/* Sets *out to what the scope says of a found symbol. Returns false if the scope does not describe
 * the symbol, or describes something else under its name. */
static bool lookup_finish(const struct ez_scope *s, const struct finding *f, struct ez_named *out)
{
    return s && !s->why_not && ez_err_drop(s->name(s->arg, NULL, f->name, out)) &&
           out->where.kind == EZ_AT_MEMORY;
}

/* Uses the program's copy (copy relocation) of a variable that a library exports. */
static void lookup_copied(struct eval *ev, const char *name, struct ez_named *out)
{
    struct finding f = { .name = name, .exported = true };
    struct ez_module_info m;
    uint64_t off = 0;
    if (out->where.kind != EZ_AT_MEMORY)
        return;
    const struct ez_sym *sym = ez_symbolize_any(ev->t, ez_addr_of(out->where.addr), &off, &m);
    if (!sym || off || sym->kind != EZ_SYM_DATA || sym->local || m.is_program)
        return;
    ez_err_drop(ez_modules(ev->t, lookup_in_module, &f));
    if (f.sym && f.in_program && f.sym->kind == EZ_SYM_DATA)
        out->where.addr = f.addr;
}

/* Finds a symbol of the program, or one that a library exports. A variable's type may come from
 * another module. */
static bool lookup_exported(struct eval *ev, const char *name, const struct lookup *l,
                            struct ez_named *out)
{
    struct finding f = { .name = lookup_bare(name), .exported = true };
    ez_err_drop(ez_modules(ev->t, lookup_in_module, &f));
    if (!f.sym)
        return false;
    if (lookup_finish(lookup_scope_of(ev, f.obj), &f, out))
        return true;
    for (size_t i = 0; f.sym->kind == EZ_SYM_DATA && i < ev->other.n; i++) {
        struct finding g = { .name = f.name, .exported = true };
        const struct eval_other *o = &ev->other.at[i];
        lookup_in_module(&(struct ez_module_info){ .obj = (struct ez_object *)o->obj }, &g);
        if (g.sym && lookup_finish(o->s, &f, out))
            return true;
    }
    lookup_by_symbol(ev, &f, l->declared, out);
    return true;
}

/* Finds a function's type by its address, because the unit that declares the function may not
 * describe it. */
static void lookup_function(struct eval *ev, struct ez_named *out)
{
    struct ez_module_info m;
    uint64_t off = 0;
    const char *why;
    const struct ez_type *t = ez_type_strip(out->type);
    struct ez_dwarf_function f = { .key = 0 };
    if (t->kind != EZ_TY_FUNC || t->has_protos || out->where.kind != EZ_AT_MEMORY)
        return;
    const struct ez_sym *sym = ez_symbolize(ev->t, ez_addr_of(out->where.addr), &off, &m);
    struct ez_dwarf *d = sym && !off && m.obj ? ez_dwarf_of(m.obj, &why) : NULL;
    /* the debug information describes the resolver, not the function */
    if (sym && sym->kind == EZ_SYM_IFUNC)
        d = NULL;
    if (d && ez_dwarf_function(d, out->where.addr - m.bias, &f) && f.key)
        out->type = ez_dwarf_type(d, f.key);
    EZ_VEC_FREE(&f.param);
}

static bool lookup_found(ez_err *e, struct lookup *l)
{
    if (e && !l->first && e->code != EZ_E_NOTFOUND)
        l->first = e;
    else
        ez_err_free(e);
    return !e;
}

static ez_err *lookup_none(const struct eval *ev, const char *name)
{
    return ev->any
               ? ez_err_gdb(EZ_E_NOTFOUND, "No symbol \"%s\" in current context.", name)
               : ez_err_gdb(EZ_E_STATE, "No symbol table is loaded.  Use the \"file\" command.");
}

static bool lookup_in(const struct ez_scope *s, const char *scope, const char *name,
                      struct ez_named *out, struct lookup *l)
{
    struct ez_named n = { .type = NULL };
    bool found = s && lookup_found(s->name(s->arg, scope, name, &n), l);
    if (found)
        *out = n;
    else if (!l->declared)
        l->declared = n.type;
    return found;
}

/* Returns the class, or C++ enum, that contains the name, or NULL. */
static const struct ez_type *lookup_class_of(struct eval *ev, const char *name, bool *is_typedef)
{
    const char *last = strrchr(name, ':');
    const struct ez_type *t = NULL;
    if (!last || last - name < 2)
        return NULL;
    EZ_FREE char *base = ez_strndup(name, (size_t)(last - 1 - name));
    if (!ez_err_drop(lookup_type(ev, &(struct ez_type_name){ .base = base }, &t)) || !t)
        return NULL;
    *is_typedef = t->kind == EZ_TY_NAMED;
    t = ez_type_strip(t);
    bool class = t->kind == EZ_TY_STRUCT || t->kind == EZ_TY_UNION || t->kind == EZ_TY_ENUM;
    return class && t->is_cxx && t->name && strcmp(t->name, lookup_bare(name)) ? t : NULL;
}

/* Returns CLASS::NAME for TYPEDEF::NAME, or NULL for other names. The caller frees it. */
static char *lookup_by_class(struct eval *ev, const char *name)
{
    bool is_typedef = false;
    const struct ez_type *class = lookup_class_of(ev, name, &is_typedef);
    EZ_FREE char *full =
        class && is_typedef ? ez_sprintf("::%s::%s", class->name, strrchr(name, ':') + 1) : NULL;
    return full && strcmp(lookup_bare(full), lookup_bare(name)) ? ez_strdup(full) : NULL;
}

/* Handles a name that is declared but not defined. A constant static member of a class has no
 * definition if its value is in the declaration. */
static ez_err *lookup_missing(struct eval *ev, const char *name, const struct lookup *l,
                              struct ez_named *out)
{
    bool is_typedef, value = ez_type_strip(l->declared)->kind != EZ_TY_FUNC;
    if (!value)
        return lookup_none(ev, name);
    if (!ev->types && !lookup_class_of(ev, name, &is_typedef))
        return ez_err_gdb(EZ_E_NOTFOUND, "Missing ELF symbol \"%s\".", name);
    *out = (struct ez_named){ l->declared, ez_where_gone() };
    return NULL;
}

static ez_err *lookup_any(void *arg, const char *scope, const char *name, struct ez_named *out)
{
    struct eval *ev = arg;
    struct lookup l = { .first = NULL };
    const struct ez_scope *program = lookup_program(ev), *here = ev->inner;
    bool found = program && !scope && ez_scope_near(ev->inner, name, out);
    found = found || lookup_in(program ? program : here, scope, name, out, &l);
    if (!found && l.first) /* the program has a variable of that name, but it cannot be read */
        return l.first;
    EZ_FREE char *full = found || scope || l.declared ? NULL : lookup_by_class(ev, name);
    found = found || (full && ez_err_drop(lookup_any(ev, NULL, full, out)));
    lookup_need_others(ev);
    found = found || (!scope && lookup_exported(ev, name, &l, out));
    found = found || (program && lookup_in(here, scope, name, out, &l));
    for (size_t i = 0; i < ev->other.n && !found; i++)
        found = !ev->other.at[i].s->why_not && lookup_in(ev->other.at[i].s, scope, name, out, &l);
    found = found || (!l.first && !scope && lookup_symbol(ev, name, &l, out));
    if (!found && !l.first && l.declared)
        return lookup_missing(ev, name, &l, out);
    if (!found)
        return l.first ? l.first : lookup_none(ev, name);
    ez_err_free(l.first);
    return NULL;
}

ez_err *lookup_name(void *arg, const char *scope, const char *name, struct ez_named *out)
{
    EZ_TRY(lookup_any(arg, scope, name, out));
    lookup_copied(arg, name, out);
    lookup_function(arg, out);
    shape_resolve(arg, NULL, out);
    return NULL;
}

/* ---- types ----------------------------------------------------------------------------------- */

ez_err *lookup_type(void *arg, const struct ez_type_name *name, const struct ez_type **out)
{
    struct eval *ev = arg;
    const struct ez_type *base = ez_scope_base(&ev->scope, name->base);
    if (base) {
        *out = ez_scope_derived(base, name);
        return NULL;
    }
    const struct ez_scope *program = lookup_program(ev), *here = ev->inner;
    if (program && !ez_scope_near_type(ev->inner, name->base) &&
        ez_err_drop(program->type(program->arg, name, out)))
        return NULL;
    if (here && ez_err_drop(here->type(here->arg, name, out)))
        return NULL;
    lookup_need_others(ev);
    for (size_t i = 0; i < ev->other.n; i++)
        if (ez_err_drop(ev->other.at[i].s->type(ev->other.at[i].s->arg, name, out)))
            return NULL;
    return ez_scope_no_type(name->base);
}

/* Returns the meaning of a word, in the order of lookup_any(). */
static enum ez_means lookup_any_means(struct eval *ev, const char *word)
{
    struct finding f = { .name = word, .exported = true };
    struct ez_scope *program = lookup_program(ev), *first = program ? program : ev->inner;
    enum ez_means m = program ? ez_scope_means(ev->inner, word, true) : EZ_MEANS_NOTHING;
    if (!m && first)
        m = ez_scope_means(first, word, false);
    if (m)
        return m;
    ez_err_drop(ez_modules(ev->t, lookup_in_module, &f));
    if (f.sym)
        return EZ_MEANS_VALUE;
    if (program)
        m = ez_scope_means(ev->inner, word, false);
    lookup_need_others(ev);
    for (size_t i = 0; i < ev->other.n && !m; i++)
        if (!ev->other.at[i].s->why_not)
            m = ez_scope_means(ev->other.at[i].s, word, false);
    return m;
}

enum ez_means lookup_means(void *arg, const char *word)
{
    struct eval *ev = arg;
    struct ez_named n;
    if (ev->scope.local(ev, word, &n))
        return EZ_MEANS_VALUE;
    return ez_scope_base(&ev->scope, word) ? EZ_MEANS_TYPE : lookup_any_means(ev, word);
}
