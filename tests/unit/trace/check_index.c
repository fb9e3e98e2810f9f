/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_index.c - with an index (engine/trace/index.h) a reader of a window gets exactly what it gets
 * without: for random traces, windows and filters. An index of another state of the file, or a
 * damaged one, is not used. */
#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>

#include "engine/base/zst.h"
#include "tests/unit/suite.h"
#include "tests/unit/trace/index_traces.h"
#include "tests/unit/trace/tale.h"

#define PATH "check_index.fxt"
#define OTHER "check_index-2.fxt"
#define CACHE "check_index.cache"
#define FOLDER CACHE "/eztsh/indexes"

enum { RECORDS = 20000 };

static char *const paths[] = { PATH, OTHER };

/* ---- what a reader gets ------------------------------------------------------------------------ */

struct told {
    char *text; /* the caller frees */
    bool skipped;
    uint64_t span;
};

static struct told told_of(size_t files, const struct ez_trace_part *part, enum ez_index_use use,
                           const char *about)
{
    struct told t = { .text = NULL };
    struct ez_replay *r = NULL;
    struct ez_trace_part with = *part;
    size_t n;
    FILE *f = open_memstream(&t.text, &n);
    with.index = use;
    ez_err *e = ez_replay_open_part(paths, files, &with, NULL, &r);
    if (!e) {
        t.span = ez_replay_sum(r)->span_ns;
        if (about)
            ez_replay_about(r, about);
        e = tell_all(f, r);
        t.skipped = ez_replay_skipped(r);
    }
    fprintf(f, "%s\n", e ? e->msg : "whole");
    ez_err_free(e);
    ez_replay_close(r);
    fclose(f);
    return t;
}

static const struct ez_trace_part whole;

/* Returns whether the part is read with an index. It is the same as without. */
static bool same_with(size_t files, const struct ez_trace_part *part, enum ez_index_use use,
                      const char *about)
{
    struct told without = told_of(files, part, EZ_INDEX_NONE, about);
    struct told with = told_of(files, part, use, about);
    ck_assert(!without.skipped);
    tales_equal(with.text, "with an index", without.text, "without", part);
    free(without.text);
    free(with.text);
    return with.skipped;
}

/* ---- the cache folder -------------------------------------------------------------------------- */

static char *cache;

static void clear(void)
{
    tf_ok(system("rm -rf " CACHE) ? ez_err_new(EZ_E_SYS, errno, "rm") : NULL);
}

static void begin(void)
{
    char here[4096];
    ck_assert_ptr_nonnull(getcwd(here, sizeof here));
    clear();
    cache = ez_sprintf("%s/" CACHE, here);
    setenv("XDG_CACHE_HOME", cache, 1);
}

static void end(void)
{
    clear();
    free(cache);
    unlink(PATH);
    unlink(OTHER);
}

/* Waits until the clock of the file's times has moved on: an index is only made of a file whose next
 * change would change its times. */
static void settle(const char *path)
{
    struct stat st;
    struct timespec now;
    ck_assert_int_eq(stat(path, &st), 0);
    do
        clock_gettime(CLOCK_REALTIME_COARSE, &now);
    while (now.tv_sec < st.st_ctim.tv_sec ||
           (now.tv_sec == st.st_ctim.tv_sec && now.tv_nsec <= st.st_ctim.tv_nsec));
}

static void write_trace(uint64_t seed, bool compress)
{
    it_write(PATH, seed, RECORDS, 42, "here", compress);
    settle(PATH);
}

static size_t indexes(void)
{
    return access(FOLDER, F_OK) ? 0 : files_in(FOLDER);
}

/* The path of the only index. */
static const char *index_path(void)
{
    static char path[512];
    DIR *d = opendir(FOLDER);
    struct dirent *entry;
    *path = 0;
    while ((entry = readdir(d)))
        if (*entry->d_name != '.')
            snprintf(path, sizeof path, FOLDER "/%s", entry->d_name);
    closedir(d);
    return path;
}

/* ---- random windows ---------------------------------------------------------------------------- */

static struct it_trace dice;

static struct ez_trace_part random_part(uint64_t span)
{
    static const char *const functions[] = { NULL, NULL, NULL, "f[0-3]$", "f9|f8" };
    static const char *const where[] = {
        NULL, NULL, NULL, "n == 1", "depth > 3", "duration > 100"
    };
    uint64_t from = (uint64_t)it_any(&dice, 1000) * span / 1000;
    struct ez_trace_part p = { .from_ns = from,
                               .to_ns = from + 1 + span / (10 + it_any(&dice, 90)) };
    if (!it_any(&dice, 8))
        p.to_ns = UINT64_MAX;
    if (it_any(&dice, 2))
        return p;
    p.filter.min_ns = it_any(&dice, 3) ? 0 : it_any(&dice, 200);
    p.filter.max_ns = it_any(&dice, 3) ? 0 : 200 + it_any(&dice, 2000);
    p.filter.depth = it_any(&dice, 3) ? 0 : 1 + it_any(&dice, 4);
    p.filter.function = functions[it_any(&dice, 5)];
    p.filter.caller = functions[it_any(&dice, 5)];
    p.filter.callee = functions[it_any(&dice, 5)];
    p.filter.where = where[it_any(&dice, 6)];
    p.filter.threads = it_any(&dice, 4) ? NULL : "42-43";
    p.filter.no_pauses = !it_any(&dice, 4);
    return p;
}

/* How many of n random parts are read with an index. All are the same as without. */
static unsigned same_parts(size_t files, unsigned n)
{
    struct told all = told_of(files, &whole, EZ_INDEX_NONE, NULL);
    unsigned skipped = 0;
    free(all.text);
    for (unsigned i = 0; i < n; i++) {
        struct ez_trace_part p = random_part(all.span);
        enum ez_index_use use = it_any(&dice, 3) ? EZ_INDEX_LOOK : EZ_INDEX_ALWAYS;
        skipped += same_with(files, &p, i ? use : EZ_INDEX_ALWAYS, it_any(&dice, 6) ? NULL : "n");
    }
    same_with(files, &whole, EZ_INDEX_LOOK, NULL);
    return skipped;
}

/* ---- the tests --------------------------------------------------------------------------------- */

static unsigned rounds(unsigned n)
{
    return getenv("EZT_FUZZ_RUNS") ? (unsigned)atoi(getenv("EZT_FUZZ_RUNS")) : n;
}

START_TEST(same_windows)
{
    unsigned skipped = 0, made = 0, n = rounds(40);
    for (unsigned round = 0; round < n; round++) {
        dice.seed = round;
        write_trace(round, round % 4 == 3 && ez_zst_can());
        skipped += same_parts(1, 6);
        made += indexes() == 1;
        clear();
    }
    ck_assert_uint_gt(skipped, n * 2);
    ck_assert_uint_gt(made, n / 2);
}
END_TEST

/* Files of one machine and of two, with clocks that are aligned. */
START_TEST(same_windows_of_two_files)
{
    unsigned skipped = 0, n = rounds(12);
    for (unsigned round = 0; round < n; round++) {
        dice.seed = round;
        it_write(OTHER, 1000 + round, RECORDS / (1 + round % 3), 77, round % 2 ? "here" : "there",
                 false);
        write_trace(round, false);
        skipped += same_parts(2, 6);
        clear();
    }
    ck_assert_uint_gt(skipped, n * 2);
}
END_TEST

/* Traces whose bytes are changed at random: they are the same with and without an index, damaged or
 * not. */
START_TEST(same_windows_of_any_file)
{
    static char buf[1 << 22];
    for (unsigned round = 0, n = rounds(20); round < n; round++) {
        dice.seed = round;
        write_trace(round, false);
        size_t size = tf_load(PATH, buf, sizeof buf);
        for (unsigned i = 0; i < 1 + round % 5; i++) {
            size_t at = 600 + (size_t)it_any(&dice, (unsigned)size - 600);
            buf[at] = (char)(buf[at] + 1 + (int)it_any(&dice, 2) * (int)it_any(&dice, 254));
        }
        if (!it_any(&dice, 4))
            size -= it_any(&dice, 2000);
        tf_store(PATH, buf, size);
        settle(PATH);
        same_parts(1, 5);
        clear();
    }
}
END_TEST

/* A call shows that a thread runs that was switched out, even if the call ended long before the
 * window. A lone exit after the call shows nothing. */
START_TEST(thread_that_runs)
{
    for (unsigned i = 0; i < 4; i++) {
        struct ez_fxt_out *f = tf_open(PATH, 42);
        tf_process(f, 42, "app", "here");
        tf_probe(f, 0, TF_BOTH, "f", "lib");
        tf_probe(f, 1, TF_BOTH, "main", "app");
        tf_put(f, 5, 7, 1, false);
        tf_thread(f, 6, 9, EZ_T_SWITCH_OUT, 0); /* a thread without calls */
        tf_thread(f, 7, 9, EZ_T_SWITCH_IN, 0);
        tf_put(f, 10, 7, 0, false);
        tf_put(f, 20, 7, 0, true);
        tf_thread(f, 30, 7, EZ_T_SWITCH_OUT, 0);
        tf_thread(f, 40, 7, EZ_T_SWITCH_IN, 0);
        if (i >= 2)
            tf_thread(f, 100, 7, EZ_T_SWITCH_OUT, 0);
        tf_put(f, 50000, 7, 0, false);
        tf_put(f, 50010, 7, 0, true);
        if (i % 2)
            tf_put(f, 50020, 7, 0, true);
        for (uint64_t k = 0; k < 30000; k++)
            tf_put(f, 60000 + k, 8, 0, k % 2);
        if (i < 2) /* the kernel tells it later */
            tf_thread(f, 100, 7, EZ_T_SWITCH_OUT, 0);
        for (uint64_t k = 0; k < 1000; k++)
            tf_put(f, 90000 + k, 8, 0, k % 2);
        tf_ok(ez_fxt_out_close(f));
        settle(PATH);
        for (uint64_t from = 61000; from < 91000; from += 7000) {
            const struct ez_trace_part p = { .from_ns = from, .to_ns = from + 50 };
            ck_assert(same_with(1, &p, EZ_INDEX_ALWAYS, NULL) || from < 66000);
        }
    }
}
END_TEST

/* The recorder writes a signal after younger calls of its thread. */
START_TEST(signals_after_calls)
{
    struct ez_fxt_out *f = tf_open(PATH, 42);
    tf_process(f, 42, "app", "here");
    tf_probe(f, 0, TF_BOTH, "f", "lib");
    for (uint64_t k = 0; k < 30000; k++) {
        tf_put(f, 1000 + 10 * k, 7, 0, k % 2);
        if (k % 5000 == 4999)
            tf_thread(f, 1000 + 10 * k - 4005, 7, EZ_T_SIGNAL, SIGUSR1);
    }
    tf_ok(ez_fxt_out_close(f));
    settle(PATH);
    for (uint64_t from = 100000; from < 300000; from += 30000) {
        const struct ez_trace_part p = { .from_ns = from, .to_ns = from + 10000 };
        ck_assert(same_with(1, &p, EZ_INDEX_ALWAYS, NULL));
    }
}
END_TEST

static const struct ez_trace_part late = { .from_ns = 200000, .to_ns = 210000 };

/* Writes a trace with an index, and returns whether another look uses it. */
static bool has_index(void)
{
    same_with(1, &late, EZ_INDEX_ALWAYS, NULL);
    return indexes() == 1 && same_with(1, &late, EZ_INDEX_LOOK, NULL);
}

/* An index belongs to one state of the trace. */
START_TEST(changed_trace)
{
    static char buf[1 << 22];
    struct stat st;
    write_trace(2, false);
    ck_assert(has_index());
    ck_assert_int_eq(stat(PATH, &st), 0);
    size_t n = tf_load(PATH, buf, sizeof buf);
    uint64_t *word = (uint64_t *)(void *)(buf + 4); /* a tick in the middle */
    ck_assert_uint_gt(n, 100000);
    int fd = open(PATH, O_WRONLY);
    ck_assert_int_eq(pwrite(fd, word, 1, 300000), 1);
    const struct timespec times[] = { st.st_atim, st.st_mtim };
    ck_assert_int_eq(futimens(fd, times), 0); /* the same size, end and time */
    close(fd);
    ck_assert(!same_with(1, &late, EZ_INDEX_LOOK, NULL));
    tf_store(PATH, buf, n - 24);
    ck_assert(!same_with(1, &late, EZ_INDEX_LOOK, NULL));
    write_trace(5, false);
    ck_assert(!same_with(1, &late, EZ_INDEX_LOOK, NULL));
    clear();
    ck_assert(has_index());
}
END_TEST

/* The trace becomes another one between the two readings: then nothing is skipped. */
START_TEST(replaced_trace)
{
    struct ez_replay *r;
    struct ez_trace_part p = late;
    write_trace(2, false);
    ck_assert(has_index());
    p.index = EZ_INDEX_LOOK;
    tf_ok(ez_replay_open_part(paths, 1, &p, NULL, &r));
    write_trace(5, false);
    struct tale s = { ez_replay_model(r), fopen("/dev/null", "w") };
    tf_ok(ez_replay_run(r, tell, &s, NULL));
    ck_assert(!ez_replay_skipped(r));
    ez_replay_close(r);
    fclose(s.f);
}
END_TEST

/* An index whose file was changed is not used. With a right checksum, its contents are checked. */
START_TEST(changed_index)
{
    static char buf[1 << 20];
    static uint64_t forged[sizeof buf / 8];
    write_trace(2, false);
    ck_assert(has_index());
    const char *path = index_path();
    size_t n = tf_load(path, buf, sizeof buf), used = 0;
    ck_assert_uint_lt(n, 200000);
    for (unsigned i = 0, runs = rounds(400); i < runs; i++) {
        memcpy(forged, buf, n);
        size_t at = it_any(&dice, 3) ? it_any(&dice, (unsigned)n) : it_any(&dice, 400);
        ((char *)forged)[at] ^= (char)(1 << it_any(&dice, 8));
        size_t cut = it_any(&dice, 8) ? n : it_any(&dice, (unsigned)n);
        tf_store(path, (char *)forged, cut);
        ck_assert(!same_with(1, &late, EZ_INDEX_LOOK, NULL));
        if (cut / 8 < sizeof(struct ez_index_head) / 8)
            continue;
        ((struct ez_index_head *)forged)->sum = ez_index_sum(forged, cut / 8);
        tf_store(path, (char *)forged, cut / 8 * 8);
        struct told t = told_of(1, &late, EZ_INDEX_LOOK, NULL);
        used += t.skipped;
        free(t.text);
    }
    ck_assert_uint_gt(used, 0);
    tf_store(path, buf, n);
    ck_assert(same_with(1, &late, EZ_INDEX_LOOK, NULL));
    tf_store(path, "", 0);
    ck_assert(!same_with(1, &late, EZ_INDEX_LOOK, NULL));
    same_with(1, &late, EZ_INDEX_ALWAYS, NULL); /* made again */
    ck_assert(same_with(1, &late, EZ_INDEX_LOOK, NULL));
}
END_TEST

/* Without a folder that only the user can write to, or without room, commands work without index. */
START_TEST(no_folder)
{
    struct rlimit was, none;
    write_trace(2, false);
    const char *const bad[] = { "/proc/nobody/cache", "relative", "" };
    for (size_t i = 0; i < EZ_ARRAY_LEN(bad); i++) {
        setenv("XDG_CACHE_HOME", bad[i], 1);
        setenv("HOME", bad[i], 1);
        same_with(1, &late, EZ_INDEX_ALWAYS, NULL);
        ck_assert(!same_with(1, &late, EZ_INDEX_LOOK, NULL));
    }
    setenv("XDG_CACHE_HOME", cache, 1);
    signal(SIGXFSZ, SIG_IGN);
    ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &was), 0);
    none = (struct rlimit){ 0, was.rlim_max };
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &none), 0);
    same_with(1, &late, EZ_INDEX_ALWAYS, NULL);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &was), 0);
    ck_assert_uint_eq(indexes(), 0);
    ck_assert(has_index());
    ck_assert_int_eq(chmod(index_path(), 0622), 0);
    ck_assert(!same_with(1, &late, EZ_INDEX_LOOK, NULL));
    ck_assert(has_index()); /* it is made again, and private */
    ck_assert_int_eq(chmod(FOLDER, 0777), 0);
    ck_assert(!same_with(1, &late, EZ_INDEX_LOOK, NULL));
}
END_TEST

/* Old indexes are deleted, and nothing else. */
START_TEST(old_ones)
{
    char path[512];
    const struct timespec old[2] = { { 1000, 0 }, { 1000, 0 } };
    write_trace(2, false);
    ck_assert(has_index());
    for (unsigned i = 0; i < 70; i++) {
        snprintf(path, sizeof path, FOLDER "/%016x.idx", i);
        tf_store(path, "old", 3);
        ck_assert_int_eq(utimensat(AT_FDCWD, path, old, 0), 0);
    }
    tf_store(FOLDER "/mine.idx", "mine", 4);
    write_trace(3, false);
    same_with(1, &late, EZ_INDEX_ALWAYS, NULL);
    ck_assert_uint_eq(files_in(FOLDER), 64 + 1);
    ck_assert_int_eq(access(FOLDER "/mine.idx", F_OK), 0);
    ck_assert(same_with(1, &late, EZ_INDEX_LOOK, NULL));
}
END_TEST

/* Small traces, traces without order, and traces that are being written get none. */
START_TEST(none)
{
    struct ez_fxt_out *f = tf_open(PATH, 42);
    tf_process(f, 42, "app", "here");
    tf_probe(f, 0, TF_BOTH, "f", "lib");
    for (uint64_t i = 0; i < 10000; i++)
        tf_put(f, i == 9000 ? 1 : 10 * i, 7, 0, i % 2);
    tf_ok(ez_fxt_out_checkpoint(f));
    settle(PATH);
    same_with(1, &(struct ez_trace_part){ .from_ns = 5000, .to_ns = 6000 }, EZ_INDEX_ALWAYS, NULL);
    tf_ok(ez_fxt_out_close(f));
    settle(PATH);
    same_with(1, &(struct ez_trace_part){ .from_ns = 5000, .to_ns = 6000 }, EZ_INDEX_ALWAYS, NULL);
    write_trace(2, false);
    same_with(1, &late, EZ_INDEX_MAKE, NULL);
    same_with(1, &whole, EZ_INDEX_ALWAYS, NULL);
    ck_assert_uint_eq(indexes(), 0);
}
END_TEST

/* Marks of a trace of many events that are no calls would need them all. Its index has the
 * definitions, also those that come late, and no mark. So a look at the start reads the start only. */
START_TEST(no_marks)
{
    static uint64_t head[sizeof(struct ez_index_head) / 8];
    struct ez_fxt_out *f = tf_open(PATH, 42);
    tf_process(f, 42, "app", "here");
    tf_probe(f, 0, TF_BOTH, "f", "lib");
    for (uint64_t i = 0; i < 20000; i++) {
        tf_event(f, 10 * i, 7, IT_MODULE + i % 3, i, 0);
        tf_put(f, 10 * i + 1, 8, i > 15000, i % 2);
        if (i == 15000)
            tf_probe(f, 1, TF_BOTH, "late", "lib");
    }
    tf_ok(ez_fxt_out_close(f));
    settle(PATH);
    for (uint64_t from = 10; from < 190000; from += 30000) {
        const struct ez_trace_part p = { .from_ns = from, .to_ns = from + 2000 };
        ck_assert(!same_with(1, &p, EZ_INDEX_ALWAYS, NULL));
    }
    ck_assert_uint_eq(indexes(), 1);
    ck_assert_uint_ge(tf_load(index_path(), (char *)head, sizeof head), sizeof head);
    ck_assert_uint_eq(((const struct ez_index_head *)(const void *)head)->marks, 0);
    same_with(1, &whole, EZ_INDEX_LOOK, NULL);
}
END_TEST

/* Readers use the last definition of a probe for all its hits. */
START_TEST(probe_defined_twice)
{
    const uint32_t flags[] = { TF_BOTH, EZ_ROW_ENTRY | EZ_ROW_REC_ENTRY, TF_BOTH };
    for (unsigned k = 0; k < 2; k++) {
        struct ez_fxt_out *f = tf_open(PATH, 42);
        tf_process(f, 42, "app", "here");
        tf_probe(f, 0, TF_BOTH, "f", "lib");
        tf_probe(f, 1, flags[k], "g", "lib");
        for (uint64_t i = 0; i < 20000; i++)
            tf_put(f, 10 * i, 7, i % 100 == 0, i % 100 ? i % 2 : 0); /* g never ends */
        tf_probe(f, 1, flags[k + 1], "g", "lib");
        tf_ok(ez_fxt_out_close(f));
        settle(PATH);
        for (uint64_t from = 5; from < 200000; from += 9990) {
            const struct ez_trace_part p = { .from_ns = from, .to_ns = from + 500 };
            same_with(1, &p, EZ_INDEX_ALWAYS, NULL);
        }
    }
}
END_TEST

/* Definitions at a mark, with a call that is open there. */
START_TEST(definitions_at_a_mark)
{
    uint64_t now = 0;
    struct ez_fxt_out *f = tf_open(PATH, 42);
    tf_process(f, 42, "app", "here");
    tf_probe(f, 0, TF_BOTH, "f", "lib");
    tf_probe(f, 1, TF_BOTH, "g", "lib");
    for (unsigned mark = 1; mark < 5; mark++) {
        tf_put(f, now += 10, 7, 0, false);
        tf_put(f, now += 10, 7, 0, true);
        tf_put(f, now += 10, 7, 1, false); /* open at the mark */
        for (uint64_t i = 0; i < 4096 - 150 - 4; i++)
            tf_put(f, now += 10, 7, 0, i % 2);
        for (uint64_t i = 0; i < 150; i++)
            tf_args(f, now, 42, EZ_C_DEF + EZ_DEF_SYMBOL, (uint64_t[]){ 0x402000 + i, 'a' }, 2);
        tf_put(f, now += 10, 7, 1, true);
    }
    tf_ok(ez_fxt_out_close(f));
    settle(PATH);
    for (uint64_t from = 5; from < now; from += 10000) {
        const struct ez_trace_part p = { .from_ns = from, .to_ns = from + 500 };
        ck_assert(same_with(1, &p, EZ_INDEX_ALWAYS, NULL) || from < 50000);
    }
}
END_TEST

/* Files of other writers may have several blocks of events. */
START_TEST(several_blocks)
{
    static char buf[1 << 22];
    struct ez_fxt_out *f = tf_open(PATH, 42);
    tf_process(f, 42, "app", "here");
    tf_probe(f, 0, TF_BOTH, "f", "lib");
    tf_ok(ez_fxt_out_close(f));
    size_t n = tf_load(PATH, buf, sizeof buf);
    uint64_t now = 0;
    for (unsigned block = 0; block < 4; block++) {
        const uint64_t records = 9000, size = 16 + records * sizeof(struct ez_rec);
        const uint32_t type[] = { 0x201, 0 };
        memcpy(buf + n, &size, sizeof size);
        memcpy(buf + n + 8, type, sizeof type);
        n += 16;
        for (uint64_t i = 0; i < records; i++, n += sizeof(struct ez_rec)) {
            struct ez_rec r = tf_rec(now += 10, 7, 0, i % 2);
            memcpy(buf + n, &r, sizeof r);
        }
    }
    tf_store(PATH, buf, n);
    settle(PATH);
    for (uint64_t from = 5; from < now; from += 29990) {
        const struct ez_trace_part p = { .from_ns = from, .to_ns = from + 500 };
        same_with(1, &p, EZ_INDEX_ALWAYS, NULL);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("index");
    TCase *tc = tcase_create("index");
    tcase_set_timeout(tc, 600);
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, same_windows);
    tcase_add_test(tc, same_windows_of_two_files);
    tcase_add_test(tc, same_windows_of_any_file);
    tcase_add_test(tc, thread_that_runs);
    tcase_add_test(tc, signals_after_calls);
    tcase_add_test(tc, changed_trace);
    tcase_add_test(tc, replaced_trace);
    tcase_add_test(tc, changed_index);
    tcase_add_test(tc, no_folder);
    tcase_add_test(tc, old_ones);
    tcase_add_test(tc, none);
    tcase_add_test(tc, no_marks);
    tcase_add_test(tc, probe_defined_twice);
    tcase_add_test(tc, definitions_at_a_mark);
    tcase_add_test(tc, several_blocks);
    suite_add_tcase(s, tc);
    return run_suite(s);
}
