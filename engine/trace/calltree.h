/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calltree.h - the call paths of a trace as a tree, with calls and times.
 *
 * Recursion is folded: a call of a function that is already on the path counts in that function's
 * node, so no path has a function twice, and the tree's size does not grow with the depth. Over the
 * nodes of a function, calls, total and self times add up to those of `stats`. In recursion through
 * other functions (a calls b calls a), the totals of a's callees overlap.
 *
 * The number of nodes is limited. When the tree is full, calls with a new path are counted by
 * function alone, below a node "[more]" of their root.
 *
 * Tests: tests/unit/trace/check_calltree.c */
#ifndef EZ_CALLTREE_H
#define EZ_CALLTREE_H

#include "engine/base/hash.h"
#include "engine/trace/model.h"

#define EZ_CALLTREE_NONE UINT32_MAX

/* What the roots are: all threads together, or one root for each thread or process. */
enum ez_calltree_by { EZ_CALLTREE_ALL, EZ_CALLTREE_THREAD, EZ_CALLTREE_PROCESS };
enum ez_calltree_is { EZ_CT_CALL, EZ_CT_CONTAINER, EZ_CT_MORE };

struct ez_calltree_node {
    enum ez_calltree_is is;
    uint32_t what; /* CALL: index of the name, also of a pause; CONTAINER: index of the container */
    uint32_t parent;      /* index of a node before this one, or EZ_CALLTREE_NONE */
    uint32_t child, next; /* first child, next sibling; largest total first */
    uint64_t calls;       /* for pauses: number of pauses */
    uint64_t timed;       /* calls that have a duration */
    uint64_t total_ns, self_ns;
};

struct ez_calltree {
    const struct ez_model *m;
    enum ez_calltree_by by;
    EZ_VEC(struct ez_calltree_node) node;
    uint32_t root;                                                  /* first root */
    struct ez_hash index;                                           /* (parent, is, what) -> node */
    EZ_VEC(struct ez_calltree_stack { EZ_VEC(uint32_t) at; }) open; /* index: container; nodes of
                                                                     * its open states */
};

void ez_calltree_init(struct ez_calltree *t, const struct ez_model *m, enum ez_calltree_by by);
/* Adds an item to the tree. An ez_item_fn whose arg is the struct ez_calltree. */
ez_err *ez_calltree_item(void *tree, const struct ez_item *it);
/* Computes the totals of containers, and links and sorts the nodes. Call after the last item. */
void ez_calltree_finish(struct ez_calltree *t);
/* Makes *callers the paths that lead to the named function, innermost caller first, and *callees
 * what it calls, each with one root for each name: functions of different libraries may have the
 * same name. Returns false if no call has that name. `t` must be finished; both trees are. */
bool ez_calltree_of(const struct ez_calltree *t, const char *function, struct ez_calltree *callers,
                    struct ez_calltree *callees);
void ez_calltree_free(struct ez_calltree *t);

#endif
