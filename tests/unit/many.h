/* SPDX-License-Identifier: GPL-3.0-or-later */
/* many.h - for tests that go through very many inputs. */
#ifndef TESTS_MANY_H
#define TESTS_MANY_H

#include <check.h>
#include <stdint.h>

/* Check writes each ck_assert() to a file; this one costs nothing. */
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
