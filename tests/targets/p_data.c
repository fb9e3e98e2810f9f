/* SPDX-License-Identifier: GPL-3.0-or-later */
/* p_data.c - calls with arguments that it counts itself: p_data THREADS CALLS [signals].
 *
 * Each thread calls work() with n = 0 to CALLS - 1; with `signals`, a timer's handler calls handled()
 * meanwhile. On standard error: how many calls had what. On standard output: a sum of results. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

struct rec {
    int key;
    char name[12];
    struct rec *next;
};

#define CALLED __attribute__((noinline, noclone))

CALLED long work(int n, double d, const char *s, const struct rec *r)
{
    return n + (long)d + (s ? (long)strlen(s) : 0) + (r ? r->key : 0);
}
CALLED int jumped_to(int n)
{
    __asm__ volatile("");
    return n * 3;
}
CALLED int jumps(int n) /* a tail call */
{
    __asm__ volatile("");
    return jumped_to(n + 1);
}
CALLED int deep(int n)
{
    int below = n ? deep(n - 1) : -1;
    __asm__ volatile("" : "+r"(below)); /* no loop is made of it */
    return below + 1;
}
CALLED int handled(int n)
{
    __asm__ volatile("");
    return n + 1;
}

static long calls;
static int signalled; /* a handler may run in two threads at once */

static void on_timer(int sig)
{
    (void)sig;
    __atomic_fetch_add(&signalled, handled(1) != 0, __ATOMIC_RELAXED);
}

static void *thread(void *arg)
{
    static const char *const names[] = { "zero", "one", "two", NULL };
    struct rec *list = malloc(2 * sizeof *list);
    long sum = 0;
    list[1] = (struct rec){ 40, "second", NULL };
    list[0] = (struct rec){ 0, "first", &list[1] };
    for (long n = 0; n < calls; n++) {
        list[0].key = (int)(n % 10);
        sum += work((int)n, (double)n / 4, names[n % 4], n % 5 ? &list[n & 1] : NULL);
        if (n % 100 == 0)
            sum += jumps((int)n) + deep(20);
    }
    free(list);
    *(long *)arg = sum;
    return NULL;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1;
    pthread_t id[64];
    long sum[64], all = 0, odd = 0, big = 0, keyed = 0;
    calls = argc > 2 ? atol(argv[2]) : 1000;
    struct itimerval every = { { 0, 500 }, { 0, 500 } };
    struct sigaction act = { .sa_handler = on_timer, .sa_flags = SA_RESTART };
    sigaction(SIGPROF, &act, NULL);
    if (argc > 3)
        setitimer(ITIMER_PROF, &every, NULL);
    for (int i = 0; i < n && i < 64; i++)
        pthread_create(&id[i], NULL, thread, &sum[i]);
    for (int i = 0; i < n && i < 64; i++) {
        pthread_join(id[i], NULL);
        all += sum[i];
    }
    memset(&every, 0, sizeof every);
    setitimer(ITIMER_PROF, &every, NULL);
    for (long k = 0; k < calls; k++) {
        odd += k % 2;
        big += k > 100 && (double)k / 4 < 200;
        keyed += k % 5 && (k & 1 ? 40 : k % 10) > 5;
    }
    fprintf(stderr, "odd %ld\nbig %ld\nkeyed %ld\nall %ld\njumps %ld\nsignals %d\n", odd * n,
            big * n, keyed * n, calls * n, (calls + 99) / 100 * n, (int)signalled);
    printf("%ld\n", all);
    return 0;
}
