/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tick.h - the clock that stamps events where it can be trusted: the processor's time
 * stamp counter (else: engine/ring/clock.h).
 *
 * The unit is raw ticks at a constant rate; engine/ring/drain_clock.c and the clock
 * definitions of a trace tie them to time. The same counter as the runtime's. */
#ifndef EZ_TICK_H
#define EZ_TICK_H

#include <stdint.h>

#if defined(__x86_64__)
static inline uint64_t ez_tick(void)
{
    return __builtin_ia32_rdtsc();
}
#else
#error "ez_tick: no time stamp counter known for this architecture"
#endif

#endif
