/* SPDX-License-Identifier: GPL-3.0-or-later */
/* p_switches.c - threads that sleep, are preempted, or end soon.
 *
 *   p_switches run     two threads on one processor that spin and sleep by turns; each says
 *                      "thread TID voluntary involuntary off", by its own account between two
 *                      calls of mark(): how often it went to sleep, was preempted, and for
 *                      how many ns it did not run
 *   p_switches names N N threads that name themselves, call mark() and end
 *   p_switches vanish  20 threads that end in the middle of a call
 *   p_switches fork    a child sleeps; the parent has its own pid on stdout */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 20 };

__attribute__((noipa)) void mark(int n)
{
    __asm__ volatile("" ::"r"(n));
}

__attribute__((noipa)) void doze(long ns)
{
    nanosleep(&(struct timespec){ .tv_nsec = ns }, NULL);
}

static long long clock_ns(clockid_t id)
{
    struct timespec t;
    clock_gettime(id, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

__attribute__((noipa)) void spin(long long ns)
{
    long long end = clock_ns(CLOCK_THREAD_CPUTIME_ID) + ns;
    while (clock_ns(CLOCK_THREAD_CPUTIME_ID) < end)
        ;
}

static long long off(void)
{
    return clock_ns(CLOCK_MONOTONIC) - clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

static void *by_turns(void *arg)
{
    struct rusage a, b;
    mark(1);
    getrusage(RUSAGE_THREAD, &a);
    long long from = off();
    for (int i = 0; i < ROUNDS; i++) {
        spin(8000000);
        doze(3000000);
    }
    long long to = off();
    getrusage(RUSAGE_THREAD, &b);
    mark(2);
    printf("thread %ld %ld %ld %lld\n", syscall(SYS_gettid), b.ru_nvcsw - a.ru_nvcsw,
           b.ru_nivcsw - a.ru_nivcsw, to - from);
    return NULL;
}

__attribute__((noipa)) void vanish(void)
{
    syscall(SYS_exit, 0);
    mark(3);
}

static void *vanishing(void *arg)
{
    vanish();
    return NULL;
}

static void *named(void *arg)
{
    char name[16];
    snprintf(name, sizeof name, "brief %ld", (long)arg);
    pthread_setname_np(pthread_self(), name);
    mark((int)(long)arg);
    return NULL;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "run";
    pthread_t thread[2];
    mark(0);
    if (!strcmp(what, "names")) {
        for (long i = 0; i < atol(argv[2]); i++)
            if (pthread_create(thread, NULL, named, (void *)i) || pthread_join(*thread, NULL))
                return 1;
        return 0;
    }
    if (!strcmp(what, "vanish")) {
        for (int i = 0; i < 20; i++) {
            if (pthread_create(thread, NULL, vanishing, NULL) || pthread_join(*thread, NULL))
                return 1;
            doze(20000000);
        }
        return 0;
    }
    if (!strcmp(what, "fork")) {
        pid_t child = fork();
        for (int i = 0; i < 10 && !child; i++)
            doze(1000000);
        return child && waitpid(child, NULL, 0) != child;
    }
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    if (sched_setaffinity(0, sizeof one, &one))
        return 1;
    for (int i = 0; i < 2; i++)
        if (pthread_create(&thread[i], NULL, by_turns, NULL))
            return 1;
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
