/* SPDX-License-Identifier: GPL-3.0-or-later */
/* conv_html_data.c - the data of `report` as JSON: see conv_html.h. */
#include <math.h>
#include <string.h>
#include <time.h>

#include "engine/format/conv_html.h"

/* ---- the data --------------------------------------------------------------------------- */

static void html_number(struct ez_html *h, const char *before, uint64_t v)
{
    ez_outfile_puts(h->f, before);
    ez_outfile_u64(h->f, v);
}

static void html_text(struct ez_html *h, const char *before, const char *s)
{
    ez_outfile_puts(h->f, before);
    ez_outfile_json(h->f, s);
}

static void html_put_head(struct ez_html *h)
{
    const struct ez_trace_sum *s = h->m->sum;
    char when[64] = "";
    time_t t = (time_t)(h->m->start_real_ns / 1000000000);
    struct tm tm;
    if (t && localtime_r(&t, &tm))
        strftime(when, sizeof when, "%Y-%m-%d %H:%M:%S", &tm);
    html_text(h, "{\"title\":", h->m->container.at[0].name);
    html_text(h, ",\"start\":", when);
    html_number(h, ",\"events\":", s ? s->events : 0);
    html_number(h, ",\"span\":", s ? s->span_ns : 0);
    html_number(h, ",\"from\":", h->from_ns);
    html_number(h, ",\"to\":", h->to_ns - 1);
    html_number(h, ",\"all_threads\":", h->stats->threads);
    html_number(h, ",\"all_calls\":", h->calls);
}

static void html_note(struct ez_html *h, bool *first, const char *fmt, uint64_t n)
{
    if (!n)
        return;
    EZ_FREE char *line = ez_sprintf("%llu %s", (unsigned long long)n, fmt);
    html_text(h, *first ? "" : ",", line);
    *first = false;
}

static void html_put_lost(struct ez_html *h, bool *first)
{
    const struct ez_model_count *c = &h->m->count;
    if (!c->gaps)
        return;
    EZ_FREE char *line = ez_sprintf("%llu events of %llu threads are lost, in %llu gaps: see "
                                    "[events lost]; %llu calls open there are known in part",
                                    (unsigned long long)c->lost, (unsigned long long)c->gap_threads,
                                    (unsigned long long)c->gaps, (unsigned long long)c->gap_calls);
    html_text(h, *first ? "" : ",", line);
    *first = false;
}

/* Writes the notes that a reader needs to judge the picture. */
static void html_put_notes(struct ez_html *h)
{
    const struct ez_trace_sum *s = h->m->sum;
    bool first = true;
    ez_outfile_puts(h->f, ",\"notes\":[");
    html_put_lost(h, &first);
    html_note(h, &first, "calls were left by an exception or a jump", h->m->count.unwound);
    html_note(h, &first, "entries without exit: closed where what is around them ended",
              h->m->count.open_entries);
    html_note(h, &first, "exits without entry: left out", h->m->count.lone_exits);
    html_note(h, &first, "links with one end only: not drawn", h->m->count.unpaired_links);
    html_note(h, &first,
              "ns are in stacks that the flame graph tells by function alone, below [more]",
              h->stacks.more_ns);
    html_note(h, &first, "further threads are not drawn", h->timeline->left_out);
    html_note(h, &first, "calls are inside so many others that only the strips show them",
              h->too_deep);
    html_note(h, &first, "further variables are not drawn", h->marks.vars - h->marks.var.n);
    html_note(h, &first, "further functions are not in the table",
              h->stats->n - EZ_MIN(h->stats->n, (size_t)EZ_HTML_ROWS));
    if (s && !s->part) {
        html_note(h, &first, "waits for room in the rings are in no call's time", s->waits);
        html_note(h, &first, "events dropped", s->dropped);
        html_note(h, &first, "events untraced: no trace was open", s->untraced);
    }
    if (s && s->damage)
        html_text(h, first ? "" : ",", s->damage);
    ez_outfile_puts(h->f, "]");
}

static void html_put_names(struct ez_html *h)
{
    ez_outfile_puts(h->f, ",\n\"names\":[");
    for (size_t i = 0; i < h->m->name.n; i++) {
        html_text(h, i ? ",[" : "[", h->m->name.at[i].text);
        html_text(h, ",", h->m->name.at[i].group);
        ez_outfile_puts(h->f, h->m->name.at[i].pause ? ",1]" : "]");
    }
    ez_outfile_puts(h->f, "]");
}

/* ---- the timeline --------------------------------------------------------------------------- */

/* The lines of the picture: containers with calls, point events, links or variables; each process
 * precedes its threads. */
struct lines {
    EZ_VEC(uint64_t) place;
    uint32_t *at;    /* by container: its line, or EZ_NONE_IDX */
    uint32_t *slice; /* by container: its row of the timeline, or EZ_NONE_IDX */
};

/* Gives a container a line. The sorted places give the order of the lines. */
static void html_want(const struct ez_html *h, struct lines *l, uint32_t container)
{
    if (l->at[container] != EZ_NONE_IDX || l->place.n >= 2 * EZ_HTML_THREADS)
        return;
    l->at[container] = 0;
    EZ_PUSH(&l->place, ez_model_place(h->m, container));
}

static uint32_t html_container_of(const struct lines *l, size_t line)
{
    uint64_t place = l->place.at[line];
    return (uint32_t)place ? (uint32_t)place : (uint32_t)(place >> 32);
}

static int html_by_number(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static void html_make_lines(const struct ez_html *h, struct lines *l)
{
    size_t n = h->m->container.n;
    l->at = ez_alloc((n + 1) * sizeof *l->at);
    l->slice = ez_alloc((n + 1) * sizeof *l->slice);
    memset(l->at, 0xff, n * sizeof *l->at);
    memset(l->slice, 0xff, n * sizeof *l->slice);
    for (uint32_t i = 0; i < h->timeline->n; i++) {
        l->slice[h->timeline->row[i].container] = i;
        html_want(h, l, h->timeline->row[i].container);
    }
    for (size_t i = 0; i < h->marks.point.n; i++)
        html_want(h, l, h->marks.point.at[i].container);
    for (size_t i = 0; i < h->marks.link.n; i++) {
        html_want(h, l, h->marks.link.at[i].from);
        html_want(h, l, h->marks.link.at[i].to);
    }
    for (size_t i = 0; i < h->marks.var.n; i++)
        html_want(h, l, h->marks.var.at[i].container);
    if (l->place.n)
        qsort(l->place.at, l->place.n, sizeof *l->place.at, html_by_number);
    for (uint32_t i = 0; i < l->place.n; i++)
        l->at[html_container_of(l, i)] = i;
}

/* Writes slices: names, -1 = in no state, -2 = in no state for most of it. */
static void html_put_slices(struct ez_html *h, const uint32_t *slice)
{
    for (unsigned k = 0; slice && k < h->timeline->slices; k++) {
        uint32_t n = slice[k];
        if (k)
            ez_outfile_puts(h->f, ",");
        if (n == EZ_NONE_IDX || n == EZ_PART_IDX)
            ez_outfile_puts(h->f, n == EZ_NONE_IDX ? "-1" : "-2");
        else
            ez_outfile_u64(h->f, n);
    }
}

/* Returns the process of a line, with its host if there are hosts: "rank 3: app 4242, node7". */
static char *html_process_of(const struct ez_model *m, uint32_t container)
{
    uint32_t parent = m->container.at[container].parent;
    if (parent == EZ_NONE_IDX)
        return ez_strdup("");
    const struct ez_container *p = &m->container.at[parent];
    bool host = p->level == EZ_L_PROCESS && m->container.at[p->parent].level == EZ_L_HOST;
    return ez_sprintf("%s%s%s", p->name, host ? ", " : "",
                      host ? m->container.at[p->parent].name : "");
}

static void html_put_threads(struct ez_html *h, const struct lines *l)
{
    const struct ez_timeline *t = h->timeline;
    EZ_FREE char *slice = ez_sprintf(",\n\"slice_ns\":%.15g,\"threads\":[",
                                     (double)(t->to_ns - t->from_ns) / t->slices);
    ez_outfile_puts(h->f, slice);
    for (size_t i = 0; i < l->place.n; i++) {
        uint32_t c = html_container_of(l, i), row = l->slice[c];
        uint32_t deepest = c < h->depth.n ? h->depth.at[c] : 0;
        html_text(h, i ? ",\n{\"name\":" : "\n{\"name\":", h->m->container.at[c].name);
        EZ_FREE char *of = html_process_of(h->m, c);
        html_text(h, ",\"process\":", of);
        html_number(h, ",\"depth\":", EZ_MIN(deepest, h->most_buffers));
        ez_outfile_puts(h->f, ",\"slices\":[");
        html_put_slices(h, row == EZ_NONE_IDX ? NULL : t->row[row].slice);
        ez_outfile_puts(h->f, "]}");
    }
    ez_outfile_puts(h->f, "]");
}

/* Sorts calls by start; calls of one depth of a thread are then sorted by end, too. */
static int html_by_start(const void *a, const void *b)
{
    const struct ez_html_call *x = a, *y = b;
    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns ? -1 : 1;
    if (x->depth != y->depth)
        return x->depth < y->depth ? -1 : 1;
    return x->ns < y->ns ? -1 : x->ns > y->ns;
}

static void html_put_calls(struct ez_html *h, const struct lines *l)
{
    if (h->call.n)
        qsort(h->call.at, h->call.n, sizeof *h->call.at, html_by_start);
    ez_outfile_puts(h->f, ",\n\"calls\":[");
    for (size_t i = 0, n = 0; i < h->call.n; i++) {
        const struct ez_html_call *c = &h->call.at[i];
        if (l->at[c->container] == EZ_NONE_IDX)
            continue;
        html_number(h, n++ ? ",\n" : "", l->at[c->container]);
        html_number(h, ",", c->depth);
        html_number(h, ",", c->name);
        html_number(h, ",", c->start_ns);
        html_number(h, ",", c->ns);
        html_number(h, ",", c->mark);
    }
    ez_outfile_puts(h->f, "]");
}

/* Writes what a probe collected, if anything: the index in the list of calls or points, and a
 * text. */
static void html_put_value(struct ez_html *h, bool *any, uint64_t place, const char *text)
{
    if (!text)
        return;
    html_number(h, *any ? ",\n" : "", place);
    html_text(h, ",", text);
    *any = true;
}

static void html_put_values(struct ez_html *h, const struct lines *l)
{
    bool any = false;
    uint64_t place = 0;
    ez_outfile_puts(h->f, ",\n\"values\":[");
    for (size_t i = 0; i < h->call.n; i++)
        if (l->at[h->call.at[i].container] != EZ_NONE_IDX)
            html_put_value(h, &any, place++, h->call.at[i].values);
    any = false;
    place = 0;
    ez_outfile_puts(h->f, "],\n\"point_values\":[");
    for (size_t i = 0; i < h->marks.point.n; i++)
        if (l->at[h->marks.point.at[i].container] != EZ_NONE_IDX)
            html_put_value(h, &any, place++, h->marks.point.at[i].values);
    ez_outfile_puts(h->f, "]");
}

/* Writes the number of calls in each slice, drawn or not. */
static void html_put_counts(struct ez_html *h)
{
    for (int ended = 0; ended < 2; ended++) {
        ez_outfile_puts(h->f, ended ? ",\n\"ended\":[" : ",\n\"begun\":[");
        for (size_t i = 0; i < h->slices; i++)
            html_number(h, i ? "," : "", ended ? h->in_slice[i].ended : h->in_slice[i].begun);
        ez_outfile_puts(h->f, "]");
    }
}

static void html_put_points_and_links(struct ez_html *h, const struct lines *l)
{
    const struct ez_marks *k = &h->marks;
    html_number(h, ",\n\"all_points\":", k->points.all);
    ez_outfile_puts(h->f, ",\"points\":[");
    for (size_t i = 0, n = 0; i < k->point.n; i++) {
        if (l->at[k->point.at[i].container] == EZ_NONE_IDX)
            continue;
        html_number(h, n++ ? "," : "", l->at[k->point.at[i].container]);
        html_number(h, ",", k->point.at[i].name);
        html_number(h, ",", k->point.at[i].ns);
    }
    html_number(h, "],\n\"all_links\":", k->links.all);
    ez_outfile_puts(h->f, ",\"links\":[");
    for (size_t i = 0, n = 0; i < k->link.n; i++) {
        const struct ez_marks_link *x = &k->link.at[i];
        if (l->at[x->from] == EZ_NONE_IDX || l->at[x->to] == EZ_NONE_IDX)
            continue;
        html_number(h, n++ ? "," : "", l->at[x->from]);
        html_number(h, ",", l->at[x->to]);
        html_number(h, ",", x->name);
        html_number(h, ",", x->start_ns);
        html_number(h, ",", x->end_ns);
    }
    ez_outfile_puts(h->f, "]");
}

/* Writes the slices of a variable in which its range changes. */
static void html_put_variable(struct ez_html *h, const struct ez_marks_var *v, uint32_t line)
{
    struct ez_marks_range last = { 0, 0 };
    html_number(h, "\n{\"thread\":", line);
    html_number(h, ",\"name\":", v->name);
    ez_outfile_puts(h->f, ",\"steps\":[");
    for (unsigned i = 0; v->first + i <= v->at; i++) {
        struct ez_marks_range r = v->slice[i];
        if (i && r.lo == last.lo && r.hi == last.hi)
            continue;
        last = r;
        html_number(h, i ? "," : "", v->first + i);
        EZ_FREE char *range =
            ez_sprintf(",%.17g,%.17g", isfinite(r.lo) ? r.lo : 0, isfinite(r.hi) ? r.hi : 0);
        ez_outfile_puts(h->f, range);
    }
    ez_outfile_puts(h->f, "]}");
}

static void html_put_timeline(struct ez_html *h)
{
    struct lines l = { .at = NULL };
    html_make_lines(h, &l);
    html_put_threads(h, &l);
    html_put_calls(h, &l);
    html_put_values(h, &l);
    html_put_counts(h);
    html_put_points_and_links(h, &l);
    html_number(h, ",\n\"all_vars\":", h->marks.vars);
    ez_outfile_puts(h->f, ",\"vars\":[");
    for (size_t i = 0, n = 0; i < h->marks.var.n; i++) {
        uint32_t line = l.at[h->marks.var.at[i].container];
        if (line == EZ_NONE_IDX)
            continue;
        ez_outfile_puts(h->f, n++ ? "," : "");
        html_put_variable(h, &h->marks.var.at[i], line);
    }
    ez_outfile_puts(h->f, "]");
    EZ_VEC_FREE(&l.place);
    free(l.at);
    free(l.slice);
}

/* ---- the table ------------------------------------------------------------------------------ */

/* Writes the columns of the page's table. Omits a column without any value. */
static void html_put_columns(struct ez_html *h, size_t rows)
{
    static const char *const kind[] = { [EZ_COLUMN_TEXT] = "text",
                                        [EZ_COLUMN_COUNT] = "count",
                                        [EZ_COLUMN_TIME] = "time",
                                        [EZ_COLUMN_SHARE] = "share" };
    static const char *const of[] = {
        [EZ_COLUMN_OF_ALL] = "all", [EZ_COLUMN_OF_TIMED] = "timed", [EZ_COLUMN_OF_WHOLE] = "whole"
    };
    const struct ez_column *c;
    ez_outfile_puts(h->f, ",\n\"columns\":[");
    for (size_t i = 0, n = 0; (c = ez_column_in_table(i)); i++) {
        if (!c->page || !ez_column_shown(c, c->by, h->stats->row, rows))
            continue;
        html_text(h, n++ ? ",\n[" : "\n[", c->page);
        html_text(h, ",", c->heading);
        html_text(h, ",", kind[c->kind]);
        html_text(h, ",", of[c->of]);
        if (c->kind == EZ_COLUMN_SHARE)
            html_text(h, ",", c[-1].page);
        ez_outfile_puts(h->f, "]");
    }
    ez_outfile_puts(h->f, "]");
}

static void html_put_row(struct ez_html *h, const struct ez_stat_row *r)
{
    const char *between = "\n{\"";
    for (size_t i = 0; i < ez_ncolumns; i++) {
        const struct ez_column *c = &ez_columns[i];
        bool set = c->kind != EZ_COLUMN_FLAG || ez_column_number(c, r);
        if (!c->page || c->kind == EZ_COLUMN_SHARE || !set)
            continue;
        ez_outfile_puts(h->f, between);
        ez_outfile_puts(h->f, c->page);
        if (c->kind == EZ_COLUMN_TEXT)
            html_text(h, "\":", ez_column_text(c, r));
        else
            html_number(h, "\":", ez_column_number(c, r));
        between = ",\"";
    }
    ez_outfile_puts(h->f, "}");
}

static void html_put_rows(struct ez_html *h)
{
    size_t rows = EZ_MIN(h->stats->n, (size_t)EZ_HTML_ROWS);
    html_put_columns(h, rows);
    html_number(h, ",\n\"run\":", h->stats->run_ns);
    ez_outfile_puts(h->f, ",\"rows\":[");
    for (size_t i = 0; i < rows; i++) {
        ez_outfile_puts(h->f, i ? "," : "");
        html_put_row(h, &h->stats->row[i]);
    }
    ez_outfile_puts(h->f, "]");
}

/* ---- the flame graph ----------------------------------------------------------------------- */

struct twigs {
    uint64_t *total; /* time of a node with its children */
    uint32_t *place; /* index in the output of a kept node, plus 1 */
    uint64_t *small; /* time of the nodes cut off below it */
    size_t kept;
    bool cut;
};

static struct twigs html_prune(const struct ez_stacks *s)
{
    size_t n = s->node.n;
    struct twigs t = { ez_alloc((n + 1) * 8), ez_alloc((n + 1) * 4), ez_alloc((n + 1) * 8), 0,
                       false };
    uint64_t all = 0;
    for (size_t i = n; i-- > 0;) { /* children follow their parents */
        t.total[i] += s->node.at[i].self_ns;
        if (s->node.at[i].parent == EZ_STACKS_TOP)
            all += t.total[i];
        else
            t.total[s->node.at[i].parent] += t.total[i];
    }
    for (size_t i = 0; i < n; i++) {
        uint32_t up = s->node.at[i].parent;
        bool up_kept = up == EZ_STACKS_TOP || t.place[up];
        if (up_kept && t.total[i] > all / 10000 && t.kept < EZ_HTML_FRAMES) {
            t.place[i] = (uint32_t)++t.kept;
            continue;
        }
        if (up_kept)
            t.small[up == EZ_STACKS_TOP ? n : up] += t.total[i];
        t.cut = true;
    }
    return t;
}

/* Writes one of three parallel lists. Nodes that were cut off become a frame [small] of their
 * parent. */
static void html_put_flame_list(struct ez_html *h, const struct twigs *t, const char *name,
                                int which)
{
    const struct ez_stacks *s = &h->stacks;
    bool first = true;
    ez_outfile_puts(h->f, name);
    for (size_t i = 0; i < s->node.n; i++) {
        const struct ez_stack_node *n = &s->node.at[i];
        if (!t->place[i])
            continue;
        ez_outfile_puts(h->f, first ? "" : ",");
        first = false;
        if (which == 0)
            ez_outfile_json(h->f, ez_stacks_label(s, n->label));
        else if (which == 1 && n->parent == EZ_STACKS_TOP)
            ez_outfile_puts(h->f, "-1");
        else
            ez_outfile_u64(h->f, which == 1 ? t->place[n->parent] - 1 : n->self_ns);
    }
    for (size_t i = 0; i <= s->node.n; i++) {
        if (!t->small[i])
            continue;
        ez_outfile_puts(h->f, first ? "" : ",");
        first = false;
        if (which == 0)
            ez_outfile_json(h->f, "[small]");
        else if (which == 1 && i == s->node.n)
            ez_outfile_puts(h->f, "-1");
        else
            ez_outfile_u64(h->f, which == 1 ? t->place[i] - 1 : t->small[i]);
    }
    ez_outfile_puts(h->f, "]");
}

static void html_put_flame(struct ez_html *h)
{
    struct twigs t = html_prune(&h->stacks);
    ez_outfile_puts(h->f, ",\n\"flame\":{\"pruned\":");
    ez_outfile_puts(h->f, t.cut ? "true" : "false");
    html_put_flame_list(h, &t, ",\"name\":[", 0);
    html_put_flame_list(h, &t, ",\n\"parent\":[", 1);
    html_put_flame_list(h, &t, ",\n\"self\":[", 2);
    ez_outfile_puts(h->f, "}}");
    free(t.total);
    free(t.place);
    free(t.small);
}

void ez_html_data(struct ez_html *h)
{
    html_put_head(h);
    html_put_notes(h);
    html_put_names(h);
    html_put_timeline(h);
    html_put_rows(h);
    ez_html_adds(h);
    html_put_flame(h);
}
