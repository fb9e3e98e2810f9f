/* SPDX-License-Identifier: GPL-3.0-or-later */
/* target.h - what the programs under test share.
 *
 * A target prints on standard output only what does not depend on being probed, and
 * on standard error what it counted itself: "count FUNCTION CALLS" and "exits FUNCTION
 * RETURNS". tests/lib.sh compares those with what the shell counted. */
#ifndef TARGET_H
#define TARGET_H

#include <stdio.h>
#include <unistd.h>

#ifdef __clang__
#define NI __attribute__((noinline))
#else
#define NI __attribute__((noinline, noclone))
#endif

/* The body is not empty to the optimizer, and calls of it are not moved or merged. */
#define OPAQUE __asm__ volatile("nop; nop; nop; nop; nop" ::: "memory")

/* No target outlives a broken test. */
static inline void bounded(void)
{
    alarm(900);
}

static inline void claim(const char *what, const char *function, unsigned long n)
{
    fprintf(stderr, "%s %s %lu\n", what, function, n);
}
#endif
