/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calls.c - tracks the open calls of threads (calls.h). */
#include "engine/record/calls.h"

#include <string.h>

#define GUESS (1u << 20) /* assumed size of a stack in bytes, if its mapping is unknown */

static void calls_report(struct ez_calls_env *env, const struct ez_open_call *k, uint64_t tick)
{
    env->left(env->arg, k, tick);
}

/* Makes room for n calls in the list. Returns false if that would exceed a limit. */
static bool calls_room(struct ez_calls *c, struct ez_calls_env *env, struct ez_call_list *l,
                       size_t n)
{
    size_t cap = l->cap ? l->cap : 16;
    while (cap < n)
        cap *= 2;
    if (cap > l->cap &&
        (c->room + cap - l->cap > EZ_CALLS_MOST || env->room + cap - l->cap > EZ_CALLS_ALL))
        return false;
    if (cap > l->cap) {
        l->at = ez_realloc(l->at, cap * sizeof *l->at);
        c->room += cap - l->cap;
        env->room += cap - l->cap;
        l->cap = cap;
    }
    return true;
}

static void calls_drop_list(struct ez_calls *c, struct ez_calls_env *env, struct ez_call_list *l)
{
    c->room -= l->cap;
    env->room -= l->cap;
    free(l->at);
    *l = (struct ez_call_list){ .n = 0 };
}

/* ---- parked ----------------------------------------------------------------------- */

static size_t calls_parked_at(const struct ez_call_stack *s, uint64_t frame)
{
    size_t i = EZ_UPTO(s->parked.at, s->parked.n, frame, frame);
    return i && s->parked.at[i - 1].frame == frame ? i - 1 : SIZE_MAX;
}

static struct ez_open_call calls_unpark(struct ez_call_stack *s, size_t i)
{
    struct ez_open_call k = s->parked.at[i];
    memmove(s->parked.at + i, s->parked.at + i + 1, (--s->parked.n - i) * sizeof k);
    return k;
}

/* Removes the call that is parked at `frame`, if any, and reports that this call was left when it
 * was parked. */
static void calls_replaced(struct ez_calls_env *env, struct ez_call_stack *s, uint64_t frame)
{
    size_t i = calls_parked_at(s, frame);
    if (i != SIZE_MAX) {
        struct ez_open_call k = calls_unpark(s, i);
        calls_report(env, &k, k.tick);
    }
}

/* Removes the call that has been parked longest, and reports it as left, because too many calls are
 * parked. */
static void calls_emit_oldest(struct ez_calls_env *env, struct ez_call_stack *s)
{
    size_t oldest = 0;
    for (size_t i = 1; i < s->parked.n; i++)
        if (s->parked.at[i].tick < s->parked.at[oldest].tick)
            oldest = i;
    struct ez_open_call k = calls_unpark(s, oldest);
    calls_report(env, &k, k.tick);
}

static void calls_park(struct ez_calls *c, struct ez_calls_env *env, struct ez_call_stack *s,
                       struct ez_open_call k)
{
    calls_replaced(env, s, k.frame);
    if (s->parked.n >= EZ_CALLS_PARKED)
        calls_emit_oldest(env, s);
    if (!calls_room(c, env, &s->parked, s->parked.n + 1)) {
        calls_report(env, &k, k.tick);
        return;
    }
    size_t i = EZ_UPTO(s->parked.at, s->parked.n, frame, k.frame);
    memmove(s->parked.at + i + 1, s->parked.at + i, (s->parked.n++ - i) * sizeof k);
    s->parked.at[i] = k;
}

/* ---- stacks ----------------------------------------------------------------------- */

static void calls_end_stack(struct ez_calls *c, struct ez_calls_env *env, size_t i, uint64_t tick)
{
    struct ez_call_stack *s = &c->stack.at[i];
    while (s->open.n)
        calls_report(env, &s->open.at[--s->open.n], i == c->on ? tick : s->left);
    for (size_t k = 0; k < s->parked.n; k++)
        calls_report(env, &s->parked.at[k], s->parked.at[k].tick);
    s->parked.n = 0;
}

/* Appends the calls of `from` to `to`, and empties `from`. If `to` has no room for them, reports
 * the calls as left. */
static void calls_append(struct ez_calls *c, struct ez_calls_env *env, struct ez_call_list *to,
                         struct ez_call_list *from, uint64_t tick)
{
    size_t n = calls_room(c, env, to, to->n + from->n) ? from->n : 0;
    for (size_t i = 0; i < from->n; i++)
        if (n)
            to->at[to->n++] = from->at[i];
        else
            calls_report(env, &from->at[i], from->at[i].tick ? from->at[i].tick : tick);
    calls_drop_list(c, env, from);
}

/* Joins stack i and the next stack, because a region that is now known contains bytes of both. */
static void calls_join_next(struct ez_calls *c, struct ez_calls_env *env, size_t i, uint64_t tick)
{
    struct ez_call_stack *s = &c->stack.at[i], *high = s + 1;
    struct ez_call_list low = s->open;
    s->open = high->open;
    calls_append(c, env, &s->open, &low, tick);
    calls_append(c, env, &s->parked, &high->parked, tick);
    s->left = EZ_MAX(s->left, high->left);
    memmove(high, high + 1, (--c->stack.n - i - 1) * sizeof *s);
    c->on -= c->on > i;
}

static void calls_drop_all(struct ez_calls *c, struct ez_calls_env *env)
{
    for (size_t i = 0; i < c->stack.n; i++) {
        calls_drop_list(c, env, &c->stack.at[i].open);
        calls_drop_list(c, env, &c->stack.at[i].parked);
    }
    EZ_VEC_FREE(&c->stack);
    c->on = 0;
}

static bool calls_within(const struct ez_call_region *r, uint64_t frame)
{
    return frame >= r->lo && frame < r->hi;
}

/* Shrinks r, which contains `frame`, so that r excludes all known stacks without `frame`; if
 * reported_only is true, only those stacks whose bounds the runtime reported. */
static void calls_cut(const struct ez_calls *c, struct ez_call_region *r, uint64_t frame,
                      bool reported_only)
{
    for (size_t k = 0; k < c->stack.n; k++) {
        const struct ez_call_region *o = &c->stack.at[k].at;
        if (reported_only && !o->reported)
            continue;
        if (o->hi <= frame)
            r->lo = EZ_MAX(r->lo, o->hi);
        if (o->lo > frame)
            r->hi = EZ_MIN(r->hi, o->lo);
    }
}

/* Returns the region of a new stack that contains `frame`: the mapping, or an aligned block if no
 * mapping is known. If the region is not the thread's own stack, excludes known stacks: reported
 * stacks from a mapping, all stacks from a block. */
static struct ez_call_region calls_region_of(const struct ez_calls *c, struct ez_calls_env *env,
                                             uint64_t frame)
{
    struct ez_call_region r;
    uint64_t lo = frame & ~(uint64_t)(GUESS - 1);
    bool known = env->region(env->arg, frame, &r) && calls_within(&r, frame);
    if (!known)
        r = (struct ez_call_region){ .lo = lo, .hi = lo + GUESS > lo ? lo + GUESS : UINT64_MAX };
    if (!r.own) /* The thread's own stack may contain another stack: see ez_calls_stack(). */
        calls_cut(c, &r, frame, known);
    return r;
}

/* Makes room for one more stack: drops all stacks without calls, except the current stack. If no
 * stack can be dropped, ends all calls. */
static void calls_drop_some(struct ez_calls *c, struct ez_calls_env *env, uint64_t tick)
{
    size_t n = 0, on = c->on;
    for (size_t i = 0; i < c->stack.n; i++) {
        struct ez_call_stack *s = &c->stack.at[i];
        if (i == on)
            c->on = n;
        if (i == on || s->open.n || s->parked.n) {
            c->stack.at[n++] = *s;
            continue;
        }
        calls_drop_list(c, env, &s->open);
        calls_drop_list(c, env, &s->parked);
    }
    c->stack.n = n;
    if (n == EZ_CALLS_STACKS)
        ez_calls_end(c, env, tick);
}

static size_t calls_first_above(const struct ez_calls *c, uint64_t lo)
{
    size_t i = EZ_UPTO(c->stack.at, c->stack.n, at.lo, lo);
    return i - (i && c->stack.at[i - 1].at.hi > lo);
}

/* Adds a new stack with region r, or, if known stacks overlap r, makes them one stack with region
 * r. Returns the index of the stack. */
static size_t calls_place(struct ez_calls *c, struct ez_calls_env *env, struct ez_call_region r,
                          uint64_t tick)
{
    size_t i = calls_first_above(c, r.lo);
    if (i < c->stack.n && c->stack.at[i].at.lo < r.hi) {
        while (i + 1 < c->stack.n && c->stack.at[i + 1].at.lo < r.hi)
            calls_join_next(c, env, i, tick);
        c->stack.at[i].at = r;
        return i;
    }
    if (c->stack.n == EZ_CALLS_STACKS) {
        calls_drop_some(c, env, tick);
        i = calls_first_above(c, r.lo);
    }
    EZ_PUSH(&c->stack, ((struct ez_call_stack){ .left = 0 }));
    memmove(c->stack.at + i + 1, c->stack.at + i, (c->stack.n - 1 - i) * sizeof *c->stack.at);
    c->stack.at[i] = (struct ez_call_stack){ .at = r };
    c->on += c->stack.n > 1 && c->on >= i;
    return i;
}

/* Returns the assumed tick at which the thread left its previous stack: one tick before `tick`, the
 * time of the first record on the new stack, because outer calls may end at `tick`. The result is
 * `tick` if the thread's previous event has that tick. */
static uint64_t calls_went(const struct ez_calls_env *env, uint64_t tick)
{
    return EZ_MIN(tick, EZ_MAX(env->before, tick - !!tick));
}

static struct ez_call_stack *calls_other_stack(struct ez_calls *c, struct ez_calls_env *env,
                                               uint64_t frame, uint64_t tick)
{
    size_t i = EZ_UPTO(c->stack.at, c->stack.n, at.lo, frame), was = c->on;
    if (i && calls_within(&c->stack.at[i - 1].at, frame))
        i--;
    else
        i = calls_place(c, env, calls_region_of(c, env, frame), tick), was = c->on;
    if (was < c->stack.n && was != i)
        c->stack.at[was].left = calls_went(env, tick);
    c->on = i;
    return &c->stack.at[i];
}

static inline struct ez_call_stack *calls_stack_of(struct ez_calls *c, struct ez_calls_env *env,
                                                   uint64_t frame, uint64_t tick)
{
    if (c->stack.n && calls_within(&c->stack.at[c->on].at, frame))
        return &c->stack.at[c->on];
    return calls_other_stack(c, env, frame, tick);
}

/* ---- what happens ----------------------------------------------------------------- */

/* Reports or parks the calls of s whose frames are below `limit`, with the time `tick`. Calls on a
 * stack that is not `own` may only be suspended, so they are parked. */
static inline void calls_cut_below(struct ez_calls *c, struct ez_calls_env *env,
                                   struct ez_call_stack *s, uint64_t limit, uint64_t tick)
{
    while (s->open.n && s->open.at[s->open.n - 1].frame < limit) {
        struct ez_open_call k = s->open.at[--s->open.n];
        k.tick = tick;
        if (s->at.own)
            calls_report(env, &k, tick);
        else
            calls_park(c, env, s, k);
    }
}

/* Returns the stack of `frame`, and makes it the current stack. *when: the tick at which to end
 * calls on that stack that are over: if the thread now returns to a stack that is not `own`, the
 * tick at which the thread had left that stack, else `tick`. */
static inline struct ez_call_stack *calls_arrive(struct ez_calls *c, struct ez_calls_env *env,
                                                 uint64_t frame, uint64_t tick, uint64_t *when)
{
    size_t was = c->on, n = c->stack.n;
    struct ez_call_stack *s = calls_stack_of(c, env, frame, tick);
    *when = (c->on != was || c->stack.n != n) && s->left && !s->at.own ? s->left : tick;
    return s;
}

static uint32_t calls_depth(const struct ez_call_list *open)
{
    return open->n ? open->at[open->n - 1].depth : 0;
}

void ez_calls_entry(struct ez_calls *c, struct ez_calls_env *env, uint64_t frame, uint64_t tick,
                    uint32_t id, bool follow)
{
    uint64_t when;
    struct ez_call_stack *s = calls_arrive(c, env, frame, tick, &when);
    calls_cut_below(c, env, s, frame + follow, when);
    if (s->parked.n && follow)
        calls_replaced(env, s, frame);
    if (!follow || !calls_room(c, env, &s->open, s->open.n + 1))
        return;
    uint32_t depth = calls_depth(&s->open) + 1;
    s->open.at[s->open.n++] = (struct ez_open_call){ .frame = frame, .id = id, .depth = depth };
}

int ez_calls_exit(struct ez_calls *c, struct ez_calls_env *env, uint64_t frame, uint64_t tick)
{
    uint64_t when;
    struct ez_call_stack *s = calls_arrive(c, env, frame, tick, &when);
    calls_cut_below(c, env, s, frame, when);
    if (s->open.n && s->open.at[s->open.n - 1].frame == frame)
        return s->open.at[--s->open.n].state;
    if (s->parked.n) {
        size_t i = calls_parked_at(s, frame);
        if (i != SIZE_MAX) /* the parked call was only suspended */
            return calls_unpark(s, i).state;
    }
    return -1;
}

void ez_calls_left(struct ez_calls *c, struct ez_calls_env *env, uint64_t frame, uint64_t tick)
{
    uint64_t when;
    struct ez_call_stack *s = calls_arrive(c, env, frame, tick, &when);
    calls_cut_below(c, env, s, frame, when);
    if (s->open.n && s->open.at[s->open.n - 1].frame == frame)
        calls_report(env, &s->open.at[--s->open.n], tick);
    else if (s->parked.n)
        calls_replaced(env, s, frame);
}

/* A new stack may be inside a known stack whose bounds the runtime did not report, for example in
 * an array on the thread's own stack. This new stack is treated as a part of the known stack,
 * because calls may be open above and below the new stack. */
void ez_calls_stack(struct ez_calls *c, struct ez_calls_env *env, uint64_t lo, uint64_t hi,
                    uint64_t tick)
{
    size_t i = calls_first_above(c, lo), end = i;
    if (lo >= hi)
        return;
    for (; end < c->stack.n && c->stack.at[end].at.lo < hi; end++)
        if (!c->stack.at[end].at.reported)
            return;
    bool same = end == i + 1 && c->stack.at[i].at.lo == lo && c->stack.at[i].at.hi == hi;
    if (same) /* The next record on this stack shows which of its calls are over. */
        return;
    for (size_t k = i; k < end; k++)
        calls_end_stack(c, env, k, tick);
    calls_place(c, env, (struct ez_call_region){ lo, hi, .reported = true }, tick);
}

void ez_calls_end(struct ez_calls *c, struct ez_calls_env *env, uint64_t tick)
{
    for (size_t i = 0; i < c->stack.n; i++)
        calls_end_stack(c, env, i, tick);
    calls_drop_all(c, env);
}

void ez_calls_forget(struct ez_calls *c, struct ez_calls_env *env)
{
    calls_drop_all(c, env);
}
