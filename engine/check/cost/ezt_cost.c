/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ezt_cost.c - the program that `info cost` probes (engine/check/cost.c): calls functions that
 * carry probes of each kind, and others that carry none, in turns.
 *
 * Output: a line "ezt-cost: KERNEL NS" for each, the median of the rounds. */
#include <stdio.h>

#include "engine/check/cost/kernels.h"

FUNCTION(bare)
FUNCTION(count_entry)
FUNCTION(count_both)
FUNCTION(count_slots)
FUNCTION(record_slots)
FUNCTION(record_entry)
FUNCTION(record_both)

__attribute__((noinline)) static int stamp(int x)
{
    cost_room[0] = ez_tick();
    return bare(x);
}

__attribute__((noinline)) static int bound(int x)
{
    return cost_bound(bare, x, 2);
}

enum { ROUNDS = 15, CALLS = 10000 };

static const struct {
    const char *name;
    int (*fn)(int);
} kernel[] = {
    { "bare", bare },
    { "count_entry", count_entry },
    { "count_both", count_both },
    { "count_slots", count_slots },
    { "record_entry", record_entry },
    { "record_both", record_both },
    { "record_slots", record_slots },
    { "stamp", stamp },
    { "bound", bound },
};
#define NKERNEL (sizeof kernel / sizeof *kernel)

int main(void)
{
    static double sample[NKERNEL][ROUNDS];
    cost_pin();
    for (int r = 0; r < ROUNDS; r++)
        for (size_t k = 0; k < NKERNEL; k++)
            sample[k][r] = cost_round(kernel[k].fn, CALLS);
    for (size_t k = 0; k < NKERNEL; k++)
        printf("ezt-cost: %s %.3f\n", kernel[k].name, cost_median(sample[k], ROUNDS));
    return 0;
}
