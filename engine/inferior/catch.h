/* SPDX-License-Identifier: GPL-3.0-or-later */
/* catch.h - notices what catchpoints wait for: system calls, forks, execs and signals (catch.c). */
#ifndef EZ_INFERIOR_CATCH_H
#define EZ_INFERIOR_CATCH_H

#include "engine/inferior/inferior.h"

/* ez_catch_want() adds something to notice until ez_catch_none(). value: a system call (CALL, which
 * also notices its return) or a signal; -1 means any. */
void ez_catch_none(struct ez_target *t);
void ez_catch_want(struct ez_target *t, enum ez_caught_kind kind, long value);
/* Returns true if system calls are to be noticed, so that threads resume by PTRACE_SYSCALL. */
bool ez_catch_calls(const struct ez_target *t);

/* Stores in the thread that it did this, if that is wanted. ez_catch_call() does so for a thread
 * that has stopped at the start or the end of a system call. */
void ez_catch_note(struct ez_target *t, struct ez_thread *th, enum ez_caught_kind kind, long value);
ez_err *ez_catch_call(struct ez_target *t, struct ez_thread *th) EZ_WUR;
/* Returns a thread with something noticed, or NULL. */
struct ez_thread *ez_caught_thread(struct ez_target *t);

/* Moves a thread out of the system call in which it has stopped, so that it can execute injected
 * code. A call that has not begun yet is begun again when the thread resumes. For vfork, waits
 * until the child has called exec or has ended. */
ez_err *ez_catch_leave_call(struct ez_target *t, struct ez_thread *th) EZ_WUR;

#endif
