/* SPDX-License-Identifier: GPL-3.0-or-later */
/* flight_recorder.h - the flight recorder: events in memory, snapshots of them. */
#ifndef EZ_DRAIN_KEEP_H
#define EZ_DRAIN_KEEP_H

#include "engine/base/vec.h"
#include "engine/ring/drain_clock.h"

struct drain_name {
    uint32_t tid;
    char name[17];
};

struct drain_kept {
    uint64_t most; /* words that each buffer may hold: the flight recorder is on; 0 = off */
    EZ_VEC(struct drain_name) name;    /* of threads, the newest ones               */
    EZ_VEC(struct drain_sample) clock; /* about one a second                        */
    bool written; /* the target has ended, and a snapshot has all that is kept */
};

struct drain_snapshot {
    const char *path;
    bool another;   /* under a name that is free (struct ez_fxt_want)              */
    char **written; /* its name; the caller frees                                 */
    struct ez_drain_stat *stat;
};
ez_err *drain_snapshot(struct ez_drain *d, const struct drain_snapshot *how) EZ_WUR;
void drain_keep_begin(struct ez_drain *d, uint64_t bytes);
void drain_keep_end(struct ez_drain *d);
void drain_keep_free(struct ez_drain *d);
/* While events are kept: a thread's name, and the clock, for the next snapshots. */
void drain_keep_name(struct ez_drain *d, uint32_t tid, const char *name);
void drain_keep_clock(struct ez_drain *d);

#endif
