/* SPDX-License-Identifier: GPL-3.0-or-later */
/* an_route.c - the time of each cell on the way to a point in time (analysis_priv.h).
 *
 * A route is a table of blocks. Tables and blocks are shared, and copied before a change: at each
 * wait a thread's route becomes that of another thread, which needs no copy of the times.
 *
 * Tests: tests/unit/analysis/check_analysis.c */
#include "engine/analysis/analysis_priv.h"

enum { BLOCK = 64 };

struct block {
    size_t refs;
    int64_t ns[BLOCK];
};
struct an_route {
    size_t refs, n;
    struct block **block; /* NULL: all times are 0 */
};

struct an_route *an_route_new(void)
{
    struct an_route *r = ez_alloc(sizeof *r);
    r->refs = 1;
    return r;
}

struct an_route *an_route_ref(struct an_route *r)
{
    r->refs++;
    return r;
}

static void route_block_unref(struct block *b)
{
    if (b && !--b->refs)
        free(b);
}

void an_route_unref(struct an_route *r)
{
    if (!r || --r->refs)
        return;
    for (size_t i = 0; i < r->n; i++)
        route_block_unref(r->block[i]);
    free(r->block);
    free(r);
}

/* Makes *r a table of its own, with room for n blocks. */
static void route_own(struct an_route **r, size_t n)
{
    struct an_route *was = *r;
    if (was->refs > 1) {
        struct an_route *own = an_route_new();
        own->n = was->n;
        own->block = ez_realloc(NULL, EZ_MAX(was->n, 1u) * sizeof *own->block);
        for (size_t i = 0; i < was->n; i++)
            if ((own->block[i] = was->block[i]))
                own->block[i]->refs++;
        was->refs--;
        *r = own;
    }
    if ((*r)->n >= n)
        return;
    (*r)->block = ez_realloc((*r)->block, n * sizeof *(*r)->block);
    while ((*r)->n < n)
        (*r)->block[(*r)->n++] = NULL;
}

static void route_own_block(struct block **b)
{
    if (*b && (*b)->refs == 1)
        return;
    struct block *own = ez_alloc(sizeof *own);
    if (*b)
        *own = **b;
    own->refs = 1;
    route_block_unref(*b);
    *b = own;
}

void an_route_add(struct an_route **r, uint32_t cell, int64_t ns)
{
    size_t i = cell / BLOCK;
    if (!ns)
        return;
    if ((*r)->refs > 1 || (*r)->n <= i)
        route_own(r, i + 1);
    route_own_block(&(*r)->block[i]);
    (*r)->block[i]->ns[cell % BLOCK] += ns;
}

int64_t an_route_get(const struct an_route *r, uint32_t cell)
{
    size_t i = cell / BLOCK;
    return i < r->n && r->block[i] ? r->block[i]->ns[cell % BLOCK] : 0;
}
