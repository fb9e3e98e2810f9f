/* SPDX-License-Identifier: MIT */
/* p_module.c - calls tick(), which modules replace, and counts the calls.
 *   p_module THREADS N         each thread calls N times
 *   p_module THREADS HOW STOP  until the file STOP is there; HOW: 0, malloc (the threads are in
 *                              malloc nearly always), dlopen (one loads and closes libraries), alarm
 *                              (a signal each millisecond) */
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "keep.h"

enum { MOST = 16 };
static unsigned long ticks[MOST + 1], rounds;
static int wrong;
static const char *how;
static volatile int stop;

KEEP unsigned long tick(unsigned long n)
{
    static volatile unsigned long sink;
    sink = n;
    return n * 3 + 1;
}

static void call(unsigned long *count)
{
    if (tick(*count) != *count * 3 + 1)
        wrong = 1;
    ++*count;
}

__attribute__((constructor)) static void early(void)
{
    call(&ticks[MOST]);
}

static void busy(unsigned long n)
{
    char *p = malloc(32 + n % 5000);
    memset(p, 1, 32);
    free(p);
}

static void *work(void *arg)
{
    unsigned long *count = arg;
    for (unsigned long i = 0; rounds ? i < rounds : !stop; i++) {
        call(count);
        if (!strcmp(how, "malloc"))
            for (unsigned k = 0; k < 200; k++)
                busy(i + k);
        else if (!rounds)
            usleep(50);
    }
    return NULL;
}

static void load(void)
{
    void *h = dlopen("libm.so.6", RTLD_NOW);
    if (!h || dlclose(h))
        wrong = 1;
}

static void on_alarm(int sig)
{
    (void)sig;
}

int main(int argc, char **argv)
{
    pthread_t t[MOST];
    int n = argc > 1 ? atoi(argv[1]) : 1;
    how = argc > 2 ? argv[2] : "1";
    rounds = argc > 3 ? 0 : strtoul(how, NULL, 10);
    for (int i = 1; i < n && i < MOST; i++)
        pthread_create(&t[i], NULL, work, &ticks[i]);
    if (!strcmp(how, "alarm")) {
        signal(SIGALRM, on_alarm);
        ualarm(1000, 1000);
    }
    puts("ready");
    fflush(stdout);
    if (rounds)
        work(&ticks[0]);
    while (!rounds && access(argv[3], F_OK)) {
        call(&ticks[0]);
        if (!strcmp(how, "dlopen"))
            load();
        else if (!strcmp(how, "malloc"))
            busy(ticks[0]);
        else
            usleep(100);
    }
    stop = 1;
    for (int i = 1; i < n && i < MOST; i++)
        pthread_join(t[i], NULL);
    unsigned long all = 0;
    for (int i = 0; i <= MOST; i++)
        all += ticks[i];
    fprintf(stderr, "tick %lu\n", all);
    puts(wrong ? "wrong" : "right");
    return wrong;
}
