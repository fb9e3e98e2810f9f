/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_analyze.c - verdicts on functions, one line each; then all of libc. */
#include <check.h>
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "engine/code/analyze.h"
#include "engine/sym/names.h"
#include "engine/sym/sym.h"
#include "engine/target.h"
#include "engine/base/vec.h"
#include "engine/probe/why.h"
#include "tests/unit/suite.h"
#include "engine/probe/bulk.h"
#include "engine/probe/coverage.h"

#define VA 0x401000ull
#define JUMPS (EZ_BY(EZ_JUMP) | EZ_BY(EZ_PADDING))
#define BYTES(...) .n = sizeof((uint8_t[]){ __VA_ARGS__ }), .code = { __VA_ARGS__ }

/* The function under test starts at VA; the next symbol follows at `next`. */
static const struct verdict_case {
    const char *name;
    const char *refusal; /* its beginning, NULL = accepted */
    uint8_t end, next;   /* offsets; 0 = the end of the bytes */
    uint8_t site, len, padding;
    size_t n;
    uint8_t code[48];
} cases[] = {
    { "plain prologue", .len = 8, BYTES(0x55, 0x48, 0x89, 0xe5, 0x48, 0x83, 0xec, 0x10, 0xc3) },
    { "endbr64 first", .site = 4, .len = 8,
      BYTES(0xf3, 0x0f, 0x1e, 0xfa, 0x55, 0x48, 0x89, 0xe5, 0x48, 0x83, 0xec, 0x10, 0xc3) },
    { "rip-relative", .len = 7, BYTES(0x48, 0x8b, 0x05, 0, 0, 0, 0, 0xc3) },
    { "call first", .len = 5, BYTES(0xe8, 1, 0, 0, 0, 0xc3) },
    { "jcc out", .len = 5, BYTES(0x85, 0xff, 0x74, 2, 0x90, 0x90, 0xc3) },
    { "jrcxz out", .len = 5, BYTES(0xe3, 4, 0x48, 0xff, 0xc0, 0x90, 0xc3) },
    { "loop to the entry", .len = 5, BYTES(0x48, 0xff, 0xc0, 0xe2, 0xfb, 0xc3) },
    { "lock", .len = 5, BYTES(0xf0, 0x48, 0xff, 0x40, 0x08, 0xc3) },
    { "rep", .len = 5, BYTES(0x57, 0xf3, 0xaa, 0x5f, 0x90, 0xc3) },
    { "indirect call at the end", .len = 5, BYTES(0x90, 0x90, 0x90, 0xff, 0xd0, 0xc3) },
    { "call *x(%rip)", .len = 6, BYTES(0xff, 0x15, 0, 0, 0, 0, 0xc3) },
    { "short, nops behind", .end = 1, .len = 1, .padding = 4,
      BYTES(0xc3, 0x0f, 0x1f, 0x44, 0, 0, 0x90) },
    { "short, int3 behind", .end = 3, .len = 3, .padding = 2,
      BYTES(0x31, 0xc0, 0xc3, 0xcc, 0xcc, 0xcc) },
    { "short, zeros behind: data", "too short: 3 bytes, the jump needs 5", .end = 3,
      BYTES(0x31, 0xc0, 0xc3, 0, 0, 0) },
    { "data of its own behind a return", "too short: 3 bytes, the jump needs 5",
      BYTES(0x31, 0xc0, 0xc3, 0x88, 0x77, 0x66, 0x55) },
    { "nops of its own behind a return", .len = 3, .padding = 2,
      BYTES(0x31, 0xc0, 0xc3, 0x90, 0x90, 0x90, 0xc3) },
    { "a stop, its return behind", .end = 2, .len = 2, .padding = 3,
      BYTES(0xf4, 0xc3, 0x90, 0x90, 0x90, 0x90) },
    { "no size given", .len = 1, .padding = 4, .next = 16, .end = 1,
      BYTES(0xc3, 0x66, 0x2e, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0, 0x0f, 0x1f, 0x40, 0, 0x90) },
    { "one byte, a neighbour", "too short: 1 byte, the jump needs 5", .end = 1, .next = 1,
      BYTES(0xc3, 0x55, 0x48, 0x89, 0xe5, 0xc3) },
    { "four bytes, a neighbour", "too short: 4 bytes, the jump needs 5", .end = 4, .next = 4,
      BYTES(0x31, 0xc0, 0x90, 0xc3, 0x55, 0x48, 0x89, 0xe5, 0xc3) },
    { "short, code behind", "too short: 1 byte, the jump needs 5", .end = 1,
      BYTES(0xc3, 0x55, 0x48, 0x89, 0xe5, 0xc3) },
    { "runs on into padding", "too short, and it does not end with a jump or return", .end = 2,
      BYTES(0x31, 0xc0, 0x90, 0x90, 0x90, 0x90, 0xc3) },
    { "branch back into it", "branch into the prologue from 0x401007",
      BYTES(0x55, 0x48, 0x89, 0xe5, 0x90, 0x90, 0x90, 0x75, 0xf8, 0xc3) },
    { "near branch back", "branch into the prologue from 0x401006",
      BYTES(0x55, 0x48, 0x89, 0xe5, 0x90, 0x90, 0x0f, 0x85, 0xf5, 0xff, 0xff, 0xff, 0xc3) },
    { "a neighbour branches into it", "branch into the prologue from", .end = 8, .next = 8,
      BYTES(0x55, 0x48, 0x89, 0xe5, 0x90, 0x90, 0x90, 0xc3, 0xeb, 0xf7) },
    { "code of no function, behind data, branches into it", "branch into the prologue from",
      .end = 8, .next = 14,
      BYTES(0x55, 0x48, 0x89, 0xe5, 0x90, 0x90, 0x90, 0xc3, 0x48, 0xb8, 0xeb, 0xf5, 0x90, 0x90,
            0xc3, 0x90, 0x90, 0x90, 0xc3) },
    { "bytes that only look like a branch", .len = 8,
      BYTES(0x55, 0x48, 0x89, 0xe5, 0x48, 0x83, 0xec, 0x10, 0xb8, 0xeb, 0xf6, 0, 0, 0xc3) },
    { "its address is taken", "an address in the prologue is taken at 0x401005",
      BYTES(0x31, 0xc0, 0x90, 0x90, 0x90, 0x48, 0x8d, 0x0d, 0xf6, 0xff, 0xff, 0xff, 0xc3) },
    { "one behind it is", .len = 5,
      BYTES(0x31, 0xc0, 0x90, 0x90, 0x90, 0x48, 0x8d, 0x0d, 0xf9, 0xff, 0xff, 0xff, 0xc3) },
    { "its address is a constant", "an address in the prologue is taken at 0x401005",
      BYTES(0x31, 0xc0, 0x90, 0x90, 0x90, 0xb9, 0x02, 0x10, 0x40, 0, 0xc3) },
    { "added", "an address in the prologue is taken at 0x401005",
      BYTES(0x31, 0xc0, 0x90, 0x90, 0x90, 0x48, 0x81, 0xc2, 0x04, 0x10, 0x40, 0, 0xc3) },
    { "of 64 bits", "an address in the prologue is taken at 0x401005",
      BYTES(0x31, 0xc0, 0x90, 0x90, 0x90, 0x48, 0xb9, 0x01, 0x10, 0x40, 0, 0, 0, 0, 0, 0xc3) },
    { "stored at x(%rip)", "an address in the prologue is taken at 0x401005",
      BYTES(0x31, 0xc0, 0x90, 0x90, 0x90, 0x48, 0xc7, 0x05, 0, 0, 0, 0, 0x02, 0x10, 0x40, 0,
            0xc3) },
    { "its bytes are compared, not its address", .len = 5,
      BYTES(0x31, 0xc0, 0x90, 0x90, 0x90, 0x80, 0xb8, 0x02, 0x10, 0x40, 0, 1, 0xc3) },
    { "bytes that only look like its address", .len = 5,
      BYTES(0x31, 0xc0, 0x90, 0x90, 0x90, 0x48, 0xb8, 0x90, 0x02, 0x10, 0x40, 0, 0, 0, 0, 0xc3) },
    { "indirect call first", "an indirect call in the first 5 bytes",
      BYTES(0xff, 0xd0, 0x90, 0x90, 0x90, 0xc3) },
    { "system call", "a system call in the first 5 bytes",
      BYTES(0x0f, 0x05, 0x90, 0x90, 0x90, 0xc3) },
    { "someone's breakpoint", "a breakpoint in the first 5 bytes",
      BYTES(0xcc, 0x48, 0x89, 0xe5, 0x90, 0xc3) },
    { "not code", "no instruction at 0x401001", BYTES(0x55, 0x06, 0x48, 0x89, 0xe5, 0xc3) },
    { "the size cuts an instruction", "the function ends inside an instruction", .end = 3,
      BYTES(0x55, 0x48, 0x89, 0xe5, 0x90, 0xc3) },
};

START_TEST(too_large)
{
    struct ez_text *t;
    const struct ez_text_desc code = {
        ez_arch_host(), (const uint8_t *)"", (size_t)UINT32_MAX + 1, VA, NULL, 0, NULL, 0
    };
    ez_err *e = ez_text_create(&code, &t);
    ck_assert(e && e->code == EZ_E_LIMIT);
    ck_assert_str_eq(e->msg, "A code section of 4294967296 bytes is too large");
    ez_err_free(e);
}
END_TEST

START_TEST(verdict)
{
    const struct verdict_case *c = &cases[_i];
    uint64_t next = c->next ? c->next : c->n, end = c->end ? c->end : next;
    struct ez_func f[] = { { VA, VA + end, VA + next, false, 0 },
                           { VA + next, VA + c->n, VA + c->n, false, 0 } };
    struct ez_patch_region w;
    struct ez_text *t;
    ck_assert_ptr_null(ez_text_create(&(struct ez_text_desc){ ez_arch_host(), c->code, c->n, VA, f,
                                                              next < c->n ? 2 : 1, NULL, 0 },
                                      &t));
    ez_err *e = ez_analyze(t, VA, JUMPS, &w);
    ez_text_destroy(t);
    if (c->refusal) {
        ck_assert_msg(e && e->code == EZ_E_REFUSED, "%s: accepted", c->name);
        ck_assert_msg(!strncmp(e->msg, c->refusal, strlen(c->refusal)), "%s: %s", c->name, e->msg);
        ez_err_free(e);
        return;
    }
    ck_assert_msg(!e, "%s: %s", c->name, e ? e->msg : "");
    ck_assert_msg(w.site == VA + c->site && w.len == c->len && w.padding == c->padding,
                  "%s: len %u padding %u", c->name, w.len, w.padding);
    ck_assert(!memcmp(w.bytes, c->code + c->site, w.len + w.padding));
}
END_TEST

START_TEST(one_address)
{
    static const uint8_t code[] = { 0x55, 0x48, 0x89, 0xe5, 0x90, 0x48, 0x83, 0xec, 0x10,
                                    0x31, 0xc0, 0xc9, 0xc3, 0x90, 0x90, 0x90, 0x90, 0x90 };
    struct ez_func f = { VA, VA + 13, VA + sizeof code, false, 0 };
    struct ez_patch_region w;
    struct ez_text *t;
    ck_assert_ptr_null(ez_text_create(
        &(struct ez_text_desc){ ez_arch_host(), code, sizeof code, VA, &f, 1, NULL, 0 }, &t));
    ck_assert_ptr_null(ez_analyze_at(t, VA + 1, JUMPS, &w));
    ck_assert(w.site == VA + 1 && w.len == 8 && w.n == 3);
    ck_assert_ptr_null(ez_analyze_at(t, VA + 11, JUMPS, &w)); /* leave; ret; padding */
    ck_assert(w.len == 2 && w.padding == 3 && w.ends);
    ez_err *e = ez_analyze_at(t, VA + 2, JUMPS, &w);
    ck_assert(e && e->code == EZ_E_REFUSED);
    ck_assert_str_eq(e->msg, "not an instruction boundary");
    ez_err_free(e);
    e = ez_analyze(t, VA + 1, JUMPS, &w);
    ck_assert(e && e->code == EZ_E_ARG);
    ez_err_free(e);
    ez_text_destroy(t);
}
END_TEST

static void refuses(struct ez_text *t, uint64_t addr, const char *format, uint64_t at)
{
    struct ez_patch_region w;
    char want[80];
    ez_err *e = ez_analyze_at(t, addr, JUMPS, &w);
    ck_assert(e && e->code == EZ_E_REFUSED);
    snprintf(want, sizeof want, format, (unsigned long)at);
    ck_assert_str_eq(e->msg, want);
    ez_err_free(e);
}

/* Addresses inside a function where no probe may be, with the reason; its first byte is one where a
 * probe may be. */
START_TEST(no_address_for_a_probe)
{
    uint8_t code[] = { 0x55, 0x48, 0x89, 0xe5, 0x90, 0x90, 0x90, 0x90, 0x90, 0xff, 0xe0, 0x90 };
    struct ez_func f = { VA, VA + 11, VA + 11, false, 0 };
    struct ez_patch_region w;
    struct ez_text *t;
    ck_assert_ptr_null(ez_text_create(
        &(struct ez_text_desc){ ez_arch_host(), code, sizeof code, VA, &f, 1, NULL, 0 }, &t));
    ck_assert_ptr_null(ez_analyze_at(t, VA, JUMPS, &w));
    ck_assert_uint_eq(w.site, VA);
    refuses(t, VA + 1, "an indirect jump may lead into the prologue from 0x%lx", VA + 9);
    refuses(t, VA - 1, "no function at 0x%lx", VA - 1);
    refuses(t, VA + 11, "no function at 0x%lx", VA + 11);
    ez_text_destroy(t);
    f.linkage = true;
    ck_assert_ptr_null(ez_text_create(
        &(struct ez_text_desc){ ez_arch_host(), code, sizeof code, VA, &f, 1, NULL, 0 }, &t));
    refuses(t, VA, "no function at 0x%lx", VA);
    ez_text_destroy(t);
    f.linkage = false;
    code[9] = 0x06; /* push %es, which is no instruction in 64-bit mode */
    ck_assert_ptr_null(ez_text_create(
        &(struct ez_text_desc){ ez_arch_host(), code, sizeof code, VA, &f, 1, NULL, 0 }, &t));
    refuses(t, VA + 1, "the function cannot be decoded at 0x%lx", VA + 9);
    ez_text_destroy(t);
}
END_TEST

/* A function of 7 bytes, at each of a page's last: what is overwritten lies in that page. */
START_TEST(no_jump_lies_on_two_pages)
{
    uint8_t code[64];
    const uint64_t va = VA + EZ_PAGE - (uint64_t)_i, left = (uint64_t)_i;
    struct ez_func f = { va, va + 7, va + sizeof code, false, 0 };
    struct ez_patch_region w;
    struct ez_text *t;
    memset(code, 0xcc, sizeof code);
    memcpy(code, "\x8d\x87\x01\x02\x03\x04\xc3", 7); /* lea 0x4030201(%rdi),%eax; ret */
    ck_assert_ptr_null(ez_text_create(
        &(struct ez_text_desc){ ez_arch_host(), code, sizeof code, va, &f, 1, NULL, 0 }, &t));
    ez_err *jump = ez_analyze(t, va, JUMPS, &w);
    ck_assert_msg(!jump == (left >= 5), "%s", jump ? jump->msg : "accepted");
    ck_assert(!jump || !strcmp(jump->msg, "its first 5 bytes are on two pages"));
    ez_err *island = ez_analyze(t, va, EZ_BY(EZ_ISLAND), &w);
    ck_assert(!island == (left >= 2));
    ck_assert(island || (w.jump == 2 && w.island % EZ_PAGE + 5 <= EZ_PAGE));
    ez_err *pun = ez_analyze(t, va, EZ_BY(EZ_PUN), &w);
    ck_assert(!pun == (left < 5));
    ck_assert(pun || (w.jump == left && w.len == 6));
    ez_err_free(jump);
    ez_err_free(island);
    ez_err_free(pun);
    ez_text_destroy(t);
}
END_TEST

/* An exception may land behind an instruction that stops the program. */
START_TEST(stop_inside)
{
    static const uint8_t code[] = { 0x55, 0x0f, 0x0b, 0x48, 0x89, 0xc3, 0x90, 0xc3 };
    struct ez_func f = { VA, VA + sizeof code, VA + sizeof code, false, 0 };
    struct ez_patch_region w;
    struct ez_text *t;
    ck_assert_ptr_null(ez_text_create(
        &(struct ez_text_desc){ ez_arch_host(), code, sizeof code, VA, &f, 1, NULL, 0 }, &t));
    ez_err *e = ez_analyze_at(t, VA + 1, JUMPS, &w);
    ck_assert(e && e->code == EZ_E_REFUSED);
    ck_assert_str_eq(e->msg, "too short: 2 bytes, the jump needs 5");
    ez_err_free(e);
    ez_text_destroy(t);
}
END_TEST

static size_t read_table(void *arg, uint64_t addr, void *buf, size_t n)
{
    const int32_t *table = arg;
    if (addr != VA + 0x1000)
        return 0;
    memcpy(buf, table, EZ_MIN(n, 3 * sizeof *table));
    return EZ_MIN(n, 3 * sizeof *table);
}

START_TEST(jump_table)
{
    /* mov %edi,%eax; nop; lea table(%rip),%rdx; movslq (%rdx,%rax,4),%rax; add; jmp *%rax; ret */
    static const uint8_t code[] = {
        0x89, 0xf8, 0x90, 0x90, 0x90, 0x48, 0x8d, 0x15, 0xf4, 0x0f, 0,
        0,    0x48, 0x63, 0x04, 0x82, 0x48, 0x01, 0xd0, 0xff, 0xe0, 0xc3
    };
    struct ez_func f = { VA, VA + sizeof code, VA + sizeof code, false, 0 };
    int32_t table[] = { 21 - 0x1000, 5 - 0x1000, 3 - 0x1000 };
    struct ez_patch_region w;
    struct ez_text *t;
    ck_assert_ptr_null(ez_text_create(
        &(struct ez_text_desc){ ez_arch_host(), code, sizeof code, VA, &f, 1, NULL, 0 }, &t));
    ck_assert_ptr_null(ez_analyze(t, VA, JUMPS, &w)); /* the table cannot be read */
    ez_text_data(t, read_table, table);
    ez_err *e = ez_analyze(t, VA, JUMPS, &w);
    ck_assert(e && e->code == EZ_E_REFUSED);
    ck_assert_str_eq(e->msg, "a jump table leads into the prologue");
    ez_err_free(e);
    ck_assert_ptr_null(ez_analyze(t, VA, EZ_BY(EZ_PUN), &w)); /* two bytes do not reach the label */
    table[2] = 5 - 0x1000;
    ez_text_data(t, read_table, table);
    ck_assert_ptr_null(ez_analyze(t, VA, JUMPS, &w)); /* behind the jump */
    table[1] = 0x7000;                                /* the table ends there */
    table[2] = 3 - 0x1000;
    ez_text_data(t, read_table, table);
    ck_assert_ptr_null(ez_analyze(t, VA, JUMPS, &w));
    ez_text_destroy(t);
}
END_TEST

START_TEST(one_jump_table_ends_where_the_next_begins)
{
    /* mov %edi,%eax; nop; lea table(%rip),%rdx; lea table+8(%rip),%rcx; jmp *%rax; ret */
    static const uint8_t code[] = {
        0x89, 0xf8, 0x90, 0x90, 0x90, 0x48, 0x8d, 0x15, 0xf4, 0x0f, 0,
        0,    0x48, 0x8d, 0x0d, 0xf5, 0x0f, 0,    0,    0xff, 0xe0, 0xc3
    };
    struct ez_func f = { VA, VA + sizeof code, VA + sizeof code, false, 0 };
    /* the last one is 11 from where its own table begins */
    int32_t table[] = { 21 - 0x1000, 5 - 0x1000, 3 - 0x1000 };
    struct ez_patch_region w;
    struct ez_text *t;
    ck_assert_ptr_null(ez_text_create(
        &(struct ez_text_desc){ ez_arch_host(), code, sizeof code, VA, &f, 1, NULL, 0 }, &t));
    ez_text_data(t, read_table, table);
    ck_assert_ptr_null(ez_analyze(t, VA, JUMPS, &w));
    table[2] = 3 - 0x1008;
    ez_text_data(t, read_table, table);
    ez_err *e = ez_analyze(t, VA, JUMPS, &w);
    ck_assert(e && e->code == EZ_E_REFUSED);
    ez_err_free(e);
    ez_text_destroy(t);
}
END_TEST

START_TEST(pointer)
{
    static const uint8_t code[] = { 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0xc3 };
    struct ez_func f = { VA, VA + sizeof code, VA + sizeof code, false, 0 };
    for (uint64_t k = 0; k <= 6; k++) {
        struct ez_pointer p = { 0x404000, VA + k };
        struct ez_patch_region w;
        struct ez_text *t;
        ck_assert_ptr_null(ez_text_create(
            &(struct ez_text_desc){ ez_arch_host(), code, sizeof code, VA, &f, 1, &p, 1 }, &t));
        ez_err *e = ez_analyze(t, VA, JUMPS, &w);
        ck_assert_msg(!e == (k < 1 || k > 4), "%u: %s", (unsigned)k, e ? e->msg : "accepted");
        if (e)
            ck_assert_str_eq(e->msg, "a pointer into the prologue at 0x404000");
        ez_err_free(e);
        e = ez_analyze_at(t, VA + 1, JUMPS, &w);
        ck_assert_msg(!e == (k < 2 || k > 5), "%u: %s", (unsigned)k, e ? e->msg : "accepted");
        ez_err_free(e);
        ez_text_destroy(t);
    }
}
END_TEST

/* A table of pairs: the address of the first instruction, and one to go on at. */
START_TEST(fault_table)
{
    static const uint8_t code[] = { 0x48, 0x8b, 0x07, 0x48, 0xff, 0xc0, 0xc3, 0x31, 0xc0,
                                    0xc3, 0x48, 0x8b, 0x07, 0x48, 0xff, 0xc0, 0xc3 };
    struct ez_func f[] = { { VA, VA + 10, VA + 10, false, 0 },
                           { VA + 10, VA + 17, VA + 17, false, 0 } };
    struct ez_pointer p[] = { { 0x404000, VA }, { 0x404008, VA + 7 } };
    static const unsigned way[] = { EZ_JUMP, EZ_PUN, EZ_TRAP };
    static const struct {
        uint64_t at, to;
        bool refused;
    } second[] = { { 8, 7, true }, { 8, 10, false }, { 16, 7, false }, { 8, 0, false } };
    for (size_t i = 0; i < EZ_ARRAY_LEN(second); i++) {
        struct ez_patch_region w;
        struct ez_text *t;
        p[1] = (struct ez_pointer){ 0x404000 + second[i].at, VA + second[i].to };
        ck_assert_ptr_null(ez_text_create(
            &(struct ez_text_desc){ ez_arch_host(), code, sizeof code, VA, f, 2, p, 2 }, &t));
        for (int k = 0; k < 3; k++) {
            ez_err *e = ez_analyze(t, VA, EZ_BY(way[k]), &w);
            ck_assert_msg(!e == !second[i].refused, "%zu: %s", i, e ? e->msg : "accepted");
            if (e)
                ck_assert_str_eq(e->msg, "an exception table of the program has the address of the "
                                         "first instruction at 0x404000");
            ez_err_free(e);
        }
        ez_text_destroy(t);
    }
}
END_TEST

struct table_bytes {
    size_t n;
    uint8_t at[64];
};

static size_t read_bytes(void *arg, uint64_t addr, void *buf, size_t n)
{
    const struct table_bytes *b = arg;
    if (addr != VA + 0x1000)
        return 0;
    memcpy(buf, b->at, EZ_MIN(n, b->n));
    return EZ_MIN(n, b->n);
}

/* Tables of all kinds that lead to the label at +21, then to another place. */
START_TEST(tables)
{
    /* 5 nops; lea table(%rip),%rdx; lea 21(%rip),%rcx; jmp *%rcx; ret; push %rax; ret */
    static const uint8_t code[] = { 0x90, 0x90, 0x90, 0x90, 0x90, 0x48, 0x8d, 0x15,
                                    0xf4, 0x0f, 0,    0,    0x48, 0x8d, 0x0d, 2,
                                    0,    0,    0,    0xff, 0xe1, 0xc3, 0x50, 0xc3 };
    static const struct {
        size_t size;
        int64_t base;
    } kind[] = { { 8, -(int64_t)VA }, { 4, 0x1000 }, { 4, 21 }, { 2, 21 } };
    struct ez_func f = { VA, VA + sizeof code, VA + sizeof code, false, 0 };
    for (int64_t k = 0; k <= 8; k++) {
        struct table_bytes b = { .n = 2 * kind[_i].size };
        int64_t entry[] = { 21 - kind[_i].base, k - kind[_i].base };
        struct ez_patch_region w;
        struct ez_text *t;
        for (size_t i = 0; i < 2; i++)
            memcpy(b.at + i * kind[_i].size, &entry[i], kind[_i].size);
        ck_assert_ptr_null(ez_text_create(
            &(struct ez_text_desc){ ez_arch_host(), code, sizeof code, VA, &f, 1, NULL, 0 }, &t));
        ez_text_data(t, read_bytes, &b);
        ez_err *e = ez_analyze(t, VA, JUMPS, &w);
        ck_assert_msg(!e == (k < 1 || k > 4), "%d: %s", (int)k, e ? e->msg : "accepted");
        ez_err_free(e);
        ez_text_destroy(t);
    }
}
END_TEST

/* A table ends at the first entry that leads to no instruction: later words are not part of it. */
START_TEST(no_table)
{
    /* mov %edi,%eax; nop, 3 bytes; lea table(%rip),%rdx; jmp *%rax; ret */
    static const uint8_t code[] = { 0x89, 0xf8, 0x0f, 0x1f, 0,    0x48, 0x8d, 0x15,
                                    0xf4, 0x0f, 0,    0,    0xff, 0xe0, 0xc3 };
    struct ez_func f = { VA, VA + sizeof code, VA + sizeof code, false, 0 };
    int32_t table[] = { 14 - 0x1000, 13 - 0x1000, 2 - 0x1000 };
    struct ez_patch_region w;
    struct ez_text *t;
    ck_assert_ptr_null(ez_text_create(
        &(struct ez_text_desc){ ez_arch_host(), code, sizeof code, VA, &f, 1, NULL, 0 }, &t));
    ez_text_data(t, read_table, table);
    ck_assert_ptr_null(ez_analyze(t, VA, JUMPS, &w));
    table[1] = 12 - 0x1000;
    ez_text_data(t, read_table, table);
    ez_err *e = ez_analyze(t, VA, JUMPS, &w);
    ck_assert(e && !strcmp(e->msg, "a jump table leads into the prologue"));
    ez_err_free(e);
    ez_text_destroy(t);
}
END_TEST

/* Room for an island is made of bytes that nobody branches to. */
START_TEST(host)
{
    /* xor %eax,%eax; ret | inc %rax, 8 times; jne back by `back`; ret */
    static const uint8_t back[] = { 26, 20, 17, 2 };
    static const bool good[] = { true, false, false, true };
    uint8_t code[30] = { 0x31, 0xc0, 0xc3 };
    struct ez_func f[] = { { VA, VA + 3, VA + 3, false, 0 },
                           { VA + 3, VA + 30, VA + 30, false, 0 } };
    struct ez_patch_region w;
    struct ez_text *t;
    for (int i = 0; i < 8; i++)
        memcpy(code + 3 + 3 * i, "\x48\xff\xc0", 3);
    memcpy(code + 27, (uint8_t[]){ 0x75, (uint8_t)-back[_i], 0xc3 }, 3);
    ck_assert_ptr_null(ez_text_create(
        &(struct ez_text_desc){ ez_arch_host(), code, sizeof code, VA, f, 2, NULL, 0 }, &t));
    ez_err *e = ez_analyze_evicted(t, VA + 3, VA, &w);
    ck_assert_msg(!e == good[_i], "%d: %s", _i, e ? e->msg : "accepted");
    ck_assert(e || w.len >= 10);
    ez_err_free(e);
    ez_text_destroy(t);
}
END_TEST

/* Of one instruction, of two, of three; not of half of the fourth. */
START_TEST(longer_puns)
{
    /* xor %eax,%eax; nop; nop; inc %rax; ret */
    static const uint8_t code[] = { 0x31, 0xc0, 0x90, 0x90, 0x48, 0xff, 0xc0, 0xc3, 0x90, 0x90 };
    struct ez_func f = { VA, VA + 8, VA + sizeof code, false, 0 };
    struct ez_patch_region w;
    struct ez_text *t;
    ck_assert_ptr_null(ez_text_create(
        &(struct ez_text_desc){ ez_arch_host(), code, sizeof code, VA, &f, 1, NULL, 0 }, &t));
    ck_assert_ptr_null(ez_analyze(t, VA, EZ_BY(EZ_PUN), &w));
    for (unsigned n = 2; n <= 4; n++) {
        ck_assert(w.strategy == EZ_PUN && w.jump == n && w.len == n && w.n == n - 1);
        ez_err *e = ez_analyze_longer_pun(t, VA, &w);
        ck_assert_int_eq(!e, n < 4);
        ez_err_free(e);
    }
    ez_text_destroy(t);
}
END_TEST

/* Judge every function of libc's .text: the share that bears a jump is known. */
START_TEST(coverage)
{
    Dl_info info;
    struct ez_object *o;
    EZ_VEC(struct ez_func) f = { 0 };
    size_t n, ok = 0;
    uint64_t start, end;
    ck_assert(dladdr((void *)abort, &info));
    ck_assert_ptr_null(ez_object_open(info.dli_fname, NULL, &o));
    ck_assert(ez_object_section(o, (uint64_t)abort - (uint64_t)info.dli_fbase, NULL, &start, &end));
    const struct ez_sym *s = ez_object_syms(o, &n);
    for (size_t i = 0; i < n; i++) {
        struct ez_func x = { s[i].vaddr, ez_sym_end(&s[i]), ez_sym_next(&s[i]), false, 0 };
        bool again = f.n && f.at[f.n - 1].addr == x.addr;
        if (s[i].kind != EZ_SYM_DATA && x.addr >= start && x.addr < end && !again)
            EZ_PUSH(&f, x);
    }
    uint8_t *text = ez_alloc(end - start);
    ck_assert_uint_eq(ez_object_read_text(o, start, text, end - start), end - start);
    struct ez_text *t;
    ck_assert_ptr_null(ez_text_create(
        &(struct ez_text_desc){ ez_arch_host(), text, end - start, start, f.at, f.n, NULL, 0 },
        &t));
    for (size_t i = 0; i < f.n; i++) {
        struct ez_patch_region w;
        ok += ez_err_drop(ez_analyze(t, f.at[i].addr, JUMPS, &w));
    }
    ck_assert_uint_gt(ok, f.n * 97 / 100);
    ez_text_destroy(t);
    free(text);
    EZ_VEC_FREE(&f);
    ez_object_close(o);
}
END_TEST

START_TEST(names)
{
    ck_assert_str_eq(ez_exit_denied("setjmp"), "it returns twice");
    ck_assert_str_eq(ez_exit_denied("__GI___sigsetjmp"), "it returns twice");
    ck_assert_str_eq(ez_exit_denied("__GI_swapcontext"), "it returns to another context");
    ck_assert_str_eq(ez_exit_denied("___dlsym"), "it looks at its return address");
    ck_assert_str_eq(ez_hook_wanted("__GI__Unwind_Find_FDE"), "eztsh itself needs this function");
    ck_assert_ptr_null(ez_exit_denied("__GI_"));
    ck_assert_ptr_null(ez_exit_denied("__GI_printf"));
    ck_assert_ptr_nonnull(ez_exit_denied("__libc_start_main@@GLIBC_2.34"));
    ck_assert_ptr_nonnull(ez_exit_denied("dlsym"));
    ck_assert_ptr_nonnull(ez_exit_denied("__morestack"));
    ck_assert_ptr_null(ez_exit_denied("__morestack_fail"));
    ck_assert_ptr_nonnull(ez_exit_denied("_Unwind_RaiseException"));
    ck_assert_ptr_nonnull(ez_exit_denied("_ZN11__sanitizer20internal_sched_yieldEv"));
    ck_assert_ptr_null(ez_exit_denied("_ZN3foo11__sanitizerEv"));
    ck_assert_ptr_nonnull(ez_exit_denied("_Unwind_Find_FDE"));
    ck_assert_ptr_null(ez_probe_denied("_Unwind_Find_FDE"));
    ck_assert_ptr_null(ez_exit_denied("main"));
    ck_assert_ptr_null(ez_exit_denied("longjmp"));
    ck_assert_ptr_null(ez_exit_denied(NULL));
    ck_assert_ptr_nonnull(ez_exit_denied("_start"));
    ck_assert_ptr_null(ez_probe_denied("_start")); /* its entry may be probed */
    ck_assert_ptr_nonnull(ez_probe_denied("__restore_rt"));
    ck_assert_ptr_null(ez_probe_denied("malloc"));
    ck_assert_ptr_nonnull(ez_probe_denied("runtime.goexit.abi0"));
    ck_assert_ptr_null(ez_probe_denied("runtime.goexit1"));
    ck_assert_ptr_nonnull(ez_walker_sign("caml_frametable"));
    ck_assert_ptr_nonnull(ez_walker_sign("Builtins_Abort"));
    ck_assert_ptr_null(ez_walker_sign("runtime.goexit0"));
    ck_assert_ptr_null(ez_walker_sign(NULL));
}
END_TEST

/* The reason that came most often is named, however late it came first; the sum is kept. */
START_TEST(reasons)
{
    struct ez_bulk b = { 0 };
    char text[80], cut[80];
    unsigned sum = 0;
    for (unsigned i = 0; i < 60; i++) {
        snprintf(text, sizeof text, "reason %u", i);
        ez_bulk_reason(&b, text, 0);
    }
    for (unsigned i = 0; i < 1000; i++)
        ez_bulk_reason(&b, "reason 20", 0);
    for (unsigned i = 0; i < 100; i++) {
        ez_err *e =
            ez_err_place(ez_err_new(EZ_E_REFUSED, 0, "overlaps the probe"), " at 0x%x", 0x1abc + i);
        ez_cover_reason(e->msg, e->what, cut, sizeof cut);
        ck_assert_str_eq(cut, "overlaps the probe");
        ez_err_free(e);
    }
    ez_bulk_sort(&b);
    ck_assert_uint_eq(b.nreasons, 16);
    ck_assert_str_eq(b.reasons[0].reason, "reason 20");
    ck_assert_uint_eq(b.reasons[0].n, 1001);
    ck_assert_str_eq(b.reasons[15].reason, "other reasons");
    for (unsigned i = 0; i < b.nreasons; i++)
        sum += b.reasons[i].n;
    ck_assert_uint_eq(sum, 1060);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("analyze");
    TCase *t = tcase_create("analyze");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, too_large);
    tcase_add_loop_test(t, verdict, 0, (int)EZ_ARRAY_LEN(cases));
    tcase_add_test(t, one_address);
    tcase_add_test(t, no_address_for_a_probe);
    tcase_add_loop_test(t, no_jump_lies_on_two_pages, 1, 24);
    tcase_add_test(t, stop_inside);
    tcase_add_test(t, jump_table);
    tcase_add_test(t, one_jump_table_ends_where_the_next_begins);
    tcase_add_test(t, pointer);
    tcase_add_test(t, fault_table);
    tcase_add_loop_test(t, tables, 0, 4);
    tcase_add_test(t, no_table);
    tcase_add_loop_test(t, host, 0, 4);
    tcase_add_test(t, longer_puns);
    tcase_add_test(t, coverage);
    tcase_add_test(t, names);
    tcase_add_test(t, reasons);
    suite_add_tcase(s, t);
    return run_suite(s);
}
