/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wait.c - handles what happens while the target runs: signals, execs, the end, requests of the
 * drain thread.
 *
 * signals.c decides about each signal, by default as gdb does. Reports for the user become events.
 * Tests: tests/unit/process/check_life.c, tests/procs/signals.sh */
#include "engine/process/session.h"
#include "engine/inferior/stop.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include "engine/inferior/catch.h"
#include "engine/inferior/pt.h"
#include "engine/inferior/progress.h"
#include "engine/inferior/halt.h"
#include "engine/inferior/queue.h"
#include "engine/inferior/reports.h"
#include "engine/inferior/temp_bp.h"
#include "engine/inferior/thread.h"
#include "engine/probe/act.h"
#include "engine/probe/solib.h"

static ez_err *wait_stop_for_user(struct ez_target *t, struct ez_thread *th)
{
    enum ez_state was;
    struct ez_event ev = { .kind = EZ_EV_STOPPED, .sig = th->sig, .tid = th->tid };
    pid_t tid = th->tid;
    EZ_TRY(ez_world_stop(t, &was));
    EZ_TRY(ez_temp_bp_unguard(t));
    th = ez_thread_find(t, tid);
    if (!th)
        return ez_err_new(EZ_E_GONE, 0, "Thread %d is gone", tid);
    ez_thread_select(t, tid);
    th->reported = true;
    struct ez_regs *r;
    EZ_TRY(ez_thread_regs(th, &r));
    ev.addr = t->inf.arch->regs.pc(r);
    ez_lines_seen(t, true);
    ez_post(t, ev);
    return NULL;
}

/* If the thread hit eztsh's temporary breakpoint, removes the breakpoint, sets the pc back to its
 * address, drops the SIGTRAP, and sets *hit to true. */
static ez_err *wait_temp_breakpoint(struct ez_target *t, struct ez_thread *th, bool *hit)
{
    struct ez_regs *r;
    *hit = false;
    if (!t->inf.temp_bp || th->sig != SIGTRAP)
        return NULL;
    EZ_TRY(ez_thread_regs(th, &r));
    if (t->inf.arch->regs.pc(r) != ez_temp_bp_pc(t))
        return NULL;
    struct ez_regs back = *r;
    t->inf.arch->regs.set_pc(&back, t->inf.temp_bp);
    EZ_TRY(ez_temp_bp_clear(t));
    EZ_TRY(ez_thread_set_regs(th, &back));
    th->sig = 0;
    th->has_info = false;
    *hit = true;
    return NULL;
}

/* Handles a thread that hit a halt: stops all threads and records the thread. engine/move decides
 * what the halt means. */
static ez_err *wait_halted(struct ez_target *t, pid_t tid)
{
    enum ez_state was;
    EZ_TRY(ez_world_stop(t, &was));
    ez_halts_stopped(t, tid);
    ez_lines_seen(t, true);
    return NULL;
}

static ez_err *wait_go_on(struct ez_target *t, struct ez_thread *th)
{
    ez_err *e = ez_run_on(t, th, "resume the thread");
    th->stopped = th->regs_known = false;
    th->sig = 0;
    th->call_again = th->call_again && ez_catch_calls(t);
    return e;
}

/* Handles a system call stop, which `set solib-watch syscalls` or a catchpoint requests. */
static ez_err *wait_syscall_seen(struct ez_target *t, struct ez_thread *th)
{
    pid_t tid = th->tid;
    if (t->set.solib_syscalls)
        EZ_TRY(ez_syswatch_stop(t, th));
    th = ez_thread_find(t, tid);
    return th && th->stopped && t->inf.state == EZ_RUNNING ? wait_go_on(t, th) : NULL;
}

ez_err *ez_signal_handle(struct ez_target *t, struct ez_thread *th)
{
    unsigned how = ez_signal_how(t, th->sig);
    if (how & EZ_SIG_STOP)
        return wait_stop_for_user(t, th);
    if (how & EZ_SIG_PRINT)
        ez_post(t, (struct ez_event){ .kind = EZ_EV_PASSED, .sig = th->sig, .tid = th->tid });
    if (!(how & EZ_SIG_PASS))
        th->sig = 0;
    return NULL;
}

static ez_err *wait_react(struct ez_target *t, struct ez_thread *th, enum ez_meaning what)
{
    bool hit;
    pid_t tid;
    if (th->caught.kind)
        return wait_halted(t, th->tid);
    switch (what) {
    case SIGNAL:
        EZ_TRY(wait_temp_breakpoint(t, th, &hit));
        if (hit)
            return wait_stop_for_user(t, th);
        /* the SIGINT has interrupted eztsh's work, so the program does not get it */
        if (th->sig == SIGINT && ez_progress_pop_int(t)) {
            th->sig = 0;
            return wait_go_on(t, th);
        }
        ez_trace_signal(t, th->tid, th->sig);
        ez_catch_note(t, th, EZ_CAUGHT_SIGNAL, th->sig);
        if (th->caught.kind)
            return wait_halted(t, th->tid);
        EZ_TRY(ez_signal_handle(t, th));
        return t->inf.state == EZ_RUNNING ? wait_go_on(t, th) : NULL;
    case HALT:
        return wait_halted(t, th->tid);
    case SYSCALL:
        return wait_syscall_seen(t, th);
    case GROUP:
        tid = th->tid;
        EZ_TRY(ez_cont_group_stopped(t, th));
        th = ez_thread_find(t, tid); /* the thread may have ended */
        if (th)
            th->stopped = false;
        return NULL;
    default:
        return wait_go_on(t, th);
    }
}

ez_err *ez_exec_seen(struct ez_target *t, pid_t tid)
{
    for (size_t i = t->inf.thread.n; i-- > 0;)
        if (t->inf.thread.at[i]->tid != tid)
            ez_thread_remove(t, t->inf.thread.at[i]->tid);
    return ez_image_execed(t);
}

/* Handles the end of a process in the background, for which eztsh reports only its end. */
static ez_err *wait_background(struct ez_target *t, bool *some)
{
    int status;
    pid_t got = 0;
    if (t->inf.child) {
        EZ_TRY(ez_report(t, t->inf.pid, WNOHANG, &status, &got, "detect the end of the process"));
        /* an orphaned tracee, which could not be released earlier */
        if (got && WIFSTOPPED(status))
            return ez_let_go_late(got, status);
        if (got && (WIFEXITED(status) || WIFSIGNALED(status))) {
            *some = true;
            ez_process_ended(t, WIFEXITED(status) ? EZ_EV_EXITED : EZ_EV_SIGNALED,
                             WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
        }
        return NULL;
    }
    struct pollfd p = { t->inf.pidfd, POLLIN, 0 };
    if (t->inf.pidfd >= 0 && poll(&p, 1, 0) > 0) {
        *some = true;
        ez_err_drop(
            ez_report(t, t->inf.pid, WNOHANG, &status, &got, "detect the end of the process"));
        ez_process_ended(t, EZ_EV_GONE, 0);
    }
    return NULL;
}

static ez_err *wait_seized(struct ez_target *t, bool *some)
{
    int status;
    pid_t tid;
    enum ez_meaning what;
    ez_err *e = ez_report(t, -1, WNOHANG, &status, &tid, "get the next event of the process");
    if (e && e->code == EZ_E_GONE) { /* no thread is left */
        ez_err_free(e);
        ez_process_ended(t, EZ_EV_GONE, 0);
        return NULL;
    }
    EZ_TRY(e);
    if (!tid)
        return NULL;
    *some = true;
    EZ_TRY(ez_thread_update(t, tid, status, &what));
    if (what == ENDED || t->inf.state == EZ_NONE)
        return NULL;
    if (what == EXEC)
        return ez_exec_seen(t, tid);
    struct ez_thread *th = ez_thread_find(t, tid);
    return th && t->inf.state == EZ_RUNNING ? wait_react(t, th, what) : NULL;
}

ez_err *ez_wait_poll(struct ez_target *t, bool *some)
{
    uint64_t n;
    *some = false;
    ez_wait_report(t, 0);
    if (t->inf.orphan.n && !t->inf.seized)
        ez_orphans_release(t);
    if (!ez_target_live(t))
        return NULL;
    if (read(t->inf.eventfd, &n, sizeof n) == sizeof n) {
        *some = true;
        EZ_TRY(ez_solib_event(t));
        ez_lines_seen(t, false);
        EZ_TRY(ez_acts_seen(t));
        EZ_TRY(ez_filters_spent(t));
        EZ_TRY(ez_budget_look(t));
        EZ_TRY(ez_specs_look(t));
        if (t->inf.state == EZ_NONE)
            return NULL;
    }
    if (t->inf.state == EZ_BACKGROUND)
        return wait_background(t, some);
    if (t->inf.state == EZ_RUNNING && t->session.fork.stands) {
        *some = true;
        return ez_follow_child(t);
    }
    ez_err *e = wait_seized(t, some);
    if (e && t->inf.state == EZ_RUNNING) /* resumes the threads that had stopped before the error */
        ez_err_drop(ez_threads_cont(t));
    return e;
}
