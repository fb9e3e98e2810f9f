/* SPDX-License-Identifier: GPL-3.0-or-later */
/* syscalls.c - system calls by name, for the architecture of this build. */
#include <strings.h>

#include "arch/arch.h"
#include "engine/ezt.h"

long ez_syscall_number(const char *name)
{
    const struct ez_arch *arch = ez_arch_host();
    for (size_t i = 0; i < arch->nsyscalls; i++)
        if (arch->syscall_name[i] && !strcasecmp(arch->syscall_name[i], name))
            return (long)i;
    return -1;
}

const char *ez_syscall_name(long nr)
{
    const struct ez_arch *arch = ez_arch_host();
    return nr >= 0 && (size_t)nr < arch->nsyscalls ? arch->syscall_name[nr] : NULL;
}
