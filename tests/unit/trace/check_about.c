/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_about.c - what states, events and variables are about: words, subjects and their names,
 * amounts that are held, and the tables of them. */
#include "engine/record/words.h"
#include "engine/trace/samples.h"
#include "engine/trace/stats.h"
#include "engine/trace/timeline.h"
#include "engine/trace/vars.h"
#include "tests/unit/trace_file.h"
#include "tests/unit/suite.h"

static char path[64], other[64];

static void setup(void)
{
    snprintf(path, sizeof path, "check_about-%d.fxt", getpid());
    snprintf(other, sizeof other, "check_about-%d.2.fxt", getpid());
}

static void teardown(void)
{
    unlink(path);
    unlink(other);
}

/* ---- words ------------------------------------------------------------------------------- */

START_TEST(words_are_read)
{
    struct ez_words w;
    ck_assert(ez_words_parse("", &w) && w.n == 0 && w.subject == -1 && w.by_name == -1);
    ck_assert(ez_words_parse(" a:int  @b_2.x-y:hex c:double ", &w));
    ck_assert_uint_eq(w.n, 3);
    ck_assert_int_eq(w.subject, 1);
    ck_assert_str_eq(w.word[1].name, "b_2.x-y");
    ck_assert_int_eq(w.word[0].type, EZ_W_INT);
    ck_assert_int_eq(w.word[1].type, EZ_W_HEX);
    ck_assert_int_eq(w.word[2].type, EZ_W_DOUBLE);
    ck_assert(ez_words_parse("@f:code p:name", &w) && w.by_name == 1);
    ck_assert(ez_words_parse("f:uint p:text", &w) && w.by_name == -1);
    ck_assert(ez_words_parse("@c:data m:data", &w) && w.word[1].type == EZ_W_DATA);
}
END_TEST

START_TEST(wrong_words)
{
    static const char *const wrong[] = {
        "a",
        "a:",
        ":int",
        "a:integer",
        "a:in",
        "@:int",
        "@a:int @b:int",
        "@a:text",
        "@a:name",
        "p:name",
        "a b:int",
        "a:int,b:int",
        "p:text a:int",
        "a;b:int",
        "@a:int p:name q:name",
        "@@a:int",
        "a2345678901234567890123456789012:int",
    };
    struct ez_words w;
    for (size_t i = 0; i < EZ_ARRAY_LEN(wrong); i++) {
        ck_assert_msg(!ez_words_parse(wrong[i], &w), "%s", wrong[i]);
        ck_assert_msg(w.n == 0 && w.subject == -1 && w.by_name == -1, "%s", wrong[i]);
    }
    char many[33 * 7 + 1] = "";
    for (int i = 0; i < 32; i++)
        strcat(many, "ab:int ");
    ck_assert(ez_words_parse(many, &w) && w.n == 32);
    strcat(many, "ab:int ");
    ck_assert(!ez_words_parse(many, &w));
}
END_TEST

/* ---- traces ------------------------------------------------------------------------------- */

enum {
    LOCK = EZ_C_MODULE + 0x520000,
    UNLOCK,
    BUSY,
    READ,
    POP,
    BYTES,
    OPENED,
    HOLD,
    RELEASE,
    RATIO,
    REGION,
    SAMPLE,
    GROWS,
    WAIT,
    CALL,
    RETURN,
    UNWIND,
    NAME
};

static void words(struct ez_fxt_out *f, uint64_t code, enum ez_action action, unsigned level,
                  const char *name, const char *what)
{
    uint64_t arg[] = { code, action, level };
    char text[256];
    int n = snprintf(text, sizeof text, "%s%cmod%c%s", name, 0, 0, what);
    tf_ok(ez_fxt_out_define(
        f, &(struct ez_fxt_def){ EZ_DEF_MEANING, 1, 42, arg, 3, text, (size_t)n }));
}

static struct ez_fxt_out *begin(const char *file, int pid)
{
    struct ez_fxt_out *f = tf_open(file, pid);
    tf_process(f, (uint64_t)pid, "app", "here");
    words(f, LOCK, EZ_A_PUSH, 2, "Held", "@lock:hex");
    words(f, UNLOCK, EZ_A_POP, 2, "", "@lock:hex");
    words(f, BUSY, EZ_A_EVENT, 2, "busy", "@lock:hex");
    words(f, READ, EZ_A_PUSH, 2, "Reading", "@file:int");
    words(f, POP, EZ_A_POP, 2, "", "");
    words(f, BYTES, EZ_A_VAR_ADD, 1, "Bytes", "bytes:int @file:int");
    words(f, OPENED, EZ_A_EVENT, 2, "opened", "@file:int path:name");
    words(f, HOLD, EZ_A_HOLD, 1, "Used", "block:hex bytes:uint @caller:code");
    words(f, RELEASE, EZ_A_RELEASE, 1, "Used", "block:hex");
    words(f, RATIO, EZ_A_VAR_SET, 2, "Ratio", "value:int @region:code");
    words(f, REGION, EZ_A_PUSH, 2, "Region", "@region:code");
    words(f, GROWS, EZ_A_VAR_ADD, 2, "Ratio", "value:int @region:code");
    words(f, SAMPLE, EZ_A_SAMPLE, 2, "", "faults:uint cycles:uint");
    words(f, WAIT, EZ_A_PUSH, 2, "Waiting", "@condition:data mutex:data");
    words(f, CALL, EZ_A_CALL, 2, "", "@function:hex");
    words(f, RETURN, EZ_A_RETURN, 2, "", "@function:hex");
    words(f, UNWIND, EZ_A_UNWIND, 2, "", "@function:hex");
    words(f, NAME, EZ_A_NAME, 2, "", "@function:hex name:name");
    return f;
}

static void at(struct ez_fxt_out *f, uint64_t tick, uint64_t tid, uint64_t code, uint64_t a,
               uint64_t b, uint64_t c)
{
    tf_args(f, tick, tid, code, (uint64_t[]){ a, b, c }, 3);
}

static void named(struct ez_fxt_out *f, uint64_t tick, uint64_t code, uint64_t what,
                  const char *name)
{
    uint64_t word[9] = { what };
    memcpy(word + 1, name, strlen(name));
    tf_args(f, tick, 7, code, word, 1 + (strlen(name) + 7) / 8);
}

static void opened(struct ez_fxt_out *f, uint64_t tick, uint64_t fd, const char *name)
{
    named(f, tick, OPENED, fd, name);
}

static void symbol(struct ez_fxt_out *f, uint64_t addr, const char *name)
{
    tf_ok(ez_fxt_out_define(
        f, &(struct ez_fxt_def){ EZ_DEF_SYMBOL, 1, 42, &addr, 1, name, strlen(name) }));
}

struct tables {
    struct ez_replay *r;
    struct ez_stats *st;
    struct ez_vars *v;
    struct ez_samples *c;
};

static ez_err *item(void *arg, const struct ez_item *it)
{
    struct tables *t = arg;
    EZ_TRY(ez_stats_item(t->st, it));
    EZ_TRY(ez_vars_item(t->v, it));
    return ez_samples_item(t->c, it);
}

static struct tables read_tables(size_t files, const char *kind, unsigned by)
{
    struct tables t;
    char *const in[] = { path, other };
    tf_ok(ez_replay_open(in, files, NULL, &t.r));
    t.st = ez_stats_create(ez_replay_model(t.r), by, false);
    t.v = ez_vars_create(ez_replay_model(t.r), kind);
    t.c = ez_samples_create(ez_replay_model(t.r));
    if (kind)
        ez_stats_subjects(t.st, kind);
    tf_ok(ez_replay_run(t.r, item, &t, NULL));
    ez_stats_table(t.st, EZ_SORT_NAME);
    ez_vars_table(t.v);
    ez_samples_table(t.c);
    return t;
}

static void drop(struct tables *t)
{
    ez_stats_free(t->st);
    ez_vars_free(t->v);
    ez_samples_free(t->c);
    ez_replay_close(t->r);
}

/* "SUBJECT FUNCTION calls total" of each row. */
static void rows_are(const struct tables *t, const char *want)
{
    char got[1024] = "";
    for (size_t i = 0; i < t->st->n; i++) {
        const struct ez_stat_row *r = &t->st->row[i];
        size_t n = strlen(got);
        snprintf(got + n, sizeof got - n, "%s %s%s%s %llu %llu\n", r->subject ? r->subject : "-",
                 r->thread, *r->thread ? " " : "", r->function, (unsigned long long)r->calls,
                 (unsigned long long)r->total_ns);
    }
    ck_assert_str_eq(got, want);
}

/* Two locks that are given back in the order in which they were taken: each was held as long as it
 * was, though states are nested. */
START_TEST(locks_in_any_order)
{
    struct ez_fxt_out *f = begin(path, 42);
    at(f, 100, 7, LOCK, 0xa, 0, 0);
    at(f, 200, 7, LOCK, 0xb, 0, 0);
    at(f, 1000, 7, UNLOCK, 0xa, 0, 0);
    at(f, 1500, 7, UNLOCK, 0xb, 0, 0);
    at(f, 2000, 7, LOCK, 0xa, 0, 0); /* recursive: held once */
    at(f, 2100, 7, LOCK, 0xa, 0, 0);
    at(f, 2200, 7, UNLOCK, 0xa, 0, 0);
    at(f, 2300, 7, UNLOCK, 0xa, 0, 0);
    at(f, 3000, 8, BUSY, 0xb, 0, 0);
    tf_ok(ez_fxt_out_close(f));
    struct tables t = read_tables(1, "lock", EZ_BY_FUNCTION);
    rows_are(&t, "0xa Held 3 1200\n0xb Held 1 1300\n0xb busy 1 0\n");
    ck_assert_uint_eq(t.st->row[0].times.min, 100);
    ck_assert_uint_eq(t.st->row[0].times.max, 900);
    ck_assert_str_eq(t.st->row[0].only_in, "app 42");
    drop(&t);
    t = read_tables(1, "lock", EZ_BY_FUNCTION | EZ_BY_THREAD);
    rows_are(&t, "0xa thread 7 Held 3 1200\n0xb thread 7 Held 1 1300\n0xb thread 8 busy 1 0\n");
    drop(&t);
    t = read_tables(1, NULL, EZ_BY_FUNCTION); /* the same states, as they are nested */
    rows_are(&t, "- Held 4 1700\n- busy 1 0\n");
    drop(&t);
    t = read_tables(1, "file", EZ_BY_FUNCTION);
    ck_assert_uint_eq(t.st->n, 0);
    drop(&t);
}
END_TEST

static void drawn_is(const char *kind, const char *want)
{
    char got[64] = "";
    struct ez_replay *r;
    tf_ok(ez_replay_open((char *const[]){ path }, 1, NULL, &r));
    const struct ez_model *m = ez_replay_model(r);
    struct ez_timeline *t = ez_timeline_create(m, 0, 100 * strlen(want), (unsigned)strlen(want));
    ez_timeline_subjects(t, kind);
    tf_ok(ez_replay_run(r, ez_timeline_item, t, NULL));
    ez_timeline_finish(t);
    ck_assert_uint_eq(t->n, 1);
    for (unsigned k = 0; k < t->slices; k++) {
        uint32_t n = t->row[0].slice[k];
        const char *text = n < m->subject.n ? m->subject.at[n].text : ".";
        got[k] = text[strlen(text) - 1];
    }
    ck_assert_str_eq(got, want);
    ez_timeline_free(t);
    ez_replay_close(r);
}

/* What the innermost state of that kind is about, whatever is inside it. */
START_TEST(timeline_of_subjects)
{
    struct ez_fxt_out *f = begin(path, 42);
    at(f, 100, 7, LOCK, 0xa, 0, 0);
    at(f, 400, 7, LOCK, 0xb, 0, 0);
    at(f, 600, 7, READ, 3, 0, 0);
    at(f, 800, 7, POP, 0, 0, 0);
    at(f, 1000, 7, UNLOCK, 0xa, 0, 0);
    at(f, 1300, 7, UNLOCK, 0xb, 0, 0);
    at(f, 1500, 7, LOCK, 0xa, 0, 0);
    at(f, 1600, 7, LOCK, 0xb, 0, 0);
    at(f, 1700, 7, UNLOCK, 0xb, 0, 0);
    at(f, 1800, 7, UNLOCK, 0xa, 0, 0);
    tf_ok(ez_fxt_out_close(f));
    drawn_is("lock", "aaabbbbbbbbb..aba.");
    drawn_is("file", ".....33..");
}
END_TEST

/* The end of what is not open ends nothing else. */
START_TEST(another_threads_lock)
{
    struct ez_fxt_out *f = begin(path, 42);
    at(f, 100, 7, LOCK, 0xa, 0, 0);
    at(f, 200, 7, UNLOCK, 0xb, 0, 0);
    at(f, 300, 7, UNLOCK, 0xa, 0, 0);
    at(f, 400, 8, UNLOCK, 0xa, 0, 0);
    tf_ok(ez_fxt_out_close(f));
    struct tables t = read_tables(1, "lock", EZ_BY_FUNCTION);
    rows_are(&t, "0xa Held 1 200\n");
    ck_assert_uint_eq(ez_replay_sum(t.r)->count.lone_exits, 2);
    drop(&t);
}
END_TEST

/* Calls whose function is the event's subject: named before, after or never; left by an exception;
 * and one whose return is missing. Names are no events. */
START_TEST(calls_of_subjects)
{
    struct ez_fxt_out *f = begin(path, 42);
    named(f, 90, NAME, 0xa, "outer:1\tmain.py");
    at(f, 100, 7, CALL, 0xa, 0, 0);
    at(f, 200, 7, CALL, 0xb, 0, 0); /* not named yet */
    at(f, 300, 7, RETURN, 0xb, 0, 0);
    named(f, 350, NAME, 0xb, "inner:2\tmain.py");
    at(f, 400, 7, CALL, 0xb, 0, 0);
    at(f, 450, 7, UNWIND, 0xb, 0, 0);
    named(f, 500, NAME, 0xc, "plain");
    at(f, 550, 7, CALL, 0xc, 0, 0);
    at(f, 600, 7, RETURN, 0xa, 0, 0);
    at(f, 700, 7, RETURN, 0xa, 0, 0); /* a second time: it ends nothing */
    tf_ok(ez_fxt_out_close(f));
    struct tables t = read_tables(1, NULL, EZ_BY_FUNCTION);
    rows_are(&t, "- 0xb 1 100\n- inner:2 1 50\n- outer:1 1 500\n- plain 1 50\n");
    ck_assert_str_eq(t.st->row[0].library, "mod");
    ck_assert_str_eq(t.st->row[1].library, "main.py");
    ck_assert_uint_eq(t.st->row[1].unwound, 1);
    ck_assert_str_eq(t.st->row[3].library, "mod");
    ck_assert_uint_eq(ez_replay_sum(t.r)->count.lone_exits, 1);
    drop(&t);
}
END_TEST

/* The same address in two processes is not the same lock. */
START_TEST(subjects_of_a_process)
{
    for (int i = 0; i < 2; i++) {
        struct ez_fxt_out *f = begin(i ? other : path, 42 + i);
        symbol(f, 0x4000 + (uint64_t)i, "work");
        at(f, 100, 7, LOCK, 0xa, 0, 0);
        at(f, 200, 7, UNLOCK, 0xa, 0, 0);
        at(f, 300, 7, REGION, 0x4000 + (uint64_t)i, 0, 0);
        at(f, 400, 7, POP, 0, 0, 0);
        tf_ok(ez_fxt_out_close(f));
    }
    struct tables t = read_tables(2, "lock", EZ_BY_FUNCTION);
    rows_are(&t, "0xa Held 1 100\n0xa Held 1 100\n");
    drop(&t);
    t = read_tables(2, "region", EZ_BY_FUNCTION); /* the same function is */
    rows_are(&t, "work Region 2 200\n");
    ck_assert_str_eq(t.st->row[0].only_in, "");
    drop(&t);
}
END_TEST

/* Variables have the names of their symbols. Two with the same name have their addresses, too; the
 * same name in another process is another variable. */
START_TEST(names_of_variables)
{
    for (int i = 0; i < 2; i++) {
        struct ez_fxt_out *f = begin(i ? other : path, 42 + i);
        symbol(f, 0x4000, "full");
        symbol(f, 0x4100, "table+40");
        symbol(f, 0x4200, i ? "alone" : "full");
        const uint64_t lock[] = { 0x4000, 0x4100, 0x4200, 0x7f00 };
        for (uint64_t k = 0; k < EZ_ARRAY_LEN(lock); k++) {
            at(f, 100 * k + 100, 7, WAIT, lock[k], 0x4000, 0);
            at(f, 100 * k + 110, 7, POP, 0, 0, 0);
        }
        tf_ok(ez_fxt_out_close(f));
    }
    struct tables t = read_tables(1, "condition", EZ_BY_FUNCTION);
    rows_are(&t, "0x7f00 Waiting 1 10\nfull (0x4000) Waiting 1 10\n"
                 "full (0x4200) Waiting 1 10\ntable+40 Waiting 1 10\n");
    drop(&t);
    t = read_tables(2, "condition", EZ_BY_FUNCTION);
    ck_assert_uint_eq(t.st->n, 8);
    ck_assert_str_eq(t.st->row[2].subject, "alone");
    ck_assert_str_ne(t.st->row[2].only_in, "");
    drop(&t);
}
END_TEST

START_TEST(names_of_files)
{
    struct ez_fxt_out *f = begin(path, 42);
    opened(f, 100, 3, "/a/long/name");
    at(f, 200, 7, READ, 3, 0, 0);
    at(f, 250, 7, BYTES, 100, 3, 0);
    at(f, 300, 7, POP, 0, 0, 0);
    opened(f, 400, 3, "b");
    at(f, 500, 7, READ, 3, 0, 0);
    at(f, 600, 7, BYTES, 7, 3, 0);
    at(f, 700, 7, BYTES, 1, 3, 0);
    at(f, 900, 7, POP, 0, 0, 0);
    opened(f, 950, 3, ""); /* closed: this is about b, and then 3 is 3 */
    at(f, 1000, 7, READ, 3, 0, 0);
    at(f, 1100, 7, POP, 0, 0, 0);
    tf_ok(ez_fxt_out_close(f));
    struct tables t = read_tables(1, "file", EZ_BY_FUNCTION);
    rows_are(&t, "/a/long/name Reading 1 100\n3 Reading 1 100\nb Reading 1 400\n"
                 "/a/long/name opened 1 0\nb opened 2 0\n");
    ck_assert_uint_eq(t.v->n, 2);
    ck_assert_str_eq(t.v->row[0].where, "/a/long/name");
    ck_assert_double_eq(t.v->row[0].added, 100);
    ck_assert_uint_eq(t.v->row[0].state_ns, 100);
    ck_assert_str_eq(t.v->row[0].state, "Reading");
    ck_assert_str_eq(t.v->row[1].where, "b");
    ck_assert_uint_eq(t.v->row[1].adds, 2);
    ck_assert_double_eq(t.v->row[1].added, 8);
    ck_assert_uint_eq(t.v->row[1].state_ns, 400);
    drop(&t);
    t = read_tables(1, NULL, EZ_BY_FUNCTION);
    ck_assert_uint_eq(t.v->n, 1);
    ck_assert_str_eq(t.v->row[0].where, "app 42");
    ck_assert_double_eq(t.v->row[0].min, 100);
    ck_assert_double_eq(t.v->row[0].last, 108);
    drop(&t);
}
END_TEST

/* Thread 7 closes file 3; before it can say so, thread 8 has opened another one as 3. */
START_TEST(a_number_given_anew)
{
    struct ez_fxt_out *f = begin(path, 42);
    opened(f, 100, 3, "a");
    at(f, 200, 7, READ, 3, 0, 0);
    uint64_t word[2] = { 3, 'b' };
    tf_args(f, 300, 8, OPENED, word, 2);
    opened(f, 400, 3, "");
    at(f, 500, 7, POP, 0, 0, 0);
    at(f, 600, 8, BYTES, 5, 3, 0);
    tf_ok(ez_fxt_out_close(f));
    struct tables t = read_tables(1, "file", EZ_BY_FUNCTION);
    rows_are(&t, "a Reading 1 300\na opened 2 0\nb opened 1 0\n");
    ck_assert_str_eq(t.v->row[0].where, "b");
    drop(&t);
}
END_TEST

START_TEST(what_is_held)
{
    struct ez_fxt_out *f = begin(path, 42);
    symbol(f, 0x10, "make");
    at(f, 100, 7, HOLD, 0xa0, 50, 0x10);
    at(f, 110, 8, HOLD, 0xb0, 30, 0x10);
    at(f, 120, 8, HOLD, 0xc0, 5, 0x20);
    at(f, 130, 8, RELEASE, 0xa0, 0, 0);
    at(f, 140, 8, RELEASE, 0xa0, 0, 0);  /* nobody holds it: not seen, or before the trace */
    at(f, 150, 8, HOLD, 0xb0, 31, 0x20); /* its release was not seen */
    at(f, 160, 8, HOLD, 0xd0, 0, 0x20);  /* of no bytes: it counts */
    tf_ok(ez_fxt_out_close(f));
    struct tables t = read_tables(1, NULL, EZ_BY_FUNCTION);
    ck_assert_uint_eq(t.v->n, 1);
    ck_assert_double_eq(t.v->row[0].last, 36);
    ck_assert_double_eq(t.v->row[0].max, 85);
    ck_assert_double_eq(t.v->row[0].min, 5);
    drop(&t);
    t = read_tables(1, "caller", EZ_BY_FUNCTION);
    ck_assert_uint_eq(t.v->n, 2);
    const struct ez_var_row *make = &t.v->row[0], *none = &t.v->row[1];
    ck_assert_str_eq(make->where, "make");
    ck_assert_double_eq(make->added, 80);
    ck_assert_double_eq(make->taken, 80);
    ck_assert_uint_eq(make->subs, 2);
    ck_assert_str_eq(none->where, "0x20");
    ck_assert_str_eq(none->process, "app 42");
    ck_assert_uint_eq(none->adds - none->subs, 3);
    ck_assert_double_eq(none->added - none->taken, 36);
    drop(&t);
}
END_TEST

START_TEST(values_that_are_set)
{
    struct ez_fxt_out *f = begin(path, 42);
    at(f, 100, 7, RATIO, 3, 0x10, 0);
    at(f, 200, 8, RATIO, 1, 0x10, 0);
    at(f, 300, 7, RATIO, 9, 0x20, 0);
    at(f, 310, 7, GROWS, 1, 0x30, 0); /* the same variable, grown and then set */
    at(f, 320, 7, RATIO, 5, 0x30, 0);
    tf_ok(ez_fxt_out_close(f));
    struct tables t = read_tables(1, "region", EZ_BY_FUNCTION);
    ck_assert_uint_eq(t.v->n, 3);
    ck_assert_str_eq(t.v->row[0].where, "0x30");
    ck_assert_double_eq(t.v->row[0].min, 5);
    drop(&t);
    t = read_tables(1, "region", EZ_BY_FUNCTION);
    t.v->row++;
    ck_assert_uint_eq(t.v->row[0].sets, 2);
    ck_assert_double_eq(t.v->row[0].mean, 2);
    ck_assert_double_eq(t.v->row[0].min, 1);
    ck_assert_double_eq(t.v->row[0].max, 3);
    drop(&t);
    t = read_tables(1, NULL, EZ_BY_FUNCTION);
    ck_assert_uint_eq(t.v->n, 2);
    ck_assert_str_eq(t.v->row[0].where, "thread 7");
    ck_assert_double_eq(t.v->row[0].last, 5);
    ck_assert_double_eq(t.v->row[1].last, 1);
    drop(&t);
}
END_TEST

static void row_is(const struct ez_sample_row *r, const char *function, const char *counter,
                   uint64_t calls, uint64_t total, uint64_t min, uint64_t max)
{
    ck_assert_str_eq(r->function, function);
    ck_assert_str_eq(r->counter, counter);
    ck_assert_uint_eq(r->calls, calls);
    ck_assert_uint_eq(r->total, total);
    ck_assert_uint_eq(r->min, min);
    ck_assert_uint_eq(r->max, max);
}

/* Calls inside calls have samples of their own; a call without its second one is left out. */
START_TEST(counters_of_calls)
{
    struct ez_fxt_out *f = begin(path, 42);
    at(f, 0, 7, SAMPLE, 1, 1, 0); /* in no call */
    at(f, 100, 7, LOCK, 0xa, 0, 0);
    at(f, 101, 7, SAMPLE, 1, 10, 0);
    at(f, 200, 7, READ, 3, 0, 0);
    at(f, 201, 7, SAMPLE, 2, 20, 0);
    at(f, 300000, 7, SAMPLE, 5, 50, 0);
    at(f, 300001, 7, POP, 0, 0, 0);
    at(f, 400000, 7, READ, 3, 0, 0);
    at(f, 400001, 8, SAMPLE, 900, 900, 0); /* another thread's */
    at(f, 400001, 7, SAMPLE, 6, 60, 0);
    at(f, 400002, 7, POP, 0, 0, 0); /* no second one */
    at(f, 500000, 7, SAMPLE, 8, 80, 0);
    at(f, 500001, 7, UNLOCK, 0xa, 0, 0);
    at(f, 600000, 7, READ, 3, 0, 0);
    at(f, 600001, 7, SAMPLE, 8, 90, 0);
    at(f, 600002, 7, SAMPLE, 9, 90, 0);
    at(f, 600003, 7, POP, 0, 0, 0);
    tf_ok(ez_fxt_out_close(f));
    struct tables t = read_tables(1, NULL, EZ_BY_FUNCTION);
    ck_assert_uint_eq(t.c->n, 4);
    row_is(&t.c->row[0], "Held", "faults", 1, 7, 7, 7);
    row_is(&t.c->row[1], "Held", "cycles", 1, 70, 70, 70);
    row_is(&t.c->row[2], "Reading", "faults", 2, 4, 1, 3);
    row_is(&t.c->row[3], "Reading", "cycles", 2, 30, 0, 30);
    ck_assert_uint_eq(t.v->n, 2); /* thread 8 has one sample, so no rate */
    ck_assert_str_eq(t.v->row[0].variable, "cycles per second");
    ck_assert_double_eq_tol(t.v->row[0].last, 30 * 1e9 / 200000, 1); /* 500000: too soon */
    drop(&t);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("about");
    TCase *c = tcase_create("about");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_test(c, words_are_read);
    tcase_add_test(c, wrong_words);
    tcase_add_test(c, locks_in_any_order);
    tcase_add_test(c, another_threads_lock);
    tcase_add_test(c, timeline_of_subjects);
    tcase_add_test(c, calls_of_subjects);
    tcase_add_test(c, subjects_of_a_process);
    tcase_add_test(c, names_of_variables);
    tcase_add_test(c, names_of_files);
    tcase_add_test(c, a_number_given_anew);
    tcase_add_test(c, what_is_held);
    tcase_add_test(c, values_that_are_set);
    tcase_add_test(c, counters_of_calls);
    suite_add_tcase(s, c);
    return run_suite(s);
}
