/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spin.c - calls that take a known time: `spin` returns when the clock has gone on by a
 * millisecond or more. Prints on standard error the bounds of the time of all
 * calls, in nanoseconds: what they waited for, and what was measured around them. */
#include "target.h"

#include <time.h>

enum { CALLS = 200, NS = 1000000 };

static long now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000 + t.tv_nsec;
}

NI long spin(long ns)
{
    long begin = now(), end;
    do
        end = now();
    while (end - begin < ns);
    return end - begin;
}

int main(void)
{
    long within = 0, around = 0;
    bounded();
    for (int i = 0; i < CALLS; i++) {
        long t = now();
        within += spin(NS);
        around += now() - t;
    }
    puts("spun");
    claim("count", "spin", CALLS);
    claim("exits", "spin", CALLS);
    fprintf(stderr, "within %ld\naround %ld\n", within, around);
    return 3;
}
