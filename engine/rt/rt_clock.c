/* SPDX-License-Identifier: MIT */
/* rt_clock.c - CLOCK_MONOTONIC, where the time stamp counter cannot be trusted (rt.h,
 * "The clock").
 *
 * The vDSO's code is the kernel's, compiled code of the usual calling convention: it may
 * be called from a signal handler that interrupted itself. Nothing forbids it to use
 * vector registers (not Linux's, but there are others), so ez_call_clock keeps those
 * of the baseline. Test: tests/fault/check_clock.sh */
#include "engine/rt/rt_priv.h"

struct timespec64 {
    int64_t sec, nsec;
};

/* The vector registers go to `area`, or on the stack (0). */
long ez_call_clock(uint64_t fn, struct timespec64 *t, uint64_t *area) HIDDEN;

/* Of the thread of b. A handler that interrupts this takes stack for the registers; and so
 * does who comes after one that never returned. */
static long call_clock(struct ez_ctl *b, uint64_t fn, struct timespec64 *t)
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
    if (fn ? call_clock(b, fn, &t)
           : rt_syscall(RT_SYS_CLOCK_GETTIME, 1 /* CLOCK_MONOTONIC */, (long)&t, 0, 0, 0, 0))
        return h->now_ns;
    return (uint64_t)(t.sec * 1000000000 + t.nsec + rt_state.clock_add);
}
