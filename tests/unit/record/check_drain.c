/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_drain.c - the drain thread against writers that keep to the ABI, and some
 * that do not. */
#include "config.h"
#include "engine/record/drain_priv.h"
#include "tests/unit/drain_harness.h"
#include "tests/unit/suite.h"

START_TEST(buffers_are_ready_and_the_owner_is_seen)
{
    ck_assert_uint_ge(hdr->buffers_ready, 2); /* one to begin with */
    ck_assert_uint_eq(buffer_of(0)->state, EZ_BUFFER_USED);
    ck_assert_uint_ne(hdr->owner.word & FUTEX_TID_MASK, 0);
    uint64_t before = hdr->progress;
    ez_drain_flush(drain);
    ck_assert_uint_eq(hdr->buffers_ready, 9); /* whoever may not wait has one at once */
    ck_assert_uint_gt(hdr->progress, before);
    /* beyond the ready buffers nothing was allocated */
    struct stat st;
    ck_assert_int_eq(fstat(memfd, &st), 0);
    ck_assert_uint_lt((uint64_t)st.st_blocks * 512, 9 * (RING_BYTES + 65536) + (1 << 20));
}
END_TEST

/* Where threads may wait for one, as many buffers are free as are used, and one more; but 8 at most. */
START_TEST(more_buffers_are_ready_where_more_are_used)
{
    static const unsigned ready[] = { 2, 4, 6, 8, 10, 12, 14, 16, 17, 18 };
    teardown();
    make_segment();
    hdr->overflow_wait = 1;
    ok(create(getpid()));
    for (unsigned used = 0; used < EZ_ARRAY_LEN(ready); used++) {
        if (used)
            ck_assert_uint_ne(take_buffer((uint32_t)getpid()), 0);
        ez_drain_flush(drain);
        ck_assert_uint_eq(hdr->buffers_ready, EZ_MIN(ready[used], NBUFFERS));
    }
}
END_TEST

START_TEST(records_reach_the_file)
{
    define_all();
    ok(ez_drain_open(drain, path));
    ck_assert_uint_eq(hdr->trace_open, 1);
    unsigned l = take_buffer((uint32_t)gettid());
    for (int i = 0; i < 5000; i++)
        hit(l, 3, i & 1);
    struct ez_drain_stat s = stat_now();
    ck_assert_uint_eq(s.recorded, 5000);
    ck_assert_uint_eq(buffer_of(l)->recorded, 5000);
    uint64_t entries, exits;
    ez_drain_counts(drain, 3, &entries, &exits);
    ck_assert_uint_eq(entries, 2500);
    ck_assert_uint_eq(exits, 2500);
    uint64_t n = printed_events(); /* before the close: a checkpoint is enough */
    ck_assert(n == UINT64_MAX || n == 5000);
    ok(ez_drain_close(drain));
    ck_assert_uint_eq(hdr->trace_open, 0);
}
END_TEST

START_TEST(one_trace_after_another)
{
    define_all();
    unsigned l = take_buffer((uint32_t)gettid());
    for (unsigned i = 1; i <= 3; i++) {
        ok(ez_drain_open(drain, path));
        refused(ez_drain_open(drain, path), EZ_E_STATE, 0);
        for (unsigned k = 0; k < i; k++)
            hit(l, k, 0);
        ok(ez_drain_close(drain));
        hit(l, 0, 0); /* a hit between the traces */
        uint64_t n = printed_events();
        ck_assert(n == UINT64_MAX || n == i);
    }
    struct ez_drain_stat s = stat_now();
    ck_assert_uint_eq(s.recorded, 6);
    ck_assert_uint_eq(s.untraced, 3);
}
END_TEST

START_TEST(without_a_trace_hits_are_untraced)
{
    unsigned l = take_buffer((uint32_t)gettid());
    define_all();
    hit(l, 1, 0);
    counter_of(l, 1)->entry++; /* a hit whose thread still believed that a trace is open */
    commit(reserve(l), 1, CODE(1, 0));
    struct ez_drain_stat s = stat_now();
    ck_assert_uint_eq(s.untraced, 2);
    refused(ez_drain_close(drain), EZ_E_STATE, 0);
}
END_TEST

START_TEST(ids_that_do_not_record_are_filtered)
{
    unsigned l = take_buffer((uint32_t)gettid());
    ez_drain_define(drain, 0, EZ_ROW_ENTRY | EZ_ROW_EXIT, 1, "counted", "");
    ez_drain_define(drain, 1, BOTH, 1, "recorded", "");
    counter_of(l, 0)->entry += 10;
    counter_of(l, 0)->exit += 9;
    counter_of(0, 0)->entry += 5; /* in the common buffer */
    counter_of(0, 1)->entry += 2;
    hdr->common_dropped += 2;
    struct ez_drain_stat s = stat_now();
    ck_assert_uint_eq(s.filtered, 24);
    ck_assert_uint_eq(s.dropped, 2);
}
END_TEST

struct writer {
    pthread_t thread;
    unsigned n;
};

static void *write_many(void *arg)
{
    struct writer *w = arg;
    unsigned l;
    while (!(l = take_buffer((uint32_t)gettid()))) /* it waits for one, as the runtime does */
        nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
    for (unsigned i = 0; i < w->n; i++)
        hit(l, i % 64, i & 1);
    return NULL;
}

START_TEST(eight_writers_many_laps)
{
    struct writer w[8];
    define_all();
    ok(ez_drain_open(drain, path));
    for (int i = 0; i < 8; i++) {
        w[i].n = 200000 + (unsigned)i;
        pthread_create(&w[i].thread, NULL, write_many, &w[i]);
    }
    for (int i = 0; i < 8; i++)
        pthread_join(w[i].thread, NULL);
    struct ez_drain_stat s = stat_now();
    ck_assert_uint_eq(s.recorded, 1600028);
    ck_assert_uint_eq(s.torn, 0);
    ok(ez_drain_close(drain));
}
END_TEST

START_TEST(a_hole_waits_then_is_torn)
{
    define_all();
    ok(ez_drain_open(drain, path));
    unsigned l = take_buffer((uint32_t)gettid());
    hit(l, 1, 0);
    counter_of(l, 1)->entry++;
    struct ez_rec *hole = reserve(l);
    for (int i = 0; i < 10; i++)
        hit(l, 2, 0);
    struct ez_drain_stat s;
    ez_drain_flush(drain);
    ez_drain_stat(drain, &s);
    ck_assert_uint_eq(s.recorded, 1);
    commit(hole, 1, CODE(1, 0)); /* a late commit loses nothing */
    ck_assert_uint_eq(stat_now().recorded, 12);

    counter_of(l, 1)->entry++;
    reserve(l); /* a record that is never committed */
    for (int i = 0; i < 3 * EZ_SUB_RECS; i++)
        hit(l, 2, 0);
    for (int i = 0; i < 3000; i++) {
        ez_drain_flush(drain);
        ez_drain_stat(drain, &s);
        if (s.torn)
            break;
        usleep(10000);
    }
    s = stat_now();
    ck_assert_uint_eq(s.recorded, 12 + 3 * EZ_SUB_RECS);
    ck_assert_uint_eq(s.torn, 1);
    ok(ez_drain_close(drain));
}
END_TEST

/* Handlers of a timer run one after the other, and the record that the first interrupted is committed behind all. */
START_TEST(a_hole_outlasts_handlers)
{
    struct ez_drain_stat s;
    define_all();
    ok(ez_drain_open(drain, path));
    unsigned l = take_buffer((uint32_t)gettid());
    hit(l, 1, 0);
    counter_of(l, 1)->entry++;
    struct ez_rec *hole = reserve(l);
    for (unsigned k = 0; k < NSUB - 2; k++) {
        for (unsigned i = 0; i < EZ_SUB_RECS; i++)
            hit(l, 2, 0);
        ez_drain_flush(drain);
    }
    ez_drain_stat(drain, &s);
    ck_assert_uint_eq(s.torn, 0);
    commit(hole, 1, CODE(1, 0));
    s = stat_now();
    ck_assert_uint_eq(s.torn, 0);
    ck_assert_uint_eq(s.recorded, 2 + (NSUB - 2) * EZ_SUB_RECS);
    ok(ez_drain_close(drain));
}
END_TEST

START_TEST(a_hole_does_not_stop_who_waits_for_room)
{
    define_all();
    ok(ez_drain_open(drain, path));
    unsigned l = take_buffer((uint32_t)gettid());
    counter_of(l, 1)->entry++;
    reserve(l);
    for (unsigned i = 0; i < 2 * NSUB * EZ_SUB_RECS; i++)
        hit(l, 2, 0);
    ck_assert_uint_eq(stat_now().torn, 1);
}
END_TEST

/* A handler waited for room, and there is room by now. The handler has not run on yet, and the record
 * that it interrupted will still be committed. */
START_TEST(a_hole_is_not_torn_while_there_is_room)
{
    struct ez_drain_stat s;
    define_all();
    ok(ez_drain_open(drain, path));
    unsigned l = take_buffer((uint32_t)gettid());
    counter_of(l, 1)->entry++;
    struct ez_rec *hole = reserve(l);
    for (unsigned i = 0; i < EZ_SUB_RECS + 10; i++)
        hit(l, 2, 0);
    hdr->overflow_wait = 1;
    buffer_of(l)->waiting = 1;
    ez_drain_flush(drain);
    ez_drain_stat(drain, &s);
    ck_assert_uint_eq(s.torn, 0);
    buffer_of(l)->waiting = 0;
    commit(hole, 1, CODE(1, 0));
    s = stat_now();
    ck_assert_uint_eq(s.torn, 0);
    ck_assert_uint_eq(s.recorded, EZ_SUB_RECS + 11);
    ok(ez_drain_close(drain));
}
END_TEST

START_TEST(hostile_records_are_refused)
{
    static const uint64_t code[] = { 1,
                                     ~0ull,
                                     CODE(64, 0), /* no such id: 64 are used */
                                     CODE(0, 0) - 256,
                                     CODE(0, 0) + 1, /* claims an argument */
                                     CODE(0, 0) + 254,
                                     CODE(0, 0) - 1,
                                     (uint64_t)(EZ_C_THREAD + EZ_T_GAP_END + 1) << 8 | 1,
                                     (uint64_t)EZ_C_DEF << 8 | 1,
                                     (uint64_t)EZ_R_LEFT << 8 | 2 };
    ok(ez_drain_open(drain, path));
    unsigned l = take_buffer((uint32_t)gettid());
    for (size_t i = 0; i < EZ_ARRAY_LEN(code); i++)
        commit(reserve(l), ~0ull, code[i]);
    commit(reserve(l), 1, CODE(63, 1));
    struct ez_drain_stat s;
    ez_drain_flush(drain);
    ez_drain_stat(drain, &s);
    ck_assert_uint_eq(s.recorded, 1);
    ck_assert_uint_eq(s.torn, EZ_ARRAY_LEN(code));
}
END_TEST

/* The events of threads and probes in the file, one after the other. */
struct told {
    uint64_t tick, tid, code, arg;
    unsigned narg;
};
static size_t read_told(struct told *to, size_t most)
{
    struct ez_fxt_in *in = NULL;
    struct ez_fxt_event ev;
    bool got = false;
    size_t n = 0;
    ok(ez_fxt_in_open(path, &in));
    for (ok(ez_fxt_in_next(in, &ev, &got)); got; ok(ez_fxt_in_next(in, &ev, &got)))
        if (ev.code >= EZ_C_THREAD && n < most)
            to[n++] = (struct told){ ev.tick, ev.tid, ev.code, ev.narg ? ev.arg[0] : 0, ev.narg };
    ez_fxt_in_close(in);
    return n;
}

static void is_told(struct told e, uint64_t tid, uint64_t code, unsigned narg, uint64_t arg)
{
    ck_assert_uint_eq(e.tid, tid);
    ck_assert_uint_eq(e.code, code);
    ck_assert_uint_eq(e.narg, narg);
    ck_assert_uint_eq(e.arg, arg);
}

#define TOLD(code) ((uint64_t)(code) << 8 | 1)
#define PROBE(id, exit) ((uint64_t)EZ_C_PROBE + 2 * (id) + (exit))

/* Three threads had the buffer one after the other, before the drain looked. Open calls ended with
 * their thread. */
START_TEST(the_ring_says_whose_records_are)
{
    struct told e[16];
    define_all();
    ok(ez_drain_open(drain, path));
    unsigned l = take_buffer((uint32_t)gettid());
    *(volatile uint64_t *)rec_at(l, 0) = 1001; /* the first owner */
    head[l] = 8;
    uint32_t me = buffer_of(l)->tid;
    counter_of(l, 1)->entry = 3;
    counter_of(l, 1)->exit = 1;
    struct ez_rec *first = reserve(l);
    commit(reserve(l), 1002, TOLD(EZ_R_OWNER));
    uint64_t second = reserve(l)->tick = ez_tick();
    struct ez_rec *r = rec_at(l, head[l] - EZ_REC_BYTES);
    r->tid = 0x5000;
    __atomic_store_n(&r->code, CODE(1, 0), __ATOMIC_RELEASE);
    commit(reserve(l), 0x5000, CODE(1, 1));
    commit(reserve(l), me, TOLD(EZ_R_OWNER));
    commit(reserve(l), 0x5000, CODE(1, 0));
    commit(first, 0x5000, CODE(1, 0));
    struct ez_drain_stat s = stat_now();
    ck_assert_uint_eq(s.recorded, 4);
    ck_assert_uint_eq(s.unwound, 1);
    ok(ez_drain_close(drain));
    ck_assert_uint_eq(read_told(e, 16), 5);
    is_told(e[0], 1001, PROBE(1, 0), 0, 0);
    is_told(e[1], 1001, PROBE(1, 1), 1, EZ_EXIT_UNWOUND);
    is_told(e[2], 1002, PROBE(1, 0), 0, 0);
    is_told(e[3], 1002, PROBE(1, 1), 0, 0);
    is_told(e[4], me, PROBE(1, 0), 0, 0);
    ck_assert_uint_eq(e[2].tick, second);
}
END_TEST

/* Calls that a jump left, a wait, and a gap, as the runtime records them. After a gap no call is
 * known to be open. */
START_TEST(what_threads_tell)
{
    struct told e[16];
    uint64_t room[16], low = (uint64_t)room; /* of a thread's own stack */
    define_all();
    ok(ez_drain_open(drain, path));
    unsigned l = take_buffer((uint32_t)gettid());
    uint32_t me = buffer_of(l)->tid;
    counter_of(l, 1)->entry = 3;
    commit(reserve(l), low + 64, CODE(1, 0));
    commit(reserve(l), low, CODE(1, 0));
    commit(reserve(l), low + 56, TOLD(EZ_R_LEFT));
    uint64_t jumped = rec_at(l, head[l] - EZ_REC_BYTES)->tick;
    commit(reserve(l), 77, TOLD(EZ_C_THREAD + EZ_T_WAIT));
    commit(reserve(l), 77, TOLD(EZ_C_THREAD + EZ_T_WAIT_END));
    buffer_of(l)->dropped = 3;
    counter_of(l, 2)->entry = 3;
    commit(reserve(l), 3, TOLD(EZ_C_THREAD + EZ_T_GAP));
    commit(reserve(l), 0, TOLD(EZ_C_THREAD + EZ_T_GAP_END));
    commit(reserve(l), low + 72, CODE(1, 0)); /* above the call that the gap ended */
    buffer_of(l)->waits = 1;
    buffer_of(l)->waited = 1000000;
    struct ez_drain_stat s = stat_now();
    ck_assert_uint_eq(s.unwound, 1);
    ck_assert_uint_eq(s.torn, 0);
    ck_assert_uint_eq(s.waits, 1);
    ck_assert_uint_gt(s.waited_ns, 0);
    ok(ez_drain_close(drain));
    ck_assert_uint_eq(read_told(e, 16), 8);
    is_told(e[0], me, PROBE(1, 0), 0, 0);
    is_told(e[1], me, PROBE(1, 0), 0, 0);
    is_told(e[2], me, PROBE(1, 1), 1, EZ_EXIT_UNWOUND);
    ck_assert_uint_eq(e[2].tick, jumped);
    is_told(e[3], me, EZ_C_THREAD + EZ_T_WAIT, 0, 0);
    is_told(e[4], me, EZ_C_THREAD + EZ_T_WAIT_END, 0, 0);
    is_told(e[5], me, EZ_C_THREAD + EZ_T_GAP, 1, 3);
    is_told(e[6], me, EZ_C_THREAD + EZ_T_GAP_END, 0, 0);
    is_told(e[7], me, PROBE(1, 0), 0, 0);
}
END_TEST

/* A handler on a stack of its own jumps out of the call that it interrupted, and the drain does not
 * look before the process is gone: the call ended with the jump, not when the handler began. */
START_TEST(stacks_of_a_process_that_has_ended)
{
    static uint64_t other[16];
    struct told e[4];
    uint64_t room[16], frame = (uint64_t)room;
    ez_drain_destroy(drain);
    pid_t child = fork();
    if (!child) {
        for (;;)
            pause();
    }
    ok(create(child));
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    define_all();
    ok(ez_drain_open(drain, path));
    buffer_of(1)->tid = (uint32_t)child;
    commit(reserve(1), frame, CODE(1, 0)); /* before the buffer is looked at, and freed */
    commit(reserve(1), (uint64_t)other, CODE(2, 0));
    commit(reserve(1), frame + 8, TOLD(EZ_R_LEFT));
    uint64_t jumped = rec_at(1, head[1] - EZ_REC_BYTES)->tick;
    __atomic_store_n(&buffer_of(1)->state, EZ_BUFFER_USED, __ATOMIC_SEQ_CST);
    ok(ez_drain_close(drain));
    ck_assert_uint_ge(read_told(e, 4), 3);
    is_told(e[2], (uint64_t)child, PROBE(1, 1), 1, EZ_EXIT_UNWOUND);
    ck_assert_uint_eq(e[2].tick, jumped);
}
END_TEST

/* The same with two stacks next to each other: the runtime told their bounds. A handler, on a stack of
 * its own, came between the two records of the second. */
START_TEST(the_runtime_tells_stacks)
{
    static uint64_t other[3][64];
    const uint64_t low = (uint64_t)other[0], high = (uint64_t)other[1], end = (uint64_t)other[2];
    struct told e[6];
    uint64_t room[16];
    define_all();
    ok(ez_drain_open(drain, path));
    unsigned l = take_buffer((uint32_t)getpid());
    buffer_of(l)->fs = 0;
    counter_of(l, 1)->entry = 1;
    counter_of(l, 2)->entry = counter_of(l, 2)->exit = 1;
    commit(reserve(l), high, TOLD(EZ_R_STACK));
    commit(reserve(l), end, TOLD(EZ_R_STACK + 1));
    commit(reserve(l), end - 32, CODE(1, 0));
    commit(reserve(l), low, TOLD(EZ_R_STACK));
    commit(reserve(l), end, TOLD(EZ_R_STACK));
    commit(reserve(l), end + 64, TOLD(EZ_R_STACK + 1));
    commit(reserve(l), end, TOLD(EZ_R_STACK + 1)); /* of nothing */
    commit(reserve(l), low, TOLD(EZ_R_STACK));
    commit(reserve(l), high, TOLD(EZ_R_STACK + 1));
    commit(reserve(l), high - 32, CODE(2, 0));
    uint64_t elsewhere = rec_at(l, head[l] - EZ_REC_BYTES)->tick;
    commit(reserve(l), (uint64_t)room, TOLD(EZ_R_LEFT));
    commit(reserve(l), high - 32, CODE(2, 1));
    commit(reserve(l), 1002, TOLD(EZ_R_OWNER));
    struct ez_drain_stat s = stat_now();
    ck_assert_uint_eq(s.torn, 0);
    ok(ez_drain_close(drain));
    ck_assert_uint_eq(read_told(e, 6), 4);
    is_told(e[3], (uint64_t)getpid(), PROBE(1, 1), 1, EZ_EXIT_UNWOUND);
    ck_assert_uint_eq(e[3].tick, elsewhere - 1);
}
END_TEST

/* New stacks come one after the other, each right below the one before. Calls that are open on a stack
 * were left before the next stack was entered. */
#define STACKS 40
START_TEST(new_stacks_are_told_apart)
{
    struct told e[4 * STACKS];
    uint64_t room[16], on_main[STACKS], entered[STACKS];
    char *at =
        mmap(NULL, (2 * STACKS + 1) * EZ_PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(at, MAP_FAILED);
    define_all();
    ok(ez_drain_open(drain, path));
    unsigned l = take_buffer((uint32_t)getpid());
    for (unsigned i = 0; i < STACKS; i++) {
        char *stack = at + (2 * (STACKS - i) - 1) * EZ_PAGE;
        ck_assert_int_eq(mprotect(stack, EZ_PAGE, PROT_READ | PROT_WRITE), 0);
        commit(reserve(l), (uint64_t)stack + 64, CODE(i, 0));
        entered[i] = rec_at(l, head[l] - EZ_REC_BYTES)->tick;
        commit(reserve(l), (uint64_t)room, CODE(STACKS, 0));
        on_main[i] = rec_at(l, head[l] - EZ_REC_BYTES)->tick;
        commit(reserve(l), (uint64_t)room, CODE(STACKS, 1));
        ez_drain_flush(drain);
    }
    ez_drain_image_ended(drain);
    ok(ez_drain_close(drain));
    size_t n = read_told(e, EZ_ARRAY_LEN(e)), ends = 0;
    for (size_t i = 0; i < n; i++) {
        uint64_t id = (e[i].code - EZ_C_PROBE) / 2;
        if (e[i].narg != 1 || id == STACKS)
            continue;
        ck_assert_uint_ge(e[i].tick, entered[id]);
        ck_assert_uint_le(e[i].tick, on_main[id]);
        ends++;
    }
    ck_assert_uint_eq(ends, STACKS);
    munmap(at, (2 * STACKS + 1) * EZ_PAGE);
}
END_TEST

static void *loses(void *arg)
{
    unsigned l = take_buffer((uint32_t)gettid());
    hit(l, 5, 0);
    counter_of(l, 5)->entry += 7;
    buffer_of(l)->dropped += 7; /* and ends before a record could say so */
    return arg;
}

START_TEST(what_an_ended_thread_lost_is_told)
{
    struct told e[4];
    pthread_t t;
    define_all();
    ok(ez_drain_open(drain, path));
    ck_assert_int_eq(pthread_create(&t, NULL, loses, NULL), 0);
    pthread_join(t, NULL);
    for (int i = 0; i < 2000 && buffer_of(1)->state != EZ_BUFFER_FREE; i++)
        nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
    ck_assert_uint_eq(stat_now().dropped, 7);
    ok(ez_drain_close(drain));
    ck_assert_uint_eq(read_told(e, 4), 2);
    is_told(e[1], e[0].tid, EZ_C_THREAD + EZ_T_GAP, 1, 7);
    ck_assert_uint_eq(e[1].tick, e[0].tick);
}
END_TEST

/* Another trace begins without open calls. */
START_TEST(each_trace_ends_its_own_calls)
{
    struct told e[4];
    define_all();
    ok(ez_drain_open(drain, path));
    unsigned l = take_buffer((uint32_t)gettid());
    hit(l, 1, 0);
    ok(ez_drain_close(drain));
    ok(ez_drain_open(drain, path));
    sp[l] += 1024;
    hit(l, 2, 0);
    ck_assert_uint_eq(stat_now().unwound, 0);
    ok(ez_drain_close(drain));
    ck_assert_uint_eq(read_told(e, 4), 1);
}
END_TEST

/* The events in the file for probes that only count, as "id entries exits". */
static const char *counts_told(void)
{
    static char text[256];
    struct ez_fxt_in *in = NULL;
    struct ez_fxt_event ev;
    bool got = false;
    char *to = text;
    ok(ez_fxt_in_open(path, &in));
    for (ok(ez_fxt_in_next(in, &ev, &got)); got; ok(ez_fxt_in_next(in, &ev, &got)))
        if (ev.code == EZ_C_DEF + EZ_DEF_COUNT)
            to += sprintf(to, "%lu %lu %lu;", (unsigned long)ev.arg[0], (unsigned long)ev.arg[1],
                          (unsigned long)ev.arg[2]);
    *to = 0;
    ez_fxt_in_close(in);
    return text;
}

/* For probes that only count, each trace tells what was counted in its time, in all buffers. */
START_TEST(what_is_counted_alone_is_told)
{
    ez_drain_define(drain, 1, EZ_ROW_ENTRY | EZ_ROW_EXIT, 1, "f", "x");
    ez_drain_define(drain, 2, EZ_ROW_EXIT, 2, "g", "x");
    ez_drain_define(drain, 3, BOTH, 3, "h", "x");
    ez_drain_define(drain, 4, EZ_ROW_ENTRY | EZ_ROW_EXIT | EZ_ROW_INTERNAL, 4, "i", "x");
    *counter_of(0, 1) = (struct ez_counter){ 10, 9 };
    ok(ez_drain_open(drain, path));
    counter_of(0, 1)->entry += 5;
    counter_of(1, 1)->exit += 2;
    *counter_of(1, 2) = (struct ez_counter){ 7, 6 };
    *counter_of(1, 3) = (struct ez_counter){ 7, 6 };
    *counter_of(1, 4) = (struct ez_counter){ 7, 6 };
    ok(ez_drain_close(drain));
    ck_assert_str_eq(counts_told(), "1 5 2;2 0 6;");
    ok(ez_drain_open(drain, path));
    counter_of(1, 2)->exit++;
    ok(ez_drain_close(drain));
    ck_assert_str_eq(counts_told(), "2 0 1;");
}
END_TEST

/* A thread that has counted a hit, and records it a moment later. */
static void *late_hit(void *arg)
{
    unsigned l = take_buffer((uint32_t)gettid());
    struct ez_rec *r = reserve(l);
    counter_of(l, 1)->entry++;
    __atomic_store_n((int *)arg, 1, __ATOMIC_RELEASE);
    usleep(30000);
    commit(r, 8, CODE(1, 0));
    return NULL;
}

/* The process goes on while its trace is closed (`detach`): the file's accounting adds up. */
START_TEST(a_accounting_waits_for_hits_under_way)
{
    pthread_t thread;
    int counted = 0;
    struct ez_fxt_in *in = NULL;
    struct ez_fxt_event ev;
    bool got = false;
    uint64_t hits = 0, recorded = 0;
    define_all();
    ok(ez_drain_open(drain, path));
    pthread_create(&thread, NULL, late_hit, &counted);
    while (!__atomic_load_n(&counted, __ATOMIC_ACQUIRE))
        usleep(100);
    ok(ez_drain_close(drain));
    pthread_join(thread, NULL);
    ok(ez_fxt_in_open(path, &in));
    for (ok(ez_fxt_in_next(in, &ev, &got)); got; ok(ez_fxt_in_next(in, &ev, &got)))
        if (ev.code == EZ_C_DEF + EZ_DEF_ACCOUNTING)
            hits = ev.arg[0], recorded = ev.arg[1];
    ez_fxt_in_close(in);
    ck_assert_uint_eq(hits, 1);
    ck_assert_uint_eq(recorded, 1);
}
END_TEST

/* Random words stand wherever the target can write, and the header lies about the layout. */
START_TEST(a_hostile_segment_does_no_harm)
{
    uint64_t size = hdr->size, x = 88172645463325252ull;
    ok(ez_drain_open(drain, path));
    for (int round = 0; round < 20; round++) {
        for (uint64_t *p = (uint64_t *)hdr; p < (uint64_t *)((char *)hdr + (6 << 20)); p++) {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            *(volatile uint64_t *)p = x % 3 ? x : x & 1;
        }
        ez_drain_flush(drain);
    }
    struct ez_drain_stat s;
    ez_drain_stat(drain, &s);
    hdr->size = size; /* for the teardown */
}
END_TEST

static void *one_hit(void *arg)
{
    unsigned l = take_buffer((uint32_t)gettid());
    for (int i = 0; i < 10000 && !l; i++) { /* the drain thread has yet to give one back */
        usleep(1000);
        l = take_buffer((uint32_t)gettid());
    }
    ck_assert_uint_ne(l, 0);
    if (arg) {
        counter_of(l, 5)->entry++;
        reserve(l); /* the thread dies before it commits */
    }
    hit(l, 5, 0);
    return NULL;
}

START_TEST(buffers_of_ended_threads_serve_others)
{
    pthread_t t;
    uint64_t hits = 0;
    define_all();
    ok(ez_drain_open(drain, path));
    for (uintptr_t i = 0; i < 3 * NBUFFERS; i++) {
        ck_assert_int_eq(pthread_create(&t, NULL, one_hit, (void *)(uintptr_t)(i % 3 == 2)), 0);
        pthread_join(t, NULL);
        hits += 1 + (i % 3 == 2);
        nanosleep(&(struct timespec){ .tv_nsec = 12000000 }, NULL);
    }
    struct ez_drain_stat s = { .torn = 0 };
    for (int i = 0; i < 10000 && s.recorded + s.torn < hits; i++) {
        usleep(1000);
        ez_drain_flush(drain);
        ez_drain_stat(drain, &s);
    }
    s = stat_now();
    ck_assert_uint_eq(s.recorded + s.torn, hits);
    ck_assert_uint_eq(s.torn, NBUFFERS);
    ck_assert_uint_lt(hdr->buffers_ready, NBUFFERS + 1);
}
END_TEST

/* The first record of a buffer's next owner is in flight: a handler that interrupted it
 * committed the second. What its predecessor left is torn, this is not. */
START_TEST(a_buffers_next_owner_loses_nothing)
{
    pthread_t t;
    struct ez_drain_stat s;
    define_all();
    ok(ez_drain_open(drain, path));
    buffer_of(1)->fs = 0x7f00; /* the thread's */
    buffer_of(1)->waiting = 1;
    ck_assert_int_eq(pthread_create(&t, NULL, one_hit, NULL), 0);
    pthread_join(t, NULL);
    counter_of(1, 5)->entry++;
    reserve(1); /* as if the thread had died here */
    for (int i = 0; i < 2000 && buffer_of(1)->state != EZ_BUFFER_FREE; i++)
        nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
    ck_assert_uint_eq(buffer_of(1)->fs, 0); /* nobody takes it for the dead thread's */
    ck_assert_uint_eq(buffer_of(1)->waiting, 0);
    ck_assert_uint_eq(take_buffer((uint32_t)gettid()), 1);
    counter_of(1, 5)->entry++;
    struct ez_rec *first = reserve(1);
    hit(1, 5, 0);
    ez_drain_flush(drain);
    ez_drain_stat(drain, &s);
    ck_assert_uint_eq(s.recorded, 1);
    ck_assert_uint_eq(s.torn, 1);
    commit(first, 1, CODE(5, 0));
    s = stat_now();
    ck_assert_uint_eq(s.recorded, 3);
    ck_assert_uint_eq(s.torn, 1);
    ok(ez_drain_close(drain));
}
END_TEST

START_TEST(more_buffers_appear_while_threads_live)
{
    for (unsigned i = 0; i < NBUFFERS - 1; i++) {
        ck_assert_uint_ne(take_buffer((uint32_t)getpid()), 0);
        ez_drain_flush(drain);
        ck_assert_uint_ge(hdr->buffers_ready, EZ_MIN(NBUFFERS, i + 2));
    }
    ck_assert_uint_eq(hdr->buffers_ready, NBUFFERS);
    ck_assert_uint_eq(take_buffer(1), 0);
}
END_TEST

#ifdef EZ_FAULT_INJECTION
START_TEST(exhausted_memory_changes_nothing)
{
    ez_drain_destroy(drain);
    for (int n = 1; n <= 20; n++) { /* all that create makes, and the buffers made next */
        char fault[32];
        snprintf(fault, sizeof fault, "fallocate:%d:ENOSPC", n);
        pid_t child = fork();
        if (!child) {
            setenv("EZ_FAULT", fault, 1);
            hdr->buffers_ready = 0;
            ez_err *e = create(getppid());
            if (!e)
                ez_drain_flush(drain);
            _exit(n <= 7 ? !e || e->errnum != ENOSPC || hdr->buffers_ready != 0
                         : e || hdr->buffers_ready < 2);
        }
        int st;
        waitpid(child, &st, 0);
        ck_assert_msg(WIFEXITED(st) && WEXITSTATUS(st) == 0, "%s", fault);
    }
    hdr->buffers_ready = 0;
    ok(create(getpid()));
    ez_drain_flush(drain); /* it has all buffers it wants */
    setenv("EZ_FAULT", "fallocate:3:ENOMEM", 1);
    refused(ez_drain_reserve_ids(drain, 5000), EZ_E_SYS, ENOMEM);
    unsetenv("EZ_FAULT");
    ok(ez_drain_reserve_ids(drain, 5000));
    refused(ez_drain_reserve_ids(drain, IDS_MAX + 1), EZ_E_SYS, ENOSPC);
}
END_TEST
#endif

START_TEST(a_full_disk_loses_the_trace_not_the_target)
{
    struct rlimit lim = { 400000, RLIM_INFINITY };
    define_all();
    ok(ez_drain_open(drain, path));
    unsigned l = take_buffer((uint32_t)gettid());
    signal(SIGXFSZ, SIG_IGN);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &lim), 0);
    for (unsigned i = 0; i < 60000; i++)
        hit(l, 7, 0);
    struct ez_drain_stat s = stat_now();
    ck_assert(s.lost && !s.open);
    ck_assert_int_eq(s.lost_errno, EFBIG);
    ck_assert_uint_gt(s.recorded, 10000);
    ck_assert_uint_gt(s.untraced, 10000);
    ck_assert_uint_le(s.bytes, 400000);
    struct pollfd p = { event_fd, POLLIN, 0 };
    ck_assert_int_eq(poll(&p, 1, 0), 1);
    uint64_t n = printed_events();
    ck_assert(n == UINT64_MAX || n == s.recorded);
}
END_TEST

START_TEST(death_of_the_shell_is_seen)
{
    ez_drain_destroy(drain);
    pid_t child = fork();
    if (!child) {
        ok(create(getppid()));
        raise(SIGKILL);
    }
    waitpid(child, NULL, 0);
    ck_assert_uint_ne(hdr->owner.word & FUTEX_OWNER_DIED, 0);
    ok(create(getpid())); /* a later shell takes over */
    ck_assert_uint_eq(hdr->owner.word & FUTEX_OWNER_DIED, 0);
    ck_assert_uint_ne(hdr->owner.word & FUTEX_TID_MASK, 0);
    ez_drain_destroy(drain);
    ck_assert_uint_eq(hdr->owner.word, 0);
    ok(create(getpid()));
}
END_TEST

/* Every event that a killed target committed is in the file, and the accounting's two
 * sides agree although it died in the middle of a hit. */
START_TEST(a_killed_target_loses_nothing_committed)
{
    ez_drain_destroy(drain);
    for (int i = 0; i < 25; i++) {
        teardown_segment();
        make_segment();
        pid_t child = fork();
        if (!child) {
            unsigned l = 1;
            while (!hdr->trace_open)
                usleep(100);
            buffer_of(l)->state = EZ_BUFFER_USED;
            buffer_of(l)->tid = (uint32_t)getpid();
            for (unsigned k = 0;; k++)
                hit(l, k % 64, k & 1);
        }
        ok(create(child));
        define_all();
        ok(ez_drain_open(drain, path));
        usleep(3000 + (unsigned)i * 137);
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        struct ez_drain_stat s = stat_now();
        ck_assert_uint_le(s.dropped, 1);
        ok(ez_drain_close(drain));
        uint64_t n = count_events(path, false);
        ck_assert_uint_eq(n, s.recorded);
        ez_drain_destroy(drain);
    }
    ok(create(getpid()));
}
END_TEST

START_TEST(a_killed_shell_leaves_a_valid_file)
{
    ez_drain_destroy(drain);
    pid_t child = fork();
    if (!child) {
        ok(create(getpid()));
        define_all();
        ok(ez_drain_open(drain, path));
        unsigned l = take_buffer((uint32_t)getpid());
        for (unsigned k = 0;; k++)
            hit(l, k % 64, k & 1);
    }
    for (int i = 0; i < 100000 && !buffer_of(1)->space; i++)
        usleep(100);
    usleep(1000);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    uint64_t given_back = (uint64_t)buffer_of(1)->space * EZ_SUB_RECS, n = count_events(path, true);
    ck_assert_uint_gt(given_back, 0);
    ck_assert_uint_ge(n, given_back);
    ok(create(getpid()));
}
END_TEST

static uint64_t mono_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

START_TEST(newest_events_can_be_watched)
{
    struct ez_rec r[16];
    uint64_t cursor = 0;
    define_all();
    ok(ez_drain_open(drain, path));
    unsigned l = take_buffer((uint32_t)gettid());
    for (unsigned i = 0; i < 10000; i++)
        hit(l, i % 64, 0);
    ez_drain_flush(drain);
    ck_assert_uint_eq(ez_drain_recent(drain, &cursor, r, 16), 16);
    ck_assert_uint_eq(cursor, 10000 - 4096 + 16);
    ck_assert_uint_eq(r[0].code, CODE((10000 - 4096) % 64, 0));
    cursor = 9999;
    ck_assert_uint_eq(ez_drain_recent(drain, &cursor, r, 16), 1);
    ck_assert_uint_eq(ez_drain_recent(drain, &cursor, r, 16), 0);
    ck_assert_uint_gt(ez_drain_ns(drain, r[0].tick), 0);
    uint64_t around = mono_ns(), a = ez_tick(), within = mono_ns();
    nanosleep(&(struct timespec){ .tv_nsec = 20000000 }, NULL);
    within = mono_ns() - within;
    uint64_t b = ez_tick();
    around = mono_ns() - around;
    uint64_t ns = ez_drain_ns(drain, b) - ez_drain_ns(drain, a);
    ck_assert_msg(ns > within - 100000 && ns < around + 100000, "%lu to %lu ns measured as %lu",
                  within, around, ns);
}
END_TEST

START_TEST(the_loader_wakes_the_shell)
{
    struct pollfd p = { event_fd, POLLIN, 0 };
    ck_assert_int_eq(poll(&p, 1, 0), 0);
    hdr->loader_seq++;
    __atomic_add_fetch(&hdr->wake, 1, __ATOMIC_SEQ_CST);
    syscall(SYS_futex, &hdr->wake, FUTEX_WAKE, 1, NULL, NULL, 0);
    ck_assert_int_eq(poll(&p, 1, 2000), 1);
}
END_TEST

static void *write_fast(void *arg)
{
    uint64_t n = *(uint64_t *)arg;
    unsigned l = take_buffer((uint32_t)gettid());
    for (uint64_t k = 0; k < n; k++) {
        struct ez_rec *r = reserve(l);
        r->tick = k + 1;
        r->tid = 1;
        __atomic_store_n(&r->code, CODE(k % 64, k & 1), __ATOMIC_RELEASE);
    }
    return NULL;
}

/* The speed is printed, not judged: a writer does nothing but fill its ring and wait for room, from
 * its first record to the last one in the file. */
START_TEST(speed)
{
    uint64_t n = 4000000;
    struct timespec a, b;
    pthread_t t;
    define_all();
    ok(ez_drain_open(drain, path));
    clock_gettime(CLOCK_MONOTONIC, &a);
    pthread_create(&t, NULL, write_fast, &n);
    pthread_join(t, NULL);
    ez_drain_flush(drain);
    clock_gettime(CLOCK_MONOTONIC, &b);
    double ns = (double)(b.tv_sec - a.tv_sec) * 1e9 + (double)(b.tv_nsec - a.tv_nsec);
    ck_assert_uint_eq(count_events(path, false), n);
    printf("drain: %.1f M events/s sustained, none lost\n", (double)n / ns * 1e3);
}
END_TEST

/* ---- the accounting's two sides ------------------------------------------------------------------ */

/* One thread has hit id 2 four times; the counters say `more` of each. */
static struct ez_drain_stat of_ended(int more_entries, int more_exits, bool ended)
{
    struct ez_drain_stat s;
    define_all();
    ok(ez_drain_open(drain, path));
    unsigned l = take_buffer((uint32_t)gettid());
    for (int i = 0; i < 4; i++)
        hit(l, 2, i & 1);
    counter_of(l, 2)->entry += (uint64_t)more_entries;
    counter_of(l, 2)->exit += (uint64_t)more_exits;
    if (ended)
        ez_drain_image_ended(drain);
    ez_drain_flush(drain);
    ez_drain_stat(drain, &s);
    return s;
}

static void sides(struct ez_drain_stat s, uint64_t entries, uint64_t exits, uint64_t dropped)
{
    ck_assert_uint_eq(s.entries, entries);
    ck_assert_uint_eq(s.exits, exits);
    ck_assert_uint_eq(s.recorded, 4);
    ck_assert_uint_eq(s.dropped, dropped);
    ck_assert_uint_eq(s.torn, dropped);
}

/* While the thread lives, a difference between counters and records is shown as it is. */
START_TEST(what_is_off_is_told)
{
    struct ez_drain_stat s = of_ended(_i, -_i / 2, false);
    sides(s, 2 + (uint64_t)_i, 2 - (uint64_t)_i / 2, 0);
    ck_assert_uint_eq(s.uncounted, 0);
}
END_TEST

/* A killed thread explains a difference of one; a larger difference is shown as it is. */
START_TEST(more_than_one_a_thread_is_not_made_even)
{
    struct ez_drain_stat s = of_ended(_i ? 2 : 0, _i ? 0 : -2, true);
    sides(s, _i ? 4 : 2, _i ? 2 : 0, 0);
    ck_assert_uint_eq(s.uncounted, 0);
}
END_TEST

START_TEST(counted_and_not_recorded_is_torn)
{
    struct ez_drain_stat s = of_ended(1, 0, true);
    sides(s, 3, 2, 1);
    ck_assert_uint_eq(s.uncounted, 0);
}
END_TEST

/* A record in the trace without its count: a hit, an exit, told as one that no counter has. */
START_TEST(recorded_and_not_counted_is_told)
{
    struct ez_drain_stat s = of_ended(0, -1, true);
    sides(s, 2, 2, 0);
    ck_assert_uint_eq(s.uncounted, 1);
}
END_TEST

/* A record that was reserved and stamped, but neither committed nor counted, was no hit. */
START_TEST(reserved_in_vain_is_nothing)
{
    struct ez_drain_stat s;
    define_all();
    ok(ez_drain_open(drain, path));
    unsigned l = take_buffer((uint32_t)gettid());
    hit(l, 2, 0);
    reserve(l)->tick = ez_tick();
    ez_drain_image_ended(drain);
    ez_drain_flush(drain);
    ez_drain_stat(drain, &s);
    ck_assert_uint_eq(s.entries + s.exits, 1);
    ck_assert_uint_eq(s.dropped + s.torn + s.uncounted, 0);
}
END_TEST

/* Numbers that a hostile target made up do not wrap around to small ones. */
START_TEST(sums_do_not_wrap)
{
    struct ez_drain_stat s;
    define_all();
    unsigned l = take_buffer((uint32_t)gettid());
    counter_of(l, 1)->entry = UINT64_MAX - 3;
    counter_of(l, 2)->entry = 100;
    buffer_of(l)->untraced = UINT64_MAX;
    buffer_of(0)->untraced = 7;
    ez_drain_flush(drain);
    ez_drain_stat(drain, &s);
    ck_assert_uint_eq(s.entries, UINT64_MAX);
    ck_assert_uint_eq(s.untraced, UINT64_MAX);
}
END_TEST

/* ---- a ring of two ----------------------------------------------------------------------------- */

static void setup_two(void)
{
    nsub = 2;
    setup();
}

/* The writer is in the second sub-buffer: a hole in the first may still be filled, unless the writer
 * cannot go on before the first is given back. */
static const struct {
    uint32_t wait, waiting, filter;
    bool torn;
} two[] = { { 1, 0, 0, false }, { 1, 1, 0, true }, { 0, 0, 0, true }, { 1, 0, 1, true } };

START_TEST(a_hole_in_a_ring_of_two)
{
    struct ez_drain_stat s;
    define_all();
    ok(ez_drain_open(drain, path));
    hdr->overflow_wait = two[_i].wait;
    hdr->no_syscalls = two[_i].filter;
    unsigned l = take_buffer((uint32_t)gettid());
    counter_of(l, 1)->entry++;
    struct ez_rec *hole = reserve(l);
    for (unsigned i = 0; i < EZ_SUB_RECS + 5; i++)
        hit(l, 2, 0);
    buffer_of(l)->waiting = two[_i].waiting;
    ez_drain_flush(drain);
    ez_drain_stat(drain, &s);
    ck_assert_uint_eq(s.torn, two[_i].torn);
    ck_assert_uint_eq(s.recorded, two[_i].torn ? EZ_SUB_RECS + 5 : 0);
    buffer_of(l)->waiting = 0;
    if (!two[_i].torn)
        commit(hole, 1, CODE(1, 0));
    ck_assert_uint_eq(stat_now().recorded, EZ_SUB_RECS + 6 - two[_i].torn);
}
END_TEST

/* ---- of a segment that another shell left --------------------------------------------------------- */

/* A buffer as an earlier shell left it: l.read says that its reader stands at record `rec` of
 * sub-buffer `sub`. */
static void adopt_buffer(unsigned l, uint32_t space, uint32_t read)
{
    struct ez_hdr layout;
    ez_drain_destroy(drain);
    buffer_of(l)->space = space;
    buffer_of(l)->read = read;
    buffer_of(l)->owner = 77;
    hdr->buffers_ready = 9;
    hdr->trace_open = 1;
    layout = *hdr;
    struct ez_drain_cfg cfg = {
        .hdr = hdr, .memfd = memfd, .pid = getpid(), .event_fd = event_fd, .layout = &layout
    };
    ok(ez_drain_create(&cfg, &drain));
}

/* A forged l.read may be anything; only records of that sub-buffer are read all the same. */
START_TEST(a_forged_position_stays_in_its_ring)
{
    static const uint32_t rec[] = { 0,      1,     EZ_SUB_RECS - 1, EZ_SUB_RECS, EZ_SUB_RECS + 1,
                                    0x7fff, 0xffff };
    buffer_of(3)->state = EZ_BUFFER_USED;
    buffer_of(3)->tid = (uint32_t)getpid();
    adopt_buffer(3, 7, 7u << 16 | rec[_i]);
    define_all();
    ok(ez_drain_open(drain, path));
    ez_drain_flush(drain);
    uint32_t read = buffer_of(3)->read & 0xffff;
    ck_assert_uint_lt(read, EZ_SUB_RECS);
    ck_assert_uint_eq(read, rec[_i] < EZ_SUB_RECS ? rec[_i] : 0);
    ck_assert_uint_eq(buffer_of(3)->space, rec[_i] < EZ_SUB_RECS ? 7 : 8);
}
END_TEST

/* Returns the buffer, with this number of hits, that a killed shell has left to the next one. */
static unsigned killed_shells_buffer(unsigned hits)
{
    ez_drain_destroy(drain);
    drain = NULL;
    hdr->buffers_ready = 2;
    hdr->trace_open = 1;
    unsigned l = take_buffer((uint32_t)gettid());
    for (unsigned i = 0; i < hits; i++)
        hit(l, 3, 0);
    return l;
}

/* An earlier shell that was killed had written two sub-buffers, and had not returned them: they are
 * returned unread, and the next one is read. */
START_TEST(written_subs_are_not_read_again)
{
    unsigned l = killed_shells_buffer(2 * EZ_SUB_RECS + 10);
    buffer_of(l)->recorded = 2 * EZ_SUB_RECS;
    adopt_buffer(l, 0, 2 * EZ_SUB_RECS);
    define_all();
    ok(ez_drain_open(drain, path));
    ck_assert_uint_eq(stat_now().recorded, 2 * EZ_SUB_RECS + 10);
    ck_assert_uint_eq(buffer_of(l)->space, 2);
    ck_assert_uint_eq(buffer_of(l)->read, 2u << 16 | 10);
    ok(ez_drain_close(drain));
}
END_TEST

/* Complete sub-buffers of two owners, which are not written at once. */
START_TEST(a_sub_of_another_owner_is_apart)
{
    unsigned l = killed_shells_buffer(2 * EZ_SUB_RECS);
    *(uint64_t *)(void *)((char *)hdr + hdr->off_rings + (uint64_t)l * nsub * EZ_SUB_BYTES +
                          EZ_SUB_BYTES) = 99;
    adopt_buffer(l, 0, 0);
    define_all();
    ok(ez_drain_open(drain, path));
    ck_assert_uint_eq(stat_now().recorded, 2 * EZ_SUB_RECS);
    ck_assert_uint_eq(buffer_of(l)->owner, 99);
    ok(ez_drain_close(drain));
}
END_TEST

/* If l.read belongs to another round of the ring, the sub-buffer is read from its start. */
START_TEST(a_position_of_another_round_is_none)
{
    buffer_of(3)->state = EZ_BUFFER_USED;
    buffer_of(3)->tid = (uint32_t)getpid();
    adopt_buffer(3, 8, 7u << 16 | 5);
    ok(ez_drain_open(drain, path));
    ez_drain_flush(drain);
    ck_assert_uint_eq(buffer_of(3)->read, 8u << 16);
}
END_TEST

/* Losses of the earlier shell are not told again. */
START_TEST(an_earlier_loss_is_not_told_again)
{
    struct told e[4];
    buffer_of(3)->state = EZ_BUFFER_USED;
    buffer_of(3)->tid = (uint32_t)getpid();
    buffer_of(3)->dropped = 5;
    adopt_buffer(3, 0, 0);
    ok(ez_drain_open(drain, path));
    ez_drain_flush(drain);
    ok(ez_drain_close(drain));
    ck_assert_uint_eq(read_told(e, 4), 0);
}
END_TEST

/* Earlier hits belong to the earlier shell, on both sides of the accounting. */
START_TEST(what_was_before_is_anothers)
{
    define_all();
    ok(ez_drain_open(drain, path));
    unsigned l = take_buffer((uint32_t)gettid());
    for (int i = 0; i < 4; i++)
        hit(l, 2, i & 1);
    buffer_of(l)->dropped = 3;
    counter_of(l, 3)->entry = 3;
    stat_now();
    ez_drain_anew(drain);
    hit(l, 2, 0);
    hit(l, 2, 1);
    struct ez_drain_stat s = stat_now();
    ck_assert_uint_eq(s.recorded, 2);
    ck_assert_uint_eq(s.dropped, 0);
    ck_assert_uint_eq(s.entries + s.exits, 2);
    ck_assert_uint_eq(s.earlier.hits, 7);
    ck_assert_uint_eq(s.earlier.recorded, 4);
    ck_assert_uint_eq(s.earlier.dropped, 3);
}
END_TEST

/* A shell that leaves says whether hits are recorded from now on; no thread waits any more. */
START_TEST(who_leaves_says_what_goes_on)
{
    hdr->overflow_wait = hdr->loader_wait = 1;
    hdr->trace_open = !_i;
    ez_drain_leave(drain, _i);
    ck_assert_uint_eq(hdr->trace_open, (unsigned)_i);
    ck_assert_uint_eq(hdr->overflow_wait + hdr->loader_wait, 0);
    ck_assert_uint_eq(hdr->owner.word, 0);
    hdr->buffers_ready = 0;
    ok(create(getpid()));
}
END_TEST

/* Each sub-buffer is safe in the file before the target may write over it. */
static unsigned safe[NSUB + 2]; /* checkpoints while so many had been given back */
static bool watched;
void __real_drain_file_checkpoint(struct ez_drain *d);
void __wrap_drain_file_checkpoint(struct ez_drain *d);
void __wrap_drain_file_checkpoint(struct ez_drain *d)
{
    if (watched)
        safe[EZ_MIN(buffer_of(1)->space, NSUB + 1)]++;
    __real_drain_file_checkpoint(d);
}

START_TEST(what_is_given_back_is_in_the_file)
{
    ez_drain_destroy(drain);
    hdr->buffers_ready = 2;
    hdr->trace_open = 1;
    struct ez_hdr layout = *hdr;
    struct ez_drain_cfg cfg = {
        .hdr = hdr, .memfd = memfd, .pid = getpid(), .event_fd = event_fd, .layout = &layout
    };
    ok(ez_drain_create(&cfg, &drain)); /* it reads nothing before a trace is open */
    define_all();
    ck_assert_uint_eq(take_buffer((uint32_t)gettid()), 1);
    for (unsigned i = 0; i < 5 * EZ_SUB_RECS; i++)
        hit(1, 3, 0);
    watched = true;
    ok(ez_drain_open(drain, path));
    ck_assert_uint_eq(stat_now().recorded, 5 * EZ_SUB_RECS);
    ck_assert_uint_gt(safe[0], 0);
    for (unsigned i = 1, last = 0; i <= 5; i++) {
        ck_assert_msg(i - last <= EZ_MAX(NSUB / 4, 1), "sub-buffer %u was given back first", i - 1);
        last = safe[i] ? i : last;
    }
    ok(ez_drain_close(drain));
}
END_TEST

/* ---- what a reader of the growing file relies on ---------------------------------------------------- */

static unsigned late_id; /* defined and hit in the middle of a round */
bool __real_drain_buffers(struct ez_drain *d, bool final);
bool __wrap_drain_buffers(struct ez_drain *d, bool final);
bool __wrap_drain_buffers(struct ez_drain *d, bool final)
{
    if (late_id) {
        ez_drain_define(d, late_id, BOTH, 0x77, "late", "l.so");
        hit(1, late_id, 0);
        late_id = 0;
    }
    return __real_drain_buffers(d, final);
}

START_TEST(a_name_comes_before_its_events)
{
    struct ez_fxt_in *in = NULL;
    struct ez_fxt_event ev;
    bool got = false, known = false, seen = false;
    ok(ez_drain_open(drain, path));
    ck_assert_uint_eq(take_buffer((uint32_t)gettid()), 1);
    late_id = 40;
    ez_drain_flush(drain);
    ok(ez_drain_close(drain));
    ok(ez_fxt_in_open(path, &in));
    for (ok(ez_fxt_in_next(in, &ev, &got)); got; ok(ez_fxt_in_next(in, &ev, &got))) {
        known |= ev.code == EZ_C_DEF + EZ_DEF_PROBE && ev.narg && ev.arg[0] == 40;
        if (ev.code == PROBE(40, 0)) {
            ck_assert(known);
            seen = true;
        }
    }
    ez_fxt_in_close(in);
    ck_assert(seen);
}
END_TEST

/* Epochs do not go back for a record that is older than the last epoch. */
START_TEST(epochs_never_go_back)
{
    struct ez_fxt_in *in = NULL;
    struct ez_fxt_event ev;
    bool got = false;
    uint64_t last = 0;
    unsigned n = 0;
    define_all();
    ok(ez_drain_open(drain, path));
    unsigned l = take_buffer((uint32_t)gettid());
    for (int i = 0; i < 3; i++) {
        hit(l, 1, 0);
        ez_drain_flush(drain);
    }
    struct ez_rec *r = reserve(l);
    r->tick = 5;
    r->tid = 1;
    __atomic_store_n(&r->code, CODE(2, 0), __ATOMIC_RELEASE);
    reserve(l); /* and one in flight behind it */
    hit(l, 3, 0);
    ez_drain_flush(drain);
    ok(ez_drain_close(drain));
    ok(ez_fxt_in_open(path, &in));
    for (ok(ez_fxt_in_next(in, &ev, &got)); got; ok(ez_fxt_in_next(in, &ev, &got))) {
        if (ev.code != EZ_C_DEF + EZ_DEF_EPOCH)
            continue;
        ck_assert_uint_ge(ev.tick, last);
        last = ev.tick;
        n++;
    }
    ez_fxt_in_close(in);
    ck_assert_uint_ge(n, 3);
}
END_TEST

/* The last round reads records behind a hole, which will not be filled any more. */
START_TEST(the_last_round_reads_all)
{
    define_all();
    ok(ez_drain_open(drain, path));
    unsigned l = take_buffer((uint32_t)gettid());
    hit(l, 1, 0);
    reserve(l);
    for (int i = 0; i < 10; i++)
        hit(l, 2, 0);
    ez_drain_flush(drain);
    ez_drain_destroy(drain);
    ck_assert_uint_eq(count_events(path, false), 11);
    hdr->buffers_ready = 0;
    ok(create(getpid()));
}
END_TEST

/* How many ticks a second has, by the clocks themselves. */
START_TEST(the_schema_says_the_rate)
{
    struct ez_fxt_in *in = NULL;
    struct ez_fxt_event ev;
    bool got = false;
    double rate = 0;
    /* the time between the ticks is between these two, whoever is interrupted */
    uint64_t outer = mono_ns(), ticks = ez_tick(), inner = mono_ns();
    usleep(300000);
    inner = mono_ns() - inner;
    ticks = ez_tick() - ticks;
    outer = mono_ns() - outer;
    define_all();
    ok(ez_drain_open(drain, path));
    ok(ez_drain_close(drain));
    ok(ez_fxt_in_open(path, &in));
    for (ok(ez_fxt_in_next(in, &ev, &got)); got; ok(ez_fxt_in_next(in, &ev, &got)))
        if (ev.code == EZ_C_DEF + EZ_DEF_SCHEMA)
            rate = (double)ev.arg[1];
    ez_fxt_in_close(in);
    double least = (double)ticks * 1e9 / (double)outer, most = (double)ticks * 1e9 / (double)inner;
    ck_assert_msg(rate > least * 0.98 && rate < most * 1.02, "%.0f, not %.0f to %.0f", rate, least,
                  most);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        buffers_are_ready_and_the_owner_is_seen,
        more_buffers_are_ready_where_more_are_used,
        records_reach_the_file,
        one_trace_after_another,
        without_a_trace_hits_are_untraced,
        ids_that_do_not_record_are_filtered,
        eight_writers_many_laps,
        a_hole_waits_then_is_torn,
        a_hole_outlasts_handlers,
        a_hole_does_not_stop_who_waits_for_room,
        a_hole_is_not_torn_while_there_is_room,
        a_buffers_next_owner_loses_nothing,
        hostile_records_are_refused,
        the_ring_says_whose_records_are,
        what_threads_tell,
        stacks_of_a_process_that_has_ended,
        the_runtime_tells_stacks,
        new_stacks_are_told_apart,
        what_an_ended_thread_lost_is_told,
        each_trace_ends_its_own_calls,
        what_is_counted_alone_is_told,
        a_accounting_waits_for_hits_under_way,
        a_hostile_segment_does_no_harm,
        buffers_of_ended_threads_serve_others,
        more_buffers_appear_while_threads_live,
#ifdef EZ_FAULT_INJECTION
        exhausted_memory_changes_nothing,
#endif
        a_full_disk_loses_the_trace_not_the_target,
        death_of_the_shell_is_seen,
        a_killed_target_loses_nothing_committed,
        a_killed_shell_leaves_a_valid_file,
        newest_events_can_be_watched,
        the_loader_wakes_the_shell,
        counted_and_not_recorded_is_torn,
        recorded_and_not_counted_is_told,
        reserved_in_vain_is_nothing,
        sums_do_not_wrap,
        a_position_of_another_round_is_none,
        an_earlier_loss_is_not_told_again,
        what_was_before_is_anothers,
        what_is_given_back_is_in_the_file,
        written_subs_are_not_read_again,
        a_sub_of_another_owner_is_apart,
        a_name_comes_before_its_events,
        epochs_never_go_back,
        the_last_round_reads_all,
        the_schema_says_the_rate,
        speed,
    };
    Suite *s = suite_create("drain");
    TCase *c = tcase_create("drain");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_set_timeout(c, 60);
    for (size_t i = 0; i < EZ_ARRAY_LEN(tests); i++)
        tcase_add_test(c, tests[i]);
    tcase_add_loop_test(c, what_is_off_is_told, 0, 3);
    tcase_add_loop_test(c, who_leaves_says_what_goes_on, 0, 2);
    tcase_add_loop_test(c, more_than_one_a_thread_is_not_made_even, 0, 2);
    tcase_add_loop_test(c, a_forged_position_stays_in_its_ring, 0, 7);
    suite_add_tcase(s, c);
    c = tcase_create("a ring of two");
    tcase_add_checked_fixture(c, setup_two, teardown);
    tcase_add_loop_test(c, a_hole_in_a_ring_of_two, 0, (int)EZ_ARRAY_LEN(two));
    suite_add_tcase(s, c);
    return run_suite(s);
}
