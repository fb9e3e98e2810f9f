/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tree.h - the channels between the daemons (nodes) of a job, which form a tree. A node sends lines
 * of text to its parent and its children.
 *
 * Node 0 is the root, which communicates with the front end. The parent of node n is (n - 1) /
 * fanout. There are two implementations: tree_alone.c for a single daemon, and tree_mpi.c for
 * daemons under MPI. Only ez_tree_begin() and ez_tree_end() can block. Messages make progress only
 * during calls of ez_tree_receive(); ez_tree_patience() returns how often to call it. */
#ifndef EZ_TREE_H
#define EZ_TREE_H

#include "engine/base/base.h"
#include "engine/base/err.h"

struct ez_tree {
    uint32_t node, nodes, fanout;
    void *own;
};

ez_err *ez_tree_begin(struct ez_tree *t, int *argc, char ***argv) EZ_WUR;
/* Sends a line, without a newline, to node `to`; copies the line. */
void ez_tree_send(struct ez_tree *t, uint32_t to, const char *line);
/* Returns the next received message, which the caller frees, and its sender in *from; NULL if there
 * is none. */
char *ez_tree_receive(struct ez_tree *t, uint32_t *from);
/* Returns how many ns the caller may sleep before the next call of ez_tree_receive(), if the last
 * message or input came idle_ns ago; UINT64_MAX = no limit. */
uint64_t ez_tree_patience(const struct ez_tree *t, uint64_t idle_ns);
/* Waits until all messages are sent, at most one second, and closes the channels. */
void ez_tree_end(struct ez_tree *t);

static inline uint32_t ez_tree_parent(const struct ez_tree *t, uint32_t node)
{
    return (node - 1) / t->fanout;
}
/* Returns the next node on the path from t->node down to `node`: the child of t->node that is
 * `node` or an ancestor of `node`. Returns `node` if it is t->node, and UINT32_MAX if its number is
 * lower than t->node. */
static inline uint32_t ez_tree_way(const struct ez_tree *t, uint32_t node)
{
    while (node > t->node && ez_tree_parent(t, node) != t->node)
        node = ez_tree_parent(t, node);
    return node >= t->node ? node : UINT32_MAX;
}
/* Iterates over the numbers of the children of t->node: for (EZ_EACH_CHILD(c, tree)). */
#define EZ_EACH_CHILD(c, t)                                                                        \
    uint64_t c = (uint64_t)(t)->node * (t)->fanout + 1;                                            \
    c <= (uint64_t)(t)->node *(t)->fanout + (t)->fanout &&c < (t)->nodes;                          \
    c++

#endif
