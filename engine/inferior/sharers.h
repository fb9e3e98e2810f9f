/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sharers.h - sharers: processes that live in another process's memory. */
#ifndef EZ_SHARERS_H
#define EZ_SHARERS_H

#include <stdbool.h>
#include <sys/types.h>

bool ez_shares_memory(pid_t a, pid_t b);
/* The lowest pid greater than `above` of a process that shares pid's memory; 0 = none. */
pid_t ez_sharer(pid_t pid, pid_t above);

#endif
