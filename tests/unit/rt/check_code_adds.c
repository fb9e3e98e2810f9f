/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_code_adds.c - what aggregates add up, from their words to their rows; which words do not compile, and
 * which code is refused; code that was overwritten. See code_harness.h. */
#include "tests/unit/code_harness.h"
#include "engine/patch/clause.h"

/* ---- aggregates ------------------------------------------------------------------------------- */

/* What an aggregate finds in the calls with n = -50 to 49. */
static struct ez_addup_sum added(const char *cond, const char *value, const char *key, bool hist)
{
    const struct ez_probe_spec spec = { .kind = EZ_PROBE_ENTRY,
                                        .cond = cond,
                                        .adds = hist ? EZ_ADDS_HIST : EZ_ADDS_SUM,
                                        .value = value,
                                        .key = key };
    const struct ez_request ask = { .spec = &spec, .max_string = 16, .table = tables };
    struct ez_clause_code *code = NULL;
    ok(ez_clause_compile(&ask, &scope, &code));
    struct ez_addup_sum sum = { .kind = hist ? EZ_ADDUP_HIST : EZ_ADDUP_NUMBERS,
                                .of = code->adds_of };
    lay_out(code, EZ_ROW_ENTRY);
    ok(ez_drain_reserve_addups(drain, ++tables));
    for (int n = -50; n < 50; n++) {
        reg[5] = (uint32_t)n;
        real = n / 4.0;
        reg[1] = (uint64_t)(n % 3 ? "one text" : "another");
        call(1);
    }
    ez_drain_addup(drain, tables - 1, &sum);
    unprepare();
    return sum;
}

static const struct ez_addup_line *line_of(const struct ez_addup_sum *s, uint64_t key)
{
    for (size_t i = 0; i < s->line.n; i++)
        if (s->line.at[i].key == key)
            return &s->line.at[i];
    ck_abort_msg("no row for %ld", (long)key);
    return NULL;
}

START_TEST(hits_are_added_up)
{
    struct ez_addup_sum s = added("", "", "", false); /* a count */
    ck_assert_uint_eq(s.line.n, 1);
    ck_assert_uint_eq(s.line.at[0].n, 100);
    ez_addup_free(&s);
    s = added("n > 10", "n", "", false);
    ck_assert_uint_eq(s.line.at[0].n, 39);
    ck_assert_int_eq(s.line.at[0].sum.i, 39 * (11 + 49) / 2);
    ck_assert_int_eq(s.line.at[0].least.i, 11);
    ck_assert_int_eq(s.line.at[0].most.i, 49);
    ez_addup_free(&s);
    s = added("", "n", "n % 4", false);
    ck_assert_uint_eq(s.line.n, 7); /* -3 to 3, as in C */
    ck_assert_uint_eq(line_of(&s, (uint64_t)-2)->n, 13);
    ck_assert_int_eq(line_of(&s, (uint64_t)-2)->least.i, -50);
    ck_assert_int_eq(line_of(&s, 3)->most.i, 47);
    ck_assert_uint_eq(s.full, 0);
    ez_addup_free(&s);
    s = added("", "d", "", false);
    ck_assert(s.of == EZ_OF_DOUBLE && s.line.at[0].sum.d == -50 / 4.0);
    ck_assert(s.line.at[0].least.d == -12.5 && s.line.at[0].most.d == 12.25);
    ez_addup_free(&s);
    s = added("", "", "s", false);
    ck_assert_uint_eq(s.line.n, 2);
    const struct ez_addup_line *l = &s.line.at[strcmp(s.line.at[0].text, "one text") != 0];
    ck_assert_str_eq(l->text, "one text");
    ck_assert_uint_eq(l->n, 67);
    ez_addup_free(&s);
    s = added("", "*bad", "", false); /* what cannot be read is not added */
    ck_assert_uint_eq(s.line.n, 0);
    ez_addup_free(&s);
}
END_TEST

START_TEST(values_fall_into_buckets)
{
    struct ez_addup_sum s = added("n >= 0", "n", "", true);
    uint64_t all = 0;
    for (uint32_t i = 0; i < EZ_ADDUP_BUCKETS; i++) {
        uint64_t lo = ez_addup_floor(i), hi = ez_addup_floor(i + 1), want = 0;
        for (uint64_t n = 0; n < 50; n++)
            want += n >= lo && n < hi;
        ck_assert_uint_eq(s.line.at[0].bucket[i], want);
        all += want;
    }
    ck_assert_uint_eq(all, 50);
    for (uint64_t v = 1; v; v <<= 1)
        for (int off = -1; off <= 1; off++) {
            uint32_t b = ez_addup_bucket(v + (uint64_t)off);
            ck_assert(b < EZ_ADDUP_BUCKETS && ez_addup_floor(b) <= v + (uint64_t)off);
        }
    int64_t half = ez_addup_quantile(&s, &s.line.at[0], 0.5).i;
    ck_assert(half > 23 && half < 27);
    ez_addup_free(&s);
}
END_TEST

/* n = -50 to 49 as unsigned numbers: 0 to 49, then 2^64 - 50 to 2^64 - 1. */
START_TEST(unsigned_values_are_compared_as_such)
{
    for (int hist = 0; hist < 2; hist++) {
        struct ez_addup_sum s = added("", "(unsigned long)n", "", hist);
        ck_assert_int_eq(s.of, EZ_OF_UINT);
        ck_assert_uint_eq(s.line.n, 1);
        ck_assert_int_eq(s.line.at[0].least.i, 0);
        ck_assert_int_eq(s.line.at[0].most.i, -1);
        if (hist) {
            int64_t half = ez_addup_quantile(&s, &s.line.at[0], 0.5).i;
            ck_assert(half >= 48 &&
                      half <= 51); /* it is 49, which is in the bucket from 48 to 51 */
            uint64_t more = (uint64_t)ez_addup_quantile(&s, &s.line.at[0], 0.75).i;
            ck_assert_uint_ge(more, 15ull << 60);
        }
        ez_addup_free(&s);
    }
}
END_TEST

START_TEST(negative_values_have_buckets)
{
    struct ez_addup_sum s = added("", "n", "", true);
    const struct ez_addup_line *l = &s.line.at[0];
    ck_assert_uint_eq(s.line.n, 1);
    ck_assert_uint_eq(l->n, 100);
    ck_assert_int_eq(l->least.i, -50);
    ck_assert_int_eq(l->most.i, 49);
    for (int rank = 1; rank <= 100; rank++) { /* the value of rank r is r - 51 */
        int64_t v = ez_addup_quantile(&s, l, rank / 100.).i, far = v - (rank - 51);
        ck_assert_msg(far * 8 <= 50 && far * 8 >= -50, "%d: %ld", rank, (long)v);
    }
    int64_t last = INT64_MIN;
    for (uint32_t k = 0; k < EZ_ADDUP_LEVELS; k++) {
        uint32_t i = ez_addup_level(k);
        uint64_t want = 0;
        for (int64_t n = -50; n < 50; n++)
            want += n >= ez_addup_low(i).i && n <= ez_addup_high(i).i &&
                    (n < 0) == (i >= EZ_ADDUP_BUCKETS); /* there is no -0 */
        if (want)
            ck_assert_uint_eq(l->bucket[i], want);
        if (l->bucket[i])
            ck_assert_int_gt(ez_addup_low(i).i, last);
        last = l->bucket[i] ? ez_addup_low(i).i : last;
    }
    ez_addup_free(&s);
    s = added("n < 0", "n", "", true);
    ck_assert_int_eq(ez_addup_quantile(&s, &s.line.at[0], 0.02).i, -50);
    ck_assert_int_eq(ez_addup_quantile(&s, &s.line.at[0], 1).i, -1);
    ez_addup_free(&s);
    s = added("", "n", "n & 3", true); /* each key has both signs */
    ck_assert_uint_eq(s.line.n, 4);
    ck_assert_uint_eq(s.full, 0);
    ez_addup_free(&s);
}
END_TEST

START_TEST(a_full_table_counts_what_it_cannot_take)
{
    struct ez_addup_sum s = added("", "n", "n", true); /* 100 keys, 16 rows */
    uint64_t taken = 0;
    for (size_t i = 0; i < s.line.n; i++)
        taken += s.line.at[i].n;
    ck_assert_uint_eq(s.line.n, ez_addup_rows(EZ_ADDUP_HIST));
    ck_assert_uint_eq(taken + s.full, 100);
    ez_addup_free(&s);
}
END_TEST

/* ---- what does not compile -------------------------------------------------------------------- */

START_TEST(wrong_words_are_refused)
{
    static const struct {
        const char *cond, *collect, *leave, *says;
    } told[] = {
        { "nosuch", "", "", "No symbol \"nosuch\" in current context." },
        { "", "p->nosuch", "", "There is no member named nosuch." },
        { "", "n.x", "", "Attempt to extract a component of a value that is not a structure." },
        { "", "n->x", "",
          "Attempt to extract a component of a value that is not a structure pointer." },
        { "", "*n", "", "Attempt to take contents of a non-pointer value." },
        { "", "&n", "", "Attempt to take address of value not located in memory." },
        { "", "&p->lo", "", "A bit-field has no address" },
        { "$ret", "", "", "$ret is known only at the function's exit" },
        { "f()", "", "", "Calls are not possible in a probe" },
        { "$_streq(str, s)", "", "", "One argument of $_streq must be a literal in a probe" },
        { "$_streq(n, \"a\")", "", "", "$_streq needs a string, and not a value of type int" },
        { "$_streq(str)", "", "", "You must provide 2 arguments to $_streq" },
        { "$_memeq(str, \"abc\", n)", "", "",
          "The arguments 2 and 3 of $_memeq must be a literal and a number of its bytes in a "
          "probe" },
        { "$_memeq(str, \"abc\", 5)", "", "",
          "The arguments 2 and 3 of $_memeq must be a literal and a number of its bytes in a "
          "probe" },
        { "$_regex(str, \"a\")", "", "", "Calls are not possible in a probe" },
        { "n = 1", "", "", "Assignments are not possible in a probe" },
        { "", "n@3", "", "Repetitions (@) are not possible in a probe" },
        { "", "\"abc\"", "", "Strings are not possible in a probe" },
        { "wide > 1", "", "",
          "Computing with a value of type long double is not possible in a probe" },
        { "d % 2", "", "", "Argument to arithmetic operation not a number or boolean." },
        { "~d", "", "", "Argument to complement operation not an integer, boolean." },
        { "", "gone", "", "The value is not known here: optimized out" },
        { "", "n:q", "", "\"q\" is not a format" },
        { "", "s:hex(9999)", "", "\"hex(9999)\" is not a format" },
        { "", "$args:x", "", "$args cannot have a format: it is several values" },
        { "", "n,", "", "An item is missing after the last comma" },
        { "", "n,,n", "", "An item is missing near \"\"" },
        { "", "(struct nosuch *)s", "", "No struct nosuch." },
        { "", "$arg99", "", "There is no argument $arg99" },
        { "$nosuch", "", "", "$nosuch is not available in a probe" },
        { "", "", "two, p, s, k, n, u, e",
          "Cannot keep so many values for the exit: there is room for 6 words of 8 bytes a call" },
        { "", "n,n,n,n,n,n,n,n,n,n,n,n,n,n,n", "",
          "The items do not fit into an event, which has room for 14 items and 64 words of 8 "
          "bytes" },
    };
    ez_err *e = prepare(told[_i].cond, told[_i].collect, told[_i].leave, true);
    ck_assert_msg(e, "%s %s", told[_i].cond, told[_i].collect);
    ck_assert_str_eq(e->msg, told[_i].says);
    ez_err_free(e);
}
END_TEST

/* Code that a compiler must never make. */
START_TEST(wrong_code_is_refused)
{
    static const struct ez_code_op told[][3] = {
        { { EZ_OP_ADD, 0, 0, 0 } },                           /* the stack is empty      */
        { { EZ_OP_IMM, 0, 0, 1 }, { EZ_OP_IMM, 0, 0, 1 } },   /* two results             */
        { { EZ_OP_IMM, 0, 0, 1 }, { EZ_OP_JUMP, 0, 0, -2 } }, /* back                    */
        { { EZ_OP_IMM, 0, 0, 1 }, { EZ_OP_JUMP, 0, 0, 5 } },  /* out                     */
        { { EZ_OP_IMM, 0, 0, 1 }, { EZ_OP_JZ, 0, 0, 0 } },    /* no result               */
        { { EZ_OP_IMM, 0, 0, 1 }, { EZ_OP_EMIT, 0, 0, 0 }, { EZ_OP_IMM, 0, 0, 1 } },
        { { EZ_OP_IMM, 0, 0, 1 }, { EZ_OP_LOAD, 3, 0, 0 } }, /* of three bytes          */
        { { EZ_OP_IMM, 0, 0, 1 }, { EZ_OP_CUT, 0, 0, 0 } },  /* to nothing              */
        { { EZ_OP_REG, 16, 64, 0 } },                        /* there is no such        */
        { { EZ_OP_SAVED, EZ_SAVED_WORDS, 0, 0 } },
        { { EZ_NOP, 0, 0, 0 } },
        { { EZ_OP_JUMP, 0, 0, 1 }, { EZ_OP_DUP, 0, 0, 0 }, { EZ_OP_IMM, 0, 0, 1 } },
    };
    struct ez_clause_code c = { .cond = { 0, 1 } };
    for (unsigned i = 0; i < 3; i++) {
        if (i && !told[_i][i].op)
            break;
        EZ_PUSH(&c.op, told[_i][i]);
        c.cond.n = (uint16_t)(i + 1);
    }
    ck_assert(!ez_err_drop(ez_clause_verify(&c)));
    EZ_VEC_FREE(&c.op);
}
END_TEST

/* Whatever stands in the code's place, the runtime ends and stays in its event. */
START_TEST(code_that_was_overwritten_harms_nobody)
{
    uint64_t seed = 88172645463325252u + (unsigned)_i;
    ok(ez_drain_open(drain, path));
    ok(prepare("n < 100", "n, s, p->name, *bad", "n, $ret", true));
    size_t size = ez_clauses_size(&site, 1);
    size_t code = sizeof(struct ez_program) + sizeof(struct ez_clause);
    for (unsigned round = 0; round < 300; round++) {
        ez_clauses_fill(&site, 1, program);
        for (unsigned k = 0; k < 8; k++) {
            seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
            program[code + seed % (size - code)] = (uint8_t)(seed >> 32);
        }
        call(1);
    }
    stat_now();
    ok(ez_drain_close(drain));
    EZ_FREE char *all = read_values();
    unprepare();
}
END_TEST

int main(void)
{
    Suite *s = suite_create("code_adds");
    TCase *c = tcase_create("code_adds");
    tcase_add_checked_fixture(c, code_setup, teardown);
    tcase_set_timeout(c, 60);
    tcase_add_test(c, hits_are_added_up);
    tcase_add_test(c, values_fall_into_buckets);
    tcase_add_test(c, unsigned_values_are_compared_as_such);
    tcase_add_test(c, negative_values_have_buckets);
    tcase_add_test(c, a_full_table_counts_what_it_cannot_take);
    tcase_add_loop_test(c, wrong_words_are_refused, 0, 31);
    tcase_add_loop_test(c, wrong_code_is_refused, 0, 12);
    tcase_add_loop_test(c, code_that_was_overwritten_harms_nobody, 0, 4);
    suite_add_tcase(s, c);
    return run_suite(s);
}
