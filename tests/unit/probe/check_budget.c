/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_budget.c - which probes a budget throttles, and when they record again. */
#include "engine/probe/budget.h"
#include "tests/unit/suite.h"

#define MS 1e6

/* A round of 100 ms, in which the target worked for `work` ms besides recording. */
static struct ez_budget_round plan(double work, double percent, struct ez_budget_row *row, size_t n)
{
    struct ez_budget_round r = { .cpu = work * MS, .wall = 100 * MS, .percent = percent };
    for (size_t i = 0; i < n; i++)
        r.cpu += row[i].throttled ? 0 : row[i].cost;
    ez_budget_plan(&r, row, n);
    return r;
}

START_TEST(within_the_budget)
{
    struct ez_budget_row row[] = { { .cost = 2 * MS }, { .cost = 2 * MS } };
    plan(96, 4, row, 2);
    ck_assert(!row[0].throttled && !row[1].throttled);
    plan(96, 3, row, 2);
    ck_assert(row[0].throttled != row[1].throttled); /* one is enough: 2 of 98 */
}
END_TEST

/* The costliest first, until the others take 80 % of the budget at most. */
START_TEST(the_hottest)
{
    struct ez_budget_row row[] = {
        { .cost = 1 * MS }, { .cost = 30 * MS }, { .cost = 4.5 * MS }, { .cost = .1 * MS }
    };
    struct ez_budget_round r = plan(90, 5, row, 4);
    ck_assert_double_eq_tol(r.work, 90 * MS, 1);
    ck_assert(!row[0].throttled && row[1].throttled && row[2].throttled && !row[3].throttled);
    ck_assert_double_eq_tol(ez_budget_share(&r, 30 * MS, 5.6 * MS), 30 / 1.256, .1);
}
END_TEST

/* 4.5 of 94.5 is below 5 %: nothing is throttled, though it is above 80 % of that. */
START_TEST(no_sooner)
{
    struct ez_budget_row row[] = { { .cost = 4.5 * MS } };
    plan(90, 5, row, 1);
    ck_assert(!row[0].throttled);
}
END_TEST

START_TEST(those_left_alone)
{
    struct ez_budget_row row[] = { { .cost = 30 * MS, .fixed = true },
                                   { .cost = 1 * MS },
                                   { .cost = 0 } };
    plan(70, 5, row, 3);
    ck_assert(!row[0].throttled && row[1].throttled && !row[2].throttled);
}
END_TEST

static unsigned rounds_until_back(struct ez_budget_row *row, double percent)
{
    unsigned n = 0;
    while (row->throttled && n < 1000) {
        plan(95, percent, row, 1);
        n++;
    }
    return n;
}

START_TEST(back_when_cold)
{
    struct ez_budget_row row = { .cost = 20 * MS };
    plan(95, 5, &row, 1);
    ck_assert(row.throttled);
    row.cost = 4 * MS; /* within the budget, but above half of it: 1,000 rounds are no reason */
    ck_assert_uint_eq(rounds_until_back(&row, 5), 1000);
    row.cost = 1 * MS;
    ck_assert_uint_eq(rounds_until_back(&row, 5), EZ_BUDGET_CALM);
}
END_TEST

START_TEST(one_hot_round_begins_the_wait_anew)
{
    struct ez_budget_row row = { .cost = 20 * MS };
    plan(95, 5, &row, 1);
    row.cost = 0;
    for (unsigned i = 1; i < EZ_BUDGET_CALM; i++)
        plan(95, 5, &row, 1);
    row.cost = 20 * MS;
    plan(95, 5, &row, 1);
    row.cost = 0;
    ck_assert_uint_eq(rounds_until_back(&row, 5), EZ_BUDGET_CALM);
}
END_TEST

/* Load that comes and goes: throttled at once, back later and later. */
START_TEST(no_swinging)
{
    struct ez_budget_row row = { .cost = 0 };
    unsigned before = 0;
    for (unsigned i = 1; i <= EZ_BUDGET_TIMES + 2; i++) {
        row.cost = 20 * MS;
        plan(95, 5, &row, 1);
        ck_assert(row.throttled);
        row.cost = 0;
        unsigned n = rounds_until_back(&row, 5);
        ck_assert_uint_eq(n, i > EZ_BUDGET_TIMES ? before : EZ_BUDGET_CALM << (i - 1));
        before = n;
    }
}
END_TEST

/* Two that fit alone, but not together: one comes back. */
START_TEST(room_for_one)
{
    struct ez_budget_row row[] = { { .cost = 20 * MS }, { .cost = 20 * MS } };
    plan(95, 10, row, 2);
    ck_assert(row[0].throttled && row[1].throttled);
    row[0].cost = 3 * MS;
    row[1].cost = 4 * MS;
    for (unsigned i = 0; i < 100; i++)
        plan(95, 10, row, 2);
    ck_assert(!row[0].throttled && row[1].throttled);
}
END_TEST

START_TEST(a_target_that_sleeps)
{
    struct ez_budget_row row[] = { { .cost = 5e3 } }; /* 300 hits, and no work */
    plan(0, 5, row, 1);
    ck_assert(!row[0].throttled);
}
END_TEST

START_TEST(off_gives_all_back)
{
    struct ez_budget_row row[] = { { .cost = 20 * MS, .throttled = true, .times = 3 },
                                   { .cost = 0, .throttled = true } };
    plan(95, 0, row, 2);
    ck_assert(!row[0].throttled && !row[1].throttled);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("budget");
    TCase *t = tcase_create("budget");
    tcase_add_test(t, within_the_budget);
    tcase_add_test(t, the_hottest);
    tcase_add_test(t, no_sooner);
    tcase_add_test(t, those_left_alone);
    tcase_add_test(t, back_when_cold);
    tcase_add_test(t, one_hot_round_begins_the_wait_anew);
    tcase_add_test(t, no_swinging);
    tcase_add_test(t, room_for_one);
    tcase_add_test(t, a_target_that_sleeps);
    tcase_add_test(t, off_gives_all_back);
    suite_add_tcase(s, t);
    return run_suite(s);
}
