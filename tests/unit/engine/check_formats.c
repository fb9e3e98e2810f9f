/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_formats.c - one story told to every sink, judged by readers that are not ours. */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "config.h"
#include "engine/conv.h"
#include "engine/outfile.h"
#include "engine/text.h"

#define END 7200123456789ull /* two hours: more than a float of microseconds holds */
#define HOSTILE "a\"b;c,d\n\033[31m\xff\\x"

static char dir[64], out[128];

static const struct ez_format *const formats[] = {
    &ez_conv_chrome,
    &ez_conv_csv,
    &ez_conv_folded,
#ifdef HAVE_OTF2
    &ez_conv_otf2,
#endif
};
enum { FORMATS = (int)EZ_ARRAY_LEN(formats) };

static void ok(ez_err *e)
{
    ck_assert_msg(!e, "%s", e ? e->msg : "");
}

/* An error of this code, in one line. */
static void fails(ez_err *e, enum ez_code code)
{
    ck_assert_ptr_nonnull(e);
    ck_assert_msg(e->code == code, "%s: %s", ez_code_name(e->code), e->msg);
    ck_assert_ptr_null(strchr(e->msg, '\n'));
    ez_err_free(e);
}

static int run(const char *fmt, ...) EZ_PRINTF(1, 2);
static int run(const char *fmt, ...)
{
    char cmd[1000];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(cmd, sizeof cmd, fmt, ap);
    va_end(ap);
    return system(cmd);
}

/* What a command prints; the caller frees. */
static char *printed(const char *fmt, ...) EZ_PRINTF(1, 2);
static char *printed(const char *fmt, ...)
{
    char cmd[1000], *text = ez_alloc(1 << 20);
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(cmd, sizeof cmd, fmt, ap);
    va_end(ap);
    FILE *p = popen(cmd, "r");
    size_t n = fread(text, 1, (1 << 20) - 1, p);
    ck_assert_msg(!pclose(p), "%s", cmd);
    text[n] = 0;
    return text;
}

static bool has(const char *program)
{
    return !run("command -v %s >/dev/null", program);
}

static void setup(void)
{
    snprintf(dir, sizeof dir, "check_formats-%d", getpid());
    ck_assert_int_eq(mkdir(dir, 0700), 0);
    snprintf(out, sizeof out, "%s/a b;touch c'", dir);
}

static void teardown(void)
{
    /* what is left is the output alone */
    run("rm -rf '%s'/a*", dir);
    ck_assert_int_eq(rmdir(dir), 0);
}

/* ---- the story ----------------------------------------------------------------------- */

struct story {
    struct ez_model m;
    struct ez_sink *sink;
    const struct ez_format *f;
};

static void begin(struct story *s, const struct ez_format *f, const char *to, bool gzip)
{
    *s = (struct story){ .f = f };
    ez_model_init(&s->m, "program", f->item, NULL);
    ok(f->open(f, &s->m, to, gzip, &s->sink));
    s->m.fn_arg = s->sink;
}

static void end(struct story *s)
{
    s->f->destroy(s->sink);
    ez_model_deinit(&s->m);
}

static uint32_t state(struct ez_model *m, const char *text)
{
    return ez_model_name(m, EZ_N_STATE, text, "libm \"1\".so", 0x1000);
}

static void tell_beginning(struct ez_model *m, const uint32_t t[3], uint32_t p0)
{
    const uint64_t arg[] = { 1, 1ull << 63 };
    uint32_t outer = state(m, "outer"), inner = state(m, "inner");
    uint32_t mem = ez_model_name(m, EZ_N_VAR, "mem", "", 0);
    uint32_t message = ez_model_name(m, EZ_N_LINK, "message", "mpi", 0);
    ez_model_push(m, t[0], outer);
    ez_model_at(m, 10);
    ez_model_push(m, t[0], inner);
    ez_model_at(m, 25);
    ez_model_pop(m, t[0]);
    ez_model_at(m, 30);
    ez_model_push(m, t[1], inner);
    ez_model_event(m, t[0], ez_model_name(m, EZ_N_EVENT, "tick", "", 0), arg, 2);
    ez_model_at(m, 40);
    ez_model_var_set(m, t[1], mem, -1.5);
    ez_model_var_set(m, p0, mem, 3);
    ez_model_var_set(m, p0, mem, NAN);
    ez_model_at(m, 41);
    ez_model_link_start(m, t[0], message, 7, t[1]);
    ez_model_link_start(m, t[0], message, 8, EZ_NONE_IDX);
    ez_model_at(m, 55);
    ez_model_link_end(m, t[1], message, 7, EZ_NONE_IDX);
    ez_model_link_end(m, t[1], message, 8, EZ_NONE_IDX);
}

/* Two processes that have the same pid; nested, recursive and forced calls; a process
 * and the program with states and points of their own. */
static void tell(struct ez_model *m)
{
    EZ_FREE char *name = ez_sprintf("%s%.3000d", HOSTILE, 0);
    uint32_t p0 = ez_model_container(m, EZ_L_PROCESS, 0, "app 100", 100, 0);
    uint32_t p1 = ez_model_container(m, EZ_L_PROCESS, 0, "app 100", 100, 0);
    const uint32_t t[] = { ez_model_container(m, EZ_L_THREAD, p0, "main 100", 100, 100),
                           ez_model_container(m, EZ_L_THREAD, p0, name, 100, 101),
                           ez_model_container(m, EZ_L_THREAD, p1, "main 100", 100, 100) };
    tell_beginning(m, t, p0);
    ez_model_at(m, 60);
    ez_model_push(m, t[0], state(m, name));
    ez_model_at(m, 61);
    ez_model_push(m, t[0], state(m, "inner"));
    ez_model_push(m, p1, state(m, "phase"));
    ez_model_push(m, t[2], state(m, "lost"));
    ez_model_event(m, 0, ez_model_name(m, EZ_N_EVENT, "mark", "", 0), NULL, 0);
    ez_model_at(m, 61 + 1005);
    ez_model_pop(m, p1);
    ez_model_at(m, END);
    ez_model_pop_name(m, t[0], state(m, "outer"));
    ez_model_pop(m, t[1]);
    ez_model_end(m);
    ok(m->err);
}

static void write_story(const struct ez_format *f, const char *to, bool gzip)
{
    struct story s;
    begin(&s, f, to, gzip);
    tell(&s.m);
    ok(f->close(s.sink));
    end(&s);
}

static char *totals(const struct ez_format *f, const char *path)
{
    return printed("python3 \"${top_srcdir:-.}/tests/trace/totals.py\" %s \"%s\"", f->name, path);
}

/* The line of `hostile`, whose spelling depends on the format, and the others. */
static void check_totals(const struct ez_format *f, const char *path, const char *hostile)
{
    EZ_FREE char *got = totals(f, path);
    EZ_FREE char *want =
        ez_sprintf("%.60s\t1\t%llu\t1\n\"inner\"\t3\t%llu\t%llu\n\"lost\"\t1\t%llu\t%llu\n"
                   "\"outer\"\t1\t%llu\t45\n\"phase\"\t1\t1005\t1005\n",
                   hostile, END - 60, 15 + (END - 61) + (END - 30), 15 + (END - 61) + (END - 30),
                   END - 61, END - 61, END);
    ck_assert_str_eq(got, want);
}

#define ZEROS "000000000000000000000000000000000000000000000000000000000000"
#define AS_JSON "\"a\\\"b;c,d\\n\\u001b[31m\\ufffd\\\\x" ZEROS
#define AS_LINE "\"a\\\"b;c,d\\\\012\\\\033[31m\\\\377\\\\x" ZEROS

/* ---- each format ---------------------------------------------------------------------- */

START_TEST(chrome)
{
    EZ_FREE char *gz = ez_sprintf("%s.json.gz", out);
    write_story(&ez_conv_chrome, out, false);
    write_story(&ez_conv_chrome, gz, true);
    if (!has("python3"))
        return;
    check_totals(&ez_conv_chrome, out, AS_JSON);
    check_totals(&ez_conv_chrome, gz, AS_JSON);
    static const char script[] =
        "import json, sys\n"
        "d = json.load(open(sys.argv[1]), parse_constant=None)\n"
        "ev = d['traceEvents']\n"
        "of = lambda ph: [e for e in ev if e['ph'] == ph]\n"
        "assert d['displayTimeUnit'] == 'ns'\n"
        "names = {(e['pid'], e['tid']): e['args']['name'] for e in of('M')"
        " if e['name'] == 'thread_name'}\n"
        "procs = {e['pid']: e['args']['name'] for e in of('M') if e['name'] == 'process_name'}\n"
        "assert sorted(procs.values()) == ['app 100', 'app 100 #2', 'program'], procs\n"
        "assert names[100, 100] == 'main 100' and names[100, 101].startswith('a\"b;'), names\n"
        "assert len(names) == 6, names\n"
        "assert all((e['pid'], e['tid']) in names for e in ev if e['ph'] != 'M')\n"
        "i = {e['name']: e for e in of('i')}\n"
        "assert i['tick']['s'] == 't' and i['mark']['s'] == 'g'\n"
        "assert i['tick']['args']['arg'] == [1, str(1 << 63)]\n"
        "assert [e['args'].get('value') for e in of('C')] == [-1.5, 3, None]\n"
        "s, f = of('s'), of('f')\n"
        "assert [e['id'] for e in s] == [e['id'] for e in f] and len({e['id'] for e in s}) == 2\n"
        "assert all(e['bp'] == 'e' and e['cat'] == 'mpi' for e in f)\n"
        "assert sum('args' in e for e in of('E')) == 3\n"
        "assert '7200123456.789' in open(sys.argv[1]).read()\n";
    EZ_FREE char *path = ez_sprintf("%s/a.py", dir);
    FILE *p = fopen(path, "w");
    fputs(script, p);
    fclose(p);
    ck_assert_int_eq(run("python3 %s \"%s\"", path, out), 0);
}
END_TEST

START_TEST(csv)
{
    write_story(&ez_conv_csv, out, false);
    /* a name with a newline in it does not break lines: header, 7 calls, 2 points */
    EZ_FREE char *n = printed("wc -l <\"%s\"", out);
    ck_assert_int_eq(atoi(n), 1 + 7 + 2);
    EZ_FREE char *point = printed("grep -c '^app 100,100,main 100,100,tick,,,30,,,$' \"%s\"", out);
    ck_assert_int_eq(atoi(point), 1);
    EZ_FREE char *forced = printed("grep -c ',0$' \"%s\"", out);
    ck_assert_int_eq(atoi(forced), 3);
    if (has("python3"))
        check_totals(&ez_conv_csv, out, AS_LINE);
}
END_TEST

START_TEST(folded)
{
    write_story(&ez_conv_folded, out, false);
    EZ_FREE char *sum = printed("awk '{ n += $NF } END { printf \"%%.0f\", n }' \"%s\"", out);
    EZ_FREE char *want = ez_sprintf("%llu", 45 + 1 + 15 + (END - 61) * 2 + (END - 30) + 1005);
    ck_assert_str_eq(sum, want);
    EZ_FREE char *line = printed("grep -c '^app 100;main 100;outer;inner 15$' \"%s\"", out);
    ck_assert_int_eq(atoi(line), 1);
    EZ_FREE char *whole = printed("grep -c '^app 100 #2;phase 1005$' \"%s\"", out);
    ck_assert_int_eq(atoi(whole), 1);
    if (!has("python3"))
        return;
    EZ_FREE char *got = totals(&ez_conv_folded, out);
    ck_assert_msg(!strncmp(got, "\"a\\\"b:c,d\\\\012", 14), "%s", got);
}
END_TEST

/* A recursion deeper than the tree, then more stacks than it may have: every nanosecond
 * is still counted once, and the file stays small. */
START_TEST(folded_is_bounded)
{
    struct story s;
    uint64_t want = 0;
    begin(&s, &ez_conv_folded, out, false);
    uint32_t p = ez_model_container(&s.m, EZ_L_PROCESS, 0, "p", 1, 0);
    uint32_t t = ez_model_container(&s.m, EZ_L_THREAD, p, "t", 1, 1);
    uint32_t f = state(&s.m, "f"), digit[10];
    for (int i = 0; i < 60000; i++)
        ez_model_push(&s.m, t, f), ez_model_at(&s.m, ++want);
    for (int i = 0; i < 60000; i++)
        ez_model_at(&s.m, ++want), ez_model_pop(&s.m, t);
    for (int i = 0; i < 10; i++)
        digit[i] = state(&s.m, (char[]){ (char)('0' + i), 0 });
    for (int i = 0; i < 600000; i++) { /* six frames deep, all different */
        for (int n = i, d = 0; d < 6; d++, n /= 10)
            ez_model_push(&s.m, t, digit[n % 10]);
        ez_model_at(&s.m, ++want);
        for (int d = 0; d < 6; d++)
            ez_model_pop(&s.m, t);
    }
    ez_model_end(&s.m);
    ok(ez_conv_folded.close(s.sink));
    end(&s);
    EZ_FREE char *sum = printed("awk '{ n += $NF } END { printf \"%%.0f\", n }' \"%s\"", out);
    ck_assert_uint_eq(strtoull(sum, NULL, 10), want);
    EZ_FREE char *deeper = printed("grep -c ';f;\\[deeper\\] ' \"%s\"", out);
    ck_assert_int_eq(atoi(deeper), 1);
    EZ_FREE char *more = printed("grep '^p;t;\\[more\\] ' \"%s\"", out);
    ck_assert_int_ge(atoi(strrchr(more, ' ')), 10000);
    struct stat st;
    ck_assert_int_eq(stat(out, &st), 0);
    ck_assert_int_lt(st.st_size, 16 << 20);
}
END_TEST

#ifdef HAVE_OTF2
static int found(const char *text)
{
    EZ_FREE char *n = printed("grep -cE '%s' %s/a.txt; true", text, dir);
    return atoi(n);
}

START_TEST(otf2)
{
    write_story(&ez_conv_otf2, out, false);
    if (!has("otf2-print") || !has("python3"))
        return;
    check_totals(&ez_conv_otf2, out, AS_LINE);
    ck_assert_int_eq(run("otf2-print -Werror -A \"%s/traces.otf2\" >%s/a.txt 2>&1", out, dir), 0);
    ck_assert_int_eq(found("^METRIC .*Value: .*DOUBLE; -1\\.5"), 1);
    ck_assert_int_eq(found("MPI_SEND .* 41 .*Receiver: 1 "), 1);
    ck_assert_int_eq(found("MPI_RECV .* 55 .*Sender: 0 "), 1);
    ck_assert_int_eq(found("MPI_(SEND|RECV) "), 2);
    ck_assert_int_eq(found("LINKS_NOT_WRITTEN"), 1);
}
END_TEST
#endif

/* ---- when it cannot be --------------------------------------------------------------------- */

/* Many calls under many names, so that every format has megabytes to write. */
static void tell_much(struct ez_model *m)
{
    uint32_t p = ez_model_container(m, EZ_L_PROCESS, 0, "p", 1, 0);
    uint32_t t = ez_model_container(m, EZ_L_THREAD, p, "t", 1, 1);
    for (int i = 0; i < 300000 && !m->err; i++) {
        EZ_FREE char *name = ez_sprintf("a_function_with_a_long_name_%d", i % 30000);
        ez_model_push(m, t, state(m, name));
        ez_model_at(m, m->now + 1);
        ez_model_pop(m, t);
    }
    ez_model_end(m);
}

/* What stood there before must still stand there, and nothing else. */
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
    if (f->gzip)
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
    fails(f->open(f, &m, to, false, &sink), code);
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
    if (f->gzip)
        refuses(f, out, EZ_E_ARG);
    else
        write_story(f, out, false); /* an empty folder is a place */
}
END_TEST

/* Who reads the old output reads on; the new one has its rights and is complete. A link
 * stays a link. */
START_TEST(replaced_at_once)
{
    const struct ez_format *f = formats[_i];
    EZ_FREE char *link = ez_sprintf("%s/a link", dir);
    EZ_FREE char *first = ez_sprintf("%s%s", out, f->gzip ? "" : "/traces.def");
    struct stat was, is;
    write_story(f, out, false);
    ck_assert_int_eq(symlink("a b;touch c'", link), 0);
    if (f->gzip)
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

/* An archive in which somebody keeps files of his own is not replaced. */
START_TEST(own_files_are_safe)
{
    EZ_FREE char *mine = ez_sprintf("%s/traces/notes.txt", out);
    for (int i = 0; i < FORMATS; i++) {
        if (formats[i]->gzip)
            continue;
        write_story(formats[i], out, false);
        ck_assert_int_eq(run("echo >\"%s\"", mine), 0);
        refuses(formats[i], out, EZ_E_ARG);
        ck_assert_int_eq(access(mine, R_OK), 0);
    }
}
END_TEST

START_TEST(text)
{
    EZ_FREE char *a = ez_text_plain("a;b\xc3\xa9\xff\t\xe2\x80\xae;", ";", ':');
    ck_assert_str_eq(a, "a:b\xc3\xa9\\377\t\\342\\200\\256:");
    struct ez_outfile *f;
    ok(ez_outfile_open(out, false, &f));
    const uint64_t v[] = { 0, 9, 10, 99, 100, 12345, UINT64_MAX };
    for (size_t i = 0; i < EZ_ARRAY_LEN(v); i++) {
        ez_outfile_u64(f, v[i]);
        ez_outfile_puts(f, " ");
        ez_outfile_us(f, v[i]);
        ez_outfile_printf(f, " %d\n", (int)i);
    }
    ez_outfile_json(f, "\"\n");
    ck_assert(ez_outfile_good(f));
    ok(ez_outfile_commit(f));
    ez_outfile_destroy(f);
    EZ_FREE char *got = printed("cat \"%s\"", out);
    ck_assert_str_eq(got, "0 0.000 0\n9 0.009 1\n10 0.010 2\n99 0.099 3\n100 0.100 4\n"
                          "12345 12.345 5\n18446744073709551615 18446744073709551.615 6\n"
                          "\"\\\"\\u000a\"");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("formats");
    TCase *c = tcase_create("formats");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_set_timeout(c, 120);
    tcase_add_test(c, chrome);
    tcase_add_test(c, csv);
    tcase_add_test(c, folded);
    tcase_add_test(c, folded_is_bounded);
#ifdef HAVE_OTF2
    tcase_add_test(c, otf2);
#endif
    tcase_add_loop_test(c, without_close_nothing_stays, 0, FORMATS);
    tcase_add_loop_test(c, full_disk, 0, FORMATS);
    tcase_add_loop_test(c, bad_places, 0, FORMATS);
    tcase_add_loop_test(c, replaced_at_once, 0, FORMATS);
    tcase_add_test(c, own_files_are_safe);
    tcase_add_test(c, text);
    suite_add_tcase(s, c);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
