/* SPDX-License-Identifier: GPL-3.0-or-later */
/* inject.h - runs a system call inside the target. See inject.c. */
#ifndef EZ_INFERIOR_INJECT_H
#define EZ_INFERIOR_INJECT_H

#include "engine/inferior/inferior.h"

ez_err *ez_inject_syscall(struct ez_target *t, struct ez_thread *th, long nr, const uint64_t arg[6],
                          int64_t *result, const char *why) EZ_WUR;
/* Returns the result of a system call in the target as an error: "WHAT: ENOMEM (Cannot allocate
 * memory), to WHY" (why may be NULL). EZ_E_REMOTE with the target's errno; NULL if the call
 * succeeded. */
ez_err *ez_inject_error(int64_t result, const char *what, const char *why) EZ_WUR;
struct ez_mmap { /* arguments of mmap(); a file is always mapped from its start */
    uint64_t at, size;
    int prot, flags;
    int fd; /* descriptor in the target; used without MAP_ANONYMOUS */
};
ez_err *ez_inject_mmap(struct ez_target *t, const struct ez_mmap *m, uint64_t *out,
                       const char *why) EZ_WUR;
/* Returns EZ_E_SECCOMP if system calls are impossible in the process, because a filter might kill
 * it. */
ez_err *ez_inject_allowed(struct ez_target *t) EZ_WUR;
struct ez_thread *ez_inject_thread(struct ez_target *t);
struct ez_copy {      /* a copy of the process; it has another pid in each pid namespace */
    pid_t pid, inner; /* pid: its pid in the shell's namespace; inner: in the target's */
    uint64_t mask;    /* signal mask that the copy must get */
};
/* Copies the process, with thread `th` alone. The copy is traced and runs nothing until eztsh lets
 * it; the target gets no signal when the copy ends. out->pid is set whenever there is a copy, even
 * after an error: the caller kills the copy, waits for it, then calls ez_inject_reap(). */
ez_err *ez_inject_copy(struct ez_target *t, struct ez_thread *th, struct ez_copy *out) EZ_WUR;
/* Reaps the dead copy in the target. */
ez_err *ez_inject_reap(struct ez_target *t, struct ez_thread *th, pid_t inner) EZ_WUR;

#endif
