/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_read.c - traces that are cut, damaged, hostile, of other writers, or left by a killed writer.
 * Each goes through reading, order, model, statistics, timeline and a format, in little memory and
 * time. */
#include "tests/unit/many.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#define CONFIG_FUT
#include <fxt/fxt.h>
#include <fxt/fut.h>

#include "engine/format/convert.h"
#include "engine/trace/fxt_in.h"
#include "engine/trace/stats.h"
#include "engine/trace/timeline.h"
#include "tests/unit/trace_file.h"
#include "tests/unit/suite.h"
#include "tests/unit/tool.h"

static char path[64], other[64], out[64];

static void setup(void)
{
    snprintf(path, sizeof path, "check_read-%d.fxt", getpid());
    snprintf(other, sizeof other, "check_read-%d-other.fxt", getpid());
    snprintf(out, sizeof out, "check_read-%d.json", getpid());
}

static void teardown(void)
{
    unlink(path);
    unlink(other);
    unlink(out);
}

/* A trace with definitions of each kind, and with events out of order. */
static void write_example(void)
{
    struct ez_fxt_out *f = tf_open(path, 42);
    uint64_t accounting[] = { 20, 12, 3, 2, 3, 7, 1 }, schema[] = { 1, 1000000000 };
    tf_ok(ez_fxt_out_define(f, &(struct ez_fxt_def){ EZ_DEF_SCHEMA, 1, 42, schema, 2, NULL, 0 }));
    tf_process(f, 42, "/bin/app", "here");
    tf_clock(f, 1, 1700000000000000000u, 1);
    tf_probe(f, 0, TF_BOTH, "outer", "app");
    tf_probe(f, 1, TF_BOTH, "inner", "lib.so");
    tf_probe(f, 2, EZ_ROW_ENTRY | EZ_ROW_REC_ENTRY, "point", "app");
    tf_meaning(f, 4, EZ_A_VAR_ADD, 1, "memory");
    tf_meaning(f, 5, EZ_A_LINK_START, 2, "message");
    tf_meaning(f, 6, EZ_A_LINK_END, 2, "message");
    tf_meaning(f, 7, EZ_A_SET, 2, "Blocked");
    for (uint64_t t = 1; t <= 3; t++) {
        for (uint64_t i = 0; i < 20; i++) {
            tf_put(f, 100 * i + t, t, 0, false);
            tf_put(f, 100 * i + t + 20, t, 1, false);
            if (i % 5)
                tf_put(f, 100 * i + t + 30, t, 1, true);
            tf_put(f, 100 * i + t + 40, t, 0, true);
        }
        tf_put(f, 5000, t, 2, false);
        for (uint64_t c = 4; c < 9; c++)
            tf_event(f, 6000 + c, t, c, t, 7);
    }
    tf_clock(f, 2000001, 1700000000002000000u, 2000001);
    tf_ok(ez_fxt_out_define(
        f, &(struct ez_fxt_def){ EZ_DEF_ACCOUNTING, 1, 42, accounting, 7, NULL, 0 }));
    tf_ok(ez_fxt_out_close(f));
}

/* ---- the whole way ---------------------------------------------------------------------- */

struct all {
    struct ez_stats *st;
    struct ez_timeline *t;
    uint64_t last;
    unsigned depth[4096];
};

/* Items are consistent, whatever the file was. */
static ez_err *check_item(void *arg, const struct ez_item *it)
{
    struct all *a = arg;
    ck_assert(it->ns >= a->last);
    a->last = it->ns;
    if (it->kind == EZ_I_PUSH && it->container < EZ_ARRAY_LEN(a->depth))
        ck_assert_uint_eq(a->depth[it->container]++, it->depth);
    if (it->kind == EZ_I_POP && it->container < EZ_ARRAY_LEN(a->depth)) {
        ck_assert_uint_eq(--a->depth[it->container], it->depth);
        ck_assert(it->start_ns <= it->ns && it->self_ns <= it->ns - it->start_ns);
    }
    if (it->kind == EZ_I_CONTAINER_END && it->container < EZ_ARRAY_LEN(a->depth))
        ck_assert_uint_eq(a->depth[it->container], 0);
    EZ_TRY(ez_stats_item(a->st, it));
    return ez_timeline_item(a->t, it);
}

static ez_err *through(char *name)
{
    struct ez_replay *r;
    EZ_TRY(ez_replay_open(&name, 1, NULL, &r));
    struct all *a = ez_alloc(sizeof *a);
    a->st = ez_stats_create(ez_replay_model(r), EZ_BY_FUNCTION | EZ_BY_THREAD, false);
    a->t = ez_timeline_create(ez_replay_model(r), 0, ez_replay_sum(r)->span_ns, 100);
    ez_err *e = ez_replay_run(r, check_item, a, NULL);
    if (!e) {
        ez_stats_table(a->st, EZ_SORT_TOTAL);
        ez_timeline_finish(a->t);
        ck_assert_uint_eq(ez_replay_sum(r)->late, 0);
    }
    ez_stats_free(a->st);
    ez_timeline_free(a->t);
    ez_replay_close(r);
    free(a);
    return e;
}

/* An error names the file, and the offset if the file is damaged. */
static void survive(char *name, unsigned long n)
{
    struct ez_converted done = { .out = NULL };
    const struct ez_convert w = {
        .in = &name, .n = 1, .format = n % 2 ? "chrome" : "csv", .out = out
    };
    ez_err *e = through(name);
    if (e) {
        ck_assert_msg(strstr(e->msg, name) &&
                          (strstr(e->msg, "at byte ") || strstr(e->msg, "not an FxT") ||
                           strstr(e->msg, "no events of a format")),
                      "%s", e->msg);
        ez_err_free(e);
        return;
    }
    tf_ok(ez_convert(&w, &done));
    free(done.out);
    free(done.notice);
    free(done.sum.damage);
}

static void little_memory(void)
{
#if !defined(__SANITIZE_ADDRESS__) /* AddressSanitizer reserves more addresses than the limit */
    struct rlimit lim = { 512 << 20, 512 << 20 };
    ck_assert_int_eq(setrlimit(RLIMIT_AS, &lim), 0);
#endif
}

/* ---- damage ---------------------------------------------------------------------------------- */

START_TEST(cut_at_every_byte)
{
    static char buf[1 << 16];
    write_example();
    size_t n = tf_load(path, buf, sizeof buf);
    for (size_t k = 0; k <= n; k += k < 1200 || n - k < 300 ? 1 : 13) {
        tf_store(other, buf, k);
        survive(other, k);
    }
}
END_TEST

static uint64_t random_word(void)
{
    static uint64_t x = 88172645463325252ull;
    x ^= x << 13, x ^= x >> 7, x ^= x << 17;
    return x;
}

/* 3,000 files: bits flipped, bytes and whole words replaced, pieces moved. */
static void mutate(char *buf, size_t n, unsigned how)
{
    static const uint64_t words[] = { 0, 1, UINT64_MAX, 1ull << 63, 1ull << 32, 0xffff, 0x201 };
    for (unsigned k = 0; k <= how % 4; k++) {
        uint64_t x = random_word(), at = x % n, y = random_word();
        switch (how / 4 % 4) {
        case 0:
            buf[at] ^= (char)(1u << y % 8);
            break;
        case 1:
            buf[at] = (char)y;
            break;
        case 2:
            at = at / 8 * 8 + 4; /* words stand at 4 mod 8 */
            if (at + 8 <= n)
                memcpy(buf + at, &words[y % EZ_ARRAY_LEN(words)], 8);
            break;
        default:
            memmove(buf + at, buf + y % n,
                    EZ_MIN(EZ_MIN(n - at, n - y % n), (size_t)(y >> 40) % 200));
        }
    }
}

START_TEST(three_thousand_mutants)
{
    static char buf[1 << 16], copy[1 << 16];
    write_example();
    size_t n = tf_load(path, buf, sizeof buf);
    little_memory();
    for (unsigned i = 0; i < 3000; i++) {
        memcpy(copy, buf, n);
        mutate(copy, n, i);
        tf_store(other, copy, n);
        survive(other, i);
    }
}
END_TEST

/* A hostile file with two million threads, functions and codes needs memory in proportion to its
 * length only. */
START_TEST(made_to_hurt)
{
    struct ez_fxt_out *f = tf_open(path, 42);
    enum { N = 100000 };
    little_memory();
    for (uint64_t i = 0; i < N; i++) /* each a probe of its own, in a thread of its own */
        tf_put(f, random_word(), random_word(), (uint32_t)random_word() % 0x7fffff, i & 1);
    for (uint64_t i = 0; i < N; i++)
        tf_put(f, i, 7, 5, false); /* a very deep stack */
    for (uint64_t i = 0; i < N; i++)
        tf_put(f, i, 7, 6, true); /* exits without entries */
    tf_ok(ez_fxt_out_close(f));
    survive(path, 0);
}
END_TEST

/* ---- other writers, killed writers -------------------------------------------------------------- */

/* FUT itself, in a process of its own: it keeps its state in globals. */
static void fut_writes(void)
{
    fut_set_filename(path);
    fut_setup(1 << 16, FUT_KEYMASKALL, 0);
    for (int i = 0; i < 1000; i++) {
        FUT_DO_PROBE0(0x1111);
        FUT_DO_PROBE2(0x1112, i, i * 2);
    }
    fut_endup("ignored: the name is set");
    fut_done();
    _exit(0);
}

static uint64_t events_of(char *name)
{
    struct ez_replay *r;
    tf_ok(ez_replay_open(&name, 1, NULL, &r));
    uint64_t n = ez_replay_sum(r)->events;
    ez_replay_close(r);
    return n;
}

START_TEST(a_trace_of_fut)
{
    int status;
    char *name = path;
    pid_t child = fork();
    if (!child)
        fut_writes();
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    ck_assert_uint_ge(events_of(path), 2000);
    char *text = tf_tell(&name, 1, NULL);
    ck_assert_ptr_nonnull(strstr(text, "! code 0x1111 0\n"));
    ck_assert_ptr_nonnull(strstr(text, "! code 0x1112 2\n"));
    free(text);
    survive(path, 0);
}
END_TEST

static void repaired(struct ez_fxt_repair want)
{
    struct ez_fxt_repair r;
    tf_ok(ez_fxt_repair(path, NULL, &r));
    ck_assert_uint_eq(r.events, want.events);
    ck_assert_uint_eq(r.gained, want.gained);
    ck_assert_uint_eq(r.cut, want.cut);
}

/* How many events fxt_print counts; -1 = fxt_print is not here. */
static int fxt_print_counts(void)
{
    char cmd[160];
    int n = -1;
    if (!tool_there("fxt_print"))
        return n;
    snprintf(cmd, sizeof cmd, "fxt_print -f %s | grep -c '100000[01](0)'", path);
    FILE *p = popen(cmd, "r");
    if (fscanf(p, "%d", &n) != 1)
        n = -1;
    pclose(p);
    return n;
}

/* The writer dies after its last append, before any checkpoint or long after one. */
START_TEST(a_killed_writer)
{
    for (int checkpoint = 0; checkpoint < 2; checkpoint++) {
        pid_t child = fork();
        if (!child) {
            struct ez_fxt_out *f = tf_open(path, 42);
            tf_probe(f, 0, TF_BOTH, "f", "app");
            if (checkpoint)
                tf_ok(ez_fxt_out_checkpoint(f));
            for (uint64_t i = 0; i < 1000; i++)
                tf_put(f, 100 + i, 1, 0, i & 1);
            kill(getpid(), SIGKILL);
        }
        waitpid(child, NULL, 0);
        ck_assert_uint_eq(events_of(path), 1000); /* ours needs no repair */
        int before = fxt_print_counts();
        repaired((struct ez_fxt_repair){ .events = 1001, .gained = checkpoint ? 1000 : 1001 });
        repaired((struct ez_fxt_repair){ .events = 1001 });
        ck_assert_uint_eq(events_of(path), 1000);
        int after = fxt_print_counts();
        ck_assert(after == -1 || after >= before + 1000);
    }
}
END_TEST

START_TEST(half_a_record_is_cut_off)
{
    write_example();
    uint64_t n = events_of(path);
    int fd = open(path, O_WRONLY | O_APPEND);
    ck_assert_int_eq(write(fd, "half a record", 13), 13);
    close(fd);
    ck_assert_uint_eq(events_of(path), n);
    struct ez_fxt_repair r;
    tf_ok(ez_fxt_repair(path, NULL, &r));
    ck_assert_uint_eq(r.cut, 13);
    ck_assert_uint_eq(r.gained, 0);
    ck_assert_uint_eq(events_of(path), n);
}
END_TEST

START_TEST(nobody_repairs_what_is_being_written)
{
    struct ez_fxt_repair r;
    struct ez_fxt_out *again, *f = tf_open(path, 42);
    ez_err *e = ez_fxt_repair(path, NULL, &r);
    ck_assert_msg(e && e->code == EZ_E_STATE, "%s", e ? e->msg : "repaired");
    ez_err_free(e);
    e = ez_fxt_out_open(path, 43, &again);
    ck_assert(e && e->code == EZ_E_STATE);
    ez_err_free(e);
    tf_ok(ez_fxt_out_close(f));
}
END_TEST

/* What the writer has not checkpointed yet may be half a record, and it is no damage. */
START_TEST(only_what_is_checkpointed)
{
    struct ez_fxt_out *f = tf_open(path, 42);
    tf_probe(f, 0, TF_BOTH, "f", "app");
    tf_put(f, 100, 1, 0, false);
    tf_put(f, 200, 1, 0, true);
    tf_ok(ez_fxt_out_checkpoint(f));
    tf_put(f, 300, 1, 0, false);
    int fd = open(path, O_WRONLY | O_APPEND);
    ck_assert_int_eq(write(fd, "half a record", 13), 13);
    close(fd);
    struct ez_replay *r;
    char *const in[] = { path };
    tf_ok(ez_replay_open(in, 1, NULL, &r));
    ck_assert_uint_eq(ez_replay_sum(r)->events, 2);
    ck_assert_ptr_null(ez_replay_sum(r)->damage);
    ez_replay_close(r);
    tf_ok(ez_fxt_out_close(f));
}
END_TEST

static ez_err *count_items(void *arg, const struct ez_item *it)
{
    *(uint64_t *)arg += it->kind == EZ_I_PUSH || it->kind == EZ_I_POP;
    return NULL;
}

/* The second reading tells what the first one saw, though there is more by then. */
START_TEST(a_file_that_grows)
{
    struct ez_replay *r;
    char *const in[] = { path };
    uint64_t items = 0;
    struct ez_fxt_out *f = tf_open(path, 42);
    tf_probe(f, 0, TF_BOTH, "f", "app");
    for (uint64_t i = 0; i < 10000; i++)
        tf_put(f, 1000 + i, 1, 0, i & 1);
    tf_ok(ez_fxt_out_checkpoint(f));
    tf_ok(ez_replay_open(in, 1, NULL, &r));
    tf_probe(f, 1, TF_BOTH, "unknown to the first reading", "app");
    for (uint64_t i = 0; i < 10000; i++)
        tf_put(f, 1000 + i, 2, 1, i & 1);
    tf_ok(ez_fxt_out_checkpoint(f));
    tf_ok(ez_replay_run(r, count_items, &items, NULL));
    ck_assert_uint_eq(items, 10000);
    ck_assert_uint_eq(ez_replay_sum(r)->late, 0);
    ez_replay_close(r);
    tf_ok(ez_fxt_out_close(f));
}
END_TEST

/* Other writers' files: what comes behind the events is theirs. */
START_TEST(nothing_to_repair)
{
    write_example();
    struct stat before, after;
    struct {
        uint64_t size;
        int32_t type, subtype;
        uint64_t word[2];
    } raw32 = { 32, 0x200, 0, { 1, 2 } };
    int fd = open(path, O_WRONLY | O_APPEND);
    ck_assert_int_eq(write(fd, &raw32, sizeof raw32), sizeof raw32);
    close(fd);
    ck_assert(!stat(path, &before));
    uint64_t n = events_of(path);
    struct ez_fxt_repair r;
    tf_ok(ez_fxt_repair(path, NULL, &r));
    ck_assert_uint_eq(r.gained, 0);
    ck_assert_uint_eq(r.cut, 0);
    ck_assert(!stat(path, &after));
    ck_assert_int_eq(before.st_size, after.st_size);
    ck_assert_uint_eq(events_of(path), n);
}
END_TEST

/* A file that shrinks under the reader ends where it now ends. */
START_TEST(a_file_that_shrinks)
{
    struct ez_fxt_in *in;
    struct ez_fxt_event ev;
    bool got = true;
    struct ez_fxt_out *f = tf_open(path, 42);
    for (uint64_t i = 0; i < 50000; i++)
        tf_put(f, i, 1, 0, i & 1);
    tf_ok(ez_fxt_out_close(f));
    tf_ok(ez_fxt_in_open(path, &in));
    tf_ok(ez_fxt_in_next(in, &ev, &got));
    ck_assert_int_eq(truncate(path, 2000), 0);
    ez_err *e = NULL;
    unsigned n = 0;
    while (!(e = ez_fxt_in_next(in, &ev, &got)) && got)
        n++;
    ck_assert_uint_lt(n, 50000);
    ck_assert(e && strstr(e->msg, "at byte "));
    ez_err_free(e);
    e = ez_fxt_in_follow(in);
    ck_assert(e && strstr(e->msg, "begun anew"));
    ez_err_free(e);
    ez_fxt_in_close(in);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        cut_at_every_byte,   three_thousand_mutants,
        made_to_hurt,        a_trace_of_fut,
        a_killed_writer,     half_a_record_is_cut_off,
        a_file_that_shrinks, nobody_repairs_what_is_being_written,
        nothing_to_repair,   only_what_is_checkpointed,
        a_file_that_grows,
    };
    Suite *s = suite_create("read");
    TCase *c = tcase_create("read");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_set_timeout(c, 120);
    for (size_t i = 0; i < EZ_ARRAY_LEN(tests); i++)
        tcase_add_test(c, tests[i]);
    suite_add_tcase(s, c);
    return run_suite(s);
}
