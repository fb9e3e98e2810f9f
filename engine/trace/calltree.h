/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calltree.h - the call paths of a trace as a tree, with the number of calls and the times of each
 * path.
 *
 * Recursion is folded: a call of a function that is already on the path counts in that function's
 * node, so no path has a function twice, and the tree's size does not grow with the depth. The sums
 * of the calls, the total and the self times over all nodes of a function are those of the command
 * `stats`. If a function is recursive through another function (a calls b calls a), the total times
 * of its callees overlap.
 *
 * The number of nodes is limited. When the tree is full, a call with a new path is counted at a
 * node of its function below the node "[more]" of its root.
 *
 * Tests: tests/unit/trace/check_calltree.c */
#ifndef EZ_CALLTREE_H
#define EZ_CALLTREE_H

#include "engine/base/hash.h"
#include "engine/trace/model.h"

#define EZ_CALLTREE_NONE UINT32_MAX

/* What the roots of the tree are: the outermost calls of all threads together, or one root for each
 * thread or process. */
enum ez_calltree_by { EZ_CALLTREE_ALL, EZ_CALLTREE_THREAD, EZ_CALLTREE_PROCESS };
enum ez_calltree_is { EZ_CT_CALL, EZ_CT_CONTAINER, EZ_CT_MORE };

struct ez_calltree_node {
    enum ez_calltree_is is;
    /* EZ_CT_CALL: index of the name of the function or pause; EZ_CT_CONTAINER: index of the
     * container */
    uint32_t what;
    /* index of the parent, which is smaller than the node's own index; EZ_CALLTREE_NONE for a
     * root */
    uint32_t parent;
    uint32_t child, next; /* first child, next sibling; siblings are sorted by falling total time */
    uint64_t calls;       /* number of calls, or of pauses */
    uint64_t timed;       /* number of calls that have a duration */
    uint64_t total_ns, self_ns;
};

struct ez_calltree {
    const struct ez_model *m;
    enum ez_calltree_by by;
    EZ_VEC(struct ez_calltree_node) node;
    uint32_t root;                                                  /* first root */
    struct ez_hash index;                                           /* (parent, is, what) -> node */
    EZ_VEC(struct ez_calltree_stack { EZ_VEC(uint32_t) at; }) open; /* index: container; the nodes
                                                                     * of the container's open
                                                                     * states */
};

void ez_calltree_init(struct ez_calltree *t, const struct ez_model *m, enum ez_calltree_by by);
/* Adds an item to the tree. The function is an ez_item_fn, and tree a struct ez_calltree. */
ez_err *ez_calltree_item(void *tree, const struct ez_item *it);
/* Computes the totals of containers, and links and sorts the nodes. Call after the last item. */
void ez_calltree_finish(struct ez_calltree *t);
/* Makes two trees: *callers with the paths that lead to the function with this name, innermost
 * caller first, and *callees with the calls inside it. Each tree has one root for each function
 * with this name, because functions of different libraries may have the same name. Returns false if
 * no call has that name. Call ez_calltree_finish() for `t` before; the two trees are finished. The
 * caller frees them. */
bool ez_calltree_of(const struct ez_calltree *t, const char *function, struct ez_calltree *callers,
                    struct ez_calltree *callees);
void ez_calltree_free(struct ez_calltree *t);

#endif
