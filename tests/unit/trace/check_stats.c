/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_stats.c - tables, quantiles, the call graph, the timeline, a trace that grows. */
#include "tests/unit/many.h"

#include <ctype.h>

#include "engine/trace/live.h"
#include "engine/trace/marks.h"
#include "engine/trace/stacks.h"
#include "engine/base/json.h"
#include "engine/base/strutil.h"
#include "engine/trace/timeline.h"
#include "tests/unit/trace_file.h"
#include "tests/unit/leaks.h"
#include "tests/unit/suite.h"

static char path[64];

static void setup(void)
{
    snprintf(path, sizeof path, "check_stats-%d.fxt", getpid());
}

static void teardown(void)
{
    unlink(path);
}

/* ---- histogram ------------------------------------------------------------------------- */

static void about(uint64_t value, uint64_t exact)
{
    double error = ((double)value - (double)exact) / (double)exact;
    ck_assert_msg(error < .065 && error > -.065, "%llu instead of %llu", (unsigned long long)value,
                  (unsigned long long)exact);
}

START_TEST(quantiles)
{
    struct ez_hist h = { 0 }, part = { 0 };
    ck_assert_uint_eq(ez_hist_quantile(&h, .5), 0);
    for (uint64_t i = 1; i <= 100000; i++)
        ez_hist_add(i % 2 ? &h : &part, i * 37);
    ez_hist_merge(&h, &part);
    ck_assert_uint_eq(h.total, 100000);
    ck_assert_uint_eq(h.min, 37);
    ck_assert_uint_eq(h.max, 3700000);
    ck_assert_uint_eq(h.sum, 37ull * 100000 * 100001 / 2);
    for (int q = 1; q < 100; q++)
        about(ez_hist_quantile(&h, q / 100.), (uint64_t)q * 37000);
    ck_assert_uint_eq(ez_hist_quantile(&h, 1), 3700000);
    uint64_t all = 0;
    for (unsigned k = 0; k < 64; k++)
        all += ez_hist_power(&h, k);
    ck_assert_uint_eq(all, 100000);
    ck_assert_uint_eq(ez_hist_power(&h, 10), 2048 / 37 - 1024 / 37);
    ez_hist_free(&h);
    ez_hist_free(&part);
}
END_TEST

/* Values of one bucket. */
START_TEST(within_a_bucket)
{
    const uint64_t lo = 1 << 20, width = 1 << 16; /* 16 buckets a power of two */
    struct ez_hist h = { 0 };
    ez_hist_add(&h, lo);
    ez_hist_add(&h, lo + width - 1);
    ck_assert_uint_eq(ez_hist_quantile(&h, .5), lo); /* the first of two, by nearest rank */
    ck_assert_uint_eq(ez_hist_quantile(&h, .51), lo + width - 1);
    for (uint64_t i = 1; i < 999; i++)
        ez_hist_add(&h, lo + i * width / 1000);
    for (int q = 1; q < 100; q++) {
        uint64_t want = lo + (uint64_t)q * width / 100, is = ez_hist_quantile(&h, q / 100.);
        ck_assert_msg(is > want - width / 50 && is < want + width / 50, "%d: %lu", q,
                      (unsigned long)(is - lo));
    }
    ez_hist_free(&h);
}
END_TEST

/* One long call among n short ones: the share from which it is the quantile. */
START_TEST(nearest_rank)
{
    static const struct {
        uint64_t n, rank[3]; /* of p50, p90, p99 */
    } told[] = { { 1, { 1, 1, 1 } },      { 2, { 1, 2, 2 } },     { 10, { 5, 9, 10 } },
                 { 50, { 25, 45, 50 } },  { 99, { 50, 90, 99 } }, { 100, { 50, 90, 99 } },
                 { 101, { 51, 91, 100 } } };
    static const double share[] = { .5, .9, .99 };
    for (size_t i = 0; i < EZ_ARRAY_LEN(told); i++) {
        struct ez_hist h = { 0 };
        for (uint64_t k = 1; k < told[i].n; k++)
            ez_hist_add(&h, 10000);
        ez_hist_add(&h, 20000000);
        for (size_t q = 0; q < EZ_ARRAY_LEN(share); q++) {
            ck_assert_uint_eq(ez_rank(share[q], told[i].n), told[i].rank[q]);
            uint64_t v = ez_hist_quantile(&h, share[q]);
            if (told[i].rank[q] == told[i].n)
                ck_assert_uint_eq(v, 20000000);
            else
                about(v, 10000);
        }
        ez_hist_free(&h);
    }
}
END_TEST

/* A value as far from the middle of its bucket as possible. */
START_TEST(many_equal_values)
{
    for (uint64_t v = 1; v < (uint64_t)1 << 62; v += v / 7 + 1) {
        struct ez_hist h = { 0 };
        for (int i = 0; i < 1000; i++)
            ez_hist_add(&h, v);
        ez_hist_add(&h, 2 * v);
        ez_hist_add(&h, v / 2);
        about(ez_hist_quantile(&h, .01), v);
        about(ez_hist_quantile(&h, .5), v);
        about(ez_hist_quantile(&h, .99), v);
        ez_hist_free(&h);
    }
}
END_TEST

START_TEST(extremes)
{
    struct ez_hist h = { 0 };
    ez_hist_add(&h, UINT64_MAX);
    ez_hist_add(&h, 0);
    ez_hist_add(&h, 1);
    ck_assert_uint_eq(ez_hist_quantile(&h, 0), 0);
    ck_assert_uint_eq(ez_hist_quantile(&h, 1), UINT64_MAX);
    ck_assert_uint_eq(ez_hist_power(&h, 0), 2);
    ck_assert_uint_eq(ez_hist_power(&h, 63), 1);
    ez_hist_free(&h);
}
END_TEST

/* ---- the table ---------------------------------------------------------------------------- */

/* outer 100..1100 { inner 200..300, inner 400..700 { inner 500..600 } } in thread 1;
 * outer 1000..2000, left open in thread 2; a point in thread 2. */
static void write_calls(struct ez_fxt_out *f)
{
    tf_put(f, 100, 1, 0, false);
    tf_put(f, 200, 1, 1, false);
    tf_put(f, 300, 1, 1, true);
    tf_put(f, 400, 1, 1, false);
    tf_put(f, 500, 1, 1, false);
    tf_put(f, 600, 1, 1, true);
    tf_put(f, 700, 1, 1, true);
    tf_put(f, 1100, 1, 0, true);
    tf_put(f, 1000, 2, 0, false);
    tf_put(f, 2000, 2, 2, false);
}

static struct ez_fxt_out *begin(void)
{
    struct ez_fxt_out *f = tf_open(path, 42);
    tf_process(f, 42, "app", "here");
    tf_probe(f, 0, TF_BOTH, "outer", "app");
    tf_probe(f, 1, TF_BOTH, "inner", "lib.so");
    tf_probe(f, 2, EZ_ROW_ENTRY | EZ_ROW_REC_ENTRY, "point", "app");
    return f;
}

static void write_example(void)
{
    struct ez_fxt_out *f = begin();
    write_calls(f);
    tf_ok(ez_fxt_out_close(f));
}

struct result {
    struct ez_replay *r;
    struct ez_stats *st;
};

static struct result stats(unsigned by, bool graph, enum ez_stats_sort sort)
{
    char *const in[] = { path };
    struct result x;
    tf_ok(ez_replay_open(in, 1, NULL, &x.r));
    x.st = ez_stats_create(ez_replay_model(x.r), by, graph);
    tf_ok(ez_replay_run(x.r, ez_stats_item, x.st, NULL));
    ez_stats_table(x.st, sort);
    return x;
}

static void done(struct result x)
{
    ez_stats_free(x.st);
    ez_replay_close(x.r);
}

static void row(const struct ez_stats *st, size_t i, const char *function, uint64_t calls,
                uint64_t total, uint64_t self)
{
    ck_assert_uint_lt(i, st->n);
    ck_assert_str_eq(st->row[i].function, function);
    ck_assert_uint_eq(st->row[i].calls, calls);
    ck_assert_uint_eq(st->row[i].total_ns, total);
    ck_assert_uint_eq(st->row[i].self_ns, self);
}

/* Pauses are in no row's self time, whatever `by` distinguishes; sleeps are in totals. A call that is
 * known in part counts in total and self, and not among the times of calls. */
static void pauses(unsigned by, const char *const want[])
{
    struct result x = stats(by, false, EZ_SORT_NAME);
    uint64_t sum = 0;
    for (size_t i = 0; i < x.st->n; i++) {
        const struct ez_stat_row *r = &x.st->row[i];
        EZ_FREE char *got = ez_sprintf(
            "%s%s%s%s calls %llu unwound %llu cut %llu total %llu self %llu timed %llu sum %llu",
            r->pause ? r->pause : "", r->pause ? "" : r->function, r->library, r->thread,
            (unsigned long long)r->calls, (unsigned long long)r->unwound,
            (unsigned long long)r->cut, (unsigned long long)r->total_ns,
            (unsigned long long)r->self_ns, (unsigned long long)r->times.total,
            (unsigned long long)r->times.sum);
        ck_assert_ptr_nonnull(want[i]);
        ck_assert_str_eq(got, want[i]);
        sum += r->self_ns;
    }
    ck_assert_ptr_null(want[x.st->n]);
    ck_assert_uint_eq(sum, x.st->run_ns);
    done(x);
}

START_TEST(pauses_have_their_rows)
{
    struct ez_fxt_out *f = begin();
    tf_put(f, 1000, 1, 0, false);
    tf_put(f, 1100, 1, 1, false);
    tf_thread(f, 1200, 1, EZ_T_SWITCH_OUT, 0);
    tf_thread(f, 1500, 1, EZ_T_SWITCH_IN, 0);
    tf_unwind(f, 1600, 1, 1);
    tf_thread(f, 2000, 1, EZ_T_GAP, 9);
    tf_thread(f, 2400, 1, EZ_T_GAP_END, 0);
    tf_put(f, 2400, 1, 1, false);
    tf_put(f, 3000, 1, 1, true);
    tf_ok(ez_fxt_out_close(f));
    pauses(EZ_BY_FUNCTION,
           (const char *const[]){
               "innerlib.so calls 2 unwound 1 cut 0 total 1100 self 800 timed 2 sum 1100",
               "outerapp calls 1 unwound 0 cut 1 total 1000 self 500 timed 0 sum 0",
               "[events lost] calls 1 unwound 0 cut 0 total 400 self 400 timed 1 sum 400",
               "[slept] calls 1 unwound 0 cut 0 total 300 self 300 timed 1 sum 300", NULL });
    pauses(EZ_BY_LIBRARY,
           (const char *const[]){
               "app calls 1 unwound 0 cut 1 total 1000 self 500 timed 0 sum 0",
               "lib.so calls 2 unwound 1 cut 0 total 1100 self 800 timed 2 sum 1100",
               "[events lost] calls 1 unwound 0 cut 0 total 400 self 400 timed 1 sum 400",
               "[slept] calls 1 unwound 0 cut 0 total 300 self 300 timed 1 sum 300", NULL });
    pauses(EZ_BY_THREAD,
           (const char *const[]){
               "thread 1 calls 3 unwound 1 cut 1 total 1600 self 1300 timed 2 sum 1100",
               "[events lost]thread 1 calls 1 unwound 0 cut 0 total 400 self 400 timed 1 sum 400",
               "[slept]thread 1 calls 1 unwound 0 cut 0 total 300 self 300 timed 1 sum 300",
               NULL });
}
END_TEST

/* A function that only calls another has total time, and no self time. */
START_TEST(by_self)
{
    struct ez_fxt_out *f = begin();
    tf_put(f, 1000, 1, 0, false);
    tf_put(f, 1010, 1, 1, false);
    tf_put(f, 1090, 1, 1, true);
    tf_put(f, 1100, 1, 0, true);
    tf_ok(ez_fxt_out_close(f));
    struct result x = stats(EZ_BY_FUNCTION, false, EZ_SORT_SELF);
    row(x.st, 0, "inner", 1, 80, 80);
    row(x.st, 1, "outer", 1, 100, 20);
    done(x);
    x = stats(EZ_BY_FUNCTION, false, EZ_SORT_TOTAL);
    row(x.st, 0, "outer", 1, 100, 20);
    done(x);
}
END_TEST

/* Recursion counts once in the total, each call in the rest. */
/* Each column has rows in an order of its own. */
static const struct {
    enum ez_stats_sort sort;
    const char *first;
} column[] = {
    { EZ_SORT_TOTAL, "even" }, { EZ_SORT_CALLS, "two" }, { EZ_SORT_MEAN, "even" },
    { EZ_SORT_MIN, "even" },   { EZ_SORT_MAX, "odd" },   { EZ_SORT_P50, "even" },
    { EZ_SORT_P90, "two" },    { EZ_SORT_P99, "odd" },   { EZ_SORT_NAME, "even" },
    { EZ_SORT_SELF, "even" },
};

/* n calls of so many ns; returns when the last ended. */
static uint64_t many(struct ez_fxt_out *f, uint64_t now, uint32_t id, int n, uint64_t ns)
{
    for (int i = 0; i < n; i++, now += ns) {
        tf_put(f, now, 1, id, false);
        tf_put(f, now + ns, 1, id, true);
    }
    return now;
}

START_TEST(by_each_column)
{
    struct ez_fxt_out *f = tf_open(path, 42);
    uint64_t now = 1;
    tf_process(f, 42, "app", "here");
    tf_probe(f, 0, TF_BOTH, "even", "app");
    tf_probe(f, 1, TF_BOTH, "odd", "app");
    tf_probe(f, 2, TF_BOTH, "two", "app");
    now = many(f, now, 0, 100, 1000);
    now = many(f, now, 1, 95, 100);
    now = many(f, now, 1, 5, 9000);
    now = many(f, now, 2, 100, 50);
    now = many(f, now, 2, 20, 2000);
    tf_ok(ez_fxt_out_close(f));
    struct result x = stats(EZ_BY_FUNCTION, false, column[_i].sort);
    ck_assert_uint_eq(x.st->n, 3);
    ck_assert_str_eq(x.st->row[0].function, column[_i].first);
    done(x);
}
END_TEST

START_TEST(by_function)
{
    write_example();
    struct result x = stats(EZ_BY_FUNCTION, false, EZ_SORT_TOTAL);
    ck_assert_uint_eq(x.st->n, 3);
    row(x.st, 0, "outer", 2, 2000, 1600);
    row(x.st, 1, "inner", 3, 400, 400);
    row(x.st, 2, "point", 1, 0, 0);
    ck_assert_uint_eq(x.st->row[0].times.total, 1); /* of the other, no exit was seen */
    ck_assert_uint_eq(x.st->row[0].times.max, 1000);
    ck_assert_uint_eq(x.st->row[0].cut, 1);
    ck_assert_uint_eq(x.st->row[1].times.sum, 500);
    ck_assert_uint_eq(x.st->row[1].times.min, 100);
    ck_assert_uint_eq(x.st->row[1].times.max, 300);
    ck_assert_str_eq(x.st->row[1].library, "lib.so");
    ck_assert_uint_eq(x.st->run_ns, 2000);
    ck_assert_uint_eq(x.st->threads, 2);
    done(x);
    x = stats(EZ_BY_FUNCTION, false, EZ_SORT_CALLS);
    row(x.st, 0, "inner", 3, 400, 400);
    done(x);
    x = stats(EZ_BY_FUNCTION, false, EZ_SORT_NAME);
    row(x.st, 0, "inner", 3, 400, 400);
    row(x.st, 2, "point", 1, 0, 0);
    done(x);
}
END_TEST

START_TEST(by_other_things)
{
    write_example();
    struct result x = stats(EZ_BY_LIBRARY, false, EZ_SORT_TOTAL);
    ck_assert_uint_eq(x.st->n, 2);
    row(x.st, 0, "", 3, 2000, 1600);
    ck_assert_str_eq(x.st->row[0].library, "app");
    row(x.st, 1, "", 3, 400, 400);
    done(x);
    x = stats(EZ_BY_THREAD, false, EZ_SORT_NAME);
    ck_assert_uint_eq(x.st->n, 2);
    row(x.st, 0, "", 4, 1000, 1000);
    ck_assert_str_eq(x.st->row[0].thread, "thread 1");
    row(x.st, 1, "", 2, 1000, 1000);
    done(x);
    x = stats(EZ_BY_PROCESS | EZ_BY_FUNCTION, false, EZ_SORT_TOTAL);
    ck_assert_uint_eq(x.st->n, 3);
    ck_assert_str_eq(x.st->row[0].process, "app 42");
    row(x.st, 0, "outer", 2, 2000, 1600);
    done(x);
}
END_TEST

START_TEST(call_graph)
{
    write_example();
    struct result x = stats(EZ_BY_FUNCTION, true, EZ_SORT_TOTAL);
    ck_assert_uint_eq(x.st->nedge, 3);
    const struct ez_stat_edge *e = x.st->edge;
    ck_assert(e[0].caller == EZ_NONE_IDX && e[0].callee == 0 && e[0].calls == 2 &&
              e[0].total_ns == 2000);
    ck_assert(e[1].caller == 0 && e[1].callee == 1 && e[1].calls == 2 && e[1].total_ns == 400);
    ck_assert(e[2].caller == 1 && e[2].callee == 1 && e[2].calls == 1 && e[2].total_ns == 100);
    done(x);
}
END_TEST

/* fib of fib of fib: along an edge the outermost calls count, so none has more time than its callee. */
START_TEST(call_graph_of_recursion)
{
    struct ez_fxt_out *f = begin();
    tf_put(f, 1000, 1, 0, false);
    tf_put(f, 1100, 1, 0, false);
    tf_put(f, 1200, 1, 0, false);
    tf_put(f, 1250, 1, 1, false); /* through another function */
    tf_put(f, 1260, 1, 0, false);
    tf_put(f, 1270, 1, 1, false);
    tf_put(f, 1280, 1, 1, true);
    tf_put(f, 1290, 1, 0, true);
    tf_put(f, 1295, 1, 1, true);
    tf_put(f, 1300, 1, 0, true);
    tf_put(f, 1400, 1, 0, false);
    tf_put(f, 1500, 1, 0, true);
    tf_put(f, 1900, 1, 0, true);
    tf_put(f, 2000, 1, 0, true);
    tf_ok(ez_fxt_out_close(f));
    struct result x = stats(EZ_BY_FUNCTION, true, EZ_SORT_TOTAL);
    ck_assert_uint_eq(x.st->nedge, 4);
    row(x.st, 0, "outer", 5, 1000, 975);
    const struct ez_stat_edge *e = x.st->edge;
    ck_assert(e[0].caller == EZ_NONE_IDX && e[0].calls == 1 && e[0].total_ns == 1000);
    ck_assert(e[1].caller == 0 && e[1].callee == 0 && e[1].calls == 3 && e[1].total_ns == 800);
    ck_assert(e[2].caller == 0 && e[2].callee == 1 && e[2].calls == 2 && e[2].total_ns == 45);
    ck_assert(e[3].caller == 1 && e[3].callee == 0 && e[3].calls == 1 && e[3].total_ns == 30);
    done(x);
}
END_TEST

struct views { /* of one reading */
    struct ez_stats *stats;
    struct ez_timeline *timeline;
    struct ez_stacks stacks;
};

static ez_err *views_item(void *arg, const struct ez_item *it)
{
    struct views *v = arg;
    EZ_TRY(ez_stats_item(v->stats, it));
    EZ_TRY(ez_stacks_item(&v->stacks, it));
    return ez_timeline_item(v->timeline, it);
}

/* A thread that is in a call all the time: each view has the same whole, without the waiting for the trace. */
START_TEST(views_have_one_whole)
{
    struct ez_fxt_out *f = begin();
    char *const in[] = { path };
    struct ez_replay *r;
    uint64_t self = 0, stacks = 0, line = 0, slices = 0;
    tf_put(f, 1000, 1, 0, false);
    tf_thread(f, 1100, 1, EZ_T_WAIT, 0);
    tf_thread(f, 1150, 1, EZ_T_SWITCH_OUT, 0); /* who waits sleeps */
    tf_thread(f, 1700, 1, EZ_T_SWITCH_IN, 0);
    tf_thread(f, 1800, 1, EZ_T_WAIT_END, 0);
    tf_put(f, 1850, 1, 1, false);
    tf_thread(f, 1900, 1, EZ_T_SWITCH_OUT, 1);
    tf_thread(f, 1950, 1, EZ_T_SWITCH_IN, 0);
    tf_put(f, 2000, 1, 1, true);
    tf_put(f, 2100, 1, 0, true);
    tf_ok(ez_fxt_out_close(f));
    tf_ok(ez_replay_open(in, 1, NULL, &r));
    const struct ez_model *m = ez_replay_model(r);
    struct views v = { .stats = ez_stats_create(m, EZ_BY_FUNCTION, false),
                       .timeline = ez_timeline_create(m, 0, 1100, 110) };
    ez_stacks_init(&v.stacks, m, true);
    tf_ok(ez_replay_run(r, views_item, &v, NULL));
    ez_stats_table(v.stats, EZ_SORT_TOTAL);
    ez_timeline_finish(v.timeline);
    for (size_t i = 0; i < v.stats->n; i++) {
        self += v.stats->row[i].ours ? 0 : v.stats->row[i].self_ns;
        ck_assert_int_eq(v.stats->row[i].ours,
                         !strcmp(v.stats->row[i].function, "[waiting for the trace]"));
    }
    for (size_t i = 0; i < v.stacks.node.n; i++)
        stacks += v.stacks.node.at[i].self_ns;
    for (size_t i = 0; i < v.timeline->names; i++)
        line += v.timeline->name[i].ns;
    for (unsigned i = 0; i < v.timeline->slices; i++)
        slices += v.timeline->row[0].slice[i] != EZ_NONE_IDX;
    ck_assert_uint_eq(v.stats->run_ns, 400);
    ck_assert_uint_eq(self, 400);
    ck_assert_uint_eq(stacks, 400);
    ck_assert_uint_eq(line, 400);
    ck_assert_uint_eq(slices, 40);
    ez_stats_free(v.stats);
    ez_stacks_free(&v.stacks);
    ez_timeline_free(v.timeline);
    ez_replay_close(r);
}
END_TEST

/* Use a table, a timeline and a growing trace; also a library that is inside itself. */
static void use_all(void *arg)
{
    struct ez_live *l;
    uint64_t fresh;
    char *const in[] = { path };
    struct ez_replay *r;
    for (unsigned by = EZ_BY_FUNCTION; by <= EZ_BY_THREAD; by *= 2)
        done(stats(by, true, EZ_SORT_TOTAL));
    tf_ok(ez_replay_open(in, 1, NULL, &r));
    struct ez_timeline *t = ez_timeline_create(ez_replay_model(r), 0, 1900, 5);
    tf_ok(ez_replay_run(r, ez_timeline_item, t, NULL));
    ez_timeline_finish(t);
    ez_timeline_free(t);
    ez_replay_close(r);
    tf_ok(ez_live_open(path, EZ_BY_FUNCTION, &l));
    tf_ok(ez_live_poll(l, NULL, &fresh));
    ez_live_close(l);
}

START_TEST(all_is_given_back)
{
    write_example();
    gives_back(use_all, NULL, 100);
    ez_stats_free(NULL);
    ez_live_close(NULL);
}
END_TEST

/* Reading a trace in parts while it is written gives the same as reading the whole file. */
START_TEST(a_trace_that_grows)
{
    struct ez_live *l;
    uint64_t fresh;
    struct ez_fxt_out *f = begin();
    tf_ok(ez_fxt_out_checkpoint(f));
    tf_ok(ez_live_open(path, EZ_BY_FUNCTION, &l));
    tf_ok(ez_live_poll(l, NULL, &fresh));
    ck_assert_uint_eq(fresh, 0); /* definitions only */
    tf_put(f, 100, 1, 0, false);
    tf_put(f, 200, 1, 1, false);
    tf_ok(ez_live_poll(l, NULL, &fresh)); /* not checkpointed: not there yet */
    ck_assert_uint_eq(fresh, 0);
    tf_ok(ez_fxt_out_checkpoint(f));
    tf_ok(ez_live_poll(l, NULL, &fresh));
    ck_assert_uint_eq(fresh, 2);
    tf_put(f, 300, 1, 1, true);
    tf_put(f, 150, 2, 0, false); /* earlier than what was read before */
    tf_put(f, 350, 2, 0, true);
    tf_put(f, 1100, 1, 0, true);
    tf_ok(ez_fxt_out_close(f));
    tf_ok(ez_live_poll(l, NULL, &fresh));
    ck_assert_uint_eq(fresh, 4);
    struct ez_stats *st = ez_live_stats(l);
    ez_stats_table(st, EZ_SORT_TOTAL);
    row(st, 0, "outer", 2, 1200, 1100);
    row(st, 1, "inner", 1, 100, 100);
    ez_live_close(l);
}
END_TEST

/* ---- timeline -------------------------------------------------------------------------------- */

static void drawn(uint64_t from, uint64_t to, const char *first, const char *second)
{
    char *const in[] = { path };
    const char *const expect[] = { first, second };
    struct ez_replay *r;
    tf_ok(ez_replay_open(in, 1, NULL, &r));
    const struct ez_model *m = ez_replay_model(r);
    struct ez_timeline *t = ez_timeline_create(m, from, to, (unsigned)strlen(first));
    tf_ok(ez_replay_run(r, ez_timeline_item, t, NULL));
    ez_timeline_finish(t);
    ck_assert_uint_eq(t->n, 2);
    for (size_t i = 0; i < 2; i++) {
        char line[64] = "";
        for (unsigned k = 0; k < t->slices; k++) {
            uint32_t n = t->row[i].slice[k];
            line[k] = n == EZ_NONE_IDX ? '.' : n == EZ_PART_IDX ? ':' : m->name.at[n].text[0];
            if (t->row[i].paused[k])
                line[k] = (char)toupper((unsigned char)line[k]);
        }
        ck_assert_str_eq(line, expect[i]);
    }
    ez_timeline_free(t);
    ez_replay_close(r);
}

START_TEST(timeline)
{
    write_example(); /* times begin at 0: 100 less than written */
    drawn(0, 1900, "oioiiioooo.........", ".........oooooooooo");
    drawn(0, 1900, ":", "o");
    drawn(0, 2100, ":", ":");
    drawn(300, 400, "iiii", "....");
    drawn(50, 150, "oi", "..");
    drawn(0, 3800, "ooioo..............", "....oooooo.........");
    drawn(5000, 6000, "....", "....");
}
END_TEST

/* The function in which a thread sleeps or is preempted is shown, marked if the pause is most of its
 * time in the slice. Pauses outside of all calls, and waits for the trace, are shown as nothing. */
START_TEST(pauses_are_in_functions)
{
    struct ez_fxt_out *f = begin();
    tf_put(f, 1000, 1, 0, false);
    tf_put(f, 1000, 2, 0, false);
    tf_put(f, 1100, 1, 1, false);
    tf_thread(f, 1160, 1, EZ_T_SWITCH_OUT, 0);
    tf_thread(f, 1300, 1, EZ_T_SWITCH_IN, 0);
    tf_put(f, 1350, 1, 1, true);
    tf_thread(f, 1400, 1, EZ_T_WAIT, 0);
    tf_thread(f, 1500, 1, EZ_T_WAIT_END, 0);
    tf_put(f, 1600, 1, 0, true);
    tf_thread(f, 1600, 1, EZ_T_SWITCH_OUT, 0);
    tf_thread(f, 1700, 2, EZ_T_SWITCH_OUT, 1);
    tf_thread(f, 1800, 1, EZ_T_SWITCH_IN, 0);
    tf_thread(f, 1900, 2, EZ_T_SWITCH_IN, 0);
    tf_put(f, 2000, 2, 0, true);
    tf_ok(ez_fxt_out_close(f));
    drawn(0, 1000, "oiIi.o....", "oooooooOOo"); /* slice 1: 60 of 100 ns run, 40 not */
}
END_TEST

/* Thousands of functions in a slice: time must not grow with their square. */
START_TEST(many_names_in_a_slice)
{
    enum { N = 60000, ROUNDS = 4 };
    struct ez_fxt_out *f = tf_open(path, 42);
    uint64_t tick = 100;
    for (uint32_t i = 0; i < N; i++) {
        char name[16];
        snprintf(name, sizeof name, "%c%u", i == 777 ? 'x' : 'y', i);
        tf_probe(f, i, TF_BOTH, name, "");
    }
    tf_put(f, tick, 1, 0, false);
    tf_put(f, tick, 2, 777, false);
    for (uint32_t k = 0; k < ROUNDS; k++)
        for (uint32_t i = 0; i < N; i++) {
            tf_put(f, tick, 1, i, false);
            tf_put(f, tick += i == 777 ? N : 1, 1, i, true);
        }
    tf_ok(ez_fxt_out_close(f));
    drawn(0, tick - 100, "x", "x");
}
END_TEST

/* ---- marks ----------------------------------------------------------------------------------- */

static void mark(struct ez_marks *k, enum ez_item_kind kind, uint64_t ns, uint32_t container,
                 double value)
{
    struct ez_item it = { .kind = kind, .ns = ns, .container = container, .name = 3 };
    if (kind == EZ_I_VAR)
        it.value = value;
    else
        it.key = (uint64_t)value;
    tf_ok(ez_marks_item(k, &it));
}

START_TEST(few_of_many_points)
{
    struct ez_marks k;
    ez_marks_init(&k, 0, 1000000, 10);
    for (uint64_t i = 0; i < 123456; i++)
        mark(&k, EZ_I_EVENT, i, 1, 0);
    ck_assert_uint_eq(k.points.all, 123456);
    ck_assert_uint_eq(k.points.stride, 32);
    ck_assert_uint_eq(k.point.n, 123456 / 32);
    for (size_t i = 0; i < k.point.n; i++)
        ck_assert_uint_eq(k.point.at[i].ns, i * 32);
    ez_marks_free(&k);
}
END_TEST

START_TEST(links_with_two_ends)
{
    struct ez_marks k;
    ez_marks_init(&k, 0, 1000, 10);
    mark(&k, EZ_I_LINK_END, 5, 1, 7); /* of nothing */
    for (uint64_t i = 0; i < 100; i++) {
        mark(&k, EZ_I_LINK_START, i * 10, 1, (double)i);
        mark(&k, EZ_I_LINK_START, i * 10 + 1, 2, (double)(i + 1000));
        mark(&k, EZ_I_LINK_END, i * 10 + 2, 2, (double)(i + 1000)); /* where it began */
        mark(&k, EZ_I_LINK_END, i * 10 + 3, 3, (double)i);
    }
    ck_assert_uint_eq(k.links.all, 100);
    ck_assert_uint_eq(k.link.n, 100);
    ck_assert_uint_eq(k.open.n, 2); /* their places are used again */
    struct ez_marks_link l = k.link.at[41];
    ck_assert(l.start_ns == 410 && l.end_ns == 413 && l.from == 1 && l.to == 3 && l.name == 3);
    ez_marks_free(&k);
}
END_TEST

static void ranges(const struct ez_marks_var *v, const char *expect)
{
    char got[256] = "";
    for (unsigned i = 0; v->first + i <= v->at; i++) {
        size_t n = strlen(got);
        snprintf(got + n, sizeof got - n, "%g..%g ", v->slice[i].lo, v->slice[i].hi);
    }
    ck_assert_str_eq(got, expect);
}

START_TEST(variables_by_slices)
{
    struct ez_marks k;
    ez_marks_init(&k, 0, 80, 8);
    mark(&k, EZ_I_VAR, 12, 1, 5);
    mark(&k, EZ_I_VAR, 19, 1, 7);
    mark(&k, EZ_I_VAR, 45, 1, -2);
    mark(&k, EZ_I_VAR, 46, 1, 1);
    mark(&k, EZ_I_VAR, 79, 2, 4);
    for (uint32_t c = 10; c < 10 + 2 * EZ_MARKS_VARS; c++)
        mark(&k, EZ_I_VAR, 79, c, c);
    ez_marks_finish(&k);
    ck_assert_uint_eq(k.vars, 2 + 2 * EZ_MARKS_VARS);
    ck_assert_uint_eq(k.var.n, EZ_MARKS_VARS);
    ck_assert_uint_eq(k.var.at[0].first, 1);
    ranges(&k.var.at[0], "5..7 7..7 7..7 -2..7 1..1 1..1 1..1 ");
    ck_assert_uint_eq(k.var.at[1].first, 7);
    ranges(&k.var.at[1], "4..4 ");
    ez_marks_free(&k);
}
END_TEST

/* ---- text --------------------------------------------------------------------------------------- */

START_TEST(json_strings)
{
    static const char *const t[][2] = { { "", "\"\"" },
                                        { "a\"b\\c", "\"a\\\"b\\\\c\"" },
                                        { "\n\x1b\x7f", "\"\\u000a\\u001b\\u007f\"" },
                                        { "\xc3\xa9", "\"\\u00e9\"" },
                                        { "\xf0\x9f\x98\x80", "\"\\ud83d\\ude00\"" },
                                        { "\xff"
                                          "a\xc3",
                                          "\"\\ufffda\\ufffd\"" },
                                        { "\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\"" } };
    for (size_t i = 0; i < EZ_ARRAY_LEN(t); i++) {
        struct ez_json j = { .text = NULL };
        ez_json_add_text(&j, NULL, t[i][0]);
        ck_assert_str_eq(j.text, t[i][1]);
        ez_json_free(&j);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("stats");
    TCase *t = tcase_create("stats");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_set_timeout(t, 60);
    tcase_add_test(t, quantiles);
    tcase_add_test(t, nearest_rank);
    tcase_add_test(t, within_a_bucket);
    tcase_add_loop_test(t, by_each_column, 0, (int)EZ_ARRAY_LEN(column));
    tcase_add_test(t, many_equal_values);
    tcase_add_test(t, extremes);
    tcase_add_test(t, pauses_have_their_rows);
    tcase_add_test(t, by_function);
    tcase_add_test(t, by_self);
    tcase_add_test(t, by_other_things);
    tcase_add_test(t, call_graph);
    tcase_add_test(t, call_graph_of_recursion);
    tcase_add_test(t, views_have_one_whole);
    tcase_add_test(t, all_is_given_back);
    tcase_add_test(t, a_trace_that_grows);
    tcase_add_test(t, timeline);
    tcase_add_test(t, pauses_are_in_functions);
    tcase_add_test(t, many_names_in_a_slice);
    tcase_add_test(t, few_of_many_points);
    tcase_add_test(t, links_with_two_ends);
    tcase_add_test(t, variables_by_slices);
    tcase_add_test(t, json_strings);
    suite_add_tcase(s, t);
    return run_suite(s);
}
