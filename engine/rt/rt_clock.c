/* SPDX-License-Identifier: MIT */
/* rt_clock.c - CLOCK_MONOTONIC, for machines with an unreliable time stamp counter (rt.h, "The
 * clock").
 *
 * The vDSO's code comes from the kernel and follows the usual calling convention: a signal handler
 * may call it while the interrupted thread is inside it. The code may use vector registers (Linux's
 * does not, other kernels' may), so ez_call_clock saves the vector registers that every processor
 * of the architecture has.
 * Tests: tests/fault/check_clock.sh */
#include "engine/rt/rt_priv.h"

struct timespec64 {
    int64_t sec, nsec;
};

/* Calls fn(CLOCK_MONOTONIC, t) with the vector registers saved in `area`; 0 = saved on the stack.
 * In rt_entry.S. */
long ez_call_clock(uint64_t fn, struct timespec64 *t, uint64_t *area) HIDDEN;

/* Reads the clock for the thread of b. Only one call at a time uses the area b->vec. A call in a
 * signal handler that interrupts this function saves the vector registers on the stack. If such a
 * handler left this function by a longjmp, all later calls also save them on the stack. */
static long rt_call_clock(struct ez_ctl *b, uint64_t fn, struct timespec64 *t)
{
    if (b->vec_busy)
        return ez_call_clock(fn, t, 0);
    rt_inc(&b->vec_busy);
    long r = ez_call_clock(fn, t, b->vec);
    rt_dec(&b->vec_busy);
    return r;
}

HIDDEN uint64_t ez_mono(struct ez_ctl *b)
{
    const struct ez_hdr *h = rt_state.hdr;
    struct timespec64 t = { 0, 0 };
    uint64_t fn = rt_state.vdso_clock;
    if (h->no_syscalls && (!fn || h->clock_enters))
        return h->now_ns;
    if (fn ? rt_call_clock(b, fn, &t)
           : rt_syscall(RT_SYS_CLOCK_GETTIME, 1 /* CLOCK_MONOTONIC */, (long)&t, 0, 0, 0, 0))
        return h->now_ns;
    return (uint64_t)(t.sec * 1000000000 + t.nsec + rt_state.clock_add);
}
