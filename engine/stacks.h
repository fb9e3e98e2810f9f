/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stacks.h - the distinct stacks of a trace as a tree, with the time spent at each.
 *
 * It is bounded: calls deeper than EZ_STACKS_DEEPEST are counted in one frame
 * "[deeper]" there, and when the tree is full, calls with new stacks in a frame
 * "[more]" at the root of their thread. So a recursion of any depth makes a small
 * tree, and every nanosecond is still counted once.
 * Tests: tests/unit/engine/check_formats.c */
#ifndef EZ_STACKS_H
#define EZ_STACKS_H

#include "engine/map.h"
#include "engine/model.h"

enum { EZ_STACKS_DEEPEST = 256 };
#define EZ_STACKS_TOP UINT32_MAX /* parent of the outermost frames */

struct ez_stacks {
    const struct ez_model *m;
    bool threads; /* process and thread are frames too                            */
    struct ez_map child;
    EZ_VEC(struct ez_stack_node {
        uint32_t parent; /* comes before its children                             */
        uint32_t label;
        uint64_t self_ns;
    })
    node;
    EZ_VEC(struct ez_stack_at {
        uint32_t at;      /* of a container: where its innermost call is counted  */
        uint32_t held_in; /* all calls from depth held_from on, or TOP            */
        uint32_t held_from;
    })
    thread;
};

void ez_stacks_init(struct ez_stacks *s, const struct ez_model *m, bool threads);
/* An ez_item_fn; its arg is the struct ez_stacks. */
ez_err *ez_stacks_item(void *stacks, const struct ez_item *it);
const char *ez_stacks_label(const struct ez_stacks *s, uint32_t label);
void ez_stacks_free(struct ez_stacks *s);

#endif
