/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drain_kept.c - what snapshots tell besides events (drain_keep.c), noted while events are kept: names of
 * threads, and the clock. Both are bounded, for a recorder may run for days. */
#include <stdio.h>
#include <string.h>

#include "engine/ring/drain_priv.h"

#define NAMES_MOST 4096
#define CLOCKS_MOST 4096

void drain_keep_name(struct ez_drain *d, uint32_t tid, const char *name)
{
    struct drain_name *k = NULL;
    if (!d->kept.most)
        return;
    for (size_t i = 0; i < d->kept.name.n && !k; i++)
        if (d->kept.name.at[i].tid == tid)
            k = &d->kept.name.at[i];
    if (!k &&
        d->kept.name.n == NAMES_MOST) { /* the name that was told first is the oldest thread's */
        memmove(d->kept.name.at, d->kept.name.at + 1, (NAMES_MOST - 1) * sizeof *k);
        k = &d->kept.name.at[NAMES_MOST - 1];
    } else if (!k) {
        EZ_PUSH(&d->kept.name, ((struct drain_name){ .tid = tid }));
        k = &d->kept.name.at[d->kept.name.n - 1];
    }
    k->tid = tid;
    snprintf(k->name, sizeof k->name, "%s", name);
}

void drain_keep_clock(struct ez_drain *d)
{
    if (!d->kept.most)
        return;
    if (d->kept.clock.n == CLOCKS_MOST) { /* the older half is not near what is kept */
        memmove(d->kept.clock.at, d->kept.clock.at + CLOCKS_MOST / 2,
                CLOCKS_MOST / 2 * sizeof *d->kept.clock.at);
        d->kept.clock.n = CLOCKS_MOST / 2;
    }
    EZ_PUSH(&d->kept.clock, drain_sample(d->cfg.mono));
}

void drain_keep_free(struct ez_drain *d)
{
    EZ_VEC_FREE(&d->kept.name);
    EZ_VEC_FREE(&d->kept.clock);
}
