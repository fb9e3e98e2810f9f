/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tree.h - the channels between the daemons of a job: lines of text, from a node to its parent or children.
 *
 * Node 0 is the root, with which the front end talks. The parent of node n is (n - 1) / fanout. There are two of it:
 * tree_alone.c, for one host, and tree_mpi.c, for a job of daemons under MPI. Nothing waits: messages are on their way
 * while ez_tree_receive() is called again and again, and how often that must be is what ez_tree_patience() says. */
#ifndef EZ_TREE_H
#define EZ_TREE_H

#include "engine/base/base.h"
#include "engine/base/err.h"

struct ez_tree {
    uint32_t node, nodes, fanout;
    void *own;
};

ez_err *ez_tree_begin(struct ez_tree *t, int *argc, char ***argv) EZ_WUR;
/* `line` has no newline; it is copied. */
void ez_tree_send(struct ez_tree *t, uint32_t to, const char *line);
/* The next message that has come, which the caller frees; NULL = there is none. */
char *ez_tree_receive(struct ez_tree *t, uint32_t *from);
/* How long one may sleep before the next call, in nanoseconds, when the last one that did anything was idle_ns ago;
 * UINT64_MAX = for ever. */
uint64_t ez_tree_patience(const struct ez_tree *t, uint64_t idle_ns);
/* All that was sent has arrived, or a second has passed. */
void ez_tree_end(struct ez_tree *t);

static inline uint32_t ez_tree_parent(const struct ez_tree *t, uint32_t node)
{
    return (node - 1) / t->fanout;
}
/* The child of t->node through which `node` is reached; t->node itself: here; UINT32_MAX: not below. */
static inline uint32_t ez_tree_way(const struct ez_tree *t, uint32_t node)
{
    while (node > t->node && ez_tree_parent(t, node) != t->node)
        node = ez_tree_parent(t, node);
    return node >= t->node ? node : UINT32_MAX;
}
/* for (EZ_EACH_CHILD(c, tree)) */
#define EZ_EACH_CHILD(c, t)                                                                        \
    uint64_t c = (uint64_t)(t)->node * (t)->fanout + 1;                                            \
    c <= (uint64_t)(t)->node *(t)->fanout + (t)->fanout &&c < (t)->nodes;                          \
    c++

#endif
