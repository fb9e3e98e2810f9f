/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trap.h - breakpoints: instructions in the text, and hardware breakpoints. */
#ifndef EZ_ARCH_TRAP_H
#define EZ_ARCH_TRAP_H

#include "arch/regs.h"
#include "engine/base/base.h"

struct ez_arch_trap {
    const uint8_t *insn; /* a breakpoint instruction */
    uint8_t len;
    uint8_t pc_after; /* distance from the breakpoint's address to the pc after the trap */
    int si_code;      /* si_code of the SIGTRAP of a breakpoint instruction */
    /* How many bytes of code a hardware breakpoint (perf) watches. 0: hardware breakpoints are not
     * used, because a thread that stopped at one cannot be stepped. */
    uint8_t hw_len;
    /* Sets whether the thread, when it continues, passes a hardware breakpoint at its pc. */
    void (*pass_hw)(struct ez_regs *r, bool pass);
};

#endif
