/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calib.c - converts a trace's ticks to nanoseconds (calib.h). The file may be damaged: whatever
 * the calibrations are, the time never decreases with the tick. */
#include "engine/trace/calib.h"

/* minimum ns between two calibrations; closer calibrations are too inexact, and ignored */
#define MIN_NS 1000000
#define ONE ((unsigned __int128)1 << EZ_CALIB_SHIFT)

static uint64_t calib_rate_of(uint64_t ns, uint64_t ticks)
{
    unsigned __int128 r = ((unsigned __int128)ns << EZ_CALIB_SHIFT) / ticks;
    return r > UINT64_MAX ? UINT64_MAX : (uint64_t)r;
}

static void calib_add(struct ez_calib *c, uint64_t tick, uint64_t ns, uint64_t rate)
{
    const unsigned __int128 room = (unsigned __int128)(UINT64_MAX - ns) << EZ_CALIB_SHIFT;
    struct ez_segment s = { tick, ns, rate, UINT64_MAX };
    if (rate && room / rate < UINT64_MAX)
        s.ticks = (uint64_t)(room / rate);
    if (c->segment.n)
        c->segment.at[c->segment.n - 1].ticks = tick - c->segment.at[c->segment.n - 1].tick;
    EZ_PUSH(&c->segment, s);
}

void ez_calib_init(struct ez_calib *c, const struct ez_calibration *cal, size_t n,
                   uint64_t ticks_per_s)
{
    *c = (struct ez_calib){ 0 };
    uint64_t nominal = ticks_per_s ? calib_rate_of(1000000000, ticks_per_s) : (uint64_t)ONE;
    const struct ez_calibration *first = n ? &cal[0] : NULL, *last = first;
    for (size_t i = 1; i < n; i++) { /* each calibration ends a segment */
        if (cal[i].tick <= last->tick || cal[i].mono_ns < last->mono_ns + MIN_NS)
            continue;
        calib_add(c, last->tick, last->mono_ns,
                  calib_rate_of(cal[i].mono_ns - last->mono_ns, cal[i].tick - last->tick));
        last = &cal[i];
    }
    /* After the last calibration, the average rate applies, not the rate of the last second. */
    if (last != first)
        nominal = calib_rate_of(last->mono_ns - first->mono_ns, last->tick - first->tick);
    calib_add(c, last ? last->tick : 0, last ? last->mono_ns : 0, nominal);
}

static uint64_t calib_forward(const struct ez_segment *s, uint64_t tick, uint64_t rate)
{
    unsigned __int128 ns = ((unsigned __int128)(tick - s->tick) * rate + ONE / 2) >> EZ_CALIB_SHIFT;
    return ns > UINT64_MAX - s->ns ? UINT64_MAX : s->ns + (uint64_t)ns;
}

/* Converts a tick before the first calibration to ns, by the average rate. */
static uint64_t calib_backward(const struct ez_calib *c, uint64_t tick)
{
    const struct ez_segment *s = &c->segment.at[0];
    uint64_t rate = c->segment.at[c->segment.n - 1].rate;
    unsigned __int128 ns = ((unsigned __int128)(s->tick - tick) * rate + ONE / 2) >> EZ_CALIB_SHIFT;
    return ns > s->ns ? 0 : s->ns - (uint64_t)ns;
}

uint64_t ez_calib_search(struct ez_calib *c, uint64_t tick)
{
    const struct ez_segment *s = c->segment.at;
    if (tick < s[0].tick)
        return calib_backward(c, tick);
    while (c->at && tick < s[c->at].tick)
        c->at--;
    while (c->at + 1 < c->segment.n && tick >= s[c->at + 1].tick)
        c->at++;
    return calib_forward(&s[c->at], tick, s[c->at].rate);
}

void ez_calib_deinit(struct ez_calib *c)
{
    EZ_VEC_FREE(&c->segment);
}
