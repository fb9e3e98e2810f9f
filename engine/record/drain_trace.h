/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drain_trace.h - opens and completes traces. */
#ifndef EZ_DRAIN_TRACE_H
#define EZ_DRAIN_TRACE_H

#include "engine/record/drain.h"

struct drain_trace {
    uint64_t epoch;            /* tick of the last epoch */
    uint64_t next_clock;       /* monotonic ns at which the clock is defined next */
    uint64_t next_adds;        /* monotonic ns at which the values of aggregates are written next */
    struct ez_counter *before; /* per id: counts when the trace was opened; sparse */
};

void drain_trace_begin(struct ez_drain *d);
void drain_trace_free(struct ez_drain *d);
/* Opens a trace. keep: an existing file is not replaced; a free name is used instead (struct
 * ez_fxt_want). */
ez_err *drain_trace_open(struct ez_drain *d, const char *path, bool keep) EZ_WUR;
/* Writes new definitions and, when they are due, the clock, the names of threads and the values of
 * aggregates. Call this before records are written. */
void drain_trace_begin_round(struct ez_drain *d, uint64_t now_ns);
/* Writes an epoch and a checkpoint, if anything was written since the last epoch. */
void drain_trace_epoch(struct ez_drain *d);

/* Makes the next round write the values of aggregates. */
void drain_trace_adds_soon(struct ez_drain *d);

/* Parts of opening and closing a trace, which flight_recorder.c also uses. */
void drain_events_begin(struct ez_drain *d);
void drain_snapshot_begin(struct ez_drain *d);
ez_err *drain_trace_finish(struct ez_drain *d, const struct ez_drain_stat *s) EZ_WUR;

#endif
