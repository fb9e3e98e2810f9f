/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stacks.h - the distinct stacks of a trace as a tree, with the time spent in each.
 *
 * The size of the tree is limited. Beyond a depth of EZ_STACKS_DEEPEST frames, a stack gets each
 * further function only once, in the order in which the functions were entered; the innermost
 * function follows, unless it is the last frame already. So a recursion of any depth makes a small
 * tree, and the self and total times of each function are exact. When the tree is full, a call with
 * a new stack is counted at a node of its function below a node "[more]" at the root of its thread.
 * The self times of functions stay exact, but the callers of such calls are unknown. more_ns is the
 * sum of the self times of such calls.
 *
 * Tests: tests/unit/format/check_formats.c */
#ifndef EZ_STACKS_H
#define EZ_STACKS_H

#include "engine/base/hash.h"
#include "engine/trace/model.h"

enum { EZ_STACKS_DEEPEST = 256 };
#define EZ_STACKS_TOP UINT32_MAX /* parent of the outermost frames */

/* The label of a node is the index of a name, or the index of a container with the bit
 * EZ_STACKS_CONTAINER set, or EZ_STACKS_MORE. */
#define EZ_STACKS_CONTAINER 0x80000000u
#define EZ_STACKS_MORE 0xffffffffu

struct ez_stacks {
    const struct ez_model *m;
    bool threads; /* the process and the thread are the outermost frames of each stack */
    bool points;  /* point events count as calls without duration, as in `stats` */
    uint64_t more_ns;
    struct ez_hash child;
    EZ_VEC(struct ez_stack_node {
        uint32_t parent; /* index of the parent, smaller than that of its children */
        uint32_t label;
        bool again;     /* the function also has an outer frame in this deep stack */
        uint64_t calls; /* number of calls, or of pauses */
        uint64_t self_ns;
    })
    node;
    EZ_VEC(struct ez_stack_at {
        uint32_t at; /* node that counts a container's innermost call */
        /* for open calls whose node is not a child of the caller's node: the callers' nodes, to
         * restore `at` when the calls end */
        EZ_VEC(uint32_t) around;
        size_t more_from; /* elements of `around` from this index on are for calls counted in
                           * [more]; SIZE_MAX = none */
    })
    thread;
};

void ez_stacks_init(struct ez_stacks *s, const struct ez_model *m, bool threads);
/* Adds an item to the tree. The function is an ez_item_fn, and stacks a struct ez_stacks. */
ez_err *ez_stacks_item(void *stacks, const struct ez_item *it);
const char *ez_stacks_label(const struct ez_stacks *s, uint32_t label);
void ez_stacks_free(struct ez_stacks *s);

#endif
