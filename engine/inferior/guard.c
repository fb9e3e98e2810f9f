/* SPDX-License-Identifier: GPL-3.0-or-later */
/* guard.c - a guard makes single steps and hardware breakpoints harmless if the shell dies.
 *
 * A stepped thread has the processor's trap flag set. If the shell is killed before it clears the
 * flag, the thread's next instruction raises a SIGTRAP that nobody expects, which ends the program.
 * So, during the steps, eztsh sets the program's action for SIGTRAP to its own handler. The handler
 * clears the flag and returns. It forwards a SIGTRAP that no step caused to the program's own
 * handler. If the shell dies, eztsh's handler stays until the next attach. If the shell lives, it
 * restores the program's own action after the steps, unless the stepped code changed the action. If
 * system calls cannot be injected (seccomp), steps are unguarded.
 * Tests: tests/procs/sweep.sh (stepi, DIE), tests/unit/arch/check_restorer.c */
#include "engine/target.h"

#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "engine/inferior/guard.h"
#include "engine/inferior/inject.h"
#include "engine/inferior/mem.h"
#include "engine/inferior/thread.h"

#define ACTION_BYTES 32          /* struct sigaction of the kernel; its first word is the handler */
#define ACTION_BELOW 512         /* bytes below the stack pointer that the runtime may use (rt.h) */
#define OLD_ACTION (EZ_PAGE / 2) /* where the guard's page keeps the program's own action */

/* set, get: addresses in the target of the new action and of room for the old action; 0: none */
static ez_err *guard_sigtrap(struct ez_target *t, struct ez_thread *th, uint64_t set, uint64_t get)
{
    uint64_t arg[6] = { SIGTRAP, set, get, 8 };
    int64_t r;
    EZ_TRY(ez_inject_syscall(t, th, SYS_rt_sigaction, arg, &r, "guard a step"));
    return r ? ez_err_new(EZ_E_REMOTE, 0,
                          "Cannot single-step safely: rt_sigaction in process %d returned %ld",
                          t->inf.pid, (long)r)
             : NULL;
}

static ez_err *guard_current(struct ez_target *t, struct ez_thread *th,
                             uint8_t action[ACTION_BYTES])
{
    struct ez_regs *live;
    EZ_TRY(ez_thread_regs(th, &live));
    uint64_t below = (t->inf.arch->regs.sp(live) - ACTION_BELOW) & ~15ull;
    EZ_TRY(guard_sigtrap(t, th, 0, below));
    return ez_mem_read(t, below, action, ACTION_BYTES);
}

static ez_err *guard_set(struct ez_target *t, struct ez_thread *th, struct ez_guard *g)
{
    uint8_t code[EZ_GUARD_BYTES], old[ACTION_BYTES];
    uint64_t handler;
    EZ_TRY(guard_current(t, th, old));
    memcpy(&handler, old, sizeof handler);
    t->inf.arch->step.guard(code, g->at, handler);
    EZ_TRY(ez_mem_write(t, g->at, code, sizeof code, "guard a step"));
    EZ_TRY(ez_mem_write(t, g->at + OLD_ACTION, old, sizeof old, "guard a step"));
    EZ_TRY(guard_sigtrap(t, th, g->at + EZ_GUARD_ACTION, 0));
    g->stands = true;
    return NULL;
}

void ez_guard_set(struct ez_target *t, struct ez_thread *th, struct ez_guard *g)
{
    *g = (struct ez_guard){ .tid = th->tid };
    if (!t->inf.arch->step.guard || !ez_err_drop(ez_inject_allowed(t)) ||
        !ez_err_drop(ez_inject_mmap(t,
                                    &(struct ez_mmap){ .size = EZ_PAGE,
                                                       .prot = PROT_READ | PROT_EXEC,
                                                       .flags = MAP_PRIVATE | MAP_ANONYMOUS },
                                    &g->at, "guard a step")))
        g->at = 0;
    else
        ez_err_drop(guard_set(t, th, g));
}

/* Restores the program's own action, if the action is still eztsh's. */
static ez_err *guard_remove(struct ez_target *t, struct ez_thread *th, uint64_t at)
{
    uint8_t now[ACTION_BYTES];
    uint64_t handler;
    EZ_TRY(guard_current(t, th, now));
    memcpy(&handler, now, sizeof handler);
    return handler == at ? guard_sigtrap(t, th, at + OLD_ACTION, 0) : NULL;
}

/* Removes the guard by system calls of the stepped thread itself, if that thread lives, because
 * injected calls also clear its trap flag. (ez_thread_settle() leaves the flag set if the thread
 * has a pending signal.) */
ez_err *ez_guard_lift(struct ez_target *t, const struct ez_guard *g)
{
    uint64_t unmap[6] = { g->at, EZ_PAGE };
    int64_t r;
    struct ez_thread *th = t->inf.state == EZ_STOPPED ? ez_thread_find(t, g->tid) : NULL;
    if (t->inf.state == EZ_STOPPED && !th)
        th = ez_inject_thread(t);
    if (!th || !g->at)
        return NULL;
    if (g->stands)
        EZ_TRY(guard_remove(t, th, g->at));
    return ez_inject_syscall(t, th, SYS_munmap, unmap, &r, "end guarding steps");
}

/* Returns true if the page at `at` has the bytes of an earlier shell's guard. A program that forges
 * these bytes harms only its own handler. */
static bool guard_is_guard(struct ez_target *t, uint64_t at)
{
    uint8_t want[EZ_GUARD_BYTES], live[EZ_GUARD_BYTES];
    t->inf.arch->step.guard(want, at, 0);
    return !(at % EZ_PAGE) && ez_mem_read_some(t, at, live, sizeof live) == sizeof live &&
           !memcmp(live, want, t->inf.arch->step.guard_len) &&
           !memcmp(live + EZ_GUARD_ACTION, want + EZ_GUARD_ACTION, ACTION_BYTES);
}

/* Drops the SIGTRAPs of an earlier shell's steps. A thread that was stepped into a system call and
 * slept in it gets its SIGTRAP only when the call ends. */
static ez_err *guard_forget_steps(struct ez_target *t)
{
    for (size_t i = t->inf.thread.n; i-- > 0;) {
        pid_t tid = t->inf.thread.at[i]->tid;
        EZ_TRY(ez_thread_consume_trap(t, t->inf.thread.at[i]));
        struct ez_thread *th = ez_thread_find(t, tid);
        if (th && th->sig == SIGTRAP && th->has_info &&
            (th->info.si_code == TRAP_BRKPT || th->info.si_code == TRAP_TRACE))
            th->sig = 0;
    }
    return NULL;
}

/* The guard's page stays mapped, because a thread can be in the handler or about to enter it. */
ez_err *ez_guard_tidy(struct ez_target *t)
{
    uint8_t now[ACTION_BYTES];
    uint64_t at;
    struct ez_thread *th = ez_inject_thread(t);
    struct ez_proc_status s;
    ez_proc_status(t->inf.pid, ez_live_tid(t), &s);
    if (!t->inf.arch->step.guard || !th || !(s.caught >> (SIGTRAP - 1) & 1) ||
        !ez_err_drop(ez_inject_allowed(t)))
        return NULL;
    EZ_TRY(guard_current(t, th, now));
    memcpy(&at, now, sizeof at);
    if (!guard_is_guard(t, at))
        return NULL;
    EZ_TRY(guard_forget_steps(t));
    th = ez_inject_thread(t); /* another thread, if th ended */
    return th ? guard_remove(t, th, at) : NULL;
}
