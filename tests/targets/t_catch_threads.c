/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t_catch_threads.c - four threads make argv[1] calls each of two system calls. With a second argument, one thread
 * makes them, slowly, and forks (fork) or vforks (vfork) now and then. Used by catch.sh. */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int rounds;

__attribute__((noinline)) int work(int i)
{
    __asm__ volatile("" ::: "memory");
    return i + 1;
}

static void *many(void *arg)
{
    for (int i = 0; i < rounds; i++) {
        work(i);
        syscall(SYS_getuid);
        syscall(SYS_getgid);
    }
    return arg;
}

static void child(int shares)
{
    pid_t pid = shares ? vfork() : fork();
    if (!pid)
        _exit(0);
    waitpid(pid, NULL, 0);
}

static int slow(int shares)
{
    int sum = 0;
    signal(SIGUSR1, SIG_IGN);
    for (int i = 0; i < rounds; i++) {
        usleep(5000);
        syscall(SYS_getuid);
        sum += work(i);
        child(shares);
        raise(SIGUSR1);
    }
    return sum == rounds * (rounds + 1) / 2 ? 5 : 1;
}

int main(int argc, char **argv)
{
    pthread_t t[4];
    rounds = argc > 1 ? atoi(argv[1]) : 50;
    if (argc > 2)
        return slow(!strcmp(argv[2], "vfork"));
    for (int i = 0; i < 4; i++)
        if (pthread_create(&t[i], NULL, many, NULL))
            return 1;
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
    return write(1, "done\n", 5) == 5 ? 3 : 1;
}
