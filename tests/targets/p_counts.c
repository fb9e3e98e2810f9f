/* SPDX-License-Identifier: MIT */
/* p_counts.c - threads that call functions of every kind, each thread another number of times,
 * and count each call themselves. p_counts THREADS ROUNDS
 * Standard error: "calls TID FUNCTION ENTERED RETURNED" for each thread and function.
 * Standard output: "right" if every result was. */
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "keep.h"

#define FUNCTIONS(X)                                                                               \
    X(leaf) X(many) X(deep) X(tails) X(sum) X(large) X(half) X(calls) X(order) X(on_signal) X(last)
#define NUMBER(f) N_##f,
#define NAME(f) #f,
enum { FUNCTIONS(NUMBER) N_FUNCTIONS };
static const char *const name[] = { FUNCTIONS(NAME) };

struct large {
    long v[9];
};

static __thread unsigned long *entered;
static unsigned long wrong;
static long rounds;

#define ENTERED(f) (entered[N_##f]++)
#define STAY __asm__ volatile("" ::: "memory") /* keeps the call before it from being a tail call */

KEEP static long leaf(long v)
{
    ENTERED(leaf);
    return v * 3 + 1;
}

KEEP static long many(long a, long b, long c, long d, long e, long f, long g, long h)
{
    ENTERED(many);
    return a - b + c - d + e - f + g - h;
}

KEEP static long deep(long n)
{
    ENTERED(deep);
    long v = n ? deep(n - 1) + 1 : 0;
    STAY;
    return v;
}

KEEP static long tails(long v) /* leaves by a jump, if the compiler makes a tail call */
{
    ENTERED(tails);
    return v & 1 ? leaf(v) : v;
}

KEEP static long sum(int n, ...)
{
    long v = 0;
    va_list list;
    ENTERED(sum);
    va_start(list, n);
    while (n--)
        v += va_arg(list, long);
    va_end(list);
    return v;
}

KEEP static struct large large(long v)
{
    struct large l;
    ENTERED(large);
    for (int i = 0; i < 9; i++)
        l.v[i] = v + i;
    return l;
}

KEEP static double half(double v)
{
    ENTERED(half);
    return v / 2;
}

KEEP static long calls(long (*f)(long), long v)
{
    ENTERED(calls);
    long r = f(v) + 1;
    STAY;
    return r;
}

KEEP static int order(const void *a, const void *b) /* qsort calls it */
{
    ENTERED(order);
    return *(const int *)a - *(const int *)b;
}

KEEP static void on_signal(int sig)
{
    (void)sig;
    ENTERED(on_signal);
}

KEEP static void last(void) /* does not return */
{
    ENTERED(last);
    pthread_exit(NULL);
}

static void expect(int is)
{
    if (!is)
        __atomic_fetch_add(&wrong, 1, __ATOMIC_RELAXED);
}

static void round_of(unsigned long r)
{
    int some[8];
    long v = (long)(r >> 40);
    switch (r >> 33 & 7) {
    case 0:
        expect(leaf(v) == v * 3 + 1);
        break;
    case 1:
        expect(many(v, 2, 3, 4, 5, 6, 7, 8) == v - 2 + 3 - 4 + 5 - 6 + 7 - 8);
        break;
    case 2:
        expect(deep(v % 40) == v % 40);
        break;
    case 3:
        expect(tails(v) == (v & 1 ? v * 3 + 1 : v));
        break;
    case 4:
        expect(sum(9, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, v) == 36 + v);
        break;
    case 5:
        expect(large(v).v[8] == v + 8);
        break;
    case 6:
        expect(half((double)v) == (double)v / 2);
        expect(calls(v & 1 ? leaf : deep, v % 20) == (v & 1 ? v % 20 * 3 + 2 : v % 20 + 1));
        break;
    default:
        for (int i = 0; i < 8; i++)
            some[i] = (int)(r >> (3 * i) & 31);
        qsort(some, 8, sizeof *some, order);
        for (int i = 1; i < 8; i++)
            expect(some[i - 1] <= some[i]);
        raise(SIGUSR1);
    }
}

static void *body(void *arg)
{
    unsigned long own[N_FUNCTIONS] = { 0 }, r = (unsigned long)arg + 1;
    entered = own;
    for (long i = rounds + 37 * (long)arg; i; i--) {
        r = r * 6364136223846793005ul + 1442695040888963407ul;
        round_of(r);
    }
    own[N_last]++; /* counted before the call, for the thread ends in it */
    flockfile(stderr);
    for (int f = 0; f < N_FUNCTIONS; f++)
        fprintf(stderr, "calls %ld %s %lu %lu\n", syscall(SYS_gettid), name[f], own[f],
                f == N_last ? 0 : own[f]);
    funlockfile(stderr);
    last();
    return NULL;
}

int main(int argc, char **argv)
{
    enum { MOST = 64 };
    pthread_t t[MOST];
    int n = argc > 2 ? atoi(argv[1]) : 0;
    if (n < 1 || n > MOST)
        return 2;
    rounds = atol(argv[2]);
    signal(SIGUSR1, on_signal);
    for (long i = 0; i < n; i++)
        if (pthread_create(&t[i], NULL, body, (void *)i))
            return 2;
    for (int i = 0; i < n; i++)
        pthread_join(t[i], NULL);
    puts(wrong ? "wrong" : "right");
    return 0;
}
