/* SPDX-License-Identifier: GPL-3.0-or-later */
/* syscalls.c - system calls of this build's processor: their names, and which of them must not be
 * injected. Calls inside #ifdef do not exist on all processors.
 *
 * syscalls.inc is generated from <asm/unistd.h> at build time (arch/local.mk), because a list in
 * this file would become outdated.
 * Tests: tests/unit/arch/check_syscalls.c, tests/unit/inferior/check_inject.c */
#include "arch/syscalls.h"

#include <sys/syscall.h>

const char *const ez_arch_syscall_name[EZ_NSYSCALLS] = {
#include "arch/syscalls.inc"
};

/* After an interruption, the kernel can continue these calls by restart_syscall. If such a call
 * were injected into a thread that is in another of these calls, it would overwrite the
 * restart_block of the interrupted call. */
static const long restarts[] = {
    SYS_nanosleep,     SYS_clock_nanosleep, SYS_ppoll,
    SYS_futex,         SYS_pselect6,        SYS_restart_syscall,
    SYS_rt_sigsuspend, SYS_rt_sigtimedwait, SYS_epoll_pwait,
#ifdef SYS_poll
    SYS_poll,
#endif
#ifdef SYS_pause
    SYS_pause,
#endif
#ifdef SYS_select
    SYS_select,
#endif
#ifdef SYS_epoll_wait
    SYS_epoll_wait,
#endif
};

/* These calls replace the process or the thread's registers, or return twice. */
static const long destroys[] = {
    SYS_execve, SYS_execveat, SYS_rt_sigreturn, SYS_clone, SYS_clone3,
#ifdef SYS_fork
    SYS_fork,
#endif
#ifdef SYS_vfork
    SYS_vfork,
#endif
};

/* These calls set the thread's signal mask, some of them only until they return. */
static const long mask_setters[] = {
#ifdef SYS_epoll_pwait2
    SYS_epoll_pwait2,
#endif
    SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_rt_sigsuspend,
    SYS_ppoll,          SYS_pselect6,     SYS_epoll_pwait,
};

static bool syscalls_has(const long *list, size_t n, long nr)
{
    for (size_t i = 0; i < n; i++)
        if (list[i] == nr)
            return true;
    return false;
}

enum ez_syscall_kind ez_arch_syscall_kind(long nr)
{
    return syscalls_has(restarts, EZ_ARRAY_LEN(restarts), nr)   ? EZ_SYSCALL_RESTARTS
           : syscalls_has(destroys, EZ_ARRAY_LEN(destroys), nr) ? EZ_SYSCALL_DESTROYS
                                                                : EZ_SYSCALL_PLAIN;
}

bool ez_arch_sets_mask(long nr)
{
    return syscalls_has(mask_setters, EZ_ARRAY_LEN(mask_setters), nr);
}
