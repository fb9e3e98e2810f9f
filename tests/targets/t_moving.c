/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t_moving.c - for tests/procs/moving.sh: lines, calls, recursion, loops, threads under a signal.
 * It counts what it did, and ends with 7 if all of it happened. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

struct pair {
    long a;
    double b;
};

static volatile int turns, rounds, done, total;
static volatile unsigned long spun;

#define OWN __attribute__((noinline, noclone))

OWN int add(int a, int b)
{
    int c = a + b;
    total += c;
    return c;
}

OWN int fact(int n)
{
    if (n < 2)
        return 1;
    int below = fact(n - 1);
    total++;
    return n * below;
}

OWN double half(double x)
{
    total++;
    return x / 2;
}

OWN struct pair both(int a)
{
    struct pair p = { a, a / 4.0 };
    total++;
    return p;
}

OWN void nothing(void)
{
    total++;
}

OWN unsigned long spin(unsigned long n) /* what takes long */
{
    for (unsigned long i = 0; i < n; i++)
        spun++;
    return spun;
}

OWN int loops(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++) {
        sum += add(i, 1);
        nothing();
    }
    total++;
    return sum;
}

static void *work(void *arg)
{
    int mine = 0;
    for (; !done; rounds++)
        mine = add(mine, 1) & 0xff;
    return arg;
}

static void tick(int sig)
{
    turns++;
}

OWN void settle(void) /* until the threads have come around */
{
    while (turns < 10 || rounds < 100)
        spun = spun;
}

OWN int crowd(int n)
{
    pthread_t id[4];
    struct itimerval often = { { 0, 2000 }, { 0, 2000 } };
    signal(SIGALRM, tick);
    setitimer(ITIMER_REAL, &often, NULL);
    for (int i = 0; i < 4; i++)
        pthread_create(&id[i], NULL, work, NULL);
    settle();
    int r = fact(n);
    done = 1;
    for (int i = 0; i < 4; i++)
        pthread_join(id[i], NULL);
    memset(&often, 0, sizeof often);
    setitimer(ITIMER_REAL, &often, NULL);
    return r;
}

int main(int argc, char **argv)
{
    unsigned long n = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
    int x = add(1, 2);
    nothing();
    x += fact(4);
    x += loops(2);
    x += (int)half(3) + (int)both(8).a;
    puts("half way");
    if (argc > 1 && !strcmp(argv[1], "threads"))
        x += crowd(3) - 6;
    spin(n);
    nothing();
    printf("x %d spun %d\n", x, spun == n);
    return x == 3 + 24 + 3 + 1 + 8 && spun == n ? 7 : 1;
}
