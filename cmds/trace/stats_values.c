/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stats_values.c - tables of `stats` for values that probes collected, and for aggregates.
 * Tests: tests/unit/shell/check_read.c, tests/procs/values.sh */
#include <string.h>

#include "cmds/probe/aggregate.h"
#include "cmds/trace/stats.h"
#include "engine/base/json.h"
#include "shell/out.h"
#include "shell/sess.h"

void stats_print_values(struct ez_sess *s, const struct stats_plan *p, const struct ez_values *v)
{
    struct out_table t;
    bool any = false, other = false;
    for (size_t i = 0; i < v->n; i++) {
        any |= v->row[i].count != 0;
        other |= v->row[i].count && v->row[i].other;
    }
    if (!any)
        return;
    out_table_init(&t, s, "~Function", "~Item", "~At", ">Values", other ? ">Not read" : "", ">Mean",
                   ">Min", ">Max", ">Sum", NULL);
    t.wide = p->wide;
    t.leaves_out = !p->wide;
    for (size_t i = 0; i < v->n; i++) {
        const struct ez_value_row *r = &v->row[i];
        if (r->count)
            out_row(&t, r->function, r->item, r->at_exit ? "exit" : "entry", out_count(s, r->count),
                    other ? out_count(s, r->other) : "", out_number(s, r->sum / (double)r->count),
                    out_number(s, r->min), out_number(s, r->max), out_number(s, r->sum), NULL);
    }
    out_table_print(&t);
}

static void values_json_row(struct ez_json *j, const struct ez_value_row *r)
{
    stats_json_row(j);
    ez_json_add_text(j, "function", r->function);
    ez_json_add_text(j, "library", r->library);
    ez_json_add_text(j, "item", r->item);
    ez_json_add_text(j, "at", r->at_exit ? "exit" : "entry");
    ez_json_add_uint(j, "count", r->count);
    ez_json_add_uint(j, "other", r->other);
    if (r->count) {
        ez_json_add_real(j, "mean", r->sum / (double)r->count);
        ez_json_add_real(j, "min", r->min);
        ez_json_add_real(j, "max", r->max);
        ez_json_add_real(j, "sum", r->sum);
    }
    ez_json_end(j, '}');
}

void stats_json_values(struct ez_json *j, const struct ez_values *v)
{
    stats_json_rows_begin(j, "values");
    for (size_t i = 0; i < v->n; i++)
        values_json_row(j, &v->row[i]);
    stats_json_rows_end(j);
}

void stats_print_adds(struct ez_sess *s, const struct ez_adds_all *all)
{
    for (size_t i = 0; i < all->of.n; i++)
        aggregates_print(&all->of.at[i].is, s);
}

void stats_json_adds(struct ez_json *j, const struct ez_adds_all *all)
{
    stats_json_rows_begin(j, "aggregates");
    for (size_t i = 0; i < all->of.n; i++)
        aggregates_json(&all->of.at[i].is, j);
    stats_json_rows_end(j);
}

const char *stats_items(struct ez_sess *s, const struct ez_values *v)
{
    const char *list = "";
    for (size_t i = 0; i < v->n; i++) {
        size_t k = 0;
        while (strcmp(v->row[k].item, v->row[i].item))
            k++;
        if (k == i)
            list = sess_format(s, "%s%s%s", list, *list ? ", " : "", v->row[i].item);
    }
    return list;
}
