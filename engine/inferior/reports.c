/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reports.c - finds the target that a report of the kernel is for.
 *
 * wait() knows one parent, not its targets: a target that waits for any thread may be given
 * another target's report. Such a report is kept for its target. A SIGCHLD can be read only once:
 * the target that reads it wakes the others by their eventfds. With a single target nothing is
 * looked up. A thread belongs to the target that knows it; a new thread belongs to the target of
 * its process or its parent.
 * Test: tests/unit/engine/check_two.c */
#include "engine/target.h"

#include <poll.h>
#include <string.h>
#include <sys/signalfd.h>

#include "engine/inferior/pt.h"

static struct ez_target *targets; /* list of all targets */

void ez_reports_begin(struct ez_target *t)
{
    t->next_target = targets;
    targets = t;
}

void ez_reports_end(struct ez_target *t)
{
    struct ez_target **at = &targets;
    while (*at && *at != t)
        at = &(*at)->next_target;
    if (*at)
        *at = t->next_target;
    EZ_VEC_FREE(&t->late);
}

static void reports_wake(struct ez_target *t)
{
    uint64_t one = 1;
    if (write(t->eventfd, &one, sizeof one) < 0)
        return; /* the counter is full: the target will wake anyway */
}

void ez_wait_report(struct ez_target *t, int ms)
{
    struct pollfd p = { t->sigfd, POLLIN, 0 };
    struct signalfd_siginfo si[16];
    if (poll(&p, 1, ms) <= 0)
        return;
    while (read(t->sigfd, si, sizeof si) > 0)
        continue;
    for (struct ez_target *o = targets; o; o = o->next_target)
        if (o != t)
            reports_wake(o);
}

static bool reports_known(struct ez_target *t, pid_t tid)
{
    if (tid == t->pid || tid == t->fork.child || ez_thread_find(t, tid))
        return true;
    for (size_t i = 0; i < t->stray.n; i++)
        if (t->stray.at[i] == tid)
            return true;
    for (size_t i = 0; i < t->fork.early.n; i++)
        if (t->fork.early.at[i] == tid)
            return true;
    return false;
}

static struct ez_target *reports_owner(struct ez_target *t, pid_t tid)
{
    struct ez_proc_status s;
    if (!targets || !targets->next_target)
        return t;
    for (struct ez_target *o = targets; o; o = o->next_target)
        if (reports_known(o, tid))
            return o;
    ez_proc_status(tid, 0, &s);
    for (struct ez_target *o = targets; o; o = o->next_target)
        if (o->pid && ((uint64_t)o->pid == s.process || (uint64_t)o->pid == s.parent))
            return o;
    return t;
}

static bool reports_kept(struct ez_target *t, pid_t tid, int *status, pid_t *got)
{
    for (size_t i = 0; i < t->late.n; i++) {
        if (tid > 0 && t->late.at[i].tid != tid)
            continue;
        *got = t->late.at[i].tid;
        *status = t->late.at[i].status;
        t->late.n--;
        memmove(t->late.at + i, t->late.at + i + 1, (t->late.n - i) * sizeof *t->late.at);
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
        EZ_PUSH(&owner->late, ((struct ez_late_report){ *got, *status }));
    }
}
