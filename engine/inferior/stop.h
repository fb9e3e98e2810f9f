/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stop.h - what thread.c, stop.c, step.c and those who react share: what a report of the
 * kernel means, and how a thread goes on. */
#ifndef EZ_STOP_H
#define EZ_STOP_H

#include "engine/target.h"

/* A failure of the moment must not leave a thread half way. */
#define EZ_TWICE(e, call)                                                                          \
    do {                                                                                           \
        (e) = (call);                                                                              \
        if ((e) && (e)->code != EZ_E_GONE) {                                                       \
            ez_err_free(e);                                                                        \
            (e) = (call);                                                                          \
        }                                                                                          \
    } while (0)

enum ez_meaning { QUIET, SIGNAL, GROUP, EXEC, SYSCALL, ENDED };

/* thread.c: enter what waitpid said into the thread; QUIET = nothing for the user. A
 * process that the kernel attached by itself (a clone that is no thread) is let go. */
ez_err *ez_thread_update(struct ez_target *t, pid_t tid, int status, enum ez_meaning *what) EZ_WUR;
void ez_thread_remove(struct ez_target *t, pid_t tid);

/* thread.c: a stop by job control and SIGCONT take each other back, the newer one the older. The
 * kernel sees to it among those that it has; here it is done for those that threads keep: when
 * the newer is reported, and for what is kept away from the stop that it came with, before it is
 * given to the kernel. */
bool ez_takes_back(int sig, int older);
void ez_stops_settle(struct ez_target *t);
/* thread.c: does the kernel have it for the thread, or for any of the process? */
bool ez_signal_pending(const struct ez_target *t, pid_t tid, int sig);

/* stop.c: go on with the thread's kept signal; into its group stop again. */
ez_err *ez_run_on(struct ez_target *t, struct ez_thread *th, const char *why) EZ_WUR;
ez_err *ez_cont_group_stopped(struct ez_target *t, struct ez_thread *th) EZ_WUR;

/* stop.c: before it goes on with its kept signal, for which it may have stopped long ago. */
void ez_siginfo_put_back(struct ez_thread *th);

/* stop.c: the report of a thread that stops at once, or EZ_E_GONE when it died. */
ez_err *ez_wait_thread(struct ez_target *t, pid_t tid, int *status, pid_t *got,
                       const char *why) EZ_WUR;
#define EZ_HOLD (~(1ull << (SIGTRAP - 1))) /* signals that wait while we use a thread */
/* step.c: after that, with what came of it: e, or why the signals of `mask` cannot come. */
ez_err *ez_signals_come(struct ez_thread *th, uint64_t mask, ez_err *e) EZ_WUR;

/* step.c: wait for the report of a thread that goes on alone, and note it. EZ_E_GONE. */
ez_err *ez_thread_report(struct ez_target *t, struct ez_thread *th, enum ez_meaning *what,
                         const char *why) EZ_WUR;
/* step.c: from inside a system call, done already, to the stop on the way to user mode in
 * which the kernel looks whether an interrupted call is to be restarted. */
ez_err *ez_thread_border(struct ez_target *t, struct ez_thread *th, const char *why) EZ_WUR;
/* restorer.c: what a thread was, and how it comes into a block and home again. From enter on it
 * can help itself. `hold`: signals that wait meanwhile. Home with what came of it: e. */
struct ez_restored_thread {
    struct ez_regs regs;
    uint64_t mask;
    int sig; /* that it was stopped by                                       */
    bool told;
};
ez_err *ez_restorer_keep(struct ez_thread *th, struct ez_restored_thread *was) EZ_WUR;
ez_err *ez_restorer_enter(struct ez_target *t, struct ez_thread *th, const struct ez_regs *r,
                          uint64_t hold, struct ez_restored_thread *was, const char *why) EZ_WUR;
/* From the beginning of a block's last system call to a stop in which it can be put home. */
ez_err *ez_restorer_leave(struct ez_target *t, struct ez_thread *th, const char *why) EZ_WUR;
ez_err *ez_restorer_home(struct ez_target *t, struct ez_thread *th,
                         const struct ez_restored_thread *was, ez_err *e) EZ_WUR;
/* stop.c: threads that did not stop when they should be let go, as soon as they do; one that
 * stopped so. */
void ez_strays_release(struct ez_target *t);
ez_err *ez_let_go_late(pid_t tid, int status) EZ_WUR;

#define EZ_SEIZE_OPTIONS                                                                           \
    (PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACEEXEC |         \
     PTRACE_O_TRACESYSGOOD)

#endif
