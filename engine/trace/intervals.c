/* SPDX-License-Identifier: GPL-3.0-or-later */
/* intervals.c - a table of functions with calls in slices of time (intervals.h).
 *
 * Slices are numbered from time 0 of the clock that all sources share. A cell keeps the counts of
 * the last EZ_SLICES_MOST + 1 slices in a ring: one more than a table shows, because the current
 * slice is not complete. */
#include "engine/trace/intervals.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/hash.h"
#include "engine/base/strutil.h"
#include "engine/base/vec.h"

enum { RING = EZ_SLICES_MOST + 1 };

struct cell {          /* calls of one function in one thread */
    uint32_t function; /* index in table.function */
    uint32_t source, container;
    uint64_t calls, total_ns, self_ns, whole, whole_ns, max_ns;
    char *slowest;
    uint64_t newest; /* number of the newest slice in the ring */
    uint32_t slice[RING];
};

struct open_call {
    uint32_t cell;
    char *values;
};

struct source_thread {
    EZ_VEC(struct open_call) open;
};

struct ez_interval_source {
    struct table *t;
    uint32_t number;
    const struct ez_model *m;
    uint64_t zero_ns, last_ns;           /* last_ns: time of the last item, on the model's clock */
    EZ_VEC(uint32_t) function;           /* index: name of the model; EZ_NONE_IDX = not known yet */
    EZ_VEC(struct source_thread) thread; /* index: container */
    struct ez_hash cells;                /* container << 32 | function -> cell */
};

struct function_name {
    char *function, *library;
};

struct table {
    struct ez_intervals pub; /* must be first */
    EZ_VEC(struct ez_interval_source *) source;
    EZ_VEC(struct function_name) function;
    struct ez_hash functions; /* hash of function and library -> function */
    EZ_VEC(struct cell) cell;
    EZ_VEC(struct ez_interval_row) out;
};

struct ez_intervals *ez_intervals_create(uint64_t slice_ns, unsigned slices)
{
    struct table *t = ez_alloc(sizeof *t);
    t->pub.slice_ns = EZ_MAX(slice_ns, (uint64_t)1);
    t->pub.slices = EZ_MAX(1, EZ_MIN(slices, (unsigned)EZ_SLICES_MOST));
    return &t->pub;
}

static void intervals_free_source(struct ez_interval_source *s)
{
    for (size_t i = 0; i < s->thread.n; i++) {
        for (size_t k = 0; k < s->thread.at[i].open.n; k++)
            free(s->thread.at[i].open.at[k].values);
        EZ_VEC_FREE(&s->thread.at[i].open);
    }
    EZ_VEC_FREE(&s->thread);
    EZ_VEC_FREE(&s->function);
    ez_hash_free(&s->cells);
    free(s);
}

void ez_intervals_free(struct ez_intervals *intervals)
{
    struct table *t = (struct table *)intervals;
    if (!t)
        return;
    for (size_t i = 0; i < t->source.n; i++)
        intervals_free_source(t->source.at[i]);
    for (size_t i = 0; i < t->function.n; i++) {
        free(t->function.at[i].function);
        free(t->function.at[i].library);
    }
    for (size_t i = 0; i < t->cell.n; i++)
        free(t->cell.at[i].slowest);
    EZ_VEC_FREE(&t->source);
    EZ_VEC_FREE(&t->function);
    ez_hash_free(&t->functions);
    EZ_VEC_FREE(&t->cell);
    EZ_VEC_FREE(&t->out);
    free(t);
}

/* ---- items ---------------------------------------------------------------------------- */

struct ez_interval_source *ez_intervals_source(struct ez_intervals *intervals,
                                               const struct ez_model *m)
{
    struct table *t = (struct table *)intervals;
    struct ez_interval_source *s = ez_alloc(sizeof *s);
    s->t = t;
    s->m = m;
    s->number = (uint32_t)t->source.n;
    EZ_PUSH(&t->source, s);
    return s;
}

void ez_intervals_zero_ns(struct ez_interval_source *s, uint64_t ns)
{
    s->zero_ns = ns;
}

/* Returns the index in t->function of the function with this name and library, and adds it if it is
 * new. */
static uint32_t intervals_function(struct table *t, const struct ez_name *n)
{
    uint64_t h = ez_hash_key(ez_hash_key(EZ_HASH_SEED, n->text) + 1, n->group);
    for (;; h++) {
        size_t i = ez_hash_put(&t->functions, h, t->function.n);
        if (i == t->function.n) {
            struct function_name f = { ez_strdup(n->text), ez_strdup(n->group) };
            EZ_PUSH(&t->function, f);
            return (uint32_t)i;
        }
        if (!strcmp(t->function.at[i].function, n->text) &&
            !strcmp(t->function.at[i].library, n->group))
            return (uint32_t)i;
    }
}

static uint32_t intervals_cell(struct ez_interval_source *s, const struct ez_item *it)
{
    struct table *t = s->t;
    while (s->function.n <= it->name)
        EZ_PUSH(&s->function, EZ_NONE_IDX);
    if (s->function.at[it->name] == EZ_NONE_IDX)
        s->function.at[it->name] = intervals_function(t, &s->m->name.at[it->name]);
    uint32_t function = s->function.at[it->name];
    size_t i = ez_hash_put(&s->cells, (uint64_t)it->container << 32 | function, t->cell.n);
    if (i == t->cell.n) {
        struct cell c = { .function = function, .source = s->number, .container = it->container };
        EZ_PUSH(&t->cell, c);
    }
    return (uint32_t)i;
}

/* Makes `slice` the newest slice of the ring if it is newer, and clears the slices between the old
 * newest slice and `slice`. */
static void intervals_advance(struct cell *c, uint64_t slice)
{
    if (slice <= c->newest)
        return;
    if (slice - c->newest >= RING)
        memset(c->slice, 0, sizeof c->slice);
    else
        for (uint64_t i = c->newest + 1; i <= slice; i++)
            c->slice[i % RING] = 0;
    c->newest = slice;
}

static void intervals_count(struct ez_interval_source *s, uint32_t cell, uint64_t ns)
{
    struct cell *c = &s->t->cell.at[cell];
    uint64_t slice = (s->zero_ns + ns) / s->t->pub.slice_ns;
    intervals_advance(c, slice);
    c->calls++;
    if (c->newest - slice < RING)
        c->slice[slice % RING]++;
}

static struct source_thread *intervals_thread(struct ez_interval_source *s, uint32_t container)
{
    while (s->thread.n <= container) {
        struct source_thread none = { .open = { 0 } };
        EZ_PUSH(&s->thread, none);
    }
    return &s->thread.at[container];
}

static void intervals_push(struct ez_interval_source *s, const struct ez_item *it)
{
    struct source_thread *th = intervals_thread(s, it->container);
    struct open_call call = { intervals_cell(s, it), ez_event_data_text(it->data) };
    intervals_count(s, call.cell, it->ns);
    EZ_PUSH(&th->open, call);
}

static void intervals_pop(struct ez_interval_source *s, const struct ez_item *it)
{
    struct source_thread *th = intervals_thread(s, it->container);
    if (!th->open.n)
        return;
    struct open_call call = th->open.at[--th->open.n];
    struct cell *c = &s->t->cell.at[call.cell];
    c->self_ns += it->self_ns;
    c->total_ns += it->recursive ? 0 : it->spent_ns;
    if (!it->cut && it->end != EZ_END_UNKNOWN) {
        c->whole++;
        c->whole_ns += it->spent_ns;
        if (it->spent_ns >= c->max_ns) {
            c->max_ns = it->spent_ns;
            free(c->slowest);
            c->slowest = call.values;
            call.values = NULL;
        }
    }
    free(call.values);
}

ez_err *ez_intervals_item(void *source, const struct ez_item *it)
{
    struct ez_interval_source *s = source;
    s->last_ns = EZ_MAX(s->last_ns, it->ns);
    if (it->kind != EZ_I_PUSH && it->kind != EZ_I_POP && it->kind != EZ_I_EVENT)
        return NULL;
    if (s->m->name.at[it->name].pause)
        return NULL;
    if (it->kind == EZ_I_PUSH)
        intervals_push(s, it);
    else if (it->kind == EZ_I_POP)
        intervals_pop(s, it);
    else if (s->m->name.at[it->name].addr) /* a probe that records only entries or exits */
        intervals_count(s, intervals_cell(s, it), it->ns);
    return NULL;
}

uint64_t ez_intervals_last(const struct ez_intervals *intervals)
{
    const struct table *t = (const struct table *)intervals;
    uint64_t last = 0;
    for (size_t i = 0; i < t->source.n; i++)
        last = EZ_MAX(last, t->source.at[i]->zero_ns + t->source.at[i]->last_ns);
    return last;
}

void ez_intervals_zero(struct ez_intervals *intervals)
{
    struct table *t = (struct table *)intervals;
    for (size_t i = 0; i < t->cell.n; i++) {
        struct cell *c = &t->cell.at[i];
        c->calls = c->total_ns = c->self_ns = c->whole = c->whole_ns = c->max_ns = 0;
        free(c->slowest);
        c->slowest = NULL;
    }
}

/* ---- the table ------------------------------------------------------------------------ */

/* Returns the container (thread or process) of the row to which the cell belongs; EZ_NONE_IDX: rows
 * do not distinguish containers. */
static uint32_t intervals_who(const struct table *t, const struct cell *c, enum ez_interval_by by)
{
    const struct ez_container *k = &t->source.at[c->source]->m->container.at[c->container];
    if (by == EZ_INTERVAL_FUNCTION)
        return EZ_NONE_IDX;
    return by == EZ_INTERVAL_PROCESS && k->level == EZ_L_THREAD ? k->parent : c->container;
}

/* The slices whose calls are used for the rates. */
struct span {
    uint64_t from, to; /* numbers of slices, both included */
    uint64_t ns;
};

/* Returns the time of the first event of all sources, UINT64_MAX if there is none. */
static uint64_t intervals_first(const struct table *t)
{
    uint64_t first = UINT64_MAX;
    for (size_t i = 0; i < t->source.n; i++)
        if (t->source.at[i]->function.n) /* the source has had a call */
            first = EZ_MIN(first, t->source.at[i]->zero_ns);
    return first;
}

/* Returns the last complete slice. If the traces began inside that slice or later, returns the time
 * since their begin. */
static struct span intervals_span(const struct table *t, uint64_t now_ns)
{
    uint64_t size = t->pub.slice_ns, to = t->pub.end_ns ? t->pub.end_ns : now_ns;
    uint64_t current = to / size, first = EZ_MIN(intervals_first(t), to);
    if (current && (current - 1) * size >= first)
        return (struct span){ current - 1, current - 1, size };
    return (struct span){ first / size, current, to - first };
}

static uint32_t intervals_slice(const struct cell *c, uint64_t slice)
{
    return slice <= c->newest && c->newest - slice < RING ? c->slice[slice % RING] : 0;
}

static void intervals_add(const struct table *t, struct ez_interval_row *r, const struct cell *c,
                          uint64_t last, const struct span *span)
{
    if (c->whole && (c->max_ns >= r->max_ns || !r->whole)) {
        r->max_ns = c->max_ns;
        r->slowest = c->slowest;
    }
    r->calls += c->calls;
    r->total_ns += c->total_ns;
    r->self_ns += c->self_ns;
    r->whole += c->whole;
    r->whole_ns += c->whole_ns;
    for (unsigned i = 0; i < t->pub.slices; i++) {
        uint64_t back = t->pub.slices - 1 - i;
        r->slice[i] += back <= last ? intervals_slice(c, last - back) : 0;
    }
    for (uint64_t i = span->from; span->ns && i <= span->to; i++)
        r->per_second += (double)intervals_slice(c, i) * 1e9 / (double)span->ns;
}

static double intervals_mean(const struct ez_interval_row *r)
{
    return r->whole ? (double)r->whole_ns / (double)r->whole : 0;
}

static int intervals_order(double a, double b)
{
    return a > b ? -1 : a < b;
}

static int intervals_compare(const void *x, const void *y, void *sort)
{
    const struct ez_interval_row *a = x, *b = y;
    int c = 0;
    switch (*(enum ez_interval_sort *)sort) {
    case EZ_INTERVAL_RATE:
        c = intervals_order(a->per_second, b->per_second);
        break;
    case EZ_INTERVAL_CALLS:
        c = intervals_order((double)a->calls, (double)b->calls);
        break;
    case EZ_INTERVAL_TOTAL:
        c = intervals_order((double)a->total_ns, (double)b->total_ns);
        break;
    case EZ_INTERVAL_SELF:
        c = intervals_order((double)a->self_ns, (double)b->self_ns);
        break;
    case EZ_INTERVAL_MEAN:
        c = intervals_order(intervals_mean(a), intervals_mean(b));
        break;
    case EZ_INTERVAL_MAX:
        c = intervals_order((double)a->max_ns, (double)b->max_ns);
        break;
    default:
        break;
    }
    c = c ? c : strcmp(a->function, b->function);
    c = c ? c : strcmp(a->library, b->library);
    return c ? c : strcmp(a->who, b->who);
}

void ez_intervals_table(struct ez_intervals *intervals, enum ez_interval_by by,
                        enum ez_interval_sort sort, uint64_t now_ns,
                        bool (*filter)(const char *function, void *arg), void *arg)
{
    struct table *t = (struct table *)intervals;
    struct ez_hash rows = { 0 }, whos = { 0 };
    const struct span span = intervals_span(t, now_ns);
    uint64_t current = now_ns / t->pub.slice_ns, last = current ? current - 1 : 0;
    t->out.n = 0;
    for (size_t i = 0; i < t->cell.n; i++) {
        const struct cell *c = &t->cell.at[i];
        const struct function_name *f = &t->function.at[c->function];
        uint32_t who = intervals_who(t, c, by);
        if (!c->calls || (filter && !filter(f->function, arg)))
            continue;
        size_t w = ez_hash_put(&whos, (uint64_t)c->source << 32 | who, i);
        uint64_t key = who == EZ_NONE_IDX ? c->function : (w + 1) << 32 | c->function;
        size_t k = ez_hash_put(&rows, key, t->out.n);
        if (k == t->out.n) {
            struct ez_interval_row r = { .function = f->function, .library = f->library };
            r.who = who == EZ_NONE_IDX ? "" : t->source.at[c->source]->m->container.at[who].name;
            EZ_PUSH(&t->out, r);
        }
        intervals_add(t, &t->out.at[k], c, last, &span);
    }
    ez_hash_free(&rows);
    ez_hash_free(&whos);
    if (t->out.n)
        qsort_r(t->out.at, t->out.n, sizeof *t->out.at, intervals_compare, &sort);
    t->pub.row = t->out.at;
    t->pub.n = t->out.n;
}
