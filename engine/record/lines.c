/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lines.c - lines of text that probes print (`dprintf`). The target recorded the values. This file
 * fills them into the format, in the order of time across threads. While the target runs, an event
 * becomes a line when all earlier events should have arrived (drain_lines.c).
 *
 * Text that does not end with a newline waits until a newline comes, or until the target stops.
 * Tests: tests/procs/dprintf.sh */
#include "engine/target.h"

#include <stdlib.h>
#include <string.h>

#include "engine/record/format.h"
#include "engine/record/fxt_out.h"
#include "engine/inferior/queue.h"

void ez_lines_define(struct ez_target *t, uint32_t id, const char *print)
{
    struct ez_line_format f = { .parsed = false };
    const char *end;
    if (!ez_err_drop(ez_format_unquote(print, &f.format, &end)))
        return; /* not reached: the text was checked when the probe was made */
    ez_hash_put(&t->tracing.lines.by_id, id, t->tracing.lines.format.n);
    EZ_PUSH(&t->tracing.lines.format, f);
    ez_drain_prints(t->tracing.drain, id);
}

/* Returns the format of events of `code`, or NULL. Parses the items when the first event arrives,
 * because they are defined after the format. */
static const struct ez_line_format *lines_format(struct ez_target *t, uint64_t code)
{
    struct ez_lines *l = &t->tracing.lines;
    size_t i;
    if (!ez_hash_get(&l->by_id, (code - EZ_C_PROBE) / 2, &i))
        return NULL;
    struct ez_line_format *f = &l->format.at[i];
    const char *text = f->parsed ? NULL : ez_drain_items(t->tracing.drain, code);
    if (text)
        ez_items_parse(text, &f->items);
    f->parsed = true;
    return f;
}

static void lines_post(struct ez_target *t, char *text)
{
    ez_post(t, (struct ez_event){ .kind = EZ_EV_LINE, .text = text });
}

/* Adds text to the incomplete line, and posts complete lines. */
static void lines_add(struct ez_target *t, const char *text)
{
    struct ez_lines *l = &t->tracing.lines;
    const char *end = strrchr(text, '\n');
    char *was = l->partial;
    if (!end) {
        l->partial = ez_sprintf("%s%s", was ? was : "", text);
    } else {
        lines_post(t, ez_sprintf("%s%.*s", was ? was : "", (int)(end - text), text));
        l->partial = end[1] ? ez_strdup(end + 1) : NULL;
    }
    free(was);
}

static void lines_notify(struct ez_target *t, const uint64_t *event)
{
    const struct ez_line_format *f = lines_format(t, event[2] >> 8);
    if (!f) {
        ez_frames_add(t, event);
        return;
    }
    EZ_FREE char *line =
        ez_format_fill(f->format, &f->items, event + 3, (unsigned)(event[2] & 0xff) - 1);
    lines_add(t, line);
}

static int lines_by_time(const void *pa, const void *pb)
{
    const uint64_t *a = *(const uint64_t *const *)pa, *b = *(const uint64_t *const *)pb;
    if (a[0] != b[0])
        return a[0] < b[0] ? -1 : 1;
    return a < b ? -1 : a > b; /* events of one thread keep their order */
}

/* Posts the lines of the events before `tick`, and keeps the other events in *w. */
static void lines_before(struct ez_target *t, struct ez_drain_lines *w, uint64_t tick)
{
    EZ_VEC(const uint64_t *) due = { 0 };
    struct ez_drain_lines rest = { .at = NULL };
    for (size_t i = 0; i < w->n; i += ez_fxt_words(w->at + i)) {
        if (w->at[i] < tick)
            EZ_PUSH(&due, w->at + i);
        else
            EZ_APPEND(&rest, w->at + i, ez_fxt_words(w->at + i));
    }
    if (due.n)
        qsort(due.at, due.n, sizeof *due.at, lines_by_time);
    for (size_t i = 0; i < due.n; i++)
        lines_notify(t, due.at[i]);
    EZ_VEC_FREE(&due);
    free(w->at);
    *w = rest;
}

void ez_lines_seen(struct ez_target *t, bool all)
{
    struct ez_lines *l = &t->tracing.lines;
    if (!t->tracing.drain || (!l->format.n && !t->tracing.frames.def.n))
        return;
    if (all)
        ez_drain_flush(t->tracing.drain);
    uint64_t ready = ez_drain_lines(t->tracing.drain, &l->word), lost = l->word.lost;
    lines_before(t, &l->word, all ? UINT64_MAX : ready);
    l->word.lost = 0;
    t->tracing.frames.lost += lost;
    if (lost && l->format.n)
        ez_post_note(t,
                     "%llu lines are left out, because the program made them faster than eztsh "
                     "prints; the trace has them.",
                     (unsigned long long)lost);
    if (all && l->partial)
        lines_add(t, "\n");
}

void ez_lines_forget(struct ez_target *t)
{
    struct ez_lines *l = &t->tracing.lines;
    for (size_t i = 0; i < l->format.n; i++) {
        free(l->format.at[i].format);
        ez_items_free(&l->format.at[i].items);
    }
    EZ_VEC_FREE(&l->format);
    ez_hash_free(&l->by_id);
    EZ_VEC_FREE(&l->word);
    free(l->partial);
    *l = (struct ez_lines){ .partial = NULL };
}
