/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stop.h - what thread.c, stop.c, step.c and pump.c share: what a report of the kernel
 * means, and how a thread goes on. */
#ifndef EZ_STOP_H
#define EZ_STOP_H

#include "engine/target.h"

enum ez_meaning { QUIET, SIGNAL, GROUP, EXEC, SYSCALL, ENDED };

/* thread.c: enter what waitpid said into the thread; QUIET = nothing for the user. A
 * process that the kernel attached by itself (a clone that is no thread) is let go. */
ez_err *ez_note(struct ez_target *t, pid_t tid, int status, enum ez_meaning *what) EZ_WUR;
void ez_thread_remove(struct ez_target *t, pid_t tid);

/* stop.c: go on with the thread's kept signal; into its group stop again. */
ez_err *ez_run_on(struct ez_target *t, struct ez_thread *th, const char *why) EZ_WUR;
ez_err *ez_cont_group_stopped(struct ez_target *t, struct ez_thread *th) EZ_WUR;

/* stop.c: the report of a thread that stops at once, or EZ_E_GONE when it died. */
ez_err *ez_wait_thread(struct ez_target *t, pid_t tid, int *status, pid_t *got,
                       const char *why) EZ_WUR;
/* stop.c: threads that did not stop when they should be let go, as soon as they do. */
void ez_strays_release(struct ez_target *t);

/* pump.c: thread `tid` has exec'ed, the others are gone. */
ez_err *ez_exec_seen(struct ez_target *t, pid_t tid) EZ_WUR;

bool ez_is_zombie(pid_t pid, pid_t tid); /* or gone already (stop.c)       */

int64_t ez_now_ms(void); /* monotonic */

#endif
