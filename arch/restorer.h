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

/* What a thread does in a restorer block before it returns. COPY: the system call copies the
 * process, and the copy ends at once. CALL: the block calls `func`; the registers that the kernel
 * returned for extended_regset follow the block. */
enum ez_restored { EZ_RESTORED_NOTHING, EZ_RESTORED_SYSCALL, EZ_RESTORED_COPY, EZ_RESTORED_CALL };
struct ez_restorer {
    enum ez_restored what;
    const struct ez_regs *back;
    uint64_t mask, func, at; /* at: address of the block, unless it is a CALL */
};

struct ez_arch_restorer {
    /* Writes a restorer: a block of code and data that runs at any address aligned to
     * EZ_RESTORER_ALIGN. In the block, the thread does what `a` says. Then the block sets the
     * signal mask a->mask, loads all registers of a->back, and the thread is where it was. The
     * block uses nothing above the stack pointer, and not the bytes below it that signals spare.
     * When the block's last system call begins, result() returns the result of the called
     * function. */
    void (*write)(uint8_t block[EZ_RESTORER_BYTES], const struct ez_restorer *a);
    uint64_t (*result)(const struct ez_regs *r);
    /* Restores the general registers with results to what the function left in them. NULL: as
     * abi.call_stack. */
    void (*restore_results)(struct ez_regs *r);
    /* Returns what `block`, which a dead shell left, restores after: a system call, a copy; NOTHING
     * if it is no such block. NULL: restorers only serve calls of functions. */
    enum ez_restored (*left)(const uint8_t block[EZ_RESTORER_BYTES]);
    /* Computes what the block of a system call, made for a func that is the pc of `back`, would
     * give its thread: sets *r, the thread's registers, and the signal mask. */
    void (*home)(const uint8_t block[EZ_RESTORER_BYTES], struct ez_regs *r, uint64_t *mask);
    int64_t reach; /* from the block to where the thread was; 0: from anywhere */
};

#endif
