/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_calltree.c - the call paths of a trace (engine/trace/calltree.h): their sums are those of the table of
 * functions, for random traces with recursion; and paths, callers and callees of a trace by hand. */
#include "engine/trace/calltree.h"
#include "engine/trace/stats.h"
#include "tests/unit/trace_file.h"
#include "tests/unit/suite.h"

#define PATH "check_calltree.fxt"

enum { FUNCTIONS = 6, THREADS = 3 };
static const char *const functions[FUNCTIONS] = { "a", "b", "c", "d", "e", "f" };
static const char *const libraries[FUNCTIONS] = {
    "app", "app", "app", "app", "libx.so", "libx.so"
};

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

/* Random calls of three threads, which also sleep, wait for the trace and lose events. */
static void write_random(void)
{
    struct ez_fxt_out *f = begin();
    unsigned depth[THREADS] = { 0 };
    uint32_t stack[THREADS][40];
    uint64_t now = 0;
    for (unsigned i = 0; i < 500; i++) {
        unsigned t = any(THREADS), what = any(20);
        now += 1 + any(90000);
        if (what == 0) {
            tf_thread(f, now, 7 + t, EZ_T_SWITCH_OUT, any(2));
            tf_thread(f, now += 10, 7 + t, EZ_T_SWITCH_IN, 0);
        } else if (what == 1) {
            tf_thread(f, now, 7 + t, EZ_T_WAIT, 0);
            tf_thread(f, now += 10, 7 + t, EZ_T_WAIT_END, 0);
        } else if (what == 2 && !any(4)) {
            tf_thread(f, now, 7 + t, EZ_T_GAP, 5);
            tf_thread(f, now += 10, 7 + t, EZ_T_GAP_END, 0);
            depth[t] = 0;
        } else if (depth[t] < 40 && (!depth[t] || any(2))) {
            uint32_t id = any(FUNCTIONS);
            stack[t][depth[t]++] = id;
            tf_put(f, now, 7 + t, id, false);
        } else {
            tf_put(f, now, 7 + t, stack[t][--depth[t]], true);
        }
    }
    tf_ok(ez_fxt_out_close(f));
}

struct both {
    struct ez_calltree tree;
    struct ez_stats *stats;
};

static ez_err *to_both(void *arg, const struct ez_item *it)
{
    struct both *b = arg;
    EZ_TRY(ez_calltree_item(&b->tree, it));
    return ez_stats_item(b->stats, it);
}

static struct ez_replay *read_both(struct both *b, enum ez_calltree_by by)
{
    char *const in[] = { PATH };
    struct ez_replay *r;
    tf_ok(ez_replay_open(in, 1, NULL, &r));
    ez_calltree_init(&b->tree, ez_replay_model(r), by);
    b->stats = ez_stats_create(ez_replay_model(r), EZ_BY_FUNCTION | EZ_BY_LIBRARY, false);
    tf_ok(ez_replay_run(r, to_both, b, NULL));
    ez_stats_table(b->stats, EZ_SORT_NAME);
    ez_calltree_finish(&b->tree);
    return r;
}

static void done(struct both *b, struct ez_replay *r)
{
    ez_calltree_free(&b->tree);
    ez_stats_free(b->stats);
    ez_replay_close(r);
}

static struct ez_calltree_node sum_of(const struct ez_calltree *t, const char *function)
{
    struct ez_calltree_node sum = { .calls = 0 };
    for (size_t i = 0; i < t->node.n; i++) {
        const struct ez_calltree_node *n = &t->node.at[i];
        if (n->is != EZ_CT_CALL || strcmp(t->m->name.at[n->what].text, function))
            continue;
        sum.calls += n->calls;
        sum.total_ns += n->total_ns;
        sum.self_ns += n->self_ns;
    }
    return sum;
}

/* A path has no function twice; children are linked, each once, in order. */
static void is_whole(const struct ez_calltree *t)
{
    size_t linked = 0;
    for (uint32_t i = 0; i < t->node.n; i++) {
        const struct ez_calltree_node *n = &t->node.at[i];
        for (uint32_t up = n->parent; up != EZ_CALLTREE_NONE; up = t->node.at[up].parent)
            ck_assert(t->node.at[up].is != n->is || t->node.at[up].what != n->what);
        for (uint32_t k = n->child; k != EZ_CALLTREE_NONE; k = t->node.at[k].next) {
            uint32_t next = t->node.at[k].next;
            ck_assert_uint_eq(t->node.at[k].parent, i);
            ck_assert(next == EZ_CALLTREE_NONE ||
                      t->node.at[next].total_ns <= t->node.at[k].total_ns);
            linked++;
        }
    }
    for (uint32_t k = t->root; k != EZ_CALLTREE_NONE; k = t->node.at[k].next)
        linked++;
    ck_assert_uint_eq(linked, t->node.n);
}

START_TEST(sums_are_those_of_the_table)
{
    unsigned recursive = 0;
    for (unsigned round = 0; round < 100; round++) {
        struct both b;
        seed = 77 + round;
        write_random();
        struct ez_replay *r = read_both(&b, (enum ez_calltree_by)(round % 3));
        is_whole(&b.tree);
        for (size_t i = 0; i < b.stats->n; i++) {
            const struct ez_stat_row *row = &b.stats->row[i];
            if (row->ours)
                continue;
            struct ez_calltree_node sum = sum_of(&b.tree, row->pause ? row->pause : row->function);
            ck_assert_uint_eq(sum.calls, row->calls);
            ck_assert_uint_eq(sum.total_ns, row->total_ns);
            ck_assert_uint_eq(sum.self_ns, row->self_ns);
            recursive += !row->pause && row->times.sum > row->total_ns;
        }
        done(&b, r);
    }
    ck_assert_uint_gt(recursive, 50);
}
END_TEST

/* ---- by hand --------------------------------------------------------------------------------- */

static char text[2048];

static void tell(const struct ez_calltree *t, uint32_t node, unsigned depth, size_t *n)
{
    for (; node != EZ_CALLTREE_NONE; node = t->node.at[node].next) {
        const struct ez_calltree_node *k = &t->node.at[node];
        const char *name =
            k->is == EZ_CT_CALL ? t->m->name.at[k->what].text : t->m->container.at[k->what].name;
        *n += (size_t)sprintf(text + *n, "%*s%s %d %d %d\n", (int)depth, "", name, (int)k->calls,
                              (int)k->total_ns, (int)k->self_ns);
        tell(t, k->child, depth + 1, n);
    }
}

static void is(const struct ez_calltree *t, const char *expected)
{
    size_t n = 0;
    *text = 0;
    tell(t, t->root, 0, &n);
    ck_assert_str_eq(text, expected);
}

/* Enters or leaves a function at a time. */
static void calls(struct ez_fxt_out *f, const char *what)
{
    uint64_t now = 0, tid = 7;
    for (; *what; what++) {
        if (*what >= '1' && *what <= '9')
            tid = (uint64_t)(6 + *what - '0');
        else if (*what >= 'a')
            tf_put(f, now += 10, tid, (uint32_t)(*what - 'a'), false);
        else
            tf_put(f, now += 10, tid, (uint32_t)(*what - 'A'), true);
    }
}

START_TEST(paths)
{
    struct both b;
    struct ez_calltree callers, callees;
    struct ez_fxt_out *f = begin();
    calls(f, "abcCBcCA2bcaACB"); /* a(b(c) c), and in thread 2 b(c(a)) */
    tf_ok(ez_fxt_out_close(f));
    struct ez_replay *r = read_both(&b, EZ_CALLTREE_ALL);
    is(&b.tree, "a 1 70 30\n"
                " b 1 30 20\n"
                "  c 1 10 10\n"
                " c 1 10 10\n"
                "b 1 50 20\n"
                " c 1 30 20\n"
                "  a 1 10 10\n");
    ck_assert(ez_calltree_of(&b.tree, "c", &callers, &callees));
    is(&callers, "c 3 50 40\n"
                 " b 2 40 30\n"
                 "  a 1 10 10\n"
                 " a 1 10 10\n");
    is(&callees, "c 3 50 40\n"
                 " a 1 10 10\n");
    ez_calltree_free(&callers);
    ez_calltree_free(&callees);
    ck_assert(!ez_calltree_of(&b.tree, "x", &callers, &callees));
    ez_calltree_free(&callers);
    ez_calltree_free(&callees);
    done(&b, r);
    r = read_both(&b, EZ_CALLTREE_THREAD);
    is(&b.tree, "thread 7 0 70 0\n"
                " a 1 70 30\n"
                "  b 1 30 20\n"
                "   c 1 10 10\n"
                "  c 1 10 10\n"
                "thread 8 0 50 0\n"
                " b 1 50 20\n"
                "  c 1 30 20\n"
                "   a 1 10 10\n");
    done(&b, r);
}
END_TEST

/* Direct recursion, and recursion through another function, whose callees' times overlap. */
START_TEST(recursion)
{
    struct both b;
    struct ez_fxt_out *f = begin();
    calls(f, "aabacCABAA"); /* a(a(b(a(c)))) */
    tf_ok(ez_fxt_out_close(f));
    struct ez_replay *r = read_both(&b, EZ_CALLTREE_PROCESS);
    is(&b.tree, "app 42 0 90 0\n"
                " a 3 90 60\n"
                "  b 1 50 20\n"
                "  c 1 10 10\n");
    done(&b, r);
}
END_TEST

static void teardown(void)
{
    unlink(PATH);
}

int main(void)
{
    Suite *s = suite_create("calltree");
    TCase *t = tcase_create("calltree");
    tcase_add_checked_fixture(t, NULL, teardown);
    tcase_add_test(t, sums_are_those_of_the_table);
    tcase_add_test(t, paths);
    tcase_add_test(t, recursion);
    suite_add_tcase(s, t);
    return run_suite(s);
}
