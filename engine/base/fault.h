/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fault.h - failures made on purpose, for the tests (doc/HOWTO_FAULT_TEST.md).
 *
 * EZ_FAULT=SITE:N:WHAT makes the Nth pass of SITE (from 1; 0 = each) fail. SITE is a ptrace request
 * ("seize", "cont", "getregs", "wait", ...), "write" (text or data of the target), "any" of these;
 * "fallocate", "perf", "clock". WHAT is the name of an errno; "KILL", the process dies before the
 * call; "DIE", the shell does; of "clock" a machine that is not at hand: "variant", "enters",
 * "novdso". EZ_FAULT_COUNT=FILE writes at exit how many passes there were (of SITE, if there is
 * one), so that a test can sweep all of them.
 *
 * This works only if configure was given --enable-fault-injection; otherwise the environment is
 * not looked at. */
#ifndef EZ_FAULT_H
#define EZ_FAULT_H

#include <stdbool.h>

enum { EZ_FAULT_KILL = -1, EZ_FAULT_DIE = -2 };

/* A thread passes `site`, which belongs to `family` (NULL = to none): 0 = go on, else an errno
 * or one of these. Any thread may call it. */
int ez_fault(const char *site, const char *family);
/* The nth call of ptrace from now, on the calling thread, fails with EIO. false = not in this build. */
bool ez_fault_next(unsigned long nth);
/* Does the plan say `what` for each pass of `site`? */
bool ez_fault_is(const char *site, const char *what);

#endif
