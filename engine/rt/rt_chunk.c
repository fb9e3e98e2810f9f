/* SPDX-License-Identifier: MIT */
/* rt_chunk.c - chunks of shadow frames (rt.h: "RETURN TRAMPOLINES"; R1, R2, R3).
 *
 * A thread's shadow frames are in a chain of chunks, used from the bottom up to `ctl.top`. A call
 * that returns removes its frame from the top. A longjmp, a throw or the thread's end leave frames
 * behind. When the chain has doubled, this code searches for such dead frames: the stack word at
 * `loc` shows that a frame is dead. A chunk with only dead frames goes to the thread's free list. A
 * signal handler may interrupt this code at any instruction and run it again (`ctl.busy`).
 *
 * Tests: tests/fault/check_exits.sh, tests/fault/check_stacks.sh, tests/unit/rt/check_chunks.c */
#include "engine/rt/rt_priv.h"

/* Removes a chunk from the free list and returns it. A signal handler may remove chunks between any
 * two instructions, but adds none while `busy` is set. So if the first chunk is unchanged, the
 * whole list is unchanged. */
static struct chunk *chunk_pop_free(struct ez_ctl *b)
{
    struct chunk *c;
    do
        c = (struct chunk *)b->freel;
    while (c && !rt_cas(&b->freel, (uint64_t)c, (uint64_t)c->next));
    return c;
}

static void chunk_give_free(struct ez_ctl *b, struct chunk *c)
{
    do
        c->next = (struct chunk *)b->freel;
    while (!rt_cas(&b->freel, (uint64_t)c->next, (uint64_t)c));
    rt_dec(&b->nchunk);
}

HIDDEN struct chunk *rt_chunk_new(struct ez_ctl *b)
{
    struct chunk *c = chunk_pop_free(b);
    if (!c) {
        uint64_t n = __atomic_fetch_add(&rt_state.chunks, 1, __ATOMIC_RELAXED);
        if (n >= rt_state.max_chunks) {
            __atomic_fetch_sub(&rt_state.chunks, 1, __ATOMIC_RELAXED);
            return 0;
        }
        c = (struct chunk *)(ez_return_trampolines + EZ_DIST + n * EZ_CHUNK);
        c->exit = (uint64_t)ez_exit;
    }
    c->prev = c->next = 0;
    c->owner = b;
    rt_inc(&b->nchunk);
    return c;
}

/* Removes holes from the top. If top is at the first frame of a chunk, moves top in one step to the
 * last hole of the chunk below. If top stopped at the boundary, a probed signal handler would move
 * it up again, and with a handler at every instruction this loop would never end. */
HIDDEN void rt_trim(struct ez_ctl *b)
{
    rt_inc(&b->busy);
    for (;;) {
        uint64_t t = b->top, end = t;
        if (!t) /* fork cleared the control block */
            break;
        if ((t & (EZ_CHUNK - 1)) == EZ_RETURN_TRAMPOLINE) {
            struct chunk *p = ((struct chunk *)(t - EZ_RETURN_TRAMPOLINE))->prev;
            if (!p)
                break;
            end = rt_end_of(p);
        }
        struct shadow_frame *e = (struct shadow_frame *)end - 1;
        if (e->loc != EZ_HOLE)
            break;
        e->loc = 0;
        if (!rt_cas(&b->top, t, (uint64_t)e))
            e->loc = EZ_HOLE;
    }
    rt_dec(&b->busy);
}

#define GC_BATCH 12 /* number of frames that one system call checks */

struct batch { /* state of a check; in the control block (ctl.gc), because the target's stack is
                * small */
    struct shadow_frame *who[GC_BATCH];
    uint64_t word[GC_BATCH];
    struct {
        uint64_t base, len;
    } remote[GC_BATCH];
};
_Static_assert(sizeof(struct batch) <= sizeof(((struct ez_ctl *)0)->gc), "");

/* Marks the dead frames among n shadow frames. Returns how many are live, or -1 in a forked child
 * and if the kernel refuses to read the stacks. at: address of the return address of the call that
 * the thread enters now. Another frame with that address is dead, even if the return address on
 * the stack is the frame's (after a longjmp, a loop makes the same call again). The stack may be
 * unmapped, so the kernel reads the words; EFAULT means that the frame is dead. */
static int chunk_mark_dead(struct batch *k, int n, uint64_t at)
{
    struct {
        uint64_t base, len;
    } local;
    int live = 0;
    long pid = rt_syscall(RT_SYS_GETPID, 0, 0, 0, 0, 0, 0);
    for (int i = 0; i < n; i++) {
        struct shadow_frame *e = k->who[i];
        if (!e)
            return -1; /* This is a forked child: the kernel has cleared the control block. */
        k->remote[i].base = e->loc;
        k->remote[i].len = 8;
        k->word[i] = 0;
    }
    for (int i = 0; i < n;) {
        local.base = (uint64_t)(k->word + i);
        local.len = 8ul * (unsigned)(n - i);
        long got = rt_syscall(RT_SYS_PROCESS_VM_READV, pid, (long)&local, 1, (long)(k->remote + i),
                              n - i, 0);
        if (got > 0)
            i += got / 8;
        else if (got == -14)
            k->word[i++] = 0;
        else
            return -1;
    }
    for (int i = 0; i < n; i++) {
        struct shadow_frame *e = k->who[i];
        if (!e)
            return -1;
        uint64_t loc = e->loc;
        int is_live = k->word[i] - rt_return_trampoline_of(e) < EZ_RETURN_TRAMPOLINE ||
                      (k->word[i] == e->ra && loc != at) || !loc;
        if (is_live)
            live++;
        else
            e->loc = EZ_HOLE;
    }
    return live;
}

/* Marks the dead frames of chunk c below `limit`. Returns the number of live frames, or -1 if it is
 * unknown. */
static int chunk_sweep(struct batch *b, struct chunk *c, struct shadow_frame *limit, uint64_t at)
{
    int n = 0, live = 0, k;
    for (struct shadow_frame *e = rt_first_frame(c); e < limit; e++) {
        if (!e->loc)
            live++;
        else if (e->loc != EZ_HOLE)
            b->who[n++] = e;
        if (n == GC_BATCH || (e + 1 == limit && n)) {
            k = chunk_mark_dead(b, n, at);
            if (k < 0)
                return -1;
            live += k;
            n = 0;
        }
    }
    return live;
}

/* Reclaims chunks of dead frames (R2). Runs only when the chain has doubled, so its cost is spread
 * over many calls. */
static void rt_gc(struct ez_ctl *b, uint64_t at)
{
    struct chunk *above = 0, *top = chunk_below(b->top);
    if (rt_state.hdr->no_syscalls) {
        b->gc_at = ~0ul;
        return;
    }
    b->gcs++;
    for (struct chunk *c = top, *prev; c; c = prev) {
        prev = c->prev;
        int live = chunk_sweep(
            (struct batch *)b->gc, c,
            c == top ? (struct shadow_frame *)b->top : (struct shadow_frame *)rt_end_of(c), at);
        if (live < 0) {
            b->gc_at = ~0ul;
            return;
        }
        if (live || !above) {
            above = c;
            continue;
        }
        above->prev = prev;
        if (prev)
            prev->next = above;
        for (struct shadow_frame *e = rt_first_frame(c); (uint64_t)e < rt_end_of(c); e++)
            e->loc = 0;
        chunk_give_free(b, c);
    }
    rt_trim(b);
    b->gc_at = b->nchunk * 2 < 2 ? 2 : b->nchunk * 2;
}

/* Moves the top of the shadow stack into the next chunk, because the chunk that ends at t is full.
 * While `busy` is set, hits in a signal handler that interrupts this function do not reclaim
 * chunks. Returns 0 if there is no memory for a shadow frame. */
HIDDEN int rt_grow(struct ez_ctl *b, uint64_t t, uint64_t at)
{
    struct chunk *c = (struct chunk *)(t - EZ_CHUNK), *n;
    int ok = 1;
    rt_inc(&b->busy);
    n = b->top == t ? c->next : 0;
    if (n)
        rt_cas(&b->top, t, (uint64_t)rt_first_frame(n));
    rt_dec(&b->busy);
    if (n)
        return 1;
    if (b->nchunk >= b->gc_at && !b->busy) {
        rt_inc(&b->busy);
        rt_gc(b, at);
        rt_dec(&b->busy);
    }
    rt_inc(&b->busy);
    if (b->top == t && !c->next) {
        n = rt_chunk_new(b);
        if (n)
            n->prev = c;
        if (n && !rt_cas((volatile uint64_t *)&c->next, 0, (uint64_t)n))
            chunk_give_free(b, n); /* a signal handler has linked another chunk */
    }
    n = b->top == t ? c->next : 0;
    if (n)
        rt_cas(&b->top, t, (uint64_t)rt_first_frame(n));
    else if (b->top == t)
        ok = 0;
    rt_dec(&b->busy);
    return ok;
}
