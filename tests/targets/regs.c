/* SPDX-License-Identifier: GPL-3.0-or-later */
/* regs.c - loads every register, calls, and compares what arrives and what comes back.
 * regs [FAULT]: 30 general registers, 31 flags, 32 vector and x87 state; 0 = all. */
#include "target.h"

#include <cpuid.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct state {
    uint64_t gpr[15], flags, rsp, pad[7];
    uint8_t vec[4096 - 192];
};
extern struct state given, left, at_entry, at_exit, plain;
extern uint64_t vec_mask;
void regs_leaf(void);
void regs_hop(void);
void regs_through(void);
void regs_call(void (*fn)(void));
void regs_plain(void);

#define CF 1u
#define DF 0x400u
#define AC 0x40000u
static const uint64_t flag_bits[] = { CF, 4, 0x10, 0x40, 0x80, 0x800, DF, AC };
#define FLAGS (CF | 4 | 0x10 | 0x40 | 0x80 | 0x800 | DF | AC)

static unsigned at[10], size[10]; /* of each component in the area */
static unsigned long wrong[3], leaf_calls, hop_calls, through_calls;
static uint64_t seed = 1;

static uint64_t noise(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

static uint64_t enabled(void)
{
    uint32_t a, d;
    __asm__("xgetbv" : "=a"(a), "=d"(d) : "c"(0));
    return a;
}

static int find_components(void)
{
    unsigned a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c >> 27 & 1))
        return 0;
    vec_mask = enabled() & 0xe7; /* x87, SSE, AVX, AVX-512 */
    for (int i = 2; i < 8; i++) {
        if (!(vec_mask >> i & 1))
            continue;
        __cpuid_count(0xd, i, size[i], at[i], c, d);
        if (at[i] + size[i] > sizeof given.vec)
            return 0;
    }
    return 1;
}

static void fill(uint8_t *p, unsigned n)
{
    for (unsigned i = 0; i < n; i += 8) {
        uint64_t v = noise();
        memcpy(p + i, &v, n - i < 8 ? n - i : 8);
    }
}

static void make(struct state *s, unsigned pattern)
{
    static const uint16_t fcw[] = { 0x37f, 0x27f, 0xf7f, 0x07f };
    static const uint32_t mxcsr[] = { 0x1f80, 0x9fc0, 0x7f80, 0x3fbf };
    memset(s, 0, sizeof *s);
    for (int i = 0; i < 15; i++)
        s->gpr[i] = noise();
    s->flags = 0x202;
    for (unsigned i = 0; i < 8; i++)
        s->flags |= pattern >> i & 1 ? flag_bits[i] : 0;
    memcpy(s->vec, &fcw[pattern & 3], 2);
    s->vec[4] = 0xff; /* all eight x87 registers are in use */
    memcpy(s->vec + 24, &mxcsr[pattern >> 2 & 3], 4);
    for (int i = 0; i < 8; i++) {
        uint64_t mantissa = noise() | 1ull << 63;
        uint16_t exponent = (uint16_t)(16383 - 100 + noise() % 200);
        memcpy(s->vec + 32 + 16 * i, &mantissa, 8);
        memcpy(s->vec + 40 + 16 * i, &exponent, 2);
    }
    fill(s->vec + 160, 256);
    for (int i = 2; i < 8; i++)
        fill(s->vec + at[i], size[i]);
    memcpy(s->vec + 512, &vec_mask, 8); /* XSTATE_BV */
}

static int same_vectors(const struct state *a, const struct state *b)
{
    if (memcmp(a->vec, b->vec, 6) || memcmp(a->vec + 24, b->vec + 24, 4) ||
        memcmp(a->vec + 160, b->vec + 160, 256))
        return 0;
    for (int i = 0; i < 8; i++)
        if (memcmp(a->vec + 32 + 16 * i, b->vec + 32 + 16 * i, 10))
            return 0;
    for (int i = 2; i < 8; i++)
        if (memcmp(a->vec + at[i], b->vec + at[i], size[i]))
            return 0;
    return 1;
}

static void compare(const struct state *want, const struct state *got)
{
    wrong[0] += memcmp(want->gpr, got->gpr, sizeof want->gpr) != 0;
    wrong[1] += (want->flags & FLAGS) != (got->flags & FLAGS);
    wrong[2] += !same_vectors(want, got);
}

static void *round_trip(void *arg)
{
    unsigned rounds = (unsigned)(uintptr_t)arg;
    for (unsigned i = 0; i < rounds; i++) {
        int hop = i % 3 == 1, through = i % 3 == 2;
        make(&given, i >> 1);
        make(&left, ~(i >> 1));
        regs_call(hop ? regs_hop : through ? regs_through : regs_leaf);
        leaf_calls += !through;
        hop_calls += hop;
        through_calls += through;
        compare(&given, &at_entry);
        compare(&left, &at_exit);
        wrong[0] += given.rsp != at_exit.rsp || (!through && at_entry.rsp + 64 + 8 != at_exit.rsp);
    }
    return NULL;
}

int main(void)
{
    bounded();
    if (!find_components()) {
        puts("no XSAVE");
        return 77;
    }
    regs_plain();
    round_trip((void *)3000);
    for (uintptr_t i = 0; i < 64; i++) { /* the first hit of a thread goes the long way */
        pthread_t t;
        pthread_create(&t, NULL, round_trip, (void *)(i % 5 + 1));
        pthread_join(t, NULL);
    }
    printf("general %lu flags %lu vectors %lu\n", wrong[0], wrong[1], wrong[2]);
    claim("count", "regs_leaf", leaf_calls);
    claim("exits", "regs_leaf", leaf_calls);
    claim("count", "regs_hop", hop_calls);
    claim("exits", "regs_hop", hop_calls);
    claim("count", "regs_through", through_calls);
    claim("exits", "regs_through", through_calls);
    return (int)(wrong[0] + wrong[1] + wrong[2] != 0);
}
