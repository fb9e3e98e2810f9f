/* SPDX-License-Identifier: MIT */
/* demo.c - heat spreads over a plate, computed by a few threads: a small real
 * program to put probes on. `step` is a static function, `kernel_row` comes from a
 * shared library. Prints the heat that is left, the same with and without probes.
 * demo [STEPS]: a million takes minutes, time to attach. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "kernel.h"

#define N 130 /* rows and columns, the rim included */
#define THREADS 4
#define BAND ((N - 2) / THREADS)

struct band {
    pthread_t thread;
    int from, to; /* rows [from, to) */
    double flow;
};

static int steps = 400;
static double plate[2][N][N];
static pthread_barrier_t everyone;

/* One step of one band. Not inlined, so that there is a call to see. */
__attribute__((noinline)) static double step(const struct band *b, int now)
{
    double flow = 0;
    for (int y = b->from; y < b->to; y++)
        flow += kernel_row(plate[!now][y], plate[now][y - 1], plate[now][y], plate[now][y + 1], N);
    return flow;
}

static void *work(void *arg)
{
    struct band *b = arg;
    for (int i = 0; i < steps; i++) {
        b->flow += step(b, i % 2);
        pthread_barrier_wait(&everyone);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    struct band band[THREADS];
    double heat = 0, flow = 0;

    if (argc > 1)
        steps = atoi(argv[1]);
    plate[0][N / 2][N / 3] = 1000;
    pthread_barrier_init(&everyone, NULL, THREADS);
    for (int i = 0; i < THREADS; i++) {
        band[i] = (struct band){ .from = 1 + i * BAND, .to = 1 + (i + 1) * BAND };
        if (pthread_create(&band[i].thread, NULL, work, &band[i]))
            return 1;
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(band[i].thread, NULL);
        flow += band[i].flow;
    }
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++)
            heat += plate[steps % 2][y][x];
    printf("%d steps: heat %.6f, flow %.6f\n", steps, heat, flow);
    return 0;
}
