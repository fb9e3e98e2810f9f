/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_scan.c - what a scan of bytes finds, compared byte by byte with a plain reading of the
 * processor's manual: texts of all lengths that are full of opcodes, in buffers that end where
 * they do. And where punned jumps can lead. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "tests/unit/many.h"
#include "tests/unit/suite.h"

/* n bytes that are often opcodes of `likely`, and displacements that are small. The caller frees. */
static uint8_t *some_text(size_t n, const uint8_t *likely, size_t nlikely)
{
    uint8_t *b = ez_alloc(n + !n);
    for (size_t i = 0; i < n; i++)
        b[i] = roll(2)   ? likely[roll((uint32_t)nlikely)]
               : roll(3) ? (uint8_t)roll(40)
                         : (uint8_t)roll(256);
    return b;
}

static uint64_t signed_at(const uint8_t *b, int bytes)
{
    int32_t d = (int8_t)*b;
    if (bytes == 4)
        memcpy(&d, b, 4);
    return (uint64_t)(int64_t)d;
}

struct hits {
    uint64_t lo, hi; /* wanted: [lo, hi) */
    size_t n;
    uint64_t source[1024], target[1024];
};

static bool wanted(uint64_t target, void *arg)
{
    const struct hits *h = arg;
    return target >= h->lo && target < h->hi;
}

static void hit(uint64_t source, uint64_t target, void *arg)
{
    struct hits *h = arg;
    SURE(h->n < EZ_ARRAY_LEN(h->source));
    h->source[h->n] = source;
    h->target[h->n++] = target;
}

static void hit_if_wanted(uint64_t source, uint64_t target, struct hits *h)
{
    if (wanted(target, h))
        hit(source, target, h);
}

static void same_hits(const struct hits *a, const struct hits *b)
{
    SURE(a->n == b->n);
    for (size_t i = 0; i < a->n; i++)
        SURE(a->source[i] == b->source[i] && a->target[i] == b->target[i]);
}

/* ---- branches --------------------------------------------------------------------------------- */

/* A branch of `len` bytes whose displacement has the last `bytes` of them, if it lies in the text. */
static void branch(const uint8_t *b, size_t n, uint64_t va, size_t at, size_t len, int bytes,
                   struct hits *h)
{
    if (at + len <= n)
        hit_if_wanted(va + at, va + at + len + signed_at(b + at + len - (size_t)bytes, bytes), h);
}

/* Those whose last opcode byte is at `at`; `far`: those of 32 bits. */
static void branches_at(const uint8_t *b, size_t n, uint64_t va, size_t at, bool far,
                        struct hits *h)
{
    uint8_t op = b[at], before = at ? b[at - 1] : 0;
    if (far)
        ;
    else if ((op >= 0x70 && op <= 0x7f) || op == 0xeb || (op >= 0xe0 && op <= 0xe3))
        branch(b, n, va, at, 2, 1, h);
    if (op == 0xe8 || op == 0xe9)
        branch(b, n, va, at, 5, 4, h);
    if ((before == 0x0f && op >= 0x80 && op <= 0x8f) || (before == 0xc7 && op == 0xf8))
        branch(b, n, va, at - 1, 6, 4, h);
}

START_TEST(branches)
{
    static const uint8_t likely[] = { 0x70, 0x7f, 0x6f, 0x80, 0x8f, 0x90, 0x0f, 0xe0,
                                      0xe3, 0xe4, 0xe8, 0xe9, 0xea, 0xeb, 0xec, 0xc7,
                                      0xf8, 0xf9, 0xc6, 0xff, 0,    0,    0xff, 0xff };
    size_t found = 0;
    for (size_t round = 0; round < 4000; round++) {
        size_t n = round % 60;
        uint64_t va = 0x400000;
        EZ_FREE uint8_t *b = some_text(n, likely, sizeof likely);
        struct hits want = { .hi = ~0ull };
        if (roll(2)) {
            want.lo = va - roll(80);
            want.hi = va + roll(120);
        }
        struct hits got = want;
        bool far = roll(2);
        for (size_t at = 0; at < n; at++)
            branches_at(b, n, va, at, far, &want);
        if (far)
            ez_arch_host()->scan.far_branches(b, n, va, wanted, hit, &got);
        else
            ez_arch_host()->scan.branches(b, n, va, wanted, hit, &got);
        same_hits(&want, &got);
        found += got.n;
    }
    ck_assert_uint_gt(found, 5000);
}
END_TEST

START_TEST(indirect_jumps)
{
    for (size_t n = 0; n < 5; n++)
        for (unsigned modrm = 0; modrm < 256; modrm++)
            for (size_t at = 0; at < n; at++) {
                EZ_FREE uint8_t *b = ez_alloc(n);
                bool is = (modrm >> 3 & 7) == 4 && at + 1 < n;
                memset(b, 0x90, n);
                b[at] = 0xff;
                if (at + 1 < n)
                    b[at + 1] = (uint8_t)modrm;
                SURE(ez_arch_host()->scan.may_jump_indirectly(b, n) == is);
                if (at + 3 < n) { /* two of them */
                    b[at + 2] = 0xff;
                    b[at + 3] = 0xe0;
                    SURE(ez_arch_host()->scan.may_jump_indirectly(b, n));
                }
            }
}
END_TEST

/* ---- addresses -------------------------------------------------------------------------------- */

static const uint8_t addressing[] = { 0x8d, 0x8d, 0x05, 0x0d, 0x3d, 0x04, 0x0c, 0x25,
                                      0x2d, 0x63, 0x0f, 0xb6, 0xb7, 0xbe, 0xbf, 0x80,
                                      0x84, 0xa4, 0x40, 0xff, 0,    0,    0,    0x40 };

static void leas(const uint8_t *b, size_t n, uint64_t va, struct hits *h)
{
    for (size_t at = 0; at + 6 <= n; at++)
        if (b[at] == 0x8d && b[at + 1] >> 6 == 0 && (b[at + 1] & 7) == 5)
            hit_if_wanted(va + at, va + at + 6 + signed_at(b + at + 2, 4), h);
}

START_TEST(addresses)
{
    size_t found = 0;
    for (size_t round = 0; round < 4000; round++) {
        size_t n = round % 50;
        uint64_t va = roll(2) ? 0x400020 : roll(2) ? 0x7fffffff : 0x80000000;
        EZ_FREE uint8_t *b = some_text(n, addressing, sizeof addressing);
        if (n >= 12 && roll(2)) { /* an address of the text, or one past it */
            uint32_t to = (uint32_t)va + roll((uint32_t)n + 2);
            memcpy(b + roll((uint32_t)n - 3), &to, 4);
        }
        struct hits want = { .hi = ~0ull };
        struct hits got = want;
        leas(b, n, va, &want);
        for (size_t at = 0; at + 4 <= n && va < 0x80000000; at++)
            if (signed_at(b + at, 4) >= va && signed_at(b + at, 4) < va + n)
                hit(va + at, signed_at(b + at, 4), &want);
        ez_arch_host()->scan.addresses(b, n, va, wanted, hit, &got);
        same_hits(&want, &got);
        found += got.n;
    }
    ck_assert_uint_gt(found, 1000);
}
END_TEST

static struct hits data;
static size_t data_until; /* the hit of that number is the last one wanted */

static bool hit_data(uint64_t at, void *arg)
{
    SURE(arg == &data);
    hit(0, at, &data);
    return data.n == data_until;
}

/* x(,%reg,n); and movzx, movsx, movslq from x(%reg) or x(%reg,%reg). */
static void indexed(const uint8_t *b, size_t n, struct hits *h)
{
    for (size_t i = 1; i + 6 <= n; i++) {
        uint8_t mod = b[i] >> 6, rm = b[i] & 7, sib = b[i + 1];
        bool movslq = b[i - 1] == 0x63;
        bool movx = i >= 2 && b[i - 2] == 0x0f &&
                    (b[i - 1] == 0xb6 || b[i - 1] == 0xb7 || b[i - 1] == 0xbe || b[i - 1] == 0xbf);
        if (mod == 0 && rm == 4 && (sib & 7) == 5)
            hit(0, signed_at(b + i + 2, 4), h);
        if (mod == 2 && (movslq || movx))
            hit(0, signed_at(b + i + (rm == 4 ? 2 : 1), 4), h);
    }
}

START_TEST(tables)
{
    size_t found = 0;
    for (size_t round = 0; round < 4000; round++) {
        size_t n = round % 50;
        uint64_t va = roll(3) ? 0x400020 : roll(2) ? 0x7fffffff : 0x80000000;
        EZ_FREE uint8_t *b = some_text(n, addressing, sizeof addressing);
        struct hits want = { .hi = ~0ull };
        leas(b, n, va, &want);
        for (size_t i = 0; i < want.n; i++)
            want.source[i] = 0;
        if (va < 0x80000000)
            indexed(b, n, &want);
        data_until = roll(3);
        data = (struct hits){ 0 };
        bool ended = ez_arch_host()->scan.data(b, n, va, hit_data, &data);
        SURE(ended == (data_until && data_until <= want.n));
        want.n = ended ? data_until : want.n;
        same_hits(&want, &data);
        found += want.n;
    }
    ck_assert_uint_gt(found, 1000);
}
END_TEST

/* ---- straight code ---------------------------------------------------------------------------- */

#define CODE(...) .n = sizeof((uint8_t[]){ __VA_ARGS__ }), .code = { __VA_ARGS__ }
static const struct straight {
    size_t n;
    uint8_t code[24];
    uint64_t first, to; /* `to` as from address 0 */
} straight[] = {
    { CODE(0xe8, 1, 0, 0, 0), 0, 6 },
    { CODE(0x67, 0xe8, 1, 0, 0, 0), 0, 7 },
    { CODE(0xe9, 0xff, 0xff, 0xff, 0xff), 0, 4 },
    { CODE(0xeb, 0xfe), 0, 0 },
    { CODE(0xeb, 0x10), 0, 18 },
    { CODE(0xff, 0xd0), 0, -1ull },
    { CODE(0x48, 0xc7, 0xc7, 0x78, 0x56, 0x34, 0x12, 0xe8, 0, 0, 0, 0), 0x12345678, 12 },
    { CODE(0x48, 0xc7, 0xc7, 0xff, 0xff, 0xff, 0xff, 0xe8, 0, 0, 0, 0), -1ull, 12 },
    { CODE(0xbf, 0xff, 0xff, 0xff, 0xff, 0xe8, 0, 0, 0, 0), 0xffffffff, 10 },
    { CODE(0xbf, 1, 0, 0, 0, 0xbf, 2, 0, 0, 0, 0xff, 0xe0), 2, -1ull },
    { CODE(0x48, 0xc7, 0xc6, 1, 0, 0, 0, 0xeb, 0), 0, 9 }, /* into %rsi */
    { CODE(0xb8, 1, 0, 0, 0, 0xe8, 0, 0, 0, 0), 0, 10 },   /* into %eax */
    { CODE(0xbf, 1, 0, 0, 0, 0xc3, 0xe8, 0, 0, 0, 0), 0, -1ull },
    { CODE(0xbf, 1, 0, 0, 0, 0x0f, 0x05, 0xe8, 0, 0, 0, 0), 0, -1ull },
    { CODE(0xbf, 1, 0, 0, 0, 0x90), 0, -1ull },
    { CODE(0xbf, 1, 0, 0, 0, 0x06, 0xe8, 0, 0, 0, 0), 0, -1ull }, /* invalid */
};

START_TEST(first_arguments)
{
    const uint64_t va[] = { 0x400000, 0x7f0000000000 };
    const struct straight *c = &straight[_i];
    for (size_t i = 0; i < EZ_ARRAY_LEN(va); i++) {
        uint64_t to = 1;
        ck_assert_uint_eq(ez_arch_host()->elf.first_argument(c->code, c->n, va[i], &to), c->first);
        ck_assert_uint_eq(to, c->to == -1ull ? 0 : va[i] + c->to);
        ck_assert_uint_eq(ez_arch_host()->elf.first_argument(c->code, c->n - 1, va[i], &to), 0);
    }
}
END_TEST

START_TEST(an_address_as_first_argument)
{
    static const uint8_t code[] = {
        0x90, 0x48, 0x8d, 0x3d, 0xfc, 0xff, 0xff, 0xff, 0xe8, 0, 1, 0, 0
    };
    uint64_t to;
    ck_assert_uint_eq(ez_arch_host()->elf.first_argument(code, sizeof code, 0x400000, &to),
                      0x400004);
    ck_assert_uint_eq(to, 0x40010d);
}
END_TEST

START_TEST(plt_slots)
{
    static const uint8_t landing[] = { 0xf3, 0x0f, 0x1e, 0xfa },
                         jump[] = { 0xff, 0x25, 0xf0, 0xff, 0xff, 0xff };
    for (int with = 0; with < 8; with++) {
        uint8_t slot[11], *b = slot;
        if (with & 1)
            b = (uint8_t *)memcpy(b, landing, 4) + 4;
        if (with & 2)
            *b++ = 0xf2;
        b = (uint8_t *)memcpy(b, jump, 6) + 6;
        b[-5] ^= with & 4; /* it calls, or pushes */
        size_t n = (size_t)(b - slot);
        for (size_t cut = 0; cut <= n; cut++) {
            EZ_FREE uint8_t *code = ez_alloc(cut + !cut);
            uint64_t word = 0;
            memcpy(code, slot, cut);
            bool is = cut == n && !(with & 4);
            ck_assert_int_eq(ez_arch_host()->elf.plt_slot(code, cut, 0x1000, &word), is);
            ck_assert_uint_eq(word, is ? 0x1000 + n - 16 : 0);
        }
    }
}
END_TEST

/* ---- punned jumps ------------------------------------------------------------------------------ */

/* All that the range says is reached, and by no other bytes than the first n: the last ones are the
 * text's. What is just outside is not. */
START_TEST(puns)
{
    const struct ez_arch *a = ez_arch_host();
    for (int round = 0; round < 20000; round++) {
        uint8_t code[16], jump[16];
        size_t n = 1 + roll(4), k = roll((uint32_t)n);
        uint64_t from = 0x7f0000000000 + roll(100000), lo, hi;
        for (size_t i = 0; i < sizeof code; i++)
            code[i] = (uint8_t)roll(256);
        a->jump.pun_range(code, n, k, from, &lo, &hi);
        SURE(hi - lo + 1 == 1ull << 8 * (n - 1 - k));
        const uint64_t to[] = { lo, hi, lo + (hi - lo) / 2, lo + roll(1 << 20) % (hi - lo + 1) };
        for (size_t i = 0; i < EZ_ARRAY_LEN(to); i++) {
            memcpy(jump, code, sizeof jump);
            a->jump.write_pun(n, k, from, to[i], jump);
            SURE(!memcmp(jump + n, code + n, sizeof jump - n));
            for (size_t p = 0; p < k; p++)
                SURE(jump[p] == 0x2e);
            SURE(jump[k] == 0xe9);
            SURE(from + k + 5 + signed_at(jump + k + 1, 4) == to[i]);
        }
    }
}
END_TEST

START_TEST(far_jumps)
{
    static const uint8_t want[] = { 0xff, 0x25, 0, 0, 0, 0, 8, 7, 6, 5, 4, 3, 2, 1 };
    uint8_t b[16] = { [14] = 0xaa, [15] = 0xbb };
    ez_arch_host()->jump.write_far(0x0102030405060708, b);
    ck_assert_int_eq(ez_arch_host()->jump.far_len, (int)sizeof want);
    ck_assert(!memcmp(b, want, sizeof want) && b[14] == 0xaa && b[15] == 0xbb);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("scan");
    TCase *c = tcase_create("scan");
    tcase_set_timeout(c, 60);
    tcase_add_test(c, branches);
    tcase_add_test(c, indirect_jumps);
    tcase_add_test(c, addresses);
    tcase_add_test(c, tables);
    tcase_add_loop_test(c, first_arguments, 0, (int)EZ_ARRAY_LEN(straight));
    tcase_add_test(c, an_address_as_first_argument);
    tcase_add_test(c, plt_slots);
    tcase_add_test(c, puns);
    tcase_add_test(c, far_jumps);
    suite_add_tcase(s, c);
    return run_suite(s);
}
