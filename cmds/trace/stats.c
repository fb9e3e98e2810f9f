/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stats.c - `stats`: numbers and durations of calls, as a table, a call graph, or JSON
 * (stats_json.c).
 * Tests: tests/unit/shell/check_read.c, tests/e2e/live.ezt */
#include <string.h>

#include "cmds/cmd.h"
#include "cmds/job/jobs.h"
#include "cmds/probe/repaired.h"
#include "cmds/progress.h"
#include "cmds/trace/stats.h"
#include "engine/base/now.h"
#include "engine/base/strutil.h"
#include "engine/trace/live.h"
#include "shell/out.h"
#include "shell/sess.h"

/* ---- parsing ------------------------------------------------------------------------ */

/* Returns the name of the option that was given to read the live trace, -live or -once. */
static const char *stats_live_option(const struct stats_plan *p)
{
    return p->once ? "-once" : "-live";
}

static ez_err *stats_parse(struct ez_sess *s, struct stats_plan *p, int argc, char **argv)
{
    p->by = (unsigned)opt_number(s, "-by", EZ_BY_FUNCTION);
    p->sort = (enum ez_stats_sort)opt_number(s, "-sort", EZ_SORT_TOTAL);
    p->top = opt_number(s, "-top", 0);
    p->json = out_json_requested(s);
    p->graph = opt_given(s, "-graph");
    p->wide = opt_given(s, "-wide");
    p->of = opt_text(s, "-of");
    p->once = opt_given(s, "-once");
    p->live = p->once || opt_given(s, "-live"); /* -once is a live trace that is read one time. */
    if (p->graph && p->by & ~(unsigned)EZ_BY_FUNCTION)
        return ez_err_new(EZ_E_ARG, 0, "-graph cannot be used with -by: -graph shows functions");
    if (p->of && p->graph)
        return ez_err_new(EZ_E_ARG, 0, "-graph cannot be used with -of: -graph shows functions");
    if (p->of && p->live)
        return ez_err_new(EZ_E_ARG, 0, "%s cannot be used with -of: %s shows functions",
                          stats_live_option(p), stats_live_option(p));
    /* Separate rows for functions, so that states of different functions are not added up. */
    if (p->of)
        p->by |= EZ_BY_FUNCTION;
    else if (p->by & EZ_BY_FUNCTION) /* separate rows for functions of the same name */
        p->by |= EZ_BY_LIBRARY;
    if (!p->live)
        return traces_read(s, &p->in, argc - 1, argv + 1);
    EZ_TRY(traces_parse(s, &p->in, argc - 1, argv + 1));
    if (p->in.file.n)
        return ez_err_new(EZ_E_ARG, 0, "%s takes no FILE: it reads the trace that is being written",
                          stats_live_option(p));
    return NULL;
}

/* ---- the call graph ------------------------------------------------------------------------ */

static const char *stats_row_name(const struct ez_stats *st, uint32_t row)
{
    return row == EZ_NONE_IDX ? "(outermost)" : st->row[row].function;
}

/* The edges of the call graph, a linked list for each row, the largest edge first. Lists, because
 * the number of rows and edges may be very large. */
struct edges {
    uint32_t *first, *next; /* first: edge by row; next: edge by edge; EZ_NONE_IDX ends a list */
};

static struct edges stats_edges_of(const struct ez_stats *st, bool callers)
{
    struct edges e = { ez_alloc((st->n + 1) * 4), ez_alloc((st->nedge + 1) * 4) };
    memset(e.first, 0xff, st->n * 4);
    for (size_t i = st->nedge; i-- > 0;) {
        uint32_t row = callers ? st->edge[i].callee : st->edge[i].caller;
        if (row == EZ_NONE_IDX)
            continue;
        e.next[i] = e.first[row];
        e.first[row] = (uint32_t)i;
    }
    return e;
}

static void stats_print_edges(struct ez_sess *s, const struct ez_stats *st,
                              const struct edges *edges, uint32_t row, bool callers)
{
    for (uint32_t i = edges->first[row]; i != EZ_NONE_IDX; i = edges->next[i]) {
        const struct ez_stat_edge *e = &st->edge[i];
        out_line(s, "    %s %-30s %10llu  %10s", callers ? "<-" : "->",
                 stats_row_name(st, callers ? e->caller : e->callee), (unsigned long long)e->calls,
                 out_time(s, e->total_ns));
    }
}

static void stats_print_graph(struct ez_sess *s, const struct stats_plan *p,
                              const struct ez_stats *st)
{
    struct edges up = stats_edges_of(st, true), down = stats_edges_of(st, false);
    for (uint32_t i = 0; i < stats_rows(p, st) && !s->out.quit_pager; i++) {
        const struct ez_stat_row *r = &st->row[i];
        if (!r->times.total && !r->cut)
            continue;
        stats_print_edges(s, st, &up, i, true);
        out_line(s, "%-36s %10llu  %10s  self %s", r->function, (unsigned long long)r->calls,
                 out_time(s, r->total_ns), out_time(s, r->self_ns));
        stats_print_edges(s, st, &down, i, false);
        out_line(s, "%s", "");
    }
    free(up.first);
    free(up.next);
    free(down.first);
    free(down.next);
}

/* ---- totals and notes ------------------------------------------------------------------------ */

static void stats_print_sum(struct ez_sess *s, const struct stats_plan *p,
                            const struct ez_trace_sum *t, const struct ez_stats *st)
{
    uint64_t span = EZ_MIN(p->in.part.to_ns, t->span_ns) - p->in.part.from_ns;
    out_line(s, "%llu event%s in %s, %llu thread%s.", (unsigned long long)t->events,
             ez_plural(t->events), out_time(s, span), (unsigned long long)st->threads,
             ez_plural(st->threads));
    print_repaired(s, t);
    if (t->has_accounting && !t->part)
        out_accounting(s, "",
                       &(struct ez_accounting){ .hits = t->hits,
                                                .recorded = t->recorded,
                                                .filtered = t->filtered,
                                                .untraced = t->untraced,
                                                .dropped = t->dropped,
                                                .overwritten = t->overwritten });
}

/* ---- the command ----------------------------------------------------------------------------- */

static void stats_close_replay(struct ez_replay **r)
{
    ez_replay_close(*r);
}

static void stats_free_plan(struct stats_plan *p)
{
    traces_free(&p->in);
}

static void stats_free(struct stats_tables *all)
{
    ez_stats_free(all->st);
    ez_vars_free(all->v);
    ez_samples_free(all->c);
    ez_values_free(all->values);
}

static ez_err *stats_item(void *arg, const struct ez_item *it)
{
    struct stats_tables *all = arg;
    EZ_TRY(ez_stats_item(all->st, it));
    EZ_TRY(ez_vars_item(all->v, it));
    EZ_TRY(ez_values_item(all->values, it));
    return ez_samples_item(all->c, it);
}

/* Returns the error for an unknown word of -of: neither a kind of subject nor a collected item. It
 * lists the known ones. */
static ez_err *stats_no_kind(struct ez_sess *s, const struct ez_model *m, const struct ez_values *v,
                             const char *kind)
{
    const char *list = stats_items(s, v);
    for (size_t i = 0; i < m->subject.n; i++) {
        size_t k = 0;
        while (strcmp(m->subject.at[k].kind, m->subject.at[i].kind))
            k++;
        if (k == i)
            list = sess_format(s, "%s%s%s", list, *list ? ", " : "", m->subject.at[i].kind);
    }
    ez_err *e = ez_err_new(EZ_E_NOTFOUND, 0, "There is no data about \"%s\" in %s", kind,
                           traces_read_what(s));
    if (*list)
        return ez_err_hint(e, "There is data about %s", list);
    return ez_err_hint(e, "Modules record locks, files, ... (\"help module\"); \"probe FUNC "
                          "collect ITEM\" records values");
}

static ez_err *stats_read_files(struct ez_sess *s, const struct stats_plan *p, struct ez_replay **r,
                                struct stats_tables *all)
{
    struct progress bar;
    struct ez_progress progress = progress_start(&bar, s);
    ez_err *e = traces_open(&p->in, &progress, r);
    if (!e) {
        all->st = ez_stats_create(ez_replay_model(*r), p->by, p->graph);
        all->v = ez_vars_create(ez_replay_model(*r), p->of);
        all->c = ez_samples_create(ez_replay_model(*r));
        all->values = ez_values_create(ez_replay_model(*r));
        if (p->of) {
            ez_stats_subjects(all->st, p->of);
            ez_replay_about(*r, p->of);
        }
        e = ez_replay_run(*r, stats_item, all, &progress);
    }
    if (!e)
        ez_replay_counts(*r, ez_stats_count, all->st);
    progress_end(&bar);
    return e;
}

static void stats_print_lines(struct ez_sess *s, const struct ez_model *m)
{
    for (size_t i = 0; i < m->line.n; i++)
        out_line(s, "%s", m->line.at[i]);
}

static size_t stats_processes(const struct ez_model *m)
{
    size_t n = 0;
    for (size_t i = 0; i < m->container.n; i++)
        n += m->container.at[i].level == EZ_L_PROCESS;
    return n;
}

static ez_err *stats_of_files(struct ez_sess *s, struct stats_plan *p)
{
    EZ_CLEANUP(stats_close_replay) struct ez_replay *r = NULL;
    EZ_CLEANUP(stats_free) struct stats_tables all = { .st = NULL };
    EZ_TRY(stats_read_files(s, p, &r, &all));
    const struct ez_stats *st = all.st;
    ez_stats_table(all.st, p->sort);
    ez_vars_table(all.v);
    ez_samples_table(all.c);
    ez_values_table(all.values);
    all.adds = ez_replay_adds(r);
    p->processes = stats_processes(ez_replay_model(r)) > 1;
    if (p->of && !st->n && !all.v->n)
        return stats_no_kind(s, ez_replay_model(r), all.values, p->of);
    if (p->json) {
        stats_json(s, p, ez_replay_sum(r), &all);
        return NULL;
    }
    if (p->graph)
        stats_print_graph(s, p, st);
    else
        stats_print_rows(s, p, st, 0);
    if (!p->graph)
        stats_print_vars(s, p, all.v);
    if (!p->graph && !p->of)
        stats_print_samples(s, all.c);
    if (!p->graph && !p->of)
        stats_print_values(s, p, all.values);
    if (!p->graph && !p->of)
        stats_print_adds(s, all.adds);
    stats_print_lines(s, ez_replay_model(r));
    stats_print_sum(s, p, ez_replay_sum(r), st);
    return NULL;
}

enum { REFRESH_MS = 500, SHARED_MS = 3000 };

struct watch {
    struct ez_sess *s;
    uint64_t until;
};

/* Returns false when it is time to update the screen: a trace may grow faster than it can be read.
 * A callback of the reader. */
static bool stats_go_on(void *arg, uint64_t done, uint64_t total)
{
    struct watch *w = arg;
    return ez_now_ns() < w->until && sess_sleep(w->s, 0);
}

/* Prints the table in place of the preceding one. Lines that scrolled off the screen cannot be
 * replaced, so all but the last table are cut to the height of the screen. Returns the number of
 * printed lines. */
static unsigned stats_refresh(struct ez_sess *s, const struct stats_plan *p, struct ez_live *l,
                              uint64_t events, bool last)
{
    struct stats_plan fit = *p;
    const struct ez_stats *st = ez_live_stats(l);
    uint64_t lost = ez_live_count(l)->lost;
    unsigned height = out_height(s);
    if (!last && height > 4)
        fit.top = EZ_MIN(p->top, (uint64_t)height - 3);
    stats_print_rows(s, &fit, st, last ? 0 : out_columns(s) - 1);
    const char *also =
        lost ? sess_format(s, "; %llu event%s lost", (unsigned long long)lost, ez_plural(lost))
             : "";
    out_line(s, "%llu event%s, %llu thread%s%s.", (unsigned long long)events, ez_plural(events),
             (unsigned long long)st->threads, ez_plural(st->threads), also);
    return (unsigned)stats_rows(&fit, st) + 2;
}

/* Prints the table repeatedly, until Ctrl-C, or until the target stops or ends; with -once one
 * time. */
static ez_err *stats_watch(struct ez_sess *s, const struct stats_plan *p, struct ez_live *l)
{
    unsigned lines = 0;
    uint64_t fresh, events = 0;
    bool shared = out_shares_terminal(s); /* replaced lines would erase the program's output */
    s->out.no_pager = true;
    sess_uninterrupt(s);
    for (bool last = false; !last;) {
        struct watch w = { s, ez_now_ns() + REFRESH_MS * 1000000ull };
        const struct ez_progress progress = { stats_go_on, &w };
        size_t kept = s->kept.n;
        struct ez_trace_info t;
        last = p->once || ez_target_state(s->target) == EZ_NONE ||
               ez_target_state(s->target) == EZ_STOPPED;
        ez_trace_info(s->target, &t); /* flushes the rings to the file */
        EZ_TRY(ez_live_poll(l, last ? NULL : &progress, &fresh));
        events += fresh;
        if (s->end.interrupted)
            break;
        if (last || out_moves()) {
            ez_stats_table(ez_live_stats(l), p->sort);
            out_rewind(s, shared ? 0 : lines);
            lines = stats_refresh(s, p, l, events, last);
        }
        sess_forget(s, kept);
        if (!last && !sess_sleep(s, shared ? SHARED_MS : REFRESH_MS))
            break;
    }
    return NULL;
}

static ez_err *stats_live_possible(const struct stats_plan *p)
{
    if (!p->json && !p->graph)
        return NULL;
    return ez_err_new(EZ_E_ARG, 0, "%s cannot be used with -json or -graph", stats_live_option(p));
}

/* Prints the table of all traces of a job repeatedly, until no member runs or Ctrl-C; with -once
 * one time. */
static ez_err *stats_of_job(struct ez_sess *s, struct stats_plan *p)
{
    EZ_TRY(stats_live_possible(p));
    p->top = p->top ? p->top : 20;
    s->out.no_pager = true;
    sess_uninterrupt(s);
    for (bool last = false; !last && !s->end.interrupted;) {
        size_t kept = s->kept.n;
        last = p->once || jobs_state(s) != EZ_RUNNING;
        traces_free(&p->in);
        EZ_TRY(traces_read(s, &p->in, 0, NULL));
        EZ_TRY(stats_of_files(s, p));
        sess_forget(s, kept);
        out_flush(s);
        last |= !last && !sess_sleep(s, SHARED_MS);
    }
    return NULL;
}

static ez_err *stats_live(struct ez_sess *s, struct stats_plan *p)
{
    if (s->job)
        return stats_of_job(s, p);
    struct ez_trace_info t = { 0 };
    struct ez_live *l = NULL;
    ez_trace_info(s->target, &t);
    if (!t.path || t.pending)
        return ez_err_new(EZ_E_STATE, 0, "There is no trace yet");
    EZ_TRY(stats_live_possible(p));
    p->top = p->top ? p->top : 20;
    EZ_TRY(ez_live_open(t.path, p->by, &l));
    ez_err *e = traces_follow(s, l);
    if (!e)
        e = stats_watch(s, p, l);
    if (!e && s->end.interrupted && !s->end.quit)
        out_line(s, "Quit");
    if (!e)
        e = ez_live_missing(&l, 1);
    ez_live_close(l);
    return e;
}

static ez_err *cmd_stats(struct ez_sess *s, int argc, char **argv)
{
    EZ_CLEANUP(stats_free_plan) struct stats_plan p = { .by = 0 };
    if (opt_given(s, "-job") && !opt_given(s, "-slowest"))
        return jobs_stats(s, opt_number(s, "-top", 0));
    EZ_TRY(stats_parse(s, &p, argc, argv));
    if (opt_given(s, "-slowest"))
        return stats_slowest(s, &p);
    if (opt_given(s, "-messages"))
        return stats_messages(s, &p);
    return p.live ? stats_live(s, &p) : stats_of_files(s, &p);
}

static const struct ez_opt_word stats_by_words[] = {
    { "function", EZ_BY_FUNCTION }, { "library", EZ_BY_LIBRARY }, { "thread", EZ_BY_THREAD },
    { "process", EZ_BY_PROCESS },   { "rank", EZ_BY_PROCESS },    { NULL, 0 }
};
static const struct ez_opt_word stats_sort_words[] = {
    { "total", EZ_SORT_TOTAL }, { "self", EZ_SORT_SELF },     { "calls", EZ_SORT_CALLS },
    { "mean", EZ_SORT_MEAN },   { "min", EZ_SORT_MIN },       { "max", EZ_SORT_MAX },
    { "p50", EZ_SORT_P50 },     { "p90", EZ_SORT_P90 },       { "p99", EZ_SORT_P99 },
    { "name", EZ_SORT_NAME },   { "function", EZ_SORT_NAME }, { NULL, 0 }
};

const struct ez_cmd command_stats = {
    .name = "stats",
    .usage = "[FILE.fxt...]",
    .brief = "Summarize traces: calls and times of each function.",
    .help = "Total is the time in calls of the function; Self is the part of Total outside\n"
            "of recorded callees. % is the share of the run's time: the time between the\n"
            "first and the last event of each thread, summed over the threads, without the\n"
            "time in which threads waited for the trace.\n"
            "\n"
            "Rows at the end show the time in which threads slept ([slept]), were preempted,\n"
            "or waited for the trace, and in which events were lost. Self does not contain\n"
            "these times. The time of a call whose exit event was lost ends at the loss.\n"
            "Calls of \"probe -count\" have no times.\n"
            "\n"
            "Total counts the time of recursive calls once; Mean, Min and Max are those of\n"
            "all calls, recursive ones included.\n"
            "\n"
            "A second table summarizes the numbers that probes collected. Without a file,\n"
            "stats uses the trace that is being written, or the newest trace of the session.",
    .examples = "stats app-4242.fxt -sort self -top 20\n"
                "stats app-4242.fxt -of '$arg0'\n"
                "stats app-*.fxt -by process\n"
                "stats app-4242.fxt -slowest 10\n"
                "stats app-*.fxt -messages",
    .see_also = "convert, events, info histogram, trace",
    .list = list_columns,
    OPERANDS(TRACE, 0, -1),
    OPTIONS({ .name = "-by",
              .kind = OPT_SOME_OF,
              .value = "WHAT",
              .words = stats_by_words,
              .meaning = "one row for each, or\n"
                         "for a combination: -by thread,function; with ranks also job and host" },
            { .name = "-of",
              .kind = OPT_TEXT,
              .value = "KIND",
              .meaning = "one row for each lock, file, region, ... of the states and variables\n"
                         "of modules; or for each value of the collected item KIND, as \"events\"\n"
                         "names it" },
            { .name = "-sort",
              .kind = OPT_ONE_OF,
              .value = "KEY",
              .words = stats_sort_words,
              .meaning = "the order of rows;\n"
                         "ranks by name are in numeric order" },
            { .name = "-top",
              .kind = OPT_NUMBER,
              .value = "N",
              .meaning = "print the first N rows only" },
            { .name = "-slowest",
              .kind = OPT_NUMBER,
              .value = "N",
              .meaning = "print the N slowest single calls: start, duration and values of each,\n"
                         "and the longest call or sleep inside it" },
            { .name = "-graph", .meaning = "print callers (<-) and callees (->) of each function" },
            { .name = "-job",
              .meaning = "in a job: print sums by function over all processes, and the imbalance;\n"
                         "the traces are not copied" },
            { .name = "-messages",
              .meaning = "print messages and bytes between processes (module mpi); the time of a\n"
                         "message lasts from the start of the send to the end of the receive" },
            FOR_PROGRAMS,
            { .name = "-live",
              .meaning = "refresh the live table until Ctrl-C, or the program's stop or end" },
            { .name = "-once", .meaning = "as -live, but print the table once" }, WIDE, FILTERS),
    .flags = HERE | FRONT,
    .fn = cmd_stats,
    .complete = comp_fxt,
};
