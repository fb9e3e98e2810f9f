/* SPDX-License-Identifier: GPL-3.0-or-later */
/* halt.c - halts: places where all threads stop, by breakpoints of the processor.
 *
 * A halt is an event of the kernel (perf) for each thread, and for those that it makes. It belongs to our
 * descriptor: when the shell dies it is gone, and no byte of the program was changed. What a hit leaves
 * between the processor and our report of it, the guard's handler takes (guard.c).
 *
 * Halts are armed while the program runs for the user, and only then: a thread that hit one is as it was,
 * and hits it again unless ez_halts_arm() lets it pass.
 * Tests: tests/procs/moving.sh */
#include "engine/target.h"

#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "config.h"
#include "engine/inferior/guard.h"
#include "engine/inferior/stop.h"

/* mark: what a hit's signal says; 0 = hits are counted alone. */
static int halt_open(pid_t tid, const struct ez_halt *h, uint64_t mark)
{
#ifdef HAVE_STRUCT_PERF_EVENT_ATTR_SIGTRAP
    static const uint32_t type[] = { [EZ_HALT_CODE] = HW_BREAKPOINT_X,
                                     [EZ_HALT_WRITE] = HW_BREAKPOINT_W,
                                     [EZ_HALT_READ] = HW_BREAKPOINT_RW };
    struct perf_event_attr a = { .size = sizeof a,
                                 .type = PERF_TYPE_BREAKPOINT,
                                 .bp_type = type[h->kind],
                                 .bp_addr = h->addr,
                                 .bp_len =
                                     h->kind == EZ_HALT_CODE ? ez_arch_host()->break_len : h->len,
                                 .sample_period = mark != 0,
                                 .exclude_kernel = 1,
                                 .exclude_hv = 1,
                                 .inherit = mark != 0,
                                 .inherit_thread = mark != 0,
                                 .sigtrap = mark != 0,
                                 .sig_data = mark,
                                 .remove_on_exec = 1 };
    return (int)syscall(SYS_perf_event_open, &a, tid, -1, -1, PERF_FLAG_FD_CLOEXEC);
#else
    return errno = ENOSYS, -1;
#endif
}

static ez_err *halt_refused(int why)
{
    if (why == EACCES || why == EPERM)
        return ez_err_hint(ez_err_new(EZ_E_PERM, 0, "Cannot insert hardware breakpoints."),
                           "sysctl kernel.perf_event_paranoid must be 2 or less");
    if (why == ENOSPC || why == EBUSY)
        return ez_err_hint(
            ez_err_new(EZ_E_LIMIT, 0,
                       "Could not insert hardware breakpoints: You may have requested too many "
                       "hardware breakpoints/watchpoints."),
            "the processor has four, and \"next\" and \"finish\" need one; \"disable\" some, or "
            "\"probe FUNC do stop\", which has no such limit");
    return ez_err_new(EZ_E_SYS, why, "Cannot insert hardware breakpoints");
}

ez_err *ez_halt_count(pid_t tid, const struct ez_halt *h, int *fd)
{
    *fd = halt_open(tid, h, 0);
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

void ez_halts_close(struct ez_target *t)
{
    for (size_t i = 0; i < t->inf.halts.fd.n; i++)
        close(t->inf.halts.fd.at[i]);
    t->inf.halts.fd.n = 0;
}

static bool halts_at(const struct ez_target *t, uint64_t pc)
{
    for (size_t i = 0; i < t->inf.halts.want.n; i++)
        if (t->inf.halts.want.at[i].kind == EZ_HALT_CODE && t->inf.halts.want.at[i].addr == pc)
            return true;
    return false;
}

/* Threads that stopped at a halt pass it, the others do not. */
static ez_err *halts_pass(struct ez_target *t)
{
    for (size_t i = 0; i < t->inf.thread.n; i++) {
        struct ez_thread *th = t->inf.thread.at[i];
        struct ez_regs *live, r;
        EZ_TRY(ez_thread_regs(th, &live));
        r = *live;
        bool pass = t->inf.arch->pc(&r) == th->halted;
        th->halted = 0;
        if (!halts_at(t, t->inf.arch->pc(&r)))
            continue;
        t->inf.arch->pass_break(&r, pass);
        EZ_TRY(ez_thread_set_regs(th, &r));
    }
    return NULL;
}

static ez_err *halts_open(struct ez_target *t, bool spare)
{
    for (size_t i = 0; i < t->inf.thread.n; i++)
        for (size_t k = 0; k < t->inf.halts.want.n; k++) {
            if (t->inf.halts.want.at[k].spare != spare)
                continue;
            int fd =
                halt_open(t->inf.thread.at[i]->tid, &t->inf.halts.want.at[k], EZ_HALT_MARK + k + 1);
            if (fd < 0 && (errno == ESRCH || spare)) /* it has ended */
                continue;
            if (fd < 0)
                return halt_refused(errno);
            EZ_PUSH(&t->inf.halts.fd, fd);
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
    if (!t->inf.halts.want.n)
        return NULL;
    if (!t->inf.arch->break_len || !t->inf.arch->pass_break)
        return ez_err_new(EZ_E_STATE, 0, "There are no hardware breakpoints on this processor.");
    ez_halts_guard(t);
    ez_err *e = halts_pass(t);
    if (!e)
        e = halts_open(t, false);
    if (!e)
        e = halts_open(t, true);
    if (e)
        ez_halts_close(t);
    return e;
}

void ez_halts_guard(struct ez_target *t)
{
    if (!t->inf.halts.guard.at && ez_thread_current(t))
        ez_guard_set(t, ez_thread_current(t), &t->inf.halts.guard);
}

/* Threads that hit a halt while another's hit stopped all of them have a SIGTRAP that nobody fetched yet: without
 * the guard it would end the program. */
static ez_err *halts_forget_hits(struct ez_target *t)
{
    for (size_t i = t->inf.thread.n; i-- > 0;)
        if (i < t->inf.thread.n) /* threads may end meanwhile */
            EZ_TRY(ez_thread_take_trap(t, t->inf.thread.at[i]));
    return NULL;
}

/* Of a thread that blocks SIGTRAP a hit cannot be fetched: it comes when the thread unblocks it. */
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
    if (!g.at || t->inf.state != EZ_STOPPED)
        return NULL;
    EZ_TRY(halts_forget_hits(t));
    if (halts_have_blocked(t)) /* the guard's handler takes it */
        return NULL;
    t->inf.halts.guard.at = 0;
    return ez_guard_lift(t, &g);
}

void ez_halts_forget(struct ez_target *t)
{
    ez_halts_none(t);
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

pid_t ez_halts_take(struct ez_target *t)
{
    pid_t tid = t->inf.state == EZ_STOPPED ? t->inf.halts.tid : 0;
    t->inf.halts.tid = 0;
    return tid;
}
