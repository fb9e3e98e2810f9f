/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t_inlined.c - stands still with inlined functions open: one in another, at the innermost level and in callers, in
 * a recursion, below the C library, in a signal's handler (tests/procs/bt.sh, tests/procs/inlined.sh). With an
 * argument it goes to its end. */
#include <signal.h>
#include <stdlib.h>

#define APART __attribute__((noinline, noipa))
#define WITHIN static inline __attribute__((always_inline))

struct pair {
    int x, y;
};

static volatile int sink, depth = 2;
static int *volatile nowhere;
static int dummy;
static volatile const struct pair *volatile seen;

WITHIN int first(int n)
{
    volatile int mine = n; /* first line */
    sink = mine;
    return mine + 1;
}

APART int begins(int n)
{
    int got = first(n);
    sink = got + n;
    return got;
}

WITHIN void leaf(int why, volatile const struct pair *p)
{
    volatile int twice = why * 2;
    seen = p;
    sink = twice + p->y; /* middle */
    *nowhere = why;
    sink = twice;
}

WITHIN void around(int n)
{
    volatile int kept = n + 1;
    volatile struct pair p = { n, 7 };
    if (n) {
        volatile int inner = kept + 1; /* before leaf */
        leaf(inner, &p);
        sink = inner; /* behind leaf */
    }
    kept++;
}

APART static void on_signal(int sig)
{
    volatile int local = sig;
    around(local); /* in the handler */
    sink = local;
}

APART int down(int n);

WITHIN int deeper(int n)
{
    volatile int left = n - 1;
    int got = down(left);
    return got + left;
}

APART int down(int n)
{
    volatile int here = n * 10;
    if (here)
        sink = deeper(n);
    else
        raise(SIGUSR1);
    sink = here + n;
    return here + n;
}

WITHIN int order(const int *a, const int *b)
{
    volatile int kept = *a;
    int got = down(depth);
    sink = got + *b;
    return kept - *b;
}

APART static int compare(const void *a, const void *b)
{
    volatile int mine = 5;
    int is = order(a, b);
    sink = mine + *(const int *)a + *(const int *)b;
    return is;
}

int main(int argc, char **argv)
{
    volatile int v[2] = { 2, argc };
    nowhere = argc > 1 ? &dummy : NULL;
    signal(SIGUSR1, on_signal);
    sink = begins(argc);
    qsort((int *)v, 2, sizeof *v, compare);
    sink = v[0] + argc;
    return argv[0] == NULL;
}
