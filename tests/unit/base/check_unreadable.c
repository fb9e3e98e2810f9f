/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_unreadable.c - files that cannot be created, read, written, cut or replaced: each error names
 * the file, nothing half-written stays, and no descriptor leaks. */
#include <dirent.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "engine/base/outdir.h"
#include "engine/base/outfile.h"
#include "engine/base/spool.h"
#include "engine/format/convert.h"
#include "engine/trace/fxt_in.h"
#include "engine/trace/order.h"
#include "tests/unit/deny.h"
#include "tests/unit/trace_file.h"
#include "tests/unit/leaks.h"
#include "tests/unit/suite.h"

EZ_DENIED(ssize_t, pread, (int fd, void *buf, size_t n, off_t at), (fd, buf, n, at), -1)
EZ_DENIED(ssize_t, pwrite, (int fd, const void *buf, size_t n, off_t at), (fd, buf, n, at), -1)
EZ_DENIED(ssize_t, read, (int fd, void *buf, size_t n), (fd, buf, n), -1)
EZ_DENIED(int, ftruncate, (int fd, off_t n), (fd, n), -1)
EZ_DENIED(int, fstat, (int fd, struct stat *st), (fd, st), -1)
EZ_DENIED(int, rename, (const char *from, const char *to), (from, to), -1)
/* Where a later rename is denied, folders cannot be exchanged in one step. */
int __real_renameat2(int a, const char *from, int b, const char *to, unsigned how);
int __wrap_renameat2(int a, const char *from, int b, const char *to, unsigned how);
int __wrap_renameat2(int a, const char *from, int b, const char *to, unsigned how)
{
    bool later = denied.call && !strcmp(denied.call, "rename") && denied.nth > 1;
    if (later)
        errno = ENOSYS;
    return later || is_denied("renameat2") ? -1 : __real_renameat2(a, from, b, to, how);
}
EZ_DENIED(int, deflateInit2_,
          (z_streamp z, int level, int method, int bits, int mem, int how, const char *v, int n),
          (z, level, method, bits, mem, how, v, n), Z_MEM_ERROR)
/* "open": for writing; "d3": what draws the report. */
int __real_open(const char *path, int flags, mode_t mode);
int __wrap_open(const char *path, int flags, mode_t mode);
int __wrap_open(const char *path, int flags, mode_t mode)
{
    bool no = (flags & O_ACCMODE) == O_RDWR && is_denied("open");
    no |= strstr(path, "d3") && is_denied("d3");
    return no ? -1 : __real_open(path, flags, mode);
}

static char folder[64];

static char *in_folder(const char *name)
{
    static char buf[16][128];
    static unsigned n;
    char *p = buf[n++ % 16];
    snprintf(p, sizeof *buf, "%s/%s", folder, name);
    return p;
}

static void setup(void)
{
    snprintf(folder, sizeof folder, "check_unreadable-%d", getpid());
    ck_assert_int_eq(mkdir(folder, 0700), 0);
    setenv("TMPDIR", folder, 1);
}

static void teardown(void)
{
    char cmd[128];
    deny_nothing();
    snprintf(cmd, sizeof cmd, "rm -rf %s", folder);
    ck_assert_int_eq(system(cmd), 0);
}

/* The error says exactly this: %s is `name`. */
static void says(ez_err *e, enum ez_code code, const char *format, const char *name)
{
    EZ_FREE char *want = ez_sprintf(format, name);
    ck_assert_msg(e != NULL, "no error: %s", want);
    ck_assert_str_eq(e->msg, want);
    ck_assert_int_eq(e->code, code);
    ez_err_free(e);
}

/* A trace of n calls. */
static struct ez_fxt_out *begin_trace(const char *path, unsigned n)
{
    struct ez_fxt_out *f = tf_open(path, 42);
    tf_process(f, 42, "/bin/app", "here");
    tf_probe(f, 0, TF_BOTH, "f", "lib");
    for (unsigned i = 0; i < 2 * n; i++)
        tf_put(f, 1000 + i, 42, 0, i % 2);
    return f;
}

static char *trace(unsigned n)
{
    char *path = in_folder("t.fxt");
    tf_ok(ez_fxt_out_close(begin_trace(path, n)));
    return path;
}

/* ---- traces -------------------------------------------------------------------------------- */

START_TEST(what_is_no_trace)
{
    struct ez_fxt_in *in;
    char *path = trace(1);
    tf_ok(ez_fxt_in_open(path, &in)); /* a head, and no block of events */
    ck_assert_int_eq(truncate(path, (off_t)ez_fxt_in_block(in)), 0);
    ez_fxt_in_close(in);
    says(ez_fxt_in_open(folder, &in), EZ_E_FORMAT, "%s is a folder, not an FxT trace", folder);
    says(ez_fxt_in_open("/dev/null", &in), EZ_E_FORMAT, "%s is not an FxT trace", "/dev/null");
    says(ez_fxt_in_open(path, &in), EZ_E_FORMAT, "%s has no events of a format that eztsh reads",
         path);
    says(ez_fxt_in_open(in_folder("none"), &in), EZ_E_NOTFOUND, "%s: No such file or directory",
         in_folder("none"));
    struct ez_replay *r;
    says(ez_replay_open(NULL, 0, NULL, &r), EZ_E_ARG, "No trace was given", "");
}
END_TEST

/* Each read fails once: the error is told, and is not taken for the end of the trace. */
START_TEST(a_disk_that_does_not_read)
{
    char *path = trace(20000);
    unsigned failed = 0, whole = 0;
    size_t files = files_open();
    for (int nth = 2; nth < 40; nth++) { /* the first tells whether it is a trace at all */
        struct ez_fxt_in *in = NULL;
        struct ez_fxt_event ev;
        bool got = true;
        deny("pread", nth, EIO);
        ez_err *e = ez_fxt_in_open(path, &in);
        while (!e && got)
            e = ez_fxt_in_next(in, &ev, &got);
        deny_nothing();
        if (e)
            says(e, EZ_E_SYS, "%s: cannot read: Input/output error", path);
        failed += e != NULL;
        whole += !e;
        ez_fxt_in_close(in);
        ck_assert_uint_eq(files_open(), files);
    }
    ck_assert_uint_gt(failed, 10);
    ck_assert_uint_gt(whole, 0);
}
END_TEST

START_TEST(a_trace_that_cannot_be_followed)
{
    char *path = trace(10);
    struct ez_fxt_in *in;
    tf_ok(ez_fxt_in_open(path, &in));
    deny("pread", 1, EIO);
    says(ez_fxt_in_follow(in), EZ_E_SYS, "%s: cannot read: Input/output error", path);
    deny("fstat", 1, EIO);
    says(ez_fxt_in_follow(in), EZ_E_SYS, "%s: cannot read: Input/output error", path);
    deny_nothing();
    tf_ok(ez_fxt_in_follow(in));
    ez_fxt_in_close(in);
}
END_TEST

static bool no_more(void *arg, uint64_t done, uint64_t total)
{
    ++*(unsigned *)arg;
    return false;
}

/* Once is enough to give up. */
START_TEST(a_survey_that_is_given_up)
{
    char *path = trace(60000);
    unsigned asked = 0;
    struct ez_progress p = { no_more, &asked };
    struct ez_replay *r;
    size_t files = files_open();
    says(ez_replay_open(&path, 1, &p, &r), EZ_E_STATE, "Interrupted", "");
    ck_assert_uint_eq(asked, 1);
    ck_assert_uint_eq(files_open(), files);
}
END_TEST

/* ---- repair -------------------------------------------------------------------------------- */

static const struct {
    const char *call;
    int nth;
    const char *says;
} repairs[] = {
    { "open", 1, "%s: Cannot open for writing: Input/output error" },
    { "pread", 3, "%s: cannot read: Input/output error" },
    { "fstat", 2, "%s: Cannot read: Input/output error" },
    { "pwrite", 1, "%s: Cannot write: Input/output error" },
    { "ftruncate", 1, "%s: Cannot truncate the file: Input/output error" },
};

/* A writer was killed: the block has no size yet, and half a record ends the file. */
START_TEST(no_repair)
{
    struct ez_fxt_repair done;
    char *path = trace(100);
    struct ez_fxt_in *in;
    uint64_t none = 0;
    tf_ok(ez_fxt_in_open(path, &in));
    uint64_t block = ez_fxt_in_block(in);
    ez_fxt_in_close(in);
    FILE *f = fopen(path, "r+");
    ck_assert_int_eq(fseek(f, (long)block, SEEK_SET), 0);
    ck_assert_uint_eq(fwrite(&none, 8, 1, f), 1);
    ck_assert_int_eq(fseek(f, 0, SEEK_END), 0);
    ck_assert_uint_eq(fwrite("half", 1, 4, f), 4);
    fclose(f);
    size_t files = files_open();
    deny(repairs[_i].call, repairs[_i].nth, EIO);
    ez_err *e = ez_fxt_repair(path, NULL, &done);
    deny_nothing();
    says(e, EZ_E_SYS, repairs[_i].says, path);
    ck_assert_uint_eq(files_open(), files);
    tf_ok(ez_fxt_repair(path, NULL, &done));
    ck_assert_uint_eq(done.events, 202);
    ck_assert_uint_eq(done.cut, 4);
    tf_ok(ez_fxt_repair(path, NULL, &done));
    ck_assert_uint_eq(done.cut + done.gained, 0);
}
END_TEST

/* A trace that is being written is neither repaired nor overwritten. */
START_TEST(a_trace_that_is_being_written)
{
    char *path = in_folder("t.fxt");
    struct ez_fxt_out *f = begin_trace(path, 3), *other;
    struct ez_fxt_repair done;
    tf_ok(ez_fxt_out_checkpoint(f));
    size_t files = files_open();
    says(ez_fxt_repair(path, NULL, &done), EZ_E_STATE,
         "%s: Another process writes or repairs this trace", path);
    says(ez_fxt_out_open(path, 42, &other), EZ_E_STATE, "%s: another eztsh is writing this trace",
         path);
    ck_assert_uint_eq(files_open(), files);
    tf_ok(ez_fxt_out_close(f));
    tf_ok(ez_fxt_repair(path, NULL, &done));
    ck_assert_uint_eq(done.events, 8);
}
END_TEST

/* The next definition's text, with what stands in events before it, as if it were one. The caller frees. */
static char *next_text(struct ez_fxt_in *in, uint64_t arg, size_t *len)
{
    struct ez_fxt_event ev = { .code = EZ_C_DEF + EZ_DEF_TEXT };
    EZ_VEC(uint64_t) word = { 0 };
    bool got;
    while (ev.code == EZ_C_DEF + EZ_DEF_TEXT) {
        tf_ok(ez_fxt_in_next(in, &ev, &got));
        ck_assert(got);
        bool whole = ev.code == EZ_C_DEF + EZ_DEF_JOB;
        ck_assert(!whole || (ev.narg && ev.arg[0] == arg));
        for (unsigned i = whole; i < ev.narg; i++)
            EZ_PUSH(&word, ev.arg[i]);
    }
    *len = word.n * 8;
    return (char *)word.at;
}

/* A text that is too long for one event stands in several; what is longer than EZ_FXT_TEXT loses its end. */
START_TEST(a_definition_is_cut)
{
    static char text[1 << 16];
    struct ez_fxt_out *f = tf_open(in_folder("t.fxt"), 42);
    struct ez_fxt_in *in;
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = (char)('A' + i % 53);
    for (size_t n = 1; n <= sizeof text; n *= 2)
        tf_ok(ez_fxt_out_define(
            f, &(struct ez_fxt_def){ EZ_DEF_JOB, 1, 42, (uint64_t[]){ 7 }, 1, text, n }));
    tf_ok(ez_fxt_out_close(f));
    tf_ok(ez_fxt_in_open(in_folder("t.fxt"), &in));
    for (size_t n = 1; n <= sizeof text; n *= 2) {
        size_t len, want = EZ_MIN(n, (size_t)EZ_FXT_TEXT);
        EZ_FREE char *got = next_text(in, 7, &len);
        ck_assert_uint_eq(len, (want + 7) / 8 * 8);
        ck_assert(!memcmp(got, text, want));
    }
    ez_fxt_in_close(in);
}
END_TEST

/* ---- temporary files ----------------------------------------------------------------------- */

/* Puts more events out of order than memory may hold, then takes all of them. */
static ez_err *reorder(void)
{
    struct ez_order *o = ez_order_create(64);
    ez_err *e = NULL;
    for (uint64_t i = 0; i < 1000 && !e; i++)
        e = ez_order_put(o, &(struct ez_ordered){ .tick = 5000 - i, .tid = 1, .code = 2 });
    ez_order_bound(o, UINT64_MAX);
    bool got = true;
    struct ez_ordered ev;
    while (!e && got)
        e = ez_order_next(o, &ev, &got);
    ez_order_destroy(o);
    return e;
}

START_TEST(no_room_for_disorder)
{
    static const struct {
        const char *call, *says;
        int errnum;
    } no[] = {
        { "pwrite", "Cannot write a temporary file: No space left on device", ENOSPC },
        { "pread", "Cannot read a temporary file: Input/output error", EIO },
    };
    tf_ok(reorder());
    size_t files = files_open();
    for (size_t i = 0; i < EZ_ARRAY_LEN(no); i++) {
        for (int nth = 1; nth < 5; nth++) {
            deny(no[i].call, nth, no[i].errnum);
            ez_err *e = reorder();
            deny_nothing();
            says(e, EZ_E_SYS, "%s", no[i].says);
            deny(no[i].call, nth, EINTR); /* is no failure */
            tf_ok(reorder());
        }
    }
    setenv("TMPDIR", "/nowhere", 1);
    says(reorder(), EZ_E_SYS, "%s: Cannot create a file: No such file or directory", "/nowhere");
    ck_assert_uint_eq(files_open(), files);
}
END_TEST

static ez_err *count(void *arg, const char *records, size_t n)
{
    *(size_t *)arg += n;
    return NULL;
}

START_TEST(a_spool_that_fails)
{
    struct ez_spool *s;
    char record[1000] = { 0 };
    size_t n = 0;
    says(ez_spool_open("/nowhere", "the page", &s), EZ_E_SYS,
         "Cannot write %s: No such file or directory", "the page");
    tf_ok(ez_spool_open(folder, "the page", &s));
    for (int i = 0; i < 100; i++)
        tf_ok(ez_spool_put(s, 3, record, sizeof record));
    deny("pread", 2, EIO);
    says(ez_spool_each(s, 3, count, &n), EZ_E_SYS, "Cannot read back %s: Input/output error",
         "the page");
    deny_nothing();
    n = 0;
    tf_ok(ez_spool_each(s, 3, count, &n));
    ck_assert_uint_eq(n, 100 * sizeof record);
    tf_ok(ez_spool_each(s, 4, count, &n)); /* one that nothing was put into */
    ck_assert_uint_eq(n, 100 * sizeof record);
    deny("pwrite", 1, ENOSPC);
    ez_err *e = NULL;
    for (int i = 0; i < 17 && !e; i++)
        e = ez_spool_put(s, 3, record, sizeof record);
    deny_nothing();
    says(e, EZ_E_SYS, "Cannot write %s: No space left on device", "the page");
    ez_spool_close(s);
}
END_TEST

/* ---- what is made -------------------------------------------------------------------------- */

static bool ours(const char *name, bool is_folder)
{
    return !is_folder && !strcmp(name, "ours");
}

static void put_file(const char *path)
{
    FILE *f = fopen(path, "w");
    ck_assert_ptr_nonnull(f);
    fclose(f);
}

static struct ez_outdir new_folder(const char *path)
{
    struct ez_outdir d;
    tf_ok(ez_outdir_open(&d, path, "an archive", ours));
    EZ_FREE char *in = ez_sprintf("%s/ours", d.tmp);
    put_file(in);
    return d;
}

START_TEST(a_folder_that_is_not_replaced)
{
    struct ez_outdir d;
    char *path = in_folder("out");
    size_t names = files_open();
    put_file(path);
    ez_err *e = ez_outdir_open(&d, path, "an archive", ours);
    ck_assert_str_eq(e->hint, "Choose another name, or move the existing file away");
    says(e, EZ_E_ARG, "%s exists and is not an archive", path);
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_int_eq(mkdir(path, 0700), 0);
    put_file(in_folder("out/another's"));
    says(ez_outdir_open(&d, path, "an archive", ours), EZ_E_ARG, "%s exists and is not an archive",
         path);
    ck_assert_int_eq(unlink(in_folder("out/another's")), 0);
    put_file(in_folder("out/ours"));
    /* it came meanwhile */
    d = new_folder(path);
    put_file(in_folder("out/another's"));
    says(ez_outdir_commit(&d), EZ_E_ARG, "%s exists and is not an archive", path);
    ck_assert_int_eq(unlink(in_folder("out/another's")), 0);
    deny("renameat2", 1, EPERM);
    says(ez_outdir_commit(&d), EZ_E_SYS, "Cannot replace %s: Operation not permitted", path);
    deny("rename", 1, EXDEV);
    says(ez_outdir_commit(&d), EZ_E_SYS, "Cannot write %s: Invalid cross-device link", path);
    for (int step = 2; step <= 3; step++) { /* aside, and into its place */
        deny("rename", step, EPERM);
        says(ez_outdir_commit(&d), EZ_E_SYS, "Cannot replace %s: Operation not permitted", path);
        ck_assert_int_eq(access(in_folder("out/ours"), F_OK), 0);
    }
    deny("renameat2", 1, ENOSYS); /* then in two steps */
    tf_ok(ez_outdir_commit(&d));
    deny_nothing();
    ez_outdir_close(&d);
    ck_assert_uint_eq(files_open(), names);
    ck_assert_int_eq(access(in_folder("out/ours"), F_OK), 0);
    ck_assert_int_eq(unlink(in_folder("out/ours")) | rmdir(path), 0);
    ck_assert_int_eq(rmdir(folder), 0); /* nothing else stayed */
    ck_assert_int_eq(mkdir(folder, 0700), 0);
}
END_TEST

START_TEST(a_file_that_is_not_made)
{
    struct ez_outfile *f;
    char *path = in_folder("pipe");
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    says(ez_outfile_open(path, false, &f), EZ_E_ARG, "%s is not a regular file", path);
    says(ez_outfile_open(folder, false, &f), EZ_E_ARG, "%s is a folder", folder);
    deny("deflateInit2_", 1, ENOMEM);
    says(ez_outfile_open(in_folder("x.gz"), true, &f), EZ_E_LIMIT, "Cannot initialize zlib", "");
    deny_nothing();
    ck_assert_int_eq(access(in_folder("x.gz"), F_OK), -1);
    tf_ok(ez_outfile_open(in_folder("x.gz"), true, &f));
    tf_ok(ez_outfile_commit(f));
    ez_outfile_destroy(f);
}
END_TEST

/* The report needs d3, which is a file of the system. */
START_TEST(no_report_without_d3)
{
    char *in = trace(3);
    struct ez_convert w = { .in = &in, .n = 1, .format = "html", .out = in_folder("r.html") };
    static const struct {
        const char *call;
        int errnum;
        enum ez_code code;
        const char *says;
    } no[] = {
        { "d3", ENOENT, EZ_E_NOTFOUND, "d3, which draws the report, is not installed" },
        { "read", EIO, EZ_E_SYS, "cannot read: Input/output error" },
    };
    for (size_t i = 0; i < EZ_ARRAY_LEN(no); i++) {
        struct ez_converted done = { .out = NULL };
        size_t files = files_open();
        deny(no[i].call, 0, no[i].errnum);
        ez_err *e = ez_convert(&w, &done);
        deny_nothing();
        ck_assert_ptr_nonnull(e);
        ck_assert_msg(e->code == no[i].code || e->code == EZ_E_NOTFOUND, "%s", e->msg);
        ck_assert_msg(e->code != no[i].code || strstr(e->msg, no[i].says), "%s", e->msg);
        if (e->code == EZ_E_NOTFOUND)
            ck_assert_str_eq(e->hint, "Install node-d3 (Debian), or configure with --with-d3=FILE");
        ez_err_free(e);
        ck_assert_int_eq(access(w.out, F_OK), -1);
        ck_assert_uint_eq(files_open(), files);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("unreadable");
    TCase *c = tcase_create("unreadable");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_test(c, what_is_no_trace);
    tcase_add_test(c, a_disk_that_does_not_read);
    tcase_add_test(c, a_trace_that_cannot_be_followed);
    tcase_add_test(c, a_survey_that_is_given_up);
    tcase_add_loop_test(c, no_repair, 0, EZ_ARRAY_LEN(repairs));
    tcase_add_test(c, a_trace_that_is_being_written);
    tcase_add_test(c, a_definition_is_cut);
    tcase_add_test(c, no_room_for_disorder);
    tcase_add_test(c, a_spool_that_fails);
    tcase_add_test(c, a_folder_that_is_not_replaced);
    tcase_add_test(c, a_file_that_is_not_made);
    tcase_add_test(c, no_report_without_d3);
    suite_add_tcase(s, c);
    return run_suite(s);
}
