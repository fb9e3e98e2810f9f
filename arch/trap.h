/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trap.h - breakpoints: in the text, and of the processor. */
#ifndef EZ_ARCH_TRAP_H
#define EZ_ARCH_TRAP_H

#include "arch/regs.h"
#include "engine/base/base.h"

struct ez_arch_trap {
    const uint8_t *insn; /* a breakpoint instruction */
    uint8_t len;
    uint8_t pc_after; /* distance of the pc from the breakpoint after the hit */
    int si_code;      /* in the siginfo of a hit breakpoint */
    /* Bytes of code that a hardware breakpoint (perf) watches. 0: a thread that such a breakpoint
     * stopped cannot be stepped, so none are used. */
    uint8_t hw_len;
    /* Sets whether such a breakpoint at the pc lets the thread pass when it goes on. */
    void (*pass_hw)(struct ez_regs *r, bool pass);
};

#endif
