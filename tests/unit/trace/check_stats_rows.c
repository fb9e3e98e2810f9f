/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_stats_rows.c - the rows of statistics: to whom each belongs, and their order. */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "engine/trace/stats.h"
#include "tests/unit/suite.h"

static struct ez_model m;
static uint32_t process[3], thread[4];

static struct ez_stats *open_model(unsigned by, bool graph)
{
    struct ez_stats *st = ez_stats_create(&m, by, graph);
    ez_model_init(&m, "program", ez_stats_item, st);
    for (uint32_t i = 0; i < 3; i++) {
        EZ_FREE char *name = ez_sprintf("app %u", i);
        EZ_FREE char *of = ez_sprintf("thread %u", i);
        process[i] = ez_model_container(&m, EZ_L_PROCESS, 0, name, i, 0);
        thread[i] = ez_model_container(&m, EZ_L_THREAD, process[i], of, i, i);
    }
    thread[3] = ez_model_container(&m, EZ_L_THREAD, process[0], "another", 0, 9);
    m.container.at[process[0]].rank = 10;
    m.container.at[process[0]].host = ez_strdup("north");
    m.container.at[process[0]].job = ez_strdup("4711");
    m.container.at[process[1]].rank = 2;
    m.container.at[process[1]].host = ez_strdup("south");
    return st;
}

static void close_model(struct ez_stats *st)
{
    ez_stats_free(st);
    ez_model_deinit(&m);
}

static uint32_t called(const char *function, const char *library)
{
    return ez_model_name(&m, EZ_N_STATE, function, library, 0);
}

static void call(uint32_t t, const char *function, const char *library, uint64_t ns)
{
    ez_model_push(&m, t, called(function, library), EZ_ABOUT_NOTHING);
    ez_model_at(&m, m.now + ns);
    ez_model_pop(&m, t, EZ_ABOUT_NOTHING);
}

/* "function process thread host job rank calls" of all rows, in order */
static void table_is(struct ez_stats *st, enum ez_stats_sort sort, const char *want)
{
    char got[1024] = "";
    ez_stats_table(st, sort);
    ez_stats_table(st, sort); /* asked twice it says the same */
    for (size_t i = 0; i < st->n; i++) {
        const struct ez_stat_row *r = &st->row[i];
        size_t n = strlen(got);
        snprintf(got + n, sizeof got - n, "%s|%s|%s|%s|%s|%s|%d|%llu\n", r->function, r->library,
                 r->process, r->thread, r->host, r->job, (int)r->rank,
                 (unsigned long long)r->calls);
    }
    ck_assert_str_eq(got, want);
}

START_TEST(rows_say_whose_they_are)
{
    static const struct {
        unsigned by;
        const char *want;
    } t[] = {
        { EZ_BY_FUNCTION, "f|lib|||||-1|4\nmark||||||-1|1\n" },
        { EZ_BY_LIBRARY, "||||||-1|1\n|lib|||||-1|4\n" },
        { EZ_BY_FUNCTION | EZ_BY_PROCESS, "f|lib|app 1||south||2|1\n"
                                          "f|lib|app 0||north|4711|10|2\n"
                                          "f|lib|app 2||||-1|1\n"
                                          "mark||program||||-1|1\n" },
        { EZ_BY_PROCESS, "||app 1||south||2|1\n"
                         "||app 0||north|4711|10|2\n"
                         "||app 2||||-1|1\n"
                         "||program||||-1|1\n" },
        { EZ_BY_THREAD, "|||thread 1|south||2|1\n"
                        "|||another|north|4711|10|1\n"
                        "|||thread 0|north|4711|10|1\n"
                        "|||program|||-1|1\n"
                        "|||thread 2|||-1|1\n" },
        { EZ_BY_THREAD | EZ_BY_PROCESS, "||app 1|thread 1|south||2|1\n"
                                        "||app 0|another|north|4711|10|1\n"
                                        "||app 0|thread 0|north|4711|10|1\n"
                                        "||app 2|thread 2|||-1|1\n"
                                        "||program|program|||-1|1\n" },
    };
    for (size_t i = 0; i < EZ_ARRAY_LEN(t); i++) {
        struct ez_stats *st = open_model(t[i].by, false);
        ez_model_at(&m, 100);
        ez_model_event(&m, 0, ez_model_name(&m, EZ_N_EVENT, "mark", "", 0), NULL, 0,
                       EZ_ABOUT_NOTHING);
        for (int k = 0; k < 4; k++)
            call(thread[k], "f", "lib", 10);
        table_is(st, EZ_SORT_NAME, t[i].want);
        ck_assert_uint_eq(st->threads, 5); /* the program, too */
        ck_assert_uint_eq(st->run_ns, 40);
        ck_assert_uint_eq(st->nedge, 0);
        close_model(st);
    }
}
END_TEST

/* Calls that were only counted have a process, and no thread. */
START_TEST(counts_have_their_rows)
{
    static const struct {
        unsigned by;
        const char *want;
    } t[] = {
        { EZ_BY_FUNCTION, "f|lib|||||-1|111\n" },
        { EZ_BY_LIBRARY, "|lib|||||-1|111\n" },
        { EZ_BY_PROCESS, "||app 1||south||2|100\n||app 0||north|4711|10|1\n" },
        { EZ_BY_PROCESS | EZ_BY_FUNCTION,
          "f|lib|app 1||south||2|100\nf|lib|app 0||north|4711|10|1\n" },
        { EZ_BY_THREAD, "" },
        { EZ_BY_THREAD | EZ_BY_FUNCTION, "" },
    };
    for (size_t i = 0; i < EZ_ARRAY_LEN(t); i++) {
        struct ez_stats *st = open_model(t[i].by, false);
        ez_stats_count(st, process[0], called("f", "lib"), 1);
        ez_stats_count(st, EZ_NONE_IDX, called("f", "lib"), 10);
        ez_stats_count(st, process[1], called("f", "lib"), 100);
        table_is(st, EZ_SORT_NAME, t[i].want);
        close_model(st);
    }
}
END_TEST

/* Rows that are equal in a column are in the order of calls, then of names; where the column is 0, of
 * names alone. */
START_TEST(equal_rows_have_an_order)
{
    struct ez_stats *st = open_model(EZ_BY_FUNCTION, false);
    call(thread[0], "c", "", 30);
    call(thread[0], "b", "", 30);
    call(thread[0], "a", "", 10);
    call(thread[0], "a", "", 20);
    call(thread[0], "y", "", 0);
    ez_model_event(&m, thread[0], ez_model_name(&m, EZ_N_EVENT, "z", "", 0), NULL, 0,
                   EZ_ABOUT_NOTHING);
    ez_model_event(&m, thread[0], ez_model_name(&m, EZ_N_EVENT, "z", "", 0), NULL, 0,
                   EZ_ABOUT_NOTHING);
    table_is(st, EZ_SORT_TOTAL,
             "a||||||-1|2\nb||||||-1|1\nc||||||-1|1\ny||||||-1|1\n"
             "z||||||-1|2\n");
    table_is(st, EZ_SORT_MEAN,
             "b||||||-1|1\nc||||||-1|1\na||||||-1|2\ny||||||-1|1\n"
             "z||||||-1|2\n");
    table_is(st, EZ_SORT_CALLS,
             "a||||||-1|2\nz||||||-1|2\nb||||||-1|1\nc||||||-1|1\n"
             "y||||||-1|1\n");
    close_model(st);
}
END_TEST

/* Libraries call each other back and forth: time is counted once, in each thread for itself. */
START_TEST(a_library_within_itself)
{
    struct ez_stats *st = open_model(EZ_BY_LIBRARY, true);
    ez_model_push(&m, thread[0], called("outer", "app"), EZ_ABOUT_NOTHING);
    ez_model_push(&m, thread[1], called("outer", "app"), EZ_ABOUT_NOTHING);
    ez_model_at(&m, 10);
    ez_model_push(&m, thread[0], called("inner", "lib"), EZ_ABOUT_NOTHING);
    ez_model_at(&m, 20);
    call(thread[0], "back", "app", 30);
    ez_model_pop(&m, thread[0], EZ_ABOUT_NOTHING);
    call(thread[0], "other", "app", 7);
    ez_model_pop(&m, thread[0], EZ_ABOUT_NOTHING);
    ez_model_pop(&m, thread[1], EZ_ABOUT_NOTHING);
    call(thread[0], "outer", "app", 3);
    ez_stats_table(st, EZ_SORT_TOTAL);
    ck_assert_uint_eq(st->n, 2);
    ck_assert_uint_eq(st->row[0].total_ns, 57 + 57 + 3);
    ck_assert_uint_eq(st->row[0].self_ns, 10 + 30 + 7 + 57 + 3);
    ck_assert_uint_eq(st->row[1].total_ns, 40);
    ck_assert_uint_eq(st->row[1].self_ns, 10);
    ck_assert_uint_eq(st->nedge, 4);
    static const uint64_t want[][4] = {
        { EZ_NONE_IDX, 0, 3, 117 }, { 0, 1, 1, 40 }, { 1, 0, 1, 30 }, { 0, 0, 1, 7 }
    };
    for (size_t i = 0; i < 4; i++) {
        const struct ez_stat_edge *e = &st->edge[i];
        ck_assert(e->caller == want[i][0] && e->callee == want[i][1] && e->calls == want[i][2] &&
                  e->total_ns == want[i][3]);
    }
    close_model(st);
}
END_TEST

/* Edges of equal weight: by the caller's place in the table, then the callee's. */
START_TEST(equal_edges_have_an_order)
{
    struct ez_stats *st = open_model(EZ_BY_FUNCTION, true);
    static const char *const f[] = { "d", "c", "b", "a" };
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++) {
            ez_model_push(&m, thread[0], called(f[i], ""), EZ_ABOUT_NOTHING);
            call(thread[0], f[k], "", 1);
            ez_model_pop(&m, thread[0], EZ_ABOUT_NOTHING);
        }
    ez_stats_table(st, EZ_SORT_NAME);
    ck_assert_uint_eq(st->nedge, 4 * 4 + 4);
    for (uint32_t i = 0; i < 20; i++) { /* 4 ns each from nobody, then 1 ns each */
        ck_assert_uint_eq(st->edge[i].caller, i < 4 ? EZ_NONE_IDX : i / 4 - 1);
        ck_assert_uint_eq(st->edge[i].callee, i % 4);
        ck_assert_uint_eq(st->edge[i].total_ns, i < 4 ? 4 : 1);
    }
    close_model(st);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("rows");
    TCase *t = tcase_create("rows");
    tcase_add_test(t, rows_say_whose_they_are);
    tcase_add_test(t, counts_have_their_rows);
    tcase_add_test(t, equal_rows_have_an_order);
    tcase_add_test(t, a_library_within_itself);
    tcase_add_test(t, equal_edges_have_an_order);
    suite_add_tcase(s, t);
    return run_suite(s);
}
