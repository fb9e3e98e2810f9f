/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plant.c - how long 10,000 probes take, and how long the target stands still for them.
 * Usage: plant PROGRAM: launches it in the background, plants on its functions f_*,
 * removes, and again; prints the medians. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engine/ezt.h"

enum { ROUNDS = 7 };

static void must(ez_err *e)
{
    if (!e)
        return;
    fprintf(stderr, "plant: %s\n", e->msg);
    exit(1);
}

static double now_ms(void)
{
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return ts.tv_sec * 1e3 + ts.tv_nsec * 1e-6;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double median(double *v)
{
    qsort(v, ROUNDS, sizeof *v, by_value);
    return v[ROUNDS / 2];
}

int main(int argc, char **argv)
{
    double total[ROUNDS], stopped[ROUNDS], removed[ROUNDS];
    struct ez_bulk b;
    if (argc < 2)
        return 2;
    for (int r = 0; r < ROUNDS; r++) { /* a fresh process each: nothing is prepared */
        struct ez_target *t;
        struct ez_run how = { .args = "", .stop_at_main = false };
        must(ez_target_create(&t));
        ez_settings(t)->trace_auto = false;
        must(ez_target_file(t, argv[1]));
        must(ez_run(t, &how));
        must(ez_interrupt(t));
        must(ez_continue(t, true, -1));
        must(ez_probe_add_matching(t, &(struct ez_probe_spec){ EZ_PROBE_BOTH, .location = "^f_" },
                                   &b));
        total[r] = b.total_ms;
        stopped[r] = b.stopped_ms;
        removed[r] = now_ms();
        must(ez_probe_delete(t, NULL, 0));
        removed[r] = now_ms() - removed[r];
        ez_target_destroy(t);
    }
    printf("%u probes (entry and exit): %.1f ms in all (bound 60), target stopped %.1f ms "
           "(bound 15), removed in %.1f ms (bound 10)\n",
           b.planted, median(total), median(stopped), median(removed));
    return b.planted < 10000;
}
