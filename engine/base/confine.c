/* SPDX-License-Identifier: GPL-3.0-or-later */
/* confine.c - the seccomp filter of the reader process (confine.h). */
#include "engine/base/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "arch/arch.h"

/* Allowed system calls: none of them opens, creates or executes a file, or affects another
 * process. */
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
    SYS_exit_group,    SYS_rt_sigreturn,
};

/* system calls that raise SIGSYS, for which confine_opened() sets the result */
static const int trapped[] = {
#ifdef SYS_open
    SYS_open,
#endif
    SYS_openat,
};

/* These system calls fail with EINVAL, as for a file that is no symbolic link. libdw reads
 * /proc/self/fd/N to find the path of an open file. If that fails, libdw does not search files with
 * relative names. */
static const int no_link[] = {
#ifdef SYS_readlink
    SYS_readlink,
#endif
    SYS_readlinkat,
};

static int served = -1; /* set by ez_confine_serve() */

void ez_confine_serve(int fd)
{
    served = fd;
}

/* Handles SIGSYS, which an open() raises: sets the result of that open(). */
static void confine_opened(int sig EZ_UNUSED, siginfo_t *si EZ_UNUSED, void *ucontext)
{
    const int was = errno;
    const int fd = served < 0 ? -1 : fcntl(served, F_DUPFD_CLOEXEC, 3);
    ez_arch_host()->syscall.trapped_result(ucontext, fd >= 0 ? fd : served < 0 ? -EPERM : -errno);
    errno = was;
}

static void confine_handle_traps(void)
{
    struct sigaction sa = { .sa_sigaction = confine_opened, .sa_flags = SA_SIGINFO };
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGSYS);
    sigaction(SIGSYS, &sa, NULL);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
}

/* ---- the filter ------------------------------------------------------------------------------ */

struct confine_filter {
    struct sock_filter at[96];
    unsigned n;
};

static void confine_say(struct confine_filter *f, struct sock_filter one)
{
    f->at[f->n++] = one;
}

/* Adds rules to the filter: the result for the n system calls nr[] is `what` (SECCOMP_RET_...). */
static void confine_rule(struct confine_filter *f, const int *nr, size_t n, uint32_t what)
{
    for (size_t i = 0; i < n; i++)
        confine_say(f, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)nr[i],
                                                    (uint8_t)(n - i - 1), (uint8_t)(i == n - 1)));
    confine_say(f, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, what));
}

void ez_confine(void)
{
    /* The numbers of system calls differ by architecture, and a process can make system calls of
     * another architecture (on x86-64: those of 32-bit programs). So the filter checks the
     * architecture first. */
    const uint32_t arch =
        (uint32_t)ez_arch_host()->elf.machine | __AUDIT_ARCH_64BIT | __AUDIT_ARCH_LE;
    const struct sock_filter head[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, arch, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
    };
    struct confine_filter f = { .n = 0 };
    for (unsigned i = 0; i < EZ_ARRAY_LEN(head); i++)
        confine_say(&f, head[i]);
    confine_rule(&f, allowed, EZ_ARRAY_LEN(allowed), SECCOMP_RET_ALLOW);
    confine_rule(&f, trapped, EZ_ARRAY_LEN(trapped), SECCOMP_RET_TRAP);
    confine_rule(&f, no_link, EZ_ARRAY_LEN(no_link), SECCOMP_RET_ERRNO | EINVAL);
    confine_say(&f, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM));
    struct sock_fprog all = { (unsigned short)f.n, f.at };
    confine_handle_traps();
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &all);
}
