/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stacks.h - the distinct stacks of a trace as a tree, with the time spent at each.
 *
 * It is bounded, and the sums are right all the same. Of a stack deeper than EZ_STACKS_DEEPEST
 * the deep part is told as the functions that are in it, each once, in the order in which
 * they came in, and then the innermost one, if it is not the last of these. So a recursion
 * of any depth makes a small tree, and the time in a function, and below it, is what it is.
 * When the tree is full, calls with new stacks go to frames "[more]", FUNCTION at the root
 * of their thread: the times in functions are right, those below them are not known, and
 * more_ns says of how much.
 * Tests: tests/unit/engine/check_formats.c */
#ifndef EZ_STACKS_H
#define EZ_STACKS_H

#include "engine/base/hash.h"
#include "engine/trace/model.h"

enum { EZ_STACKS_DEEPEST = 256 };
#define EZ_STACKS_TOP UINT32_MAX /* parent of the outermost frames */

struct ez_stacks {
    const struct ez_model *m;
    bool threads; /* process and thread are frames too                            */
    uint64_t more_ns;
    struct ez_hash child;
    EZ_VEC(struct ez_stack_node {
        uint32_t parent; /* comes before its children                             */
        uint32_t label;
        bool again; /* the innermost of a deep stack, which is in it before         */
        uint64_t self_ns;
    })
    node;
    EZ_VEC(struct ez_stack_at {
        uint32_t at;             /* of a container: where its innermost call is counted */
        EZ_VEC(uint32_t) around; /* where those around it are, which are no parents of it */
        size_t more_from;        /* of these, all from here on are in [more]           */
    })
    thread;
};

void ez_stacks_init(struct ez_stacks *s, const struct ez_model *m, bool threads);
/* An ez_item_fn; its arg is the struct ez_stacks. */
ez_err *ez_stacks_item(void *stacks, const struct ez_item *it);
const char *ez_stacks_label(const struct ez_stacks *s, uint32_t label);
void ez_stacks_free(struct ez_stacks *s);

#endif
