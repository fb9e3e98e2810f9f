/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_filter.c - which calls a filter shows (engine/trace/filter.h): against a simple definition, for random traces
 * and random filters; and lists, conditions, links and what is missing, by hand. */
#include <inttypes.h>

#include "engine/trace/stats.h"
#include "tests/unit/trace_file.h"
#include "tests/unit/suite.h"

#define PATH "check_filter.fxt"

enum { FUNCTIONS = 5, MOST = 400, THREADS = 3 };
static const char *const functions[FUNCTIONS] = { "alpha", "beta", "gamma", "delta", "be" };
static const char *const libraries[FUNCTIONS] = { "app", "app", "libx.so", "libx.so", "liby.so" };

struct call {
    int function, parent; /* parent: index, or -1 */
    unsigned thread, depth;
    uint64_t from, to;
    bool shown;
};

/* ---- a random trace, and the calls in it ------------------------------------------------------- */

static uint64_t seed;

static unsigned any(unsigned n)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(seed >> 33) % n;
}

static struct ez_fxt_out *begin(void)
{
    struct ez_fxt_out *f = tf_open(PATH, 42);
    tf_process(f, 42, "app", "here");
    for (uint32_t i = 0; i < FUNCTIONS; i++)
        tf_probe(f, i, TF_BOTH, functions[i], libraries[i]);
    return f;
}

static size_t write_random(struct call *call)
{
    struct ez_fxt_out *f = begin();
    int stack[THREADS][16], n = 0;
    unsigned depth[THREADS] = { 0 };
    uint64_t now = 0;
    for (int i = 0; i < MOST; i++) {
        unsigned t = any(THREADS), d = depth[t];
        now += any(50);
        if (d < 16 && (!d || any(2))) {
            struct call c = { (int)any(FUNCTIONS), d ? stack[t][d - 1] : -1, t, d, now, 0, false };
            tf_put(f, now, 7 + t, (uint32_t)c.function, false);
            stack[t][depth[t]++] = n;
            call[n++] = c;
        } else {
            struct call *c = &call[stack[t][--depth[t]]];
            c->to = now;
            tf_put(f, now, 7 + t, (uint32_t)c->function, true);
        }
    }
    for (unsigned t = 0; t < THREADS; t++)
        while (depth[t]) {
            struct call *c = &call[stack[t][--depth[t]]];
            c->to = ++now;
            tf_put(f, now, 7 + t, (uint32_t)c->function, true);
        }
    tf_ok(ez_fxt_out_close(f));
    return (size_t)n;
}

/* ---- the definition ---------------------------------------------------------------------------- */

struct wish { /* what a random filter asks for; -1, 0: nothing */
    int function, not_function, library, caller, callee, thread;
    unsigned depth;
    uint64_t min, max;
    unsigned where_depth;
};

static bool inside(const struct call *call, int i, int function)
{
    for (i = call[i].parent; i >= 0; i = call[i].parent)
        if (call[i].function == function)
            return true;
    return false;
}

static bool below(const struct call *call, size_t n, int around, int function)
{
    for (size_t i = 0; i < n; i++) {
        int p = call[i].function == function ? call[i].parent : -1;
        for (; p >= 0; p = call[p].parent)
            if (p == around)
                return true;
    }
    return false;
}

static bool meets(const struct call *call, size_t n, int i, const struct wish *w)
{
    const struct call *c = &call[i];
    unsigned around = 0;
    for (int p = c->parent; p >= 0; p = call[p].parent)
        around += call[p].shown;
    return (w->function < 0 || c->function == w->function) &&
           (w->not_function < 0 || c->function != w->not_function) &&
           (w->library < 0 || !strcmp(libraries[c->function], libraries[w->library])) &&
           (w->caller < 0 || inside(call, i, w->caller)) &&
           (w->callee < 0 || below(call, n, i, w->callee)) &&
           (w->thread < 0 || c->thread == (unsigned)w->thread) &&
           (!w->depth || around < w->depth) && c->to - c->from >= w->min &&
           (!w->max || c->to - c->from <= w->max) && c->depth >= w->where_depth;
}

static struct wish random_wish(void)
{
    struct wish w = { -1, -1, -1, -1, -1, -1, 0, 0, 0, 0 };
    int *regex[] = { &w.function, &w.not_function, &w.library, &w.caller, &w.callee };
    for (size_t i = 0; i < EZ_ARRAY_LEN(regex); i++)
        if (!any(3))
            *regex[i] = (int)any(FUNCTIONS);
    w.thread = any(4) ? -1 : (int)any(THREADS);
    w.depth = any(3) ? 0 : 1 + any(3);
    w.min = any(3) ? 0 : any(200);
    w.max = any(3) ? 0 : w.min + 1 + any(500);
    w.where_depth = any(3) ? 0 : any(4);
    return w;
}

struct texts {
    char regex[5][16], thread[8], where[32];
};

static struct ez_filter_spec spec_of(const struct wish *w, struct texts *t)
{
    const int function[] = { w->function, w->not_function, w->caller, w->callee };
    for (size_t i = 0; i < EZ_ARRAY_LEN(function); i++)
        if (function[i] >= 0)
            snprintf(t->regex[i], 16, "^%s$", functions[function[i]]);
    snprintf(t->thread, sizeof t->thread, "%d", 7 + w->thread);
    snprintf(t->where, sizeof t->where, "depth >= %u", w->where_depth);
    return (struct ez_filter_spec){
        .threads = w->thread < 0 ? NULL : t->thread,
        .function = w->function < 0 ? NULL : t->regex[0],
        .not_function = w->not_function < 0 ? NULL : t->regex[1],
        .library = w->library < 0 ? NULL : libraries[w->library],
        .caller = w->caller < 0 ? NULL : t->regex[2],
        .callee = w->callee < 0 ? NULL : t->regex[3],
        .where = w->where_depth ? t->where : NULL,
        .depth = w->depth,
        .min_ns = w->min,
        .max_ns = w->max,
    };
}

/* ---- what a reader gets ------------------------------------------------------------------------ */

struct got {
    const struct ez_model *m;
    char *text;
    size_t n;
    unsigned depth[16]; /* by container */
};

static ez_err *get(void *arg, const struct ez_item *it)
{
    struct got *g = arg;
    const struct ez_container *c = &g->m->container.at[it->container];
    if (it->kind != EZ_I_PUSH && it->kind != EZ_I_POP)
        return NULL;
    g->depth[it->container] -= it->kind == EZ_I_POP;
    ck_assert_uint_eq(it->depth, g->depth[it->container]);
    ck_assert_uint_eq(ez_model_depth(g->m, it->container), it->depth + (it->kind == EZ_I_PUSH));
    if (it->kind == EZ_I_PUSH)
        ck_assert_uint_eq(ez_model_frame(g->m, it->container, it->depth)->name, it->name);
    g->depth[it->container] += it->kind == EZ_I_PUSH;
    if (it->kind == EZ_I_POP)
        g->n += (size_t)sprintf(g->text + g->n,
                                "%" PRIu64 " %" PRIu64 " %s %u%s %" PRIu64 " %" PRIu64 "\n",
                                it->start_ns, c->tid, g->m->name.at[it->name].text, it->depth,
                                it->recursive ? " again" : "", it->spent_ns, it->self_ns);
    return NULL;
}

static void append_expected(char *text, const struct call *call, size_t n, size_t i, uint64_t zero)
{
    unsigned depth = 0;
    bool again = false;
    uint64_t self = call[i].to - call[i].from;
    for (int p = call[i].parent; p >= 0; p = call[p].parent) {
        depth += call[p].shown;
        again |= call[p].shown && call[p].function == call[i].function;
    }
    for (size_t k = 0; k < n; k++) {
        int p = call[k].shown ? call[k].parent : -1;
        while (p >= 0 && p != (int)i && !call[p].shown)
            p = call[p].parent;
        if (p == (int)i)
            self -= call[k].to - call[k].from;
    }
    sprintf(text + strlen(text), "%" PRIu64 " %u %s %u%s %" PRIu64 " %" PRIu64 "\n",
            call[i].from - zero, 7 + call[i].thread, functions[call[i].function], depth,
            again ? " again" : "", call[i].to - call[i].from, self);
}

static int by_line(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Sorts lines: calls that end at the same time may end in any order. */
static void sort_lines(char *text)
{
    char *line[MOST], *copy = ez_strdup(text);
    size_t n = 0;
    for (char *p = strtok(copy, "\n"); p; p = strtok(NULL, "\n"))
        line[n++] = p;
    qsort(line, n, sizeof *line, by_line);
    *text = 0;
    for (size_t i = 0; i < n; i++)
        text += sprintf(text, "%s\n", line[i]);
    free(copy);
}

static struct ez_replay *open_part(const struct ez_trace_part *part)
{
    struct ez_replay *r;
    char *const in[] = { PATH };
    tf_ok(ez_replay_open(in, 1, NULL, &r));
    tf_ok(ez_replay_choose(r, part));
    return r;
}

static char expected[MOST * 80], text[MOST * 80];

/* For random traces and filters, a reader gets the calls that the definition shows, with the times and depths that these
 * calls have among themselves. */
START_TEST(shows_what_it_is_defined_to_show)
{
    static struct call call[MOST + 16];
    unsigned late = 0, some = 0;
    for (unsigned round = 0; round < 300; round++) {
        seed = 1000 + round;
        size_t n = write_random(call);
        struct wish w = random_wish();
        struct texts texts = { { { 0 } }, { 0 }, { 0 } };
        struct ez_trace_part part = { .filter = spec_of(&w, &texts) };
        struct ez_replay *r = open_part(&part);
        struct got g = { .m = ez_replay_model(r), .text = text };
        *expected = *text = 0;
        tf_ok(ez_replay_run(r, get, &g, NULL));
        size_t shown = 0, of_thread = 0;
        for (size_t i = 0; i < n; i++)
            call[i].shown = false;
        for (size_t i = 0; i < n; i++) {
            call[i].shown = meets(call, n, (int)i, &w);
            shown += call[i].shown;
            of_thread += w.thread < 0 || call[i].thread == (unsigned)w.thread;
        }
        for (size_t i = 0; i < n; i++)
            if (call[i].shown)
                append_expected(expected, call, n, i, call[0].from);
        sort_lines(expected);
        sort_lines(text);
        ck_assert_msg(!strcmp(text, expected), "round %u: got\n%s\nexpected\n%s", round, text,
                      expected);
        if (ez_replay_sum(r)->by_filter) {
            ck_assert_uint_eq(ez_replay_sum(r)->shown.shown, shown);
            ck_assert_uint_eq(ez_replay_sum(r)->shown.calls, of_thread);
        }
        late += w.min || w.max || w.callee >= 0;
        some += shown && shown < n;
        ez_replay_close(r);
    }
    ck_assert_uint_gt(late, 100);
    ck_assert_uint_gt(some, 50);
}
END_TEST

/* ---- by hand ----------------------------------------------------------------------------------- */

static char story[4096];

/* Sets `story` to what a reader of that part gets. */
static struct ez_trace_sum reads(const struct ez_filter_spec *spec, ez_err **e)
{
    const struct ez_trace_part part = { .filter = *spec };
    struct ez_replay *r;
    struct tf_story *s = ez_alloc(sizeof *s);
    char *const in[] = { PATH };
    tf_ok(ez_replay_open(in, 1, NULL, &r));
    *e = ez_replay_choose(r, &part);
    s->m = ez_replay_model(r);
    if (!*e)
        *e = ez_replay_run(r, tf_item, s, NULL);
    struct ez_trace_sum sum = *ez_replay_sum(r);
    *story = 0;
    for (char *line = strtok(s->text, "\n"), *o = story; line; line = strtok(NULL, "\n"))
        o += sprintf(o, "%s\n", line);
    ez_replay_close(r);
    free(s);
    return sum;
}

static void tells(const struct ez_filter_spec *spec, const char *wanted)
{
    ez_err *e;
    reads(spec, &e);
    tf_ok(e);
    ck_assert_str_eq(story, wanted);
}

static void refuses(const struct ez_filter_spec *spec, const char *message)
{
    ez_err *e;
    reads(spec, &e);
    ck_assert_msg(e && strstr(e->msg, message), "%s", e ? e->msg : "no error");
    ez_err_free(e);
}

/* Names and threads that nothing is shown of are not introduced. */
START_TEST(introduces_what_it_shows)
{
    struct ez_fxt_out *f = begin();
    tf_put(f, 0, 7, 0, false);
    tf_put(f, 10, 7, 1, false);
    tf_put(f, 20, 8, 2, false);
    tf_put(f, 30, 7, 1, true);
    tf_put(f, 40, 8, 2, true);
    tf_put(f, 50, 7, 0, true);
    tf_ok(ez_fxt_out_close(f));
    tells(&(struct ez_filter_spec){ .function = "^beta$", .threads = "7" },
          "0 new app\n"
          "0 new app 42\n"
          "0 new thread 7\n"
          "10 name beta\n"
          "10 thread 7 > beta\n"
          "30 thread 7 < beta 20 self 20\n"
          "50 end thread 7\n"
          "50 end app 42\n"
          "50 end app\n");
    tells(&(struct ez_filter_spec){ .threads = "8-9", .not_function = "a$" }, "0 new app\n"
                                                                              "0 new app 42\n"
                                                                              "20 new thread 8\n"
                                                                              "50 end thread 8\n"
                                                                              "50 end app 42\n"
                                                                              "50 end app\n");
    ez_err *e;
    reads(&(struct ez_filter_spec){ .threads = "thread" }, &e);
    tf_ok(e);
    ck_assert_msg(strstr(story, "10 thread 7 > beta") && strstr(story, "20 thread 8 > gamma"), "%s",
                  story);
}
END_TEST

/* A pause belongs to the shown call around it, and is hidden without one, or on request. */
START_TEST(pauses)
{
    struct ez_fxt_out *f = begin();
    tf_put(f, 0, 7, 0, false);
    tf_put(f, 100, 7, 1, false);
    tf_thread(f, 200, 7, EZ_T_SWITCH_OUT, 0);
    tf_thread(f, 300, 7, EZ_T_SWITCH_IN, 0);
    tf_put(f, 400, 7, 1, true);
    tf_thread(f, 500, 7, EZ_T_SWITCH_OUT, 0);
    tf_thread(f, 600, 7, EZ_T_SWITCH_IN, 0);
    tf_put(f, 700, 7, 0, true);
    tf_ok(ez_fxt_out_close(f));
    ez_err *e;
    reads(&(struct ez_filter_spec){ .function = "beta" }, &e);
    tf_ok(e);
    ck_assert_msg(strstr(story, "200 thread 7 > [slept]\n") &&
                      strstr(story, "< beta 300 self 200\n") && !strstr(story, "500 "),
                  "%s", story);
    reads(&(struct ez_filter_spec){ .function = "alpha" }, &e);
    tf_ok(e);
    ck_assert_msg(strstr(story, "200 thread 7 > [slept]\n") &&
                      strstr(story, "500 thread 7 > [slept]\n") &&
                      strstr(story, "< alpha 700 self 500\n"),
                  "%s", story);
    struct ez_trace_sum sum = reads(&(struct ez_filter_spec){ .no_pauses = true }, &e);
    tf_ok(e);
    ck_assert_msg(!strstr(story, "slept") && strstr(story, "< beta 300 self 300\n") &&
                      strstr(story, "< alpha 700 self 400\n"),
                  "%s", story);
    ck_assert(!sum.part && !sum.by_filter);
}
END_TEST

START_TEST(mistakes)
{
    struct ez_fxt_out *f = begin();
    tf_put(f, 0, 7, 0, false);
    tf_put(f, 10, 7, 0, true);
    tf_ok(ez_fxt_out_close(f));
    refuses(&(struct ez_filter_spec){ .threads = "7,nobody" },
            "The trace has no thread \"nobody\"");
    refuses(&(struct ez_filter_spec){ .threads = "10-20" }, "The trace has no thread \"10-20\"");
    refuses(&(struct ez_filter_spec){ .processes = "43" }, "The trace has no process \"43\"");
    refuses(&(struct ez_filter_spec){ .processes = "ap" }, "The trace has no process \"ap\"");
    refuses(&(struct ez_filter_spec){ .ranks = "0" }, "The trace has no rank \"0\"");
    refuses(&(struct ez_filter_spec){ .ranks = "x" }, "\"x\" is no rank");
    refuses(&(struct ez_filter_spec){ .ranks = "0,," }, "\"\" is no rank");
    refuses(&(struct ez_filter_spec){ .ranks = "3-1" },
            "\"3-1\" is an empty range of rank numbers");
    refuses(&(struct ez_filter_spec){ .function = "a(" }, "a(");
    refuses(&(struct ez_filter_spec){ .min_ns = 2, .max_ns = 1 }, "No call is longer than -min");
    refuses(&(struct ez_filter_spec){ .where = "n >" }, "A syntax error");
    refuses(&(struct ez_filter_spec){ .where = "n == 1" }, "No probe in the trace collected \"n\"");
    refuses(&(struct ez_filter_spec){ .where = "function > 1" }, "\"function\" is a text");
}
END_TEST

/* A thread that is idle in the window is a thread of the trace. */
START_TEST(idle_in_the_window)
{
    struct ez_fxt_out *f = begin();
    tf_put(f, 0, 7, 0, false);
    tf_put(f, 10, 7, 0, true);
    tf_put(f, 20, 8, 0, false);
    tf_put(f, 50, 8, 0, true);
    tf_put(f, 90, 9, 0, false);
    tf_ok(ez_fxt_out_close(f));
    struct ez_trace_part part = { .from_ns = 30, .to_ns = 60, .filter = { .threads = "7" } };
    struct ez_replay *r = open_part(&part);
    struct got g = { .m = ez_replay_model(r), .text = text };
    *text = 0;
    tf_ok(ez_replay_run(r, get, &g, NULL));
    ck_assert_str_eq(text, "");
    ez_replay_close(r);
    part.filter.threads = "9";
    r = open_part(&part);
    g.m = ez_replay_model(r);
    ez_err *e = ez_replay_run(r, get, &g, NULL);
    ck_assert_msg(e && !strcmp(e->msg, "The period has no thread \"9\""), "%s", e ? e->msg : "");
    ez_err_free(e);
    ez_replay_close(r);
}
END_TEST

/* Calls that were only counted are shown if name and process decide that. */
static void count(void *arg, uint32_t process, uint32_t name, uint64_t calls)
{
    *(uint64_t *)arg += calls;
}

static uint64_t counted(struct ez_filter_spec spec)
{
    const struct ez_trace_part part = { .filter = spec };
    struct ez_replay *r = open_part(&part);
    struct got g = { .m = ez_replay_model(r), .text = text };
    uint64_t n = 0;
    tf_ok(ez_replay_run(r, get, &g, NULL));
    ez_replay_counts(r, count, &n);
    ez_replay_close(r);
    return n;
}

START_TEST(counted_calls)
{
    struct ez_fxt_out *f = begin();
    tf_put(f, 0, 7, 0, false);
    tf_put(f, 10, 7, 0, true);
    uint64_t counts[] = { 1, 100, 0 };
    tf_ok(ez_fxt_out_define(f, &(struct ez_fxt_def){ EZ_DEF_COUNT, 10, 42, counts, 3, NULL, 0 }));
    tf_ok(ez_fxt_out_close(f));
    ck_assert_uint_eq(counted((struct ez_filter_spec){ .function = NULL }), 100);
    ck_assert_uint_eq(counted((struct ez_filter_spec){ .function = "beta", .processes = "app" }),
                      100);
    ck_assert_uint_eq(counted((struct ez_filter_spec){ .function = "alpha" }), 0);
    ck_assert_uint_eq(counted((struct ez_filter_spec){ .depth = 9 }), 0);
    ck_assert_uint_eq(counted((struct ez_filter_spec){ .min_ns = 1 }), 0);
    ck_assert_uint_eq(counted((struct ez_filter_spec){ .caller = "beta" }), 0);
    ck_assert_uint_eq(counted((struct ez_filter_spec){ .threads = "7" }), 0);
    ck_assert_uint_eq(counted((struct ez_filter_spec){ .where = "depth >= 0" }), 0);
}
END_TEST

/* A condition on the thread, the name and the depth is decided for each call, also if many names and depths are in use,
 * and if the thread's name becomes known late. */
static ez_err *count_push(void *arg, const struct ez_item *it)
{
    *(uint64_t *)arg += it->kind == EZ_I_PUSH;
    return NULL;
}

/* Makes a call of each of `names` functions, and `deep` nested calls of the last one. */
static uint64_t pushes(struct ez_model *m, uint32_t thread, uint32_t names, uint32_t deep,
                       uint64_t *n)
{
    uint32_t name = EZ_NONE_IDX;
    *n = 0;
    for (uint32_t i = 0; i < names; i++) {
        char text[16];
        snprintf(text, sizeof text, "f%u", i);
        name = ez_model_name(m, EZ_N_STATE, text, "", 0);
        ez_model_push(m, thread, name, EZ_ABOUT_NOTHING);
        ez_model_pop_name(m, thread, name, EZ_END_RETURN, EZ_ABOUT_NOTHING);
    }
    for (uint32_t d = 0; d < deep; d++)
        ez_model_push(m, thread, name, EZ_ABOUT_NOTHING);
    for (uint32_t d = 0; d < deep; d++)
        ez_model_pop_name(m, thread, name, EZ_END_RETURN, EZ_ABOUT_NOTHING);
    return *n;
}

START_TEST(conditions)
{
    enum { NAMES = 300, DEEP = 300 };
    static const struct {
        const char *where;
        uint64_t before, after; /* calls shown before and after the thread got its name */
    } each[] = {
        { "depth == 7", 1, 1 },
        { "depth == 0 || function == \"f1?\"", NAMES + 1, NAMES + 1 },
        { "function == \"f1?\"", 10, 10 },
        { "thread == \"worker\"", 0, NAMES + DEEP },
        { "thread != \"worker\"", NAMES + DEEP, 0 },
    };
    for (size_t i = 0; i < EZ_ARRAY_LEN(each); i++) {
        struct ez_model m;
        struct ez_filter *f;
        uint64_t n;
        tf_ok(ez_filter_create(&(struct ez_filter_spec){ .where = each[i].where }, &f));
        ez_model_init(&m, "app", ez_filter_item, f);
        ez_filter_begin(f, &m, count_push, &n);
        uint32_t process = ez_model_container(&m, EZ_L_PROCESS, 0, "app 42", 42, 0);
        uint32_t thread = ez_model_container(&m, EZ_L_THREAD, process, "thread 43", 42, 43);
        ck_assert_uint_eq(pushes(&m, thread, NAMES, DEEP, &n), each[i].before);
        uint64_t last = pushes(&m, thread, 1, 0, &n);
        ez_model_rename(&m, thread, "worker");
        if (each[i].before != each[i].after)
            ck_assert_uint_eq(pushes(&m, thread, 1, 0, &n), 1 - last);
        ck_assert_uint_eq(pushes(&m, thread, NAMES, DEEP, &n), each[i].after);
        ez_model_deinit(&m);
        ez_filter_free(f);
    }
}
END_TEST

static void teardown(void)
{
    unlink(PATH);
}

int main(void)
{
    Suite *s = suite_create("filter");
    TCase *t = tcase_create("filter");
    tcase_add_checked_fixture(t, NULL, teardown);
    tcase_add_test(t, shows_what_it_is_defined_to_show);
    tcase_add_test(t, introduces_what_it_shows);
    tcase_add_test(t, pauses);
    tcase_add_test(t, mistakes);
    tcase_add_test(t, idle_in_the_window);
    tcase_add_test(t, counted_calls);
    tcase_add_test(t, conditions);
    suite_add_tcase(s, t);
    return run_suite(s);
}
