/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scan.c - finds the direct branches of a text whose targets may be given addresses, and the
 * instructions that may contain or compute such an address.
 *
 * Why: A single jump into the bytes that a patch overwrites would kill the target; to decode the
 *   whole text to find such jumps takes a hundred times longer than this scan.
 * How: Every byte is tried as the start of a branch, so no branch is missed. The scan also reports
 *   bytes that are no branch (in 2-8 % of functions); the caller decodes these functions. An
 *   address is found as x of lea x(%rip) and, if it is below 2 GiB, as any 32 bits in the text.
 * Invariant: every branch with an 8- or 32-bit displacement that is wholly in text[0..n) and whose
 *   target is wanted is reported.
 * Tests: tests/unit/arch/check_decode.c (against a full decode) */
#include <emmintrin.h>
#include <string.h>

#include "arch/x86_64/x64.h"

struct scan {
    const uint8_t *text;
    size_t n;
    uint64_t va;
    bool (*wanted)(uint64_t target, void *arg);
    void (*hit)(uint64_t source, uint64_t target, void *arg);
    void *arg;
};

/* Tries the byte at offset `at` as the opcode of a branch with an 8-bit displacement. */
static inline void scan_try_rel8(const struct scan *s, size_t at)
{
    if (at + 2 > s->n)
        return;
    uint64_t target = s->va + at + 2 + (uint64_t)(int64_t)(int8_t)s->text[at + 1];
    if (s->wanted(target, s->arg))
        s->hit(s->va + at, target, s->arg);
}

static inline void scan_try_rel32(const struct scan *s, size_t at, size_t lead)
{
    int32_t d;
    if (at + 5 > s->n)
        return;
    memcpy(&d, s->text + at + 1, 4);
    uint64_t target = s->va + at + 5 + (uint64_t)(int64_t)d;
    if (s->wanted(target, s->arg))
        s->hit(s->va + at - lead, target, s->arg);
}

static void scan_byte(const struct scan *s, size_t at)
{
    uint8_t b = s->text[at], before = at ? s->text[at - 1] : 0;
    if ((b & 0xf0) == 0x70 || b == 0xeb || (b & 0xfc) == 0xe0)
        scan_try_rel8(s, at);
    if ((b & 0xfe) == 0xe8)
        scan_try_rel32(s, at, 0);
    if (((b & 0xf0) == 0x80 && before == 0x0f) || (b == 0xf8 && before == 0xc7))
        scan_try_rel32(s, at, 1);
}

static inline __m128i scan_equal(__m128i bytes, uint8_t mask, uint8_t value)
{
    return _mm_cmpeq_epi8(_mm_and_si128(bytes, _mm_set1_epi8((char)mask)),
                          _mm_set1_epi8((char)value));
}

/* Returns a mask with a bit for each of the 16 bytes at p: set if the byte may be the last one of
 * the opcode of a branch with a 32-bit displacement. */
static inline unsigned scan_far_candidates(const uint8_t *p)
{
    __m128i b = _mm_loadu_si128((const __m128i *)p);
    __m128i before = _mm_loadu_si128((const __m128i *)(p - 1));
    __m128i jcc = _mm_and_si128(scan_equal(b, 0xf0, 0x80), scan_equal(before, 0xff, 0x0f));
    __m128i xbegin = _mm_and_si128(scan_equal(b, 0xff, 0xf8), scan_equal(before, 0xff, 0xc7));
    __m128i rel32 = _mm_or_si128(_mm_or_si128(scan_equal(b, 0xfe, 0xe8), jcc), xbegin);
    return (unsigned)_mm_movemask_epi8(rel32);
}

/* Returns a mask of the bytes among the 16 at p that scan_byte() must try. */
static inline unsigned scan_candidates(const uint8_t *p)
{
    __m128i b = _mm_loadu_si128((const __m128i *)p);
    __m128i rel8 = _mm_or_si128(_mm_or_si128(scan_equal(b, 0xf0, 0x70), scan_equal(b, 0xff, 0xeb)),
                                scan_equal(b, 0xfc, 0xe0));
    return (unsigned)_mm_movemask_epi8(rel8) | scan_far_candidates(p);
}

void x64_scan_branches(const uint8_t *text, size_t n, uint64_t va,
                       bool (*wanted)(uint64_t target, void *arg),
                       void (*hit)(uint64_t source, uint64_t target, void *arg), void *arg)
{
    struct scan s = { text, n, va, wanted, hit, arg };
    size_t at = 0;
    if (n)
        /* the vector code reads the preceding byte, which the first byte does not have */
        scan_byte(&s, at++);
    for (; at + 16 <= n; at += 16)
        for (unsigned m = scan_candidates(text + at); m; m &= m - 1)
            scan_byte(&s, at + (size_t)__builtin_ctz(m));
    for (; at < n; at++)
        scan_byte(&s, at);
}

/* Tries a branch whose 32-bit displacement is right behind the byte at offset `at`. The opcode is
 * that byte (e8, e9), or that byte and the one before (jcc, xbegin). */
static inline void scan_try_far(const struct scan *s, size_t at)
{
    scan_try_rel32(s, at, (s->text[at] & 0xfe) != 0xe8);
}

void x64_scan_far(const uint8_t *text, size_t n, uint64_t va,
                  bool (*wanted)(uint64_t target, void *arg),
                  void (*hit)(uint64_t source, uint64_t target, void *arg), void *arg)
{
    struct scan s = { text, n, va, wanted, hit, arg };
    size_t at = 0;
    if (n && (text[at++] & 0xfe) == 0xe8)
        scan_try_far(&s, 0);
    for (; at + 64 <= n; at += 64) {
        uint64_t m = 0;
        for (unsigned k = 0; k < 64; k += 16)
            m |= (uint64_t)scan_far_candidates(text + at + k) << k;
        for (; m; m &= m - 1)
            scan_try_far(&s, at + (size_t)__builtin_ctzll(m));
    }
    for (; at + 5 <= n; at++)
        if ((text[at] & 0xfe) == 0xe8 || ((text[at] & 0xf0) == 0x80 && text[at - 1] == 0x0f) ||
            (text[at] == 0xf8 && text[at - 1] == 0xc7))
            scan_try_far(&s, at);
}

bool x64_may_jump_indirectly(const uint8_t *code, size_t n)
{
    const uint8_t *end = code + n;
    while ((code = memchr(code, 0xff, (size_t)(end - code)))) {
        if (++code == end)
            return false;
        if ((*code & 0x38) == 0x20) /* ff /4 */
            return true;
    }
    return false;
}

/* Only code below 2 GiB contains absolute addresses, of 32 bits. */
#define ABSOLUTE_MOST 0x80000000u

static uint64_t scan_disp_at(const uint8_t *b)
{
    int32_t disp;
    memcpy(&disp, b, sizeof disp);
    return (uint64_t)(int64_t)disp;
}

/* Calls hit(x, arg) for each operand x(,%reg,n) that may be in b[0..n), by its ModRM and SIB bytes
 * at any offset; and for movs, movz or movslq of x(%reg) or x(%reg,%reg), which may read entries of
 * a table with less than 64 bits. Ends, and returns true, when hit() returns true; else returns
 * false. */
static bool scan_indexed(const uint8_t *b, size_t n, bool (*hit)(uint64_t data, void *arg),
                         void *arg)
{
    for (size_t i = 1; i + 6 <= n; i++) {
        bool extends = b[i - 1] == 0x63 || (i > 1 && b[i - 2] == 0x0f && (b[i - 1] & 0xf6) == 0xb6);
        bool sib = (b[i] & 7) == 4;
        if ((b[i] & 0xc7) == 4 && (b[i + 1] & 7) == 5 && hit(scan_disp_at(b + i + 2), arg))
            return true;
        if (extends && (b[i] & 0xc0) == 0x80 && hit(scan_disp_at(b + i + 1 + sib), arg))
            return true;
    }
    return false;
}

/* Calls fn(at, data, arg) for each lea x(%rip),%reg that may be in code[0..n): `at` is the address
 * of its opcode, `data` the computed address. Ends, and returns true, when fn() returns true; else
 * returns false. */
static bool scan_lea(const uint8_t *code, size_t n, uint64_t va,
                     bool (*fn)(uint64_t at, uint64_t data, void *arg), void *arg)
{
    const uint8_t *b = code, *end = code + n;
    while ((b = memchr(b, 0x8d, (size_t)(end - b))) && end - b >= 6) {
        uint64_t at = va + (uint64_t)(b - code);
        if ((b[1] & 0xc7) == 5 && fn(at, at + 6 + scan_disp_at(b + 2), arg))
            return true;
        b++;
    }
    return false;
}

struct data_scan {
    bool (*hit)(uint64_t data, void *arg);
    void *arg;
};

static bool scan_hit_data(uint64_t at, uint64_t data, void *arg)
{
    const struct data_scan *s = arg;
    (void)at;
    return s->hit(data, s->arg);
}

bool x64_scan_data(const uint8_t *code, size_t n, uint64_t va,
                   bool (*hit)(uint64_t data, void *arg), void *arg)
{
    struct data_scan s = { hit, arg };
    return scan_lea(code, n, va, scan_hit_data, &s) ||
           (va < ABSOLUTE_MOST && scan_indexed(code, n, hit, arg));
}

static bool scan_hit_if_wanted(uint64_t at, uint64_t data, void *arg)
{
    const struct scan *s = arg;
    if (s->wanted(data, s->arg))
        s->hit(at, data, s->arg);
    return false;
}

void x64_scan_addresses(const uint8_t *text, size_t n, uint64_t va,
                        bool (*wanted)(uint64_t target, void *arg),
                        void (*hit)(uint64_t source, uint64_t target, void *arg), void *arg)
{
    struct scan s = { text, n, va, wanted, hit, arg };
    scan_lea(text, n, va, scan_hit_if_wanted, &s);
    for (size_t at = 0; va < ABSOLUTE_MOST && at + 4 <= n; at++)
        if (scan_disp_at(text + at) - va < n)
            scan_hit_if_wanted(va + at, scan_disp_at(text + at), &s);
}

/* Decodes only the instructions that the C library's start code (crt1.o) contains. */
uint64_t x64_first_argument(const uint8_t *code, size_t n, uint64_t va, uint64_t *to)
{
    uint64_t rdi = 0;
    size_t at = 0, len;
    *to = 0;
    for (; (len = x64_length(code + at, n - at)); at += len) {
        /* skips prefix 67, with which linkers pad a call */
        const uint8_t *b = code + at + (code[at] == 0x67);
        uint64_t next = va + at + len;
        if (*b == 0xe8 || *b == 0xe9) /* call, jmp */
            *to = next + scan_disp_at(b + 1);
        else if (*b == 0xeb)
            *to = next + (uint64_t)(int64_t)(int8_t)b[1];
        if (*b == 0xe8 || *b == 0xe9 || *b == 0xeb || *b == 0xff)
            return rdi;
        if (*b == 0xc3 || (len == 2 && !memcmp(b, "\x0f\x05", 2))) /* ret, syscall */
            return 0;
        if (len == 7 && !memcmp(b, "\x48\x8d\x3d", 3)) /* lea x(%rip),%rdi */
            rdi = next + scan_disp_at(b + 3);
        else if (len == 7 && !memcmp(b, "\x48\xc7\xc7", 3)) /* mov $x,%rdi */
            rdi = scan_disp_at(b + 3);
        else if (len == 5 && *b == 0xbf) /* mov $x,%edi */
            rdi = (uint32_t)scan_disp_at(b + 1);
    }
    return 0;
}

/* Matches [endbr64] [bnd] jmp *x(%rip). */
bool x64_plt_slot(const uint8_t *code, size_t n, uint64_t va, uint64_t *word)
{
    size_t at = n >= 4 && !memcmp(code, "\xf3\x0f\x1e\xfa", 4) ? 4 : 0;
    at += at < n && code[at] == 0xf2;
    if (at + 6 > n || code[at] != 0xff || code[at + 1] != 0x25)
        return false;
    *word = va + at + 6 + scan_disp_at(code + at + 2);
    return true;
}
