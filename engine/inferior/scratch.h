/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scratch.h - a copy of the target in which code may be tried.
 *
 * Executing has effects, so it is done on a copy that the target is made to fork:
 *  - the copy is caught before it runs anything, is only ever stepped, and dies with us
 *    (PTRACE_O_EXITKILL: a copy let loose in the middle of nowhere would be a disaster);
 *  - its end raises no signal in the target, and an injected wait4 takes it off the
 *    target's hands, so that no zombie is left;
 *  - whoever steps executes no system call in it: what is shared with the world outside
 *    stays unchanged;
 *  - shared memory is made read-only in the copy first, so that a store faults before it
 *    changes what others see.
 * Remains: the target's own pages become copy-on-write again, as after any fork.
 *
 * The copy is a target of its own with one thread, so that what steps and injects in
 * the target does so in the copy.
 * Tests:  tests/measure/check_measure.sh, tests/procs/check.sh */
#ifndef EZ_SCRATCH_H
#define EZ_SCRATCH_H

#include "engine/target.h"

struct ez_scratch {
    struct ez_target t;
    struct ez_copy id;
    struct ez_thread *th;
    struct ez_maps maps; /* as they were before anything was made read-only */
};

/* `th` of the stopped target makes it. Close it even after an error. */
ez_err *ez_scratch_open(struct ez_target *t, struct ez_thread *th, struct ez_scratch *s) EZ_WUR;
ez_err *ez_scratch_close(struct ez_target *t, struct ez_thread *th, struct ez_scratch *s) EZ_WUR;
/* Execute what the program counter is at. *trapped false = it faulted instead: s->th->sig
 * and its info say how. */
ez_err *ez_scratch_step(struct ez_scratch *s, bool *trapped, const char *why) EZ_WUR;

#endif
