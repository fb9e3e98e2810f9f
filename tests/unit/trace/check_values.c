/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_values.c - what probes collected, in each format that has a place for it. */
#include "config.h"

#include <unistd.h>

#include "tests/unit/formats_story.h"

#include "engine/base/json.h"
#include "engine/base/strutil.h"
#include "engine/data_abi.h"
#include "engine/trace/stats.h"
#include "engine/trace/values.h"
#include "tests/unit/suite.h"
#include "tests/unit/trace_file.h"

static const char entry_items[] = "small\tint\nlarge\tint\nhuge\tuint\nhalf\tdouble\nyes\tbool\n"
                                  "letter\tchar\ncolor\tenum RED=0,GREEN=1\ntext\ttext\nto\tptr\n"
                                  "of\tcode\nbad\tint\nsmall\thex\ninf\tdouble\n";
static const char exit_items[] = "$ret\tint\n";

static struct ez_items at_entry, at_exit;

static uint64_t bits(double d)
{
    uint64_t b;
    memcpy(&b, &d, sizeof b);
    return b;
}

static const char *symbol(const void *arg, uint64_t addr)
{
    return addr == 0x401000 ? arg : NULL;
}

static struct ez_event_data data_of(bool is_exit, const uint64_t *word, unsigned n)
{
    return (struct ez_event_data){ is_exit ? &at_exit : &at_entry, is_exit, word, n, symbol, "f" };
}

/* A call with values, and a point, in so many threads; a call inside it has none. */
static void tell_values(struct ez_model *m, unsigned threads)
{
    uint64_t text = 0;
    memcpy(&text, "a\"b,", 4);
    const uint64_t in[] = { (uint64_t)-5,
                            INT64_MIN,
                            UINT64_MAX,
                            bits(0.5),
                            1,
                            'A',
                            1,
                            4 | EZ_TEXT_CUT,
                            text,
                            0x7fff00001000,
                            0x401000,
                            0,
                            10,
                            bits(INFINITY),
                            1ull << EZ_DATA_BAD << 10 };
    const uint64_t out_words[] = { 0, 42 };
    const struct ez_event_data entry = data_of(false, in, EZ_ARRAY_LEN(in)),
                               leave = data_of(true, out_words, EZ_ARRAY_LEN(out_words));
    uint32_t p = ez_model_container(m, EZ_L_PROCESS, 0, "p", 1, 0);
    for (uint64_t i = 0; i < threads; i++) {
        uint32_t t = ez_model_container(m, EZ_L_THREAD, p, "t", 1, 10 + i);
        struct ez_about about = { EZ_NONE_IDX, EZ_NONE_IDX, &entry, NULL };
        ez_model_push(m, t, state(m, "outer"), about);
        ez_model_event(m, t, ez_model_name(m, EZ_N_EVENT, "point", "", 0), NULL, 0, about);
        ez_model_push(m, t, state(m, "inner"), EZ_ABOUT_NOTHING);
        ez_model_at(m, m->now + 10);
        ez_model_pop(m, t, EZ_ABOUT_NOTHING);
        about.data = &leave;
        ez_model_pop(m, t, about);
    }
    ez_model_end(m);
    ok(m->err);
}

static void write_values(const struct ez_format *f, unsigned threads)
{
    struct story s;
    begin(&s, f, out, false);
    tell_values(&s.m, threads);
    ok(f->close(s.sink));
    end(&s);
}

#define SHOWN                                                                                      \
    "small=-5 large=-9223372036854775808 huge=18446744073709551615 half=0.5 yes=true "             \
    "letter=65 'A' color=GREEN text=\"a\\\"b,\"... to=0x7fff00001000 of=0x401000 <f> "             \
    "bad=<fault> small#2=0xa inf=inf"

START_TEST(as_text)
{
    uint64_t word[] = { 7 };
    const struct ez_event_data d = data_of(false, word, 1);
    EZ_FREE char *cut = ez_event_data_text(&d);
    ck_assert_msg(!strncmp(cut, "small=7 large=<missing> huge=<missing>", 38), "%s", cut);
    uint64_t tail[] = { EZ_DATA_TAIL };
    const struct ez_event_data jumped = data_of(true, tail, 1);
    EZ_FREE char *text = ez_event_data_text(&jumped);
    ck_assert_str_eq(text, "$ret=<tail call>");
}
END_TEST

START_TEST(csv)
{
    write_values(&ez_conv_csv, 1);
    EZ_FREE char *all = printed("cat \"%s\"", out);
    const char *call = strstr(all, ",outer,"), *inner = strstr(all, ",inner,"),
               *point = strstr(all, ",point,");
    ck_assert(call && inner && point);
    char want[] = "small=-5 large=-9223372036854775808 huge=18446744073709551615 half=0.5 yes=true "
                  "letter=65 'A' color=GREEN text=\"\"a\\\"\"b,\"\"... to=0x7fff00001000 "
                  "of=0x401000 <f> bad=<fault> small#2=0xa inf=inf";
    EZ_FREE char *of_call = ez_sprintf(",\"%s $ret=42\"\n", want);
    EZ_FREE char *of_point = ez_sprintf(",,,,,,,,,,\"%s\"\n", want);
    ck_assert_msg(strstr(call, of_call), "%s", call);
    ck_assert_msg(strstr(point, of_point), "%s", point);
    ck_assert_int_eq(strcspn(strstr(inner, ",1,0,0,0,,,,"), "\n"), 12);
}
END_TEST

/* Writes a table with columns for these items, and a small one of what it must contain. */
static char *write_columns(const struct ez_collected *item, size_t n)
{
    const struct ez_format *f = ez_conv_csv.columns;
    struct story s = { .f = f };
    ez_model_init(&s.m, "program", f->item, NULL);
    for (size_t i = 0; i < n; i++) {
        struct ez_collected k = { ez_strdup(item[i].name), item[i].is_exit };
        EZ_PUSH(&s.m.collected, k);
    }
    ok(f->open(f, &s.m, &(struct ez_conv_out){ .path = out }, &s.sink));
    s.m.fn_arg = s.sink;
    tell_values(&s.m, 2);
    ok(f->close(s.sink));
    char *notice = s.sink->notice ? ez_strdup(s.sink->notice) : NULL;
    end(&s);
    return notice;
}

/* Each item has a column. Only texts of the program can be formulas, so a negative number has no
 * apostrophe. An item's name may be that of another column, or be collected at both ends. */
START_TEST(csv_columns)
{
    static const struct ez_collected item[] = { { "small", false },   { "huge", false },
                                                { "half", false },    { "text", false },
                                                { "bad", false },     { "pid", false },
                                                { "small#2", false }, { "$ret", false },
                                                { "$ret", true },     { "never", false } };
    EZ_FREE char *notice = write_columns(item, EZ_ARRAY_LEN(item));
    ck_assert_ptr_nonnull(notice); /* large, yes, letter, color, to, of, inf: call and point */
    ck_assert_msg(!strncmp(notice, "Values without a column: 28.", 28), "%s", notice);
    EZ_FREE char *lines = printed("cut -d , -f 5,18- \"%s\"", out);
    ck_assert_str_eq(lines,
                     "function,small,huge,half,text,bad,pid#2,small#2,$ret,return $ret,never\n"
                     "point,-5,18446744073709551615,0.5,\"a\"\"b,...\",<fault>,,0xa,,,\n"
                     "inner,,,,,,,,,,\n"
                     "outer,-5,18446744073709551615,0.5,\"a\"\"b,...\",<fault>,,0xa,,42,\n"
                     "point,-5,18446744073709551615,0.5,\"a\"\"b,...\",<fault>,,0xa,,,\n"
                     "inner,,,,,,,,,,\n"
                     "outer,-5,18446744073709551615,0.5,\"a\"\"b,...\",<fault>,,0xa,,42,\n");
    if (!tool_there("python3"))
        return;
    static const char script[] =
        "import csv, sys\n"
        "rows = list(csv.DictReader(open(sys.argv[1], newline='')))\n"
        "assert len(rows) == 6 and all(None not in r and None not in r.values() for r in rows)\n"
        "assert [r['text'] for r in rows] == ['a\"b,...', '', 'a\"b,...'] * 2, rows\n"
        "assert [r['return $ret'] for r in rows] == ['', '', '42'] * 2, rows\n"
        "assert all(r['pid'] == '1' and r['pid#2'] == '' for r in rows), rows\n";
    EZ_FREE char *path = ez_sprintf("%s/a.py", dir);
    FILE *p = fopen(path, "w");
    fputs(script, p);
    fclose(p);
    ck_assert_int_eq(run("python3 %s \"%s\"", path, out), 0);
}
END_TEST

/* Without collected items the table ends with the job. */
START_TEST(csv_no_columns)
{
    EZ_FREE char *notice = write_columns(NULL, 0);
    EZ_FREE char *bad = printed("awk -F , 'NF != 17' \"%s\"", out);
    ck_assert_str_eq(bad, "");
    EZ_FREE char *ends = printed("head -n 1 \"%s\" | tail -c 10", out);
    ck_assert_str_eq(ends, ",host,job\n");
}
END_TEST

START_TEST(chrome)
{
    write_values(&ez_conv_chrome, 1);
    if (!tool_there("python3"))
        return;
    static const char script[] =
        "import json, sys\n"
        "ev = json.load(open(sys.argv[1]), parse_constant=None)['traceEvents']\n"
        "b = [e.get('args') for e in ev if e['ph'] == 'B']\n"
        "want = {'small': -5, 'large': str(-1 << 63), 'huge': str((1 << 64) - 1), 'half': 0.5,"
        " 'yes': True, 'letter': \"65 'A'\", 'color': 'GREEN', 'text': 'a\"b,...',"
        " 'to': '0x7fff00001000', 'of': '0x401000 <f>', 'bad': '<fault>', 'small#2': '0xa',"
        " 'inf': 'inf'}\n"
        "assert b == [want, None], b\n"
        "assert [e['args'] for e in ev if e['ph'] == 'i'] == [want]\n"
        "assert [e.get('args') for e in ev if e['ph'] == 'E'] == [None, {'$ret': 42}]\n";
    EZ_FREE char *path = ez_sprintf("%s/a.py", dir);
    FILE *p = fopen(path, "w");
    fputs(script, p);
    fclose(p);
    ck_assert_int_eq(run("python3 %s \"%s\"", path, out), 0);
}
END_TEST

START_TEST(otf2)
{
#ifdef HAVE_OTF2
    enum { THREADS = 12 }; /* more than are written at once */
    write_values(&ez_conv_otf2, THREADS);
    if (!tool_there("otf2-print"))
        return;
    static const char *const want[] = { "(\"small\" <3>; INT64; -5)",
                                        "INT64; -9223372036854775808)",
                                        "UINT64; 18446744073709551615)",
                                        "DOUBLE; 0.5)",
                                        "(\"yes\" <7>; UINT64; 1)",
                                        "INT64; 65)",
                                        "STRING; \"GREEN\"",
                                        "STRING; \"a\"b,...\"",
                                        "UINT64; 140733193392128)",
                                        "STRING; \"0x401000 <f>\"",
                                        "STRING; \"<fault>\"",
                                        "(\"small#2\" <14>; UINT64; 10)",
                                        "DOUBLE; inf)" };
    EZ_FREE char *text = printed("otf2-print -Werror -A \"%s/traces.otf2\"", out);
    for (size_t i = 0; i < EZ_ARRAY_LEN(want); i++) {
        unsigned n = 0;
        for (const char *p = text; (p = strstr(p, want[i])); p++)
            n++;
        ck_assert_msg(n == 2 * THREADS, "%s: %u times", want[i], n);
    }
    unsigned n = 0;
    for (const char *p = text; (p = strstr(p, "(\"$ret\" <16>; INT64; 42)")); p++)
        n++;
    ck_assert_uint_eq(n, THREADS);
#endif
}
END_TEST

START_TEST(perfetto)
{
#ifdef HAVE_PROTOBUF_C
    static const char *const want[] = { "1 int_value: -5",
                                        "2 int_value: -9223372036854775808",
                                        "3 uint_value: 18446744073709551615",
                                        "4 double_value: 0.5",
                                        "5 bool_value: true",
                                        "6 string_value: \"65 \\'A\\'\"",
                                        "7 string_value: \"GREEN\"",
                                        "8 string_value: \"a\\\"b,...\"",
                                        "9 pointer_value: 140733193392128",
                                        "10 string_value: \"0x401000 <f>\"",
                                        "string_value: \"<fault>\"",
                                        "pointer_value: 10",
                                        "double_value: inf" };
    write_values(&ez_conv_perfetto, 1);
    if (!tool_there("protoc"))
        return;
    EZ_FREE char *text =
        printed("protoc --proto_path=\"${top_srcdir:-.}/engine/format/proto\" "
                "--decode=perfetto.Trace \"${top_srcdir:-.}/engine/format/proto/perfetto.proto\" "
                "<\"%s\" | tr -s ' \n' ' '",
                out);
    for (size_t i = 0; i < EZ_ARRAY_LEN(want); i++) {
        unsigned n = 0;
        EZ_FREE char *note = ez_sprintf("%s }", want[i]);
        for (const char *p = text; (p = strstr(p, note)); p++)
            n++;
        ck_assert_msg(n == 2, "%s: %u times in %s", note, n, text);
    }
    ck_assert_ptr_nonnull(strstr(text, "{ name_iid: 14 int_value: 42 } type: SLICE_END"));
    ck_assert_ptr_nonnull(strstr(text, "{ iid: 14 name: \"$ret\" }"));
    ck_assert_ptr_nonnull(strstr(text, "{ iid: 1 name: \"small\" }"));
#endif
}
END_TEST

/* A trace of a process, of three calls f(n) = -n, n = 0, 1, 2, in thread 10 * pid; a text comes before n. */
static void write_trace(const char *path, uint64_t pid)
{
    static const char defs[] = "s\ttext\nn\tint\n";
    uint64_t code = EZ_C_PROBE + 2;
    struct ez_fxt_out *f = tf_open(path, (int)pid);
    tf_process(f, pid, "app", "here");
    tf_probe(f, 1, TF_BOTH, "f", "lib");
    for (unsigned i = 0; i < 2; i++) {
        uint64_t arg = code + i;
        const char *text = i ? exit_items : defs;
        tf_ok(ez_fxt_out_define(
            f, &(struct ez_fxt_def){ EZ_DEF_ITEMS, 1, pid, &arg, 1, text, strlen(text) }));
    }
    tf_clock(f, 100, 1000000, 1000000);
    for (uint64_t n = 0; n < 3; n++) {
        uint64_t text = 'a' + n;
        tf_args(f, 200 + 10 * n, 10 * pid, code, (uint64_t[]){ 1, text, n }, 3);
        tf_args(f, 205 + 10 * n, 10 * pid, code + 1, (uint64_t[]){ 0, -n }, 2);
    }
    tf_clock(f, 1000, 1000900, 1000900);
    tf_ok(ez_fxt_out_close(f));
}

struct tables {
    struct ez_stats *st;
    struct ez_values *v;
};

static ez_err *both_tables(void *arg, const struct ez_item *it)
{
    struct tables *t = arg;
    EZ_TRY(ez_stats_item(t->st, it));
    return ez_values_item(t->v, it);
}

START_TEST(tables)
{
    EZ_FREE char *a = ez_sprintf("%s/a1", dir), *b = ez_sprintf("%s/a2", dir);
    char *const path[] = { a, b };
    struct ez_replay *r;
    write_trace(a, 41);
    write_trace(b, 42);
    ok(ez_replay_open(path, 2, NULL, &r));
    struct tables t = { ez_stats_create(ez_replay_model(r), EZ_BY_FUNCTION, false),
                        ez_values_create(ez_replay_model(r)) };
    ez_stats_subjects(t.st, "n");
    ez_replay_about(r, "n");
    ok(ez_replay_run(r, both_tables, &t, NULL));
    ez_stats_table(t.st, EZ_SORT_NAME);
    ck_assert_uint_eq(t.st->n, 3);
    for (uint32_t i = 0; i < 3; i++) {
        ck_assert_str_eq(t.st->row[i].function, "f");
        ck_assert_int_eq(atoi(t.st->row[i].subject), (int)i);
        ck_assert_uint_eq(t.st->row[i].calls, 2);
        ck_assert_uint_eq(t.st->row[i].times.total, 2);
    }
    ez_values_table(t.v);
    const struct ez_value_row *v = t.v->row;
    ck_assert_uint_eq(t.v->n, 3);
    ck_assert(!strcmp(v[0].item, "s") && !v[0].count && v[0].other == 6);
    ck_assert(!strcmp(v[1].item, "n") && !v[1].at_exit && v[1].count == 6 && !v[1].other);
    ck_assert(v[1].min == 0 && v[1].max == 2 && v[1].sum == 6);
    ck_assert(!strcmp(v[2].item, "$ret") && v[2].at_exit && v[2].min == -2 && v[2].sum == -6);
    ez_stats_free(t.st);
    ez_values_free(t.v);
    ez_replay_close(r);
}
END_TEST

/* A recursion, f(2) -> f(1) -> f(0), each with its result: rows have the calls, totals no part twice. */
START_TEST(about_results)
{
    static const uint64_t word[][2] = { { 0, 7 }, { 0, 7 }, { 0, 8 } };
    struct ez_model m;
    ez_model_init(&m, "program", ez_stats_item, NULL);
    struct ez_stats *st = ez_stats_create(&m, EZ_BY_FUNCTION, false);
    m.fn_arg = st;
    ez_stats_subjects(st, "$ret");
    uint32_t p = ez_model_container(&m, EZ_L_PROCESS, 0, "p", 1, 0);
    uint32_t t = ez_model_container(&m, EZ_L_THREAD, p, "t", 1, 1), f = state(&m, "f");
    for (unsigned i = 0; i < 3; i++, ez_model_at(&m, m.now + 10))
        ez_model_push(&m, t, f, EZ_ABOUT_NOTHING);
    for (unsigned i = 0; i < 3; i++, ez_model_at(&m, m.now + 10)) {
        const struct ez_event_data leave = data_of(true, word[i], 2);
        EZ_FREE char *text = ez_sprintf("%d", (int)word[i][1]);
        const struct ez_about about = { ez_model_subject(&m, "$ret", text, 0), t, &leave, NULL };
        ez_model_pop_name(&m, t, f, EZ_END_RETURN, about);
    }
    ez_model_end(&m);
    ez_stats_table(st, EZ_SORT_NAME);
    ck_assert_uint_eq(st->n, 2);
    const struct ez_stat_row *seven = &st->row[0], *eight = &st->row[1];
    ck_assert(!strcmp(seven->subject, "7") && seven->calls == 2 && seven->times.total == 2);
    ck_assert(!strcmp(eight->subject, "8") && eight->calls == 1);
    ck_assert_uint_eq(seven->total_ns, 0);
    ck_assert_uint_eq(eight->total_ns, 50);
    ck_assert_uint_eq(seven->self_ns + eight->self_ns, 50);
    ez_stats_free(st);
    ez_model_deinit(&m);
}
END_TEST

/* The list of the page with one text. */
static char *json_list(const char *key, const char *text)
{
    struct ez_json j = { .compact = true };
    ez_json_begin(&j, key, '[');
    ez_json_add_uint(&j, NULL, 0);
    ez_json_add_text(&j, NULL, text);
    ez_json_end(&j, ']');
    char *list = ez_sprintf("%s,\n", j.text);
    ez_json_free(&j);
    return list;
}

START_TEST(html)
{
    if (access(EZ_D3_JS, R_OK)) {
        printf("skip - check_values: d3 is not here\n");
        return;
    }
    write_values(&ez_conv_html, 1);
    EZ_FREE char *at = printed("grep -A 3 '^\"values\":' \"%s\"", out);
    EZ_FREE char *want = json_list("values", SHOWN " $ret=42");
    ck_assert_msg(strstr(at, want), "%s\n%s", at, want);
    EZ_FREE char *of_point = json_list("point_values", SHOWN);
    ck_assert_msg(strstr(at, of_point), "%s\n%s", at, of_point);
}
END_TEST

static void define(void)
{
    setup();
    ez_items_parse(entry_items, &at_entry);
    ez_items_parse(exit_items, &at_exit);
}

static void forget(void)
{
    ez_items_free(&at_entry);
    ez_items_free(&at_exit);
    teardown();
}

int main(void)
{
    Suite *s = suite_create("values");
    TCase *c = tcase_create("values");
    tcase_add_checked_fixture(c, define, forget);
    tcase_set_timeout(c, 60);
    tcase_add_test(c, as_text);
    tcase_add_test(c, csv);
    tcase_add_test(c, csv_columns);
    tcase_add_test(c, csv_no_columns);
    tcase_add_test(c, chrome);
    tcase_add_test(c, otf2);
    tcase_add_test(c, perfetto);
    tcase_add_test(c, html);
    tcase_add_test(c, tables);
    tcase_add_test(c, about_results);
    suite_add_tcase(s, c);
    return run_suite(s);
}
