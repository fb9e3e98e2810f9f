/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stats.c - see stats.h: one pass over the trace, a stack of open calls a thread.
 *
 * A thread's records stand in the file in the order it made them, so an exit
 * belongs to the innermost open entry of its id. Entries above that one ended
 * without an exit (longjmp, a tail call, a lost record): unmatched. Times are
 * kept in ticks until the end, when all clock events are known.
 * Tests: tests/unit/engine/check_fxt.c */
#include "engine/stats.h"

#include <string.h>

#include "engine/fxt_defs.h"

struct call {
    size_t probe;
    uint64_t tick;
};

struct stack {
    EZ_VEC(struct call) open;
};

struct reader {
    struct ez_stats pub; /* what the caller sees; first, so that free finds us  */
    struct ez_fxt_defs defs;
    EZ_VEC(struct ez_stat_row) rows; /* beside defs.probes; times in ticks      */
    EZ_VEC(size_t) open;             /* beside defs.probes: open calls, all threads */
    EZ_VEC(struct stack) stacks;     /* beside defs.threads                    */
    uint64_t first, last;            /* ticks                                  */
};

static void finish(struct ez_stat_row *row, uint64_t ticks)
{
    row->min_ns = row->matched ? EZ_MIN(row->min_ns, ticks) : ticks;
    row->max_ns = EZ_MAX(row->max_ns, ticks);
    row->total_ns += ticks;
    row->matched++;
}

static void enter(struct reader *r, struct stack *s, size_t probe, uint64_t tick)
{
    struct call c = { probe, tick };
    r->rows.at[probe].calls++;
    if (!(r->defs.probes.at[probe].flags & EZ_ROW_REC_EXIT))
        return; /* no exit will come */
    EZ_PUSH(&s->open, c);
    r->open.at[probe]++;
}

static void leave(struct reader *r, struct stack *s, size_t probe, uint64_t tick)
{
    size_t i = r->open.at[probe] ? s->open.n : 0;
    while (i && s->open.at[i - 1].probe != probe)
        i--;
    if (!i) {
        if (r->defs.probes.at[probe].flags & EZ_ROW_REC_ENTRY)
            r->pub.unmatched++;
        return;
    }
    for (; s->open.n > i; s->open.n--) {
        r->open.at[s->open.at[s->open.n - 1].probe]--;
        r->pub.unmatched++;
    }
    uint64_t from = s->open.at[--s->open.n].tick;
    r->open.at[probe]--;
    finish(&r->rows.at[probe], tick > from ? tick - from : 0);
}

static void one_event(struct reader *r, const struct ez_fxt_event *ev)
{
    uint32_t id;
    bool exit;
    if (!ez_fxt_is_probe(ev, &id, &exit)) {
        ez_fxt_defs_learn(&r->defs, ev);
        return;
    }
    size_t p = ez_fxt_defs_probe(&r->defs, id), t = ez_fxt_defs_thread(&r->defs, ev->tid);
    while (r->rows.n < r->defs.probes.n) {
        struct ez_stat_row row = { 0 };
        EZ_PUSH(&r->rows, row);
        EZ_PUSH(&r->open, (size_t)0);
    }
    while (r->stacks.n < r->defs.threads.n) {
        struct stack s = { { 0 } };
        EZ_PUSH(&r->stacks, s);
    }
    r->first = r->pub.events++ ? EZ_MIN(r->first, ev->tick) : ev->tick;
    r->last = EZ_MAX(r->last, ev->tick);
    if (exit)
        leave(r, &r->stacks.at[t], p, ev->tick);
    else
        enter(r, &r->stacks.at[t], p, ev->tick);
}

/* ---- the table ------------------------------------------------------------------ */

static int by_name(const void *a, const void *b)
{
    const struct ez_stat_row *x = a, *y = b;
    int c = strcmp(x->function, y->function);
    return c ? c : strcmp(x->library, y->library);
}

static int by_total(const void *a, const void *b)
{
    const struct ez_stat_row *x = a, *y = b;
    if (x->total_ns != y->total_ns)
        return x->total_ns < y->total_ns ? 1 : -1;
    if (x->calls != y->calls)
        return x->calls < y->calls ? 1 : -1;
    return by_name(a, b);
}

static void add(struct ez_stat_row *to, const struct ez_stat_row *from)
{
    if (from->matched) {
        to->min_ns = to->matched ? EZ_MIN(to->min_ns, from->min_ns) : from->min_ns;
        to->max_ns = EZ_MAX(to->max_ns, from->max_ns);
    }
    to->calls += from->calls;
    to->matched += from->matched;
    to->total_ns += from->total_ns;
}

/* One row a function: a site whose mode changed had several ids. */
static void merge_rows(struct reader *r)
{
    struct ez_stat_row *row = r->rows.at;
    size_t n = 0;
    if (r->rows.n)
        qsort(row, r->rows.n, sizeof *row, by_name);
    for (size_t i = 0; i < r->rows.n; i++) {
        if (n && by_name(&row[n - 1], &row[i]) == 0)
            add(&row[n - 1], &row[i]);
        else if (row[i].calls || row[i].matched)
            row[n++] = row[i];
    }
    r->rows.n = n;
}

static void make_table(struct reader *r)
{
    double ns = ez_fxt_defs_ns_per_tick(&r->defs);
    for (size_t i = 0; i < r->rows.n; i++) {
        struct ez_stat_row *row = &r->rows.at[i];
        row->function = r->defs.probes.at[i].function;
        row->library = r->defs.probes.at[i].library;
        row->total_ns = (uint64_t)((double)row->total_ns * ns);
        row->min_ns = (uint64_t)((double)row->min_ns * ns);
        row->max_ns = (uint64_t)((double)row->max_ns * ns);
        r->pub.unmatched += r->open.at[i];
    }
    merge_rows(r);
    if (r->rows.n)
        qsort(r->rows.at, r->rows.n, sizeof *r->rows.at, by_total);
    const uint64_t *l = r->defs.ledger;
    r->pub.row = r->rows.at;
    r->pub.n = r->rows.n;
    r->pub.span_ns = (uint64_t)((double)(r->last - r->first) * ns);
    r->pub.has_ledger = r->defs.has_ledger;
    r->pub.hits = l[0];
    r->pub.recorded = l[1];
    r->pub.filtered = l[2];
    r->pub.untraced = l[3];
    r->pub.dropped = l[4];
    r->pub.unhooked = l[5];
    r->pub.torn = l[6];
}

ez_err *ez_stats_read(const char *path, struct ez_stats **out)
{
    struct ez_fxt_in *in = NULL;
    struct ez_fxt_event ev;
    bool got = false;
    EZ_TRY(ez_fxt_in_open(path, &in));
    struct reader *r = ez_alloc(sizeof *r);
    ez_err *e;
    while (!(e = ez_fxt_in_next(in, &ev, &got)) && got)
        one_event(r, &ev);
    ez_fxt_in_close(in);
    if (e && !r->pub.events) {
        ez_stats_free(&r->pub);
        return e;
    }
    if (e)
        r->pub.damage = ez_strdup(e->msg);
    ez_err_free(e);
    make_table(r);
    *out = &r->pub;
    return NULL;
}

void ez_stats_free(struct ez_stats *s)
{
    struct reader *r = (struct reader *)s;
    if (!s)
        return;
    for (size_t i = 0; i < r->stacks.n; i++)
        EZ_VEC_FREE(&r->stacks.at[i].open);
    EZ_VEC_FREE(&r->stacks);
    EZ_VEC_FREE(&r->rows);
    EZ_VEC_FREE(&r->open);
    ez_fxt_defs_free(&r->defs);
    free(s->damage);
    free(r);
}
