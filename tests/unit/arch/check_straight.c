/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_straight.c - straight code for stubs with clauses: it is run here, with the registers that a
 * stub has, and must say what C says of the same comparison, and store what C would. */
#include <check.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>

#include "arch/arch.h"
#include "engine/base/base.h"
#include "engine/ring_abi.h"
#include "engine/rt/rt.h"

#include "tests/unit/suite.h"

/* Runs `code` as a stub's hole: rdx, rcx and rax of reg[] (by DWARF's numbers) at 0, 8 and 24 of the
 * stack, the others in their registers, rax = accumulator. It ends at run_no or run_yes. */
long run_code(const uint64_t *reg, const uint8_t *code, uint64_t accumulator);
extern char run_no[], run_yes[];
__asm__(".text\n.globl run_code, run_no, run_yes\nrun_code:\n"
        "push %rbp\npush %rbx\npush %r12\npush %r13\npush %r14\npush %r15\nsub $56,%rsp\n"
        "mov %rsi,40(%rsp)\nmov %rdx,48(%rsp)\n"
        "mov 8(%rdi),%rax\nmov %rax,(%rsp)\nmov 16(%rdi),%rax\nmov %rax,8(%rsp)\n"
        "mov 0(%rdi),%rax\nmov %rax,24(%rsp)\n"
        "mov 24(%rdi),%rbx\nmov 32(%rdi),%rsi\nmov 48(%rdi),%rbp\nmov 64(%rdi),%r8\n"
        "mov 72(%rdi),%r9\nmov 80(%rdi),%r10\nmov 88(%rdi),%r11\nmov 96(%rdi),%r12\n"
        "mov 104(%rdi),%r13\nmov 112(%rdi),%r14\nmov 120(%rdi),%r15\nmov 40(%rdi),%rdi\n"
        "mov 48(%rsp),%rax\nmov $-1,%rcx\nmov $-1,%rdx\njmp *40(%rsp)\n"
        "run_no:\nxor %eax,%eax\njmp 1f\n"
        "run_yes:\nmov $1,%eax\n"
        "1: add $56,%rsp\npop %r15\npop %r14\npop %r13\npop %r12\npop %rbx\npop %rbp\nret\n");

enum { HOLE = 256, NOT_AT = 300, PASS_AT = 340 };
static uint8_t *code;

static void put_jump(size_t at, const void *to)
{
    memcpy(code + at, "\xff\x25\0\0\0\0", 6); /* jmp *0(%rip) */
    memcpy(code + at + 6, &to, sizeof to);
}

static void setup(void)
{
    code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(code, MAP_FAILED);
    put_jump(NOT_AT, run_no);
    put_jump(PASS_AT, run_yes);
}

static void teardown(void)
{
    munmap(code, 4096);
}

static const uint8_t tried[] = { 0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13, 14, 15 };
static const uint8_t widths[] = { 8, 16, 32, 64 };
static const uint64_t values[] = { 0,
                                   1,
                                   2,
                                   0x7f,
                                   0x80,
                                   0xff,
                                   0x100,
                                   0x7fff,
                                   0x8000,
                                   0xffff,
                                   0x7fffffff,
                                   0x80000000,
                                   0xffffffff,
                                   0x100000000,
                                   0x7fffffffffffffff,
                                   0x8000000000000000,
                                   0xffffffffffffff80,
                                   ~0ull };

static uint64_t extended(uint64_t v, unsigned bits, bool is_signed)
{
    unsigned k = 64 - bits;
    return is_signed ? (uint64_t)((int64_t)(v << k) >> k) : v << k >> k;
}

static bool holds(const struct ez_reg_test *t, uint64_t v)
{
    uint64_t b = (uint64_t)(int64_t)t->value;
    int order = v == b ? 0 : t->is_signed ? ((int64_t)v < (int64_t)b ? -1 : 1) : v < b ? -1 : 1;
    switch (t->how) {
    case EZ_TEST_EQ:
        return !order;
    case EZ_TEST_NE:
        return order;
    case EZ_TEST_LT:
        return order < 0;
    case EZ_TEST_LE:
        return order <= 0;
    case EZ_TEST_GT:
        return order > 0;
    default:
        return order >= 0;
    }
}

static void fill(uint64_t *reg, uint8_t number, uint64_t value)
{
    for (unsigned i = 0; i < 16; i++)
        reg[i] = 0x1111111111111111ull * i;
    reg[number] = value;
}

START_TEST(tests_are_cs_comparisons)
{
    static const int32_t against[] = { 0, 1, -1, 127, -128, 255, INT32_MAX, INT32_MIN };
    const struct ez_arch *a = ez_arch_host();
    uint64_t reg[16];
    for (size_t w = 0; w < EZ_ARRAY_LEN(widths); w++)
        for (unsigned how = EZ_TEST_EQ; how <= EZ_TEST_GE; how++)
            for (unsigned k = 0; k < 4 * EZ_ARRAY_LEN(against); k++) {
                struct ez_reg_test t = {
                    { tried[_i], widths[w], k & 1 }, (int)how, k & 2, against[k / 4]
                };
                ck_assert(a->codegen.straight_tests(&t, 1, NOT_AT, PASS_AT, code, EZ_HOLE_COND));
                for (size_t v = 0; v < EZ_ARRAY_LEN(values); v++) {
                    fill(reg, tried[_i], values[v]);
                    bool want = holds(&t, extended(values[v], widths[w], k & 1));
                    ck_assert_int_eq(run_code(reg, code, 0), want);
                }
            }
}
END_TEST

START_TEST(all_of_several_must_hold)
{
    const struct ez_arch *a = ez_arch_host();
    const struct ez_reg_test t[] = { { { 5, 32, true }, EZ_TEST_GE, true, 3 },
                                     { { 5, 32, true }, EZ_TEST_LE, true, 7 },
                                     { { 1, 64, false }, EZ_TEST_NE, false, 0 },
                                     { { 8, 8, false }, EZ_TEST_EQ, false, 9 } };
    ck_assert(a->codegen.straight_tests(t, 4, NOT_AT, PASS_AT, code, EZ_HOLE_COND));
    for (unsigned x = 0; x < 10; x++)
        for (unsigned y = 0; y < 2; y++)
            for (unsigned z = 8; z < 11; z++) {
                uint64_t reg[16] = { [5] = 0xabcd00000000u | x, [1] = y, [8] = 0x100 | z };
                bool want = x >= 3 && x <= 7 && y && z == 9;
                ck_assert_int_eq(run_code(reg, code, 0), want);
            }
    ck_assert_uint_eq(a->codegen.straight_tests(t, 4, NOT_AT, PASS_AT, code, 20), 0); /* no room */
}
END_TEST

START_TEST(words_are_stored_in_pairs)
{
    const struct ez_arch *a = ez_arch_host();
    struct ez_reg_part part[EZ_FAST_WORDS];
    for (size_t n = 0; n <= EZ_FAST_WORDS; n++) {
        uint64_t rec[3 * (2 + EZ_FAST_WORDS / 2)], reg[16];
        memset(rec, 0, sizeof rec);
        for (size_t i = 0; i < 16; i++)
            reg[i] = 0x8091a2b3c4d5e6f7ull + i * 0x1111;
        for (size_t i = 0; i < n; i++)
            part[i] = (struct ez_reg_part){ tried[(i + (size_t)_i) % EZ_ARRAY_LEN(tried)],
                                            widths[(i + n) % 4], i & 1 };
        memset(code, 0x90, HOLE);
        ck_assert(a->codegen.straight_words(part, n, code, EZ_HOLE_WORDS));
        put_jump(EZ_HOLE_WORDS, run_yes);
        ck_assert_int_eq(run_code(reg, code, (uint64_t)rec), 1);
        for (size_t i = 0; i < EZ_ARRAY_LEN(rec); i++) {
            size_t word = i < 3 ? n : (i - 3) / 3 * 2 + i % 3;
            bool is_code = i >= 3 && i % 3 == 2, used = i >= 3 && (i - 3) / 3 < (n + 1) / 2;
            uint64_t want = 0;
            if (used && is_code)
                want = (uint64_t)EZ_R_PAIR << 8 | 1;
            else if (used && word < n)
                want = extended(reg[part[word].reg], part[word].bits, part[word].is_signed);
            ck_assert_msg(rec[i] == want, "%zu words, %zu: 0x%lx, not 0x%lx", n, i,
                          (unsigned long)rec[i], (unsigned long)want);
        }
    }
}
END_TEST

int main(void)
{
    if (!ez_arch_host()->codegen.straight_tests)
        return 77;
    Suite *s = suite_create("straight");
    TCase *c = tcase_create("straight");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_set_timeout(c, 60);
    tcase_add_loop_test(c, tests_are_cs_comparisons, 0, EZ_ARRAY_LEN(tried));
    tcase_add_test(c, all_of_several_must_hold);
    tcase_add_loop_test(c, words_are_stored_in_pairs, 0, EZ_ARRAY_LEN(tried));
    suite_add_tcase(s, c);
    return run_suite(s);
}
