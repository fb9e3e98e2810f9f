/* SPDX-License-Identifier: GPL-3.0-or-later */
/* overload.c - overload resolution by C++'s rules: each argument gets a rank for each function. A
 * function is chosen if it is not worse than any other for any argument, and better for at least
 * one. If there is no such function, the call is refused. Conversions that the program defines
 * (constructors, operators) are not supported.
 *
 * Tests: tests/procs/classes.sh */
#include <string.h>

#include "engine/expr/gen.h"
#include "engine/expr/scope.h"
#include "engine/eval/eval_priv.h"
#include "engine/target.h"

#define MOST_CANDIDATES 64
#define DEEPEST 64 /* maximum depth of bases */

/* How well an argument fits a parameter; a smaller one is better. */
enum rank {
    RANK_EXACT,
    RANK_QUALIFIED,
    RANK_PROMOTED,
    RANK_CONVERTED,
    RANK_TO_BASE, /* plus the number of levels to the base */
    RANK_TO_VOID = RANK_TO_BASE + DEEPEST + 1,
    RANK_TO_BOOL,
    RANK_ANY,
    RANK_NONE
};

/* ---- ranks ----------------------------------------------------------------------------------- */

static bool overload_is_integer(const struct ez_type *t)
{
    return t->kind == EZ_TY_INT || t->kind == EZ_TY_CHAR || t->kind == EZ_TY_BOOL;
}

static bool overload_is_number(const struct ez_type *t)
{
    return overload_is_integer(t) || t->kind == EZ_TY_FLOAT || t->kind == EZ_TY_ENUM;
}

static bool overload_same(const struct ez_type *a, const struct ez_type *b);

static bool overload_same_inside(const struct ez_type *a, const struct ez_type *b)
{
    if (!a->to || !b->to)
        return a->to == b->to;
    return overload_same(a->to, b->to);
}

/* Returns whether the types are equal except for const. */
static bool overload_same(const struct ez_type *a, const struct ez_type *b)
{
    a = ez_type_strip(a);
    b = ez_type_strip(b);
    if (a == b)
        return true;
    if (a->kind != b->kind || a->size != b->size || a->is_signed != b->is_signed)
        return false;
    if (a->kind == EZ_TY_POINTER || a->kind == EZ_TY_ARRAY || a->kind == EZ_TY_REFERENCE)
        return overload_same_inside(a, b);
    return a->kind == EZ_TY_FUNC || (a->name && b->name && !strcmp(a->name, b->name));
}

/* Returns whether the conversion is a promotion: of float to double, of a large enum to its integer
 * type, of other small types to int. */
static bool overload_promotes(const struct ez_type *from, const struct ez_type *to)
{
    if (from->kind == EZ_TY_FLOAT)
        return from->size == 4 && to->kind == EZ_TY_FLOAT && to->size == 8;
    if (from->kind == EZ_TY_ENUM && (from->is_scoped || from->size > 4))
        return !from->is_scoped && from->to && overload_same(from->to, to);
    bool small = from->size < 4 || from->kind == EZ_TY_BOOL || from->kind == EZ_TY_ENUM;
    return small && to->kind == EZ_TY_INT && to->size == 4 && to->is_signed;
}

static enum rank overload_rank_number(const struct ez_type *from, const struct ez_type *to)
{
    if (overload_promotes(from, to))
        return RANK_PROMOTED;
    bool scoped = from->kind == EZ_TY_ENUM && from->is_scoped;
    return scoped || to->kind == EZ_TY_ENUM ? RANK_NONE : RANK_CONVERTED;
}

static bool overload_is_const(const struct ez_type *t)
{
    while (t && t->kind == EZ_TY_NAMED)
        t = t->to;
    return t && t->kind == EZ_TY_CONST && strstr(t->name, "const");
}

/* Returns the rank of a conversion to a base, which is better for a closer base. */
static enum rank overload_rank_base(const struct ez_type *class, const struct ez_type *base)
{
    int depth = gen_base_depth(class, base);
    return depth > 0 ? (enum rank)(RANK_TO_BASE + EZ_MIN(depth, DEEPEST)) : RANK_NONE;
}

static enum rank overload_rank_pointer(const struct ez_type *from, const struct ez_type *to)
{
    const struct ez_type *a = from->to ? ez_type_strip(from->to) : NULL,
                         *b = to->to ? ez_type_strip(to->to) : NULL;
    bool adds = overload_is_const(to->to) && !overload_is_const(from->to);
    if (overload_is_const(from->to) && !overload_is_const(to->to))
        return RANK_NONE;
    if (a && b && overload_same(a, b))
        return adds ? RANK_QUALIFIED : RANK_EXACT;
    if (!b || b->kind == EZ_TY_VOID)
        return RANK_TO_VOID;
    return a ? overload_rank_base(a, b) : RANK_NONE;
}

static enum rank overload_rank_value(const struct ez_value *v, const struct ez_type *to, bool null)
{
    const struct ez_type *from = ez_type_strip(v->type);
    to = ez_type_strip(to);
    if (from->kind == EZ_TY_REFERENCE && from->to)
        from = ez_type_strip(from->to);
    if (overload_same(from, to) && from->kind != EZ_TY_POINTER)
        return RANK_EXACT;
    if (from->kind == EZ_TY_ARRAY || from->kind == EZ_TY_FUNC)
        from = ez_type_pointer_to(from->kind == EZ_TY_ARRAY ? from->to : from);
    if (from->kind == EZ_TY_POINTER && to->kind == EZ_TY_POINTER)
        return overload_rank_pointer(from, to);
    if (null && to->kind == EZ_TY_POINTER)
        return RANK_CONVERTED;
    if (from->kind == EZ_TY_POINTER && to->kind == EZ_TY_BOOL)
        return RANK_TO_BOOL;
    if (overload_is_number(from) && overload_is_number(to))
        return overload_rank_number(from, to);
    return from->kind == EZ_TY_STRUCT && to->kind == EZ_TY_STRUCT ? overload_rank_base(from, to)
                                                                  : RANK_NONE;
}

/* Returns how well `v` fits the parameter type `param`. An lvalue reference that is not to const
 * accepts only objects in memory, of the same type or of a class derived from it; an rvalue
 * reference accepts only values that are not in memory. null: the argument is the literal 0. */
static enum rank overload_rank(const struct ez_value *v, const struct ez_type *param, bool null)
{
    const struct ez_type *t = ez_type_strip(param);
    if (t->kind != EZ_TY_REFERENCE || !t->to)
        return overload_rank_value(v, param, null);
    enum rank r = overload_rank_value(v, t->to, null);
    bool place = v->lval == EZ_L_MEMORY, moves = t->name;
    if (moves)
        return place ? RANK_NONE : r;
    if (overload_is_const(t->to))
        return r == RANK_EXACT ? RANK_QUALIFIED : r;
    return place && (r == RANK_EXACT || (r >= RANK_TO_BASE && r < RANK_TO_VOID)) ? r : RANK_NONE;
}

/* ---- candidates ------------------------------------------------------------------------------ */

struct candidate {
    const struct ez_sym *sym;
    uint64_t at;
    EZ_VEC(enum rank) rank;
    bool viable, of_object, is_virtual, clashes;
    uint64_t vtable;
};
struct overload {
    struct eval *ev;
    const struct overload_call *call;
    const struct ez_module_info *in;
    EZ_VEC(struct candidate) all;
};

static bool overload_is_null(const struct ez_expr *x)
{
    return x && x->kind == EZ_X_INT && !x->number;
}

/* Returns whether `t` is an object or a pointer to one. No supported conversion leads from such a
 * type to another class. */
static bool overload_is_object(const struct ez_type *t)
{
    t = ez_type_strip(t);
    if ((t->kind == EZ_TY_POINTER || t->kind == EZ_TY_REFERENCE) && t->to)
        t = ez_type_strip(t->to);
    return t->kind == EZ_TY_STRUCT && t->is_cxx;
}

static void overload_judge(struct overload *o, struct candidate *c, const struct ez_scope *s)
{
    const struct overload_call *call = o->call;
    size_t hidden = s->nparams && !strcmp(s->param[0].name, "this");
    size_t accepts = s->nparams - hidden;
    const struct ez_type *this = hidden ? ez_type_strip(s->param[0].at.type) : NULL;
    bool constant = this && overload_is_const(this->to);
    c->of_object = hidden;
    c->vtable = s->vtable;
    c->is_virtual = s->is_virtual;
    c->viable = (call->n == accepts || (call->n > accepts && s->is_variadic)) &&
                (constant || !hidden || !call->is_const);
    EZ_PUSH(&c->rank, constant && !call->is_const ? RANK_QUALIFIED : RANK_EXACT);
    for (size_t i = 0; i < call->n && c->viable; i++) {
        enum rank r = i < accepts ? overload_rank(&call->arg[i], s->param[hidden + i].at.type,
                                                  i + 1 < call->x->at.n &&
                                                      overload_is_null(call->x->at.at[i + 1]))
                                  : RANK_ANY;
        c->viable = r != RANK_NONE;
        c->clashes |=
            r == RANK_NONE && (overload_is_object(call->arg[i].type) ||
                               (i < accepts && eval_is_object(s->param[hidden + i].at.type)));
        EZ_PUSH(&c->rank, r);
    }
}

static void overload_add(const struct ez_sym *sym, void *arg)
{
    struct overload *o = arg;
    struct candidate c = { .sym = sym, .at = sym->vaddr + o->in->bias };
    struct ez_scope *s = NULL;
    if ((sym->kind != EZ_SYM_FUNC && sym->kind != EZ_SYM_IFUNC) || o->all.n == MOST_CANDIDATES)
        return;
    for (size_t i = 0; i < o->all.n; i++) /* a constructor has two symbols */
        if (o->all.at[i].at == c.at)
            return;
    if (!ez_err_drop(ez_scope_of(o->in->obj, o->in->bias, sym, sym->vaddr, NULL, &s)))
        return;
    if (!s->why_not)
        overload_judge(o, &c, s);
    ez_scope_free(s);
    EZ_PUSH(&o->all, c);
}

static void overload_in_module(const struct ez_module_info *m, void *arg)
{
    struct overload *o = arg;
    o->in = m;
    if (m->obj && !o->all.n)
        ez_object_find_name(m->obj, o->call->name, overload_add, o);
}

/* Returns whether a is better than b for at least one argument, and worse for none. */
static bool overload_better(const struct candidate *a, const struct candidate *b)
{
    bool better = false;
    for (size_t i = 0; i < EZ_MIN(a->rank.n, b->rank.n); i++) {
        if (a->rank.at[i] > b->rank.at[i])
            return false;
        better |= a->rank.at[i] < b->rank.at[i];
    }
    return better;
}

/* Returns whether both functions have the same name and signature. Such functions are private to
 * different files. */
static bool overload_even(const struct candidate *a, const struct candidate *b)
{
    bool same = a->rank.n == b->rank.n && !strcmp(ez_sym_pretty(a->sym), ez_sym_pretty(b->sym));
    for (size_t i = 0; i < a->rank.n && same; i++)
        same = a->rank.at[i] == b->rank.at[i];
    return same;
}

static const struct candidate *overload_best(const struct overload *o)
{
    for (size_t i = 0; i < o->all.n; i++) {
        const struct candidate *c = &o->all.at[i];
        bool best = c->viable;
        for (size_t k = 0; k < o->all.n && best; k++)
            best = k == i || !o->all.at[k].viable || overload_better(c, &o->all.at[k]) ||
                   (c->at == o->call->named && !overload_better(&o->all.at[k], c) &&
                    overload_even(c, &o->all.at[k]));
        if (best)
            return c;
    }
    return NULL;
}

static ez_err *overload_none(const struct overload *o)
{
    EZ_FREE char *list = ez_strdup("");
    bool any = false;
    for (size_t i = 0; i < o->all.n; i++)
        any |= o->all.at[i].viable;
    for (size_t i = 0; i < o->all.n && strlen(list) < 400; i++) {
        if (any && !o->all.at[i].viable)
            continue;
        EZ_FREE char *was = list;
        list = ez_sprintf("%s%s%s", was, *was ? ", " : "", ez_sym_pretty(o->all.at[i].sym));
    }
    return ez_err_hint(ez_err_new(EZ_E_ARG, 0,
                                  any ? "The call of %s is ambiguous: %s"
                                      : "No function %s takes these arguments: %s",
                                  o->call->name, list),
                       "Cast the arguments, or call the function by its address");
}

ez_err *overload_choose(struct eval *ev, const struct overload_call *call,
                        struct overload_chosen *out)
{
    struct overload o = { .ev = ev, .call = call };
    *out = (struct overload_chosen){ 0 };
    ez_err *e = ez_modules(ev->t, overload_in_module, &o);
    const struct candidate *best = o.all.n ? overload_best(&o) : NULL;
    if (!e && !best && o.all.n == 1 && !call->strict &&
        /* The only function of the name is chosen without a rank; its parameters are checked when
         * it is called. */
        !o.all.at[0].clashes)
        best = &o.all.at[0];
    if (!e && best)
        *out =
            (struct overload_chosen){ best->at, best->of_object, best->is_virtual, best->vtable };
    else if (!e && o.all.n)
        e = overload_none(&o);
    for (size_t i = 0; i < o.all.n; i++)
        EZ_VEC_FREE(&o.all.at[i].rank);
    EZ_VEC_FREE(&o.all);
    return e;
}
