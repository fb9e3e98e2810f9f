/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_a64.c - A64 instructions, on whatever processor this runs. The words are gas'. */
#include <check.h>
#include <string.h>

#include "arch/aarch64/a64.h"
#include "tests/unit/suite.h"

#define VA 0x410000ull

static const struct {
    uint32_t word;
    enum ez_flow flow;
    uint64_t target;
} rows[] = {
    { 0x94000002, EZ_FLOW_CALL, VA + 8 },        /* bl .+8                */
    { 0x97ffffff, EZ_FLOW_CALL, VA - 4 },        /* bl .-4                */
    { 0x15ffffff, EZ_FLOW_JMP, VA + 0x7fffffc }, /* b, as far as it goes  */
    { 0x16000000, EZ_FLOW_JMP, VA - 0x8000000 }, /* and back              */
    { 0x54000040, EZ_FLOW_JCC, VA + 8 },         /* b.eq .+8              */
    { 0xb4ffffe0, EZ_FLOW_JCC, VA - 4 },         /* cbz x0, .-4           */
    { 0x35000041, EZ_FLOW_JCC, VA + 8 },         /* cbnz w1, .+8          */
    { 0x36080040, EZ_FLOW_JCC, VA + 8 },         /* tbz w0, #1, .+8       */
    { 0xb707ffe3, EZ_FLOW_JCC, VA - 4 },         /* tbnz x3, #32, .-4     */
    { 0xd63f0200, EZ_FLOW_ICALL, 0 },            /* blr x16               */
    { 0xd73f0a11, EZ_FLOW_ICALL, 0 },            /* blraa x16, x17        */
    { 0xd61f0220, EZ_FLOW_IJMP, 0 },             /* br x17                */
    { 0xd65f03c0, EZ_FLOW_RET, 0 },              /* ret                   */
    { 0xd65f0bff, EZ_FLOW_RET, 0 },              /* retaa                 */
    { 0xd4000001, EZ_FLOW_SYSCALL, 0 },          /* svc #0                */
    { 0xd4200000, EZ_FLOW_TRAP, 0 },             /* brk #0                */
    { 0x00000000, EZ_FLOW_TRAP, 0 },             /* udf #0                */
    { 0x10000040, EZ_FLOW_PLAIN, VA + 8 },       /* adr x0, .+8           */
    { 0x70ffffe1, EZ_FLOW_PLAIN, VA - 1 },       /* adr x1, .-1           */
    { 0x90000080, EZ_FLOW_PLAIN, VA + 0x10000 }, /* adrp x0, .+0x10000    */
    { 0xf0ffffe0, EZ_FLOW_PLAIN, VA - 0x1000 },  /* adrp x0, .-0x1000     */
    { 0x58000050, EZ_FLOW_PLAIN, VA + 8 },       /* ldr x16, .+8          */
    { 0xd503201f, EZ_FLOW_PLAIN, 0 },            /* nop                   */
    { 0x91000210, EZ_FLOW_PLAIN, 0 },            /* add x16, x16, #0      */
};

START_TEST(where_it_leads)
{
    uint8_t code[A64_LEN];
    struct ez_insn in;
    memcpy(code, &rows[_i].word, sizeof code);
    ck_assert_ptr_null(a64_decode(code, sizeof code, VA, &in));
    ck_assert_uint_eq(in.len, A64_LEN);
    ck_assert_msg(in.flow == rows[_i].flow && in.target == rows[_i].target,
                  "%08x: flow %u, target %#lx", rows[_i].word, in.flow, (unsigned long)in.target);
    ck_assert_uint_eq(in.is_nop, rows[_i].word == 0xd503201f);
}
END_TEST

START_TEST(cut_off)
{
    struct ez_insn in;
    ck_assert_uint_eq(a64_length((const uint8_t *)"\0\0\0", 3), 0);
    ez_err *e = a64_decode((const uint8_t *)"\0\0\0", 3, VA, &in);
    ck_assert_int_eq(e->code, EZ_E_DECODE);
    ez_err_free(e);
}
END_TEST

/* adrp x16, VA + 0x10000; ldr x17, [x16, #0x18]; add x16, x16, #0x18; br x17 */
static const uint32_t slot[] = { 0x90000090, 0xf9400e11, 0x91006210, 0xd61f0220 };

START_TEST(plt)
{
    const uint32_t behind[] = { 0xd503245f, slot[0], slot[1], slot[2], slot[3] }; /* bti c */
    const uint8_t *code = (const uint8_t *)slot;
    uint64_t word = 0;
    ck_assert(a64_plt_slot(code, sizeof slot, VA, &word));
    ck_assert_uint_eq(word, VA + 0x10018);
    ck_assert(a64_plt_slot((const uint8_t *)behind, sizeof behind, VA, &word));
    ck_assert_uint_eq(word, VA + 0x10018);
    ck_assert(!a64_plt_slot(code, sizeof slot - 4, VA, &word));
    ck_assert(!a64_plt_slot(code + 4, sizeof slot - 4, VA, &word));
}
END_TEST

/* adrp x0, VA + 0x10000; add x0, x0, #0x18; bl VA + 0x100 */
START_TEST(first_argument)
{
    const uint32_t start[] = { 0x90000080, 0x91006000, 0x9400003e };
    uint64_t to = 0;
    ck_assert_uint_eq(a64_first_argument((const uint8_t *)start, sizeof start, VA, &to),
                      VA + 0x10018);
    ck_assert_uint_eq(to, VA + 0x100);
    ck_assert_uint_eq(a64_first_argument((const uint8_t *)start, 8, VA, &to), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("a64");
    TCase *tc = tcase_create("decode");
    tcase_add_loop_test(tc, where_it_leads, 0, EZ_ARRAY_LEN(rows));
    tcase_add_test(tc, cut_off);
    tcase_add_test(tc, plt);
    tcase_add_test(tc, first_argument);
    suite_add_tcase(suite, tc);
    return run_suite(suite);
}
