/* SPDX-License-Identifier: GPL-3.0-or-later */
/* conv_html.c - `report`: one page with a timeline, a table and a flame graph.
 *
 * The page is complete: it contains style, script, d3 (read from the path that configure found),
 * and the data as JSON. So a browser shows it without a network. The data for the first picture has
 * a limit that does not depend on the length of the trace. It consists of slices of time for each
 * thread, the EZ_HTML_CALLS longest calls (EZ_HTML_WINDOW_CALLS if only a window is shown), the
 * number of calls in each slice, some point events and links (marks.h), and the tree of stacks
 * without its smallest branches. All calls follow these data, compressed (conv_html_chunks.h),
 * unless the calls need more than EZ_HTML_BYTES. All texts are written by ez_json_add_text(), whose
 * output cannot contain "</script>". The script inserts texts into the page only as text, never as
 * HTML. Times are JSON numbers of nanoseconds, exact up to 104 days.
 *
 * Tests: tests/trace/report.sh */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "engine/format/conv_html.h"
#include "engine/format/report/page.h"

enum { MAX_D3 = 16 << 20 };

/* ---- begin -------------------------------------------------------------------------- */

static ez_err *html_read_d3(char **text)
{
    struct stat st;
    EZ_CLOSE int fd = open(EZ_D3_JS, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &st) || st.st_size > MAX_D3)
        return ez_err_hint(ez_err_new(EZ_E_NOTFOUND, 0,
                                      "%s: d3, which draws the report, is not installed", EZ_D3_JS),
                           "Install node-d3 (Debian), or configure with --with-d3=FILE");
    EZ_FREE char *s = ez_alloc((size_t)st.st_size + 1);
    if (read(fd, s, (size_t)st.st_size) != st.st_size)
        return ez_err_new(EZ_E_SYS, errno, "%s: cannot read", EZ_D3_JS);
    if (strstr(s, "</script"))
        return ez_err_new(EZ_E_FORMAT, 0,
                          "%s: the file contains text that ends a script element, and cannot be "
                          "embedded in a page",
                          EZ_D3_JS);
    *text = s;
    s = NULL;
    return NULL;
}

static void html_destroy(struct ez_sink *sink)
{
    struct ez_html *h = (struct ez_html *)sink;
    ez_json_free(&h->json);
    ez_outfile_destroy(h->f);
    ez_chunks_free(h->chunks);
    ez_html_links_free(&h->links);
    ez_stats_free(h->stats);
    ez_timeline_free(h->timeline);
    ez_stacks_free(&h->stacks);
    ez_marks_free(&h->marks);
    EZ_VEC_FREE(&h->shortest.node);
    for (size_t i = 0; i < h->call.n; i++)
        free(h->call.at[i].values);
    EZ_VEC_FREE(&h->call);
    ez_conv_values_free(&h->values);
    EZ_VEC_FREE(&h->depth);
    EZ_VEC_FREE(&h->time);
    free(h->d3);
    free(h->compared);
    free(h);
}

static ez_err *html_open(const struct ez_format *f, const struct ez_model *m,
                         const struct ez_conv_out *out, struct ez_sink **sink)
{
    struct ez_outfile *file;
    char *d3 = NULL;
    EZ_TRY(html_read_d3(&d3));
    ez_err *e = ez_outfile_open(out->path, out->gzip, &file);
    if (e) {
        free(d3);
        return e;
    }
    struct ez_html *h = ez_alloc(sizeof *h);
    *h = (struct ez_html){
        .sink = { .format = f }, .m = m, .f = file, .json.compact = true, .d3 = d3
    };
    e = ez_chunks_open(m, out->most_bytes ? out->most_bytes : EZ_HTML_BYTES, &h->chunks);
    if (e) {
        html_destroy(&h->sink);
        return e;
    }
    h->compared = out->compared ? ez_strdup(out->compared) : NULL;
    ez_html_links_init(&h->links, m, out->most_bytes ? out->most_bytes : EZ_HTML_BYTES);
    h->from_ns = m->from_ns;
    uint64_t end = EZ_MAX(EZ_MIN(m->to_ns, m->sum ? m->sum->span_ns : 0), h->from_ns);
    h->to_ns = EZ_MAX(end, end + 1);
    bool window = m->from_ns || m->to_ns < UINT64_MAX;
    h->most_calls = window ? EZ_HTML_WINDOW_CALLS : EZ_HTML_CALLS;
    h->most_buffers = window ? EZ_HTML_WINDOW_TRACKS : EZ_HTML_TRACKS;
    h->stats = ez_stats_create(m, EZ_BY_FUNCTION | EZ_BY_LIBRARY, false);
    h->timeline = ez_timeline_create(m, h->from_ns, h->to_ns, EZ_HTML_SLICES);
    h->timeline->most_rows = EZ_HTML_THREADS;
    ez_stacks_init(&h->stacks, m, false);
    h->slices = h->timeline->slices;
    ez_marks_init(&h->marks, h->from_ns, h->to_ns, h->slices);
    *sink = &h->sink;
    return NULL;
}

/* ---- items ---------------------------------------------------------------------------- */

static struct ez_html_count *html_slice_of(struct ez_html *h, uint64_t ns)
{
    unsigned __int128 at = EZ_MAX(ns, h->from_ns) - h->from_ns;
    size_t i = (size_t)(at * h->slices / (h->to_ns - h->from_ns));
    return &h->in_slice[EZ_MIN(i, (size_t)h->slices - 1)];
}

static void html_count_call(struct ez_html *h, const struct ez_item *it)
{
    if (h->m->name.at[it->name].pause)
        return;
    h->calls++;
    html_slice_of(h, it->start_ns)->begun++;
    html_slice_of(h, it->ns)->ended++;
}

/* Counts a call. Keeps the call if there is room; replaces the shortest kept call if that one is
 * shorter. Does not keep calls whose depth is h->most_buffers or more. Takes ownership of
 * `values`. */
static void html_keep_call(struct ez_html *h, const struct ez_item *it, char *values)
{
    struct ez_html_call c = { .start_ns = it->start_ns,
                              .ns = it->ns - it->start_ns,
                              .container = it->container,
                              .name = it->name,
                              .depth = it->depth,
                              .mark = ez_chunks_mark(it),
                              .values = values };
    html_count_call(h, it);
    h->too_deep += it->depth >= h->most_buffers;
    if (it->depth >= h->most_buffers) {
        free(values);
        return;
    }
    if (h->call.n < h->most_calls) {
        ez_heap_push(&h->shortest, c.ns, (uint32_t)h->call.n);
        EZ_PUSH(&h->call, c);
    } else if (c.ns > h->shortest.node.at[0].key) {
        free(h->call.at[h->shortest.node.at[0].id].values);
        h->call.at[h->shortest.node.at[0].id] = c;
        h->shortest.node.at[0].key = c.ns;
        ez_heap_sink(&h->shortest);
    } else {
        free(values);
    }
}

/* Adds a state's self time to the times of its container. */
static void html_add_time(struct ez_html *h, const struct ez_item *it)
{
    const struct ez_html_time none = { 0, 0 };
    while (h->time.n <= it->container)
        EZ_PUSH(&h->time, none);
    if (h->m->name.at[it->name].pause)
        h->time.at[it->container].paused_ns += it->self_ns;
    else
        h->time.at[it->container].work_ns += it->self_ns;
}

static ez_err *html_item(void *sink, const struct ez_item *it)
{
    struct ez_html *h = sink;
    char *values = ez_conv_values(&h->values, it);
    ez_err *e = ez_chunks_item(h->chunks, it, it->kind == EZ_I_PUSH ? NULL : values);
    ez_html_links_item(&h->links, it);
    if (it->kind == EZ_I_POP) {
        html_keep_call(h, it, values);
        html_add_time(h, it);
    } else {
        free(values);
    }
    if (it->kind == EZ_I_PUSH) {
        while (h->depth.n <= it->container)
            EZ_PUSH(&h->depth, 0u);
        h->depth.at[it->container] = EZ_MAX(h->depth.at[it->container], it->depth + 1);
    }
    EZ_TRY(e);
    EZ_TRY(ez_stats_item(h->stats, it));
    EZ_TRY(ez_timeline_item(h->timeline, it));
    EZ_TRY(ez_marks_item(&h->marks, it));
    return ez_stacks_item(&h->stacks, it);
}

static void html_counted(void *sink, uint32_t process, uint32_t name, uint64_t calls)
{
    struct ez_html *h = sink;
    ez_stats_count(h->stats, process, name, calls);
}

/* ---- the page -------------------------------------------------------------------------------- */

/* Writes the page's text up to a mark, such as @DATA@. Returns the text after the mark. */
static const char *html_until(struct ez_html *h, const char *page, const char *mark)
{
    const char *at = strstr(page, mark);
    ez_outfile_write(h->f, page, (size_t)(at - page));
    return at + strlen(mark);
}

static ez_err *html_close(struct ez_sink *sink)
{
    struct ez_html *h = (struct ez_html *)sink;
    ez_timeline_finish(h->timeline);
    ez_marks_finish(&h->marks);
    ez_stats_table(h->stats, EZ_SORT_TOTAL);
    const char *page = html_until(h, ez_page_html, "@STYLE@");
    ez_outfile_puts(h->f, ez_page_css);
    page = html_until(h, page, "@D3@");
    ez_outfile_puts(h->f, h->d3);
    page = html_until(h, page, "@DATA@");
    ez_html_data(h);
    page = html_until(h, page, "@SCRIPT@");
    ez_outfile_puts(h->f, ez_page_scripts);
    page = html_until(h, page, "@CHUNKS@");
    EZ_TRY(ez_html_links_write(&h->links, h->f));
    EZ_TRY(ez_chunks_write(h->chunks, h->f));
    ez_outfile_puts(h->f, page);
    return ez_outfile_commit(h->f);
}

const struct ez_format ez_conv_html = {
    .name = "html",
    .suffix = ".html",
    .brief = "a page with timeline, table and flame graph (`report`)",
    .collected = true,
    .open = html_open,
    .item = html_item,
    .counted = html_counted,
    .close = html_close,
    .destroy = html_destroy,
};
