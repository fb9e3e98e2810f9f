/* SPDX-License-Identifier: GPL-3.0-or-later */
/* step.c - single steps, and short runs of one controlled thread.
 * Tests: tests/unit/inferior/check_steps.c, tests/unit/inferior/check_live.c,
 * tests/unit/inferior/check_called.c */
#include "engine/inferior/stop.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "arch/syscalls.h"
#include "engine/inferior/pt.h"
#include "engine/inferior/progress.h"
#include "engine/inferior/mem.h"
#include "engine/inferior/reports.h"
#include "engine/inferior/thread.h"

#define STEP_TRIES 64 /* maximum number of other stops before the stop that ends the step */
/* A round of waiting takes some ms. If a round took longer, only this much of it counts, because
 * the shell was not scheduled. */
#define STALL_MS 50
#define TRAP_BIT (1ull << (SIGTRAP - 1))

/* Unblocks SIGTRAP for the step. The kernel forces the SIGTRAP of a step: if the thread blocks
 * SIGTRAP, the kernel removes the program's handler for it for good. */
static ez_err *step_open_for_trap(struct ez_thread *th, uint64_t *mask)
{
    EZ_TRY(pt_getsigmask(th->tid, mask, "see whether SIGTRAP is held back"));
    return *mask & TRAP_BIT
               ? pt_setsigmask(th->tid, *mask & ~TRAP_BIT, "let the step's SIGTRAP through")
               : NULL;
}

/* Blocks SIGTRAP again, unless the stepped instruction changed the signal mask itself. */
static ez_err *step_close_again(struct ez_thread *th, uint64_t mask)
{
    uint64_t now;
    if (!(mask & TRAP_BIT))
        return NULL;
    EZ_TRY(pt_getsigmask(th->tid, &now, "see what is held back after a step"));
    return now == (mask & ~TRAP_BIT) ? pt_setsigmask(th->tid, mask, "hold SIGTRAP back again")
                                     : NULL;
}

/* The program can see the trap flag of the step: flags that it pushes contain the flag, and after a
 * popf the kernel takes the flag for the program's own. Either would raise a SIGTRAP after the
 * shell is gone. So both are corrected after the step, unless the program had set the flag before
 * the first step. */
struct flags {
    unsigned pushed; /* bytes of flags that the instruction pushes */
    bool own;        /* the program itself had set the trap flag */
};

/* The next instruction to step. */
struct next {
    struct ez_regs *regs; /* NULL: the thread has no readable registers or code */
    /* The time suffices for a system call and for an instruction that pushes flags. */
    uint8_t code[4];
    size_t n;
};

static struct next step_next(struct ez_target *t, struct ez_thread *th)
{
    struct next i = { 0 };
    if (ez_err_drop(ez_thread_regs(th, &i.regs)))
        i.n = ez_mem_read_some(t, t->inf.arch->regs.pc(i.regs), i.code, sizeof i.code);
    else
        i.regs = NULL;
    return i;
}

static struct flags step_before(const struct ez_target *t, const struct next *i)
{
    struct flags f = { .own = true };
    if (!i->regs)
        return f;
    struct ez_regs r = *i->regs;
    f.pushed = t->inf.arch->step.pushes_flags(i->code, i->n);
    f.own = t->inf.arch->step.clear_trap_flag(&r);
    return f;
}

static ez_err *step_after(struct ez_target *t, struct ez_thread *th, struct flags f)
{
    struct ez_regs *live, r;
    uint64_t flags = 0;
    if (f.own)
        return NULL;
    EZ_TRY(ez_thread_regs(th, &live));
    r = *live;
    if (f.pushed) {
        EZ_TRY(ez_mem_read(t, t->inf.arch->regs.sp(&r), &flags, f.pushed));
        flags &= ~t->inf.arch->step.trap_flag;
        EZ_TRY(
            ez_mem_write(t, t->inf.arch->regs.sp(&r), &flags, f.pushed, "take the trap flag back"));
    }
    return t->inf.arch->step.clear_trap_flag(&r) ? ez_thread_set_regs(th, &r) : NULL;
}

/* Returns true if a process or thread sent the signal, so that it does not come from the step. */
static bool step_sent(const struct ez_target *t, const struct ez_thread *th)
{
    bool by_nobody = t->inf.arch->step.by_nobody && th->info.si_code == SI_USER && !th->info.si_pid;
    return th->has_info && th->info.si_code <= 0 && !by_nobody;
}

/* The signal that a thread keeps. */
struct kept {
    int sig;
    bool had;
    siginfo_t info;
};

static struct kept step_keep(const struct ez_thread *th)
{
    return (struct kept){ th->sig, th->has_info, th->info };
}

static void step_give_back(struct ez_thread *th, const struct kept *k)
{
    th->sig = k->sig;
    th->has_info = k->had;
    th->info = k->info;
}

/* Keeps a signal that does not come from the step; the caller steps again without delivering it. A
 * thread keeps only one signal: the older one is given back to the kernel. The same signal twice
 * counts as one, as for the kernel: a SIGSTOP, which cannot be blocked, would come at each step. */
static void step_signalled(const struct ez_target *t, const struct ez_thread *th, int older)
{
    if (older && (older != th->sig || older >= SIGRTMIN) && !ez_signal_cancels(th->sig, older))
        tgkill(t->inf.pid, th->tid, older);
}

/* Returns true if the next instruction is a system call that changes the signal mask, perhaps only
 * while it sleeps. The SIGTRAP of a step comes before such a call returns, while its mask is in
 * force. If that mask blocks SIGTRAP, the kernel unblocks it for good, and removes the program's
 * handler. */
static bool step_sets_mask(const struct ez_target *t, const struct next *i)
{
    const struct ez_arch *a = t->inf.arch;
    return i->regs && i->n >= a->syscall.len && !memcmp(i->code, a->syscall.insn, a->syscall.len) &&
           ez_arch_sets_mask(a->syscall.next(i->regs));
}

/* Executes such a system call by PTRACE_SYSCALL, so that there is no SIGTRAP. */
static ez_err *step_through_call(struct ez_target *t, struct ez_thread *th, bool *trapped,
                                 const char *why)
{
    const struct kept kept = step_keep(th);
    enum ez_meaning what;
    *trapped = false;
    for (int tries = 0, borders = 0; borders < 2; borders += what == SYSCALL) {
        if (tries++ == STEP_TRIES)
            return ez_err_new(
                EZ_E_TIMEOUT, 0,
                "Thread %d stops again and again without completing a single step (to %s)", th->tid,
                why);
        EZ_TRY(pt_syscall(th->tid, 0, why));
        EZ_TRY(ez_thread_report(t, th, &what, why));
        th->stepped = true;
        if (what == SIGNAL) {
            step_signalled(t, th, kept.sig);
            return NULL;
        }
    }
    step_give_back(th, &kept);
    *trapped = true;
    return NULL;
}

static ez_err *step_once(struct ez_target *t, struct ez_thread *th, struct flags flags,
                         bool *trapped, const char *why)
{
    const struct kept kept = step_keep(th);
    int status;
    pid_t got;
    enum ez_meaning what;
    *trapped = false;
    for (int tries = 0; tries < STEP_TRIES; tries++) {
        EZ_TRY(pt_step(th->tid, 0, why));
        th->stopped = false;
        EZ_TRY(ez_wait_thread(t, th->tid, &status, &got, why));
        EZ_TRY(ez_thread_update(t, got, status, &what));
        if (what == ENDED || t->inf.state == EZ_NONE)
            return ez_err_new(EZ_E_GONE, 0, "Cannot %s: the process ended", why);
        th->stepped = true;
        bool sent = step_sent(t, th);
        if (what == SIGNAL && th->sig == SIGTRAP && !sent) {
            step_give_back(th, &kept);
            *trapped = true;
            return step_after(t, th, flags);
        }
        if (what == SIGNAL) {
            step_signalled(t, th, kept.sig);
            return NULL;
        }
    }
    return ez_err_new(EZ_E_TIMEOUT, 0,
                      "Thread %d stops again and again without completing a single step (to %s)",
                      th->tid, why);
}

ez_err *ez_signals_come(struct ez_thread *th, uint64_t mask, ez_err *e)
{
    ez_err *back;
    if (e && e->code == EZ_E_GONE)
        return e;
    EZ_TWICE(back, pt_setsigmask(th->tid, mask, "let signals come again"));
    return ez_err_first(e, back);
}

ez_err *ez_thread_step(struct ez_target *t, struct ez_thread *th, bool *trapped, const char *why)
{
    uint64_t mask;
    const struct next next = step_next(t, th);
    if (step_sets_mask(t, &next))
        return step_through_call(t, th, trapped, why);
    EZ_TRY(step_open_for_trap(th, &mask));
    ez_err *e = step_once(t, th, step_before(t, &next), trapped, why);
    if (e && e->code == EZ_E_GONE)
        return e;
    ez_err *r = step_close_again(th, mask);
    return ez_err_first(e, r);
}

ez_err *ez_thread_report(struct ez_target *t, struct ez_thread *th, enum ez_meaning *what,
                         const char *why)
{
    int status;
    pid_t got;
    th->stopped = false;
    EZ_TRY(ez_wait_thread(t, th->tid, &status, &got, why));
    EZ_TRY_TWICE(ez_thread_update(t, got, status, what));
    if (*what == ENDED || t->inf.state == EZ_NONE)
        return ez_err_new(EZ_E_GONE, 0, "Cannot %s: the process ended", why);
    return NULL;
}

ez_err *ez_thread_border(struct ez_target *t, struct ez_thread *th, const char *why)
{
    enum ez_meaning what;
    EZ_TRY_TWICE(pt_interrupt(th->tid, why));
    EZ_TRY_TWICE(pt_cont(th->tid, 0, why));
    return ez_thread_report(t, th, &what, why);
}

/* A stepped thread keeps the processor's trap flag while it is stopped. If the shell dies then, the
 * kernel releases the thread with the flag set, and the next SIGTRAP kills the target. To clear the
 * flag, a stop is requested (PTRACE_INTERRUPT) and the thread is resumed: it stops before it
 * executes an instruction. A thread with a kept signal keeps the flag, because its signal can be
 * delivered only from the stop in which it is. */
ez_err *ez_thread_settle(struct ez_target *t, struct ez_thread *th)
{
    int status;
    pid_t got;
    enum ez_meaning what;
    struct ez_regs *live, same;
    if (th->sig)
        return NULL;
    EZ_TRY(ez_thread_regs(th, &live));
    same = *live;
    EZ_TRY(pt_interrupt(th->tid, "end single-stepping"));
    EZ_TRY(pt_cont(th->tid, 0, "end single-stepping"));
    EZ_TRY(ez_wait_thread(t, th->tid, &status, &got, "end single-stepping"));
    EZ_TRY(ez_thread_update(t, got, status, &what));
    if (what == ENDED || t->inf.state == EZ_NONE)
        return ez_err_new(EZ_E_GONE, 0, "Cannot end single-stepping: the process ended");
    /* this stop interrupted no system call, so nothing has to be repaired */
    return ez_thread_set_regs(th, &same);
}

/* Resumes another thread during a call. If the thread has stopped by a signal that is not reported
 * to the user, the signal is delivered and the thread goes on, because it may hold a lock that the
 * call needs. */
static ez_err *step_let_go(struct ez_target *t, struct ez_thread *o)
{
    int sig = o->sig;
    if (o->group_stop || (sig && (o->reported || !ez_signal_passes(t, sig))))
        return NULL;
    EZ_TRY_TWICE(pt_cont(o->tid, sig, "let it give up locks meanwhile"));
    o->sig = 0;
    o->stopped = false;
    return NULL;
}

/* Repeats requests that fail once: if the function were abandoned (dlopen with a library half
 * loaded), the target would crash later. */
ez_err *ez_thread_run_to(struct ez_target *t, struct ez_thread *th, struct ez_range from, int ms,
                         bool others, const char *why)
{
    int64_t last = ez_now_ms(), had = 0;
    pid_t tid = th->tid;
    for (size_t i = 0; others && i < t->inf.thread.n; i++) {
        if (t->inf.thread.at[i] != th)
            EZ_TRY(step_let_go(t, t->inf.thread.at[i]));
    }
    EZ_TRY_TWICE(pt_syscall(tid, 0, why));
    th->stopped = false;
    for (;;) {
        int status;
        pid_t got;
        enum ez_meaning what;
        struct ez_regs *r;
        int64_t now = ez_now_ms();
        had += EZ_MIN(now - last, STALL_MS);
        last = now;
        EZ_TRY_TWICE(ez_report(t, -1, WNOHANG, &status, &got, why));
        if (!got) {
            if (had > ms)
                return ez_err_new(EZ_E_TIMEOUT, 0,
                                  "The injected call did not return within %d ms (to %s)", ms, why);
            /* shows nothing, because the called function may print */
            EZ_TRY(ez_progress_step(t, "", 0, 0));
            ez_wait_report(t, 5);
            continue;
        }
        EZ_TRY_TWICE(ez_thread_update(t, got, status, &what));
        if (t->inf.state == EZ_NONE)
            return ez_err_new(EZ_E_GONE, 0, "Cannot %s: the process ended", why);
        struct ez_thread *who = ez_thread_find(t, got);
        if (!who || what == ENDED)
            continue;
        if (got != tid) { /* Another thread reports, so the events for the user must be kept. */
            if (what == QUIET || (what == SIGNAL && others))
                EZ_TRY(step_let_go(t, who));
            continue;
        }
        EZ_TRY_TWICE(ez_thread_regs(who, &r));
        /* After a signal handler that interrupted the block, the thread also has a system call stop
         * in the block: the end of sigreturn. */
        if (what == SYSCALL && t->inf.arch->regs.pc(r) >= from.lo &&
            t->inf.arch->regs.pc(r) < from.hi && t->inf.arch->syscall.nr(r) == SYS_rt_sigprocmask)
            return NULL;
        if (what == SIGNAL && (who->sig == SIGSEGV || who->sig == SIGBUS || who->sig == SIGILL ||
                               who->sig == SIGFPE || who->sig == SIGTRAP))
            return ez_err_new(EZ_E_REMOTE, 0,
                              "The injected call received signal %d at 0x%lx (to %s)", who->sig,
                              (unsigned long)t->inf.arch->regs.pc(r), why);
        int sig = who->sig;
        who->sig = 0;
        EZ_TRY_TWICE(pt_syscall(tid, sig, why));
        who->stopped = false;
    }
}
