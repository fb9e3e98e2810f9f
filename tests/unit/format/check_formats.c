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
        "assert i['tick']['args'] == {'arg0': 1, 'arg1': str(1 << 63)}\n"
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
    ck_assert_ptr_nonnull(strstr(text, "{\"arg0\":0,\"arg1\":9007199254740991,"
                                       "\"arg2\":\"9007199254740992\","
                                       "\"arg3\":\"9007199254740993\","
                                       "\"arg4\":\"18446744073709551615\"}"));
}
END_TEST

static void args_are(const char *event, const char *want)
{
    EZ_FREE char *line = printed("grep -F '{\"name\":\"%s\"' \"%s\" | grep -o '\"args\".*'"
                                 " | head -n 1",
                                 event, out);
    EZ_FREE char *all = ez_sprintf("\"args\":%s}", want);
    ck_assert_msg(!strncmp(line, all, strlen(all)), "%s: %s", event, line);
}

/* Arguments have the names of the module's words. A link's content begins at word 2. A second word
 * of the same name, and words beyond the names, have numbers: a key may appear only once. */
START_TEST(chrome_names_arguments)
{
    static const uint64_t word[] = { UINT64_MAX, UINT64_MAX, 0x1234, 0x3ff8000000000000u, 5, 6 };
    static const uint64_t open[] = { 3, 0x637465, 0 }; /* "etc" */
    struct ez_words many, path, link;
    struct story s;
    ck_assert(ez_words_parse("left:int bytes:uint @from:code load:double left:uint", &many));
    ck_assert(ez_words_parse("@file:int path:name", &path));
    ck_assert(ez_words_parse("key:hex to:uint bytes:uint", &link));
    begin(&s, &ez_conv_chrome, out, false);
    uint32_t p = ez_model_container(&s.m, EZ_L_PROCESS, 0, "p", 1, 0);
    uint32_t t = ez_model_container(&s.m, EZ_L_THREAD, p, "t", 1, 1);
    struct ez_about about = EZ_ABOUT_NOTHING;
    about.words = &many;
    ez_model_event(&s.m, t, ez_model_name(&s.m, EZ_N_EVENT, "many", "", 0), word,
                   EZ_ARRAY_LEN(word), about);
    about.words = &path;
    ez_model_event(&s.m, t, ez_model_name(&s.m, EZ_N_EVENT, "open", "", 0), open,
                   EZ_ARRAY_LEN(open), about);
    struct ez_link l = { .name = ez_model_name(&s.m, EZ_N_LINK, "sent", "", 0),
                         .peer = EZ_NONE_IDX,
                         .key = 1,
                         .arg = word + 4,
                         .narg = 2,
                         .first = 2,
                         .words = &link };
    ez_model_link_start(&s.m, t, &l);
    ez_model_end(&s.m);
    ok(ez_conv_chrome.close(s.sink));
    end(&s);
    args_are("many", "{\"left\":-1,\"bytes\":\"18446744073709551615\",\"from\":\"0x1234\","
                     "\"load\":1.5,\"arg4\":5,\"arg5\":6}");
    args_are("open", "{\"file\":3,\"path\":\"etc\"}");
    args_are("sent", "{\"bytes\":5,\"arg1\":6}");
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

/* Writes a script into the test's folder; returns its path, which the caller frees. */
static char *script_of(const char *text)
{
    char *path = ez_sprintf("%s/a.py", dir);
    FILE *p = fopen(path, "w");
    ck_assert_ptr_nonnull(p);
    fputs(text, p);
    ck_assert_int_eq(fclose(p), 0);
    return path;
}

/* What speedscope's importer relies on: a schema, indexes of frames, times that do not decrease and
 * are within the profile, and each close closes the innermost frame. */
START_TEST(speedscope)
{
    EZ_FREE char *gz = ez_sprintf("%s.speedscope.json.gz", out);
    write_story(&ez_conv_speedscope, out, false);
    write_story(&ez_conv_speedscope, gz, true);
    if (!tool_there("python3"))
        return;
    check_totals(&ez_conv_speedscope, out, AS_JSON);
    check_totals(&ez_conv_speedscope, gz, AS_JSON);
    EZ_FREE char *path = script_of(
        "import json, sys\n"
        "d = json.load(open(sys.argv[1]))\n"
        "assert d['name'] == 'program' and d['exporter'] == 'eztsh'\n"
        "names = [p['name'] for p in d['profiles']]\n"
        "assert names[0] == 'app 100: main 100' and names[1].startswith('app 100: a\"b;'), names\n"
        "assert names[2:] == ['app 100 #2', 'app 100 #2: main 100 #2'], names\n"
        "frames = d['shared']['frames']\n"
        "assert all(f['file'] == 'libm \"1\".so' for f in frames) and len(frames) == 5, frames\n"
        "for p in d['profiles']:\n"
        "    assert (p['startValue'], p['endValue']) == (0, 7200123456789), p\n"
        "    stack = []\n"
        "    for e in p['events']:\n"
        "        if e['type'] == 'O': stack.append(e['frame'])\n"
        "        else: assert e['type'] == 'C' and stack.pop() == e['frame'], e\n"
        "    assert not stack and p['events']\n");
    ck_assert_int_eq(run("python3 %s \"%s\"", path, out), 0);
}
END_TEST

/* A trace of points alone: speedscope refuses a file without a profile. */
START_TEST(speedscope_without_calls)
{
    struct story s;
    begin(&s, &ez_conv_speedscope, out, false);
    ez_model_event(&s.m, 0, ez_model_name(&s.m, EZ_N_EVENT, "mark", "", 0), NULL, 0,
                   EZ_ABOUT_NOTHING);
    ez_model_end(&s.m);
    ok(ez_conv_speedscope.close(s.sink));
    end(&s);
    EZ_FREE char *text = printed("cat \"%s\"", out);
    ck_assert_ptr_nonnull(strstr(text, "\"frames\":[]"));
    ck_assert_ptr_nonnull(strstr(text, "{\"type\":\"evented\",\"name\":\"program\","));
    ck_assert_ptr_nonnull(strstr(text, "\"events\":[]}]}"));
}
END_TEST

/* Many threads with more events than a block of the spool has: each profile has its own. */
START_TEST(speedscope_keeps_threads_apart)
{
    enum { THREADS = 20, CALLS = 3000 };
    struct story s;
    uint32_t t[THREADS], f[THREADS];
    begin(&s, &ez_conv_speedscope, out, false);
    uint32_t p = ez_model_container(&s.m, EZ_L_PROCESS, 0, "p", 1, 0);
    for (unsigned i = 0; i < THREADS; i++) {
        EZ_FREE char *name = ez_sprintf("t%u", i);
        t[i] = ez_model_container(&s.m, EZ_L_THREAD, p, name, 1, i + 1);
        f[i] = state(&s.m, name);
    }
    for (unsigned n = 0; n < CALLS; n++) {
        for (unsigned i = 0; i < THREADS; i++)
            ez_model_push(&s.m, t[i], f[i], EZ_ABOUT_NOTHING);
        ez_model_at(&s.m, s.m.now + 10);
        for (unsigned i = 0; i < THREADS; i++)
            ez_model_pop(&s.m, t[i], EZ_ABOUT_NOTHING);
    }
    ez_model_end(&s.m);
    ok(ez_conv_speedscope.close(s.sink));
    end(&s);
    if (!tool_there("python3"))
        return;
    EZ_FREE char *path =
        script_of("import json, sys\n"
                  "d = json.load(open(sys.argv[1]))\n"
                  "assert [p['name'] for p in d['profiles']] == ['p: t%d' % i for i in range(20)]\n"
                  "for i, p in enumerate(d['profiles']):\n"
                  "    want = [(c, 10 * n + (c == 'C') * 10) for n in range(3000) for c in 'OC']\n"
                  "    assert [(e['type'], e['at']) for e in p['events']] == want, p['name']\n"
                  "    names = {d['shared']['frames'][e['frame']]['name'] for e in p['events']}\n"
                  "    assert names == {'t%d' % i}, names\n");
    ck_assert_int_eq(run("python3 %s \"%s\"", path, out), 0);
}
END_TEST

/* The calls of a function and their inclusive time, as the file has them: caller, callee. */
static void edge_is(const char *caller, const char *callee, const char *want)
{
    EZ_FREE char *got =
        printed("awk -F '[=)]' '/^c?fn=/ { k = $1; id = $2; sub(/^\\(/, \"\", id);"
                " if ($3 != \"\") name[id] = substr($3, 2); if (k == \"fn\") fn = name[id];"
                " else cfn = name[id] } /^calls=/ { n = $2; sub(/ .*/, \"\", n); getline; if (fn "
                "== \"%s\" && cfn == \"%s\")"
                " print n \": \" $0 }' \"%s\" | tr -d '\n'",
                caller, callee, out);
    ck_assert_msg(!strcmp(got, want), "%s -> %s: %s", caller, callee, got);
}

/* f calls g, g calls f, f calls f: each call adds its inclusive time and the calls in it, as in
 * callgrind. Of a wait for the trace, nothing is in the calls around it. */
START_TEST(callgrind_recursion_and_pauses)
{
    struct story s;
    begin(&s, &ez_conv_callgrind, out, false);
    uint32_t p = ez_model_container(&s.m, EZ_L_PROCESS, 0, "p", 1, 0);
    uint32_t t = ez_model_container(&s.m, EZ_L_THREAD, p, "t", 1, 1);
    const uint32_t f = state(&s.m, "f"), g = state(&s.m, "g"), calls[] = { f, g, f, f };
    for (unsigned i = 0; i < 4; i++) {
        ez_model_push(&s.m, t, calls[i], EZ_ABOUT_NOTHING);
        ez_model_at(&s.m, s.m.now + 10);
    }
    ez_model_wait(&s.m, t, true);
    ez_model_at(&s.m, s.m.now + 500);
    ez_model_wait(&s.m, t, false);
    ez_model_off(&s.m, t, EZ_OFF_SLEPT);
    ez_model_at(&s.m, s.m.now + 7);
    ez_model_off(&s.m, t, EZ_OFF_NOT);
    for (unsigned i = 0; i < 4; i++)
        ez_model_pop(&s.m, t, EZ_ABOUT_NOTHING);
    ez_model_end(&s.m);
    ok(ez_conv_callgrind.close(s.sink));
    end(&s);
    edge_is("p: t", "f", "1: 0 47 5");
    edge_is("f", "g", "1: 0 37 4");
    edge_is("g", "f", "1: 0 27 3");
    edge_is("f", "f", "1: 0 17 2");
    edge_is("f", "[slept]", "1: 0 7 1");
    edge_is("p: t", "[waiting for the trace]", "1: 0 500 1");
    edge_is("f", "[waiting for the trace]", "");
    EZ_FREE char *text = printed("cat \"%s\"", out);
    ck_assert_ptr_nonnull(strstr(text, "\nsummary: 547 6\n"));
}
END_TEST

/* The program of valgrind reads the file: own and inclusive time of the functions. */
START_TEST(callgrind)
{
    write_story(&ez_conv_callgrind, out, false);
    if (tool_there("python3"))
        check_totals(&ez_conv_callgrind, out, AS_LINE);
    if (!tool_there("callgrind_annotate"))
        return;
    static const struct {
        const char *how, *function;
        unsigned long long ns, calls;
    } want[] = {
        { "no", "inner", 15 + (END - 61) + (END - 30), 3 },
        { "no", "outer", 45, 1 },
        { "yes", "outer", END, 4 },
        { "yes", "phase", 1005, 1 },
        { "yes", "app 100: main 100", END, 4 },
    };
    for (size_t i = 0; i < EZ_ARRAY_LEN(want); i++) {
        EZ_FREE char *got = printed("callgrind_annotate --threshold=100 --show-percs=no "
                                    "--inclusive=%s \"%s\" 2>&1 | grep -F '???:%s [' | tr -d ,",
                                    want[i].how, out, want[i].function);
        unsigned long long ns = 0, calls = 0;
        ck_assert_msg(sscanf(got, "%llu %llu", &ns, &calls) == 2, "%s", got);
        ck_assert_msg(ns == want[i].ns && calls == want[i].calls, "%s", got);
    }
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

static void push_about(struct ez_model *m, uint32_t t, uint32_t name, uint32_t subject)
{
    struct ez_about about = EZ_ABOUT_NOTHING;
    about.subject = subject;
    ez_model_push(m, t, name, about);
}

/* Locks, teams and collective calls of more threads than may be written at once. The last lock is held
 * at the end. */
static void parallel_story(struct ez_model *m)
{
    enum { THREADS = 12 };
    static const struct ez_words words = {
        .word = { { "comm", EZ_W_HEX }, { "bytes", EZ_W_UINT }, { "root", EZ_W_INT } },
        .n = 3,
        .subject = -1,
        .by_name = -1
    };
    uint32_t p[2], t[THREADS];
    for (uint64_t i = 0; i < 2; i++) {
        p[i] = ez_model_container(m, EZ_L_PROCESS, 0, "p", i + 1, 0);
        m->container.at[p[i]].rank = (uint32_t)i;
    }
    for (uint64_t i = 0; i < THREADS; i++)
        t[i] = ez_model_container(m, EZ_L_THREAD, p[i / 11], "t", 1, i + 1);
    uint32_t held = ez_model_name(m, EZ_N_STATE, "Critical Section", "pthread", 0),
             part = ez_model_name(m, EZ_N_STATE, "Working", "openmp", 0),
             sum = ez_model_name(m, EZ_N_STATE, "MPI_Allreduce", "mpi", 0),
             lock = ez_model_subject(m, "lock", "a", p[0]),
             region = ez_model_subject(m, "region", "r", 0);
    struct ez_about about = EZ_ABOUT_NOTHING;
    about.words = &words;
    push_about(m, t[0], ez_model_name(m, EZ_N_STATE, "Parallel region", "openmp", 0), region);
    for (unsigned i = 0; i < THREADS; i++) {
        ez_model_at(m, m->now + 10);
        push_about(m, t[i], part, region);
        push_about(m, t[i], held, lock);
        push_about(m, t[i], held, lock);
        ez_model_pop(m, t[i], EZ_ABOUT_NOTHING);
        ez_model_pop(m, t[i], EZ_ABOUT_NOTHING);
        ez_model_push_record(m, t[i], sum, (uint64_t[]){ 1 + 4 * (i / 11), 800 }, 2, about);
        ez_model_pop(m, t[i], EZ_ABOUT_NOTHING);
        ez_model_pop(m, t[i], EZ_ABOUT_NOTHING);
    }
    ez_model_pop(m, t[0], EZ_ABOUT_NOTHING);
    for (uint64_t comm = 1; comm <= 5; comm += 4) { /* rank 0 is the root, then rank 1 itself */
        ez_model_push_record(m, t[11], ez_model_name(m, EZ_N_STATE, "MPI_Bcast", "mpi", 0),
                             (uint64_t[]){ comm, 40, comm / 4 }, 3, about);
        ez_model_pop(m, t[11], EZ_ABOUT_NOTHING);
    }
    ez_model_at(m, m->now + 10);
    push_about(m, t[3], held, lock);
}

START_TEST(otf2_locks_teams_collectives)
{
    struct story s;
    begin(&s, &ez_conv_otf2, out, false);
    parallel_story(&s.m);
    ez_model_end(&s.m);
    ok(s.m.err);
    ok(ez_conv_otf2.close(s.sink));
    end(&s);
    if (!tool_there("otf2-print"))
        return;
    ck_assert_int_eq(run("otf2-print -Werror -A \"%s/traces.otf2\" >%s/a.txt 2>&1", out, dir), 0);
    ck_assert_int_eq(found("^THREAD_ACQUIRE_LOCK .*Model: .POSIX threads"), 25);
    ck_assert_int_eq(found("^THREAD_RELEASE_LOCK "), 24); /* that of t[3] is missing */
    ck_assert_int_eq(found("^THREAD_ACQUIRE_LOCK .* Acquisition Order: 12$"), 2);
    ck_assert_int_eq(found("^THREAD_RELEASE_LOCK .* Acquisition Order: 12$"), 2);
    ck_assert_int_eq(found("^THREAD_ACQUIRE_LOCK .* Acquisition Order: 13$"), 1);
    ck_assert_int_eq(found("^THREAD_(FORK|JOIN) .*OpenMP"), 2);
    ck_assert_int_eq(found("^THREAD_TEAM_(BEGIN|END) .*\"team of t\""), 22); /* of one process */
    ck_assert_int_eq(found("^GROUP .*\"team of t\".* 11 Members: "), 1);
    ck_assert_int_eq(found("^MPI_COLLECTIVE_BEGIN "), 14);
    ck_assert_int_eq(found("^MPI_COLLECTIVE_END .*ALLREDUCE.*Root: NONE.*Sent: 800,"), 12);
    ck_assert_int_eq(found("^MPI_COLLECTIVE_END .*\"MPI_COMM_WORLD\""), 12);
    ck_assert_int_eq(found("BCAST, .*WORLD.*Root: 0 .*Sent: 0, Received: 40"), 1);
    ck_assert_int_eq(found("BCAST, .*0x5.*Root: NONE, Sent: 40, Received: 0"), 1);
    ck_assert_int_eq(found("\\(\"root\" <[0-9]*>; UINT64; 1\\)"), 1);
    ck_assert_int_eq(found("^GROUP .*\"MPI_COMM_WORLD\".* 2 Members: "), 1);
    ck_assert_int_eq(found("^GROUP .*\"communicator 0x5\".* 1 Member: 1 "), 1);
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
    tcase_add_test(c, chrome_names_arguments);
    tcase_add_test(c, csv);
    tcase_add_test(c, csv_holds_no_formula);
    tcase_add_test(c, folded);
    tcase_add_test(c, speedscope);
    tcase_add_test(c, speedscope_without_calls);
    tcase_add_test(c, speedscope_keeps_threads_apart);
    tcase_add_test(c, callgrind);
    tcase_add_test(c, callgrind_recursion_and_pauses);
    tcase_add_test(c, folded_is_bounded);
#ifdef HAVE_OTF2
    tcase_add_test(c, otf2);
    tcase_add_test(c, otf2_definitions_are_of_what_is_there);
    tcase_add_test(c, otf2_many_threads);
    tcase_add_test(c, otf2_locks_teams_collectives);
#endif
    suite_add_tcase(s, c);
    return run_suite(s);
}
