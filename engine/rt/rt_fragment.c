/* SPDX-License-Identifier: MIT */
/* rt_fragment.c - runs the fragments of specifications at the entries and exits of calls
 * (modules/ezt_fragment.h).
 *
 * A fragment runs on a stack of its own, which is mapped when a thread runs its first fragment:
 *
 *   guard | ... room | activations, the newest lowest | vector registers
 *
 * The program's stack stays as the call left it: arguments stay in place, and a fragment may need
 * as much stack as printf. A thread runs one fragment at a time (`ctl.fragment`). Functions that a
 * fragment calls run no fragments, nor does a signal handler that interrupts a fragment. So one
 * area for vector registers is enough. A fragment begins and continues by ez_fragment_go(), which
 * returns when the fragment suspends itself or ends.
 *
 * Activations are a chain, the newest first (`ctl.activation`). A saved word of the call's shadow
 * frame has the address of its activation. If an exception or longjmp leaves a call, its activation
 * ends at once (rt_left.c). If a call ends before a call that began later (the program switches
 * stacks), the fragment of the call that ends does not run at the exit, because it would overwrite
 * the newer activation.
 *
 * The shell ends a fragment that faults or loops: it sends the thread to ez_fragment_back.
 *
 * Tests: tests/unit/rt/check_fragment.c, tests/procs/spec.sh */
#include "engine/rt/rt_code.h"

#include "modules/ezt_fragment.h"

_Static_assert(offsetof(struct ezt_activation, pc) == EZT_ACT_PC, "");
_Static_assert(offsetof(struct ezt_activation, sp) == EZT_ACT_SP, "");
_Static_assert(offsetof(struct ezt_activation, back) == EZT_ACT_BACK, "");

extern char ez_fragment_back[] HIDDEN;
void ez_fragment_go(struct ezt_activation *f) HIDDEN;
void ez_fragment_keep(void *area) HIDDEN;
void ez_fragment_restore(void *area) HIDDEN;

/* Counters of a clause with a fragment, which follow the first two that every clause has
 * (data_abi.h). */
enum { FRAGMENT_ENDS = 2, FRAGMENT_WITHOUT, FRAGMENT_RECURSED, FRAGMENT_PLACES };
static struct ez_counter *fragment_counter(struct ez_ctl *b, uint32_t clause, unsigned which)
{
    return rt_counter(b, clause + which * (uint32_t)sizeof(struct ez_counter));
}

static void fragment_count(struct ezt_fragment *f, enum ezt_count what)
{
    __atomic_fetch_add(&f->count[what], 1, __ATOMIC_RELAXED);
}

/* Returns the top of the thread's stack of fragments, and maps the stack the first time; 0 if that
 * fails. */
APART static uint64_t fragment_stack(struct ez_ctl *b)
{
    const uint64_t top = EZ_FRAGMENT_STACK - FRAGMENT_VECTORS;
    if (b->fragments) /* The stack may be from the thread that had this buffer before. */
        return b->fragment_top = b->fragments + top;
    if (rt_state.hdr->no_syscalls || rt_state.xs_size > FRAGMENT_VECTORS)
        return 0;
    long at = rt_syscall(RT_SYS_MMAP, 0, EZ_FRAGMENT_STACK, 3 /* read, write */,
                         0x4022 /* private, anonymous, not reserved */, -1, 0);
    if (at < 0 && at > -4096)
        return 0;
    rt_syscall(RT_SYS_MPROTECT, at, EZ_FRAGMENT_GUARD, 0, 0, 0, 0);
    b->fragments = (uint64_t)at;
    return b->fragment_top = (uint64_t)at + top;
}

static void *fragment_vectors(const struct ez_ctl *b)
{
    return (void *)(b->fragments + EZ_FRAGMENT_STACK - FRAGMENT_VECTORS);
}

/* Stores in the buffer which fragment runs, for the shell. fragment_runs is written first: the
 * shell compares it to see whether the same fragment still runs. */
WITHIN void fragment_begins(struct ez_ctl *b, struct ezt_activation *f)
{
    b->buffer->fragment_runs++;
    b->buffer->fragment_frame = (uint64_t)f;
    b->buffer->fragment = (uint64_t)f->of;
}

/* Runs the fragment. Saves and restores errno and all registers of the program except the general
 * registers. */
APART static void fragment_go_whole(struct ez_ctl *b, struct ezt_activation *f)
{
    void *area = fragment_vectors(b);
    ez_fragment_keep(area);
    f->vector = area;
    int *err = f->of->errno_at(), was = *err;
    ez_fragment_go(f);
    *err = was;
    ez_fragment_restore(area);
}

static void fragment_go(struct ez_ctl *b, struct ezt_activation *f, uint64_t phase,
                        const uint64_t *reg)
{
    f->phase = phase;
    f->reg = reg;
    fragment_begins(b, f);
    if (f->of->flags & EZT_WHOLE)
        fragment_go_whole(b, f);
    else
        ez_fragment_go(f);
    if (!rt_wiped(b))
        b->buffer->fragment = 0;
}

/* ---- entry ----------------------------------------------------------------------------------- */

/* Counts a call of the routine that was made by its own fragment, or by a signal handler that
 * interrupted the fragment. If there were at least two such calls, and they are at least a quarter
 * of the routine's calls, the fragment itself makes them, and is switched off. */
static void fragment_recursed(struct ez_ctl *b, struct ezt_fragment *f, uint32_t clause)
{
    struct ez_counter *n = fragment_counter(b, clause, FRAGMENT_RECURSED);
    rt_inc(&n->entry);
    if (f->off || n->entry < 2 || 4 * n->entry < rt_counter(b, clause)->entry)
        return;
    f->off = 1;
    rt_inc(&n->exit);
    __atomic_fetch_add(&rt_state.hdr->requests, 1, __ATOMIC_SEQ_CST);
    wake_drain();
}

/* Returns nonzero if a fragment may run now, and marks it as running. */
static int fragment_may(struct ez_ctl *b, struct ezt_fragment *f, uint32_t clause)
{
    if (b->fragment == (uint64_t)f)
        fragment_recursed(b, f, clause);
    else if (b->fragment)
        fragment_count(f, EZT_NESTED);
    if (b->fragment)
        return 0;
    b->fragment = (uint64_t)f;
    return 1;
}

static struct ezt_activation *fragment_frame(struct ez_ctl *b, const struct rt_run *r,
                                             struct ezt_fragment *of, uint32_t counter)
{
    uint64_t top = b->fragment_top;
    if (!top && !(top = fragment_stack(b)))
        return 0;
    struct ezt_activation *f = (struct ezt_activation *)((top - sizeof *f) & -64ul);
    uint64_t *ret = (uint64_t *)f - 1;
    if ((uint64_t)f < b->fragments + EZ_FRAGMENT_GUARD + FRAGMENT_ROOM)
        return 0;
    *ret = (uint64_t)ez_fragment_back;
    f->pc = (uint64_t)of->run;
    f->sp = (uint64_t)ret;
    f->stack = r->loc;
    f->vector = 0;
    f->of = of;
    f->before = 0;
    f->thread = b;
    f->counter = counter;
    f->gone = 0;
    f->line = 0;
    return f;
}

HIDDEN void rt_fragment_enter(struct rt_run *r, const struct ez_clause *c)
{
    struct ezt_fragment *of = (struct ezt_fragment *)c->fragment;
    struct ez_ctl *b = r->b;
    uint64_t *kept = rt_saved(r->saved, c->activation);
    struct ezt_activation *f;
    if (kept)
        *kept = 0;
    if (of->off || !fragment_may(b, of, c->cnt)) {
        rt_inc(&fragment_counter(b, c->cnt, FRAGMENT_WITHOUT)->entry);
        return;
    }
    if ((of->flags & EZT_SUSPENDS && !kept) || !(f = fragment_frame(b, r, of, c->cnt))) {
        fragment_count(of, EZT_NO_ROOM);
        rt_inc(&fragment_counter(b, c->cnt, FRAGMENT_WITHOUT)->entry);
        b->fragment = 0;
        return;
    }
    fragment_go(b, f, EZT_ENTRY, r->reg);
    if (f->pc && kept) {
        f->before = (struct ezt_activation *)b->activation;
        b->activation = (uint64_t)f;
        b->fragment_top = f->sp;
        *kept = (uint64_t)f;
    }
    b->fragment = 0;
}

/* ---- exit ------------------------------------------------------------------------------------ */

/* Removes ended activations from the newest end of the chain. Returns the newest activation that is
 * left, or 0. */
static struct ezt_activation *fragment_newest(struct ez_ctl *b)
{
    struct ezt_activation *f;
    while ((f = (struct ezt_activation *)b->activation) && f->gone) {
        b->activation = (uint64_t)f->before;
        b->fragment_top = f->before ? f->before->sp : (uint64_t)fragment_vectors(b);
    }
    return f;
}

/* Resumes the newest activation, and removes it, unless it suspends itself in phase EZT_ABORT. */
static void fragment_resume(struct ez_ctl *b, struct ezt_activation *f, uint64_t phase,
                            const uint64_t *reg)
{
    fragment_go(b, f, phase, reg);
    if (phase != EZT_ABORT || !f->pc)
        f->gone = 1;
    fragment_newest(b);
    b->fragment = 0;
}

HIDDEN void rt_fragment_exit(struct rt_run *r, const struct ez_clause *c)
{
    uint64_t *kept = rt_saved(r->saved, c->activation);
    struct ezt_activation *f = kept ? (struct ezt_activation *)*kept : 0;
    if (!f || f->gone)
        return;
    struct ez_ctl *b = r->b;
    if (f->thread != b || fragment_newest(b) != f || !fragment_may(b, f->of, c->cnt)) {
        rt_inc(&fragment_counter(b, c->cnt, FRAGMENT_WITHOUT)->exit);
        f->gone = 1;
        return;
    }
    fragment_resume(b, f, EZT_EXIT, r->reg);
}

/* ---- places inside the routine --------------------------------------------------------------- */

static const struct ezt_place *fragment_find(const struct ezt_fragment *f, uint64_t caller,
                                             uint32_t when)
{
    const int64_t at = (int64_t)(caller - f->lo);
    uint64_t lo = 0, hi = f->places;
    while (lo < hi) {
        uint64_t mid = lo + (hi - lo) / 2;
        if (f->place[mid].at < at)
            lo = mid + 1;
        else
            hi = mid;
    }
    for (; lo < f->places && f->place[lo].at == at; lo++)
        if (f->place[lo].when & when)
            return &f->place[lo];
    return 0;
}

/* Called in a function that a routine calls at a place with code. Runs that code if the routine's
 * activation is the newest, and this call comes from the place. (The called function's own
 * activation begins after the code before the call has run, and ends before the code behind the
 * call runs.) */
HIDDEN void rt_fragment_place(struct rt_run *r, uint32_t when)
{
    struct ez_ctl *b = r->b;
    struct ezt_activation *f = b->fragment ? 0 : fragment_newest(b);
    const struct ezt_place *p = f && !f->of->off ? fragment_find(f->of, r->caller, when) : 0;
    const uint32_t behind = when != EZT_BEFORE;
    if (!p)
        return;
    struct ez_counter *n = fragment_counter(b, f->counter, FRAGMENT_PLACES + p->number);
    rt_inc(behind ? &n->exit : &n->entry);
    b->fragment = (uint64_t)f->of;
    fragment_go(b, f, EZT_PLACE + 2ull * p->number + behind, r->reg);
    f->gone |= !f->pc;
    fragment_newest(b);
    b->fragment = 0;
}

/* Stores the line of an instruction of the routine in all activations of the routine's call. */
HIDDEN void rt_fragment_there(struct rt_run *r, uint64_t at)
{
    struct ezt_activation *newest = r->b->fragment ? 0 : fragment_newest(r->b), *f;
    for (f = newest; f && f->stack == newest->stack; f = f->before) {
        const struct ezt_place *p = f->of->off || f->gone ? 0 : fragment_find(f->of, at, EZT_THERE);
        if (p)
            f->line = p->number;
    }
}

/* ---- calls that are left by a jump or an exception ------------------------------------------- */

/* Handles a jump out of a fragment, or out of a signal handler that interrupted it, to a frame of
 * the program: the fragment never returns. Returns the address on the program's stack from which
 * the fragment was started, or `from` if no fragment is left. */
static uint64_t fragment_abandoned(struct ez_ctl *b, uint64_t from, uint64_t at)
{
    struct ezt_activation *f = (struct ezt_activation *)b->buffer->fragment_frame;
    if (!b->fragment || !b->buffer->fragment || at - b->fragments < EZ_FRAGMENT_STACK ||
        f->back > at)
        return from;
    b->buffer->fragment = 0;
    b->fragment = 0;
    f->gone = 1;
    return f->back;
}

HIDDEN void rt_fragments_left(struct ez_ctl *b, uint64_t from, uint64_t at)
{
    struct ezt_activation *f;
    if (!b->activation && !b->fragment)
        return;
    from = fragment_abandoned(b, from, at);
    while (!b->fragment && (f = fragment_newest(b)) && (uint64_t)f->stack >= from &&
           (uint64_t)f->stack <= at) {
        rt_inc(&fragment_counter(b, f->counter, FRAGMENT_ENDS)->exit);
        rt_inc(&rt_counter(b, f->counter)->exit);
        b->fragment = (uint64_t)f->of;
        fragment_resume(b, f, EZT_LEFT, 0);
    }
}

/* Handles a call that ends the program; `caller` is its return address, which may be right after
 * the routine's last instruction. Ends the fragments of the routine that made the call, because
 * this routine will have no exit. If the call has several activations, the older one then runs on
 * the stack memory of the newer one, which has ended. */
HIDDEN void rt_fragments_abort(struct ez_ctl *b, uint64_t caller)
{
    struct ezt_activation *f;
    while (!b->fragment && (f = fragment_newest(b)) && caller - 1 >= f->of->lo &&
           caller - 1 < f->of->hi) {
        rt_inc(&fragment_counter(b, f->counter, FRAGMENT_ENDS)->entry);
        b->fragment = (uint64_t)f->of;
        fragment_resume(b, f, EZT_ABORT, 0);
        if (!f->before || f->before->stack != f->stack)
            return;
        f->gone = 1;
    }
}
