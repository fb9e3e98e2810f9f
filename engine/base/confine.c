/* SPDX-License-Identifier: GPL-3.0-or-later */
/* confine.c - see confine.h. */
#include "engine/base/confine.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "arch/arch.h"

/* What reading files that are open, memory, time and the socket take. Nothing here opens, creates, runs or asks of
 * another process. */
static const int allowed[] = {
    SYS_read,          SYS_pread64,
    SYS_lseek,         SYS_fstat,
    SYS_newfstatat,    SYS_close,
    SYS_dup,           SYS_fcntl,
    SYS_write,         SYS_recvfrom,
    SYS_recvmsg,       SYS_sendto,
    SYS_mmap,          SYS_mremap,
    SYS_munmap,        SYS_mprotect,
    SYS_madvise,       SYS_brk,
    SYS_futex,         SYS_setitimer,
    SYS_rt_sigaction,  SYS_rt_sigprocmask,
    SYS_clock_gettime, SYS_getrandom,
    SYS_sched_yield,   SYS_getpid,
    SYS_gettid,        SYS_exit,
    SYS_exit_group,
};

void ez_confine(void)
{
    enum { N = EZ_ARRAY_LEN(allowed), HEAD = 4 };
    /* Numbers mean these calls on this processor alone; a process may enter the kernel as another one. */
    const uint32_t arch =
        (uint32_t)ez_arch_host()->elf_machine | __AUDIT_ARCH_64BIT | __AUDIT_ARCH_LE;
    struct sock_filter f[HEAD + N + 2] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, arch, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
    };
    for (unsigned i = 0; i < N; i++)
        f[HEAD + i] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)allowed[i],
                                                   (uint8_t)(N - i), 0);
    f[HEAD + N] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
    f[HEAD + N + 1] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    struct sock_fprog all = { EZ_ARRAY_LEN(f), f };
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &all);
}
