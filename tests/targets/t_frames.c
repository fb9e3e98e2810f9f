/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t_frames.c - stands still with calls open: recursion, a callback of the C library, a signal's handler
 * (tests/procs/bt.sh). With an argument: two threads, that wait. */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#define APART __attribute__((noinline, noipa))

struct pair {
    int x, y;
};
enum colour { RED, GREEN };

static volatile int sink;
static int *volatile nowhere;

APART static void stop_here(int why)
{
    *nowhere = why;
}

APART static void on_signal(int sig)
{
    int twice = sig * 2;
    stop_here(7);
    sink = twice;
}

APART int down(int n, const char *name, struct pair p, double d, enum colour c)
{
    volatile int local = n * 10;
    if (!n)
        raise(SIGUSR1);
    else
        sink = down(n - 1, name, p, d, c) + local;
    return local + p.x;
}

APART static int compare(const void *a, const void *b)
{
    struct pair p = { 1, 2 };
    sink = down(3, "text", p, 1.5, GREEN);
    return *(const int *)a - *(const int *)b;
}

APART int work(int n)
{
    sink = n;
    return n + 1;
}

APART static void *waits(void *arg)
{
    int number = (int)(long)arg;
    for (;;)
        sink = work(number) + pause();
    return NULL;
}

int main(int argc, char **argv)
{
    int v[2] = { 2, 1 };
    pthread_t t[2];
    sink = work(0);
    signal(SIGUSR1, on_signal);
    for (long i = 0; argc > 1 && i < 2; i++)
        pthread_create(&t[i], NULL, waits, (void *)i);
    if (argc > 1) {
        sleep(1); /* until they wait */
        raise(SIGINT);
    }
    qsort(v, 2, sizeof *v, compare);
    return 0;
}
