/* SPDX-License-Identifier: GPL-3.0-or-later */
/* merge.h - merges FxT files into one stream of events in the order of time, with aligned clocks.
 *
 * ORDER. A file is not in the order of time: the drain appends one thread's records after
 * another's, and other writers use other orders. For each block of records, the first reading
 * stores the smallest tick in this block and all later blocks. The second reading collects events
 * in memory, and returns the events whose ticks are smaller than that of the next block. So the
 * order is exact for a file of any writer. If too many events are in memory, they are written to a
 * temporary file as a sorted run (order.h). So memory is bounded, and events are returned in the
 * order of time.
 *
 * INDEX. If a file has an index (index.h), the index replaces the first reading, and the second
 * reading can skip records before a time (ez_merge_from()).
 *
 * FILES are numbered in the order of job and rank. Files without a rank follow, in the order of the
 * argument `path`.
 *
 * CLOCKS. Files of one machine share CLOCK_MONOTONIC. The clocks of different machines are aligned
 * by the wall clock, with one shift and drift for each machine (calib.h).
 *
 * Tests: tests/unit/trace/check_replay.c */
#ifndef EZ_MERGE_H
#define EZ_MERGE_H

#include "engine/trace/fxt_defs.h"
#include "engine/trace/index.h"
#include "engine/base/progress.h"

struct ez_merge;

struct ez_merged { /* an event that is not a definition */
    /* ns since the first event of all files that is not a context switch */
    uint64_t ns;
    uint64_t tid, code;
    const uint64_t *arg; /* valid until the next call */
    unsigned narg;
    uint32_t input; /* index of the file */
};

struct ez_merge_input {
    const char *path;
    size_t given;            /* index of the file in the array of paths */
    struct ez_fxt_defs defs; /* all definitions of the file */
    /* number of events that are neither definitions nor events of a thread (EZ_C_THREAD) */
    uint64_t events;
    uint64_t emitted; /* number of events that are not definitions */
    char *damage;     /* message about damaged data in the file, or NULL */
};

/* Opens the n files, and reads each file once. Returns EZ_E_NOTFOUND, EZ_E_SYS, or EZ_E_FORMAT if a
 * file is not a trace. */
ez_err *ez_merge_open(char *const *path, size_t n, const struct ez_progress *progress,
                      struct ez_merge **out) EZ_WUR;
/* Like ez_merge_open(), but also uses and makes indexes of the files, as `use` says. */
ez_err *ez_merge_open_by(char *const *path, size_t n, enum ez_index_use use,
                         const struct ez_progress *progress, struct ez_merge **out) EZ_WUR;
/* Allows the reader to skip events before from_ns that, according to the index, have no effect on
 * the items of a model from from_ns on. Call before the first ez_merge_next(). */
void ez_merge_from(struct ez_merge *m, uint64_t from_ns);
ez_err *ez_merge_next(struct ez_merge *m, struct ez_merged *ev, bool *got) EZ_WUR;
/* Begins a new reading: the next call of ez_merge_next() returns the first event. Resets
 * ez_merge_from() to 0. Events that were added to the files since ez_merge_open() are not
 * returned. */
void ez_merge_rewind(struct ez_merge *m);
void ez_merge_close(struct ez_merge *m);

/* Called for an event. If the function sets *enough, the reading ends. */
typedef ez_err *ez_merge_scan_fn(void *arg, const struct ez_merged *ev, uint64_t tick,
                                 bool *enough);
/* Calls fn for the events of file i that ez_merge_next() would return, in the order of the file,
 * not of time. Stops early if no later event of the file is at or before to_ns. Independent of
 * ez_merge_next(). */
ez_err *ez_merge_scan(struct ez_merge *m, size_t i, uint64_t to_ns, ez_merge_scan_fn *fn,
                      void *arg) EZ_WUR;
/* Returns true if at least one file has an index with marks, so that ez_merge_from() has an
 * effect. */
bool ez_merge_indexed(const struct ez_merge *m);

size_t ez_merge_inputs(const struct ez_merge *m);
/* Converts a tick of file i to ns since the first event of all files. A tick before the first event
 * becomes 0, a tick after the last event becomes the time of the last event. */
uint64_t ez_merge_when(const struct ez_merge *m, size_t i, uint64_t tick);
struct ez_merge_input *ez_merge_input(const struct ez_merge *m, size_t i);
uint64_t ez_merge_events(const struct ez_merge *m);        /* sum of `events` over all files */
uint64_t ez_merge_read(const struct ez_merge *m);          /* sum of `emitted` over all files */
uint64_t ez_merge_span_ns(const struct ez_merge *m);       /* ns from the first to the last event */
uint64_t ez_merge_start_real_ns(const struct ez_merge *m); /* wall clock of ns 0; 0 if unknown */
/* Returns true if the last reading skipped events of file i. */
bool ez_merge_skipped(const struct ez_merge *m, size_t i);
/* Returns the number of events that were returned after a later event, because a file changed while
 * it was read. */
uint64_t ez_merge_late(const struct ez_merge *m);

#endif
