/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_proto.c - formats in protocol buffers; other programs read the files. */
#include "tests/unit/formats_story.h"
#include "tests/unit/suite.h"

#ifdef HAVE_PROTOBUF_C
#define AS_LINE "\"a\\\"b;c,d\\\\012\\\\033[31m\\\\377\\\\x0000000000000000000000000000000000"

static char *totals(const struct ez_format *f, const char *path)
{
    return printed("python3 \"${top_srcdir:-.}/tests/trace/totals.py\" %s \"%s\"", f->name, path);
}

/* Returns the output, decoded by protoc with our declaration of the messages. */
static char *decoded(const char *message, const char *proto, bool gzip)
{
    return printed("%s <\"%s\" | protoc --proto_path=\"${top_srcdir:-.}/engine/format/proto\" "
                   "--decode=%s \"${top_srcdir:-.}/engine/format/proto/%s\"",
                   gzip ? "gzip -dc" : "cat", out, message, proto);
}

static int times(const char *text, const char *what)
{
    int n = 0;
    for (const char *p = text; (p = strstr(p, what)); p += strlen(what))
        n++;
    return n;
}

/* ---- pprof ---------------------------------------------------------------------------------- */

START_TEST(pprof_has_the_totals)
{
    write_story(&ez_conv_pprof, out, false);
    if (!tool_there("python3"))
        return;
    EZ_FREE char *got = totals(&ez_conv_pprof, out);
    EZ_FREE char *want = ez_sprintf(
        "%.60s\t1\t%llu\t1\n\"inner\"\t3\t%llu\t%llu\n\"lost\"\t1\t%llu\t%llu\n\"mark\"\t1\t0\t0\n"
        "\"outer\"\t1\t%llu\t45\n\"phase\"\t1\t1005\t1005\n\"tick\"\t1\t0\t0\n"
        "\"[waiting for the trace]\"\t-\t-\t-\n",
        AS_LINE, END - 60, 15 + (END - 61) + (END - 30), 15 + (END - 61) + (END - 30), END - 61,
        END - 61, END);
    ck_assert_str_eq(got, want);
}
END_TEST

START_TEST(pprof_is_what_protoc_reads)
{
    write_story(&ez_conv_pprof, out, false);
    if (!tool_there("protoc"))
        return;
    EZ_FREE char *text = decoded("pprof.Profile", "pprof.proto", true);
    ck_assert_int_eq(times(text, "sample_type {"), 3);
    ck_assert_int_eq(times(text, "\nsample {"), 9);
    ck_assert_int_eq(times(text, "\nmapping {"), 1); /* of five functions */
    ck_assert_int_eq(times(text, "\nlocation {"), 7);
    ck_assert_int_eq(times(text, "\nfunction {"), 7);
    ck_assert_int_eq(times(text, "string_table: \"app 100 #2\""), 1);
    ck_assert_int_eq(times(text, "string_table: \"libm \\\"1\\\".so\""), 1);
    EZ_FREE char *duration = ez_sprintf("duration_nanos: %llu\n", END);
    ck_assert_int_eq(times(text, duration), 1);
}
END_TEST

/* In a recursion that is deeper than stacks are kept apart, calls and self times stay exact. */
START_TEST(pprof_counts_the_calls_of_a_deep_recursion)
{
    struct story s;
    begin(&s, &ez_conv_pprof, out, false);
    uint32_t p = ez_model_container(&s.m, EZ_L_PROCESS, 0, "p", 1, 0);
    uint32_t t = ez_model_container(&s.m, EZ_L_THREAD, p, "t", 1, 2);
    for (unsigned i = 0; i < 1000; i++) {
        ez_model_push(&s.m, t, state(&s.m, "deep"), EZ_ABOUT_NOTHING);
        ez_model_at(&s.m, s.m.now + 2);
        ez_model_push(&s.m, t, state(&s.m, "leaf"), EZ_ABOUT_NOTHING);
        ez_model_event(&s.m, t, ez_model_name(&s.m, EZ_N_EVENT, "point", "", 0), NULL, 0,
                       EZ_ABOUT_NOTHING);
        ez_model_at(&s.m, s.m.now + 3);
        ez_model_pop(&s.m, t, EZ_ABOUT_NOTHING);
    }
    ez_model_end(&s.m);
    ok(ez_conv_pprof.close(s.sink));
    ck_assert_ptr_null(s.sink->notice);
    end(&s);
    if (!tool_there("python3"))
        return;
    EZ_FREE char *got = totals(&ez_conv_pprof, out);
    ck_assert_str_eq(got, "\"deep\"\t1000\t-\t2000\n\"leaf\"\t1000\t3000\t3000\n"
                          "\"point\"\t1000\t0\t0\n\"[waiting for the trace]\"\t-\t-\t-\n");
}
END_TEST

/* Reads the ranks of samples, and the times of pauses. */
START_TEST(pprof_labels_ranks_and_tells_pauses_apart)
{
    struct story s;
    begin(&s, &ez_conv_pprof, out, false);
    uint32_t p = ez_model_container(&s.m, EZ_L_PROCESS, 0, "rank 0: p", 1, 0);
    uint32_t t = ez_model_container(&s.m, EZ_L_THREAD, p, "t", 1, 2);
    s.m.container.at[p].rank = 0;
    ez_model_push(&s.m, t, state(&s.m, "f"), EZ_ABOUT_NOTHING);
    ez_model_at(&s.m, 100);
    ez_model_off(&s.m, t, EZ_OFF_SLEPT);
    ez_model_at(&s.m, 100100);
    ez_model_off(&s.m, t, EZ_OFF_NOT);
    ez_model_at(&s.m, 200000);
    ez_model_pop(&s.m, t, EZ_ABOUT_NOTHING);
    ez_model_end(&s.m);
    ok(ez_conv_pprof.close(s.sink));
    end(&s);
    if (tool_there("python3")) {
        EZ_FREE char *got = totals(&ez_conv_pprof, out);
        ck_assert_str_eq(got, "\"[slept]\"\t1\t100000\t100000\n\"f\"\t1\t200000\t100000\n"
                              "\"[waiting for the trace]\"\t-\t-\t-\n");
    }
    if (!tool_there("protoc"))
        return;
    EZ_FREE char *text = decoded("pprof.Profile", "pprof.proto", true);
    ck_assert_int_eq(times(text, "  value: 100000\n  value: 0\n"), 1);
    ck_assert_int_eq(times(text, "  value: 100000\n  value: 100000\n"), 1);
    ck_assert_int_eq(times(text, "  label {"), 6);
    ck_assert_int_eq(times(text, "string_table: \"rank\"\nstring_table: \"0\"\n"), 1);
}
END_TEST

/* ---- perfetto ------------------------------------------------------------------------------- */

/* Returns the output of the format as protoc reads it, with one space between words. */
static char *perfetto_words(void)
{
    EZ_FREE char *text = decoded("perfetto.Trace", "perfetto.proto", false);
    char *to = text;
    for (const char *p = text; *p; p++)
        if ((*p != ' ' && *p != '\n') || to == text || to[-1] != ' ')
            *to++ = *p == '\n' ? ' ' : *p;
    *to = 0;
    return ez_strdup(text);
}

START_TEST(perfetto_has_the_totals)
{
    EZ_FREE char *gz = ez_sprintf("%s.pftrace.gz", out);
    write_story(&ez_conv_perfetto, out, false);
    write_story(&ez_conv_perfetto, gz, true);
    if (!tool_there("python3"))
        return;
    EZ_FREE char *want =
        ez_sprintf("%.60s\t1\t%llu\t1\n\"inner\"\t3\t%llu\t%llu\n\"lost\"\t1\t%llu\t%llu\n"
                   "\"outer\"\t1\t%llu\t45\n\"phase\"\t1\t1005\t1005\n",
                   AS_LINE, END - 60, 15 + (END - 61) + (END - 30), 15 + (END - 61) + (END - 30),
                   END - 61, END - 61, END);
    EZ_FREE char *plain = totals(&ez_conv_perfetto, out);
    EZ_FREE char *packed = totals(&ez_conv_perfetto, gz);
    ck_assert_str_eq(plain, want);
    ck_assert_str_eq(packed, want);
}
END_TEST

START_TEST(perfetto_is_what_protoc_reads)
{
    static const struct {
        const char *what;
        int times;
    } want[] = {
        { "type: SLICE_BEGIN ", 7 },
        { "type: SLICE_END ", 7 },
        { "type: INSTANT ", 6 }, /* two points, four ends of links */
        { "process { pid: 100 process_name: \"app 100\" }", 1 },
        { "process { pid: 4194307 process_name: \"app 100 #2\" }", 1 },
        { "thread { pid: 100 tid: 100 thread_name: \"main 100\" }", 1 },
        { "thread { pid: 100 tid: 101 thread_name: \"a\\\"b;", 1 },
        { "thread { pid: 4194307 tid: 100 ", 1 },
        { "track_descriptor { uuid: 2 name: \"program\" }", 1 },
        { "name: \"mem\" parent_uuid: 10 counter { }", 1 },
        { "name: \"mem\" parent_uuid: 4 counter { }", 1 },
        { "type: COUNTER track_uuid: 1 double_counter_value: -1.5 }", 1 },
        { "type: COUNTER track_uuid: 3 double_counter_value: 3 }", 1 },
        { "type: COUNTER track_uuid: 3 double_counter_value: nan }", 1 },
        { "array_values { uint_value: 1 } array_values { uint_value: 9223372036854775808 } }", 1 },
        { " flow_ids: ", 2 },
        { " terminating_flow_ids: ", 2 },
        { "bool_value: false", 3 },
        { "name: \"inner\"", 1 },
        { "name: \"libm \\\"1\\\".so\"", 1 },
        { "name: \"complete\"", 1 },
        { "timestamp: 7200123456789 ", 5 },
        { "sequence_flags: 1 first_packet_on_sequence: true", 1 },
    };
    write_story(&ez_conv_perfetto, out, false);
    if (!tool_there("protoc"))
        return;
    EZ_FREE char *text = perfetto_words();
    for (size_t i = 0; i < EZ_ARRAY_LEN(want); i++)
        ck_assert_msg(times(text, want[i].what) == want[i].times, "%s: %d times in\n%s",
                      want[i].what, times(text, want[i].what), text);
}
END_TEST

/* Each link has an id of its own, which is that of its other end. */
START_TEST(perfetto_flows_have_two_ends)
{
    write_story(&ez_conv_perfetto, out, false);
    if (!tool_there("protoc"))
        return;
    EZ_FREE char *text = perfetto_words();
    const char *p = text;
    for (int i = 0; i < 2; i++) {
        char id[32], end[64];
        p = strstr(p, " flow_ids: ");
        ck_assert_ptr_nonnull(p);
        ck_assert_int_eq(sscanf(p, " flow_ids: %31s", id), 1);
        snprintf(end, sizeof end, " terminating_flow_ids: %s }", id);
        ck_assert_int_eq(times(text, end), 1);
        p++;
    }
}
END_TEST

START_TEST(perfetto_says_how_calls_ended)
{
    struct story s;
    begin(&s, &ez_conv_perfetto, out, false);
    ez_model_window(&s.m, 5, UINT64_MAX);
    uint32_t p = ez_model_container(&s.m, EZ_L_PROCESS, 0, "p", 1, 0);
    uint32_t t = ez_model_container(&s.m, EZ_L_THREAD, p, "t", 1, 2);
    s.m.container.at[p].host = ez_strdup("node\n1");
    s.m.container.at[p].job = ez_strdup("77");
    ez_model_push(&s.m, t, state(&s.m, "before"), EZ_ABOUT_NOTHING);
    ez_model_at(&s.m, 10);
    ez_model_push(&s.m, t, state(&s.m, "left"), EZ_ABOUT_NOTHING);
    ez_model_at(&s.m, 20);
    ez_model_pop_name(&s.m, t, state(&s.m, "left"), EZ_END_UNWOUND, EZ_ABOUT_NOTHING);
    ez_model_at(&s.m, 30);
    ez_model_pop(&s.m, t, EZ_ABOUT_NOTHING);
    ez_model_end(&s.m);
    ok(ez_conv_perfetto.close(s.sink));
    end(&s);
    if (!tool_there("protoc"))
        return;
    EZ_FREE char *text = perfetto_words();
    static const char *const want[] = {
        "timestamp: 20 trusted_packet_sequence_id: 1 track_event { debug_annotations { name_iid: 1 "
        "bool_value: true } type: SLICE_END ",
        "debug_annotation_names { iid: 1 name: \"unwound\" }",
        "timestamp: 30 trusted_packet_sequence_id: 1 track_event { debug_annotations { name_iid: 2 "
        "bool_value: true } type: SLICE_END ",
        "debug_annotation_names { iid: 2 name: \"cut\" }",
        "process_labels: \"node\\\\0121\" process_labels: \"job 77\"",
    };
    for (size_t i = 0; i < EZ_ARRAY_LEN(want); i++)
        ck_assert_msg(times(text, want[i]) == 1, "%s is not in\n%s", want[i], text);
}
END_TEST

START_TEST(perfetto_has_the_time_of_day)
{
    struct ez_model m;
    struct ez_sink *sink = NULL;
    ez_model_init(&m, "program", ez_conv_perfetto.item, NULL);
    m.start_real_ns = 1700000000000000000;
    ok(ez_conv_perfetto.open(&ez_conv_perfetto, &m, &(struct ez_conv_out){ .path = out }, &sink));
    ok(ez_conv_perfetto.close(sink));
    ez_conv_perfetto.destroy(sink);
    ez_model_deinit(&m);
    if (!tool_there("protoc"))
        return;
    EZ_FREE char *text = perfetto_words();
    ck_assert_int_eq(times(text, "clocks { clock_id: 6 timestamp: 0 } clocks { clock_id: 1 "
                                 "timestamp: 1700000000000000000 }"),
                     1);
}
END_TEST

static void add_tests(TCase *c)
{
    tcase_add_test(c, perfetto_has_the_totals);
    tcase_add_test(c, perfetto_is_what_protoc_reads);
    tcase_add_test(c, perfetto_flows_have_two_ends);
    tcase_add_test(c, perfetto_says_how_calls_ended);
    tcase_add_test(c, perfetto_has_the_time_of_day);
    tcase_add_test(c, pprof_has_the_totals);
    tcase_add_test(c, pprof_is_what_protoc_reads);
    tcase_add_test(c, pprof_counts_the_calls_of_a_deep_recursion);
    tcase_add_test(c, pprof_labels_ranks_and_tells_pauses_apart);
}

#else /* built without protobuf-c */

static void refuses_to_open(const struct ez_format *f)
{
    struct ez_sink *sink = NULL;
    ez_err *e = f->open(f, NULL, &(struct ez_conv_out){ .path = out }, &sink);
    ck_assert_ptr_nonnull(e);
    ck_assert_ptr_nonnull(strstr(e->msg, "eztsh was built without protobuf-c"));
    ck_assert_str_eq(
        e->hint,
        "Install libprotobuf-c-dev and protobuf-c-compiler (Debian) or protobuf-c-devel (Fedora), "
        "then configure and make again");
    fails(e, EZ_E_NOTFOUND);
}

START_TEST(names_the_package)
{
    refuses_to_open(&ez_conv_pprof);
    refuses_to_open(&ez_conv_perfetto);
}
END_TEST

static void add_tests(TCase *c)
{
    tcase_add_test(c, names_the_package);
}
#endif

int main(void)
{
    Suite *s = suite_create("proto");
    TCase *c = tcase_create("proto");
    tcase_add_checked_fixture(c, setup, teardown);
    add_tests(c);
    suite_add_tcase(s, c);
    return run_suite(s);
}
