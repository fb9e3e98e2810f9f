/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_formats.c - one story told to every sink, judged by readers that are not ours. */
#include <sys/resource.h>

#include "config.h"
#include "engine/text.h"
#include "tests/unit/engine/formats_story.h"
#include "tests/unit/suite.h"

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

/* More threads than may be written at once, more than there are descriptors: the others
 * are set aside, all kinds of events. */
START_TEST(otf2_many_threads)
{
    enum { THREADS = 60, CALLS = 12000 };
    struct rlimit was, few = { 40, 40 };
    struct story s;
    uint32_t t[THREADS];
    getrlimit(RLIMIT_NOFILE, &was);
    few.rlim_max = was.rlim_max;
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &few), 0);
    begin(&s, &ez_conv_otf2, out, false);
    uint32_t p = ez_model_container(&s.m, EZ_L_PROCESS, 0, "p", 1, 0), f = state(&s.m, "f");
    uint32_t var = ez_model_name(&s.m, EZ_N_VAR, "v", "", 0);
    uint32_t tick = ez_model_name(&s.m, EZ_N_EVENT, "tick", "", 0);
    uint32_t message = ez_model_name(&s.m, EZ_N_LINK, "message", "", 0);
    for (uint64_t i = 0; i < THREADS; i++)
        t[i] = ez_model_container(&s.m, EZ_L_THREAD, p, "t", 1, i + 1);
    for (uint64_t n = 0; n < CALLS; n++) {
        for (unsigned i = 0; i < THREADS; i++)
            ez_model_push(&s.m, t[i], f);
        ez_model_at(&s.m, s.m.now + 10);
        for (unsigned i = 0; i < THREADS; i++)
            ez_model_pop(&s.m, t[i]);
    }
    for (uint64_t i = 0; i < THREADS; i++) {
        ez_model_var_set(&s.m, t[i], var, (double)i / 2);
        ez_model_event(&s.m, t[i], tick, (uint64_t[]){ i + 1000, i + 2000 }, 2);
        ez_model_link_start(&s.m, t[i], message, i, t[(i + 1) % THREADS]);
        ez_model_link_end(&s.m, t[(i + 1) % THREADS], message, i, EZ_NONE_IDX);
    }
    ez_model_end(&s.m);
    ok(s.m.err);
    ok(ez_conv_otf2.close(s.sink));
    end(&s);
    setrlimit(RLIMIT_NOFILE, &was);
    if (!has("otf2-print") || !has("python3"))
        return;
    EZ_FREE char *got = totals(&ez_conv_otf2, out);
    EZ_FREE char *want = ez_sprintf("\"f\"\t%d\t%d\t%d\n", THREADS * CALLS, THREADS * CALLS * 10,
                                    THREADS * CALLS * 10);
    ck_assert_str_eq(got, want);
    ck_assert_int_eq(run("otf2-print -Werror \"%s/traces.otf2\" >%s/a.txt 2>&1", out, dir), 0);
    ck_assert_int_eq(found("^METRIC .*DOUBLE; 29\\.5"), 1);
    ck_assert_int_eq(found("UINT64; 1059.*UINT64; 2059"), 1);
    ck_assert_int_eq(found("^MPI_SEND  *58 .*Receiver: 59 .*Tag: 58,"), 1);
    ck_assert_int_eq(found("^MPI_RECV  *59 .*Sender: 58 .*Tag: 58,"), 1);
    ck_assert_int_eq(found("^MPI_"), 2 * THREADS);
}
END_TEST
#endif

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
    tcase_add_test(c, otf2_many_threads);
#endif
    suite_add_tcase(s, c);
    return run_suite(s);
}
