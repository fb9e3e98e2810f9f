/* SPDX-License-Identifier: MIT */
/* p_sleep.c - p_sleep HOW MS: falls asleep in one system call for MS milliseconds, then
 * prints its result, the error, and whether it took as long as it should. */
#include <errno.h>
#include <linux/futex.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ipc.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "keep.h"

static int fd[2], sem = -1;

KEEP static int noted(int v)
{
    static volatile int sink;
    sink = v;
    return v + 1;
}

static long fall_asleep(const char *how, int ms)
{
    struct timespec ts = { ms / 1000, ms % 1000 * 1000000l };
    struct timeval tv = { ms / 1000, ms % 1000 * 1000l };
    struct epoll_event ev;
    sigset_t set;
    char c;
    int word = 0;
    if (!strcmp(how, "read")) /* a child writes after MS milliseconds */
        return read(fd[0], &c, 1);
    if (!strcmp(how, "nanosleep"))
        return syscall(SYS_nanosleep, &ts, &ts);
    if (!strcmp(how, "clock_nanosleep"))
        return syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &ts, NULL);
    if (!strcmp(how, "futex"))
        return syscall(SYS_futex, &word, FUTEX_WAIT, 0, &ts, NULL, 0);
    if (!strcmp(how, "poll"))
        return syscall(SYS_poll, &(struct pollfd){ fd[0], POLLIN, 0 }, 1, ms);
    if (!strcmp(how, "select"))
        return select(0, NULL, NULL, NULL, &tv);
    if (!strcmp(how, "epoll_wait"))
        return epoll_wait(epoll_create1(0), &ev, 1, ms);
    if (!strcmp(how, "recv")) {
        int s[2];
        if (socketpair(AF_UNIX, SOCK_STREAM, 0, s) ||
            setsockopt(s[0], SOL_SOCKET, SO_RCVTIMEO, &tv, sizeof tv))
            return -2;
        return recv(s[0], &c, 1, 0);
    }
    if (!strcmp(how, "sigtimedwait")) {
        sigemptyset(&set);
        sigaddset(&set, SIGUSR2);
        sigprocmask(SIG_BLOCK, &set, NULL);
        return sigtimedwait(&set, NULL, &ts);
    }
    if (!strcmp(how, "semtimedop")) {
        struct sembuf op = { 0, -1, 0 };
        return semtimedop(sem, &op, 1, &ts);
    }
    return -3;
}

int main(int argc, char **argv)
{
    struct timespec a, b;
    int ms = argc > 2 ? atoi(argv[2]) : 1000;
    pid_t child = 0;
    sem = semget(IPC_PRIVATE, 1, 0600);
    if (pipe(fd) < 0)
        return 2;
    clock_gettime(CLOCK_MONOTONIC, &a);
    if (!strcmp(argv[1], "read") && !(child = fork())) {
        usleep((useconds_t)ms * 1000);
        _exit(write(fd[1], "x", 1) != 1);
    }
    int first = noted(1);
    long r = fall_asleep(argv[1], ms);
    int e = r < 0 ? errno : 0;
    clock_gettime(CLOCK_MONOTONIC, &b);
    long took = (b.tv_sec - a.tv_sec) * 1000 + (b.tv_nsec - a.tv_nsec) / 1000000;
    if (child)
        waitpid(child, NULL, 0);
    if (sem >= 0)
        semctl(sem, 0, IPC_RMID);
    printf("%s: %ld %s, %ld ms\n", argv[1], r, e ? strerrorname_np(e) : "-", took);
    return noted(first) != 3;
}
