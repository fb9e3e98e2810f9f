/* SPDX-License-Identifier: GPL-3.0-or-later */
/* timeline.c - finds what each thread did, in equal slices of time (timeline.h). A row keeps the
 * times of names only for its current slice, because the time of a row never goes back. */
#include "engine/trace/timeline.h"

#include <string.h>

#include "engine/base/hash.h"

struct part {
    uint32_t name;
    uint64_t ns, paused_ns;
};

struct row {
    uint32_t *slice;
    bool *paused;
    bool left_out;
    unsigned at;    /* number of the current slice; `parts` is for this slice */
    uint64_t since; /* time in ns from which on the row has been in `top` */
    /* name or subject that the row shows now; EZ_NONE_IDX = the thread is in no state */
    uint32_t top;
    bool pausing; /* the thread is not running now */
    EZ_VEC(struct part) parts;
    struct ez_hash part_of; /* name -> index in parts; used if there are more than FEW parts */
};
#define FEW 8

struct timeline {
    struct ez_timeline pub; /* must be first */
    const struct ez_model *m;
    char *kind;             /* kind of the subjects that slices show; NULL: slices show names */
    EZ_VEC(struct row) row; /* index: container; slice is NULL before the first state */
    EZ_VEC(uint32_t) order; /* containers in the order of their first state */
    EZ_VEC(struct ez_timeline_name) name;
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
        free(t->row.at[i].paused);
        EZ_VEC_FREE(&t->row.at[i].parts);
        ez_hash_free(&t->row.at[i].part_of);
    }
    EZ_VEC_FREE(&t->row);
    EZ_VEC_FREE(&t->order);
    EZ_VEC_FREE(&t->name);
    EZ_VEC_FREE(&t->out);
    free(t->kind);
    free(t);
}

void ez_timeline_subjects(struct ez_timeline *t, const char *kind)
{
    ((struct timeline *)t)->kind = ez_strdup(kind);
}

/* Returns the time in ns at which slice i begins. Uses only integers, so that slices do not
 * overlap. */
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

/* Ends the row's current slice, and stores the name or subject with the longest time in it. */
static void timeline_settle(const struct timeline *t, struct row *r)
{
    struct part best = { EZ_NONE_IDX, 0, 0 };
    uint64_t sum = 0;
    for (size_t i = 0; i < r->parts.n; i++) {
        sum += r->parts.at[i].ns;
        if (r->parts.at[i].ns > best.ns)
            best = r->parts.at[i];
    }
    uint64_t idle = timeline_edge(t, r->at + 1) - timeline_edge(t, r->at) - sum;
    if (best.ns)
        r->slice[r->at] = best.ns >= idle ? best.name : EZ_PART_IDX;
    r->paused[r->at] = best.ns >= idle && best.paused_ns > best.ns / 2;
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
    const struct ez_timeline_name fresh = { 0, 0 };
    uint64_t paused = r->pausing ? ns : 0;
    while (t->name.n <= name)
        EZ_PUSH(&t->name, fresh);
    t->name.at[name].ns += ns;
    t->name.at[name].paused_ns += paused;
    size_t i = part_of(r, name);
    struct part p = { name, 0, 0 };
    if (i == r->parts.n)
        EZ_PUSH(&r->parts, p);
    r->parts.at[i].ns += ns;
    r->parts.at[i].paused_ns += paused;
}

/* Adds the time from r->since to `now`, in which the row showed r->top. */
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

/* Returns the row of a container, and makes it if it is new. Returns NULL if the row is new and
 * there are most_rows rows already. */
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
        r->paused = ez_alloc(t->pub.slices * sizeof *r->paused);
        EZ_PUSH(&t->order, container);
    }
    return r;
}

static bool timeline_is_subject(const struct timeline *t, uint32_t subject)
{
    return subject != EZ_NONE_IDX && !strcmp(t->m->subject.at[subject].kind, t->kind);
}

/* Sets r->top and r->pausing for a thread whose stack consists of its outer `depth` states: the
 * innermost call, and whether it is paused; or the innermost subject of the requested kind. During
 * a pause that eztsh caused, r->top is EZ_NONE_IDX. */
static void timeline_look(const struct timeline *t, struct row *r, uint32_t container,
                          uint32_t depth)
{
    const struct ez_call_frame *f = NULL;
    r->top = EZ_NONE_IDX;
    r->pausing = false;
    for (; depth; depth--) {
        f = ez_model_frame(t->m, container, depth - 1);
        enum ez_pause_kind pause = t->m->name.at[f->name].pause;
        r->pausing |= pause == EZ_P_WITHIN;
        if (pause == EZ_P_OURS)
            return;
        if (t->kind ? timeline_is_subject(t, f->subject) : pause != EZ_P_WITHIN)
            break;
    }
    if (depth)
        r->top = t->kind ? f->subject : f->name;
}

ez_err *ez_timeline_item(void *timeline, const struct ez_item *it)
{
    struct timeline *t = timeline;
    if (it->kind != EZ_I_PUSH && it->kind != EZ_I_POP)
        return NULL;
    if (t->kind && !timeline_is_subject(t, it->subject) && !t->m->name.at[it->name].pause)
        return NULL; /* this state does not change the subject that the row shows */
    if (t->kind && it->kind == EZ_I_POP && it->late)
        return NULL;
    bool has_row = it->container < t->row.n && t->row.at[it->container].slice;
    if (t->kind && t->m->name.at[it->name].pause && !has_row)
        return NULL; /* the thread has not had a subject yet */
    struct row *r = timeline_row_of(t, it->container);
    if (!r)
        return NULL;
    timeline_spend(t, r, it->ns);
    timeline_look(t, r, it->container, it->depth + (it->kind == EZ_I_PUSH));
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
    /* if slices show names, threads without a state in this period have rows, too */
    for (uint32_t i = 0; !t->kind && i < t->m->container.n; i++)
        if (t->m->container.at[i].used && !t->m->container.at[i].hidden)
            timeline_row_of(t, i);
    for (size_t i = 0; i < t->order.n; i++) {
        struct row *r = &t->row.at[t->order.at[i]];
        struct ez_timeline_row out = { t->order.at[i], r->slice, r->paused,
                                       ez_model_place(t->m, t->order.at[i]) };
        timeline_settle(t, r);
        EZ_PUSH(&t->out, out);
    }
    if (t->out.n)
        qsort(t->out.at, t->out.n, sizeof *t->out.at, timeline_by_place);
    t->pub.row = t->out.at;
    t->pub.n = t->out.n;
    t->pub.name = t->name.at;
    t->pub.names = t->name.n;
}
