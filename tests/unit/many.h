/* SPDX-License-Identifier: GPL-3.0-or-later */
/* many.h - for tests that go through very many inputs. Include it first.
 *
 * Check notes in a file where each assertion that holds stands, to be told if the program crashes
 * behind it: millions of system calls. Without these notes such a test takes half the time. */
#ifndef TESTS_MANY_H
#define TESTS_MANY_H

#include <check.h>
#include <stdint.h>

#define _mark_point(file, line) ((void)0)

#define SURE(condition)                                                                            \
    do {                                                                                           \
        if (!(condition))                                                                          \
            ck_abort_msg("not: %s", #condition);                                                   \
    } while (0)

/* A number below n: the same ones on each machine. */
static inline uint32_t roll(uint32_t n)
{
    static uint64_t seed = 1;
    seed = seed * 6364136223846793005ull + 1442695040888963407ull;
    return (uint32_t)(seed >> 33) % n;
}

#endif
