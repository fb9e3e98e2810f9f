/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_gtg.c - the sinks of conv_gtg.c through ezt-gtg, judged by the formats' own
 * readers (pj_dump, otfprint) where they are, and by the bytes of the files. What ezt-gtg
 * does with orders that no sink would give: check_gtg_feed.c. */
#include <check.h>
#include <dirent.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "engine/format/formats.h"
#include "tests/unit/suite.h"

#define TWO_HOURS 7200123456789u /* ns */

static char dir[64];
static struct ez_model model;
static struct ez_sink *sink;
enum { PROGRAM, PROCESS, MAIN, WORKER, CONTAINERS };
enum { OUTER, INNER, POINT, MEMORY, BALANCE, MESSAGE, PHASE, NAMES };

static void ok(ez_err *e)
{
    ck_assert_msg(!e, "%s", e ? e->msg : "");
}

static char *path(const char *name)
{
    static char buf[4][400];
    static unsigned i;
    snprintf(buf[++i % 4], sizeof buf[0], "%s/%.300s", dir, name);
    return buf[i % 4];
}

/* How many entries the folder has. */
static unsigned entries(void)
{
    unsigned n = 0;
    DIR *d = opendir(dir);
    for (struct dirent *e; (e = readdir(d));)
        n += e->d_name[0] != '.' || e->d_name[1] == 'e'; /* not "." and ".." */
    closedir(d);
    return n;
}

static void setup(void)
{
    static struct ez_container c[] = {
        { .level = EZ_L_PROGRAM, .parent = EZ_NONE_IDX, .name = (char *)"app" },
        { .level = EZ_L_PROCESS, .parent = 0, .name = (char *)"app 42" },
        { .level = EZ_L_THREAD, .parent = 1, .name = (char *)"main \"42\"\n" },
        { .level = EZ_L_THREAD, .parent = 1, .name = (char *)"@c0" },
    };
    static struct ez_name n[] = {
        { EZ_N_STATE, (char *)"outer \"quoted\"\nline", (char *)"", 0, false, EZ_P_NONE, NULL, 0,
          0 },
        { EZ_N_STATE, (char *)"@s0", (char *)"", 0, false, EZ_P_NONE, NULL, 0, 0 },
        { EZ_N_EVENT, (char *)"point", (char *)"", 0, false, EZ_P_NONE, NULL, 0, 0 },
        { EZ_N_VAR, (char *)"Memory used", (char *)"", 0, false, EZ_P_NONE, NULL, 0, 0 },
        { EZ_N_VAR, (char *)"Balance", (char *)"", 0, false, EZ_P_NONE, NULL, 0, 0 },
        { EZ_N_LINK, (char *)"Message", (char *)"", 0, false, EZ_P_NONE, NULL, 0, 0 },
        { EZ_N_STATE, (char *)"phase", (char *)"", 0, false, EZ_P_NONE, NULL, 0, 0 },
    };
    setenv("EZT_GTG", "./ezt-gtg", 0);
    snprintf(dir, sizeof dir, "check_gtg-%d", getpid());
    ck_assert_int_eq(mkdir(dir, 0700), 0);
    model.container.at = c;
    model.container.n = EZ_ARRAY_LEN(c);
    model.name.at = n;
    model.name.n = EZ_ARRAY_LEN(n);
}

static void teardown(void)
{
    DIR *d = opendir(dir);
    for (struct dirent *e; (e = readdir(d));)
        unlinkat(dirfd(d), e->d_name, 0);
    closedir(d);
    ck_assert_int_eq(rmdir(dir), 0);
}

/* ---- items ---------------------------------------------------------------------------- */

static ez_err *send_item(enum ez_item_kind kind, uint64_t ns, uint32_t c, uint32_t name)
{
    struct ez_item it = { .kind = kind, .container = c, .name = name, .ns = ns };
    return sink->format->item(sink, &it);
}

static void tell(enum ez_item_kind kind, uint64_t ns, uint32_t c, uint32_t name)
{
    ok(send_item(kind, ns, c, name));
}

static void tell_var(uint64_t ns, uint32_t c, uint32_t name, double value)
{
    struct ez_item it = { .kind = EZ_I_VAR, .container = c, .name = name, .ns = ns };
    it.value = value;
    ok(sink->format->item(sink, &it));
}

static void tell_link(bool start, uint64_t ns, uint32_t c, uint64_t key, uint32_t peer)
{
    struct ez_item it = {
        .kind = start ? EZ_I_LINK_START : EZ_I_LINK_END, .container = c, .name = MESSAGE, .ns = ns
    };
    static const uint64_t words[] = { 4242, 17 }; /* a message's bytes and tag */
    it.key = key;
    it.peer = peer;
    it.arg = words;
    it.narg = key == 7 ? 2 : 0;
    ok(sink->format->item(sink, &it));
}

/* The worker and all names but two are introduced late, as in a real trace. */
static void open_story(const struct ez_format *f, const char *out, bool gzip)
{
    sink = NULL;
    ok(f->open(f, &model, &(struct ez_conv_out){ .path = out, .gzip = gzip }, &sink));
    for (uint32_t c = PROGRAM; c <= MAIN; c++)
        tell(EZ_I_CONTAINER, 0, c, 0);
    tell(EZ_I_NAME, 0, 0, PHASE);
    tell(EZ_I_NAME, 0, 0, OUTER);
}

static void tell_story(void)
{
    tell(EZ_I_PUSH, 0, PROCESS, PHASE);
    tell(EZ_I_PUSH, 1, MAIN, OUTER);
    tell(EZ_I_CONTAINER, 1500, WORKER, 0);
    tell(EZ_I_NAME, 1500, 0, INNER);
    tell(EZ_I_PUSH, 1500, WORKER, INNER);
    tell(EZ_I_NAME, 1501, 0, MEMORY);
    tell_var(1501, MAIN, MEMORY, 4096);
    tell_var(1502, MAIN, MEMORY, 123456789);
    tell_var(1503, MAIN, MEMORY, 123456789 - 4096);
    tell_var(1504, WORKER, MEMORY, 9007199254740991.0);
    tell(EZ_I_NAME, 1600, 0, BALANCE);
    tell_var(1600, WORKER, BALANCE, -5);
    tell(EZ_I_NAME, 1700, 0, MESSAGE);
    tell_link(true, 1700, MAIN, ~0ull, EZ_NONE_IDX);
    tell_link(true, 1701, MAIN, 7, WORKER);
    tell_link(false, 1702, WORKER, ~0ull, MAIN);
    tell_link(false, 1703, WORKER, 7, MAIN);
    tell_link(true, 1704, WORKER, 7, EZ_NONE_IDX); /* the key comes again */
    tell_link(false, 1705, MAIN, 7, WORKER);
    tell_link(true, 1706, MAIN, 8, EZ_NONE_IDX); /* the link ends at another level */
    tell_link(false, 1707, PROCESS, 8, MAIN);
    tell(EZ_I_NAME, 1800, 0, POINT);
    tell(EZ_I_EVENT, 1800, WORKER, POINT);
    tell(EZ_I_POP, TWO_HOURS, WORKER, INNER);
    tell(EZ_I_POP, TWO_HOURS, MAIN, OUTER);
    tell(EZ_I_POP, TWO_HOURS + 1, PROCESS, PHASE);
    for (uint32_t c = CONTAINERS; c-- > 0;)
        tell(EZ_I_CONTAINER_END, TWO_HOURS + 1, c, 0);
}

static char *finish(void) /* the notice; the caller frees */
{
    ok(sink->format->close(sink));
    char *notice = ez_strdup(sink->notice ? sink->notice : "");
    sink->format->destroy(sink);
    return notice;
}

static void write_story(const struct ez_format *f, const char *out, bool gzip)
{
    open_story(f, out, gzip);
    tell_story();
    EZ_FREE char *notice = finish();
    ck_assert_str_eq(notice, "1 ends of links moved to a container of another level");
}

/* ---- judges ----------------------------------------------------------------------------- */

static bool missing(const char *program)
{
    char cmd[100];
    snprintf(cmd, sizeof cmd, "command -v %s >/dev/null", program);
    if (!system(cmd))
        return false;
    fprintf(stderr, "skip: no %s\n", program);
    return true;
}

static char said[1 << 16]; /* what the last reader printed                         */

static void judge(const char *command, const char *file)
{
    char cmd[1000];
    snprintf(cmd, sizeof cmd, command, file);
    FILE *p = popen(cmd, "r");
    size_t n = fread(said, 1, sizeof said - 1, p);
    said[n] = 0;
    ck_assert_msg(pclose(p) == 0, "%s: %s", cmd, said);
}

/* How many lines of `said` have all the words "A*B". */
static unsigned lines(const char *first, const char *second)
{
    unsigned n = 0;
    for (char *p = said, *end; (end = strchr(p, '\n')); p = end + 1) {
        *end = 0;
        char *at = strstr(p, first);
        n += at && strstr(at, second);
        *end = '\n';
    }
    return n;
}

#define HAS(first, second)                                                                         \
    ck_assert_msg(lines(first, second) == 1, "%s..%s in %s", first, second, said)

static void judge_paje(const char *command, const char *file)
{
    judge(command, file);
    ck_assert_uint_eq(lines("State,", ""), 3);
    ck_assert_uint_eq(lines("Container,", "Thread"), 2);
    HAS("State, main _42__, Thread State, 0.000000001, 7200.123456789", "outer _quoted__line");
    HAS("State, _c0, Thread State, 0.000001500, 7200.123456789", "_s0");
    HAS("State, app 42, Process State, 0.000000000, 7200.123456790", "phase");
    HAS("Event, _c0, Thread Event, 0.000001800, point", "");
    HAS("Link, app, Message, 0.000001700, 0.000001702", "main _42__, _c0");
    HAS("Link, app, Message, 0.000001701, 0.000001703", "main _42__, _c0");
    HAS("Link, app, Message, 0.000001704, 0.000001705", "_c0, main _42__");
    /* a format that keeps 7 digits of each number */
    HAS("Memory used, 0.000001502, 0.000001503", " 123456789.000000000");
    HAS("Memory used, 0.000001503, 7200.123456790", " 123452693.000000000");
    HAS("Balance, 0.000001600", " -5.000000000");
}

START_TEST(paje)
{
    /* a name that a shell or a file format could choke on */
    char *out = path("a b;touch c.trace");
    write_story(&ez_conv_paje, out, false);
    ck_assert_uint_eq(entries(), 1);
    if (!missing("pj_dump"))
        judge_paje("pj_dump -l 9 '%s' 2>&1", out);
    judge("cat '%s'", out); /* the times' own digits */
    HAS(" 7.2001234567890e+03 \"ST_Thread\" \"@c2\"", "");
    HAS(" 7.2001234567900e+03 \"ST_Process\" \"@c1\"", "");
    /* 53 bits of a value; pj_dump itself has only floats */
    HAS("30 1.5040000000000e-06", "\"@c3\" 9.007199e+15");
    HAS("31 1.5040000000000e-06", "\"@c3\" 2.547410e+08");
    HAS("31 1.5040000000000e-06", "\"@c3\" -9.000000e+00");
}
END_TEST

START_TEST(paje_gzip)
{
    write_story(&ez_conv_paje, path("x.trace.gz"), true);
    ck_assert_uint_eq(entries(), 1);
    judge("zcat '%s' | tail -n 1", path("x.trace.gz"));
    HAS("\"@c0\" \"CT_Program\"", "");
    if (!missing("pj_dump"))
        judge_paje("zcat '%s' | pj_dump -l 9 2>&1", path("x.trace.gz"));
}
END_TEST

START_TEST(vite)
{
    write_story(&ez_conv_vite, path("x.vite.trace"), false);
    ck_assert_uint_eq(entries(), 1);
    if (!missing("pj_dump"))
        judge_paje("pj_dump -l 9 '%s' 2>&1", path("x.vite.trace"));
    judge("cat '%s'", path("x.vite.trace"));
    ck_assert_uint_eq(lines("FileName", ""), 0); /* libgtg 0.2-3 does not write that field */
}
END_TEST

static void judge_otf(const char *master)
{
    if (missing("otfprint"))
        return;
    judge("otfprint '%s' 2>&1", master);
    ck_assert_uint_eq(lines("damage", ""), 0);
    HAS("DefTimerResolution", "TicksPerSecond 1000000000");
    HAS("\t1 Enter: function 2, process 3", "");
    HAS("\t7200123456789 Leave: function 2, process 3", "");
    HAS("\t7200123456790 Leave: function 1, process 2", "");
    HAS("DefFunction:", "function 2, name \"outer _quoted__line\"");
    HAS("DefProcess:", "process 4, name \"_c0\", parent 2");
    HAS("DefCounter:", "counter 1, name \"Memory used\", properties ABS/NEXT/UNSIGNED8");
    HAS("DefCounter:", "counter 2, name \"Balance\", properties ABS/NEXT/SIGNED8");
    ck_assert_uint_eq(lines("DefCounter:", ""), 2);
    HAS("\t1502 Counter: process 3, counter 1, value 123456789", "");
    HAS("\t1504 Counter: process 4, counter 1, value 9007199254740991", "");
    HAS("\t1600 Counter: process 4, counter 2, value -5", "");
    HAS("\t1700 SendMessage: sender 3, receiver 4", "length 0"); /* told when it arrived */
    HAS("\t1701 SendMessage: sender 3, receiver 4", "type 17, length 4242");
    HAS("\t1702 ReceiveMessage: receiver 4, sender 3", "length 0");
    HAS("\t1703 ReceiveMessage: receiver 4, sender 3", "type 17, length 4242");
    HAS("\t1704 SendMessage: sender 4, receiver 3", "type 17, length 4242");
    HAS("\t1800 Marker:", "process 4, text \"point\"");
    if (!missing("otfinfo-trace"))
        judge("otfinfo-trace '%s' >/dev/null", master);
}

START_TEST(otf)
{
    /* parts of an older, larger trace, and what is none of its parts */
    static const char *const old[] = { "x.ff.events",   "x.2.events.z",   "x.0.marker.z",
                                       "x.note.events", "x.1.events.bak", "xx.1.events" };
    for (size_t i = 0; i < EZ_ARRAY_LEN(old); i++)
        fclose(fopen(path(old[i]), "w"));
    write_story(&ez_conv_otf, path("x.otf"), false);
    for (size_t i = 0; i < EZ_ARRAY_LEN(old); i++)
        ck_assert_msg((access(path(old[i]), F_OK) == 0) == (i > 2), "%s", old[i]);
    ck_assert_uint_eq(entries(), 1 + 4 + 2 + 3); /* master, events, def, marker; the others */
    judge_otf(path("x.otf"));
}
END_TEST

START_TEST(otf_names)
{
    ck_assert(!ez_conv_otf.gzip);
    write_story(&ez_conv_otf, path("a b;touch c"), false);
    ck_assert_int_eq(access(path("a b;touch c.1.events"), R_OK), 0);
    ck_assert_uint_eq(entries(), 7);
    judge_otf(path("a b;touch c.otf"));
}
END_TEST

/* What a counter of OTF cannot hold is counted, never silently another number. */
START_TEST(odd_values)
{
    static const double odd[] = { 2.5, -0.25, 1e300, NAN, INFINITY };
    for (int otf = 0; otf < 2; otf++) {
        open_story(otf ? &ez_conv_otf : &ez_conv_paje, path("x"), false);
        tell(EZ_I_NAME, 1, 0, BALANCE);
        for (size_t i = 0; i < EZ_ARRAY_LEN(odd); i++)
            tell_var(1 + i, MAIN, BALANCE, odd[i]);
        EZ_FREE char *notice = finish();
        ck_assert_str_eq(notice, otf ? "2 values of variables rounded: OTF's counters are integers"
                                       "; 3 values of variables left out: no numbers, or too large"
                                     : "2 values of variables left out: no numbers, or too large");
    }
    judge("cat '%s'", path("x"));
    HAS("30 1.0000000000000e-09", "2.500000e+00");
    HAS("30 2.0000000000000e-09", "-2.500000e-01");
}
END_TEST

START_TEST(many_threads_and_long_names)
{
    enum { N = 300 };
    struct ez_container *c = ez_alloc((N + 2) * sizeof *c), *old = model.container.at;
    char name[5000];
    memset(name, 'x', sizeof name);
    name[sizeof name - 1] = 0;
    model.name.at[OUTER].text = name;
    c[0] = old[0];
    c[1] = old[1];
    for (int i = 2; i < N + 2; i++)
        c[i] = old[MAIN];
    model.container.at = c;
    for (int otf = 0; otf < 2; otf++) {
        open_story(otf ? &ez_conv_otf : &ez_conv_paje, path("x"), false);
        for (uint32_t i = 3; i < N + 2; i++)
            tell(EZ_I_CONTAINER, i, i, 0);
        for (uint32_t k = 0; k < 20 * N; k++)
            tell(k / N % 2 ? EZ_I_POP : EZ_I_PUSH, 1000 + k, 2 + k % N, OUTER);
        free(finish());
    }
    if (!missing("pj_dump")) {
        judge("pj_dump '%s' | grep -c ^State", path("x"));
        ck_assert_str_eq(said, "3000\n");
    }
    if (!missing("otfprint")) {
        judge("otfprint '%s' | grep -c Leave", path("x.otf"));
        ck_assert_str_eq(said, "3000\n");
    }
    free(c);
}
END_TEST

/* ---- what goes wrong --------------------------------------------------------------------- */

static void open_fails(const struct ez_format *f, const char *out, const char *words)
{
    ez_err *e = f->open(f, &model, &(struct ez_conv_out){ .path = out }, &sink);
    ck_assert_ptr_nonnull(e);
    ck_assert_msg(strstr(e->msg, words) != NULL, "%s", e->msg);
    ez_err_free(e);
}

START_TEST(what_cannot_be_done_says_so)
{
    char longest[5000];
    memset(longest, 'x', sizeof longest);
    longest[sizeof longest - 1] = 0;
    open_fails(&ez_conv_paje, "/no/such/folder/x", "No such file");
    open_fails(&ez_conv_otf, "/proc/x.otf", "");
    open_fails(&ez_conv_paje, dir, "Is a directory");
    open_fails(&ez_conv_paje, longest, "too long");
    longest[250] = 0; /* room for a file of that name, not for a part of it */
    open_fails(&ez_conv_otf, path(longest), "too long");
    write_story(&ez_conv_paje, path(longest), false);
    setenv("EZT_GTG", "/no/such/program", 1);
    open_fails(&ez_conv_paje, path("y"), "Cannot run");
    setenv("EZT_GTG", "/bin/false", 1); /* hangs up at once */
    open_fails(&ez_conv_paje, path("y"), "ended early");
    ck_assert_uint_eq(entries(), 1);
}
END_TEST

/* A script plays ezt-gtg: its first line, and how it ends. */
static const struct {
    const char *first, *last; /* printf's; the last with its exit status      */
    const char *open, *close; /* errors                                       */
    const char *notice;
} talk[] = {
    { "ready\\n", "ok \\n'; exit 0; '", NULL, NULL, NULL },
    { "ready\\n", "ok a note\\nmore\\n'; exit 0; '", NULL, NULL, "a note" },
    { "ready\\n", "ok a note\\n'; exit 3; '", NULL, "ezt-gtg: ok a note", NULL },
    { "ready\\n", "no room\\nmore\\n'; exit 1; '", NULL, "ezt-gtg: no room", NULL },
    { "ready\\n", "no room'; exit 1; '", NULL, "ezt-gtg: no room", NULL },
    { "ready\\n", "no room\\n'; exit 0; '", NULL, "ezt-gtg: ended early", NULL },
    { "ready\\n", "'; exit 0; '", NULL, "ezt-gtg: ended early", NULL },
    { "ready\\n", "'; exit 1; '", NULL, "ezt-gtg: ended early", NULL },
    { "no such type\\nmore\\n", "", "ezt-gtg: no such type", NULL, NULL },
    { "ready!\\n", "", "ezt-gtg: ready!", NULL, NULL },
    { "", "", "ezt-gtg: ended early", NULL, NULL },
};
START_TEST(what_it_says_is_passed_on)
{
    FILE *f = fopen(path("fake"), "w");
    fprintf(f, "#!/bin/sh\nprintf '%s'\n", talk[_i].first);
    if (!talk[_i].open)
        fprintf(f, "dd bs=4096 count=1 >/dev/null 2>&1\nprintf '%s'\n", talk[_i].last);
    fclose(f);
    chmod(path("fake"), 0700);
    EZ_FREE char *fake = ez_sprintf("./%s", path("fake"));
    setenv("EZT_GTG", fake, 1);
    sink = NULL;
    ez_err *e =
        ez_conv_paje.open(&ez_conv_paje, &model, &(struct ez_conv_out){ .path = path("x") }, &sink);
    ck_assert_str_eq(e ? e->msg : "", talk[_i].open ? talk[_i].open : "");
    ck_assert(!e || e->code == EZ_E_SYS);
    ez_err_free(e);
    if (!sink)
        return;
    e = ez_conv_paje.close(sink);
    ck_assert_str_eq(e ? e->msg : "", talk[_i].close ? talk[_i].close : "");
    ck_assert(!e || e->code == EZ_E_LIMIT);
    ck_assert_str_eq(sink->notice ? sink->notice : "", talk[_i].notice ? talk[_i].notice : "");
    ez_err_free(e);
    ez_conv_paje.destroy(sink);
    ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1); /* no zombie */
}
END_TEST

START_TEST(giving_up_leaves_nothing)
{
    for (int otf = 0; otf < 2; otf++) {
        open_story(otf ? &ez_conv_otf : &ez_conv_paje, path("x"), false);
        for (uint64_t i = 0; i < 100000; i++)
            tell(i % 2 ? EZ_I_POP : EZ_I_PUSH, i, MAIN, OUTER);
        sink->format->destroy(sink);
        ck_assert_uint_eq(entries(), 0);
    }
}
END_TEST

/* The library does not look whether it could write; a full disk must not go unseen. */
START_TEST(disk_full)
{
    const struct rlimit small = { 100000, 100000 }, tiny = { 3000, RLIM_INFINITY };
    const struct ez_format *f[] = { &ez_conv_paje, &ez_conv_vite, &ez_conv_otf };
    uint64_t n = _i / 3 ? 20 : 100000; /* then only the last buffer fails */
    setrlimit(RLIMIT_FSIZE, _i / 3 ? &tiny : &small);
    open_story(f[_i % 3], path("x"), false);
    ez_err *e = NULL;
    for (uint64_t i = 0; i < n && !e; i++)
        e = send_item(i % 2 ? EZ_I_POP : EZ_I_PUSH, i, MAIN, OUTER);
    if (!e)
        e = sink->format->close(sink);
    if (_i == 5) { /* 20 events of OTF need less */
        ok(e);
    } else {
        ck_assert_ptr_nonnull(e);
        ck_assert_msg(strstr(e->msg, "the trace is incomplete (disk full?)") != NULL, "%s", e->msg);
    }
    ez_err_free(e);
    sink->format->destroy(sink);
    ck_assert_uint_eq(entries(), _i == 5 ? 6 : 0);
}
END_TEST

/* When ezt-gtg dies, the sink says so at the next flush and reaps it. */
START_TEST(dies)
{
    open_story(&ez_conv_paje, path("x"), false);
    ok(sink->format->item(sink, &(struct ez_item){ .kind = EZ_I_PUSH, .container = MAIN }));
    tell(EZ_I_POP, 5, MAIN, OUTER);
    tell(EZ_I_POP, 5, MAIN, OUTER); /* a frame that ezt-gtg refuses */
    ez_err *e = NULL;
    for (uint64_t i = 0; i < 10000000 && !e; i++)
        e = send_item(i % 2 ? EZ_I_POP : EZ_I_PUSH, 10 + i, MAIN, OUTER);
    ck_assert_ptr_nonnull(e);
    ck_assert_msg(strstr(e->msg, "not an order: no state is open") != NULL, "%s", e->msg);
    ez_err_free(e);
    e = sink->format->close(sink);
    ck_assert_ptr_nonnull(e);
    ez_err_free(e);
    sink->format->destroy(sink);
    ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1); /* no zombie */
    ck_assert_uint_eq(entries(), 0);
}
END_TEST

static void refused(const struct ez_item *it, const char *says)
{
    ez_err *e = sink->format->item(sink, it);
    ck_assert(e && e->code == EZ_E_STATE);
    ck_assert_str_eq(e->msg, says);
    ez_err_free(e);
}

/* Links that the books of the model would never let through: said, and the others are as told. */
START_TEST(links_that_cannot_be)
{
    struct ez_item end = { .kind = EZ_I_LINK_END, .container = MAIN, .name = MESSAGE, .ns = 10 };
    struct ez_item start = end;
    start.kind = EZ_I_LINK_START;
    start.peer = PROCESS;
    end.key = start.key = 5;
    open_story(&ez_conv_paje, path("x"), false);
    tell(EZ_I_NAME, 10, 0, MESSAGE);
    refused(&end, "The trace ends a link between two calls that it did not begin");
    ok(sink->format->item(sink, &start));
    refused(&start,
            "The trace begins a link between two calls while a link with the same key is open");
    end.key = 6;
    refused(&end, "The trace ends a link between two calls that it did not begin");
    end.key = 5;
    ok(sink->format->item(sink, &end));
    refused(&end, "The trace ends a link between two calls that it did not begin");
    ok(sink->format->item(sink, &start)); /* a key comes again */
    ok(sink->format->item(sink, &end));
    ok(sink->format->close(sink));
    refused(&start, "ezt-gtg ended unexpectedly");
    sink->format->destroy(sink);
}
END_TEST

int main(void)
{
    if (!proc_there("check_gtg"))
        return 77;
    Suite *s = suite_create("gtg");
    TCase *c = tcase_create("gtg");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_set_timeout(c, 120);
    tcase_add_test(c, paje);
    tcase_add_test(c, paje_gzip);
    tcase_add_test(c, vite);
    tcase_add_test(c, otf);
    tcase_add_test(c, otf_names);
    tcase_add_test(c, odd_values);
    tcase_add_test(c, many_threads_and_long_names);
    tcase_add_test(c, what_cannot_be_done_says_so);
    tcase_add_loop_test(c, what_it_says_is_passed_on, 0, (int)EZ_ARRAY_LEN(talk));
    tcase_add_test(c, giving_up_leaves_nothing);
    tcase_add_loop_test(c, disk_full, 0, 6);
    tcase_add_test(c, links_that_cannot_be);
    tcase_add_test(c, dies);
    suite_add_tcase(s, c);
    return run_suite(s);
}
