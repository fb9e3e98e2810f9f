/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_replay.c - from files to items: order, clocks, meanings, balance. */
#include "tests/unit/many.h"

#include <fcntl.h>

#include "engine/trace/calib.h"
#include "engine/trace/merge.h"
#include "engine/trace/order.h"
#include "tests/unit/trace_file.h"
#include "tests/unit/leaks.h"
#include "tests/unit/suite.h"

static char a[64], b[64], c[64];

static void setup(void)
{
    snprintf(a, sizeof a, "check_replay-%d-a.fxt", getpid());
    snprintf(b, sizeof b, "check_replay-%d-b.fxt", getpid());
    snprintf(c, sizeof c, "check_replay-%d-c.fxt", getpid());
}

static void teardown(void)
{
    unlink(a);
    unlink(b);
    unlink(c);
}

static void tells(char *const *path, size_t n, const char *expected)
{
    char *text = tf_tell(path, n, NULL);
    ck_assert_str_eq(text, expected);
    free(text);
}

/* ---- the clock ------------------------------------------------------------------------- */

START_TEST(ticks_become_nanoseconds)
{
    struct ez_calibration cal[] = {
        { 1000, 0, 5000000 }, /* 2 ticks a ns, then 4, then 2 */
        { 2001000, 0, 6000000 }, { 6001000, 0, 7000000 },
        { 6001002, 0, 7000001 }, /* too close: ignored */
        { 5, 0, 9000000 },       /* backwards: ignored */
    };
    struct ez_calib k;
    ez_calib_init(&k, cal, EZ_ARRAY_LEN(cal), 12345);
    ck_assert_uint_eq(ez_calib_ns(&k, 1000), 5000000);
    ck_assert_uint_eq(ez_calib_ns(&k, 3000), 5001000);
    ck_assert_uint_eq(ez_calib_ns(&k, 2001000), 6000000);
    ck_assert_uint_eq(ez_calib_ns(&k, 4001000), 6500000);
    ck_assert_uint_eq(ez_calib_ns(&k, 2000998), 5999999);
    ck_assert_uint_eq(ez_calib_ns(&k, 9001000), 8000000); /* at 3 ticks a ns, the average */
    ck_assert_uint_eq(ez_calib_ns(&k, 997), 4999999);
    ez_calib_deinit(&k);
    ez_calib_init(&k, NULL, 0, 0);
    ck_assert_uint_eq(ez_calib_ns(&k, 0xfedcba9876543210), 0xfedcba9876543210);
    ez_calib_deinit(&k);
    ez_calib_init(&k, NULL, 0, 1);
    ck_assert_uint_eq(ez_calib_ns(&k, UINT64_MAX), UINT64_MAX);
    ez_calib_deinit(&k);
}
END_TEST

/* Two hours at an odd rate, calibrated every second: no nanosecond goes astray, and
 * none with the first and the last calibration only. */
START_TEST(two_hours_stay_exact)
{
    const uint64_t rate = 2893437761; /* ticks a second */
    EZ_VEC(struct ez_calibration) cal = { 0 };
    struct ez_calib k, sparse;
    for (uint64_t s = 0; s <= 7200; s++) {
        struct ez_calibration x = { 1ull << 60 | (s * rate), 0, 77 + s * 1000000000 };
        EZ_PUSH(&cal, x);
    }
    struct ez_calibration ends[] = { cal.at[0], cal.at[7200] };
    ez_calib_init(&k, cal.at, cal.n, 0);
    ez_calib_init(&sparse, ends, 2, 0);
    for (uint64_t i = 0; i < 2000000; i++) {
        uint64_t t = i * (7200 * rate / 2000000) + i % 1999;
        uint64_t ns = 77 + (uint64_t)((unsigned __int128)t * 1000000000 / rate);
        uint64_t d = ez_calib_ns(&k, (1ull << 60) + t) - ns;
        uint64_t e = ez_calib_ns(&sparse, (1ull << 60) + t) - ns;
        ck_assert_msg(d + 1 <= 2 && e + 1 <= 2, "tick %llu", (unsigned long long)t);
    }
    ez_calib_deinit(&k);
    ez_calib_deinit(&sparse);
    EZ_VEC_FREE(&cal);
}
END_TEST

/* ---- order -------------------------------------------------------------------------------- */

/* A generator's numbers through a small window: all come out, sorted, stable, with
 * their arguments, also when most had to go through the temporary file. */
static void orders(size_t n, uint64_t range, size_t capacity)
{
    struct ez_order *o = ez_order_create(capacity);
    uint64_t x = 88172645463325252u, last = 0, last_serial = 0, sum = 0;
    bool got;
    struct ez_ordered ev;
    for (size_t i = 0; i < n; i++) {
        x ^= x << 13, x ^= x >> 7, x ^= x << 17;
        uint64_t args[3] = { i, x % range, ~x % range };
        struct ez_ordered in = { x % range, i, 5, i % 4, args };
        tf_ok(ez_order_put(o, &in));
    }
    ez_order_bound(o, UINT64_MAX);
    for (size_t i = 0; i < n; i++) {
        tf_ok(ez_order_next(o, &ev, &got));
        ck_assert(got && ev.tick >= last);
        ck_assert(ev.tick > last || i == 0 || ev.tid > last_serial);
        ck_assert_uint_eq(ev.narg, ev.tid % 4);
        ck_assert(!ev.narg || ev.arg[0] == ev.tid);
        ck_assert(ev.narg < 2 || ev.arg[1] == ev.tick);
        last = ev.tick;
        last_serial = ev.tid;
        sum += ev.tid;
    }
    tf_ok(ez_order_next(o, &ev, &got));
    ck_assert(!got);
    ck_assert_uint_eq(sum, (uint64_t)n * (n - 1) / 2);
    ez_order_destroy(o);
}

START_TEST(a_window_orders_what_it_gets)
{
    orders(1, 1, 64);
    orders(50, 10, 64);
    orders(50000, 1000, 1 << 16);
    orders(50000, 1u << 30, 1 << 16);
    orders(200000, 1u << 30, 1000);
    orders(200000, 7, 1000);
}
END_TEST

/* Bounds that follow the events, at every distance from far behind to close by. */
START_TEST(a_window_that_moves_on)
{
    uint64_t x = 88172645463325252u;
    for (uint64_t lag = 1; lag < 20000; lag *= 7) {
        struct ez_order *o = ez_order_create(1000);
        struct ez_ordered ev;
        uint64_t last = 0, taken = 0, put = 0;
        bool got = false;
        for (uint64_t base = 0; base < 40000; base += 100) {
            for (int i = 0; i < 100; i++) {
                x ^= x << 13, x ^= x >> 7, x ^= x << 17;
                struct ez_ordered in = { base + x % (lag + 1), put++, 5, 0, NULL };
                tf_ok(ez_order_put(o, &in));
            }
            ez_order_bound(o, base + 100);
            for (tf_ok(ez_order_next(o, &ev, &got)); got; taken++) {
                ck_assert(ev.tick < base + 100 && ev.tick >= last);
                last = ev.tick;
                tf_ok(ez_order_next(o, &ev, &got));
            }
        }
        ez_order_bound(o, UINT64_MAX);
        for (tf_ok(ez_order_next(o, &ev, &got)); got; taken++) {
            ck_assert_uint_ge(ev.tick, last);
            last = ev.tick;
            tf_ok(ez_order_next(o, &ev, &got));
        }
        ck_assert_uint_eq(taken, put);
        ez_order_destroy(o);
    }
}
END_TEST

/* Events below the bound come out, and no others. */
START_TEST(a_window_keeps_what_may_come_later)
{
    struct ez_order *o = ez_order_create(64);
    struct ez_ordered ev;
    bool got;
    uint64_t next = 0;
    for (uint64_t i = 0; i < 10000; i++) { /* pairs exchanged: 1 0 3 2 5 4 ... */
        struct ez_ordered in = { i ^ 1, 1, 5, 0, NULL };
        tf_ok(ez_order_put(o, &in));
        ez_order_bound(o, i & ~1ull);
        for (;;) {
            tf_ok(ez_order_next(o, &ev, &got));
            if (!got)
                break;
            ck_assert_uint_eq(ev.tick, next++);
        }
        ck_assert_uint_eq(next, i & ~1ull);
    }
    ez_order_destroy(o);
}
END_TEST

/* ---- one file ------------------------------------------------------------------------------- */

/* Threads in runs that overlap in time, a longjmp, a lone exit, an open entry, an
 * entry-only probe, a code nobody explained, recursion. */
START_TEST(one_file)
{
    struct ez_fxt_out *f = tf_open(a, 42);
    char *const path[] = { a };
    struct ez_trace_sum sum;
    tf_process(f, 42, "/usr/bin/app", "here");
    tf_probe(f, 0, TF_BOTH, "outer", "app");
    tf_probe(f, 1, TF_BOTH, "inner", "lib.so");
    tf_probe(f, 2, EZ_ROW_ENTRY | EZ_ROW_REC_ENTRY, "point", "app");
    uint64_t tid = 8;
    tf_ok(ez_fxt_out_define(f, &(struct ez_fxt_def){ EZ_DEF_THREAD, 1, 42, &tid, 1, "worker", 6 }));
    tf_put(f, 100, 7, 0, false);
    tf_put(f, 200, 7, 1, false);
    tf_put(f, 300, 7, 0, true);
    tf_put(f, 400, 7, 0, false);
    tf_put(f, 150, 8, 1, true);
    tf_put(f, 250, 8, 2, false);
    tf_put(f, 260, 8, 1, false);
    tf_put(f, 270, 8, 1, false);
    tf_put(f, 280, 8, 1, true);
    tf_put(f, 290, 8, 1, true);
    tf_event(f, 500, 8, 0x77, 1, 2);
    tf_ok(ez_fxt_out_close(f));
    char *text = tf_tell(path, 1, &sum);
    ck_assert_str_eq(text, "0 new app\n0 new app 42\n0 new thread 7\n0 name outer\n"
                           "0 thread 7 > outer\n"
                           "100 name inner\n100 thread 7 > inner\n"
                           "150 new worker 8\n150 name point\n150 worker 8 ! point 0\n"
                           "160 worker 8 > inner\n"
                           "170 worker 8 > inner again\n"
                           "180 worker 8 < inner 10 self 10\n"
                           "190 worker 8 < inner 30 self 20\n"
                           "200 thread 7 < inner 100 self 100 forced\n"
                           "200 thread 7 < outer 200 self 100\n"
                           "300 thread 7 > outer\n"
                           "400 name code 0x77\n400 worker 8 ! code 0x77 3\n"
                           "400 end worker 8\n"
                           "400 thread 7 < outer 100 self 100 forced\n"
                           "400 end thread 7\n400 end app 42\n400 end app\n");
    free(text);
    ck_assert_uint_eq(sum.events, 11);
    ck_assert_uint_eq(sum.span_ns, 400);
    ck_assert_uint_eq(sum.count.open_entries, 2);
    ck_assert_uint_eq(sum.count.lone_exits, 1);
}
END_TEST

/* Every word of the model, through meaning definitions. */
START_TEST(meanings)
{
    struct ez_fxt_out *f = tf_open(a, 42);
    char *const path[] = { a };
    tf_process(f, 42, "app", "here");
    tf_meaning(f, 1, EZ_A_PUSH, 2, "Working");
    tf_meaning(f, 2, EZ_A_POP, 2, "Working");
    tf_meaning(f, 3, EZ_A_SET, 2, "Blocked");
    tf_meaning(f, 4, EZ_A_EVENT, 0, "phase");
    tf_meaning(f, 5, EZ_A_VAR_SET, 1, "memory");
    tf_meaning(f, 6, EZ_A_VAR_ADD, 1, "memory");
    tf_meaning(f, 7, EZ_A_VAR_SUB, 1, "memory");
    tf_meaning(f, 8, EZ_A_LINK_START, 2, "message");
    tf_meaning(f, 9, EZ_A_LINK_END, 2, "message");
    const uint64_t what[][3] = { { 1 },      { 3 },     { 2 },      { 2 },       { 4 },
                                 { 5, 100 }, { 6, 28 }, { 7, 228 }, { 8, 1, 6 }, { 9, 1 },
                                 { 8, 2 },   { 9, 3 },  { 8, 4 },   { 8, 4 },    { 5, -1ull } };
    for (size_t i = 0; i < EZ_ARRAY_LEN(what); i++)
        tf_event(f, 100 + i, 5 + (what[i][0] == 9), what[i][0], what[i][1], what[i][2]);
    tf_ok(ez_fxt_out_close(f));
    tells(path, 1,
          "0 new app\n0 new app 42\n0 new thread 5\n0 name Working\n0 thread 5 > Working\n"
          "1 thread 5 < Working 1 self 1\n1 name Blocked\n1 thread 5 > Blocked\n"
          "2 thread 5 < Blocked 1 self 1\n"
          "4 name phase\n4 app ! phase 3\n"
          "5 name memory\n5 app 42 memory = 100\n6 app 42 memory = 128\n7 app 42 memory = -100\n"
          "8 new thread 6\n8 name message\n8 thread 5 -> message 1 thread 6\n"
          "9 thread 6 <- message 1 thread 5\n"
          "10 thread 5 -> message 2 ?\n"
          "12 thread 5 -> message 4 ?\n"
          "13 thread 5 <- message 4 thread 5\n13 thread 5 -> message 4 ?\n"
          "14 app 42 memory = -1\n"
          "14 thread 5 <- message 2 thread 5\n14 thread 5 <- message 4 thread 5\n"
          "14 end thread 6\n14 end thread 5\n14 end app 42\n14 end app\n");
}
END_TEST

/* ---- several files ---------------------------------------------------------------------------- */

/* job: NULL = the process has no rank */
static void rank_of(const char *path, int pid, const char *host, const char *job, uint32_t number,
                    uint64_t real, uint64_t mono, uint64_t tick)
{
    struct ez_fxt_out *f = tf_open(path, pid);
    tf_process(f, (uint64_t)pid, "app", host);
    if (job)
        tf_job(f, number, job);
    tf_clock(f, tick, real, mono);
    tf_clock(f, tick + 4000000, real + 2000000, mono + 2000000);
    tf_probe(f, 0, TF_BOTH, "f", "app");
    tf_put(f, tick + 2000, (uint64_t)pid, 0, false);
    tf_put(f, tick + 4000, (uint64_t)pid, 0, true);
    tf_ok(ez_fxt_out_close(f));
}

static void rank(const char *path, int pid, const char *host, uint64_t real, uint64_t mono,
                 uint64_t tick)
{
    rank_of(path, pid, host, NULL, 0, real, mono, tick);
}

#define T 1700000000000000000u

/* Files of one machine are ordered by CLOCK_MONOTONIC, whatever the wall clock says. An impossible
 * rank counts as none. */
START_TEST(one_machine)
{
    char *const path[] = { a, b };
    const char *job = _i ? "job" : NULL;
    rank_of(a, 1, "here", job, EZ_NO_RANK, T, 5000000, 1000);
    rank_of(b, 2, "here", job, EZ_NO_RANK, T + 999, 5000100, 777000);
    tells(path, 2,
          "0 new app\n0 new app 1\n0 new app 1\n0 name f\n0 app 1 > f\n"
          "100 new app 2\n100 new app 2\n100 app 2 > f\n"
          "1000 app 1 < f 1000 self 1000\n1100 app 2 < f 1000 self 1000\n"
          "1100 end app 2\n1100 end app 2\n1100 end app 1\n1100 end app 1\n1100 end app\n");
}
END_TEST

/* Two machines are aligned by the wall clock, one shift for each; b and c, of one machine, stay exact
 * to each other. */
START_TEST(two_machines)
{
    char *const path[] = { a, b, c };
    rank(a, 1, "here", T + 200, 5000000, 1000);
    rank(b, 2, "there", T + 100, 90000000, 777000);
    rank(c, 3, "there", T + 5000, 90000050, 888000);
    tells(path, 3,
          "0 new app\n0 new here\n0 new app 1\n0 new there\n0 new app 2\n0 new app 3\n"
          "0 new app 2\n0 name f\n0 app 2 > f\n"
          "50 new app 3\n50 app 3 > f\n"
          "100 new app 1\n100 app 1 > f\n"
          "1000 app 2 < f 1000 self 1000\n1050 app 3 < f 1000 self 1000\n"
          "1100 app 1 < f 1000 self 1000\n1100 end app 1\n1100 end app 3\n1100 end app 2\n"
          "1100 end app 3\n1100 end app 2\n1100 end there\n1100 end app 1\n1100 end here\n"
          "1100 end app\n");
}
END_TEST

/* Two machines whose clocks drift: b's wall clock gains 100 us a second against its monotonic one. Between its first and
 * its last word about clocks times are on the line through both. */
static void drifting(const char *path, int pid, const char *host, uint64_t gain)
{
    struct ez_fxt_out *f = tf_open(path, pid);
    tf_process(f, (uint64_t)pid, "app", host);
    tf_clock(f, 1000, T, 5000000);
    tf_clock(f, 1000 + 4000000000u, T + 2000000000 + 2 * gain, 5000000 + 2000000000);
    tf_probe(f, 0, TF_BOTH, "f", "app");
    tf_put(f, 1000, (uint64_t)pid, 0, false);
    tf_put(f, 1000 + 2000000000u, (uint64_t)pid, 0, true);
    tf_ok(ez_fxt_out_close(f));
}

START_TEST(clocks_that_drift)
{
    char *const path[] = { a, b };
    drifting(a, 1, "here", 0);
    drifting(b, 2, "there", 100000);
    tells(path, 2,
          "0 new app\n0 new here\n0 new app 1\n0 new there\n0 new app 2\n0 new app 1\n0 name f\n0 "
          "app 1 > f\n"
          "0 new app 2\n0 app 2 > f\n"
          "1000000000 app 1 < f 1000000000 self 1000000000\n"
          "1000100000 app 2 < f 1000100000 self 1000100000\n"
          "1000100000 end app 2\n1000100000 end app 1\n1000100000 end app 2\n1000100000 end there\n"
          "1000100000 end app 1\n1000100000 end here\n1000100000 end app\n");
}
END_TEST

/* A tick that no clock reaches, on a machine whose clock is moved on: the last time there is, and not one
 * before all others. */
START_TEST(a_time_out_of_range)
{
    char *const path[] = { a, b };
    struct ez_trace_sum sum;
    rank(a, 1, "here", T + 200, 5000000, 1000);
    struct ez_fxt_out *f = tf_open(b, 2);
    tf_process(f, 2, "app", "there");
    tf_clock(f, 1, T, 1);
    tf_probe(f, 0, TF_BOTH, "f", "app");
    tf_put(f, 2000, 2, 0, false);
    tf_put(f, UINT64_MAX - 2000, 2, 0, true);
    tf_ok(ez_fxt_out_close(f));
    EZ_FREE char *story = tf_tell(path, 2, &sum);
    ck_assert_uint_eq(sum.late, 0);
    ck_assert_uint_gt(sum.span_ns, UINT64_MAX / 2);
}
END_TEST

static ez_err *ignore(void *arg, const struct ez_item *it)
{
    (void)arg, (void)it;
    return NULL;
}

/* Processes are told by rank, whatever the order of files and events; each below its host. */
START_TEST(ranks)
{
    char *const path[] = { a, b, c };
    struct ez_replay *r;
    rank_of(a, 30, "n1", "77.0", 10, T, 5000000, 1000);
    rank_of(b, 20, "n2", "77.0", 2, T + 100, 6000000, 1000);
    rank_of(c, 30, "n1", "77.0", 1, T + 200, 5000200, 1000);
    tells(path, 3,
          "0 new app\n0 new n1\n0 new rank 1: app 30\n0 new n2\n0 new rank 2: app 20\n"
          "0 new rank 10: app 30\n0 new rank 10: app 30\n0 name f\n0 rank 10: app 30 > f\n"
          "100 new rank 2: app 20\n100 rank 2: app 20 > f\n"
          "200 new rank 1: app 30\n200 rank 1: app 30 > f\n"
          "1000 rank 10: app 30 < f 1000 self 1000\n1100 rank 2: app 20 < f 1000 self 1000\n"
          "1200 rank 1: app 30 < f 1000 self 1000\n1200 end rank 1: app 30\n"
          "1200 end rank 2: app 20\n1200 end rank 10: app 30\n1200 end rank 10: app 30\n"
          "1200 end rank 2: app 20\n1200 end n2\n1200 end rank 1: app 30\n1200 end n1\n"
          "1200 end app\n");
    tf_ok(ez_replay_open(path, 3, NULL, &r));
    tf_ok(ez_replay_run(r, ignore, NULL, NULL));
    const struct ez_container *p = ez_model_process(ez_replay_model(r), 5);
    ck_assert(p && p->rank == 10 && p->pid == 30);
    ck_assert_str_eq(p->host, "n1");
    ck_assert_str_eq(p->job, "77.0");
    ck_assert_ptr_null(ez_model_process(ez_replay_model(r), 1));
    ez_replay_close(r);
}
END_TEST

/* With ranks of two jobs the job is in the name of the process. Processes without a rank come last. */
START_TEST(ranks_of_two_jobs)
{
    char *const path[] = { a, b, c };
    rank_of(a, 3, "n", NULL, 0, T, 5000000, 1000);
    rank_of(b, 2, "n", "9", 0, T, 5000000, 1000);
    rank_of(c, 1, "n", "7", 0, T, 5000000, 1000);
    EZ_FREE char *text = tf_tell(path, 3, NULL);
    ck_assert_msg(strstr(text, "0 new app\n0 new n\n0 new rank 0 of 7: app 1\n"
                               "0 new rank 0 of 9: app 2\n0 new app 3\n") == text,
                  "%s", text);
}
END_TEST

/* A file of another writer knows no wall clock: it begins with the others, and not half a
 * century before them. */
START_TEST(a_machine_without_a_clock)
{
    char *const path[] = { a, b };
    struct ez_trace_sum sum;
    for (int turn = 0; turn < 2; turn++) {
        rank(turn ? b : a, 1, "here", T, 5000000, 1000);
        struct ez_fxt_out *f = tf_open(turn ? a : b, 2);
        tf_probe(f, 0, TF_BOTH, "f", "app");
        tf_put(f, 77000, 2, 0, false);
        tf_put(f, 77500, 2, 0, true);
        tf_ok(ez_fxt_out_close(f));
        free(tf_tell(path, 2, &sum));
        ck_assert_uint_eq(sum.events, 4);
        ck_assert_uint_eq(sum.span_ns, 1000);
    }
}
END_TEST

/* Half a million events of 32 threads, drained in long runs one after the other, and
 * one thread that was held up until the end. */
START_TEST(a_large_file_in_order)
{
    enum { THREADS = 32, RUN = 500, ROUNDS = 32 };
    struct ez_fxt_out *f = tf_open(a, 42);
    char *path[] = { a };
    struct ez_merge *m;
    struct ez_merged ev;
    bool got;
    static struct ez_rec r[RUN];
    uint64_t n = 0, last = 0;
    tf_probe(f, 0, TF_BOTH, "f", "app");
    for (uint64_t round = 0; round < ROUNDS; round++)
        for (uint64_t t = 0; t < THREADS; t++) {
            for (uint64_t i = 0; i < RUN; i++)
                r[i] = tf_rec(1 + (round * RUN + i) * THREADS + t, t, 0, i & 1);
            tf_ok(tf_append(f, r, RUN));
        }
    for (uint64_t i = 0; i < RUN; i++)
        r[i] = tf_rec(1 + i * ROUNDS * THREADS, 99, 0, i & 1);
    tf_ok(tf_append(f, r, RUN));
    tf_ok(ez_fxt_out_close(f));
    tf_ok(ez_merge_open(path, 1, NULL, &m));
    for (;; n++) {
        tf_ok(ez_merge_next(m, &ev, &got));
        if (!got)
            break;
        ck_assert(ev.ns >= last);
        last = ev.ns;
    }
    ck_assert_uint_eq(n, (ROUNDS * THREADS + 1) * RUN);
    ck_assert_uint_eq(ez_merge_late(m), 0);
    ez_merge_close(m);
}
END_TEST

static bool stop_soon(void *arg, uint64_t done, uint64_t total)
{
    (void)arg, (void)done, (void)total;
    return false;
}

static ez_err *refuse(void *arg, const struct ez_item *it)
{
    (void)arg;
    return it->kind == EZ_I_POP ? ez_err_new(EZ_E_LIMIT, 0, "enough") : NULL;
}

START_TEST(it_can_be_stopped)
{
    char *const path[] = { a };
    struct ez_replay *r;
    struct ez_progress p = { stop_soon, NULL };
    rank(a, 1, "here", T, 5000000, 1000);
    tf_ok(ez_replay_open(path, 1, NULL, &r));
    ez_err *e = ez_replay_run(r, ignore, NULL, &p);
    ck_assert(e && e->code == EZ_E_STATE);
    ez_err_free(e);
    ez_replay_close(r);
    tf_ok(ez_replay_open(path, 1, NULL, &r));
    e = ez_replay_run(r, refuse, NULL, NULL);
    ck_assert_str_eq(e->msg, "enough");
    ez_err_free(e);
    ez_replay_close(r);
}
END_TEST

/* The file changes between the two readings: events that come too late are counted, and time never
 * goes back. */
START_TEST(what_changed_meanwhile_is_late)
{
    static char bytes[1 << 20];
    const uint64_t old = 0x1122334455ull, now = 0x0022334455ull;
    struct ez_fxt_out *f = tf_open(a, 42);
    char *const path[] = { a };
    struct ez_merge *m;
    struct ez_merged ev;
    bool got = true;
    uint64_t last = 0, n_events = 0;
    tf_process(f, 42, "/usr/bin/app", "here");
    tf_probe(f, 0, TF_BOTH, "outer", "app");
    for (uint64_t i = 0; i < 20000; i++) /* more than are put in order at once */
        tf_put(f, old - 20000 + i, 7, 0, i & 1);
    tf_put(f, old, 7, 0, false);
    for (uint64_t i = 1; i < 50; i++)
        tf_put(f, old + i, 7, 0, i & 1);
    tf_ok(ez_fxt_out_close(f));
    tf_ok(ez_merge_open(path, 1, NULL, &m));
    size_t n = tf_load(a, bytes, sizeof bytes);
    char *at = memmem(bytes, n, &old, sizeof old);
    ck_assert_ptr_nonnull(at);
    memcpy(at, &now, sizeof now);
    int fd = open(a, O_WRONLY | O_CLOEXEC);
    ck_assert_int_eq(pwrite(fd, bytes, n, 0), (ssize_t)n);
    close(fd);
    for (tf_ok(ez_merge_next(m, &ev, &got)); got; tf_ok(ez_merge_next(m, &ev, &got))) {
        ck_assert_uint_ge(ev.ns, last);
        last = ev.ns;
        n_events++;
    }
    ck_assert_uint_eq(ez_merge_late(m), 1);
    ck_assert_uint_eq(n_events, 20050);
    ez_merge_close(m);
}
END_TEST

/* Two ranks on two machines, with all kinds of items; more events than a window holds; what is
 * no trace. */
static void read_all(void *arg)
{
    char *const path[] = { a, b }, *const missing[] = { a, c };
    struct ez_replay *r;
    free(tf_tell(path, 2, NULL));
    orders(300, 500, 16);
    ez_err *e = ez_replay_open(missing, 2, NULL, &r);
    ck_assert_ptr_nonnull(e);
    ez_err_free(e);
    tf_ok(ez_replay_open(path, 2, NULL, &r));
    ck_assert_ptr_null(ez_replay_window(r, 100, 200));
    tf_ok(ez_replay_run(r, ignore, NULL, NULL));
    ez_replay_close(r);
}

START_TEST(all_is_given_back)
{
    for (int k = 0; k < 2; k++) {
        struct ez_fxt_out *f = tf_open(k ? b : a, 42 + k);
        tf_process(f, 42 + (uint64_t)k, "app", k ? "north" : "south");
        tf_job(f, (uint64_t)k, "4711");
        tf_clock(f, 1000, T, 5000);
        tf_probe(f, 0, TF_BOTH, "f", "app");
        for (unsigned action = EZ_A_PUSH; action < EZ_A_COUNT; action++)
            tf_meaning(f, 1000 + action, (enum ez_action)action, 2, "what");
        for (uint64_t i = 0; i < 40; i++) {
            tf_put(f, 2000 + 100 * i, 1 + i % 3, 0, i / 3 % 2);
            tf_event(f, 2010 + 100 * i, 1 + i % 3, 1000 + EZ_A_PUSH + i % (EZ_A_COUNT - EZ_A_PUSH),
                     i, 7);
            tf_thread(f, 2020 + 100 * i, 1 + i % 3, (unsigned)(i % 6), 1);
            tf_event(f, 2030 + 100 * i, 1, 5000 + i, 1, 2); /* nobody knows what these are */
        }
        tf_ok(ez_fxt_out_close(f));
    }
    gives_back(read_all, NULL, 40);
    ez_replay_close(NULL);
    ez_merge_close(NULL);
    ez_order_destroy(NULL);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("replay");
    TCase *t = tcase_create("replay");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_set_timeout(t, 120);
    tcase_add_test(t, ticks_become_nanoseconds);
    tcase_add_test(t, two_hours_stay_exact);
    tcase_add_test(t, a_window_orders_what_it_gets);
    tcase_add_test(t, a_window_keeps_what_may_come_later);
    tcase_add_test(t, a_window_that_moves_on);
    tcase_add_test(t, one_file);
    tcase_add_test(t, meanings);
    tcase_add_loop_test(t, one_machine, 0, 2);
    tcase_add_test(t, two_machines);
    tcase_add_test(t, clocks_that_drift);
    tcase_add_test(t, a_time_out_of_range);
    tcase_add_test(t, ranks);
    tcase_add_test(t, ranks_of_two_jobs);
    tcase_add_test(t, a_machine_without_a_clock);
    tcase_add_test(t, a_large_file_in_order);
    tcase_add_test(t, it_can_be_stopped);
    tcase_add_test(t, all_is_given_back);
    tcase_add_test(t, what_changed_meanwhile_is_late);
    suite_add_tcase(s, t);
    return run_suite(s);
}
