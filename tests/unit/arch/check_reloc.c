/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_reloc.c - relocated code does what the original did.
 *
 * Each case's code stands at the start of a page; original and copy run on the
 * same registers and flags, and must leave the same ones, and the same memory.
 * The page behind the code, by offset:
 *    64  L: r9 += 0x55; ret            96  R: r10 = its return address; ret
 *   128  a number                     136  the address of R */
#include <check.h>
#include <string.h>
#include <sys/mman.h>

#include "arch/arch.h"
#include "tests/unit/suite.h"

#define BYTES(...) .len = sizeof((uint8_t[]){ __VA_ARGS__ }), .code = { __VA_ARGS__ }

static const struct reloc_case {
    const char *name;
    size_t window; /* bytes to move; 0 = all */
    size_t len;
    uint8_t code[40];
    enum ez_code want;
} cases[] = {
    { "plain prologue", 8, BYTES(0x55, 0x48, 0x89, 0xe5, 0x48, 0x83, 0xec, 0x10, 0xc9, 0xc3), 0 },
    { "mov 128(%rip),%rax", 7, BYTES(0x48, 0x8b, 0x05, 121, 0, 0, 0, 0xc3), 0 },
    { "cmpl $7,128(%rip)", 7, BYTES(0x83, 0x3d, 121, 0, 0, 0, 7, 0xc3), 0 },
    { "incq 128(%rip), lock", 8, BYTES(0xf0, 0x48, 0xff, 0x05, 120, 0, 0, 0, 0xc3), 0 },
    { "movdqu 128(%rip)", 9, BYTES(0xf3, 0x0f, 0x6f, 0x05, 120, 0, 0, 0, 0x90, 0xc3), 0 },
    { "lea itself", 7, BYTES(0x48, 0x8d, 0x05, 0xf9, 0xff, 0xff, 0xff, 0xc3), 0 },
    { "test; je short L", 5, BYTES(0x85, 0xff, 0x74, 60, 0x90, 0xc3), 0 },
    { "jne near L", 6, BYTES(0x0f, 0x85, 58, 0, 0, 0, 0x48, 0xff, 0xc0, 0xc3), 0 },
    { "jb short L", 5, BYTES(0x72, 62, 0x48, 0xff, 0xc0, 0xc3), 0 },
    { "jrcxz L", 5, BYTES(0xe3, 62, 0x48, 0xff, 0xc0, 0xc3), 0 },
    { "jecxz L", 6, BYTES(0x67, 0xe3, 61, 0x48, 0xff, 0xc0, 0xc3), 0 },
    { "loop to the start", 5, BYTES(0x48, 0xff, 0xc0, 0xe2, 0xfb, 0xc3), 0 },
    { "loopne L", 5, BYTES(0xe0, 62, 0x48, 0xff, 0xc0, 0xc3), 0 },
    { "jmp short L", 2, BYTES(0xeb, 62), 0 },
    { "jmp L", 5, BYTES(0xe9, 59, 0, 0, 0), 0 },
    { "dec; jnz to the start", 5, BYTES(0x48, 0xff, 0xc9, 0x75, 0xfb, 0xc3), 0 },
    { "call L", 5, BYTES(0xe8, 59, 0, 0, 0, 0xc3), 0 },
    { "call R: the return address", 5, BYTES(0xe8, 91, 0, 0, 0, 0xc3), 0 },
    { "call *136(%rip) to R", 6, BYTES(0xff, 0x15, 130, 0, 0, 0, 0xc3), 0 },
    { "mov; call *%rax", 9, BYTES(0x48, 0x8b, 0x05, 129, 0, 0, 0, 0xff, 0xd0, 0xc3), 0 },
    { "call *%r12, numbered like rsp", 0, BYTES(0x90, 0x90, 0x90, 0x41, 0xff, 0xd4), 0 },
    { "jmp *136(%rip)", 6, BYTES(0xff, 0x25, 130, 0, 0, 0), 0 },
    { "get-pc", 5, BYTES(0xe8, 0, 0, 0, 0, 0x58, 0xc3), 0 },
    { "early ret", 5, BYTES(0x85, 0xff, 0xc3, 0x90, 0x90), 0 },
    { "rep stosb", 5, BYTES(0x57, 0xf3, 0xaa, 0x5f, 0xc3), 0 },
    { "endbr64; push; pop; ret", 0, BYTES(0xf3, 0x0f, 0x1e, 0xfa, 0x50, 0x58, 0xc3), 0 },
    { "call *%rax too early", 5, BYTES(0xff, 0xd0, 0x90, 0x90, 0x90, 0xc3), EZ_E_UNRELOC },
    { "call, then more", 6, BYTES(0xe8, 59, 0, 0, 0, 0x90, 0xc3), EZ_E_UNRELOC },
    { "call *8(%rsp)", 5, BYTES(0x90, 0xff, 0x54, 0x24, 8, 0xc3), EZ_E_UNRELOC },
    { "call *%rsp", 0, BYTES(0x90, 0x90, 0x90, 0xff, 0xd4), EZ_E_UNRELOC },
    { "jump into the patch region", 6, BYTES(0x90, 0x48, 0xff, 0xc1, 0x75, 0xfb), EZ_E_UNRELOC },
    { "jump to its last byte", 6, BYTES(0x75, 3, 0x48, 0xff, 0xc1, 0x90), EZ_E_UNRELOC },
    { "jump behind it", 5, BYTES(0x75, 3, 0x48, 0xff, 0xc1, 0xc3), 0 },
    { "lea into the patch region", 7, BYTES(0x48, 0x8d, 0x05, 0xfc, 0xff, 0xff, 0xff),
      EZ_E_UNRELOC },
    { "syscall", 5, BYTES(0x0f, 0x05, 0x90, 0x90, 0x90), EZ_E_UNRELOC },
    { "prefixes of nothing", 4, BYTES(0x90, 0x90, 0x90, 0x4b), EZ_E_DECODE },
    { "invalid", 5, BYTES(0x06, 0x90, 0x90, 0x90, 0x90), EZ_E_DECODE },
};

/* The registers that the code starts with and leaves, in the order that run() expects. */
struct state {
    uint64_t rax, rcx, rdx, rsi, rdi, r8, r9, r10, r11, r12, flags;
    uint64_t stack_moved;
};

void run(struct state *s, const void *code);
__asm__(".pushsection .text\n.globl run\n.type run,@function\nrun:\n"
        "push %rbx; push %rbp; push %r12; push %r13; push %r14; push %r15\n"
        "mov %rdi,%rbx; mov %rsi,%r13; mov %rsp,%r14; and $-16,%rsp; mov %rsp,%r15\n"
        "mov (%rbx),%rax; mov 8(%rbx),%rcx; mov 16(%rbx),%rdx; mov 24(%rbx),%rsi\n"
        "mov 40(%rbx),%r8; mov 48(%rbx),%r9; mov 56(%rbx),%r10; mov 64(%rbx),%r11\n"
        "mov 72(%rbx),%r12; mov 32(%rbx),%rdi; pushq 80(%rbx); popfq\n"
        "call *%r13\n"
        "pushfq; popq 80(%rbx); cld\n"
        "mov %rax,(%rbx); mov %rcx,8(%rbx); mov %rdx,16(%rbx); mov %rsi,24(%rbx)\n"
        "mov %rdi,32(%rbx); mov %r8,40(%rbx); mov %r9,48(%rbx); mov %r10,56(%rbx)\n"
        "mov %r11,64(%rbx); mov %r12,72(%rbx)\n"
        "sub %rsp,%r15; mov %r15,88(%rbx); mov %r14,%rsp\n"
        "pop %r15; pop %r14; pop %r13; pop %r12; pop %rbp; pop %rbx\nret\n.popsection\n");

static uint8_t *page; /* two pages: the original's, the copy's */

static void lay_out(const struct reloc_case *c)
{
    uint64_t number = 0x1122334455667788ull, r = (uint64_t)(page + 96);
    memset(page, 0xcc, 8192);
    memcpy(page, c->code, c->len);
    page[c->len] = 0xc3;
    memcpy(page + 64, "\x4d\x8d\x49\x55\xc3", 5);
    memcpy(page + 96, "\x4c\x8b\x14\x24\xc3", 5);
    memcpy(page + 128, &number, 8);
    memcpy(page + 136, &r, 8);
}

/* Registers with all ends of what the cases test: zero or not, carry or not. */
static struct state start_state(int variant, uint8_t *scratch)
{
    struct state s = { .rax = (uint64_t)(page + 96),
                       .rcx = (uint64_t)(variant & 3),
                       .rdx = 3,
                       .rsi = 4,
                       .rdi = variant & 4 ? (uint64_t)scratch : 0,
                       .r8 = 8,
                       .r9 = 9,
                       .r10 = 10,
                       .r11 = 11,
                       .r12 = (uint64_t)(page + 96) };
    s.flags = 0x202 | (variant & 1 ? 0x41 : 0) | (variant & 2 ? 0x880 : 0); /* CF ZF, OF SF */
    return s;
}

static void compare(const struct reloc_case *c, int variant)
{
    uint8_t before[256], original[256], scratch[2][8] = { { 0 }, { 0 } };
    bool stores = !strcmp(c->name, "rep stosb");
    if (stores)
        variant |= 4;
    if (variant % 4 == 0 && (strstr(c->name, "dec;") || !strcmp(c->name, "loop to the start")))
        return; /* the loop would make 2^64 rounds */
    struct state a = start_state(variant, scratch[0]), b = a;
    memcpy(before, page, sizeof before);
    run(&a, page);
    memcpy(original, page, sizeof original);
    memcpy(page, before, sizeof before);
    memcpy(scratch[1], scratch[0], 8);
    memset(scratch[0], 0, 8);
    run(&b, page + 4096);
    ck_assert_msg(!memcmp(scratch[0], scratch[1], 8), "%s: other memory", c->name);
    ck_assert_msg(!memcmp(original, page, sizeof original), "%s: other data", c->name);
    ck_assert_msg(!memcmp(&a, &b, sizeof a), "%s, variant %d: other registers", c->name, variant);
    memcpy(page, before, sizeof before);
}

START_TEST(relocated_equals_original)
{
    const struct reloc_case *c = &cases[_i];
    struct ez_reloc r = { .len = 0 };
    page = mmap((void *)0x7e5500000000, 8192, PROT_READ | PROT_WRITE | PROT_EXEC,
                MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(page, MAP_FAILED);
    lay_out(c);
    ez_err *e = ez_arch_host()->codegen.relocate(page, c->window ? c->window : c->len,
                                                 (uint64_t)page, (uint64_t)page + 4096, &r);
    ck_assert_msg((e ? e->code : EZ_OK) == c->want, "%s: %s", c->name, e ? e->msg : "accepted");
    ez_err_free(e);
    if (c->want)
        return;
    ck_assert_uint_le(r.len, sizeof r.code);
    ck_assert_uint_eq(r.from[0] + r.to[0], 0);
    memcpy(page + 4096, r.code, r.len);
    for (int variant = 0; variant < 8; variant++)
        compare(c, variant);
    munmap(page, 8192);
}
END_TEST

START_TEST(offsets_and_reach)
{
    /* nop; je +16; call: one byte, two that become six, five that become eighteen */
    static const uint8_t code[] = { 0x90, 0x74, 16, 0xe8, 0, 1, 0, 0 };
    uint64_t va = 0x7f0000001000;
    struct ez_reloc r;
    ck_assert_ptr_null(ez_arch_host()->codegen.relocate(code, sizeof code, va, va + 0x10000, &r));
    ck_assert_uint_eq(r.n, 3);
    ck_assert(r.from[0] == 0 && r.from[1] == 1 && r.from[2] == 3);
    ck_assert(r.to[0] == 0 && r.to[1] == 1 && r.to[2] == 7);
    ck_assert_uint_eq(r.len, 7 + 18);
    ck_assert(!r.ends);

    ez_err *e = ez_arch_host()->codegen.relocate(code, sizeof code, va, va + (3ull << 30), &r);
    ck_assert(e && e->code == EZ_E_RANGE);
    ez_err_free(e);
    ck_assert_uint_eq(r.n, 3); /* untouched */
}
END_TEST

/* Found by fuzz_code: behind int3, with a prefix or not, a debugger lets the program go on. */
START_TEST(a_trap_goes_on)
{
    static const uint8_t traps[][2] = { { 0x90, 0xcc }, { 0x36, 0xcc }, { 0x48, 0xf1 } };
    struct ez_reloc r;
    for (size_t i = 0; i < EZ_ARRAY_LEN(traps); i++) {
        ck_assert_ptr_null(ez_arch_host()->codegen.relocate(traps[i], 2, 0x400000, 0x500000, &r));
        ck_assert(!r.ends && r.len == 7);
    }
}
END_TEST

/* Behind the copy of what never falls through there is no jump back; behind all else there is. */
START_TEST(what_ends)
{
    static const struct {
        size_t n;
        bool ends;
        uint8_t code[8];
    } c[] = {
        { 2, true, { 0xeb, 0x40 } },
        { 5, true, { 0xe9, 0, 1, 0, 0 } },
        { 2, true, { 0xff, 0xe0 } },
        { 6, true, { 0xff, 0x25, 0, 1, 0, 0 } },
        { 1, true, { 0xc3 } },
        { 3, true, { 0xc2, 8, 0 } },
        { 2, true, { 0x0f, 0x0b } },
        { 2, true, { 0x90, 0xc3 } },
        { 1, false, { 0xcc } },
        { 1, false, { 0xf1 } },
        { 1, false, { 0x90 } },
        { 2, false, { 0x74, 0x40 } },
        { 3, false, { 0x48, 0xff, 0xc0 } },
    };
    for (size_t i = 0; i < EZ_ARRAY_LEN(c); i++) {
        struct ez_reloc r;
        uint8_t back[5];
        ck_assert_ptr_null(
            ez_arch_host()->codegen.relocate(c[i].code, c[i].n, 0x400000, 0x500000, &r));
        ck_assert_msg(r.ends == c[i].ends, "%zu", i);
        ck_assert_ptr_null(
            ez_arch_host()->jump.write(0x500000 + r.len - 5u, 0x400000 + c[i].n, back));
        ck_assert_msg((r.len >= 5 && !memcmp(r.code + r.len - 5, back, 5)) == !c[i].ends, "%zu", i);
    }
}
END_TEST

/* A recursive call of the function meets the probe again, a loop back to its start does not. */
START_TEST(branches_to_the_start)
{
    static const uint8_t recursion[] = { 0xe8, 0xfb, 0xff, 0xff, 0xff };
    static const uint8_t loop[] = { 0x48, 0xff, 0xc9, 0x75, 0xfb };
    uint64_t va = 0x400000, to = 0x500000;
    struct ez_reloc r;
    struct ez_insn in;
    ck_assert_ptr_null(ez_arch_host()->codegen.relocate(recursion, 5, va, to, &r));
    ck_assert_ptr_null(ez_arch_host()->decode.insn(r.code + 5, r.len - 5, to + 5, &in));
    ck_assert(in.flow == EZ_FLOW_JMP && in.target == va);
    ck_assert_ptr_null(ez_arch_host()->codegen.relocate(loop, 5, va, to, &r));
    ck_assert_ptr_null(ez_arch_host()->decode.insn(r.code + 3, r.len - 3, to + 3, &in));
    ck_assert(in.flow == EZ_FLOW_JCC && in.target == to);
}
END_TEST

/* A return address of 32 bits is pushed with its sign: its upper half may need a store. */
START_TEST(pushed_return)
{
    static const uint8_t call[] = { 0xe8, 0, 1, 0, 0 };
    static const struct {
        uint64_t va;
        bool stored;
    } at[] = {
        { 0x400000, false }, { 0x7ffffff0, false }, { 0x80000000, true }, { 1ull << 33, true }
    };
    struct ez_reloc r;
    for (size_t i = 0; i < EZ_ARRAY_LEN(at); i++) {
        uint32_t upper = (uint32_t)((at[i].va + 5) >> 32);
        ck_assert_ptr_null(
            ez_arch_host()->codegen.relocate(call, 5, at[i].va, at[i].va + 0x1000, &r));
        ck_assert_uint_eq(r.code[0], 0x68);
        ck_assert_int_eq(!memcmp(r.code + 5, "\xc7\x44\x24\x04", 4), at[i].stored);
        ck_assert(!at[i].stored || !memcmp(r.code + 9, &upper, 4));
    }
}
END_TEST

START_TEST(jump)
{
    uint8_t b[5];
    ck_assert_ptr_null(ez_arch_host()->jump.write(0x1000, 0x1000, b));
    ck_assert(!memcmp(b, "\xe9\xfb\xff\xff\xff", 5));
    ez_err *e = ez_arch_host()->jump.write(0x1000, 0x1000 + (1ull << 32), b);
    ck_assert(e && e->code == EZ_E_RANGE);
    ck_assert_str_eq(e->msg, "a jump from 0x1000 does not reach 0x100001000");
    ez_err_free(e);
    ck_assert_ptr_null(ez_arch_host()->jump.write_short(0x1000, 0x1081, b));
    ck_assert(!memcmp(b, "\xeb\x7f", 2));
    ck_assert_ptr_null(ez_arch_host()->jump.write_short(0x1000, 0xf82, b));
    ck_assert(!memcmp(b, "\xeb\x80", 2));
    for (int i = 0; i < 2; i++) {
        e = ez_arch_host()->jump.write_short(0x1000, i ? 0x1082 : 0xf81, b);
        ck_assert(e && e->code == EZ_E_RANGE);
        ck_assert_str_eq(e->msg, i ? "a short jump from 0x1000 does not reach 0x1082"
                                   : "a short jump from 0x1000 does not reach 0xf81");
        ez_err_free(e);
    }
}
END_TEST

/* Each refusal names the instruction and its address. */
START_TEST(what_is_said)
{
    static const struct {
        size_t n;
        uint64_t to;
        enum ez_code code;
        const char *says;
        uint8_t text[EZ_MAX_PROLOGUE + 1];
    } said[] = {
        { 5,
          0x500000,
          EZ_E_UNRELOC,
          "a call that returns into the patch region cannot run at another address, at 0x400000",
          { 0xff, 0xd0, 0x90, 0x90, 0x90 } },
        { 6,
          0x500000,
          EZ_E_UNRELOC,
          "a call that returns into the patch region cannot run at another address, at 0x400000",
          { 0xe8, 59, 0, 0, 0, 0x90 } },
        { 5,
          0x500000,
          EZ_E_UNRELOC,
          "a call through the stack pointer cannot run at another address, at 0x400001",
          { 0x90, 0xff, 0x54, 0x24, 8 } },
        { 5,
          0x500000,
          EZ_E_UNRELOC,
          "a far call cannot run at another address, at 0x400002",
          { 0x90, 0x90, 0xff, 0x5b, 8 } },
        { 3,
          0x500000,
          EZ_E_UNRELOC,
          "a system call cannot run at another address, at 0x400001",
          { 0x90, 0x0f, 0x05 } },
        { EZ_MAX_PROLOGUE + 1,
          0x500000,
          EZ_E_UNRELOC,
          "a prologue of this length cannot run at another address, at 0x400010",
          { 0x50, 0x50, 0x50, 0x50, 0x50, 0x50, 0x50, 0x50, 0x50, 0x50, 0x50, 0x50, 0x50, 0x50,
            0x50, 0x50, 0x50 } },
        { 0, 0x500000, EZ_E_ARG, "A patch region cannot have 0 bytes", { 0x90 } },
        { 256, 0x500000, EZ_E_ARG, "A patch region cannot have 256 bytes", { 0x90 } },
        { 5,
          0x90000000,
          EZ_E_RANGE,
          "the code refers to an address more than 2 GiB away, at 0x400000 from 0x90000000",
          { 0xe9, 0, 1, 0, 0 } },
    };
    for (size_t i = 0; i < EZ_ARRAY_LEN(said); i++) {
        struct ez_reloc r = { .len = 77 };
        ez_err *e =
            ez_arch_host()->codegen.relocate(said[i].text, said[i].n, 0x400000, said[i].to, &r);
        ck_assert_msg(e != NULL, "accepted: %s", said[i].says);
        ck_assert_str_eq(e->msg, said[i].says);
        ck_assert_int_eq(e->code, said[i].code);
        ck_assert_uint_eq(r.len, 77); /* untouched */
        ez_err_free(e);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("reloc");
    TCase *t = tcase_create("x86_64");
    tcase_add_loop_test(t, relocated_equals_original, 0, (int)EZ_ARRAY_LEN(cases));
    tcase_add_test(t, offsets_and_reach);
    tcase_add_test(t, what_ends);
    tcase_add_test(t, branches_to_the_start);
    tcase_add_test(t, a_trap_goes_on);
    tcase_add_test(t, pushed_return);
    tcase_add_test(t, jump);
    tcase_add_test(t, what_is_said);
    suite_add_tcase(s, t);
    return run_suite(s);
}
