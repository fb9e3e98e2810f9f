/* SPDX-License-Identifier: GPL-3.0-or-later */
/* samples.c - makes a table of the counters that modules sample in calls (samples.h). */
#include "engine/trace/samples.h"

#include <string.h>

#include "engine/base/hash.h"

/* maximum number of counters in a sample: the maximum number of words in an event */
#define MOST 32

struct call { /* an open call that has a sample */
    uint32_t depth;
    bool ended;
    unsigned n;
    uint64_t first[MOST], last[MOST];
};
typedef EZ_VEC(struct call) calls;

struct acc {
    uint32_t name;
    struct ez_words words;
    struct ez_sample_row row[MOST];
};

struct ez_samples_priv {
    struct ez_samples pub; /* must be first */
    const struct ez_model *m;
    EZ_VEC(calls) open;   /* index: container; the open calls of the thread that have a sample */
    struct ez_hash names; /* name of a function -> index in `acc` */
    EZ_VEC(struct acc) acc;
    EZ_VEC(struct ez_sample_row) table;
};

struct ez_samples *ez_samples_create(const struct ez_model *m)
{
    struct ez_samples_priv *s = ez_alloc(sizeof *s);
    s->m = m;
    return &s->pub;
}

void ez_samples_free(struct ez_samples *samples)
{
    struct ez_samples_priv *s = (struct ez_samples_priv *)samples;
    if (!s)
        return;
    for (size_t i = 0; i < s->open.n; i++)
        EZ_VEC_FREE(&s->open.at[i]);
    EZ_VEC_FREE(&s->open);
    EZ_VEC_FREE(&s->acc);
    EZ_VEC_FREE(&s->table);
    ez_hash_free(&s->names);
    free(s);
}

/* Returns the depth (1 = outermost) of the thread's innermost state that is not a pause, or 0 if
 * there is no such state. */
static uint32_t samples_depth(const struct ez_samples_priv *s, uint32_t container)
{
    uint32_t i = ez_model_depth(s->m, container);
    while (i > 0 && s->m->name.at[ez_model_frame(s->m, container, i - 1)->name].pause)
        i--;
    return i;
}

static void samples_add(struct ez_samples_priv *s, const struct ez_item *it)
{
    uint32_t depth = samples_depth(s, it->container);
    const calls none = { 0 };
    struct call fresh = { .depth = depth, .n = EZ_MIN(it->narg, (unsigned)MOST) };
    if (!depth)
        return;
    while (s->open.n <= it->container)
        EZ_PUSH(&s->open, none);
    calls *open = &s->open.at[it->container];
    struct call *top = open->n ? &open->at[open->n - 1] : NULL;
    if (top && top->depth == depth && top->n == fresh.n) {
        memcpy(top->last, it->arg, fresh.n * sizeof *it->arg);
        top->ended = true;
        return;
    }
    memcpy(fresh.first, it->arg, fresh.n * sizeof *it->arg);
    EZ_PUSH(open, fresh);
    uint32_t name = ez_model_frame(s->m, it->container, depth - 1)->name;
    size_t i = ez_hash_put(&s->names, name, s->acc.n);
    if (i == s->acc.n) {
        struct acc a = { .name = name, .words = *it->words };
        EZ_PUSH(&s->acc, a);
    }
}

static void samples_end(struct ez_samples_priv *s, uint32_t name, const struct call *c)
{
    size_t i;
    if (!c->ended || !ez_hash_get(&s->names, name, &i))
        return;
    for (unsigned k = 0; k < c->n && k < s->acc.at[i].words.n; k++) {
        struct ez_sample_row *r = &s->acc.at[i].row[k];
        uint64_t used = c->last[k] - EZ_MIN(c->first[k], c->last[k]);
        r->min = r->calls ? EZ_MIN(r->min, used) : used;
        r->max = EZ_MAX(r->max, used);
        r->total += used;
        r->calls++;
    }
}

ez_err *ez_samples_item(void *samples, const struct ez_item *it)
{
    struct ez_samples_priv *s = samples;
    if (it->kind == EZ_I_SAMPLE)
        samples_add(s, it);
    if (it->kind != EZ_I_POP || it->container >= s->open.n)
        return NULL;
    calls *open = &s->open.at[it->container];
    if (open->n && open->at[open->n - 1].depth == it->depth + 1 && !s->m->name.at[it->name].pause)
        samples_end(s, it->name, &open->at[--open->n]);
    return NULL;
}

void ez_samples_table(struct ez_samples *samples)
{
    struct ez_samples_priv *s = (struct ez_samples_priv *)samples;
    s->table.n = 0;
    for (size_t i = 0; i < s->acc.n; i++)
        for (unsigned k = 0; k < s->acc.at[i].words.n; k++) {
            struct ez_sample_row r = s->acc.at[i].row[k];
            r.function = s->m->name.at[s->acc.at[i].name].text;
            r.module = s->m->name.at[s->acc.at[i].name].group;
            r.counter = s->acc.at[i].words.word[k].name;
            EZ_PUSH(&s->table, r);
        }
    samples->row = s->table.at;
    samples->n = s->table.n;
}
