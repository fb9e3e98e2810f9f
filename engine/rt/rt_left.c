/* SPDX-License-Identifier: MIT */
/* rt_left.c - calls that are left without returning (rules: rt.c).
 *
 * Slots and return thunks have rows of their own in our unwind tables, and these name a
 * personality: the unwinder calls it, before it goes on to the next frame, once the body's frame
 * is gone, by an exception (of whatever language) as by pthread_exit or a cancellation. It says
 * when and where by a record; which calls that ends is the drain's to find out
 * (engine/ring/calls.h).
 *
 * Who leaves a stack by longjmp, or goes to another by swapcontext, passes a hook on those
 * (engine/probe/jumps.c), which says in the same way where it will land: what is below there, on
 * that stack, is gone. A buffer that cannot be read ends the program here instead of there.
 *
 * Tests: tests/procs/left.sh */
#include "engine/rt/rt_priv.h"

#define UA_SEARCH_PHASE 1 /* it only looks for a handler: nothing is left yet */
#define URC_CONTINUE_UNWIND 8

typedef uint64_t cfa_fn(void *context);

/* The stack pointer as it would be had the body returned is `above` bytes higher than what
 * its records call the frame. */
static int rt_tell_left(int actions, void *context, uint64_t above)
{
    struct ez_ctl *b;
    cfa_fn *cfa = (cfa_fn *)rt_state.get_cfa;
    if (!(actions & UA_SEARCH_PHASE) && cfa && (b = rt_self()))
        rt_left(b, cfa(context) - above);
    return URC_CONTINUE_UNWIND;
}

HIDDEN int ez_left_slot(int version, int actions, uint64_t kind, void *exception, void *context)
{
    (void)version, (void)kind, (void)exception;
    return rt_tell_left(actions, context, 8);
}

HIDDEN int ez_left_return_thunk(int version, int actions, uint64_t kind, void *exception,
                                void *context)
{
    (void)version, (void)kind, (void)exception;
    return rt_tell_left(actions, context, 0);
}

/* Called with the stack as at the function's first instruction, but for 16 words. */
HIDDEN uint64_t ez_jump(uint64_t *word, const struct ez_stub_data *s, const uint64_t *regs)
{
    const uint64_t *sp = word + 16;
    struct ez_ctl *b = rt_self(); /* a forked child has none, and no rings */
    if (!b)
        return s->flags & EZ_STUB_COUNT ? ez_slow(word, s) : 0;
    if (s->flags & EZ_STUB_COUNT)
        rt_entry(b, s, (uint64_t)sp);
    if (!rt_state.hdr->trace_open) /* what it reads may not be there: let it find out itself */
        return 0;
    switch (s->exit) {
    case EZ_JUMP_CONTEXT:
        sp = (const uint64_t *)rt_sp_in_context((const void *)regs[RT_SAVED_ARG0]);
        break;
    case EZ_JUMP_SWAP:
        sp = (const uint64_t *)rt_sp_in_context((const void *)regs[RT_SAVED_ARG1]);
        break;
    case EZ_JUMP_END:
        rt_name(b, rt_tick_now(b)); /* the last it had */
        sp++;                       /* as its caller had it */
        break;
    default:
        sp = (const uint64_t *)rt_sp_in_jmp_buf((const uint64_t *)regs[RT_SAVED_ARG0],
                                                s->exit == EZ_JUMP_MANGLED);
    }
    rt_left(b, (uint64_t)(sp - 1));
    return 0;
}
