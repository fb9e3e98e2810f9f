/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drain_memory.c - keeps names of threads and samples of the clock, for the flight recorder's
 * snapshots.
 * Tests: tests/unit/record/check_snapshot.c */
#include "engine/record/drain_memory.h"

#include <stdio.h>
#include <string.h>

#include "engine/record/drain_priv.h"

#define NAMES_MOST 4096 /* limited, because a flight recorder may run for days */
#define CLOCKS_MOST 4096

void drain_memory_name(struct ez_drain *d, uint32_t tid, const char *name)
{
    struct drain_name *k = NULL;
    if (!d->kept.most)
        return;
    for (size_t i = 0; i < d->memory.name.n && !k; i++)
        if (d->memory.name.at[i].tid == tid)
            k = &d->memory.name.at[i];
    /* drop the first name, which is that of the oldest thread */
    if (!k && d->memory.name.n == NAMES_MOST) {
        memmove(d->memory.name.at, d->memory.name.at + 1, (NAMES_MOST - 1) * sizeof *k);
        k = &d->memory.name.at[NAMES_MOST - 1];
    } else if (!k) {
        EZ_PUSH(&d->memory.name, ((struct drain_name){ .tid = tid }));
        k = &d->memory.name.at[d->memory.name.n - 1];
    }
    k->tid = tid;
    snprintf(k->name, sizeof k->name, "%s", name);
}

void drain_memory_clock(struct ez_drain *d)
{
    if (!d->kept.most)
        return;
    /* drop the older half of the samples, which is much older than the kept events */
    if (d->memory.clock.n == CLOCKS_MOST) {
        memmove(d->memory.clock.at, d->memory.clock.at + CLOCKS_MOST / 2,
                CLOCKS_MOST / 2 * sizeof *d->memory.clock.at);
        d->memory.clock.n = CLOCKS_MOST / 2;
    }
    EZ_PUSH(&d->memory.clock, drain_sample(d->cfg.mono));
}

void drain_memory_free(struct ez_drain *d)
{
    EZ_VEC_FREE(&d->memory.name);
    EZ_VEC_FREE(&d->memory.clock);
}
