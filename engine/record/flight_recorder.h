/* SPDX-License-Identifier: GPL-3.0-or-later */
/* flight_recorder.h - keeps events in memory, and writes snapshots of them. */
#ifndef EZ_DRAIN_KEEP_H
#define EZ_DRAIN_KEEP_H

#include "engine/base/vec.h"
#include "engine/record/drain_clock.h"

struct drain_name {
    uint32_t tid;
    char name[17];
};

struct drain_kept {
    uint64_t most; /* words that each buffer may hold; 0: the flight recorder is off */
    EZ_VEC(struct drain_name) name;    /* names of the newest threads */
    EZ_VEC(struct drain_sample) clock; /* about one sample a second */
    bool written; /* the target has ended, and a snapshot has all kept events */
};

struct drain_snapshot {
    const char *path;
    bool another;   /* if the name exists, use a free name (struct ez_fxt_want) */
    char **written; /* name of the snapshot; the caller frees it */
    struct ez_drain_stat *stat;
};
ez_err *drain_snapshot(struct ez_drain *d, const struct drain_snapshot *how) EZ_WUR;
void drain_keep_begin(struct ez_drain *d, uint64_t bytes);
void drain_keep_end(struct ez_drain *d);
void drain_keep_free(struct ez_drain *d);
/* Keep a thread's name, and the clock, for the next snapshots. */
void drain_keep_name(struct ez_drain *d, uint32_t tid, const char *name);
void drain_keep_clock(struct ez_drain *d);

#endif
