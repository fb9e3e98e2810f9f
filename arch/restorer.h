/* SPDX-License-Identifier: GPL-3.0-or-later */
/* restorer.h - blocks of code that run in a stopped thread and then restore all its registers
 * (engine/inferior/restorer.c). */
#ifndef EZ_ARCH_RESTORER_H
#define EZ_ARCH_RESTORER_H

#include "arch/regs.h"
#include "engine/base/base.h"

#define EZ_RESTORER_BYTES 512
#define EZ_RESTORER_ALIGN 64
#define EZ_RESTORER_SPARE 416 /* offset of bytes that the block of a system call does not use */
#define EZ_RESTORER_SPARE_BYTES 24

/* What a thread does in a restorer block before it returns. COPY: a system call that copies the
 * process; the copy ends at once. CALL: calls the function `func`; the extended registers, as the
 * kernel returned them (extended_regset), are behind the block. */
enum ez_restored { EZ_RESTORED_NOTHING, EZ_RESTORED_SYSCALL, EZ_RESTORED_COPY, EZ_RESTORED_CALL };
struct ez_restorer {
    enum ez_restored what;
    const struct ez_regs *back;
    uint64_t mask, func, at; /* at: address of the block; unused for CALL */
};

struct ez_arch_restorer {
    /* Writes a restorer: a block of code and data for any address that is a multiple of
     * EZ_RESTORER_ALIGN. The thread does in the block what a->what says. Then the block sets the
     * signal mask a->mask and loads all registers of a->back, so the thread continues where it was.
     * The block uses no stack above the stack pointer, and not the red zone below it. When the
     * block's last system call begins, result() returns the result of the called function. */
    void (*write)(uint8_t block[EZ_RESTORER_BYTES], const struct ez_restorer *a);
    uint64_t (*result)(const struct ez_regs *r);
    /* Sets the general registers with results to the values that the called function left. NULL:
     * only as abi.call_stack. */
    void (*restore_results)(struct ez_regs *r);
    /* Returns the purpose of `block`, which a dead shell left: a system call or a copy; NOTHING
     * if the bytes are no such block. NULL: this processor has restorers only for calls of
     * functions. */
    enum ez_restored (*left)(const uint8_t block[EZ_RESTORER_BYTES]);
    /* Computes the registers and the signal mask that the block of a system call would restore at
     * its end. Sets *r, the registers of the thread in the block, and the signal mask to these
     * values. The block's func must be the pc of `back`. */
    void (*home)(const uint8_t block[EZ_RESTORER_BYTES], struct ez_regs *r, uint64_t *mask);
    int64_t reach; /* maximum distance from the block to the old pc; 0 = any */
};

#endif
