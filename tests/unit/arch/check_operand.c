/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_operand.c - operands in the assembler's syntax, and texts that are none. */
#include <check.h>
#include <string.h>

#include "arch/x86_64/x64.h"
#include "tests/unit/suite.h"

static const struct {
    const char *text;
    struct ez_operand is; /* symbol: not compared */
    const char *symbol;
} good[] = {
    { "$5", { .kind = EZ_OPERAND_CONSTANT, .number = 5 }, NULL },
    { "$-5", { .kind = EZ_OPERAND_CONSTANT, .number = -5ull }, NULL },
    { "$0x10", { .kind = EZ_OPERAND_CONSTANT, .number = 16 }, NULL },
    { "$x+4", { .kind = EZ_OPERAND_CONSTANT, .number = 4 }, "x" },
    { "%rax", { .kind = EZ_OPERAND_REGISTER, .reg = 0, .bits = 64 }, NULL },
    { "%edx", { .kind = EZ_OPERAND_REGISTER, .reg = 1, .bits = 32 }, NULL },
    { "%cx", { .kind = EZ_OPERAND_REGISTER, .reg = 2, .bits = 16 }, NULL },
    { "%bl", { .kind = EZ_OPERAND_REGISTER, .reg = 3, .bits = 8 }, NULL },
    { "%bh", { .kind = EZ_OPERAND_REGISTER, .reg = 3, .bits = 8, .bit = 8 }, NULL },
    { "%sil", { .kind = EZ_OPERAND_REGISTER, .reg = 4, .bits = 8 }, NULL },
    { "%edi", { .kind = EZ_OPERAND_REGISTER, .reg = 5, .bits = 32 }, NULL },
    { "%rbp", { .kind = EZ_OPERAND_REGISTER, .reg = 6, .bits = 64 }, NULL },
    { "%rsp", { .kind = EZ_OPERAND_REGISTER, .reg = 7, .bits = 64 }, NULL },
    { "%r8", { .kind = EZ_OPERAND_REGISTER, .reg = 8, .bits = 64 }, NULL },
    { "%r9d", { .kind = EZ_OPERAND_REGISTER, .reg = 9, .bits = 32 }, NULL },
    { "%r15w", { .kind = EZ_OPERAND_REGISTER, .reg = 15, .bits = 16 }, NULL },
    { "%r10b", { .kind = EZ_OPERAND_REGISTER, .reg = 10, .bits = 8 }, NULL },
    { "%xmm0", { .kind = EZ_OPERAND_VECTOR, .reg = 0 }, NULL },
    { "%xmm15", { .kind = EZ_OPERAND_VECTOR, .reg = 15 }, NULL },
    { "(%rbx)", { .kind = EZ_OPERAND_MEMORY, .base = 3 }, NULL },
    { "-16(%rbp)", { .kind = EZ_OPERAND_MEMORY, .base = 6, .number = -16ull }, NULL },
    { "8-4+2(%r12)", { .kind = EZ_OPERAND_MEMORY, .base = 12, .number = 6 }, NULL },
    { "8(%rax,%rbx,4)",
      { .kind = EZ_OPERAND_MEMORY, .base = 0, .index = 3, .shift = 2, .number = 8 },
      NULL },
    { "(%rax, %rbx)", { .kind = EZ_OPERAND_MEMORY, .base = 0, .index = 3 }, NULL },
    { "table(,%rdi,8)",
      { .kind = EZ_OPERAND_MEMORY, .base = -1, .index = 5, .shift = 3 },
      "table" },
    { "40+x(%rip)", { .kind = EZ_OPERAND_MEMORY, .base = -1, .number = 40 }, "x" },
    { "x.0-8(%rip)", { .kind = EZ_OPERAND_MEMORY, .base = -1, .number = -8ull }, "x.0" },
    { "x", { .kind = EZ_OPERAND_MEMORY, .base = -1 }, "x" },
};

START_TEST(operand_good)
{
    struct ez_operand o, want = good[_i].is;
    const char *text = good[_i].text, *symbol = good[_i].symbol;
    ck_assert_msg(x64_operand(text, strlen(text), &o), "%s", text);
    if (want.kind != EZ_OPERAND_MEMORY)
        want.base = -1;
    if (!want.index)
        want.index = -1;
    ck_assert_msg(o.kind == want.kind && o.reg == want.reg && o.bit == want.bit &&
                      o.bits == want.bits && o.base == want.base && o.index == want.index &&
                      o.shift == want.shift && o.number == want.number,
                  "%s: kind %d, reg %u, bits %u+%u, base %d, index %d, shift %u, number %lld", text,
                  o.kind, o.reg, o.bit, o.bits, o.base, o.index, o.shift, (long long)o.number);
    ck_assert_int_eq(!symbol, !o.symbol);
    if (symbol)
        ck_assert(strlen(symbol) == o.symbol_len && !memcmp(symbol, o.symbol, o.symbol_len));
    /* of each shorter text, no byte behind its end is read: the copy ends where the text does */
    for (size_t n = 0; n < strlen(text); n++) {
        EZ_FREE char *cut = ez_alloc(n + 1);
        memcpy(cut, text, n);
        cut[n] = '%';
        (void)x64_operand(cut, n, &o);
    }
}
END_TEST

static const char *const bad[] = {
    "",
    "%",
    "%nothing",
    "%r16",
    "%r07",
    "%r8x",
    "%xmm16",
    "%xmm",
    "%rax)",
    "5",
    "-5",
    "()",
    "(%eax)",
    "(%rax",
    "(%rax,)",
    "(%rax,%rbx,3)",
    "(%rax,%rbx,)",
    "8(%rip)",
    "%fs:8(%rax)",
    "%fs:0",
    "$",
    "$-",
    "$%rax",
    "$18446744073709551616",
    "x+y(%rip)",
    "-x(%rip)",
    "x(%rip)y",
    "*(%rax)",
    "8(%rax))",
    "0x(%rax)",
    "1z(%rax)",
    "x(%rip,%rax)",
    "(%rax,%eax)",
};

START_TEST(operand_bad)
{
    struct ez_operand o;
    ck_assert_msg(!x64_operand(bad[_i], strlen(bad[_i]), &o), "%s", bad[_i]);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("operand");
    TCase *t = tcase_create("operand");
    tcase_add_loop_test(t, operand_good, 0, (int)EZ_ARRAY_LEN(good));
    tcase_add_loop_test(t, operand_bad, 0, (int)EZ_ARRAY_LEN(bad));
    suite_add_tcase(s, t);
    return run_suite(s);
}
