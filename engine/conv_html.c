/* SPDX-License-Identifier: GPL-3.0-or-later */
/* conv_html.c - `report`: one page with a timeline, a table and a flame graph.
 *
 * The page holds all it needs: style, script, d3 (read from where configure found it),
 * and the data as JSON; it opens without a network. The data are bounded whatever the
 * length of the trace: slices of time per thread, the longest MOST_CALLS calls, the
 * tree of stacks without its twigs. All texts go through ez_json_quote, which leaves
 * nothing that could end the script they stand in; the script puts them into the page
 * as text only. Times are JSON numbers of nanoseconds, exact up to 104 days.
 *
 * Data: see the head of report/page.js. Tests: tests/trace/report.sh */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "engine/conv.h"
#include "engine/heap.h"
#include "engine/outfile.h"
#include "engine/report/page.h"
#include "engine/stacks.h"
#include "engine/stats.h"
#include "engine/timeline.h"

enum {
    MOST_CALLS = 40000,
    SLICES = 2000,
    MOST_FRAMES = 20000,
    MOST_THREADS = 1000,
    MOST_ROWS = 5000,
    LANES = 16,
    MAX_D3 = 16 << 20
};

struct call {
    uint64_t start_ns, ns;
    uint32_t container, name, depth;
};

struct html {
    struct ez_sink sink;
    const struct ez_model *m;
    struct ez_outfile *f;
    char *d3;
    struct ez_stats *stats;
    struct ez_timeline *timeline;
    struct ez_stacks stacks;
    struct ez_heap shortest; /* of the calls kept, the shortest on top: it goes first */
    EZ_VEC(struct call) call;
    EZ_VEC(uint32_t) depth; /* by container: deepest                              */
    uint64_t calls;
};

/* ---- begin -------------------------------------------------------------------------- */

static ez_err *read_d3(char **text)
{
    struct stat st;
    EZ_CLOSE int fd = open(EZ_D3_JS, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &st) || st.st_size > MAX_D3)
        return ez_err_hint(
            ez_err_new(EZ_E_NOTFOUND, 0, "%s: d3, which draws the report, is not there", EZ_D3_JS),
            "install node-d3 (Debian), or configure with --with-d3=FILE");
    EZ_FREE char *s = ez_alloc((size_t)st.st_size + 1);
    if (read(fd, s, (size_t)st.st_size) != st.st_size)
        return ez_err_new(EZ_E_SYS, errno, "%s: cannot read", EZ_D3_JS);
    if (strstr(s, "</script"))
        return ez_err_new(EZ_E_FORMAT, 0, "%s: this cannot stand inside a page", EZ_D3_JS);
    *text = s;
    s = NULL;
    return NULL;
}

static ez_err *html_open(const struct ez_format *f, const struct ez_model *m, const char *out,
                         bool gzip, struct ez_sink **sink)
{
    struct ez_outfile *file;
    char *d3 = NULL;
    EZ_TRY(read_d3(&d3));
    ez_err *e = ez_outfile_open(out, gzip, &file);
    if (e) {
        free(d3);
        return e;
    }
    struct html *h = ez_alloc(sizeof *h);
    *h = (struct html){ .sink = { .format = f }, .m = m, .f = file, .d3 = d3 };
    h->stats = ez_stats_create(m, EZ_BY_FUNCTION | EZ_BY_LIBRARY, false);
    h->timeline = ez_timeline_create(m, 0, m->sum ? m->sum->span_ns + 1 : 1, SLICES);
    h->timeline->most_rows = MOST_THREADS;
    ez_stacks_init(&h->stacks, m, false);
    *sink = &h->sink;
    return NULL;
}

static void html_destroy(struct ez_sink *sink)
{
    struct html *h = (struct html *)sink;
    ez_outfile_destroy(h->f);
    ez_stats_free(h->stats);
    ez_timeline_free(h->timeline);
    ez_stacks_free(&h->stacks);
    EZ_VEC_FREE(&h->shortest.node);
    EZ_VEC_FREE(&h->call);
    EZ_VEC_FREE(&h->depth);
    free(h->d3);
    free(h);
}

/* ---- items ---------------------------------------------------------------------------- */

static void keep_call(struct html *h, const struct ez_item *it)
{
    struct call c = { it->start_ns, it->ns - it->start_ns, it->container, it->name, it->depth };
    h->calls++;
    if (h->call.n < MOST_CALLS) {
        ez_heap_push(&h->shortest, c.ns, (uint32_t)h->call.n);
        EZ_PUSH(&h->call, c);
    } else if (c.ns > h->shortest.node.at[0].key) {
        h->call.at[h->shortest.node.at[0].id] = c;
        h->shortest.node.at[0].key = c.ns;
        ez_heap_sink(&h->shortest);
    }
}

static ez_err *html_item(void *sink, const struct ez_item *it)
{
    struct html *h = sink;
    if (it->kind == EZ_I_PUSH) {
        while (h->depth.n <= it->container)
            EZ_PUSH(&h->depth, 0u);
        h->depth.at[it->container] = EZ_MAX(h->depth.at[it->container], it->depth + 1);
    } else if (it->kind == EZ_I_POP) {
        keep_call(h, it);
    }
    EZ_TRY(ez_stats_item(h->stats, it));
    EZ_TRY(ez_timeline_item(h->timeline, it));
    return ez_stacks_item(&h->stacks, it);
}

/* ---- the data --------------------------------------------------------------------------- */

static void number(struct html *h, const char *before, uint64_t v)
{
    ez_outfile_puts(h->f, before);
    ez_outfile_u64(h->f, v);
}

static void text(struct html *h, const char *before, const char *s)
{
    ez_outfile_puts(h->f, before);
    ez_outfile_json(h->f, s);
}

static void put_head(struct html *h)
{
    const struct ez_trace_sum *s = h->m->sum;
    char when[64] = "";
    time_t t = (time_t)(h->m->start_real_ns / 1000000000);
    struct tm tm;
    if (t && localtime_r(&t, &tm))
        strftime(when, sizeof when, "%Y-%m-%d %H:%M:%S", &tm);
    EZ_FREE char *events = ez_sprintf("%llu events", s ? (unsigned long long)s->events : 0);
    EZ_FREE char *span = ez_sprintf("%.6f s", s ? (double)s->span_ns / 1e9 : 0);
    EZ_FREE char *threads = ez_sprintf("%zu threads with calls", h->timeline->n);
    text(h, "{\"title\":", h->m->container.at[0].name);
    text(h, ",\"facts\":[", events);
    text(h, ",", span);
    text(h, ",", threads);
    if (*when)
        text(h, ",", when);
    number(h, "],\"span\":", s ? s->span_ns : 0);
    number(h, ",\"all_calls\":", h->calls);
}

static void note(struct html *h, bool *first, const char *fmt, uint64_t n)
{
    if (!n)
        return;
    EZ_FREE char *line = ez_sprintf("%llu %s", (unsigned long long)n, fmt);
    text(h, *first ? "" : ",", line);
    *first = false;
}

/* What a reader must know before he trusts the picture. */
static void put_notes(struct html *h)
{
    const struct ez_trace_sum *s = h->m->sum;
    bool first = true;
    ez_outfile_puts(h->f, ",\"notes\":[");
    note(h, &first, "entries without exit: closed where what is around them ended",
         h->m->count.open_entries);
    note(h, &first, "exits without entry: left out", h->m->count.lone_exits);
    note(h, &first, "links with one end only", h->m->count.unpaired_links);
    note(h, &first, "further threads are not drawn", h->timeline->left_out);
    note(h, &first, "further functions are not in the table",
         h->stats->n - EZ_MIN(h->stats->n, (size_t)MOST_ROWS));
    if (s) {
        note(h, &first, "events dropped", s->dropped);
        note(h, &first, "events untraced: no trace was open", s->untraced);
        if (s->damage)
            text(h, first ? "" : ",", s->damage);
    }
    ez_outfile_puts(h->f, "]");
}

static void put_names(struct html *h)
{
    ez_outfile_puts(h->f, ",\n\"names\":[");
    for (size_t i = 0; i < h->m->name.n; i++) {
        text(h, i ? ",[" : "[", h->m->name.at[i].text);
        text(h, ",", h->m->name.at[i].group);
        ez_outfile_puts(h->f, "]");
    }
    ez_outfile_puts(h->f, "]");
}

/* Slices: names, -1 in no state, -2 mostly in none. */
static void put_threads(struct html *h)
{
    const struct ez_timeline *t = h->timeline;
    EZ_FREE char *slice = ez_sprintf(",\n\"slice_ns\":%.3f,\"threads\":[",
                                     (double)(t->to_ns - t->from_ns) / t->slices);
    ez_outfile_puts(h->f, slice);
    for (size_t i = 0; i < t->n; i++) {
        uint32_t c = t->row[i].container;
        text(h, i ? ",\n{\"name\":" : "\n{\"name\":", h->m->container.at[c].name);
        number(h, ",\"depth\":", EZ_MIN(h->depth.at[c], (uint32_t)LANES));
        ez_outfile_puts(h->f, ",\"slices\":[");
        for (unsigned k = 0; k < t->slices; k++) {
            uint32_t n = t->row[i].slice[k];
            if (k)
                ez_outfile_puts(h->f, ",");
            if (n == EZ_NONE_IDX || n == EZ_PART_IDX)
                ez_outfile_puts(h->f, n == EZ_NONE_IDX ? "-1" : "-2");
            else
                ez_outfile_u64(h->f, n);
        }
        ez_outfile_puts(h->f, "]}");
    }
    ez_outfile_puts(h->f, "]");
}

static int by_start(const void *a, const void *b)
{
    const struct call *x = a, *y = b;
    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns ? -1 : 1;
    return x->depth < y->depth ? -1 : x->depth > y->depth;
}

static void put_calls(struct html *h)
{
    EZ_FREE uint32_t *row = ez_alloc((h->m->container.n + 1) * sizeof *row);
    memset(row, 0xff, h->m->container.n * sizeof *row);
    for (uint32_t i = 0; i < h->timeline->n; i++)
        row[h->timeline->row[i].container] = i;
    if (h->call.n)
        qsort(h->call.at, h->call.n, sizeof *h->call.at, by_start);
    ez_outfile_puts(h->f, ",\n\"calls\":[");
    for (size_t i = 0, n = 0; i < h->call.n; i++) {
        const struct call *c = &h->call.at[i];
        if (row[c->container] == UINT32_MAX)
            continue;
        number(h, n++ ? ",\n" : "", row[c->container]);
        number(h, ",", c->depth);
        number(h, ",", c->name);
        number(h, ",", c->start_ns);
        number(h, ",", c->ns);
    }
    ez_outfile_puts(h->f, "]");
}

static void put_rows(struct html *h)
{
    number(h, ",\n\"run\":", h->stats->run_ns);
    ez_outfile_puts(h->f, ",\"rows\":[");
    for (size_t i = 0; i < h->stats->n && i < MOST_ROWS; i++) {
        const struct ez_stat_row *r = &h->stats->row[i];
        const struct ez_hist *t = &r->times;
        text(h, i ? ",\n{\"function\":" : "\n{\"function\":", r->function);
        text(h, ",\"library\":", r->library);
        number(h, ",\"calls\":", r->calls);
        number(h, ",\"timed\":", t->total);
        number(h, ",\"total\":", r->total_ns);
        number(h, ",\"self\":", r->self_ns);
        number(h, ",\"mean\":", t->total ? t->sum / t->total : 0);
        number(h, ",\"min\":", t->min);
        number(h, ",\"p50\":", ez_hist_quantile(t, .5));
        number(h, ",\"p90\":", ez_hist_quantile(t, .9));
        number(h, ",\"p99\":", ez_hist_quantile(t, .99));
        number(h, ",\"max\":", t->max);
        ez_outfile_puts(h->f, "}");
    }
    ez_outfile_puts(h->f, "]");
}

/* ---- the flame graph ----------------------------------------------------------------------- */

struct twigs {
    uint64_t *total; /* of a node with its children                                 */
    uint32_t *place; /* of a kept node in the output, +1                            */
    uint64_t *small; /* of what was cut off below it                                */
    size_t kept;
    bool cut;
};

static struct twigs prune(const struct ez_stacks *s)
{
    size_t n = s->node.n;
    struct twigs t = { ez_alloc((n + 1) * 8), ez_alloc((n + 1) * 4), ez_alloc((n + 1) * 8), 0,
                       false };
    uint64_t all = 0;
    for (size_t i = n; i-- > 0;) { /* children stand behind their parents */
        t.total[i] += s->node.at[i].self_ns;
        if (s->node.at[i].parent == EZ_STACKS_TOP)
            all += t.total[i];
        else
            t.total[s->node.at[i].parent] += t.total[i];
    }
    for (size_t i = 0; i < n; i++) {
        uint32_t up = s->node.at[i].parent;
        bool up_kept = up == EZ_STACKS_TOP || t.place[up];
        if (up_kept && t.total[i] > all / 10000 && t.kept < MOST_FRAMES) {
            t.place[i] = (uint32_t)++t.kept;
            continue;
        }
        if (up_kept)
            t.small[up == EZ_STACKS_TOP ? n : up] += t.total[i];
        t.cut = true;
    }
    return t;
}

/* Three lists side by side; what was cut off becomes a frame [small] of its parent. */
static void put_flame_list(struct html *h, const struct twigs *t, const char *name, int which)
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

static void put_flame(struct html *h)
{
    struct twigs t = prune(&h->stacks);
    ez_outfile_puts(h->f, ",\n\"flame\":{\"pruned\":");
    ez_outfile_puts(h->f, t.cut ? "true" : "false");
    put_flame_list(h, &t, ",\"name\":[", 0);
    put_flame_list(h, &t, ",\n\"parent\":[", 1);
    put_flame_list(h, &t, ",\n\"self\":[", 2);
    ez_outfile_puts(h->f, "}}");
    free(t.total);
    free(t.place);
    free(t.small);
}

/* ---- the page -------------------------------------------------------------------------------- */

/* The page up to a mark; returns what follows it. */
static const char *until(struct html *h, const char *page, const char *mark)
{
    const char *at = strstr(page, mark);
    ez_outfile_write(h->f, page, (size_t)(at - page));
    return at + strlen(mark);
}

static ez_err *html_close(struct ez_sink *sink)
{
    struct html *h = (struct html *)sink;
    ez_timeline_finish(h->timeline);
    ez_stats_table(h->stats, EZ_SORT_TOTAL);
    const char *page = until(h, ez_page_html, "@STYLE@");
    ez_outfile_puts(h->f, ez_page_css);
    page = until(h, page, "@D3@");
    ez_outfile_puts(h->f, h->d3);
    page = until(h, page, "@DATA@");
    put_head(h);
    put_notes(h);
    put_names(h);
    put_threads(h);
    put_calls(h);
    put_rows(h);
    put_flame(h);
    page = until(h, page, "@SCRIPT@");
    ez_outfile_puts(h->f, ez_page_js);
    ez_outfile_puts(h->f, page);
    return ez_outfile_commit(h->f);
}

const struct ez_format ez_conv_html = {
    .name = "html",
    .suffix = ".html",
    .brief = "one page with timeline, table and flame graph (`report`)",
    .open = html_open,
    .item = html_item,
    .close = html_close,
    .destroy = html_destroy,
};
