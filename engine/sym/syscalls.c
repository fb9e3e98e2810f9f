/* SPDX-License-Identifier: GPL-3.0-or-later */
/* syscalls.c - system calls by name, for the architecture of this build.
 * Tests: tests/unit/arch/check_syscalls.c */
#include <strings.h>

#include "arch/syscalls.h"
#include "engine/ezt.h"

long ez_syscall_number(const char *name)
{
    for (long i = 0; i < EZ_NSYSCALLS; i++)
        if (ez_arch_syscall_name[i] && !strcasecmp(ez_arch_syscall_name[i], name))
            return i;
    return -1;
}

const char *ez_syscall_name(long nr)
{
    return nr >= 0 && nr < EZ_NSYSCALLS ? ez_arch_syscall_name[nr] : NULL;
}
