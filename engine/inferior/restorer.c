/* SPDX-License-Identifier: GPL-3.0-or-later */
/* restorer.c - makes a thread run an injected call so that the shell's death does no harm.
 *
 * A thread that runs an injected call has the call's register values until the shell restores the
 * old ones. If the shell were killed before that, the thread would continue with the call's values,
 * and a single-stepped thread would keep the trap flag, too. So the call is made from a block of
 * code, the *restorer*: a system call instruction, then code that loads every register from the
 * block and jumps to where the thread was. While the shell lives, the thread executes only the
 * first instruction: PTRACE_SYSCALL stops the thread before and after the call, and the shell
 * restores the registers in a stop from which the kernel restarts a system call that eztsh had
 * interrupted. If the shell is dead, the block restores the registers. The program's interrupted
 * system call begins again, or sleeps for the rest of its time.
 *
 * call.c calls a function from such a block, too, in memory that is mapped for the call and has
 * room for the vector registers. In a copy of the process (inject.c) the block ends the copy.
 *
 * Signals are blocked during the call: with a timer of some kHz, a signal would come before each
 * call. The block contains the earlier signal mask. The signal that had stopped the thread is sent
 * to the thread again: it is blocked like other signals, and arrives after the call (restorer_park,
 * restorer_unpark). SIGSTOP cannot be blocked, so it is delivered at once.
 *
 * The block is at the end of the runtime's code. Before the runtime is mapped, the block is
 * *borrowed*: it is written over zeros behind the last section of a loaded file, in the last
 * executable page; no code reads or executes these zeros. The bytes are set to zero again after the
 * call. If a shell died in between, the next attach first sets the registers of a thread in the
 * block to those that the block has, then clears the block. If no file has enough zeros, inject.c
 * steps a thread over a system call instruction instead.
 * Invariant: whenever the shell dies, the released thread continues where it was.
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

/* Returns true if the EZ_RESTORER_BYTES at address `at`, the end of a file's executable mapping,
 * are behind all sections. */
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

/* Returns the first address with enough zeros from which a jump reaches pc; if `left` is true, the
 * address of a block that a dead shell left. Returns 0 if there is none. */
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
    EZ_TWICE(e, ez_mem_write(t, at, zeros, sizeof zeros, "clear the bytes that eztsh used"));
    return e;
}

/* Returns true if a thread's pc is, or may be, in the block at `at`. Then the block must not be
 * written or cleared. */
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
    EZ_TRY_TWICE(pt_setsigmask(th->tid, mask, "restore the signal mask"));
    EZ_TWICE(e, ez_thread_set_regs(th, &home));
    return e;
}

/* Moves threads out of a block that a dead shell left. A thread that was forking a copy of the
 * process is not moved, because the block's code then reaps the copy. */
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
 * delivered at once: if it were sent after the call, it would undo a SIGCONT that came in
 * between. */
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

/* Sends th->sig, the signal that stopped the thread, to the thread again, with its siginfo; the
 * thread blocks it now. A SIGSTOP becomes a group stop: the shell can make the thread leave it, and
 * the kernel stops the thread again when the thread is released. */
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

/* Makes the signal that restorer_park() sent arrive. The thread executes no instruction before
 * that, because any pending signal stops it first, even one that was sent to the whole process. */
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
    /* A stepped thread with a pending signal was not settled (step.c), so it has the trap flag
     * until it resumes. If it resumed with SIGTRAP blocked and the shell died, the kernel would end
     * the program even though SIGTRAP has a handler. */
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
    return pt_getsigmask(th->tid, &was->mask, "read the mask of blocked signals");
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
