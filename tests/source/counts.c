/* SPDX-License-Identifier: MIT */
/* counts.c - what counts.spec calls: counts entries and exits, and appends to the file that CALLS names, at the end:
 * "entered N wrong M": M routines (and loops of Fortran) were not left, but for those that were open when the program was stopped
 * from inside. A jump that leaves several routines is noticed at the next exit outside. */
#include <stdio.h>
#include <stdlib.h>

void ez_count(int *depth);
void ez_back(int depth);
void ez_count_f_(int *depth);
void ez_back_f_(const int *depth);
void ez_stop_f_(void);
void ez_loop_f_(void);
void ez_done_f_(void);

static __thread int now;
static long entered, wrong, loops;
static int stopped;

static void at_end(void)
{
    const char *path = getenv("CALLS");
    FILE *f = path ? fopen(path, "a") : NULL;
    if (f) {
        fprintf(f, "entered %ld wrong %ld\n", entered, wrong + (stopped ? 0 : now + labs(loops)));
        fclose(f);
    }
}

void ez_count(int *depth)
{
    if (!depth) {
        stopped = 1;
        return;
    }
    if (!__atomic_fetch_add(&entered, 1, __ATOMIC_RELAXED))
        atexit(at_end);
    *depth = ++now;
}

void ez_back(int depth)
{
    if (depth > now)
        wrong++; /* it was left already */
    now = depth - 1;
}

void ez_count_f_(int *depth)
{
    ez_count(depth);
}

void ez_back_f_(const int *depth)
{
    ez_back(*depth);
}

void ez_stop_f_(void)
{
    stopped = 1;
}

void ez_loop_f_(void)
{
    loops++;
}

void ez_done_f_(void)
{
    loops--;
}
