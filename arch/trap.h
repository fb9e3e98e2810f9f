/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trap.h - breakpoint instructions and hardware breakpoints. */
#ifndef EZ_ARCH_TRAP_H
#define EZ_ARCH_TRAP_H

#include "arch/regs.h"
#include "engine/base/base.h"

struct ez_arch_trap {
    const uint8_t *insn; /* bytes of a breakpoint instruction */
    uint8_t len;
    uint8_t pc_after; /* offset from the breakpoint's address to the pc after the trap */
    int si_code;      /* si_code of the SIGTRAP that a breakpoint instruction causes */
    /* bp_len of an execution breakpoint for perf_event_open. 0: hardware breakpoints are not used,
     * because a thread that stopped at one cannot be stepped. */
    uint8_t hw_len;
    /* Changes r so that the continued thread ignores a hardware breakpoint at its pc (pass) or
     * stops at it again (!pass). */
    void (*pass_hw)(struct ez_regs *r, bool pass);
};

#endif
