/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check.h - checks that the relocated copy of a prologue does what the prologue does.
 *
 * Two copies of the process (scratch.h) execute in step. One process executes the original, the
 * prologue's instructions from the file. The other process executes the relocated copy that
 * planting makes of the prologue (arch->codegen.relocate), or that a planted probe has. Both
 * processes start with the same registers, flags, vector registers and memory, and execute one
 * instruction after the other until control leaves the prologue. After each instruction, the
 * general registers and flags are compared. At the end, vector registers, stack, memory that
 * pointers led to, thread-local memory and targets of pc-relative operands are compared, too. An
 * instruction that faults must fault in the copy in the same way. At a call, both processes stop
 * before the called function.
 *
 * The same memory is written in both processes, so that memory that is not compared stays equal,
 * too. If two runs of the original differ (rdtsc), the copy is not the cause of a difference. One
 * difference is accepted: if an indirect call faults, the copy has already pushed the return
 * address, which changes only the stack pointer and unused memory below it.
 *
 * The target is never changed. The copies die with the checker, and with the shell.
 *
 * Tests: tests/unit/check/check_check.c, tests/procs/check.sh */
#ifndef EZ_CHECK_H
#define EZ_CHECK_H

#include "engine/ezt.h"

struct ez_checker;

enum ez_checked_how {
    EZ_CHECK_EQUAL,
    EZ_CHECK_DIFFERS,  /* `text` is the first difference */
    EZ_CHECK_REFUSED,  /* no probe is possible, so there is no copy; `text` is the reason */
    EZ_CHECK_UNSTEADY, /* two runs of the original differ */
};

struct ez_checked {
    uint64_t func;
    char name[200], library[100];
    enum ez_checked_how how;
    bool planted;   /* the copy belongs to a planted probe */
    unsigned insns; /* number of instructions in the prologue */
    /* number of starting states without a difference; faulted: number of states among these in
     * which both processes faulted equally */
    unsigned states, faulted;
    char text[320];
};

/* Creates a checker; the target must be stopped. The caller closes the checker, also after errors
 * of ez_check_func(). */
ez_err *ez_check_open(struct ez_target *t, struct ez_checker **out) EZ_WUR;
ez_err *ez_check_func(struct ez_checker *c, ez_addr func, struct ez_checked *out) EZ_WUR;
ez_err *ez_check_close(struct ez_checker *c) EZ_WUR;

#endif
