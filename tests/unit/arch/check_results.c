/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_results.c - which result registers an instruction may set. */
#include <check.h>
#include <stdio.h>

#include "arch/x86_64/x64.h"
#include "engine/rt/rt.h"
#include "tests/unit/suite.h"

#define AX EZ_KEEP_AX
#define DX EZ_KEEP_DX
#define X0 EZ_KEEP_X0
#define X1 EZ_KEEP_X1

static const struct {
    const char *bytes, *text;
    unsigned n, set;
} insn[] = {
    { "\x48\x89\xc8", "mov %rcx,%rax", 3, AX },
    { "\x31\xc0", "xor %eax,%eax", 2, AX },
    { "\xb4\x05", "mov $5,%ah", 2, AX },
    { "\x48\x8b\x08", "mov (%rax),%rcx", 3, 0 },
    { "\x48\x8b\x0c\x10", "mov (%rax,%rdx,1),%rcx", 4, 0 },
    { "\x48\x89\xd1", "mov %rdx,%rcx", 3, 0 },
    { "\x8d\x14\x07", "lea (%rdi,%rax,1),%edx", 3, DX },
    { "\xf7\xe1", "mul %ecx", 2, AX | DX },
    { "\xf2\x0f\x59\xc1", "mulsd %xmm1,%xmm0", 4, X0 },
    { "\xf2\x0f\x5e\xc1", "divsd %xmm1,%xmm0", 4, X0 },
    { "\xf7\x27", "mull (%rdi)", 2, AX | DX },
    { "\x01\xd0", "add %edx,%eax", 2, AX },
    { "\x39\xd0", "cmp %edx,%eax", 2, 0 },
    { "\x48\x85\xd2", "test %rdx,%rdx", 3, 0 },
    { "\x48\x87\xd1", "xchg %rdx,%rcx", 3, DX },
    { "\x48\x0f\xc1\xc1", "xadd %rax,%rcx", 4, AX },
    { "\x66\x0f\x2e\xc1", "ucomisd %xmm1,%xmm0", 4, 0 },
    { "\xf2\x0f\xc2\xc1\x01", "cmpltsd %xmm1,%xmm0", 5, X0 },
    { "\xf7\xe9", "imul %ecx", 2, AX | DX },
    { "\x0f\xaf\xcf", "imul %edi,%ecx", 3, 0 },
    { "\x6b\xcf\x07", "imul $7,%edi,%ecx", 3, 0 },
    { "\x48\xf7\xf9", "idiv %rcx", 3, AX | DX },
    { "\x48\x99", "cqto", 2, DX },
    { "\x99", "cltd", 1, DX },
    { "\x48\x98", "cltq", 2, AX },
    { "\xf0\x48\x0f\xb1\x0f", "lock cmpxchg %rcx,(%rdi)", 5, AX | DX },
    { "\x0f\x31", "rdtsc", 2, AX | DX },
    { "\x0f\xa2", "cpuid", 2, AX | DX },
    { "\xac", "lods %ds:(%rsi),%al", 1, AX },
    { "\x0f\x05", "syscall", 2, AX },
    { "\xf3\x48\xa5", "rep movsq", 3, 0 },
    { "\xf2\x0f\x58\xc1", "addsd %xmm1,%xmm0", 4, X0 },
    { "\xf2\x0f\x58\xd3", "addsd %xmm3,%xmm2", 4, 0 },
    { "\x66\x0f\xef\xc9", "pxor %xmm1,%xmm1", 4, X1 },
    { "\xf2\x44\x0f\x10\x50\x08", "movsd 8(%rax),%xmm10", 6, 0 },
    { "\xc5\xfd\x6f\x07", "vmovdqa (%rdi),%ymm0", 4, X0 },
    { "\xc5\xf8\x77", "vzeroupper", 3, X0 | X1 },
    { "\x66\x0f\x3a\x62\xd3\x00", "pcmpistrm $0,%xmm3,%xmm2", 6, X0 },
    { "\xdb\x6c\x24\x08", "fldt 8(%rsp)", 4, 0 },
    { "\x06", "(bad)", 1, AX | DX | X0 | X1 },
    { "\xc3", "ret", 1, 0 },
    { "\x90", "nop", 1, 0 },
};

START_TEST(what_it_sets)
{
    unsigned set = x64_results((const uint8_t *)insn[_i].bytes, insn[_i].n, 0x1000);
    ck_assert_msg(set == insn[_i].set, "%s: %x, not %x", insn[_i].text, set, insn[_i].set);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("results");
    tcase_add_loop_test(tc, what_it_sets, 0, sizeof insn / sizeof *insn);
    Suite *s = suite_create("results");
    suite_add_tcase(s, tc);
    return run_suite(s);
}
