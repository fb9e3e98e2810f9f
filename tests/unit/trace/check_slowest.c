/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_slowest.c - the slowest calls: which are kept, in which order, and what is known of each. */
#include <check.h>
#include <string.h>

#include "engine/trace/slowest.h"
#include "tests/unit/suite.h"

static struct ez_model m;
static struct ez_slowest *slowest;
static uint32_t thread[2], f, g;

static void open_model(size_t most)
{
    ez_model_init(&m, "app", NULL, NULL);
    uint32_t process = ez_model_container(&m, EZ_L_PROCESS, 0, "p", 1, 0);
    thread[0] = ez_model_container(&m, EZ_L_THREAD, process, "t", 1, 1);
    thread[1] = ez_model_container(&m, EZ_L_THREAD, process, "u", 1, 2);
    f = ez_model_name(&m, EZ_N_STATE, "f", "app", 0);
    g = ez_model_name(&m, EZ_N_STATE, "g", "app", 0);
    slowest = ez_slowest_create(&m, most);
    m.fn = ez_slowest_item;
    m.fn_arg = slowest;
}

static void close_model(void)
{
    ez_slowest_free(slowest);
    ez_model_deinit(&m);
}

static void push(uint64_t ns, uint32_t t, uint32_t name)
{
    ez_model_at(&m, ns);
    ez_model_push(&m, t, name, EZ_ABOUT_NOTHING);
}

static void pop(uint64_t ns, uint32_t t, uint32_t name)
{
    ez_model_at(&m, ns);
    ez_model_pop_name(&m, t, name, EZ_END_RETURN, EZ_ABOUT_NOTHING);
}

static const char *name_of(uint32_t name)
{
    return name == EZ_NONE_IDX ? "-" : m.name.at[name].text;
}

/* "START DURATION SELF NAME THREAD DEPTH CALLER BELOW BELOW_NS ARGUMENTS RESULT" of all calls */
static void calls_are(const char *want)
{
    char got[4096] = "";
    ez_model_end(&m);
    ez_slowest_sort(slowest);
    for (size_t i = 0; i < slowest->n; i++) {
        const struct ez_slow_call *c = &slowest->call[i];
        size_t n = strlen(got);
        snprintf(got + n, sizeof got - n, "%llu %llu %llu %s %s %u %s %s %llu %s %s%s\n",
                 (unsigned long long)c->start_ns, (unsigned long long)c->ns,
                 (unsigned long long)c->self_ns, name_of(c->name),
                 m.container.at[c->container].name, c->depth, name_of(c->caller), name_of(c->below),
                 (unsigned long long)c->below_ns, c->arguments ? c->arguments : "-",
                 c->result ? c->result : "-", c->unwound ? " unwound" : "");
    }
    ck_assert_str_eq(got, want);
}

START_TEST(what_took_time)
{
    open_model(10);
    push(0, thread[0], f);
    push(100, thread[0], g);
    push(150, thread[0], f); /* not directly in the outer f */
    pop(290, thread[0], f);
    pop(300, thread[0], g);
    ez_model_at(&m, 100000);
    ez_model_off(&m, thread[0], EZ_OFF_SLEPT);
    ez_model_at(&m, 200000);
    ez_model_off(&m, thread[0], EZ_OFF_NOT);
    push(200000, thread[0], g);
    ez_model_at(&m, 200010);
    ez_model_wait(&m, thread[0], true); /* of no call */
    ez_model_at(&m, 500000);
    ez_model_wait(&m, thread[0], false);
    pop(500010, thread[0], g);
    pop(500100, thread[0], f);
    push(500200, thread[1], g);
    ez_model_at(&m, 500210);
    ez_model_pop_name(&m, thread[1], g, EZ_END_UNWOUND, EZ_ABOUT_NOTHING);
    calls_are("0 200110 99890 f t 0 - [slept] 100000 - -\n"
              "100 200 60 g t 1 f f 140 - -\n"
              "150 140 140 f t 2 g - 0 - -\n"
              "200000 20 20 g t 1 f - 0 - -\n"
              "500200 10 10 g u 0 - - 0 - - unwound\n");
    ck_assert_uint_eq(slowest->cut, 0);
    close_model();
}
END_TEST

/* Of n calls in an order that is not that of their durations, the slowest are kept. */
START_TEST(the_slowest_are_kept)
{
    enum { CALLS = 1009 };
    uint64_t now = 0;
    open_model((size_t)_i);
    for (uint64_t i = 0; i < CALLS; i++) {
        push(now, thread[i & 1], f);
        now += 10 * (1 + i * 387 % CALLS);
        pop(now, thread[i & 1], f);
    }
    ez_model_end(&m);
    ez_slowest_sort(slowest);
    ck_assert_uint_eq(slowest->n, EZ_MIN(_i, CALLS));
    for (size_t i = 0; i < slowest->n; i++)
        ck_assert_uint_eq(slowest->call[i].ns, 10 * (CALLS - i));
    close_model();
}
END_TEST

START_TEST(equal_calls)
{
    open_model(2);
    push(100, thread[1], f);
    push(100, thread[0], f);
    push(100, thread[0], g);
    pop(200, thread[0], g);
    pop(200, thread[0], f);
    pop(200, thread[1], f);
    push(300, thread[0], f);
    pop(400, thread[0], f);
    calls_are("100 100 0 f t 0 - g 100 - -\n100 100 100 g t 1 f - 0 - -\n");
    close_model();
}
END_TEST

START_TEST(known_in_part)
{
    open_model(10);
    push(100, thread[0], f);
    push(200, thread[0], g);
    pop(700, thread[0], f); /* the exit of g is missing */
    push(800, thread[0], g);
    ez_model_at(&m, 900);
    ez_model_gap(&m, thread[0], 3);
    ez_model_at(&m, 1000);
    ez_model_gap_end(&m, thread[0]);
    push(1100, thread[1], g); /* does not end */
    ez_model_at(&m, 1200);
    calls_are("100 600 100 f t 0 - g 500 - -\n");
    ck_assert_uint_eq(slowest->cut, 3);
    ck_assert_uint_eq(slowest->cut_ns, 500);
    ck_assert_uint_eq(slowest->cut_longest, g);
    close_model();
}
END_TEST

/* ---- values ------------------------------------------------------------------------------- */

static struct ez_items entry, leave;

static void valued(uint64_t ns, uint32_t name, bool is_exit, uint64_t value)
{
    uint64_t word[] = { 0, value }; /* an exit has a word with flags first */
    struct ez_event_data data = { .items = is_exit ? &leave : &entry,
                                  .is_exit = is_exit,
                                  .word = is_exit ? word : word + 1,
                                  .n = is_exit ? 2 : 1 };
    struct ez_about about = { EZ_NONE_IDX, EZ_NONE_IDX, &data, NULL };
    ez_model_at(&m, ns);
    if (is_exit)
        ez_model_pop_name(&m, thread[0], name, EZ_END_RETURN, about);
    else
        ez_model_push(&m, thread[0], name, about);
}

START_TEST(values)
{
    open_model(2);
    ez_items_parse("n\tint", &entry);
    ez_items_parse("$ret\tint", &leave);
    valued(0, f, false, 1);
    valued(10, f, false, 2);
    valued(50, f, true, 20);
    valued(60, f, true, 10);
    push(70, thread[0], f); /* a call of another probe, without values */
    pop(75, thread[0], f);
    valued(100, f, false, 3);
    pop(150, thread[0], f);
    calls_are("0 60 20 f t 0 - f 40 n=1 $ret=10\n"
              "100 50 50 f t 0 - - 0 n=3 -\n");
    ez_items_free(&entry);
    ez_items_free(&leave);
    close_model();
}
END_TEST

static ez_err *nothing(void *arg EZ_UNUSED, const struct ez_item *it EZ_UNUSED)
{
    return NULL;
}

/* With a filter the receiver does not get all items. */
START_TEST(some_items_are_missing)
{
    struct ez_item it = { .kind = EZ_I_POP, .name = 0, .ns = 90, .start_ns = 10, .spent_ns = 80 };
    open_model(2);
    push(0, thread[0], g);
    m.fn = nothing;
    push(10, thread[0], f);
    pop(90, thread[0], f);
    m.fn = ez_slowest_item;
    it.container = thread[0];
    it.name = f;
    it.depth = 1;
    ck_assert_ptr_null(ez_slowest_item(slowest, &it));
    it.depth = 5; /* no frame was ever there */
    it.spent_ns = 5;
    it.end = EZ_END_UNKNOWN;
    ck_assert_ptr_null(ez_slowest_item(slowest, &it));
    ez_slowest_sort(slowest);
    ck_assert_uint_eq(slowest->n, 1);
    ck_assert_uint_eq(slowest->call[0].caller, g);
    ck_assert_uint_eq(slowest->call[0].below, EZ_NONE_IDX);
    ck_assert_uint_eq(slowest->cut, 1);
    close_model();
}
END_TEST

int main(void)
{
    Suite *s = suite_create("slowest");
    TCase *c = tcase_create("slowest");
    tcase_add_test(c, what_took_time);
    tcase_add_loop_test(c, the_slowest_are_kept, 1, 20);
    tcase_add_loop_test(c, the_slowest_are_kept, 1007, 1012);
    tcase_add_test(c, equal_calls);
    tcase_add_test(c, known_in_part);
    tcase_add_test(c, values);
    tcase_add_test(c, some_items_are_missing);
    suite_add_tcase(s, c);
    return run_suite(s);
}
