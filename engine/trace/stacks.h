/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stacks.h - the distinct stacks of a trace as a tree, with the time spent in each.
 *
 * The tree is bounded and its sums stay exact. Below EZ_STACKS_DEEPEST frames, a stack is reduced
 * to its functions, each once, in the order of their entry, followed by the innermost function
 * unless it is the last of these. So a recursion of any depth makes a small tree, and the times in
 * and below each function are exact. When the tree is full, a call with a new stack is counted in
 * the frames "[more]", FUNCTION at the root of its thread. Times in functions then stay exact, but
 * times below them are unknown. more_ns is the time counted that way.
 *
 * Tests: tests/unit/engine/check_formats.c */
#ifndef EZ_STACKS_H
#define EZ_STACKS_H

#include "engine/base/hash.h"
#include "engine/trace/model.h"

enum { EZ_STACKS_DEEPEST = 256 };
#define EZ_STACKS_TOP UINT32_MAX /* parent of the outermost frames */

struct ez_stacks {
    const struct ez_model *m;
    bool threads; /* process and thread are frames, too */
    uint64_t more_ns;
    struct ez_hash child;
    EZ_VEC(struct ez_stack_node {
        uint32_t parent; /* index of the parent, which comes before its children */
        uint32_t label;
        bool again; /* innermost function of a deep stack that contains it already */
        uint64_t self_ns;
    })
    node;
    EZ_VEC(struct ez_stack_at {
        uint32_t at; /* node that counts a container's innermost call */
        /* nodes of the calls around it, where these are not its parents */
        EZ_VEC(uint32_t) around;
        size_t more_from; /* index from which `around` belongs to [more] */
    })
    thread;
};

void ez_stacks_init(struct ez_stacks *s, const struct ez_model *m, bool threads);
/* Adds an item to the tree. An ez_item_fn whose arg is the struct ez_stacks. */
ez_err *ez_stacks_item(void *stacks, const struct ez_item *it);
const char *ez_stacks_label(const struct ez_stacks *s, uint32_t label);
void ez_stacks_free(struct ez_stacks *s);

#endif
