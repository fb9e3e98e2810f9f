/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_filter.c - what the drain writes of records that the target made: by depth, by length, by bytes;
 * what waits, in which order it comes into the file, and that each record is accounted for. */
#include "engine/trace/fxt_in.h"
#include "tests/unit/drain_harness.h"
#include "tests/unit/suite.h"

enum { PLAIN = 3, DEEP = 4, LONG = 5, BYTES = 6, MS = 1000000 };

static uint64_t second; /* in ticks */

static void filter_setup(void)
{
    double rate;
    uint64_t now;
    setup();
    ez_drain_time(drain, &now, &rate);
    second = (uint64_t)(1e9 * rate);
    ez_drain_filter(drain, DEEP, &(struct ez_drain_filter){ .depth = 2, .follows = true });
    ez_drain_filter(drain, LONG, &(struct ez_drain_filter){ .min_ns = 100 * MS, .follows = true });
    ez_drain_filter(drain, BYTES, &(struct ez_drain_filter){ .bytes = 480, .follows = true });
    define_all();
    hdr->overflow_wait = 1;
    ok(ez_drain_open(drain, path));
}

/* An event at a time of our own: `at` is in ms since the start. */
static uint64_t zero;
static void event(unsigned l, unsigned id, unsigned exit, uint64_t at)
{
    struct ez_counter *c = counter_of(l, id);
    *(exit ? &c->exit : &c->entry) += 1;
    sp[l] -= exit ? 0 : 16;
    struct ez_rec *r = reserve(l);
    r->tick = zero + at * (second / 1000);
    r->tid = sp[l];
    __atomic_store_n(&r->code, CODE(id, exit), __ATOMIC_RELEASE);
    sp[l] += exit ? 16 : 0;
}

static void call(unsigned l, unsigned id, uint64_t from, uint64_t to)
{
    event(l, id, 0, from);
    event(l, id, 1, to);
}

/* The probes' events of the file, in its order: "+3" an entry of id 3, "-3" an exit, "~3" one that is
 * no return. */
static char *told(void)
{
    struct ez_fxt_in *in = NULL;
    struct ez_fxt_event ev;
    bool got = true;
    char *all = ez_strdup("");
    ok(ez_fxt_in_open(path, &in));
    while (got) {
        ok(ez_fxt_in_next(in, &ev, &got));
        if (!got || ev.code < EZ_C_PROBE)
            continue;
        char *was = all;
        all = ez_sprintf("%s%s%c%u", was, *was ? " " : "",
                         !(ev.code & 1) ? '+'
                         : ev.narg      ? '~'
                                        : '-',
                         (unsigned)(ev.code - EZ_C_PROBE) / 2);
        free(was);
    }
    ez_fxt_in_close(in);
    return all;
}

static void tells(const char *expected, uint64_t filtered)
{
    struct ez_drain_stat s = stat_now();
    ck_assert_uint_eq(s.filtered, filtered);
    ok(ez_drain_close(drain));
    EZ_FREE char *all = told();
    ck_assert_str_eq(all, expected);
    s = stat_now();
    ck_assert_uint_eq(s.filtered, filtered);
}

static uint64_t left_out(uint32_t id, bool spent)
{
    struct ez_drain_filtered f;
    ez_drain_filtered(drain, id, &f);
    ck_assert_int_eq(f.spent, spent);
    return f.calls;
}

/* The clock of these events: far enough ahead that no call is old before its exit comes. */
static unsigned begin(void)
{
    zero = ez_tick() + 1000 * second;
    return take_buffer((uint32_t)syscall(SYS_gettid));
}

START_TEST(depth_counts_recorded_calls)
{
    unsigned l = begin();
    event(l, DEEP, 0, 1);
    event(l, DEEP, 0, 2);
    event(l, DEEP, 0, 3); /* the third */
    call(l, PLAIN, 4, 5); /* a plain probe is recorded all the same */
    call(l, DEEP, 6, 7);
    event(l, DEEP, 1, 8);
    event(l, DEEP, 1, 9);
    call(l, DEEP, 10, 11); /* the second again */
    event(l, DEEP, 1, 12);
    tells("+4 +4 +3 -3 -4 +4 -4 -4", 4);
    ck_assert_uint_eq(left_out(DEEP, false), 2);
}
END_TEST

/* The list of open calls grows meanwhile. */
START_TEST(depth_has_no_end)
{
    unsigned l = begin();
    for (unsigned i = 0; i < 1000; i++)
        event(l, DEEP, 0, i);
    for (unsigned i = 0; i < 1000; i++)
        event(l, DEEP, 1, 1000 + i);
    tells("+4 +4 -4 -4", 2 * 998);
}
END_TEST

START_TEST(short_calls_are_taken_out)
{
    unsigned l = begin();
    call(l, LONG, 0, 99);
    call(l, LONG, 100, 201);
    event(l, LONG, 0, 300); /* a long one, with short and long ones inside, and a plain one */
    call(l, LONG, 310, 320);
    call(l, PLAIN, 330, 340);
    call(l, LONG, 350, 460);
    event(l, LONG, 1, 500);
    event(l, LONG, 0, 600); /* a short one around a plain one */
    call(l, PLAIN, 610, 620);
    event(l, LONG, 1, 630);
    tells("+5 -5 +5 +3 -3 +5 -5 -5 +3 -3", 6);
    ck_assert_uint_eq(left_out(LONG, false), 3);
}
END_TEST

/* A plain probe at the same function: what the filter leaves out is that probe's. */
START_TEST(another_probe_has_the_rest)
{
    ez_drain_filter_other(drain, LONG, PLAIN, EZ_ROW_REC_ENTRY | EZ_ROW_REC_EXIT);
    ez_drain_filter_other(drain, DEEP, PLAIN, EZ_ROW_REC_ENTRY | EZ_ROW_REC_EXIT);
    unsigned l = begin();
    call(l, LONG, 0, 99);
    call(l, LONG, 100, 201);
    event(l, LONG, 0, 300); /* a long one around a short one */
    call(l, LONG, 310, 320);
    event(l, LONG, 1, 500);
    event(l, LONG, 0, 600); /* a short one around a deep one */
    event(l, DEEP, 0, 610);
    event(l, DEEP, 0, 611); /* the third */
    event(l, DEEP, 1, 612);
    event(l, DEEP, 1, 613);
    event(l, LONG, 1, 630);
    tells("+3 -3 +5 -5 +5 +3 -3 -5 +3 +4 +3 -3 -4 -3", 0);
    ck_assert_uint_eq(left_out(LONG, false), 0);
    ck_assert_uint_eq(left_out(DEEP, false), 0);
}
END_TEST

START_TEST(another_probe_has_one_side)
{
    ez_drain_filter_other(drain, LONG, PLAIN, EZ_ROW_REC_EXIT);
    unsigned l = begin();
    call(l, LONG, 0, 99);
    call(l, LONG, 100, 201);
    ez_drain_flush(drain);
    ez_drain_filter_other(drain, LONG, PLAIN, 0); /* it is gone */
    call(l, LONG, 300, 310);
    tells("-3 +5 -5", 3);
    ck_assert_uint_eq(left_out(LONG, false), 2);
}
END_TEST

START_TEST(another_probe_has_calls_that_are_left)
{
    ez_drain_filter_other(drain, LONG, PLAIN, EZ_ROW_REC_ENTRY | EZ_ROW_REC_EXIT);
    unsigned l = begin();
    sp[l] = (uint64_t)&l & ~15ull;
    event(l, PLAIN, 0, 0);
    event(l, LONG, 0, 1);
    event(l, LONG, 0, 150);
    sp[l] += 32;
    event(l, PLAIN, 1, 200);
    tells("+3 +5 +3 ~3 ~5 -3", 0);
}
END_TEST

START_TEST(what_waits_is_written_in_time)
{
    unsigned l = take_buffer((uint32_t)syscall(SYS_gettid));
    zero = ez_tick();
    event(l, LONG, 0, 0);
    call(l, PLAIN, 0, 0);
    for (unsigned i = 0; i < 10000 && count_events(path, true) < 3; i++) {
        ez_drain_flush(drain);
        usleep(1000);
    }
    ck_assert_uint_eq(count_events(path, true), 3); /* the call has not ended yet */
    event(l, LONG, 1, 5000);
    tells("+5 +3 -3 -5", 0);
}
END_TEST

START_TEST(gaps_and_ends_settle_what_waits)
{
    unsigned l = begin();
    event(l, LONG, 0, 0);
    struct ez_rec *r = reserve(l);
    buffer_of(l)->dropped = 1;
    counter_of(l, LONG)->entry++;
    r->tick = zero;
    r->tid = 1;
    __atomic_store_n(&r->code, (uint64_t)(EZ_C_THREAD + EZ_T_GAP) << 8 | 1, __ATOMIC_RELEASE);
    event(l, LONG, 1, 10); /* of which call is not known any more */
    event(l, LONG, 0, 20);
    tells("+5 +5", 1);
}
END_TEST

START_TEST(calls_that_are_left)
{
    unsigned l = begin();
    sp[l] = (uint64_t)&l & ~15ull; /* on a stack of its own, where what is below is gone */
    event(l, PLAIN, 0, 0);
    event(l, DEEP, 0, 0);
    event(l, DEEP, 0, 0); /* hidden */
    event(l, LONG, 0, 1);
    event(l, LONG, 0, 150);
    sp[l] += 64; /* out of them all */
    event(l, PLAIN, 1, 200);
    tells("+3 +4 +5 ~5 ~4 -3", 2);
    ck_assert_uint_eq(left_out(LONG, false), 1);
    ck_assert_uint_eq(left_out(DEEP, false), 1);
}
END_TEST

START_TEST(bytes_are_spent)
{
    unsigned l = begin();
    uint64_t n;
    for (unsigned i = 0; i < 15; i++)
        call(l, BYTES, i, i);
    tells("+6 -6 +6 -6 +6 -6 +6 -6 +6 -6 +6 -6 +6 -6 +6 -6 +6 -6 +6 -6", 10);
    ck_assert_uint_eq(left_out(BYTES, true), 5);
    ck_assert_int_eq(read(event_fd, &n, sizeof n), sizeof n); /* the main thread hears of it */
}
END_TEST

/* More waits than there is room for: nothing is lost, and it is counted. */
START_TEST(memory_is_bounded)
{
    unsigned l = begin();
    enum { CALLS = 200000 };
    event(l, LONG, 0, 0);
    for (unsigned i = 0; i < CALLS; i++)
        call(l, PLAIN, 1, 1);
    event(l, LONG, 1, 2);
    struct ez_drain_stat s = stat_now();
    ck_assert_uint_eq(s.hurried, 1);
    ck_assert_uint_eq(s.filtered, 0);
    ok(ez_drain_close(drain));
    ck_assert_uint_eq(count_events(path, false), 2 * CALLS + 2);
}
END_TEST

START_TEST(turns_and_time_are_spent)
{
    struct ez_drain_filter by = { .turns = 5, .counter = 9 };
    ez_drain_filter(drain, 7, &by);
    by = (struct ez_drain_filter){ .until = ez_tick() + second / 20 };
    ez_drain_filter(drain, 8, &by);
    counter_of(0, 9)->entry = 4;
    ez_drain_flush(drain);
    ck_assert_uint_eq(left_out(7, false), 0);
    counter_of(0, 9)->entry = 5;
    ez_drain_flush(drain);
    ck_assert_uint_eq(left_out(7, true), 0);
    while (ez_tick() < by.until)
        usleep(1000);
    ez_drain_flush(drain);
    ck_assert_uint_eq(left_out(8, true), 0);
    counter_of(0, 9)->entry = 0;
    ok(ez_drain_close(drain));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("filter");
    TCase *c = tcase_create("filter");
    tcase_set_timeout(c, 60);
    tcase_add_checked_fixture(c, filter_setup, teardown);
    tcase_add_test(c, depth_counts_recorded_calls);
    tcase_add_test(c, depth_has_no_end);
    tcase_add_test(c, short_calls_are_taken_out);
    tcase_add_test(c, another_probe_has_the_rest);
    tcase_add_test(c, another_probe_has_one_side);
    tcase_add_test(c, another_probe_has_calls_that_are_left);
    tcase_add_test(c, what_waits_is_written_in_time);
    tcase_add_test(c, gaps_and_ends_settle_what_waits);
    tcase_add_test(c, calls_that_are_left);
    tcase_add_test(c, bytes_are_spent);
    tcase_add_test(c, memory_is_bounded);
    tcase_add_test(c, turns_and_time_are_spent);
    suite_add_tcase(s, c);
    return run_suite(s);
}
