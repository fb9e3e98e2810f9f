/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_outputs.c - an output appears when it is complete, or not at all: outfile.h,
 * outdir.h, and every sink on top of them. */
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>

#include "engine/base/json.h"
#include "engine/base/outfile.h"
#include "engine/base/spool.h"
#include "engine/base/strutil.h"
#include "tests/unit/formats_story.h"
#include "tests/unit/leaks.h"
#include "tests/unit/suite.h"

/* ---- when it cannot be --------------------------------------------------------------------- */

/* Many calls under many names, so that every format has megabytes to write. */
static void tell_much(struct ez_model *m)
{
    uint32_t p = ez_model_container(m, EZ_L_PROCESS, 0, "p", 1, 0);
    uint32_t t = ez_model_container(m, EZ_L_THREAD, p, "t", 1, 1);
    for (int i = 0; i < 300000 && !m->err; i++) {
        EZ_FREE char *name = ez_sprintf("a_function_with_a_long_name_%d", i % 30000);
        ez_model_push(m, t, state(m, name), EZ_ABOUT_NOTHING);
        ez_model_at(m, m->now + 1);
        ez_model_pop(m, t, EZ_ABOUT_NOTHING);
    }
    ez_model_end(m);
}

/* Assert that the old output still stands there, and nothing else. */
static void check_only_old(void)
{
    EZ_FREE char *left = printed("ls -A %s", dir);
    ck_assert_str_eq(left, "a b;touch c'\n");
    EZ_FREE char *old = printed("cat \"%s\" 2>/dev/null || ls \"%s\"", out, out);
    ck_assert_msg(!strcmp(old, "old\n") || !strcmp(old, "traces\ntraces.def\ntraces.otf2\n"), "%s",
                  old);
}

static void make_old(const struct ez_format *f)
{
    if (!f->folder)
        ck_assert_int_eq(run("echo old >\"%s\"", out), 0);
    else
        write_story(f, out, false);
}

START_TEST(without_close_nothing_stays)
{
    const struct ez_format *f = formats[_i];
    struct story s;
    make_old(f);
    begin(&s, f, out, false);
    tell_much(&s.m);
    ok(s.m.err);
    s.m.err = NULL;
    end(&s);
    check_only_old();
}
END_TEST

START_TEST(full_disk)
{
    const struct ez_format *f = formats[_i];
    struct rlimit was, little = { 64 << 10, RLIM_INFINITY };
    struct story s;
    make_old(f);
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &was);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &little), 0);
    begin(&s, f, out, false);
    tell_much(&s.m);
    ez_err *e = s.m.err;
    s.m.err = NULL;
    if (!e)
        e = f->close(s.sink);
    end(&s);
    setrlimit(RLIMIT_FSIZE, &was);
    ck_assert_ptr_nonnull(e);
    ck_assert_msg(strstr(e->msg, "File too large"), "%s", e->msg);
    fails(e, EZ_E_SYS);
    check_only_old();
}
END_TEST

static void refuses(const struct ez_format *f, const char *to, enum ez_code code)
{
    struct ez_model m;
    struct ez_sink *sink = NULL;
    ez_model_init(&m, "program", f->item, NULL);
    fails(f->open(f, &m, &(struct ez_conv_out){ .path = to }, &sink), code);
    ck_assert_ptr_null(sink);
    ez_model_deinit(&m);
}

START_TEST(bad_places)
{
    const struct ez_format *f = formats[_i];
    refuses(f, "/no/such/folder/x", EZ_E_SYS);
    refuses(f, "/proc/x", EZ_E_SYS);
    ck_assert_int_eq(mkfifo(out, 0600), 0);
    refuses(f, out, EZ_E_ARG);
    unlink(out);
    ck_assert_int_eq(run("mkdir \"%s\" && touch \"%s/mine\"", out, out), 0);
    refuses(f, out, EZ_E_ARG);
    ck_assert_int_eq(run("rm \"%s/mine\"", out), 0);
    if (!f->folder)
        refuses(f, out, EZ_E_ARG);
    else
        write_story(f, out, false); /* an empty folder is a place */
}
END_TEST

/* A reader of the old output can read on. The new output has the old one's rights, and is complete.
 * A link stays a link. */
START_TEST(replaced_at_once)
{
    const struct ez_format *f = formats[_i];
    EZ_FREE char *link = ez_sprintf("%s/a link", dir);
    EZ_FREE char *first = ez_sprintf("%s%s", out, f->folder ? "/traces.def" : "");
    struct stat was, is;
    write_story(f, out, false);
    ck_assert_int_eq(symlink("a b;touch c'", link), 0);
    if (!f->folder)
        chmod(out, 0640);
    EZ_CLOSE int fd = open(first, O_RDONLY | O_CLOEXEC);
    fstat(fd, &was);
    write_story(f, link, false);
    ck_assert_int_eq(stat(first, &is), 0);
    ck_assert_int_ne(was.st_ino, is.st_ino);
    ck_assert_int_eq(was.st_mode, is.st_mode);
    ck_assert_int_eq(was.st_size, is.st_size);
    ck_assert_int_eq(lstat(link, &is), 0);
    ck_assert(S_ISLNK(is.st_mode));
    EZ_FREE char *left = printed("ls -A %s", dir);
    ck_assert_str_eq(left, "a b;touch c'\na link\n");
    char byte;
    ck_assert_int_eq(read(fd, &byte, 1), 1);
}
END_TEST

/* Outputs that are written, refused, or given up in the middle. */
static void write_or_not(void *arg)
{
    const struct ez_format *f = arg;
    struct story s;
    write_story(f, out, false);
    if (!f->folder)
        write_story(f, out, true);
    begin(&s, f, out, false);
    tell(&s.m);
    end(&s);
    refuses(f, "/no/such/folder/x", EZ_E_SYS);
}

START_TEST(all_is_given_back)
{
    gives_back(write_or_not, (void *)formats[_i], 30);
}
END_TEST

/* An archive in which somebody keeps files of his own is not replaced. */
START_TEST(own_files_are_safe)
{
    EZ_FREE char *mine = ez_sprintf("%s/traces/notes.txt", out);
    for (int i = 0; i < FORMATS; i++) {
        if (!formats[i]->folder)
            continue;
        write_story(formats[i], out, false);
        ck_assert_int_eq(run("echo >\"%s\"", mine), 0);
        refuses(formats[i], out, EZ_E_ARG);
        ck_assert_int_eq(access(mine, R_OK), 0);
    }
}
END_TEST

static ez_err *sum(void *arg, const char *records, size_t n)
{
    uint64_t v, *last = arg;
    ck_assert_uint_eq(n % sizeof v, 0);
    for (; n; n -= sizeof v, records += sizeof v) {
        memcpy(&v, records, sizeof v);
        ck_assert_uint_eq(v, *last + 3);
        *last = v;
    }
    return NULL;
}

START_TEST(spool)
{
    struct ez_spool *s;
    uint64_t last[3] = { 0 };
    fails(ez_spool_open("/no/such/folder", "x", &s), EZ_E_SYS);
    ok(ez_spool_open(dir, "x", &s));
    for (uint64_t i = 3; i < 30000; i++)
        ok(ez_spool_put(s, i % 3, &i, sizeof i));
    for (size_t i = 0; i < 3; i++) {
        last[i] = i;
        ok(ez_spool_each(s, i, sum, &last[i]));
        ck_assert_uint_eq(last[i], 29997 + i);
    }
    ok(ez_spool_each(s, 99, sum, NULL));
    ez_spool_close(s);
}
END_TEST

static void use_spool(void *arg)
{
    struct ez_spool *s;
    ok(ez_spool_open(dir, "x", &s));
    for (uint64_t i = 3; i < 3000; i++)
        ok(ez_spool_put(s, i % 3, &i, sizeof i));
    ez_spool_close(s);
}

START_TEST(a_spool_is_given_back)
{
    gives_back(use_spool, NULL, 50);
    ez_spool_close(NULL);
}
END_TEST

START_TEST(text)
{
    EZ_FREE char *a = ez_str_plain("a;b\xc3\xa9\xff\t\xe2\x80\xae;", ";", ':');
    ck_assert_str_eq(a, "a:b\xc3\xa9\\377\\011\\342\\200\\256:");
    struct ez_outfile *f;
    ok(ez_outfile_open(out, false, &f));
    const uint64_t v[] = { 0, 9, 10, 99, 100, 12345, UINT64_MAX };
    for (size_t i = 0; i < EZ_ARRAY_LEN(v); i++) {
        ez_outfile_u64(f, v[i]);
        ez_outfile_printf(f, " %d\n", (int)i);
    }
    struct ez_json j = { .text = NULL };
    for (int i = 0; i < 2; i++) {
        ez_json_add_text(&j, NULL, "\"\n");
        ez_outfile_json(f, &j);
    }
    ez_json_free(&j);
    ck_assert(ez_outfile_good(f));
    ok(ez_outfile_commit(f));
    ez_outfile_destroy(f);
    EZ_FREE char *got = printed("cat \"%s\"", out);
    ck_assert_str_eq(got, "0 0\n9 1\n10 2\n99 3\n100 4\n12345 5\n18446744073709551615 6\n"
                          "\"\\\"\\u000a\", \"\\\"\\u000a\"");
}
END_TEST

int main(void)
{
    if (!proc_there("check_outputs"))
        return 77;
    Suite *s = suite_create("outputs");
    TCase *c = tcase_create("outputs");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_set_timeout(c, 120);
    tcase_add_loop_test(c, without_close_nothing_stays, 0, FORMATS);
    tcase_add_loop_test(c, full_disk, 0, FORMATS);
    tcase_add_loop_test(c, bad_places, 0, FORMATS);
    tcase_add_loop_test(c, replaced_at_once, 0, FORMATS);
    tcase_add_loop_test(c, all_is_given_back, 0, FORMATS);
    tcase_add_test(c, own_files_are_safe);
    tcase_add_test(c, spool);
    tcase_add_test(c, a_spool_is_given_back);
    tcase_add_test(c, text);
    suite_add_tcase(s, c);
    return run_suite(s);
}
