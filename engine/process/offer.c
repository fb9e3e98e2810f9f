/* SPDX-License-Identifier: GPL-3.0-or-later */
/* offer.c - `set follow-fork-mode offer`: each child of the process is held for another shell.
 *
 * A program that drives a tree of processes, with one shell for each process, is notified of a
 * child by an event, and attaches a new shell to the child. Until then the child must not run its
 * own code, and other processes must not notice that it is held. If no shell attaches, or if this
 * shell dies, the child must continue by itself. So the child is neither stopped by a signal nor
 * traced: it sleeps in a block (engine/inferior/sleep_block.c).
 *
 * FORK. The child is a copy: the inherited jumps are removed, and the child is held at its birth.
 * Both happen at the report of the fork, while the thread that forked is stopped. The parent's
 * rings are not mapped in the child, and no code reaches the runtime and the trampolines that the
 * child inherited. So the next shell finds a process without probes.
 *
 * VFORK, and every child that shares its parent's memory. The child runs under ptrace to its exec,
 * and is held at the new program's first instruction. A child that ends before its exec is not
 * held.
 *
 * A separate struct ez_target, `hand`, is used for work on the child. It is reused for the next
 * child, because it has the symbols of the files.
 *
 * DETACH. When the user detaches the process, children that still sleep continue at once.
 *
 * Errors: a child that cannot be held (seccomp, a program for another processor) continues; a note
 * says so.
 * Tests: tests/procs/offer.sh, tests/procs/sweep.sh (offer) */
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "engine/inferior/guard.h"
#include "engine/inferior/pt.h"
#include "engine/inferior/stop.h"
#include "engine/process/session.h"
#include "engine/inferior/begin.h"
#include "engine/inferior/inject.h"
#include "engine/inferior/mem.h"
#include "engine/inferior/modules.h"
#include "engine/inferior/queue.h"
#include "engine/inferior/reports.h"
#include "engine/inferior/restorer.h"
#include "engine/inferior/thread.h"

/* ---- holding a child -------------------------------------------------------------------- */

static ez_err *offer_hand(struct ez_target *t, struct ez_target **hand)
{
    if (!t->session.fork.hand)
        EZ_TRY(ez_target_new(t->inf.ops, &t->session.fork.hand));
    *hand = t->session.fork.hand;
    (*hand)->set = t->set;
    return NULL;
}

/* Prepares the sleep of a child that is stopped at its birth: removes the inherited jumps and
 * guard. */
static ez_err *offer_prepare_copy(struct ez_target *t, struct ez_target *hand)
{
    struct ez_jumps j = { 0 };
    EZ_TRY(ez_mem_open(hand));
    ez_jumps_collect(t, &j);
    ez_err *e = ez_jumps_restore(hand, &j);
    ez_jumps_free(&j);
    EZ_TRY(e);
    EZ_TRY(ez_inject_allowed(hand));
    ez_restorer_is(hand, t->inf.restorer); /* the child inherited the runtime's restorer */
    if (!t->inf.restorer)
        EZ_TRY(ez_modules_refresh(hand));
    return ez_guard_tidy(hand);
}

/* Prepares the sleep of a child that is stopped in its exec. */
static ez_err *offer_prepare_image(struct ez_target *hand)
{
    EZ_TRY(ez_exec_finish(hand));
    EZ_TRY(ez_mem_open(hand));
    EZ_TRY(ez_inject_allowed(hand));
    EZ_TRY(ez_modules_refresh(hand));
    return ez_image_known(hand);
}

/* Permits a later shell to attach. Yama permits only a process's ancestors to trace it, and the
 * later shell is not an ancestor. PR_SET_PTRACER permits it for all descendants of this shell's
 * parent. An error is ignored, because the later attach reports it. */
static void offer_permit(struct ez_target *hand)
{
    const uint64_t arg[6] = { PR_SET_PTRACER, (uint64_t)getppid() };
    int64_t r;
    if (ez_yama_scope() == 1 && geteuid())
        ez_err_drop(ez_inject_syscall(hand, ez_thread_current(hand), SYS_prctl, arg, &r,
                                      "let another shell trace it"));
}

/* Ends the work of `hand` on a child. If e is an error, first releases the child, which
 * continues. */
static void offer_put_down(struct ez_target *hand, const ez_err *e)
{
    if (e && hand->inf.state != EZ_NONE && hand->inf.seized)
        ez_err_drop(ez_threads_detach(hand));
    if (hand->inf.state != EZ_NONE)
        ez_process_forget(hand);
    ez_queue_drop(hand);
}

static ez_err *offer_hold(struct ez_target *t, struct ez_target *hand, pid_t child, bool execed)
{
    ez_process_new(hand, child, true, false);
    ez_inferior_stands(hand);
    ez_err *e = execed ? offer_prepare_image(hand) : offer_prepare_copy(t, hand);
    if (!e)
        offer_permit(hand);
    if (!e && hand->inf.state == EZ_NONE)
        e = ez_err_new(EZ_E_GONE, 0, "Process %d is gone", child);
    if (!e)
        e = ez_sleep_block(hand, ez_thread_current(hand), t->set.offer_timeout * 1000);
    if (!e)
        EZ_PUSH(&t->session.fork.held, child);
    offer_put_down(hand, e);
    return e;
}

/* Wakes a held child if it still sleeps. Another shell may have attached to it, its time may be
 * over, or its pid may belong to another process by now. So /proc/PID/syscall and then the child's
 * code are checked (sleep_block.c). */
static ez_err *offer_wake(struct ez_target *hand, pid_t child)
{
    enum ez_state was;
    bool slept;
    if (!ez_sleep_block_possible(child))
        return NULL;
    ez_process_new(hand, child, true, false);
    EZ_TRY(ez_world_stop(hand, &was));
    EZ_TRY(ez_mem_open(hand));
    for (size_t i = 0; i < hand->inf.thread.n; i++)
        if (hand->inf.thread.at[i]->stopped)
            EZ_TRY(ez_sleep_block_end(hand, hand->inf.thread.at[i], &slept));
    return ez_threads_detach(hand);
}

void ez_offer_end(struct ez_target *t)
{
    struct ez_target *hand = t->session.fork.hand;
    for (size_t i = 0; i < t->session.fork.held.n; i++) {
        pid_t child = t->session.fork.held.at[i];
        ez_err *e = offer_wake(hand, child);
        offer_put_down(hand, e);
        if (e && e->code != EZ_E_GONE && e->code != EZ_E_PERM)
            ez_post_note(
                t,
                "[Process %d cannot be woken, and is held until \"set offer-timeout\" is over: %s]",
                child, e->msg);
        ez_err_free(e);
    }
    t->session.fork.held.n = 0;
}

static ez_err *offer_make(struct ez_target *t, pid_t parent, pid_t child, bool execed)
{
    struct ez_target *hand;
    ez_err *e = offer_hand(t, &hand);
    if (e) {
        ez_err_drop(ez_fork_let_go(child, 0));
        return e;
    }
    e = offer_hold(t, hand, child, execed);
    if (!e)
        ez_post(t, (struct ez_event){
                       .kind = EZ_EV_FORKED, .tid = child, .number = parent, .status = execed });
    else if (e->code != EZ_E_GONE)
        ez_post_note(t, "[Process %d forked: child process %d is not held: %s]", parent, child,
                     e->msg);
    ez_err_free(e);
    return NULL;
}

/* ---- births ------------------------------------------------------------------------------- */

/* Waits for the first stop of a child, which the kernel traces from its birth. *alive: false if the
 * child was killed. */
static ez_err *offer_await(struct ez_target *t, pid_t child, bool *alive)
{
    int status = 0;
    pid_t got;
    ez_err *e;
    EZ_TWICE(e, ez_report(t, child, 0, &status, &got, "wait for the first stop of a child"));
    *alive = !e && WIFSTOPPED(status);
    if (e && e->code == EZ_E_GONE)
        return ez_err_drop(e), NULL;
    if (e)
        EZ_PUSH(&t->session.fork.spurned, child);
    return e;
}

ez_err *ez_offer_born(struct ez_target *t, pid_t parent, pid_t child, enum ez_birth how,
                      bool stopped)
{
    if (how == EZ_BORN_VFORK || ez_shares_memory(parent, child)) {
        EZ_PUSH(&t->session.fork.offer, ((struct ez_offer){ child, parent }));
        return stopped ? ez_fork_to_exec(child, 0) : NULL;
    }
    if (!stopped)
        EZ_TRY(offer_await(t, child, &stopped));
    return stopped ? offer_make(t, parent, child, false) : NULL;
}

/* Handles a fork, vfork or clone of pid, a child that shares its parent's memory. A new thread of
 * pid is released. */
static ez_err *offer_breeds(struct ez_target *t, pid_t pid, int event)
{
    unsigned long msg;
    struct ez_proc_status s;
    EZ_TRY_TWICE(pt_eventmsg(pid, &msg, "get the id of the child"));
    pid_t child = (pid_t)msg;
    bool stopped = ez_fork_early(t, child);
    if (ez_proc_status(child, 0, &s) && s.process != (uint64_t)child) {
        if (stopped)
            return ez_fork_let_go(child, 0);
        EZ_PUSH(&t->session.fork.spurned, child);
        return NULL;
    }
    return ez_offer_born(t, pid, child, event == PTRACE_EVENT_VFORK ? EZ_BORN_VFORK : EZ_BORN_FORK,
                         stopped);
}

ez_err *ez_offer_report(struct ez_target *t, pid_t pid, int status)
{
    int i = ez_offer_index(t, pid), event = status >> 16;
    pid_t parent = t->session.fork.offer.at[i].parent;
    ez_err *e = NULL;
    if (!WIFSTOPPED(status)) {
        ez_offer_forget(t, i);
        return NULL;
    }
    switch (event) {
    case PTRACE_EVENT_EXEC:
        ez_offer_forget(t, i);
        return offer_make(t, parent, pid, true);
    case PTRACE_EVENT_FORK:
    case PTRACE_EVENT_VFORK:
    case PTRACE_EVENT_CLONE:
        e = offer_breeds(t, pid, event);
        break;
    case PTRACE_EVENT_STOP:
        if (WSTOPSIG(status) != SIGTRAP)
            return pt_listen(pid, "leave it stopped by job control");
        break;
    default:
        break;
    }
    ez_err *on = ez_fork_to_exec(pid, event ? 0 : WSTOPSIG(status));
    return ez_err_first(e, on);
}

bool ez_offer_lend(struct ez_target *t, pid_t pid)
{
    int i = ez_offer_index(t, pid);
    if (i >= 0)
        ez_offer_forget(t, i);
    return i >= 0;
}

/* Continues a child after ez_offer_lend(). A child that no longer shares the target's memory is
 * stopped in its exec, which was reported in between, and is held. */
ez_err *ez_offer_back(struct ez_target *t, pid_t pid, int sig)
{
    if (!ez_shares_memory(t->inf.pid, pid))
        return offer_make(t, t->inf.pid, pid, true);
    EZ_PUSH(&t->session.fork.offer, ((struct ez_offer){ pid, t->inf.pid }));
    return ez_fork_to_exec(pid, sig);
}
