/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_intervals.c - calls in slices of time: rates, history, sums by thread and process, several
 * traces in one table, a table that forgets old slices. */
#include <check.h>
#include <string.h>

#include "engine/trace/intervals.h"
#include "tests/unit/suite.h"

#define S 1000000000ull

static struct ez_model m[2];
static struct ez_intervals *t;
static struct ez_interval_source *source[2];
static uint32_t thread[2][2], f[2], g[2];

static void setup(void)
{
    t = ez_intervals_create(S, 8);
    for (unsigned i = 0; i < 2; i++) {
        ez_model_init(&m[i], "app", ez_intervals_item, NULL);
        m[i].as_it_comes = true;
        uint32_t p = ez_model_container(&m[i], EZ_L_PROCESS, 0, i ? "rank 1" : "rank 0", 1, 0);
        thread[i][0] = ez_model_container(&m[i], EZ_L_THREAD, p, "A", 1, 1);
        thread[i][1] = ez_model_container(&m[i], EZ_L_THREAD, p, "B", 1, 2);
        if (i) /* names have other indexes in the second trace */
            ez_model_name(&m[i], EZ_N_STATE, "other", "", 3);
        f[i] = ez_model_name(&m[i], EZ_N_STATE, "f", "app", 1);
        g[i] = ez_model_name(&m[i], EZ_N_STATE, "g", "app", 2);
        source[i] = ez_intervals_source(t, &m[i]);
        m[i].fn_arg = source[i];
    }
}

static void teardown(void)
{
    ez_intervals_free(t);
    ez_model_deinit(&m[0]);
    ez_model_deinit(&m[1]);
}

static void push(unsigned i, unsigned th, uint64_t ns, uint32_t name)
{
    ez_model_at(&m[i], ns);
    ez_model_push(&m[i], thread[i][th], name, EZ_ABOUT_NOTHING);
}

static void pop(unsigned i, unsigned th, uint64_t ns, uint32_t name)
{
    ez_model_at(&m[i], ns);
    ez_model_pop_name(&m[i], thread[i][th], name, EZ_END_RETURN, EZ_ABOUT_NOTHING);
}

static void call(unsigned i, unsigned th, uint64_t ns, uint32_t name, uint64_t took)
{
    push(i, th, ns, name);
    pop(i, th, ns + took, name);
}

static void table(enum ez_interval_by by, enum ez_interval_sort sort, uint64_t now)
{
    ez_intervals_table(t, by, sort, now, NULL, NULL);
}

static const struct ez_interval_row *row(size_t i, const char *function, const char *who)
{
    ck_assert_uint_lt(i, t->n);
    ck_assert_str_eq(t->row[i].function, function);
    ck_assert_str_eq(t->row[i].who, who);
    return &t->row[i];
}

START_TEST(rates_are_of_the_last_complete_slice)
{
    for (uint64_t i = 0; i < 30; i++)
        call(0, 0, 2 * S + i, f[0], 1);
    for (uint64_t i = 0; i < 7; i++)
        call(0, 0, 3 * S + i, f[0], 1);
    call(0, 0, 3 * S + 100, g[0], 5);
    table(EZ_INTERVAL_FUNCTION, EZ_INTERVAL_RATE, 3 * S + 500);
    const struct ez_interval_row *r = row(0, "f", "");
    ck_assert_double_eq(r->per_second, 30);
    ck_assert_uint_eq(r->calls, 37);
    ck_assert_uint_eq(r->slice[7], 30);
    ck_assert_uint_eq(r->slice[6], 0);
    ck_assert_double_eq(row(1, "g", "")->per_second, 0);
    table(EZ_INTERVAL_FUNCTION, EZ_INTERVAL_RATE, 4 * S);
    r = row(0, "f", "");
    ck_assert_double_eq(r->per_second, 7);
    ck_assert_uint_eq(r->slice[6], 30);
    ck_assert_double_eq(row(1, "g", "")->per_second, 1);
    ck_assert_uint_eq(ez_intervals_last(t), 3 * S + 105);
}
END_TEST

/* A trace that begins or ends within a slice has not the rate of an idle part. */
START_TEST(rates_are_of_the_time_that_the_traces_have)
{
    ez_intervals_zero_ns(source[0], 5 * S + S / 2);
    for (uint64_t i = 0; i < 100; i++) /* 100 calls a second */
        call(0, 0, i * S / 100, f[0], 1);
    table(EZ_INTERVAL_FUNCTION, EZ_INTERVAL_RATE, 6 * S + S / 2);
    ck_assert_double_eq_tol(row(0, "f", "")->per_second, 100, 1e-9);
    ck_assert_uint_eq(row(0, "f", "")->slice[7], 50); /* [5, 6) */
    table(EZ_INTERVAL_FUNCTION, EZ_INTERVAL_RATE, 5 * S + S / 2);
    ck_assert_double_eq(row(0, "f", "")->per_second, 0); /* no time has passed */
    for (uint64_t i = 100; i < 260; i++)
        call(0, 0, i * S / 100, f[0], 1);
    table(EZ_INTERVAL_FUNCTION, EZ_INTERVAL_RATE, 7 * S + S / 2);
    ck_assert_double_eq_tol(row(0, "f", "")->per_second, 100, 1e-9); /* [6, 7) */
    t->end_ns = 8 * S + S / 10; /* the last slice has 10 calls */
    table(EZ_INTERVAL_FUNCTION, EZ_INTERVAL_RATE, 9 * S);
    ck_assert_double_eq_tol(row(0, "f", "")->per_second, 100, 1e-9); /* [7, 8) */
    ck_assert_uint_eq(row(0, "f", "")->slice[7], 10);
}
END_TEST

/* Time passes without calls; slices that are too old are forgotten, also in the ring. */
START_TEST(old_slices_are_forgotten)
{
    call(0, 0, S, f[0], 1);
    table(EZ_INTERVAL_FUNCTION, EZ_INTERVAL_RATE, 9 * S);
    ck_assert_uint_eq(row(0, "f", "")->slice[0], 1);
    table(EZ_INTERVAL_FUNCTION, EZ_INTERVAL_RATE, 10 * S);
    ck_assert_uint_eq(row(0, "f", "")->slice[0], 0);
    call(0, 0, (1 + EZ_SLICES_MOST + 1) * S, f[0], 1); /* the same place of the ring */
    call(0, 0, 2 * S, f[0], 1);                        /* late, and still in the ring */
    call(0, 0, S, f[0], 1);                            /* too late for a slice */
    table(EZ_INTERVAL_FUNCTION, EZ_INTERVAL_RATE, (EZ_SLICES_MOST + 3) * S);
    const struct ez_interval_row *r = row(0, "f", "");
    ck_assert_uint_eq(r->calls, 4);
    ck_assert_uint_eq(r->slice[7], 1);
    for (unsigned i = 0; i < 7; i++)
        ck_assert_uint_eq(r->slice[i], 0);
    call(0, 0, 1000 * S, f[0], 1);
    table(EZ_INTERVAL_FUNCTION, EZ_INTERVAL_RATE, 1001 * S);
    ck_assert_uint_eq(row(0, "f", "")->slice[6], 0);
    ck_assert_uint_eq(row(0, "f", "")->slice[7], 1);
}
END_TEST

START_TEST(times_of_calls)
{
    push(0, 0, 0, f[0]);
    push(0, 0, 10, f[0]); /* recursive */
    call(0, 0, 12, g[0], 5);
    pop(0, 0, 20, f[0]);
    pop(0, 0, 50, f[0]);
    push(0, 0, 60, g[0]); /* open */
    table(EZ_INTERVAL_FUNCTION, EZ_INTERVAL_TOTAL, S);
    const struct ez_interval_row *r = row(0, "f", "");
    ck_assert_uint_eq(r->calls, 2);
    ck_assert_uint_eq(r->total_ns, 50);
    ck_assert_uint_eq(r->self_ns, 45);
    ck_assert_uint_eq(r->whole, 2);
    ck_assert_uint_eq(r->whole_ns, 60);
    ck_assert_uint_eq(r->max_ns, 50);
    r = row(1, "g", "");
    ck_assert_uint_eq(r->calls, 2);
    ck_assert_uint_eq(r->whole, 1);
    ck_assert_uint_eq(r->max_ns, 5);
    ck_assert_ptr_null(r->slowest);
    ez_intervals_zero(t);
    table(EZ_INTERVAL_FUNCTION, EZ_INTERVAL_TOTAL, S);
    ck_assert_uint_eq(t->n, 0);
    pop(0, 0, 70, g[0]);
    call(0, 0, 80, g[0], 1);
    table(EZ_INTERVAL_FUNCTION, EZ_INTERVAL_TOTAL, S);
    ck_assert_uint_eq(row(0, "g", "")->calls, 1);
    ck_assert_uint_eq(row(0, "g", "")->max_ns, 10);
}
END_TEST

/* Pauses are no functions; points of probes are calls, other events are none. */
START_TEST(what_is_a_call)
{
    uint32_t point = ez_model_name(&m[0], EZ_N_EVENT, "point", "app", 9);
    uint32_t mark = ez_model_name(&m[0], EZ_N_EVENT, "mark", "", 0);
    push(0, 0, 0, f[0]);
    ez_model_at(&m[0], 50000);
    ez_model_off(&m[0], thread[0][0], EZ_OFF_SLEPT);
    ez_model_at(&m[0], 100000);
    ez_model_off(&m[0], thread[0][0], EZ_OFF_NOT);
    ez_model_event(&m[0], thread[0][0], point, NULL, 0, EZ_ABOUT_NOTHING);
    ez_model_event(&m[0], thread[0][0], mark, NULL, 0, EZ_ABOUT_NOTHING);
    pop(0, 0, 200000, f[0]);
    table(EZ_INTERVAL_FUNCTION, EZ_INTERVAL_NAME, S);
    ck_assert_uint_eq(t->n, 2);
    ck_assert_uint_eq(row(0, "f", "")->self_ns, 150000);
    ck_assert_uint_eq(row(1, "point", "")->calls, 1);
}
END_TEST

/* The traces of two ranks, whose clocks begin at different times. */
START_TEST(several_traces)
{
    ez_intervals_zero_ns(source[1], 5 * S);
    call(0, 0, 6 * S, f[0], 10);
    call(0, 1, 6 * S + 1, f[0], 20);
    call(1, 0, S + 2, f[1], 40);
    call(1, 1, S + 3, g[1], 1);
    table(EZ_INTERVAL_FUNCTION, EZ_INTERVAL_SELF, 7 * S);
    ck_assert_uint_eq(t->n, 2);
    ck_assert_double_eq(row(0, "f", "")->per_second, 3);
    ck_assert_uint_eq(row(0, "f", "")->max_ns, 40);
    ck_assert_uint_eq(ez_intervals_last(t), 6 * S + 42);
    table(EZ_INTERVAL_PROCESS, EZ_INTERVAL_CALLS, 7 * S);
    ck_assert_uint_eq(t->n, 3);
    ck_assert_uint_eq(row(0, "f", "rank 0")->calls, 2);
    ck_assert_uint_eq(row(1, "f", "rank 1")->calls, 1);
    row(2, "g", "rank 1");
    table(EZ_INTERVAL_THREAD, EZ_INTERVAL_MAX, 7 * S);
    ck_assert_uint_eq(t->n, 4);
    ck_assert_uint_eq(row(0, "f", "A")->max_ns, 40);
    ck_assert_uint_eq(row(1, "f", "B")->max_ns, 20);
    ck_assert_uint_eq(row(2, "f", "A")->max_ns, 10);
    row(3, "g", "B");
}
END_TEST

static bool is_g(const char *function, void *arg)
{
    ++*(int *)arg;
    return !strcmp(function, "g");
}

START_TEST(orders_and_filter)
{
    int asked = 0;
    call(0, 0, 0, f[0], 10);
    call(0, 0, 20, f[0], 10);
    call(0, 0, 40, g[0], 15);
    for (enum ez_interval_sort sort = 0; sort < EZ_INTERVAL_SORTS; sort++) {
        bool g_first = sort == EZ_INTERVAL_MEAN || sort == EZ_INTERVAL_MAX;
        table(EZ_INTERVAL_FUNCTION, sort, S);
        row(0, g_first ? "g" : "f", "");
        row(1, g_first ? "f" : "g", "");
    }
    ez_intervals_table(t, EZ_INTERVAL_FUNCTION, EZ_INTERVAL_SELF, S, is_g, &asked);
    ck_assert_uint_eq(t->n, 1);
    row(0, "g", "");
    ck_assert_int_eq(asked, 2);
}
END_TEST

/* The values of the longest call, which it had at its entry. */
START_TEST(the_slowest_call)
{
    struct ez_items items;
    ez_items_parse("n\tint\n", &items);
    for (uint64_t i = 0; i < 4; i++) {
        const uint64_t n = i;
        const struct ez_event_data data = { &items, false, &n, 1, NULL, NULL };
        ez_model_at(&m[0], 100 * i);
        ez_model_push(&m[0], thread[0][0], f[0],
                      (struct ez_about){ EZ_NONE_IDX, EZ_NONE_IDX, &data, NULL });
        pop(0, 0, 100 * i + (i == 2 ? 50 : i), f[0]);
    }
    ez_items_free(&items);
    table(EZ_INTERVAL_FUNCTION, EZ_INTERVAL_SELF, S);
    ck_assert_str_eq(row(0, "f", "")->slowest, "n=2");
    ck_assert_uint_eq(row(0, "f", "")->max_ns, 50);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("intervals");
    TCase *c = tcase_create("intervals");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_test(c, rates_are_of_the_last_complete_slice);
    tcase_add_test(c, rates_are_of_the_time_that_the_traces_have);
    tcase_add_test(c, old_slices_are_forgotten);
    tcase_add_test(c, times_of_calls);
    tcase_add_test(c, what_is_a_call);
    tcase_add_test(c, several_traces);
    tcase_add_test(c, orders_and_filter);
    tcase_add_test(c, the_slowest_call);
    suite_add_tcase(s, c);
    return run_suite(s);
}
