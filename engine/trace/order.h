/* SPDX-License-Identifier: GPL-3.0-or-later */
/* order.h - the window in which one file's events are brought into the order of time.
 *
 * Events go in as the file has them. The caller sets a bound: no event below it will come
 * any more. Events below the bound come out by tick, equal ticks in the order in which they
 * went in. The window is sorted by merging the runs that it already consists of (one
 * thread's records are a run). A full window becomes a sorted run in a temporary file, so
 * memory is bounded whatever the file looks like.
 * Tests: tests/unit/engine/check_replay.c */
#ifndef EZ_ORDER_H
#define EZ_ORDER_H

#include "engine/base/base.h"
#include "engine/base/err.h"

struct ez_order;

struct ez_ordered {
    uint64_t tick, tid, code;
    uint64_t narg;
    const uint64_t *arg; /* valid until the next call                             */
};

/* capacity: events in memory (32 bytes each, twice, and their arguments). */
struct ez_order *ez_order_create(size_t capacity);
/* EZ_E_SYS: no room for a temporary file (TMPDIR). */
ez_err *ez_order_put(struct ez_order *o, const struct ez_ordered *ev) EZ_WUR;
/* From now on events with tick < bound may be taken; UINT64_MAX = all. */
void ez_order_bound(struct ez_order *o, uint64_t bound);
/* *got = false: none below the bound. */
ez_err *ez_order_next(struct ez_order *o, struct ez_ordered *ev, bool *got) EZ_WUR;
void ez_order_destroy(struct ez_order *o);

#endif
