/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calltree.c - the call paths of a trace as a tree (calltree.h). */
#include "engine/trace/calltree.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 500000 }; /* maximum number of nodes; so many nodes need about 40 MB */
#define NONE EZ_CALLTREE_NONE

void ez_calltree_init(struct ez_calltree *t, const struct ez_model *m, enum ez_calltree_by by)
{
    *t = (struct ez_calltree){ .m = m, .by = by, .root = NONE };
}

void ez_calltree_free(struct ez_calltree *t)
{
    for (size_t i = 0; i < t->open.n; i++)
        EZ_VEC_FREE(&t->open.at[i].at);
    EZ_VEC_FREE(&t->open);
    EZ_VEC_FREE(&t->node);
    ez_hash_free(&t->index);
}

/* ---- nodes ---------------------------------------------------------------------------------- */

/* Indexes of names, containers and nodes are below 2^30, so different nodes have different keys. */
static uint64_t calltree_key(uint32_t parent, enum ez_calltree_is is, uint32_t what)
{
    return (uint64_t)parent << 32 | (uint64_t)is << 30 | what;
}

static uint32_t calltree_child(struct ez_calltree *t, uint32_t parent, enum ez_calltree_is is,
                               uint32_t what)
{
    size_t fresh = t->node.n, i = ez_hash_put(&t->index, calltree_key(parent, is, what), fresh);
    if (i == fresh) {
        struct ez_calltree_node n = {
            .is = is, .what = what, .parent = parent, .child = NONE, .next = NONE
        };
        EZ_PUSH(&t->node, n);
    }
    return (uint32_t)i;
}

static uint32_t calltree_root_of(struct ez_calltree *t, uint32_t container)
{
    const struct ez_container *c = &t->m->container.at[container];
    if (t->by == EZ_CALLTREE_ALL)
        return NONE;
    if (t->by == EZ_CALLTREE_PROCESS && c->level == EZ_L_THREAD)
        container = c->parent;
    return calltree_child(t, NONE, EZ_CT_CONTAINER, container);
}

/* Returns the call node with this name on the path from `node` to the root, or NONE. */
static uint32_t calltree_on_path(const struct ez_calltree *t, uint32_t node, uint32_t name)
{
    while (node != NONE && (t->node.at[node].is != EZ_CT_CALL || t->node.at[node].what != name))
        node = t->node.at[node].parent;
    return node;
}

/* Returns the node for a call below `parent`, and makes it if it is new. If the tree is full, a new
 * node is below "[more]". */
static uint32_t calltree_call(struct ez_calltree *t, uint32_t container, uint32_t parent,
                              uint32_t name)
{
    size_t i;
    if (ez_hash_get(&t->index, calltree_key(parent, EZ_CT_CALL, name), &i))
        return (uint32_t)i;
    if (t->node.n >= MOST)
        parent = calltree_child(t, calltree_root_of(t, container), EZ_CT_MORE, 0);
    return calltree_child(t, parent, EZ_CT_CALL, name);
}

/* ---- items ---------------------------------------------------------------------------------- */

static void calltree_push(struct ez_calltree *t, const struct ez_item *it)
{
    const struct ez_calltree_stack none = { { NULL, 0, 0 } };
    while (t->open.n <= it->container)
        EZ_PUSH(&t->open, none);
    struct ez_calltree_stack *s = &t->open.at[it->container];
    uint32_t parent = s->at.n ? s->at.at[s->at.n - 1] : calltree_root_of(t, it->container);
    uint32_t node = it->recursive ? calltree_on_path(t, parent, it->name) : NONE;
    if (node == NONE)
        node = calltree_call(t, it->container, parent, it->name);
    EZ_PUSH(&s->at, node);
    t->node.at[node].calls++;
}

static void calltree_pop(struct ez_calltree *t, const struct ez_item *it)
{
    struct ez_calltree_stack *s = &t->open.at[it->container];
    struct ez_calltree_node *n = &t->node.at[s->at.at[--s->at.n]];
    n->timed++;
    n->self_ns += it->self_ns;
    n->total_ns += it->recursive ? 0 : it->spent_ns;
}

/* Pauses that eztsh caused are not in the tree; they never contain other states. */
ez_err *ez_calltree_item(void *tree, const struct ez_item *it)
{
    struct ez_calltree *t = tree;
    if ((it->kind != EZ_I_PUSH && it->kind != EZ_I_POP && it->kind != EZ_I_EVENT) ||
        t->m->name.at[it->name].pause == EZ_P_OURS)
        return NULL;
    if (it->kind != EZ_I_POP)
        calltree_push(t, it);
    if (it->kind == EZ_I_POP)
        calltree_pop(t, it);
    if (it->kind == EZ_I_EVENT) /* the trace has only the entry or the exit of this call */
        t->open.at[it->container].at.n--;
    return NULL;
}

/* ---- the finished tree ---------------------------------------------------------------------- */

struct ranked {
    uint64_t total;
    uint32_t node;
};

static int calltree_by_total(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    if (x->total != y->total)
        return x->total < y->total ? 1 : -1;
    return x->node < y->node ? -1 : x->node > y->node;
}

void ez_calltree_finish(struct ez_calltree *t)
{
    size_t n = t->node.n;
    struct ez_calltree_node *node = t->node.at;
    for (size_t i = n; i-- > 0;) {
        uint32_t up = node[i].parent;
        /* the parent is a container's root or [more] */
        if (up != NONE && node[up].is != EZ_CT_CALL)
            node[up].total_ns += node[i].total_ns;
    }
    EZ_FREE struct ranked *order = ez_alloc((n + 1) * sizeof *order);
    for (uint32_t i = 0; i < n; i++)
        order[i] = (struct ranked){ node[i].total_ns, i };
    qsort(order, n, sizeof *order, calltree_by_total);
    t->root = NONE;
    /* the smallest total first: each node is inserted in front of its siblings */
    for (size_t k = n; k-- > 0;) {
        uint32_t i = order[k].node;
        uint32_t *head = node[i].parent == NONE ? &t->root : &node[node[i].parent].child;
        node[i].next = *head;
        *head = i;
    }
}

/* ---- one function --------------------------------------------------------------------------- */

static void calltree_add(struct ez_calltree *t, uint32_t node, const struct ez_calltree_node *n)
{
    t->node.at[node].calls += n->calls;
    t->node.at[node].timed += n->timed;
    t->node.at[node].total_ns += n->total_ns;
    t->node.at[node].self_ns += n->self_ns;
}

static void calltree_add_callers(const struct ez_calltree *t, uint32_t i, struct ez_calltree *out)
{
    uint32_t at = NONE;
    for (uint32_t up = i; up != NONE; up = t->node.at[up].parent) {
        const struct ez_calltree_node *n = &t->node.at[up];
        at = calltree_child(out, at, n->is, n->what);
        calltree_add(out, at, &t->node.at[i]);
    }
}

/* Adds the subtree of node i of `t` to `out`, as a tree with its own root. */
static void calltree_add_callees(const struct ez_calltree *t, uint32_t i, struct ez_calltree *out)
{
    uint32_t at = i, to = calltree_child(out, NONE, EZ_CT_CALL, t->node.at[i].what);
    calltree_add(out, to, &t->node.at[i]);
    for (;;) {
        uint32_t next = t->node.at[at].child;
        while (next == NONE && at != i) { /* go up until there is a next sibling */
            next = t->node.at[at].next;
            at = t->node.at[at].parent;
            to = out->node.at[to].parent;
        }
        if (next == NONE)
            return;
        at = next;
        to = calltree_child(out, to, t->node.at[at].is, t->node.at[at].what);
        calltree_add(out, to, &t->node.at[at]);
    }
}

bool ez_calltree_of(const struct ez_calltree *t, const char *function, struct ez_calltree *callers,
                    struct ez_calltree *callees)
{
    ez_calltree_init(callers, t->m, EZ_CALLTREE_ALL);
    ez_calltree_init(callees, t->m, EZ_CALLTREE_ALL);
    for (uint32_t i = 0; i < t->node.n; i++) {
        const struct ez_calltree_node *n = &t->node.at[i];
        if (n->is != EZ_CT_CALL || strcmp(t->m->name.at[n->what].text, function))
            continue;
        calltree_add_callers(t, i, callers);
        calltree_add_callees(t, i, callees);
    }
    ez_calltree_finish(callers);
    ez_calltree_finish(callees);
    return callers->node.n != 0;
}
