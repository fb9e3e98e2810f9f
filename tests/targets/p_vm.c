/* SPDX-License-Identifier: MIT */
/* p_vm.c - another process in this one's memory: clone with CLONE_VM and no more.
 *
 *   p_vm first   the other process is there when "ready" is printed
 *   p_vm later   it is made when there is a file "come"
 * Both processes call `work` until there is a file "go", and more often than a ring has room.
 * Prints whether both came to their end. */
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LEAST = 3000000 };
static char stack[1 << 20];
static volatile int running, go;
static volatile long mine, its;

__attribute__((noinline, noclone)) long work(long n)
{
    __asm__ volatile("nop; nop; nop; nop; nop");
    return n + 1;
}

static int other(void *arg)
{
    (void)arg;
    running = 1;
    while (its < LEAST || !go)
        its = work(its);
    return 7;
}

static pid_t begin(void)
{
    pid_t pid = clone(other, stack + sizeof stack, CLONE_VM | SIGCHLD, NULL);
    while (!running)
        ;
    printf("ready %d\n", pid);
    fflush(stdout);
    return pid;
}

int main(int argc, char **argv)
{
    int later = argc > 1 && !strcmp(argv[1], "later"), status = 0;
    alarm(150);
    pid_t pid = later ? 0 : begin();
    for (long i = 0; mine < LEAST || !go; i++) {
        mine = work(mine);
        if (i % 65536)
            continue;
        if (!pid && !access("come", F_OK))
            pid = begin();
        go |= pid && !access("go", F_OK);
    }
    waitpid(pid, &status, 0);
    printf("%s\n", its >= LEAST && WEXITSTATUS(status) == 7 ? "both" : "not both");
    return 0;
}
