/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_fxt.c - a trace is written and read back. */
#include <check.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "engine/trace/fxt_defs.h"
#include "engine/trace/fxt_in.h"
#include "engine/record/fxt_out.h"
#include "engine/trace/replay.h"
#include "tests/unit/deny.h"
#include "tests/unit/trace_file.h"
#include "tests/unit/suite.h"
#include "tests/unit/tool.h"

#define REC_ALL (EZ_ROW_ENTRY | EZ_ROW_EXIT | EZ_ROW_REC_ENTRY | EZ_ROW_REC_EXIT)

static char path[64], other[64];

static void setup(void)
{
    snprintf(path, sizeof path, "check_fxt-%d.fxt", getpid());
    snprintf(other, sizeof other, "check_fxt-%d-other.fxt", getpid());
}

static void teardown(void)
{
    unlink(path);
    unlink(other);
}

static void ok(ez_err *e)
{
    ck_assert_msg(!e, "%s", e ? e->msg : "");
}

static void refused(ez_err *e, enum ez_code code)
{
    ck_assert_ptr_nonnull(e);
    ck_assert_msg(e->code == code, "%s: %s", ez_code_name(e->code), e->msg);
    ez_err_free(e);
}

static void define(struct ez_fxt_out *f, uint32_t id, uint32_t flags, const char *text, size_t n)
{
    uint64_t arg[] = { id, flags, 0x401000 + id };
    ok(ez_fxt_out_define(f, &(struct ez_fxt_def){ EZ_DEF_PROBE, 1, 42, arg, 3, text, n }));
}

static struct ez_rec rec(uint64_t tick, uint64_t tid, uint32_t id, bool exit)
{
    return (struct ez_rec){ tick, tid, ((uint64_t)EZ_C_PROBE + 2 * id + exit) << 8 | 1 };
}

/* Texts that are longer than an event: of all kinds, in batches and alone; and what has no room at all is cut. */
START_TEST(long_texts)
{
    static const size_t lengths[] = { 1895, 1896, 1897, 1904, 1905, 1920, 3800, 20000, 40000 };
    char *names = ez_alloc(50001);
    struct ez_fxt_batch *b = ez_alloc(sizeof *b);
    struct ez_fxt_in *in;
    struct ez_fxt_event ev;
    struct ez_fxt_defs defs = { 0 };
    struct ez_fxt_out *f;
    bool got;
    memset(names, 'n', 50000);
    ok(ez_fxt_out_open(path, 42, &f));
    for (uint32_t i = 0; i < EZ_ARRAY_LEN(lengths); i++) {
        uint64_t arg[] = { i, REC_ALL, i }, addr[] = { i };
        EZ_FREE char *text = ez_sprintf("%.*s%u", (int)lengths[i] - 1, names, i);
        struct ez_fxt_def def = { EZ_DEF_PROBE, 1, 42, arg, 3, text, strlen(text) };
        struct ez_fxt_def symbol = { EZ_DEF_SYMBOL, 1, 42, addr, 1, text, strlen(text) };
        for (int again = 0; !ez_fxt_batch_add(b, &def); again++) {
            ck_assert_int_eq(again, 0);
            ok(ez_fxt_out_batch(f, b));
        }
        ok(ez_fxt_out_batch(f, b));
        ok(ez_fxt_out_define(f, &symbol));
    }
    ok(ez_fxt_out_close(f));
    ok(ez_fxt_in_open(path, &in));
    for (ok(ez_fxt_in_next(in, &ev, &got)); got; ok(ez_fxt_in_next(in, &ev, &got)))
        ez_fxt_defs_learn(&defs, &ev);
    ez_fxt_in_close(in);
    ck_assert_uint_eq(defs.probes.n, EZ_ARRAY_LEN(lengths));
    for (uint32_t i = 0; i < EZ_ARRAY_LEN(lengths); i++) {
        EZ_FREE char *text = ez_sprintf("%.*s%u", (int)lengths[i] - 1, names, i);
        if (lengths[i] > EZ_FXT_TEXT)
            text[EZ_FXT_TEXT] = 0;
        ck_assert_str_eq(defs.probes.at[i].function, text);
        ck_assert_uint_eq(defs.probes.at[i].addr, i);
        ck_assert_str_eq(ez_fxt_defs_symbol(&defs, i), text);
    }
    ez_fxt_defs_free(&defs);
    free(names);
    free(b);
}
END_TEST

/* Ticks of 2 ns. Thread 1: outer { inner inner }, a longjmp over inner; thread 2:
 * one exit whose entry was never seen. */
static int closing = -1; /* descriptor whose close failed, as on a network's disk */
static bool is_file(int fd)
{
    struct stat st;
    bool is = !fstat(fd, &st) && S_ISREG(st.st_mode);
    closing = is ? fd : closing;
    return is;
}
EZ_DENIED_IF(is_file(fd), int, close, (int fd), (fd), -1)

static void write_example(void)
{
    const struct ez_rec r[] = {
        rec(100, 1, 0, 0), rec(110, 1, 1, 0), rec(115, 1, 1, 1), rec(120, 1, 1, 0),
        rec(135, 1, 1, 1), rec(150, 1, 0, 1), rec(200, 1, 0, 0), rec(210, 1, 1, 0),
        rec(220, 1, 0, 1), rec(205, 2, 1, 1), rec(230, 2, 2, 0), rec(600, 2, 2, 0),
    };
    uint64_t schema[] = { 1, 500000000 }, thread[] = { 1 };
    uint64_t accounting[] = { 20, 12, 3, 2, 3, 7, 1 };
    struct ez_fxt_out *f;
    ok(ez_fxt_out_open(path, 42, &f));
    ok(ez_fxt_out_define(f, &(struct ez_fxt_def){ EZ_DEF_SCHEMA, 1, 42, schema, 2, NULL, 0 }));
    ok(ez_fxt_out_define(f, &(struct ez_fxt_def){ EZ_DEF_THREAD, 1, 42, thread, 1, "worker", 6 }));
    define(f, 0, REC_ALL, "outer\0prog", 10);
    define(f, 1, REC_ALL, "inner\0libx.so", 13);
    define(f, 2, EZ_ROW_ENTRY | EZ_ROW_REC_ENTRY, "entry_only\0", 11);
    ok(tf_append(f, r, EZ_ARRAY_LEN(r)));
    ok(ez_fxt_out_define(f,
                         &(struct ez_fxt_def){ EZ_DEF_ACCOUNTING, 1, 42, accounting, 7, NULL, 0 }));
    ok(ez_fxt_out_close(f));
}

static ez_err *count_item(void *arg, const struct ez_item *it)
{
    (void)it;
    ++*(uint64_t *)arg;
    return NULL;
}

/* Reads the trace through the model; *r stays open for its sums. */
static ez_err *read_all(char *name, struct ez_replay **r)
{
    uint64_t items = 0;
    EZ_TRY(ez_replay_open(&name, 1, NULL, r));
    ez_err *e = ez_replay_run(*r, count_item, &items, NULL);
    if (e)
        ez_replay_close(*r);
    return e;
}

static const struct ez_trace_sum *sum_of(char *name, struct ez_replay **r)
{
    ok(read_all(name, r));
    return ez_replay_sum(*r);
}

START_TEST(what_was_written_is_read)
{
    struct ez_fxt_in *in;
    struct ez_fxt_event ev;
    bool got;
    unsigned defs = 0, recs = 0;
    write_example();
    ok(ez_fxt_in_open(path, &in));
    for (;;) {
        ok(ez_fxt_in_next(in, &ev, &got));
        if (!got)
            break;
        if (ev.code >= EZ_C_PROBE && ev.narg == 0)
            recs++;
        else
            defs++;
        if (ev.code == EZ_C_DEF + EZ_DEF_THREAD)
            ck_assert_str_eq((const char *)(ev.arg + 1), "worker");
    }
    ck_assert_uint_eq(recs, 12);
    ck_assert_uint_eq(defs, 6);
    ez_fxt_in_close(in);
}
END_TEST

/* The distribution's own reader accepts the file at every checkpoint. */
START_TEST(fxt_print_reads_every_checkpoint)
{
    struct ez_fxt_out *f;
    struct ez_rec r = rec(1, 2, 3, 0);
    if (!tool_there("fxt_print"))
        return;
    ok(ez_fxt_out_open(path, 42, &f));
    for (int n = 1; n < 20; n++) {
        char cmd[320];
        ok(tf_append(f, &r, 1));
        ok(ez_fxt_out_checkpoint(f));
        snprintf(cmd, sizeof cmd,
                 "test $(fxt_print -f %s | grep -c 'unknown code 1000006') = %d && "
                 "test $(stat -c %%s %s) = %lu",
                 path, n, path, ez_fxt_out_bytes(f));
        ck_assert_msg(system(cmd) == 0, "%s", cmd);
    }
    ok(ez_fxt_out_close(f));
}
END_TEST

START_TEST(a_close_that_fails)
{
    struct ez_fxt_out *f;
    ok(ez_fxt_out_open(path, 42, &f));
    deny("close", 0, EDQUOT);
    ez_err *e = ez_fxt_out_close(f);
    deny_nothing();
    close(closing);
    ck_assert(e && e->code == EZ_E_SYS);
    EZ_FREE char *want = ez_sprintf("%s: cannot close: Disk quota exceeded", path);
    ck_assert_str_eq(e->msg, want);
    ez_err_free(e);
}
END_TEST

START_TEST(only_regular_files)
{
    struct ez_fxt_out *f;
    refused(ez_fxt_out_open("/dev/null", 1, &f), EZ_E_ARG);
    refused(ez_fxt_out_open("/dev/full", 1, &f), EZ_E_ARG);
    refused(ez_fxt_out_open("/no/such/folder/x", 1, &f), EZ_E_SYS);
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    refused(ez_fxt_out_open(path, 1, &f), EZ_E_ARG);
}
END_TEST

/* A file or a link that has the name is kept; a link may lead somewhere or not. */
START_TEST(a_new_trace_takes_a_free_name)
{
    struct ez_fxt_out *f, *g;
    struct stat st;
    EZ_FREE char *second = ez_sprintf("%.*s.2.fxt", (int)strlen(path) - 4, path);
    ck_assert_int_eq(symlink(other, path), 0);
    ok(ez_fxt_out_create(path, 42, &f));
    ck_assert_str_eq(ez_fxt_out_path(f), second);
    ok(ez_fxt_out_create(path, 42, &g));
    EZ_FREE char *third = ez_strdup(ez_fxt_out_path(g));
    ck_assert_ptr_nonnull(strstr(third, ".3.fxt"));
    ok(ez_fxt_out_close(f));
    ok(ez_fxt_out_close(g));
    ck_assert_int_eq(unlink(second) | unlink(third), 0);
    ck_assert_int_eq(lstat(path, &st), 0);
    ck_assert(S_ISLNK(st.st_mode));
    ck_assert_int_lt(stat(other, &st), 0);
}
END_TEST

/* A link of another user is replaced, and its file is left alone; our own link is followed. */
/* fault 73 */
START_TEST(only_links_of_ours_are_followed)
{
    struct ez_fxt_out *f;
    struct stat st;
    FILE *victim = fopen(other, "w");
    ck_assert(victim && (!_i || fputs("precious\n", victim) > 0) && !fclose(victim));
    ck_assert_int_eq(symlink(other, path), 0);
    if (_i && lchown(path, 65534, 65534)) /* only root can plant one of another user */
        return;
    ok(ez_fxt_out_open(path, 42, &f));
    ok(ez_fxt_out_close(f));
    ck_assert_int_eq(lstat(path, &st), 0);
    ck_assert_int_eq(S_ISLNK(st.st_mode), !_i);
    ck_assert_int_eq(stat(other, &st), 0);
    ck_assert_int_eq(st.st_size == 9, _i);
}
END_TEST

/* No other file is replaced, by its own name or through a link of ours. */
START_TEST(only_traces_are_replaced)
{
    struct ez_fxt_out *f;
    struct stat st;
    FILE *victim = fopen(other, "w");
    ck_assert(victim && fputs("precious\n", victim) > 0 && !fclose(victim));
    ck_assert_int_eq(symlink(other, path), 0);
    refused(ez_fxt_out_open(other, 42, &f), EZ_E_ARG);
    refused(ez_fxt_out_open(path, 42, &f), EZ_E_ARG);
    ck_assert(!stat(other, &st) && st.st_size == 9);
    ck_assert(!unlink(path));
    for (int round = 0; round < 2; round++) { /* the second replaces the first */
        ok(ez_fxt_out_open(path, 42, &f));
        ok(ez_fxt_out_close(f));
    }
}
END_TEST

/* Ends the process by SIGSYS when it makes this system call. */
static void die_at(int nr)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)nr, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog prog = { EZ_ARRAY_LEN(code), code };
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog))
        _exit(77);
}

/* If the file is there, it can be read, whether the writer was killed at this call or not. */
static void killed_at(int nr, ez_err *(*begin)(const char *, int, struct ez_fxt_out **))
{
    struct ez_fxt_out *f;
    struct ez_fxt_in *in;
    int status;
    unlink(path);
    pid_t pid = fork();
    if (!pid) {
        die_at(nr);
        _exit(begin(path, 42, &f) ? 2 : 0);
    }
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert(WIFSIGNALED(status) || WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 77);
    if (access(path, F_OK) == 0) {
        ok(ez_fxt_in_open(path, &in));
        ez_fxt_in_close(in);
    }
}

START_TEST(killed_while_it_begins)
{
    static const int call[] = { SYS_openat, SYS_flock,     SYS_pwrite64, SYS_linkat,
                                SYS_rename, SYS_ftruncate, SYS_close,    SYS_fallocate };
    killed_at(call[_i], ez_fxt_out_open);
    killed_at(call[_i], ez_fxt_out_create);
}
END_TEST

START_TEST(a_full_disk_keeps_whole_events)
{
    struct rlimit lim = { 3000, RLIM_INFINITY };
    struct ez_fxt_out *f;
    struct ez_rec r[100];
    struct ez_replay *s;
    for (unsigned i = 0; i < 100; i++)
        r[i] = rec(i, 1, 0, i & 1);
    ok(ez_fxt_out_open(path, 42, &f));
    ok(tf_append(f, r, 100));
    ok(ez_fxt_out_checkpoint(f));
    signal(SIGXFSZ, SIG_IGN);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &lim), 0);
    refused(tf_append(f, r, 100), EZ_E_SYS);
    ck_assert_uint_le(ez_fxt_out_bytes(f), 3000);
    ez_err_drop(ez_fxt_out_close(f));
    ck_assert_uint_gt(sum_of(path, &s)->events, 100);
    ck_assert_ptr_null(ez_replay_sum(s)->damage);
    ez_replay_close(s);
}
END_TEST

START_TEST(a_cut_trace_keeps_its_beginning)
{
    static char buf[8192];
    struct ez_replay *s;
    write_example();
    size_t n = tf_load(path, buf, sizeof buf);
    tf_store(other, buf, n - 100); /* the accounting is 80 bytes */
    ck_assert_uint_eq(sum_of(other, &s)->events, 11);
    ck_assert_ptr_nonnull(ez_replay_sum(s)->damage);
    ez_replay_close(s);
}
END_TEST

START_TEST(events_behind_the_last_checkpoint_are_read)
{
    static char buf[8192];
    struct ez_replay *s;
    write_example();
    size_t n = tf_load(path, buf, sizeof buf);
    for (int i = 0; i < 3; i++) {
        struct ez_rec r = rec(700000 + (uint64_t)i, 2, 2, 0);
        memcpy(buf + n, &r, sizeof r);
        n += sizeof r;
    }
    tf_store(other, buf, n);
    ck_assert_uint_eq(sum_of(other, &s)->events, 15);
    ck_assert_ptr_null(ez_replay_sum(s)->damage);
    ez_replay_close(s);
}
END_TEST

static unsigned read_on(struct ez_fxt_in *in)
{
    struct ez_fxt_event ev;
    unsigned n = 0;
    for (bool got = true; got; n += got)
        ok(ez_fxt_in_next(in, &ev, &got));
    return n;
}

/* What the writer has not counted yet is not there, although its bytes are. */
START_TEST(who_follows_stops_at_the_last_checkpoint)
{
    static char buf[8192];
    struct ez_fxt_in *in;
    uint64_t counted;
    write_example();
    const size_t n = tf_load(path, buf, sizeof buf), each = sizeof(struct ez_rec),
                 all = n + 3 * each;
    tf_store(other, buf, n);
    EZ_CLOSE int fd = open(other, O_RDWR | O_CLOEXEC);
    ok(ez_fxt_in_open(other, &in));
    ck_assert_uint_gt(read_on(in), 10); /* once to its end */
    ok(ez_fxt_in_follow(in));
    ck_assert_uint_eq(read_on(in), 0);
    ck_assert_int_eq(ftruncate(fd, (off_t)all), 0);
    ok(ez_fxt_in_follow(in));
    ck_assert_uint_eq(read_on(in), 0);
    ck_assert_uint_eq(ez_fxt_in_pos(in), n);
    ez_fxt_in_close(in);
    ok(ez_fxt_in_open(other, &in));
    ok(ez_fxt_in_follow(in));
    ck_assert_uint_gt(read_on(in), 10); /* and reads what is no record yet ahead */
    ck_assert_uint_eq(ez_fxt_in_pos(in), n);
    for (unsigned i = 0; i < 3; i++) {
        struct ez_rec r = rec(700000 + i, 2, 2, 0);
        ck_assert_int_eq(pwrite(fd, &r, each, (off_t)(n + i * each)), (ssize_t)each);
    }
    ok(ez_fxt_in_follow(in));
    ck_assert_uint_eq(read_on(in), 0);
    const off_t head = (off_t)ez_fxt_in_block(in);
    ck_assert_int_eq(pread(fd, &counted, sizeof counted, head), sizeof counted);
    for (unsigned i = 0; i < 3; i++) {
        if (i == 2) { /* who read to the end, uncounted or not, and hears of one more */
            struct ez_rec r = rec(700003, 2, 2, 0);
            ez_fxt_in_close(in);
            ok(ez_fxt_in_open(other, &in));
            ck_assert_uint_gt(read_on(in), 13);
            ck_assert_int_eq(pwrite(fd, &r, each, (off_t)all), (ssize_t)each);
            counted += each;
        }
        counted += each;
        ck_assert_int_eq(pwrite(fd, &counted, sizeof counted, head), sizeof counted);
        ck_assert_uint_eq(read_on(in), 0); /* it asks first */
        ok(ez_fxt_in_follow(in));
        ck_assert_uint_eq(read_on(in), 1);
    }
    ck_assert_int_eq(ftruncate(fd, (off_t)all - 1), 0);
    refused(ez_fxt_in_follow(in), EZ_E_FORMAT);
    ez_fxt_in_close(in);
}
END_TEST

/* One definition of each size: the start of what does not fit in an event is in one before, what does not fit in the batch
 * is refused, and all else is there, with zeros behind the text. */
START_TEST(definitions_of_all_sizes)
{
    enum { MOST = 240 }; /* words of an event's arguments and text */
    static char text[MOST * 8 + 40];
    static struct ez_fxt_batch b;
    uint64_t arg[20];
    memset(text, 'x', sizeof text);
    for (uint64_t i = 0; i < EZ_ARRAY_LEN(arg); i++)
        arg[i] = 100 + i;
    for (size_t narg = 0; narg <= 18; narg++)
        for (size_t len = 0; len < sizeof text; len += len < 20 || len > MOST * 8 - 150 ? 1 : 97) {
            const size_t args = EZ_MIN(narg, (size_t)16), most = (MOST - args) * 8;
            const size_t first = len > most ? (len - most + 7) / 8 : 0, off = first ? 3 + first : 0;
            const size_t rest = len - 8 * first, words = args + (rest + 7) / 8;
            const struct ez_fxt_def def = { 5, 77, 88, arg, narg, text, len };
            char want[MOST * 8 + 8] = { 0 };
            memset(b.word, 0xee, (off + words + 8) * 8);
            b.n = 0;
            bool added = ez_fxt_batch_add(&b, &def);
            memcpy(want, arg, args * 8);
            memset(want + args * 8, 'x', rest);
            if (first && (b.word[2] != (((uint64_t)EZ_C_DEF + EZ_DEF_TEXT) << 8 | (first + 1)) ||
                          memcmp(b.word + 3, text, first * 8)))
                ck_abort_msg("%zu arguments, %zu bytes: the first event", narg, len);
            const uint64_t *ev = b.word + off;
            if (!added || b.n != off + 3 + words || ev[0] != 77 || ev[1] != 88 ||
                ev[2] != (((uint64_t)EZ_C_DEF + 5) << 8 | (words + 1)) ||
                memcmp(ev + 3, want, words * 8) || ev[3 + words] != 0xeeeeeeeeeeeeeeee)
                ck_abort_msg("%zu arguments, %zu bytes", narg, len);
            const size_t room =
                EZ_ARRAY_LEN(b.word) - off - 3 - words; /* it fits, or is one too long */
            b.n = room;
            if (!ez_fxt_batch_add(&b, &def) || b.n != EZ_ARRAY_LEN(b.word))
                ck_abort_msg("%zu arguments, %zu bytes do not fit", narg, len);
            b.n = room + 1;
            if (ez_fxt_batch_add(&b, &def) || b.n != room + 1)
                ck_abort_msg("%zu arguments, %zu bytes are too long", narg, len);
        }
}
END_TEST

START_TEST(a_map_finds_what_was_put)
{
    struct ez_hash m = { 0 };
    size_t v;
    ck_assert(!ez_hash_get(&m, 7, &v));
    for (uint64_t i = 0; i < 10000; i++)
        ck_assert_uint_eq(ez_hash_put(&m, i << 12, i), i);
    ck_assert_uint_eq(ez_hash_put(&m, 5 << 12, 99), 5);
    for (uint64_t i = 0; i < 10000; i++)
        ck_assert(ez_hash_get(&m, i << 12, &v) && v == i);
    ck_assert(!ez_hash_get(&m, 1, &v));
    for (uint64_t i = 0; i < 10000; i += 3) {
        ck_assert(ez_hash_remove(&m, i << 12, &v) && v == i);
        ck_assert(!ez_hash_remove(&m, i << 12, &v));
    }
    for (uint64_t i = 0; i < 10000; i++)
        ck_assert(ez_hash_get(&m, i << 12, &v) == (i % 3 != 0));
    for (uint64_t i = 0; i < 10000; i += 3)
        ck_assert_uint_eq(ez_hash_put(&m, i << 12, i + 1), i + 1);
    ck_assert_uint_eq(m.n, 10000);
    ez_hash_free(&m);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        what_was_written_is_read,
        fxt_print_reads_every_checkpoint,
        only_regular_files,
        a_new_trace_takes_a_free_name,
        a_full_disk_keeps_whole_events,
        a_cut_trace_keeps_its_beginning,
        events_behind_the_last_checkpoint_are_read,
        who_follows_stops_at_the_last_checkpoint,
        a_map_finds_what_was_put,
        definitions_of_all_sizes,
        long_texts,
    };
    Suite *s = suite_create("fxt");
    TCase *c = tcase_create("fxt");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_set_timeout(c, 60);
    for (size_t i = 0; i < EZ_ARRAY_LEN(tests); i++)
        tcase_add_test(c, tests[i]);
    tcase_add_loop_test(c, only_links_of_ours_are_followed, 0, 2);
    tcase_add_test(c, only_traces_are_replaced);
    tcase_add_test(c, a_close_that_fails);
    tcase_add_loop_test(c, killed_while_it_begins, 0, 8);
    suite_add_tcase(s, c);
    return run_suite(s);
}
