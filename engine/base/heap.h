/* SPDX-License-Identifier: GPL-3.0-or-later */
/* heap.h - a binary heap of (key, id), to merge sorted streams. The root, node.at[0], has the
 * smallest key, and the smallest id among equal keys.
 *
 * Tests: tests/unit/trace/check_replay.c */
#ifndef EZ_HEAP_H
#define EZ_HEAP_H

#include "engine/base/vec.h"

struct ez_heap {
    EZ_VEC(struct ez_heap_node {
        uint64_t key;
        uint32_t id;
    })
    node;
};

static inline bool ez_heap_less(struct ez_heap_node a, struct ez_heap_node b)
{
    return a.key != b.key ? a.key < b.key : a.id < b.id;
}

/* Moves the root down to its place in the heap after its key was increased. */
static inline void ez_heap_sink(struct ez_heap *h)
{
    struct ez_heap_node x = h->node.at[0];
    size_t i = 0, child;
    while ((child = 2 * i + 1) < h->node.n) {
        if (child + 1 < h->node.n && ez_heap_less(h->node.at[child + 1], h->node.at[child]))
            child++;
        if (!ez_heap_less(h->node.at[child], x))
            break;
        h->node.at[i] = h->node.at[child];
        i = child;
    }
    h->node.at[i] = x;
}

static inline void ez_heap_push(struct ez_heap *h, uint64_t key, uint32_t id)
{
    struct ez_heap_node x = { key, id };
    EZ_PUSH(&h->node, x);
    size_t i = h->node.n - 1;
    for (; i && ez_heap_less(x, h->node.at[(i - 1) / 2]); i = (i - 1) / 2)
        h->node.at[i] = h->node.at[(i - 1) / 2];
    h->node.at[i] = x;
}

/* Removes the root. */
static inline void ez_heap_pop(struct ez_heap *h)
{
    h->node.at[0] = h->node.at[--h->node.n];
    if (h->node.n)
        ez_heap_sink(h);
}

#endif
