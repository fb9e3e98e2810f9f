/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stacks.c - see stacks.h. */
#include "engine/stacks.h"

enum { MOST = 500000 }; /* nodes, about 24 MB */

#define L_CONTAINER 0x80000000u /* a label is a name, a container with this bit, or */
#define L_DEEPER 0xfffffffeu
#define L_MORE 0xffffffffu
#define TOP EZ_STACKS_TOP

void ez_stacks_init(struct ez_stacks *s, const struct ez_model *m, bool threads)
{
    *s = (struct ez_stacks){ .m = m, .threads = threads };
}

void ez_stacks_free(struct ez_stacks *s)
{
    EZ_VEC_FREE(&s->node);
    EZ_VEC_FREE(&s->thread);
    ez_map_free(&s->child);
}

const char *ez_stacks_label(const struct ez_stacks *s, uint32_t label)
{
    if (label == L_DEEPER)
        return "[deeper]";
    if (label == L_MORE)
        return "[more]";
    return label & L_CONTAINER ? s->m->container.at[label & ~L_CONTAINER].name
                               : s->m->name.at[label].text;
}

static uint32_t child(struct ez_stacks *s, uint32_t parent, uint32_t label)
{
    size_t fresh = s->node.n;
    size_t i = ez_map_put(&s->child, (uint64_t)parent << 32 | label, fresh);
    if (i == fresh) {
        struct ez_stack_node n = { parent, label, 0 };
        EZ_PUSH(&s->node, n);
    }
    return (uint32_t)i;
}

/* TOP: it would be one too many. */
static uint32_t bounded_child(struct ez_stacks *s, uint32_t parent, uint32_t label)
{
    size_t i;
    if (s->node.n < MOST)
        return child(s, parent, label);
    return ez_map_get(&s->child, (uint64_t)parent << 32 | label, &i) ? (uint32_t)i : TOP;
}

/* The program is no frame: it would be at the bottom of every stack. */
static uint32_t root_of(struct ez_stacks *s, uint32_t container)
{
    const struct ez_container *c = &s->m->container.at[container];
    if (!s->threads)
        return TOP;
    uint32_t below = c->level == EZ_L_THREAD ? child(s, TOP, c->parent | L_CONTAINER) : TOP;
    return child(s, below, container | L_CONTAINER);
}

static struct ez_stack_at *thread(struct ez_stacks *s, uint32_t container)
{
    while (s->thread.n <= container) {
        struct ez_stack_at t = { .at = root_of(s, (uint32_t)s->thread.n), .held_in = TOP };
        EZ_PUSH(&s->thread, t);
    }
    return &s->thread.at[container];
}

static void push(struct ez_stacks *s, const struct ez_item *it)
{
    struct ez_stack_at *t = thread(s, it->container);
    if (t->held_in != TOP)
        return;
    bool deep = it->depth >= EZ_STACKS_DEEPEST;
    uint32_t to = bounded_child(s, t->at, deep ? L_DEEPER : it->name);
    if (to != TOP && !deep) {
        t->at = to;
        return;
    }
    t->held_in = to != TOP ? to : child(s, root_of(s, it->container), L_MORE);
    t->held_from = it->depth;
}

static void pop(struct ez_stacks *s, const struct ez_item *it)
{
    struct ez_stack_at *t = thread(s, it->container);
    if (t->held_in == TOP) {
        s->node.at[t->at].self_ns += it->self_ns;
        t->at = s->node.at[t->at].parent;
        return;
    }
    s->node.at[t->held_in].self_ns += it->self_ns;
    if (it->depth == t->held_from)
        t->held_in = TOP;
}

ez_err *ez_stacks_item(void *stacks, const struct ez_item *it)
{
    if (it->kind == EZ_I_PUSH)
        push(stacks, it);
    else if (it->kind == EZ_I_POP)
        pop(stacks, it);
    return NULL;
}
