/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calib.h - from a trace's ticks to nanoseconds, by its calibration events.
 *
 * Each calibration ties a tick to CLOCK_MONOTONIC and CLOCK_REALTIME (fxt_out.h,
 * about one a second). Between two calibrations time is a straight line; before the first
 * and after the last one the average rate of the whole trace holds. All numbers are
 * integers: a tick at the end of a day's trace is as exact as the first one.
 * Tests: tests/unit/engine/check_replay.c */
#ifndef EZ_CALIB_H
#define EZ_CALIB_H

#include "engine/base/base.h"
#include "engine/base/vec.h"

struct ez_calibration {
    uint64_t tick, real_ns, mono_ns;
};

struct ez_calib {
    EZ_VEC(struct ez_segment {
        uint64_t tick; /* where the segment begins                                */
        uint64_t ns;   /* CLOCK_MONOTONIC there                                   */
        uint64_t rate; /* ns a tick, in 2^-EZ_CALIB_SHIFT                          */
    })
    segment;
    size_t at; /* the segment used last: ticks come nearly in order              */
};
#define EZ_CALIB_SHIFT 56

/* Makes the segments from n calibrations in the order of ticks (calibrations out of order are
 * ignored). With none or one, the rate is ticks_per_s; 0 = a tick is a nanosecond (FUT's own
 * traces). */
void ez_calib_init(struct ez_calib *c, const struct ez_calibration *cal, size_t n,
                   uint64_t ticks_per_s);
uint64_t ez_calib_ns(struct ez_calib *c, uint64_t tick);
void ez_calib_deinit(struct ez_calib *c);

#endif
