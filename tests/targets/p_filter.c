/* SPDX-License-Identifier: GPL-3.0-or-later */
/* p_filter.c - calls to pick from, which it counts itself: p_filter THREADS CALLS [signals].
 *
 * Every second thread is called "even", the others "odd". Each makes CALLS calls of work(), and of
 * called(), by one or the other of two functions; every 100th time deep() 20 times nested; every 500th
 * slow() takes 3 ms, else no time. With `signals`, a timer's handler calls handled() meanwhile. Claims on
 * standard error, a sum of results on standard output. With `dies` it makes CALLS calls of work(), gets
 * SIGUSR1, makes as many again, gets another, makes as many again, and is killed. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <time.h>

#define CALLED __attribute__((noinline, noclone))

CALLED int work(int n)
{
    __asm__ volatile("");
    return n + 1;
}
CALLED int called(int n)
{
    __asm__ volatile("");
    return n * 2;
}
CALLED int from_a(int n)
{
    return called(n) + 1;
}
CALLED int from_b(int n)
{
    return called(n) + 2;
}
CALLED int deep(int n)
{
    int below = n ? deep(n - 1) : -1;
    __asm__ volatile("" : "+r"(below)); /* no loop is made of it */
    return below + 1;
}
CALLED int slow(int n)
{
    struct timespec t = { .tv_nsec = 3000000 };
    while (n % 500 == 0 && nanosleep(&t, &t))
        continue;
    return n;
}
CALLED int handled(int n)
{
    __asm__ volatile("");
    return work(n) + 1;
}

static int calls;
static volatile sig_atomic_t signalled;

static void on_timer(int sig)
{
    (void)sig;
    handled(1);
    __atomic_add_fetch(&signalled, 1, __ATOMIC_RELAXED);
}

static void *thread(void *arg)
{
    long *sum = arg, all = 0;
    prctl(PR_SET_NAME, *sum % 2 ? "odd" : "even");
    for (int n = 0; n < calls; n++) {
        all += work(n) + (n % 3 ? from_b(n) : from_a(n)) + slow(n);
        if (n % 100 == 0)
            all += deep(20);
    }
    *sum = all;
    return NULL;
}

static void die(void)
{
    signal(SIGUSR1, SIG_IGN);
    for (int k = 0; k < 3; k++) {
        for (int n = 0; n < calls; n++)
            work(n);
        raise(k < 2 ? SIGUSR1 : SIGKILL);
    }
}

int main(int argc, char **argv)
{
    enum { MOST = 64 };
    int n = argc > 1 ? atoi(argv[1]) : 1;
    pthread_t id[MOST];
    long sum[MOST], all = 0;
    struct itimerval every = { { 0, 500 }, { 0, 500 } };
    struct sigaction act = { .sa_handler = on_timer, .sa_flags = SA_RESTART };
    calls = argc > 2 ? atoi(argv[2]) : 1000;
    if (argc > 3 && !strcmp(argv[3], "dies"))
        die();
    sigaction(SIGPROF, &act, NULL);
    if (argc > 3)
        setitimer(ITIMER_PROF, &every, NULL);
    for (int i = 0; i < n && i < MOST; i++) {
        sum[i] = i;
        pthread_create(&id[i], NULL, thread, &sum[i]);
    }
    for (int i = 0; i < n && i < MOST; i++) {
        pthread_join(id[i], NULL);
        all += sum[i];
    }
    every = (struct itimerval){ 0 };
    setitimer(ITIMER_PROF, &every, NULL);
    fprintf(stderr, "work %d\neven %d\na %d\nb %d\ndeep %d\nslow %d\nquick %d\nsignals %d\n",
            calls * n, calls * ((n + 1) / 2), (calls + 2) / 3 * n, (calls - (calls + 2) / 3) * n,
            (calls + 99) / 100 * n, (calls + 499) / 500 * n, (calls - (calls + 499) / 500) * n,
            (int)signalled);
    printf("%ld\n", all);
    return 0;
}
