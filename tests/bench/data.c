/* SPDX-License-Identifier: GPL-3.0-or-later */
/* data.c - what conditions, values and aggregates cost per call, against the loop without a probe,
 * interleaved in one run on one pinned core. data.sh plants the probes.
 *
 * Prints a line per kernel: median of its rounds minus the median of the bare one, in ns. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "engine/check/cost/kernels.h"

static char here[] = "sixteen letters."; /* in the program's data */
static char *there;                      /* on the heap           */

#define CALLED(name)                                                                               \
    NOT_INLINE int name(int x, long y, const char *here_text, const char *there_text)              \
    {                                                                                              \
        __asm__ volatile("" : "+r"(x) : "r"(y), "r"(here_text), "r"(there_text));                  \
        return x + 1;                                                                              \
    }
CALLED(k_bare)
CALLED(k_count)
CALLED(k_entry)
CALLED(k_both)
CALLED(k_two)
CALLED(k_result)
CALLED(k_text)
CALLED(k_heap)
CALLED(k_false)
CALLED(k_true)
CALLED(k_inter)
CALLED(k_keyed)
CALLED(k_hist)
CALLED(k_latency)
CALLED(k_line)
CALLED(k_line_text)
CALLED(k_stop)
CALLED(k_frag_empty)
CALLED(k_frag_count)
CALLED(k_frag_calls)

enum { ROUNDS = 31, CALLS = 60000 };

typedef int kernel_fn(int, long, const char *, const char *);
static const struct {
    const char *name;
    kernel_fn *fn;
} kernel[] = {
    { "bare", k_bare },
    { "count entry and exit (call-through)", k_count },
    { "record entry", k_entry },
    { "record entry and exit", k_both },
    { "record entry with two integers", k_two },
    { "record entry and exit with the result", k_result },
    { "record entry with a text of 16 bytes, program's", k_text },
    { "record entry with a text of 16 bytes, heap's", k_heap },
    { "condition that is false, integer", k_false },
    { "condition that is true, counted", k_true },
    { "condition that is false, two integers and arithmetic", k_inter },
    { "keyed count, 16 keys", k_keyed },
    { "histogram of an argument", k_hist },
    { "histogram of latency", k_latency },
    { "dprintf of two integers", k_line },
    { "dprintf of an integer and a text of 16 bytes", k_line_text },
    { "a stop whose condition is false", k_stop },
    { "fragment: empty entry and exit (bound 60)", k_frag_empty },
    { "fragment: entry increments a static (bound 25)", k_frag_count },
    { "fragment: entry calls rand()", k_frag_calls },
};
#define NKERNEL (sizeof kernel / sizeof *kernel)
static double sample[NKERNEL][ROUNDS];

static double round_of(kernel_fn *fn)
{
    double t = cost_now();
    int x = 0;
    for (int i = 0; i < CALLS; i++)
        x = fn(i & 15, x, here, there);
    *(volatile int *)&x = x;
    return (cost_now() - t) / CALLS;
}

int main(void)
{
    there = strdup(here);
    cost_pin();
    for (int r = 0; r < ROUNDS; r++)
        for (size_t k = 0; k < NKERNEL; k++) {
            sample[k][r] = round_of(kernel[k].fn);
            usleep(20000); /* the rings are emptied meanwhile */
        }
    double bare = cost_median(sample[0], ROUNDS);
    for (size_t k = 0; k < NKERNEL; k++)
        printf("%-55s %7.2f ns\n", kernel[k].name, cost_median(sample[k], ROUNDS) - (k ? bare : 0));
    return 0;
}
