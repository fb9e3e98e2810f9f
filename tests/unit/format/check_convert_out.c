/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_convert_out.c - what may stand at the name of an output; this is the same for every format that
 * is one file. Also an ezt-gtg that hangs: the user may give up. */
#include <check.h>
#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include "config.h"
#include "engine/format/convert.h"
#include "tests/unit/trace_file.h"
#include "tests/unit/suite.h"

/* Can this eztsh write the format? It needs d3 for html, and protobuf-c for some. */
static bool is_written(const char *name)
{
#ifndef HAVE_PROTOBUF_C
    if (!strcmp(name, "pprof") || !strcmp(name, "perfetto"))
        return false;
#endif
    return strcmp(name, "html") != 0;
}

/* Format i of those that are one file and can be written. NULL = there are no more. */
static const char *one_file(int i)
{
    const char *name = ez_convert_format(0);
    for (size_t k = 0; name; name = ez_convert_format(++k))
        if (ez_convert_one_file(name) && is_written(name) && !i--)
            return name;
    return NULL;
}

static int one_files(void)
{
    int n = 0;
    while (one_file(n))
        n++;
    return n;
}

static int all_formats(void)
{
    int n = 0;
    while (ez_convert_format((size_t)n))
        n++;
    return n;
}

START_TEST(all_are_tried)
{
    ck_assert_int_ge(one_files(), 7); /* paje, vite, chrome, csv, folded, speedscope, callgrind */
    ck_assert_int_ge(all_formats(), 10);
}
END_TEST

static char dir[64];

static const char *in_dir(const char *name)
{
    static char buf[32][128];
    static unsigned n;
    char *p = buf[n++ % 32];
    snprintf(p, sizeof *buf, "%s/%s", dir, name);
    return p;
}

/* EVENTS of f, which are points or calls, then one call of g. */
static void write_trace(const char *name, unsigned events, bool points)
{
    struct ez_fxt_out *f = tf_open(in_dir(name), 42);
    tf_process(f, 42, "/bin/app", "here");
    tf_probe(f, 0, points ? EZ_ROW_ENTRY | EZ_ROW_REC_ENTRY : TF_BOTH, "f", "lib");
    tf_probe(f, 1, TF_BOTH, "g", "lib");
    for (unsigned i = 0; i < events; i++)
        tf_put(f, 1000 + i, 42, 0, !points && i % 2);
    for (unsigned i = 0; events && i < 2; i++)
        tf_put(f, 1000 + events + i, 42, 1, i);
    tf_ok(ez_fxt_out_close(f));
}

static void setup(void)
{
    setenv("EZT_GTG", "./ezt-gtg", 0);
    snprintf(dir, sizeof dir, "check_convert_out-%d", getpid());
    ck_assert_int_eq(mkdir(dir, 0700), 0);
    write_trace("in.fxt", 100, false);
}

static unsigned entries(bool delete)
{
    unsigned n = 0;
    DIR *d = opendir(dir);
    for (struct dirent *e; (e = readdir(d));) {
        n += e->d_name[0] != '.' || e->d_name[1] == 'e'; /* also .ezt-XXXXXX */
        if (delete)
            unlinkat(dirfd(d), e->d_name, 0);
    }
    closedir(d);
    return n;
}

static void teardown(void)
{
    entries(true);
    rmdir(dir);
}

static ez_err *convert(const char *in, const char *format, const char *out)
{
    char *const input = (char *)(uintptr_t)in_dir(in);
    struct ez_convert w = { .in = &input, .n = 1, .format = format, .out = out };
    struct ez_converted done = { .out = NULL };
    ez_err *e = ez_convert(&w, &done);
    free(done.out);
    free(done.notice);
    free(done.sum.damage);
    return e;
}

static void touch(const char *path, mode_t mode)
{
    FILE *f = fopen(path, "w");
    ck_assert_ptr_nonnull(f);
    fclose(f);
    ck_assert_int_eq(chmod(path, mode), 0);
}

START_TEST(no_device_is_replaced)
{
    struct stat st;
    const char *out = in_dir("pipe");
    ck_assert_int_eq(mkfifo(out, 0600), 0);
    ez_err *e = convert("in.fxt", one_file(_i), out);
    ck_assert_ptr_nonnull(e);
    ck_assert_msg(strstr(e->msg, "not a regular file") != NULL, "%s", e->msg);
    ez_err_free(e);
    ck_assert_int_eq(stat(out, &st), 0);
    ck_assert(S_ISFIFO(st.st_mode));
    ck_assert_uint_eq(entries(false), 2);
}
END_TEST

START_TEST(symbolic_links_are_followed)
{
    struct stat st;
    touch(in_dir("file"), 0640);
    ck_assert_int_eq(symlink("file", in_dir("link")), 0);
    tf_ok(convert("in.fxt", one_file(_i), in_dir("link")));
    ck_assert_int_eq(lstat(in_dir("link"), &st), 0);
    ck_assert(S_ISLNK(st.st_mode));
    ck_assert_int_eq(lstat(in_dir("file"), &st), 0);
    ck_assert_int_gt(st.st_size, 10);
    ck_assert_uint_eq(st.st_mode & 0777, 0640); /* the old file's rights stay */
    ck_assert_uint_eq(entries(false), 3);
}
END_TEST

START_TEST(otf_is_as_private_as_it_was)
{
    struct stat st;
    touch(in_dir("o.otf"), 0600);
    tf_ok(convert("in.fxt", "otf", in_dir("o")));
    ck_assert_int_eq(stat(in_dir("o.1.events"), &st), 0);
    ck_assert_uint_eq(st.st_mode & 0777, 0600);
    ck_assert_int_eq(unlink(in_dir("o.otf")), 0);
    ck_assert_int_eq(mkfifo(in_dir("o.otf"), 0600), 0);
    ez_err *e = convert("in.fxt", "otf", in_dir("o"));
    ck_assert_ptr_nonnull(e);
    ez_err_free(e);
    ck_assert_int_eq(stat(in_dir("o.otf"), &st), 0);
    ck_assert(S_ISFIFO(st.st_mode));
}
END_TEST

/* ---- OTF2 -------------------------------------------------------------------------- */

/* What `otf2-print OPTION` says of IN must match, by grep -E; if otf2-print is here. */
static void otf2_says(const char *in, const char *option, const char *pattern)
{
    char cmd[300];
    ez_err *e = convert(in, "otf2", in_dir("o"));
    if (e && strstr(e->msg, "without OTF2")) {
        ez_err_free(e);
        return;
    }
    tf_ok(e);
    if (!system("command -v otf2-print >/dev/null")) {
        snprintf(cmd, sizeof cmd, "otf2-print %s %s >%s && grep -Eq '%s' %s", option,
                 in_dir("o/traces.otf2"), in_dir("said"), pattern, in_dir("said"));
        ck_assert_int_eq(system(cmd), 0);
    }
    snprintf(cmd, sizeof cmd, "rm -r %s", in_dir("o"));
    ck_assert_int_eq(system(cmd), 0);
}

START_TEST(otf2_readers_need_a_location)
{
    write_trace("zero.fxt", 0, false);
    otf2_says("zero.fxt", "", "Events");
}
END_TEST

/* The first name of the library is that of a point in time. */
START_TEST(otf2_libraries_are_groups)
{
    write_trace("mixed.fxt", 2, true);
    otf2_says("mixed.fxt", "-G", "^GROUP .*\"lib\".*REGIONS.*1 Member");
}
END_TEST

/* A forged trace: the time between its events is the longest there is. */
START_TEST(the_longest_time)
{
    const char *format = ez_convert_format((size_t)_i);
    if (!strcmp(format, "otf")) /* libgtg ends: OTF 1 has room for 26 days */
        return;
    struct ez_fxt_out *f = tf_open(in_dir("long.fxt"), 42);
    tf_process(f, 42, "/bin/app", "here");
    tf_probe(f, 0, TF_BOTH, "f", "lib");
    tf_clock(f, 0, 0, 0);
    tf_clock(f, UINT64_MAX, UINT64_MAX, UINT64_MAX);
    tf_put(f, 0, 42, 0, false);
    tf_put(f, UINT64_MAX, 42, 0, true);
    tf_ok(ez_fxt_out_close(f));
    ez_err *e = convert("long.fxt", format, in_dir("longest"));
    ck_assert_msg(!e || e->code == EZ_E_NOTFOUND, "%s", e ? e->msg : ""); /* without this format */
    ez_err_free(e);
    char cmd[128];
    snprintf(cmd, sizeof cmd, "rm -rf %s*", in_dir("longest"));
    ck_assert_int_eq(system(cmd), 0);
}
END_TEST

/* ---- giving up ---------------------------------------------------------------------- */

static time_t until;

static bool patience(void *arg, uint64_t done, uint64_t total)
{
    return time(NULL) < until;
}

static void script(const char *text)
{
    FILE *f = fopen(in_dir("gtg"), "w");
    ck_assert_ptr_nonnull(f);
    fprintf(f, "#!/bin/sh\n%s", text);
    fclose(f);
    chmod(in_dir("gtg"), 0700);
    setenv("EZT_GTG", in_dir("gtg"), 1);
}

/* An ezt-gtg that does not answer, does not read, or never says that it is done. */
START_TEST(a_hanging_ezt_gtg_can_be_given_up)
{
    static const char *const hang[] = { "exec sleep 60", "echo ready; exec sleep 60",
                                        "trap : TERM; echo ready; cat >/dev/null; exec sleep 60" };
    char *const in = (char *)(uintptr_t)in_dir(_i == 1 ? "long.fxt" : "in.fxt");
    struct ez_convert w = { .in = &in, .n = 1, .format = "paje", .out = in_dir("out") };
    struct ez_converted done = { .out = NULL };
    w.progress.fn = patience;
    write_trace("long.fxt", 60000, false);
    script(hang[_i]);
    until = time(NULL) + 1;
    ez_err *e = ez_convert(&w, &done);
    ck_assert_ptr_nonnull(e);
    ck_assert_str_eq(e->msg, "Interrupted");
    ez_err_free(e);
    ck_assert_int_le(time(NULL), until + 8);
    ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1); /* no zombie */
    ck_assert_int_eq(errno, ECHILD);
    ck_assert_uint_eq(entries(false), 3);
}
END_TEST

static bool asked_in_between(void *arg, uint64_t done, uint64_t total)
{
    fclose(fopen(in_dir("asked"), "w"));
    errno = ENOTTY; /* as after a look at the terminal */
    return true;
}

/* One that begins to answer after the shell has looked after other things meanwhile. */
START_TEST(a_slow_ezt_gtg_is_waited_for)
{
    char *const in = (char *)(uintptr_t)in_dir("in.fxt");
    struct ez_convert w = { .in = &in, .n = 1, .format = "paje", .out = in_dir("out") };
    struct ez_converted done = { .out = NULL };
    EZ_FREE char *text =
        ez_sprintf("until [ -e '%s' ]; do sleep 0.01; done\n"
                   "echo ready; dd bs=65536 count=1 >/dev/null 2>&1; echo 'ok it took long'\n",
                   in_dir("asked"));
    w.progress.fn = asked_in_between;
    script(text);
    ez_err *e = ez_convert(&w, &done);
    ck_assert_msg(!e || strncmp(e->msg, "ezt-gtg", 7), "%s", e ? e->msg : "");
    ez_err_free(e); /* it has written nothing that could get its name */
    free(done.out);
    free(done.notice);
    free(done.sum.damage);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("convert_out");
    TCase *c = tcase_create("convert_out");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_set_timeout(c, 30);
    tcase_add_test(c, all_are_tried);
    tcase_add_loop_test(c, no_device_is_replaced, 0, one_files());
    tcase_add_loop_test(c, symbolic_links_are_followed, 0, one_files());
    tcase_add_test(c, otf_is_as_private_as_it_was);
    tcase_add_test(c, otf2_readers_need_a_location);
    tcase_add_test(c, otf2_libraries_are_groups);
    tcase_add_loop_test(c, the_longest_time, 0, all_formats());
    tcase_add_test(c, a_slow_ezt_gtg_is_waited_for);
    tcase_add_loop_test(c, a_hanging_ezt_gtg_can_be_given_up, 0, 3);
    suite_add_tcase(s, c);
    return run_suite(s);
}
