/* SPDX-License-Identifier: GPL-3.0-or-later */
/* clock.h - the processor's counter that ez_tick() reads (arch/tick.h), and the kernel's clocks. */
#ifndef EZ_ARCH_CLOCK_H
#define EZ_ARCH_CLOCK_H

#include "arch/regs.h"
#include "engine/base/base.h"

struct ez_arch_clock {
    /* Returns true if the processor says that the counter of ez_tick() runs at one rate on all
     * processors, asleep or not. */
    bool (*invariant)(void);
    const char *insn; /* instruction that reads the counter: "rdtsc" */
    /* The kernel's names: source, the clock source of this counter; vdso_sources, the clock sources
     * that the vDSO reads without entering the kernel (ends with NULL); vdso_function, the vDSO's
     * clock_gettime. */
    const char *source, *const *vdso_sources, *vdso_function;
    /* Emulates the instruction at code[0..n), the pc of `r`, if it reads the counter: the program
     * may have disabled it, so that it faults (prctl PR_SET_TSC). Returns false for any other
     * instruction. NULL: not available. */
    bool (*emulate)(struct ez_regs *r, const uint8_t *code, size_t n);
};

#endif
