/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drain_pauses.c - leaves out events from pauses of recording, which actions of probes cause
 * (engine/rt/rt_act.c).
 *
 * The target, or the shell, writes into shared memory when recording pauses and resumes. A record
 * whose tick is in a pause is left out, and counted as untraced. These times are read after records
 * were copied, so the time of each pause is known before its records are judged. Times that threads
 * wrote at the same moment may be out of order by some ns; the ticks are sorted.
 *
 * Tests: tests/procs/triggers.sh */
#include <string.h>

#include "engine/record/drain_priv.h"

/* number of pauses kept; records older than these do not arrive any more */
#define PAUSES_KEPT 4096

#define LOAD(p) __atomic_load_n(p, __ATOMIC_ACQUIRE)

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

void drain_pauses_learn(struct ez_drain *d)
{
    struct ez_hdr *h = d->hdr;
    uint32_t n = LOAD(&h->pauses), have = d->pauses.gone + (uint32_t)d->pauses.at.n;
    if (n == have || n - have > EZ_PAUSES) /* the target wrote invalid numbers */
        return;
    for (; have != n; have++) {
        uint64_t at = __atomic_exchange_n(&h->pause_at[have % EZ_PAUSES], 0, __ATOMIC_SEQ_CST);
        uint64_t before = d->pauses.at.n ? d->pauses.at.at[d->pauses.at.n - 1] : 0;
        EZ_PUSH(&d->pauses.at, EZ_MAX(at, before));
    }
    if (d->pauses.at.n > 2 * PAUSES_KEPT) {
        size_t gone = d->pauses.at.n - PAUSES_KEPT;
        memmove(d->pauses.at.at, d->pauses.at.at + gone, PAUSES_KEPT * sizeof *d->pauses.at.at);
        d->pauses.at.n = PAUSES_KEPT;
        d->pauses.gone += (uint32_t)gone;
    }
    __atomic_store_n(&h->pauses_known, n, __ATOMIC_RELEASE);
}

/* Excludes the ends: the hit that pauses recording and the hit that resumes it are both
 * recorded. */
bool drain_paused_at(const struct ez_drain *d, uint64_t tick)
{
    size_t n = d->pauses.at.n;
    while (n) {
        bool pauses = (d->pauses.gone + n) & 1;
        uint64_t at = d->pauses.at.at[n - 1];
        if (pauses ? at < tick : at <= tick)
            break;
        n--;
    }
    return (d->pauses.gone + n) & 1;
}

void drain_pause(struct ez_drain *d, bool pause)
{
    struct ez_hdr *h = d->hdr;
    uint32_t n = LOAD(&h->pauses);
    uint64_t none = 0, now = drain_tick(d);
    drain_pauses_learn(d);
    if ((n & 1) == pause || n - LOAD(&h->pauses_known) >= EZ_PAUSES)
        return;
    __atomic_compare_exchange_n(&h->pause_at[n % EZ_PAUSES], &none, now, 0, __ATOMIC_SEQ_CST,
                                __ATOMIC_SEQ_CST);
    __atomic_compare_exchange_n(&h->pauses, &n, n + 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    drain_pauses_learn(d);
}
