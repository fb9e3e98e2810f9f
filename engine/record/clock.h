/* SPDX-License-Identifier: GPL-3.0-or-later */
/* clock.h - chooses the clock that stamps the events of a process.
 *
 * Unless the user chose a clock (trace-clock), the clock is the raw time stamp counter if the
 * counter runs at one constant rate on all processors. Otherwise the clock is CLOCK_MONOTONIC in
 * ns, which the runtime reads through the target's own vDSO, or by a system call if it cannot use a
 * vDSO. A process keeps its clock from its first record to its last. */
#ifndef EZ_CLOCK_H
#define EZ_CLOCK_H

#include <sys/types.h>

#include "engine/base/base.h"
#include "engine/base/err.h"

struct ez_target;

/* Directory of the kernel's clock sources. If a file is missing there, its content is unknown. */
#define EZ_CLOCKSOURCE "/sys/devices/system/clocksource/clocksource0"

/* Returns true if the counter is reliable: the processor says that the counter is invariant, and
 * the kernel lists the counter as a clock source. available: the kernel's list of clock sources;
 * NULL: the list is unknown, and only `invariant` counts. */
bool ez_tick_usable(bool invariant, const char *available);

/* Returns true if, with the kernel's clock source `current`, reading CLOCK_MONOTONIC through the
 * vDSO never enters the kernel. NULL (unknown): returns false. */
bool ez_clock_stays_out(const char *current);
bool ez_clock_stays_out_now(void);

/* Chooses the clock of the process: sets tracing.mono, vdso_clock and clock_add. Posts a note if
 * the runtime cannot use a vDSO, so that each event costs a system call. */
void ez_clock_choose(struct ez_target *t);
/* Call when a trace was opened. Posts a note, once, if CLOCK_MONOTONIC was chosen because the
 * counter is not reliable. */
void ez_clock_emit(struct ez_target *t);
/* Sets the clock that an earlier shell chose for the process (the parameters are the fields that
 * ez_clock_choose() sets). */
void ez_clock_adopt(struct ez_target *t, bool mono, uint64_t vdso_clock, int64_t add);

/* Returns the address of a function of the vDSO, or 0 if the vDSO does not have it. img[0..n) is
 * the vDSO's image, base its address in the target. The image may contain anything. */
uint64_t ez_vdso_function(const uint8_t *img, size_t n, uint64_t base, const char *name);

#endif
