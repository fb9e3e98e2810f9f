/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_stap.c - any text as the arguments of a USDT probe's note.
 *
 * Each argument is a part of the text, and its operand, if it is one, has registers that exist and a
 * symbol that is a part of the text. */
#include "arch/arch.h"
#include "engine/sym/sym.h"
#include "tests/fuzz/fuzz.h"

const unsigned long fuzz_runs = 200000;
const size_t fuzz_max = 512;

static const char *const seeds[] = {
    "-4@%eax 8@%rsi -8@%rax",
    "8@%rax 4@%eax 2@%ax 1@%al -1@%ah -4@%r12d 1@%cl -8@(%rbx) -4@12(%rbx) 4@8(%rbx,%rcx,4) -4@$-5 "
    "8@$549755813887",
    "-2@24(%rbx) -1@24+2+0(%rbx) 8f@%xmm9 4f@28(%rbx) -8@table(%rip) -4@8+table.0(%rip) "
    "8@t(,%rdi,8)",
    "8@(%rax, %rbx, 4) 1@-149(%rbp) 8@$x+4 %rax 3@%r99 8@%fs:0",
};

size_t fuzz_seed(unsigned n, uint8_t *buf, size_t max)
{
    return fuzz_text(n < EZ_ARRAY_LEN(seeds) ? seeds[n] : "", buf, max);
}

static void stap_operand(const struct ez_stap_argument *a)
{
    const struct ez_arch_abi *abi = &ez_arch_host()->abi;
    const struct ez_convention *by = abi->convention;
    struct ez_operand o;
    if (!abi->operand || !abi->operand(a->operand, a->len, &o))
        return;
    if (o.kind == EZ_OPERAND_REGISTER)
        MUST(o.reg < by->nnames && o.bits && o.bit + o.bits <= 64, "register %u", o.reg);
    if (o.kind == EZ_OPERAND_VECTOR)
        MUST(o.reg < by->nvectors, "vector register %u", o.reg);
    if (o.kind == EZ_OPERAND_MEMORY)
        MUST(o.base >= -1 && o.base < (int)by->nnames && o.index >= -1 &&
                 o.index < (int)by->nnames && o.shift <= 3,
             "base %d, index %d", o.base, o.index);
    if (o.symbol)
        MUST(o.symbol >= a->operand && o.symbol_len &&
                 o.symbol + o.symbol_len <= a->operand + a->len,
             "a symbol of %zu bytes", o.symbol_len);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    EZ_FREE char *text = ez_strndup((const char *)data, n);
    const size_t len = strlen(text);
    const struct ez_stap s = { .provider = "p", .name = "n", .arguments = text };
    struct ez_stap_argument a = { .operand = "" };
    const unsigned count = ez_stap_argument(&s, 0, &a);
    MUST(count <= EZ_STAP_ARGUMENTS, "%u arguments", count);
    for (unsigned i = 0; i < count; i++) {
        MUST(ez_stap_argument(&s, i, &a) == count, "another count");
        MUST(a.operand >= text && a.len && a.operand + a.len <= text + len, "argument %u", i);
        if (a.bytes)
            stap_operand(&a);
    }
    return 0;
}
