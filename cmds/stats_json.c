/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stats_json.c - `stats -json`. */
#include "cmds/stats.h"
#include "shell/out.h"
#include "shell/sess.h"

static void json_edges(struct ez_sess *s, const struct ez_stats *st)
{
    out_ours(s, "  \"edges\": [");
    for (size_t i = 0; i < st->nedge; i++) {
        const struct ez_stat_edge *e = &st->edge[i];
        const char *caller =
            e->caller == EZ_NONE_IDX ? "null" : out_json(s, st->row[e->caller].function);
        out_ours(s, "    {\"caller\": %s, \"callee\": %s, \"calls\": %llu, \"total_ns\": %llu}%s",
                 caller, out_json(s, st->row[e->callee].function), (unsigned long long)e->calls,
                 (unsigned long long)e->total_ns, i + 1 < st->nedge ? "," : "");
    }
    out_ours(s, "  ],");
}

static void json_throttled(struct ez_sess *s, const struct ez_throttled_rows *r)
{
    out_ours(s, "  \"throttled\": [");
    for (size_t i = 0; i < r->row.n; i++)
        out_ours(s, "    {\"function\": %s, \"library\": %s, \"ns\": %llu, \"times\": %llu}%s",
                 out_json(s, r->row.at[i].function), out_json(s, r->row.at[i].library),
                 (unsigned long long)r->row.at[i].ns, (unsigned long long)r->row.at[i].times,
                 i + 1 < r->row.n ? "," : "");
    out_ours(s, "  ],");
}

void stats_json(struct ez_sess *s, const struct stats_plan *p, const struct ez_trace_sum *t,
                const struct stats_tables *all)
{
    const struct ez_stats *st = all->st;
    const struct ez_model_count *c = &t->count;
    out_ours(s, "{");
    out_ours(s, "  \"schema\": \"eztsh-stats-1\",");
    out_ours(s, "  \"events\": %llu, \"span_ns\": %llu, \"threads\": %llu, \"run_ns\": %llu,",
             (unsigned long long)t->events, (unsigned long long)t->span_ns,
             (unsigned long long)st->threads, (unsigned long long)st->run_ns);
    out_ours(s,
             "  \"open_entries\": %llu, \"lone_exits\": %llu, \"unpaired_links\": %llu, "
             "\"late\": %llu, \"unwound\": %llu,",
             (unsigned long long)c->open_entries, (unsigned long long)c->lone_exits,
             (unsigned long long)c->unpaired_links, (unsigned long long)t->late,
             (unsigned long long)c->unwound);
    out_ours(s,
             "  \"lost\": {\"events\": %llu, \"gaps\": %llu, \"threads\": %llu, \"ns\": %llu, "
             "\"calls_cut\": %llu},",
             (unsigned long long)c->lost, (unsigned long long)c->gaps,
             (unsigned long long)c->gap_threads, (unsigned long long)c->gap_ns,
             (unsigned long long)c->gap_calls);
    if (t->has_ledger)
        out_ours(
            s,
            "  \"ledger\": {\"hits\": %llu, \"recorded\": %llu, \"filtered\": %llu, "
            "\"untraced\": %llu, \"dropped\": %llu, \"unhooked\": %llu, \"torn\": %llu, "
            "\"unwound\": %llu, \"waits\": %llu, \"waited_ns\": %llu, \"switches_lost\": %llu, "
            "\"overwritten\": %llu},",
            (unsigned long long)t->hits, (unsigned long long)t->recorded,
            (unsigned long long)t->filtered, (unsigned long long)t->untraced,
            (unsigned long long)t->dropped, (unsigned long long)t->unhooked,
            (unsigned long long)t->torn, (unsigned long long)t->unwound,
            (unsigned long long)t->waits, (unsigned long long)t->waited_ns,
            (unsigned long long)t->switches_lost, (unsigned long long)t->overwritten);
    json_throttled(s, &t->throttled);
    out_ours(s, "  \"damage\": %s,", t->damage ? out_json(s, t->damage) : "null");
    if (p->graph)
        json_edges(s, st);
    stats_json_vars(s, all->v);
    stats_json_samples(s, all->c);
    stats_json_values(s, all->values);
    stats_json_adds(s, all->adds);
    stats_json_rows(s, p, st);
    out_ours(s, "}");
}
