/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stop.h - shared by thread_stop.c, stop.c, step.c and their callers: the meaning of a report of
 * the kernel, and resuming threads. */
#ifndef EZ_STOP_H
#define EZ_STOP_H

#include "engine/target.h"

/* Makes the call, and repeats it if it fails, because a temporary failure must not leave a thread
 * in a wrong state. */
#define EZ_TWICE(e, call)                                                                          \
    do {                                                                                           \
        (e) = (call);                                                                              \
        if ((e) && (e)->code != EZ_E_GONE) {                                                       \
            ez_err_free(e);                                                                        \
            (e) = (call);                                                                          \
        }                                                                                          \
    } while (0)

/* Like EZ_TRY(), but returns the error only if the second call fails, too. */
#define EZ_TRY_TWICE(call)                                                                         \
    do {                                                                                           \
        ez_err *ez_twice_;                                                                         \
        EZ_TWICE(ez_twice_, call);                                                                 \
        EZ_TRY(ez_twice_);                                                                         \
    } while (0)

enum ez_meaning { QUIET, SIGNAL, GROUP, EXEC, SYSCALL, HALT, ENDED };

/* The data of a halt's perf event: EZ_HALT_MARK + the halt's index + 1. Below: the data's offset in
 * siginfo, and the si_code (TRAP_PERF). */
#define EZ_HALT_MARK 0x657a7468616c0000u
#define EZ_HALT_DATA 24
#define EZ_HALT_SIGNALS 6

/* thread_stop.c: stores waitpid's status in the thread. *what is QUIET if there is nothing for the
 * user. Releases a process that the kernel attached by itself (a clone that is no thread). */
ez_err *ez_thread_update(struct ez_target *t, pid_t tid, int status, enum ez_meaning *what) EZ_WUR;

/* thread_stop.c: a job-control stop signal cancels an older SIGCONT, and SIGCONT an older stop
 * signal. The kernel does so for its pending signals; these functions do it for signals that
 * threads keep (th->sig). ez_signal_cancels() returns true if `sig` cancels `older`; call it when
 * the newer signal is reported. ez_stops_settle() drops kept stop signals that a pending SIGCONT
 * has cancelled, before they are given back to the kernel. */
bool ez_signal_cancels(int sig, int older);
void ez_stops_settle(struct ez_target *t);
/* thread_stop.c: returns true if `sig` is pending for the thread, or for its process. */
bool ez_signal_pending(const struct ez_target *t, pid_t tid, int sig);

/* stop.c: resume the thread with its kept signal; move it back into its group stop. */
ez_err *ez_run_on(struct ez_target *t, struct ez_thread *th, const char *why) EZ_WUR;
ez_err *ez_cont_group_stopped(struct ez_target *t, struct ez_thread *th) EZ_WUR;

/* stop.c: gives the kept signal's siginfo back to the kernel, before the thread goes on with that
 * signal, because the thread may have left the stop in which the signal arrived. */
void ez_siginfo_put_back(struct ez_thread *th);

/* mask of the signals that are blocked while eztsh makes a thread run its calls: all but SIGTRAP */
#define EZ_HOLD (~(1ull << (SIGTRAP - 1)))
/* step.c: restores the signal mask after that. Returns `e`, the result of the call, or the error of
 * restoring the mask. */
ez_err *ez_signals_come(struct ez_thread *th, uint64_t mask, ez_err *e) EZ_WUR;

/* step.c: waits for the report of a thread that goes on alone, and stores the report. EZ_E_GONE. */
ez_err *ez_thread_report(struct ez_target *t, struct ez_thread *th, enum ez_meaning *what,
                         const char *why) EZ_WUR;
/* step.c: moves a thread whose system call is done to a stop on its way to user mode, because only
 * there the kernel decides whether to restart an interrupted call. */
ez_err *ez_thread_border(struct ez_target *t, struct ez_thread *th, const char *why) EZ_WUR;
/* restorer.c: the state of a thread before it enters a restorer block. ez_restorer_keep() saves it,
 * ez_restorer_enter() moves the thread into the block (`hold`: signals to block meanwhile), and
 * ez_restorer_home() restores the thread and returns e, the call's result, or its own error. After
 * ez_restorer_enter() the thread returns to its place by itself if the shell dies. */
struct ez_restored_thread {
    struct ez_regs regs;
    uint64_t mask;
    int sig; /* signal that had stopped the thread; 0: none */
    bool reported;
};
ez_err *ez_restorer_keep(struct ez_thread *th, struct ez_restored_thread *was) EZ_WUR;
ez_err *ez_restorer_enter(struct ez_target *t, struct ez_thread *th, const struct ez_regs *r,
                          uint64_t hold, struct ez_restored_thread *was, const char *why) EZ_WUR;
/* Moves the thread from the beginning of the block's last system call to a stop in which
 * ez_restorer_home() can restore it. */
ez_err *ez_restorer_leave(struct ez_target *t, struct ez_thread *th, const char *why) EZ_WUR;
ez_err *ez_restorer_home(struct ez_target *t, struct ez_thread *th,
                         const struct ez_restored_thread *was, ez_err *e) EZ_WUR;
/* stop.c: release orphaned tracees, the threads that did not stop when they were to be released, as
 * soon as they stop. ez_let_go_late() does so for one thread that stopped with `status`. */
void ez_orphans_release(struct ez_target *t);
ez_err *ez_let_go_late(pid_t tid, int status) EZ_WUR;

#define EZ_SEIZE_OPTIONS                                                                           \
    (PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACEEXEC |         \
     PTRACE_O_TRACESYSGOOD)

/* Stops every thread, and searches again until a search finds no new thread. *was: the state to
 * pass to ez_world_resume(). EZ_E_GONE: the process ended during the stop. */
ez_err *ez_world_stop(struct ez_target *t, enum ez_state *was) EZ_WUR;
ez_err *ez_world_resume(struct ez_target *t, enum ez_state was) EZ_WUR;
/* Resumes every thread under ptrace. */
ez_err *ez_threads_cont(struct ez_target *t) EZ_WUR;
/* Marks the thread for release at its next stop. */
void ez_thread_orphan(struct ez_target *t, pid_t tid);
ez_err *ez_threads_detach(struct ez_target *t) EZ_WUR;

#endif
