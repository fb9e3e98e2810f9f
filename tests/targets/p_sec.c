/* SPDX-License-Identifier: MIT */
/* p_sec.c - p_sec STOP [GO]: a seccomp filter kills the process for mmap; then it works
 * until the file STOP exists. With GO: for clock_gettime and futex, and it waits for the
 * file GO before it works. p_sec STOP sleep: for restart_syscall, and it sleeps a second
 * again and again. */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "keep.h"

KEEP static unsigned guarded(unsigned v)
{
    static volatile unsigned sink;
    sink = v;
    return v * 9 + 2;
}

int main(int argc, char **argv)
{
    const int sleeps = argc > 2 && !strcmp(argv[2], "sleep");
    struct timespec second = { .tv_sec = 1 };
    struct sock_filter f[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
                 sleeps     ? SYS_restart_syscall
                 : argc > 2 ? SYS_clock_gettime
                            : SYS_mmap,
                 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
                 sleeps     ? SYS_restart_syscall
                 : argc > 2 ? SYS_futex
                            : SYS_mmap,
                 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog prog = { sizeof f / sizeof *f, f };
    unsigned sum = 0;
    printf("filtered\n"); /* stdio allocates its buffer now, before the filter */
    fflush(stdout);
    if (argc < 2 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog))
        return 77;
    while (sleeps && access(argv[1], F_OK))
        if (nanosleep(&second, NULL))
            return 1;
    while (argc > 2 && access(argv[sleeps ? 1 : 2], F_OK))
        usleep(1000);
    while (access(argv[1], F_OK)) {
        sum = guarded(sum);
        usleep(100);
    }
    printf("alive\n");
    return 0;
}
