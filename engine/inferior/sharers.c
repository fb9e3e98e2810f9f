/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sharers.c - sharers: processes that use the target's memory without being threads of it (clone
 * with CLONE_VM, neither CLONE_THREAD nor CLONE_VFORK).
 *
 * Why: A sharer executes the target's text: while text is written, it could execute a half-written
 *     instruction. And a sharer usually has the same thread pointer as the thread that created it,
 *     so both would write to the same buffer and corrupt it.
 * Rule: No probe is planted while there is a sharer. Sharers that appear after that are stopped
 *     while text changes, and their program counters are moved like those of threads. A full ring
 *     never makes sharers wait (engine/record/drain.c).
 * A vfork's child is not a sharer: its parent sleeps in the kernel and can be stopped only when the
 * child ends or execs.
 * Tests: tests/procs/sharers.sh */
#include <ctype.h>
#include <dirent.h>
#include <linux/kcmp.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/inferior/pt.h"
#include "engine/inferior/stop.h"
#include "engine/inferior/reports.h"
#include "engine/inferior/thread.h"

#define DEADLINE_MS 2000

bool ez_shares_memory(pid_t a, pid_t b)
{
    return syscall(SYS_kcmp, a, b, KCMP_VM, 0, 0) == 0;
}

/* Returns a task of process pid that has not ended, or 0. An ended task has no address space any
 * more. */
static pid_t sharers_live_task(pid_t pid)
{
    char path[64];
    pid_t found = ez_is_zombie(pid, pid) ? 0 : pid;
    snprintf(path, sizeof path, "/proc/%d/task", pid);
    DIR *dir = found ? NULL : opendir(path);
    for (struct dirent *d; dir && !found && (d = readdir(dir));)
        if (isdigit((unsigned char)*d->d_name) && !ez_is_zombie(pid, atoi(d->d_name)))
            found = atoi(d->d_name);
    if (dir)
        closedir(dir);
    return found;
}

pid_t ez_sharer(pid_t pid, pid_t above)
{
    pid_t found = 0, live = sharers_live_task(pid);
    DIR *dir = live ? opendir("/proc") : NULL;
    for (struct dirent *d; dir && (d = readdir(dir));) {
        pid_t p = isdigit((unsigned char)*d->d_name) ? atoi(d->d_name) : 0;
        if (p > above && p != pid && (!found || p < found) && ez_shares_memory(p, live))
            found = p;
    }
    if (dir)
        closedir(dir);
    return found && ez_is_zombie(pid, live) ? 0 : found;
}

ez_err *ez_sharers_none(struct ez_target *t)
{
    pid_t other = ez_sharer(t->inf.pid, 0);
    if (!other)
        return NULL;
    return ez_err_hint(
        ez_err_new(EZ_E_REFUSED, 0, "process %d shares the memory of process %d", other,
                   t->inf.pid),
        "It is not a thread of that process, but would execute its probes: end it first");
}

static ez_err *sharers_wait_for(struct ez_target *t, pid_t tid)
{
    int64_t deadline = ez_now_ms() + DEADLINE_MS;
    for (struct ez_thread *th; (th = ez_thread_find(t, tid)) && !th->stopped;) {
        int status;
        pid_t got = 0;
        enum ez_meaning what;
        ez_err *e =
            ez_report(t, tid, WNOHANG, &status, &got, "stop a process that shares the memory");
        if (e && e->code == EZ_E_GONE)
            ez_thread_remove(t, tid);
        else if (e)
            return e;
        ez_err_free(e);
        if (got)
            EZ_TRY(ez_thread_update(t, tid, status, &what));
        else if (!e && ez_now_ms() > deadline)
            return ez_err_new(EZ_E_TIMEOUT, 0,
                              "Process %d shares the memory of process %d, and does not stop", tid,
                              t->inf.pid);
        else if (!e)
            ez_wait_report(t, 5);
    }
    return NULL;
}

static ez_err *sharers_stop_task(struct ez_target *t, struct ez_sharers *s, pid_t tid)
{
    const char *why = "stop a process that shares the memory";
    bool lent = t->inf.ops->child_lend(t, tid); /* engine/process already traces the process. */
    ez_err *e = lent ? NULL : pt_seize(tid, 0, why);
    if (!e) {
        EZ_PUSH(&s->tid, tid);
        if (lent)
            EZ_PUSH(&s->lent, tid);
        ez_thread_add(t, tid)->stop_requested = true;
        e = pt_interrupt(tid, why);
    }
    if (!e)
        e = sharers_wait_for(t, tid);
    if (!e || e->code != EZ_E_GONE)
        return e;
    ez_err_free(e);
    return NULL;
}

static ez_err *sharers_stop_process(struct ez_target *t, struct ez_sharers *s, pid_t pid)
{
    char path[64];
    ez_err *e = NULL;
    snprintf(path, sizeof path, "/proc/%d/task", pid);
    DIR *dir = opendir(path);
    for (struct dirent *d; dir && !e && (d = readdir(dir));)
        if (isdigit((unsigned char)*d->d_name) && !ez_thread_find(t, atoi(d->d_name)))
            e = sharers_stop_task(t, s, atoi(d->d_name));
    if (dir)
        closedir(dir);
    return e;
}

ez_err *ez_sharers_stop(struct ez_target *t, struct ez_sharers *s)
{
    ez_err *e = NULL;
    size_t before;
    do { /* repeated until no new sharer appears */
        before = s->tid.n;
        for (pid_t pid = 0; !e && (pid = ez_sharer(t->inf.pid, pid));)
            e = sharers_stop_process(t, s, pid);
    } while (!e && s->tid.n > before);
    if (e)
        ez_sharers_release(t, s);
    return e;
}

/* Hands a stopped sharer that engine/process traces back to engine/process, still traced. Returns
 * false if th is not such a sharer. */
static bool sharers_give_back(struct ez_target *t, const struct ez_sharers *s, struct ez_thread *th)
{
    pid_t tid = th->tid;
    int sig = th->sig;
    bool lent = false;
    for (size_t i = 0; i < s->lent.n; i++)
        lent |= s->lent.at[i] == tid;
    if (!lent || !th->stopped)
        return false;
    ez_thread_remove(t, tid);
    ez_err_drop(t->inf.ops->child_back(t, tid, sig));
    return true;
}

void ez_sharers_release(struct ez_target *t, struct ez_sharers *s)
{
    for (size_t i = 0; i < s->tid.n; i++) {
        struct ez_thread *th = ez_thread_find(t, s->tid.at[i]);
        ez_err *e;
        if (!th || sharers_give_back(t, s, th))
            continue;
        EZ_TWICE(e, pt_detach(th->tid, th->sig, "detach from a process that shares the memory"));
        if (!ez_err_drop(e) && !th->stopped)
            EZ_PUSH(&t->inf.orphan, th->tid);
        ez_thread_remove(t, s->tid.at[i]);
    }
    EZ_VEC_FREE(&s->tid);
    EZ_VEC_FREE(&s->lent);
}
