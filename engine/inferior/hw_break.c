/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hw_break.c - hardware breakpoints, as perf events (perf_event_open). An event belongs to a
 * descriptor of the shell, not to the target, so it disappears when the shell dies. See
 * inferior.h.
 *
 * Some virtual machines (such as PVM) accept such events and never deliver them: a program would
 * run past its breakpoints. So, before its first real use, eztsh tries a breakpoint on one of its
 * own functions.
 * Tests: tests/procs/traps.sh, tests/procs/moving.sh */
#include "engine/target.h"

#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "config.h"
#include "engine/base/fault.h"

#ifdef HAVE_STRUCT_PERF_EVENT_ATTR_SIGTRAP
static struct perf_event_attr hw_break_of(const struct ez_halt *h)
{
    static const uint32_t type[] = { [EZ_HALT_CODE] = HW_BREAKPOINT_X,
                                     [EZ_HALT_WRITE] = HW_BREAKPOINT_W,
                                     [EZ_HALT_READ] = HW_BREAKPOINT_RW };
    return (struct perf_event_attr){ .size = sizeof(struct perf_event_attr),
                                     .type = PERF_TYPE_BREAKPOINT,
                                     .bp_type = type[h->kind],
                                     .bp_addr = h->addr,
                                     .bp_len = h->kind == EZ_HALT_CODE ? ez_arch_host()->trap.hw_len
                                                                       : h->len,
                                     .exclude_kernel = 1,
                                     .exclude_hv = 1,
                                     .remove_on_exec = 1 };
}

static int hw_break_event(pid_t tid, struct perf_event_attr *a)
{
    return (int)syscall(SYS_perf_event_open, a, tid, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

static __attribute__((noinline)) void hw_break_here(void)
{
    __asm__ volatile("" ::: "memory");
}

/* Returns true if a breakpoint on a function of eztsh is hit. Also returns true if the breakpoint
 * cannot be set, because then the caller's own breakpoint fails, too, with the reason in errno. */
static bool hw_break_try(void)
{
    struct ez_halt h = { .addr = (uint64_t)hw_break_here, .kind = EZ_HALT_CODE };
    struct perf_event_attr a = hw_break_of(&h);
    EZ_CLOSE int fd = hw_break_event(0, &a);
    uint64_t n = 0;
    if (fd < 0)
        return true;
    hw_break_here();
    return read(fd, &n, sizeof n) != sizeof n || n;
}

static bool hw_break_fires(void)
{
    static enum { NOT_TRIED, FIRES, NEVER } known;
    if (known == NOT_TRIED)
        known = ez_fault("hwbreak", NULL) ? NEVER : hw_break_try() ? FIRES : NEVER;
    return known == FIRES;
}
#endif

int ez_hw_break(pid_t tid, const struct ez_halt *h, enum ez_hw_break_how how, uint64_t mark)
{
#ifdef HAVE_STRUCT_PERF_EVENT_ATTR_SIGTRAP
    int fault = how == EZ_HW_STOP_ALL ? ez_fault("perf", NULL) : 0;
    if (fault > 0)
        return errno = fault, -1;
    if (!ez_arch_host()->trap.hw_len)
        return errno = ENOSYS, -1;
    if (!hw_break_fires())
        return errno = ENODEV, -1;
    struct perf_event_attr a = hw_break_of(h);
    if (how != EZ_HW_COUNT)
        a.sample_period = a.sigtrap = 1;
    if (how == EZ_HW_STOP_ALL)
        a.inherit = a.inherit_thread = 1;
    a.sig_data = mark;
    return hw_break_event(tid, &a);
#else
    return errno = ENOSYS, -1;
#endif
}
