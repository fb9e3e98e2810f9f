/* SPDX-License-Identifier: GPL-3.0-or-later */
/* now.c - see now.h. */
#include "engine/base/now.h"

#include <time.h>

int64_t ez_now_ms(void)
{
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return ts.tv_sec * 1000ll + ts.tv_nsec / 1000000;
}

double ez_now_exact(void)
{
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (double)ts.tv_sec * 1e3 + (double)ts.tv_nsec * 1e-6;
}
