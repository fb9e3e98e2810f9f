/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_by_thread.c - a filter that needs the ends of calls decides the same if it reads the trace
 * thread by thread (engine/trace/by_thread.h) and in the order of time: for random traces, windows
 * and filters, and for damaged files. */
#include <signal.h>

#include "tests/unit/suite.h"
#include "tests/unit/trace/index_traces.h"
#include "tests/unit/trace/tale.h"

#include "engine/base/zst.h"

#define PATH "check_by_thread.fxt"
#define OTHER "check_by_thread-2.fxt"

/* States that several threads share, and states whose subjects have names: they are read in the
 * order of time. */
enum { RECORDS = 20000, SHARED = 1 << IT_WIDE, NAMED = 1 << IT_OPEN };

static char *const paths[] = { PATH, OTHER };

struct told {
    char *text; /* the caller frees */
    bool by_thread;
    uint64_t span;
};

static struct told told_of(size_t files, const struct ez_trace_part *part, bool in_order)
{
    struct told t = { .text = NULL };
    struct ez_replay *r = NULL;
    size_t n;
    FILE *f = open_memstream(&t.text, &n);
    ez_err *e = ez_replay_open_part(paths, files, part, NULL, &r);
    if (!e) {
        t.span = ez_replay_sum(r)->span_ns;
        if (in_order)
            ez_replay_in_order(r);
        e = tell_all(f, r);
        t.by_thread = ez_replay_by_thread(r);
    }
    fprintf(f, "%s\n", e ? e->msg : "whole");
    ez_err_free(e);
    ez_replay_close(r);
    fclose(f);
    return t;
}

/* Returns whether the first reading was thread by thread. The result is the same as in the order of
 * time. */
static bool same(size_t files, const struct ez_trace_part *part)
{
    struct told sorted = told_of(files, part, true), told = told_of(files, part, false);
    ck_assert(!sorted.by_thread);
    tales_equal(told.text, told.by_thread ? "by thread" : "not by thread", sorted.text, "in order",
                part);
    free(sorted.text);
    free(told.text);
    return told.by_thread;
}

/* ---- random filters ----------------------------------------------------------------------------- */

static struct it_trace dice;

static const char *one_of(const char *const *texts, unsigned n)
{
    return texts[it_any(&dice, n)];
}

/* Returns a part that is known only at the ends of calls. */
static struct ez_trace_part random_part(uint64_t span)
{
    static const char *const functions[] = { NULL, NULL, "f[0-3]$", "f9|f8", "Held|Phase|tick" };
    static const char *const where[] = { NULL,
                                         NULL,
                                         "n == 1",
                                         "duration > 300 && depth > 2",
                                         "duration < 90 || function == \"Held\"",
                                         "300 < duration || duration == 100 || duration <= 2e2",
                                         "duration / 3 > 100 && duration != 1000",
                                         "n != 2 && thread == 42" };
    struct ez_trace_part p = { .from_ns = 0 };
    if (it_any(&dice, 2)) {
        p.from_ns = (uint64_t)it_any(&dice, 1000) * span / 1000;
        p.to_ns = p.from_ns + 1 + span / (1 + it_any(&dice, 90));
    }
    p.filter.min_ns = it_any(&dice, 3) ? 0 : 1 + it_any(&dice, 2000);
    p.filter.max_ns = it_any(&dice, 3) ? 0 : 2000 + it_any(&dice, 20000);
    p.filter.callee = it_any(&dice, 3) ? NULL : one_of(functions, 5);
    p.filter.where = one_of(where, 8);
    if (!p.filter.max_ns && !p.filter.callee && !p.filter.where)
        p.filter.min_ns = 1 + it_any(&dice, 2000);
    p.filter.function = it_any(&dice, 3) ? NULL : one_of(functions, 5);
    p.filter.caller = it_any(&dice, 3) ? NULL : one_of(functions, 5);
    p.filter.depth = it_any(&dice, 3) ? 0 : 1 + it_any(&dice, 4);
    p.filter.threads = it_any(&dice, 4) ? NULL : "42-43";
    p.filter.no_pauses = !it_any(&dice, 4);
    return p;
}

/* Returns how many of n random parts are read thread by thread. */
static unsigned same_parts(size_t files, unsigned n)
{
    static const struct ez_trace_part whole;
    struct told all = told_of(files, &whole, false);
    unsigned by_thread = 0;
    free(all.text);
    for (unsigned i = 0; i < n; i++) {
        struct ez_trace_part p = random_part(all.span);
        by_thread += same(files, &p);
    }
    return by_thread;
}

static void clear(void)
{
    unlink(PATH);
    unlink(OTHER);
}

/* ---- the tests ---------------------------------------------------------------------------------- */

static unsigned rounds(unsigned n)
{
    return getenv("EZT_FUZZ_RUNS") ? (unsigned)atoi(getenv("EZT_FUZZ_RUNS")) : n;
}

START_TEST(same_calls)
{
    unsigned by_thread = 0, n = rounds(40);
    for (unsigned round = 0; round < n; round++) {
        dice.seed = round;
        it_write_without(PATH, round, RECORDS, 42, "here", round % 8 == 3 && ez_zst_can(),
                         SHARED | (round % 4 ? NAMED : 0));
        by_thread += same_parts(1, 6);
    }
    ck_assert_uint_gt(by_thread, n * 3);
}
END_TEST

/* Files of one machine and of two, with clocks that are aligned, and of one process. */
START_TEST(same_calls_of_two_files)
{
    unsigned by_thread = 0, n = rounds(12);
    for (unsigned round = 0; round < n; round++) {
        bool one = round % 6 == 5;
        dice.seed = round;
        it_write_without(OTHER, 1000 + round, RECORDS / (1 + round % 3), one ? 42 : 77,
                         round % 2 ? "here" : "there", false, SHARED | NAMED);
        it_write_without(PATH, round, RECORDS, 42, "here", false, SHARED | NAMED);
        unsigned got = same_parts(2, 6);
        ck_assert(!one || !got);
        by_thread += got;
    }
    ck_assert_uint_gt(by_thread, n * 2);
}
END_TEST

/* States of a process, which depend on the order of the events of all threads. */
START_TEST(same_shared_states)
{
    unsigned by_thread = 0, n = rounds(12);
    for (unsigned round = 0; round < n; round++) {
        dice.seed = round;
        it_write(PATH, 7 + round, RECORDS, 42, "here", false);
        by_thread += same_parts(1, 3);
    }
    ck_assert_uint_lt(by_thread, n * 2);
}
END_TEST

/* Traces whose bytes are changed at random, or that end too early. */
START_TEST(same_calls_of_any_file)
{
    static char buf[1 << 22];
    for (unsigned round = 0, n = rounds(20); round < n; round++) {
        dice.seed = round;
        it_write_without(PATH, round, RECORDS, 42, "here", false, SHARED | NAMED);
        size_t size = tf_load(PATH, buf, sizeof buf);
        for (unsigned i = 0; i < 1 + round % 5; i++) {
            size_t at = 600 + (size_t)it_any(&dice, (unsigned)size - 600);
            buf[at] = (char)(buf[at] + 1 + (int)it_any(&dice, 2) * (int)it_any(&dice, 254));
        }
        if (!it_any(&dice, 4))
            size -= it_any(&dice, 2000);
        tf_store(PATH, buf, size);
        same_parts(1, 5);
    }
}
END_TEST

/* A call waits for room in its thread's ring, and a signal's handler calls meanwhile; a gap ends
 * calls. The time is in no call. The calls before the window count from its start. */
START_TEST(waits_and_gaps)
{
    struct ez_fxt_out *f = tf_open(PATH, 42);
    tf_process(f, 42, "app", "here");
    tf_probe(f, 0, TF_BOTH, "f", "app");
    tf_probe(f, 1, TF_BOTH, "handler", "app");
    for (uint64_t k = 0; k < 100; k++) {
        uint64_t at = 1000 + k * 1000;
        tf_put(f, at, 42, 0, false);
        tf_thread(f, at + 100, 42, EZ_T_WAIT, 0);
        tf_put(f, at + 200, 42, 1, false);
        tf_put(f, at + 200 + k, 42, 1, true);
        tf_thread(f, at + 500, 42, EZ_T_WAIT_END, 0);
        if (k % 10 == 9) {
            tf_thread(f, at + 600, 42, EZ_T_GAP, 5);
            tf_thread(f, at + 800, 42, EZ_T_GAP_END, 0);
        } else {
            tf_put(f, at + 600 + k, 42, 0, true);
        }
    }
    tf_ok(ez_fxt_out_close(f));
    for (uint64_t min = 1; min < 700; min += 7) {
        struct ez_trace_part p = { .filter.min_ns = min };
        ck_assert(same(1, &p));
        p.from_ns = 20000 + 37 * min;
        p.to_ns = 50000 + 41 * min;
        ck_assert(same(1, &p));
    }
}
END_TEST

/* A signal is a point, and the file does not tell where among the calls it belongs. */
START_TEST(signals)
{
    struct ez_fxt_out *f = tf_open(PATH, 42);
    tf_process(f, 42, "app", "here");
    tf_probe(f, 0, TF_BOTH, "f", "app");
    for (uint64_t k = 0; k < 200; k++)
        tf_put(f, 1000 + 10 * k, 42, 0, k % 2);
    tf_thread(f, 1505, 42, EZ_T_SIGNAL, SIGUSR1);
    tf_ok(ez_fxt_out_close(f));
    const struct ez_trace_part around = { .filter.callee = "SIGUSR1" },
                               longer = { .filter.min_ns = 5 };
    ck_assert(!same(1, &around));
    ck_assert(same(1, &longer));
}
END_TEST

/* Hits of probes that the file does not define: each first hit adds a definition. */
START_TEST(undefined_probes)
{
    struct ez_fxt_out *f = tf_open(PATH, 42);
    tf_process(f, 42, "app", "here");
    tf_probe(f, 0, TF_BOTH, "f", "app");
    for (uint32_t k = 0; k < 5000; k++)
        tf_put(f, 1000 + 10 * k, 42, k / 2 % 7 ? 0 : k / 2, k % 2);
    tf_ok(ez_fxt_out_close(f));
    const struct ez_trace_part longer = { .filter.min_ns = 5 }, around = { .filter.callee = "f" };
    ck_assert(same(1, &longer));
    ck_assert(same(1, &around));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("by_thread");
    TCase *tc = tcase_create("by_thread");
    tcase_add_checked_fixture(tc, clear, clear);
    tcase_set_timeout(tc, 300);
    tcase_add_test(tc, same_calls);
    tcase_add_test(tc, same_calls_of_two_files);
    tcase_add_test(tc, same_shared_states);
    tcase_add_test(tc, same_calls_of_any_file);
    tcase_add_test(tc, waits_and_gaps);
    tcase_add_test(tc, signals);
    tcase_add_test(tc, undefined_probes);
    suite_add_tcase(s, tc);
    return run_suite(s);
}
