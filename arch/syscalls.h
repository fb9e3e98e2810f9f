/* SPDX-License-Identifier: GPL-3.0-or-later */
/* syscalls.h - system calls of this build's processor by number. */
#ifndef EZ_ARCH_SYSCALLS_H
#define EZ_ARCH_SYSCALLS_H

#include "arch/arch.h"

#define EZ_NSYSCALLS 1024 /* greater than all numbers, which the compiler checks */
extern const char *const ez_arch_syscall_name[EZ_NSYSCALLS];

enum ez_syscall_kind {
    EZ_SYSCALL_PLAIN,
    EZ_SYSCALL_RESTARTS, /* restarts when interrupted */
    EZ_SYSCALL_DESTROYS, /* replaces or copies the process */
};
enum ez_syscall_kind ez_arch_syscall_kind(long nr);
/* Returns true if the call sets the thread's signal mask, if only while it sleeps. */
bool ez_arch_sets_mask(long nr);

#endif
