/* SPDX-License-Identifier: GPL-3.0-or-later */
/* graph.c - `graph`, `calltree`: the call paths of traces as a tree; or of one function, with its
 * callers and its callees.
 * Tests: tests/unit/shell/check_read.c, tests/unit/trace/check_calltree.c */
#include <stdlib.h>
#include <string.h>

#include "cmds/cmd.h"
#include "cmds/probe/repaired.h"
#include "cmds/progress.h"
#include "cmds/trace/traces.h"
#include "engine/base/strutil.h"
#include "engine/sym/sym.h"
#include "engine/trace/calltree.h"
#include "shell/out.h"
#include "shell/sess.h"

enum { DEEPEST = 24 }; /* levels that are indented; a deeper level is shown by its number */

struct graph {
    struct ez_sess *s;
    const struct ez_model *m;
    const char *function; /* NULL = all paths */
    /* index: name in the model; true = another library has a function with the same name */
    bool *twin;
    uint64_t run_ns;
    double least; /* paths with a smaller share are left out, percent */
    uint64_t left_out;
    struct out_table t;
};

/* ---- names ---------------------------------------------------------------------------------- */

static int graph_by_text(const void *a, const void *b)
{
    const struct ez_name *x = *(const struct ez_name *const *)a;
    const struct ez_name *y = *(const struct ez_name *const *)b;
    return x->kind != y->kind ? (x->kind < y->kind ? -1 : 1) : strcmp(x->text, y->text);
}

/* Returns, for each name of the trace, whether another one differs from it by the library alone. The
 * caller frees the array. */
static bool *graph_twins(const struct ez_model *m)
{
    const size_t n = m->name.n;
    EZ_FREE const struct ez_name **name = ez_alloc((n + 1) * sizeof *name);
    bool *twin = ez_alloc((n + 1) * sizeof *twin);
    for (size_t i = 0; i < n; i++)
        name[i] = &m->name.at[i];
    qsort(name, n, sizeof *name, graph_by_text);
    for (size_t i = 1; i < n; i++)
        if (!graph_by_text(&name[i - 1], &name[i]))
            twin[name[i - 1] - m->name.at] = twin[name[i] - m->name.at] = true;
    return twin;
}

static const char *graph_name(const struct graph *g, const struct ez_calltree_node *n)
{
    if (n->is == EZ_CT_MORE)
        return "[more]";
    if (n->is == EZ_CT_CONTAINER)
        return g->m->container.at[n->what].name;
    const struct ez_name *name = &g->m->name.at[n->what];
    return !g->t.json && g->twin[n->what] ? sess_format(g->s, "%s (%s)", name->text, name->group)
                                          : name->text;
}

/* ---- rows ----------------------------------------------------------------------------------- */

/* Return cells with a time and its share of the run; nothing if the time is not known. */
static const char *graph_time(const struct graph *g, uint64_t ns, bool is_known)
{
    return is_known ? out_cell_time(g->s, ns) : g->t.json ? "" : "-";
}

static const char *graph_share(const struct graph *g, uint64_t ns, bool is_known)
{
    if (!is_known || !g->run_ns)
        return g->t.json ? "" : "-";
    return sess_format(g->s, "%.1f", 100 * (double)ns / (double)g->run_ns);
}

static void graph_row(struct graph *g, const char *part, const struct ez_calltree_node *n,
                      unsigned depth, bool hot)
{
    struct ez_sess *s = g->s;
    const size_t kept = s->kept.n; /* the table copies its cells */
    const bool callers = g->function && depth && !strcmp(part, "callers");
    const char *text = graph_name(g, n);
    if (!g->t.json) {
        const char *indent = depth <= DEEPEST ? "" : sess_format(s, "[%u] ", depth);
        text = sess_format(s, "%*s%s%s%s", 2 * (int)EZ_MIN(depth, (unsigned)DEEPEST), "", indent,
                           callers ? "<- " : "", text);
    }
    const bool call = n->is == EZ_CT_CALL, known = !call || n->timed, self = call && !callers;
    const struct ez_name *name = call ? &g->m->name.at[n->what] : NULL;
    out_row(&g->t, out_cell_only(s, part), hot ? g->t.json ? "yes" : "*" : "",
            graph_time(g, n->total_ns, known), graph_share(g, n->total_ns, known),
            self ? graph_time(g, n->self_ns, known) : "",
            self ? graph_share(g, n->self_ns, known) : "", call ? out_cell_count(s, n->calls) : "",
            out_cell_only(s, sess_format(s, "%u", depth)), text,
            out_cell_only(s, name ? name->group : ""), NULL);
    sess_forget(s, kept);
}

/* Prints the tree in preorder. The hot path leads from the largest root on to the largest child, as
 * long as that has at least half of its caller's time. */
static void graph_rows(struct graph *g, const char *part, const struct ez_calltree *t)
{
    unsigned depth = 0;
    /* the part with the callees begins with the row of the function itself, so the part with the
     * callers omits it */
    const bool callers = g->function && !strcmp(part, "callers");
    const bool hide_root = callers && !g->t.json && t->node.at[t->root].next == EZ_CALLTREE_NONE;
    uint32_t hot = g->function ? EZ_CALLTREE_NONE : t->root;
    for (uint32_t i = t->root; i != EZ_CALLTREE_NONE;) {
        const struct ez_calltree_node *n = &t->node.at[i];
        double share = g->run_ns ? 100 * (double)n->total_ns / (double)g->run_ns : 100;
        uint32_t next = EZ_CALLTREE_NONE;
        if (share >= g->least) {
            if (depth || !hide_root)
                graph_row(g, part, n, depth, i == hot);
            next = n->child;
        } else {
            g->left_out++;
        }
        if (i == hot)
            hot = next != EZ_CALLTREE_NONE && 2 * t->node.at[next].total_ns >= n->total_ns
                      ? next
                      : EZ_CALLTREE_NONE;
        depth += next != EZ_CALLTREE_NONE;
        for (uint32_t up = i; next == EZ_CALLTREE_NONE && up != EZ_CALLTREE_NONE;
             up = t->node.at[up].parent) {
            next = t->node.at[up].next;
            depth -= next == EZ_CALLTREE_NONE && t->node.at[up].parent != EZ_CALLTREE_NONE;
        }
        i = next;
    }
}

/* Returns whether `function` is the name as "replay" prints it: "ns::f" for "ns::f(int)". */
static bool graph_is_short(const struct ez_name *n, const char *function)
{
    EZ_FREE char *brief = n->addr ? ez_name_short(n->text) : NULL;
    return brief && !strcmp(brief, function);
}

/* Sets *whole to the whole name of g->function. */
static ez_err *graph_whole_name(const struct graph *g, const char **whole)
{
    *whole = g->function;
    for (size_t i = 0; i < g->m->name.n; i++)
        if (!strcmp(g->m->name.at[i].text, g->function))
            return NULL;
    for (size_t i = 0; i < g->m->name.n; i++) {
        const struct ez_name *n = &g->m->name.at[i];
        if (!strcmp(n->text, *whole) || !graph_is_short(n, g->function))
            continue;
        if (*whole != g->function)
            return ez_err_hint(
                ez_err_new(EZ_E_ARG, 0, "Several functions have the name \"%s\"", g->function),
                "Type the whole name, as \"%s\" or \"%s\"", *whole, n->text);
        *whole = n->text;
    }
    return NULL;
}

static ez_err *graph_of_function(struct graph *g, const struct ez_calltree *t)
{
    struct ez_calltree callers, callees;
    const char *whole;
    EZ_TRY(graph_whole_name(g, &whole));
    ez_err *e = NULL;
    if (ez_calltree_of(t, whole, &callers, &callees)) {
        graph_rows(g, "callers", &callers);
        graph_rows(g, "callees", &callees);
    } else {
        e = ez_err_hint(ez_err_new(EZ_E_NOTFOUND, 0, "No call of \"%s\" is in %s", g->function,
                                   traces_read_what(g->s)),
                        "\"stats\" lists the functions");
    }
    ez_calltree_free(&callers);
    ez_calltree_free(&callees);
    return e;
}

static ez_err *graph_print(struct graph *g, const struct ez_calltree *t,
                           const struct ez_trace_sum *sum)
{
    struct ez_sess *s = g->s;
    ez_err *e = NULL;
    out_table_init(&g->t, s, "", "", ">Total", ">%", ">Self", ">%", ">Calls", "", "~Function", "",
                   NULL);
    out_table_keys(&g->t, "graph",
                   "part hot? total_ns# total_percent# self_ns# self_percent# calls# depth# "
                   "function library");
    out_fact(&g->t, "run_ns#", out_cell_count(s, g->run_ns));
    out_fact(&g->t, "of", g->function ? g->function : "");
    if (g->function)
        e = graph_of_function(g, t);
    else
        graph_rows(g, "", t);
    if (e) {
        out_table_drop(&g->t);
        return e;
    }
    const bool json = g->t.json;
    out_table_end(&g->t, "No calls.");
    if (json)
        return NULL;
    if (g->left_out)
        out_line(s, "%llu path%s with less than %g %% %s left out.",
                 (unsigned long long)g->left_out, ez_plural(g->left_out), g->least,
                 g->left_out == 1 ? "is" : "are");
    print_repaired(s, sum);
    return NULL;
}

/* ---- the commands --------------------------------------------------------------------------- */

static ez_err *graph_run(struct ez_sess *s, const struct traces *in, const char *function)
{
    struct graph g = { .s = s,
                       .function = function,
                       .least = (double)opt_number(s, "-percent", 0) };
    struct ez_calltree t;
    struct ez_replay *r = NULL;
    struct progress bar;
    struct ez_progress progress = progress_start(&bar, s);
    ez_err *e = traces_open(in, &progress, &r);
    if (e) {
        progress_end(&bar);
        ez_replay_close(r);
        return e;
    }
    g.m = ez_replay_model(r);
    ez_calltree_init(&t, g.m, (enum ez_calltree_by)opt_number(s, "-by", EZ_CALLTREE_ALL));
    e = ez_replay_run(r, ez_calltree_item, &t, &progress);
    progress_end(&bar);
    if (!e) {
        ez_calltree_finish(&t);
        g.run_ns = ez_model_run_ns(g.m, NULL);
        g.twin = graph_twins(g.m);
        e = graph_print(&g, &t, ez_replay_sum(r));
        free(g.twin);
    }
    ez_calltree_free(&t);
    ez_replay_close(r);
    return e;
}

/* The first word is FUNC unless it names a file. */
static ez_err *cmd_graph(struct ez_sess *s, int argc, char **argv)
{
    EZ_CLEANUP(traces_free) struct traces in = { .file = { NULL, 0, 0 } };
    const char *function = NULL;
    if (argc > 1 && !traces_is_file(argv[1])) {
        function = argv[1];
        argc--;
        argv++;
    }
    EZ_TRY(traces_read(s, &in, argc - 1, argv + 1));
    return graph_run(s, &in, function);
}

static ez_err *cmd_calltree(struct ez_sess *s, int argc, char **argv)
{
    EZ_CLEANUP(traces_free) struct traces in = { .file = { NULL, 0, 0 } };
    EZ_TRY(traces_read(s, &in, argc - 1, argv + 1));
    return graph_run(s, &in, NULL);
}

static const struct ez_opt_word graph_by_words[] = { { "all", EZ_CALLTREE_ALL },
                                                     { "thread", EZ_CALLTREE_THREAD },
                                                     { "process", EZ_CALLTREE_PROCESS },
                                                     { "rank", EZ_CALLTREE_PROCESS },
                                                     { NULL, 0 } };
/* clang-format off */
#define GRAPH_OPTIONS                                                                              \
    { .name = "-by", .kind = OPT_ONE_OF, .value = "WHAT", .words = graph_by_words,                 \
      .meaning = "one tree, or one for each" },                                                    \
    { .name = "-percent", .kind = OPT_NUMBER, .value = "P",                                        \
      .meaning = "leave out paths with less than P percent of the run" },                          \
    FOR_PROGRAMS, FILTERS
/* clang-format on */

const struct ez_cmd command_graph = {
    .name = "graph",
    .usage = "[FUNC] [FILE.fxt...]",
    .brief = "Show who calls whom: the call graph of traces.",
    .help = "With FUNC, the graph has two parts: the paths that lead to FUNC, from caller to\n"
            "caller (<-), with the calls and the time of FUNC on this path; and the call\n"
            "tree below FUNC. A C++ name may be given without its parameters and template\n"
            "arguments. Without FUNC, graph prints the call tree, as \"calltree\" does.\n"
            "\n"
            "Recursion is folded: a call of a function that is already on the path counts in\n"
            "that function's row. % is the share of the run's time, as in \"stats\". The first\n"
            "operand is FUNC, unless it names a file. Without a file, graph uses the trace\n"
            "that is being written, or the newest trace of the session.",
    .examples = "graph\n"
                "graph compute\n"
                "graph compute app-4242.fxt -by thread",
    .see_also = "calltree, replay, stats",
    OPERANDS(TRACE, 0, -1),
    OPTIONS(GRAPH_OPTIONS),
    .flags = HERE | FRONT,
    .fn = cmd_graph,
    .complete = comp_fxt,
};

const struct ez_cmd command_calltree = {
    .name = "calltree",
    .usage = "[FILE.fxt...]",
    .brief = "Show the call paths of traces as a tree.",
    .help = "A row is a call path: the function, indented below its caller. Total is the\n"
            "time in these calls, Self the part of Total outside of recorded callees and\n"
            "pauses, % the share of the run's time. Threads and ranks are added up, unless\n"
            "-by is given. Rows with * are the hot path: from the root always to the callee\n"
            "with the largest Total, as long as the callee has at least half of its caller's\n"
            "time.\n"
            "\n"
            "Recursion is folded: a call of a function that is already on the path counts in\n"
            "that function's row.",
    .examples = "calltree\n"
                "calltree app-*.fxt -by rank\n"
                "calltree app-4242.fxt -percent 1 -depth 5",
    .see_also = "graph, report, stats",
    OPERANDS(TRACE, 0, -1),
    OPTIONS(GRAPH_OPTIONS),
    .flags = HERE | FRONT,
    .fn = cmd_calltree,
    .complete = comp_fxt,
};
