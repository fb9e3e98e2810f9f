/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calls.h - which calls of a thread are open, and which were left without returning.
 *
 * Each record of a ring carries its frame: the address of its return address. A call is
 * gone once its thread calls, or returns, at or above that on the same stack; the runtime
 * says so earlier where it sees it (EZ_R_LEFT). Whatever is gone and did not return is told
 * by `left`, with the tick at which it was: never more than were entered.
 *
 * STACKS. A thread may have several (coroutines, alternate signal stacks), and what is above
 * on one says nothing of the others. They are told apart by the mapping they lie in
 * (`region`). The thread's own has its mapping to itself. Others may share one: there a
 * frame that seems to be gone may only rest. It is *parked*; if it returns after all, nothing
 * was wrong; it is told when another call has its place, or the thread ends.
 *
 * Bounded whatever the records say: EZ_CALLS_MOST calls a thread and EZ_CALLS_ALL in all
 * (calls beyond are not followed: their exits pass), EZ_CALLS_STACKS stacks; each record costs
 * a search in sorted arrays besides what it ends.
 * Test: tests/unit/engine/check_calls.c */
#ifndef EZ_CALLS_H
#define EZ_CALLS_H

#include "engine/base/vec.h"

#define EZ_CALLS_MOST (1u << 20)
#define EZ_CALLS_ALL (1u << 22)
#define EZ_CALLS_STACKS 4096
#define EZ_CALLS_PARKED 1024 /* on one stack */

struct ez_call {
    uint64_t frame, tick; /* tick: when it was parked                               */
    uint32_t id;
};

struct ez_call_region {
    uint64_t lo, hi;
    bool own; /* of this thread, and nobody else's                              */
};

struct ez_call_list {
    struct ez_call *at;
    size_t n, cap;
};

struct ez_call_stack {
    struct ez_call_region at;
    uint64_t left;              /* when the thread was last seen to go elsewhere      */
    struct ez_call_list open;   /* frames fall                                       */
    struct ez_call_list parked; /* frames rise                                       */
};

struct ez_calls {                       /* of one thread; zeros = none open */
    EZ_VEC(struct ez_call_stack) stack; /* addresses rise                                */
    size_t on;                          /* the stack it is on                            */
    size_t room;                        /* for calls, in all its lists                   */
};

struct ez_calls_env {
    /* A call of `id` ended at `tick`, not by returning. */
    void (*left)(void *arg, uint32_t id, uint64_t tick);
    /* Where the stack that `frame` is on may reach; false = unknown. */
    bool (*region)(void *arg, uint64_t frame, struct ez_call_region *out);
    void *arg;
    uint64_t before; /* the tick of the thread's event before this one; the caller sets it */
    size_t room;     /* of all threads */
};

/* What a call and its return mostly are: nothing else ended. false = ask the others. */
static inline bool ez_calls_quick_entry(struct ez_calls *c, uint64_t frame, uint32_t id)
{
    if (!c->stack.n)
        return false;
    struct ez_call_stack *s = &c->stack.at[c->on];
    struct ez_call_list *o = &s->open;
    if (frame < s->at.lo || frame >= s->at.hi || s->parked.n || o->n == o->cap ||
        (o->n && o->at[o->n - 1].frame <= frame))
        return false;
    struct ez_call *k = &o->at[o->n++];
    k->frame = frame;
    k->id = id;
    return true;
}

static inline bool ez_calls_quick_exit(struct ez_calls *c, uint64_t frame)
{
    if (!c->stack.n)
        return false;
    struct ez_call_list *o = &c->stack.at[c->on].open;
    if (!o->n || o->at[o->n - 1].frame != frame)
        return false;
    o->n--;
    return true;
}

/* An event of the thread. `follow`: an entry whose exit will be recorded too. */
void ez_calls_entry(struct ez_calls *c, struct ez_calls_env *env, uint64_t frame, uint64_t tick,
                    uint32_t id, bool follow);
void ez_calls_exit(struct ez_calls *c, struct ez_calls_env *env, uint64_t frame, uint64_t tick);
/* The frame, and what is below it on its stack, is gone. */
void ez_calls_left(struct ez_calls *c, struct ez_calls_env *env, uint64_t frame, uint64_t tick);
/* The thread ended: so did all its calls. */
void ez_calls_end(struct ez_calls *c, struct ez_calls_env *env, uint64_t tick);
/* Nothing is known to be open any more; nothing is told. */
void ez_calls_forget(struct ez_calls *c, struct ez_calls_env *env);

#endif
