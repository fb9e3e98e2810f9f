/* SPDX-License-Identifier: GPL-3.0-or-later */
/* live.h - the items of a trace that is still being written, and statistics over them.
 *
 * Each poll reads the events that were checkpointed since the previous poll, and sorts the events
 * between two epochs by time: the records of one thread are in order in the file, but the kernel's
 * events of this thread are written after its records.
 *
 * Tests: tests/unit/trace/check_stats.c, tests/unit/trace/check_model.c */
#ifndef EZ_LIVE_H
#define EZ_LIVE_H

#include "engine/trace/stats.h"

struct ez_live;

/* Opens a trace and makes statistics of its items (ez_live_stats()). by: as for
 * ez_stats_create(). */
ez_err *ez_live_open(const char *path, unsigned by, struct ez_live **out) EZ_WUR;
/* Opens a trace without statistics; ez_live_feed() sets the receiver of its items. */
ez_err *ez_live_open_items(const char *path, struct ez_live **out) EZ_WUR;
/* Limits the items to those that the filter shows. Call before ez_live_feed(), or directly after
 * ez_live_open(). Returns EZ_E_ARG if the specification is wrong, or has criteria that are known
 * only when a call has ended. */
ez_err *ez_live_choose(struct ez_live *l, const struct ez_filter_spec *filter) EZ_WUR;
/* Returns EZ_E_NOTFOUND if the filter, which the n traces have in common, names a thread, process,
 * rank or collected value that none of the traces has had so far. */
ez_err *ez_live_missing(struct ez_live *const *l, size_t n) EZ_WUR;
/* Returns the error that ez_live_choose() would return for this filter. */
ez_err *ez_live_may_choose(const struct ez_filter_spec *filter) EZ_WUR;
/* Sets the receiver of the items. Call once, before the first poll. If fn returns an error,
 * ez_live_poll() returns it. */
void ez_live_feed(struct ez_live *l, ez_item_fn *fn, void *arg);
/* Reads the events that were checkpointed up to the begin of this call. *fresh is the number of
 * events read, without waits, gaps and switches. If `progress` cancels, the function returns early,
 * and the next call continues with the next event. */
ez_err *ez_live_poll(struct ez_live *l, const struct ez_progress *progress, uint64_t *fresh) EZ_WUR;
/* Emits the ends of all open states. Call after the last poll of a program that ended. */
ez_err *ez_live_end(struct ez_live *l) EZ_WUR;
/* Returns the statistics, or NULL after ez_live_open_items(). */
struct ez_stats *ez_live_stats(struct ez_live *l);
const struct ez_model *ez_live_model(const struct ez_live *l);
/* Returns CLOCK_MONOTONIC in ns, on the host where the trace is written, at the time 0 of the
 * items; 0 before the first event. */
uint64_t ez_live_zero_ns(const struct ez_live *l);
/* Returns true if the writer has completed the trace or has ended without that, so that no more
 * events will come. The next poll may still find events that were written before. */
bool ez_live_is_whole(const struct ez_live *l);
const struct ez_model_count *ez_live_count(const struct ez_live *l);
void ez_live_close(struct ez_live *l);

#endif
