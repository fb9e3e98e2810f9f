/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slowest.c - the slowest single calls of a trace (slowest.h).
 *
 * Collected values are converted to text only for a call that is kept. For an open call, the words
 * of the values are stored. */
#include "engine/trace/slowest.h"

#include <string.h>

#include "engine/base/best.h"

struct frame { /* an open state */
    uint64_t start_ns;
    uint32_t name;
    bool open; /* false: this file did not get the state's PUSH */
    uint32_t below;
    uint64_t below_ns;
    struct ez_event_data data; /* values of the entry; items is NULL if there are none */
    EZ_VEC(uint64_t) word;
};

struct frames { /* frames of a container, by depth */
    EZ_VEC(struct frame) at;
};

struct slowest {
    struct ez_slowest pub; /* must be first */
    const struct ez_model *m;
    size_t most;
    EZ_VEC(struct ez_slow_call) call;
    EZ_VEC(struct frames) of; /* index: container */
};

struct ez_slowest *ez_slowest_create(const struct ez_model *m, size_t most)
{
    struct slowest *s = ez_alloc(sizeof *s);
    s->m = m;
    s->most = EZ_MAX(most, (size_t)1);
    return &s->pub;
}

void ez_slowest_free(struct ez_slowest *slowest)
{
    struct slowest *s = (struct slowest *)slowest;
    if (!s)
        return;
    for (size_t i = 0; i < s->call.n; i++) {
        free(s->call.at[i].arguments);
        free(s->call.at[i].result);
    }
    for (size_t i = 0; i < s->of.n; i++) {
        for (size_t k = 0; k < s->of.at[i].at.n; k++)
            EZ_VEC_FREE(&s->of.at[i].at.at[k].word);
        EZ_VEC_FREE(&s->of.at[i].at);
    }
    EZ_VEC_FREE(&s->of);
    EZ_VEC_FREE(&s->call);
    free(s);
}

/* ---- calls to keep --------------------------------------------------------------------------- */

/* Orders calls: slower calls first, then earlier calls, then calls of the container that was
 * defined first, then outer calls. */
static int slowest_compare(const void *a, const void *b)
{
    const struct ez_slow_call *x = a, *y = b;
    if (x->ns != y->ns)
        return x->ns > y->ns ? -1 : 1;
    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns ? -1 : 1;
    if (x->container != y->container)
        return x->container < y->container ? -1 : 1;
    return x->depth < y->depth ? -1 : x->depth > y->depth;
}

static void slowest_keep(struct slowest *s, const struct ez_item *it, const struct frame *f,
                         struct ez_slow_call *call)
{
    if (f && f->data.items) {
        struct ez_event_data data = f->data;
        data.word = f->word.at;
        call->arguments = ez_event_data_text(&data);
    }
    call->result = ez_event_data_text(it->data);
    if (s->call.n < s->most) {
        EZ_PUSH(&s->call, *call);
        ez_best_up(s->call.at, s->call.n, sizeof *s->call.at, slowest_compare);
        return;
    }
    free(s->call.at[0].arguments);
    free(s->call.at[0].result);
    s->call.at[0] = *call;
    ez_best_down(s->call.at, s->call.n, sizeof *s->call.at, slowest_compare);
}

/* ---- items ---------------------------------------------------------------------------------- */

static struct frame *slowest_frame(struct slowest *s, uint32_t container, uint32_t depth)
{
    while (s->of.n <= container) {
        struct frames none = { { NULL, 0, 0 } };
        EZ_PUSH(&s->of, none);
    }
    struct frames *of = &s->of.at[container];
    while (of->at.n <= depth) {
        struct frame none = { .open = false };
        EZ_PUSH(&of->at, none);
    }
    return &of->at.at[depth];
}

static void slowest_push(struct slowest *s, const struct ez_item *it)
{
    struct frame *f = slowest_frame(s, it->container, it->depth);
    f->start_ns = it->ns;
    f->name = it->name;
    f->open = true;
    f->below = EZ_NONE_IDX;
    f->below_ns = 0;
    f->data.items = NULL;
    f->word.n = 0;
    if (it->data) {
        f->data = *it->data;
        EZ_APPEND(&f->word, it->data->word, it->data->n);
    }
}

static void slowest_cut(struct slowest *s, const struct ez_item *it)
{
    s->pub.cut++;
    if (it->spent_ns >= s->pub.cut_ns) {
        s->pub.cut_ns = it->spent_ns;
        s->pub.cut_longest = it->name;
    }
}

/* call.caller is the state around the call, even if a filter hides that state. The model has
 * removed the call itself from c->stack. */
static void slowest_call(struct slowest *s, const struct ez_item *it, const struct frame *f)
{
    const struct ez_container *c = &s->m->container.at[it->container];
    struct ez_slow_call call = { .start_ns = it->start_ns,
                                 .ns = it->spent_ns,
                                 .self_ns = it->self_ns,
                                 .container = it->container,
                                 .name = it->name,
                                 .depth = it->depth,
                                 .caller = EZ_NONE_IDX,
                                 .below = f ? f->below : EZ_NONE_IDX,
                                 .below_ns = f ? f->below_ns : 0,
                                 .unwound = it->end == EZ_END_UNWOUND };
    if (s->call.n == s->most && slowest_compare(&call, &s->call.at[0]) > 0)
        return;
    if (c->stack.n)
        call.caller = c->stack.at[c->stack.n - 1].name;
    slowest_keep(s, it, f, &call);
}

/* If a filter left out the PUSH of a state, the state has no frame: its values and the states
 * inside it are unknown. */
static void slowest_pop(struct slowest *s, const struct ez_item *it)
{
    enum ez_pause_kind pause = s->m->name.at[it->name].pause;
    struct frame *f = slowest_frame(s, it->container, it->depth);
    bool known = f->open && f->name == it->name && f->start_ns == it->start_ns;
    if (!pause && (it->cut || it->end == EZ_END_UNKNOWN))
        slowest_cut(s, it);
    else if (!pause)
        slowest_call(s, it, known ? f : NULL);
    f->open = false;
    if (!it->depth || (pause && pause != EZ_P_WITHIN))
        return;
    f = slowest_frame(s, it->container, it->depth - 1);
    if (f->open && it->spent_ns > f->below_ns) {
        f->below = it->name;
        f->below_ns = it->spent_ns;
    }
}

ez_err *ez_slowest_item(void *slowest, const struct ez_item *it)
{
    if (it->kind == EZ_I_PUSH)
        slowest_push(slowest, it);
    else if (it->kind == EZ_I_POP)
        slowest_pop(slowest, it);
    return NULL;
}

void ez_slowest_sort(struct ez_slowest *slowest)
{
    struct slowest *s = (struct slowest *)slowest;
    if (s->call.n)
        qsort(s->call.at, s->call.n, sizeof *s->call.at, slowest_compare);
    slowest->call = s->call.at;
    slowest->n = s->call.n;
}
