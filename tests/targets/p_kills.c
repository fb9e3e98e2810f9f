/* SPDX-License-Identifier: MIT */
/* p_kills.c - works until the file STOP exists, for shells that are killed. p_kills STOP THREADS BUSY, 512 threads at
 * most: only BUSY of the threads work all the time; the others mostly sleep. Each thread calls, locks, allocates, and the
 * first thread forks children, which call, too. beat_too may replace beat. Ends also with the process that began it.
 * Checks all results and counts; prints "right" or what was wrong. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "keep.h"

#define MOST 512
enum { BUSY_CALLS = 200, IDLE_CALLS = 10, ROUNDS_A_FORK = 64 };

static const char *stop;
static int busy;
static pid_t parent;
static volatile int wrong, bad_child;
static unsigned long rounds[MOST], all_rounds, forks;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

KEEP unsigned long beat(unsigned long a, unsigned long b)
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

static int goes_on(void)
{
    return access(stop, F_OK) && getppid() == parent;
}

static int calls_are_wrong(unsigned long from, unsigned calls)
{
    int n = 0;
    for (unsigned long i = from; i < from + calls; i++)
        n |= pulse(i) != i * 3 + 8;
    return n;
}

static void fork_one(unsigned long from)
{
    int status;
    pid_t child = fork();
    if (!child)
        _exit(calls_are_wrong(from, BUSY_CALLS));
    forks++;
    if (child < 0 || waitpid(child, &status, 0) != child || status)
        bad_child = child < 0 ? -1 : status;
}

static void *work(void *arg)
{
    unsigned long *n = arg;
    int me = (int)(n - rounds);
    unsigned calls = me < busy ? BUSY_CALLS : IDLE_CALLS;
    do {
        unsigned long *copy = malloc(sizeof *copy);
        *copy = *n * calls;
        if (calls_are_wrong(*copy, calls) || *copy != *n * calls)
            wrong = 1;
        free(copy);
        pthread_mutex_lock(&lock);
        all_rounds++;
        pthread_mutex_unlock(&lock);
        if (!me && *n % ROUNDS_A_FORK == 0)
            fork_one(*n);
        ++*n;
        usleep(me < busy ? 50 : 20000);
    } while (goes_on());
    return NULL;
}

int main(int argc, char **argv)
{
    int n = argc > 2 ? atoi(argv[2]) : 1;
    unsigned long sum = 0;
    pthread_t t[MOST];
    stop = argv[1];
    parent = getppid();
    busy = argc > 3 ? atoi(argv[3]) : n;
    for (int i = 1; i < n; i++)
        if (pthread_create(&t[i], NULL, work, &rounds[i]))
            return 2;
    work(&rounds[0]);
    for (int i = 1; i < n; i++)
        pthread_join(t[i], NULL);
    for (int i = 0; i < n; i++)
        sum += rounds[i];
    printf("rounds %lu %lu\nforks %lu, bad status %d\n%s\n", sum, all_rounds, forks, bad_child,
           wrong || bad_child || sum != all_rounds ? "WRONG" : "right");
    return wrong || bad_child || sum != all_rounds;
}
