/* SPDX-License-Identifier: GPL-3.0-or-later */
/* flight_recorder.h - keeps events in memory, and writes snapshots of them. */
#ifndef EZ_DRAIN_KEEP_H
#define EZ_DRAIN_KEEP_H

#include "engine/record/drain.h"

struct drain_kept {
    /* maximum words of events that are kept for each buffer; 0: the flight recorder is off */
    uint64_t most;
    bool written; /* the target has ended, and a snapshot contains all kept events */
};

struct drain_snapshot {
    const char *path;
    bool another;   /* if the file exists, the snapshot gets a free name (struct ez_fxt_want) */
    char **written; /* name of the snapshot; the caller frees it */
    struct ez_drain_stat *stat;
};
ez_err *drain_snapshot(struct ez_drain *d, const struct drain_snapshot *how) EZ_WUR;
void drain_keep_begin(struct ez_drain *d, uint64_t bytes);
void drain_keep_end(struct ez_drain *d);

#endif
