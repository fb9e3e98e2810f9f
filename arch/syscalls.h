/* SPDX-License-Identifier: GPL-3.0-or-later */
/* syscalls.h - system calls of this build's processor: names by number, and how threads make
 * them. */
#ifndef EZ_ARCH_SYSCALLS_H
#define EZ_ARCH_SYSCALLS_H

#include "arch/regs.h"
#include "engine/base/base.h"

struct ez_arch_syscall {
    const char *insn; /* bytes of the system call instruction */
    uint8_t len;
    /* Returns the number of the system call that the thread is in, or -1. */
    long (*nr)(const struct ez_regs *r);
    /* Returns the number of the call that the thread will make if it executes the instruction at
     * its pc. */
    long (*next)(const struct ez_regs *r);
    /* Sets `r` so that the thread next executes the system call instruction at `pc`, for call
     * `nr`. */
    void (*prepare)(struct ez_regs *r, uint64_t pc, long nr, const uint64_t arg[6]);
    /* Makes `r` go on as if its system call had failed with errnum > 0. */
    void (*fail)(struct ez_regs *r, int errnum);
    /* Restarts a system call in which the engine stopped the thread, and which would return EINTR
     * although no signal came. Returns false if the thread is not in such a call. */
    bool (*restart_eintr)(struct ez_regs *r);
    /* Restarts an interrupted system call from its start. The kernel would continue it by
     * restart_syscall instead. Returns false if the thread is in no such call. */
    bool (*restart_anew)(struct ez_regs *r);
    /* In a SIGSYS handler: sets the result of the system call that the kernel did not make. */
    void (*trapped_result)(void *ucontext, int64_t result);
};

#define EZ_NSYSCALLS 1024 /* greater than all numbers, which the compiler checks */
extern const char *const ez_arch_syscall_name[EZ_NSYSCALLS];

enum ez_syscall_kind {
    EZ_SYSCALL_PLAIN,
    EZ_SYSCALL_RESTARTS, /* the kernel continues the call by restart_block after an interruption */
    EZ_SYSCALL_DESTROYS, /* ends, replaces or copies the process */
};
enum ez_syscall_kind ez_arch_syscall_kind(long nr);
/* Returns true if the call sets the thread's signal mask, if only while it sleeps. */
bool ez_arch_sets_mask(long nr);

#endif
