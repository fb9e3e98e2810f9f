/* SPDX-License-Identifier: GPL-3.0-or-later */
/* proc.h - fields of the files of processes and threads in /proc, and of the kernel's files. */
#ifndef EZ_PROC_H
#define EZ_PROC_H

#include <sys/types.h>

#include "engine/base/base.h"

struct ez_proc_status { /* fields of a task's status file, from one read, so they are consistent */
    char comm[64], state;
    char features[64]; /* active processor features (x86_Thread_features); "": none, or unknown */
    uint64_t process, parent, tracer, uid, seccomp;
    uint64_t locked_kb;                                         /* locked memory in KiB */
    uint64_t pending, shared_pending, blocked, ignored, caught; /* signals as masks: bit sig - 1 */
    bool nested; /* the task also has pids in other pid namespaces */
};

/* Reads the status of thread tid; tid 0: of the process. Returns false and fills *s with zeros if
 * the thread or process is gone. */
bool ez_proc_status(pid_t pid, pid_t tid, struct ez_proc_status *s);
/* Returns true if the thread is dead or gone. */
bool ez_is_zombie(pid_t pid, pid_t tid);
uint64_t ez_auxv(pid_t pid, uint64_t type); /* type: AT_*. Returns 0 if there is no such value. */
/* Returns kernel.yama.ptrace_scope; 0 if the kernel has no Yama. */
int ez_yama_scope(void);

#endif
