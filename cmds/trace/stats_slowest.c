/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stats_slowest.c - `stats -slowest N`: the slowest single calls.
 * Tests: tests/unit/shell/check_read.c, tests/trace/compare.sh */
#include <string.h>

#include "cmds/cmd.h"
#include "cmds/probe/repaired.h"
#include "cmds/progress.h"
#include "cmds/trace/stats.h"
#include "engine/base/strutil.h"
#include "engine/trace/slowest.h"
#include "shell/out.h"
#include "shell/sess.h"

static void slowest_close(struct ez_replay **r)
{
    ez_replay_close(*r);
}

static void slowest_free(struct ez_slowest **l)
{
    ez_slowest_free(*l);
}

static const char *slowest_name(const struct ez_model *m, uint32_t name)
{
    return name == EZ_NONE_IDX ? "" : m->name.at[name].text;
}

/* Returns the collected values, "n=5 -> $ret=7". */
static const char *slowest_values(struct ez_sess *s, const struct ez_slow_call *c)
{
    return sess_format(s, "%s%s%s", c->arguments ? c->arguments : "", c->result ? " -> " : "",
                       c->result ? c->result : "");
}

/* ---- the table -------------------------------------------------------------------------- */

static void slowest_row(struct out_table *t, const struct ez_model *m, const struct ez_slow_call *c)
{
    struct ez_sess *s = t->sess;
    const char *caller = slowest_name(m, c->caller), *below = slowest_name(m, c->below);
    out_row(t, out_time(s, c->start_ns), out_time(s, c->ns),
            sess_format(s, "%s%s", slowest_name(m, c->name), c->unwound ? " (unwound)" : ""),
            slowest_values(s, c), m->container.at[c->container].name, *caller ? caller : "-",
            *below ? sess_format(s, "%s %s", below, out_time(s, c->below_ns)) : "-", NULL);
}

static void slowest_print(struct ez_sess *s, const struct stats_plan *p, const struct ez_slowest *l,
                          const struct ez_replay *r)
{
    const struct ez_model *m = ez_replay_model(r);
    bool values = false;
    struct out_table t;
    for (size_t i = 0; i < l->n; i++)
        values |= l->call[i].arguments || l->call[i].result;
    out_table_init(&t, s, ">Start", ">Duration", "~Function", values ? "~Values" : "", "~Thread",
                   "~Caller", "~Longest in it", NULL);
    t.wide = p->wide;
    t.leaves_out = !p->wide;
    for (size_t i = 0; i < l->n; i++)
        slowest_row(&t, m, &l->call[i]);
    out_table_end(&t, "No calls.");
    if (l->cut)
        out_line(s,
                 "%llu call%s without begin or end %s left out; the longest, of %s, lasted %s at "
                 "least.",
                 (unsigned long long)l->cut, ez_plural(l->cut), l->cut == 1 ? "is" : "are",
                 slowest_name(m, l->cut_longest), out_time(s, l->cut_ns));
    print_repaired(s, ez_replay_sum(r));
}

static void slowest_json(struct ez_sess *s, const struct ez_slowest *l, const struct ez_model *m)
{
    struct out_table t;
    out_table_json(&t, s, "slowest",
                   "start_ns# duration_ns# self_ns# function library process thread rank# depth# "
                   "caller longest longest_ns# arguments result unwound?");
    out_fact(&t, "cut#", out_cell_count(s, l->cut));
    out_fact(&t, "cut_ns#", out_cell_count(s, l->cut_ns));
    for (size_t i = 0; i < l->n; i++) {
        const struct ez_slow_call *c = &l->call[i];
        const struct ez_container *p = ez_model_process(m, c->container);
        bool rank = p && p->rank != EZ_NO_RANK;
        out_row(&t, out_cell_count(s, c->start_ns), out_cell_count(s, c->ns),
                out_cell_count(s, c->self_ns), slowest_name(m, c->name), m->name.at[c->name].group,
                p ? p->name : "", m->container.at[c->container].name,
                rank ? out_cell_count(s, p->rank) : "", out_cell_count(s, c->depth),
                slowest_name(m, c->caller), slowest_name(m, c->below),
                c->below == EZ_NONE_IDX ? "" : out_cell_count(s, c->below_ns),
                ez_text(c->arguments), ez_text(c->result), c->unwound ? "yes" : "no", NULL);
    }
    out_table_json_end(&t, NULL);
}

/* ---- the command ------------------------------------------------------------------------ */

static ez_err *slowest_possible(struct ez_sess *s, const struct stats_plan *p)
{
    if (p->live || p->graph || p->of || p->top || opt_given(s, "-by") || opt_given(s, "-sort") ||
        opt_given(s, "-messages") || opt_given(s, "-job"))
        return ez_err_new(EZ_E_ARG, 0,
                          "-slowest cannot be used with -by, -of, -sort, -top, -graph, -job, "
                          "-messages or -live: it is a table of its own");
    if (!opt_number(s, "-slowest", 0))
        return ez_err_new(EZ_E_ARG, 0, "-slowest needs a number of calls above 0");
    return NULL;
}

ez_err *stats_slowest(struct ez_sess *s, const struct stats_plan *p)
{
    EZ_CLEANUP(slowest_close) struct ez_replay *r = NULL;
    EZ_CLEANUP(slowest_free) struct ez_slowest *l = NULL;
    struct progress bar;
    EZ_TRY(slowest_possible(s, p));
    struct ez_progress progress = progress_start(&bar, s);
    ez_err *e = traces_open(&p->in, &progress, &r);
    if (!e) {
        l = ez_slowest_create(ez_replay_model(r), opt_number(s, "-slowest", 1));
        e = ez_replay_run(r, ez_slowest_item, l, &progress);
    }
    progress_end(&bar);
    if (e)
        return e;
    ez_slowest_sort(l);
    if (p->json)
        slowest_json(s, l, ez_replay_model(r));
    else
        slowest_print(s, p, l, r);
    return NULL;
}
