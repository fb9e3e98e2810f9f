/* SPDX-License-Identifier: MIT */
/* p_loop.c - works until the file STOP exists. p_loop STOP [THREADS], 512 at most; beat_too may replace beat.
 * Prints how often `beat` was called; status 1 when a result was wrong. Counts the
 * SIGUSR1 it receives, with the sum of their values. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "keep.h"

static const char *stop;
static int wrong;
static volatile sig_atomic_t signals, values, from_queue;
#define MOST 512
static unsigned long calls[MOST];

KEEP static unsigned long beat(unsigned long a, unsigned long b)
{
    static volatile unsigned long sink;
    sink = a;
    return a * 3 + b;
}

KEEP unsigned long beat_too(unsigned long a, unsigned long b)
{
    static volatile unsigned long sink;
    sink = b;
    return a + b + a * 2;
}

KEEP unsigned long pulse(unsigned long a)
{
    static volatile unsigned long sink;
    sink = a ^ 5;
    return beat(a, 7) + 1;
}

static void on_signal(int sig, siginfo_t *si, void *ctx)
{
    (void)sig, (void)ctx;
    signals++;
    values += si->si_value.sival_int;
    from_queue += si->si_code == SI_QUEUE;
}

static void *work(void *arg)
{
    unsigned long *n = arg, i = 0;
    do {
        for (int k = 0; k < 200; k++, i++)
            if (pulse(i) != i * 3 + 8)
                wrong = 1;
        *n = i;
        usleep(50);
    } while (access(stop, F_OK));
    return NULL;
}

int main(int argc, char **argv)
{
    int n = argc > 2 ? atoi(argv[2]) : 1;
    unsigned long sum = 0;
    pthread_t t[MOST];
    struct sigaction sa = { .sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_RESTART };
    stop = argv[1];
    sigaction(SIGUSR1, &sa, NULL);
    for (int i = 1; i < n; i++)
        pthread_create(&t[i], NULL, work, &calls[i]);
    work(&calls[0]);
    for (int i = 1; i < n; i++)
        pthread_join(t[i], NULL);
    for (int i = 0; i < n; i++)
        sum += calls[i];
    printf("calls %lu\nsignals %d values %d queued %d\n%s\n", sum, (int)signals, (int)values,
           (int)from_queue, wrong ? "WRONG" : "right");
    return wrong;
}
