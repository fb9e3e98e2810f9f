/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_patch_region.c - the reasons against code that cannot carry the patch that is asked for: those of
 * each strategy, and those for an address that is no function. */
#include <check.h>
#include <string.h>

#include "engine/code/analyze.h"
#include "tests/unit/suite.h"

#define VA 0x401000ull
#define BYTES(...) .n = sizeof((uint8_t[]){ __VA_ARGS__ }), .code = { __VA_ARGS__ }

/* Who asks for the verdict; the function has the first `own` bytes, 0 = all. */
enum who { BEST, LONGER, HOST, GUEST };
static const struct {
    const char *says; /* NULL = accepted */
    enum who who;
    unsigned by;
    size_t own, at, n;
    uint8_t code[24];
} cases[] = {
    { NULL, BEST, EZ_BY(EZ_JUMP), BYTES(0x48, 0x8d, 0x7f, 8, 0x90, 0xc3) },
    { "the function is long enough and needs no padding", BEST, EZ_BY(EZ_PADDING),
      BYTES(0x48, 0x8d, 0x7f, 8, 0x90, 0xc3) },
    { NULL, BEST, EZ_BY(EZ_PADDING), 1, BYTES(0xc3, 0x90, 0x90, 0x90, 0x90, 0x90) },
    { "too short without the padding after it", BEST, EZ_BY(EZ_JUMP), 1,
      BYTES(0xc3, 0x90, 0x90, 0x90, 0x90, 0x90) },
    { "too short, and it does not end with a jump or return", BEST, EZ_BY(EZ_PADDING), 2,
      BYTES(0x31, 0xc0, 0x90, 0x90, 0x90, 0x90, 0xc3) },
    { NULL, BEST, EZ_BY(EZ_ISLAND), 3,
      BYTES(0x31, 0xc0, 0xc3, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc) },
    { "no padding within reach of a short jump", BEST, EZ_BY(EZ_ISLAND), 3,
      BYTES(0x31, 0xc0, 0xc3, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc) },
    { "too short: 1 byte, the jump needs 2", BEST, EZ_BY(EZ_ISLAND), 1,
      BYTES(0xc3, 0x55, 0x48, 0x89, 0xe5, 0xc3) },
    { NULL, BEST, EZ_BY(EZ_PUN),
      BYTES(0x31, 0xc0, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0xc3) },
    { "no next instruction whose bytes a pun could use", BEST, EZ_BY(EZ_PUN),
      BYTES(0x31, 0xc0, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0xc3) },
    { "no next instruction whose bytes a pun could use", BEST, EZ_BY(EZ_PUN),
      BYTES(0x06, 0x31, 0xc0, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0xc3) },
    { "the first instruction is long enough and needs no pun", BEST, EZ_BY(EZ_PUN),
      BYTES(0xb8, 1, 0, 0, 0, 0x90, 0x90, 0x90, 0x90, 0xc3) },
    { NULL, BEST, EZ_BY(EZ_PUN), BYTES(0xf6, 0xc7, 1, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0xc3) },
    { "no strategy is allowed", BEST, 0, BYTES(0x48, 0x8d, 0x7f, 8, 0x90, 0xc3) },
    { "a breakpoint in the first 1 byte", BEST, EZ_BY(EZ_TRAP), BYTES(0xcc, 0xc3) },
    { "a system call in the first 1 byte", BEST, EZ_BY(EZ_TRAP), BYTES(0x0f, 0x05, 0xc3) },
    { "too short: 1 byte, the jump needs 5", BEST, EZ_BY(EZ_JUMP) | EZ_BY(EZ_ISLAND), 1,
      BYTES(0xc3, 0x55, 0x48, 0x89, 0xe5, 0xc3) }, /* what is said against the first */
    { "no further instruction whose bytes a pun could use", LONGER, 0,
      BYTES(0x31, 0xc0, 0xb8, 1, 0, 0, 0, 0xc3) },
    { "too short for two jumps", HOST, 0, BYTES(0x48, 0x8d, 0x7f, 8, 0x90, 0x90, 0x90, 0xc3) },
    { NULL, HOST, 0, BYTES(0x31, 0xc0, 0x31, 0xc0, 0x31, 0xc0, 0x31, 0xc0, 0x31, 0xc0, 0xc3) },
    { "too short for two jumps", HOST, 0, /* a call would come back into the jump */
      BYTES(0x48, 0x8d, 0x7f, 8, 0xe8, 0x10, 0, 0, 0, 0x90, 0x90, 0xc3) },
    { NULL, HOST, 0, BYTES(0x48, 0x8d, 0x7f, 8, 0xb8, 0x10, 0, 0, 0, 0x90, 0x90, 0xc3) },
    { "too short: 1 byte, the jump needs 2", GUEST, 0, 1,
      BYTES(0xc3, 0x55, 0x48, 0x89, 0xe5, 0xc3) },
    { "No function starts at 0x401001", BEST, EZ_BY_DEFAULT, .at = 1, BYTES(0x90, 0x90, 0xc3) },
    { "No function starts at 0x401003", BEST, EZ_BY_DEFAULT, .at = 3, BYTES(0x90, 0x90, 0xc3) },
    { "No function starts at 0x401001", LONGER, 0, .at = 1, BYTES(0x90, 0x90, 0xc3) },
    { "No function starts at 0x401001", HOST, 0, .at = 1, BYTES(0x90, 0x90, 0xc3) },
    { "No function starts at 0x401001", GUEST, 0, .at = 1, BYTES(0x90, 0x90, 0xc3) },
};

START_TEST(what_is_said)
{
    size_t n = cases[_i].n, own = cases[_i].own ? cases[_i].own : n;
    uint64_t at = VA + cases[_i].at;
    struct ez_func f = { VA, VA + own, VA + n, false, 0 };
    struct ez_patch_region w = { .jump = 2 };
    struct ez_text *t;
    ez_err *e = ez_text_create(
        &(struct ez_text_desc){ ez_arch_host(), cases[_i].code, n, VA, &f, 1, NULL, 0 }, &t);
    ck_assert_ptr_null(e);
    switch (cases[_i].who) {
    case BEST:
        e = ez_analyze(t, at, cases[_i].by, &w);
        break;
    case LONGER:
        e = ez_analyze_longer_pun(t, at, &w);
        break;
    case HOST:
        e = ez_analyze_evicted(t, at, VA, &w);
        break;
    case GUEST:
        e = ez_analyze_guest(t, at, &w);
    }
    ez_text_destroy(t);
    if (!cases[_i].says) {
        ck_assert_msg(!e, "%d: %s", _i, e ? e->msg : "");
        return;
    }
    ck_assert_msg(e != NULL, "accepted: %s", cases[_i].says);
    ck_assert_str_eq(e->msg, cases[_i].says);
    ck_assert_int_eq(e->code, cases[_i].at ? EZ_E_ARG : EZ_E_REFUSED);
    ez_err_free(e);
}
END_TEST

/* A host gives away as much as a trampoline and a window can hold: so many bytes and instructions. */
START_TEST(a_host_has_bounds)
{
    static const struct {
        size_t unit, len, n; /* bytes of one instruction; of all that are taken */
        uint8_t code[12];
    } host[] = {
        { 1, 15, 15, { 0x90 } },
        { 12, 24, 2, { 0x48, 0xc7, 0x84, 0x24, 0xf8, 0xff, 0xff, 0xff, 1, 0, 0, 0 } },
        { 3, 30, 10, { 0x48, 0x89, 0xf8 } },
    };
    uint8_t code[61];
    struct ez_func f = { VA, VA + sizeof code, VA + sizeof code, false, 0 };
    struct ez_patch_region w;
    struct ez_text *t;
    for (size_t i = 0; i < 60; i++)
        code[i] = host[_i].code[i % host[_i].unit];
    code[60] = 0xc3;
    ck_assert_ptr_null(ez_text_create(
        &(struct ez_text_desc){ ez_arch_host(), code, sizeof code, VA, &f, 1, NULL, 0 }, &t));
    ez_err *e = ez_analyze_evicted(t, VA, VA + 4096, &w);
    ez_text_destroy(t);
    ck_assert_msg(!e, "%d: %s", _i, e ? e->msg : "");
    ck_assert_uint_eq(w.len, host[_i].len);
    ck_assert_uint_eq(w.n, host[_i].n);
}
END_TEST

/* PLT slots, and addresses outside the text, bear no probe. */
START_TEST(no_function)
{
    static const uint8_t code[] = { 0x90, 0x90, 0xc3 };
    struct ez_func f[] = { { VA, VA + 2, VA + 2, true, 0 }, { VA + 3, VA + 4, VA + 4, false, 0 } };
    struct ez_patch_region w;
    struct ez_text *t;
    ck_assert_ptr_null(ez_text_create(
        &(struct ez_text_desc){ ez_arch_host(), code, sizeof code, VA, f, 2, NULL, 0 }, &t));
    for (size_t i = 0; i < 2; i++) {
        ez_err *e = ez_analyze(t, f[i].addr, EZ_BY_DEFAULT, &w);
        ck_assert(e && e->code == EZ_E_ARG);
        ck_assert_str_eq(e->msg,
                         i ? "No function starts at 0x401003" : "No function starts at 0x401000");
        ez_err_free(e);
    }
    ez_text_destroy(t);
}
END_TEST

/* The index of functions is searched by bisection: it must be sorted, without duplicates. */
START_TEST(order)
{
    static const uint8_t code[] = { 0x90, 0x90, 0x90, 0xc3 };
    struct ez_func f[] = { { VA, VA + 1, VA + 1, false, 0 },
                           { VA + 1, VA + 2, VA + 2, false, 0 },
                           { VA + 2, VA + 3, VA + 3, false, 0 } };
    struct ez_text *t;
    ck_assert_ptr_null(ez_text_create(
        &(struct ez_text_desc){ ez_arch_host(), code, sizeof code, VA, f, 3, NULL, 0 }, &t));
    ez_text_destroy(t);
    for (uint64_t addr = VA; addr <= VA + 1; addr++) {
        f[2].addr = addr;
        ez_err *e = ez_text_create(
            &(struct ez_text_desc){ ez_arch_host(), code, sizeof code, VA, f, 3, NULL, 0 }, &t);
        ck_assert(e && e->code == EZ_E_ARG);
        ck_assert_str_eq(e->msg, addr == VA ? "The functions at 0x401000 are not in order"
                                            : "The functions at 0x401001 are not in order");
        ez_err_free(e);
    }
}
END_TEST

/* The only room for an island, 5 bytes behind the function's own jump, ends `_i` bytes behind the
 * end of a page, 0 = with it: a jump lies in one page, or there is none. */
START_TEST(a_island_lies_in_one_page)
{
    static const uint8_t code[] = { 0x31, 0xc0, 0xc3, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc };
    const uint64_t va = 0x402000 - sizeof code + (uint64_t)_i;
    struct ez_func f = { va, va + 3, va + sizeof code, false, 0 };
    struct ez_patch_region w;
    struct ez_text *t;
    ck_assert_ptr_null(ez_text_create(
        &(struct ez_text_desc){ ez_arch_host(), code, sizeof code, va, &f, 1, NULL, 0 }, &t));
    ez_err *e = ez_analyze(t, va, EZ_BY(EZ_ISLAND), &w);
    ck_assert_msg(!e == (_i < 1 || _i >= 5), "%d: %s", _i, e ? e->msg : "accepted");
    ck_assert(!e || !strcmp(e->msg, "no padding within reach of a short jump"));
    ck_assert(e || w.island == va + 5);
    ez_err_free(e);
    ez_text_destroy(t);
}
END_TEST

/* A short jump reaches from 128 bytes before its end to 127 behind it: the padding stands so
 * many bytes before or behind the function, which has none of its own. */
START_TEST(a_island_is_within_reach)
{
    static const struct {
        int distance; /* from the function to the padding's first byte */
        bool good;
    } at[] = { { -126, true }, { -127, false }, { 129, true }, { 130, false } };
    uint8_t code[400];
    const int site = 200, hole = site + at[_i].distance;
    struct ez_func f[5];
    size_t n = 0;
    struct ez_patch_region w;
    struct ez_text *t;
    memset(code, 0x55, sizeof code);
    memcpy(code + site, "\x31\xc0\xc3", 3);
    memset(code + hole, 0xcc, 5);
    code[hole - 1] = 0xc3; /* what stands before it does not run on */
    const int start[] = { 0, hole - 5, hole + 5, site, site + 3 };
    const int order[2][5] = { { 0, 1, 2, 3, 4 }, { 0, 3, 4, 1, 2 } };
    for (int i = 0; i < 5; i++) {
        int k = order[hole > site][i];
        f[n++] = (struct ez_func){ VA + (uint64_t)start[k], 0, 0, false, 0 };
    }
    for (size_t i = 0; i < n; i++) {
        f[i].next = i + 1 < n ? f[i + 1].addr : VA + sizeof code;
        f[i].end = f[i].addr == VA + (uint64_t)hole - 5 ? VA + (uint64_t)hole : f[i].next;
    }
    ck_assert_ptr_null(ez_text_create(
        &(struct ez_text_desc){ ez_arch_host(), code, sizeof code, VA, f, n, NULL, 0 }, &t));
    ez_err *e = ez_analyze(t, VA + site, EZ_BY(EZ_ISLAND), &w);
    ck_assert_msg(!e == at[_i].good, "%d: %s", at[_i].distance, e ? e->msg : "accepted");
    ck_assert(e || w.island == VA + (uint64_t)hole);
    ez_err_free(e);
    ez_text_destroy(t);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("window");
    TCase *t = tcase_create("words");
    tcase_add_loop_test(t, what_is_said, 0, (int)EZ_ARRAY_LEN(cases));
    tcase_add_test(t, no_function);
    tcase_add_loop_test(t, a_host_has_bounds, 0, 3);
    tcase_add_test(t, order);
    tcase_add_loop_test(t, a_island_lies_in_one_page, 0, 8);
    tcase_add_loop_test(t, a_island_is_within_reach, 0, 4);
    suite_add_tcase(s, t);
    return run_suite(s);
}
