/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nesting.c - makes the lines of a nested listing (nesting.h).
 *
 * Lines wait in a ring. `first` and `next` are line numbers counted from the begin of the listing,
 * so the number of a line does not change while it waits. */
#include "engine/trace/nesting.h"

#include <string.h>

#include "engine/base/strutil.h"

#define NO_LINE UINT64_MAX

struct slot {
    struct ez_nest_line line;
    bool waits; /* the line is an entry, and the thread's next item decides whether it is a leaf */
};

struct frame {
    uint32_t name;
    char *values; /* values of the entry, if calls are emitted at their end; otherwise NULL */
};

struct thread {
    uint64_t entry; /* number of the entry that waits, or NO_LINE */
    EZ_VEC(struct frame) open;
};

struct ez_nesting {
    const struct ez_model *m;
    bool values, flat;
    ez_nest_fn *fn;
    void *arg;
    struct slot *ring;
    uint64_t first, next;
    EZ_VEC(struct thread) thread; /* index: container */
};

struct ez_nesting *ez_nesting_create(const struct ez_model *m, bool values, bool flat,
                                     ez_nest_fn *fn, void *arg)
{
    struct ez_nesting *n = ez_alloc(sizeof *n);
    n->m = m;
    n->values = values;
    n->flat = flat;
    n->fn = fn;
    n->arg = arg;
    n->ring = ez_alloc(EZ_NEST_MOST * sizeof *n->ring);
    return n;
}

static void nesting_free_texts(struct ez_nest_line *l)
{
    free(l->values);
    free(l->after);
    free(l->result);
}

void ez_nesting_free(struct ez_nesting *n)
{
    if (!n)
        return;
    for (uint64_t i = n->first; i < n->next; i++)
        nesting_free_texts(&n->ring[i % EZ_NEST_MOST].line);
    for (size_t i = 0; i < n->thread.n; i++) {
        for (size_t k = 0; k < n->thread.at[i].open.n; k++)
            free(n->thread.at[i].open.at[k].values);
        EZ_VEC_FREE(&n->thread.at[i].open);
    }
    EZ_VEC_FREE(&n->thread);
    free(n->ring);
    free(n);
}

static struct thread *nesting_thread(struct ez_nesting *n, uint32_t container)
{
    while (n->thread.n <= container) {
        struct thread t = { .entry = NO_LINE };
        EZ_PUSH(&n->thread, t);
    }
    return &n->thread.at[container];
}

/* ---- values --------------------------------------------------------------------------- */

struct texts {
    char **values, **result;
};

static void nesting_value(void *arg, const struct ez_item_value *v, const char *text)
{
    struct texts *to = arg;
    const char *name = v->item->name;
    if (to->result && !*to->result && (!strcmp(name, "$ret") || !strcmp(name, "$fret"))) {
        *to->result = ez_strdup(text);
        return;
    }
    EZ_FREE char *before = *to->values;
    *to->values = ez_sprintf("%s%s%s=%s", before ? before : "", before ? ", " : "", name, text);
}

static void nesting_values(const struct ez_nesting *n, const struct ez_event_data *d, char **values,
                           char **result)
{
    struct texts to = { values, result };
    if (n->values && d)
        ez_event_data_each(d, nesting_value, &to);
}

/* ---- the ring ------------------------------------------------------------------------- */

/* Emits lines up to the first entry that waits. */
static ez_err *nesting_emit(struct ez_nesting *n)
{
    ez_err *e = NULL;
    while (!e && n->first < n->next && !n->ring[n->first % EZ_NEST_MOST].waits) {
        struct ez_nest_line *l = &n->ring[n->first % EZ_NEST_MOST].line;
        n->first++;
        e = n->fn(n->arg, l);
        nesting_free_texts(l);
    }
    return e;
}

/* Marks the entry of the thread that waits, if there is one, as decided: it no longer waits. */
static void nesting_settle(struct ez_nesting *n, struct thread *t)
{
    if (t->entry != NO_LINE)
        n->ring[t->entry % EZ_NEST_MOST].waits = false;
    t->entry = NO_LINE;
}

/* Appends a line to the ring, which owns the line's texts from now on. If the ring is full, first
 * emits the oldest line. */
static ez_err *nesting_put(struct ez_nesting *n, const struct ez_nest_line *l, bool waits)
{
    if (n->next - n->first == EZ_NEST_MOST) {
        struct ez_nest_line *oldest = &n->ring[n->first % EZ_NEST_MOST].line;
        nesting_settle(n, &n->thread.at[oldest->container]);
        ez_err *e = nesting_emit(n);
        if (e)
            return e;
    }
    if (waits)
        n->thread.at[l->container].entry = n->next;
    n->ring[n->next++ % EZ_NEST_MOST] = (struct slot){ *l, waits };
    return nesting_emit(n);
}

ez_err *ez_nesting_flush(struct ez_nesting *n)
{
    for (size_t i = 0; i < n->thread.n; i++)
        nesting_settle(n, &n->thread.at[i]);
    return nesting_emit(n);
}

/* ---- items ---------------------------------------------------------------------------- */

static struct ez_nest_line nesting_line(const struct ez_item *it, enum ez_nest_kind kind,
                                        const struct thread *t, uint32_t container)
{
    return (struct ez_nest_line){
        .kind = kind,
        .item = it->kind,
        .container = container,
        .name = it->name,
        .caller = t->open.n ? t->open.at[t->open.n - 1].name : EZ_NONE_IDX,
        .depth = (uint32_t)t->open.n,
        .subject = it->subject,
        .ns = it->ns,
        .peer = EZ_NONE_IDX,
    };
}

static ez_err *nesting_push(struct ez_nesting *n, const struct ez_item *it)
{
    struct thread *t = nesting_thread(n, it->container);
    struct ez_nest_line l = nesting_line(it, EZ_NEST_OPEN, t, it->container);
    struct frame f = { .name = it->name };
    nesting_settle(n, t);
    nesting_values(n, it->data, &l.values, NULL);
    if (n->flat)
        f.values = l.values;
    EZ_PUSH(&t->open, f);
    return n->flat ? NULL : nesting_put(n, &l, true);
}

static void nesting_end(struct ez_nesting *n, struct ez_nest_line *l, const struct ez_item *it)
{
    l->subject = it->subject;
    l->spent_ns = it->spent_ns;
    l->end = it->end;
    l->cut = it->cut;
    nesting_values(n, it->data, &l->after, &l->result);
}

static ez_err *nesting_pop(struct ez_nesting *n, const struct ez_item *it)
{
    struct thread *t = nesting_thread(n, it->container);
    if (!t->open.n) /* the entry of this call was not an item of this listing */
        return NULL;
    struct frame f = t->open.at[--t->open.n];
    if (t->entry != NO_LINE) {
        struct ez_nest_line *leaf = &n->ring[t->entry % EZ_NEST_MOST].line;
        leaf->kind = EZ_NEST_LEAF;
        nesting_end(n, leaf, it);
        nesting_settle(n, t);
        return nesting_emit(n);
    }
    struct ez_nest_line l = nesting_line(it, EZ_NEST_CLOSE, t, it->container);
    l.values = f.values;
    nesting_end(n, &l, it);
    return nesting_put(n, &l, false);
}

/* Returns the container in whose column a point is shown: for a variable, the thread that changed
 * it, if known. */
static uint32_t nesting_place(const struct ez_item *it)
{
    return it->kind == EZ_I_VAR && it->thread != EZ_NONE_IDX ? it->thread : it->container;
}

static ez_err *nesting_point(struct ez_nesting *n, const struct ez_item *it)
{
    uint32_t place = nesting_place(it);
    struct thread *t = nesting_thread(n, place);
    struct ez_nest_line l = nesting_line(it, EZ_NEST_POINT, t, place);
    nesting_settle(n, t);
    nesting_values(n, it->kind == EZ_I_EVENT ? it->data : NULL, &l.values, NULL);
    if (it->kind == EZ_I_VAR) {
        l.value = it->value;
        return nesting_put(n, &l, false);
    }
    l.narg = it->arg ? it->narg : 0;
    for (unsigned i = 0; i < l.narg && i < EZ_ARRAY_LEN(l.arg); i++)
        l.arg[i] = it->arg[i];
    if (it->kind != EZ_I_EVENT) {
        l.peer = it->peer;
        l.subject = EZ_NONE_IDX;
    }
    return nesting_put(n, &l, false);
}

ez_err *ez_nesting_item(void *nesting, const struct ez_item *it)
{
    switch (it->kind) {
    case EZ_I_PUSH:
        return nesting_push(nesting, it);
    case EZ_I_POP:
        return nesting_pop(nesting, it);
    case EZ_I_EVENT:
    case EZ_I_VAR:
    case EZ_I_LINK_START:
    case EZ_I_LINK_END:
        return nesting_point(nesting, it);
    default:
        return NULL;
    }
}
