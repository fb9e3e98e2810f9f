/* SPDX-License-Identifier: MIT */
/* rt_left.c - calls that are left without a return (rules for the code: rt.c).
 *
 * Return trampolines and return thunks have their own rows in the runtime's unwind tables, and
 * these rows have a personality. When the unwinder has removed the body's frame, it calls the
 * personality: for an exception of any language, for pthread_exit, for a cancellation. The
 * personality records when and where this happened. The drain finds out which calls ended
 * (engine/record/calls.h).
 *
 * longjmp, swapcontext and similar functions have a hook, which runs before the function does
 * (engine/probe/jumps.c). The hook records the stack address to which the jump leads: the frames
 * below that address, on that stack, are gone. If the jump's buffer is unreadable, the hook faults
 * in place of the function.
 *
 * When a context runs for the first time, the hook also records the bounds of its stack: when the
 * drain reads the record, the stack may be unmapped, or the process may have ended.
 *
 * Tests: tests/procs/left.sh */
#include "engine/rt/rt_priv.h"

#define UA_SEARCH_PHASE 1 /* the unwinder only searches for a handler: no frame has been left */
#define URC_CONTINUE_UNWIND 8
#define TOP 256 /* bytes: room for the arguments that makecontext() puts on the stack */

typedef uint64_t cfa_fn(void *context);

/* Returns _Unwind_GetCFA of the unwinder whose code contains `caller`; 0 if unknown. A process may
 * have several unwinders. */
static cfa_fn *rt_cfa_of(uint64_t caller)
{
    const struct rt_unwinder *u = rt_state.unwinder;
    for (unsigned i = 0; i < EZ_UNWINDERS; i++)
        if (caller >= u[i].lo && caller < u[i].hi)
            return (cfa_fn *)u[i].get_cfa;
    return 0;
}

/* Records that a call is left, after the unwinder has removed the frame of its body. The unwinder's
 * CFA is `above` bytes higher than the frame address in the call's other records. */
static int rt_emit_left(int actions, void *context, uint64_t above, uint64_t caller)
{
    struct ez_ctl *b;
    cfa_fn *cfa;
    if (actions & UA_SEARCH_PHASE || !(cfa = rt_cfa_of(caller)) || !(b = rt_self()))
        return URC_CONTINUE_UNWIND;
    uint64_t at = cfa(context) - above;
    rt_left(b, at);
    rt_fragments_left(b, at, at);
    if (b->activation && !b->fragment)
        rt_data_left(b, (const uint64_t *)at);
    return URC_CONTINUE_UNWIND;
}

HIDDEN int ez_left_return_trampoline(int version, int actions, uint64_t kind, void *exception,
                                     void *context)
{
    (void)version, (void)kind, (void)exception;
    return rt_emit_left(actions, context, 8, (uint64_t)__builtin_return_address(0));
}

HIDDEN int ez_left_return_thunk(int version, int actions, uint64_t kind, void *exception,
                                void *context)
{
    (void)version, (void)kind, (void)exception;
    return rt_emit_left(actions, context, 0, (uint64_t)__builtin_return_address(0));
}

/* Returns the stack pointer to which a context leads. If the stack pointer is at most TOP bytes
 * below the top of the context's stack, the context has not run yet, and the bounds of the stack
 * are recorded, too. */
static const uint64_t *rt_to_context(struct ez_ctl *b, const void *context)
{
    uint64_t sp = rt_sp_in_context(context), bounds[2];
    rt_stack_in_context(context, bounds);
    if (sp > bounds[0] && sp < bounds[1] && bounds[1] - sp <= TOP)
        rt_new_stack(b, bounds);
    return (const uint64_t *)sp;
}

/* The hook of functions that jump, switch stacks, or end the thread or the program. word: 16 words
 * below the stack pointer at the function's first instruction. Returns 0, so that the function
 * itself runs then. */
HIDDEN uint64_t ez_jump(uint64_t *word, const struct ez_trampoline_data *s, const uint64_t *regs)
{
    const uint64_t *sp = word + 16;
    struct ez_ctl *b = rt_self(); /* 0 in a forked child, which has no rings */
    if (!b)
        return s->flags & EZ_TRAMPOLINE_COUNT ? rt_without_buffer(s) : 0;
    if (s->flags & EZ_TRAMPOLINE_COUNT)
        rt_entry(b, s, (uint64_t)sp);
    /* Without a trace, reads nothing: a bad jump buffer must fault in the function itself. */
    if (s->exit == EZ_JUMP_ABORT) {
        rt_fragments_abort(b, *sp);
        return 0;
    }
    if (!rt_state.hdr->trace_open && !b->activation && !b->fragment)
        return 0;
    switch (s->exit) {
    case EZ_JUMP_CONTEXT:
        sp = rt_to_context(b, (const void *)regs[RT_SAVED_ARG0]);
        break;
    case EZ_JUMP_SWAP:
        sp = rt_to_context(b, (const void *)regs[RT_SAVED_ARG1]);
        break;
    case EZ_JUMP_END:
        rt_name(b, rt_tick_now(b)); /* the name may have changed since it was recorded */
        sp++;                       /* the caller's stack pointer, above the return address */
        break;
    default:
        sp = (const uint64_t *)rt_sp_in_jmp_buf((const uint64_t *)regs[RT_SAVED_ARG0],
                                                s->exit == EZ_JUMP_MANGLED);
    }
    rt_left(b, (uint64_t)(sp - 1));
    rt_fragments_left(b, (uint64_t)(word + 16), (uint64_t)(sp - 1));
    return 0;
}
