/* SPDX-License-Identifier: GPL-3.0-or-later */
/* timeline.c - what each thread did, in equal slices of time (timeline.h). A row needs the shares
 * of its current slice only, because the time of a row never goes back. */
#include "engine/trace/timeline.h"

#include <string.h>

#include "engine/base/hash.h"

struct part {
    uint32_t name;
    uint64_t ns;
};

struct row {
    uint32_t *slice;
    bool left_out;
    unsigned at;    /* number of the current slice, to which `parts` belongs */
    uint64_t since; /* since when `top` is the innermost state, ns */
    uint32_t top;   /* what the row shows now: a name or a subject; EZ_NONE_IDX = in no state */
    EZ_VEC(struct part) parts;
    struct ez_hash part_of; /* name -> index in parts, once there are more than FEW */
};
#define FEW 8

struct timeline {
    struct ez_timeline pub; /* must be first */
    const struct ez_model *m;
    char *kind;             /* kind of the subjects; NULL for names */
    EZ_VEC(struct row) row; /* index: container; slice is NULL before the first state */
    EZ_VEC(uint32_t) order; /* containers in the order of their first state */
    EZ_VEC(uint64_t) name_ns;
    EZ_VEC(struct ez_timeline_row) out;
};

struct ez_timeline *ez_timeline_create(const struct ez_model *m, uint64_t from, uint64_t to,
                                       unsigned slices)
{
    struct timeline *t = ez_alloc(sizeof *t);
    t->m = m;
    t->pub.from_ns = from;
    t->pub.to_ns = EZ_MAX(to, from + 1);
    t->pub.slices = (unsigned)EZ_MIN(EZ_MAX(slices, 1u), t->pub.to_ns - from);
    t->pub.most_rows = SIZE_MAX;
    return &t->pub;
}

void ez_timeline_free(struct ez_timeline *timeline)
{
    struct timeline *t = (struct timeline *)timeline;
    if (!t)
        return;
    for (size_t i = 0; i < t->row.n; i++) {
        free(t->row.at[i].slice);
        EZ_VEC_FREE(&t->row.at[i].parts);
        ez_hash_free(&t->row.at[i].part_of);
    }
    EZ_VEC_FREE(&t->row);
    EZ_VEC_FREE(&t->order);
    EZ_VEC_FREE(&t->name_ns);
    EZ_VEC_FREE(&t->out);
    free(t->kind);
    free(t);
}

void ez_timeline_subjects(struct ez_timeline *t, const char *kind)
{
    ((struct timeline *)t)->kind = ez_strdup(kind);
}

/* Returns the time at which slice i begins, in ns. Uses integers, so that slices do not overlap. */
static uint64_t timeline_edge(const struct timeline *t, unsigned i)
{
    unsigned __int128 span = t->pub.to_ns - t->pub.from_ns;
    return t->pub.from_ns + (uint64_t)(span * i / t->pub.slices);
}

static unsigned timeline_slice_at(const struct timeline *t, uint64_t ns)
{
    unsigned __int128 off = ns - t->pub.from_ns;
    unsigned i = (unsigned)(off * t->pub.slices / (t->pub.to_ns - t->pub.from_ns));
    i = EZ_MIN(i, t->pub.slices - 1);
    while (i + 1 < t->pub.slices && ns >= timeline_edge(t, i + 1)) /* i may be rounded down */
        i++;
    return i;
}

/* Ends the row's current slice, which gets the name or subject with the largest share. */
static void timeline_settle(const struct timeline *t, struct row *r)
{
    struct part best = { EZ_NONE_IDX, 0 };
    uint64_t sum = 0;
    for (size_t i = 0; i < r->parts.n; i++) {
        sum += r->parts.at[i].ns;
        if (r->parts.at[i].ns > best.ns)
            best = r->parts.at[i];
    }
    uint64_t idle = timeline_edge(t, r->at + 1) - timeline_edge(t, r->at) - sum;
    if (best.ns)
        r->slice[r->at] = best.ns >= idle ? best.name : EZ_PART_IDX;
    r->parts.n = 0;
    ez_hash_free(&r->part_of);
}

static size_t part_of(struct row *r, uint32_t name)
{
    size_t i = 0;
    if (r->parts.n > FEW) {
        for (; !r->part_of.n && i < r->parts.n; i++)
            ez_hash_put(&r->part_of, r->parts.at[i].name, i);
        return ez_hash_put(&r->part_of, name, r->parts.n);
    }
    while (i < r->parts.n && r->parts.at[i].name != name)
        i++;
    return i;
}

static void timeline_add(struct timeline *t, struct row *r, unsigned slice, uint32_t name,
                         uint64_t ns)
{
    if (slice != r->at) {
        timeline_settle(t, r);
        r->at = slice;
    }
    while (t->name_ns.n <= name)
        EZ_PUSH(&t->name_ns, (uint64_t)0);
    t->name_ns.at[name] += ns;
    size_t i = part_of(r, name);
    struct part p = { name, 0 };
    if (i == r->parts.n)
        EZ_PUSH(&r->parts, p);
    r->parts.at[i].ns += ns;
}

/* Adds the time from r->since until now, in which r->top was the innermost state. */
static void timeline_spend(struct timeline *t, struct row *r, uint64_t now)
{
    uint64_t from = EZ_MAX(r->since, t->pub.from_ns), to = EZ_MIN(now, t->pub.to_ns);
    r->since = now;
    if (r->top == EZ_NONE_IDX || from >= to)
        return;
    for (unsigned i = timeline_slice_at(t, from); from < to; i++) {
        uint64_t end = EZ_MIN(timeline_edge(t, i + 1), to);
        if (end > from)
            timeline_add(t, r, i, r->top, end - from);
        from = EZ_MAX(from, end);
    }
}

/* Returns the row of a container, or NULL if there are most_rows already. */
static struct row *timeline_row_of(struct timeline *t, uint32_t container)
{
    while (t->row.n <= container) {
        struct row r = { .top = EZ_NONE_IDX };
        EZ_PUSH(&t->row, r);
    }
    struct row *r = &t->row.at[container];
    if (!r->slice && t->order.n >= t->pub.most_rows) {
        t->pub.left_out += !r->left_out;
        r->left_out = true;
        return NULL;
    }
    if (!r->slice) {
        r->slice = ez_alloc(t->pub.slices * sizeof *r->slice);
        memset(r->slice, 0xff, t->pub.slices * sizeof *r->slice);
        EZ_PUSH(&t->order, container);
    }
    return r;
}

static bool timeline_is_subject(const struct timeline *t, uint32_t subject)
{
    return subject != EZ_NONE_IDX && !strcmp(t->m->subject.at[subject].kind, t->kind);
}

/* Returns `name`, or EZ_NONE_IDX if it is a pause that eztsh caused: that counts as no state. */
static uint32_t timeline_name(const struct timeline *t, uint32_t name)
{
    return t->m->name.at[name].pause == EZ_P_OURS ? EZ_NONE_IDX : name;
}

/* Returns what a row shows if the thread is in the outer `depth` states of its stack: the name of
 * the innermost of these states, or the innermost subject of the requested kind. */
static uint32_t timeline_top(const struct timeline *t, const struct ez_container *c, uint32_t depth)
{
    if (!t->kind)
        return depth ? timeline_name(t, c->stack.at[depth - 1].name) : EZ_NONE_IDX;
    while (depth && !timeline_is_subject(t, c->stack.at[depth - 1].subject))
        depth--;
    return depth ? c->stack.at[depth - 1].subject : EZ_NONE_IDX;
}

ez_err *ez_timeline_item(void *timeline, const struct ez_item *it)
{
    struct timeline *t = timeline;
    if (it->kind != EZ_I_PUSH && it->kind != EZ_I_POP)
        return NULL;
    if (t->kind && (!timeline_is_subject(t, it->subject) || (it->kind == EZ_I_POP && it->late)))
        return NULL; /* this state does not change the subject that the row shows */
    struct row *r = timeline_row_of(t, it->container);
    if (!r)
        return NULL;
    const struct ez_container *c = &t->m->container.at[it->container];
    timeline_spend(t, r, it->ns);
    if (it->kind == EZ_I_PUSH)
        r->top = t->kind ? it->subject : timeline_name(t, it->name);
    else
        r->top = timeline_top(t, c, it->depth);
    return NULL;
}

static int timeline_by_place(const void *a, const void *b)
{
    const struct ez_timeline_row *x = a, *y = b;
    return x->place < y->place ? -1 : x->place > y->place;
}

void ez_timeline_finish(struct ez_timeline *timeline)
{
    struct timeline *t = (struct timeline *)timeline;
    for (size_t i = 0; i < t->order.n; i++) {
        struct row *r = &t->row.at[t->order.at[i]];
        struct ez_timeline_row out = { t->order.at[i], r->slice,
                                       ez_model_place(t->m, t->order.at[i]) };
        timeline_settle(t, r);
        EZ_PUSH(&t->out, out);
    }
    if (t->out.n)
        qsort(t->out.at, t->out.n, sizeof *t->out.at, timeline_by_place);
    t->pub.row = t->out.at;
    t->pub.n = t->out.n;
    t->pub.name_ns = t->name_ns.at;
    t->pub.names = t->name_ns.n;
}
