/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drain_clock.c - converts between ticks and nanoseconds. The runtime stamps records with ticks of
 * the processor's counter, or with CLOCK_MONOTONIC (clock.h). With CLOCK_MONOTONIC all conversions
 * are exact.
 *
 * A sample relates the counter to the kernel's clocks. The error of a sample is at most the time
 * between two readings of the counter, one before and one after the reading of the clock: some 30
 * ns without an interrupt. So the sample with the smallest error of a few is used.
 * Tests: tests/unit/record/check_clock.c, tests/unit/record/check_drain.c */
#include <time.h>

#include "arch/tick.h"
#include "engine/base/now.h"
#include "engine/record/clock.h"
#include "engine/record/drain_priv.h"

#define SAMPLES 8
#define CALIBRATE_NS 2000000u /* ns for which the counter's rate is measured before its first use */
#define SOURCE_NS 1000000000u /* ns between two checks of the kernel's clock source */

static uint64_t clock_ns(clockid_t id)
{
    struct timespec t;
    clock_gettime(id, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

uint64_t drain_now(void)
{
    return clock_ns(CLOCK_MONOTONIC);
}

uint64_t drain_cpu_ns(void)
{
    return clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

uint64_t drain_tick(const struct ez_drain *d)
{
    return d->cfg.mono ? drain_now() : ez_tick();
}

/* Returns the sample with the smallest error of a few, because an interrupt between the readings
 * makes a sample inexact. Reads the real time before and after the other clocks, so that the mean
 * is the time of the same instant. */
struct drain_sample drain_sample(bool mono)
{
    struct drain_sample best = { .width = UINT64_MAX };
    for (int i = 0; i < SAMPLES; i++) {
        uint64_t real0 = ez_wall_ns(), t0 = ez_tick();
        uint64_t now = drain_now(), t1 = ez_tick(), real1 = ez_wall_ns();
        uint64_t width = t1 - t0, tick = mono ? now : t0 + width / 2;
        if (width < best.width)
            best = (struct drain_sample){ tick, now, real0 + (real1 - real0) / 2, width };
    }
    return best;
}

/* Returns true if `since` can be a time before `now`. The target may have written any value. */
static bool clock_since_is_possible(const struct ez_drain_cfg *cfg, const struct drain_sample *now)
{
    const struct ez_instant *s = &cfg->since;
    return s->tick && s->tick < now->tick && s->mono_ns < now->mono_ns && s->real_ns;
}

void drain_clock_begin(struct ez_drain *d)
{
    const struct ez_instant *s = &d->cfg.since;
    drain_clock_round(d, drain_now());
    d->clock.zero = drain_sample(d->cfg.mono);
    if (clock_since_is_possible(&d->cfg, &d->clock.zero))
        d->clock.zero = (struct drain_sample){ s->tick, s->mono_ns, s->real_ns, 0 };
    d->clock.tick0 = d->clock.zero.tick;
}

void drain_clock_trace(struct ez_drain *d, uint64_t tick)
{
    __atomic_store_n(&d->clock.tick0, tick, __ATOMIC_RELAXED);
}

/* Returns the ns until the counter's rate is known well enough, 0 if it is known. The start of the
 * drain does not wait so long, because the program starts at the same time. */
static uint64_t clock_missing_ns(const struct ez_drain *d)
{
    uint64_t age = drain_now() - d->clock.zero.mono_ns;
    return age < CALIBRATE_NS ? CALIBRATE_NS - age : 0;
}

bool drain_calibrated(const struct ez_drain *d)
{
    return !clock_missing_ns(d);
}

void drain_settle(const struct ez_drain *d)
{
    uint64_t ns = clock_missing_ns(d);
    if (ns)
        nanosleep(&(struct timespec){ .tv_nsec = (long)ns }, NULL);
}

void drain_calibrate(struct ez_drain *d)
{
    struct drain_sample s = drain_sample(d->cfg.mono);
    double ratio =
        (double)(s.mono_ns - d->clock.zero.mono_ns) / (double)(s.tick - d->clock.zero.tick);
    __atomic_store(&d->clock.ns_per_tick, &ratio, __ATOMIC_RELAXED);
}

uint64_t ez_drain_ns(struct ez_drain *d, uint64_t tick)
{
    double ratio;
    uint64_t t0 = __atomic_load_n(&d->clock.tick0, __ATOMIC_RELAXED);
    __atomic_load(&d->clock.ns_per_tick, &ratio, __ATOMIC_RELAXED);
    return tick > t0 ? (uint64_t)((double)(tick - t0) * ratio) : 0;
}

/* The kernel may change its clock source at any time to a source that the vDSO cannot read. */
void drain_clock_round(struct ez_drain *d, uint64_t now)
{
    if (!d->cfg.mono)
        return;
    d->hdr->now_ns = now;
    if (now < d->clock.next_source)
        return;
    d->clock.next_source = now + SOURCE_NS;
    d->hdr->clock_enters = !ez_clock_stays_out_now();
}
