/* SPDX-License-Identifier: GPL-3.0-or-later */
/* merge.h - merges FxT files into one stream of events, by time, with aligned clocks.
 *
 * ORDER. A file is not in the order of time: the drain appends one thread's records after
 * another's, and other writers use other orders. For each block of records, the first reading
 * stores the smallest tick that comes later in the file. The second reading collects events in a
 * window and returns the events below that tick. This is exact for a file of any writer. If the
 * window would grow too large, its events go to a temporary file as a sorted run (order.h). So
 * memory is bounded, and events are returned in the order of time.
 *
 * FILES are numbered by job and rank. Files without a rank follow, in the order of their paths.
 *
 * CLOCKS. Files of one machine share CLOCK_MONOTONIC. Machines are aligned by the wall clock, with
 * one shift for each machine (calib.h).
 *
 * Tests: tests/unit/trace/check_replay.c */
#ifndef EZ_MERGE_H
#define EZ_MERGE_H

#include "engine/trace/fxt_defs.h"
#include "engine/base/progress.h"

struct ez_merge;

struct ez_merged { /* an event that is no definition */
    uint64_t ns;   /* since the first event of all files; context switches do not count as first */
    uint64_t tid, code;
    const uint64_t *arg; /* valid until the next call */
    unsigned narg;
    uint32_t input; /* index of the file */
};

struct ez_merge_input {
    const char *path;
    size_t given;            /* index of the file in the array of paths */
    struct ez_fxt_defs defs; /* all of the file's definitions */
    uint64_t events;         /* number of events of probes or with a meaning definition */
    uint64_t emitted;        /* number of events that are no definitions */
    char *damage;            /* message about damaged data in the file, or NULL */
};

/* Reads all files once. Returns EZ_E_NOTFOUND, EZ_E_SYS, or EZ_E_FORMAT if a file is no trace. */
ez_err *ez_merge_open(char *const *path, size_t n, const struct ez_progress *progress,
                      struct ez_merge **out) EZ_WUR;
ez_err *ez_merge_next(struct ez_merge *m, struct ez_merged *ev, bool *got) EZ_WUR;
void ez_merge_close(struct ez_merge *m);

size_t ez_merge_inputs(const struct ez_merge *m);
/* Converts a tick of file i to ns since the first event of all files. A tick before the first event
 * becomes 0, a tick after the last event becomes the time of the last event. */
uint64_t ez_merge_when(const struct ez_merge *m, size_t i, uint64_t tick);
struct ez_merge_input *ez_merge_input(const struct ez_merge *m, size_t i);
uint64_t ez_merge_events(const struct ez_merge *m);        /* sum of `events` over all files */
uint64_t ez_merge_read(const struct ez_merge *m);          /* sum of `emitted` over all files */
uint64_t ez_merge_span_ns(const struct ez_merge *m);       /* from the first to the last event */
uint64_t ez_merge_start_real_ns(const struct ez_merge *m); /* wall clock of ns 0; 0 if unknown */
/* Returns the number of events that came too late, because a file changed while it was read. */
uint64_t ez_merge_late(const struct ez_merge *m);

#endif
