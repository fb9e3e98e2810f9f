/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stats_rows.c - the rows of `stats` (engine/trace/columns.h), as a table and as JSON.
 * Tests: tests/unit/shell/check_read.c */
#include <string.h>

#include "cmds/cmd.h"
#include "cmds/trace/stats.h"
#include "engine/base/json.h"
#include "engine/trace/columns.h"
#include "shell/out.h"
#include "shell/sess.h"

/* Without a column for functions, adds the name of a pause to the narrowest column of `by`:
 * library, thread or process. */
static void rows_name_pause(struct ez_sess *s, struct ez_stat_row *r, unsigned by)
{
    if (!r->pause || by & EZ_BY_FUNCTION)
        return;
    if (by & EZ_BY_LIBRARY)
        r->library = r->pause;
    else if (by & EZ_BY_THREAD)
        r->thread = sess_format(s, "%s %s", r->thread, r->pause);
    else
        r->process = sess_format(s, "%s %s", r->process, r->pause);
}

const char *stats_heading(struct ez_sess *s, const char *kind)
{
    return sess_format(s, "%c%s", *kind >= 'a' && *kind <= 'z' ? *kind - 'a' + 'A' : *kind,
                       *kind ? kind + 1 : "");
}

size_t stats_rows(const struct stats_plan *p, const struct ez_stats *st)
{
    return p->top ? (size_t)EZ_MIN(p->top, st->n) : st->n;
}

/* ---- the table --------------------------------------------------------------------------- */

/* Selects, from left to right, the columns that have a value in some row. Returns their number. The
 * column whose heading is empty is for -of. */
static size_t rows_columns(const struct stats_plan *p, const struct ez_stats *st,
                           const struct ez_column **of)
{
    const struct ez_column *c;
    size_t n = 0;
    for (size_t i = 0; (c = ez_column_in_table(i)); i++)
        if ((*c->heading || p->of) && ez_column_shown(c, p->by, st->row, stats_rows(p, st)))
            of[n++] = c;
    return n;
}

static const char *rows_heading(struct ez_sess *s, const struct stats_plan *p,
                                const struct ez_column *c)
{
    const char *mark = !c->place ? ">" : c->shortened ? "~" : "";
    return sess_format(s, "%s%s", mark, *c->heading ? c->heading : stats_heading(s, p->of));
}

static const char *rows_text(struct ez_sess *s, const struct stats_plan *p,
                             const struct ez_column *c, const struct ez_stat_row *r)
{
    const char *text = ez_column_text(c, r);
    const char *beside = p->processes ? ez_column_beside(c, r) : "";
    return text && *beside ? sess_format(s, "%s (%s)", text, beside) : text ? text : "";
}

static const char *rows_cell(struct ez_sess *s, const struct stats_plan *p,
                             const struct ez_column *c, const struct ez_stat_row *r, uint64_t run)
{
    if (c->kind == EZ_COLUMN_TEXT)
        return rows_text(s, p, c, r);
    uint64_t n = ez_column_number(c, r);
    if (!ez_column_has(c, r) || (c->kind == EZ_COLUMN_SHARE && !run))
        return "-";
    if (c->kind == EZ_COLUMN_SHARE)
        return sess_format(s, "%.1f", 100 * (double)n / (double)run);
    return c->kind == EZ_COLUMN_TIME ? out_time(s, n) : out_count(s, n);
}

void stats_print_rows(struct ez_sess *s, const struct stats_plan *p, const struct ez_stats *st,
                      unsigned most)
{
    struct out_table t;
    EZ_FREE const struct ez_column **of = ez_alloc(ez_ncolumns * sizeof(void *));
    size_t n = rows_columns(p, st, of);
    out_table_init(&t, s, NULL);
    t.most = most;
    t.wide = p->wide;
    t.leaves_out = !p->wide;
    for (size_t k = 0; k < n; k++)
        out_table_column(&t, rows_heading(s, p, of[k]));
    for (size_t i = 0; i < stats_rows(p, st); i++) {
        struct ez_stat_row r = st->row[i];
        rows_name_pause(s, &r, p->by);
        for (size_t k = 0; k < n; k++)
            out_cell(&t, rows_cell(s, p, of[k], &r, st->run_ns));
    }
    out_table_print(&t);
}

/* ---- JSON -------------------------------------------------------------------------------- */

void stats_json_rows_begin(struct ez_json *j, const char *key)
{
    ez_json_next_line(j, 2);
    ez_json_begin(j, key, '[');
}

void stats_json_rows_end(struct ez_json *j)
{
    ez_json_next_line(j, 2);
    ez_json_end(j, ']');
}

void stats_json_row(struct ez_json *j)
{
    ez_json_next_line(j, 4);
    ez_json_begin(j, NULL, '{');
}

static void rows_json_value(struct ez_json *j, const struct ez_column *c,
                            const struct ez_stat_row *r)
{
    uint64_t n = c->kind == EZ_COLUMN_TEXT ? 0 : ez_column_number(c, r);
    if (c->kind == EZ_COLUMN_TEXT)
        ez_json_add_text(j, c->json, ez_column_text(c, r));
    else if (c->kind == EZ_COLUMN_FLAG)
        ez_json_add_bool(j, c->json, n);
    else if (c->kind == EZ_COLUMN_RANK && n == EZ_NO_RANK)
        ez_json_add_text(j, c->json, NULL);
    else
        ez_json_add_uint(j, c->json, n);
}

void stats_json_rows(struct ez_sess *s, struct ez_json *j, const struct stats_plan *p,
                     const struct ez_stats *st)
{
    size_t n = stats_rows(p, st);
    stats_json_rows_begin(j, "rows");
    for (size_t i = 0; i < n; i++) {
        struct ez_stat_row r = st->row[i];
        size_t kept = s->kept.n;
        rows_name_pause(s, &r, p->by);
        stats_json_row(j);
        for (size_t k = 0; k < ez_ncolumns; k++)
            if (ez_columns[k].json)
                rows_json_value(j, &ez_columns[k], &r);
        ez_json_end(j, '}');
        sess_forget(s, kept);
    }
    stats_json_rows_end(j);
}

/* ---- the help ---------------------------------------------------------------------------- */

char *list_columns(void)
{
    char *list = ez_strdup("Columns, and what -json calls them:\n");
    for (size_t i = 0; i < ez_ncolumns; i++) {
        const struct ez_column *c = &ez_columns[i];
        const char *heading = c->heading ? c->heading : "", *json = c->json ? c->json : "";
        if (!c->json && !c->meaning)
            continue;
        EZ_FREE char *before = list;
        list = c->meaning ? ez_sprintf("%s  %-8s  %-8s  %s\n", before, heading, json, c->meaning)
                          : ez_sprintf("%s  %-8s  %s\n", before, heading, json);
    }
    return list;
}
