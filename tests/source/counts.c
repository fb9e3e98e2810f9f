/* SPDX-License-Identifier: MIT */
/* counts.c - what counts.spec calls: counts entries and exits, and appends to the file that CALLS names, at the end:
 * "entered N wrong M skipped K": M routines (and loops of Fortran) were not left, but for those that were open when the program
 * was stopped from inside; K routines were open still when one around them was left: by a jump, or they have no exit. */
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
static long entered, wrong, skipped, loops;
static int stopped;

static void at_end(void)
{
    const char *path = getenv("CALLS");
    FILE *f = path ? fopen(path, "a") : NULL;
    if (f) {
        fprintf(f, "entered %ld wrong %ld skipped %ld\n", entered,
                wrong + (stopped ? 0 : now + labs(loops)), skipped);
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
    else
        skipped += now - depth;
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
