/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_html.c - the data that the page of a report draws, word for word. What the page makes of
 * them: tests/trace/report.sh. */
#include <check.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "config.h"
#include "engine/format/conv_html.h"
#include "engine/format/formats.h"
#include "engine/trace/replay.h"
#include "engine/base/strutil.h"
#include "tests/unit/leaks.h"
#include "tests/unit/suite.h"

static char path[64];
static struct ez_model m;
static struct ez_sink *sink;
static struct ez_trace_sum sum;

static void setup(void)
{
    snprintf(path, sizeof path, "check_html-%d.html", getpid());
    setenv("TZ", "UTC0", 1);
}

static void teardown(void)
{
    unlink(path);
}

static void ok(ez_err *e)
{
    ck_assert_msg(!e, "%s", e ? e->msg : "");
}

static void begin(uint64_t span, uint64_t from, uint64_t to)
{
    sum = (struct ez_trace_sum){ .events = 17, .span_ns = span };
    sink = NULL;
    ez_model_init(&m, "pro<gram", ez_conv_html.item, NULL);
    m.sum = &sum;
    if (from || to < UINT64_MAX)
        ez_model_window(&m, from, to);
    ok(ez_conv_html.open(&ez_conv_html, &m, &(struct ez_conv_out){ .path = path }, &sink));
    m.fn_arg = sink;
}

/* The text with four or more equal numbers in a row shortened, as in 7*4. */
static char *squeezed(const char *text, const char *end)
{
    char *out = ez_alloc((size_t)(end - text) + 1), *o = out;
    while (text < end) {
        size_t n = strspn(text, "-.0123456789"), times = 1;
        while (n && text[n * times + times - 1] == ',' &&
               !strncmp(text + (n + 1) * times, text, n) &&
               !strchr("-.0123456789", text[(n + 1) * times + n]))
            times++;
        if (n && times > 3) {
            o += sprintf(o, "%.*s*%zu", (int)n, text, times);
            text += (n + 1) * times - 1;
            continue;
        }
        for (n = n ? n : 1; n; n--)
            *o++ = *text++;
    }
    *o = 0;
    return out;
}

/* The data in the page; the caller frees. */
static char *data(void)
{
    ez_model_end(&m);
    ok(m.err);
    ok(ez_conv_html.close(sink));
    ez_conv_html.destroy(sink);
    ez_model_deinit(&m);
    size_t n;
    EZ_FREE char *page = ez_str_load(path, 64 << 20, &n);
    const char *at = strstr(page, "{\"title\":"), *end = at ? strstr(at, "</script") : NULL;
    ck_assert_ptr_nonnull(end);
    return squeezed(at, end);
}

/* Compare line by line; the first difference is printed. */
static void is(const char *got, const char *want)
{
    while (*got || *want) {
        size_t n = strcspn(got, "\n"), k = strcspn(want, "\n");
        ck_assert_msg(n == k && !strncmp(got, want, n), "%.*s\ninstead of\n%.*s", (int)n, got,
                      (int)k, want);
        got += n + !!got[n];
        want += k + !!want[k];
    }
}

static size_t times(const char *text, const char *what)
{
    size_t n = 0;
    while ((text = strstr(text, what)))
        n++, text++;
    return n;
}

static uint32_t state(const char *text, const char *library)
{
    return ez_model_name(&m, EZ_N_STATE, text, library, 0);
}

/* Items of every kind, in 2000 units of `unit` ns. */
static void tell_all(uint64_t unit)
{
    uint32_t host = ez_model_container(&m, EZ_L_HOST, 0, "north", 0, 0);
    uint32_t p = ez_model_container(&m, EZ_L_PROCESS, host, "app 1", 1, 0);
    uint32_t t0 = ez_model_container(&m, EZ_L_THREAD, p, "main", 1, 1);
    uint32_t q = ez_model_container(&m, EZ_L_PROCESS, 0, "app 2", 2, 0);
    uint32_t t2 = ez_model_container(&m, EZ_L_THREAD, q, "three", 2, 3);
    uint32_t t1 = ez_model_container(&m, EZ_L_THREAD, p, "two", 1, 2);
    uint32_t mem = ez_model_name(&m, EZ_N_VAR, "mem", "", 0);
    uint32_t link = ez_model_name(&m, EZ_N_LINK, "message", "mpi", 0);
    m.start_real_ns = 1700000000123456789;
    const uint32_t outer = state("outer", "app");
    m.name.at[outer].file = ez_strdup("a<b>.c");
    m.name.at[outer].line = 12;
    ez_model_push(&m, t0, outer, EZ_ABOUT_NOTHING);
    ez_model_at(&m, 100 * unit);
    ez_model_push(&m, t0, state("inner", "lib"), EZ_ABOUT_NOTHING);
    ez_model_at(&m, 300 * unit);
    ez_model_pop(&m, t0, EZ_ABOUT_NOTHING);
    ez_model_event(&m, t1, ez_model_name(&m, EZ_N_EVENT, "mark", "", 0), NULL, 0, EZ_ABOUT_NOTHING);
    ez_model_at(&m, 400 * unit);
    ez_model_push(&m, t0, state("inner", "lib"), EZ_ABOUT_NOTHING);
    ez_model_at(&m, 500 * unit);
    ez_model_push(&m, t0, state("deep", "lib"), EZ_ABOUT_NOTHING);
    ez_model_at(&m, 600 * unit);
    ez_model_pop_name(&m, t0, state("inner", "lib"), EZ_END_UNWOUND, EZ_ABOUT_NOTHING);
    ez_model_at(&m, 700 * unit);
    ez_model_wait(&m, t0, true);
    ez_model_at(&m, 900 * unit);
    ez_model_wait(&m, t0, false);
    ez_model_at(&m, 1000 * unit);
    ez_model_push(&m, t1, state("inner", "lib"), EZ_ABOUT_NOTHING);
    ez_model_at(&m, 1100 * unit);
    ez_model_gap(&m, t1, 5);
    ez_model_at(&m, 1200 * unit);
    ez_model_gap_end(&m, t1);
    ez_model_var_set(&m, t2, mem, 3, EZ_ABOUT_NOTHING);
    ez_model_at(&m, 1300 * unit);
    ez_model_link_start(&m, t0, &(struct ez_link){ .name = link, .peer = EZ_NONE_IDX, .key = 7 });
    ez_model_var_set(&m, t2, mem, -0.5, EZ_ABOUT_NOTHING);
    ez_model_at(&m, 1500 * unit);
    if (m.over) /* the window is */
        return;
    ez_model_link_end(&m, t2, &(struct ez_link){ .name = link, .peer = EZ_NONE_IDX, .key = 7 });
    ez_model_link_start(&m, t0, &(struct ez_link){ .name = link, .peer = EZ_NONE_IDX, .key = 8 });
    ez_model_pop(&m, q, EZ_ABOUT_NOTHING); /* of nothing */
    ez_model_at(&m, 1600 * unit);
    ez_model_push(&m, t2, state("phase", ""), EZ_ABOUT_NOTHING);
    ez_model_at(&m, 1990 * unit);
    ez_model_pop(&m, t0, EZ_ABOUT_NOTHING);
    ez_model_at(&m, 1999 * unit);
}

/* What the page's table is made of; some calls of both traces were unwound. */
#define COLUMNS                                                                                    \
    "\"columns\":[\n"                                                                              \
    "[\"function\",\"Function\",\"text\",\"all\"],\n"                                              \
    "[\"library\",\"Library\",\"text\",\"all\"],\n"                                                \
    "[\"calls\",\"Calls\",\"count\",\"all\"],\n"                                                   \
    "[\"unwound\",\"Unwound\",\"count\",\"all\"],\n"                                               \
    "[\"total\",\"Total\",\"time\",\"timed\"],\n"                                                  \
    "[\"share\",\"%\",\"share\",\"timed\",\"total\"],\n"                                           \
    "[\"self\",\"Self\",\"time\",\"timed\"],\n"                                                    \
    "[\"selfshare\",\"%\",\"share\",\"timed\",\"self\"],\n"                                        \
    "[\"mean\",\"Mean\",\"time\",\"whole\"],\n"                                                    \
    "[\"min\",\"Min\",\"time\",\"whole\"],\n"                                                      \
    "[\"p50\",\"p50\",\"time\",\"whole\"],\n"                                                      \
    "[\"p90\",\"p90\",\"time\",\"whole\"],\n"                                                      \
    "[\"p99\",\"p99\",\"time\",\"whole\"],\n"                                                      \
    "[\"max\",\"Max\",\"time\",\"whole\"]],\n"

static const char ALL[] =
    "{\"title\":\"pro\\u003cgram\",\"start\":\"2023-11-14 22:13:20\",\"events\":17,\"span"
    "\":1999,\"from\":0,\"to\":1999,\"all_threads\":3,\"all_calls\":6,\"chunks\":3,\"notes\":[\"5 "
    "even"
    "ts of 1 threads are lost, in 1 gaps: see [events lost]; 1 calls open there are known"
    " in part\",\"1 calls were left by an exception or longjmp\",\"2 entries without exit:"
    " closed where what is around them ended\",\"1 exits without entry: left out\",\"1 li"
    "nks with one end only: not drawn\",\"3 waits for room in the rings are in no call's "
    "time\",\"4 events dropped\",\"6 events untraced: no trace was open\",\"torn "
    "\\\"7\\\"\"],\n"
    "\"names\":[[\"mem\",\"\"],[\"message\",\"mpi\"],[\"outer\",\"app\"],[\"inner\",\"lib"
    "\"],[\"mark\",\"\",0,1],[\"deep\",\"lib\"],[\"[waiting for the trace]\",\"\",3],[\"[even"
    "ts lost]\",\"\",1],[\"[slept]\",\"\",2],[\"[preempted]\",\"\",2],[\"events "
    "lost\",\"\"],[\"phase\",\"\"]],\n"
    "\"sources\":[2,\"a\\u003cb>.c\",12],\n"
    "\"places\":[\n"
    "[\"pro\\u003cgram\",\"program\",-1,-1,0],\n"
    "[\"north\",\"host\",0,-1,0],\n"
    "[\"app 1\",\"process\",1,-1,1],\n"
    "[\"main\",\"thread\",2,-1,1],\n"
    "[\"app 2\",\"process\",0,-1,2],\n"
    "[\"three\",\"thread\",4,-1,3],\n"
    "[\"two\",\"thread\",2,-1,2]],\n"
    "\"each\":[3,1990,1790,200,5,399,399,0,6,900,100,100],\n"
    "\"role_names\":[\"user code\",\"MPI\",\"OpenMP\",\"I/O\",\"memory\",\"locks\",\"not "
    "running\"],\n"
    "\"roles\":[0,1,0*4,6*4,0,0],\n"
    "\"messages\":0,\"lock_events\":0,\"many_messages\":false,\"many_locks\":false,\"lock"
    "s\":[],\n"
    "\"slice_ns\":1,\"threads\":[\n"
    "{\"name\":\"main\",\"process\":\"app 1, "
    "north\",\"container\":3,\"depth\":3,\"slices\":[2*100,3*200,"
    "2*100,3*100,5*100,2*100,-1*200,2*1090,-1*10],\"paused\":[]},\n"
    "{\"name\":\"two\",\"process\":\"app 1, "
    "north\",\"container\":6,\"depth\":1,\"slices\":[-1*1000,3*100"
    ",7*100,-1*800],\"paused\":[]},\n"
    "{\"name\":\"three\",\"process\":\"app "
    "2\",\"container\":5,\"depth\":1,\"slices\":[-1*1600,11*399,-1],\"paused\":[]}"
    "],\n"
    "\"calls\":[0,0,2,0,1990,0,\n"
    "0,1,3,100,200,0,\n"
    "0,1,3,400,200,1,\n"
    "0,2,5,500,100,2,\n"
    "0,1,6,700,200,0,\n"
    "1,0,3,1000,100,6,\n"
    "1,0,7,1100,100,0,\n"
    "2,0,11,1600,399,2],\n"
    "\"values\":[],\n"
    "\"point_values\":[],\n"
    "\"begun\":[1,0*99,1,0*299,1,0*99,1,0*499,1,0*599,1,0*399],\n"
    "\"ended\":[0*300,1,0*299,2,0*499,1,0*889,1,0*8,1],\n"
    "\"all_points\":1,\"points\":[1,4,300],\n"
    "\"all_links\":1,\"links\":[0,2,1,1300,1500],\n"
    "\"all_vars\":2,\"vars\":[\n"
    "{\"thread\":1,\"name\":10,\"unit\":\"\",\"steps\":[1100,5,5]},\n"
    "{\"thread\":2,\"name\":0,\"unit\":\"\",\"steps\":[1200,3,3,1300,-0.5,3,1301,-0.5,-0.5]}],"
    "\n" COLUMNS "\"run\":3089,\"rows\":[\n"
    "{\"function\":\"outer\",\"library\":\"app\",\"calls\":1,\"timed\":1,\"unwound\":0,"
    "\"cut\":0,\"total\":1790,\"self\":1390,\"paused\":0,\"mean\":1790,\"min\":1790,\"p50\":1790,"
    "\"p90"
    "\":1790,\"p99\":1790,\"max\":1790},\n"
    "{\"function\":\"inner\",\"library\":\"lib\",\"calls\":3,\"timed\":2,\"unwound\":1,"
    "\"cut\":1,\"total\":500,\"self\":400,\"paused\":0,\"mean\":200,\"min\":200,\"p50\":200,"
    "\"p90\":20"
    "0,\"p99\":200,\"max\":200},\n"
    "{\"function\":\"phase\",\"library\":\"\",\"calls\":1,\"timed\":0,\"unwound\":0,\"cut"
    "\":1,\"total\":399,\"self\":399,\"paused\":0,\"mean\":0,\"min\":0,\"p50\":0,\"p90\":0,\"p99\":"
    "0,"
    "\"max\":0},\n"
    "{\"function\":\"deep\",\"library\":\"lib\",\"calls\":1,\"timed\":0,\"unwound\":0,"
    "\"cut\":1,\"total\":100,\"self\":100,\"paused\":0,\"mean\":0,\"min\":0,\"p50\":0,\"p90\":0,"
    "\"p99"
    "\":0,\"max\":0},\n"
    "{\"function\":\"mark\",\"library\":\"\",\"calls\":1,\"timed\":0,\"unwound\":0,\"cut"
    "\":0,\"total\":0,\"self\":0,\"paused\":0,\"mean\":0,\"min\":0,\"p50\":0,\"p90\":0,\"p99\":0,"
    "\"max"
    "\":0},\n"
    "{\"function\":\"[waiting for the trace]\",\"library\":\"\",\"ours\":1,\"calls\":1,\"timed\":1,"
    "\"unwound\":0,\"cut\":0,\"total\":200,\"self\":200,\"paused\":0,\"mean\":200,\"min\":200,\"p50"
    "\":200,\"p90\":200,\"p99\":200,\"max\":200},\n"
    "{\"function\":\"[events lost]\",\"library\":\"\",\"calls\":1,\"timed\":1,\"unwound"
    "\":0,\"cut\":0,\"total\":100,\"self\":100,\"paused\":0,\"mean\":100,\"min\":100,\"p50\":100,"
    "\"p90"
    "\":100,\"p99\":100,\"max\":100}],\n"
    "\"adds\":[],\n"
    "\"flame\":{\"pruned\":false,\"name\":[\"outer\",\"inner\",\"deep\","
    "\"inner\",\"[events lost]\",\"phase\"],\n"
    "\"parent\":[-1,0,1,-1,-1,-1],\n"
    "\"self\":[1390,300,100,100,100,399]}}\n"
    "";

START_TEST(all_there_can_be)
{
    begin(1999, 0, UINT64_MAX); /* as many slices as ns */
    tell_all(1);
    sum.waits = 3;
    sum.dropped = 4;
    sum.untraced = 6;
    sum.damage = (char *)"torn \"7\"";
    EZ_FREE char *got = data();
    is(got, ALL);
}
END_TEST

static const char WINDOW[] =
    "{\"title\":\"pro\\u003cgram\",\"start\":\"2023-11-14 22:13:20\",\"events\":17,\"span"
    "\":1999000,\"from\":500000,\"to\":1400000,\"all_threads\":2,\"all_calls\":4,\"chunks\":2,"
    "\"notes"
    "\":[\"5 events of 1 threads are lost, in 1 gaps: see [events lost]; 1 calls open the"
    "re are known in part\",\"1 calls were left by an exception or longjmp\",\"1 entries w"
    "ithout exit: closed where what is around them ended\",\"1 links with one end only: n"
    "ot drawn\"],\n"
    "\"names\":[[\"mem\",\"\"],[\"message\",\"mpi\"],[\"outer\",\"app\"],[\"inner\",\"lib"
    "\"],[\"mark\",\"\",0,1],[\"deep\",\"lib\"],[\"[waiting for the trace]\",\"\",3],[\"[even"
    "ts lost]\",\"\",1],[\"[slept]\",\"\",2],[\"[preempted]\",\"\",2],[\"events lost\",\"\"]],\n"
    "\"sources\":[2,\"a\\u003cb>.c\",12],\n"
    "\"places\":[\n"
    "[\"pro\\u003cgram\",\"program\",-1,-1,0],\n"
    "[\"north\",\"host\",0,-1,0],\n"
    "[\"app 1\",\"process\",1,-1,1],\n"
    "[\"main\",\"thread\",2,-1,1],\n"
    "[\"app 2\",\"process\",0,-1,2],\n"
    "[\"three\",\"thread\",4,-1,3],\n"
    "[\"two\",\"thread\",2,-1,2]],\n"
    "\"each\":[3,900000,700000,200000,6,200000,100000,100000],\n"
    "\"role_names\":[\"user code\",\"MPI\",\"OpenMP\",\"I/O\",\"memory\",\"locks\",\"not "
    "running\"],\n"
    "\"roles\":[0,1,0*4,6*4,0],\n"
    "\"messages\":0,\"lock_events\":0,\"many_messages\":false,\"many_locks\":false,\"lock"
    "s\":[],\n"
    "\"slice_ns\":450.0005,\"threads\":[\n"
    "{\"name\":\"main\",\"process\":\"app 1, "
    "north\",\"container\":3,\"depth\":3,\"slices\":[5*222,2*222,"
    "-2,-1*443,-2,2*1111],\"paused\":[]},\n"
    "{\"name\":\"two\",\"process\":\"app 1, "
    "north\",\"container\":6,\"depth\":1,\"slices\":[-1*1111,3*222"
    ",7*223,-1*444],\"paused\":[]},\n"
    "{\"name\":\"three\",\"process\":\"app "
    "2\",\"container\":5,\"depth\":0,\"slices\":[],\"paused\":[]}],\n"
    "\"calls\":[0,0,2,500000,900000,6,\n"
    "0,1,3,500000,100000,5,\n"
    "0,2,5,500000,100000,2,\n"
    "0,1,6,700000,200000,0,\n"
    "1,0,3,1000000,100000,6,\n"
    "1,0,7,1100000,100000,0],\n"
    "\"values\":[],\n"
    "\"point_values\":[],\n"
    "\"begun\":[3,0*1110,1,0*888],\n"
    "\"ended\":[0*222,2,0*1110,1,0*665,1],\n"
    "\"all_points\":0,\"points\":[],\n"
    "\"all_links\":0,\"links\":[],\n"
    "\"all_vars\":2,\"vars\":[\n"
    "{\"thread\":1,\"name\":10,\"unit\":\"\",\"steps\":[1333,5,5]},\n"
    "{\"thread\":2,\"name\":0,\"unit\":\"\",\"steps\":[1555,3,3,1777,-0.5,3,1778,-0.5,-0.5]}],"
    "\n" COLUMNS "\"run\":900000,\"rows\":[\n"
    "{\"function\":\"outer\",\"library\":\"app\",\"calls\":1,\"timed\":0,\"unwound\":0,"
    "\"cut\":1,\"total\":700000,\"self\":600000,\"paused\":0,\"mean\":0,\"min\":0,\"p50\":0,"
    "\"p90\":0,"
    "\"p99\":0,\"max\":0},\n"
    "{\"function\":\"inner\",\"library\":\"lib\",\"calls\":2,\"timed\":0,\"unwound\":1,"
    "\"cut\":2,\"total\":200000,\"self\":100000,\"paused\":0,\"mean\":0,\"min\":0,\"p50\":0,"
    "\"p90\":0,"
    "\"p99\":0,\"max\":0},\n"
    "{\"function\":\"deep\",\"library\":\"lib\",\"calls\":1,\"timed\":0,\"unwound\":0,"
    "\"cut\":1,\"total\":100000,\"self\":100000,\"paused\":0,\"mean\":0,\"min\":0,\"p50\":0,"
    "\"p90\":0,"
    "\"p99\":0,\"max\":0},\n"
    "{\"function\":\"[waiting for the trace]\",\"library\":\"\",\"ours\":1,\"calls\":1,\"timed\":1,"
    "\"unwound\":0,\"cut\":0,\"total\":200000,\"self\":200000,\"paused\":0,\"mean\":200000,\"min\":"
    "200"
    "000,\"p50\":200000,\"p90\":200000,\"p99\":200000,\"max\":200000},\n"
    "{\"function\":\"[events lost]\",\"library\":\"\",\"calls\":1,\"timed\":1,\"unwound"
    "\":0,\"cut\":0,\"total\":100000,\"self\":100000,\"paused\":0,\"mean\":100000,\"min\":100000,"
    "\"p50"
    "\":100000,\"p90\":100000,\"p99\":100000,\"max\":100000}],\n"
    "\"adds\":[],\n"
    "\"flame\":{\"pruned\":false,\"name\":[\"outer\",\"inner\",\"deep\","
    "\"inner\",\"[events lost]\"],\n"
    "\"parent\":[-1,0,1,-1,-1],\n"
    "\"self\":[600000,0,100000,100000,100000]}}\n"
    "";

START_TEST(a_window)
{
    begin(1999000, 500000, 1400000);
    tell_all(1000);
    sum.part = true;
    sum.waits = sum.dropped = 3;
    EZ_FREE char *got = data();
    is(got, WINDOW);
}
END_TEST

/* No slice is shorter than a nanosecond: in ten of them there is all that happened. */
START_TEST(ten_nanoseconds)
{
    begin(9, 0, UINT64_MAX);
    uint32_t t = ez_model_container(&m, EZ_L_THREAD, 0, "t", 1, 1);
    uint32_t f = state("f", "");
    ez_model_push(&m, t, f, EZ_ABOUT_NOTHING);
    ez_model_at(&m, 3);
    ez_model_pop(&m, t, EZ_ABOUT_NOTHING);
    ez_model_at(&m, 5);
    ez_model_push(&m, t, f, EZ_ABOUT_NOTHING);
    ez_model_pop(&m, t, EZ_ABOUT_NOTHING);
    ez_model_at(&m, 7);
    ez_model_push(&m, t, f, EZ_ABOUT_NOTHING);
    ez_model_at(&m, 9);
    ez_model_pop(&m, t, EZ_ABOUT_NOTHING);
    EZ_FREE char *got = data();
    ck_assert_ptr_nonnull(strstr(got, ",\n\"slice_ns\":1,"));
    ck_assert_msg(strstr(got, "\"slices\":[0,0,0,-1*4,0,0,-1]"), "%s", got);
    ck_assert_msg(strstr(got, "\"begun\":[1,0*4,1,0,1,0,0]"), "%s", got);
    ck_assert_msg(strstr(got, "\"ended\":[0,0,0,1,0,1,0,0,0,1]"), "%s", got);
}
END_TEST

static void calls(uint32_t t, uint32_t name, int n, uint64_t ns)
{
    for (int i = 0; i < n; i++) {
        ez_model_push(&m, t, name, EZ_ABOUT_NOTHING);
        ez_model_at(&m, m.now + ns);
        ez_model_pop(&m, t, EZ_ABOUT_NOTHING);
    }
}

/* Two items more than there is room for, of each kind. */
START_TEST(what_is_too_much_is_said)
{
    begin(10000000, 0, UINT64_MAX);
    uint32_t t = 0;
    for (int i = 0; i < EZ_HTML_THREADS + 2; i++) {
        EZ_FREE char *name = ez_sprintf("t %d", i);
        t = ez_model_container(&m, EZ_L_THREAD, 0, name, 1, 1);
        calls(t, state("f", ""), 1, 1000);
    }
    for (int i = 0; i < EZ_MARKS_VARS + 2; i++) {
        EZ_FREE char *name = ez_sprintf("v %d", i);
        ez_model_var_set(&m, t, ez_model_name(&m, EZ_N_VAR, name, "", 0), 1, EZ_ABOUT_NOTHING);
    }
    for (int i = 0; i < EZ_HTML_TRACKS + 2; i++)
        ez_model_push(&m, t, state("f", ""), EZ_ABOUT_NOTHING);
    for (int i = 0; i < EZ_HTML_TRACKS + 2; i++)
        ez_model_pop(&m, t, EZ_ABOUT_NOTHING);
    calls(t, state("f", ""), EZ_HTML_CALLS, 2);
    for (int i = 1; i < EZ_HTML_ROWS + 2; i++) {
        EZ_FREE char *name = ez_sprintf("g%d", i);
        calls(t, state(name, ""), 1, 1);
    }
    EZ_FREE char *got = data();
    EZ_FREE char *notes =
        ez_sprintf("\"all_threads\":%d,\"all_calls\":%d,\"chunks\":%d,\"notes\":["
                   "\"2 further threads are not drawn\","
                   "\"2 calls are inside so many others that only the strips show them\","
                   "\"2 further variables are not drawn\","
                   "\"2 further functions are not in the table\"],\n",
                   EZ_HTML_THREADS + 2,
                   EZ_HTML_THREADS + 2 + EZ_HTML_TRACKS + 2 + EZ_HTML_CALLS + EZ_HTML_ROWS + 1,
                   EZ_HTML_THREADS + 2 + 22 /* more of the thread with most calls */);
    ck_assert_msg(strstr(got, notes) != NULL, "%.600s\ninstead of\n%s", got, notes);
    /* the last has no slices, but variables */
    ck_assert_uint_eq(times(got, "\n{\"name\":"), EZ_HTML_THREADS + 1);
    ck_assert_uint_eq(times(got, "\"slices\":[]"), 1);
    ck_assert_uint_eq(times(got, "\n{\"thread\":"), EZ_MARKS_VARS);
    ck_assert_uint_eq(times(got, "\n{\"function\":"), EZ_HTML_ROWS);
    /* all that took long are among the calls, and of the threads that are drawn */
    ck_assert_uint_eq(times(strstr(got, "\"calls\":["), ",1000,0"), EZ_HTML_THREADS + 1);
    /* no function but one is a ten-thousandth of all */
    ck_assert_ptr_nonnull(strstr(got, "\"flame\":{\"pruned\":true,"));
    ck_assert_uint_eq(times(strstr(got, "\"flame\":"), "\"[small]\""), 1);
    ck_assert_uint_eq(times(strstr(got, "\"flame\":"), "\"g"), 0);
}
END_TEST

/* A page of a part, or of functions that were only counted for a while, says so. */
START_TEST(chosen_parts_are_told)
{
    struct ez_throttled row[EZ_THROTTLED_NOTES + 2];
    begin(1999, 0, UINT64_MAX);
    calls(ez_model_container(&m, EZ_L_THREAD, 0, "t", 1, 1), state("f", ""), 1, 1000);
    sum.by_filter = true;
    sum.shown = (struct ez_filter_sum){ .calls = 12, .shown = 5 };
    for (size_t i = 0; i < EZ_ARRAY_LEN(row); i++)
        row[i] = (struct ez_throttled){ .function = (char *)"way", .ns = 606330000 };
    sum.throttled.row.at = row;
    sum.throttled.row.n = EZ_ARRAY_LEN(row);
    m.count.unsure_links = 3;
    EZ_FREE char *got = data();
    const char *notes =
        strstr(got, "\"notes\":[\"a filter shows 5 of 12 calls\",\"way was throttled "
                    "for 606.33 ms (set budget). Its times are those of the other "
                    "periods, and its callers' own times include the calls that "
                    "were only counted\",");
    ck_assert_msg(notes != NULL, "%.600s", got);
    ck_assert_uint_eq(times(notes, "was throttled"), EZ_THROTTLED_NOTES);
    ck_assert_ptr_nonnull(
        strstr(notes, ",\"2 functions more were throttled\",\"3 messages may belong to other "
                      "receives\"],"));
}
END_TEST

/* What d3 is, is told by another file: NULL = the one that there is. */
static const char *as_d3;
int __real_open(const char *name, int flags, ...);
int __wrap_open(const char *name, int flags, mode_t mode);
int __wrap_open(const char *name, int flags, mode_t mode)
{
    return __real_open(as_d3 && !strcmp(name, EZ_D3_JS) ? as_d3 : name, flags, mode);
}

/* A script ends the element that it stands in where it says so. Nothing is written then. */
START_TEST(a_script_that_ends_its_page)
{
    static const char *const text[] = { "f('</script>')", "f('</scrip' + 't>')" };
    for (size_t i = 0; i < EZ_ARRAY_LEN(text); i++) {
        EZ_FREE char *d3 = ez_sprintf("%s.js", path);
        FILE *f = fopen(d3, "w");
        ck_assert(f && fputs(text[i], f) >= 0 && !fclose(f));
        sum = (struct ez_trace_sum){ .events = 17, .span_ns = 1000 };
        ez_model_init(&m, "program", ez_conv_html.item, NULL);
        m.sum = &sum;
        as_d3 = d3;
        ez_err *e =
            ez_conv_html.open(&ez_conv_html, &m, &(struct ez_conv_out){ .path = path }, &sink);
        as_d3 = NULL;
        unlink(d3);
        if (i) {
            ok(e);
            ez_conv_html.destroy(sink);
        } else {
            ck_assert(e && e->code == EZ_E_FORMAT);
            ck_assert_str_eq(e->msg, EZ_D3_JS ": the file contains text that ends a script "
                                              "element, and cannot be embedded in a page");
            ez_err_free(e);
        }
        ez_model_deinit(&m);
        ck_assert_int_ne(access(path, F_OK), 0);
    }
}
END_TEST

static void once(void *arg)
{
    begin(1999, 0, UINT64_MAX);
    tell_all(1);
    free(data());
}

START_TEST(all_is_given_back)
{
    gives_back(once, NULL, 20);
    for (int i = 0; i < 2; i++) { /* and when it is given up */
        begin(1999, 0, UINT64_MAX);
        tell_all(1);
        ez_conv_html.destroy(sink);
        ez_model_deinit(&m);
    }
}
END_TEST

int main(void)
{
    if (access(EZ_D3_JS, R_OK)) {
        printf("skip - check_html: d3 is not here\n");
        return 77;
    }
    Suite *s = suite_create("html");
    TCase *t = tcase_create("html");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_set_timeout(t, 60);
    tcase_add_test(t, all_there_can_be);
    tcase_add_test(t, chosen_parts_are_told);
    tcase_add_test(t, a_window);
    tcase_add_test(t, ten_nanoseconds);
    tcase_add_test(t, what_is_too_much_is_said);
    tcase_add_test(t, a_script_that_ends_its_page);
    tcase_add_test(t, all_is_given_back);
    suite_add_tcase(s, t);
    return run_suite(s);
}
