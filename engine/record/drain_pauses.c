/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drain_pauses.c - leaves out events from pauses of recording, which actions of probes
 * (engine/rt/rt_act.c) or the user cause.
 *
 * The target or the shell writes the ticks at which recording pauses and resumes into shared
 * memory. A record whose tick is in a pause is left out, and counted as untraced.
 *
 * A hit reads its tick first and publishes it later, maybe much later. So, after the drain thread
 * has copied records and before it decides about them, it writes the current tick into the next
 * slot of pause_at[]: the next pause is not earlier. A hit with an earlier tick fails to publish
 * that tick, and reads a new one (rt_act.c). So no pause begins at a tick of records that were
 * already written.
 *
 * Tests: tests/procs/triggers.sh */
#include <limits.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "engine/record/drain_priv.h"

/* Number of ticks that are kept, at least. Full rings of several threads have fewer records, so
 * those from before these ticks have arrived. */
#define PAUSES_KEPT (1u << 18)

#define LOAD(p) __atomic_load_n(p, __ATOMIC_ACQUIRE)
#define STORE(p, v) __atomic_store_n(p, v, __ATOMIC_RELEASE)
#define SWAP(p, was, to)                                                                           \
    __atomic_compare_exchange_n(p, was, to, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)

void drain_pauses_begin(struct ez_drain *d)
{
    struct ez_hdr *h = d->hdr;
    uint32_t n = (h->pauses + 1) & ~1u;
    for (uint32_t i = 0; i < EZ_PAUSES; i++)
        h->pause_at[i] = 0;
    h->pauses = h->pauses_known = d->pauses.gone = n;
}

void drain_pauses_free(struct ez_drain *d)
{
    EZ_VEC_FREE(&d->pauses.at);
}

/* Appends the published ticks to d->pauses. Returns the number of pauses and resumptions so far. */
static uint32_t pauses_take(struct ez_drain *d)
{
    struct ez_hdr *h = d->hdr;
    uint32_t n = LOAD(&h->pauses), have = d->pauses.gone + (uint32_t)d->pauses.at.n;
    if (n - have > EZ_PAUSES) /* the target wrote invalid numbers */
        return have;
    for (; have != n; have++) {
        uint64_t at = LOAD(&h->pause_at[have % EZ_PAUSES]) & ~EZ_PAUSE_HAS_TICK;
        uint64_t before = d->pauses.at.n ? d->pauses.at.at[d->pauses.at.n - 1] : 0;
        STORE(&h->pause_at[have % EZ_PAUSES], at);
        EZ_PUSH(&d->pauses.at, EZ_MAX(at, before));
    }
    if (d->pauses.at.n > 2 * PAUSES_KEPT) {
        size_t gone = d->pauses.at.n - PAUSES_KEPT;
        memmove(d->pauses.at.at, d->pauses.at.at + gone, PAUSES_KEPT * sizeof *d->pauses.at.at);
        d->pauses.at.n = PAUSES_KEPT;
        d->pauses.gone += (uint32_t)gone;
    }
    bool more = h->pauses_known != n;
    STORE(&h->pauses_known, n);
    if (more) /* a thread may wait for a slot (rt_act.c) */
        syscall(SYS_futex, &h->pauses_known, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
    return n;
}

/* Writes `to` into the slot of pause number n, unless the slot has EZ_PAUSE_HAS_TICK. Then, if the
 * slot has EZ_PAUSE_HAS_TICK, publishes the pause (ez_hdr.pauses). Returns true if `to` was
 * written. */
static bool pauses_set(struct ez_hdr *h, uint32_t n, uint64_t to)
{
    volatile uint64_t *slot = &h->pause_at[n % EZ_PAUSES];
    uint64_t was = LOAD(slot);
    bool done = false;
    while (!done && !(was & EZ_PAUSE_HAS_TICK))
        done = SWAP(slot, &was, to);
    if ((done ? to : was) & EZ_PAUSE_HAS_TICK)
        SWAP(&h->pauses, &n, n + 1);
    return done;
}

/* The limit EZ_PAUSES ends the loop even if the target writes wrong numbers. */
void drain_pauses_learn(struct ez_drain *d)
{
    uint64_t not_before = drain_tick(d);
    for (int i = 0; i < EZ_PAUSES && !pauses_set(d->hdr, pauses_take(d), not_before); i++)
        ;
}

/* The ticks of the pause and of the resumption are not part of the pause: the hits that pause and
 * resume recording are both recorded. */
bool drain_paused_at(const struct ez_drain *d, uint64_t tick)
{
    size_t n = 0, end = d->pauses.at.n;
    while (n < end) { /* until n ticks are not later than `tick` */
        size_t mid = n + (end - n) / 2;
        if (d->pauses.at.at[mid] <= tick)
            n = mid + 1;
        else
            end = mid;
    }
    /* a pause at `tick` has not begun */
    while (n && (d->pauses.gone + n) & 1 && d->pauses.at.at[n - 1] == tick)
        n--;
    return (d->pauses.gone + n) & 1;
}

void drain_pause(struct ez_drain *d, bool pause)
{
    uint32_t n = pauses_take(d);
    for (int i = 0; i < EZ_PAUSES && (n & 1) != pause; i++) {
        pauses_set(d->hdr, n, EZ_PAUSE_HAS_TICK | drain_tick(d));
        n = pauses_take(d);
    }
}
