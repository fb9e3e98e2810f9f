/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sharers.h - sharers: processes that use another process's memory. */
#ifndef EZ_SHARERS_H
#define EZ_SHARERS_H

#include <stdbool.h>
#include <sys/types.h>

bool ez_shares_memory(pid_t a, pid_t b);
/* Returns the lowest pid greater than `above` of a process that shares pid's memory, or 0. */
pid_t ez_sharer(pid_t pid, pid_t above);

#endif
