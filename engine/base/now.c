/* SPDX-License-Identifier: GPL-3.0-or-later */
/* now.c - see now.h. */
#include "engine/base/now.h"

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
