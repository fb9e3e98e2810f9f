/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vars.c - a table of the variables of a model (vars.h). */
#include "engine/trace/vars.h"

#include <string.h>

#include "engine/base/hash.h"

struct acc {
    uint32_t name, where; /* name: name of the variable; where: container or subject */
    uint32_t state; /* name of the state in which the variable first changed, or EZ_NONE_IDX */
    double sum;     /* sum of the values to which the variable was set */
    struct ez_var_row row;
};

struct ez_vars_priv {
    struct ez_vars pub; /* must be first */
    const struct ez_model *m;
    char *kind;
    struct ez_hash rows; /* where << 32 | name -> index in `acc` */
    EZ_VEC(struct acc) acc;
    struct ez_hash spent; /* subject << 32 | name of a state -> index in `time` */
    EZ_VEC(uint64_t) time;
    EZ_VEC(struct ez_var_row) table;
};

struct ez_vars *ez_vars_create(const struct ez_model *m, const char *kind)
{
    struct ez_vars_priv *v = ez_alloc(sizeof *v);
    v->m = m;
    v->kind = kind ? ez_strdup(kind) : NULL;
    return &v->pub;
}

void ez_vars_free(struct ez_vars *vars)
{
    struct ez_vars_priv *v = (struct ez_vars_priv *)vars;
    if (!v)
        return;
    ez_hash_free(&v->rows);
    ez_hash_free(&v->spent);
    EZ_VEC_FREE(&v->acc);
    EZ_VEC_FREE(&v->time);
    EZ_VEC_FREE(&v->table);
    free(v->kind);
    free(v);
}

/* ---- items ------------------------------------------------------------------------------- */

static bool vars_is_kind(const struct ez_vars_priv *v, uint32_t subject)
{
    return v->kind && subject != EZ_NONE_IDX && !strcmp(v->m->subject.at[subject].kind, v->kind);
}

static uint64_t vars_pair(uint32_t where, uint32_t name)
{
    return (uint64_t)where << 32 | name;
}

static struct acc *vars_row(struct ez_vars_priv *v, uint32_t where, uint32_t name)
{
    size_t i = ez_hash_put(&v->rows, vars_pair(where, name), v->acc.n);
    if (i == v->acc.n) {
        struct acc a = { .name = name, .where = where, .state = EZ_NONE_IDX };
        EZ_PUSH(&v->acc, a);
    }
    return &v->acc.at[i];
}

/* Returns the name of the thread's innermost open state with the item's subject, or EZ_NONE_IDX. */
static uint32_t vars_state(const struct ez_vars_priv *v, const struct ez_item *it)
{
    if (it->thread == EZ_NONE_IDX)
        return EZ_NONE_IDX;
    for (uint32_t i = ez_model_depth(v->m, it->thread); i-- > 0;) {
        const struct ez_call_frame *f = ez_model_frame(v->m, it->thread, i);
        if (f->subject == it->subject)
            return f->name;
    }
    return EZ_NONE_IDX;
}

static void vars_count(struct acc *a, const struct ez_item *it)
{
    struct ez_var_row *r = &a->row;
    if (it->set) {
        r->sets++;
        a->sum += it->value;
    } else if (it->delta < 0) {
        r->subs++;
        r->taken -= it->delta;
    } else {
        r->adds++;
        r->added += it->delta;
    }
}

static void vars_value(struct ez_vars_priv *v, const struct ez_item *it)
{
    uint32_t where = v->kind ? it->subject : it->container;
    if (v->kind && !vars_is_kind(v, it->subject))
        return;
    struct acc *a = vars_row(v, where, it->name);
    struct ez_var_row *r = &a->row;
    bool first = !r->sets && (v->kind || (!r->adds && !r->subs));
    vars_count(a, it);
    if (v->kind && a->state == EZ_NONE_IDX)
        a->state = vars_state(v, it);
    /* unless it was set, the variable's value is the sum over all subjects, not the value of this
     * subject */
    if (v->kind && !it->set)
        return;
    r->min = first ? it->value : EZ_MIN(r->min, it->value);
    r->max = first ? it->value : EZ_MAX(r->max, it->value);
    r->last = it->value;
}

ez_err *ez_vars_item(void *vars, const struct ez_item *it)
{
    struct ez_vars_priv *v = vars;
    if (it->kind == EZ_I_VAR)
        vars_value(v, it);
    if (it->kind == EZ_I_POP && vars_is_kind(v, it->subject)) {
        size_t i = ez_hash_put(&v->spent, vars_pair(it->subject, it->name), v->time.n);
        if (i == v->time.n)
            EZ_PUSH(&v->time, 0);
        v->time.at[i] += it->about_ns;
    }
    return NULL;
}

/* ---- the table --------------------------------------------------------------------------- */

static void vars_name_row(const struct ez_vars_priv *v, struct acc *a)
{
    const struct ez_model *m = v->m;
    struct ez_var_row *r = &a->row;
    size_t i;
    r->variable = m->name.at[a->name].text;
    r->module = m->name.at[a->name].group;
    r->mean = r->sets ? a->sum / (double)r->sets : 0;
    r->process = "";
    if (!v->kind) {
        r->where = m->container.at[a->where].name;
        return;
    }
    const struct ez_subject *s = &m->subject.at[a->where];
    r->where = s->text;
    if (s->process)
        r->process = m->container.at[s->process].name;
    if (a->state == EZ_NONE_IDX)
        return;
    r->state = m->name.at[a->state].text;
    r->state_ns = ez_hash_get(&v->spent, vars_pair(a->where, a->state), &i) ? v->time.at[i] : 0;
}

static int vars_compare(const void *a, const void *b)
{
    const struct ez_var_row *x = a, *y = b;
    int c = strcmp(x->module, y->module);
    if (!c)
        c = strcmp(x->variable, y->variable);
    if (!c && x->added != y->added)
        c = x->added < y->added ? 1 : -1;
    if (!c)
        c = strcmp(x->where, y->where);
    return c ? c : strcmp(x->process, y->process);
}

void ez_vars_table(struct ez_vars *vars)
{
    struct ez_vars_priv *v = (struct ez_vars_priv *)vars;
    v->table.n = 0;
    for (size_t i = 0; i < v->acc.n; i++) {
        vars_name_row(v, &v->acc.at[i]);
        EZ_PUSH(&v->table, v->acc.at[i].row);
    }
    if (v->table.n)
        qsort(v->table.at, v->table.n, sizeof *v->table.at, vars_compare);
    vars->row = v->table.at;
    vars->n = v->table.n;
}
