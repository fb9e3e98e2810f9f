/* SPDX-License-Identifier: GPL-3.0-or-later */
/* an_log.c - accounts for the time of threads: call paths, cells, and the log of each thread's
 * latest segments (analysis_priv.h).
 *
 * Tests: tests/unit/analysis/check_analysis.c */
#include "engine/analysis/analysis_priv.h"

enum { NODES_MOST = 1 << 16 };

/* ---- call paths -------------------------------------------------------------------------------- */

uint32_t an_node(struct analysis *a, uint32_t parent, uint32_t name, uint32_t subject)
{
    const struct ez_path_node fresh = { parent, name, subject };
    uint64_t what = name != EZ_NONE_IDX ? name : (uint64_t)1 << 32 | subject;
    while (a->last_child.n <= parent)
        EZ_PUSH(&a->last_child, ((struct an_child){ 0, 0 }));
    if (a->last_child.at[parent].child && a->last_child.at[parent].what == what)
        return a->last_child.at[parent].child;
    for (uint32_t n = parent; n; n = a->node.at[n].parent)
        if (a->node.at[n].name == name && a->node.at[n].subject == subject)
            return n;
    if (a->node.n == NODES_MOST)
        return parent;
    size_t i = ez_hash_put(&a->nodes, ez_hash_pair(parent + 1, what), a->node.n);
    if (i == a->node.n)
        EZ_PUSH(&a->node, fresh);
    a->last_child.at[parent] = (struct an_child){ what, (uint32_t)i };
    return (uint32_t)i;
}

uint32_t an_cell(struct analysis *a, uint32_t path, uint32_t thread)
{
    const struct an_cell fresh = { .path = path, .thread = thread };
    size_t i = ez_hash_put(&a->cells, (uint64_t)path << 32 | thread, a->cell.n);
    if (i == a->cell.n)
        EZ_PUSH(&a->cell, fresh);
    return (uint32_t)i;
}

/* ---- the log ------------------------------------------------------------------------------------- */

static void log_remove_first(struct an_thread *t)
{
    struct an_segment *s = &t->log.at[t->log_first++];
    if (s->wait != EZ_NONE_IDX)
        EZ_PUSH(&t->spare_wait, s->wait);
    if (t->log_first < AN_LOG_MOST)
        return;
    t->log_base += t->log_first;
    t->log.n -= t->log_first;
    memmove(t->log.at, t->log.at + t->log_first, t->log.n * sizeof *t->log.at);
    t->log_first = 0;
}

struct an_segment *an_segment(struct an_thread *t, uint64_t number)
{
    if (number < t->log_base + t->log_first || number >= t->log_base + t->log.n)
        return NULL;
    return &t->log.at[number - t->log_base];
}

/* Adds the activity's time from last_ns to `to`. */
static void log_add_time(struct analysis *a, struct an_thread *t, uint64_t to)
{
    uint64_t ns = to - t->last_ns;
    if (t->cell == EZ_NONE_IDX)
        t->cell = an_cell(a, t->path, t->self);
    t->row.time[t->time] += ns;
    a->cell.at[t->cell].own_ns += ns;
    an_route_add(&t->route, t->cell, (int64_t)ns);
    if (t->time != EZ_TIME_MPI) {
        t->ideal_ns += ns;
        t->row.outside_ns += ns;
    }
    t->last_ns = to;
}

static void log_append(struct an_thread *t, uint64_t from, uint64_t to, bool closed)
{
    const struct an_segment s = { from, to, t->path, t->cell, t->time, closed, EZ_NONE_IDX };
    if (t->log.n - t->log_first == AN_LOG_MOST)
        log_remove_first(t);
    EZ_PUSH(&t->log, s);
}

void an_account(struct analysis *a, struct an_thread *t, uint64_t to)
{
    struct an_segment *s = t->log.n > t->log_first ? &t->log.at[t->log.n - 1] : NULL;
    uint64_t from = t->last_ns;
    if (to <= from)
        return;
    log_add_time(a, t, to);
    if (s && !s->closed && s->path == t->path && s->time == t->time && s->to == from)
        s->to = to;
    else
        log_append(t, from, to, false);
}

uint64_t an_account_apart(struct analysis *a, struct an_thread *t, uint64_t to)
{
    uint64_t from = t->last_ns;
    if (to <= from)
        return UINT64_MAX;
    log_add_time(a, t, to);
    log_append(t, from, to, true);
    return t->log_base + t->log.n - 1;
}

static void log_forget(struct analysis *a, struct an_thread *t)
{
    memset(t->row.time, 0, sizeof t->row.time);
    t->row.outside_ns = t->row.preempted_ns = t->row.slept_ns = t->row.mpi_preempted_ns = 0;
    t->log_base += t->log.n;
    t->log.n = t->log_first = 0;
    t->wait.n = t->spare_wait.n = 0;
    t->first_ns = t->last_ns = t->off_ns = a->now;
    t->ideal_ns = 0;
    if (t->op.open)
        t->op.begin_ns = a->now;
    an_route_unref(t->route);
    t->route = an_route_new();
    for (unsigned i = 0; i < t->jumps; i++)
        an_route_unref(t->jump[i].old);
    t->jumps = t->next_jump = 0;
}

void an_begin(struct analysis *a)
{
    a->pub.from_ns = a->now;
    for (size_t i = 0; i < a->thread.n; i++)
        log_forget(a, &a->thread.at[i]);
    for (size_t i = 0; i < a->cell.n; i++)
        a->cell.at[i] =
            (struct an_cell){ .path = a->cell.at[i].path, .thread = a->cell.at[i].thread };
    a->wait.n = a->charge.n = a->collective.n = 0;
    for (size_t i = 0; i < a->queue.n; i++)
        a->queue.at[i].pending.n = 0;
    ez_hash_free(&a->waits);
    ez_hash_free(&a->charges);
    ez_hash_free(&a->collectives);
    a->pub.unknown_ns = 0;
    a->pub.backwards = a->pub.backwards_ns = 0;
}
