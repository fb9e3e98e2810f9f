/* SPDX-License-Identifier: GPL-3.0-or-later */
/* restorer.h - blocks of code that a stopped thread executes, and that restore all registers of the
 * thread at their end (engine/inferior/restorer.c). */
#ifndef EZ_ARCH_RESTORER_H
#define EZ_ARCH_RESTORER_H

#include "arch/regs.h"
#include "engine/base/base.h"

#define EZ_RESTORER_BYTES 512
#define EZ_RESTORER_ALIGN 64
#define EZ_RESTORER_SPARE 416 /* offset of bytes that a block for a system call does not use */
#define EZ_RESTORER_SPARE_BYTES 24

/* What a thread does in a restorer block before its registers are restored. COPY: a system call
 * that copies the process; the copy exits at once. CALL: a call of the function `func`; the block
 * of extended registers (extended_regset) to restore is behind the block. */
enum ez_restored { EZ_RESTORED_NOTHING, EZ_RESTORED_SYSCALL, EZ_RESTORED_COPY, EZ_RESTORED_CALL };
struct ez_restorer {
    enum ez_restored what;
    const struct ez_regs *back;
    /* mask: signal mask to restore; at: address of the block, unused for CALL */
    uint64_t mask, func, at;
};

struct ez_arch_restorer {
    /* Writes a restorer: a block of code and data for an address that is a multiple of
     * EZ_RESTORER_ALIGN. A thread in the block first does what a->what says, then sets the signal
     * mask to a->mask and all registers to a->back, and continues at the pc of a->back. (On
     * AArch64, the block for CALL ends with a trap after the signal mask.) The block does not
     * write to the stack above the stack pointer or to the red zone. result() returns the
     * result of the called function from the registers at the start of the block's last system
     * call. */
    void (*write)(uint8_t block[EZ_RESTORER_BYTES], const struct ez_restorer *a);
    uint64_t (*result)(const struct ez_regs *r);
    /* Sets the result registers in r to the values that the called function left, if r is as for
     * result(). NULL if and only if abi.call_stack is NULL. */
    void (*restore_results)(struct ez_regs *r);
    /* Returns what the thread does in `block`, which a dead shell left in the target: SYSCALL or
     * COPY; NOTHING if the bytes are neither. NULL: this processor has restorers only for calls of
     * functions. */
    enum ez_restored (*left)(const uint8_t block[EZ_RESTORER_BYTES]);
    /* Sets *r, the registers of a thread that is in the block of a system call, and *mask to the
     * registers and the signal mask that the block would restore. Requires that `func` of the block
     * is the pc of `back`. */
    void (*home)(const uint8_t block[EZ_RESTORER_BYTES], struct ez_regs *r, uint64_t *mask);
    int64_t reach; /* maximum distance from the block to the pc of `back`; 0 = any */
};

#endif
