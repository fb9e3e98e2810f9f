/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tick.h - reads the processor's counter, whose value is the time stamp of events if the counter is
 * reliable (else see engine/record/clock.h). The runtime reads the same counter. It counts ticks at
 * a constant rate; engine/record/drain_clock.c and the clock definitions of a trace relate ticks to
 * time. */
#ifndef EZ_TICK_H
#define EZ_TICK_H

#include <stdint.h>

#if defined(__x86_64__)
static inline uint64_t ez_tick(void)
{
    return __builtin_ia32_rdtsc();
}
#elif defined(__aarch64__)
static inline uint64_t ez_tick(void)
{
    uint64_t ticks;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
}
#else
#error "ez_tick: no time stamp counter known for this architecture"
#endif

#endif
