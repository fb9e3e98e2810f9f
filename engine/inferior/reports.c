/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reports.c - waits for reports of the kernel, and finds the target to which each belongs.
 *
 * The shell can have several targets, but wait() returns reports of any of them. A report for
 * another target is kept until that target waits. A SIGCHLD can be read only once: the target that
 * reads it wakes the other targets by their eventfds. With a single target, every report belongs to
 * that target. With several, a report belongs to the target that has the thread in a list; a new
 * thread belongs to the target of its process or of its parent.
 * Tests: tests/unit/inferior/check_two.c */
#include "engine/target.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>

#include "engine/inferior/pt.h"
#include "engine/inferior/reports.h"
#include "engine/inferior/thread.h"

static struct ez_target *targets; /* list of all targets */

ez_err *ez_reports_begin(struct ez_target *t)
{
    sigset_t chld;
    sigemptyset(&chld);
    sigaddset(&chld, SIGCHLD);
    sigprocmask(SIG_BLOCK, &chld, NULL);
    t->inf.sigfd = signalfd(-1, &chld, SFD_CLOEXEC | SFD_NONBLOCK);
    t->inf.eventfd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (t->inf.sigfd < 0 || t->inf.eventfd < 0)
        return ez_err_new(EZ_E_SYS, errno,
                          "Cannot create the descriptors that report events of a process");
    t->inf.next_target = targets;
    targets = t;
    return NULL;
}

void ez_reports_end(struct ez_target *t)
{
    struct ez_target **at = &targets;
    while (*at && *at != t)
        at = &(*at)->inf.next_target;
    if (*at)
        *at = t->inf.next_target;
    EZ_VEC_FREE(&t->inf.late);
    if (t->inf.sigfd >= 0)
        close(t->inf.sigfd);
    if (t->inf.eventfd >= 0)
        close(t->inf.eventfd);
}

static void reports_wake(struct ez_target *t)
{
    uint64_t one = 1;
    if (write(t->inf.eventfd, &one, sizeof one) < 0)
        return; /* The eventfd's counter is full, so the target will wake anyway. */
}

void ez_wait_report(struct ez_target *t, int ms)
{
    struct pollfd p = { t->inf.sigfd, POLLIN, 0 };
    struct signalfd_siginfo si[16];
    if (poll(&p, 1, ms) <= 0)
        return;
    while (read(t->inf.sigfd, si, sizeof si) > 0)
        continue;
    for (struct ez_target *o = targets; o; o = o->inf.next_target)
        if (o != t)
            reports_wake(o);
}

static bool reports_known(struct ez_target *t, pid_t tid)
{
    if (tid == t->inf.pid || t->inf.ops->child_known(t, tid) || ez_thread_find(t, tid))
        return true;
    for (size_t i = 0; i < t->inf.orphan.n; i++)
        if (t->inf.orphan.at[i] == tid)
            return true;
    return false;
}

static struct ez_target *reports_owner(struct ez_target *t, pid_t tid)
{
    struct ez_proc_status s;
    if (!targets || !targets->inf.next_target)
        return t;
    for (struct ez_target *o = targets; o; o = o->inf.next_target)
        if (reports_known(o, tid))
            return o;
    ez_proc_status(tid, 0, &s);
    for (struct ez_target *o = targets; o; o = o->inf.next_target)
        if (o->inf.pid && ((uint64_t)o->inf.pid == s.process || (uint64_t)o->inf.pid == s.parent))
            return o;
    return t;
}

static bool reports_kept(struct ez_target *t, pid_t tid, int *status, pid_t *got)
{
    for (size_t i = 0; i < t->inf.late.n; i++) {
        if (tid > 0 && t->inf.late.at[i].tid != tid)
            continue;
        *got = t->inf.late.at[i].tid;
        *status = t->inf.late.at[i].status;
        t->inf.late.n--;
        memmove(t->inf.late.at + i, t->inf.late.at + i + 1,
                (t->inf.late.n - i) * sizeof *t->inf.late.at);
        return true;
    }
    return false;
}

ez_err *ez_report(struct ez_target *t, pid_t tid, int flags, int *status, pid_t *got,
                  const char *why)
{
    if (reports_kept(t, tid, status, got))
        return NULL;
    for (;;) {
        EZ_TRY(pt_wait(tid, flags, status, got, why));
        struct ez_target *owner = *got > 0 && tid <= 0 ? reports_owner(t, *got) : t;
        if (owner == t)
            return NULL;
        EZ_PUSH(&owner->inf.late, ((struct ez_late_report){ *got, *status }));
    }
}

/* ---- one thread ---------------------------------------------------------------------------- */

/* Consumes the reports of threads that have ended, except the main thread: the kernel reports the
 * main thread's end only after theirs. */
static void reports_reap_others(struct ez_target *t)
{
    for (size_t i = t->inf.thread.n; i-- > 0;) {
        pid_t tid = t->inf.thread.at[i]->tid, got = 0;
        int status;
        if (tid != t->inf.pid && ez_is_zombie(t->inf.pid, tid) &&
            ez_err_drop(ez_report(t, tid, WNOHANG, &status, &got, "detect the end of a thread")) &&
            got)
            ez_thread_remove(t, tid);
    }
}

/* A failed wait is repeated, because a report that remains unread would be returned by a later
 * wait. */
ez_err *ez_wait_thread(struct ez_target *t, pid_t tid, int *status, pid_t *got, const char *why)
{
    int64_t dead_since = 0;
    for (bool again = false;; again = true) {
        /* With one thread, the wait sleeps until the report. */
        int flags = t->inf.thread.n > 1 ? WNOHANG : 0;
        ez_err *e = ez_report(t, tid, flags, status, got, why);
        if (e && e->code != EZ_E_GONE) {
            ez_err_free(e);
            e = ez_report(t, tid, flags, status, got, why);
        }
        if (e || *got)
            return e;
        if (again && ez_is_zombie(t->inf.pid, tid)) {
            if (!dead_since)
                dead_since = ez_now_ms();
            if (ez_now_ms() > dead_since + REAP_MS)
                return ez_err_new(EZ_E_GONE, 0, "Cannot %s: thread %d is gone", why, tid);
            if (tid == t->inf.pid)
                reports_reap_others(t);
        }
        ez_wait_report(t, 5);
    }
}
