/* SPDX-License-Identifier: GPL-3.0-or-later */
/* threads.c - do threads that hit the same probe cost each other anything?
 *
 * The same calls by one thread and by eight, in turns; time of the processor that each
 * thread itself used, a call, median of all threads and rounds, with the bare loop's
 * subtracted. bench.sh plants the probe on c_exe. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "engine/check/cost/kernels.h"

FUNCTION(bare)
FUNCTION(c_exe)

enum { THREADS = 8, ROUNDS = 15, CALLS = 400000 };

struct job {
    int (*fn)(int);
    double ns;
    pthread_barrier_t *start;
};

static double cpu_ns(void)
{
    struct timespec ts;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
    return (double)ts.tv_sec * 1e9 + (double)ts.tv_nsec;
}

static void *work(void *arg)
{
    struct job *j = arg;
    volatile int x = j->fn(1); /* the thread's lane is there */
    pthread_barrier_wait(j->start);
    double before = cpu_ns();
    for (int i = 0; i < CALLS; i++)
        x = j->fn(x);
    j->ns = (cpu_ns() - before) / CALLS;
    return NULL;
}

/* n threads at once; their times into out[n]. */
static void together(int (*fn)(int), unsigned n, double *out)
{
    pthread_t thread[THREADS];
    struct job job[THREADS];
    pthread_barrier_t start;
    pthread_barrier_init(&start, NULL, n);
    for (unsigned i = 0; i < n; i++) {
        job[i] = (struct job){ fn, 0, &start };
        if (pthread_create(&thread[i], NULL, work, &job[i]))
            exit(1);
    }
    for (unsigned i = 0; i < n; i++) {
        pthread_join(thread[i], NULL);
        out[i] = job[i].ns;
    }
    pthread_barrier_destroy(&start);
}

int main(void)
{
    static double one[2][ROUNDS], all[2][ROUNDS * THREADS];
    int (*fn[])(int) = { bare, c_exe };
    for (int r = 0; r < ROUNDS; r++)
        for (int k = 0; k < 2; k++) {
            together(fn[k], 1, &one[k][r]);
            together(fn[k], THREADS, &all[k][r * THREADS]);
        }
    double alone = cost_median(one[1], ROUNDS) - cost_median(one[0], ROUNDS);
    double many = cost_median(all[1], ROUNDS * THREADS) - cost_median(all[0], ROUNDS * THREADS);
    printf("count, one thread %.2f ns, each of %d threads %.2f ns: %.2f x\n", alone, THREADS, many,
           many / alone);
    return 0;
}
