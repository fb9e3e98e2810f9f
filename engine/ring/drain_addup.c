/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drain_addup.c - the tables of aggregates (engine/data_abi.h): their pages, and their sum over all
 * lanes. A lane's table outlives its threads, as counters do, so the sum is that of the process.
 *
 * The target may write anything there: rows are copied first, a row's numbers are believed, for they
 * are the target's own, and nothing else depends on them. */
#include <errno.h>
#include <string.h>

#include "engine/data_abi.h"
#include "engine/ring/addup.h"
#include "engine/ring/drain_priv.h"

static ez_err *addup_order(struct ez_drain *d, void *arg)
{
    uint32_t n = *(uint32_t *)arg;
    int e = n > d->naddups || !d->off_addups ? ENOSPC : 0;
    for (uint32_t i = 1; !e && i < d->ready; i++)
        e = drain_addup_pages(d, i, d->addups, n);
    if (e)
        return ez_err_new(EZ_E_SYS, e, "no shared memory for %u aggregates", n);
    d->addups = n;
    __atomic_store_n(&d->hdr->addups_ready, n, __ATOMIC_RELEASE);
    return NULL;
}

ez_err *ez_drain_reserve_addups(struct ez_drain *d, uint32_t n)
{
    return n <= d->addups ? NULL : drain_ask(d, addup_order, &n);
}

void ez_drain_addup(struct ez_drain *d, uint32_t number, struct ez_addup_sum *out)
{
    uint32_t ready = __atomic_load_n(&d->ready, __ATOMIC_ACQUIRE);
    EZ_FREE struct ez_addup_table *copy = ez_alloc(sizeof *copy);
    if (number >= d->addups)
        return;
    for (uint32_t i = 1; i < ready; i++) {
        memcpy(copy, drain_lane_at(d, drain_addup_off(d, i, number)), sizeof *copy);
        ez_addup_add(out, copy);
    }
}
