/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ezt_cost.c - the program that `info cost` probes (engine/check/cost.c). It calls functions with
 * probes of each kind, and functions without probes, in turn.
 *
 * Output: struct cost_figures, with the median of the rounds for each function.
 * Tests: tests/procs/cost.sh */
#define COST_CLOCK CLOCK_THREAD_CPUTIME_ID /* the clock excludes other work of the machine */
#include "engine/check/cost/figures.h"
#include "engine/check/cost/kernels.h"

FUNCTION(bare)
FUNCTION(count_entry)
FUNCTION(count_both)
FUNCTION(count_trampoline)
FUNCTION(record_trampoline)
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

static int (*const kernel[EZ_COST_N])(int) = {
    [EZ_COST_BARE] = bare,
    [EZ_COST_COUNT_ENTRY] = count_entry,
    [EZ_COST_COUNT_BOTH] = count_both,
    [EZ_COST_COUNT_TRAMPOLINE] = count_trampoline,
    [EZ_COST_RECORD_ENTRY] = record_entry,
    [EZ_COST_RECORD_BOTH] = record_both,
    [EZ_COST_RECORD_TRAMPOLINE] = record_trampoline,
    [EZ_COST_STAMP] = stamp,
    [EZ_COST_BOUND] = bound,
};

int main(void)
{
    static double sample[EZ_COST_N][ROUNDS];
    struct cost_figures f = { .why_not = "" };
    cost_pin();
    for (int r = 0; r < ROUNDS; r++)
        for (int k = 0; k < EZ_COST_N; k++)
            sample[k][r] = cost_round(kernel[k], CALLS);
    for (int k = 0; k < EZ_COST_N; k++)
        f.cost.ns[k] = cost_median(sample[k], ROUNDS);
    return cost_pass(STDOUT_FILENO, true, &f) ? 0 : 1;
}
