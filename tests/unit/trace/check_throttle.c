/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_throttle.c - for how long the calls of a function were only counted. */
#include "engine/trace/throttle.h"
#include "tests/unit/trace_file.h"
#include "tests/unit/leaks.h"
#include "tests/unit/suite.h"

static char a[64], b[64];

static void setup(void)
{
    snprintf(a, sizeof a, "check_throttle-%d-a.fxt", getpid());
    snprintf(b, sizeof b, "check_throttle-%d-b.fxt", getpid());
}

static void teardown(void)
{
    unlink(a);
    unlink(b);
}

static void throttle(struct ez_fxt_out *f, uint64_t tick, uint64_t addr, bool on, const char *name)
{
    uint64_t arg[] = { addr, on, tick };
    char text[64];
    int n = snprintf(text, sizeof text, "%s%clib", name, 0);
    tf_ok(ez_fxt_out_define(
        f, &(struct ez_fxt_def){ EZ_DEF_THROTTLE, 1, 42, arg, 3, text, (size_t)n }));
}

/* Events from 1000 to 2000, without a clock: ns are ticks, and 0 is tick 1000. */
static struct ez_fxt_out *begun(const char *path, int pid)
{
    struct ez_fxt_out *f = tf_open(path, pid);
    tf_process(f, (uint64_t)pid, "app", "here");
    tf_probe(f, 0, TF_BOTH, "f", "lib");
    tf_put(f, 1000, 42, 0, false);
    return f;
}

static void ended(struct ez_fxt_out *f)
{
    tf_put(f, 2000, 42, 0, true);
    tf_ok(ez_fxt_out_close(f));
}

static ez_err *ignore(void *arg, const struct ez_item *it)
{
    return NULL;
}

/* "NAME ns times, ..." of the window. */
static void says(char *const *path, size_t n, uint64_t from, uint64_t to, const char *expected)
{
    struct ez_replay *r;
    char text[256] = "";
    tf_ok(ez_replay_open(path, n, NULL, &r));
    tf_ok(ez_replay_window(r, from, to));
    tf_ok(ez_replay_run(r, ignore, NULL, NULL));
    struct ez_trace_sum sum = ez_trace_sum_copy(ez_replay_sum(r));
    ez_replay_close(r);
    for (size_t i = 0; i < sum.throttled.row.n; i++) {
        const struct ez_throttled *t = &sum.throttled.row.at[i];
        size_t len = strlen(text);
        ck_assert_str_eq(t->library, "lib");
        snprintf(text + len, sizeof text - len, "%s%s %llu %llu", i ? ", " : "", t->function,
                 (unsigned long long)t->ns, (unsigned long long)t->times);
    }
    ck_assert_str_eq(text, expected);
    ez_trace_sum_free(&sum);
}

START_TEST(no_function_was_throttled)
{
    ended(begun(a, 42));
    says((char *[]){ a }, 1, 0, UINT64_MAX, "");
}
END_TEST

START_TEST(times_are_those_between_on_and_off)
{
    struct ez_fxt_out *f = begun(a, 42);
    throttle(f, 900, 1, true, "early"); /* before the first event: from there on */
    throttle(f, 1100, 2, true, "hot");
    throttle(f, 1150, 1, false, "");
    throttle(f, 1200, 2, true, "hot"); /* another probe of it: nothing new */
    throttle(f, 1300, 2, false, "");
    throttle(f, 1350, 2, false, ""); /* it was not */
    throttle(f, 1400, 2, true, "hot");
    throttle(f, 1450, 2, false, "");
    throttle(f, 1900, 3, true, "last"); /* to the last event */
    ended(f);
    char *const path[] = { a };
    says(path, 1, 0, UINT64_MAX, "hot 250 2, early 150 1, last 100 1");
    says(path, 1, 120, 430, "hot 210 2, early 30 1");
    says(path, 1, 500, 800, "");
}
END_TEST

START_TEST(processes_add_up)
{
    for (int k = 0; k < 2; k++) {
        struct ez_fxt_out *f = begun(k ? b : a, 42 + k);
        throttle(f, 1500, 7 + (uint64_t)k, true, "hot"); /* at an address of its own */
        throttle(f, 1600, 9, true, "warm");
        throttle(f, k ? 1700 : 1800, 9, false, "");
        ended(f);
    }
    says((char *[]){ a, b }, 2, 0, UINT64_MAX, "hot 1000 2, warm 300 2");
}
END_TEST

START_TEST(notes)
{
    struct ez_throttled row[EZ_THROTTLED_NOTES + 1];
    struct ez_throttled_rows r = { { row, EZ_THROTTLED_NOTES, 0 } };
    const uint64_t ns[] = { 999, 1500, 2500000, 3000000000, 1, 1 };
    const char *const time[] = { "999 ns", "1.50 us", "2.50 ms", "3.000 s", "1 ns", "1 ns" };
    for (size_t i = 0; i < EZ_ARRAY_LEN(row); i++)
        row[i] = (struct ez_throttled){ .function = (char *)"hot", .ns = ns[i] };
    for (size_t i = 0; i < EZ_THROTTLED_NOTES; i++) {
        EZ_FREE char *note = ez_throttled_note(&r, i);
        EZ_FREE char *begin =
            ez_sprintf("hot was throttled for %s (set budget). Its times", time[i]);
        ck_assert_ptr_eq(strstr(note, begin), note);
    }
    ck_assert_ptr_null(ez_throttled_note(&r, EZ_THROTTLED_NOTES));
    r.row.n++;
    EZ_FREE char *more = ez_throttled_note(&r, EZ_THROTTLED_NOTES);
    ck_assert_str_eq(more, "1 function more was throttled");
    ck_assert_ptr_null(ez_throttled_note(&r, EZ_THROTTLED_NOTES + 1));
}
END_TEST

static void read_all(void *arg)
{
    says((char *[]){ a, b }, 2, 0, UINT64_MAX, "hot 1000 2");
}

START_TEST(all_is_given_back)
{
    for (int k = 0; k < 2; k++) {
        struct ez_fxt_out *f = begun(k ? b : a, 42 + k);
        throttle(f, 1500, 7, true, "hot");
        ended(f);
    }
    gives_back(read_all, NULL, 40);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("throttle");
    TCase *t = tcase_create("throttle");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, no_function_was_throttled);
    tcase_add_test(t, times_are_those_between_on_and_off);
    tcase_add_test(t, processes_add_up);
    tcase_add_test(t, notes);
    tcase_add_test(t, all_is_given_back);
    suite_add_tcase(s, t);
    return run_suite(s);
}
