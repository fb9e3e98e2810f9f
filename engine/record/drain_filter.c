/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drain_filter.c - decides whether to write events by criteria that the target cannot evaluate: in
 * how many recorded calls a call is nested, how long the call took, how many bytes its probe has
 * written.
 *
 * WAITING. Whether a call is long enough is known when the call ends, or when it has lasted the
 * minimum. Until that time the drain holds the call's entry event, and all later events of its
 * buffer (struct drain_held), because events of a thread must be in order in the file. The entry of
 * a call that was too short is removed from the queue if it is the last event; otherwise it is
 * marked (code 0), and left out when the queue is written.
 *
 * ANOTHER PROBE at the same function may record every call. A hit makes only one record, with the
 * id of the probe that has the filter. If the filter leaves the event out, it is written without
 * words as an event of the other probe (`other`).
 *
 * BOUNDS. A buffer may hold HELD_MOST words, all buffers together HELD_ALL. If a limit is exceeded,
 * the calls that have waited longest are written although their duration is unknown, and counted
 * (`hurried`).
 *
 * ACCOUNTING. Held records count as recorded until they are removed, and then as filtered. If a
 * shell is killed, the next shell counts the records that this shell held as filtered, because they
 * are lost.
 *
 * Tests: tests/unit/record/check_filter.c, tests/procs/filters.sh */
#include <string.h>

#include "engine/record/drain_priv.h"

#define HELD_MOST (1u << 18)
#define HELD_ALL (1u << 24)
#define SLACK_NS 10000000u /* maximum delay in ns from reading the clock to committing an exit */

struct drain_filter *drain_filter_of(const struct ez_drain *d, uint32_t id)
{
    struct drain_filter *f = id < d->seg.ids_max ? &d->filters.of[id] : NULL;
    return f && __atomic_load_n(&f->on, __ATOMIC_ACQUIRE) ? f : NULL;
}

/* ---- what is written ------------------------------------------------------------------ */

static void filter_out(struct drain_buffer *l, struct drain_filter *f, unsigned records, bool call)
{
    l->filtered += records;
    if (call)
        __atomic_fetch_add(&f->calls, 1, __ATOMIC_RELAXED);
}

static void filter_spend(const struct ez_drain *d, struct drain_filter *f)
{
    if (!__atomic_exchange_n(&f->spent, 1, __ATOMIC_ACQ_REL))
        drain_notify(d);
}

/* Returns true if the other probe (f->other) records exits (exit) or entries (!exit). */
static bool filter_gives(const struct drain_filter *f, bool exit)
{
    return f->records & (exit ? EZ_ROW_REC_EXIT : EZ_ROW_REC_ENTRY);
}

/* Decides about an event that the filter leaves out. If the other probe records such events, the
 * event becomes one of the other probe; otherwise the event counts as filtered. */
static enum drain_verdict filter_give(struct drain_buffer *l, struct drain_filter *f, bool exit,
                                      bool call)
{
    if (filter_gives(f, exit))
        return DRAIN_OTHERS;
    filter_out(l, f, 1, call);
    return DRAIN_FILTERED;
}

/* If the filter has a limit (by.bytes), adds the event's bytes to the bytes that the filter has let
 * through. Returns false, and spends the filter, if the limit would be exceeded. */
static bool filter_pays(const struct ez_drain *d, struct drain_filter *f, uint64_t bytes)
{
    if (!f->by.bytes)
        return true;
    if (f->spent || f->bytes + bytes > f->by.bytes) {
        filter_spend(d, f);
        return false;
    }
    f->bytes += bytes;
    return true;
}

enum drain_verdict drain_admit(struct drain_cursor *c, struct drain_filter *f,
                               const struct ez_rec *r, uint64_t frame, size_t n)
{
    const struct ez_drain *d = c->d;
    struct drain_buffer *l = c->l;
    struct ez_open_call *top = ez_calls_top(&l->calls);
    struct ez_open_call *k = f->by.follows && top && top->frame == frame ? top : NULL;
    uint64_t depth = k ? k->depth : top ? top->depth + 1 : 1, exit = f->by.follows ? 3 : 0;
    if ((f->by.follows && !k) || (f->by.depth && depth > f->by.depth) ||
        !filter_pays(d, f, (n + exit) * sizeof(uint64_t))) {
        if (k) {
            k->state = EZ_CALL_HIDDEN;
            k->depth -= !filter_gives(f, false);
        }
        return filter_give(l, f, false, true);
    }
    if (k && f->by.min_ns) {
        k->state = EZ_CALL_WAITS;
        EZ_PUSH(&l->held.wait,
                ((struct drain_wait){ frame, l->held.end + d->batch.n, r->tick, k->id }));
    }
    return DRAIN_ADMITTED;
}

/* ---- calls that wait ------------------------------------------------------------------ */

static void held_shrink(struct ez_drain *d, struct drain_held *h, size_t n)
{
    h->n -= n;
    d->filters.held -= n;
}

static bool held_is_record(const uint64_t *event)
{
    return event[2] >> 8 >= EZ_C_PROBE && !drain_is_unwound(event);
}

static uint64_t *held_at(struct ez_drain *d, const struct drain_held *h, uint64_t pos)
{
    return pos >= h->end ? d->batch.word + (pos - h->end) : h->at + h->from + h->n - (h->end - pos);
}

/* Turns the entry event at position `pos` into an event of the other probe, removes the event's
 * words, and moves the later events up. Returns the number of bytes that the entry event had. */
static uint64_t held_give(struct ez_drain *d, struct drain_held *h, uint64_t pos, uint32_t other)
{
    bool new = pos >= h->end;
    uint64_t *w = held_at(d, h, pos);
    const uint64_t *end = new ? d->batch.word + d->batch.n : h->at + h->from + h->n;
    size_t n = ez_fxt_words(w), less = n - 3;
    w[2] = ((uint64_t)EZ_C_PROBE + 2 * (uint64_t)other) << 8 | 1;
    if (!less)
        return n * sizeof *w;
    memmove(w + 3, w + n, (size_t)(end - (w + n)) * sizeof *w);
    if (new) {
        d->batch.n -= less;
    } else {
        held_shrink(d, h, less);
        h->end -= less;
    }
    /* `wait` is sorted by position */
    for (size_t i = h->wait.n; i && h->wait.at[i - 1].pos > pos; i--)
        h->wait.at[i - 1].pos -= less;
    h->remembered -= h->remembered > pos ? less : 0;
    return n * sizeof *w;
}

/* Removes or marks the event at position `pos`. Returns the number of its bytes. */
static uint64_t held_remove(struct ez_drain *d, struct drain_buffer *l, uint64_t pos)
{
    struct drain_held *h = &l->held;
    bool new = pos >= h->end;
    uint64_t *w = held_at(d, h, pos);
    size_t n = ez_fxt_words(w);
    d->batch.marked = true;
    h->recs -= !new;
    if (pos + n < h->end + d->batch.n) {
        w[2] &= 0xff;
    } else if (new) {
        d->batch.n -= n;
    } else {
        held_shrink(d, h, n);
        h->end -= n;
    }
    return n * sizeof *w;
}

static double filter_ns(const struct ez_drain *d, uint64_t from, uint64_t to)
{
    return to > from ? (double)(to - from) * d->clock.ns_per_tick : 0;
}

/* Removes n waiting calls from index i on. One step for all, because n may be 100,000. */
static void held_forget(struct drain_held *h, size_t i, size_t n)
{
    if (!n)
        return;
    h->wait.n -= n;
    memmove(h->wait.at + i, h->wait.at + i + n, (h->wait.n - i) * sizeof *h->wait.at);
}

/* Returns the position of the entry event of waiting call i, or the end of the held events if there
 * is no call i. */
static uint64_t held_begin(const struct drain_held *h, size_t i)
{
    return i < h->wait.n ? h->wait.at[i].pos : h->end;
}

/* Ends the waiting call with this frame. Returns true if the call is written: it lasted the
 * minimum, or no call with this frame waits any more. */
static bool held_ended(struct ez_drain *d, struct drain_buffer *l, struct drain_filter *f,
                       uint64_t frame, uint64_t tick)
{
    struct drain_held *h = &l->held;
    size_t i = h->wait.n;
    while (i && h->wait.at[i - 1].frame != frame)
        i--;
    if (!i)
        return true;
    struct drain_wait w = h->wait.at[--i];
    held_forget(h, i, 1);
    if (filter_ns(d, w.tick, tick) >= (double)f->by.min_ns)
        return true;
    bool gives = filter_gives(f, false);
    uint64_t bytes = gives ? held_give(d, h, w.pos, f->other) : held_remove(d, l, w.pos);
    f->bytes -= EZ_MIN(f->bytes, bytes + 3 * sizeof(uint64_t));
    if (!gives)
        filter_out(l, f, 1, true);
    return false;
}

enum drain_verdict drain_admit_exit(struct drain_cursor *c, struct drain_filter *f,
                                    const struct ez_rec *r, uint64_t frame, size_t n, int state)
{
    bool yes = state == EZ_CALL_RECORDED || (state < 0 && !f->by.follows);
    if (state == EZ_CALL_WAITS)
        yes = held_ended(c->d, c->l, f, frame, r->tick);
    if (yes && f->by.follows)
        f->bytes += (n - 3) * sizeof(uint64_t);
    else if (yes)
        yes = filter_pays(c->d, f, n * sizeof(uint64_t));
    return yes ? DRAIN_ADMITTED : filter_give(c->l, f, true, !f->by.follows);
}

bool drain_admit_left(struct ez_drain *d, struct drain_buffer *l, const struct ez_open_call *k,
                      uint64_t tick, uint32_t *id)
{
    struct drain_filter *f = drain_filter_of(d, k->id);
    if (!f || (k->state == EZ_CALL_WAITS && held_ended(d, l, f, k->frame, tick)))
        return f;
    *id = f->other;
    return filter_gives(f, true);
}

void drain_settle_calls(struct ez_drain *d, struct drain_buffer *l)
{
    d->batch.marked |= l->held.wait.n > 0; /* makes drain_hold() write the events that waited */
    l->held.wait.n = 0;
}

/* ---- the queue ------------------------------------------------------------------------ */

bool drain_holds(const struct ez_drain *d, const struct drain_buffer *l)
{
    return l->held.n || l->held.wait.n || d->batch.marked || d->kept.most;
}

static void held_append(struct ez_drain *d, struct drain_held *h)
{
    if (h->from + h->n + d->batch.n > h->cap && 2 * (h->n + d->batch.n) <= h->cap) {
        memmove(h->at, h->at + h->from, h->n * sizeof *h->at);
        h->from = 0;
    }
    if (h->from + h->n + d->batch.n > h->cap) {
        h->cap = EZ_MAX(2 * h->cap, 2 * (h->n + EZ_MAX(d->batch.n, (size_t)DRAIN_SUB_WORDS)));
        h->at = ez_realloc(h->at, h->cap * sizeof *h->at);
    }
    if (d->batch.n) /* h->at may be NULL */
        memcpy(h->at + h->from + h->n, d->batch.word, d->batch.n * sizeof *h->at);
    for (size_t i = 0; i < d->batch.n; i += ez_fxt_words(d->batch.word + i))
        h->recs += held_is_record(d->batch.word + i);
    h->n += d->batch.n;
    h->end += d->batch.n;
    d->filters.held += d->batch.n;
    d->batch.n = d->batch.recs = d->batch.unwound = 0;
}

/* Writes the events before position `to`, except events that a filter rejected
 * (drain_is_marked()). */
static void held_write(struct ez_drain *d, struct drain_buffer *l, uint64_t to)
{
    struct drain_held *h = &l->held;
    size_t n = 0, recs = 0, unwound = 0;
    while (h->end - h->n < to) {
        const uint64_t *w = h->at + h->from;
        size_t words = ez_fxt_words(w);
        if (n + words > DRAIN_WORDS) {
            drain_write(d, l, n, recs, unwound);
            n = recs = unwound = 0;
        }
        if (!drain_is_marked(w)) {
            bool rec = held_is_record(w);
            memcpy(d->batch.word + n, w, words * sizeof *w);
            n += words;
            recs += rec;
            h->recs -= rec;
            unwound += drain_is_unwound(w);
        }
        h->from += words;
        held_shrink(d, h, words);
    }
    if (n)
        drain_write(d, l, n, recs, unwound);
    if (h->n)
        return;
    free(h->at);
    h->at = NULL;
    h->from = h->cap = 0;
}

/* Flight recorder: passes the events that would be in a file by now to drain_remember(), for the
 * command "events". */
static void held_recall(struct ez_drain *d, struct drain_held *h)
{
    uint64_t begin = h->end - h->n, from = EZ_MAX(h->remembered, begin);
    h->remembered = held_begin(h, 0);
    drain_remember(d, h->at + h->from + (from - begin), h->remembered - from);
}

/* Flight recorder: drops the oldest events to make room for the newest. */
static void held_overwrite(struct ez_drain *d, struct drain_buffer *l)
{
    struct drain_held *h = &l->held;
    size_t gone = 0;
    while (h->n > d->kept.most) {
        const uint64_t *w = h->at + h->from;
        size_t words = ez_fxt_words(w);
        if (gone < h->wait.n && h->wait.at[gone].pos == h->end - h->n)
            gone++;
        if (!drain_is_marked(w)) {
            bool rec = held_is_record(w);
            h->cut = rec + (h->cut_tid == w[1] ? h->cut : 0);
            h->cut_tid = w[1];
            h->cut_tick = w[0];
            h->recs -= rec;
            l->overwritten += rec;
        }
        h->from += words;
        held_shrink(d, h, words);
    }
    held_forget(h, 0, gone);
}

static void held_emit_others(struct ez_drain *d, const struct drain_buffer *l)
{
    struct ez_buffer *shared = drain_shared(d, (uint32_t)(l - d->buffers.at));
    shared->filtered = l->filtered + l->overwritten + l->held.recs;
    shared->recorded = l->recorded;
}

static void held_release(struct ez_drain *d, struct drain_buffer *l)
{
    struct drain_held *h = &l->held;
    if (d->kept.most) {
        held_recall(d, h);
        held_overwrite(d, l);
        held_emit_others(d, l);
        return;
    }
    size_t gone = 0;
    while (gone < h->wait.n && (h->n > HELD_MOST || d->filters.held > HELD_ALL))
        held_write(d, l, held_begin(h, ++gone));
    l->hurried += gone;
    held_forget(h, 0, gone);
    held_write(d, l, held_begin(h, 0));
    held_emit_others(d, l);
}

uint64_t drain_held_drop(struct ez_drain *d, struct drain_buffer *l)
{
    uint64_t recs = l->held.recs;
    d->filters.held -= l->held.n;
    free(l->held.at);
    EZ_VEC_FREE(&l->held.wait);
    l->held = (struct drain_held){ .end = l->held.end };
    return recs;
}

void drain_hold(struct ez_drain *d, struct drain_buffer *l)
{
    held_append(d, &l->held);
    d->batch.marked = false;
    held_release(d, l);
}

/* Spends the filters that have reached a limit that can be reached without an event. */
static void filter_look_at_limits(struct ez_drain *d, uint64_t tick)
{
    pthread_mutex_lock(&d->defs.lock);
    for (size_t i = 0; i < d->filters.limited.n; i++) {
        struct drain_filter *f = &d->filters.of[d->filters.limited.at[i]];
        const struct ez_drain_filter *by = &f->by;
        if ((by->until && tick >= by->until) ||
            (by->turns && by->counter < d->buffers.reserved &&
             drain_counter(d, 0, by->counter)->entry >= by->turns))
            filter_spend(d, f);
    }
    pthread_mutex_unlock(&d->defs.lock);
}

void drain_filter_round(struct ez_drain *d, uint64_t tick)
{
    if (!d->filters.n)
        return;
    for (uint32_t i = 1; i < d->buffers.ready; i++) {
        struct drain_buffer *l = &d->buffers.at[i];
        struct drain_held *h = &l->held;
        size_t n = 0;
        while (n < h->wait.n && !l->behind &&
               filter_ns(d, h->wait.at[n].tick, tick) >=
                   (double)d->filters.of[h->wait.at[n].id].by.min_ns + SLACK_NS)
            n++;
        held_forget(h, 0, n);
        if (n)
            held_release(d, l);
    }
    filter_look_at_limits(d, tick);
}

void drain_filter_finish(struct ez_drain *d)
{
    for (uint32_t i = 1; i < d->buffers.ready && !d->kept.most; i++) {
        drain_settle_calls(d, &d->buffers.at[i]);
        if (drain_holds(d, &d->buffers.at[i]))
            drain_hold(d, &d->buffers.at[i]);
    }
}

void drain_filter_begin(struct ez_drain *d)
{
    d->filters.of = ez_alloc_sparse(d->seg.ids_max * sizeof *d->filters.of);
}

void drain_filter_free(struct ez_drain *d)
{
    for (uint32_t i = 1; i < d->buffers.ready; i++) {
        free(d->buffers.at[i].held.at);
        EZ_VEC_FREE(&d->buffers.at[i].held.wait);
    }
    EZ_VEC_FREE(&d->filters.limited);
    ez_free_sparse(d->filters.of, d->seg.ids_max * sizeof *d->filters.of);
}

/* ---- for the main thread -------------------------------------------------------------- */

void ez_drain_filter(struct ez_drain *d, uint32_t id, const struct ez_drain_filter *by)
{
    if (id >= d->seg.ids_max)
        return;
    struct drain_filter *f = &d->filters.of[id];
    f->by = *by;
    /* set here, before drain_defs_pop() reads the definition, because hits may come at once */
    if (by->follows)
        drain_defs_follow(d, id, true);
    __atomic_store_n(&f->on, 1, __ATOMIC_RELEASE);
    __atomic_add_fetch(&d->filters.n, 1, __ATOMIC_RELEASE);
    if (!by->until && !by->turns)
        return;
    pthread_mutex_lock(&d->defs.lock);
    EZ_PUSH(&d->filters.limited, id);
    pthread_mutex_unlock(&d->defs.lock);
}

void drain_filter_other(struct ez_drain *d, uint32_t id, uint32_t other, unsigned records)
{
    d->filters.of[id].other = other;
    d->filters.of[id].records = records;
}

void ez_drain_filtered(struct ez_drain *d, uint32_t id, struct ez_drain_filtered *out)
{
    struct drain_filter *f = drain_filter_of(d, id);
    *out = (struct ez_drain_filtered){ 0 };
    if (!f)
        return;
    out->calls = __atomic_load_n(&f->calls, __ATOMIC_RELAXED);
    out->spent = __atomic_load_n(&f->spent, __ATOMIC_ACQUIRE);
}
