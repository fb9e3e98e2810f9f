#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# check_compilers.sh - programs that are built with a compiler's own instrumentation, or in an
# unusual way: their runtimes check addresses and return addresses.
. "${top_srcdir:-.}/tests/lib.sh"

cat >p.c <<'END'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long sum;
static __attribute__((noinline)) int fill(int n)
{
    char *p = malloc(n + 1);
    memset(p, 'a', n);
    p[n] = 0;
    int r = strlen(p);
    free(p);
    return r;
}
static __attribute__((noinline)) int deep(int n)
{
    char room[300];
    memset(room, n, sizeof room);
    return n ? deep(n - 1) + room[n % 300] % 3 : fill(7);
}
static void *work(void *arg)
{
    for (int i = 0; i < 300; i++) {
        int n = fill(i % 100) + deep(i % 40);
        pthread_mutex_lock(&lock);
        sum += n;
        pthread_mutex_unlock(&lock);
    }
    return arg;
}
static int order(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}
int main(void)
{
    pthread_t t[4];
    int a[500];
    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], NULL, work, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
    for (int i = 0; i < 500; i++)
        a[i] = i * 7919 % 503;
    qsort(a, 500, sizeof *a, order);
    printf("%ld %d %d\n", sum, a[17], deep(2000));
    return 4;
}
END

# LeakSanitizer does not work under any ptrace.
ASAN_OPTIONS=detect_leaks=0; export ASAN_OPTIONS
# try COMPILER OPTION...
try() {
    name="$*"
    if ! "$@" -O1 -pthread -w p.c -o p >/dev/null 2>&1; then
        skip "$name: not installed"
        return
    fi
    native ./p
    if [ "$(cat n.rc)" != 4 ]; then
        skip "$name: does not run here"
        return
    fi
    for mode in auto slots; do
        exit_mode=$mode
        for what in -count -record; do
            probed "probe $what -r *:." ./p
            same "$name, $what, exits by $mode"
            ledger "$name, $what, exits by $mode: ledger"
        done
    done
}
try gcc -fsanitize=thread
try gcc -fsanitize=address,undefined
try clang -fsanitize=memory
try clang -fsanitize=dataflow
try gcc -fsplit-stack
try gcc -fcf-protection=full -static-pie
try gcc -pg
try gcc -fpatchable-function-entry=7,3 -mfunction-return=thunk-inline
try clang -fsanitize=safe-stack
finish
