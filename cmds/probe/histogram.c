/* SPDX-License-Identifier: GPL-3.0-or-later */
/* histogram.c - `info histogram`: shows durations of single calls, by powers of two, in the
 * current trace, the last one, or trace files.
 * Tests: tests/unit/shell/check_read.c, tests/e2e/live.ezt */
#include <ctype.h>
#include <string.h>

#include "cmds/cmd.h"
#include "cmds/job/jobs.h"
#include "cmds/progress.h"
#include "cmds/trace/traces.h"
#include "engine/trace/live.h"
#include "engine/base/strutil.h"
#include "shell/parse_word.h"
#include "shell/out.h"
#include "shell/sess.h"

enum { BAR = 40 };

struct selection {
    struct ez_sess *s;
    uint64_t number; /* number of the probe; 0 = selected by `function` */
    const char *name;
    EZ_VEC(struct ez_probe_info) probe;
};

static void histogram_collect(const struct ez_probe_info *p, void *arg)
{
    struct selection *w = arg;
    if (w->number && (uint64_t)p->number == w->number)
        EZ_PUSH(&w->probe, *p);
}

static bool histogram_is_wanted(const struct selection *w, const struct ez_stat_row *r)
{
    if (!w->number)
        return !strcmp(r->function, w->name);
    for (size_t i = 0; i < w->probe.n; i++) {
        const struct ez_probe_info *p = &w->probe.at[i];
        if (p->function && !strcmp(r->function, p->function) &&
            (!p->library || !strcmp(r->library, p->library)))
            return true;
    }
    return false;
}

static void histogram_rows(struct out_table *t, const struct ez_stat_row *r)
{
    struct ez_sess *s = t->sess;
    for (unsigned k = 0; k < 64; k++) {
        uint64_t n = ez_hist_power(&r->times, k);
        if (n)
            out_row(t, r->function, r->library, out_cell_count(s, k ? 1ull << k : 0),
                    k < 63 ? out_cell_count(s, 2ull << k) : "", out_cell_count(s, n), NULL);
    }
}

static void histogram_draw(struct ez_sess *s, const struct ez_stat_row *r)
{
    const struct ez_hist *h = &r->times;
    char bar[BAR + 1];
    uint64_t most = 1;
    int lo = 64, hi = -1;
    for (int k = 0; k < 64; k++) {
        uint64_t n = ez_hist_power(h, (unsigned)k);
        most = EZ_MAX(most, n);
        lo = n && lo == 64 ? k : lo;
        hi = n ? k : hi;
    }
    out_line(s, "%s%s%s%s: %llu call%s, mean %s, p50 %s, p99 %s, max %s", r->function,
             *r->library ? " (" : "", r->library, *r->library ? ")" : "",
             (unsigned long long)h->total, ez_plural(h->total), out_time(s, h->sum / h->total),
             out_time(s, ez_hist_quantile(h, .5)), out_time(s, ez_hist_quantile(h, .99)),
             out_time(s, h->max));
    for (int k = lo; k <= hi; k++) {
        uint64_t n = ez_hist_power(h, (unsigned)k);
        size_t len = (size_t)((double)n / (double)most * BAR + (n ? .999 : 0));
        len = EZ_MIN(len, (size_t)BAR);
        memset(bar, '#', len);
        bar[len] = 0;
        out_line(s, "  %10s - %-10s %10llu %5.1f %% %s", out_time(s, k ? 1ull << k : 0),
                 k < 63 ? out_time(s, 2ull << k) : "", (unsigned long long)n,
                 100 * (double)n / (double)h->total, bar);
    }
}

static ez_err *histogram_draw_wanted(struct ez_sess *s, const struct selection *w,
                                     const struct ez_stats *st)
{
    size_t drawn = 0, untimed = 0, cut = 0;
    struct out_table t;
    out_table_json(&t, s, "histogram", "function library from_ns# to_ns# calls#");
    for (size_t i = 0; i < st->n && !s->out.quit_pager; i++) {
        if (!histogram_is_wanted(w, &st->row[i]))
            continue;
        if (t.json)
            histogram_rows(&t, &st->row[i]);
        else if (st->row[i].times.total)
            histogram_draw(s, &st->row[i]);
        drawn += st->row[i].times.total != 0;
        untimed += !st->row[i].times.total;
        cut += st->row[i].cut != 0;
    }
    ez_err *e = NULL;
    if (!drawn)
        e = ez_err_new(EZ_E_NOTFOUND, 0,
                       cut       ? "%s: No call has ended in %s"
                       : untimed ? "%s: The durations are not known, because only entries or only "
                                   "exits are in %s"
                                 : "%s: No calls in %s",
                       w->name, traces_read_what(s));
    out_table_json_end(&t, e);
    return e;
}

/* ---- where the calls come from ------------------------------------------------------------- */

static ez_err *histogram_of_files(struct ez_sess *s, const struct selection *w,
                                  const struct traces *t)
{
    struct ez_replay *r = NULL;
    struct ez_stats *st = NULL;
    struct progress bar;
    struct ez_progress progress = progress_start(&bar, s);
    ez_err *e = traces_open(t, &progress, &r);
    if (!e) {
        st = ez_stats_create(ez_replay_model(r), EZ_BY_FUNCTION | EZ_BY_LIBRARY, false);
        e = ez_replay_run(r, ez_stats_item, st, &progress);
    }
    progress_end(&bar);
    if (!e) {
        ez_stats_table(st, EZ_SORT_TOTAL);
        e = histogram_draw_wanted(s, w, st);
    }
    ez_stats_free(st);
    ez_replay_close(r);
    return e;
}

/* Reads the trace that is being written, or the last one. */
static ez_err *histogram_of_present(struct ez_sess *s, const struct selection *w)
{
    struct ez_trace_info t = { 0 };
    struct ez_live *l = NULL;
    uint64_t fresh;
    ez_trace_info(s->target, &t);
    if (!t.path || t.pending)
        return ez_err_hint(ez_err_new(EZ_E_STATE, 0, "There is no trace yet"), "Name a FILE.fxt");
    ez_err *e = ez_live_open(t.path, EZ_BY_FUNCTION | EZ_BY_LIBRARY, &l);
    if (!e) {
        struct progress bar;
        struct ez_progress progress = progress_start(&bar, s);
        e = ez_live_poll(l, &progress, &fresh);
        progress_end(&bar);
    }
    if (!e && s->end.interrupted)
        e = ez_err_new(EZ_E_STATE, 0, "Interrupted");
    if (!e) {
        ez_stats_table(ez_live_stats(l), EZ_SORT_TOTAL);
        e = histogram_draw_wanted(s, w, ez_live_stats(l));
    }
    ez_live_close(l);
    return e;
}

/* ---- the command ----------------------------------------------------------------------------- */

static ez_err *histogram_parse(struct ez_sess *s, struct selection *w, struct traces *t, int argc,
                               char **argv)
{
    EZ_TRY(traces_parse(s, t, argc - 2, argv + 2));
    if (isdigit((unsigned char)*argv[1]))
        EZ_TRY(parse_count(argv[1], "probe", &w->number));
    if (s->job && w->number) {
        EZ_TRY(jobs_probe(s, NULL, w->number, "function", &w->name));
        w->number = 0;
    }
    ez_probes(s->target, histogram_collect, w);
    if (w->number && !w->probe.n)
        return ez_err_new(EZ_E_NOTFOUND, 0, "No probe number %s", argv[1]);
    return (traces_part(s) || s->job) && !t->file.n ? traces_read(s, t, 0, NULL) : NULL;
}

static ez_err *cmd_info_histogram(struct ez_sess *s, int argc, char **argv)
{
    EZ_CLEANUP(traces_free) struct traces t = { .file = { NULL, 0, 0 } };
    struct selection w = { .s = s, .name = argv[1] };
    ez_err *e = histogram_parse(s, &w, &t, argc, argv);
    if (!e)
        e = t.file.n ? histogram_of_files(s, &w, &t) : histogram_of_present(s, &w);
    EZ_VEC_FREE(&w.probe);
    return e;
}

const struct ez_cmd command_info_histogram = {
    .parent = "info",
    .name = "histogram",
    .usage = "PROBE [FILE.fxt...]",
    .brief = "Show the distribution of call durations.",
    .help = "Each row counts the calls whose duration is between two powers of two, in ns.\n"
            "PROBE is a number of \"info probes\" or the name of a function. The command\n"
            "reads the trace FILE. Without FILE, the command reads the trace that is being\n"
            "written, or the newest trace of the session.",
    .examples = "info histogram 1\n"
                "info histogram compute app-4242.fxt",
    .see_also = "stats, events, info probes",
    OPERANDS(TRACE, 1, -1),
    OPTIONS(FOR_PROGRAMS, FILTERS),
    .flags = HERE,
    .fn = cmd_info_histogram,
    .complete = comp_probe,
};
