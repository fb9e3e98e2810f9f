/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_noise.c - which differences between groups of runs stand out: 1,000 made-up functions. */
#include <check.h>
#include <math.h>

#include "engine/trace/noise.h"
#include "tests/unit/suite.h"

enum { FUNCTIONS = 1000, RUNS = 5, TRIALS = 100, SLOWER = 417 };

static uint64_t state;
static double value[2][FUNCTIONS][RUNS];
static struct ez_noise_row row[FUNCTIONS];

static double uniform(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return ((double)(state >> 12) + .5) / (double)(1ull << 52);
}

static double normal(void)
{
    return sqrt(-2 * log(uniform())) * cos(2 * M_PI * uniform());
}

struct noise {
    double run;          /* of all functions of a run together, as a part */
    double least, most;  /* of each function on its own, as a part */
    double spike, often; /* some values are so much higher, and how often */
};

/* Makes runs of functions whose times range over five powers of ten. */
static void make(const struct noise *w, unsigned trial)
{
    double factor[2][RUNS];
    state = 12345 + trial;
    for (int k = 0; k < 2 * RUNS; k++)
        factor[k / RUNS][k % RUNS] = 1 + w->run * normal();
    for (int i = 0; i < FUNCTIONS; i++) {
        double time = 1e4 * pow(1e5, uniform());
        double own = w->least * pow(w->most / w->least, uniform());
        for (int k = 0; k < 2 * RUNS; k++) {
            double *v = &value[k / RUNS][i][k % RUNS];
            *v = time * factor[k / RUNS][k % RUNS] * fmax(.1, 1 + own * normal());
            *v *= uniform() < w->often ? 1 + w->spike : 1;
        }
        row[i] =
            (struct ez_noise_row){ .a = value[0][i], .b = value[1][i], .na = RUNS, .nb = RUNS };
    }
}

static int standing_out(void)
{
    int n = 0;
    ez_noise_judge(row, FUNCTIONS);
    for (int i = 0; i < FUNCTIONS; i++)
        n += row[i].stands_out;
    return n;
}

static const struct noise equal[] = {
    { 0, .01, .01, 0, 0 },        /* all functions vary equally */
    { .01, .002, .05, 0, 0 },     /* as they do in real programs */
    { .003, .002, .03, .5, .02 }, /* one value in 50 is of a call that was preempted */
    { 0, 1e-9, 1e-9, 0, 0 },      /* nothing varies but the last digits */
    { 0, .005, .2, 5, .03 },      /* a loaded machine */
};

/* Measured with 3,000 seeds: at most 0.7 % of the trials cry. */
START_TEST(equal_runs_are_quiet)
{
    int cried = 0;
    for (unsigned trial = 0; trial < TRIALS; trial++) {
        make(&equal[_i], trial);
        cried += standing_out() > 0;
    }
    ck_assert_int_le(cried, 1);
}
END_TEST

static const struct noise busy[] = {
    { 0, .008, .008, 0, 0 },
    { .002, .006, .006, 0, 0 },
    { .002, .002, .006, .5, .001 },
};

static void slow_down(double factor)
{
    for (int k = 0; k < RUNS; k++)
        value[1][SLOWER][k] *= factor;
}

START_TEST(one_slower_function_is_found)
{
    int found = 0, others = 0;
    for (unsigned trial = 0; trial < TRIALS; trial++) {
        make(&busy[_i], trial);
        slow_down(1.05);
        int n = standing_out();
        found += row[SLOWER].stands_out;
        others += n - row[SLOWER].stands_out;
    }
    ck_assert_int_ge(found, TRIALS - 1);
    ck_assert_int_le(others, 1);
}
END_TEST

/* A change that more runs would confirm, but that is less than builds differ anyway. */
START_TEST(small_changes_do_not_count)
{
    make(&equal[3], 0);
    slow_down(1.009);
    ck_assert_int_eq(standing_out(), 0);
    ez_noise_interval(&row[SLOWER]);
    ck_assert(row[SLOWER].tested && row[SLOWER].p < .001 && row[SLOWER].low > 0);
    make(&equal[3], 0);
    slow_down(1 / 1.011);
    ck_assert_int_eq(standing_out(), 1);
    ck_assert(row[SLOWER].stands_out && row[SLOWER].high < 0);
}
END_TEST

/* One slow run among five quiet ones. */
START_TEST(one_slow_run_does_not_count)
{
    make(&equal[0], 0);
    value[1][SLOWER][3] *= 1.5;
    ck_assert_int_eq(standing_out(), 0);
    ck_assert_double_gt(row[SLOWER].mean_b, 1.05 * row[SLOWER].mean_a);
}
END_TEST

START_TEST(some_rows_cannot_be_tested)
{
    const double one[] = { 100 }, two[] = { 200, 202 }, none[] = { 0, 0 };
    struct ez_noise_row r[] = {
        { .a = one, .b = two, .na = 1, .nb = 2 },   { .a = two, .b = none, .na = 2, .nb = 2 },
        { .a = none, .b = none, .na = 2, .nb = 2 }, { .a = one, .b = NULL, .na = 1, .nb = 0 },
        { .a = two, .b = two, .na = 2, .nb = 2 },
    };
    ez_noise_judge(r, EZ_ARRAY_LEN(r));
    for (size_t i = 0; i < EZ_ARRAY_LEN(r); i++) {
        ck_assert_int_eq(r[i].tested, i == 4);
        ck_assert(!r[i].stands_out);
    }
    ck_assert_double_eq(r[0].mean_a, 100);
    ck_assert_double_eq(r[0].mean_b, 201);
    ck_assert_double_eq(r[3].mean_b, 0);
    ck_assert_double_eq(r[4].p, 1);
    ez_noise_interval(&r[4]);
    ck_assert(r[4].low <= 0 && r[4].high >= 0);
    ez_noise_judge(r, 0);
}
END_TEST

/* Values of tables of Student's t and of the gamma function. */
START_TEST(functions)
{
    static const struct {
        double t, df, p;
    } table[] = { { 12.7062047, 1, .05 },   { 2.77644511, 4, .05 },      { 8.61030158, 4, .001 },
                  { 1.85954804, 8, .1 },    { 5.04130543, 8, .001 },     { 3.29052673, 1e9, .001 },
                  { 1.98397152, 100, .05 }, { 1.95997585, 200000, .05 }, { 0, 5, 1 } };
    for (size_t i = 0; i < EZ_ARRAY_LEN(table); i++) {
        ck_assert_double_eq_tol(ez_noise_t(table[i].t, table[i].df), table[i].p, 1e-6);
        ck_assert_double_eq_tol(ez_noise_t(-table[i].t, table[i].df), table[i].p, 1e-6);
    }
    ck_assert_double_eq_tol(ez_noise_digamma(1), -.577215664902, 1e-9);
    ck_assert_double_eq_tol(ez_noise_digamma(.5), -1.963510026021, 1e-9);
    ck_assert_double_eq_tol(ez_noise_trigamma(1), 1.644934066848, 1e-9);
    ck_assert_double_eq_tol(ez_noise_trigamma(.5), 4.934802200545, 1e-9);
}
END_TEST

/* p values: the smallest of n is multiplied by n, the next by n - 1. */
START_TEST(corrected_for_the_number)
{
    const double a[] = { 100, 101, 102, 103 }, b[] = { 106, 107, 108, 109 };
    struct ez_noise_row alone = { .a = a, .b = b, .na = 4, .nb = 4 }, r[2] = { alone, alone };
    ez_noise_judge(&alone, 1);
    ez_noise_judge(r, 2);
    ck_assert(alone.stands_out && alone.p > 0);
    ck_assert_double_eq_tol(r[0].p, 2 * alone.p, 1e-12);
    ck_assert_double_eq_tol(r[1].p, 2 * alone.p, 1e-12);
    ck_assert_double_eq_tol(alone.p, ez_noise_t(6 / sqrt(5. / 3 / 2), 6), 1e-9);
    ck_assert_double_eq_tol(alone.low, 4.5, .26);
    ck_assert_double_eq_tol(alone.high, 7.5, .26);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("noise");
    TCase *c = tcase_create("noise");
    tcase_set_timeout(c, 30);
    tcase_add_loop_test(c, equal_runs_are_quiet, 0, EZ_ARRAY_LEN(equal));
    tcase_add_loop_test(c, one_slower_function_is_found, 0, EZ_ARRAY_LEN(busy));
    tcase_add_test(c, small_changes_do_not_count);
    tcase_add_test(c, one_slow_run_does_not_count);
    tcase_add_test(c, some_rows_cannot_be_tested);
    tcase_add_test(c, functions);
    tcase_add_test(c, corrected_for_the_number);
    suite_add_tcase(s, c);
    return run_suite(s);
}
