/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calls.h - tracks which calls of a thread are open, and which were left without a return.
 *
 * Each record in a ring has a frame: the address where the call's return address is stored. A call
 * is over once its thread returns at or above that frame on the same stack, or enters a function
 * above that frame (at that frame, if the exit of the function is followed). If the runtime notices
 * that a call is left, its record (EZ_R_LEFT) ends the call earlier. `left` is called for each call
 * that is over and did not return.
 *
 * STACKS. A thread may have several stacks (coroutines, alternate signal stacks). A frame on one
 * stack says nothing about calls on another stack. Stacks are distinguished by their memory mapping
 * (`region`). On the stack that the kernel or libc made for the thread (`own`), a call that seems
 * to be over is over. Other stacks may share a mapping, so a call there may only be suspended: it
 * is *parked*. If a parked call returns, nothing is reported. A parked call is reported
 * as left when another call or an EZ_R_LEFT record has the same frame, when a limit is reached,
 * when another stack is reported in the memory of its stack, or when the thread ends.
 *
 * If the runtime knows the bounds of a new stack, its records (EZ_R_STACK) contain the bounds: such
 * a stack is *reported*, and is treated as separate from other stacks in its mapping. If no mapping
 * and no report contains the frame, an aligned block around the frame is used.
 *
 * Memory is bounded for any records: at most EZ_CALLS_MOST calls and EZ_CALLS_STACKS stacks per
 * thread, and EZ_CALLS_ALL calls of all threads. Calls beyond a limit are not followed; their exits
 * are accepted.
 * Tests: tests/unit/record/check_calls.c */
#ifndef EZ_CALLS_H
#define EZ_CALLS_H

#include "engine/base/vec.h"

#define EZ_CALLS_MOST (1u << 20)
#define EZ_CALLS_ALL (1u << 22)
#define EZ_CALLS_STACKS 4096
#define EZ_CALLS_PARKED 1024 /* maximum number of parked calls on a stack */

struct ez_open_call {
    uint64_t frame, tick; /* tick: the time at which the call was parked */
    uint32_t id;
    uint32_t depth : 30; /* recorded open calls on this stack, up to and including this call */
    uint32_t state : 2;  /* EZ_CALL_* */
};
enum {
    EZ_CALL_RECORDED, /* the exit will be recorded */
    EZ_CALL_HIDDEN,   /* the call leaves no event */
    EZ_CALL_WAITS,    /* the duration decides whether the call leaves events (drain_filter.c) */
};

struct ez_call_region {
    uint64_t lo, hi;
    bool own;      /* only this thread uses the region as its stack */
    bool reported; /* bounds reported by the runtime: exactly one stack */
};

struct ez_call_list {
    struct ez_open_call *at;
    size_t n, cap;
};

struct ez_call_stack {
    struct ez_call_region at;
    uint64_t left;              /* tick when the thread last switched to another stack */
    struct ez_call_list open;   /* sorted by falling frames */
    struct ez_call_list parked; /* sorted by rising frames */
};

struct ez_calls {                       /* calls of one thread; all bytes 0: no open calls */
    EZ_VEC(struct ez_call_stack) stack; /* sorted by rising addresses */
    size_t on;                          /* index of the stack that the thread uses now */
    size_t room;                        /* number of calls for which the lists have memory */
};

struct ez_calls_env {
    /* Reports that call k ended at `tick` without a return. */
    void (*left)(void *arg, const struct ez_open_call *k, uint64_t tick);
    /* Finds the range of the stack that contains `frame`. Returns false if it is unknown. */
    bool (*region)(void *arg, uint64_t frame, struct ez_call_region *out);
    void *arg;
    uint64_t before; /* tick of the thread's previous event; the caller sets it before each call */
    size_t room;     /* sum of ez_calls.room over all threads */
};

/* Handle an entry or an exit that ends no other call, which is the usual case. Return false if the
 * caller must use ez_calls_entry() or ez_calls_exit() instead. */
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

/* Handles the entry of a function. follow: the exit will be recorded, too. */
void ez_calls_entry(struct ez_calls *c, struct ez_calls_env *env, uint64_t frame, uint64_t tick,
                    uint32_t id, bool follow);
/* Handles the exit of the call with this frame. Returns the call's state (EZ_CALL_*), or -1 if the
 * call is not known. */
int ez_calls_exit(struct ez_calls *c, struct ez_calls_env *env, uint64_t frame, uint64_t tick);
/* Returns the innermost open call on the thread's current stack, or NULL if there is none. */
static inline struct ez_open_call *ez_calls_top(struct ez_calls *c)
{
    struct ez_call_list *o = c->stack.n ? &c->stack.at[c->on].open : NULL;
    return o && o->n ? &o->at[o->n - 1] : NULL;
}
/* Handles the report (EZ_R_LEFT) that the call at `frame` was left. All calls below that frame on
 * its stack are over, too. */
void ez_calls_left(struct ez_calls *c, struct ez_calls_env *env, uint64_t frame, uint64_t tick);
/* Handles the report that the thread will switch to a new stack [lo, hi). Ends all calls on earlier
 * stacks in that memory. Does nothing if an earlier stack there is not a reported stack, or if the
 * only earlier stack there has the same bounds. */
void ez_calls_stack(struct ez_calls *c, struct ez_calls_env *env, uint64_t lo, uint64_t hi,
                    uint64_t tick);
/* Handles the end of the thread: reports all its open and parked calls as left. */
void ez_calls_end(struct ez_calls *c, struct ez_calls_env *env, uint64_t tick);
/* Drops all calls of the thread without reporting them. */
void ez_calls_forget(struct ez_calls *c, struct ez_calls_env *env);

#endif
