/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_eval.c - values without a process: what expressions give, the history, convenience variables,
 * formats; and the machine, operation by operation. With a process: tests/procs/print.sh. */
#include "engine/dwarf/type.h"
#include "engine/eval/eval_priv.h"
#include "engine/expr/machine.h"
#include "tests/unit/process.h"
#include "tests/unit/suite.h"

static struct ez_target *target;
static struct ez_history *history;

static void setup(void)
{
    ez_err *e = ez_target_create(&target);
    ck_assert_msg(!e, "%s", e ? e->msg : "");
    history = ez_history_new(target);
}

static void teardown(void)
{
    ez_history_free(history);
    ez_target_destroy(target);
}

/* As print shows it, or the error; "/x" may stand before it. */
static char *shown(const char *text)
{
    struct ez_value v;
    char *out, format = *text == '/' ? text[1] : 0;
    ez_err *e = ez_eval(history, text + (format ? 3 : 0), NULL, &v);
    if (e) {
        out = ez_strdup(e->msg);
        ez_err_free(e);
        return out;
    }
    out = ez_value_text(history, &v, format);
    ez_history_record(history, &v);
    return out;
}

static const char *const cases[][2] = {
    { "1 + 2 * 3", "7" },
    { "10 / 3", "3" },
    { "10 / 3.0", "3.3333333333333335" },
    { "-7 % 3", "-1" },
    { "1 / 0", "Division by zero" },
    { "1.5f * 2", "3" },
    { "0.1f", "0.100000001" },
    { "0.1f * 3", "0.300000012" },
    { "1.0 / 0", "inf" },
    { "0.0 / 0", "-nan(0x8000000000000)" },
    { "-1U", "4294967295" },
    { "2147483647 + 1", "-2147483648" },
    { "2147483648", "2147483648" },
    { "(char)65", "65 'A'" },
    { "(unsigned char)200", "200 '\\310'" },
    { "(short)-70000", "-4464" },
    { "(bool)5", "true" },
    { "(float)1 / 3", "0.333333343" },
    { "'\\n'", "10 '\\n'" },
    { "\"abc\"", "\"abc\"" },
    { "sizeof(\"abc\")", "4" },
    { "\"abc\"[1]", "98 'b'" },
    { "\"a\\000b\\\"\"", "\"a\\000b\\\"\"" },
    { "\"aaaaaaaaaaaaaaaab\"", "'a' <repeats 16 times>, \"b\"" },
    { "&\"abc\"", "evaluation of this expression requires the target program to be active" },
    { "sizeof(long double)", "16" },
    { "(int *)0x1000", "(int *) 0x1000" },
    { "(int *)0x1000 + 1", "(int *) 0x1004" },
    { "*(int *)8", "Cannot access memory at address 0x8" },
    { "*8", "Cannot access memory at address 0x8" },
    { "1 ? 2 : 1 / 0", "2" },
    { "0 && 1 / 0", "0" },
    { "1 || 1 / 0", "1" },
    { "!5", "0" },
    { "~5", "-6" },
    { "1 << 4 | 1", "17" },
    { "3 > 2 == 1", "1" },
    { "nosuch", "No symbol table is loaded.  Use the \"file\" command." },
    { "$nosuch", "void" },
    { "$nosuch = 5", "5" },
    { "1 = 2", "Left operand of assignment is not an lvalue." },
    { "5@2", "Only values in memory can be extended with '@'." },
    { "f(1)", "No symbol table is loaded.  Use the \"file\" command." },
    { "5(1)", "function has unknown return type; cast the call to its declared return type" },
    { "(int)5(1)", "You can't do that without a process to debug." },
    { "1++", "Left operand of assignment is not an lvalue." },
    { "($n = 4) + 1", "5" },
    { "($n = 4) + $n++ + $n", "13" },
    { "($n = 4) + --$n + 1", "8" },
    { "($n = 4) + (0 && ($n = 9)) + $n", "8" },
    { "($n = 4) + (1 ? $n : ($n = 9)) + $n", "12" },
    { "sizeof($n = 9)", "Calls and assignments are not possible inside sizeof" },
    { "1 +", "A syntax error in expression, near `'." },
    { "$_json(\"info probes\", \"x\")", "$_json needs a session that runs commands" },
    { "$pc", "The program has no registers now." },
    { "(struct nosuch *)1", "No struct type named nosuch." },
    { "1.5 & 1", "Argument to arithmetic operation not a number or boolean." },
    { "(int *)8 + (int *)8", "Argument to arithmetic operation not a number or boolean." },
    { "/x 255", "0xff" },
    { "/x -1", "0xffffffff" },
    { "/x \"ab\"", "{0x61, 0x62, 0x0}" },
    { "/x 1.0", "0x3ff0000000000000" },
    { "/o 8", "010" },
    { "/o 0", "0" },
    { "/t 10", "1010" },
    { "/d (unsigned char)200", "-56" },
    { "/u -1", "4294967295" },
    { "/c 65", "65 'A'" },
    { "/z 5", "0x00000005" },
    { "/f 1078530011", "3.14159274" },
    { "/a 0", "0x0" },
    { "/s \"ab\"", "\"ab\"" },
};

START_TEST(expressions)
{
    EZ_FREE char *text = shown(cases[_i][0]);
    ck_assert_str_eq(text, cases[_i][1]);
}
END_TEST

static void is(const char *text, const char *expected)
{
    EZ_FREE char *got = shown(text);
    ck_assert_msg(!strcmp(got, expected), "%s: %s, not %s", text, got, expected);
}

START_TEST(history_counts)
{
    is("$", "void"); /* the first value */
    is("11", "11");
    is("22", "22");
    is("$", "22");
    is("$2", "11");
    is("$$3", "11");
    is("$$", "11");
    is("$2 * $3", "242");
    is("$99", "History has not yet reached $99.");
    is("$$99", "History has not yet reached $-91.");
    is("$3 = 1", "Left operand of assignment is not an lvalue.");
}
END_TEST

START_TEST(variables_are_kept)
{
    is("$v = 5", "5");
    is("$v += 2", "7");
    is("$v * $v", "49");
    is("$w = $v", "7");
    is("$v = \"text\"", "\"text\"");
    is("$v[1]", "101 'e'");
    is("$w", "7");
    is("$v = $w = 3", "3");
    is("$v + $w", "6");
    is("&$v", "Attempt to take address of value not located in memory.");
    const uint64_t n = 9;
    ez_history_set(history, "_exitcode", &n);
    is("$_exitcode", "9");
    ez_history_set(history, "_exitcode", NULL);
    is("$_exitcode", "void");
}
END_TEST

START_TEST(items_end_at_commas)
{
    struct ez_value v;
    const char *end;
    ck_assert_ptr_null(ez_eval(history, "1 + 2, 4", &end, &v));
    ck_assert_str_eq(end, ", 4");
    ck_assert_uint_eq(v.n, 4);
    ez_value_clear(&v);
}
END_TEST

/* ---- the machine ------------------------------------------------------------------------------------ */

static ez_err *no_memory(void *arg, uint64_t from, void *to, size_t n)
{
    return ez_err_new(EZ_E_SYS, 0, "0x%llx", (unsigned long long)from);
}

static ez_err *its_number(void *arg, const struct ez_code_op *op, uint64_t *out)
{
    *out = op->a;
    return NULL;
}

static uint64_t ran(const struct ez_code_op *op, size_t n)
{
    const struct ez_machine m = { .read = no_memory, .word = its_number };
    uint64_t result = 0;
    ck_assert_ptr_null(ez_machine_run(&m, op, n, &result));
    return result;
}

START_TEST(machine_runs)
{
    const struct ez_code_op sum[] = { { .op = EZ_OP_REG, .a = 3 },
                                      { .op = EZ_OP_IMM, .imm = 4 },
                                      { .op = EZ_OP_MUL },
                                      { .op = EZ_OP_SUB, .b = EZ_CODE_IMM, .imm = 2 } };
    ck_assert_uint_eq(ran(sum, EZ_ARRAY_LEN(sum)), 10);
    const struct ez_code_op jumps[] = { { .op = EZ_OP_IMM, .imm = 0 },
                                        { .op = EZ_OP_JZ, .imm = 2 },
                                        { .op = EZ_OP_IMM, .imm = 1 },
                                        { .op = EZ_OP_JUMP, .imm = 1 },
                                        { .op = EZ_OP_IMM, .imm = 2 } };
    ck_assert_uint_eq(ran(jumps, EZ_ARRAY_LEN(jumps)), 2);
    struct ez_code_op wide[] = { { .op = EZ_OP_WIDE }, { .op = 0 }, { .op = EZ_OP_CUT, .a = 8 } };
    memset(&wide[1], 0x5a, sizeof wide[1]);
    ck_assert_uint_eq(ran(wide, EZ_ARRAY_LEN(wide)), 0x5a);
    ck_assert_uint_eq(ran(wide, 0), 0);
    /* Code that no verifier saw stays in its stack, and ends. */
    const struct ez_code_op wrong[] = {
        { .op = EZ_OP_ADD }, { .op = EZ_OP_JUMP, .imm = -1 }, { .op = EZ_OP_DROP }, { .op = 255 }
    };
    ran(wrong, EZ_ARRAY_LEN(wrong));
}
END_TEST

/* What a trampoline's code may use, but not an expression that the shell evaluates. */
START_TEST(words_of_a_hit)
{
    static const uint8_t op[] = { EZ_OP_TICK, EZ_OP_COMM, EZ_OP_NTH, EZ_OP_GATE, EZ_OP_SAVED };
    const struct ez_regs r = { 0 };
    struct eval ev = { .v = history, .t = target, .regs = &r };
    uint64_t out = 1;
    for (size_t i = 0; i < EZ_ARRAY_LEN(op); i++)
        ck_assert_str_eq(
            why_not(frame_pushed(&ev, &(struct ez_code_op){ .op = op[i] }, &out)),
            "The expression uses a value that exists only while a probe records a hit");
}
END_TEST

/* ---- other processors --------------------------------------------------------------------------- */

static struct ez_arch other; /* this processor, of which eztsh knows less */

START_TEST(a_processor_without_vector_registers)
{
    const uint8_t *bytes;
    const struct ez_regs r = { 0 };
    struct eval ev = { .v = history, .t = target, .regs = &r };
    other = *ez_arch_host();
    other.regs.extended_vector = 0;
    target->inf.arch = &other;
    ck_assert_str_eq(why_not(register_vector(&ev, 0, &bytes)),
                     "eztsh does not support vector registers on this processor");
}
END_TEST

static void calls_fail(const char *text, const char *want)
{
    struct ez_history *v = ez_history_new(t);
    struct ez_value value;
    ez_err *e = ez_eval(v, text, NULL, &value);
    ck_assert_msg(e != NULL, "%s: no error", text);
    ck_assert_str_eq(why_not(e), want);
    ez_history_free(v);
}

START_TEST(a_processor_with_few_calls)
{
    static const char real[] = "((double (*)(double, int))ldexp)(1.5, 2)";
    if (!proc_there("check_eval"))
        return;
    launch("p_app", "1");
    outlived_by_none(t->inf.pid);
    other = *ez_arch_host();
    struct ez_convention by = *other.abi.convention;
    t->inf.arch = &other;
    by.narguments = 0;
    other.abi.convention = &by;
    calls_fail("twice(1)", "Cannot call the function: an argument is passed in a register that "
                           "eztsh cannot set");
    other.abi = ez_arch_host()->abi;
    other.abi.call_stack = NULL;
    calls_fail(real, "On this processor a call can pass at most six integers, and return one");
    other.abi.convention = NULL;
    EZ_FREE char *want = ez_sprintf("Cannot pass an argument of type double: on %s, eztsh passes "
                                    "at most six integers and pointers",
                                    other.name);
    calls_fail(real, want);
    t->inf.arch = ez_arch_host();
    close_target();
}
END_TEST

int main(void)
{
    Suite *s = suite_create("eval");
    TCase *c = tcase_create("eval");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_loop_test(c, expressions, 0, EZ_ARRAY_LEN(cases));
    tcase_add_test(c, history_counts);
    tcase_add_test(c, variables_are_kept);
    tcase_add_test(c, items_end_at_commas);
    tcase_add_test(c, machine_runs);
    tcase_add_test(c, words_of_a_hit);
    tcase_add_test(c, a_processor_without_vector_registers);
    tcase_add_test(c, a_processor_with_few_calls);
    suite_add_tcase(s, c);
    return run_suite(s);
}
