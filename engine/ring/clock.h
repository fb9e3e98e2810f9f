/* SPDX-License-Identifier: GPL-3.0-or-later */
/* clock.h - which clock stamps the events of a process.
 *
 * The clock is the raw time stamp counter where that runs at one constant rate on all
 * processors; else it is CLOCK_MONOTONIC in nanoseconds, which the runtime reads through the
 * target's own vDSO. One process has one clock from its first record to its last. */
#ifndef EZ_CLOCK_H
#define EZ_CLOCK_H

#include <sys/types.h>

#include "engine/base/base.h"
#include "engine/base/err.h"

struct ez_target;

/* The kernel's clock sources are read from here; if a file is missing, nothing is known. */
#define EZ_CLOCKSOURCE "/sys/devices/system/clocksource/clocksource0"

/* True if the counter can be trusted: the processor says that it is invariant, and the kernel
 * (`available`: its list of clock sources, NULL = unknown) has not thrown it out. */
bool ez_tick_usable(bool invariant, const char *available);

/* True if with this clock source (NULL: unknown) reading the clock never enters the kernel. */
bool ez_clock_stays_out(const char *current);
bool ez_clock_stays_out_now(void);

/* Decide for the process: sets tracing.mono, vdso_clock and clock_add. Posts a note if each event costs a system
 * call. */
void ez_clock_choose(struct ez_target *t);
/* A trace was opened: posts a note, once, if eztsh chose another clock than the counter. */
void ez_clock_emit(struct ez_target *t);
/* An earlier shell has decided. */
void ez_clock_adopt(struct ez_target *t, bool mono, uint64_t vdso_clock, int64_t add);

/* Address of a function of the vDSO image img[0..n), which the target has at base; 0 =
 * it has none. The image may be anything. */
uint64_t ez_vdso_function(const uint8_t *img, size_t n, uint64_t base, const char *name);

#endif
