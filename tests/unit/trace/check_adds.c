/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_adds.c - aggregates in traces: the last values count; files of several processes are summed, those
 * of one are not; what is damaged costs itself alone. */
#include "engine/trace/replay.h"
#include "tests/unit/suite.h"
#include "tests/unit/trace_file.h"

#define ADDR 0x401234

static void aggregate(struct ez_fxt_out *f, uint64_t table, unsigned adds, const char *function,
                      const char *key, const char *type, uint64_t begin)
{
    uint64_t arg[] = { table, table + 1, adds, begin };
    char text[128];
    int n = snprintf(text, sizeof text, "%s%c%s%c%s%c%s", function, 0, "", 0, key, 0, type);
    tf_ok(
        ez_fxt_out_define(f, &(struct ez_fxt_def){ EZ_DEF_ADDS, 1, 42, arg, 4, text, (size_t)n }));
}

static void value(struct ez_fxt_out *f, uint64_t table, uint64_t key, uint64_t n, int64_t sum,
                  const char *text)
{
    uint64_t arg[] = { table, 1, key, n, (uint64_t)sum, (uint64_t)(sum - 1), (uint64_t)(sum + 1) };
    tf_ok(ez_fxt_out_define(
        f, &(struct ez_fxt_def){ EZ_DEF_ADDED, 1, 42, arg, 7, text, strlen(text) }));
}

static void buckets(struct ez_fxt_out *f, uint64_t table, uint64_t key, uint64_t bucket, uint64_t n)
{
    uint64_t arg[] = { table, key, bucket, n };
    tf_ok(ez_fxt_out_define(f, &(struct ez_fxt_def){ EZ_DEF_BUCKETS, 1, 42, arg, 4, NULL, 0 }));
}

/* A file of a process whose `f` is at another address than in others; its clock ticks so often. */
static void write_file(const char *path, uint64_t pid, uint64_t begin, uint64_t ticks_per_s,
                       uint64_t times)
{
    const uint64_t addr = ADDR + 0x1000 * pid, schema[] = { 1, ticks_per_s };
    struct ez_fxt_out *f = tf_open(path, (int)pid);
    tf_ok(ez_fxt_out_define(f, &(struct ez_fxt_def){ EZ_DEF_SCHEMA, 1, pid, schema, 2, NULL, 0 }));
    tf_process(f, pid, "/bin/app", "here");
    tf_clock(f, 1, 1700000000000000000u, 1);
    tf_ok(ez_fxt_out_define(f, &(struct ez_fxt_def){ EZ_DEF_SYMBOL, 1, pid, &addr, 1, "f+1", 3 }));
    aggregate(f, 0, EZ_ADDS_SUM, "work", "n", "int", begin);
    aggregate(f, 1, EZ_ADDS_COUNT, "work", "$caller", "code", begin);
    aggregate(f, 2, EZ_ADDS_LATENCY, "work", "", "int", begin);
    aggregate(f, 3, EZ_ADDS_COUNT, "work", "s", "text", begin);
    value(f, 0, 7, 1, 10, "");
    value(f, 0, 7, 2 * times, 20 * (int64_t)times, ""); /* replaces it */
    value(f, 0, 8, 1, -5, "");
    value(f, 1, addr, times, 0, "");
    value(f, 2, 0, times, 100 * (int64_t)times, "");
    buckets(f, 2, 0, ez_addup_bucket(100), times);
    value(f, 3, 99, times, 0, "a text");
    tf_put(f, 100, pid, 1, false);
    tf_ok(ez_fxt_out_close(f));
}

static struct ez_replay *read_files(char **name, size_t n)
{
    struct ez_replay *r;
    tf_ok(ez_replay_open(name, n, NULL, &r));
    return r;
}

static const struct ez_addup_line *line(const struct ez_replay *r, size_t of, const char *key)
{
    const struct ez_adds_all *all = ez_replay_adds(r);
    ck_assert_uint_lt(of, all->of.n);
    for (size_t i = 0; i < all->of.at[of].sum->line.n; i++) {
        EZ_FREE char *text = ez_aggregate_key(&all->of.at[of].is, i);
        if (!strcmp(text, key))
            return &all->of.at[of].sum->line.at[i];
    }
    ck_abort_msg("no key %s", key);
}

START_TEST(last_values)
{
    char *name[] = { "adds1.fxt" };
    write_file(name[0], 42, 1, 1000000000, 3);
    struct ez_replay *r = read_files(name, 1);
    ck_assert_uint_eq(ez_replay_adds(r)->of.n, 4);
    ck_assert_int_eq(line(r, 0, "7")->n, 6);
    ck_assert_int_eq(line(r, 0, "7")->sum.i, 60);
    ck_assert_int_eq(line(r, 0, "8")->least.i, -6);
    ck_assert_int_eq(line(r, 1, "f+1")->n, 3);
    ck_assert_int_eq(line(r, 2, "")->bucket[ez_addup_bucket(100)], 3);
    ck_assert_int_eq(line(r, 3, "\"a text\"")->n, 3);
    ck_assert_int_eq(ez_replay_adds(r)->of.at[0].sum->full, 1);
    ez_replay_close(r);
    unlink(name[0]);
}
END_TEST

START_TEST(processes)
{
    char *name[] = { "adds1.fxt", "adds2.fxt", "adds3.fxt" };
    write_file(name[0], 42, 1, 1000000000, 3);
    write_file(name[1], 43, 2, 2000000000, 4); /* its ticks are half as long */
    write_file(name[2], 42, 1, 1000000000, 5); /* a later trace of the first process */
    struct ez_replay *r = read_files(name, 3);
    ck_assert_uint_eq(ez_replay_adds(r)->of.n, 4);
    ck_assert_int_eq(line(r, 0, "7")->n, 8 + 10);
    ck_assert_int_eq(line(r, 0, "7")->sum.i, 80 + 100);
    ck_assert_int_eq(line(r, 1, "f+1")->n, 9);
    ck_assert_uint_eq(ez_replay_adds(r)->of.at[1].sum->line.n, 1);
    ck_assert_int_eq(line(r, 2, "")->sum.i, 200 + 500);
    ck_assert_int_eq(line(r, 2, "")->bucket[ez_addup_bucket(100)], 5);
    ck_assert_int_eq(line(r, 2, "")->bucket[ez_addup_bucket(50)], 4);
    ck_assert_int_eq(ez_replay_adds(r)->of.at[0].sum->full, 2);
    ez_replay_close(r);
    for (size_t i = 0; i < 3; i++)
        unlink(name[i]);
}
END_TEST

START_TEST(damaged)
{
    char *name[] = { "adds1.fxt" };
    struct ez_fxt_out *f = tf_open(name[0], 42);
    tf_process(f, 42, "/bin/app", "here");
    aggregate(f, 0, EZ_ADDS_HIST, "work", "n", "int", 1);
    aggregate(f, 0, EZ_ADDS_COUNT, "other", "", "int", 1); /* a table never changes its meaning */
    aggregate(f, EZ_ADDUPS, EZ_ADDS_COUNT, "beyond", "", "int", 1);
    aggregate(f, 1, EZ_NADDS, "unknown", "", "int", 1);
    aggregate(f, 2, EZ_ADDS_NOTHING, "nothing", "", "int", 1);
    aggregate(f, 3, EZ_ADDS_COUNT, "later", "k", "of a later version", 1);
    value(f, 0, 1, 2, 3, "");
    value(f, 0, 2, 0, 3, ""); /* without hits */
    value(f, 9, 1, 2, 3, "");
    value(f, 3, 17, 2, 3, "");
    buckets(f, 0, 1, 7, 2);
    buckets(f, 0, 1, EZ_ADDUP_BUCKETS, 2);
    buckets(f, 0, 1, UINT64_MAX, 2);
    buckets(f, 0, 77, 7, 2);
    buckets(f, 9, 1, 7, 2);
    tf_put(f, 100, 42, 1, false);
    tf_ok(ez_fxt_out_close(f));
    struct ez_replay *r = read_files(name, 1);
    ck_assert_uint_eq(ez_replay_adds(r)->of.n, 2);
    ck_assert_uint_eq(ez_replay_adds(r)->of.at[0].sum->line.n, 1);
    ck_assert_int_eq(line(r, 0, "1")->bucket[7], 2);
    ck_assert_int_eq(line(r, 1, "0x11")->n, 2);
    ez_replay_close(r);
    unlink(name[0]);
}
END_TEST

START_TEST(window)
{
    char *name[] = { "adds1.fxt" };
    struct ez_fxt_out *f = tf_open(name[0], 42);
    aggregate(f, 0, EZ_ADDS_COUNT, "work", "", "int", 1);
    value(f, 0, 0, 5, 0, "");
    tf_put(f, 100, 42, 1, false);
    tf_put(f, 9000, 42, 1, true);
    tf_ok(ez_fxt_out_close(f));
    struct ez_replay *r = read_files(name, 1);
    tf_ok(ez_replay_window(r, 100, 200)); /* they are those of the whole time */
    ck_assert_uint_eq(ez_replay_adds(r)->of.n, 0);
    ez_replay_close(r);
    unlink(name[0]);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("adds");
    TCase *c = tcase_create("adds");
    tcase_add_test(c, last_values);
    tcase_add_test(c, processes);
    tcase_add_test(c, damaged);
    tcase_add_test(c, window);
    suite_add_tcase(s, c);
    return run_suite(s);
}
