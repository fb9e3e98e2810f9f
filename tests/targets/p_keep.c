/* SPDX-License-Identifier: MIT */
/* p_keep.c - counts its own calls. p_keep STOP GO THREADS [births] [deep] [lazy]
 * [headless] [LIB]
 * Waits until the file GO exists, works until STOP does, prints "leaf N" and "lap N". Each
 * lap of each thread calls `lap` once and `leaf` a hundred times.
 *   births  every fourth lap of a thread starts another that calls `leaf` fifty times
 *   deep    every call of `leaf` is made from `nest` inside a frame that main thread
 *           entered before GO: it returns after STOP, through whatever stood there then
 *   headless  the main thread ends at once, the others go on
 *   lazy    100 ms between two laps instead of 0.1
 *   LIB     the main thread loads and unloads it every eighth lap */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "keep.h"

static const char *stop, *go, *lib;
static int births, deep, lazy, wrong;
enum { MOST = 2048 }; /* threads */
static unsigned long leaves[MOST], laps[MOST];

KEEP unsigned long leaf(unsigned long a)
{
    static volatile unsigned long sink;
    sink = a;
    return a * 7 + 3;
}

KEEP unsigned long lap(unsigned long a)
{
    static volatile unsigned long sink;
    sink = a ^ 9;
    return a + 1;
}

static void calls(unsigned n, unsigned long from, unsigned long *count)
{
    for (unsigned i = 0; i < n; i++)
        if (leaf(from + i) != (from + i) * 7 + 3)
            wrong = 1;
    *count += n;
}

static void *brief(void *arg)
{
    calls(50, 5, arg);
    return NULL;
}

static void load(void)
{
    void *h = dlopen(lib, RTLD_NOW);
    unsigned (*mix)(unsigned, unsigned);
    if (h)
        *(void **)&mix = dlsym(h, "lib_mix");
    if (!h || !mix || mix(3, 4) != mix(3, 4))
        wrong = 1;
    if (h)
        dlclose(h);
}

static void *work(void *arg)
{
    int me = (int)(long)arg;
    unsigned long n = 0, born = 0;
    do {
        pthread_t t;
        calls(100, n, &leaves[me]);
        n = lap(n);
        if (births && n % 4 == 0 && !pthread_create(&t, NULL, brief, &born))
            pthread_join(t, NULL);
        if (lib && !me && n % 8 == 0)
            load();
        usleep(lazy ? 100000 : 100);
    } while (access(stop, F_OK));
    laps[me] = n;
    leaves[me] += born;
    return NULL;
}

KEEP unsigned long nest(int n)
{
    unsigned long r = 1;
    if (deep) /* this frame stays while shells come and go */
        while (access(go, F_OK))
            usleep(1000);
    static pthread_t t[MOST];
    for (long i = 1; i < n; i++)
        if (pthread_create(&t[i], NULL, work, (void *)i))
            exit(2); /* this system does not allow so many threads */
    work(NULL);
    for (int i = 1; i < n; i++)
        pthread_join(t[i], NULL);
    for (int i = 0; i < n; i++)
        r += leaves[i];
    return r;
}

static int threads;
static void *all(void *arg)
{
    while (!deep && access(go, F_OK))
        usleep(1000);
    unsigned long sum = nest(threads) - 1, all = 0;
    for (int i = 0; i < threads; i++)
        all += laps[i];
    printf("leaf %lu\nlap %lu\n%s\n", sum, all, wrong ? "WRONG" : "right");
    exit(wrong);
}

int main(int argc, char **argv)
{
    int headless = 0;
    pthread_t t;
    stop = argv[1];
    go = argv[2];
    threads = atoi(argv[3]);
    for (int i = 4; i < argc; i++) {
        births |= !strcmp(argv[i], "births");
        deep |= !strcmp(argv[i], "deep");
        lazy |= !strcmp(argv[i], "lazy");
        headless |= !strcmp(argv[i], "headless");
        if (strchr(argv[i], '/'))
            lib = argv[i];
    }
    if (headless && !pthread_create(&t, NULL, all, NULL))
        pthread_exit(NULL);
    all(NULL);
}
