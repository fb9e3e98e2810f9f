/* SPDX-License-Identifier: GPL-3.0-or-later */
/* order.h - sorts the events of one file by time, in a bounded window.
 *
 * Events go in as the file has them. The caller sets a bound and promises that no event below the
 * bound follows. Events below the bound come out by tick; equal ticks keep their order. The window
 * is sorted by merging the runs that it consists of (one thread's records are a run). A full window
 * becomes a sorted run in a temporary file, so memory is bounded for any file.
 *
 * Tests: tests/unit/engine/check_replay.c */
#ifndef EZ_ORDER_H
#define EZ_ORDER_H

#include "engine/base/base.h"
#include "engine/base/err.h"

struct ez_order;

struct ez_ordered {
    uint64_t tick, tid, code;
    uint64_t narg;
    const uint64_t *arg; /* valid until the next call */
};

/* Creates a window. capacity is the number of events in memory (two times 32 bytes each, and their
 * arguments). */
struct ez_order *ez_order_create(size_t capacity);
/* Adds an event. Returns EZ_E_SYS if the temporary file has no room (TMPDIR). */
ez_err *ez_order_put(struct ez_order *o, const struct ez_ordered *ev) EZ_WUR;
/* Releases events with tick < bound; UINT64_MAX releases all. */
void ez_order_bound(struct ez_order *o, uint64_t bound);
/* Returns the next event. Sets *got to false if there is none below the bound. */
ez_err *ez_order_next(struct ez_order *o, struct ez_ordered *ev, bool *got) EZ_WUR;
void ez_order_destroy(struct ez_order *o);

#endif
