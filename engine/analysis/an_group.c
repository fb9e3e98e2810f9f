/* SPDX-License-Identifier: GPL-3.0-or-later */
/* an_group.c - collective operations of groups of threads: the members of a communicator, and the
 * threads that use a barrier (analysis_priv.h).
 *
 * Operations of a communicator are numbered for each process: all processes make them in the same
 * order. The numbers of two processes may begin with different operations, because a period begins
 * in the middle of one, or differ because events are lost. Two facts put them right: a process that
 * enters an operation is not one for which the others waited in an operation that they have left,
 * and all processes call the same function. Operations of other groups have no numbers, because any
 * thread may take part: an operation ends with the first thread that leaves it.
 *
 * Tests: tests/unit/analysis/check_analysis.c */
#include "engine/analysis/analysis_priv.h"

enum { SKEW_NS = 1000000 };  /* clocks of two hosts differ less */
enum { KEPT_MOST = 4096 };   /* most operations of a group that some members have not left */
enum { GROUPS_MOST = 4096 }; /* most groups; a program may free and make communicators for ever */

void an_group_free(struct an_group *g)
{
    EZ_VEC_FREE(&g->at);
    EZ_VEC_FREE(&g->members);
    EZ_VEC_FREE(&g->count);
    ez_hash_free(&g->process);
    ez_hash_free(&g->member);
}

/* Returns a place for a new group: that of a group that was not used for long. */
static size_t group_place(struct analysis *a)
{
    const struct an_group fresh = { .key = 0 };
    if (a->group.n < GROUPS_MOST) {
        EZ_PUSH(&a->group, fresh);
        return a->group.n - 1;
    }
    for (; a->group.at[a->oldest].used; a->oldest = (a->oldest + 1) % GROUPS_MOST)
        a->group.at[a->oldest].used = false;
    struct an_group *g = &a->group.at[a->oldest];
    /* a thread may still be in an operation of the old group: no new one gets its number */
    uint64_t base = g->base + g->at.n;
    size_t was;
    ez_hash_remove(&a->groups, g->key, &was);
    an_group_free(g);
    *g = (struct an_group){ .base = base, .passed = base };
    return a->oldest;
}

uint32_t an_group_of(struct analysis *a, uint64_t key)
{
    size_t i;
    if (!ez_hash_get(&a->groups, key, &i)) {
        i = group_place(a);
        a->group.at[i].key = key;
        ez_hash_put(&a->groups, key, i);
    }
    a->group.at[i].used = true;
    return (uint32_t)i;
}

/* Makes the group the first one of the thread's latest groups. */
static void group_latest(struct an_thread *t, uint32_t group)
{
    unsigned i = 0;
    while (i < t->groups && t->group[i] != group)
        i++;
    if (i == t->groups)
        i = t->groups < AN_GROUPS ? t->groups++ : i - 1;
    memmove(t->group + 1, t->group, i * sizeof *t->group);
    t->group[0] = group;
}

struct an_member *an_member(struct analysis *a, uint32_t group, uint32_t thread)
{
    struct an_group *g = &a->group.at[group];
    const struct an_member fresh = { .left_nth = { UINT64_MAX, UINT64_MAX } };
    size_t i = ez_hash_put(&g->member, thread, g->members.n);
    if (i == g->members.n)
        EZ_PUSH(&g->members, fresh);
    group_latest(an_at(a, thread), group);
    return &g->members.at[i];
}

static void group_remove(struct an_group *g, size_t n)
{
    g->at.n -= n;
    g->base += n;
    memmove(g->at.at, g->at.at + n, g->at.n * sizeof *g->at.at);
}

struct an_instance *an_instance(struct analysis *a, uint32_t group, uint64_t nth)
{
    struct an_group *g = &a->group.at[group];
    return nth >= g->base && nth - g->base < g->at.n ? &g->at.at[nth - g->base] : NULL;
}

/* Returns the number of the operation that a thread of a group without numbers enters. */
static uint64_t group_open(const struct an_group *g)
{
    return g->base + g->at.n - (g->at.n && !g->at.at[g->at.n - 1].left);
}

static uint64_t group_number(const struct analysis *a, struct an_group *g,
                             const struct an_thread *t)
{
    const struct an_count fresh = { .next = 0 };
    size_t i = ez_hash_put(&g->process, t->row.process, g->count.n);
    if (i == g->count.n)
        EZ_PUSH(&g->count, fresh);
    struct an_count *c = &g->count.at[i];
    bool late = c->next < g->base && a->now - g->passed_ns > SKEW_NS;
    if (c->next < g->passed && (!c->sure || late))
        c->next = g->passed;
    for (; c->next >= g->base && c->next - g->base < g->at.n; c->next++) {
        const struct an_instance *at = &g->at.at[c->next - g->base];
        if (!at->entered || at->name == t->op.name)
            break;
    }
    return c->next++;
}

void an_group_lost(struct analysis *a, const struct an_thread *t)
{
    size_t k;
    for (unsigned i = 0; i < t->groups; i++) {
        struct an_group *g = &a->group.at[t->group[i]];
        if (ez_hash_get(&g->process, t->row.process, &k))
            g->count.at[k].sure = false;
    }
}

uint64_t an_enter(struct analysis *a, uint32_t group, uint32_t thread, bool numbered,
                  enum an_part part)
{
    an_member(a, group, thread);
    struct an_group *g = &a->group.at[group];
    const struct an_instance fresh = { .last = EZ_NONE_IDX,
                                       .root = EZ_NONE_IDX,
                                       .last_other = EZ_NONE_IDX };
    uint64_t nth = numbered ? group_number(a, g, an_at(a, thread)) : group_open(g);
    uint64_t ideal = an_at(a, thread)->ideal_ns;
    if (nth < g->base)
        return nth;
    while (nth - g->base >= g->at.n)
        EZ_PUSH(&g->at, fresh);
    if (g->at.n > 2 * KEPT_MOST)
        group_remove(g, KEPT_MOST);
    struct an_instance *i = an_instance(a, group, nth);
    if (!i)
        return nth;
    i->entered++;
    i->name = an_at(a, thread)->op.name;
    i->last = thread;
    i->last_ns = a->now;
    i->ideal_ns = EZ_MAX(i->ideal_ns, ideal);
    if (part == AN_ROOT) {
        i->root = thread;
        i->root_ns = a->now;
        i->root_ideal_ns = ideal;
    } else if (part == AN_MEMBER) {
        if (i->last_other == EZ_NONE_IDX)
            i->first_other_ns = a->now;
        i->last_other = thread;
        i->last_other_ns = a->now;
    }
    return nth;
}

void an_leave(struct analysis *a, uint32_t group, uint64_t nth, uint32_t thread, bool all_meet)
{
    struct an_member *m = an_member(a, group, thread);
    struct an_group *g = &a->group.at[group];
    struct an_instance *i = an_instance(a, group, nth);
    size_t k;
    if (all_meet && ez_hash_get(&g->process, an_at(a, thread)->row.process, &k)) {
        /* not if the operation began before the period: it may be another one than its number says */
        g->count.at[k].sure = an_at(a, thread)->op.begin_ns > a->pub.from_ns;
        g->passed = EZ_MAX(g->passed, nth + 1);
        g->passed_ns = a->now;
    }
    if (all_meet) {
        m->left[1] = m->left[0];
        m->left_nth[1] = m->left_nth[0];
        /* they could go on from then: what a thread loses before it leaves is its own delay */
        m->left[0] = i ? i->last_ns : a->now;
        m->left_nth[0] = nth;
    }
    if (!i)
        return;
    i->left++;
    if (all_meet && i->left == i->entered)
        group_remove(g, nth - g->base + 1);
}
