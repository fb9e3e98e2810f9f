/* SPDX-License-Identifier: MIT */
/* p_follow.c - a process that becomes another, N times. p_follow HOW N [STOP]
 *   fork     forks, the child goes on with N - 1
 *   vfork    vforks, the child execs itself with N - 1
 *   clonevm  the same by clone(CLONE_VM), while the parent runs on in the shared memory
 *   exec     execs itself with N - 1 from a thread that is not the leader, while others run
 * Each process calls `tick` a hundred times before that and a hundred times after (exec:
 * before); each parent waits for its child. The last process goes on until the file STOP
 * exists, if one is named, and prints how often it called `tick` then. Every process prints
 * "right" or "WRONG" at its end, on standard output; the last one prints "last" too. */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "keep.h"

static int wrong;
static unsigned long rest;
static const char *stop;
static char **next;
static char stack[65536] __attribute__((aligned(16)));

KEEP unsigned long tick(unsigned long v)
{
    static volatile unsigned long sink;
    sink = v;
    return v * 5 + 1;
}

static void hundred(void)
{
    for (unsigned long i = 0; i < 100; i++)
        if (tick(i) != i * 5 + 1)
            wrong = 1;
}

static int done(int n)
{
    char line[64];
    while (!n && stop && access(stop, F_OK)) {
        hundred();
        rest += 100;
        usleep(1000);
    }
    if (!n && stop)
        fprintf(stderr, "ticks %lu\n", rest);
    int len = snprintf(line, sizeof line, "%s%s\n", n ? "" : "last ", wrong ? "WRONG" : "right");
    if (write(1, line, (size_t)len) != len)
        return 9;
    return wrong;
}

static int go(void *arg)
{
    (void)arg;
    execv("/proc/self/exe", next);
    _exit(126);
}

static void *go_thread(void *arg)
{
    go(arg);
    return NULL;
}

static void *spin(void *arg)
{
    for (;;)
        tick((unsigned long)arg);
    return NULL;
}

static pid_t child_of(const char *how)
{
    pid_t pid;
    if (!strcmp(how, "vfork")) {
        if (!(pid = vfork()))
            go(NULL);
        return pid;
    }
    return clone(go, stack + sizeof stack, CLONE_VM | SIGCHLD, NULL);
}

static int parent(const char *how, int n)
{
    int status;
    pid_t pid = strcmp(how, "fork") ? child_of(how) : fork();
    if (!pid) { /* fork: go on here */
        hundred();
        if (n > 1)
            return parent(how, n - 1);
        return done(0);
    }
    hundred();
    if (pid < 0 || waitpid(pid, &status, 0) != pid || status)
        wrong = 1;
    return done(n);
}

int main(int argc, char **argv)
{
    int n = argc > 2 ? atoi(argv[2]) : 0;
    char less[16];
    pthread_t t;
    snprintf(less, sizeof less, "%d", n - 1);
    stop = argc > 3 ? argv[3] : NULL;
    next = (char *[]){ argv[0], argv[1], less, argc > 3 ? argv[3] : NULL, NULL };
    hundred();
    if (n <= 0)
        return done(0);
    if (strcmp(argv[1], "exec"))
        return parent(argv[1], n);
    for (long i = 0; i < 3; i++)
        pthread_create(&t, NULL, spin, (void *)i);
    pthread_create(&t, NULL, go_thread, NULL);
    for (;;)
        pause();
}
