/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_plain.c - which code keeps to general registers and calls nothing. */
#include <check.h>
#include <string.h>

#include "arch/x86_64/x64.h"
#include "tests/unit/suite.h"

#define RET "\xc3"

static const struct {
    const char *bytes, *text;
    unsigned n;
    bool plain;
} code[] = {
    { RET, "ret", 1, true },
    { "\x83\x05\x10\x00\x00\x00\x01" RET, "addl $1,x(%rip)", 8, true },
    { "\xf0\x48\x0f\xc1\x07" RET, "lock xadd %rax,(%rdi)", 6, true },
    { "\x0f\xaf\xcf" RET, "imul %edi,%ecx", 4, true },
    { "\x0f\x44\xc1" RET, "cmove %ecx,%eax", 4, true },
    { "\x0f\x31" RET, "rdtsc", 3, true },
    { "\x0f\x1f\x00" RET, "nop", 4, true },
    { "\xf3\x0f\xb8\xc1" RET, "popcnt %ecx,%eax", 5, true },
    { "\x0f\xc8" RET, "bswap %eax", 3, true },
    { "\x85\xff\x74\x01\x90" RET, "je inside", 6, true },
    { "\x0f\x85\xfa\xff\xff\xff" RET, "jne back to the beginning", 7, true },
    { "\x0f\x0b", "ud2", 2, true },
    { "\xe8\x00\x00\x00\x00" RET, "call", 6, false },
    { "\xff\xd0" RET, "call *%rax", 3, false },
    { "\xff\xe0", "jmp *%rax", 2, false },
    { "\xff\x25\x00\x00\x00\x00", "jmp *x(%rip)", 6, false },
    { "\xe9\x00\x01\x00\x00", "jmp out", 5, false },
    { "\x74\x10" RET, "je out", 3, false },
    { "\x0f\x05" RET, "syscall", 3, false },
    { "\xf2\x0f\x58\xc1" RET, "addsd", 5, false },
    { "\x66\x0f\xef\xc0" RET, "pxor", 5, false },
    { "\x0f\x28\xc1" RET, "movaps", 4, false },
    { "\x0f\x6f\xc1" RET, "movq mm", 4, false },
    { "\xc5\xfc\x77" RET, "vzeroall", 4, false },
    { "\x62\xf1\x7c\x48\x28\xc1" RET, "vmovaps zmm", 7, false },
    { "\xd9\xe8" RET, "fld1", 3, false },
    { "\x9b" RET, "fwait", 2, false },
    { "\x0f\xae\x17" RET, "ldmxcsr", 4, false },
    { "\x0f\xc7\x0f" RET, "cmpxchg8b", 4, true },
    { "\x66\x0f\xc4\xc1\x00" RET, "pinsrw", 6, false },
    { "\x0f\xc6\xc1\x00" RET, "shufps", 5, false },
    { "\x66\x0f\x38\x00\xc1" RET, "pshufb", 6, false },
    { "\x06", "no instruction", 1, false },
};

START_TEST(known_code)
{
    for (size_t i = 0; i < EZ_ARRAY_LEN(code); i++) {
        bool is = x64_is_plain((const uint8_t *)code[i].bytes, code[i].n, 0x1000);
        ck_assert_msg(is == code[i].plain, "%s: %d", code[i].text, is);
    }
    ck_assert(!x64_is_plain((const uint8_t *)RET, 0, 0x1000));
    ck_assert(!x64_is_plain((const uint8_t *)"\x83\x05\x10", 3, 0x1000)); /* cut off */
}
END_TEST

int main(void)
{
    Suite *s = suite_create("plain");
    TCase *c = tcase_create("plain");
    tcase_add_test(c, known_code);
    suite_add_tcase(s, c);
    return run_suite(s);
}
