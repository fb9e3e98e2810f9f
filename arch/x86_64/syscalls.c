/* SPDX-License-Identifier: GPL-3.0-or-later */
/* syscalls.c - the names of system calls by number.
 *
 * syscalls.inc is made from <asm/unistd_64.h> at build time (arch/local.mk): the
 * kernel's headers know the calls that this system has, a list of ours would age.
 * Tests:  tests/unit/arch/check_syscalls.c */
#include "arch/x86_64/user.h"

const char *const x64_syscall_name[X64_NSYSCALLS] = {
#include "arch/x86_64/syscalls.inc"
};
