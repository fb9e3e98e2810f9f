/* SPDX-License-Identifier: GPL-3.0-or-later */
/* conv_html_data.c - writes the data of `report` as JSON (conv_html.h).
 * Tests: tests/unit/trace/check_html.c, tests/trace/report.sh */
#include <math.h>
#include <string.h>
#include <time.h>

#include "engine/format/conv_html.h"
#include "engine/trace/roles.h"

/* ---- the data --------------------------------------------------------------------------- */

/* Writes h->json to the file and begins a new line of JSON. If this function is called often, the
 * page is never in memory as a whole. */
static void html_next_line(struct ez_html *h)
{
    ez_outfile_json(h->f, &h->json);
    ez_json_next_line(&h->json, 0);
}

static void html_put_head(struct ez_html *h)
{
    const struct ez_trace_sum *s = h->m->sum;
    struct ez_json *j = &h->json;
    char when[64] = "";
    time_t t = (time_t)(h->m->start_real_ns / 1000000000);
    struct tm tm;
    if (t && localtime_r(&t, &tm))
        strftime(when, sizeof when, "%Y-%m-%d %H:%M:%S", &tm);
    ez_json_begin(j, NULL, '{');
    ez_json_add_text(j, "title", h->m->container.at[0].name);
    ez_json_add_text(j, "start", when);
    ez_json_add_uint(j, "events", s ? s->events : 0);
    ez_json_add_uint(j, "span", s ? s->span_ns : 0);
    ez_json_add_uint(j, "from", h->from_ns);
    ez_json_add_uint(j, "to", h->to_ns - 1);
    ez_json_add_uint(j, "all_threads", h->stats->threads);
    ez_json_add_uint(j, "all_calls", h->calls);
    ez_json_add_uint(j, "chunks", ez_chunks_finish(h->chunks));
}

static void html_note(struct ez_html *h, const char *fmt, uint64_t n)
{
    if (!n)
        return;
    EZ_FREE char *line = ez_sprintf("%llu %s", (unsigned long long)n, fmt);
    ez_json_add_text(&h->json, NULL, line);
}

static void html_put_lost(struct ez_html *h)
{
    const struct ez_model_count *c = &h->m->count;
    if (!c->gaps)
        return;
    EZ_FREE char *line = ez_sprintf("%llu events of %llu threads are lost, in %llu gaps: see "
                                    "[events lost]; %llu calls open there are known in part",
                                    (unsigned long long)c->lost, (unsigned long long)c->gap_threads,
                                    (unsigned long long)c->gaps, (unsigned long long)c->gap_calls);
    ez_json_add_text(&h->json, NULL, line);
}

/* Writes how many calls a filter left out, and which functions were only counted for some of the
 * time. */
static void html_put_chosen(struct ez_html *h, const struct ez_trace_sum *s)
{
    if (s->by_filter) {
        EZ_FREE char *line =
            ez_sprintf("a filter shows %llu of %llu calls", (unsigned long long)s->shown.shown,
                       (unsigned long long)s->shown.calls);
        ez_json_add_text(&h->json, NULL, line);
    }
    char *note;
    for (size_t i = 0; (note = ez_throttled_note(&s->throttled, i)); i++) {
        ez_json_add_text(&h->json, NULL, note);
        free(note);
    }
}

/* Writes notes for the reader of the page: what is missing or inexact in the picture. */
static void html_put_notes(struct ez_html *h)
{
    const struct ez_trace_sum *s = h->m->sum;
    ez_json_begin(&h->json, "notes", '[');
    if (s)
        html_put_chosen(h, s);
    html_put_lost(h);
    html_note(h, "calls were left by an exception or longjmp", h->m->count.unwound);
    html_note(h, "entries without exit: closed where what is around them ended",
              h->m->count.open_entries);
    html_note(h, "exits without entry: left out", h->m->count.lone_exits);
    html_note(h, "links with one end only: not drawn", h->m->count.unpaired_links);
    html_note(h, "ns are in stacks that the flame graph tells by function alone, below [more]",
              h->stacks.more_ns);
    html_note(h, "messages may belong to other receives", h->m->count.unsure_links);
    html_note(h, "further threads are not drawn", h->timeline->left_out);
    html_note(h, "calls are inside so many others that only the strips show them", h->too_deep);
    html_note(h, "further variables are not drawn", h->marks.vars - h->marks.var.n);
    html_note(h, "further functions are not in the table",
              h->stats->n - EZ_MIN(h->stats->n, (size_t)EZ_HTML_ROWS));
    if (s && !s->part) {
        html_note(h, "waits for room in the rings are in no call's time", s->waits);
        html_note(h, "events dropped", s->dropped);
        html_note(h, "events untraced: no trace was open", s->untraced);
    }
    if (s && s->damage)
        ez_json_add_text(&h->json, NULL, s->damage);
    ez_json_end(&h->json, ']');
}

static void html_put_names(struct ez_html *h)
{
    struct ez_json *j = &h->json;
    html_next_line(h);
    ez_json_begin(j, "names", '[');
    for (size_t i = 0; i < h->m->name.n; i++) {
        ez_json_begin(j, NULL, '[');
        ez_json_add_text(j, NULL, h->m->name.at[i].text);
        ez_json_add_text(j, NULL, h->m->name.at[i].group);
        if (h->m->name.at[i].pause || h->m->name.at[i].kind == EZ_N_EVENT)
            ez_json_add_uint(j, NULL, h->m->name.at[i].pause);
        if (h->m->name.at[i].kind == EZ_N_EVENT)
            ez_json_add_uint(j, NULL, 1);
        ez_json_end(j, ']');
    }
    ez_json_end(j, ']');
}

/* Writes where functions begin in the source: a name, a file and a line, and so on. */
static void html_put_sources(struct ez_html *h)
{
    struct ez_json *j = &h->json;
    html_next_line(h);
    ez_json_begin(j, "sources", '[');
    for (size_t i = 0; i < h->m->name.n; i++) {
        const struct ez_name *n = &h->m->name.at[i];
        if (!n->file)
            continue;
        ez_json_add_uint(j, NULL, i);
        ez_json_add_text(j, NULL, n->file);
        ez_json_add_uint(j, NULL, n->line);
    }
    ez_json_end(j, ']');
}

/* ---- the timeline --------------------------------------------------------------------------- */

/* The lines of the timeline. A container has a line if it has calls, point events, links or
 * variables. Each process precedes its threads. */
struct lines {
    EZ_VEC(uint64_t) place; /* ez_model_place() of each line; sorted when complete */
    uint32_t *at;           /* index: container; number of its line, or EZ_NONE_IDX */
    uint32_t *slice;        /* index: container; its row of the timeline, or EZ_NONE_IDX */
};

/* Adds a line for a container, unless the container has one. html_make_lines() later sorts the
 * lines and numbers them. */
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

/* Writes the slices of a thread: the index of a name, -1 = in no state during the slice, -2 = in no
 * state for most of the slice. */
static void html_put_slices(struct ez_html *h, const uint32_t *slice)
{
    for (unsigned k = 0; slice && k < h->timeline->slices; k++) {
        uint32_t n = slice[k];
        ez_json_add_int(&h->json, NULL, n == EZ_NONE_IDX ? -1 : n == EZ_PART_IDX ? -2 : (int64_t)n);
    }
}

/* Writes the numbers of the slices in which the thread did not run for more than half of the time
 * of the shown name. */
static void html_put_paused(struct ez_html *h, const bool *paused)
{
    for (unsigned k = 0; paused && k < h->timeline->slices; k++)
        if (paused[k])
            ez_json_add_uint(&h->json, NULL, k);
}

/* Returns the name of a container's process, with the host if the trace has hosts: "rank 3: app
 * 4242, node7". The caller frees the text. */
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
    struct ez_json *j = &h->json;
    EZ_FREE char *slice_ns = ez_sprintf("%.15g", (double)(t->to_ns - t->from_ns) / t->slices);
    html_next_line(h);
    ez_json_add_raw(j, "slice_ns", slice_ns);
    ez_json_begin(j, "threads", '[');
    for (size_t i = 0; i < l->place.n; i++) {
        uint32_t c = html_container_of(l, i), row = l->slice[c];
        uint32_t deepest = c < h->depth.n ? h->depth.at[c] : 0;
        EZ_FREE char *of = html_process_of(h->m, c);
        html_next_line(h);
        ez_json_begin(j, NULL, '{');
        ez_json_add_text(j, "name", h->m->container.at[c].name);
        ez_json_add_text(j, "process", of);
        ez_json_add_uint(j, "container", c);
        ez_json_add_uint(j, "depth", EZ_MIN(deepest, h->most_buffers));
        ez_json_begin(j, "slices", '[');
        html_put_slices(h, row == EZ_NONE_IDX ? NULL : t->row[row].slice);
        ez_json_end(j, ']');
        ez_json_begin(j, "paused", '[');
        html_put_paused(h, row == EZ_NONE_IDX ? NULL : t->row[row].paused);
        ez_json_end(j, ']');
        ez_json_end(j, '}');
    }
    ez_json_end(j, ']');
}

/* Compares calls by start. (Calls of a thread with the same depth do not overlap, so in this order
 * they are also sorted by end.) */
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
    struct ez_json *j = &h->json;
    if (h->call.n)
        qsort(h->call.at, h->call.n, sizeof *h->call.at, html_by_start);
    html_next_line(h);
    ez_json_begin(j, "calls", '[');
    for (size_t i = 0; i < h->call.n; i++) {
        const struct ez_html_call *c = &h->call.at[i];
        if (l->at[c->container] == EZ_NONE_IDX)
            continue;
        if (j->more)
            html_next_line(h);
        ez_json_add_uint(j, NULL, l->at[c->container]);
        ez_json_add_uint(j, NULL, c->depth);
        ez_json_add_uint(j, NULL, c->name);
        ez_json_add_uint(j, NULL, c->start_ns);
        ez_json_add_uint(j, NULL, c->ns);
        ez_json_add_uint(j, NULL, c->mark);
    }
    ez_json_end(j, ']');
}

/* Writes the values that a probe collected, if text is not NULL: the index of the call or point in
 * the list of calls or points, and the text. */
static void html_put_value(struct ez_html *h, uint64_t place, const char *text)
{
    if (!text)
        return;
    if (h->json.more)
        html_next_line(h);
    ez_json_add_uint(&h->json, NULL, place);
    ez_json_add_text(&h->json, NULL, text);
}

static void html_put_values(struct ez_html *h, const struct lines *l)
{
    uint64_t place = 0;
    html_next_line(h);
    ez_json_begin(&h->json, "values", '[');
    for (size_t i = 0; i < h->call.n; i++)
        if (l->at[h->call.at[i].container] != EZ_NONE_IDX)
            html_put_value(h, place++, h->call.at[i].values);
    ez_json_end(&h->json, ']');
    place = 0;
    html_next_line(h);
    ez_json_begin(&h->json, "point_values", '[');
    for (size_t i = 0; i < h->marks.point.n; i++)
        if (l->at[h->marks.point.at[i].container] != EZ_NONE_IDX)
            html_put_value(h, place++, h->marks.point.at[i].values);
    ez_json_end(&h->json, ']');
}

/* Writes how many calls began and how many ended in each slice, including calls that are not in the
 * list of calls. */
static void html_put_counts(struct ez_html *h)
{
    html_next_line(h);
    ez_json_begin(&h->json, "begun", '[');
    for (size_t i = 0; i < h->slices; i++)
        ez_json_add_uint(&h->json, NULL, h->in_slice[i].begun);
    ez_json_end(&h->json, ']');
    html_next_line(h);
    ez_json_begin(&h->json, "ended", '[');
    for (size_t i = 0; i < h->slices; i++)
        ez_json_add_uint(&h->json, NULL, h->in_slice[i].ended);
    ez_json_end(&h->json, ']');
}

static void html_put_points(struct ez_html *h, const struct lines *l)
{
    const struct ez_marks *k = &h->marks;
    struct ez_json *j = &h->json;
    html_next_line(h);
    ez_json_add_uint(j, "all_points", k->points.all);
    ez_json_begin(j, "points", '[');
    for (size_t i = 0; i < k->point.n; i++) {
        if (l->at[k->point.at[i].container] == EZ_NONE_IDX)
            continue;
        ez_json_add_uint(j, NULL, l->at[k->point.at[i].container]);
        ez_json_add_uint(j, NULL, k->point.at[i].name);
        ez_json_add_uint(j, NULL, k->point.at[i].ns);
    }
    ez_json_end(j, ']');
}

static void html_put_links(struct ez_html *h, const struct lines *l)
{
    const struct ez_marks *k = &h->marks;
    struct ez_json *j = &h->json;
    html_next_line(h);
    ez_json_add_uint(j, "all_links", k->links.all);
    ez_json_begin(j, "links", '[');
    for (size_t i = 0; i < k->link.n; i++) {
        const struct ez_marks_link *x = &k->link.at[i];
        if (l->at[x->from] == EZ_NONE_IDX || l->at[x->to] == EZ_NONE_IDX)
            continue;
        ez_json_add_uint(j, NULL, l->at[x->from]);
        ez_json_add_uint(j, NULL, l->at[x->to]);
        ez_json_add_uint(j, NULL, x->name);
        ez_json_add_uint(j, NULL, x->start_ns);
        ez_json_add_uint(j, NULL, x->end_ns);
    }
    ez_json_end(j, ']');
}

/* Writes the minimum and the maximum of a variable for each slice, unless both are the same as in
 * the previous slice. */
static void html_put_variable(struct ez_html *h, const struct ez_marks_var *v, uint32_t line)
{
    struct ez_marks_range last = { 0, 0 };
    struct ez_json *j = &h->json;
    ez_json_next_line(j, 0);
    ez_json_begin(j, NULL, '{');
    ez_json_add_uint(j, "thread", line);
    ez_json_add_uint(j, "name", v->name);
    ez_json_add_text(j, "unit", ez_variable_unit(&h->m->name.at[v->name]));
    ez_json_begin(j, "steps", '[');
    for (unsigned i = 0; v->first + i <= v->at; i++) {
        struct ez_marks_range r = v->slice[i];
        if (i && r.lo == last.lo && r.hi == last.hi)
            continue;
        last = r;
        ez_json_add_uint(j, NULL, v->first + i);
        ez_json_add_real(j, NULL, isfinite(r.lo) ? r.lo : 0);
        ez_json_add_real(j, NULL, isfinite(r.hi) ? r.hi : 0);
    }
    ez_json_end(j, ']');
    ez_json_end(j, '}');
}

static void html_put_timeline(struct ez_html *h)
{
    struct lines l = { .at = NULL };
    html_make_lines(h, &l);
    html_put_threads(h, &l);
    html_put_calls(h, &l);
    html_put_values(h, &l);
    html_put_counts(h);
    html_put_points(h, &l);
    html_put_links(h, &l);
    html_next_line(h);
    ez_json_add_uint(&h->json, "all_vars", h->marks.vars);
    ez_json_begin(&h->json, "vars", '[');
    for (size_t i = 0; i < h->marks.var.n; i++) {
        uint32_t line = l.at[h->marks.var.at[i].container];
        if (line != EZ_NONE_IDX)
            html_put_variable(h, &h->marks.var.at[i], line);
    }
    ez_json_end(&h->json, ']');
    EZ_VEC_FREE(&l.place);
    free(l.at);
    free(l.slice);
}

/* ---- the table ------------------------------------------------------------------------------ */

/* Writes the columns of the page's table. Leaves out columns in which no row has a value. */
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
    struct ez_json *j = &h->json;
    html_next_line(h);
    ez_json_begin(j, "columns", '[');
    for (size_t i = 0; (c = ez_column_in_table(i)); i++) {
        if (!c->page || !ez_column_shown(c, c->by, h->stats->row, rows))
            continue;
        html_next_line(h);
        ez_json_begin(j, NULL, '[');
        ez_json_add_text(j, NULL, c->page);
        ez_json_add_text(j, NULL, c->heading);
        ez_json_add_text(j, NULL, kind[c->kind]);
        ez_json_add_text(j, NULL, of[c->of]);
        if (c->kind == EZ_COLUMN_SHARE)
            ez_json_add_text(j, NULL, c[-1].page);
        ez_json_end(j, ']');
    }
    ez_json_end(j, ']');
}

static void html_put_row(struct ez_html *h, const struct ez_stat_row *r)
{
    struct ez_json *j = &h->json;
    html_next_line(h);
    ez_json_begin(j, NULL, '{');
    for (size_t i = 0; i < ez_ncolumns; i++) {
        const struct ez_column *c = &ez_columns[i];
        bool set = c->kind != EZ_COLUMN_FLAG || ez_column_number(c, r);
        if (!c->page || c->kind == EZ_COLUMN_SHARE || !set)
            continue;
        if (c->kind == EZ_COLUMN_TEXT)
            ez_json_add_text(j, c->page, ez_column_text(c, r));
        else
            ez_json_add_uint(j, c->page, ez_column_number(c, r));
    }
    ez_json_end(j, '}');
}

static void html_put_rows(struct ez_html *h)
{
    size_t rows = EZ_MIN(h->stats->n, (size_t)EZ_HTML_ROWS);
    html_put_columns(h, rows);
    html_next_line(h);
    ez_json_add_uint(&h->json, "run", h->stats->run_ns);
    ez_json_begin(&h->json, "rows", '[');
    for (size_t i = 0; i < rows; i++)
        html_put_row(h, &h->stats->row[i]);
    ez_json_end(&h->json, ']');
}

/* ---- the flame graph ----------------------------------------------------------------------- */

struct twigs {
    /* index: node */
    uint64_t *total; /* time of the node and all nodes below it, ns */
    uint32_t *place; /* index of the node in the output, plus 1; 0 = the node is left out */
    uint64_t *small; /* time of children that are left out, ns; the last element is for the root */
    size_t kept;
    bool cut;
};

static struct twigs html_prune(const struct ez_stacks *s)
{
    size_t n = s->node.n;
    struct twigs t = { ez_alloc((n + 1) * 8), ez_alloc((n + 1) * 4), ez_alloc((n + 1) * 8), 0,
                       false };
    uint64_t all = 0;
    for (size_t i = n; i-- > 0;) { /* backwards, because parents precede their children */
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

enum flame_list { FLAME_NAMES, FLAME_PARENTS, FLAME_TIMES };

/* Adds a node to one of three parallel lists. parent: `place` of the parent; 0 = no parent. */
static void html_put_node(struct ez_json *j, enum flame_list list, const char *name,
                          uint32_t parent, uint64_t ns)
{
    if (list == FLAME_NAMES)
        ez_json_add_text(j, NULL, name);
    else if (list == FLAME_PARENTS)
        ez_json_add_int(j, NULL, (int64_t)parent - 1);
    else
        ez_json_add_uint(j, NULL, ns);
}

/* Writes one of the three parallel lists of nodes. The children of a node that are left out are
 * combined in one frame "[small]". */
static void html_put_nodes(struct ez_html *h, const struct twigs *t, const char *key,
                           enum flame_list list)
{
    const struct ez_stacks *s = &h->stacks;
    ez_json_begin(&h->json, key, '[');
    for (size_t i = 0; i < s->node.n; i++) {
        const struct ez_stack_node *n = &s->node.at[i];
        if (t->place[i])
            html_put_node(&h->json, list, ez_stacks_label(s, n->label),
                          n->parent == EZ_STACKS_TOP ? 0 : t->place[n->parent], n->self_ns);
    }
    for (size_t i = 0; i <= s->node.n; i++)
        if (t->small[i])
            html_put_node(&h->json, list, "[small]", i == s->node.n ? 0 : t->place[i], t->small[i]);
    ez_json_end(&h->json, ']');
}

static void html_put_flame(struct ez_html *h)
{
    struct twigs t = html_prune(&h->stacks);
    struct ez_json *j = &h->json;
    html_next_line(h);
    ez_json_begin(j, "flame", '{');
    ez_json_add_bool(j, "pruned", t.cut);
    html_put_nodes(h, &t, "name", FLAME_NAMES);
    html_next_line(h);
    html_put_nodes(h, &t, "parent", FLAME_PARENTS);
    html_next_line(h);
    html_put_nodes(h, &t, "self", FLAME_TIMES);
    ez_json_end(j, '}');
    free(t.total);
    free(t.place);
    free(t.small);
}

void ez_html_data(struct ez_html *h)
{
    html_put_head(h);
    html_put_notes(h);
    html_put_names(h);
    html_put_sources(h);
    ez_html_places(h);
    ez_html_links_json(&h->links, &h->json);
    html_put_timeline(h);
    html_put_rows(h);
    ez_html_adds(h);
    html_next_line(h);
    if (h->compared)
        ez_json_add_raw(&h->json, "compared", h->compared);
    html_put_flame(h);
    ez_json_end(&h->json, '}');
    ez_outfile_json(h->f, &h->json);
}
