/* SPDX-License-Identifier: MIT */
/* rt_buffer.c - finds the buffer of a thread: the buffer that it owns already, a free buffer, or
 * none (rules for the code: rt.c).
 *
 * Tests: tests/unit/rt/check_rt.c */
#include "engine/data_abi.h"
#include "engine/rt/rt_priv.h"

static int buffer_ctl_init(struct ez_ctl *b, uint32_t i)
{
    b->buffer = rt_buffer_of(i);
    b->return_trampolines = (uint64_t)ez_return_trampolines;
    b->ring = (uint64_t)rt_state.hdr + rt_state.hdr->off_rings + i * rt_ring_stride();
    b->mask = (uint64_t)ez_buffer_subs(i, rt_state.hdr->nsub) * EZ_SUB_BYTES - 1;
    b->addups = (uint64_t)rt_state.hdr + rt_state.hdr->off_addups +
                (uint64_t)i * rt_state.hdr->naddups * EZ_ADDUP_BYTES;
    if (!b->gc_at)
        b->gc_at = 2;
    if (!b->top) {
        struct chunk *c = rt_chunk_new(b);
        if (c)
            rt_cas(&b->top, 0, (uint64_t)rt_first_frame(c));
    }
    b->cnt = (uint64_t)rt_counters_of(i);
    return 1;
}

/* Returns the number by which this thread recognizes its buffer: the thread pointer, or the
 * thread's id if the thread control block has no free words (rt_state.tcb_free is 0). */
static uint64_t buffer_key(uint32_t tid)
{
    return rt_state.tcb_free ? rt_tcb64(0) : tid;
}

/* Claims buffer i for this thread if the buffer's last owner had the same thread pointer: either
 * this thread has the stack of a thread that ended, or this thread claimed the buffer in a signal
 * handler that interrupted rt_self(). Returns 1 if the buffer was claimed. */
static int buffer_reclaim(uint32_t i, uint32_t tid)
{
    struct ez_buffer *l = rt_buffer_of(i);
    uint64_t fs = buffer_key(tid);
    /* 0: the drain is freeing the buffer. The drain also changes this word by a
     * compare-and-swap. */
    uint32_t was = l->tid;
    if (l->fs != fs || l->state != EZ_BUFFER_USED || !was ||
        !__atomic_compare_exchange_n(&l->tid, &was, tid, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
        return 0;
    if (was != tid)
        l->begin = rt_ctl_of(i)->head;
    return 1;
}

/* Returns the number of the buffer that this thread owns already, or 0. A thread control block
 * keeps the address of a struct ez_ctl even when a new thread uses the same stack. If the thread
 * control block has no free words, searches all buffers. */
static uint32_t buffer_own(uint32_t tid, uint32_t ready)
{
    if (rt_state.tcb_free) {
        uint64_t off = rt_tcb64(EZ_TCB_CTL) - (uint64_t)rt_ctl_of(0);
        uint64_t i = off / sizeof(struct ez_ctl);
        return i && i < ready && off % sizeof(struct ez_ctl) == 0 &&
                       buffer_reclaim((uint32_t)i, tid)
                   ? (uint32_t)i
                   : 0;
    }
    for (uint32_t i = 1; i < ready; i++)
        if (buffer_reclaim(i, tid))
            return i;
    return 0;
}

/* Returns the number of a buffer for this thread: one that it owns already, else a free one, else
 * 0. */
APART static uint32_t buffer_claim(uint32_t tid)
{
    uint32_t ready = rt_state.hdr->buffers_ready, i = buffer_own(tid, ready);
    for (uint32_t n = i ? ready : 1, at = rt_state.buffer_hint; n < ready; n++, at++) {
        at = at < 1 || at >= ready ? 1 : at;
        struct ez_buffer *l = rt_buffer_of(at);
        uint32_t freely = EZ_BUFFER_FREE;
        if (l->state == EZ_BUFFER_FREE &&
            __atomic_compare_exchange_n(&l->state, &freely, EZ_BUFFER_USED, 0, __ATOMIC_ACQ_REL,
                                        __ATOMIC_RELAXED)) {
            l->begin = rt_ctl_of(at)->head;
            l->tid = tid;
            l->fs = buffer_key(tid);
            rt_state.buffer_hint = at + 1;
            return at;
        }
    }
    return i;
}

/* number of checks of a drain that works and makes no buffer, because it cannot */
#define LOOKS_MOST 20

/* Waits for a buffer, because more threads started than buffers were ready. The drain makes more
 * buffers as soon as it is woken. Without a buffer the thread would lose its events and its exits,
 * so the thread waits, under the same conditions as for room in a full ring. If there are thousands
 * of threads, the drain may not run for seconds, so the wait is limited by the time without
 * progress of the drain. Returns 0 if there will be no buffer. */
APART static uint32_t buffer_wait(uint32_t tid)
{
    struct ez_hdr *h = rt_state.hdr;
    uint32_t i = 0, ready = h->buffers_ready;
    if (h->no_syscalls || !h->overflow_wait || rt_state.no_buffer == ready + 1)
        return 0;
    struct rt_idle idle = rt_idle_begin();
    uint64_t waited = 0;
    for (unsigned looks = 0; !shell_dead(); looks++) {
        uint32_t was = ready;
        ready = h->buffers_ready;
        i = buffer_claim(tid);
        if (i || ready >= h->nbuffers)
            break;
        if (ready != was)
            looks = 0;
        if (ready != was || (!idle.ms && looks < LOOKS_MOST)) {
            waited = 0;
        } else if (waited > PATIENCE_MS) {
            rt_state.no_buffer = ready + 1;
            break;
        }
        wake_drain();
        rt_nap(&h->buffers_ready, ready);
        if (!rt_process()->alive) /* a child forked by a signal handler */
            return 0;
        waited += rt_idle_look(&idle);
    }
    return i;
}

/* Returns the thread id: from the thread control block or, if it cannot be found there (yet), from
 * the kernel. Returns 0 if system calls are forbidden then. */
static uint32_t buffer_thread_id(void)
{
    uint32_t tid = rt_state.tid_off ? rt_tcb32(rt_state.tid_off) : 0;
    if (tid || rt_state.hdr->no_syscalls)
        return tid;
    return (uint32_t)rt_syscall(RT_SYS_GETTID, 0, 0, 0, 0, 0, 0);
}

/* Returns the number of a buffer for this thread, or 0. buffer_wait() is a tail call, so this
 * function's frame is not on the stack during the wait. */
APART static uint32_t buffer_find(uint32_t tid)
{
    uint32_t i = buffer_claim(tid);
    return i ? i : buffer_wait(tid);
}

/* Gives the thread `tid` a buffer. Returns its control block, or 0 if the thread gets no buffer. */
APART static struct ez_ctl *buffer_get(uint32_t tid)
{
    uint32_t i = buffer_find(tid);
    if (!i)
        return 0;
    struct ez_ctl *b = rt_ctl_of(i);
    buffer_ctl_init(b, i);
    if (b->tid != tid) { /* the first word of a new sub-buffer also has the owner's tid */
        rt_note(b, rt_tick_now(b), tid, EZ_R_OWNER);
        b->unnamed = 1;
        b->fragment = b->activation = 0;
        b->fragment_top = 0; /* no fragment of the new owner is on the stack of fragments: see
                              * fragment_frame() */
        rt_guard_reset(b);
    }
    b->tid = tid;
    if (rt_state.tcb_free) {
        rt_tcb_set(EZ_TCB_CTL, (uint64_t)b);
        rt_tcb_set(EZ_TCB_KEY, tid ^ rt_state.cookie);
    } else {
        struct rt_proc *p = rt_process();
        unsigned h = tid % (sizeof p->cache / sizeof *p->cache);
        p->cache[h].tid = 0;
        p->cache[h].ctl = b;
        p->cache[h].tid = tid;
    }
    return b;
}

/* Returns the calling thread's control block. Returns 0 in a forked child, if the thread id is
 * unknown, and if the thread gets no buffer. */
HIDDEN struct ez_ctl *rt_self(void)
{
    struct rt_proc *p = rt_process();
    if (!p->alive)
        return 0;
    uint32_t tid = buffer_thread_id();
    if (!tid)
        return 0;
    if (rt_state.tcb_free && rt_tcb32(EZ_TCB_KEY) == (tid ^ rt_state.cookie)) {
        struct ez_ctl *b = (struct ez_ctl *)rt_tcb64(EZ_TCB_CTL);
        if (b->cnt)
            return b;
    }
    unsigned h = tid % (sizeof p->cache / sizeof *p->cache);
    if (!rt_state.tcb_free && p->cache[h].tid == tid) {
        struct ez_ctl *b = p->cache[h].ctl;
        if (b && b->tid == tid && p->cache[h].tid == tid)
            return b;
    }
    return buffer_get(tid);
}
