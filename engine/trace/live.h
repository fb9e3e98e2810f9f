/* SPDX-License-Identifier: GPL-3.0-or-later */
/* live.h - statistics of a trace that is still being written.
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

ez_err *ez_live_open(const char *path, unsigned by, struct ez_live **out) EZ_WUR;
/* Reads the events that were checkpointed when the call began. *fresh is the number of events read.
 * If `progress` cancels, the call returns early, and the next call continues where it ended. */
ez_err *ez_live_poll(struct ez_live *l, const struct ez_progress *progress, uint64_t *fresh) EZ_WUR;
struct ez_stats *ez_live_stats(struct ez_live *l);
const struct ez_model_count *ez_live_count(const struct ez_live *l);
void ez_live_close(struct ez_live *l);

#endif
