/* SPDX-License-Identifier: GPL-3.0-or-later */
/* analyze.c - `analyze`: why threads and ranks wait, and for whom.
 * Tests: tests/trace/analyze.sh, tests/unit/analysis/check_analysis.c */
#include "cmds/trace/analyze.h"

#include <math.h>

#include "cmds/probe/repaired.h"
#include "cmds/progress.h"
#include "cmds/trace/traces.h"
#include "engine/base/hash.h"
#include "shell/out.h"
#include "shell/sess.h"

enum { ROWS = 8 }; /* default of -top */

static const char *analyze_share(const struct analyze *v, double part)
{
    double of = (double)v->a->area_ns;
    return of > 0 ? sess_format(v->s, "%.1f", 100 * part / of) : "-";
}

static const char *analyze_path(const struct analyze *v, uint32_t path)
{
    EZ_FREE char *text = ez_analysis_path(v->a, path);
    return sess_format(v->s, "%s", text);
}

/* ---- tables --------------------------------------------------------------------------------------- */

static void print_efficiency(const struct analyze *v)
{
    const struct ez_efficiency *e = &v->a->eff;
    struct out_table t;
    const struct {
        const char *name;
        double factor;
    } row[] = {
        { "Parallel efficiency", e->parallel },
        { "  MPI", e->mpi },
        { isnan(e->mpi) ? "  Load balance" : "    Load balance", e->load_balance },
        { "    Communication", e->communication },
        { "      Serialisation", e->serialisation },
        { "      Transfer", e->transfer },
        { "  Threads", e->openmp },
        { "Useful time that ran", e->ran },
    };
    out_line(v->s, "%s", "");
    out_table_init(&t, v->s, "~Efficiency", ">%", NULL);
    for (size_t i = 0; i < EZ_ARRAY_LEN(row); i++)
        if (!isnan(row[i].factor))
            out_row(&t, row[i].name, sess_format(v->s, "%.1f", 100 * row[i].factor), NULL);
    out_table_print(&t);
}

/* The waits of one kind in one call path, over all threads. */
struct wait_sum {
    enum ez_wait_kind kind;
    uint32_t path;
    uint64_t count, ns, threads;
    const struct ez_wait_row *longest;
};

static int analyze_order(const void *x, const void *y)
{
    const struct wait_sum *a = x, *b = y;
    return a->ns > b->ns ? -1 : a->ns < b->ns;
}

static void print_waits(const struct analyze *v, size_t most)
{
    EZ_VEC(struct wait_sum) sum = { NULL, 0, 0 };
    struct ez_hash index = { .n = 0 };
    const bool wide = opt_given(v->s, "-wide");
    struct out_table t;
    for (size_t i = 0; i < v->a->waits; i++) {
        const struct ez_wait_row *w = &v->a->wait[i];
        struct wait_sum fresh = { .kind = w->kind, .path = w->path };
        size_t k = ez_hash_put(&index, (uint64_t)w->kind << 32 | w->path, sum.n);
        if (k == sum.n)
            EZ_PUSH(&sum, fresh);
        EZ_ASSUME(sum.at);
        struct wait_sum *to = &sum.at[k];
        to->count += w->count;
        to->ns += w->ns;
        to->threads++;
        if (!to->longest || w->longest_ns > to->longest->longest_ns)
            to->longest = w;
    }
    ez_hash_free(&index);
    out_line(v->s, "%s", "");
    if (!sum.n) {
        out_line(v->s, "No thread waited for another.");
        return;
    }
    ez_sort(sum.at, sum.n, sizeof *sum.at, analyze_order);
    out_table_init(&t, v->s, "~Wait state", "~In", ">Threads", ">Count", ">Time", ">%", ">Longest",
                   ">At", NULL);
    t.wide = wide;
    for (size_t i = 0; i < EZ_MIN(sum.n, most); i++) {
        const struct wait_sum *w = &sum.at[i];
        out_row(&t, ez_wait_title(w->kind), analyze_path(v, w->path), out_count(v->s, w->threads),
                out_count(v->s, w->count), out_time(v->s, w->ns), analyze_share(v, (double)w->ns),
                out_time(v->s, w->longest->longest_ns),
                out_time(v->s, w->longest->longest_start_ns), NULL);
    }
    out_table_print(&t);
    EZ_VEC_FREE(&sum);
}

static void print_causes(const struct analyze *v, size_t most)
{
    struct out_table t;
    size_t n = 0;
    while (n < v->a->causes && v->a->cause[n].short_ns + v->a->cause[n].long_ns >= 1)
        n++;
    if (!n)
        return;
    out_line(v->s, "%s", "");
    out_table_init(&t, v->s, "~Cause", "~Thread", ">Own", ">Mean", ">Others wait", ">%",
                   ">Directly", ">Through others", NULL);
    t.wide = opt_given(v->s, "-wide");
    for (size_t i = 0; i < EZ_MIN(n, most); i++) {
        const struct ez_cause_row *c = &v->a->cause[i];
        double cost = c->short_ns + c->long_ns;
        out_row(&t, analyze_path(v, c->path), analyze_thread(v, c->thread),
                out_time(v->s, c->own_ns), out_time(v->s, c->mean_ns),
                out_time(v->s, (uint64_t)cost), analyze_share(v, cost),
                out_time(v->s, (uint64_t)c->short_ns), out_time(v->s, (uint64_t)c->long_ns), NULL);
    }
    out_table_print(&t);
}

static int analyze_order_critical(const void *x, const void *y)
{
    const struct ez_cause_row *a = *(const struct ez_cause_row *const *)x;
    const struct ez_cause_row *b = *(const struct ez_cause_row *const *)y;
    return a->critical_ns > b->critical_ns ? -1 : a->critical_ns < b->critical_ns;
}

static void print_critical(const struct analyze *v, size_t most)
{
    EZ_VEC(const struct ez_cause_row *) row = { NULL, 0, 0 };
    double span = (double)(v->a->to_ns - v->a->from_ns);
    struct out_table t;
    for (size_t i = 0; i < v->a->causes; i++)
        if (v->a->cause[i].critical_ns > 0)
            EZ_PUSH(&row, &v->a->cause[i]);
    ez_sort(row.at, row.n, sizeof *row.at, analyze_order_critical);
    out_line(v->s, "%s", "");
    out_table_init(&t, v->s, "~On the critical path", "~Thread", ">Time", ">%", ">Mean", ">Max",
                   NULL);
    t.wide = opt_given(v->s, "-wide");
    for (size_t i = 0; i < EZ_MIN(row.n, most); i++)
        out_row(&t, analyze_path(v, row.at[i]->path), analyze_thread(v, row.at[i]->thread),
                out_time(v->s, (uint64_t)row.at[i]->critical_ns),
                sess_format(v->s, "%.1f", 100 * (double)row.at[i]->critical_ns / span),
                out_time(v->s, row.at[i]->mean_ns), out_time(v->s, row.at[i]->max_ns), NULL);
    out_table_print(&t);
    EZ_VEC_FREE(&row);
}

static void print_collectives(const struct analyze *v, size_t most)
{
    struct out_table t;
    if (!v->a->collectives)
        return;
    out_line(v->s, "%s", "");
    out_table_init(&t, v->s, "~Collective operation", ">Calls", ">Bytes", ">Time", ">Waits", NULL);
    for (size_t i = 0; i < EZ_MIN(v->a->collectives, most); i++) {
        const struct ez_collective_row *c = &v->a->collective[i];
        out_row(&t, v->m->name.at[c->name].text, out_count(v->s, c->calls),
                out_size(v->s, c->bytes), out_time(v->s, c->ns), out_time(v->s, c->wait_ns), NULL);
    }
    out_table_print(&t);
}

/* ---- the command ------------------------------------------------------------------------------------ */

static void analyze_print(const struct analyze *v)
{
    size_t most = (size_t)opt_number(v->s, "-top", ROWS);
    most = most ? most : SIZE_MAX;
    analyze_verdict(v);
    print_efficiency(v);
    print_waits(v, most);
    print_causes(v, most);
    print_critical(v, most);
    print_collectives(v, most);
}

/* Reads the traces that n words name. show: called with the finished analysis. */
static ez_err *analyze_read(struct ez_sess *s, int n, char **word,
                            ez_err *(*show)(const struct analyze *v, const struct ez_replay *r,
                                            void *arg),
                            void *arg)
{
    EZ_CLEANUP(traces_free) struct traces in = { .file = { NULL, 0, 0 } };
    struct ez_replay *r = NULL;
    struct ez_analysis *a = NULL;
    struct progress bar;
    EZ_TRY(traces_read(s, &in, n, word));
    struct ez_progress progress = progress_start(&bar, s);
    ez_err *e = traces_open(&in, &progress, &r);
    if (!e) {
        a = ez_analysis_create(ez_replay_model(r));
        e = ez_replay_run(r, ez_analysis_item, a, &progress);
    }
    progress_end(&bar);
    if (!e) {
        ez_analysis_finish(a);
        const struct analyze v = { s, ez_replay_model(r), a };
        e = a->threads ? show(&v, r, arg)
                       : ez_err_hint(ez_err_new(EZ_E_NOTFOUND, 0, "No thread has a call in %s",
                                                traces_read_what(s)),
                                     "Load a module before the run, as eztsh -m mpi, and probe "
                                     "functions");
    }
    ez_analysis_free(a);
    ez_replay_close(r);
    return e;
}

static ez_err *analyze_show(const struct analyze *v, const struct ez_replay *r, void *arg)
{
    (void)arg;
    if (out_json_requested(v->s)) {
        analyze_json(v);
        return NULL;
    }
    analyze_print(v);
    print_repaired(v->s, ez_replay_sum(r));
    return NULL;
}

static ez_err *analyze_keep(const struct analyze *v, const struct ez_replay *r, void *arg)
{
    struct analyze_run *run = arg;
    (void)r;
    run->ranks = v->a->mpi_processes;
    run->threads = v->a->threads;
    run->run_ns = v->a->to_ns - v->a->from_ns;
    run->eff = v->a->eff;
    for (size_t i = 0; i < v->a->threads; i++)
        run->useful_ns += v->a->thread[i].time[EZ_TIME_USEFUL];
    return NULL;
}

static ez_err *analyze_one(struct ez_sess *s, int n, char **word, struct analyze_run *run)
{
    return analyze_read(s, n, word, analyze_keep, run);
}

static ez_err *cmd_analyze(struct ez_sess *s, int argc, char **argv)
{
    if (analyze_is_scaling(argc - 1, argv + 1))
        return analyze_scaling(s, argc - 1, argv + 1, analyze_one);
    return analyze_read(s, argc - 1, argv + 1, analyze_show, NULL);
}

const struct ez_cmd command_analyze = {
    .name = "analyze",
    .usage = "[FILE.fxt... [vs FILE.fxt...]...]",
    .brief = "Find out why threads and ranks wait, and for whom.",
    .help = "The trace needs the events of module mpi, openmp or pthread; probes on\n"
            "functions of the program tell where the time goes. The first lines are the\n"
            "result in words: how much processor time is useful, who makes others wait, and\n"
            "what the critical path consists of.\n"
            "\n"
            "Wait states are those of Scalasca, efficiencies those of POP (see the manual).\n"
            "A cause is a call path in which a thread spent more time than the thread that\n"
            "waited for it, since both last met. Others wait: the waiting time that the\n"
            "cause is charged with, directly, or through a thread that waited itself.\n"
            "\n"
            "In a job, the analysed time lasts from the first return from MPI_Init to the\n"
            "last call of MPI_Finalize. With \"vs\" between runs of different size, each run\n"
            "has a row with its efficiencies; Computation is the useful time of the first\n"
            "run in percent of that of this run.",
    .examples = "analyze app-*.fxt\n"
                "analyze app-*.fxt -top 0 -wide\n"
                "analyze app-*.fxt -from 2s -to 3s -json\n"
                "analyze two/*.fxt vs four/*.fxt vs eight/*.fxt",
    .see_also = "info locks, stats, timeline, report",
    OPERANDS(TRACE, 0, -1),
    OPTIONS({ .name = "-top",
              .kind = OPT_NUMBER,
              .value = "N",
              .meaning = "print N rows of each table; 0: all" },
            FOR_PROGRAMS, WIDE, FILTERS),
    .flags = HERE | FRONT,
    .fn = cmd_analyze,
    .complete = comp_fxt,
};
