/* SPDX-License-Identifier: GPL-3.0-or-later */
/* halt.c - halts: addresses at which all threads stop, by hardware breakpoints.
 *
 * A halt is one perf event of the kernel for each thread, which the threads that this thread
 * creates inherit. The event belongs to a descriptor of the shell: the event disappears when the
 * shell dies, and no byte of the program is changed. If the shell dies before it has read the
 * report of a hit, the guard's handler catches the SIGTRAP (guard.c). The processor has four
 * hardware breakpoints. Data can be watched only by these. A code address without a hardware
 * breakpoint uses a trap (halt_trap.c).
 *
 * Halts are armed only while the program runs for the user. A thread that hit a halt has not
 * executed the instruction yet. So ez_halts_arm() must make the thread go on behind the halt;
 * otherwise the thread would hit it again.
 * Tests: tests/procs/moving.sh, tests/procs/traps.sh */
#include "engine/target.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include "engine/inferior/guard.h"
#include "engine/inferior/stop.h"
#include "engine/inferior/halt.h"
#include "engine/inferior/thread.h"

static ez_err *halt_refused(int why)
{
    if (why == EACCES || why == EPERM)
        return ez_err_hint(ez_err_new(EZ_E_PERM, 0, "Cannot insert hardware breakpoints"),
                           "The sysctl kernel.perf_event_paranoid must be 2 or less");
    if (why == ENOSPC || why == EBUSY)
        return ez_err_hint(ez_err_new(EZ_E_LIMIT, 0,
                                      "Could not insert hardware breakpoints: You may have "
                                      "requested too many hardware breakpoints/watchpoints"),
                           "The processor can watch four places: disable some watchpoints");
    if (why == ENODEV)
        return ez_err_hint(
            ez_err_new(EZ_E_STATE, 0,
                       "Cannot insert hardware breakpoints: they never fire on this machine"),
            "A virtual machine may accept them without delivering them; \"break\" works without "
            "hardware breakpoints, \"watch\" does not");
    return ez_err_new(EZ_E_SYS, why, "Cannot insert hardware breakpoints");
}

ez_err *ez_halt_count(pid_t tid, const struct ez_halt *h, int *fd)
{
    *fd = ez_hw_break(tid, h, EZ_HW_COUNT, 0);
    return *fd < 0 ? halt_refused(errno) : NULL;
}

bool ez_halt_counted(int *fd)
{
    uint64_t n = 0;
    bool is = *fd >= 0 && read(*fd, &n, sizeof n) == sizeof n && n;
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
    return is;
}

static void halts_close_from(struct ez_target *t, size_t first)
{
    for (size_t i = first; i < t->inf.halts.fd.n; i++)
        close(t->inf.halts.fd.at[i]);
    t->inf.halts.fd.n = EZ_MIN(first, t->inf.halts.fd.n);
}

void ez_halts_close(struct ez_target *t)
{
    halts_close_from(t, 0);
    t->inf.halts.armed = false;
}

static bool halts_at(const struct ez_target *t, uint64_t pc)
{
    for (size_t i = 0; i < t->inf.halts.want.n; i++)
        if (t->inf.halts.want.at[i].kind == EZ_HALT_CODE && t->inf.halts.want.at[i].addr == pc)
            return true;
    return false;
}

/* Lets threads that stopped at a halt go on without hitting it again: by the processor's resume
 * flag, or in the copy of the instruction under a trap. */
static ez_err *halts_pass(struct ez_target *t)
{
    for (size_t i = 0; i < t->inf.thread.n; i++) {
        struct ez_thread *th = t->inf.thread.at[i];
        struct ez_regs *live, r;
        EZ_TRY(ez_thread_regs(th, &live));
        r = *live;
        uint64_t pc = t->inf.arch->regs.pc(&r);
        bool pass = pc == th->halted;
        th->halted = 0;
        if (!halts_at(t, pc))
            continue;
        t->inf.arch->trap.pass_hw(&r, pass);
        if (pass)
            t->inf.arch->regs.set_pc(&r, ez_halt_trap_past(t, pc));
        EZ_TRY(ez_thread_set_regs(th, &r));
    }
    return NULL;
}

/* Opens wanted halt k in all threads. Returns false and sets *why to errno if that is
 * impossible. */
static bool halts_open_one(struct ez_target *t, size_t k, int *why)
{
    size_t first = t->inf.halts.fd.n;
    for (size_t i = 0; i < t->inf.thread.n; i++) {
        int fd = ez_hw_break(t->inf.thread.at[i]->tid, &t->inf.halts.want.at[k], EZ_HW_STOP_ALL,
                             EZ_HALT_MARK + k + 1);
        if (fd < 0 && errno == ESRCH) /* the thread has ended */
            continue;
        if (fd < 0) {
            *why = errno;
            halts_close_from(t, first);
            return false;
        }
        EZ_PUSH(&t->inf.halts.fd, fd);
    }
    return true;
}

static ez_err *halts_trap_instead(struct ez_target *t, uint64_t addr, int why)
{
    ez_err *e = ez_halt_trap_plant(t, addr);
    if (!e || e->code == EZ_E_GONE)
        return e;
    ez_err *said = ez_err_hint(
        ez_err_new(e->code, 0, "Cannot insert breakpoint at 0x%lx: %s", (unsigned long)addr,
                   e->msg),
        why == ENOSPC || why == EBUSY
            ? "The processor's four debug registers are in use: disable other breakpoints"
        : why == ENODEV ? "Hardware breakpoints never fire on this machine"
                        : "A hardware breakpoint is possible if the sysctl "
                          "kernel.perf_event_paranoid is 2 or less");
    ez_err_free(e);
    return said;
}

/* Opens hardware breakpoints, first for watched data, which cannot use traps, then for code, where
 * a trap is used if no breakpoint can be opened. Of the code addresses, the last wanted halt comes
 * first: it is the destination of a move (such as `finish`), and the halts before it are
 * breakpoints. Spare halts come last, and may fail. */
static ez_err *halts_open(struct ez_target *t)
{
    int why = 0;
    for (int code = 0; code < 2; code++)
        for (size_t k = t->inf.halts.want.n; k-- > 0;) {
            const struct ez_halt *h = &t->inf.halts.want.at[k];
            if (h->spare || (h->kind == EZ_HALT_CODE) != code || halts_open_one(t, k, &why))
                continue;
            if (!code)
                return halt_refused(why);
            EZ_TRY(halts_trap_instead(t, h->addr, why));
        }
    for (size_t k = 0; k < t->inf.halts.want.n; k++) {
        const struct ez_halt *h = &t->inf.halts.want.at[k];
        bool done = !h->spare || halts_open_one(t, k, &why),
             claimed = why == ENOSPC || why == EBUSY;
        ez_err *e = done || claimed ? NULL : ez_halt_trap_plant(t, h->addr);
        if (e && e->code == EZ_E_GONE)
            return e;
        /* The error is dropped, because a spare halt is optional (ez_halt.spare). */
        ez_err_free(e);
    }
    return NULL;
}

void ez_halts_want(struct ez_target *t, const struct ez_halt *h)
{
    EZ_PUSH(&t->inf.halts.want, *h);
}

void ez_halts_none(struct ez_target *t)
{
    t->inf.halts.want.n = 0;
    t->inf.halts.tid = 0;
    ez_halts_close(t);
}

ez_err *ez_halts_arm(struct ez_target *t)
{
    t->inf.halts.tid = 0;
    ez_halts_close(t);
    EZ_TRY(ez_halt_traps_out(t));
    if (!t->inf.halts.want.n)
        return NULL;
    if (!t->inf.arch->trap.hw_len || !t->inf.arch->trap.pass_hw)
        return ez_err_new(EZ_E_STATE, 0, "There are no hardware breakpoints on this processor");
    ez_halts_guard(t);
    ez_err *e = halts_open(t);
    if (!e)
        e = halts_pass(t);
    t->inf.halts.armed = !e;
    if (!e)
        return NULL;
    ez_halts_close(t);
    return ez_err_first(e, ez_halt_traps_out(t));
}

void ez_halts_guard(struct ez_target *t)
{
    if (!t->inf.halts.guard.at && ez_thread_current(t))
        ez_guard_set(t, ez_thread_current(t), &t->inf.halts.guard);
}

ez_err *ez_halts_unguard(struct ez_target *t, bool *stood)
{
    struct ez_guard g = t->inf.halts.guard;
    *stood = g.at != 0;
    t->inf.halts.guard.at = 0;
    return g.at ? ez_guard_lift(t, &g) : NULL;
}

/* Consumes pending SIGTRAPs. When one thread's hit stopped all threads, other threads may have hit
 * a halt, too, and have a SIGTRAP that was not reported yet. Once the guard is removed, such a
 * SIGTRAP would end the program. */
static ez_err *halts_forget_hits(struct ez_target *t)
{
    for (size_t i = t->inf.thread.n; i-- > 0;)
        if (i < t->inf.thread.n) /* A thread may end during the loop. */
            EZ_TRY(ez_thread_consume_trap(t, t->inf.thread.at[i]));
    return NULL;
}

/* Returns true if a SIGTRAP is still pending: that of a hit by a thread that blocks SIGTRAP. It
 * arrives when the thread unblocks SIGTRAP. */
static bool halts_have_blocked(const struct ez_target *t)
{
    bool any = false;
    for (size_t i = 0; i < t->inf.thread.n && !any; i++)
        any = ez_signal_pending(t, t->inf.thread.at[i]->tid, SIGTRAP);
    return any;
}

ez_err *ez_halts_end(struct ez_target *t)
{
    struct ez_guard g = t->inf.halts.guard;
    ez_halts_none(t);
    if (t->inf.state == EZ_STOPPED)
        EZ_TRY(ez_halt_traps_out(t));
    if (!g.at || t->inf.state != EZ_STOPPED)
        return NULL;
    EZ_TRY(halts_forget_hits(t));
    /* The guard stays where a thread is inside a system call, too, because to remove it the thread
     * would have to leave the call. */
    if (ez_thread_current(t) && ez_thread_current(t)->in_call)
        return NULL;
    if (halts_have_blocked(t)) /* the guard must stay: its handler catches the late SIGTRAP */
        return NULL;
    t->inf.halts.guard.at = 0;
    return ez_guard_lift(t, &g);
}

void ez_halts_forget(struct ez_target *t)
{
    ez_halts_none(t);
    ez_halt_traps_forget(t);
    t->inf.halts.guard.at = 0;
}

void ez_halts_on_renew(struct ez_target *t, ez_err *(*renew)(struct ez_target *t, void *arg),
                       void *arg)
{
    t->inf.halts.renew = renew;
    t->inf.halts.renew_arg = arg;
}

void ez_halts_stopped(struct ez_target *t, pid_t tid)
{
    ez_halts_close(t);
    t->inf.halts.tid = tid;
}

pid_t ez_halts_pop(struct ez_target *t)
{
    pid_t tid = t->inf.state == EZ_STOPPED ? t->inf.halts.tid : 0;
    t->inf.halts.tid = 0;
    return tid;
}
