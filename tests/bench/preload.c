/* SPDX-License-Identifier: GPL-3.0-or-later */
/* preload.c - the manual way of the papers: a library that is preloaded and wraps
 * functions whose prototype its author knows. */
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

#include "arch/tick.h"
#include "tests/bench/calls.h"

#define VISIBLE __attribute__((visibility("default")))

static uint64_t counts[2], ring[1 << 17];
static int (*count_next)(int), (*record_next)(int);

__attribute__((constructor)) static void find(void)
{
    count_next = (int (*)(int))dlsym(RTLD_NEXT, "wc_lib");
    record_next = (int (*)(int))dlsym(RTLD_NEXT, "wr_lib");
}

VISIBLE int wc_lib(int x)
{
    counts[0]++;
    x = count_next(x);
    counts[1]++;
    return x;
}

VISIBLE int wr_lib(int x)
{
    static size_t at;
    uint64_t *r = ring + (at & 0x1fff8);
    at += 8;
    r[0] = ez_tick();
    r[1] = 1;
    r[2] = 2;
    x = record_next(x);
    r[4] = ez_tick();
    r[5] = 1;
    r[6] = 3;
    return x;
}
