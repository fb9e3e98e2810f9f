/* SPDX-License-Identifier: MIT */
/* rt_priv.h - shared by the C files of the runtime:
 *   rt.c            rare paths of trampolines and exits, records
 *   rt_buffer.c     buffers and their owners
 *   rt_hook.c       the loader's rendezvous, the unwinder's look-up, gprof's callers
 *   rt_dl.c         loads a module's file
 *   rt_event.c      events of modules, the guard of replacements
 *   rt_left.c       calls that are left without a return
 *   rt_trap.c       the SIGTRAP handler
 *   rt_data.c       functions with clauses: conditions, events with words
 *   rt_code.c       the machine that runs their code; rt_read.c reads memory for it
 *   rt_addup.c      aggregates
 *   rt_fragment.c   fragments of specifications
 *   rt_act.c        actions of clauses: switches, requests to the shell
 *   rt_chunk.c      chunks of shadow frames: growing, trimming, reclaiming
 *   rt_clock.c      CLOCK_MONOTONIC */
#ifndef EZ_RT_PRIV_H
#define EZ_RT_PRIV_H

#include <stddef.h>

#include "engine/rt/rt.h"
#include "rt_arch.h"

#define HIDDEN __attribute__((visibility("hidden")))

struct shadow_frame {
    uint64_t ra, target;
    volatile uint64_t loc;
    uint32_t cnt, exit;
};
struct chunk { /* the header of a chunk, in the place of shadow frame 0 */
    struct chunk *prev, *next;
    struct ez_ctl *owner;
    uint64_t exit; /* address of ez_exit, at offset EZ_H_EXIT */
};
_Static_assert(sizeof(struct shadow_frame) == EZ_RETURN_TRAMPOLINE, "");
_Static_assert(__builtin_offsetof(struct shadow_frame, loc) == 8 * EZ_ENTRY_LOC &&
                   __builtin_offsetof(struct chunk, prev) == 8 * EZ_CHUNK_PREV &&
                   __builtin_offsetof(struct chunk, owner) == 8 * EZ_CHUNK_OWNER,
               "what the shell reads (engine/patch/open_calls.c)");
_Static_assert(offsetof(struct shadow_frame, cnt) == EZ_E_CNT, "");
_Static_assert(offsetof(struct shadow_frame, exit) == EZ_E_CODE_LO, "");
_Static_assert(offsetof(struct chunk, exit) == EZ_H_EXIT, "");

extern struct rt_state rt_state HIDDEN;
extern char ez_return_trampolines[] HIDDEN;
extern char ez_exit[] HIDDEN;
uint64_t ez_mono(struct ez_ctl *b) HIDDEN;

#define PATIENCE_MS 2000 /* a drain thread without progress for this time is stuck */
#define NAP_MS 50        /* time of one futex wait; short enough that a user does not notice */
#define NAP_MOST 200     /* maximum ms of one nap that count as time without progress */
#define FUTEX_OWNER_DIED_BIT 0x40000000u
#define FUTEX_TID_BITS 0x3fffffffu

static inline struct rt_proc *rt_process(void)
{
    return (struct rt_proc *)rt_state.ctls;
}
/* The stack budget is small, and ez_mono() uses most of it. So functions that a trampoline calls
 * directly read the time and pass it to deeper functions. APART keeps the stack frame of a deep
 * path separate from its caller's frame. */
#define APART __attribute__((noinline))
#define WITHIN static inline __attribute__((always_inline))

/* ---- parts of a buffer ------------------------------------------------------------ */

static inline struct ez_ctl *rt_ctl_of(uint32_t buffer)
{
    return (struct ez_ctl *)(rt_state.ctls + 4096) + buffer;
}
static inline struct ez_buffer *rt_buffer_of(uint32_t buffer)
{
    return (struct ez_buffer *)((char *)rt_state.hdr + rt_state.hdr->off_buffers) + buffer;
}
static inline struct ez_counter *rt_counters_of(uint32_t buffer)
{
    struct ez_hdr *h = rt_state.hdr;
    return (struct ez_counter *)((char *)h + h->off_counters) + (uint64_t)buffer * h->ids_max;
}
/* Returns the bytes of the segment that each buffer has for its ring; the ring may be smaller. */
static inline uint64_t rt_ring_stride(void)
{
    return (uint64_t)rt_state.hdr->nsub * EZ_SUB_BYTES;
}

/* ---- whether the drain thread lives and works ----------------------------------- */

static inline int shell_dead(void)
{
    uint32_t w = rt_state.hdr->owner.word;
    return (w & FUTEX_OWNER_DIED_BIT) || !(w & FUTEX_TID_BITS);
}

static inline void wake_drain(void)
{
    struct ez_hdr *h = rt_state.hdr;
    if (!h->asleep || h->no_syscalls)
        return;
    __atomic_fetch_add(&h->wake, 1, __ATOMIC_RELEASE);
    rt_syscall(RT_SYS_FUTEX, (long)&h->wake, 1 /* FUTEX_WAKE */, 1, 0, 0, 0);
}

/* Returns a clock in ms. A signal ends a nap early, so waiting is measured by this clock and not by
 * the number of naps. */
static inline uint64_t now_ms(void)
{
    struct {
        long sec, nsec;
    } t = { 0, 0 };
    rt_syscall(RT_SYS_CLOCK_GETTIME, 6 /* CLOCK_MONOTONIC_COARSE */, (long)&t, 0, 0, 0, 0);
    return (uint64_t)t.sec * 1000 + (uint64_t)t.nsec / 1000000;
}

/* Measures how long the drain thread has made no progress. */
struct rt_idle {
    uint64_t seen, last, ms; /* seen: its progress at the last check; last: time of that check; ms:
                              * time without progress */
};

static inline struct rt_idle rt_idle_begin(void)
{
    return (struct rt_idle){ rt_state.hdr->progress, now_ms(), 0 };
}

/* Call after each nap. Adds the duration of the nap, at most NAP_MOST, to the time without
 * progress, or clears that time if there was progress. Returns the duration of the nap. A longer
 * nap means that the machine was suspended or overloaded, not that the shell is stuck. */
static inline uint64_t rt_idle_look(struct rt_idle *i)
{
    uint64_t progress = rt_state.hdr->progress, now = now_ms(), nap = now - i->last;
    nap = nap < NAP_MOST ? nap : NAP_MOST;
    i->ms = progress == i->seen ? i->ms + nap : 0;
    i->seen = progress;
    i->last = now;
    return nap;
}

static inline void rt_nap(volatile uint32_t *word, uint32_t value)
{
    struct {
        long sec, nsec;
    } t = { 0, NAP_MS * 1000000l };
    rt_syscall(RT_SYS_FUTEX, (long)word, 0 /* FUTEX_WAIT */, value, (long)&t, 0, 0);
}

/* ---- chunks ---- */

static inline struct shadow_frame *rt_first_frame(struct chunk *c)
{
    return (struct shadow_frame *)c + 1;
}
static inline uint64_t rt_end_of(struct chunk *c)
{
    return (uint64_t)c + EZ_CHUNK;
}
/* Returns the chunk that contains top, or ends at top. */
static inline struct chunk *chunk_below(uint64_t top)
{
    return (struct chunk *)((top - EZ_RETURN_TRAMPOLINE) & -(uint64_t)EZ_CHUNK);
}
static inline uint64_t rt_return_trampoline_of(struct shadow_frame *e)
{
    return (uint64_t)e - EZ_DIST;
}

/* Returns the time stamp for a new record. */
static inline uint64_t rt_tick_now(struct ez_ctl *b)
{
    return rt_state.mono ? ez_mono(b) : rt_tick();
}

/* rt_buffer.c. rt_self() returns the calling thread's control block, or 0. */
struct ez_ctl *rt_self(void) HIDDEN;

/* rt.c. rt_left() records that the frame at `at`, and those below it on its stack, are gone; only
 * while a trace is open. rt_name() records the thread's name. rt_note() writes one record; it
 * returns 0 if head is at the end of a sub-buffer. */
void rt_left(struct ez_ctl *b, uint64_t at) HIDDEN;
/* Records the bounds of the stack that the thread switches to for the first time. */
void rt_new_stack(struct ez_ctl *b, const uint64_t bounds[2]) HIDDEN;
/* rt_event.c. A thread that gets the buffer of another one is in no replacement. */
void rt_guard_reset(struct ez_ctl *b) HIDDEN;
/* rt_fragment.c. rt_fragments_left() ends the fragments of calls whose return addresses are between
 * `from` and `at`, both included. rt_fragments_abort() is called before the program ends, by a call
 * that would return to `caller`. */
void rt_fragments_left(struct ez_ctl *b, uint64_t from, uint64_t at) HIDDEN;
void rt_fragments_abort(struct ez_ctl *b, uint64_t caller) HIDDEN;
void rt_data_left(struct ez_ctl *b, const uint64_t *loc) HIDDEN; /* rt_data.c: handles an exception
                                                                  * that leaves the call */
int rt_note(struct ez_ctl *b, uint64_t when, uint64_t word, uint64_t code) HIDDEN;
void rt_name(struct ez_ctl *b, uint64_t now) HIDDEN;
long ez_room(void *unused, struct ez_ctl *b) HIDDEN;
void rt_record(struct ez_ctl *b, uint32_t code, uint64_t frame) HIDDEN;
/* rt_event.c. Reserves n adjacent records and returns the first one. Returns 0 if head is at the
 * end of a sub-buffer, which it fills with padding if it is too short for n records. */
volatile uint64_t *rt_records(struct ez_ctl *b, uint64_t n) HIDDEN;
/* rt_data.c. rt_tail_end() ends the call whose continuation is at `loc`, because of a tail call,
 * and restores its return address. rt_tail_of_data() does this and returns 1 if that call has
 * clauses; else it returns 0. */
void rt_tail_end(struct ez_ctl *b, uint64_t *loc) HIDDEN;
int rt_tail_of_data(struct ez_ctl *b, uint64_t *loc) HIDDEN;
/* Counts a hit of a thread without a buffer, in the common buffer 0. recording: counts it also as
 * dropped or, if no trace is open, as untraced. Does nothing in a forked child. */
void rt_count_common(uint32_t off, int recording) HIDDEN;
/* Returns nonzero in a child that a signal handler forked in the middle of a hit. The child has no
 * rings and no counters; its counts go into b's scratch memory. */
static inline int rt_wiped(const struct ez_ctl *b)
{
    return !*(struct ez_buffer *const volatile *)&b->buffer;
}
static inline struct ez_counter *rt_counter(struct ez_ctl *b, uint32_t off)
{
    uint64_t all = *(volatile uint64_t *)&b->cnt;
    return (struct ez_counter *)(all ? all + off : (uint64_t)b->gc);
}
static inline void rt_unhooked(struct ez_ctl *b) /* Counts a call whose exit is not followed. */
{
    if (!rt_wiped(b))
        rt_inc(&b->buffer->unhooked);
}
uint64_t ez_slow(uint64_t *loc, const struct ez_trampoline_data *s) HIDDEN;
/* rt_without_buffer() counts a call of a thread without a buffer, and returns 0: no exit is
 * followed. rt_restore() restores the return address of the call of e, on such a thread. */
uint64_t rt_without_buffer(const struct ez_trampoline_data *s) HIDDEN;
void rt_restore(uint64_t *loc, struct shadow_frame *e) HIDDEN;
void ez_release_slow(uint64_t *loc, struct shadow_frame *e) HIDDEN;
/* Counts an entry of a function, and records the entry if the trampoline requests that. */
void rt_entry(struct ez_ctl *b, const struct ez_trampoline_data *s, uint64_t frame) HIDDEN;

/* rt_chunk.c. rt_chunk_new() returns an empty chunk for b; 0 if none is left. rt_trim() moves top
 * down over holes. rt_grow() makes room above the full chunk that ends at t, for the call whose
 * return address is at `at`; it returns 0 if there is no memory for a shadow frame. */
struct chunk *rt_chunk_new(struct ez_ctl *b) HIDDEN;
void rt_trim(struct ez_ctl *b) HIDDEN;
int rt_grow(struct ez_ctl *b, uint64_t t, uint64_t at) HIDDEN;

#endif
