/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_formats.c - the same items go to every sink, and other programs read the files. */
#include "tests/unit/many.h"

#include <sys/resource.h>

#include "config.h"
#include "engine/trace/stats.h"
#include "engine/base/strutil.h"
#include "tests/unit/formats_story.h"
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
    if (!tool_there("python3"))
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
        /* what speedscope asks for: a phase and a time in each, ends named like what is open */
        "assert all('ph' in e and 'ts' in e for e in ev)\n"
        "stack = {}\n"
        "for e in ev:\n"
        "    if e['ph'] == 'B': stack.setdefault((e['pid'], e['tid']), []).append(e['name'])\n"
        "    if e['ph'] == 'E': assert stack[e['pid'], e['tid']].pop() == e['name'], e\n"
        "assert '7200123456.789' in open(sys.argv[1]).read()\n";
    EZ_FREE char *path = ez_sprintf("%s/a.py", dir);
    FILE *p = fopen(path, "w");
    fputs(script, p);
    fclose(p);
    ck_assert_int_eq(run("python3 %s \"%s\"", path, out), 0);
}
END_TEST

/* JavaScript's numbers are exact to 2^53. */
START_TEST(chrome_keeps_large_numbers)
{
    struct story s;
    const uint64_t arg[] = { 0, (1ull << 53) - 1, 1ull << 53, (1ull << 53) + 1, UINT64_MAX };
    begin(&s, &ez_conv_chrome, out, false);
    uint32_t p = ez_model_container(&s.m, EZ_L_PROCESS, 0, "p", 1, 0);
    uint32_t t = ez_model_container(&s.m, EZ_L_THREAD, p, "t", 1, 1);
    ez_model_event(&s.m, t, ez_model_name(&s.m, EZ_N_EVENT, "large", "", 0), arg, EZ_ARRAY_LEN(arg),
                   EZ_ABOUT_NOTHING);
    ez_model_end(&s.m);
    ok(ez_conv_chrome.close(s.sink));
    end(&s);
    EZ_FREE char *text = printed("cat \"%s\"", out);
    ck_assert_ptr_nonnull(strstr(text, "[0,9007199254740991,\"9007199254740992\","
                                       "\"9007199254740993\",\"18446744073709551615\"]"));
}
END_TEST

START_TEST(csv)
{
    write_story(&ez_conv_csv, out, false);
    /* a name with a newline in it does not break lines: header, 7 calls, 2 points */
    EZ_FREE char *n = printed("wc -l <\"%s\"", out);
    ck_assert_int_eq(atoi(n), 1 + 7 + 2);
    EZ_FREE char *point =
        printed("grep -c '^app 100,100,main 100,100,tick,,,30,,,,,,,,,,$' \"%s\"", out);
    ck_assert_int_eq(atoi(point), 1);
    EZ_FREE char *forced = printed("grep -c ',0,0,0,0,,,,$' \"%s\"", out);
    ck_assert_int_eq(atoi(forced), 3);
    if (tool_there("python3"))
        check_totals(&ez_conv_csv, out, AS_LINE);
}
END_TEST

/* Spreadsheets take a cell that begins with these characters for a formula. */
START_TEST(csv_holds_no_formula)
{
    static const char *const text[] = {
        "=1+1", "+1", "-[View draw]", "@SUM(A1)", "a=b", "=\"x,\""
    };
    static const char *const want[] = { "'=1+1",     "'+1", "'-[View draw]",
                                        "'@SUM(A1)", "a=b", "\"'=\"\"x,\"\"\"" };
    struct story s;
    begin(&s, &ez_conv_csv, out, false);
    uint32_t p = ez_model_container(&s.m, EZ_L_PROCESS, 0, "p", 1, 0);
    uint32_t t = ez_model_container(&s.m, EZ_L_THREAD, p, "=cmd", 1, 1);
    for (size_t i = 0; i < EZ_ARRAY_LEN(text); i++) {
        ez_model_push(&s.m, t, state(&s.m, text[i]), EZ_ABOUT_NOTHING);
        ez_model_at(&s.m, i + 1);
        ez_model_pop(&s.m, t, EZ_ABOUT_NOTHING);
    }
    ez_model_end(&s.m);
    ok(ez_conv_csv.close(s.sink));
    end(&s);
    for (size_t i = 0; i < EZ_ARRAY_LEN(text); i++) {
        EZ_FREE char *line = printed("sed -n '%zup' \"%s\"", i + 2, out);
        EZ_FREE char *begins = ez_sprintf("p,1,'=cmd,1,%s,", want[i]);
        ck_assert_msg(!strncmp(line, begins, strlen(begins)), "%s", line);
    }
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
    if (!tool_there("python3"))
        return;
    EZ_FREE char *got = totals(&ez_conv_folded, out);
    ck_assert_msg(!strncmp(got, "\"a\\\"b:c,d\\\\012", 14), "%s", got);
}
END_TEST

struct sums { /* of a function, by a table and by the file                           */
    uint64_t self, total;
};

static ez_err *both(void *arg, const struct ez_item *it)
{
    void **x = arg;
    ez_err *e = ez_stats_item(x[1], it);
    return e ? e : ez_conv_folded.item(x[0], it);
}

/* The sums of the file's lines: for the innermost function of each stack, and for each function in it. */
static uint64_t add_up(struct sums *sum, bool *more)
{
    uint64_t all = 0;
    size_t room = 0;
    EZ_FREE char *line = NULL;
    FILE *f = fopen(out, "r");
    while (getline(&line, &room, f) > 0) {
        char *number = strrchr(line, ' '), *save;
        uint64_t ns = strtoull(number, NULL, 10), seen = 0;
        unsigned last = 0;
        *number = 0;
        all += ns;
        for (char *p = strtok_r(line, ";", &save); p; p = strtok_r(NULL, ";", &save)) {
            *more |= !strcmp(p, "[more]");
            if (p[0] < 'a' || p[0] > 'j' || p[1]) /* process, thread */
                continue;
            last = (unsigned)(p[0] - 'a');
            if (!(seen >> last & 1))
                sum[last].total += ns;
            seen |= 1ull << last;
        }
        sum[last].self += ns;
    }
    fclose(f);
    return all;
}

/* A recursion far deeper than the tree, one through several functions in no order, then more stacks
 * than the tree may have. The file stays small, and its sums are those of the table, in each
 * function and below it. */
static void deep_story(struct story *s, uint32_t t, const uint32_t *f)
{
    uint64_t x = 88172645463325252u, now = 0;
    for (int i = 0; i < 60000; i++)
        ez_model_push(&s->m, t, f[9], EZ_ABOUT_NOTHING), ez_model_at(&s->m, ++now);
    for (int i = 0; i < 60000; i++)
        ez_model_at(&s->m, ++now), ez_model_pop(&s->m, t, EZ_ABOUT_NOTHING);
    for (int i = 0; i < 200000; i++) {
        size_t n = s->m.container.at[t].stack.n;
        x ^= x << 13, x ^= x >> 7, x ^= x << 17;
        ez_model_at(&s->m, now += x % 7);
        if (n < 200 || (x % 16 < 8 && n < 700))
            ez_model_push(&s->m, t, f[(x >> 8) % 3 + n / 150], EZ_ABOUT_NOTHING);
        else
            ez_model_pop(&s->m, t, EZ_ABOUT_NOTHING);
    }
    while (s->m.container.at[t].stack.n)
        ez_model_pop(&s->m, t, EZ_ABOUT_NOTHING);
}

static void many_stacks(struct story *s, uint32_t t, const uint32_t *f)
{
    uint64_t now = s->m.now;
    for (int i = 0; i < 600000; i++) { /* six frames deep, all different */
        for (int n = i, d = 0; d < 6; d++, n /= 10)
            ez_model_push(&s->m, t, f[n % 10], EZ_ABOUT_NOTHING);
        ez_model_at(&s->m, ++now);
        for (int d = 0; d < 6; d++)
            ez_model_pop(&s->m, t, EZ_ABOUT_NOTHING);
    }
}

static void adds_up(void (*tell_it)(struct story *, uint32_t, const uint32_t *), bool too_many)
{
    struct story s;
    struct sums sum[10] = { { 0, 0 } };
    uint64_t want = 0;
    bool more = false;
    begin(&s, &ez_conv_folded, out, false);
    struct ez_stats *st = ez_stats_create(&s.m, EZ_BY_FUNCTION, false);
    void *readers[] = { s.sink, st };
    s.m.fn = both;
    s.m.fn_arg = readers;
    uint32_t p = ez_model_container(&s.m, EZ_L_PROCESS, 0, "proc", 1, 0);
    uint32_t t = ez_model_container(&s.m, EZ_L_THREAD, p, "thread", 1, 1);
    uint32_t f[10];
    for (int i = 0; i < 10; i++)
        f[i] = state(&s.m, (char[]){ (char)('a' + i), 0 });
    tell_it(&s, t, f);
    ez_model_end(&s.m);
    ok(ez_conv_folded.close(s.sink));
    ez_stats_table(st, EZ_SORT_NAME);
    uint64_t all = add_up(sum, &more);
    for (size_t i = 0; i < st->n; i++) {
        const struct ez_stat_row *r = &st->row[i];
        const struct sums *x = &sum[r->function[0] - 'a'];
        want += r->self_ns;
        ck_assert_uint_eq(x->self, r->self_ns);
        ck_assert(more || x->total == r->total_ns);
    }
    ck_assert_uint_eq(all, want);
    ck_assert(more == too_many && !s.sink->notice == !too_many);
    ez_stats_free(st);
    end(&s);
    struct stat size;
    ck_assert_int_eq(stat(out, &size), 0);
    ck_assert_int_lt(size.st_size, 32 << 20);
}

START_TEST(folded_is_bounded)
{
    adds_up(deep_story, false);
    adds_up(many_stacks, true);
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
    if (!tool_there("otf2-print") || !tool_there("python3"))
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

/* What readers rely on before they look at events: ticks a second, where time begins and how
 * long it is, and of each location how many events it has, as many as there are. */
START_TEST(otf2_definitions_are_of_what_is_there)
{
    write_story(&ez_conv_otf2, out, false);
    if (!tool_there("otf2-print") || !tool_there("python3"))
        return;
    ck_assert_int_eq(run("otf2-print -Werror -G \"%s/traces.otf2\" >%s/a.txt 2>&1", out, dir), 0);
    ck_assert_int_eq(run("otf2-print -Werror \"%s/traces.otf2\" >%s/a2.txt 2>&1", out, dir), 0);
    EZ_FREE char *script = ez_sprintf("%s/a.py", dir);
    FILE *f = fopen(script, "w");
    ck_assert_ptr_nonnull(f);
    fprintf(f,
            "import re\n"
            "defs, events = open('%s/a.txt').read(), open('%s/a2.txt').read()\n"
            "clock = re.search(r'^CLOCK_PROPERTIES .*', defs, re.M).group()\n"
            "got = [int(re.search(w + r': (\\d+)', clock).group(1)) for w in"
            " ('Ticks per Seconds', 'Global Offset', 'Length')]\n"
            "assert got == [1000000000, 0, %llu], clock\n"
            "said = {int(a): int(n) for a, n in re.findall("
            "r'^LOCATION +(\\d+) .*?# Events: (\\d+)', defs, re.M)}\n"
            "is_ = dict.fromkeys(said, 0)\n"
            "for l in re.findall(r'^[A-Z_]+ +(\\d+) +\\d+ ', events, re.M):\n"
            "    is_[int(l)] += 1\n"
            "assert said == is_ and len({n for n in is_.values()}) > 2, (said, is_)\n",
            dir, dir, END);
    fclose(f);
    ck_assert_int_eq(run("python3 %s", script), 0);
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
            ez_model_push(&s.m, t[i], f, EZ_ABOUT_NOTHING);
        ez_model_at(&s.m, s.m.now + 10);
        for (unsigned i = 0; i < THREADS; i++)
            ez_model_pop_name(&s.m, t[i], f, n ? EZ_END_RETURN : EZ_END_UNWOUND, EZ_ABOUT_NOTHING);
    }
    for (uint64_t i = 0; i < THREADS; i++) {
        ez_model_var_set(&s.m, t[i], var, (double)i / 2, EZ_ABOUT_NOTHING);
        ez_model_event(&s.m, t[i], tick, (uint64_t[]){ i + 1000, i + 2000 }, 2, EZ_ABOUT_NOTHING);
        struct ez_link l = { .name = message, .peer = t[(i + 1) % THREADS], .key = i };
        ez_model_link_start(&s.m, t[i], &l);
        ez_model_link_end(&s.m, t[(i + 1) % THREADS], &l);
    }
    ez_model_end(&s.m);
    ok(s.m.err);
    ok(ez_conv_otf2.close(s.sink));
    end(&s);
    setrlimit(RLIMIT_NOFILE, &was);
    if (!tool_there("otf2-print") || !tool_there("python3"))
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
    ck_assert_int_eq(found("\\(\"unwound\" <0>; UINT8; 1\\)"), THREADS);
}
END_TEST
#endif

/* The ways in which calls end: by return, by an exception, unseen; and two are cut, one of which
 * began before the window. */
static void ends(const struct ez_format *f)
{
    struct story s;
    begin(&s, f, out, false);
    ez_model_window(&s.m, 5, UINT64_MAX);
    uint32_t p = ez_model_container(&s.m, EZ_L_PROCESS, 0, "p", 1, 0);
    uint32_t t = ez_model_container(&s.m, EZ_L_THREAD, p, "t", 1, 2);
    ez_model_push(&s.m, t, state(&s.m, "before"), EZ_ABOUT_NOTHING);
    ez_model_at(&s.m, 10);
    ez_model_push(&s.m, t, state(&s.m, "returned"), EZ_ABOUT_NOTHING);
    ez_model_pop(&s.m, t, EZ_ABOUT_NOTHING);
    ez_model_push(&s.m, t, state(&s.m, "left"), EZ_ABOUT_NOTHING);
    ez_model_push(&s.m, t, state(&s.m, "unseen"), EZ_ABOUT_NOTHING);
    ez_model_at(&s.m, 20);
    ez_model_pop_name(&s.m, t, state(&s.m, "left"), EZ_END_UNWOUND, EZ_ABOUT_NOTHING);
    ez_model_pop(&s.m, t, EZ_ABOUT_NOTHING);
    ez_model_push(&s.m, t, state(&s.m, "lost"), EZ_ABOUT_NOTHING);
    ez_model_at(&s.m, 30);
    ez_model_gap(&s.m, t, 3);
    ez_model_end(&s.m);
    ok(f->close(s.sink));
    end(&s);
}

static void line_of(const char *name, const char *end)
{
    EZ_FREE char *line = printed("grep -a '%s' \"%s\" | tail -n 1 | tr -d '\n'", name, out);
    ck_assert_msg(strlen(line) > strlen(end) && !strcmp(line + strlen(line) - strlen(end), end),
                  "%s: %s", name, line);
}

START_TEST(how_calls_ended)
{
    ends(&ez_conv_csv); /* complete, paused_ns, unwound, cut, rank, host, job, data */
    line_of("returned", ",1,0,0,0,,,,");
    line_of("left", ",1,0,1,0,,,,");
    line_of("unseen", ",0,0,0,0,,,,");
    line_of("before", ",1,0,0,1,,,,");
    line_of("t,2,lost", ",0,0,0,1,,,,");
    unlink(out);
    ends(&ez_conv_chrome);
    line_of("\"returned\"", "\"ts\":0.010},");
    line_of("\"left\"", "\"ts\":0.020,\"args\":{\"unwound\":true}},");
    line_of("\"unseen\"", "\"ts\":0.020,\"args\":{\"complete\":false}},");
    line_of("\"before\"", "\"ts\":0.020,\"args\":{\"cut\":true}},");
    line_of("\"lost\"", "\"ts\":0.030,\"args\":{\"complete\":false,\"cut\":true}},");
    unlink(out);
#ifdef HAVE_OTF2
    if (!tool_there("otf2-print"))
        return;
    ends(&ez_conv_otf2);
    ck_assert_int_eq(run("otf2-print -Werror -A \"%s/traces.otf2\" | tr '\\n' ' ' | "
                         "sed 's/ENTER/\\n&/g; s/LEAVE/\\n&/g' >%s/a.txt",
                         out, dir),
                     0);
    ck_assert_int_eq(found("^LEAVE .*\"(returned|left|unseen|before|lost)\""), 5);
    ck_assert_int_eq(found("^LEAVE .*\"returned\".*UINT8"), 0);
    ck_assert_int_eq(found("^LEAVE .*\"left\".*\\(\"unwound\" <0>; UINT8; 1\\) *$"), 1);
    ck_assert_int_eq(found("^LEAVE .*\"unseen\".*: \\(\"unknown end\" <1>; UINT8; 1\\) *$"), 1);
    ck_assert_int_eq(found("^LEAVE .*\"before\".*: \\(\"cut\" <2>; UINT8; 1\\) *$"), 1);
    ck_assert_int_eq(found("^LEAVE .*\"lost\".*<1>; UINT8; 1.*\"cut\" <2>; UINT8; 1"), 1);
#endif
}
END_TEST

int main(void)
{
    Suite *s = suite_create("formats");
    TCase *c = tcase_create("formats");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_set_timeout(c, 120);
    tcase_add_test(c, chrome);
    tcase_add_test(c, how_calls_ended);
    tcase_add_test(c, chrome_keeps_large_numbers);
    tcase_add_test(c, csv);
    tcase_add_test(c, csv_holds_no_formula);
    tcase_add_test(c, folded);
    tcase_add_test(c, folded_is_bounded);
#ifdef HAVE_OTF2
    tcase_add_test(c, otf2);
    tcase_add_test(c, otf2_definitions_are_of_what_is_there);
    tcase_add_test(c, otf2_many_threads);
#endif
    suite_add_tcase(s, c);
    return run_suite(s);
}
