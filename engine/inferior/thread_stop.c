/* SPDX-License-Identifier: GPL-3.0-or-later */
/* thread_stop.c - interprets the kernel's reports of threads, and stores what is due when a thread
 * resumes: signals to deliver, system calls to restart.
 *
 * A thread in a ptrace stop has `stopped` set. A signal for the program that arrives while eztsh
 * stops the target is stored in th->sig, with its siginfo, and delivered exactly once when the
 * thread resumes (stop.c).
 *
 * Tests: tests/unit/inferior/check_live.c, tests/unit/inferior/check_steps.c */
#include "engine/inferior/stop.h"

#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/inferior/catch.h"
#include "engine/inferior/pt.h"
#include "engine/inferior/reports.h"
#include "engine/inferior/thread.h"

/* maximum number of reports until the SIGTRAP's report, which reports of job control may precede */
#define REPORT_TRIES 8

/* ---- what a stop means --------------------------------------------------------------- */

static bool thread_pending_unblocked(struct ez_target *t, pid_t tid)
{
    struct ez_proc_status s;
    return !ez_proc_status(t->inf.pid, tid, &s) || ((s.pending | s.shared_pending) & ~s.blocked);
}

static bool thread_filtered(const struct ez_target *t, pid_t tid)
{
    struct ez_proc_status s;
    return ez_proc_status(t->inf.pid, tid, &s) && s.seccomp;
}

/* Repairs interrupted system calls. A stop by eztsh makes some system calls (epoll_wait, timed
 * receives, ...) return EINTR without a signal, which the target must never see, so they are
 * restarted (except close(): arch/x86_64/user.c). Other calls the kernel continues by
 * restart_syscall, for which a seccomp filter may kill the thread. Under a filter these calls start
 * again from the beginning, so a sleep takes longer. */
static ez_err *thread_mend_interrupted(struct ez_target *t, struct ez_thread *th)
{
    struct ez_regs *r;
    EZ_TRY(ez_thread_regs(th, &r));
    struct ez_regs mended = *r;
    if ((t->inf.arch->syscall.restart_eintr(&mended) && !thread_pending_unblocked(t, th->tid)) ||
        (t->inf.arch->syscall.restart_anew(&mended) && thread_filtered(t, th->tid)))
        EZ_TRY(ez_thread_set_regs(th, &mended));
    return NULL;
}

static bool thread_is_task(pid_t pid, pid_t tid)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task/%d", pid, tid);
    return access(path, F_OK) == 0;
}

/* Returns true if an unblocked SIGTRAP is pending for the thread itself. */
static bool thread_trap_pending(const struct ez_target *t, pid_t tid)
{
    struct ez_proc_status s;
    ez_proc_status(t->inf.pid, tid, &s);
    return (s.pending & ~s.blocked) >> (SIGTRAP - 1) & 1;
}

bool ez_signal_pending(const struct ez_target *t, pid_t tid, int sig)
{
    struct ez_proc_status s;
    ez_proc_status(t->inf.pid, tid, &s);
    return (s.pending | s.shared_pending) >> (sig - 1) & 1;
}

/* ---- job control -------------------------------------------------------------------------- */

static bool thread_stops(int sig)
{
    return sig == SIGSTOP || sig == SIGTSTP || sig == SIGTTIN || sig == SIGTTOU;
}

bool ez_signal_cancels(int sig, int older)
{
    return (sig == SIGCONT && thread_stops(older)) || (thread_stops(sig) && older == SIGCONT);
}

static void thread_cancel_signals(struct ez_target *t, const struct ez_thread *by)
{
    for (size_t i = 0; i < t->inf.thread.n; i++)
        if (ez_signal_cancels(by->sig, t->inf.thread.at[i]->sig))
            t->inf.thread.at[i]->sig = 0;
}

void ez_stops_settle(struct ez_target *t)
{
    for (size_t i = 0; i < t->inf.thread.n; i++) {
        struct ez_thread *th = t->inf.thread.at[i];
        if (th->stepped && thread_stops(th->sig) && ez_signal_pending(t, th->tid, SIGCONT))
            th->sig = 0;
    }
}

/* ---- breakpoints of eztsh ------------------------------------------------------------------ */

/* The resumed thread executes no instruction, because the pending signal stops it first, even if it
 * was in a group stop. ez_threads_cont() moves it back into the group stop. */
ez_err *ez_thread_consume_trap(struct ez_target *t, struct ez_thread *th)
{
    const char *why = "wait for a breakpoint";
    pid_t tid = th->tid, got;
    for (int i = 0;
         i < REPORT_TRIES && th && th->stopped && !th->sig && thread_trap_pending(t, tid); i++) {
        int status;
        enum ez_meaning what;
        EZ_TRY(pt_cont(tid, 0, why));
        th->stopped = false;
        EZ_TRY(ez_wait_thread(t, tid, &status, &got, why));
        EZ_TRY(ez_thread_update(t, got, status, &what));
        if (t->inf.state == EZ_NONE)
            return ez_err_new(EZ_E_GONE, 0, "Cannot %s: the process ended", why);
        th = ez_thread_find(t, tid);
    }
    return NULL;
}

ez_err *ez_traps_settle(struct ez_target *t)
{
    for (size_t i = t->inf.ops->traps(t) ? t->inf.thread.n : 0; i-- > 0;) {
        struct ez_regs *r;
        if (!t->inf.thread.at[i]->stopped)
            continue;
        EZ_TRY(ez_thread_regs(t->inf.thread.at[i], &r));
        if (t->inf.ops->own_trap(t, t->inf.arch->regs.pc(r)))
            EZ_TRY(ez_thread_consume_trap(t, t->inf.thread.at[i]));
    }
    return NULL;
}

/* If the thread hit a probe's trap, sets its pc to the trampoline and drops the SIGTRAP. If a
 * temporary breakpoint is on the same instruction, only the latter is handled now; the thread hits
 * the probe's trap when it resumes. */
static ez_err *thread_own_trap(struct ez_target *t, struct ez_thread *th, enum ez_meaning *what)
{
    struct ez_regs *live, r;
    EZ_TRY_TWICE(ez_thread_regs(th, &live));
    uint64_t pc = t->inf.arch->regs.pc(live);
    bool ours = th->has_info && th->info.si_code == t->inf.arch->trap.si_code &&
                !(t->inf.temp_bp && t->inf.temp_bp_fd < 0 &&
                  pc == t->inf.temp_bp + t->inf.arch->trap.pc_after);
    uint64_t trampoline = ours ? t->inf.ops->own_trap(t, pc) : 0;
    if (!trampoline)
        return NULL;
    r = *live;
    t->inf.arch->regs.set_pc(&r, trampoline);
    th->sig = 0;
    th->has_info = false;
    *what = QUIET;
    EZ_TRY_TWICE(ez_thread_set_regs(th, &r));
    /* Only now, because at its old pc the runtime's handler would have recognized the SIGTRAP if
     * the shell had died (rt_trap.c). */
    pt_report_consumed(th->tid);
    return NULL;
}

/* Handles the stop if the thread hit a halt's trap; otherwise returns false. *what is HALT if the
 * halt is in the list of wanted halts, otherwise QUIET. */
static bool thread_hit_trap(struct ez_target *t, struct ez_thread *th, enum ez_meaning *what,
                            ez_err **e)
{
    uint64_t at;
    if (!ez_halt_trap_hit(t, th, &at, e))
        return false;
    th->halt = 0;
    for (size_t i = 0; !*e && i < t->inf.halts.want.n; i++)
        if (t->inf.halts.want.at[i].kind == EZ_HALT_CODE && t->inf.halts.want.at[i].addr == at)
            th->halt = (unsigned)i + 1;
    *what = th->halt ? HALT : QUIET;
    return true;
}

/* Handles the SIGTRAP of a halt's hardware breakpoint: drops it, and clears the resume flag, so
 * that the thread is as before the hit. Returns false if the stop has another cause. */
static bool thread_hit_halt(struct ez_target *t, struct ez_thread *th, ez_err **e)
{
    struct ez_regs *live, r;
    uint64_t data;
    *e = NULL;
    if (th->sig != SIGTRAP || !th->has_info || th->info.si_code != EZ_HALT_SIGNALS)
        return false;
    memcpy(&data, (const char *)&th->info + EZ_HALT_DATA, sizeof data);
    uint64_t i = data - EZ_HALT_MARK - 1;
    if (i > UINT16_MAX)
        return false;
    th->sig = 0;
    th->has_info = false;
    th->halt = i < t->inf.halts.want.n ? (unsigned)i + 1 : 0;
    EZ_TWICE(*e, ez_thread_regs(th, &live));
    if (!*e && t->inf.arch->trap.pass_hw) {
        r = *live;
        t->inf.arch->trap.pass_hw(&r, false);
        EZ_TWICE(*e, ez_thread_set_regs(th, &r));
    }
    /* From now on the kernel does not deliver the SIGTRAP, even if the shell dies. */
    pt_report_consumed(th->tid);
    return true;
}

/* ---- reports ------------------------------------------------------------------------------- */

static ez_err *thread_note_stop(struct ez_target *t, struct ez_thread *th, int status,
                                enum ez_meaning *what)
{
    int sig = WSTOPSIG(status), event = status >> 16;
    unsigned long msg;
    ez_err *e;
    th->stopped = true;
    th->stop_requested = false; /* Any report cancels the request to stop. */
    th->regs_known = false;
    th->stepped = false;
    th->in_call = EZ_CALL_NONE;
    *what = QUIET;
    switch (event) {
    case PTRACE_EVENT_STOP:
        th->group_stop = sig != SIGTRAP;
        if (th->group_stop)
            *what = GROUP;
        return thread_mend_interrupted(t, th);
    case PTRACE_EVENT_CLONE:
        EZ_TRY_TWICE(pt_eventmsg(th->tid, &msg, "get the id of the new thread"));
        if (thread_is_task(t->inf.pid, (pid_t)msg))
            ez_thread_add(t, (pid_t)msg);
        else if (thread_is_task((pid_t)msg, (pid_t)msg))
            return t->inf.ops->fork_seen(t, (pid_t)msg, EZ_BORN_CLONE);
        return NULL;
    case PTRACE_EVENT_FORK:
    case PTRACE_EVENT_VFORK:
        EZ_TRY_TWICE(pt_eventmsg(th->tid, &msg, "get the id of the child"));
        th->in_call = EZ_CALL_FORKS;
        ez_catch_note(t, th, event == PTRACE_EVENT_VFORK ? EZ_CAUGHT_VFORK : EZ_CAUGHT_FORK,
                      (long)msg);
        return t->inf.ops->fork_seen(t, (pid_t)msg,
                                     event == PTRACE_EVENT_VFORK ? EZ_BORN_VFORK : EZ_BORN_FORK);
    case PTRACE_EVENT_EXEC:
        *what = EXEC;
        return NULL;
    case 0:
        if (sig == (SIGTRAP | 0x80)) { /* PTRACE_O_TRACESYSGOOD */
            *what = SYSCALL;
            return ez_catch_call(t, th);
        }
        th->sig = sig;
        th->reported = false;
        thread_cancel_signals(t, th);
        /* Tried twice: without its siginfo, a halt's SIGTRAP would be treated as the program's. */
        EZ_TWICE(e, pt_getsiginfo(th->tid, &th->info, "keep the signal's details"));
        th->has_info = ez_err_drop(e);
        if (t->inf.ops->fault(t, th))
            return NULL;
        *what = SIGNAL;
        if (thread_hit_halt(t, th, &e)) {
            *what = HALT;
            return e;
        }
        if (thread_hit_trap(t, th, what, &e))
            return e;
        return sig == SIGTRAP && t->inf.ops->traps(t) ? thread_own_trap(t, th, what) : NULL;
    default:
        return NULL;
    }
}

ez_err *ez_thread_update(struct ez_target *t, pid_t tid, int status, enum ez_meaning *what)
{
    *what = ENDED;
    bool ended = WIFEXITED(status) || WIFSIGNALED(status);
    if (t->inf.ops->child_known(t, tid) ||
        (!ended && !ez_thread_find(t, tid) && !thread_is_task(t->inf.pid, tid))) {
        /* the thread belongs to a child of the target, which engine/process follows or releases */
        *what = QUIET;
        return t->inf.ops->child_report(t, tid, status);
    }
    if (ended) {
        ez_thread_remove(t, tid);
        if (tid == t->inf.pid)
            t->inf.ops->ended(t, WIFEXITED(status) ? EZ_EV_EXITED : EZ_EV_SIGNALED,
                              WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
        return NULL;
    }
    return thread_note_stop(t, ez_thread_add(t, tid), status, what);
}
