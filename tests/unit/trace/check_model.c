/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_model.c - what the model makes of calls that do not return, of threads that wait, sleep or
 * lose events, and of a window. */
#include "engine/trace/live.h"
#include "tests/unit/trace_file.h"
#include "tests/unit/suite.h"

static char path[64];

static void setup(void)
{
    snprintf(path, sizeof path, "check_model-%d.fxt", getpid());
}

static void teardown(void)
{
    unlink(path);
}

enum { OUTER, INNER, HANDLER };

static struct ez_fxt_out *begin(void)
{
    struct ez_fxt_out *f = tf_open(path, 42);
    tf_process(f, 42, "app", "here");
    tf_probe(f, OUTER, TF_BOTH, "outer", "app");
    tf_probe(f, INNER, TF_BOTH, "inner", "app");
    tf_probe(f, HANDLER, TF_BOTH, "handler", "app");
    return f;
}

static struct ez_trace_sum sum;

/* The lines of threads 7 and 8 are what the trace tells. */
static void tells_of(uint64_t from, uint64_t to, const char *expected)
{
    struct ez_replay *r;
    struct tf_story *s = ez_alloc(sizeof *s);
    char *const in[] = { path };
    tf_ok(ez_replay_open(in, 1, NULL, &r));
    if (from || to < UINT64_MAX)
        tf_ok(ez_replay_window(r, from, to));
    s->m = ez_replay_model(r);
    tf_ok(ez_replay_run(r, tf_item, s, NULL));
    sum = *ez_replay_sum(r);
    ez_replay_close(r);
    char *got = ez_alloc(s->n + 1), *o = got;
    for (char *line = strtok(s->text, "\n"); line; line = strtok(NULL, "\n"))
        if (!strstr(line, " name ") && !strstr(line, " new ") && !strstr(line, " end "))
            o += sprintf(o, "%s\n", line);
    ck_assert_str_eq(got, expected);
    free(got);
    free(s);
}

static void tells(struct ez_fxt_out *f, const char *expected)
{
    tf_ok(ez_fxt_out_close(f));
    tells_of(0, UINT64_MAX, expected);
}

/* An exception leaves two calls when it happens; the next call is not inside them. A call without a
 * mark, over which the exception jumps, has an unknown end. */
START_TEST(left_by_an_exception)
{
    struct ez_fxt_out *f = begin();
    tf_put(f, 0, 7, OUTER, false);
    tf_put(f, 100, 7, INNER, false);
    tf_put(f, 200, 7, INNER, false);
    tf_unwind(f, 250, 7, INNER);
    tf_unwind(f, 300, 7, INNER);
    tf_put(f, 400, 7, HANDLER, false);
    tf_put(f, 900, 7, HANDLER, true);
    tf_put(f, 910, 7, INNER, false);
    tf_put(f, 920, 7, HANDLER, false);
    tf_unwind(f, 930, 7, INNER);
    tf_put(f, 1000, 7, OUTER, true);
    tells(f, "0 thread 7 > outer\n"
             "100 thread 7 > inner\n"
             "200 thread 7 > inner again\n"
             "250 thread 7 < inner 50 self 50 unwound\n"
             "300 thread 7 < inner 200 self 150 unwound\n"
             "400 thread 7 > handler\n"
             "900 thread 7 < handler 500 self 500\n"
             "910 thread 7 > inner\n"
             "920 thread 7 > handler\n"
             "930 thread 7 < handler 10 self 10 forced\n"
             "930 thread 7 < inner 20 self 10 unwound\n"
             "1000 thread 7 < outer 1000 self 280\n");
    ck_assert_uint_eq(sum.events, 11);
    ck_assert_uint_eq(sum.count.unwound, 3);
    ck_assert_uint_eq(sum.count.open_entries, 1);
}
END_TEST

/* Only an exit may be unwound, and only the argument 1 says so. */
START_TEST(other_arguments_mean_nothing)
{
    struct ez_fxt_out *f = begin();
    uint64_t one = 1, two = 2;
    tf_put(f, 0, 7, OUTER, false);
    tf_args(f, 10, 7, EZ_C_PROBE + 2 * OUTER + 1, &two, 1);
    tf_args(f, 20, 7, EZ_C_PROBE + 2 * INNER, &one, 1);
    tf_put(f, 30, 7, OUTER, true);
    tells(f, "0 thread 7 > outer\n"
             "10 thread 7 ! code 0x1000001 1\n"
             "20 thread 7 ! code 0x1000002 1\n"
             "30 thread 7 < outer 30 self 30\n");
}
END_TEST

/* The time of a wait belongs to no open call, whether the thread sleeps in it or not. A thread that
 * sleeps on after its wait is asleep. Time in which a thread does not run is part of its call. */
START_TEST(pauses_count_once)
{
    struct ez_fxt_out *f = begin();
    tf_put(f, 0, 7, OUTER, false);
    tf_put(f, 100, 7, INNER, false);
    tf_thread(f, 200, 7, EZ_T_WAIT, 0);
    tf_thread(f, 300, 7, EZ_T_SWITCH_OUT, 0);
    tf_thread(f, 400, 7, EZ_T_SWITCH_IN, 0);
    tf_thread(f, 500, 7, EZ_T_SWITCH_OUT, 1);
    tf_thread(f, 700, 7, EZ_T_WAIT_END, 0);
    tf_thread(f, 800, 7, EZ_T_SWITCH_IN, 0);
    tf_put(f, 1000, 7, INNER, true);
    tf_thread(f, 2000, 7, EZ_T_SWITCH_OUT, 0);
    tf_thread(f, 2500, 7, EZ_T_SWITCH_IN, 0);
    tf_put(f, 3000, 7, OUTER, true);
    tells(f, "0 thread 7 > outer\n"
             "100 thread 7 > inner\n"
             "200 thread 7 > [waiting for the trace]\n"
             "700 thread 7 < [waiting for the trace] 500 self 500\n"
             "700 thread 7 > [preempted]\n"
             "800 thread 7 < [preempted] 100 self 100\n"
             "1000 thread 7 < inner 400 self 300\n"
             "2000 thread 7 > [slept]\n"
             "2500 thread 7 < [slept] 500 self 500\n"
             "3000 thread 7 < outer 2500 self 1600\n");
    ck_assert_uint_eq(sum.events, 4);
    ck_assert_uint_eq(sum.count.open_entries, 0);
}
END_TEST

/* A signal handler that runs in the middle of a wait is at work; its own wait is separate. */
START_TEST(a_handler_in_a_wait)
{
    struct ez_fxt_out *f = begin();
    tf_put(f, 0, 7, OUTER, false);
    tf_thread(f, 100, 7, EZ_T_WAIT, 0);
    tf_put(f, 200, 7, HANDLER, false);
    tf_thread(f, 210, 7, EZ_T_WAIT, 0);
    tf_thread(f, 250, 7, EZ_T_WAIT_END, 0);
    tf_put(f, 300, 7, HANDLER, true);
    tf_thread(f, 600, 7, EZ_T_WAIT_END, 0);
    tf_put(f, 1000, 7, OUTER, true);
    tells(f, "0 thread 7 > outer\n"
             "100 thread 7 > [waiting for the trace]\n"
             "200 thread 7 < [waiting for the trace] 100 self 100\n"
             "200 thread 7 > handler\n"
             "210 thread 7 > [waiting for the trace]\n"
             "250 thread 7 < [waiting for the trace] 40 self 40\n"
             "300 thread 7 < handler 60 self 60\n"
             "300 thread 7 > [waiting for the trace]\n"
             "600 thread 7 < [waiting for the trace] 300 self 300\n"
             "1000 thread 7 < outer 560 self 500\n");
}
END_TEST

/* By the clock a call ends shortly after its thread stopped: the thread is still not running. If a
 * call ends much later, the thread runs, although no switch in was recorded. */
START_TEST(clocks_are_not_exact)
{
    struct ez_fxt_out *f = begin();
    tf_put(f, 0, 7, OUTER, false);
    tf_put(f, 50000, 7, INNER, false);
    tf_thread(f, 90000, 7, EZ_T_SWITCH_OUT, 0);
    tf_put(f, 90010, 7, INNER, true);
    tf_thread(f, 500000, 7, EZ_T_SWITCH_IN, 0);
    tf_thread(f, 600000, 7, EZ_T_SWITCH_OUT, 1);
    tf_put(f, 700000, 7, INNER, false);
    tf_put(f, 800000, 7, INNER, true);
    tf_put(f, 900000, 7, OUTER, true);
    tells(f, "0 thread 7 > outer\n"
             "50000 thread 7 > inner\n"
             "90000 thread 7 > [slept]\n"
             "90010 thread 7 < [slept] 10 self 10\n"
             "90010 thread 7 < inner 40010 self 40000\n"
             "90010 thread 7 > [slept]\n"
             "500000 thread 7 < [slept] 409990 self 409990\n"
             "600000 thread 7 > [preempted]\n"
             "700000 thread 7 < [preempted] 100000 self 100000\n"
             "700000 thread 7 > inner\n"
             "800000 thread 7 < inner 100000 self 100000\n"
             "900000 thread 7 < outer 900000 self 250000\n");
}
END_TEST

/* The kernel tells of threads that record nothing, and of times before and after: the
 * trace is not longer, and has no thread more, for that. */
START_TEST(switches_make_no_trace_longer)
{
    struct ez_fxt_out *f = begin();
    tf_thread(f, 100, 9, EZ_T_SWITCH_OUT, 0);
    tf_thread(f, 200, 7, EZ_T_SWITCH_OUT, 0);
    tf_thread(f, 300, 7, EZ_T_SWITCH_IN, 0);
    tf_put(f, 1000, 7, OUTER, false);
    tf_thread(f, 1100, 7, EZ_T_SWITCH_OUT, 0);
    tf_thread(f, 1150, 9, EZ_T_SWITCH_IN, 0);
    tf_put(f, 1300, 8, OUTER, false);
    tf_put(f, 1400, 8, OUTER, true);
    tf_thread(f, 5000, 7, EZ_T_SWITCH_IN, 0);
    tf_ok(ez_fxt_out_close(f));
    char *const in[] = { path };
    char *text = tf_tell(in, 1, &sum);
    ck_assert_str_eq(text, "0 new app\n0 new app 42\n0 new thread 7\n0 name outer\n"
                           "0 thread 7 > outer\n"
                           "100 name [slept]\n100 thread 7 > [slept]\n"
                           "300 new thread 8\n300 thread 8 > outer\n"
                           "400 thread 8 < outer 100 self 100\n"
                           "400 end thread 8\n"
                           "400 thread 7 < [slept] 300 self 300\n"
                           "400 thread 7 < outer 400 self 100 forced\n"
                           "400 end thread 7\n400 end app 42\n400 end app\n");
    free(text);
    ck_assert_uint_eq(sum.events, 3);
    ck_assert_uint_eq(sum.span_ns, 400);
}
END_TEST

/* A gap ends all open calls of its thread, and says how many events are lost. Exits that come later,
 * of calls from before the gap, are no errors. Other threads are not affected. */
START_TEST(a_gap)
{
    struct ez_fxt_out *f = begin();
    tf_put(f, 0, 7, OUTER, false);
    tf_put(f, 10, 8, OUTER, false);
    tf_put(f, 100, 7, INNER, false);
    tf_thread(f, 200, 7, EZ_T_GAP, 1234);
    tf_thread(f, 500, 7, EZ_T_GAP_END, 0);
    tf_put(f, 600, 7, INNER, true);
    tf_put(f, 700, 7, HANDLER, false);
    tf_put(f, 800, 7, HANDLER, true);
    tf_put(f, 900, 7, OUTER, true);
    tf_put(f, 900, 8, OUTER, true);
    tf_thread(f, 950, 7, EZ_T_GAP, 6); /* to the end */
    tf_put(f, 1000, 8, OUTER, true);
    tells(f, "0 thread 7 > outer\n"
             "10 thread 8 > outer\n"
             "100 thread 7 > inner\n"
             "200 thread 7 < inner 100 self 100 forced cut\n"
             "200 thread 7 < outer 200 self 100 forced cut\n"
             "200 thread 7 events lost = 1234\n"
             "200 thread 7 > [events lost]\n"
             "500 thread 7 < [events lost] 300 self 300\n"
             "700 thread 7 > handler\n"
             "800 thread 7 < handler 100 self 100\n"
             "900 thread 8 < outer 890 self 890\n"
             "950 thread 7 events lost = 1240\n"
             "950 thread 7 > [events lost]\n"
             "1000 thread 7 < [events lost] 50 self 50\n");
    ck_assert_uint_eq(sum.count.lost, 1240);
    ck_assert_uint_eq(sum.count.gaps, 2);
    ck_assert_uint_eq(sum.count.gap_threads, 1);
    ck_assert_uint_eq(sum.count.gap_ns, 350);
    ck_assert_uint_eq(sum.count.gap_calls, 2);
    ck_assert_uint_eq(sum.count.open_entries, 0);
    ck_assert_uint_eq(sum.count.lone_exits, 1); /* thread 8's own */
}
END_TEST

/* A pause that a gap interrupts does not go on after the gap. */
START_TEST(a_gap_in_a_pause)
{
    struct ez_fxt_out *f = begin();
    tf_put(f, 0, 7, OUTER, false);
    tf_thread(f, 100, 7, EZ_T_WAIT, 0);
    tf_thread(f, 150, 7, EZ_T_SWITCH_OUT, 0);
    tf_thread(f, 200, 7, EZ_T_GAP, 5);
    tf_thread(f, 300, 7, EZ_T_GAP_END, 0);
    tf_put(f, 400, 7, INNER, false);
    tf_put(f, 500, 7, INNER, true);
    tf_put(f, 600, 7, OUTER, true);
    tells(f, "0 thread 7 > outer\n"
             "100 thread 7 > [waiting for the trace]\n"
             "200 thread 7 < [waiting for the trace] 100 self 100\n"
             "200 thread 7 < outer 100 self 100 forced cut\n"
             "200 thread 7 events lost = 5\n"
             "200 thread 7 > [events lost]\n"
             "300 thread 7 < [events lost] 100 self 100\n"
             "400 thread 7 > inner\n"
             "500 thread 7 < inner 100 self 100\n");
}
END_TEST

/* Older files have a shorter accounting: fields that are missing are 0. */
START_TEST(an_older_accounting)
{
    const uint64_t accounting[] = { 28, 7, 6, 5, 4, 3, 2, 100, 200, 300, 400 };
    for (size_t n = 7; n <= 11; n += 2) {
        struct ez_fxt_out *f = begin();
        tf_put(f, 0, 7, OUTER, false);
        tf_ok(ez_fxt_out_define(
            f, &(struct ez_fxt_def){ EZ_DEF_ACCOUNTING, 1, 42, accounting, n, NULL, 0 }));
        tells(f, "0 thread 7 > outer\n0 thread 7 < outer 0 self 0 forced\n");
        ck_assert_uint_eq(sum.torn, 2);
        ck_assert_uint_eq(sum.unwound, n > 7 ? 100 : 0);
        ck_assert_uint_eq(sum.waits, n > 8 ? 200 : 0);
        ck_assert_uint_eq(sum.waited_ns, n > 9 ? 300 : 0);
        ck_assert_uint_eq(sum.switches_lost, n > 10 ? 400 : 0);
    }
}
END_TEST

/* ---- a window --------------------------------------------------------------------------- */

/* Calls and pauses that are open at the edges of a window are cut there. Events outside are not told. */
START_TEST(a_window)
{
    struct ez_fxt_out *f = begin();
    tf_meaning(f, 0x500, EZ_A_VAR_SET, 2, "speed");
    tf_meaning(f, 0x501, EZ_A_LINK_START, 2, "message");
    tf_meaning(f, 0x502, EZ_A_LINK_END, 2, "message");
    tf_put(f, 0, 7, OUTER, false);
    tf_put(f, 10, 7, OUTER, false);
    tf_put(f, 20, 8, HANDLER, false);
    tf_event(f, 30, 7, 0x500, 5, 0);
    tf_event(f, 40, 7, 0x501, 1, 0);
    tf_put(f, 50, 7, INNER, false);
    tf_put(f, 60, 9, HANDLER, false);
    tf_put(f, 70, 9, HANDLER, true);
    tf_thread(f, 80, 9, EZ_T_SWITCH_OUT, 0);
    tf_put(f, 90, 7, INNER, true);
    tf_put(f, 100, 8, HANDLER, true);
    tf_thread(f, 150, 7, EZ_T_SWITCH_OUT, 0);
    tf_thread(f, 250, 7, EZ_T_SWITCH_IN, 0);
    tf_put(f, 300, 7, INNER, false);
    tf_put(f, 400, 7, INNER, true);
    tf_event(f, 410, 8, 0x502, 1, 0);
    tf_put(f, 500, 7, OUTER, true);
    tf_put(f, 600, 7, INNER, false);
    tf_put(f, 900, 7, INNER, true);
    tf_thread(f, 950, 9, EZ_T_SWITCH_IN, 0);
    tf_put(f, 1000, 7, OUTER, true);
    tf_ok(ez_fxt_out_close(f));
    tells_of(200, 800,
             "200 thread 7 > outer\n"
             "200 thread 7 > outer again\n"
             "200 thread 7 > [slept]\n"
             "200 thread 9 > [slept]\n" /* outside of calls */
             "200 thread 7 speed = 5\n"
             "250 thread 7 < [slept] 50 self 50 cut\n"
             "300 thread 7 > inner\n"
             "400 thread 7 < inner 100 self 100\n"
             "500 thread 7 < outer 300 self 150 cut\n"
             "600 thread 7 > inner\n"
             "800 thread 9 < [slept] 600 self 600 cut\n"
             "800 thread 7 < inner 200 self 200 forced cut\n"
             "800 thread 7 < outer 600 self 100 forced cut\n");
    ck_assert_uint_eq(sum.events, 5);
    ck_assert_uint_eq(sum.count.edge_calls, 3);
    ck_assert_uint_eq(sum.count.open_entries, 0);
    ck_assert_uint_eq(sum.count.lone_exits, 0);
    ck_assert_uint_eq(sum.count.unpaired_links, 0);
}
END_TEST

/* A link before the window names a thread: its pauses before the window are nobody's all the same. */
START_TEST(a_peer_before_a_window)
{
    struct ez_fxt_out *f = begin();
    tf_meaning(f, 0x501, EZ_A_LINK_START, 2, "message");
    tf_put(f, 0, 8, OUTER, false);
    tf_event(f, 5, 7, 0x501, 1, 8);
    tf_thread(f, 10, 8, EZ_T_WAIT, 0);
    tf_thread(f, 30, 8, EZ_T_WAIT_END, 0);
    tf_put(f, 500, 8, OUTER, true);
    tf_ok(ez_fxt_out_close(f));
    tells_of(100, 800, "100 thread 8 > outer\n500 thread 8 < outer 400 self 400 cut\n");
}
END_TEST

/* ---- a trace that grows ------------------------------------------------------------------- */

/* The kernel's events of a thread stand behind the thread's own records in the file, however old they
 * are: the epochs say what is complete. */
/* A thread that only is the other end of a link has no pauses, in a window as in the whole trace. */
START_TEST(a_sleep_before_the_first_event)
{
    struct ez_fxt_out *f = begin();
    tf_meaning(f, 0x501, EZ_A_LINK_START, 2, "message");
    tf_put(f, 0, 8, OUTER, false);
    tf_event(f, 5, 8, 0x501, 1, 7);
    tf_thread(f, 20, 7, EZ_T_SWITCH_OUT, 0);
    tf_thread(f, 400, 7, EZ_T_SWITCH_IN, 0);
    tf_put(f, 450, 7, INNER, false);
    tf_put(f, 480, 7, INNER, true);
    tf_put(f, 500, 8, OUTER, true);
    tf_ok(ez_fxt_out_close(f));
    tells_of(0, UINT64_MAX,
             "0 thread 8 > outer\n5 thread 8 -> message 1 thread 7\n450 thread 7 > inner\n"
             "480 thread 7 < inner 30 self 30\n500 thread 8 < outer 500 self 500\n"
             "500 thread 8 <- message 1 thread 8\n");
    tells_of(100, 800,
             "100 thread 8 > outer\n450 thread 7 > inner\n480 thread 7 < inner 30 self 30\n"
             "500 thread 8 < outer 400 self 400 cut\n");
}
END_TEST

START_TEST(live_is_in_order)
{
    struct ez_fxt_out *f = begin();
    struct ez_live *l;
    uint64_t fresh;
    tf_put(f, 1000, 7, OUTER, false);
    tf_put(f, 9000, 7, OUTER, true);
    tf_put(f, 9100, 7, INNER, false);
    tf_thread(f, 2000, 7, EZ_T_SWITCH_OUT, 0);
    tf_thread(f, 7000, 7, EZ_T_SWITCH_IN, 0);
    tf_ok(ez_fxt_out_define(f, &(struct ez_fxt_def){ EZ_DEF_EPOCH, 9050, 42, NULL, 0, NULL, 0 }));
    tf_ok(ez_fxt_out_checkpoint(f));
    tf_ok(ez_live_open(path, EZ_BY_FUNCTION, &l));
    tf_ok(ez_live_poll(l, NULL, &fresh));
    ck_assert_uint_eq(fresh, 3);
    struct ez_stats *st = ez_live_stats(l);
    ez_stats_table(st, EZ_SORT_TOTAL);
    ck_assert_str_eq(st->row[0].function, "outer");
    ck_assert_uint_eq(st->row[0].total_ns, 8000);
    ck_assert_uint_eq(st->row[0].self_ns, 3000);
    ck_assert_str_eq(st->row[2].function, "[slept]");
    ck_assert_uint_eq(st->row[2].total_ns, 5000);
    tf_thread(f, 9500, 7, EZ_T_GAP, 77);
    tf_ok(ez_fxt_out_checkpoint(f));
    tf_ok(ez_live_poll(l, NULL, &fresh));
    ck_assert_uint_eq(fresh, 0);
    ck_assert_uint_eq(ez_live_count(l)->lost, 77);
    ez_live_close(l);
    tf_ok(ez_fxt_out_close(f));
}
END_TEST

/* A thread gets its name after its first events: the filter shows it from then on. */
START_TEST(live_names_come_late)
{
    struct ez_fxt_out *f = begin();
    struct tf_story *s = ez_alloc(sizeof *s);
    const struct ez_filter_spec worker = { .threads = "worker", .not_function = "nothing" };
    struct ez_live *l;
    uint64_t fresh, tid = 7;
    tf_put(f, 1000, 7, OUTER, false);
    tf_put(f, 1100, 7, INNER, false);
    tf_put(f, 1200, 8, INNER, false);
    tf_ok(ez_fxt_out_checkpoint(f));
    tf_ok(ez_live_open_items(path, &l));
    tf_ok(ez_live_choose(l, &worker));
    s->m = ez_live_model(l);
    ez_live_feed(l, tf_item, s);
    tf_ok(ez_live_poll(l, NULL, &fresh));
    ck_assert_msg(!strstr(s->text, "inner"), "%s", s->text);
    ck_assert_str_eq(s->m->container.at[2].name, "thread 7");
    tf_ok(ez_fxt_out_define(f, &(struct ez_fxt_def){ EZ_DEF_THREAD, 1, 42, &tid, 1, "worker", 6 }));
    tf_put(f, 2000, 7, INNER, true);
    tf_put(f, 3000, 7, INNER, false);
    tf_put(f, 3100, 8, INNER, true);
    tf_put(f, 3500, 7, INNER, true);
    tf_put(f, 4000, 7, OUTER, true);
    tf_put(f, 5000, 7, OUTER, false);
    tf_ok(ez_fxt_out_close(f));
    tf_ok(ez_live_poll(l, NULL, &fresh));
    const char *now = strstr(s->text, "1000 new worker 7\n");
    ck_assert_msg(now &&
                      strstr(now, "2000 worker 7 > inner\n2500 worker 7 < inner 500 self 500\n") &&
                      strstr(now, "4000 worker 7 > outer\n") && !strstr(now, "< outer") &&
                      !strstr(now, "thread 8"),
                  "%s", s->text);
    ez_live_close(l);
    free(s);
}
END_TEST

static ez_err *refuse(void *arg, const struct ez_item *it)
{
    return it->kind == EZ_I_PUSH ? ez_err_new(EZ_E_STATE, 0, "Enough") : NULL;
}

/* What a writer leaves that was killed at this moment: no more events will come. */
static void killed_writer(void)
{
    EZ_FREE char *left = ez_sprintf("%s.left", path);
    EZ_FREE char *copy = ez_sprintf("cp '%s' '%s'", path, left);
    struct ez_live *l;
    uint64_t fresh;
    ck_assert_int_eq(system(copy), 0);
    tf_ok(ez_live_open_items(left, &l));
    tf_ok(ez_live_poll(l, NULL, &fresh));
    ck_assert_uint_eq(fresh, 2);
    ck_assert(ez_live_is_whole(l));
    ez_live_close(l);
    unlink(left);
}

/* The items of a trace while it grows: their times are since the first event; later calibrations
 * correct the rate of the clock. */
START_TEST(live_items)
{
    struct ez_fxt_out *f = begin();
    struct tf_story *s = ez_alloc(sizeof *s);
    struct ez_live *l;
    uint64_t fresh;
    tf_clock(f, 0, 1000000000000, 5000000000);
    tf_put(f, 1000, 7, OUTER, false);
    tf_put(f, 3000, 7, INNER, false);
    tf_ok(ez_fxt_out_checkpoint(f));
    tf_ok(ez_live_open_items(path, &l));
    ck_assert_ptr_null(ez_live_stats(l));
    ck_assert_uint_eq(ez_live_zero_ns(l), 0);
    s->m = ez_live_model(l);
    ez_live_feed(l, tf_item, s);
    tf_ok(ez_live_poll(l, NULL, &fresh));
    ck_assert_uint_eq(ez_live_zero_ns(l), 5000001000);
    ck_assert_ptr_nonnull(strstr(s->text, "\n0 thread 7 > outer\n"));
    ck_assert_ptr_nonnull(strstr(s->text, "\n2000 thread 7 > inner\n"));
    ck_assert(!ez_live_is_whole(l));
    killed_writer();
    tf_clock(f, 1000000000, 1002000000000, 7000000000); /* a tick is 2 ns */
    tf_put(f, 1000001000, 7, INNER, true);
    tf_ok(ez_fxt_out_define(
        f, &(struct ez_fxt_def){ EZ_DEF_ACCOUNTING, 1, 42, (uint64_t[7]){ 3, 3 }, 7, NULL, 0 }));
    tf_ok(ez_fxt_out_close(f));
    tf_ok(ez_live_poll(l, NULL, &fresh));
    ck_assert(ez_live_is_whole(l));
    ck_assert_ptr_nonnull(strstr(s->text, "\n2000001000 thread 7 < inner 1999999000 self "));
    tf_ok(ez_live_end(l));
    ck_assert_ptr_nonnull(strstr(s->text, " thread 7 < outer 2000001000 self 2000 forced\n"));
    ez_live_close(l);
    tf_ok(ez_live_open_items(path, &l));
    ez_live_feed(l, refuse, NULL);
    ez_err *e = ez_live_poll(l, NULL, &fresh);
    ck_assert(e && !strcmp(e->msg, "Enough"));
    ez_err_free(e);
    ez_live_close(l);
    free(s);
}
END_TEST

static ez_err *sum_up(void *arg, const struct ez_item *it)
{
    uint64_t *sum = arg;
    if (it->kind == EZ_I_PUSH)
        *sum = *sum * 1000 + (it->narg ? it->arg[0] + it->arg[it->narg - 1] + it->words->n : 1);
    return NULL;
}

/* A state has the arguments of its record; a state without a record has none. */
START_TEST(a_state_has_its_record)
{
    static const struct ez_words words = { .n = 3, .subject = -1, .by_name = -1 };
    struct ez_about about = EZ_ABOUT_NOTHING;
    struct ez_model m;
    uint64_t got = 0;
    about.words = &words;
    ez_model_init(&m, "program", sum_up, &got);
    uint32_t p = ez_model_container(&m, EZ_L_PROCESS, 0, "p", 1, 0),
             t = ez_model_container(&m, EZ_L_THREAD, p, "t", 1, 2),
             f = ez_model_name(&m, EZ_N_STATE, "f", "", 0);
    ez_model_push_record(&m, t, f, (uint64_t[]){ 20, 100, 200 }, 3, about);
    ez_model_push(&m, t, f, EZ_ABOUT_NOTHING);
    ez_model_end(&m);
    ck_assert_uint_eq(got, 223001);
    ez_model_deinit(&m);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("model");
    TCase *c = tcase_create("model");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_set_timeout(c, 60);
    tcase_add_test(c, left_by_an_exception);
    tcase_add_test(c, other_arguments_mean_nothing);
    tcase_add_test(c, pauses_count_once);
    tcase_add_test(c, a_handler_in_a_wait);
    tcase_add_test(c, clocks_are_not_exact);
    tcase_add_test(c, switches_make_no_trace_longer);
    tcase_add_test(c, a_gap);
    tcase_add_test(c, a_gap_in_a_pause);
    tcase_add_test(c, an_older_accounting);
    tcase_add_test(c, a_window);
    tcase_add_test(c, a_peer_before_a_window);
    tcase_add_test(c, a_sleep_before_the_first_event);
    tcase_add_test(c, live_is_in_order);
    tcase_add_test(c, live_items);
    tcase_add_test(c, live_names_come_late);
    tcase_add_test(c, a_state_has_its_record);
    suite_add_tcase(s, c);
    return run_suite(s);
}
