/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trial.h - trials of moved code: starting states, and how results differ (engine/check/). */
#ifndef EZ_ARCH_TRIAL_H
#define EZ_ARCH_TRIAL_H

#include "arch/regs.h"
#include "engine/base/base.h"

struct ez_arch_trial {
    /* Sets the state in which a trial starts the original code and its copy. Each of the nstates
     * states has other values and flags; the first third has all kinds of values. data: writable
     * memory, 4 KiB in either direction; sp: stack pointer as at a function's first instruction.
     * Registers on which the thread's memory depends (segments, thread pointer) stay. */
    unsigned nstates;
    void (*seed)(struct ez_regs *r, unsigned state, uint64_t data, uint64_t sp);
    /* Changes the flags before a conditional branch. Among any eight states, the branch then goes
     * both ways. */
    void (*steer)(struct ez_regs *r, unsigned state);
    void (*seed_extended)(uint8_t *block, size_t n, unsigned state);
    /* Returns the name of a register that differs, except the program counter; NULL = all are
     * equal. *va, *vb: its values. */
    const char *(*differs)(const struct ez_regs *a, const struct ez_regs *b, uint64_t *va,
                           uint64_t *vb);
    const char *(*extended_differs)(const uint8_t *a, const uint8_t *b, size_t n, char *buf,
                                    size_t size);
};

#endif
