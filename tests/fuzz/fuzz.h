/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz.h - what the fuzzers and their driver share.
 *
 * A fuzzer is LLVMFuzzerTestOneInput() and its seeds. libFuzzer calls it (`make fuzz`),
 * or driver.c does, with inputs that are the same in each run (`make check`). */
#ifndef FUZZ_H
#define FUZZ_H

#include <stdio.h>
#include <string.h>

#include "engine/base/base.h"
#include "engine/base/err.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The n-th seed into buf[max]; returns its length, 0 = there are no more. */
size_t fuzz_seed(unsigned n, uint8_t *buf, size_t max);
/* How often `make check` calls, and with how many bytes at most. */
extern const unsigned long fuzz_runs;
extern const size_t fuzz_max;

#define MUST(cond, ...)                                                                            \
    do {                                                                                           \
        if (!(cond)) {                                                                             \
            fprintf(stderr, "%s:%d: %s: ", __FILE__, __LINE__, #cond);                             \
            fprintf(stderr, __VA_ARGS__);                                                          \
            fputc('\n', stderr);                                                                   \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

/* The helpers of the unit tests speak Check's words, which need a runner around them.
 * Here there is none: a failure is an abort, for the fuzzer to see. */
#ifdef FUZZ_AS_CHECK
#define CHECK_H
#define ck_assert(c) MUST(c, "failed")
#define ck_assert_msg MUST
#define ck_assert_int_eq(a, b) MUST((a) == (b), "differ")
#define ck_assert_int_gt(a, b) MUST((a) > (b), "too little")
#define ck_assert_uint_eq(a, b) MUST((a) == (b), "differ")
#define ck_assert_uint_lt(a, b) MUST((a) < (b), "too much")
#define ck_assert_ptr_ne(a, b) MUST((a) != (b), "the same")
#define ck_assert_ptr_nonnull(a) MUST((a) != NULL, "missing")
#pragma GCC diagnostic ignored "-Wunused-function"
#endif

/* Bytes of the input, from its start; zeros behind its end. */
struct fuzz_bytes {
    const uint8_t *at;
    size_t left;
};

static inline uint64_t fuzz_take(struct fuzz_bytes *b, size_t n)
{
    uint64_t v = 0;
    n = EZ_MIN(n, b->left);
    memcpy(&v, b->at, n);
    b->at += n;
    b->left -= n;
    return v;
}

/* A seed that is text; an empty one is behind the last. */
static inline size_t fuzz_text(const char *text, uint8_t *buf, size_t max)
{
    size_t n = EZ_MIN(strlen(text), max);
    memcpy(buf, text, n);
    return n;
}

static inline uint64_t fuzz_random(uint64_t *x)
{
    *x ^= *x << 13, *x ^= *x >> 7, *x ^= *x << 17;
    return *x * 0x9e3779b97f4a7c15u;
}

#endif
