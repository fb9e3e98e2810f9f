/* SPDX-License-Identifier: GPL-3.0-or-later */
/* top_draw.c - the table of `top`: as lines, as JSON, and on the screen.
 * Tests: tests/trace/screen.sh */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cmds/trace/top.h"
#include "engine/base/json.h"
#include "engine/base/strutil.h"
#include "shell/out.h"
#include "shell/screen.h"
#include "shell/sess.h"
#include "shell/width.h"

enum { NAME_LEAST = 16, NUMBER = 10, WHO = 14, HEAD_LINES = 3 };

/* ---- cells ---------------------------------------------------------------------------- */

static const char *top_rate(struct ez_sess *s, double rate)
{
    if (rate >= 1e6)
        return sess_format(s, "%.2fM", rate / 1e6);
    if (rate >= 1e5)
        return sess_format(s, "%.0fk", rate / 1e3);
    return sess_format(s, rate > 0 && rate < 10 ? "%.1f" : "%.0f", rate);
}

static uint64_t top_mean(const struct ez_interval_row *r)
{
    return r->whole ? r->whole_ns / r->whole : 0;
}

static const char *top_time(struct ez_sess *s, const struct ez_interval_row *r, uint64_t ns)
{
    return r->whole || ns ? out_time(s, ns) : "-";
}

/* Columns of numbers, from the most to the least important. */
static const struct top_column {
    const char *head;
    enum ez_interval_sort sort;
} top_columns[] = {
    { "Calls/s", EZ_INTERVAL_RATE }, { "Self", EZ_INTERVAL_SELF }, { "Total", EZ_INTERVAL_TOTAL },
    { "Max", EZ_INTERVAL_MAX },      { "Mean", EZ_INTERVAL_MEAN }, { "Calls", EZ_INTERVAL_CALLS },
};

static const char *top_number(struct ez_sess *s, const struct ez_interval_row *r,
                              enum ez_interval_sort column)
{
    switch (column) {
    case EZ_INTERVAL_RATE:
        return top_rate(s, r->per_second);
    case EZ_INTERVAL_SELF:
        return top_time(s, r, r->self_ns);
    case EZ_INTERVAL_TOTAL:
        return top_time(s, r, r->total_ns);
    case EZ_INTERVAL_MAX:
        return top_time(s, r, r->max_ns);
    case EZ_INTERVAL_MEAN:
        return top_time(s, r, top_mean(r));
    default:
        return r->calls >= 1000000 ? top_rate(s, (double)r->calls) : out_count(s, r->calls);
    }
}

/* ---- printed tables ------------------------------------------------------------------- */

/* Returns the calls in each slice as a JSON array. */
static const char *top_history(struct top *t, const struct ez_interval_row *r)
{
    struct ez_json j = { .text = NULL };
    ez_json_begin(&j, NULL, '[');
    for (unsigned i = 0; i < t->table->slices; i++)
        ez_json_add_uint(&j, NULL, r->slice[i]);
    ez_json_end(&j, ']');
    return sess_keep(t->s, j.text);
}

static void top_row(struct out_table *out, struct top *t, const struct ez_interval_row *r)
{
    struct ez_sess *s = t->s;
    const char *slowest = r->slowest ? r->slowest : "";
    if (out->json)
        out_row(out, r->function, r->library, r->who, out_number(s, r->per_second),
                out_cell_count(s, r->calls), out_cell_count(s, r->total_ns),
                out_cell_count(s, r->self_ns), r->whole ? out_cell_count(s, top_mean(r)) : "",
                r->whole ? out_cell_count(s, r->max_ns) : "", slowest, top_history(t, r), NULL);
    else
        out_row(out, r->function, "", r->who, top_number(s, r, EZ_INTERVAL_RATE),
                out_count(s, r->calls), top_number(s, r, EZ_INTERVAL_TOTAL),
                top_number(s, r, EZ_INTERVAL_SELF), top_number(s, r, EZ_INTERVAL_MEAN),
                top_number(s, r, EZ_INTERVAL_MAX), slowest, "", NULL);
}

void top_print(struct top *t)
{
    struct ez_sess *s = t->s;
    struct out_table out;
    size_t n = t->most ? (size_t)EZ_MIN(t->most, t->table->n) : t->table->n;
    bool values = false;
    for (size_t i = 0; i < n; i++)
        values |= t->table->row[i].slowest != NULL;
    const char *who = t->by == EZ_INTERVAL_THREAD    ? "Thread"
                      : t->by == EZ_INTERVAL_PROCESS ? "Process"
                                                     : "";
    out_table_init(&out, s, "~Function", "", who, ">Calls/s", ">Calls", ">Total", ">Self", ">Mean",
                   ">Max", values ? "~Slowest" : "", "", NULL);
    out_table_keys(&out, "top",
                   "function library who per_second# calls# total_ns# self_ns# mean_ns# max_ns# "
                   "slowest history!");
    out_fact(&out, "period_ns#", out_cell_count(s, t->every_ns));
    out_fact(&out, "events#", out_cell_count(s, t->events));
    out_fact(&out, "lost#", out_cell_count(s, t->lost));
    for (size_t i = 0; i < n; i++)
        top_row(&out, t, &t->table->row[i]);
    out_table_end(&out, "No calls yet.");
    if (out_json_requested(s))
        return;
    out_line(s, "%s event%s, %s thread%s, %s event%s lost.", out_count(s, t->events),
             ez_plural(t->events), out_count(s, t->threads), ez_plural(t->threads),
             out_count(s, t->lost), ez_plural(t->lost));
}

/* ---- the screen ----------------------------------------------------------------------- */

/* Appends a cell and a blank; right: aligned to the right. */
static void top_cell(char **line, const char *text, unsigned columns, bool right)
{
    EZ_FREE char *safe = ez_str_escape(text), *fit = width_shorten(safe, EZ_MAX(columns, 3u));
    EZ_FREE char *before = *line;
    int pad = (int)columns - (int)EZ_MIN(width_of(fit), (size_t)columns);
    *line = right ? ez_sprintf("%s%*s%s ", before, pad, "", fit)
                  : ez_sprintf("%s%s%*s ", before, fit, pad, "");
}

/* Returns the last slices of a row as a line of bars, which are scaled to the row's maximum. */
static char *top_bars(const struct top *t, const struct ez_interval_row *r, unsigned columns)
{
    static const char *const unicode[] = { " ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
    static const char *const ascii[] = { " ", ".", ":", "-", "=", "+", "*", "#", "@" };
    const char *const *bar = screen_unicode() ? unicode : ascii;
    unsigned n = EZ_MIN(columns, t->table->slices);
    uint32_t most = 1;
    char *text = ez_alloc(n * 4 + 1), *o = text;
    for (unsigned i = t->table->slices - n; i < t->table->slices; i++)
        most = EZ_MAX(most, r->slice[i]);
    for (unsigned i = t->table->slices - n; i < t->table->slices; i++)
        o = stpcpy(o, bar[((uint64_t)r->slice[i] * 8 + most - 1) / most]);
    *o = 0;
    return text;
}

struct top_layout {
    /* widths in terminal columns; numbers: number of columns with numbers */
    unsigned name, who, numbers, bars;
};

static struct top_layout top_layout(const struct top *t)
{
    struct top_layout l = { .who = t->by == EZ_INTERVAL_FUNCTION ? 0 : WHO };
    unsigned columns, lines, used = l.who ? l.who + 1 : 0;
    screen_size(&columns, &lines);
    unsigned rest = columns > used + NAME_LEAST ? columns - used - NAME_LEAST - 1 : 0;
    l.numbers = EZ_MIN(rest / (NUMBER + 1), EZ_ARRAY_LEN(top_columns));
    rest -= l.numbers * (NUMBER + 1);
    l.bars = EZ_MIN(rest > 4 ? rest - 1 : 0, (unsigned)TOP_SLICES);
    /* The column with the history of rates is more useful than a fourth column of numbers. */
    if (!l.bars && l.numbers > 3) {
        l.numbers--;
        l.bars = NUMBER;
    }
    used += l.numbers * (NUMBER + 1) + (l.bars ? l.bars + 1 : 0);
    l.name = columns > used + NAME_LEAST ? columns - used - 1 : NAME_LEAST;
    return l;
}

unsigned top_lines(void)
{
    unsigned columns, lines;
    screen_size(&columns, &lines);
    return lines > HEAD_LINES + 1 ? lines - HEAD_LINES - 1 : 0;
}

static const char *top_state(const struct top *t)
{
    if (!t->of_target)
        return top_whole(t) ? "ended" : "growing";
    switch (ez_target_state(t->s->target)) {
    case EZ_NONE:
    case EZ_CORE:
        return "ended";
    case EZ_STOPPED:
        return "stopped";
    default:
        return "running";
    }
}

static void top_draw_head(struct top *t)
{
    struct ez_sess *s = t->s;
    const char *lost = t->lost ? sess_format(s, ", %s events lost", out_count(s, t->lost)) : "";
    EZ_FREE char *file = ez_str_escape(ez_base_name(t->file.at[0]));
    EZ_FREE char *filter = t->filter ? ez_str_escape(t->filter) : NULL;
    const char *more = t->n > 1 ? sess_format(s, " and %zu more", t->n - 1) : "";
    screen_line(0,
                sess_format(s, "%s%s: %s, %s thread%s, %s event%s%s%s", file, more, top_state(t),
                            out_count(s, t->threads), ez_plural(t->threads),
                            out_count(s, t->events), ez_plural(t->events), lost,
                            t->behind ? ", reading" : ""),
                SCREEN_BOLD);
    screen_line(1,
                sess_format(s, "Every %s%s%s%s   ?: keys   q: quit", out_time(s, t->every_ns),
                            filter ? ", only /" : "", filter ? filter : "", filter ? "/" : ""),
                SCREEN_PLAIN);
}

static void top_draw_columns(struct top *t, const struct top_layout *l)
{
    EZ_FREE char *line = ez_strdup("");
    top_cell(&line, t->sort == EZ_INTERVAL_NAME ? "Function*" : "Function", l->name, false);
    if (l->who)
        top_cell(&line, t->by == EZ_INTERVAL_THREAD ? "Thread" : "Process", l->who, false);
    for (unsigned i = 0; i < l->numbers; i++) {
        const char *mark = top_columns[i].sort == t->sort ? "*" : "";
        top_cell(&line, sess_format(t->s, "%s%s", top_columns[i].head, mark), NUMBER, true);
    }
    if (l->bars)
        top_cell(&line, "History", l->bars, false);
    screen_line(HEAD_LINES - 1, line, SCREEN_HEAD);
}

static void top_draw_row(struct top *t, const struct top_layout *l, size_t i, unsigned at)
{
    const struct ez_interval_row *r = &t->table->row[i];
    EZ_FREE char *line = ez_strdup("");
    top_cell(&line, r->function, l->name, false);
    if (l->who)
        top_cell(&line, r->who, l->who, false);
    for (unsigned k = 0; k < l->numbers; k++)
        top_cell(&line, top_number(t->s, r, top_columns[k].sort), NUMBER, true);
    EZ_FREE char *bars = top_bars(t, r, l->bars), *whole = ez_sprintf("%s%s", line, bars);
    screen_line(at, whole, i == t->selected ? SCREEN_SELECTED : SCREEN_PLAIN);
}

/* Draws the last line: the filter that is being typed, a note, or the longest call of the selected
 * row. */
static void top_draw_foot(struct top *t)
{
    struct ez_sess *s = t->s;
    unsigned at = HEAD_LINES + top_lines();
    const struct ez_interval_row *r =
        t->selected < t->table->n ? &t->table->row[t->selected] : NULL;
    const char *text = "";
    if (t->typing)
        text = sess_format(s, "Functions that match (Enter, Esc): /%s_", t->typed);
    else if (t->note)
        text = t->note;
    else if (r && r->whole)
        text =
            sess_format(s, "Longest: %s(%s) %s, in %s", r->function, r->slowest ? r->slowest : "",
                        out_time(s, r->max_ns), *r->library ? r->library : "?");
    EZ_FREE char *safe = ez_str_ours(text);
    screen_line(at, safe, SCREEN_PLAIN);
}

static const char *const top_keys[] = {
    "Keys of top",
    "",
    "q           quit",
    "< >  s      sort by the column before, or after",
    "R C P T     sort by rate, calls, self time, total time",
    "A M N       sort by mean, maximum, name",
    "t  r        a row for each thread; for each rank or process; again: for each function",
    "/           show the functions that match a regular expression; empty: all",
    "z           begin the sums anew",
    "arrows      select a row; PageUp, PageDown, Home, End",
    "",
    "The last line shows the longest call of the selected row, and its collected values.",
    "Press any key.",
    NULL,
};

void top_draw(struct top *t)
{
    size_t kept = t->s->kept.n;
    screen_erase();
    for (unsigned i = 0; t->help && top_keys[i]; i++)
        screen_line(i, top_keys[i], i ? SCREEN_PLAIN : SCREEN_BOLD);
    if (!t->help) {
        struct top_layout l = top_layout(t);
        top_draw_head(t);
        top_draw_columns(t, &l);
        for (unsigned i = 0; i < top_lines() && t->first + i < t->table->n; i++)
            top_draw_row(t, &l, t->first + i, HEAD_LINES + i);
        top_draw_foot(t);
    }
    sess_forget(t->s, kept);
}
