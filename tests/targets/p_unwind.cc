/* SPDX-License-Identifier: MIT */
/* p_unwind.cc - exceptions in cases in which a lock of the unwinder or a missing hook would show.
 *   p_unwind forks N   N children are forked while threads throw, and throw themselves
 *   p_unwind late GO   calls `serve` twice, which throws once the file GO exists
 *   p_unwind cancel N  N threads are cancelled in calls of `leaf`, anywhere
 *   p_unwind library L throws while the library L, which has an unwinder of its own, comes and goes
 *   p_unwind sample N  N signals come in calls of `leaf`; their handler looks at the stack
 * Status 0: everything was caught. */
#include <dlfcn.h>
#include <execinfo.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "keep.h"

static volatile bool done;

extern "C" KEEP int sink(int n)
{
    if (!n)
        throw 42;
    int r = sink(n - 1);
    asm volatile("");
    return r + 1;
}

extern "C" KEEP int linger(const char *go)
{
    while (access(go, F_OK))
        usleep(1000);
    throw 43;
}

extern "C" KEEP int serve(const char *go)
{
    int r = linger(go);
    asm volatile("");
    return r + 1;
}

static int caught()
{
    try {
        sink(9);
    } catch (int n) {
        return n;
    }
    return 0;
}

static void *work(void *)
{
    while (!done)
        caught();
    return NULL;
}

static int forks(int n)
{
    pthread_t t[3];
    int bad = 0;
    for (pthread_t &x : t)
        pthread_create(&x, NULL, work, NULL);
    for (int i = 0; i < n && !bad; i++) {
        pid_t pid = fork();
        int status;
        if (!pid) {
            alarm(200);
            _exit(caught() != 42);
        }
        waitpid(pid, &status, 0);
        bad = status;
    }
    done = true;
    for (pthread_t &x : t)
        pthread_join(x, NULL);
    printf("%s\n", bad ? "a child could not throw" : "right");
    return bad != 0;
}

static int late(const char *go)
{
    printf("ready %d\n", (int)getpid());
    fflush(stdout);
    for (int i = 0; i < 2; i++) {
        try {
            serve(go);
            return 1;
        } catch (int n) {
            if (n != 43)
                return 1;
        }
    }
    puts("right");
    return 0;
}

static int library(const char *path)
{
    for (int i = 0; i < 5; i++) {
        void *lib = dlopen(path, RTLD_NOW);
        if (!lib || caught() != 42 || dlclose(lib) || caught() != 42)
            return 1;
    }
    puts("right");
    return 0;
}

static volatile long ready, cleaned, samples, cut, seen;

extern "C" KEEP long leaf(long n)
{
    if (n < 0)
        throw 44;
    seen = n;
    return n + 1;
}

struct Guard {
    ~Guard()
    {
        cleaned = cleaned + 1;
    }
};

KEEP static void call_leaf(long n)
{
    for (ready = 1; n >= 0;)
        n = leaf(n);
}

static void *endless(void *)
{
    int was;
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &was);
    Guard guard;
    call_leaf(0);
    return NULL;
}

static int cancel(int n)
{
    for (int i = 0; i < n; i++) {
        pthread_t t;
        ready = 0;
        if (pthread_create(&t, NULL, endless, NULL))
            return 2;
        while (!ready)
            sched_yield();
        usleep((useconds_t)(i % 50));
        pthread_cancel(t);
        pthread_join(t, NULL);
    }
    printf("%s\n", cleaned == n ? "right" : "destructors were left out");
    return cleaned != n;
}

static void *outer[2]; /* the outermost frames */

static void sample(int)
{
    void *frame[64];
    int n = backtrace(frame, 64);
    if (n < 4 || memcmp(frame + n - 2, outer, sizeof outer))
        cut = cut + 1;
    samples = samples + 1;
}

static int sampled(int n)
{
    void *frame[64];
    int depth = backtrace(frame, 64);
    struct itimerval often = { { 0, 1000 }, { 0, 1000 } };
    memcpy(outer, frame + depth - 2, sizeof outer);
    signal(SIGPROF, sample);
    setitimer(ITIMER_PROF, &often, NULL);
    for (long x = 0; samples < n;)
        x = leaf(x);
    printf("%s\n", cut ? "a stack was cut off" : "right");
    return cut != 0;
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    int n = atoi(argv[2]);
    return !strcmp(argv[1], "late")      ? late(argv[2])
           : !strcmp(argv[1], "library") ? library(argv[2])
           : !strcmp(argv[1], "forks")   ? forks(n)
           : !strcmp(argv[1], "cancel")  ? cancel(n)
                                         : sampled(n);
}
