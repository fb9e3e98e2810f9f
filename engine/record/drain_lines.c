/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drain_lines.c - events that are lines of text for the user (`dprintf`). They are written to the
 * file like all events, and a copy is kept here until the main thread reads it (lines.c).
 *
 * Events of threads arrive buffer by buffer, and a thread may be preempted between a hit's stamp
 * and its commit. So each round computes the tick up to which all events have arrived. Lines of
 * later hits wait, but at most for a second, because a thread that left a hit by a longjmp never
 * commits the hit's record.
 *
 * If the terminal is slower than the program, at most LINES_MOST words wait; further events are
 * counted as lost.
 * Tests: tests/procs/dprintf.sh */
#include <string.h>

#include "engine/record/drain_priv.h"

#define LINES_MOST (1u << 23) /* maximum number of words that wait */
#define OPEN_MOST_NS 1000000000u

void drain_line(struct ez_drain *d, const uint64_t *event)
{
    struct drain_lines *l = &d->lines;
    size_t n = ez_fxt_words(event);
    pthread_mutex_lock(&l->lock);
    if (l->word.n + n > LINES_MOST)
        l->lost++;
    else
        EZ_APPEND(&l->word, event, n);
    pthread_mutex_unlock(&l->lock);
}

void drain_lines_open(struct ez_drain *d, uint64_t tick)
{
    if (tick)
        d->lines.open = EZ_MIN(d->lines.open, tick);
}

/* Computes the tick up to which all events have arrived, or are awaited no longer. Returns true if
 * the main thread should read lines. */
bool drain_lines_round(struct ez_drain *d, uint64_t now, uint64_t tick)
{
    struct drain_lines *l = &d->lines;
    uint64_t open = l->open;
    l->open = UINT64_MAX;
    if (!l->on)
        return false;
    if (open > l->ready || !l->waiting_ns)
        l->waiting_ns = now;
    if (now - l->waiting_ns < OPEN_MOST_NS)
        tick = EZ_MAX(EZ_MIN(tick, open), l->ready);
    pthread_mutex_lock(&l->lock);
    bool look = l->word.n && tick > l->ready;
    l->ready = tick;
    pthread_mutex_unlock(&l->lock);
    return look;
}

void drain_lines_begin(struct ez_drain *d)
{
    pthread_mutex_init(&d->lines.lock, NULL);
    d->lines.id = ez_alloc_sparse(d->seg.ids_max);
}

void drain_lines_free(struct ez_drain *d)
{
    ez_free_sparse(d->lines.id, d->seg.ids_max);
    EZ_VEC_FREE(&d->lines.word);
    pthread_mutex_destroy(&d->lines.lock);
}

/* ---- for the main thread -------------------------------------------------------------- */

void ez_drain_prints(struct ez_drain *d, uint32_t id)
{
    if (id >= d->seg.ids_max)
        return;
    d->lines.id[id] = 1;
    __atomic_store_n(&d->lines.on, true, __ATOMIC_RELEASE);
}

uint64_t ez_drain_lines(struct ez_drain *d, struct ez_drain_lines *out)
{
    struct drain_lines *l = &d->lines;
    pthread_mutex_lock(&l->lock);
    if (out->n) {
        EZ_APPEND(out, l->word.at, l->word.n);
    } else { /* The lists are swapped, not copied, so that the drain thread waits less for the
              * lock. */
        uint64_t *at = out->at;
        size_t cap = out->cap;
        out->at = l->word.at;
        out->n = l->word.n;
        out->cap = l->word.cap;
        l->word.at = at;
        l->word.cap = cap;
    }
    l->word.n = 0;
    out->lost += l->lost;
    l->lost = 0;
    uint64_t ready = l->ready;
    pthread_mutex_unlock(&l->lock);
    return ready;
}
