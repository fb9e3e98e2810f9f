/* SPDX-License-Identifier: GPL-3.0-or-later */
/* follow.c - `set follow-fork-mode child`: at the first fork in the foreground the shell releases
 * the parent and continues with the child.
 *
 * FORK. The child is a copy of the parent, with the same patches, but the kernel has wiped its
 * control blocks: its calls run through the inherited trampolines uncounted, and open calls return
 * through the return trampolines as in the parent. While both processes are stopped, eztsh restores
 * the parent's text as `detach` does, then the text under each inherited patch of the child. The
 * probes are planted in the child again, with a runtime, rings and a trace of its own.
 *
 * VFORK. The child uses the parent's memory until it execs or ends. Until then eztsh writes no
 * text, the child's calls count as the parent's, and both processes run. At the child's exec the
 * parent is released, and the probes are planted in the new program as after any exec. Every child
 * that shares the parent's memory (kcmp) is handled as a vfork's child. If the child ends without
 * an exec, the parent stays the target.
 *
 * The kernel reports the fork and the child's first stop in any order. If a fork is not followed, a
 * note names the child, and the child is released at once. Sources: ptrace(2). With `set
 * follow-fork-mode offer`, offer.c handles the children.
 * Errors: an error in releasing the parent is posted as a note, and the child is followed.
 * Tests: tests/procs/follow.sh, tests/unit/process/check_life.c */
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include "engine/process/session.h"
#include "engine/inferior/stop.h"
#include "engine/inferior/begin.h"
#include "engine/inferior/mem.h"
#include "engine/inferior/modules.h"
#include "engine/inferior/queue.h"
#include "engine/probe/solib.h"

/* ---- reports ---------------------------------------------------------------------------- */

static void follow_ended(struct ez_target *t, pid_t child)
{
    ez_post_note(t, "[Child process %d ended before it could be followed]", child);
}

/* Returns true if the child is to be followed: only the first one, and not a clone other than fork
 * or vfork. */
static bool follow_wants(const struct ez_target *t, enum ez_birth how)
{
    return t->set.follow_mode == EZ_FOLLOW_CHILD && !t->session.fork.child && how != EZ_BORN_CLONE;
}

/* Removes the inherited traps of halts from a child that does not share the parent's memory. */
static void follow_cleanse(struct ez_target *t, pid_t child)
{
    if (t->inf.halts.trap.n && !ez_shares_memory(t->inf.pid, child))
        ez_halt_traps_cleanse(t, child);
}

ez_err *ez_fork_seen(struct ez_target *t, pid_t child, enum ez_birth how)
{
    static const char *const word[] = { "fork", "vfork", "clone" };
    bool stopped = ez_fork_early(t, child), offers = t->set.follow_mode == EZ_FOLLOW_OFFER;
    if (ez_fork_over(t, child)) {
        if (!offers)
            follow_ended(t, child);
        return NULL;
    }
    follow_cleanse(t, child);
    if (offers)
        return ez_offer_born(t, t->inf.pid, child, how, stopped);
    if (!follow_wants(t, how)) {
        ez_post_note(t, "[Detaching after %s from child process %d]", word[how], child);
        /* A child that has not stopped yet is released at its first report. */
        return stopped ? ez_fork_let_go(child, 0) : NULL;
    }
    t->session.fork.child = child;
    t->session.fork.shares = how == EZ_BORN_VFORK || ez_shares_memory(t->inf.pid, child);
    t->session.fork.stands = stopped && !t->session.fork.shares;
    return stopped && t->session.fork.shares ? ez_fork_to_exec(child, 0) : NULL;
}

static ez_err *follow_child_stopped(struct ez_target *t, int status)
{
    int event = status >> 16, sig = event ? 0 : WSTOPSIG(status);
    if (!t->session.fork.shares || event == PTRACE_EVENT_EXEC) {
        t->session.fork.stands = true;
        return NULL;
    }
    return ez_fork_to_exec(t->session.fork.child, sig);
}

/* Returns true if the report is a child's first stop and the child must stay stopped, because only
 * the parent's report of the fork, which comes later, decides about the child. */
static bool follow_awaits(struct ez_target *t, pid_t pid, int status)
{
    bool offers = t->set.follow_mode == EZ_FOLLOW_OFFER ||
                  (t->set.follow_mode == EZ_FOLLOW_CHILD && !t->session.fork.child);
    return offers && status >> 16 == PTRACE_EVENT_STOP && !ez_fork_spurned(t, pid);
}

ez_err *ez_fork_report(struct ez_target *t, pid_t pid, int status)
{
    if (ez_offer_index(t, pid) >= 0)
        return ez_offer_report(t, pid, status);
    if (!WIFSTOPPED(status) && pid != t->session.fork.child) {
        /* the child has ended; the parent's report of the fork, which comes later, handles it */
        if (ez_fork_early(t, pid))
            EZ_PUSH(&t->session.fork.ended, pid);
        return NULL;
    }
    if (!WIFSTOPPED(status)) {
        follow_ended(t, pid);
        t->session.fork.child = 0;
        t->session.fork.stands = false;
        return NULL;
    }
    if (pid == t->session.fork.child)
        return follow_child_stopped(t, status);
    if (follow_awaits(t, pid, status)) {
        EZ_PUSH(&t->session.fork.early, pid);
        return NULL;
    }
    /* a child's first stop, before the parent's report of the fork */
    if (status >> 16 == PTRACE_EVENT_STOP)
        follow_cleanse(t, pid);
    return ez_fork_let_go(pid, status >> 16 ? 0 : WSTOPSIG(status));
}

/* ---- switching to the child --------------------------------------------------------------- */

static ez_err *follow_leave_parent(struct ez_target *t)
{
    ez_err *e = ez_clear_out(t, 0);
    ez_err_drop(ez_threads_detach(t));
    ez_process_forget(t);
    ez_notify_accounting(t);
    return e;
}

static ez_err *follow_plant(struct ez_target *t, const struct ez_jumps *j, bool execed)
{
    if (execed) {
        EZ_TRY(ez_exec_finish(t));
        EZ_TRY(ez_image_fresh(t));
        EZ_TRY(ez_image_known(t));
        return ez_image_launch(t, false);
    }
    EZ_TRY(ez_mem_open(t));
    EZ_TRY(ez_jumps_restore(t, j));
    EZ_TRY(ez_image_fresh(t));
    ez_solib_consistent(t, true);
    ez_plugins_forked(t);
    if (!ez_probes_any_pending(t))
        return NULL;
    EZ_TRY(ez_probes_pending(t, false));
    return ez_probes_watch(t);
}

static ez_err *follow_adopt_child(struct ez_target *t, pid_t child, bool attached,
                                  const struct ez_jumps *j, bool execed)
{
    /* The process is not this shell's child: once it is released, only its parent can wait for
     * it. */
    ez_process_new(t, child, attached, false);
    ez_inferior_stands(t);
    ez_err *e = follow_plant(t, j, execed);
    if (t->inf.state == EZ_NONE || (e && e->code == EZ_E_GONE))
        return e;
    if (e) { /* the child continues, unprobed */
        ez_post_note(t, "Probes could not be planted in process %d: %s.", child, e->msg);
        ez_err_free(e);
    }
    return t->inf.state == EZ_STOPPED ? ez_threads_cont(t) : NULL;
}

ez_err *ez_follow_child(struct ez_target *t)
{
    enum ez_state was;
    pid_t parent = t->inf.pid, child = t->session.fork.child;
    bool execed = t->session.fork.shares, attached = t->inf.attached;
    struct ez_jumps jumps = { 0 };
    /* From now on the session belongs to the child, even if releasing the parent fails. */
    t->session.fork.child = 0;
    t->session.fork.stands = t->session.fork.shares = false;
    if (!execed)
        ez_jumps_collect(t, &jumps);
    ez_err *e = ez_world_stop(t, &was);
    if (!e)
        e = follow_leave_parent(t);
    if (e)
        ez_post_note(t, "Process %d could not be detached cleanly: %s.", parent, e->msg);
    ez_err_free(e);
    if (t->inf.state != EZ_NONE) {
        ez_err_drop(ez_threads_detach(t));
        ez_process_forget(t);
    }
    ez_post_note(t, "[Attaching after process %d %s to child process %d]", parent,
                 execed ? "vfork" : "fork", child);
    ez_post_note(t, "[Inferior 1 (process %d) detached]", parent);
    e = follow_adopt_child(t, child, attached, &jumps, execed);
    ez_jumps_free(&jumps);
    return e;
}
