/* SPDX-License-Identifier: GPL-3.0-or-later */
/* an_route.c - the time of each cell on the way to a point in time (analysis_priv.h).
 *
 * A route is a tree. Its leaves are the times of FAN cells each; other nodes have FAN children. Nodes
 * are shared by routes, and copied before a change: at each wait a thread's route becomes that of
 * another thread, which copies only the nodes on the way to the cells that change since.
 *
 * Tests: tests/unit/analysis/check_analysis.c */
#include "engine/analysis/analysis_priv.h"

enum { BITS = 4, FAN = 1 << BITS };

struct an_route {   /* a node; the route is its root */
    uint32_t refs;  /* of routes and nodes */
    uint32_t level; /* 0 = a leaf */
    union {
        struct an_route *child[FAN]; /* NULL: all times are 0 */
        int64_t ns[FAN];
    };
};

static struct an_route *route_node(uint32_t level)
{
    struct an_route *r = ez_alloc(sizeof *r);
    r->refs = 1;
    r->level = level;
    return r;
}

struct an_route *an_route_new(void)
{
    return route_node(0);
}

struct an_route *an_route_ref(struct an_route *r)
{
    r->refs++;
    return r;
}

/* The recursion is as deep as the tree: at most 8. */
void an_route_unref(struct an_route *r)
{
    if (!r || --r->refs)
        return;
    for (size_t i = 0; r->level && i < FAN; i++)
        an_route_unref(r->child[i]);
    free(r);
}

/* Makes *r a node of its own. */
static void route_own(struct an_route **r)
{
    struct an_route *was = *r;
    if (was->refs == 1)
        return;
    *r = route_node(was->level);
    if (was->level)
        for (size_t i = 0; i < FAN; i++)
            (*r)->child[i] = was->child[i] ? an_route_ref(was->child[i]) : NULL;
    else
        memcpy((*r)->ns, was->ns, sizeof was->ns);
    was->refs--;
}

/* Returns true if a tree with this root has room for the cell. */
static bool route_has(const struct an_route *r, uint32_t cell)
{
    return !((uint64_t)cell >> BITS * (r->level + 1));
}

void an_route_add(struct an_route **r, uint32_t cell, int64_t ns)
{
    if (!ns)
        return;
    while (!route_has(*r, cell)) {
        struct an_route *root = route_node((*r)->level + 1);
        root->child[0] = *r;
        *r = root;
    }
    for (route_own(r); (*r)->level; route_own(r)) {
        struct an_route **child = &(*r)->child[cell >> BITS * (*r)->level & (FAN - 1)];
        if (!*child)
            *child = route_node((*r)->level - 1);
        r = child;
    }
    (*r)->ns[cell & (FAN - 1)] += ns;
}

int64_t an_route_get(const struct an_route *r, uint32_t cell)
{
    if (!route_has(r, cell))
        return 0;
    for (; r && r->level; r = r->child[cell >> BITS * r->level & (FAN - 1)])
        ;
    return r ? r->ns[cell & (FAN - 1)] : 0;
}
