/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stop.c - stops the target, and resumes it.
 *
 * A thread that job control stopped (SIGSTOP) stays stopped (PTRACE_LISTEN) when the target
 * resumes, even if eztsh has stepped it or injected a call. In the foreground every thread is
 * seized, so that signals can be reported. In the background no thread is seized, because any
 * signal would stop a traced thread until the shell reacts. Sources: ptrace(2), "Attaching and
 * detaching", "Group-stop".
 * Tests: tests/unit/inferior/check_steps.c, tests/unit/inferior/check_live.c */
#include "engine/inferior/stop.h"

#include <dirent.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "engine/inferior/catch.h"
#include "engine/inferior/pt.h"
#include "engine/inferior/modules.h"
#include "engine/inferior/reports.h"
#include "engine/inferior/thread.h"

#define STOP_DEADLINE_MS 10000

/* ---- stopping -------------------------------------------------------------------------- */

/* Removes tid from the orphaned tracees. Returns true if tid was in the list, so that the thread is
 * still traced. */
static bool stop_orphan_remove(struct ez_target *t, pid_t tid)
{
    for (size_t i = 0; i < t->inf.orphan.n; i++) {
        if (t->inf.orphan.at[i] == tid) {
            t->inf.orphan.at[i] = t->inf.orphan.at[--t->inf.orphan.n];
            return true;
        }
    }
    return false;
}

ez_err *ez_let_go_late(pid_t tid, int status)
{
    ez_err *e;
    EZ_TWICE(e, pt_detach(tid, status >> 16 ? 0 : WSTOPSIG(status), "release an orphaned tracee"));
    return e;
}

void ez_orphans_release(struct ez_target *t)
{
    for (size_t i = t->inf.orphan.n; i-- > 0;) {
        pid_t tid = t->inf.orphan.at[i], got = 0;
        int status;
        if (tid == t->inf.pid && t->inf.child)
            continue; /* engine/process/wait.c reports its end */
        if (ez_err_drop(ez_report(t, tid, WNOHANG, &status, &got, "release an orphaned tracee"))) {
            if (!got)
                continue;
            if (WIFSTOPPED(status))
                ez_err_drop(ez_let_go_late(tid, status));
        }
        stop_orphan_remove(t, tid);
    }
}

/* Waits up to ms milliseconds for the end of the process. Returns true if its last thread is gone;
 * a process with its pid would be another one. */
static bool stop_is_over(const struct ez_target *t, int ms)
{
    struct pollfd end = { t->inf.pidfd, POLLIN, 0 };
    return t->inf.pidfd >= 0 && poll(&end, 1, ms) > 0;
}

/* Returns true if a process other than this shell traces the thread. A tracer that is not visible
 * in this pid namespace does not count. */
static bool stop_traced_by_another(const struct ez_target *t, pid_t tid)
{
    struct ez_proc_status s;
    return ez_proc_status(t->inf.pid, tid, &s) && s.tracer && s.tracer != (uint64_t)getpid();
}

/* Seizes every live task of the process that is not in t's list of threads, and adds it to the
 * list. *born: number of added threads. */
static ez_err *stop_seize_all(struct ez_target *t, int *born)
{
    char path[64];
    struct dirent *d;
    *born = 0;
    snprintf(path, sizeof path, "/proc/%d/task", t->inf.pid);
    DIR *dir = opendir(path);
    if (!dir)
        return ez_err_new(EZ_E_GONE, 0, "Process %d is gone", t->inf.pid);
    ez_err *err = NULL;
    while (!err && (d = readdir(dir))) {
        pid_t tid = atoi(d->d_name);
        if (tid <= 0 || ez_thread_find(t, tid) || ez_is_zombie(t->inf.pid, tid))
            continue;
        err = pt_seize(tid, EZ_SEIZE_OPTIONS, "stop all threads");
        /* EPERM: this shell traces the task already, an orphaned tracee or a new thread
         * (PTRACE_O_TRACECLONE). */
        bool orphan = stop_orphan_remove(t, tid);
        bool ours = !err || (err->code == EZ_E_PERM && (t->inf.thread.n || orphan) &&
                             !stop_traced_by_another(t, tid));
        if (err && (err->code == EZ_E_GONE || ours)) {
            ez_err_free(err);
            err = NULL;
        }
        if (ours) {
            ez_thread_add(t, tid);
            ++*born;
        }
    }
    closedir(dir);
    if (!err && stop_is_over(t, 0))
        return ez_err_new(EZ_E_GONE, 0, "Process %d is gone", t->inf.pid);
    return err;
}

static ez_err *stop_interrupt_all(struct ez_target *t)
{
    for (size_t i = 0; i < t->inf.thread.n; i++) {
        struct ez_thread *th = t->inf.thread.at[i];
        if (th->stopped || th->stop_requested)
            continue;
        ez_err *e = pt_interrupt(th->tid, "stop all threads");
        if (e && e->code != EZ_E_GONE)
            return e;
        ez_err_free(e); /* EZ_E_GONE: the thread has ended; the kernel will report its end */
        th->stop_requested = true;
    }
    return NULL;
}

/* Returns a thread that has not stopped yet, or NULL. A zombie main thread never stops. */
static struct ez_thread *stop_still_running(struct ez_target *t)
{
    for (size_t i = 0; i < t->inf.thread.n; i++)
        if (!t->inf.thread.at[i]->stopped && !ez_is_zombie(t->inf.pid, t->inf.thread.at[i]->tid))
            return t->inf.thread.at[i];
    return NULL;
}

/* Lets the system call finish in which the thread has stopped: a clone, whose result the kernel
 * writes into a register only after the report; or a watched system call (`set solib-watch
 * syscalls`), which an injected call would replace. */
static ez_err *stop_finish_call(struct ez_target *t, struct ez_thread *th)
{
    /* A stop is requested again, because any report cancels an earlier request. */
    EZ_TRY(pt_interrupt(th->tid, "stop all threads"));
    th->stop_requested = true;
    th->stopped = th->regs_known = false;
    /* a catchpoint may wait for the end of the call */
    return ez_catch_calls(t) ? pt_syscall(th->tid, 0, "let its system call finish")
                             : pt_cont(th->tid, 0, "let its system call finish");
}

static bool stop_in_clone(int status)
{
    int event = WIFSTOPPED(status) ? status >> 16 : 0;
    return event == PTRACE_EVENT_CLONE || event == PTRACE_EVENT_FORK || event == PTRACE_EVENT_VFORK;
}

static ez_err *stop_collect(struct ez_target *t)
{
    int64_t deadline = ez_now_ms() + STOP_DEADLINE_MS;
    struct ez_thread *th;
    while ((th = stop_still_running(t))) {
        int status;
        pid_t tid;
        enum ez_meaning what;
        EZ_TRY(ez_report(t, -1, WNOHANG, &status, &tid, "stop all threads"));
        if (!tid) {
            if (ez_now_ms() > deadline)
                return ez_err_hint(
                    ez_err_new(EZ_E_TIMEOUT, 0,
                               "Thread %d does not stop within 10 s: it may sleep uninterruptibly",
                               th->tid),
                    "The parent of a vfork sleeps so until its child calls exec; try again later");
            ez_wait_report(t, 5);
            continue;
        }
        EZ_TRY(ez_thread_update(t, tid, status, &what));
        if (what == EXEC)
            EZ_TRY(t->inf.ops->execed(t, tid));
        if (t->inf.state == EZ_NONE)
            return ez_err_new(EZ_E_GONE, 0, "The process ended");
        /* the thread was resumed after its exec, and must be interrupted again */
        if (what == EXEC && t->inf.state == EZ_RUNNING)
            EZ_TRY(stop_interrupt_all(t));
        th = ez_thread_find(t, tid);
        if (th && what == SIGNAL)
            ez_catch_note(t, th, EZ_CAUGHT_SIGNAL, th->sig);
        if (th && !th->caught.kind && (what == SYSCALL || stop_in_clone(status))) {
            ez_err *e = stop_finish_call(t, th);
            if (e && e->code != EZ_E_GONE)
                return e;
            ez_err_free(e); /* EZ_E_GONE: the thread has ended; the kernel will report its end */
        }
    }
    return NULL;
}

/* Records the end of a process that ended while it was being stopped, so that its trace is
 * closed. */
static void stop_note_end(struct ez_target *t)
{
    int status;
    pid_t got = 0;
    enum ez_meaning what;
    bool over = stop_is_over(t, REAP_MS);
    if (!ez_err_drop(
            ez_report(t, t->inf.pid, WNOHANG, &status, &got, "wait for the end of the process")) ||
        !got) {
        if (over || ez_is_zombie(t->inf.pid, t->inf.pid))
            t->inf.ops->ended(t, EZ_EV_GONE, 0);
    } else if (!WIFSTOPPED(status)) {
        ez_err_drop(ez_thread_update(t, got, status, &what));
    }
}

/* Handles error e of a stop that failed half way: stops all threads if possible, because only a
 * stopped thread can be released, then resumes or releases them (state `was`). Returns e, or a more
 * precise error instead of it. */
static ez_err *stop_let_go_partial(struct ez_target *t, enum ez_state was, ez_err *e)
{
    if (e->code == EZ_E_PERM && was == EZ_BACKGROUND && !t->inf.thread.n && ez_image_changed(t)) {
        ez_err_free(e);
        return t->inf.ops->lost(t);
    }
    if (t->inf.state != EZ_NONE && e->code == EZ_E_GONE)
        stop_note_end(t);
    if (t->inf.state != EZ_NONE && e->code != EZ_E_TIMEOUT && ez_err_drop(stop_interrupt_all(t)))
        ez_err_drop(stop_collect(t));
    if (t->inf.state == EZ_NONE)
        return e;
    ez_err_drop(was == EZ_BACKGROUND ? ez_threads_detach(t) : ez_threads_cont(t));
    t->inf.state = was; /* an exec that was reported in between has changed the state */
    return e;
}

/* Consumes the report of a traced thread's end; until then the thread is a zombie and its process
 * cannot end. Does not consume the main thread's report, because it is the report of the process's
 * end. */
static void stop_reap_thread(struct ez_target *t, pid_t tid)
{
    int64_t deadline = ez_now_ms() + REAP_MS;
    while (tid != t->inf.pid && ez_now_ms() < deadline) {
        int status;
        pid_t got = 0;
        if (!ez_err_drop(ez_report(t, tid, WNOHANG, &status, &got, "detect the end of a thread")) ||
            (got && !WIFSTOPPED(status)))
            return;
        if (!got)
            ez_wait_report(t, 1);
    }
}

/* Removes threads that ended while ez_world_stop() stopped the other threads. */
static void stop_forget_ended(struct ez_target *t)
{
    for (size_t i = t->inf.thread.n; i-- > 0;) {
        pid_t tid = t->inf.thread.at[i]->tid;
        if (t->inf.thread.at[i]->stopped)
            continue;
        stop_reap_thread(t, tid);
        ez_thread_remove(t, tid);
    }
}

ez_err *ez_world_stop(struct ez_target *t, enum ez_state *was)
{
    int born;
    ez_err *e;
    *was = t->inf.state;
    EZ_TRY(ez_need_process(t));
    if (t->inf.state == EZ_STOPPED)
        return NULL;
    do {
        e = stop_seize_all(t, &born);
        if (!e)
            e = stop_interrupt_all(t);
        if (!e)
            e = stop_collect(t);
        if (e)
            return stop_let_go_partial(t, *was, e);
    } while (born);
    stop_forget_ended(t);
    if (!t->inf.thread.n)
        return stop_let_go_partial(
            t, *was, ez_err_new(EZ_E_GONE, 0, "Process %d has no live thread", t->inf.pid));
    t->inf.state = EZ_STOPPED;
    t->inf.seized = true;
    if (!ez_thread_find(t, t->inf.current))
        t->inf.current = ez_live_tid(t);
    e = *was == EZ_BACKGROUND && ez_image_changed(t) ? t->inf.ops->replaced(t) : ez_traps_settle(t);
    if (!e && t->inf.state == EZ_STOPPED)
        e = ez_halt_traps_out(t);
    /* the caller expects that after an error the target is not stopped */
    if (e && t->inf.state == EZ_STOPPED)
        ez_err_drop(ez_world_resume(t, *was));
    return e;
}

/* ---- going on ---------------------------------------------------------------------------- */

void ez_siginfo_put_back(struct ez_thread *th)
{
    if (th->sig && th->has_info && th->stepped)
        ez_err_drop(pt_setsiginfo(th->tid, &th->info, "deliver the kept signal as it was"));
}

static ez_err *stop_run_on(struct ez_target *t, struct ez_thread *th, const char *why)
{
    return t->set.solib_syscalls || ez_catch_calls(t) ? pt_syscall(th->tid, th->sig, why)
                                                      : pt_cont(th->tid, th->sig, why);
}

/* Resumes the thread; with `set solib-watch syscalls` or a catchpoint on system calls, until its
 * next system call. Tries twice,
 * because other threads might wait for ever for a thread that stays stopped. */
ez_err *ez_run_on(struct ez_target *t, struct ez_thread *th, const char *why)
{
    ez_err *e;
    EZ_TWICE(e, stop_run_on(t, th, why));
    return e;
}

ez_err *ez_cont_group_stopped(struct ez_target *t, struct ez_thread *th)
{
    int status;
    pid_t got;
    enum ez_meaning what;
    ez_err *e = pt_listen(th->tid, "leave it stopped by job control");
    if (!e || e->code == EZ_E_GONE)
        return e;
    /* The thread has left the group stop (it was stepped). An interrupt makes it enter the group
     * stop again. */
    ez_err_free(e);
    EZ_TRY(pt_interrupt(th->tid, "find the group stop again"));
    EZ_TRY(pt_cont(th->tid, 0, "find the group stop again"));
    EZ_TRY(ez_wait_thread(t, th->tid, &status, &got, "find the group stop again"));
    EZ_TRY(ez_thread_update(t, got, status, &what));
    if (what == GROUP)
        return pt_listen(th->tid, "leave it stopped by job control");
    return what == ENDED ? NULL : pt_cont(th->tid, 0, "go on: job control released it");
}

ez_err *ez_threads_cont(struct ez_target *t)
{
    ez_err *first = NULL;
    t->inf.at_ready = false;
    ez_stops_settle(t);
    for (size_t i = 0; i < t->inf.thread.n; i++) {
        struct ez_thread *th = t->inf.thread.at[i];
        pid_t tid = th->tid;
        ez_err *e;
        if (!th->stopped)
            continue;
        if (th->group_stop) {
            e = ez_cont_group_stopped(t, th);
            if (t->inf.state == EZ_NONE)
                return e;
            /* the thread has ended, and the last thread of the list has moved to index i */
            if (ez_thread_find(t, tid) != th) {
                ez_err_free(e);
                i--;
                continue;
            }
        } else {
            ez_siginfo_put_back(th);
            e = ez_run_on(t, th, "continue");
        }
        th->stopped = th->stepped = th->has_info = th->regs_known = false;
        th->sig = 0;
        th->caught.kind = EZ_CAUGHT_NOTHING;
        th->call_again = th->call_again && ez_catch_calls(t);
        if (e && e->code != EZ_E_GONE && !first)
            first = e;
        else
            ez_err_free(e);
    }
    t->inf.state = EZ_RUNNING;
    return first;
}

void ez_thread_orphan(struct ez_target *t, pid_t tid)
{
    EZ_PUSH(&t->inf.orphan, tid);
}

ez_err *ez_threads_detach(struct ez_target *t)
{
    t->inf.at_ready = false;
    ez_stops_settle(t);
    for (size_t i = 0; i < t->inf.thread.n; i++) {
        struct ez_thread *th = t->inf.thread.at[i];
        ez_siginfo_put_back(th);
        ez_err *e;
        EZ_TWICE(e, pt_detach(th->tid, th->sig, "let go"));
        if (ez_err_drop(e))
            continue;
        if (th->stopped)
            stop_reap_thread(t, th->tid);
        else /* the thread runs, so it cannot be released yet; its next stop must be handled */
            ez_thread_orphan(t, th->tid);
    }
    t->inf.ops->child_drop(t);
    ez_threads_clear(t);
    t->inf.seized = false;
    return NULL;
}

ez_err *ez_world_resume(struct ez_target *t, enum ez_state was)
{
    t->inf.ops->resuming(t);
    if (t->inf.state != EZ_STOPPED || was == EZ_STOPPED)
        return NULL;
    if (was == EZ_BACKGROUND) {
        EZ_TRY(ez_threads_detach(t));
        t->inf.state = EZ_BACKGROUND;
        return NULL;
    }
    /* A catchpoint may stop the program, which engine/move decides. */
    if (ez_caught_thread(t)) {
        t->inf.halts.tid = ez_caught_thread(t)->tid;
        return NULL;
    }
    ez_err *renewed = t->inf.halts.renew ? t->inf.halts.renew(t, t->inf.halts.renew_arg) : NULL;
    return ez_err_first(renewed, ez_threads_cont(t));
}
