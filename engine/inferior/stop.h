/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stop.h - shared by thread_stop.c, stop.c, step.c and their callers: the meaning of a report of
 * the kernel, and resuming threads. */
#ifndef EZ_STOP_H
#define EZ_STOP_H

#include "engine/target.h"

/* Makes the call, and makes it once more if it fails (except with EZ_E_GONE), because a temporary
 * failure must not leave a thread in a wrong state. */
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

/* thread_stop.c: processes waitpid's status of thread tid. *what: the meaning of the report; QUIET
 * if it does not concern the user. */
ez_err *ez_thread_update(struct ez_target *t, pid_t tid, int status, enum ez_meaning *what) EZ_WUR;

/* thread_stop.c: a job-control stop signal cancels an older SIGCONT, and SIGCONT an older stop
 * signal. The kernel does so for pending signals; these functions do it for signals that were
 * already reported and wait in th->sig. ez_signal_cancels() returns true if `sig` cancels `older`;
 * call it when the newer signal is reported. ez_stops_settle() drops a stop signal in th->sig that
 * a pending SIGCONT has cancelled; call it before threads resume. */
bool ez_signal_cancels(int sig, int older);
void ez_stops_settle(struct ez_target *t);
/* thread_stop.c: returns true if `sig` is pending for the thread, or for its process. */
bool ez_signal_pending(const struct ez_target *t, pid_t tid, int sig);

/* stop.c: ez_run_on() resumes the thread and delivers th->sig. ez_cont_group_stopped() moves the
 * thread back into its group stop. */
ez_err *ez_run_on(struct ez_target *t, struct ez_thread *th, const char *why) EZ_WUR;
ez_err *ez_cont_group_stopped(struct ez_target *t, struct ez_thread *th) EZ_WUR;

/* stop.c: sets the siginfo of th->sig before the thread resumes with this signal. That is necessary
 * if the thread was stepped, because it has left the stop in which the signal arrived. */
void ez_siginfo_put_back(struct ez_thread *th);

/* mask of the signals that are blocked while a thread makes an injected system call: all except
 * SIGTRAP */
#define EZ_HOLD (~(1ull << (SIGTRAP - 1)))
/* step.c: sets the signal mask to `mask` after an injected call. Returns e, the error of the call,
 * or if e is NULL the error of setting the mask. */
ez_err *ez_signals_come(struct ez_thread *th, uint64_t mask, ez_err *e) EZ_WUR;

/* step.c: waits for the next report of a thread that was resumed, and processes it as
 * ez_thread_update() does. EZ_E_GONE: the process ended. */
ez_err *ez_thread_report(struct ez_target *t, struct ez_thread *th, enum ez_meaning *what,
                         const char *why) EZ_WUR;
/* step.c: moves a thread from the stop at the end of a system call to a stop just before it enters
 * user mode, because only in the latter stop the kernel decides whether to restart an interrupted
 * call. */
ez_err *ez_thread_border(struct ez_target *t, struct ez_thread *th, const char *why) EZ_WUR;
/* restorer.c: the state of a thread before it enters a restorer block. ez_restorer_keep() saves it.
 * ez_restorer_enter() moves the thread into the block; hold: the signals to block in the block.
 * ez_restorer_home() restores the thread and returns e, the error of the call, or if e is NULL its
 * own error. If the shell dies after ez_restorer_enter(), the thread continues where it was. */
struct ez_restored_thread {
    struct ez_regs regs;
    uint64_t mask;
    int sig; /* signal that had stopped the thread; 0: none */
    bool reported;
};
ez_err *ez_restorer_keep(struct ez_thread *th, struct ez_restored_thread *was) EZ_WUR;
ez_err *ez_restorer_enter(struct ez_target *t, struct ez_thread *th, const struct ez_regs *r,
                          uint64_t hold, struct ez_restored_thread *was, const char *why) EZ_WUR;
/* Moves the thread from the stop at the start of the block's last system call to a stop in which
 * ez_restorer_home() can restore the thread. */
ez_err *ez_restorer_leave(struct ez_target *t, struct ez_thread *th, const char *why) EZ_WUR;
ez_err *ez_restorer_home(struct ez_target *t, struct ez_thread *th,
                         const struct ez_restored_thread *was, ez_err *e) EZ_WUR;
/* stop.c: ez_orphans_release() releases the orphaned tracees (threads that could not be released
 * because they did not stop) that have stopped since. ez_let_go_late() releases one thread, whose
 * stop has wait status `status`. */
void ez_orphans_release(struct ez_target *t);
ez_err *ez_let_go_late(pid_t tid, int status) EZ_WUR;

#define EZ_SEIZE_OPTIONS                                                                           \
    (PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACEEXEC |         \
     PTRACE_O_TRACESYSGOOD)

/* Stops every thread; repeats that until no new threads appear. *was: the state to pass to
 * ez_world_resume(). EZ_E_GONE: the process ended meanwhile. */
ez_err *ez_world_stop(struct ez_target *t, enum ez_state *was) EZ_WUR;
ez_err *ez_world_resume(struct ez_target *t, enum ez_state was) EZ_WUR;
/* Resumes all stopped threads under ptrace, except those that job control stopped. */
ez_err *ez_threads_cont(struct ez_target *t) EZ_WUR;
/* Adds the thread to the orphaned tracees: it is released at its next stop. */
void ez_thread_orphan(struct ez_target *t, pid_t tid);
ez_err *ez_threads_detach(struct ez_target *t) EZ_WUR;

#endif
