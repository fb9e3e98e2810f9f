/* SPDX-License-Identifier: MIT */
/* p_unwind.cc - exceptions where an unwinder's lock or a missing hook would show.
 *   p_unwind forks N   N children are forked while threads throw, and throw themselves
 *   p_unwind late GO   calls `serve`, which throws once the file GO exists
 * Status 0: everything was caught. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
            alarm(20);
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
    try {
        serve(go);
    } catch (int n) {
        puts(n == 43 ? "right" : "wrong");
        return n != 43;
    }
    return 1;
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    return strcmp(argv[1], "late") ? forks(atoi(argv[2])) : late(argv[2]);
}
