/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_code.c - from a probe's words to the values in a trace, without a target: what was typed is
 * compiled, verified, laid out as in a trampoline, and run by the runtime, whose source is part of this
 * program; a real drain empties its rings, and the file is read. */
#include "tests/unit/code_harness.h"

enum { GUARDS = 21 };

static void collects(const char *collect, const char *expected)
{
    ok(ez_drain_open(drain, path));
    ok(prepare("", collect, "", true));
    call(9);
    ok(ez_drain_close(drain));
    EZ_FREE char *all = read_values();
    ck_assert_str_eq(all, expected);
    unprepare();
}

static const char *const values[][2] = {
    { "n", "n=-5 /" },
    { "n+1", "n+1=-4 /" },
    { "u", "u=4000000000 /" },
    { "u+n", "u+n=3999999995 /" },
    { "n < u", "n<u=0 /" }, /* n is converted to unsigned, as in C */
    { "n < (long)u", "n<(long)u=1 /" },
    { "u == -294967296", "u==-294967296=1 /" },
    { "n/2, n%2, -n, ~n, !n", "n/2=-2 n%2=-1 -n=5 ~n=4 !n=0 /" },
    { "u/3, u%7, u<<1, u>>31", "u/3=1333333333 u%7=3 u<<1=3705032704 u>>31=1 /" },
    { "n>>1, n<<1, n&255, n|1, n^n", "n>>1=-3 n<<1=-10 n&255=251 n|1=-5 n^n=0 /" },
    { "n*3 - 2*(u-u)", "n*3-2*(u-u)=4294967281 /" },
    { "1/0", "1/0=<fault> /" },
    { "c, flag, e", "c=65 'A' flag=true e=GREEN /" },
    { "e+1", "e+1=6 /" },
    { "s", "s=\"text \\\"with\\\" a ta\"... /" },
    { "s[0], *s, *(s+1)", "s[0]=116 't' *s=116 't' *(s+1)=101 'e' /" },
    { "s:x", NULL },
    { "p->x, p->next->y, (*p).x", "p->x=3 p->next->y=8 (*p).x=3 /" },
    { "p->next->next", "p->next->next=0x0 /" },
    { "p->next->next->x", "p->next->next->x=<fault> /" },
    { "p->name, p->next->name", "p->name=\"first\" p->next->name=\"second\" /" },
    { "p->lo, p->hi, p->small", "p->lo=1 p->hi=2 p->small=-128 '\\200' /" },
    { "pt.lo, pt.hi, pt.small", "pt.lo=5 pt.hi=31 pt.small=-1 '\\377' /" },
    { "p[0].x", "p[0].x=3 /" },
    { "&p->y - &p->x", "&p->y-&p->x=1 /" },
    { "*bad", "*bad=<fault> /" },
    { "*bad, n", "*bad=<fault> n=-5 /" },
    { "two", "two.a=17 two.b=-22 /" },
    { "two.b, two.a", "two.b=-22 two.a=17 /" },
    { "k", "k=77 /" },
    { "d, f", "d=2.5 f=0.5 /" },
    { "d+f, d-1, d*n, d/4, -d", "d+f=3 d-1=1.5 d*n=-12.5 d/4=0.625 -d=-2.5 /" },
    { "d > 2, d < f, d == 2.5, d != 2.5, !d", "d>2=1 d<f=0 d==2.5=1 d!=2.5=0 !d=0 /" },
    { "(int)d, (float)n, (char)65", "(int)d=2 (float)n=-5 (char)65=65 'A' /" },
    { "(double)(unsigned long)-1", "(double)(unsignedlong)-1=1.8446744073709552e+19 /" },
    { "global, &global == &global", "global=42 &global==&global=1 /" },
    { "wide", "wide=0.333333333333333333342 /" },
    { "pair", "pair=1 + -2i /" },
    { "str", "str=\"a string\" /" },
    { "n:x, n:u, n:d, c:d", "n=0xfffffffffffffffb n#2=18446744073709551611 n#3=-5 c=65 /" },
    { "s:hex(4)", "s=74 65 78 74 /" },
    { "p->name:hex(6)", "p->name=66 69 72 73 74 00 /" },
    { "(char *)p->name", "(char*)p->name=\"first\" /" },
    { "*(int *)p", "*(int*)p=3 /" },
    { "{int}p", "{int}p=3 /" },
    { "((struct pt *)p)->y", "((structpt*)p)->y=4 /" },
    { "sizeof(struct pt), sizeof n", "sizeof(structpt)=32 sizeofn=4 /" },
    { "n<0 ? 1 : 2", "n<0?1:2=1 /" },
    { "n>0 ? *bad : 7", "n>0?*bad:7=7 /" },
    { "n && p && p->x == 3", "n&&p&&p->x==3=1 /" },
    { "p == 0 || p->x", "p==0||p->x=1 /" },
    { "$arg0:d, $arg6", "$arg0=-2401053088317177861 $arg6=77 /" },
    { "$caller == 0x401000", "$caller==0x401000=1 /" },
    { "$ret", " / $ret=9" },
    { "$ret, n", "n=-5 / $ret=9" },
    { "$ret + n", " / $ret+n=4" },
    { "0x7fffffffffffffff + 0", "0x7fffffffffffffff+0=9223372036854775807 /" },
    { "1 ? 2 : 3", "1?2:3=2 /" },
    { "'a' + 1", "'a'+1=98 /" },
    { "$_streq(p->name, \"first\"), $_streq(\"first\", p->name)",
      "$_streq(p->name,\"first\")=1 $_streq(\"first\",p->name)=1 /" },
    { "$_streq(p->name, \"firs\"), $_streq(p->name, \"first \"), $_streq(p->name, \"\")",
      "$_streq(p->name,\"firs\")=0 $_streq(p->name,\"first\")=0 $_streq(p->name,\"\")=0 /" },
    { "$_streq(p->next->name, \"second\") + 1", "$_streq(p->next->name,\"second\")+1=2 /" },
    { "$_strlen(p->name), $_strlen(p->next->name)",
      "$_strlen(p->name)=5 $_strlen(p->next->name)=6 /" },
    { "$_memeq(s, \"text\", 4), $_memeq(s, \"texT\", 4), $_memeq(s, \"texT\", 3)",
      "$_memeq(s,\"text\",4)=1 $_memeq(s,\"texT\",4)=0 $_memeq(s,\"texT\",3)=1 /" },
    { "$_memeq(s, \"\", 0)", "$_memeq(s,\"\",0)=1 /" },
    { "$_streq((char *)bad, \"x\"), $_strlen((char *)bad)",
      "$_streq((char*)bad,\"x\")=<fault> $_strlen((char*)bad)=<fault> /" },
};

START_TEST(values_are_cs)
{
    if (values[_i][1])
        collects(values[_i][0], values[_i][1]);
}
END_TEST

/* ---- conditions ------------------------------------------------------------------------------- */

/* How many of the calls with n = -50 to 49 are recorded. */
static void passes(const char *cond, unsigned entries, unsigned faults)
{
    struct ez_counter *in = NULL, *not = NULL;
    ok(ez_drain_open(drain, path));
    ok(prepare(cond, "", "", true));
    for (int n = -50; n < 50; n++) {
        reg[5] = (uint32_t)n;
        call(1);
    }
    struct ez_drain_stat st = stat_now();
    uint64_t got, exits, filtered, faulted;
    ez_drain_counts(drain, CLAUSE, &got, &exits);
    ez_drain_counts(drain, CLAUSE + 1, &filtered, &faulted);
    (void)in, (void)not ;
    ck_assert_uint_eq(got, entries);
    ck_assert_uint_eq(exits, entries);
    ck_assert_uint_eq(filtered, 100 - entries);
    ck_assert_uint_eq(faulted, faults);
    ck_assert_uint_eq(st.recorded, 2 * entries);
    ck_assert_uint_eq(st.filtered, 100 - entries);
    ck_assert_uint_eq(st.entries + st.exits, st.recorded + st.filtered);
    ok(ez_drain_close(drain));
    unprepare();
}

START_TEST(conditions_filter_calls)
{
    static const struct {
        const char *cond;
        unsigned entries, faults;
    } told[] = {
        { "n > 10", 39, 0 },
        { "n == 7", 1, 0 },
        { "n % 2", 50, 0 },
        { "n >= 0 && n < 10", 10, 0 },
        { "n < -40 || n > 40", 19, 0 },
        { "0", 0, 0 },
        { "1", 100, 0 },
        { "n / 0", 0, 100 },
        { "*bad == 3", 0, 100 },
        { "n > 0 && *bad", 0, 49 },
        { "d > 2.4 && n == 3", 1, 0 },
        { "p->x == 3", 100, 0 },
        { "n", 99, 0 },
        { "!n", 1, 0 },
        { "d - 2.5", 0, 0 },
        { "n > 0 && $_streq(p->name, \"first\")", 49, 0 },
        { "$_streq(p->name, \"firsT\") || n == 5", 1, 0 },
        { "n < 0 && $_strlen((char *)bad)", 0, 50 },
    };
    passes(told[_i].cond, told[_i].entries, told[_i].faults);
}
END_TEST

/* Without straight code the results are the same, but a hit takes longer. */
START_TEST(plain_clauses_are_straight)
{
    static const struct {
        const char *cond, *collect;
        int tests, words; /* -1: code of the runtime */
    } of[] = {
        { "$arg0 > 10", "$arg0", 1, 1 },
        { "$arg0 >= 0 && $arg1 < 10 && !$arg2", "$arg0, $arg1", 3, 2 },
        { "$arg0", "", 1, 0 },
        { "$arg0 > 1 || $arg1", "$arg0+1", -1, -1 },
        { "$arg0 > $arg1", "k", -1, -1 },
    };
    struct ez_reg_test test[4];
    struct ez_reg_part word[4];
    size_t n;
    ok(prepare(of[_i].cond, of[_i].collect, "", true));
    ck_assert_int_eq(ez_clause_tests(one.code, test, 4, &n) ? (int)n : -1, of[_i].tests);
    ck_assert_int_eq(ez_clause_words(one.code, word, 4, &n) ? (int)n : -1, of[_i].words);
    unprepare();
}
END_TEST

START_TEST(guards_filter_calls)
{
    const uint64_t now = ez_tick();
    const uint32_t tid = (uint32_t)syscall(SYS_gettid);
    const struct {
        struct ez_guards by;
        const char *cond;
        unsigned entries;
    } told[] = {
        { { .thread = tid }, "", 100 },
        { { .thread = tid + 1 }, "", 0 },
        { { .name = "check-name" }, "n > 0", 49 },
        { { .name = "check" }, "", 0 },
        { { .name = "check-namf" }, "", 0 },
        { { .callers = true }, "", 0 },
        /* a call at a function's end returns behind it */
        { { .callers = true, .at = (uint64_t[]){ 0x400f00, 0x401000 }, .nat = 2 }, "", 100 },
        { { .callers = true, .at = (uint64_t[]){ 0x401000, 0x402000 }, .nat = 2 }, "", 0 },
        { { .callers = true, .at = (uint64_t[]){ 0x400fff, 0x401001 }, .nat = 2 }, "n < 0", 50 },
        { { .from = now }, "", 100 },
        { { .from = now + (1ull << 60) }, "", 0 },
        { { .until = now + (1ull << 60) }, "", 100 },
        { { .until = now }, "n", 0 },
        { { .from = now, .until = now + (1ull << 60), .thread = tid }, "n", 99 },
        { { .skip = 30 }, "", 70 },
        { { .skip = 30 }, "n % 2", 20 },
        { { .most = 30 }, "n % 2", 30 },
        { { .skip = 30, .most = 15 }, "n % 2", 15 },
        { { .skip = 45, .most = 15 }, "n % 2", 5 },
        { { .skip = 30, .most = 15, .thread = tid }, "", 15 },
        { { .most = 15, .thread = tid + 1 }, "", 0 },
    };
    ck_assert_uint_eq(EZ_ARRAY_LEN(told), GUARDS);
    prctl(PR_SET_NAME, "check-name");
    guards = told[_i].by;
    passes(told[_i].cond, told[_i].entries, 0);
}
END_TEST

/* Range i is from 0x1000 * (i + 1) on. */
START_TEST(callers_are_found_among_many)
{
    uint64_t at[2 * EZ_GUARD_RANGES];
    size_t n = (size_t)_i * 11 + 1;
    for (size_t i = 0; i < n; i++) {
        at[2 * i] = 0x1000 * (i + 1);
        at[2 * i + 1] = at[2 * i] + 0x100;
    }
    guards = (struct ez_guards){ .callers = true, .at = at, .nat = 2 * n };
    ok(ez_drain_open(drain, path));
    ok(prepare("", "", "", true));
    uint64_t in = 0, got, exits;
    for (size_t i = 0; i <= n; i++)
        for (unsigned k = 0; k < 3; k++) {
            frame[0] = 0x1000 * (i + 1) - 0x80 + 0x100 * k; /* before it, in it, behind it */
            in += k == 1 && i < n;
            call(1);
        }
    ez_drain_counts(drain, CLAUSE, &got, &exits);
    ck_assert_uint_eq(got, in);
    stat_now();
    ok(ez_drain_close(drain));
    unprepare();
}
END_TEST

/* Threads share the turns: together they get exactly so many. */
static void *turn_takes(void *arg)
{
    uint64_t own[2] = { 0x401000, 0 };
    for (unsigned i = 0; i < 20000; i++) {
        uint64_t slot = ez_data(own, &trampoline, reg);
        if (slot)
            ez_data_exit(own, (struct shadow_frame *)(slot + EZ_DIST), (uint64_t[16]){ 0 });
    }
    return arg;
}

START_TEST(turns_are_shared)
{
    pthread_t id[8];
    uint64_t got, exits, filtered, faulted;
    guards = (struct ez_guards){ .skip = 50000, .most = 60000 };
    ok(ez_drain_open(drain, path));
    ok(prepare("", "", "", true));
    for (unsigned i = 0; i < 8; i++)
        pthread_create(&id[i], NULL, turn_takes, NULL);
    for (unsigned i = 0; i < 8; i++)
        pthread_join(id[i], NULL);
    ez_drain_counts(drain, CLAUSE, &got, &exits);
    ez_drain_counts(drain, CLAUSE + 1, &filtered, &faulted);
    ck_assert_uint_eq(got, 60000);
    ck_assert_uint_eq(exits, 60000);
    ck_assert_uint_eq(filtered, 100000);
    stat_now();
    ok(ez_drain_close(drain));
    unprepare();
}
END_TEST

START_TEST(exits_are_filtered_by_their_result)
{
    uint64_t got, exits, filtered, faulted;
    ok(ez_drain_open(drain, path));
    ok(prepare("$ret == 3 && n < 0", "$ret, n", "", false));
    for (int n = -5; n < 5; n++) {
        reg[5] = (uint32_t)n;
        call(3);
        call(4);
    }
    ez_drain_counts(drain, CLAUSE, &got, &exits);
    ez_drain_counts(drain, CLAUSE + 1, &filtered, &faulted);
    ck_assert_uint_eq(exits, 5);
    ck_assert_uint_eq(filtered, 15);
    ok(ez_drain_close(drain));
    EZ_FREE char *all = read_values();
    ck_assert_str_eq(all, " / $ret=3 n=-5 / $ret=3 n=-4 / $ret=3 n=-3 / $ret=3 n=-2 / $ret=3 n=-1");
    unprepare();
}
END_TEST

START_TEST(the_exit_knows_the_entrys_values)
{
    ok(ez_drain_open(drain, path));
    ok(prepare("", "n", "n, p->x, two, k", true));
    first.x = 3;
    uint64_t slot = ez_data(frame, &trampoline, reg);
    ck_assert_uint_ne(slot, 0);
    first.x = 99; /* memory is read at the exit */
    frame[1] = 1; /* the stack's argument was written over */
    ez_data_exit(frame, (struct shadow_frame *)(slot + EZ_DIST), (uint64_t[16]){ 0 });
    frame[1] = 77;
    first.x = 3;
    ok(ez_drain_close(drain));
    EZ_FREE char *all = read_values();
    ck_assert_str_eq(all, "n=-5 / n=-5 p->x=99 two.a=17 two.b=-22 k=77");
    unprepare();
}
END_TEST

/* Calls nested beyond a chunk of entries, each with its own saved words. */
START_TEST(many_calls_are_open_at_once)
{
    enum { DEEP = 1000 };
    static uint64_t stack[DEEP][2], slot[DEEP];
    ok(ez_drain_open(drain, path));
    ok(prepare("", "", "n", true));
    for (unsigned i = 0; i < DEEP; i++) {
        reg[5] = i;
        stack[i][0] = 0x401000 + i;
        slot[i] = ez_data(stack[i], &trampoline, reg);
        ck_assert_uint_ne(slot[i], 0);
        stack[i][0] = slot[i] + 6;
    }
    for (unsigned i = DEEP; i-- > 0;) {
        ez_data_exit(stack[i], (struct shadow_frame *)(slot[i] + EZ_DIST), (uint64_t[16]){ 0 });
        ck_assert_uint_eq(stack[i][0], 0x401000 + i);
    }
    ck_assert_uint_eq(rt_self()->top & (EZ_CHUNK - 1),
                      EZ_RETURN_TRAMPOLINE); /* every entry was given back */
    ok(ez_drain_close(drain));
    EZ_FREE char *all = read_values();
    for (unsigned i = 0; i < DEEP; i++) {
        EZ_FREE char *want = ez_sprintf("/ n=%u", i);
        ck_assert_ptr_nonnull(strstr(all, want));
    }
    unprepare();
}
END_TEST

/* ---- pauses of recording ------------------------------------------------------------------------ */

static unsigned other; /* the buffer of a thread whose hit comes next */

/* Between the reading of the clock and its use, another thread's hit is recorded and written. */
static uint64_t tick_before_another_hit(void)
{
    uint64_t tick = ez_tick();
    unsigned l = other;
    other = 0;
    if (l) {
        hit(l, 3, 0);
        ez_drain_flush(drain);
    }
    return tick;
}

static void pause_at_next_hit(bool pause)
{
    struct ez_program *p = (struct ez_program *)program;
    ((struct ez_clause *)ez_clause_at(p, 0))->act = pause ? EZ_ACT_TRACE_STOP : EZ_ACT_TRACE_START;
    p->acts = 1;
}

/* Returns the number of probe events in the file. *last: the id of the one with the latest tick. */
static unsigned events_of_probes(uint32_t *last)
{
    struct ez_fxt_in *in = NULL;
    struct ez_fxt_event ev;
    uint64_t latest = 0;
    unsigned n = 0;
    bool got = true;
    ok(ez_fxt_in_open(path, &in));
    for (;;) {
        ok(ez_fxt_in_next(in, &ev, &got));
        if (!got)
            break;
        if (ev.code < EZ_C_PROBE || ev.code >= EZ_C_MODULE)
            continue;
        n++;
        if (ev.tick >= latest) {
            latest = ev.tick;
            *last = (ev.code - EZ_C_PROBE) / 2;
        }
    }
    ez_fxt_in_close(in);
    return n;
}

/* No hit that is recorded is later than the one that pauses recording. */
START_TEST(a_pause_begins_after_written_records)
{
    uint32_t last = 0;
    define_all();
    ok(ez_drain_open(drain, path));
    ok(prepare("", "", "", true));
    unsigned l = other = take_buffer((uint32_t)getpid());
    tick_hook = ez_tick;
    rt_state.mono = 1;
    call(1);
    pause_at_next_hit(true);
    tick_hook = tick_before_another_hit;
    call(1); /* its exit is in the pause */
    ck_assert_uint_eq(other, 0);
    hit(l, 3, 1);
    ck_assert_uint_eq(stat_now().untraced, 2);
    ok(ez_drain_close(drain));
    ck_assert_uint_eq(events_of_probes(&last), 4);
    ck_assert_uint_eq(last, CLAUSE);
    unprepare();
}
END_TEST

/* A thread that was preempted between storing its pause and counting it does not delay the pause. */
START_TEST(the_drain_completes_a_pause)
{
    define_all();
    ok(ez_drain_open(drain, path));
    unsigned l = take_buffer((uint32_t)getpid());
    hit(l, 3, 0);
    ez_drain_flush(drain);
    hdr->pause_at[hdr->pauses % EZ_PAUSES] = EZ_PAUSE_HAS_TICK | ez_tick();
    hit(l, 3, 1);
    ck_assert_uint_eq(stat_now().untraced, 1);
    ck_assert_uint_eq(hdr->pauses & 1, 1);
    ez_drain_pause(drain, false);
    ck_assert_uint_eq(hdr->pauses & 1, 0);
    hit(l, 3, 0);
    ck_assert_uint_eq(stat_now().recorded, 2);
    ok(ez_drain_close(drain));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("code");
    TCase *c = tcase_create("code");
    tcase_add_checked_fixture(c, code_setup, teardown);
    tcase_set_timeout(c, 60);
    tcase_add_loop_test(c, values_are_cs, 0, EZ_ARRAY_LEN(values));
    tcase_add_loop_test(c, conditions_filter_calls, 0, 18);
    tcase_add_loop_test(c, plain_clauses_are_straight, 0, 5);
    tcase_add_loop_test(c, guards_filter_calls, 0, GUARDS);
    tcase_add_loop_test(c, callers_are_found_among_many, 0, 24);
    tcase_add_test(c, turns_are_shared);
    tcase_add_test(c, exits_are_filtered_by_their_result);
    tcase_add_test(c, the_exit_knows_the_entrys_values);
    tcase_add_test(c, many_calls_are_open_at_once);
    tcase_add_test(c, a_pause_begins_after_written_records);
    tcase_add_test(c, the_drain_completes_a_pause);
    suite_add_tcase(s, c);
    return run_suite(s);
}
