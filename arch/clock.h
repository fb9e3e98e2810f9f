/* SPDX-License-Identifier: GPL-3.0-or-later */
/* clock.h - the processor's counter that ez_tick() reads (arch/tick.h), and the kernel's clocks. */
#ifndef EZ_ARCH_CLOCK_H
#define EZ_ARCH_CLOCK_H

#include "arch/regs.h"
#include "engine/base/base.h"

struct ez_arch_clock {
    /* Returns true if the processor guarantees that the counter of ez_tick() has a constant rate on
     * all processors, also in sleep states. */
    bool (*invariant)(void);
    const char *insn; /* instruction that reads the counter: "rdtsc" */
    /* The kernel's names. source: the clock source that is this counter; vdso_sources: the clock
     * sources that the vDSO reads without a system call (ends with NULL); vdso_function:
     * clock_gettime in the vDSO. */
    const char *source, *const *vdso_sources, *vdso_function;
    /* If the instruction at the pc of r, whose bytes are code[0..n), reads the counter, emulates it
     * and returns true; else returns false. (The instruction faults if the program has disabled it
     * by prctl PR_SET_TSC.) NULL: not available. */
    bool (*emulate)(struct ez_regs *r, const uint8_t *code, size_t n);
};

#endif
