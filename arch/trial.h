/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trial.h - for trials of moved code (engine/check/): register values at the start, and the
 * comparison of the registers at the end. */
#ifndef EZ_ARCH_TRIAL_H
#define EZ_ARCH_TRIAL_H

#include "arch/regs.h"
#include "engine/base/base.h"

struct ez_arch_trial {
    /* Sets the registers with which a trial starts the original code and its copy. No two of the
     * states 0 to nstates - 1 have the same values and flags; the first third of them has all kinds
     * of values. data: an address with 4 KiB of writable memory on both sides; sp: the stack
     * pointer at a function's first instruction. Does not change segment registers and the thread
     * pointer. */
    unsigned nstates;
    void (*seed)(struct ez_regs *r, unsigned state, uint64_t data, uint64_t sp);
    /* Sets the flags before a conditional branch. In any eight consecutive states, the branch is
     * taken at least once, and not taken at least once. */
    void (*steer)(struct ez_regs *r, unsigned state);
    void (*seed_extended)(uint8_t *block, size_t n, unsigned state);
    /* Returns the name of a register other than the program counter that differs, and its values in
     * *va and *vb; NULL if all are equal. */
    const char *(*differs)(const struct ez_regs *a, const struct ez_regs *b, uint64_t *va,
                           uint64_t *vb);
    const char *(*extended_differs)(const uint8_t *a, const uint8_t *b, size_t n, char *buf,
                                    size_t size);
};

#endif
