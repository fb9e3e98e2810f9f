/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calls.c - what a probe costs per call, against the loop without it and against the
 * ways of the papers, all interleaved in one run on one pinned core (bench.sh plants
 * the probes: c_* are counted, r_* recorded, of e_* the entries; m_* are replaced by
 * calls_module.c, w_* wrapped by preload.c).
 *
 * Prints a line per kernel: median of its rounds minus the median of the bare one. */
#define CONFIG_FUT /* the macros record */
#include <fxt/fxt.h>
#include <fxt/fut.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "engine/check/cost/kernels.h"
#include "tests/bench/calls.h"

FUNCTION(bare)
FUNCTION(c_exe)
FUNCTION(r_exe)
FUNCTION(e_exe)
FUNCTION(m_none)
FUNCTION(m_two)
FUNCTION(m_words)

/* The physical bound of recording: two stamps and two records, nothing else. */
__attribute__((noinline)) static int bound(int x)
{
    return cost_bound(bare, x, 3);
}

/* Papers 000 and 002: events written in the process by FUT. */
__attribute__((noinline)) static int with_fut(int x)
{
    FUT_DO_PROBE0(0x1111);
    x = bare(x);
    FUT_DO_PROBE0(0x1112);
    return x;
}

enum { ROUNDS = 41, CALLS = 100000 };

static const struct kernel {
    const char *name;
    int (*fn)(int);
} kernel[] = {
    { "bare", bare },
    { "count exe", c_exe },
    { "count lib", c_lib },
    { "record exe", r_exe },
    { "record lib", r_lib },
    { "two rdtsc + two records", bound },
    { "LD_PRELOAD wrapper, count", wc_lib },
    { "LD_PRELOAD wrapper, record", wr_lib },
    { "FUT in the process", with_fut },
    { "record entry", e_exe },
    { "replaced", m_none },
    { "replaced, two events", m_two },
    { "replaced, event of two words", m_words },
};
#define NKERNEL (sizeof kernel / sizeof *kernel)
static double sample[NKERNEL][ROUNDS];
static long sleeps[NKERNEL]; /* times the kernel gave up its processor: for room in the ring */

static long slept(void)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return u.ru_nvcsw;
}

int main(void)
{
    double med[NKERNEL];
    const char *wanted = getenv("EZT_PAUSE");
    bool pause = wanted && *wanted;
    cost_pin();
    fut_set_filename(getenv("FUT_FILE") ? getenv("FUT_FILE") : "fut.trace");
    fut_setup(1 << 20, FUT_KEYMASKALL, 0);
    enable_fut_flush();
    for (int r = 0; r < ROUNDS; r++)
        for (size_t k = 0; k < NKERNEL; k++) {
            long before = slept();
            sample[k][r] = cost_round(kernel[k].fn, CALLS);
            sleeps[k] += slept() - before;
            if (pause) /* the drain empties the ring: each kernel begins with an empty one */
                usleep(20000);
        }
    for (size_t k = 0; k < NKERNEL; k++)
        med[k] = cost_median(sample[k], ROUNDS);
    printf("%-28s %8s %10s %8s\n", "per call, ns", "median", "over bare", "sleeps");
    for (size_t k = 0; k < NKERNEL; k++)
        printf("%-28s %8.2f %10.2f %8ld\n", kernel[k].name, med[k], med[k] - med[0], sleeps[k]);
    bool slots = getenv("EZT_EXITS") && !strcmp(getenv("EZT_EXITS"), "slots");
    printf("record / two rdtsc + two records: exe %.2f, lib %.2f (bound %s)\n",
           (med[3] - med[0]) / (med[5] - med[0]), (med[4] - med[0]) / (med[5] - med[0]),
           slots ? "1.3" : "1.15");
    printf("record exe / FUT in the process: %.2f\n", (med[3] - med[0]) / (med[8] - med[0]));
    printf("replaced, two events / two rdtsc + two records: %.2f (bound 1.3)\n",
           (med[11] - med[0]) / (med[5] - med[0]));
    printf("event of two words / entry record: %.2f (bound 1.3)\n",
           (med[12] - med[10]) / (med[9] - med[0]));
    printf("count exe %.1f ns, lib %.1f ns (bound %s)\n", med[1] - med[0], med[2] - med[0],
           slots ? "8" : "3");
    fut_endup("ignored: the name is set");
    return 0;
}
