/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_rt.c - the runtime's rare paths, in this process: its source is part of this program, the
 * system calls that it makes are answered here, and counted. These paths serve the trampolines when their
 * fast path does not apply: full rings, shells that died, seccomp filters under which the kernel
 * must not be entered, forked children. */
#include <check.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "rt_arch.h"

static long answer(long nr, long a, long b, long c, long d, long e, long f);
#define rt_syscall answer
#include "engine/rt/rt.c"
#include "engine/rt/rt_buffer.c"
#include "engine/rt/rt_chunk.c"
#include "engine/rt/rt_hook.c"
#include "engine/rt/rt_event.c"
#include "engine/rt/rt_data.c"
#include "engine/rt/rt_code.c"
#include "engine/rt/rt_act.c"
#include "tests/unit/no_fragments.h"
#include "engine/rt/rt_addup.c"
#include "engine/rt/rt_read.c"

#include "tests/unit/suite.h"

enum { NBUFFERS = 4, IDS = 16, NSUB = 4, TID = 4711, OWNER = 99 };

struct rt_state rt_state;
char ez_return_trampolines[2 * EZ_DIST] __attribute__((aligned(EZ_CHUNK)));
char ez_exit[1];
static uint64_t clock_now;
uint64_t ez_mono(struct ez_ctl *b)
{
    (void)b;
    return ++clock_now;
}

static struct {
    struct ez_hdr hdr __attribute__((aligned(4096)));
    struct ez_buffer buffer[NBUFFERS];
    struct ez_counter counter[NBUFFERS][IDS];
    uint64_t ring[NBUFFERS][NSUB * EZ_SUB_BYTES / 8] __attribute__((aligned(EZ_SUB_BYTES)));
} * seg;
static struct {
    struct rt_proc proc;
    char pad[4096 - sizeof(struct rt_proc)];
    struct ez_ctl ctl[NBUFFERS];
} * priv;

/* ---- the kernel ------------------------------------------------------------------------------ */

static unsigned calls, wakes, naps;
static long tid;
static const char *name; /* the thread's name; NULL = the runtime must not ask for it */
static uint64_t ms;
static void (*while_asleep)(void); /* what other threads do while the runtime sleeps */

static long answer(long nr, long a, long b, long c, long d, long e, long f)
{
    (void)c, (void)d, (void)e, (void)f;
    calls++;
    switch (nr) {
    case RT_SYS_GETTID:
        return tid;
    case RT_SYS_GETPID:
        return getpid();
    case RT_SYS_CLOCK_GETTIME:
        ((long *)b)[0] = (long)(ms / 1000);
        ((long *)b)[1] = (long)(ms % 1000 * 1000000);
        return 0;
    case RT_SYS_PRCTL:
        if (name)
            memcpy((char *)b, name, strlen(name) + 1);
        return name ? 0 : -22;
    case RT_SYS_FUTEX:
        if (b) {
            wakes++;
            return a == (long)&seg->hdr.wake;
        }
        naps++;
        ms += NAP_MS;
        clock_now += 1000;
        if (while_asleep)
            while_asleep();
        return 0;
    case RT_SYS_PROCESS_VM_READV: /* no stack can be read any more */
        return -14;
    }
    ck_abort_msg("system call %ld", nr);
    return -1;
}

/* Maps n zeros at an address that suits the rings. The kernel gives a page's, more or less by chance. */
static void *zeros(size_t n)
{
    char *p =
        mmap(NULL, n + EZ_SUB_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(p, MAP_FAILED);
    return (char *)(((uintptr_t)p + EZ_SUB_BYTES - 1) / EZ_SUB_BYTES * EZ_SUB_BYTES);
}

static void setup(void)
{
    seg = zeros(sizeof *seg);
    priv = zeros(sizeof *priv);
    seg->hdr = (struct ez_hdr){
        .nbuffers = NBUFFERS,
        .ids_max = IDS,
        .nsub = NSUB,
        .off_buffers = offsetof(__typeof__(*seg), buffer),
        .off_counters = offsetof(__typeof__(*seg), counter),
        .off_rings = offsetof(__typeof__(*seg), ring),
        .buffers_ready = NBUFFERS,
        .trace_open = 1,
        .overflow_wait = 1,
        .owner = { .word = OWNER },
    };
    rt_state = (struct rt_state){
        .hdr = &seg->hdr, .ctls = (uint8_t *)priv, .max_chunks = EZ_NCHUNK, .mono = 1
    };
    priv->proc.alive = 1;
    tid = TID;
    clock_now = 1;
    calls = wakes = naps = 0;
    while_asleep = NULL;
    name = NULL;
}

/* ---- what a trampoline is ---------------------------------------------------------------------------- */

#define CODE(id, exit) (((uint64_t)EZ_C_PROBE + 2 * (uint64_t)(id) + (exit)) << 8 | 1)

static struct ez_trampoline_data trampoline(unsigned id, unsigned flags)
{
    return (struct ez_trampoline_data){ .body = 0x1000,
                                        .cnt = id * (uint32_t)sizeof(struct ez_counter),
                                        .code = (uint32_t)CODE(id, 0),
                                        .exit =
                                            flags & EZ_TRAMPOLINE_REC ? (uint32_t)CODE(id, 1) : 0,
                                        .flags = flags };
}

static struct ez_rec *rec(unsigned l, unsigned n) /* rt_record n of buffer l's ring */
{
    unsigned sub = n / EZ_SUB_RECS;
    char *at = (char *)seg->ring[l] + (sub % NSUB) * (size_t)EZ_SUB_BYTES;
    return (struct ez_rec *)(at + 8) + n % EZ_SUB_RECS;
}

static void hit(unsigned id, unsigned n)
{
    uint64_t word = 5;
    struct ez_trampoline_data s = trampoline(id, EZ_TRAMPOLINE_REC);
    for (unsigned i = 0; i < n; i++)
        ck_assert_uint_eq(ez_slow(&word, &s), 0);
}

/* ---- tests --------------------------------------------------------------------------------------- */

START_TEST(an_event_is_counted_and_recorded)
{
    uint64_t stack[20] = { 0 };
    struct ez_trampoline_data s = trampoline(3, EZ_TRAMPOLINE_REC);
    s.thunk = 1;
    ez_slow(stack + 1, &s);
    ez_through_slow(stack, (uint64_t)s.cnt | 1);
    ez_through_slow(stack, s.cnt); /* counted alone */
    const struct ez_buffer *l = &seg->buffer[1];
    ck_assert_uint_eq(l->tid, TID);
    ck_assert_uint_eq(l->state, EZ_BUFFER_USED);
    ck_assert_uint_eq(seg->counter[1][3].entry, 1);
    ck_assert_uint_eq(seg->counter[1][3].exit, 2);
    ck_assert_uint_eq(seg->ring[1][0], TID);
    ck_assert_uint_eq(rec(1, 0)->code, CODE(3, 0));
    ck_assert_uint_eq(rec(1, 1)->code, CODE(3, 1));
    ck_assert_uint_eq(rec(1, 0)->tid, (uint64_t)stack);
    ck_assert_uint_eq(rec(1, 1)->tid, (uint64_t)(stack + 1));
    ck_assert_uint_lt(rec(1, 0)->tick, rec(1, 1)->tick);
    ck_assert_uint_eq(rec(1, 2)->code, 0);
    ck_assert_uint_eq(seg->hdr.common_dropped + l->dropped + l->untraced, 0);
}
END_TEST

START_TEST(each_thread_has_its_buffer)
{
    hit(1, 2);
    tid = TID + 1;
    hit(1, 3);
    tid = TID;
    hit(1, 1);
    ck_assert_uint_eq(seg->counter[1][1].entry, 3);
    ck_assert_uint_eq(seg->counter[2][1].entry, 3);
    ck_assert_uint_eq(seg->ring[1][0], TID);
    ck_assert_uint_eq(seg->ring[2][0], TID + 1);
}
END_TEST

static bool says(unsigned l, unsigned n, const char *text)
{
    const struct ez_rec *first = rec(l, n), *second = rec(l, n + 1);
    char got[16];
    memcpy(got, &first->tid, 8);
    memcpy(got + 8, &second->tid, 8);
    return first->code >> 8 == EZ_R_NAME && second->code >> 8 == EZ_R_NAME + 1 &&
           !strcmp(got, text);
}

/* A thread records its name once, before its first rt_record; so does a thread that takes the buffer
 * over. */
START_TEST(each_thread_says_its_name)
{
    name = "fifteen letters";
    hit(1, 3);
    ck_assert(says(1, 0, name));
    ck_assert_uint_eq(rec(1, 2)->code, CODE(1, 0));
    ck_assert_uint_eq(rec(1, 4)->code, CODE(1, 0));
    ck_assert_uint_eq(rec(1, 5)->code, 0);
    seg->buffer[1].state = EZ_BUFFER_FREE;
    tid = TID + 1;
    name = "b";
    rt_state.buffer_hint = 1;
    hit(1, 1);
    ck_assert_uint_eq(rec(1, 5)->code >> 8, EZ_R_OWNER);
    ck_assert(says(1, 6, name));
    ck_assert_uint_eq(rec(1, 8)->code, CODE(1, 0));
}
END_TEST

/* Where the sub-buffer ends, the name goes into the next one; under a seccomp filter the kernel is
 * not asked for the name. */
START_TEST(a_name_waits_for_room)
{
    hit(1, EZ_SUB_RECS - 2);
    seg->buffer[1].state = EZ_BUFFER_FREE;
    tid = TID + 1;
    name = "late";
    rt_state.buffer_hint = 1;
    hit(1, 2);
    ck_assert_uint_eq(rec(1, EZ_SUB_RECS - 2)->code >> 8, EZ_R_OWNER);
    ck_assert_uint_eq(rec(1, EZ_SUB_RECS - 1)->code >> 8, EZ_R_NAME);
    ck_assert(says(1, EZ_SUB_RECS, name));
    ck_assert_uint_eq(rec(1, EZ_SUB_RECS + 2)->code, CODE(1, 0));
    ck_assert_uint_eq(rec(1, EZ_SUB_RECS + 3)->code, CODE(1, 0));
    tid = TID + 2;
    seg->hdr.no_syscalls = 1;
    seg->buffer[1].state = EZ_BUFFER_FREE;
    rt_state.buffer_hint = 1;
    rt_state.tid_off = 0;
    unsigned before = calls;
    struct ez_ctl *b = &priv->ctl[1];
    b->unnamed = 1;
    rt_name(b, 1);
    ck_assert_uint_eq(calls, before);
    ck_assert_uint_eq(b->unnamed, 0);
}
END_TEST

/* Without a buffer, and without a shell that would make one, all hits are counted, and none is
 * recorded. */
START_TEST(without_a_buffer_the_common_one_counts)
{
    uint64_t word = 5;
    struct ez_trampoline_data s = trampoline(2, EZ_TRAMPOLINE_REC), plain = trampoline(2, 0),
                              pair = trampoline(2, EZ_TRAMPOLINE_PAIRED);
    seg->hdr.buffers_ready = 1;
    seg->hdr.overflow_wait = 0;
    for (int i = 0; i < 5; i++)
        ez_slow(&word, &s);
    ez_slow(&word, &plain);
    ck_assert_uint_eq(ez_slow(&word, &pair), 0);
    ez_through_slow(&word, (uint64_t)s.cnt | 1);
    ck_assert_uint_eq(seg->counter[0][2].entry, 7);
    ck_assert_uint_eq(seg->counter[0][2].exit, 1);
    ck_assert_uint_eq(seg->hdr.common_dropped, 6);
    ck_assert_uint_eq(seg->buffer[0].unhooked, 1);
    seg->hdr.trace_open = 0;
    ez_slow(&word, &s);
    ck_assert_uint_eq(seg->buffer[0].untraced, 1);
    ck_assert_uint_eq(seg->hdr.common_dropped, 6);
    ck_assert_uint_eq(naps, 0);
}
END_TEST

static void a_buffer_comes(void)
{
    seg->hdr.buffers_ready = 2;
}
START_TEST(a_buffer_is_waited_for)
{
    seg->hdr.buffers_ready = 1;
    seg->hdr.asleep = 1;
    while_asleep = a_buffer_comes;
    hit(2, 1);
    ck_assert_uint_eq(naps, 1);
    ck_assert_uint_eq(wakes, 1);
    ck_assert_uint_eq(seg->counter[1][2].entry, 1);
    tid++; /* no buffer comes: the thread gives up, and the next one does not wait */
    while_asleep = NULL;
    hit(2, 1);
    ck_assert_uint_ge(naps, PATIENCE_MS / NAP_MS);
    ck_assert_uint_le(naps, PATIENCE_MS / NAP_MS + 3);
    unsigned before = naps;
    hit(2, 1);
    ck_assert_uint_eq(naps, before);
    ck_assert_uint_eq(seg->counter[0][2].entry, 2);
}
END_TEST

/* A thread that has waited for a buffer in vain is without one for the whole hit, even if a buffer comes
 * the moment after: a call with clauses has companions, or no entry at all. */
static struct ez_trampoline_data data_trampoline(unsigned id, struct ez_program *empty)
{
    struct ez_trampoline_data s =
        trampoline(id, EZ_TRAMPOLINE_PAIRED | EZ_TRAMPOLINE_FOLLOW | EZ_TRAMPOLINE_REC);
    *empty = (struct ez_program){ .bytes = sizeof *empty };
    s.exit = EZ_DATA_EXIT | EZ_DATA_TIMED;
    s.room = (uint64_t)empty;
    return s;
}
static void the_shell_dies_and_a_buffer_comes(void)
{
    seg->hdr.owner.word = FUTEX_OWNER_DIED_BIT;
    seg->hdr.buffers_ready = 2;
}
START_TEST(a_buffer_that_comes_late_is_not_taken)
{
    uint64_t word = 5, regs[16] = { 0 };
    struct ez_program p;
    struct ez_trampoline_data s = data_trampoline(2, &p);
    seg->hdr.buffers_ready = 1;
    while_asleep = the_shell_dies_and_a_buffer_comes;
    ck_assert_uint_eq(ez_data(&word, &s, regs), 0);
    ck_assert_uint_eq(naps, 1);
    ck_assert_uint_eq(word, 5);
    ck_assert_uint_eq(seg->buffer[1].state, EZ_BUFFER_FREE);
    ck_assert_uint_eq(seg->counter[0][2].entry, 1);
    ck_assert_uint_eq(seg->buffer[0].unhooked, 1);
    uint64_t slot = ez_data(&word, &s, regs); /* the next hit has it, and its companion */
    ck_assert_uint_ne(slot, 0);
    struct shadow_frame *e = (struct shadow_frame *)(slot + EZ_DIST);
    ck_assert_uint_eq(e[-1].loc, EZ_HOLE);
    ck_assert_uint_eq(e[-1].ra, (uint64_t)&s);
    ck_assert_uint_eq(seg->counter[1][2].entry, 1);
}
END_TEST

/* An exit on a thread without a buffer leaves a hole, which the owner of the chunk trims. An entry
 * whose `loc` is 0 counts as being filled, so that its chunk would never be used again. */
START_TEST(an_exit_without_a_buffer_leaves_a_hole)
{
    uint64_t stack[2] = { 0xabc0, 0 }, regs[16] = { 0 };
    struct ez_program p;
    struct ez_trampoline_data s = _i ? data_trampoline(3, &p) : trampoline(3, EZ_TRAMPOLINE_PAIRED);
    uint64_t slot = _i ? ez_data(stack, &s, regs) : ez_slow(stack, &s);
    struct shadow_frame *e = (struct shadow_frame *)(slot + EZ_DIST);
    struct ez_ctl *b = &priv->ctl[1];
    uint64_t top = b->top;
    stack[0] = slot;
    tid++;
    seg->hdr.buffers_ready = 2;
    seg->hdr.overflow_wait = 0;
    if (_i)
        ez_data_exit(stack, e, regs);
    else
        ez_exit_slow(stack, e);
    ck_assert_uint_eq(stack[0], 0xabc0);
    ck_assert_uint_eq(e->loc, EZ_HOLE);
    ck_assert_uint_eq(seg->counter[0][3].exit, 1);
    rt_trim(b);
    ck_assert_uint_eq(b->top, top - (_i ? 2 : 1) * EZ_RETURN_TRAMPOLINE);
}
END_TEST

/* A thread that does not run for long takes no drain for stuck that works meanwhile; but a drain
 * that works and makes no buffers is not waited for without end. */
static int until_buffer;
static void the_drain_works(void)
{
    ms += 3 * PATIENCE_MS;
    seg->hdr.progress++;
    if (--until_buffer == 0)
        seg->hdr.buffers_ready++;
}
START_TEST(a_busy_drain_is_waited_for)
{
    seg->hdr.buffers_ready = 1;
    while_asleep = the_drain_works;
    until_buffer = 5;
    hit(2, 1);
    ck_assert_uint_eq(naps, 5);
    ck_assert_uint_eq(seg->counter[1][2].entry, 1);
    tid++;
    until_buffer = 0;
    hit(2, 1);
    ck_assert_uint_eq(seg->counter[0][2].entry, 1);
    ck_assert_uint_le(naps, 5 + LOOKS_MOST + PATIENCE_MS / NAP_MOST + 1);
}
END_TEST

/* A child of fork: its private words are wiped. It counts nothing and touches no ring. */
START_TEST(a_forked_child_leaves_no_trace)
{
    uint64_t word = 5, ra = 0x1234;
    struct ez_trampoline_data s = trampoline(1, EZ_TRAMPOLINE_REC | EZ_TRAMPOLINE_PAIRED);
    hit(1, 1);
    struct ez_ctl *b = &priv->ctl[1];
    struct shadow_frame e = { .ra = ra, .loc = (uint64_t)&word, .exit = 1 };
    memcpy(&e.cnt, &s.cnt, 4);
    *priv = (__typeof__(*priv)){ .proc = { .alive = 0 } };
    unsigned before = calls;
    uint64_t head = b->head;
    ck_assert_uint_eq(ez_slow(&word, &s), 0);
    ck_assert_int_eq(ez_room(NULL, b), 0);
    b->buffer = &seg->buffer[1]; /* wiped in the middle of a hit */
    ck_assert_int_eq(ez_room(NULL, b), 0);
    rt_record(b, (uint32_t)CODE(1, 0), 1);
    ez_exit_slow(&word, &e);
    ck_assert_uint_eq(word, ra); /* but the call returns */
    ez_through_slow(&word, (uint64_t)s.cnt | 1);
    ez_loader(NULL, &s);
    ck_assert_uint_eq(calls, before);
    ck_assert_uint_eq(b->head, head);
    ck_assert_uint_eq(seg->counter[1][1].entry, 1);
    ck_assert_uint_eq(seg->counter[1][1].exit + seg->counter[0][1].exit, 0);
    ck_assert_uint_eq(seg->counter[0][1].entry, 0);
    ck_assert_uint_eq(seg->buffer[1].dropped + seg->buffer[0].unhooked + seg->hdr.common_dropped,
                      0);
    ck_assert_uint_eq(seg->hdr.loader_seq, 0);
    ck_assert_uint_eq(rec(1, 1)->code, 0);
}
END_TEST

/* A thread takes over the buffer of an ended thread that had the same thread pointer; calls that the
 * other began stay the other's. Its own buffer it finds again as it was. A buffer that is being freed
 * is not taken. */
static void forgets_its_buffer(void)
{
    memset(priv->proc.cache, 0, sizeof priv->proc.cache);
}
START_TEST(a_buffer_is_taken_again)
{
    struct ez_buffer *l = &seg->buffer[1];
    hit(1, 3);
    uint64_t head = priv->ctl[1].head;
    ck_assert_uint_eq(l->begin, 0);
    forgets_its_buffer();
    hit(1, 1);
    ck_assert_uint_eq(l->begin, 0);
    ck_assert_uint_eq(priv->ctl[1].head, head + EZ_REC_BYTES);
    l->tid = TID + 1;
    forgets_its_buffer();
    hit(1, 1);
    ck_assert_uint_eq(l->begin, head + EZ_REC_BYTES);
    ck_assert_uint_eq(l->tid, TID);
    ck_assert_uint_eq(seg->counter[1][1].entry, 5);
    static const struct {
        uint32_t tid, state;
        uint64_t fs;
    } not [] = { { 0, EZ_BUFFER_USED, TID },
                 { TID, EZ_BUFFER_USED, TID + 1 },
                 { TID, EZ_BUFFER_FREE + EZ_BUFFER_USED + 1, TID } };
    for (unsigned i = 0; i < sizeof not / sizeof *not ; i++) {
        l->tid = not [i].tid;
        l->state = not [i].state;
        l->fs = not [i].fs;
        forgets_its_buffer();
        hit(1, 1);
        ck_assert_uint_eq(seg->counter[1][1].entry, 5);
        ck_assert_uint_eq(seg->counter[2][1].entry, i + 1);
    }
}
END_TEST

/* ---- a full ring ---------------------------------------------------------------------------------- */

enum { FULL = NSUB * EZ_SUB_RECS };

static void room_comes(void)
{
    ck_assert_uint_eq(seg->buffer[1].waiting, 1);
    seg->buffer[1].space++;
}
START_TEST(a_full_ring_is_waited_for)
{
    hit(1, FULL);
    ck_assert_uint_eq(naps, 0);
    seg->hdr.asleep = 1;
    unsigned woken = wakes;
    while_asleep = room_comes;
    hit(1, 1);
    ck_assert_uint_eq(naps, 1);
    ck_assert_uint_gt(wakes, woken);
    const struct ez_buffer *l = &seg->buffer[1];
    ck_assert_uint_eq(l->waits, 1);
    ck_assert_uint_ge(l->waited, 1000);
    ck_assert_uint_le(l->waited, 1010);
    ck_assert_uint_eq(l->waiting, 0);
    ck_assert_uint_eq(l->dropped, 0);
    ck_assert_uint_eq(rec(1, FULL)->code >> 8, EZ_C_THREAD + EZ_T_WAIT);
    ck_assert_uint_eq(rec(1, FULL + 1)->code >> 8, EZ_C_THREAD + EZ_T_WAIT_END);
    ck_assert_uint_ge(rec(1, FULL + 1)->tick, rec(1, FULL)->tick + 1000);
    ck_assert_uint_eq(rec(1, FULL + 2)->code, CODE(1, 0));
}
END_TEST

/* Signal handlers run while the thread waits, fill the sub-buffer that it waits for, and the drain has read it. */
static uint64_t *header(unsigned l, unsigned sub)
{
    return (uint64_t *)rec(l, sub * EZ_SUB_RECS) - 1;
}
static void handlers_fill_it(void)
{
    while_asleep = NULL;
    seg->buffer[1].space += 2;
    hit(1, EZ_SUB_RECS);
    seg->buffer[1].space += NSUB - 1;
    *header(1, NSUB) = 0; /* as the drain leaves it */
}
START_TEST(the_room_may_be_gone_by)
{
    hit(1, FULL);
    while_asleep = handlers_fill_it;
    hit(1, 1);
    ck_assert_uint_eq(naps, 1);
    ck_assert_uint_eq(seg->buffer[1].dropped, 0);
    ck_assert_uint_eq(seg->counter[1][1].entry, FULL + EZ_SUB_RECS + 1);
    ck_assert_uint_eq(*header(1, NSUB), 0);
}
END_TEST

/* A signal handler forks while the thread waits, and the child comes back to the hit: it has neither
 * rings nor counters, and its control block is wiped. The call goes on. */
static void it_forks(void)
{
    *priv = (__typeof__(*priv)){ .proc = { .alive = 0 } };
    ck_assert_int_eq(mprotect(seg, sizeof *seg, PROT_NONE), 0); /* MADV_DONTFORK */
}
enum { AT_ENTRY, AT_EXIT, AT_TAIL_CALL, IN_DATA, AT_DATA_EXIT, WITHOUT_BUFFER, AT_LOADER, FORKS };
START_TEST(a_child_that_is_forked_in_a_wait_goes_on)
{
    uint64_t stack[2] = { 0xabc0, 0 }, regs[16] = { 0 };
    struct ez_program p;
    struct ez_trampoline_data s = trampoline(1, EZ_TRAMPOLINE_REC | EZ_TRAMPOLINE_PAIRED),
                              d = data_trampoline(2, &p);
    uint64_t slot = _i == AT_DATA_EXIT ? ez_data(stack, &d, regs) : ez_slow(stack, &s);
    struct shadow_frame *e = (struct shadow_frame *)(slot + EZ_DIST);
    e->exit |= (uint32_t)CODE(1, 1);
    hit(1, FULL - 1);
    seg->hdr.loader_wait = 1;
    while_asleep = it_forks;
    if (_i >= AT_EXIT && _i != IN_DATA)
        stack[0] = slot;
    if (_i == AT_ENTRY) {
        ez_slow(stack, &s);
    } else if (_i == AT_EXIT) {
        ez_exit_slow(stack, e);
    } else if (_i == AT_TAIL_CALL) {
        ez_slow(stack, &s);
    } else if (_i == IN_DATA) {
        ez_data(stack, &d, regs);
    } else if (_i == AT_DATA_EXIT) {
        ez_data_exit(stack, e, regs);
    } else if (_i == WITHOUT_BUFFER) {
        tid++;
        seg->hdr.buffers_ready = 2;
        ez_slow(stack, &s);
    } else {
        ez_loader(NULL, &s);
    }
    ck_assert_uint_eq(naps, 1);
    if (_i == AT_EXIT || _i == AT_DATA_EXIT)
        ck_assert_uint_eq(stack[0], 0xabc0);
}
END_TEST

/* Where no shell can make room, or the settings say not to wait, records are dropped at once; the
 * loss is counted, and a gap recorded. */
static const struct {
    const char *why;
    uint32_t owner, wait, filter;
} nobody[] = {
    { "the shell died", OWNER | FUTEX_OWNER_DIED_BIT, 1, 0 },
    { "the shell left", 0, 1, 0 },
    { "only the waiters' bit", 0x80000000u, 1, 0 },
    { "set overflow drop", OWNER, 0, 0 },
    { "a filter", OWNER, 1, 1 },
};
START_TEST(what_nobody_makes_room_for_is_dropped)
{
    hit(1, FULL);
    struct ez_ctl *b = &priv->ctl[1];
    seg->hdr.owner.word = nobody[_i].owner;
    seg->hdr.overflow_wait = nobody[_i].wait;
    seg->hdr.no_syscalls = nobody[_i].filter;
    seg->hdr.asleep = 1;
    unsigned before = calls;
    for (int i = 0; i < 3; i++)
        rt_record(b, (uint32_t)CODE(1, 0), 0);
    ck_assert_msg(seg->buffer[1].dropped == 3, "%s: %lu", nobody[_i].why, seg->buffer[1].dropped);
    ck_assert_msg(!naps, "%s", nobody[_i].why);
    ck_assert(!nobody[_i].filter || calls == before);
    seg->buffer[1].space++;
    rt_record(b, (uint32_t)CODE(1, 1), 0);
    ck_assert_uint_eq(rec(1, FULL)->code >> 8, EZ_C_THREAD + EZ_T_GAP);
    ck_assert_uint_eq(rec(1, FULL)->tid, 3);
    ck_assert_uint_eq(rec(1, FULL + 1)->code >> 8, EZ_C_THREAD + EZ_T_GAP_END);
    ck_assert_uint_eq(rec(1, FULL + 2)->code, CODE(1, 1));
    ck_assert_uint_eq(seg->buffer[1].dropped, 3);
    ck_assert(!nobody[_i].filter || calls == before);
}
END_TEST

/* The runtime waits long for a drain that makes progress, and gives up one that makes none. */
static unsigned rounds;
static void works(void)
{
    seg->hdr.progress++;
    if (++rounds == 200)
        seg->buffer[1].space++;
}
START_TEST(patience_is_with_who_works)
{
    hit(1, FULL);
    rounds = 0;
    while_asleep = works;
    hit(1, 1);
    ck_assert_uint_eq(naps, 200);
    ck_assert_uint_eq(seg->buffer[1].dropped, 0);
    hit(1, EZ_SUB_RECS - 3); /* two records are those of the wait */
    while_asleep = NULL;
    naps = 0;
    hit(1, 1);
    ck_assert_uint_eq(seg->buffer[1].dropped, 1);
    ck_assert_uint_ge(naps, PATIENCE_MS / NAP_MS);
    unsigned before = naps;
    hit(1, 5); /* nothing waits until the drain makes progress again */
    ck_assert_uint_eq(naps, before);
    ck_assert_uint_eq(seg->buffer[1].dropped, 6);
}
END_TEST

/* A machine that stood still says nothing about the drain, which had no chance to work either. */
static void the_machine_stands_still(void)
{
    ms += 3 * PATIENCE_MS;
    if (++rounds < 5)
        return;
    seg->hdr.progress++;
    seg->hdr.buffers_ready = NBUFFERS;
    seg->buffer[1].space++;
}
START_TEST(a_machine_that_stands_still_costs_nothing)
{
    hit(1, FULL);
    rounds = 0;
    while_asleep = the_machine_stands_still;
    hit(1, 1);
    ck_assert_uint_eq(rounds, 5);
    ck_assert_uint_eq(seg->buffer[1].dropped, 0);
    tid++;
    seg->hdr.buffers_ready = 1;
    rounds = 0;
    hit(2, 1);
    ck_assert_uint_eq(rounds, 5);
    ck_assert_uint_eq(seg->hdr.common_dropped, 0);
}
END_TEST

START_TEST(without_a_trace_it_is_untraced)
{
    seg->hdr.trace_open = 0;
    hit(1, 4);
    ck_assert_uint_eq(seg->buffer[1].untraced, 4);
    ck_assert_uint_eq(seg->counter[1][1].entry, 4);
    ck_assert_uint_eq(seg->ring[1][0], 0);
}
END_TEST

/* A sleeping drain is woken, once; one that is awake is not, nor any under a seccomp filter. */
START_TEST(the_drain_is_woken)
{
    wake_drain();
    ck_assert_uint_eq(calls, 0);
    seg->hdr.asleep = 1;
    wake_drain();
    ck_assert_uint_eq(wakes, 1);
    ck_assert_uint_eq(seg->hdr.wake, 1);
    seg->hdr.no_syscalls = 1;
    wake_drain();
    ck_assert_uint_eq(calls, 1);
    ck_assert_uint_eq(seg->hdr.wake, 1);
}
END_TEST

/* The drain is woken with every eighth sub-buffer of a long ring, and when the next one is not
 * free. */
START_TEST(the_drain_is_woken_in_time)
{
    unsigned woken = 0;
    seg->hdr.asleep = 1;
    for (uint32_t q = 0; q < 40; q++) {
        seg->buffer[1].space = q < 32 ? q : q - 2 - q % 2;
        hit(1, 1);
        woken += q < 32 ? q % 8 == 7 : q % 2 || q % 8 == 7;
        ck_assert_msg(wakes == woken, "%u: %u, not %u", q, wakes, woken);
        hit(1, EZ_SUB_RECS - 1);
        ck_assert_uint_eq(wakes, woken);
    }
    ck_assert_uint_eq(naps + seg->buffer[1].dropped, 0);
}
END_TEST

/* ---- entries -------------------------------------------------------------------------------------- */

/* When the chain of chunks has doubled, dead entries are searched for; but not inside a routine that
 * holds chunk pointers, and never by a system call that may be forbidden. */
START_TEST(entries_are_reclaimed)
{
    static uint64_t stack[2 * EZ_CHUNK / EZ_RETURN_TRAMPOLINE];
    struct ez_trampoline_data s = trampoline(1, EZ_TRAMPOLINE_PAIRED);
    struct ez_ctl *b = &priv->ctl[1];
    const unsigned chunk = EZ_CHUNK / EZ_RETURN_TRAMPOLINE - 1;
    for (unsigned i = 0; i < 2 * chunk; i++) { /* two chunks are full */
        stack[i] = 0x1000;
        ck_assert_uint_ne(ez_slow(&stack[i], &s), 0);
    }
    ck_assert_uint_eq(b->nchunk, 2);
    ck_assert_uint_eq(b->gcs, 0);
    uint64_t top = b->top;
    unsigned before = calls;
    if (_i == 0) {
        b->busy = 1;
        ck_assert_int_eq(rt_grow(b, top, 0), 1);
        ck_assert_uint_eq(b->gcs, 0);
        ck_assert_uint_eq(b->busy, 1);
        ck_assert_uint_eq(b->nchunk, 3);
    } else if (_i == 1) {
        seg->hdr.no_syscalls = 1;
        ck_assert_int_eq(rt_grow(b, top, 0), 1);
        ck_assert_uint_eq(b->gc_at, ~0ul); /* never again */
        ck_assert_uint_eq(b->nchunk, 3);
    } else {
        ck_assert_int_eq(rt_grow(b, top, 0), 1);
        ck_assert_uint_eq(b->gcs, 1);
        ck_assert_uint_eq(b->busy, 0);
        ck_assert_uint_gt(calls, before);
        ck_assert_uint_lt(b->top, top); /* all entries were dead */
    }
    ck_assert(_i == 2 || calls == before);
}
END_TEST

START_TEST(an_exit_goes_where_it_came_from)
{
    uint64_t stack[2] = { 0xabc0, 0 };
    struct ez_trampoline_data s = trampoline(5, EZ_TRAMPOLINE_REC | EZ_TRAMPOLINE_PAIRED);
    uint64_t slot = ez_slow(stack, &s);
    struct shadow_frame *e = (struct shadow_frame *)(slot + EZ_DIST);
    struct ez_ctl *b = &priv->ctl[1];
    uint64_t top = b->top;
    ck_assert_uint_eq(slot % EZ_RETURN_TRAMPOLINE, 0);
    ck_assert_uint_eq(e->ra, 0xabc0);
    ck_assert_uint_eq(e->target, s.body);
    stack[0] = slot;
    ez_exit_slow(stack, e);
    ck_assert_uint_eq(stack[0], 0xabc0);
    ck_assert_uint_eq(b->top, top - EZ_RETURN_TRAMPOLINE);
    ck_assert_uint_eq(e->loc, 0);
    ck_assert_uint_eq(seg->counter[1][5].entry, 1);
    ck_assert_uint_eq(seg->counter[1][5].exit, 1);
    ck_assert_uint_eq(rec(1, 1)->code, CODE(5, 1));
    ck_assert_uint_eq(rec(1, 0)->tid, (uint64_t)stack);
    ck_assert_uint_eq(rec(1, 1)->tid, (uint64_t)stack);
}
END_TEST

/* Without memory for entries, a call is counted and recorded, and its exit is not followed. */
START_TEST(without_entries_no_exit_is_seen)
{
    uint64_t stack[2] = { 0xabc0, 0 };
    struct ez_trampoline_data s = trampoline(5, EZ_TRAMPOLINE_REC | EZ_TRAMPOLINE_PAIRED);
    rt_state.max_chunks = 0;
    ck_assert_uint_eq(ez_slow(stack, &s), 0);
    ck_assert_uint_eq(priv->ctl[1].top, 0);
    ck_assert_uint_eq(seg->buffer[1].unhooked, 1);
    ck_assert_uint_eq(seg->buffer[0].unhooked, 0);
    ck_assert_uint_eq(seg->counter[1][5].entry, 1);
    ck_assert_uint_eq(rec(1, 0)->code, CODE(5, 0));
    ck_assert_uint_eq(rec(1, 0)->tid, (uint64_t)stack);
}
END_TEST

/* A caller whose last act is a jump to the next function: its exit is at that moment. */
START_TEST(a_tail_call_ends_its_caller)
{
    uint64_t stack[2] = { 0xabc0, 0 };
    struct ez_trampoline_data one = trampoline(5, EZ_TRAMPOLINE_REC | EZ_TRAMPOLINE_PAIRED),
                              two = trampoline(6, EZ_TRAMPOLINE_REC | EZ_TRAMPOLINE_PAIRED);
    uint64_t slot = ez_slow(stack, &one);
    struct shadow_frame *e = (struct shadow_frame *)(slot + EZ_DIST);
    stack[0] = slot + 5; /* the continuation */
    ck_assert_uint_eq(ez_slow(stack, &two), 0);
    ck_assert_uint_eq(rec(1, 1)->code, CODE(5, 1));
    ck_assert_uint_eq(rec(1, 2)->code, CODE(6, 0));
    ez_exit_slow(stack, e);
    ck_assert_uint_eq(rec(1, 3)->code, CODE(6, 1));
    ck_assert_uint_eq(stack[0], 0xabc0);
    ck_assert_uint_eq(seg->counter[1][5].exit, 1);
    ck_assert_uint_eq(seg->counter[1][6].exit, 1);
}
END_TEST

/* ---- the loader's rendezvous -------------------------------------------------------------------------- */

static void answers(void)
{
    seg->hdr.progress++;
    if (++rounds == 3)
        seg->hdr.loader_ack = seg->hdr.loader_seq;
}
static const struct {
    const char *why;
    uint32_t wait, owner, filter;
    void (*meanwhile)(void);
    unsigned least, most; /* naps */
} loads[] = {
    { "it answers", 1, OWNER, 0, answers, 3, 3 },
    { "nothing is pending", 0, OWNER, 0, answers, 0, 0 },
    { "it died", 1, OWNER | FUTEX_OWNER_DIED_BIT, 0, NULL, 0, 0 },
    { "it left", 1, 0, 0, NULL, 0, 0 },
    { "a filter", 1, OWNER, 1, NULL, 0, 0 },
    { "it is stuck", 1, OWNER, 0, NULL, PATIENCE_MS / NAP_MS, PATIENCE_MS / NAP_MS + 2 },
};
START_TEST(a_library_waits_for_its_probes)
{
    struct ez_trampoline_data s = trampoline(0, 0);
    rounds = 0;
    seg->hdr.loader_wait = loads[_i].wait;
    seg->hdr.owner.word = loads[_i].owner;
    seg->hdr.no_syscalls = loads[_i].filter;
    while_asleep = loads[_i].meanwhile;
    seg->hdr.asleep = 1;
    ck_assert_uint_eq(ez_loader(NULL, &s), 0);
    ck_assert_uint_eq(seg->hdr.loader_seq, 1);
    ck_assert_uint_eq(wakes, !loads[_i].filter); /* also for threads that do not wait */
    ck_assert_msg(naps >= loads[_i].least && naps <= loads[_i].most, "%s: %u naps", loads[_i].why,
                  naps);
    ck_assert(!loads[_i].filter || !calls);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("rt");
    TCase *c = tcase_create("rt");
    tcase_add_checked_fixture(c, setup, NULL);
    tcase_add_test(c, an_event_is_counted_and_recorded);
    tcase_add_test(c, each_thread_has_its_buffer);
    tcase_add_test(c, each_thread_says_its_name);
    tcase_add_test(c, a_name_waits_for_room);
    tcase_add_test(c, without_a_buffer_the_common_one_counts);
    tcase_add_test(c, a_buffer_is_waited_for);
    tcase_add_test(c, a_busy_drain_is_waited_for);
    tcase_add_test(c, a_buffer_that_comes_late_is_not_taken);
    tcase_add_loop_test(c, an_exit_without_a_buffer_leaves_a_hole, 0, 2);
    tcase_add_loop_test(c, a_child_that_is_forked_in_a_wait_goes_on, 0, FORKS);
    tcase_add_test(c, a_forked_child_leaves_no_trace);
    tcase_add_test(c, a_buffer_is_taken_again);
    tcase_add_test(c, a_full_ring_is_waited_for);
    tcase_add_test(c, the_room_may_be_gone_by);
    tcase_add_loop_test(c, what_nobody_makes_room_for_is_dropped, 0,
                        (int)(sizeof nobody / sizeof *nobody));
    tcase_add_test(c, patience_is_with_who_works);
    tcase_add_test(c, a_machine_that_stands_still_costs_nothing);
    tcase_add_test(c, without_a_trace_it_is_untraced);
    tcase_add_test(c, the_drain_is_woken);
    tcase_add_test(c, the_drain_is_woken_in_time);
    tcase_add_test(c, without_entries_no_exit_is_seen);
    tcase_add_loop_test(c, entries_are_reclaimed, 0, 3);
    tcase_add_test(c, an_exit_goes_where_it_came_from);
    tcase_add_test(c, a_tail_call_ends_its_caller);
    tcase_add_loop_test(c, a_library_waits_for_its_probes, 0, (int)(sizeof loads / sizeof *loads));
    suite_add_tcase(s, c);
    return run_suite(s);
}
