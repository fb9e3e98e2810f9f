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
 * INDEX. If a file has an index (index.h), the index replaces the first reading, and the second one
 * skips records before a window.
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
#include "engine/trace/index.h"
#include "engine/base/progress.h"

struct ez_merge;

struct ez_merged { /* an event that is no definition */
    /* ns since the first event of all files; a context switch does not count as the first event */
    uint64_t ns;
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
/* Like ez_merge_open(), but uses the indexes of the files as `use` says. */
ez_err *ez_merge_open_by(char *const *path, size_t n, enum ez_index_use use,
                         const struct ez_progress *progress, struct ez_merge **out) EZ_WUR;
/* Allows the reader to skip events before `from` ns that, by their index, have no effect on what a
 * model shows from then on. Must be called before the first event. */
void ez_merge_from(struct ez_merge *m, uint64_t from_ns);
ez_err *ez_merge_next(struct ez_merge *m, struct ez_merged *ev, bool *got) EZ_WUR;
/* Begins again: the next call of ez_merge_next() returns the first event. from_ns is 0 again. Events that were added to
 * the files since ez_merge_open() are not returned. */
void ez_merge_rewind(struct ez_merge *m);
void ez_merge_close(struct ez_merge *m);

/* Receives an event. Setting *enough ends the reading. */
typedef ez_err *ez_merge_scan_fn(void *arg, const struct ez_merged *ev, uint64_t tick,
                                 bool *enough);
/* Reads the events of file i that ez_merge_next() returns, in the order of the file, not of time.
 * May end before the end of the file when no event up to to_ns can follow. Does not disturb
 * ez_merge_next(). */
ez_err *ez_merge_scan(struct ez_merge *m, size_t i, uint64_t to_ns, ez_merge_scan_fn *fn,
                      void *arg) EZ_WUR;
/* Returns whether a file has an index by which events before a window can be skipped. */
bool ez_merge_indexed(const struct ez_merge *m);

size_t ez_merge_inputs(const struct ez_merge *m);
/* Converts a tick of file i to ns since the first event of all files. A tick before the first event
 * becomes 0, a tick after the last event becomes the time of the last event. */
uint64_t ez_merge_when(const struct ez_merge *m, size_t i, uint64_t tick);
struct ez_merge_input *ez_merge_input(const struct ez_merge *m, size_t i);
uint64_t ez_merge_events(const struct ez_merge *m);  /* sum of `events` over all files */
uint64_t ez_merge_read(const struct ez_merge *m);    /* sum of `emitted` over all files */
uint64_t ez_merge_span_ns(const struct ez_merge *m); /* time from the first to the last event */
uint64_t ez_merge_start_real_ns(const struct ez_merge *m); /* wall clock of ns 0; 0 if unknown */
/* Returns whether the last reading skipped events of file i. */
bool ez_merge_skipped(const struct ez_merge *m, size_t i);
/* Returns the number of events that came too late, because a file changed while it was read. */
uint64_t ez_merge_late(const struct ez_merge *m);

#endif
