/* SPDX-License-Identifier: GPL-3.0-or-later */
/* live.h - the items of a trace that is still being written, and statistics over them.
 *
 * Each poll reads the events that were checkpointed since the last poll, and sorts the events
 * between two epochs by time: the records of a thread are in order in the file, but the kernel's
 * events about the thread are written later.
 *
 * Tests: tests/unit/trace/check_stats.c, tests/unit/trace/check_model.c */
#ifndef EZ_LIVE_H
#define EZ_LIVE_H

#include "engine/trace/stats.h"

struct ez_live;

/* Opens a trace for its statistics; `by` is that of ez_stats_create(). */
ez_err *ez_live_open(const char *path, unsigned by, struct ez_live **out) EZ_WUR;
/* Opens a trace whose items ez_live_feed() passes on; there are no statistics. */
ez_err *ez_live_open_items(const char *path, struct ez_live **out) EZ_WUR;
/* Limits the items to those that the filter shows. Call before ez_live_feed(), or directly after
 * ez_live_open(). Returns EZ_E_ARG also for criteria that are known only when a call has ended. */
ez_err *ez_live_choose(struct ez_live *l, const struct ez_filter_spec *filter) EZ_WUR;
/* Returns EZ_E_NOTFOUND if none of the n traces, which have the same filter, has had a thread,
 * process or rank of the filter so far. */
ez_err *ez_live_missing(struct ez_live *const *l, size_t n) EZ_WUR;
/* Returns the EZ_E_ARG that ez_live_choose() would return. */
ez_err *ez_live_may_choose(const struct ez_filter_spec *filter) EZ_WUR;
/* Sets the receiver of the items. Call before the first poll, once. If fn returns an error, the poll returns
 * it. */
void ez_live_feed(struct ez_live *l, ez_item_fn *fn, void *arg);
/* Reads the events that were checkpointed when the call began. *fresh is the number of events read.
 * If `progress` cancels, the call returns early, and the next call continues where it ended. */
ez_err *ez_live_poll(struct ez_live *l, const struct ez_progress *progress, uint64_t *fresh) EZ_WUR;
/* Emits the ends of all open states. Call after the last poll of a program that ended. */
ez_err *ez_live_end(struct ez_live *l) EZ_WUR;
/* Returns NULL after ez_live_open_items(). */
struct ez_stats *ez_live_stats(struct ez_live *l);
const struct ez_model *ez_live_model(const struct ez_live *l);
/* Returns CLOCK_MONOTONIC, of the host where the trace is written, at the time 0 of the items; 0
 * before the first event. */
uint64_t ez_live_zero_ns(const struct ez_live *l);
/* Returns whether the writer ended the trace, so that nothing will follow. */
bool ez_live_is_whole(const struct ez_live *l);
const struct ez_model_count *ez_live_count(const struct ez_live *l);
void ez_live_close(struct ez_live *l);

#endif
