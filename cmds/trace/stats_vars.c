/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stats_vars.c - tables of `stats` for variables, also by the subjects of -of, and for the hardware
 * counters that modules sampled.
 * Tests: tests/unit/shell/check_read.c */
#include <string.h>

#include "cmds/trace/stats.h"
#include "engine/base/json.h"
#include "shell/out.h"
#include "shell/sess.h"

/* Returns the growth per second of the states in which the variable grew. */
static const char *vars_rate(struct ez_sess *s, const struct ez_var_row *r)
{
    return r->state_ns && r->adds ? sess_format(s, "%.4g", r->added / ((double)r->state_ns / 1e9))
                                  : "-";
}

static const char *vars_where(struct ez_sess *s, const struct ez_var_row *r, bool processes)
{
    return processes && *r->process ? sess_format(s, "%s (%s)", r->where, r->process) : r->where;
}

/* Returns true if row i is after the first `top` rows of its variable. */
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
    t.leaves_out = !p->wide;
    for (size_t i = 0; i < v->n; i++) {
        const struct ez_var_row *r = &v->row[i];
        if (!vars_beyond(v, i, p->top))
            out_row(&t, r->variable, r->where, r->module, out_count(s, r->sets + r->adds + r->subs),
                    out_number(s, r->min), out_number(s, r->max), out_number(s, r->last), NULL);
    }
    out_table_print(&t);
}

struct columns { /* true = the column has a value in some row, so it is printed */
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
    t.leaves_out = !p->wide;
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

void stats_json_vars(struct ez_json *j, const struct ez_vars *v)
{
    stats_json_rows_begin(j, "variables");
    for (size_t i = 0; i < v->n; i++) {
        const struct ez_var_row *r = &v->row[i];
        stats_json_row(j);
        ez_json_add_text(j, "variable", r->variable);
        ez_json_add_text(j, "module", r->module);
        ez_json_add_text(j, "of", r->where);
        ez_json_add_text(j, "only_in", r->process);
        ez_json_add_uint(j, "sets", r->sets);
        ez_json_add_uint(j, "adds", r->adds);
        ez_json_add_uint(j, "subs", r->subs);
        ez_json_add_real(j, "added", r->added);
        ez_json_add_real(j, "taken", r->taken);
        ez_json_add_real(j, "min", r->min);
        ez_json_add_real(j, "max", r->max);
        ez_json_add_real(j, "last", r->last);
        ez_json_add_real(j, "mean", r->mean);
        ez_json_add_text(j, "state", r->state);
        ez_json_add_uint(j, "state_ns", r->state_ns);
        ez_json_end(j, '}');
    }
    stats_json_rows_end(j);
}

/* ---- counters -------------------------------------------------------------------------------- */

/* Formats a sample; task-clock is in nanoseconds. */
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

void stats_json_samples(struct ez_json *j, const struct ez_samples *c)
{
    stats_json_rows_begin(j, "counters");
    for (size_t i = 0; i < c->n; i++) {
        const struct ez_sample_row *r = &c->row[i];
        stats_json_row(j);
        ez_json_add_text(j, "function", r->function);
        ez_json_add_text(j, "module", r->module);
        ez_json_add_text(j, "counter", r->counter);
        ez_json_add_uint(j, "calls", r->calls);
        ez_json_add_uint(j, "total", r->total);
        ez_json_add_uint(j, "min", r->min);
        ez_json_add_uint(j, "max", r->max);
        ez_json_end(j, '}');
    }
    stats_json_rows_end(j);
}
