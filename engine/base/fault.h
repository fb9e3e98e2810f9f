/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fault.h - injects failures for tests (doc/HOWTO_FAULT_TEST.md).
 *
 * EZ_FAULT=SITE:N:WHAT makes the Nth pass of SITE (from 1; 0 = each) fail. SITE is a ptrace request
 * ("seize", "cont", "getregs", "wait", ...), "write" (text or data of the target), "any" of these,
 * "fallocate", "perf" or "clock". WHAT is the name of an errno, "KILL" (the process dies before the
 * call) or "DIE" (the shell dies). For "clock", WHAT selects another kind of machine: "variant",
 * "enters" or "novdso". EZ_FAULT_COUNT=FILE writes at exit how many passes there were (of SITE, if
 * it is set), so that a test can try all of them.
 *
 * This needs configure --enable-fault-injection. Without it, the environment is ignored. */
#ifndef EZ_FAULT_H
#define EZ_FAULT_H

#include <stdbool.h>

enum { EZ_FAULT_KILL = -1, EZ_FAULT_DIE = -2 };

/* Records a pass of `site`, which belongs to `family` (or to none: NULL). Returns 0 to continue, or
 * an errno or one of the values above. Any thread may call it. */
int ez_fault(const char *site, const char *family);
/* Makes the nth ptrace call from now, on the calling thread, fail with EIO. Returns false if the
 * build has no fault injection. */
bool ez_fault_next(unsigned long nth);
/* Returns whether the plan is `what` for each pass of `site`. */
bool ez_fault_is(const char *site, const char *what);

#endif
