/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stats_json.c - `stats -json`: the tables as one JSON object.
 * Tests: tests/unit/shell/check_read.c, tests/procs/json.sh */
#include "cmds/trace/stats.h"
#include "engine/base/json.h"
#include "shell/out.h"
#include "shell/sess.h"

static void json_edges(struct ez_json *j, const struct ez_stats *st)
{
    stats_json_rows_begin(j, "edges");
    for (size_t i = 0; i < st->nedge; i++) {
        const struct ez_stat_edge *e = &st->edge[i];
        stats_json_row(j);
        ez_json_add_text(j, "caller",
                         e->caller == EZ_NONE_IDX ? NULL : st->row[e->caller].function);
        ez_json_add_text(j, "callee", st->row[e->callee].function);
        ez_json_add_uint(j, "calls", e->calls);
        ez_json_add_uint(j, "total_ns", e->total_ns);
        ez_json_end(j, '}');
    }
    stats_json_rows_end(j);
}

static void json_throttled(struct ez_json *j, const struct ez_throttled_rows *r)
{
    stats_json_rows_begin(j, "throttled");
    for (size_t i = 0; i < r->row.n; i++) {
        stats_json_row(j);
        ez_json_add_text(j, "function", r->row.at[i].function);
        ez_json_add_text(j, "library", r->row.at[i].library);
        ez_json_add_uint(j, "ns", r->row.at[i].ns);
        ez_json_add_uint(j, "times", r->row.at[i].times);
        ez_json_end(j, '}');
    }
    stats_json_rows_end(j);
}

static void json_lost(struct ez_json *j, const struct ez_model_count *c)
{
    ez_json_next_line(j, 2);
    ez_json_begin(j, "lost", '{');
    ez_json_add_uint(j, "events", c->lost);
    ez_json_add_uint(j, "gaps", c->gaps);
    ez_json_add_uint(j, "threads", c->gap_threads);
    ez_json_add_uint(j, "ns", c->gap_ns);
    ez_json_add_uint(j, "calls_cut", c->gap_calls);
    ez_json_end(j, '}');
}

static void json_accounting(struct ez_json *j, const struct ez_trace_sum *t)
{
    ez_json_next_line(j, 2);
    ez_json_begin(j, "ledger", '{');
    ez_json_add_uint(j, "hits", t->hits);
    ez_json_add_uint(j, "recorded", t->recorded);
    ez_json_add_uint(j, "filtered", t->filtered);
    ez_json_add_uint(j, "untraced", t->untraced);
    ez_json_add_uint(j, "dropped", t->dropped);
    ez_json_add_uint(j, "unhooked", t->unhooked);
    ez_json_add_uint(j, "torn", t->torn);
    ez_json_add_uint(j, "unwound", t->unwound);
    ez_json_add_uint(j, "waits", t->waits);
    ez_json_add_uint(j, "waited_ns", t->waited_ns);
    ez_json_add_uint(j, "switches_lost", t->switches_lost);
    ez_json_add_uint(j, "overwritten", t->overwritten);
    ez_json_end(j, '}');
}

static void json_sums(struct ez_json *j, const struct ez_trace_sum *t, const struct ez_stats *st)
{
    const struct ez_model_count *c = &t->count;
    ez_json_next_line(j, 2);
    ez_json_add_uint(j, "events", t->events);
    ez_json_add_uint(j, "span_ns", t->span_ns);
    ez_json_add_uint(j, "threads", st->threads);
    ez_json_add_uint(j, "run_ns", st->run_ns);
    ez_json_next_line(j, 2);
    ez_json_add_uint(j, "open_entries", c->open_entries);
    ez_json_add_uint(j, "lone_exits", c->lone_exits);
    ez_json_add_uint(j, "unpaired_links", c->unpaired_links);
    ez_json_add_uint(j, "late", t->late);
    ez_json_add_uint(j, "unwound", c->unwound);
}

void stats_json(struct ez_sess *s, const struct stats_plan *p, const struct ez_trace_sum *t,
                const struct stats_tables *all)
{
    const struct ez_stats *st = all->st;
    struct ez_json j = { .text = NULL };
    ez_json_begin(&j, NULL, '{');
    ez_json_next_line(&j, 2);
    ez_json_add_text(&j, "schema", "eztsh-stats-1");
    json_sums(&j, t, st);
    json_lost(&j, &t->count);
    if (t->has_accounting)
        json_accounting(&j, t);
    json_throttled(&j, &t->throttled);
    ez_json_next_line(&j, 2);
    ez_json_add_text(&j, "damage", t->damage);
    if (p->graph)
        json_edges(&j, st);
    stats_json_vars(&j, all->v);
    stats_json_samples(&j, all->c);
    stats_json_values(&j, all->values);
    stats_json_adds(&j, all->adds);
    stats_json_rows(s, &j, p, st);
    ez_json_next_line(&j, 0);
    ez_json_end(&j, '}');
    out_json(s, &j);
}
