/* SPDX-License-Identifier: GPL-3.0-or-later */
/* inject.h - runs a system call inside the target. See inject.c. */
#ifndef EZ_INFERIOR_INJECT_H
#define EZ_INFERIOR_INJECT_H

#include "engine/inferior/inferior.h"

ez_err *ez_inject_syscall(struct ez_target *t, struct ez_thread *th, long nr, const uint64_t arg[6],
                          int64_t *result, const char *why) EZ_WUR;
/* Makes an error of the result of a system call in the target: EZ_E_REMOTE, with the target's errno
 * and a message such as "WHAT: ENOMEM (Cannot allocate memory), to WHY" (why NULL: without ", to").
 * Returns NULL if the call succeeded. */
ez_err *ez_inject_error(int64_t result, const char *what, const char *why) EZ_WUR;
struct ez_mmap { /* arguments of mmap(); a file is always mapped from its start */
    uint64_t at, size;
    int prot, flags;
    int fd; /* descriptor in the target; used without MAP_ANONYMOUS */
};
ez_err *ez_inject_mmap(struct ez_target *t, const struct ez_mmap *m, uint64_t *out,
                       const char *why) EZ_WUR;
/* Returns EZ_E_SECCOMP if no system calls can be injected, because a seccomp filter might kill the
 * process. */
ez_err *ez_inject_allowed(struct ez_target *t) EZ_WUR;
struct ez_thread *ez_inject_thread(struct ez_target *t);
struct ez_copy {      /* a forked copy of the process, whose pid differs between pid namespaces */
    pid_t pid, inner; /* pid: its pid in the shell's namespace; inner: in the target's */
    uint64_t mask;    /* signal mask that the copy must get */
};
/* Forks a copy of the process, which has thread `th` only. The copy is traced and stopped at birth;
 * the target gets no signal when the copy ends. out->pid is nonzero whenever there is a copy, even
 * after an error. The caller kills the copy, waits for it, then calls ez_inject_reap(). */
ez_err *ez_inject_copy(struct ez_target *t, struct ez_thread *th, struct ez_copy *out) EZ_WUR;
/* Makes thread `th` of the target reap the dead copy; inner is the copy's pid in the target's
 * namespace. */
ez_err *ez_inject_reap(struct ez_target *t, struct ez_thread *th, pid_t inner) EZ_WUR;

#endif
