/* SPDX-License-Identifier: GPL-3.0-or-later */
/* marks.c - collects point events, links and variables for pictures (marks.h). */
#include "engine/trace/marks.h"

void ez_marks_init(struct ez_marks *k, uint64_t from, uint64_t to, unsigned slices)
{
    *k = (struct ez_marks){ .from_ns = from, .span_ns = EZ_MAX(to, from + 1) - from };
    k->slices = slices;
    k->points.stride = k->links.stride = 1;
}

void ez_marks_free(struct ez_marks *k)
{
    for (size_t i = 0; i < k->var.n; i++)
        free(k->var.at[i].slice);
    for (size_t i = 0; i < k->point.n; i++)
        free(k->point.at[i].values);
    EZ_VEC_FREE(&k->point);
    EZ_VEC_FREE(&k->link);
    EZ_VEC_FREE(&k->open);
    EZ_VEC_FREE(&k->var);
    EZ_VEC_FREE(&k->free_links);
    ez_hash_free(&k->by_key);
    ez_hash_free(&k->by_var);
}

/* Counts a mark, and returns true if the caller must keep it. kept: number of marks kept so far.
 * Sets *full if EZ_MARKS_MOST marks are kept: the caller must first remove every second mark. */
static bool marks_turn(struct ez_marks_few *few, size_t kept, bool *full)
{
    bool turn = !(few->all++ % few->stride);
    *full = turn && kept == EZ_MARKS_MOST;
    if (*full)
        few->stride *= 2;
    return turn;
}

static void marks_point(struct ez_marks *k, const struct ez_item *it)
{
    bool full;
    if (!marks_turn(&k->points, k->point.n, &full))
        return;
    for (size_t i = 0; full && i < EZ_MARKS_MOST; i += 2) {
        free(k->point.at[i + 1].values);
        k->point.at[i / 2] = k->point.at[i];
    }
    k->point.n = full ? EZ_MARKS_MOST / 2 : k->point.n;
    EZ_PUSH(&k->point, ((struct ez_marks_point){ it->ns, it->container, it->name,
                                                 ez_event_data_text(it->data) }));
}

static void marks_keep_link(struct ez_marks *k, struct ez_marks_link l)
{
    bool full;
    if (!marks_turn(&k->links, k->link.n, &full))
        return;
    for (size_t i = 0; full && i < EZ_MARKS_MOST; i += 2)
        k->link.at[i / 2] = k->link.at[i];
    k->link.n = full ? EZ_MARKS_MOST / 2 : k->link.n;
    EZ_PUSH(&k->link, l);
}

/* ---- links ---------------------------------------------------------------------------- */

static void marks_link_start(struct ez_marks *k, const struct ez_item *it)
{
    struct ez_marks_link l = { it->ns, it->ns, it->container, it->container, it->name };
    size_t i = k->open.n;
    if (k->free_links.n)
        i = k->free_links.at[--k->free_links.n];
    else
        EZ_PUSH(&k->open, l);
    k->open.at[i] = l;
    ez_hash_put(&k->by_key, ez_hash_pair(it->key, it->name), i);
}

static void marks_link_end(struct ez_marks *k, const struct ez_item *it)
{
    size_t i;
    if (!ez_hash_remove(&k->by_key, ez_hash_pair(it->key, it->name), &i))
        return;
    EZ_PUSH(&k->free_links, i);
    struct ez_marks_link l = k->open.at[i];
    l.end_ns = it->ns;
    l.to = it->container;
    if (l.from != l.to) /* equal for a link that got no end (ez_model_link_start()) */
        marks_keep_link(k, l);
}

/* ---- variables -------------------------------------------------------------------------- */

static unsigned marks_slice_at(const struct ez_marks *k, uint64_t ns)
{
    unsigned i = (unsigned)((unsigned __int128)(ns - k->from_ns) * k->slices / k->span_ns);
    return EZ_MIN(i, k->slices - 1);
}

/* Sets the slices after the variable's last change, up to slice `to`, to its current value. */
static void marks_hold(struct ez_marks_var *v, unsigned to)
{
    while (v->at < to)
        v->slice[++v->at - v->first] = (struct ez_marks_range){ v->value, v->value };
}

static void marks_variable(struct ez_marks *k, const struct ez_item *it)
{
    uint64_t id = (uint64_t)it->container << 32 | it->name;
    size_t i = ez_hash_put(&k->by_var, id, k->vars);
    unsigned at = marks_slice_at(k, it->ns);
    if (i == k->vars && k->vars++ < EZ_MARKS_VARS) {
        struct ez_marks_var fresh = { it->container, it->name, at, at, it->value, NULL };
        fresh.slice = ez_alloc((k->slices - at) * sizeof *fresh.slice);
        fresh.slice[0] = (struct ez_marks_range){ it->value, it->value };
        EZ_PUSH(&k->var, fresh);
    }
    if (i >= k->var.n)
        return;
    struct ez_marks_var *v = &k->var.at[i];
    marks_hold(v, at);
    v->value = it->value;
    struct ez_marks_range *r = &v->slice[v->at - v->first];
    r->lo = EZ_MIN(r->lo, it->value);
    r->hi = EZ_MAX(r->hi, it->value);
}

ez_err *ez_marks_item(void *marks, const struct ez_item *it)
{
    if (it->kind == EZ_I_EVENT)
        marks_point(marks, it);
    else if (it->kind == EZ_I_VAR)
        marks_variable(marks, it);
    else if (it->kind == EZ_I_LINK_START)
        marks_link_start(marks, it);
    else if (it->kind == EZ_I_LINK_END)
        marks_link_end(marks, it);
    return NULL;
}

void ez_marks_finish(struct ez_marks *k)
{
    for (size_t i = 0; i < k->var.n; i++)
        marks_hold(&k->var.at[i], k->slices - 1);
}
