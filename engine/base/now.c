/* SPDX-License-Identifier: GPL-3.0-or-later */
/* now.c - reads the monotonic clock and the wall clock (now.h).
 * Tests: tests/unit/inferior/check_places.c */
#include "engine/base/now.h"

#include "config.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

uint64_t ez_now_ns(void)
{
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

int64_t ez_now_ms(void)
{
    return (int64_t)(ez_now_ns() / 1000000);
}

double ez_now_exact(void)
{
    return (double)ez_now_ns() * 1e-6;
}

static _Atomic int64_t wall_correction;

static int64_t wall_moved(void)
{
#ifdef EZ_FAULT_INJECTION
    const char *text = getenv("EZT_WALL_OFFSET");
    return text ? atoll(text) : 0;
#else
    return 0;
#endif
}

uint64_t ez_wall_ns(void)
{
    struct timespec ts;
    clock_gettime(CLOCK_REALTIME, &ts);
    int64_t ns = (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
    return (uint64_t)(ns + wall_moved() + atomic_load(&wall_correction));
}

void ez_wall_correct(int64_t ns)
{
    atomic_store(&wall_correction, ns);
}
