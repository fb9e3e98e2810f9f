/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stacks.c - the distinct stacks of a trace as a tree (stacks.h). */
#include "engine/trace/stacks.h"

enum { MOST = 500000 }; /* maximum number of nodes; so many nodes need about 32 MB */

#define L_CONTAINER EZ_STACKS_CONTAINER
#define L_MORE EZ_STACKS_MORE
#define TOP EZ_STACKS_TOP

void ez_stacks_init(struct ez_stacks *s, const struct ez_model *m, bool threads)
{
    *s = (struct ez_stacks){ .m = m, .threads = threads };
}

void ez_stacks_free(struct ez_stacks *s)
{
    for (size_t i = 0; i < s->thread.n; i++)
        EZ_VEC_FREE(&s->thread.at[i].around);
    EZ_VEC_FREE(&s->node);
    EZ_VEC_FREE(&s->thread);
    ez_hash_free(&s->child);
}

const char *ez_stacks_label(const struct ez_stacks *s, uint32_t label)
{
    if (label == L_MORE)
        return "[more]";
    return label & L_CONTAINER ? s->m->container.at[label & ~L_CONTAINER].name
                               : s->m->name.at[label].text;
}

static uint32_t stacks_child(struct ez_stacks *s, uint32_t parent, uint32_t label)
{
    size_t fresh = s->node.n;
    size_t i = ez_hash_put(&s->child, (uint64_t)parent << 32 | label, fresh);
    if (i == fresh) {
        struct ez_stack_node n = { .parent = parent, .label = label };
        EZ_PUSH(&s->node, n);
    }
    return (uint32_t)i;
}

/* Returns the child of `parent` with this label, and adds the child if it is new. Returns TOP if
 * the child is new and the tree is full. */
static uint32_t stacks_bounded_child(struct ez_stacks *s, uint32_t parent, uint32_t label)
{
    size_t i;
    if (s->node.n < MOST)
        return stacks_child(s, parent, label);
    return ez_hash_get(&s->child, (uint64_t)parent << 32 | label, &i) ? (uint32_t)i : TOP;
}

/* Returns the node that is the parent of a container's outermost calls: the node of the container,
 * or TOP if stacks have no frames for threads. The program has no frame, because it would be the
 * outermost frame of every stack. */
static uint32_t stacks_root_of(struct ez_stacks *s, uint32_t container)
{
    const struct ez_container *c = &s->m->container.at[container];
    if (!s->threads)
        return TOP;
    uint32_t below = c->level == EZ_L_THREAD ? stacks_child(s, TOP, c->parent | L_CONTAINER) : TOP;
    return stacks_child(s, below, container | L_CONTAINER);
}

static struct ez_stack_at *stacks_thread(struct ez_stacks *s, uint32_t container)
{
    while (s->thread.n <= container) {
        struct ez_stack_at t = { .at = stacks_root_of(s, (uint32_t)s->thread.n) };
        t.more_from = SIZE_MAX;
        EZ_PUSH(&s->thread, t);
    }
    return &s->thread.at[container];
}

static bool stacks_is_in(const struct ez_stacks *s, uint32_t node, uint32_t label)
{
    for (; node != TOP; node = s->node.at[node].parent)
        if (s->node.at[node].label == label)
            return true;
    return false;
}

/* Returns the node for a call of `label` in a stack deeper than EZ_STACKS_DEEPEST, or TOP if the
 * tree is full. */
static uint32_t stacks_deep_child(struct ez_stacks *s, uint32_t parent, uint32_t label)
{
    /* a node with `again` is always the innermost frame, so the new frame is added to its parent
     * instead */
    if (s->node.at[parent].again) {
        parent = s->node.at[parent].parent;
        if (s->node.at[parent].label == label && !s->node.at[parent].again)
            return parent;
    }
    size_t before = s->node.n;
    uint32_t to = stacks_bounded_child(s, parent, label);
    if (s->node.n > before)
        s->node.at[to].again = stacks_is_in(s, parent, label);
    return to;
}

static void stacks_push(struct ez_stacks *s, const struct ez_item *it)
{
    struct ez_stack_at *t = stacks_thread(s, it->container);
    uint32_t depth = it->kind == EZ_I_EVENT ? ez_model_depth(s->m, it->container) : it->depth;
    bool deep = depth >= EZ_STACKS_DEEPEST, more = t->more_from != SIZE_MAX;
    uint32_t to = TOP;
    if (!more)
        to =
            deep ? stacks_deep_child(s, t->at, it->name) : stacks_bounded_child(s, t->at, it->name);
    if (to == TOP && !more)
        t->more_from = t->around.n;
    if (to == TOP)
        to = stacks_child(s, stacks_child(s, stacks_root_of(s, it->container), L_MORE), it->name);
    if (deep || t->more_from != SIZE_MAX)
        EZ_PUSH(&t->around, t->at);
    t->at = to;
    s->node.at[to].calls++;
}

/* Ends the innermost call, whose self time is self_ns. */
static void stacks_pop(struct ez_stacks *s, uint32_t container, uint64_t self_ns)
{
    struct ez_stack_at *t = stacks_thread(s, container);
    s->node.at[t->at].self_ns += self_ns;
    s->more_ns += t->more_from != SIZE_MAX ? self_ns : 0;
    t->at = t->around.n ? t->around.at[--t->around.n] : s->node.at[t->at].parent;
    if (t->around.n <= t->more_from)
        t->more_from = SIZE_MAX;
}

/* Pauses that eztsh caused are not in the stacks; they never contain other states. */
ez_err *ez_stacks_item(void *stacks, const struct ez_item *it)
{
    struct ez_stacks *s = stacks;
    bool point = it->kind == EZ_I_EVENT && s->points;
    bool state = it->kind == EZ_I_PUSH || it->kind == EZ_I_POP;
    if ((!point && !state) || s->m->name.at[it->name].pause == EZ_P_OURS)
        return NULL;
    if (it->kind != EZ_I_POP)
        stacks_push(s, it);
    if (it->kind != EZ_I_PUSH)
        stacks_pop(s, it->container, point ? 0 : it->self_ns);
    return NULL;
}
