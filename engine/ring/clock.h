/* SPDX-License-Identifier: GPL-3.0-or-later */
/* clock.h - which clock stamps the events of a process.
 *
 * The time stamp counter, raw, where it runs at one rate on all processors whatever
 * they do; else CLOCK_MONOTONIC in nanoseconds, which the runtime reads through the
 * target's own vDSO. One process has one clock from its first record to its last. */
#ifndef EZ_CLOCK_H
#define EZ_CLOCK_H

#include <sys/types.h>

#include "engine/base/base.h"
#include "engine/base/err.h"

struct ez_target;

/* What the kernel offers is read from here; a missing file says nothing. */
#define EZ_CLOCKSOURCE "/sys/devices/system/clocksource/clocksource0"

/* The counter can be trusted: the processor says that it is invariant, and the kernel
 * (`available`: its list, NULL = it does not say) has not thrown it out. */
bool ez_tick_usable(bool invariant, const char *available);

/* Reading the clock never enters the kernel with this clock source (NULL: unknown). */
bool ez_clock_stays_out(const char *current);
bool ez_clock_stays_out_now(void);

/* Decide for the process: t->rt.mono, vdso_clock and clock_add, and a note for the
 * user when the decision was ours and is not the usual one. */
void ez_clock_choose(struct ez_target *t);

/* Address of a function of the vDSO image img[0..n), which the target has at base; 0 =
 * it has none. The image may be anything. */
uint64_t ez_vdso_function(const uint8_t *img, size_t n, uint64_t base, const char *name);

#endif
