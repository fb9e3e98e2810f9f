/* SPDX-License-Identifier: GPL-3.0-or-later */
/* step.c - single steps, and short runs of one thread for eztsh's own work.
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

#define STEP_TRIES 64 /* maximum number of stops until the step is done */
/* Each pass of the waiting loop takes some ms. A longer pass counts as STALL_MS, because the shell
 * was not scheduled during it. */
#define STALL_MS 50
#define TRAP_BIT (1ull << (SIGTRAP - 1))

/* Unblocks SIGTRAP for the step, because the kernel forces the SIGTRAP of a step: if the thread
 * blocks SIGTRAP, the kernel removes the program's handler of SIGTRAP. */
static ez_err *step_open_for_trap(struct ez_thread *th, uint64_t *mask)
{
    EZ_TRY(pt_getsigmask(th->tid, mask, "check whether SIGTRAP is blocked"));
    return *mask & TRAP_BIT
               ? pt_setsigmask(th->tid, *mask & ~TRAP_BIT, "unblock SIGTRAP for the step")
               : NULL;
}

/* Blocks SIGTRAP again if `mask`, the mask before the step, did, unless the stepped instruction
 * itself changed the signal mask. */
static ez_err *step_close_again(struct ez_thread *th, uint64_t mask)
{
    uint64_t now;
    if (!(mask & TRAP_BIT))
        return NULL;
    EZ_TRY(pt_getsigmask(th->tid, &now, "read the mask of blocked signals after a step"));
    return now == (mask & ~TRAP_BIT) ? pt_setsigmask(th->tid, mask, "hold SIGTRAP back again")
                                     : NULL;
}

/* The program can get a copy of the step's trap flag: a pushf writes it to the stack, and after a
 * popf the kernel considers the flag the program's own. In both cases the program would later get a
 * SIGTRAP. So step_after() clears the flag on the stack and in the registers, unless the program
 * had set the flag before the step. */
struct flags {
    /* number of bytes that the instruction pushes if it pushes the flags; 0: it does not */
    unsigned pushed;
    bool own; /* the program itself had set the trap flag, or the registers cannot be read */
};

/* The instruction at the thread's pc, which is stepped next. */
struct next {
    struct ez_regs *regs; /* NULL: the registers cannot be read */
    /* 4 bytes suffice to recognize a system call and an instruction that pushes the flags */
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
        EZ_TRY(ez_mem_write(t, t->inf.arch->regs.sp(&r), &flags, f.pushed,
                            "clear the saved trap flag"));
    }
    return t->inf.arch->step.clear_trap_flag(&r) ? ez_thread_set_regs(th, &r) : NULL;
}

/* Returns true if a process or thread sent the signal, so that the step did not cause it. */
static bool step_sent(const struct ez_target *t, const struct ez_thread *th)
{
    bool by_nobody = t->inf.arch->step.by_nobody && th->info.si_code == SI_USER && !th->info.si_pid;
    return th->has_info && th->info.si_code <= 0 && !by_nobody;
}

/* The pending signal of a thread and its siginfo. */
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

/* Handles a signal th->sig that the step did not cause; the caller steps again without delivering
 * it. `older` is the signal that the thread had before (0: none). th->sig has room for one signal,
 * so the older one is sent to the thread again, unless both are equal or the newer one cancels it.
 * (A SIGSTOP that was sent again would arrive at each step, because it cannot be blocked.) */
static void step_signalled(const struct ez_target *t, const struct ez_thread *th, int older)
{
    if (older && (older != th->sig || older >= SIGRTMIN) && !ez_signal_cancels(th->sig, older))
        tgkill(t->inf.pid, th->tid, older);
}

/* Returns true if the next instruction is a system call that changes the signal mask, permanently
 * or for the duration of the call. The SIGTRAP of a step arrives before such a call returns, while
 * the call's mask is in force. If that mask blocks SIGTRAP, the kernel removes the program's
 * handler of SIGTRAP and unblocks it. */
static bool step_sets_mask(const struct ez_target *t, const struct next *i)
{
    const struct ez_arch *a = t->inf.arch;
    return i->regs && i->n >= a->syscall.len && !memcmp(i->code, a->syscall.insn, a->syscall.len) &&
           ez_arch_sets_mask(a->syscall.next(i->regs));
}

/* Executes a system call that changes the signal mask by PTRACE_SYSCALL, which causes no
 * SIGTRAP. */
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
    EZ_TWICE(back, pt_setsigmask(th->tid, mask, "restore the signal mask"));
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

/* A stepped thread has the processor's trap flag set while it is stopped. If the shell dies then,
 * the kernel releases the thread with the flag set, and the next instruction raises a SIGTRAP that
 * kills the target. To clear the flag, a stop is requested (PTRACE_INTERRUPT) and the thread is
 * resumed: it stops before it executes an instruction. A thread with a pending signal (th->sig) is
 * not settled, because the signal can be delivered only from the present stop. */
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
    /* The stop interrupted no system call, so the changes that thread_mend_interrupted() may have
     * made to the registers are undone. */
    return ez_thread_set_regs(th, &same);
}

/* Resumes thread o while another thread makes an injected call, because o may hold a lock that the
 * call needs. Delivers o's signal. If the signal must be reported to the user, or o is in a group
 * stop, o stays stopped. */
static ez_err *step_let_go(struct ez_target *t, struct ez_thread *o)
{
    int sig = o->sig;
    if (o->group_stop || (sig && (o->reported || !ez_signal_passes(t, sig))))
        return NULL;
    EZ_TRY_TWICE(pt_cont(o->tid, sig, "let it run until it has released locks"));
    o->sig = 0;
    o->stopped = false;
    return NULL;
}

/* A request that fails is tried again: if the call were abandoned in the function (such as dlopen,
 * with a library half loaded), the target would crash later. */
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
            /* the empty text shows no progress, because the called function may print */
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
        /* Another thread reports. It stays stopped if its report is for the user. */
        if (got != tid) {
            if (what == QUIET || (what == SIGNAL && others))
                EZ_TRY(step_let_go(t, who));
            continue;
        }
        EZ_TRY_TWICE(ez_thread_regs(who, &r));
        /* A handler that interrupted the block ends with sigreturn, whose stop also has a pc in the
         * block; so the number of the system call is checked, too. */
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
