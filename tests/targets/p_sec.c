/* SPDX-License-Identifier: MIT */
/* p_sec.c - p_sec STOP [GO]: a seccomp filter kills the process for mmap; then it works
 * until the file STOP exists. With GO: for clock_gettime and futex, and it waits for the
 * file GO before it works. */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
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
    struct sock_filter f[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, argc > 2 ? SYS_clock_gettime : SYS_mmap, 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, argc > 2 ? SYS_futex : SYS_mmap, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog prog = { sizeof f / sizeof *f, f };
    unsigned sum = 0;
    printf("filtered\n"); /* the buffer is there before the filter */
    fflush(stdout);
    if (argc < 2 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog))
        return 77;
    while (argc > 2 && access(argv[2], F_OK))
        usleep(1000);
    while (access(argv[1], F_OK)) {
        sum = guarded(sum);
        usleep(100);
    }
    printf("alive\n");
    return 0;
}
