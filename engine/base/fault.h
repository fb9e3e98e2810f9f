/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fault.h - injects failures for tests (doc/HOWTO_FAULT_TEST.md).
 *
 * A site is a place in the code that calls ez_fault(); a pass is one call of ez_fault() there.
 * EZ_FAULT=SITE:N:WHAT makes the Nth pass of SITE fail (N counts from 1; 0 = each pass fails). SITE
 * is a ptrace request ("seize", "cont", "getregs", "wait", ...), "write" (text or data of the
 * target), "any" (all sites named so far), "fallocate", "perf", "hwbreak" or "clock". WHAT is the
 * name of an errno, "KILL" (the target dies before the call) or "DIE" (the shell dies before the
 * call). For "clock", WHAT simulates a machine with another clock: "variant", "enters" or "novdso"
 * (engine/record/clock.c). EZ_FAULT_COUNT=FILE makes eztsh write to FILE at exit how many passes of
 * SITE (without EZ_FAULT: of "any") there were, so that a test can make each of them fail.
 *
 * This needs configure --enable-fault-injection. Without it, the environment is ignored. */
#ifndef EZ_FAULT_H
#define EZ_FAULT_H

#include <stdbool.h>

enum { EZ_FAULT_KILL = -1, EZ_FAULT_DIE = -2 };

/* Counts a pass of `site`. `family` is "any" if EZ_FAULT=any:N:WHAT also counts the pass, else
 * NULL. Returns 0 if the caller must continue, or an errno, EZ_FAULT_KILL or EZ_FAULT_DIE if it
 * must fail. Any thread may call it. */
int ez_fault(const char *site, const char *family);
/* Makes the nth ptrace call that the calling thread makes from now on fail with EIO. Returns false
 * if eztsh was built without fault injection. */
bool ez_fault_next(unsigned long nth);
/* Returns true if EZ_FAULT names this site and this WHAT, with any N. */
bool ez_fault_is(const char *site, const char *what);

#endif
