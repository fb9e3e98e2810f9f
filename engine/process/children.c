/* SPDX-License-Identifier: GPL-3.0-or-later */
/* children.c - the session's lists of the target's child processes, and the release of children.
 * follow.c and offer.c decide what happens to a child.
 * Tests: tests/procs/offer.sh, tests/procs/tree.sh */
#include "engine/inferior/pt.h"
#include "engine/inferior/stop.h"
#include "engine/process/session.h"

/* ---- lists -------------------------------------------------------------------------------- */

/* Removes pid from the list of *n pids. Returns false if it is not in the list. */
static bool children_remove(pid_t *at, size_t *n, pid_t pid)
{
    for (size_t i = 0; i < *n; i++) {
        if (at[i] == pid) {
            at[i] = at[--*n];
            return true;
        }
    }
    return false;
}

bool ez_fork_early(struct ez_target *t, pid_t pid)
{
    return children_remove(t->session.fork.early.at, &t->session.fork.early.n, pid);
}

bool ez_fork_over(struct ez_target *t, pid_t pid)
{
    return children_remove(t->session.fork.ended.at, &t->session.fork.ended.n, pid);
}

bool ez_fork_spurned(struct ez_target *t, pid_t pid)
{
    return children_remove(t->session.fork.spurned.at, &t->session.fork.spurned.n, pid);
}

int ez_offer_index(const struct ez_target *t, pid_t child)
{
    for (size_t i = 0; i < t->session.fork.offer.n; i++)
        if (t->session.fork.offer.at[i].child == child)
            return (int)i;
    return -1;
}

void ez_offer_forget(struct ez_target *t, int i)
{
    t->session.fork.offer.at[i] = t->session.fork.offer.at[--t->session.fork.offer.n];
}

bool ez_fork_knows(const struct ez_target *t, pid_t pid)
{
    for (size_t i = 0; i < t->session.fork.early.n; i++)
        if (t->session.fork.early.at[i] == pid)
            return true;
    return pid == t->session.fork.child || ez_offer_index(t, pid) >= 0;
}

/* ---- releasing ---------------------------------------------------------------------------- */

/* ez_fork_to_exec and ez_fork_let_go try twice, because no other code would resume a child that
 * stays stopped. */
ez_err *ez_fork_to_exec(pid_t child, int sig)
{
    ez_err *e;
    EZ_TWICE(e, pt_cont(child, sig, "let a vfork child run to its exec"));
    return e;
}

ez_err *ez_fork_let_go(pid_t pid, int sig)
{
    ez_err *e;
    EZ_TWICE(e, pt_detach(pid, sig, "release a process that the kernel attached"));
    if (!e || e->code != EZ_E_GONE)
        return e;
    ez_err_free(e);
    return NULL;
}

/* Releases the children that run under ptrace until their exec. Those that have not ended also
 * become orphaned tracees, because a child that is not stopped cannot be released yet. */
static void children_drop_offers(struct ez_target *t)
{
    for (size_t i = 0; i < t->session.fork.offer.n; i++)
        if (!ez_err_drop(ez_fork_let_go(t->session.fork.offer.at[i].child, 0)) ||
            !ez_is_zombie(t->session.fork.offer.at[i].child, t->session.fork.offer.at[i].child))
            ez_thread_orphan(t, t->session.fork.offer.at[i].child);
    t->session.fork.offer.n = 0;
}

void ez_fork_drop(struct ez_target *t)
{
    if (t->session.fork.child)
        EZ_PUSH(&t->session.fork.early, t->session.fork.child);
    for (size_t i = 0; i < t->session.fork.early.n; i++)
        if (!ez_err_drop(ez_fork_let_go(t->session.fork.early.at[i], 0)) || !t->session.fork.stands)
            /* a running child is released at its next stop */
            ez_thread_orphan(t, t->session.fork.early.at[i]);
    t->session.fork.early.n = t->session.fork.ended.n = t->session.fork.spurned.n = 0;
    children_drop_offers(t);
    t->session.fork.child = 0;
    t->session.fork.stands = t->session.fork.shares = false;
}
