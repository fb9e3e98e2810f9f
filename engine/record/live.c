/* SPDX-License-Identifier: GPL-3.0-or-later */
/* live.c - the newest events of the target, from the drain thread's memory. The newest events of a
 * process are kept after its end, until the next process.
 * Tests: tests/e2e/follow.ezt, tests/procs/values.sh */
#include "engine/target.h"

#include <string.h>

#include "engine/record/fxt_out.h"
#include "engine/record/items.h"

#define KEEP 4096 /* number of newest events kept */

static void live_keep_event(const struct ez_live_event *e, void *arg)
{
    struct ez_target *t = arg;
    struct ez_live_event kept = *e;
    /* a copy, because the drain owns the name and will be destroyed */
    kept.function = ez_strdup(e->function);
    kept.data = e->data ? ez_strdup(e->data) : NULL;
    EZ_PUSH(&t->tracing.last_events, kept);
}

void ez_live_forget(struct ez_target *t)
{
    for (size_t i = 0; i < t->tracing.last_events.n; i++) {
        free((char *)t->tracing.last_events.at[i].function);
        free((char *)t->tracing.last_events.at[i].data);
    }
    t->tracing.last_events.n = 0;
}

void ez_live_free(struct ez_target *t)
{
    ez_live_forget(t);
    EZ_VEC_FREE(&t->tracing.last_events);
}

/* Returns the tick of the entry of the call that exit r[i] ends: the nearest earlier entry that has
 * no other exit. Returns 0 if this entry is not among the events. */
static uint64_t live_entry_tick(const struct ez_rec *r, size_t i)
{
    uint64_t code = r[i].code >> 8; /* returns and unwound exits have the same code */
    int depth = 0;
    for (size_t k = i; k-- > 0;) {
        if (r[k].tid != r[i].tid)
            continue;
        if (r[k].code >> 8 == code)
            depth++;
        else if (r[k].code >> 8 == code - 1 && depth-- == 0)
            return r[k].tick;
    }
    return 0;
}

/* Returns the index of the first wanted event: events with number `from` or later are wanted, and
 * at most the newest n. got: number of available events; the newest event has number end - 1. */
static size_t live_first_wanted(size_t got, uint64_t end, uint64_t from, size_t n)
{
    uint64_t first = end - got;
    size_t begin = from > first ? (size_t)EZ_MIN(from - first, got) : 0;
    return got - begin > n ? got - n : begin;
}

static size_t live_ended_events(struct ez_target *t, size_t n, uint64_t *cursor,
                                void (*fn)(const struct ez_live_event *, void *), void *arg)
{
    size_t got = t->tracing.last_events.n,
           begin = live_first_wanted(got, t->tracing.last_events_end, *cursor, n);
    for (size_t i = begin; i < got; i++)
        fn(&t->tracing.last_events.at[i], arg);
    *cursor = t->tracing.last_events_end;
    return got - begin;
}

/* Sets the name and the kind of a module's event. The name is that of the event's state or of the
 * event; if it is empty, the name of the event's group. */
static void live_of_module(struct ez_target *t, uint64_t code, struct ez_live_event *ev)
{
    struct ez_event_meaning m = { .action = EZ_A_EVENT, .name = "?", .group = "?" };
    ez_drain_meaning(t->tracing.drain, code, &m);
    ev->module = true;
    ev->exit = m.action == EZ_A_POP || m.action == EZ_A_RETURN || m.action == EZ_A_UNWIND;
    ev->point = !ev->exit && m.action != EZ_A_PUSH && m.action != EZ_A_CALL;
    ev->id = -1;
    ev->function = *m.name ? m.name : m.group;
}

struct live { /* state of reading the newest events */
    struct ez_target *t;
    const char **name; /* by id */
    size_t nnames;
    struct ez_rec rec[KEEP];
    uint64_t first; /* sequence number of rec[0] */
    size_t n;
};

/* Adds the arguments of a probe's event: whether the call was unwound, or the collected items. The
 * caller frees *data. */
static void live_of_words(const struct live *l, size_t i, struct ez_live_event *ev, char **data)
{
    struct ez_drain *d = l->t->tracing.drain;
    uint64_t word[EZ_DATA_WORDS + 2], code = l->rec[i].code >> 8;
    unsigned n = ez_drain_recent_words(d, l->first + i, word);
    const char *text = n ? ez_drain_items(d, code) : NULL;
    ev->unwound = ev->exit && n == 1 && word[0] == EZ_EXIT_UNWOUND;
    if (!text || ev->unwound)
        return;
    struct ez_items items;
    ez_items_parse(text, &items);
    *data = ez_event_data_text(&(struct ez_event_data){ .items = &items,
                                                        .is_exit = ev->exit,
                                                        .word = word,
                                                        .n = n,
                                                        .symbol = ez_drain_symbol,
                                                        .symbol_arg = d });
    ev->data = *data;
    ez_items_free(&items);
}

static void live_emit(const struct live *l, size_t i,
                      void (*fn)(const struct ez_live_event *, void *), void *arg)
{
    struct ez_drain *d = l->t->tracing.drain;
    const struct ez_rec *r = &l->rec[i];
    uint32_t id = (uint32_t)((r->code >> 8) - EZ_C_PROBE);
    const char *function = id / 2 < l->nnames ? l->name[id / 2] : NULL;
    EZ_FREE char *data = NULL;
    struct ez_live_event ev = { .ns = ez_drain_ns(d, r->tick),
                                .tid = r->tid,
                                .rank = ez_drain_rank(d),
                                .exit = id & 1,
                                .id = (int)(id / 2),
                                .function = function ? function : "?" };
    if (r->code >> 8 >= EZ_C_MODULE)
        live_of_module(l->t, r->code >> 8, &ev);
    else
        live_of_words(l, i, &ev, &data);
    uint64_t in = ev.exit && !ev.module ? live_entry_tick(l->rec, i) : 0;
    ev.timed = in;
    if (in)
        ev.duration_ns = ev.ns - ez_drain_ns(d, in);
    fn(&ev, arg);
}

size_t ez_live_events(struct ez_target *t, size_t n, uint64_t *cursor,
                      void (*fn)(const struct ez_live_event *, void *), void *arg)
{
    if (!t->tracing.drain)
        return live_ended_events(t, n, cursor, fn, arg);
    EZ_FREE struct live *l = ez_alloc(sizeof *l);
    uint64_t end = 0;
    l->t = t;
    t->inf.ops->name_code(t);
    ez_drain_flush(t->tracing.drain);
    EZ_FREE const char **name = ez_drain_names(t->tracing.drain, &l->nnames);
    l->name = name;
    l->n = ez_drain_recent(t->tracing.drain, &end, l->rec, KEEP);
    l->first = end - l->n;
    size_t begin = live_first_wanted(l->n, end, *cursor, n);
    for (size_t i = begin; i < l->n; i++)
        live_emit(l, i, fn, arg);
    *cursor = end;
    return l->n - begin;
}

void ez_live_ended(struct ez_target *t)
{
    ez_live_forget(t);
    t->tracing.last_events_end = 0;
    ez_live_events(t, KEEP, &t->tracing.last_events_end, live_keep_event, t);
}
