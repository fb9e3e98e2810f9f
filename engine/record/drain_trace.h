/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drain_trace.h - the trace file: definitions, epochs, events. */
#ifndef EZ_DRAIN_TRACE_H
#define EZ_DRAIN_TRACE_H

#include "engine/record/drain_clock.h"
#include "engine/record/fxt_out.h"

struct drain_buffer;

struct drain_file {
    bool compress;          /* the next trace is compressed; atomic */
    struct ez_fxt_out *out; /* NULL: no file is open */
    bool wrote;             /* something was written since the last epoch */
    bool lost;
    int lost_errno;
    uint64_t last_bytes, last_plain; /* sizes of the last closed trace */
    uint64_t epoch;                  /* tick of the last epoch */
    uint64_t next_clock;             /* monotonic ns */
    uint64_t next_adds;              /* monotonic ns: when values of aggregates are written again */
    struct ez_counter *before;       /* per id: counts when the trace was opened; sparse */
};

void drain_trace_begin(struct ez_drain *d);
void drain_trace_free(struct ez_drain *d);
/* Opens a trace. keep: under a free name (struct ez_fxt_want). */
ez_err *drain_trace_open(struct ez_drain *d, const char *path, bool keep) EZ_WUR;
/* Writes new definitions, and the clock when it is due. Call this before records are written. */
void drain_trace_begin_round(struct ez_drain *d, uint64_t now_ns);
/* Appends n words of whole events. Returns the number of words written: less than n only if a write
 * failed. */
size_t drain_trace_append(struct ez_drain *d, const uint64_t *word, size_t n);
void drain_trace_thread(struct ez_drain *d, struct drain_buffer *l);
void drain_trace_name(struct ez_drain *d, uint32_t tid, const char *name);
void drain_trace_checkpoint(struct ez_drain *d);
/* Writes an epoch and a checkpoint, if anything was written since the last. */
void drain_trace_epoch(struct ez_drain *d);

/* Makes the next round write the values of aggregates. */
void drain_trace_adds_soon(struct ez_drain *d);

/* Parts of opening and closing a trace, for flight_recorder.c. */
void drain_events_begin(struct ez_drain *d);
ez_err *drain_trace_create(struct ez_drain *d, const char *path, bool keep) EZ_WUR;
void drain_trace_found(struct ez_drain *d); /* Forgets that an earlier file was lost. */
void drain_snapshot_begin(struct ez_drain *d);
ez_err *drain_trace_finish(struct ez_drain *d, const struct ez_drain_stat *s) EZ_WUR;
void drain_define_clock_of(struct ez_drain *d, struct drain_sample s);
void drain_define_name(struct ez_drain *d, uint32_t tid, const char *name);
void drain_trace_put(struct ez_drain *d, const uint64_t *word, size_t n); /* Writes whole events. */

#endif
