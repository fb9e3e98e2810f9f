/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calls.h - which calls of a thread are open, and which were left without returning.
 *
 * Each record of a ring carries its frame: the address of the call's return address. A call is
 * gone once its thread calls or returns at or above that frame on the same stack; where the
 * runtime sees a call being left, its record (EZ_R_LEFT) says so earlier. `left` reports each
 * call that is gone and did not return, with the tick at which it was left: never more calls
 * than were entered.
 *
 * STACKS. A thread may have several stacks (coroutines, alternate signal stacks), and a frame
 * on one stack says nothing of the calls on the others. Stacks are told apart by the mapping
 * they lie in (`region`). The thread's own stack has its mapping to itself. Other stacks may
 * share a mapping: a call on them that seems to be gone may be suspended. Such a call is
 * *parked*: if it returns after all, nothing is reported; it is reported as left when another
 * call takes its frame, or when the thread ends.
 *
 * The mapping is that of the moment when the record is read. Where the runtime knows the bounds
 * of a new stack, its records (EZ_R_STACK) tell them instead: such a stack is *told*, and stays
 * apart from others in its mapping. If neither knows, a block around the frame is taken.
 *
 * Memory and time are bounded, whatever the records say: EZ_CALLS_MOST calls per thread and
 * EZ_CALLS_ALL in all (calls beyond are not followed, their exits are accepted), EZ_CALLS_STACKS
 * stacks; a record costs a search in sorted arrays, and the work for each call that it ends.
 * Test: tests/unit/engine/check_calls.c */
#ifndef EZ_CALLS_H
#define EZ_CALLS_H

#include "engine/base/vec.h"

#define EZ_CALLS_MOST (1u << 20)
#define EZ_CALLS_ALL (1u << 22)
#define EZ_CALLS_STACKS 4096
#define EZ_CALLS_PARKED 1024 /* on one stack */

struct ez_open_call {
    uint64_t frame, tick; /* tick: when the call was parked                         */
    uint32_t id;
    uint32_t depth : 30; /* recorded calls that are open on this stack, up to this one */
    uint32_t state : 2;  /* EZ_CALL_*                                             */
};
enum {
    EZ_CALL_RECORDED, /* its exit will be, too                                      */
    EZ_CALL_HIDDEN,   /* it leaves no event                                         */
    EZ_CALL_WAITS,    /* whether it leaves events depends on when it ends (drain_filter.c) */
};

struct ez_call_region {
    uint64_t lo, hi;
    bool own;      /* the region is this thread's stack and no other's               */
    bool reported; /* the runtime said so: it is one stack                         */
};

struct ez_call_list {
    struct ez_open_call *at;
    size_t n, cap;
};

struct ez_call_stack {
    struct ez_call_region at;
    uint64_t left;              /* when the thread last changed to another stack      */
    struct ez_call_list open;   /* sorted by falling frames                          */
    struct ez_call_list parked; /* sorted by rising frames                           */
};

struct ez_calls {                       /* of one thread; zeros = none open */
    EZ_VEC(struct ez_call_stack) stack; /* sorted by rising addresses                    */
    size_t on;                          /* index of the stack that the thread is on      */
    size_t room;                        /* calls that its lists have memory for          */
};

struct ez_calls_env {
    /* Called when call k ended at `tick` without returning. */
    void (*left)(void *arg, const struct ez_open_call *k, uint64_t tick);
    /* Finds the range in which the stack with `frame` lies; false = unknown. */
    bool (*region)(void *arg, uint64_t frame, struct ez_call_region *out);
    void *arg;
    uint64_t before; /* the tick of the thread's event before this one; the caller sets it */
    size_t room;     /* the sum over all threads */
};

/* The fast path of most entries and exits, which end no other call. false = use ez_calls_entry()
 * or ez_calls_exit(). */
static inline bool ez_calls_quick_entry(struct ez_calls *c, uint64_t frame, uint32_t id)
{
    if (!c->stack.n)
        return false;
    struct ez_call_stack *s = &c->stack.at[c->on];
    struct ez_call_list *o = &s->open;
    if (frame < s->at.lo || frame >= s->at.hi || s->parked.n || o->n == o->cap ||
        (o->n && o->at[o->n - 1].frame <= frame))
        return false;
    struct ez_open_call *k = &o->at[o->n++];
    k->frame = frame;
    k->id = id;
    k->depth = o->n > 1 ? k[-1].depth + 1 : 1;
    k->state = EZ_CALL_RECORDED;
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

/* The thread entered or left a function. `follow`: the exit of this call will be recorded too. */
void ez_calls_entry(struct ez_calls *c, struct ez_calls_env *env, uint64_t frame, uint64_t tick,
                    uint32_t id, bool follow);
/* Returns the call's state, -1 = no such call is known. */
int ez_calls_exit(struct ez_calls *c, struct ez_calls_env *env, uint64_t frame, uint64_t tick);
/* The innermost call on the stack that the thread is on, NULL = none. */
static inline struct ez_open_call *ez_calls_top(struct ez_calls *c)
{
    struct ez_call_list *o = c->stack.n ? &c->stack.at[c->on].open : NULL;
    return o && o->n ? &o->at[o->n - 1] : NULL;
}
/* The call at `frame`, and all calls below it on its stack, are gone. */
void ez_calls_left(struct ez_calls *c, struct ez_calls_env *env, uint64_t frame, uint64_t tick);
/* The thread is about to go to a new stack, from lo to hi: calls on earlier stacks in that memory are gone. */
void ez_calls_stack(struct ez_calls *c, struct ez_calls_env *env, uint64_t lo, uint64_t hi,
                    uint64_t tick);
/* The thread ended: reports all its calls as left. */
void ez_calls_end(struct ez_calls *c, struct ez_calls_env *env, uint64_t tick);
/* Drops all that is known of the thread's calls, and reports none. */
void ez_calls_forget(struct ez_calls *c, struct ez_calls_env *env);

#endif
