/* SPDX-License-Identifier: MIT */
/* p_storm.c - timers that fire some 5,000 times a second, in three ways, at a program of
 * several threads that works until the file STOP exists. p_storm STOP THREADS
 * Prints whether all results were right and signals came. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "keep.h"

static const char *stop;
static int wrong;
static volatile sig_atomic_t signals;

KEEP static unsigned long beat(unsigned long a)
{
    static volatile unsigned long sink;
    sink = a;
    return a * 3 + 1;
}

static void on_signal(int sig)
{
    (void)sig;
    signals++;
}

static void *work(void *arg)
{
    unsigned long i = 0;
    do {
        for (int k = 0; k < 1000; k++, i++)
            if (beat(i) != i * 3 + 1)
                wrong = 1;
    } while (access(stop, F_OK));
    return arg;
}

int main(int argc, char **argv)
{
    int n = argc > 2 ? atoi(argv[2]) : 1;
    struct sigaction sa = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
    struct itimerval often = { { 0, 200 }, { 0, 200 } };
    struct itimerspec often_too = { { 0, 200000 }, { 0, 200000 } };
    struct sigevent ev = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN + 3 };
    timer_t timer;
    pthread_t t[64];
    stop = argv[1];
    sigaction(SIGALRM, &sa, NULL);
    sigaction(SIGPROF, &sa, NULL);
    sigaction(SIGRTMIN + 3, &sa, NULL);
    setitimer(ITIMER_REAL, &often, NULL);
    setitimer(ITIMER_PROF, &often, NULL);
    if (timer_create(CLOCK_MONOTONIC, &ev, &timer) || timer_settime(timer, 0, &often_too, NULL))
        return 2;
    for (int i = 1; i < n; i++)
        pthread_create(&t[i], NULL, work, NULL);
    work(NULL);
    for (int i = 1; i < n; i++)
        pthread_join(t[i], NULL);
    printf("%s\n", wrong || !signals ? "WRONG" : "right");
    return wrong;
}
