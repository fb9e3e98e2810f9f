/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drain_clock.h - converts between ticks and nanoseconds. */
#ifndef EZ_DRAIN_CLOCK_H
#define EZ_DRAIN_CLOCK_H

#include "engine/record/drain.h"

struct drain_sample { /* readings of all clocks at one instant */
    uint64_t tick, mono_ns, real_ns;
    uint64_t width; /* uncertainty of the instant, in ticks */
};

struct drain_clock {
    struct drain_sample zero; /* first sample */
    double ns_per_tick;       /* atomic */
    uint64_t tick0;           /* tick at which the newest trace, else the drain, began; atomic */
    uint64_t next_source;     /* monotonic ns at which the kernel's clock source is read again */
};

struct drain_sample drain_sample(bool mono);
void drain_clock_begin(struct ez_drain *d);
/* Sets the tick at which the trace begins. */
void drain_clock_trace(struct ez_drain *d, uint64_t tick);
void drain_calibrate(struct ez_drain *d);
/* Returns true if enough time has passed since the first sample to know the counter's rate. */
bool drain_calibrated(const struct ez_drain *d);
void drain_settle(const struct ez_drain *d); /* Sleeps until drain_calibrated(). */
/* Returns the current time on the clock with which the runtime stamps records. */
uint64_t drain_tick(const struct ez_drain *d);
uint64_t drain_now(void); /* Returns CLOCK_MONOTONIC in ns. */
/* Returns the CPU time of the calling thread in ns. */
uint64_t drain_cpu_ns(void);
/* If records are stamped with CLOCK_MONOTONIC: publishes the time in the header, for a runtime that
 * cannot read the clock itself, and whether reading the clock may enter the kernel. */
void drain_clock_round(struct ez_drain *d, uint64_t now_ns);

#endif
