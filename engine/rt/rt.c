/* SPDX-License-Identifier: MIT */
/* rt.c - the rare paths of trampolines and exits (theory and invariants: rt.h).
 *
 * Runs in the target, on the target's stack (budget 512 bytes), in any context: inside malloc,
 * inside a signal handler, between a fork and an exec, before libc is ready. So: no libc, no locks,
 * no recursion, no vector registers. A signal handler may interrupt every function anywhere and
 * call it again. */
#include "engine/rt/rt_priv.h"

#include <stddef.h>

_Static_assert(sizeof(struct ez_buffer) == 256, "buffer");
_Static_assert(sizeof(struct ez_ctl) == 1024 && offsetof(struct ez_ctl, vec) % 16 == 0,
               "control block");
_Static_assert(sizeof(struct rt_proc) <= 4096, "process page");
_Static_assert(sizeof(struct ez_hdr) <= 4096, "header page");
_Static_assert(offsetof(struct ez_ctl, top) == EZ_CTL_TOP, "");
_Static_assert(offsetof(struct ez_ctl, head) == EZ_CTL_HEAD, "");
_Static_assert(offsetof(struct ez_ctl, cnt) == EZ_CTL_CNT, "");
_Static_assert(offsetof(struct ez_ctl, return_trampolines) == EZ_CTL_RETURN_TRAMPOLINES, "");
_Static_assert(offsetof(struct ez_ctl, ring) == EZ_CTL_RING, "");
_Static_assert(offsetof(struct ez_ctl, mask) == EZ_CTL_MASK, "");
_Static_assert(offsetof(struct ez_ctl, addups) == EZ_CTL_ADDUPS, "");
_Static_assert(sizeof(struct rt_state) <= EZ_RT_TRAPS - EZ_RT_STATE, "");
_Static_assert(EZ_NTRAP * sizeof(struct rt_trap) <= EZ_RT_TCB - EZ_RT_TRAPS, "");
_Static_assert(sizeof(struct ez_counter) == EZ_RETURN_THUNK &&
                   sizeof(struct ez_return_thunk) == EZ_RETURN_THUNK,
               "");
_Static_assert(offsetof(struct ez_trampoline_data, thunk) == EZ_SD_RETURN_THUNK, "");
_Static_assert(sizeof(struct ez_trampoline_data) == EZ_SD_BYTES, "");
_Static_assert(sizeof(struct ez_keep) == EZ_KEEP_BYTES, "");
_Static_assert(offsetof(struct rt_state, xs_size) == EZ_ST_XS_SIZE, "");
_Static_assert(offsetof(struct rt_state, keeping) == EZ_ST_KEEPING, "");
_Static_assert(offsetof(struct ez_trampoline_data, code) == EZ_SD_CODE, "");
_Static_assert(offsetof(struct ez_trampoline_data, slow) == EZ_SD_SLOW, "");
_Static_assert(offsetof(struct ez_trampoline_data, room) == EZ_SD_ROOM, "");

/* ---- records, where there is room ----------------------------------------------------- */

/* Reserves a record. Returns 0 if head is at the end of a sub-buffer. */
static volatile uint64_t *rt_next_record(struct ez_ctl *b)
{
    uint64_t p;
    do {
        p = b->head;
        if (!(p & (EZ_SUB_BYTES - 1)))
            return 0;
    } while (!rt_cas(&b->head, p, p + EZ_REC_BYTES));
    return (volatile uint64_t *)(b->ring + (p & b->mask));
}

HIDDEN int rt_note(struct ez_ctl *b, uint64_t when, uint64_t word, uint64_t code)
{
    volatile uint64_t *r = rt_next_record(b);
    if (!r)
        return 0;
    r[0] = when;
    r[1] = word;
    r[2] = code << 8 | 1;
    return 1;
}

/* Records the thread's own name: the thread may have ended before the drain reads the name. If head
 * is at the end of a sub-buffer, the name waits (b->unnamed) for the next sub-buffer. */
HIDDEN void rt_name(struct ez_ctl *b, uint64_t now)
{
    uint64_t name[2] = { 0 };
    b->unnamed = !rt_state.hdr->no_syscalls &&
                 !rt_syscall(RT_SYS_PRCTL, 16 /* PR_GET_NAME */, (long)name, 0, 0, 0, 0) &&
                 !(rt_note(b, now, name[0], EZ_R_NAME) && rt_note(b, now, name[1], EZ_R_NAME + 1));
}

/* ---- room for records ------------------------------------------------------------------------ */

/* Returns nonzero if sub-buffer number q may be entered. During a wait for q, a signal handler may
 * have filled q and the drain may have read it: then the caller must check again. */
static int rt_is_free(struct ez_ctl *b, uint32_t q)
{
    return (int32_t)(q - __atomic_load_n(&b->buffer->space, __ATOMIC_ACQUIRE)) <=
           (int32_t)(b->mask / EZ_SUB_BYTES);
}

/* Sleeps while the ring is full, if hdr->overflow_wait is set. Returns 1 if there is room, else 0.
 * The wait ends at once when the shell is dead or stops recording, and after two seconds without
 * progress. */
APART static int rt_wait_for_room(struct ez_ctl *b, uint32_t q)
{
    struct ez_hdr *h = rt_state.hdr;
    if (!h->overflow_wait || h->no_syscalls || b->stuck == h->progress + 1)
        return 0;
    struct rt_idle idle = rt_idle_begin();
    rt_inc(&b->buffer->waits);
    b->buffer->waiting = 1;
    while (h->trace_open && h->overflow_wait && !h->no_syscalls && !shell_dead()) {
        uint32_t space = b->buffer->space;
        if (rt_is_free(b, q))
            break;
        wake_drain();
        rt_nap(&b->buffer->space, space);
        if (rt_wiped(b))
            return 0;
        rt_idle_look(&idle);
        if (idle.ms > PATIENCE_MS) {
            b->stuck = idle.seen + 1;
            break;
        }
    }
    b->buffer->waiting = 0;
    return rt_is_free(b, q);
}

/* Ends a wait, and adds its time to buffer->waited. Returns when the wait began, or 0 if there was
 * none. */
static uint64_t rt_wait_over(struct ez_ctl *b, uint64_t now)
{
    uint64_t from = b->wait_from;
    if (!from || !rt_cas(&b->wait_from, from, 0))
        return 0;
    b->buffer->waited += now - from;
    return from;
}

/* Records what happened before this sub-buffer could be entered: the wait, the gap, a new name. */
APART static void rt_wake(struct ez_ctl *b, uint64_t now)
{
    uint64_t from = rt_wait_over(b, now), n = b->lost;
    if (from) {
        rt_note(b, from, 0, EZ_C_THREAD + EZ_T_WAIT);
        rt_note(b, now, 0, EZ_C_THREAD + EZ_T_WAIT_END);
    }
    if (n && rt_note(b, b->lost_tick, n, EZ_C_THREAD + EZ_T_GAP) && rt_cas(&b->lost, n, 0))
        rt_note(b, now, 0, EZ_C_THREAD + EZ_T_GAP_END);
    if (b->unnamed)
        rt_name(b, now);
}

/* Begins the next sub-buffer if head is at the end of one. Returns 1 if the caller must check for
 * room again, 0 if there is no room or no trace. */
WITHIN int enter(struct ez_ctl *b)
{
    uint64_t p = b->head;
    uint32_t q = (uint32_t)(p / EZ_SUB_BYTES);
    if (p & (EZ_SUB_BYTES - 1))
        return 1;
    if (!rt_state.hdr->trace_open)
        return 0;
    if (!rt_is_free(b, q)) {
        if (!b->wait_from) /* unless a signal handler interrupted a wait, which began earlier */
            b->wait_from = rt_tick_now(b);
        if (!rt_wait_for_room(b, q))
            return 0;
        if (b->head != p) /* A signal handler has entered the sub-buffer. */
            return 1;
    }
    /* A signal handler may have moved head. In this case p is old, and the swap fails. */
    *(volatile uint64_t *)(b->ring + (p & b->mask)) = b->tid;
    if (rt_cas(&b->head, p, p + 8) && (b->wait_from || b->lost || b->unnamed))
        rt_wake(b, rt_tick_now(b));
    if ((q & 7) == 7 || !rt_is_free(b, q + 1))
        wake_drain();
    return 1;
}

/* Counts an event that is lost because there is no room. The gap begins when the first lost event
 * began to wait. */
APART static void rt_lose(struct ez_ctl *b, uint64_t now)
{
    uint64_t from = rt_wait_over(b, now);
    if (!b->lost)
        b->lost_tick = from ? from : now;
    rt_inc(&b->lost);
    rt_inc(&b->buffer->dropped);
}

WITHIN int room(struct ez_ctl *b)
{
    if (enter(b))
        return 1;
    if (rt_wiped(b))
        return 0;
    if (rt_state.hdr->trace_open)
        rt_lose(b, rt_tick_now(b));
    else
        rt_inc(&b->buffer->untraced);
    return 0;
}

/* Called with head at the end of a sub-buffer. Returns 1 if the caller must check for room again.
 * Returns 0 if this event is lost. The loss is counted then, except in a forked child. */
HIDDEN long ez_room(void *unused, struct ez_ctl *b)
{
    (void)unused;
    return rt_process()->alive && b->buffer && room(b);
}

HIDDEN APART void rt_record(struct ez_ctl *b, uint32_t code, uint64_t frame)
{
    volatile uint64_t *r;
    while (!(r = rt_next_record(b)))
        if (!rt_process()->alive || !b->buffer || !room(b))
            return;
    r[0] = rt_tick_now(b);
    r[1] = frame;
    r[2] = 1ull << EZ_CODE_BIT | code;
}

/* Waits for room if head is at the end of a sub-buffer, as rt_record() does. */
HIDDEN void rt_left(struct ez_ctl *b, uint64_t at)
{
    while (rt_state.hdr->trace_open && !rt_note(b, rt_tick_now(b), at, EZ_R_LEFT))
        if (!enter(b))
            return;
}

/* Waits for room if head is at the end of a sub-buffer. If the second record does not fit, writes
 * both records again: the drain uses the last pair. */
HIDDEN void rt_new_stack(struct ez_ctl *b, const uint64_t bounds[2])
{
    uint64_t now = rt_tick_now(b);
    while (rt_state.hdr->trace_open &&
           !(rt_note(b, now, bounds[0], EZ_R_STACK) && rt_note(b, now, bounds[1], EZ_R_STACK + 1)))
        if (!enter(b))
            return;
}

HIDDEN void rt_count_common(uint32_t off, int recording)
{
    struct ez_hdr *h = rt_state.hdr;
    if (!rt_process()->alive)
        return;
    __atomic_fetch_add((uint64_t *)((char *)rt_counters_of(0) + off), 1, __ATOMIC_RELAXED);
    if (recording)
        __atomic_fetch_add(h->trace_open ? &h->common_dropped : &rt_buffer_of(0)->untraced, 1,
                           __ATOMIC_RELAXED);
}

/* ---- entry and exit, when the fast path does not apply ---------------------------------- */

/* The call of rt_record() must be the last action here: the compiler then makes a tail call, which
 * uses no more stack. */
HIDDEN void rt_entry(struct ez_ctl *b, const struct ez_trampoline_data *s, uint64_t frame)
{
    rt_inc(&rt_counter(b, s->cnt)->entry);
    if (s->flags & EZ_TRAMPOLINE_REC)
        rt_record(b, s->code, frame);
}

/* Handles a call whose return address is a continuation: the calling function jumped here (a tail
 * call). Records the exit of the calling function. The entered function then uses the shadow frame
 * and the return trampoline of the calling function. */
static void rt_tail_call(struct ez_ctl *b, const uint64_t *loc, const struct ez_trampoline_data *s)
{
    struct shadow_frame *e =
        (struct shadow_frame *)((*loc & -(uint64_t)EZ_RETURN_TRAMPOLINE) + EZ_DIST);
    uint32_t exit = e->exit;
    rt_inc(&rt_counter(b, e->cnt)->exit);
    if (exit)
        rt_record(b, exit, (uint64_t)loc);
    e->exit = s->exit;
    e->cnt = s->cnt;
    rt_entry(b, s, (uint64_t)loc);
}

static uint64_t rt_reserve(struct ez_ctl *b, uint64_t *loc, const struct ez_trampoline_data *s)
{
    uint64_t t;
    for (;;) {
        t = b->top;
        if (!t)
            return 0;
        if (!(t & (EZ_CHUNK - 1))) {
            if (!rt_grow(b, t, (uint64_t)loc))
                return 0;
        } else if (rt_cas(&b->top, t, t + EZ_RETURN_TRAMPOLINE)) {
            break;
        }
    }
    struct shadow_frame *e = (struct shadow_frame *)t;
    e->ra = *loc;
    e->target = s->body;
    e->cnt = s->cnt;
    e->exit = s->exit;
    __asm__ volatile("" ::: "memory");
    e->loc = (uint64_t)loc;
    return rt_return_trampoline_of(e);
}

/* Returns the frame address that a trampoline records. word: the stack pointer after the trampoline
 * saved its registers. */
static uint64_t rt_frame_of(const uint64_t *word, const struct ez_trampoline_data *s)
{
    if (s->flags & EZ_TRAMPOLINE_PAIRED)
        return (uint64_t)word;
    return (uint64_t)(s->thunk ? word - 1 : word + 16);
}

/* Counts a call of a thread without a buffer, and returns 0: no exit is followed. Does not search
 * for a buffer again: with a buffer, the runtime would record exits whose entries it did not
 * record. */
HIDDEN uint64_t rt_without_buffer(const struct ez_trampoline_data *s)
{
    rt_count_common(s->cnt, s->flags & EZ_TRAMPOLINE_REC);
    if (s->flags & EZ_TRAMPOLINE_PAIRED && rt_process()->alive)
        __atomic_fetch_add(&rt_buffer_of(0)->unhooked, 1, __ATOMIC_RELAXED);
    return 0;
}

/* Called by a trampoline whose fast path does not apply. Returns the return trampoline to enter, or
 * 0 to run the body on the stack as it is. Only trampolines that follow exits use the result. */
HIDDEN uint64_t ez_slow(uint64_t *loc, const struct ez_trampoline_data *s)
{
    struct ez_ctl *b = rt_self();
    int recording = s->flags & EZ_TRAMPOLINE_REC;
    uint64_t return_trampoline = 0;
    if (!b)
        return rt_without_buffer(s);
    if (b->unnamed && recording && rt_state.hdr->trace_open)
        rt_name(b, rt_tick_now(b));
    if (s->flags & EZ_TRAMPOLINE_PAIRED) {
        if (*loc - (uint64_t)ez_return_trampolines < EZ_DIST && !rt_tail_of_data(b, loc)) {
            rt_tail_call(b, loc, s);
            return 0;
        }
        return_trampoline = rt_reserve(b, loc, s);
        if (!return_trampoline)
            rt_unhooked(b);
    }
    rt_inc(&rt_counter(b, s->cnt)->entry);
    if (recording)
        rt_record(b, s->code, rt_frame_of(loc, s));
    return return_trampoline;
}

/* Restores the return address of the call of e. Called when the thread that returns has no buffer.
 * e remains a hole until the thread that owns it trims its shadow stack. */
HIDDEN void rt_restore(uint64_t *loc, struct shadow_frame *e)
{
    *loc = e->ra;
    __asm__ volatile("" ::: "memory");
    e->loc = EZ_HOLE;
}

/* Releases e. If e is below the top of its shadow stack, or on that of another thread, e becomes a
 * hole. The caller has counted the exit and restored the return address. */
HIDDEN void ez_release_slow(uint64_t *loc, struct shadow_frame *e)
{
    (void)loc;
    struct ez_ctl *b = rt_self();
    if (b && rt_cas(&b->top, (uint64_t)(e + 1), (uint64_t)e))
        return;
    e->loc = EZ_HOLE;
    /* Not while `busy`: a signal handler must not move top below the code that it interrupted. */
    if (b && !b->busy)
        rt_trim(b);
}

HIDDEN void ez_exit_slow(uint64_t *loc, struct shadow_frame *e)
{
    struct ez_ctl *b = rt_self();
    if (!b) {
        rt_count_common(e->cnt + (uint32_t)offsetof(struct ez_counter, exit), e->exit != 0);
        rt_restore(loc, e);
        return;
    }
    rt_inc(&rt_counter(b, e->cnt)->exit);
    if (e->exit)
        rt_record(b, e->exit, (uint64_t)loc);
    *loc = e->ra;
    __asm__ volatile("" ::: "memory");
    e->loc = 0;
    ez_release_slow(loc, e);
}

/* Called from the slow path of a return thunk. below: address of the word below the continuation;
 * which: offset of the id's counter, + 1 if the exit is recorded. */
HIDDEN void ez_through_slow(uint64_t *below, uint64_t which)
{
    struct ez_ctl *b = rt_self();
    uint32_t cnt = (uint32_t)which & -(uint32_t)EZ_RETURN_THUNK;
    int recording = which & 1;
    if (!b) {
        rt_count_common(cnt + (uint32_t)offsetof(struct ez_counter, exit), recording);
        return;
    }
    rt_inc(&rt_counter(b, cnt)->exit);
    if (recording)
        rt_record(b, (cnt / EZ_RETURN_THUNK * 2 + 1) << 8 | 1, (uint64_t)(below + 1));
}
