/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stats_vars.c - the variables in `stats`: what became of them, and with -of what they were about;
 * and the counters that modules sampled. */
#include <string.h>

#include "cmds/stats.h"
#include "shell/out.h"
#include "shell/sess.h"

/* Growth a second of the states in which it grew. */
static const char *vars_rate(struct ez_sess *s, const struct ez_var_row *r)
{
    return r->state_ns && r->adds ? sess_format(s, "%.4g", r->added / ((double)r->state_ns / 1e9))
                                  : "-";
}

static const char *vars_where(struct ez_sess *s, const struct ez_var_row *r, bool processes)
{
    return processes && *r->process ? sess_format(s, "%s (%s)", r->where, r->process) : r->where;
}

/* Does row i come behind `top` others of its variable? */
static bool vars_beyond(const struct ez_vars *v, size_t i, uint64_t top)
{
    return top && i >= top && !strcmp(v->row[i - top].variable, v->row[i].variable) &&
           !strcmp(v->row[i - top].module, v->row[i].module);
}

static void vars_print_containers(struct ez_sess *s, const struct stats_plan *p,
                                  const struct ez_vars *v)
{
    struct out_table t;
    out_table_init(&t, s, "~Variable", "~Of", "~Module", ">Changes", ">Min", ">Max", ">Last", NULL);
    t.wide = p->wide;
    for (size_t i = 0; i < v->n; i++) {
        const struct ez_var_row *r = &v->row[i];
        if (!vars_beyond(v, i, p->top))
            out_row(&t, r->variable, r->where, r->module, out_count(s, r->sets + r->adds + r->subs),
                    out_number(s, r->min), out_number(s, r->max), out_number(s, r->last), NULL);
    }
    out_table_print(&t);
}

struct columns { /* shown only if some row has a value for the column */
    bool grew, left, set;
};

static void vars_print_subjects(struct ez_sess *s, const struct stats_plan *p,
                                const struct ez_vars *v)
{
    struct out_table t;
    struct columns c = { false, false, false };
    for (size_t i = 0; i < v->n; i++) {
        c.grew |= v->row[i].adds != 0;
        c.left |= v->row[i].subs != 0;
        c.set |= v->row[i].sets != 0;
    }
    out_table_init(&t, s, "~Variable", sess_format(s, "~%s", stats_heading(s, p->of)),
                   c.grew ? ">Times" : "", c.grew ? ">Sum" : "", c.grew ? ">Per second" : "",
                   c.left ? ">Left" : "", c.left ? ">Sum left" : "", c.set ? ">Set" : "",
                   c.set ? ">Mean" : "", c.set ? ">Min" : "", c.set ? ">Max" : "", NULL);
    t.wide = p->wide;
    for (size_t i = 0; i < v->n; i++) {
        const struct ez_var_row *r = &v->row[i];
        if (vars_beyond(v, i, p->top))
            continue;
        out_row(&t, r->variable, vars_where(s, r, p->processes),
                c.grew ? out_count(s, r->adds) : "", c.grew ? out_number(s, r->added) : "",
                c.grew ? vars_rate(s, r) : "",
                c.left ? sess_format(s, "%lld", (long long)(r->adds - r->subs)) : "",
                c.left ? out_number(s, r->added - r->taken) : "",
                c.set ? out_count(s, r->sets) : "", c.set ? out_number(s, r->mean) : "",
                c.set ? out_number(s, r->min) : "", c.set ? out_number(s, r->max) : "", NULL);
    }
    out_table_print(&t);
}

void stats_print_vars(struct ez_sess *s, const struct stats_plan *p, const struct ez_vars *v)
{
    if (!v->n)
        return;
    if (p->of)
        vars_print_subjects(s, p, v);
    else
        vars_print_containers(s, p, v);
}

void stats_json_vars(struct ez_sess *s, const struct ez_vars *v)
{
    out_ours(s, "  \"variables\": [");
    for (size_t i = 0; i < v->n; i++) {
        const struct ez_var_row *r = &v->row[i];
        out_ours(s,
                 "    {\"variable\": %s, \"module\": %s, \"of\": %s, \"only_in\": %s, "
                 "\"sets\": %llu, \"adds\": %llu, \"subs\": %llu, \"added\": %.17g, "
                 "\"taken\": %.17g, \"min\": %.17g, \"max\": %.17g, \"last\": %.17g, "
                 "\"mean\": %.17g, \"state\": %s, \"state_ns\": %llu}%s",
                 out_json(s, r->variable), out_json(s, r->module), out_json(s, r->where),
                 out_json(s, r->process), (unsigned long long)r->sets, (unsigned long long)r->adds,
                 (unsigned long long)r->subs, r->added, r->taken, r->min, r->max, r->last, r->mean,
                 r->state ? out_json(s, r->state) : "null", (unsigned long long)r->state_ns,
                 i + 1 < v->n ? "," : "");
    }
    out_ours(s, "  ],");
}

/* ---- counters -------------------------------------------------------------------------------- */

/* task-clock is nanoseconds. */
static const char *sample_cell(struct ez_sess *s, const struct ez_sample_row *r, uint64_t v)
{
    return strstr(r->counter, "clock") ? out_time(s, v) : out_count(s, v);
}

void stats_print_samples(struct ez_sess *s, const struct ez_samples *c)
{
    struct out_table t;
    if (!c->n)
        return;
    out_table_init(&t, s, "~Function", "~Counter", ">Calls", ">Total", ">Mean", ">Min", ">Max",
                   NULL);
    for (size_t i = 0; i < c->n; i++) {
        const struct ez_sample_row *r = &c->row[i];
        double mean = r->calls ? (double)r->total / (double)r->calls : 0;
        out_row(&t, r->function, r->counter, out_count(s, r->calls), sample_cell(s, r, r->total),
                strstr(r->counter, "clock") ? out_time(s, (uint64_t)mean)
                                            : sess_format(s, "%.15g", mean),
                sample_cell(s, r, r->min), sample_cell(s, r, r->max), NULL);
    }
    out_table_print(&t);
}

void stats_json_samples(struct ez_sess *s, const struct ez_samples *c)
{
    out_ours(s, "  \"counters\": [");
    for (size_t i = 0; i < c->n; i++) {
        const struct ez_sample_row *r = &c->row[i];
        out_ours(s,
                 "    {\"function\": %s, \"module\": %s, \"counter\": %s, \"calls\": %llu, "
                 "\"total\": %llu, \"min\": %llu, \"max\": %llu}%s",
                 out_json(s, r->function), out_json(s, r->module), out_json(s, r->counter),
                 (unsigned long long)r->calls, (unsigned long long)r->total,
                 (unsigned long long)r->min, (unsigned long long)r->max, i + 1 < c->n ? "," : "");
    }
    out_ours(s, "  ],");
}
