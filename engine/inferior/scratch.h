/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scratch.h - a forked copy of the target in which eztsh executes code for a trial.
 *
 * Executing code has effects, so eztsh executes it in a copy that the target is made to fork:
 * - The copy is stopped at birth, is only single-stepped (an instruction that cannot be stepped
 *   runs to a trap behind it), and is killed if the shell dies (PTRACE_O_EXITKILL), because a copy
 *   that continued at an arbitrary instruction could do harm.
 * - The copy's end raises no signal in the target, and an injected wait4 reaps the copy, so that no
 *   zombie remains.
 * - Callers that step execute no system call in the copy: files, devices and other processes stay
 *   unchanged.
 * - Shared memory is first made read-only in the copy, so that a store faults before it changes
 *   memory that other processes see.
 * One effect remains: the target's own pages become copy-on-write again, as after any fork.
 *
 * The copy is a struct ez_target of its own with one thread, so that the functions that step and
 * inject in the target work in the copy too.
 * Tests: tests/measure/check_measure.sh, tests/procs/check.sh */
#ifndef EZ_SCRATCH_H
#define EZ_SCRATCH_H

#include "engine/target.h"
#include "engine/inferior/inject.h"

struct ez_scratch {
    struct ez_target t;
    struct ez_copy id;
    struct ez_thread *th;
    struct ez_maps maps; /* the copy's mappings before the shared ones were made read-only */
};

/* Makes the copy with thread `th` of the stopped target. Call ez_scratch_close() even after an
 * error. */
ez_err *ez_scratch_open(struct ez_target *t, struct ez_thread *th, struct ez_scratch *s) EZ_WUR;
ez_err *ez_scratch_close(struct ez_target *t, struct ez_thread *th, struct ez_scratch *s) EZ_WUR;
/* Executes the instruction at the program counter. *trapped is false if the instruction faulted:
 * then s->th->sig and its info describe the fault. */
ez_err *ez_scratch_step(struct ez_scratch *s, bool *trapped, const char *why) EZ_WUR;

#endif
