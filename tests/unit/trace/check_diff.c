/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_diff.c - the comparison of two sides: which rows belong together, their values and order. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine/trace/diff.h"
#include "tests/unit/suite.h"

/* A row of calls of ns each. */
static struct ez_stat_row calls(const char *function, const char *library, uint64_t n, uint64_t ns)
{
    return (struct ez_stat_row){ .function = function,
                                 .library = library,
                                 .rank = EZ_NO_RANK,
                                 .calls = n,
                                 .total_ns = n * ns,
                                 .self_ns = n * ns / 2,
                                 .times = { .total = n, .sum = n * ns } };
}

static void add(struct ez_diff *d, unsigned side, size_t run, struct ez_stat_row *row, size_t n)
{
    struct ez_stats st = { .row = row, .n = n };
    ez_diff_add(d, side, run, side ? "/new/app2" : "app", &st);
}

/* "FUNCTION LIBRARY before/after of total, self, mean, calls; on which sides" of all rows */
static void table_is(const struct ez_diff *d, const char *want)
{
    static const char *const only[] = { "both", "gone", "new" };
    char got[4096] = "";
    for (size_t i = 0; i < d->n; i++) {
        const struct ez_diff_row *r = &d->row[i];
        size_t n = strlen(got);
        n += (size_t)snprintf(got + n, sizeof got - n, "%s|%s|%d", r->function, r->library,
                              (int)r->rank);
        for (unsigned k = 0; k < EZ_DIFF_KEYS; k++)
            n += (size_t)snprintf(got + n, sizeof got - n, " %g/%g", r->before[k], r->after[k]);
        snprintf(got + n, sizeof got - n, " %s%s\n", only[r->only], r->pause ? " pause" : "");
    }
    ck_assert_str_eq(got, want);
}

START_TEST(matching)
{
    struct ez_diff *d = ez_diff_create((const size_t[]){ 1, 1 }, EZ_DIFF_FUNCTION);
    struct ez_stat_row before[] = {
        calls("main", "app", 1, 1000),         calls("sin", "libm.so.6", 10, 10),
        calls("puts", "libc-2.31.so", 10, 20), calls("old", "app", 2, 5),
        calls("f", "liba.so.1", 1, 100),       calls("f", "libb.so.1", 1, 200),
        calls("so", "libx.sox", 1, 7),         calls("main", "plugin", 3, 7),
    };
    struct ez_stat_row slept = calls("", "", 2, 50);
    slept.pause = "[slept]";
    struct ez_stat_row after[] = {
        calls("main", "app2", 1, 1300),
        calls("sin", "libm.so.7.1", 10, 11),
        calls("puts", "libc-2.36.so", 5, 20),
        calls("young", "app2", 1, 60),
        calls("f", "libb.so.2", 1, 220),
        calls("f", "liba.so.2", 1, 90),
        calls("so", "libx", 1, 7),
        calls("main", "plugin", 3, 7),
        slept,
    };
    add(d, 0, 0, before, EZ_ARRAY_LEN(before));
    add(d, 1, 0, after, EZ_ARRAY_LEN(after));
    ez_diff_finish(d, EZ_DIFF_TOTAL);
    ck_assert(!d->noise_known);
    table_is(d, "main|app|-1 1000/1300 500/650 1000/1300 1/1 both\n"
                "puts|libc-2.31.so|-1 200/100 100/50 20/20 10/5 both\n"
                "young|app2|-1 0/60 0/30 0/60 0/1 new\n"
                "f|libb.so.1|-1 200/220 100/110 200/220 1/1 both\n"
                "f|liba.so.1|-1 100/90 50/45 100/90 1/1 both\n"
                "old|app|-1 10/0 5/0 5/0 2/0 gone\n"
                "sin|libm.so.6|-1 100/110 50/55 10/11 10/10 both\n"
                "so|libx|-1 0/7 0/3 0/7 0/1 new\n"
                "so|libx.sox|-1 7/0 3/0 7/0 1/0 gone\n"
                "main|plugin|-1 21/21 10/10 7/7 3/3 both\n"
                "[slept]||-1 0/100 0/50 0/50 0/2 new pause\n");
    ck_assert(ez_diff_worse(d, &d->row[0], EZ_DIFF_TOTAL, .29));
    ck_assert(!ez_diff_worse(d, &d->row[0], EZ_DIFF_TOTAL, .31));
    ck_assert(!ez_diff_worse(d, &d->row[1], EZ_DIFF_TOTAL, 0));
    ck_assert(!ez_diff_worse(d, &d->row[2], EZ_DIFF_TOTAL, 0));
    ck_assert(!ez_diff_worse(d, &d->row[10], EZ_DIFF_TOTAL, 0));
    ck_assert(isnan(ez_diff_change(&d->row[2], EZ_DIFF_TOTAL)));
    ck_assert_double_eq(ez_diff_change(&d->row[5], EZ_DIFF_CALLS), -1);
    ez_diff_free(d);
}
END_TEST

START_TEST(each_key_sorts)
{
    static const char *const first[] = { [EZ_DIFF_TOTAL] = "often",
                                         [EZ_DIFF_SELF] = "alone",
                                         [EZ_DIFF_MEAN] = "long",
                                         [EZ_DIFF_CALLS] = "often" };
    struct ez_diff *d = ez_diff_create((const size_t[]){ 1, 1 }, EZ_DIFF_FUNCTION);
    struct ez_stat_row before[] = { calls("often", "app", 100, 10), calls("long", "app", 1, 900),
                                    calls("alone", "app", 2, 10) };
    struct ez_stat_row after[] = { calls("often", "app2", 200, 10), calls("long", "app2", 1, 1200),
                                   calls("alone", "app2", 2, 10) };
    after[2].self_ns = 800;
    add(d, 0, 0, before, 3);
    add(d, 1, 0, after, 3);
    ez_diff_finish(d, (enum ez_diff_key)_i);
    ck_assert_str_eq(d->row[0].function, first[_i]);
    ez_diff_free(d);
}
END_TEST

/* Several runs: means; a run without the function counts as 0 for all but the mean. */
START_TEST(runs)
{
    struct ez_diff *d = ez_diff_create((const size_t[]){ 2, 3 }, EZ_DIFF_FUNCTION);
    struct ez_stat_row f = calls("f", "app", 10, 100), g = calls("f", "app2", 10, 106);
    struct ez_stat_row rare = calls("rare", "app", 4, 50);
    add(d, 0, 0, &f, 1);
    add(d, 0, 1, &f, 1);
    add(d, 0, 1, &rare, 1);
    for (size_t i = 0; i < 3; i++)
        add(d, 1, i, &g, 1);
    rare.library = "app2";
    add(d, 1, 2, &rare, 1);
    add(d, 1, 2, &rare, 1); /* a library that the program loaded twice */
    ez_diff_finish(d, (enum ez_diff_key)_i);
    ck_assert(d->noise_known);
    const struct ez_diff_row *r = !strcmp(d->row[0].function, "rare") ? &d->row[0] : &d->row[1];
    ck_assert_double_eq(r->before[EZ_DIFF_TOTAL], 100);
    ck_assert_double_eq_tol(r->after[EZ_DIFF_TOTAL], 400 / 3., 1e-9);
    ck_assert_double_eq(r->before[EZ_DIFF_MEAN], 50);
    ck_assert_double_eq(r->after[EZ_DIFF_MEAN], 50);
    ck_assert_double_eq(r->before[EZ_DIFF_CALLS], 2);
    ck_assert_int_eq(r->noise.tested, _i != EZ_DIFF_MEAN);
    ck_assert(!ez_diff_worse(d, r, (enum ez_diff_key)_i, .05));
    r = r == &d->row[0] ? &d->row[1] : &d->row[0];
    ck_assert_int_eq(ez_diff_worse(d, r, (enum ez_diff_key)_i, .05), _i != EZ_DIFF_CALLS);
    ck_assert(!ez_diff_worse(d, r, (enum ez_diff_key)_i, .07));
    ez_diff_free(d);
}
END_TEST

START_TEST(ranks)
{
    struct ez_diff *d = ez_diff_create((const size_t[]){ 1, 1 }, EZ_DIFF_RANK);
    struct ez_stat_row r[] = { calls("f", "app", 1, 10), calls("f", "app", 1, 20),
                               calls("f", "app", 1, 30) };
    r[0].rank = 0;
    r[1].rank = 10;
    add(d, 0, 0, r, 3);
    r[0].library = r[1].library = "app2";
    r[0].rank = 10; /* the processes are in another order */
    r[1].rank = 0;
    add(d, 1, 0, r, 2);
    ez_diff_finish(d, EZ_DIFF_TOTAL);
    table_is(d, "f|app|-1 30/0 15/0 30/0 1/0 gone\n"
                "f|app|0 10/20 5/10 10/20 1/1 both\n"
                "f|app|10 20/10 10/5 20/10 1/1 both\n");
    ez_diff_free(d);
    ck_assert_uint_eq(ez_diff_stats_by(EZ_DIFF_RANK),
                      EZ_BY_FUNCTION | EZ_BY_LIBRARY | EZ_BY_PROCESS);
    ck_assert_uint_eq(ez_diff_stats_by(EZ_DIFF_LIBRARY), EZ_BY_LIBRARY);
    ck_assert_uint_eq(ez_diff_stats_by(EZ_DIFF_FUNCTION), EZ_BY_FUNCTION | EZ_BY_LIBRARY);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("diff");
    TCase *c = tcase_create("diff");
    tcase_add_test(c, matching);
    tcase_add_loop_test(c, each_key_sorts, 0, EZ_DIFF_KEYS);
    tcase_add_loop_test(c, runs, 0, EZ_DIFF_KEYS);
    tcase_add_test(c, ranks);
    suite_add_tcase(s, c);
    return run_suite(s);
}
