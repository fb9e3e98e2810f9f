/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kernels.h - the loops that measure the cost of a probe, for ezt_cost.c and
 * tests/bench/calls.c.
 *
 * A kernel is a function that is called CALLS times in a round. Kernels are called in turn, so that
 * other work of the machine disturbs all of them equally. The result is the median of the
 * rounds. */
#ifndef EZ_COST_KERNELS_H
#define EZ_COST_KERNELS_H

#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include "arch/tick.h"

/* FUNCTION(name) defines a function for probes: the compiler cannot inline or remove it, and it is
 * long enough for the jump. */
#ifdef __clang__
#define NOT_INLINE __attribute__((noinline))
#else
#define NOT_INLINE __attribute__((noinline, noclone))
#endif
#define FUNCTION(name)                                                                             \
    NOT_INLINE __attribute__((visibility("default"))) int name(int x)                              \
    {                                                                                              \
        __asm__ volatile("" : "+r"(x));                                                            \
        return x + 1;                                                                              \
    }

#ifndef COST_CLOCK
#define COST_CLOCK CLOCK_MONOTONIC
#endif
static inline double cost_now(void)
{
    struct timespec ts;
    clock_gettime(COST_CLOCK, &ts);
    return (double)ts.tv_sec * 1e9 + (double)ts.tv_nsec;
}

static inline int cost_by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static inline double cost_median(double *v, size_t n)
{
    qsort(v, n, sizeof *v, cost_by_value);
    return v[n / 2];
}

/* Calls fn `calls` times and returns the mean duration of a call, in ns. */
static inline double cost_round(int (*fn)(int), int calls)
{
    volatile int sink;
    int x = 0;
    double t = cost_now();
    for (int i = 0; i < calls; i++)
        x = fn(x);
    sink = x;
    (void)sink;
    return (cost_now() - t) / calls;
}

/* Binds the process to one processor: processor 1 if it is allowed, because processor 0 handles
 * interrupts. */
static inline void cost_pin(void)
{
    cpu_set_t set;
    sched_getaffinity(0, sizeof set, &set);
    int cpu = CPU_ISSET(1, &set) ? 1 : sched_getcpu();
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    sched_setaffinity(0, sizeof set, &set);
}

/* cost_bound() does the least work by which entry and exit of a call can be recorded: it reads two
 * time stamps and stores two records of `words` words. */
static uint64_t cost_room[1 << 16];
static inline int cost_bound(int (*fn)(int), int x, unsigned words)
{
    static unsigned at;
    uint64_t *r = cost_room + (at & 0xfff8);
    at += 8;
    r[0] = ez_tick();
    r[1] = 1;
    if (words > 2)
        r[2] = 2;
    x = fn(x);
    r[4] = ez_tick();
    r[5] = 1;
    if (words > 2)
        r[6] = 3;
    return x;
}

#endif
