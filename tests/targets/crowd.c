/* SPDX-License-Identifier: GPL-3.0-or-later */
/* crowd.c - N threads are alive at once, each with hits before and after all others'.
 *
 * crowd N */
#include "target.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { CALLS = 50 };

static atomic_ulong wrong;
static pthread_barrier_t all;

NI long proved(long x) /* call-through is possible */
{
    OPAQUE;
    return x * 2;
}

NI long tailing(long x) /* call-through is not possible: the function may leave by a jump */
{
    OPAQUE;
    if (x & 1)
        return proved(x);
    OPAQUE;
    return 2 * x;
}

NI static void some(long x)
{
    for (int i = 0; i < CALLS; i++)
        wrong += proved(x) != 2 * x || tailing(2 * x) != 4 * x;
}

static void *body(void *arg)
{
    some((long)arg);
    pthread_barrier_wait(&all);
    some((long)arg);
    pthread_barrier_wait(&all);
    return arg;
}

int main(int argc, char **argv)
{
    unsigned long n = argc > 1 ? strtoul(argv[1], NULL, 10) : 2000;
    pthread_t *t = calloc(n, sizeof *t);
    pthread_attr_t attr;
    bounded();
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, 64 << 10);
    pthread_barrier_init(&all, NULL, (unsigned)n);
    for (unsigned long i = 0; i < n; i++)
        if (pthread_create(&t[i], &attr, body, (void *)i))
            return 1; /* the threads that wait end with the process */
    for (unsigned long i = 0; i < n; i++)
        pthread_join(t[i], NULL);
    printf("%lu threads, wrong %lu\n", n, (unsigned long)wrong);
    claim("count", "proved", n * CALLS * 2);
    claim("exits", "proved", n * CALLS * 2);
    claim("count", "tailing", n * CALLS * 2);
    claim("exits", "tailing", n * CALLS * 2);
    return 0;
}
