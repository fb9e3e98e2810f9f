/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_nesting.c - the lines of a nested listing: leaves, the order of threads, values, points. */
#include <check.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "engine/trace/nesting.h"
#include "tests/unit/suite.h"

static struct ez_model m;
static struct ez_nesting *nest;
static uint32_t process, thread[2], f, g, message, number;
static char text[1 << 12];
static size_t used, lines;

static void say(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    used += (size_t)vsnprintf(text + used, sizeof text - used, fmt, ap);
    va_end(ap);
    ck_assert_uint_lt(used, sizeof text);
}

static ez_err *line(void *arg, const struct ez_nest_line *l)
{
    static const char *const kind[] = { "open", "leaf", "close", "point" };
    lines++;
    if (arg)
        return *(size_t *)arg == lines ? ez_err_new(EZ_E_STATE, 0, "Enough") : NULL;
    say("%s %s %u %s %" PRIu64, m.container.at[l->container].name, kind[l->kind], l->depth,
        m.name.at[l->name].text, l->ns);
    if (l->kind == EZ_NEST_LEAF || l->kind == EZ_NEST_CLOSE)
        say(" for %" PRIu64 "%s%s", l->spent_ns, l->end == EZ_END_UNWOUND ? " unwound" : "",
            l->end == EZ_END_UNKNOWN ? " no exit" : "");
    if (l->caller != EZ_NONE_IDX)
        say(" in %s", m.name.at[l->caller].text);
    if (l->values)
        say(" (%s)", l->values);
    if (l->result)
        say(" = %s", l->result);
    if (l->after)
        say(" then %s", l->after);
    if (l->item == EZ_I_VAR)
        say(" %g", l->value);
    if (l->narg)
        say(" %u: %" PRIu64, l->narg, l->arg[0]);
    if (l->peer != EZ_NONE_IDX)
        say(" %s", m.container.at[l->peer].name);
    say("\n");
    return NULL;
}

static void begin(bool values, bool flat, void *arg)
{
    ez_nesting_free(nest);
    nest = ez_nesting_create(&m, values, flat, line, arg);
    m.fn_arg = nest;
}

static void setup(void)
{
    used = lines = 0;
    ez_model_init(&m, "app", ez_nesting_item, NULL);
    process = ez_model_container(&m, EZ_L_PROCESS, 0, "p", 1, 0);
    thread[0] = ez_model_container(&m, EZ_L_THREAD, process, "A", 1, 1);
    thread[1] = ez_model_container(&m, EZ_L_THREAD, process, "B", 1, 2);
    f = ez_model_name(&m, EZ_N_STATE, "f", "", 1);
    g = ez_model_name(&m, EZ_N_STATE, "g", "", 2);
    message = ez_model_name(&m, EZ_N_LINK, "message", "mpi", 0);
    number = ez_model_name(&m, EZ_N_VAR, "number", "", 0);
    begin(true, false, NULL);
}

static void teardown(void)
{
    ez_nesting_free(nest);
    nest = NULL;
    ez_model_deinit(&m);
}

static void push(uint64_t ns, unsigned t, uint32_t name)
{
    ez_model_at(&m, ns);
    ez_model_push(&m, thread[t], name, EZ_ABOUT_NOTHING);
}

static void pop(uint64_t ns, unsigned t, uint32_t name, enum ez_end how)
{
    ez_model_at(&m, ns);
    ez_model_pop_name(&m, thread[t], name, how, EZ_ABOUT_NOTHING);
}

static void is(const char *want)
{
    ck_assert_ptr_null(m.err);
    ck_assert_str_eq(text, want);
}

START_TEST(a_call_without_contents_is_a_leaf)
{
    push(0, 0, f);
    push(10, 0, g);
    is("A open 0 f 0\n"); /* g may be a leaf */
    pop(15, 0, g, EZ_END_RETURN);
    push(20, 0, g);
    pop(26, 0, g, EZ_END_UNWOUND);
    pop(30, 0, f, EZ_END_RETURN);
    push(40, 0, g);
    ez_model_at(&m, 45);
    ez_model_end(&m);
    is("A open 0 f 0\n"
       "A leaf 1 g 10 for 5 in f\n"
       "A leaf 1 g 20 for 6 unwound in f\n"
       "A close 0 f 30 for 30\n"
       "A leaf 0 g 40 for 5 no exit\n");
}
END_TEST

/* A leaf is where its call began, though another thread did something before its end. */
START_TEST(threads_keep_their_order)
{
    push(0, 0, f);
    push(5, 1, g);
    pop(6, 1, g, EZ_END_RETURN);
    push(7, 1, f);
    is("");
    pop(8, 0, f, EZ_END_RETURN);
    is("A leaf 0 f 0 for 8\n"
       "B leaf 0 g 5 for 1\n");
    push(9, 1, g);
    pop(10, 1, g, EZ_END_RETURN);
    pop(11, 1, f, EZ_END_RETURN);
    is("A leaf 0 f 0 for 8\n"
       "B leaf 0 g 5 for 1\n"
       "B open 0 f 7\n"
       "B leaf 1 g 9 for 1 in f\n"
       "B close 0 f 11 for 4\n");
}
END_TEST

/* A thread that does nothing more does not hold the others up. */
START_TEST(memory_is_bounded)
{
    size_t never = 0;
    begin(true, false, &never);
    push(0, 0, f);
    for (uint64_t i = 1; i <= EZ_NEST_MOST - 1; i++) {
        push(2 * i, 1, g);
        pop(2 * i + 1, 1, g, EZ_END_RETURN);
    }
    ck_assert_uint_eq(lines, 0);
    push(2 * EZ_NEST_MOST, 1, f);
    ck_assert_uint_eq(lines, EZ_NEST_MOST);
    pop(2 * EZ_NEST_MOST + 1, 0, f, EZ_END_RETURN);
    pop(2 * EZ_NEST_MOST + 2, 1, f, EZ_END_RETURN);
    ck_assert_uint_eq(lines, EZ_NEST_MOST + 2); /* a leaf of B, and the exit of A */
}
END_TEST

START_TEST(flush_shows_open_calls)
{
    push(0, 0, f);
    push(1, 1, g);
    ck_assert_ptr_null(ez_nesting_flush(nest));
    is("A open 0 f 0\n"
       "B open 0 g 1\n");
    pop(9, 0, f, EZ_END_RETURN);
    is("A open 0 f 0\n"
       "B open 0 g 1\n"
       "A close 0 f 9 for 9\n");
}
END_TEST

static void points(void)
{
    uint64_t word[] = { 100, 5, 1 };
    struct ez_link l = { .name = message, .peer = EZ_NONE_IDX, .key = 1, .arg = word, .narg = 3 };
    struct ez_about by = { EZ_NONE_IDX, thread[0], NULL, NULL };
    push(0, 0, f);
    ez_model_link_start(&m, thread[0], &l);
    ez_model_at(&m, 1);
    ez_model_link_end(&m, thread[1], &l);
    ez_model_at(&m, 2);
    ez_model_var_set(&m, process, number, 2.5, by);
    ez_model_at(&m, 3);
    ez_model_event(&m, thread[0], ez_model_name(&m, EZ_N_EVENT, "point", "", 0), word, 2,
                   EZ_ABOUT_NOTHING);
    pop(4, 0, f, EZ_END_RETURN);
}

START_TEST(points_are_inside_calls)
{
    points();
    is("A open 0 f 0\n"
       "A point 1 message 0 in f 3: 100\n"
       "B point 0 message 1 3: 100 A\n"
       "A point 1 number 2 in f 2.5\n"
       "A point 1 point 3 in f 2: 100\n"
       "A close 0 f 4 for 4\n");
}
END_TEST

START_TEST(flat_is_a_line_a_call)
{
    begin(true, true, NULL);
    push(0, 0, f);
    push(1, 0, g);
    pop(2, 0, g, EZ_END_RETURN);
    pop(3, 0, f, EZ_END_RETURN);
    is("A close 1 g 2 for 1 in f\n"
       "A close 0 f 3 for 3\n");
}
END_TEST

static void call_with_values(void)
{
    static struct ez_items in, out;
    const uint64_t arg[] = { 5, 6 }, ret[] = { 42, 7 };
    ez_items_free(&in);
    ez_items_free(&out);
    ez_items_parse("n\tint\nk\tint\n", &in);
    ez_items_parse("$ret\tint\nerr\tint\n", &out);
    const struct ez_event_data entry = { &in, false, arg, 2, NULL, NULL },
                               leave = { &out, true, (const uint64_t[]){ 0, ret[0], ret[1] },
                                         3,    NULL, NULL };
    struct ez_about about = { EZ_NONE_IDX, EZ_NONE_IDX, &entry, NULL };
    ez_model_at(&m, 0);
    ez_model_push(&m, thread[0], f, about);
    about.data = &leave;
    ez_model_at(&m, 1);
    ez_model_pop_name(&m, thread[0], f, EZ_END_RETURN, about);
    ez_items_free(&in);
    ez_items_free(&out);
}

START_TEST(values)
{
    call_with_values();
    is("A leaf 0 f 0 for 1 (n=5, k=6) = 42 then err=7\n");
    used = 0;
    begin(true, true, NULL);
    call_with_values();
    is("A close 0 f 1 for 0 (n=5, k=6) = 42 then err=7\n");
    used = 0;
    begin(false, false, NULL);
    call_with_values();
    is("A leaf 0 f 1 for 0\n"); /* time does not go back */
}
END_TEST

START_TEST(an_error_ends_it)
{
    size_t second = 2;
    begin(true, false, &second);
    for (uint64_t i = 0; i < 5; i++) {
        push(2 * i, 0, f);
        pop(2 * i + 1, 0, f, EZ_END_RETURN);
    }
    ck_assert_uint_eq(lines, 2);
    ck_assert_ptr_nonnull(m.err);
    ck_assert_str_eq(m.err->msg, "Enough");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("nesting");
    TCase *c = tcase_create("nesting");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_test(c, a_call_without_contents_is_a_leaf);
    tcase_add_test(c, threads_keep_their_order);
    tcase_add_test(c, memory_is_bounded);
    tcase_add_test(c, flush_shows_open_calls);
    tcase_add_test(c, points_are_inside_calls);
    tcase_add_test(c, flat_is_a_line_a_call);
    tcase_add_test(c, values);
    tcase_add_test(c, an_error_ends_it);
    suite_add_tcase(s, c);
    return run_suite(s);
}
