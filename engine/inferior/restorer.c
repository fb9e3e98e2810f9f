/* SPDX-License-Identifier: GPL-3.0-or-later */
/* restorer.c - makes a thread run an injected call so that the shell's death does no harm.
 *
 * A thread that runs an injected call has foreign registers until the shell restores its own. If
 * the shell is killed in between, the thread would keep the foreign registers, and a single-stepped
 * thread would keep the trap flag too. So the call is made from a block of code, the *restorer*: a
 * system call instruction, then code that loads every register from the block and jumps to where
 * the thread was. While the shell lives, the thread never gets beyond the first instruction:
 * PTRACE_SYSCALL stops it before and after the call, and the shell restores its registers in a stop
 * from which the kernel restarts an interrupted system call. If the shell is dead, the block
 * restores the thread. An interrupted call begins again, or goes on for the rest of its time.
 *
 * A function is called in the same way (call.c), from a block in memory of its own, where there is
 * room for the vector registers. A copy of the process (inject.c) ends by itself.
 *
 * Signals are blocked during the call: with a timer of some kHz, a signal would come before each
 * call. The block has the earlier signal mask. The signal that had stopped the thread is sent to
 * the thread again; it is blocked like the others, and arrives at the end (restorer_park,
 * restorer_unpark). SIGSTOP cannot be blocked, so it is delivered at once.
 *
 * The block is at the end of the runtime's code. Before the runtime is mapped, the block is
 * *borrowed*: it is written over zeros after the last section of some file's code, in the last
 * executable page, which nothing reads or runs. The bytes are set to zero again when the call is
 * done; the next attach clears what a dead shell left there, and before that restores a thread that
 * is still in the block as the block would. If no file has enough zeros, inject.c steps a thread
 * over a system call instruction instead. Invariant: if the thread is released, at whatever point
 * of the shell's work, it continues where it was.
 * Tests: tests/unit/arch/check_restorer.c, tests/procs/sweep.sh (DIE) */
#include <string.h>
#include <sys/wait.h>

#include "engine/inferior/pt.h"
#include "engine/inferior/stop.h"
#include "engine/inferior/maps.h"
#include "engine/inferior/mem.h"
#include "engine/inferior/modules.h"
#include "engine/inferior/restorer.h"
#include "engine/inferior/thread.h"

#define TRIES 64

void ez_restorer_is(struct ez_target *t, uint64_t at)
{
    t->inf.restorer = at;
}

/* ---- finding a place ------------------------------------------------------------------ */

/* Returns true if the bytes at `at`, the end of a file's executable segment, are behind all
 * sections. */
static bool restorer_behind_sections(struct ez_target *t, const struct ez_map *m, uint64_t at)
{
    struct ez_module *mod = ez_module_at(t, at);
    uint8_t byte;
    if (strcmp(m->perm, "r-xp") || !m->inode || !mod || !mod->obj || m->hi - m->lo < EZ_PAGE)
        return false;
    for (uint64_t i = 0; i < EZ_RESTORER_BYTES; i += 8)
        if (ez_object_read_text(mod->obj, at + i - mod->bias, &byte, 1))
            return false;
    return true;
}

/* Finds the first place with enough zeros from which a thread can jump back to pc, or, with `left`,
 * a block that a dead shell left. Returns 0 if there is none. */
static uint64_t restorer_find_place(struct ez_target *t, bool left, uint64_t pc)
{
    const int64_t reach = left ? 0 : t->inf.arch->restorer.reach;
    static const uint8_t zeros[EZ_RESTORER_BYTES];
    struct ez_maps maps;
    uint64_t found = 0;
    if (!ez_err_drop(ez_maps_read(t->inf.pid, &maps)))
        return 0;
    for (size_t i = 0; i < maps.map.n && !found; i++) {
        const struct ez_map *m = &maps.map.at[i];
        uint64_t at = m->hi - EZ_RESTORER_BYTES;
        uint8_t live[EZ_RESTORER_BYTES];
        if (reach && EZ_MAX(at, pc) - EZ_MIN(at, pc) >= (uint64_t)reach - EZ_RESTORER_BYTES)
            continue;
        if (restorer_behind_sections(t, m, at) &&
            ez_mem_read_some(t, at, live, sizeof live) == sizeof live &&
            (left ? t->inf.arch->restorer.left(live) : !memcmp(live, zeros, sizeof live)))
            found = at;
    }
    ez_maps_free(&maps);
    return found;
}

static ez_err *restorer_wipe(struct ez_target *t, uint64_t at)
{
    static const uint8_t zeros[EZ_RESTORER_BYTES];
    ez_err *e;
    EZ_TWICE(e, ez_mem_write(t, at, zeros, sizeof zeros, "give borrowed bytes back"));
    return e;
}

/* Returns true if a thread may be in the block at `at`, which an earlier shell left. Then the block
 * must not be cleared. */
static bool restorer_in_use(struct ez_target *t, uint64_t at)
{
    for (size_t i = 0; i < t->inf.thread.n; i++) {
        struct ez_regs *r;
        if (!t->inf.thread.at[i]->stopped ||
            !ez_err_drop(ez_thread_regs(t->inf.thread.at[i], &r)) ||
            t->inf.arch->regs.pc(r) - at < EZ_RESTORER_BYTES)
            return true;
    }
    return false;
}

uint64_t ez_restorer_for(struct ez_target *t, struct ez_thread *th)
{
    struct ez_regs *live;
    if (!th->stopped || !t->inf.arch->restorer.left || !ez_err_drop(ez_thread_regs(th, &live)))
        return 0;
    uint64_t at = t->inf.restorer ? t->inf.restorer
                                  : restorer_find_place(t, false, t->inf.arch->regs.pc(live));
    return at && !restorer_in_use(t, at) ? at : 0;
}

ez_err *ez_restorer_skip(struct ez_target *t, struct ez_thread *th,
                         const uint8_t block[EZ_RESTORER_BYTES])
{
    struct ez_regs *live, home;
    uint64_t mask;
    ez_err *e;
    EZ_TRY(ez_thread_regs(th, &live));
    home = *live;
    t->inf.arch->restorer.home(block, &home, &mask);
    /* The mask is set before the registers: if the shell dies in between, the thread is still in
     * the block, which restores it. */
    EZ_TRY_TWICE(pt_setsigmask(th->tid, mask, "let signals come again"));
    EZ_TWICE(e, ez_thread_set_regs(th, &home));
    return e;
}

/* Moves threads out of a block that a dead shell left. A thread that is copying the process stays,
 * because the block waits for the end of the copy. */
static ez_err *restorer_lead_out(struct ez_target *t, uint64_t at)
{
    uint8_t block[EZ_RESTORER_BYTES];
    EZ_TRY(ez_mem_read(t, at, block, sizeof block));
    if (t->inf.arch->restorer.left(block) != EZ_RESTORED_SYSCALL)
        return NULL;
    for (size_t i = 0; i < t->inf.thread.n; i++) {
        struct ez_thread *th = t->inf.thread.at[i];
        struct ez_regs *r;
        if (th->stopped && ez_err_drop(ez_thread_regs(th, &r)) &&
            t->inf.arch->regs.pc(r) - at < EZ_RESTORER_BYTES)
            EZ_TRY(ez_restorer_skip(t, th, block));
    }
    return NULL;
}

ez_err *ez_restorer_tidy(struct ez_target *t)
{
    uint64_t at = t->inf.arch->restorer.left ? restorer_find_place(t, true, 0) : 0;
    if (!at)
        return NULL;
    EZ_TRY(restorer_lead_out(t, at));
    return restorer_in_use(t, at) ? NULL : restorer_wipe(t, at);
}

/* ---- the call --------------------------------------------------------------------------- */

/* Runs the thread to its next stop at a system call. A SIGSTOP, which cannot be blocked, is
 * delivered at once. If it were sent again later, it would undo a SIGCONT that came meanwhile. */
static ez_err *restorer_to_syscall(struct ez_target *t, struct ez_thread *th, const char *why)
{
    for (int i = 0; i < TRIES; i++) {
        enum ez_meaning what;
        int sig = th->sig == SIGSTOP ? SIGSTOP : 0;
        th->sig = 0;
        EZ_TRY_TWICE(pt_syscall(th->tid, sig, why));
        EZ_TRY(ez_thread_report(t, th, &what, why));
        if (what == SYSCALL)
            return NULL;
    }
    th->sig = 0;
    return ez_err_new(EZ_E_TIMEOUT, 0, "Thread %d did not reach eztsh's system call (to %s)",
                      th->tid, why);
}

static ez_err *restorer_through(struct ez_target *t, struct ez_thread *th, int64_t *result,
                                const char *why)
{
    struct ez_regs *live;
    EZ_TRY(restorer_to_syscall(t, th, why));
    EZ_TRY(restorer_to_syscall(t, th, why));
    EZ_TRY_TWICE(ez_thread_regs(th, &live));
    *result = t->inf.arch->abi.result(live);
    return ez_thread_border(t, th, why);
}

ez_err *ez_restorer_leave(struct ez_target *t, struct ez_thread *th, const char *why)
{
    EZ_TRY(restorer_to_syscall(t, th, why));
    return ez_thread_border(t, th, why);
}

/* ---- the kept signal ------------------------------------------------------------------------ */

/* Sends the thread's kept signal, with its siginfo, to the thread again, in which it is blocked. A
 * SIGSTOP becomes a group stop. The thread can be moved out of a group stop, and is in it again
 * when it is released. */
static ez_err *restorer_park(struct ez_target *t, struct ez_thread *th, const char *why)
{
    enum ez_meaning what;
    int sig = th->sig;
    if (!sig)
        return NULL;
    ez_siginfo_put_back(th);
    th->sig = 0;
    EZ_TRY(pt_interrupt(th->tid, why));
    EZ_TRY_TWICE(pt_cont(th->tid, sig, why));
    return ez_thread_report(t, th, &what, why);
}

/* Makes the parked signal arrive again. The thread executes no instruction, because a pending
 * signal stops it first, also a signal that was sent to the whole process. */
static ez_err *restorer_unpark(struct ez_target *t, struct ez_thread *th, int sig, bool reported)
{
    const char *why = "have its signal come again";
    enum ez_meaning what;
    if (!ez_signal_pending(t, th->tid, sig))
        return NULL;
    EZ_TRY_TWICE(pt_cont(th->tid, 0, why));
    EZ_TRY(ez_thread_report(t, th, &what, why));
    th->reported = reported && th->sig == sig;
    return NULL;
}

ez_err *ez_restorer_enter(struct ez_target *t, struct ez_thread *th, const struct ez_regs *r,
                          uint64_t hold, struct ez_restored_thread *was, const char *why)
{
    /* A stepped thread with a kept signal was not settled (step.c), so it has the trap flag until
     * it goes on. If SIGTRAP were blocked then and the shell died, the kernel would end the program
     * in spite of a handler. */
    bool flagged = th->sig && th->stepped;
    was->sig = th->sig == SIGSTOP ? 0 : th->sig;
    was->reported = th->reported;
    EZ_TRY_TWICE(ez_thread_set_regs(th, r));
    if (was->sig)
        hold |= 1ull << (was->sig - 1);
    EZ_TRY(pt_setsigmask(th->tid, flagged ? hold & EZ_HOLD : hold, "hold signals back"));
    EZ_TRY(restorer_park(t, th, why));
    return flagged ? pt_setsigmask(th->tid, hold, "hold signals back") : NULL;
}

ez_err *ez_restorer_home(struct ez_target *t, struct ez_thread *th,
                         const struct ez_restored_thread *was, ez_err *e)
{
    ez_err *back;
    e = ez_signals_come(th, was->mask, e);
    if (e && e->code == EZ_E_GONE)
        return e;
    EZ_TWICE(back, ez_thread_set_regs(th, &was->regs));
    if (!back && was->sig && !th->sig)
        back = restorer_unpark(t, th, was->sig, was->reported);
    return ez_err_first(e, back);
}

ez_err *ez_restorer_keep(struct ez_thread *th, struct ez_restored_thread *was)
{
    struct ez_regs *live;
    EZ_TRY(ez_thread_regs(th, &live));
    was->regs = *live;
    return pt_getsigmask(th->tid, &was->mask, "see which signals are held back");
}

/* ---- a system call --------------------------------------------------------------------------- */

ez_err *ez_restorer_inject(struct ez_target *t, struct ez_thread *th, uint64_t at,
                           const struct ez_syscall *call, int64_t *result, const char *why)
{
    struct ez_restored_thread was;
    uint8_t block[EZ_RESTORER_BYTES];
    EZ_TRY(ez_restorer_keep(th, &was));
    struct ez_restorer a = { .what = call->copies ? EZ_RESTORED_COPY : EZ_RESTORED_SYSCALL,
                             .back = &was.regs,
                             .at = at,
                             .func = t->inf.arch->regs.pc(&was.regs),
                             .mask = was.mask };
    struct ez_regs r = was.regs;
    t->inf.arch->restorer.write(block, &a);
    EZ_TRY(ez_mem_write(t, at, block, sizeof block, why));
    t->inf.arch->syscall.prepare(&r, at, call->nr, call->arg);
    ez_err *e = ez_restorer_enter(t, th, &r, ~0ull, &was, why);
    if (!e)
        e = restorer_through(t, th, result, why);
    e = ez_restorer_home(t, th, &was, e);
    if ((e && e->code == EZ_E_GONE) || at == t->inf.restorer)
        return e;
    ez_err *wiped = restorer_wipe(t, at);
    return ez_err_first(e, wiped);
}
