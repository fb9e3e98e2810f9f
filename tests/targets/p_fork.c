/* SPDX-License-Identifier: MIT */
/* p_fork.c - p_fork fork|rawfork|vfork|spawn N: children that call what is probed, or
 * exec. Prints the parent's own count of `tick` at the end, on standard error too. */
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "keep.h"

extern char **environ;
static unsigned long ticks;

KEEP static unsigned long tick(unsigned long v)
{
    ticks++;
    return v * 5 + 1;
}

static unsigned long loop(unsigned long n)
{
    unsigned long sum = 0;
    for (unsigned long i = 0; i < n; i++)
        sum += tick(i) ^ sum << 1;
    return sum;
}

static int child_of(const char *how, char *self)
{
    char *args[] = { self, "leaf", NULL };
    pid_t pid = -1;
    if (!strcmp(how, "spawn"))
        return posix_spawn(&pid, self, NULL, NULL, args, environ) ? -1 : pid;
    if (!strcmp(how, "vfork")) {
        if (!(pid = vfork())) {
            execv(self, args);
            _exit(126);
        }
        return pid;
    }
    pid = strcmp(how, "rawfork") ? fork() : (pid_t)syscall(SYS_fork);
    if (!pid) {
        printf("child %lu\n", loop(20000));
        fflush(stdout);
        _exit(3);
    }
    return pid;
}

int main(int argc, char **argv)
{
    int n = argc > 2 ? atoi(argv[2]) : 1, status, good = 0;
    if (argc > 1 && !strcmp(argv[1], "leaf"))
        return loop(10) ? 3 : 0;
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (int i = 0; i < n; i++) {
        pid_t pid = child_of(argv[1], argv[0]);
        unsigned long v = loop(20000);
        if (waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 3)
            good++;
        if (!i)
            printf("parent %lu\n", v);
    }
    printf("children %d\n", good);
    fprintf(stderr, "ticks %lu\n", ticks);
    return 0;
}
