/* SPDX-License-Identifier: GPL-3.0-or-later */
/* order.h - sorts the events of one file by time, with bounded memory.
 *
 * The caller adds events in the order of the file, and sets a bound such that no later event in the
 * file has a smaller tick than the bound. Events with ticks below the bound are returned in the
 * order of their ticks; events with equal ticks keep their order. The events in memory (the window)
 * are sorted by merging the sorted runs of which they consist (the records of one thread are such a
 * run). If too many events are in memory, they are written to a temporary file as a sorted run.
 *
 * Tests: tests/unit/trace/check_replay.c */
#ifndef EZ_ORDER_H
#define EZ_ORDER_H

#include "engine/base/base.h"
#include "engine/base/err.h"

struct ez_order;

struct ez_ordered {
    uint64_t tick, tid, code;
    uint64_t narg;
    const uint64_t *arg; /* valid until the next call for this window */
};

/* Creates a window. capacity: maximum number of events in memory; each needs 64 bytes, and room for
 * its arguments. */
struct ez_order *ez_order_create(size_t capacity);
/* Adds an event. Returns EZ_E_SYS if the temporary file has no room (TMPDIR). */
ez_err *ez_order_put(struct ez_order *o, const struct ez_ordered *ev) EZ_WUR;
/* Sets the bound: ez_order_next() returns the events with a smaller tick. UINT64_MAX: it returns
 * all events. */
void ez_order_bound(struct ez_order *o, uint64_t bound);
/* Sets *ev to the next event. Sets *got to false if there is no event below the bound. */
ez_err *ez_order_next(struct ez_order *o, struct ez_ordered *ev, bool *got) EZ_WUR;
void ez_order_destroy(struct ez_order *o);

#endif
