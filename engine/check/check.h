/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check.h - does the relocated copy of a prologue do what the prologue does?
 *
 * Two copies of the process (scratch.h) execute in step. One executes the instructions as they
 * stand in the file; the other executes the relocated copy that planting makes of them
 * (arch->relocate), or that a planted probe has. Both start from the same registers, flags,
 * vector registers and memory, and execute one instruction after the other until control leaves
 * the prologue. After each instruction the general registers and flags are compared; at the end
 * also vector registers, stack, memory that pointers led to, thread-local memory and what
 * pc-relative operands name. An instruction that faults must fault in the copy too, in the same
 * way, at the same instruction. At a call both stop in front of the called function.
 *
 * Both processes are treated alike, so that memory which is not compared stays alike, too. If
 * the original differs from itself in a second run (rdtsc), the difference is not the copy's.
 *
 * One difference is accepted: a copied indirect call that faults has pushed its return address
 * already. The memory below the stack pointer is dead at a call.
 * The target is never changed; the copies die with the checker, and with the shell.
 * Tests: tests/unit/engine/check_check.c, tests/procs/check.sh */
#ifndef EZ_CHECK_H
#define EZ_CHECK_H

#include "engine/ezt.h"

struct ez_checker;

enum ez_checked_how {
    EZ_CHECK_EQUAL,
    EZ_CHECK_DIFFERS,  /* `text`: the first difference                              */
    EZ_CHECK_REFUSED,  /* no probe may stand there: there is no copy; `text`: why   */
    EZ_CHECK_UNSTEADY, /* the original differs from itself                          */
};

struct ez_checked {
    uint64_t func;
    char name[200], library[100];
    enum ez_checked_how how;
    bool planted;             /* the copy is that of a planted probe                   */
    unsigned insns;           /* instructions that were compared                       */
    unsigned states, faulted; /* starting states passed; those where both faulted alike */
    char text[320];
};

/* Make a checker; the target must be stopped. The caller closes the checker, also after errors of
 * ez_check_func(). */
ez_err *ez_check_open(struct ez_target *t, struct ez_checker **out) EZ_WUR;
ez_err *ez_check_func(struct ez_checker *c, ez_addr func, struct ez_checked *out) EZ_WUR;
ez_err *ez_check_close(struct ez_checker *c) EZ_WUR;

#endif
