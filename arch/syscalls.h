/* SPDX-License-Identifier: GPL-3.0-or-later */
/* syscalls.h - system calls of this build's processor: their names and numbers, and the registers
 * that they use. */
#ifndef EZ_ARCH_SYSCALLS_H
#define EZ_ARCH_SYSCALLS_H

#include "arch/regs.h"
#include "engine/base/base.h"

struct ez_arch_syscall {
    const char *insn; /* bytes of the instruction that makes a system call */
    uint8_t len;
    /* Returns the number of the system call in which the thread with the registers r is, or -1 if
     * it is in none. (On AArch64, the result is undefined if the thread is in no system call.) */
    long (*nr)(const struct ez_regs *r);
    /* Returns the number of the system call that the thread makes if the instruction at its pc is a
     * system call. */
    long (*next)(const struct ez_regs *r);
    /* Sets r so that the thread makes system call nr with the arguments arg by the instruction at
     * address pc. */
    void (*prepare)(struct ez_regs *r, uint64_t pc, long nr, const uint64_t arg[6]);
    /* Sets r as if the thread's system call had failed with errno errnum > 0. */
    void (*fail)(struct ez_regs *r, int errnum);
    /* For a thread that is stopped at the start of a system call: skip() sets r so that the kernel
     * does not execute the call; again() sets r so that the thread begins the call again. */
    void (*skip)(struct ez_regs *r);
    void (*again)(struct ez_regs *r);
    /* regset that has the number of the call, to which -1 is written to skip it; 0: the number is
     * in r */
    int number_regset;
    /* If the thread's system call would return EINTR, sets r so that the kernel restarts the call,
     * and returns true. The caller must know that the engine's stop, not a signal, interrupted the
     * call. Returns false if the thread is in no such call. */
    bool (*restart_eintr)(struct ez_regs *r);
    /* If the kernel would continue the thread's interrupted system call by restart_syscall, sets r
     * so that the call begins again instead, and returns true. Returns false if the thread is in no
     * such call. */
    bool (*restart_anew)(struct ez_regs *r);
    /* For a SIGSYS handler: sets the result of the system call that a seccomp filter replaced by
     * the signal. ucontext: the handler's third argument. */
    void (*trapped_result)(void *ucontext, int64_t result);
};

#define EZ_NSYSCALLS 1024 /* greater than the number of each system call, as the compiler checks */
extern const char *const ez_arch_syscall_name[EZ_NSYSCALLS];

enum ez_syscall_kind {
    EZ_SYSCALL_PLAIN,
    /* after an interruption, the kernel can continue the call by restart_syscall */
    EZ_SYSCALL_RESTARTS,
    EZ_SYSCALL_DESTROYS, /* ends, replaces or copies the process or thread */
};
enum ez_syscall_kind ez_arch_syscall_kind(long nr);
/* Returns true if system call nr sets the thread's signal mask, be it only for the duration of the
 * call. */
bool ez_arch_sets_mask(long nr);

#endif
