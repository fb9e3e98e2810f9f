/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calib.h - converts a trace's ticks to nanoseconds by its calibration events.
 *
 * A calibration event (EZ_DEF_CLOCK) contains a tick and CLOCK_MONOTONIC and CLOCK_REALTIME at this
 * tick. The writer adds about one a second (fxt_out.h). Between two calibrations, ticks are
 * converted by linear interpolation. Before the first and after the last calibration, the average
 * rate of the trace applies. All arithmetic is integer, so precision does not drop over a long
 * trace.
 *
 * Tests: tests/unit/trace/check_replay.c */
#ifndef EZ_CALIB_H
#define EZ_CALIB_H

#include "engine/base/base.h"
#include "engine/base/vec.h"

struct ez_calibration {
    uint64_t tick, real_ns, mono_ns;
};

struct ez_calib {
    EZ_VEC(struct ez_segment {
        uint64_t tick;  /* first tick of the segment */
        uint64_t ns;    /* CLOCK_MONOTONIC at that tick */
        uint64_t rate;  /* ns per tick, in units of 2^-EZ_CALIB_SHIFT */
        uint64_t ticks; /* length of the segment; of the last one, until the ns overflow */
    })
    segment;
    size_t at; /* segment of the last conversion, where the next search begins */
};
#define EZ_CALIB_SHIFT 56

/* Makes the segments from n calibrations in the order of their ticks; ez_calib_deinit() frees the
 * segments. Ignores calibrations that are out of order. With fewer than two calibrations, the rate
 * is ticks_per_s; 0 means that a tick is a nanosecond, as in traces that FUT's own library
 * wrote. */
void ez_calib_init(struct ez_calib *c, const struct ez_calibration *cal, size_t n,
                   uint64_t ticks_per_s);
/* Converts any tick, also one that needs another segment than the last one. */
uint64_t ez_calib_search(struct ez_calib *c, uint64_t tick);
/* Converts a tick to CLOCK_MONOTONIC in ns. Most ticks are in the segment of the tick before. */
static inline uint64_t ez_calib_ns(struct ez_calib *c, uint64_t tick)
{
    const struct ez_segment *s = &c->segment.at[c->at];
    const unsigned __int128 half = (unsigned __int128)1 << (EZ_CALIB_SHIFT - 1);
    const uint64_t ticks = tick - s->tick;
    if (tick < s->tick || ticks >= s->ticks)
        return ez_calib_search(c, tick);
    return s->ns + (uint64_t)(((unsigned __int128)ticks * s->rate + half) >> EZ_CALIB_SHIFT);
}
void ez_calib_deinit(struct ez_calib *c);

#endif
