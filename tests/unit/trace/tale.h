/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tale.h - all that a reader of a trace gets, as text, for tests that compare two ways of reading
 * (check_index.c, check_by_thread.c). */
#ifndef TALE_H
#define TALE_H

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "engine/trace/replay.h"

struct tale {
    const struct ez_model *m;
    FILE *f;
};

static inline void tell_numbers(FILE *f, const uint64_t *v, size_t n)
{
    for (size_t i = 0; i < n; i++)
        fprintf(f, " %" PRIx64, v[i]);
}

static inline ez_err *tell(void *arg, const struct ez_item *it)
{
    struct tale *s = arg;
    const bool ends = it->kind == EZ_I_POP;
    fprintf(s->f, "%" PRIu64 " %d %u %d %u %d %d", it->ns, it->kind, it->container, (int)it->name,
            it->depth, it->recursive, it->kind == EZ_I_LINK_END ? 0 : (int)it->subject);
    if (it->data)
        tell_numbers(s->f, it->data->word, it->data->n);
    if (ends)
        fprintf(s->f, " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %d %d %d", it->start_ns,
                it->spent_ns, it->self_ns, it->about_ns, it->end, it->late, it->cut);
    else if (it->kind == EZ_I_VAR)
        fprintf(s->f, " %g %g %d %u", it->value, it->delta, it->set, it->thread);
    else if (it->kind == EZ_I_LINK_START || it->kind == EZ_I_LINK_END)
        fprintf(s->f, " %" PRIu64 " %u", it->key, it->peer);
    if (it->kind == EZ_I_EVENT || it->kind == EZ_I_SAMPLE || it->kind == EZ_I_LINK_START)
        tell_numbers(s->f, it->arg, it->narg);
    fputc('\n', s->f);
    return NULL;
}

static inline void tell_model(FILE *f, const struct ez_model *m)
{
    for (size_t i = 0; i < m->container.n; i++) {
        const struct ez_container *c = &m->container.at[i];
        fprintf(f, "%s %" PRIu64 " %d %d %d %" PRIu64 "\n", c->name, c->tid, c->emitted, c->hidden,
                c->used, c->active.any ? c->active.last_ns - c->active.first_ns : 0);
    }
    for (size_t i = 0; i < m->name.n; i++)
        fprintf(f, "%s %s %d\n", m->name.at[i].text, m->name.at[i].group, m->name.at[i].kind);
    for (size_t i = 0; i < m->subject.n; i++)
        fprintf(f, "%s %s\n", m->subject.at[i].kind, m->subject.at[i].text);
    for (size_t i = 0; i < m->line.n; i++)
        fprintf(f, "%s\n", m->line.at[i]);
}

static inline void tell_sum(FILE *f, const struct ez_trace_sum *s)
{
    const struct ez_model_count *c = &s->count;
    tell_numbers(f, (const uint64_t *)c, sizeof *c / sizeof(uint64_t));
    fprintf(f, "\n%" PRIu64 " %" PRIu64 " %" PRIu64 " %d %d %" PRIu64 " %" PRIu64 "\n%s\n%s\n",
            s->events, s->span_ns, s->late, s->part, s->by_filter, s->shown.calls, s->shown.shown,
            ez_text(s->interps), ez_text(s->damage));
}

/* Reads the trace, and tells all of it. */
static inline ez_err *tell_all(FILE *f, struct ez_replay *r)
{
    struct tale s = { ez_replay_model(r), f };
    ez_err *e = ez_replay_run(r, tell, &s, NULL);
    tell_model(f, ez_replay_model(r));
    tell_sum(f, ez_replay_sum(r));
    return e;
}

/* Fails, with the texts from a little before the first difference, unless both are equal. */
static inline void tales_equal(const char *a, const char *way_a, const char *b, const char *way_b,
                               const struct ez_trace_part *part)
{
    size_t i = 0;
    if (!strcmp(a, b))
        return;
    while (a[i] == b[i])
        i++;
    i -= EZ_MIN(i, 200);
    ck_abort_msg("from %" PRIu64 " to %" PRIu64 ", %s:\n%.400s\n%s:\n%.400s", part->from_ns,
                 part->to_ns, way_a, a + i, way_b, b + i);
}

#endif
