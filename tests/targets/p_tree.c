/* SPDX-License-Identifier: MIT */
/* p_tree.c - a process that has children, whose calls of `leaf` are known. p_tree HOW CHILDREN CALLS
 *   fork      CHILDREN forks, each calls leaf CALLS times and ends with status 0
 *   inside    the same, forked inside of `brood`, which may be probed
 *   threads   the same, each forked by a thread of its own, at once
 *   chain     each child forks the next one
 *   daemon    forks a child, and ends at once; the child forks CHILDREN
 *   execs     forks, the children exec `p_tree leaf 0 CALLS`
 *   vfork, spawn, spawns  the same by vfork, posix_spawn, posix_spawn from a thread each
 *   clonevm   the same by clone(CLONE_VM)
 *   linger    the same, but a second after they were made
 *   quick     each child ends at once
 *   mute      vforks whose children end without exec
 *   leaf      calls leaf once in a constructor, then CALLS times
 *   status    forks CHILDREN, each calls leaf, and ends with status 3, while another thread of it lives
 *   signal    the same, but each kills itself by SIGTERM
 *   filtered  installs a seccomp filter that allows all, then forks
 * The parent itself calls leaf CALLS times, too, and then waits for all. Each process prints a line
 * "PID PARENT NAME CALLS right", or WRONG, on standard output by one write. It is wrong if a
 * signal is blocked, a call's result or a child's status is another. */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "keep.h"

extern char **environ;
static const char *how, *self;
static unsigned long calls, before;
static int children, wrong;
static char stack[64][65536] __attribute__((aligned(16)));

KEEP unsigned long leaf(unsigned long v)
{
    static volatile unsigned long sink;
    sink = v;
    return v * 7 + 3;
}

/* What is executed calls leaf before main, too. */
__attribute__((constructor)) static void before_main(int argc, char **argv)
{
    before = argc == 4 && !strcmp(argv[1], "leaf") && argv[3] && leaf(4) == 31;
}

static void work(void)
{
    for (unsigned long i = 0; i < calls; i++)
        if (leaf(i) != i * 7 + 3)
            wrong = 1;
}

static int told(const char *name, unsigned long n)
{
    char line[128];
    sigset_t now;
    sigprocmask(SIG_SETMASK, NULL, &now);
    for (int s = 1; s < 32; s++)
        if (sigismember(&now, s))
            wrong = 1;
    int len = snprintf(line, sizeof line, "%d %d %s %lu %s\n", (int)getpid(), (int)getppid(), name,
                       n, wrong ? "WRONG" : "right");
    if (write(1, line, (size_t)len) != len)
        return 9;
    return wrong;
}

static int child_work(void)
{
    work();
    return told("child", calls + before);
}

static char *leaf_argv[5];
static int go(void *arg)
{
    (void)arg;
    execv("/proc/self/exe", leaf_argv);
    _exit(126);
}

static int go_late(void *arg)
{
    struct timespec second = { 1, 0 };
    while (nanosleep(&second, &second))
        continue;
    return go(arg);
}

static int ended(void *arg)
{
    (void)arg;
    _exit(0);
}

static pid_t spawned(void)
{
    pid_t pid;
    return posix_spawn(&pid, self, NULL, NULL, leaf_argv, environ) ? -1 : pid;
}

static void *idle(void *arg)
{
    for (;;)
        pause();
    return arg;
}

static void ends_badly(void)
{
    pthread_t t;
    pthread_create(&t, NULL, idle, NULL);
    child_work();
    if (!strcmp(how, "signal"))
        kill(getpid(), SIGTERM);
    _exit(3);
}

static pid_t born(int i)
{
    pid_t pid;
    if (!strcmp(how, "vfork")) {
        if (!(pid = vfork()))
            go(NULL);
        return pid;
    }
    if (!strcmp(how, "mute")) {
        if (!(pid = vfork()))
            ended(NULL);
        return pid;
    }
    if (!strncmp(how, "spawn", 5))
        return spawned();
    if (!strcmp(how, "clonevm") || !strcmp(how, "linger"))
        return clone(*how == 'l' ? go_late : go, stack[i % 64] + sizeof stack[0],
                     CLONE_VM | SIGCHLD, NULL);
    if ((pid = fork()))
        return pid;
    if (!strcmp(how, "execs"))
        go(NULL);
    if (!strcmp(how, "status") || !strcmp(how, "signal"))
        ends_badly();
    _exit(!strcmp(how, "quick") ? 0 : child_work());
}

static bool as_expected(int status)
{
    if (!strcmp(how, "status"))
        return WIFEXITED(status) && WEXITSTATUS(status) == 3;
    if (!strcmp(how, "signal"))
        return WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM;
    return !status;
}

KEEP int brood(int i)
{
    int status;
    pid_t pid = born(i);
    if (strcmp(how, "inside"))
        return pid;
    if (pid < 0 || waitpid(pid, &status, 0) != pid || status)
        wrong = 1;
    return 0;
}

static void *one_more(void *arg)
{
    return (void *)(long)born((int)(long)arg);
}

static int chain(int left)
{
    int status;
    pid_t pid = left ? fork() : 1;
    if (!pid)
        _exit(chain(left - 1));
    work();
    if (left && (pid < 0 || waitpid(pid, &status, 0) != pid || status))
        wrong = 1;
    return told("link", calls);
}

static void family(void)
{
    pthread_t t[256];
    pid_t pid[256];
    int status, threads = !strcmp(how, "threads") || !strcmp(how, "spawns");
    for (int i = 0; i < children; i++)
        if (threads)
            pthread_create(&t[i], NULL, one_more, (void *)(long)i);
        else
            pid[i] = brood(i);
    work();
    for (int i = 0; i < children; i++) {
        void *got;
        if (threads) {
            pthread_join(t[i], &got);
            pid[i] = (pid_t)(long)got;
        }
        if (!strcmp(how, "inside"))
            continue;
        if (pid[i] < 0 || waitpid(pid[i], &status, 0) != pid[i] || !as_expected(status))
            wrong = 1;
    }
}

static void filter_all(void)
{
    struct sock_filter allow = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    struct sock_fprog prog = { 1, &allow };
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog))
        wrong = 1;
}

int main(int argc, char **argv)
{
    if (argc < 4)
        return 2;
    how = argv[1];
    children = atoi(argv[2]);
    calls = strtoul(argv[3], NULL, 0);
    self = "/proc/self/exe";
    memcpy(leaf_argv, (char *[]){ argv[0], (char *)"leaf", (char *)"0", argv[3], NULL },
           sizeof leaf_argv);
    if (!strcmp(how, "leaf"))
        return child_work();
    if (!strcmp(how, "chain"))
        return chain(children);
    if (!strcmp(how, "daemon")) {
        if (fork())
            _exit(0);
        how = "fork";
        setsid();
    }
    if (!strcmp(how, "filtered"))
        filter_all();
    family();
    return told("parent", calls);
}
