#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# readers.sh - all readers of a trace agree on the calls that a filter shows: stats, calltree, replay, events, convert
# to csv, chrome and folded stacks; and the self times of windows add up to those of the whole trace (readers.py).
. "${top_srcdir:-.}/tests/lib.sh"
command -v python3 >/dev/null || { skip "readers: needs python3"; finish; }

cat >mixed.c <<'END'
/* Random calls of three threads that recurse, sleep, and leave calls by longjmp. */
#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>
#include <time.h>

struct job { unsigned seed; jmp_buf out; int depth; };
static unsigned any(struct job *j, unsigned n) { return rand_r(&j->seed) % n; }
static int step(struct job *j, int n);
#define FUNCTION(name) __attribute__((noinline)) int name(struct job *j, int n) { int s = n; \
    while (j->depth < 30 && any(j, 3)) s += step(j, (int)any(j, 10)); return s; }
FUNCTION(alpha) FUNCTION(beta) FUNCTION(gamma_)
__attribute__((noinline)) int nap(struct job *j, int n)
{
    struct timespec t = { 0, 30000 };
    if (!any(j, 20)) nanosleep(&t, NULL);
    return n;
}
__attribute__((noinline)) int leap(struct job *j, int n) { if (!any(j, 40)) longjmp(j->out, 1); return n; }
static int (*const all[])(struct job *, int) = { alpha, beta, gamma_, nap, leap };
static int step(struct job *j, int n)
{
    j->depth++;
    n = all[any(j, 5)](j, n);
    j->depth--;
    return n;
}
static void *work(void *arg)
{
    struct job j = { (unsigned)(size_t)arg, { { { 0 } } }, 0 };
    volatile int i = 0;
    for (; i < 60; i++) {
        j.depth = 0;
        if (!setjmp(j.out)) step(&j, i);
    }
    return NULL;
}
int main(void)
{
    pthread_t t[3];
    for (size_t i = 0; i < 3; i++) pthread_create(&t[i], NULL, work, (void *)(i + 1));
    for (size_t i = 0; i < 3; i++) pthread_join(t[i], NULL);
    return 0;
}
END
${CC:-cc} -g -O1 -o mixed mixed.c -lpthread 2>cc.err || { skip "readers: no C compiler"; finish; }
timeout -k 5 $limit "$eztsh" -nx -batch -ex 'probe alpha beta gamma_ collect n return $ret' -ex 'probe nap leap' \
    -ex 'trace mixed.fxt' -ex run ./mixed >log 2>&1 </dev/null
[ -s mixed.fxt ] || { fail "a trace to read" log; finish; }
timeout -k 5 600 python3 -B "$top_srcdir/tests/trace/readers.py" "$eztsh" mixed.fxt 24 >py.out 2>&1 ||
    fail "readers.py ended" py.out
cat py.out
finish
