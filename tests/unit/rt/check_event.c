/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_event.c - events of modules, from the runtime's function that a module calls to the trace:
 * the runtime's source is part of this program, and a real drain empties its rings. */
#include <stdbool.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "rt_arch.h"

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

#undef EZ_PAGE
#include "tests/unit/drain_harness.h"
#include "tests/unit/suite.h"

enum { ID = 5, PROBE = 6, MODULE = 0x42 };
#define MODULE_CODE (EZ_C_MODULE + ((uint64_t)MODULE << 16))

struct rt_state rt_state;
char ez_return_trampolines[2 * EZ_DIST] __attribute__((aligned(EZ_CHUNK)));
char ez_exit[1];
uint64_t ez_mono(struct ez_ctl *b)
{
    (void)b;
    return 0;
}

static struct ezt_rt module;

static void event_setup(void)
{
    size_t size = 4096 + NBUFFERS * sizeof(struct ez_ctl);
    setup();
    struct rt_proc *p =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(p, MAP_FAILED);
    p->alive = 1;
    rt_state = (struct rt_state){ .hdr = hdr, .ctls = (uint8_t *)p, .max_chunks = EZ_NCHUNK };
    module = (struct ezt_rt){ .abi = EZT_ABI,
                              .counter = ID * (uint32_t)sizeof(struct ez_counter),
                              .code = MODULE_CODE };
    ez_drain_define(drain, ID, EZ_ROW_ENTRY | EZ_ROW_EXIT | EZ_ROW_REC_ENTRY, 0, "module", "");
    ez_drain_define(drain, PROBE, BOTH, 0x1000, "function", "library.so");
    hdr->overflow_wait = 1;
}

static void probe_hit(void)
{
    uint64_t word = 5;
    struct ez_trampoline_data s = { .cnt = PROBE * (uint32_t)sizeof(struct ez_counter),
                                    .code = (uint32_t)CODE(PROBE, 0),
                                    .flags = EZ_TRAMPOLINE_REC };
    ez_slow(&word, &s);
}

/* The words of the i-th event, and how many they are: 0 to EZT_MAX_WORDS. */
static unsigned words_of(unsigned i, uint64_t *word)
{
    unsigned n = (i * 7 + i / 33) % (EZT_MAX_WORDS + 1);
    for (unsigned k = 0; k < n; k++)
        word[k] = (uint64_t)i << 32 ^ (k * 0x9e3779b97f4a7c15ull);
    return n;
}

static void record(unsigned i)
{
    uint64_t word[EZT_MAX_WORDS] = { 0 };
    unsigned n = words_of(i, word);
    ez_event(&module, i & EZT_EVENT_MAX, n, word, NULL);
}

/* The i-th event stands in the file as it was recorded; between them stand hits of a probe. */
static unsigned read_back(unsigned from, unsigned *hits)
{
    struct ez_fxt_in *in = NULL;
    struct ez_fxt_event ev;
    bool got = true;
    unsigned i = from;
    uint64_t last = 0;
    *hits = 0;
    ok(ez_fxt_in_open(path, &in));
    while (got) {
        ok(ez_fxt_in_next(in, &ev, &got));
        if (!got || ev.code < EZ_C_PROBE)
            continue;
        ck_assert_uint_eq(ev.tid, (uint64_t)getpid());
        ck_assert_uint_ge(ev.tick, last);
        last = ev.tick;
        if (ev.code < EZ_C_MODULE) {
            *hits += !ev.narg; /* not the ends of calls that were left */
            continue;
        }
        uint64_t word[EZT_MAX_WORDS];
        ck_assert_uint_eq(ev.code, MODULE_CODE + (i & EZT_EVENT_MAX));
        ck_assert_uint_eq(ev.narg, words_of(i, word));
        ck_assert_int_eq(memcmp(ev.arg, word, ev.narg * sizeof *word), 0);
        i++;
    }
    ez_fxt_in_close(in);
    return i - from;
}

START_TEST(what_is_recorded_is_in_the_trace)
{
    static const unsigned many[] = { 1, 33, 20000 };
    unsigned n = many[_i], hits;
    ok(ez_drain_open(drain, path));
    for (unsigned i = 0; i < n; i++) {
        record(i);
        if (i % 3 == 0)
            probe_hit();
    }
    struct ez_drain_stat s = stat_now(); /* the accounting adds up */
    ck_assert_uint_eq(s.entries, n + (n + 2) / 3);
    ck_assert_uint_eq(s.recorded, s.entries);
    ck_assert_uint_eq(s.torn + s.dropped + s.untraced, 0);
    ok(ez_drain_close(drain));
    ck_assert_uint_eq(read_back(0, &hits), n);
    ck_assert_uint_eq(hits, (n + 2) / 3);
}
END_TEST

START_TEST(more_words_than_fit_are_cut)
{
    struct ez_fxt_in *in = NULL;
    struct ez_fxt_event ev;
    bool got = true;
    uint64_t word[EZT_MAX_WORDS + 8] = { 1 };
    ok(ez_drain_open(drain, path));
    ez_event(&module, EZT_EVENT_MAX + 2ull, EZT_MAX_WORDS + 8, word, NULL);
    ok(ez_drain_close(drain));
    ok(ez_fxt_in_open(path, &in));
    while (got) {
        ok(ez_fxt_in_next(in, &ev, &got));
        if (got && ev.code >= EZ_C_MODULE) {
            ck_assert_uint_eq(ev.narg, EZT_MAX_WORDS);
            ck_assert_uint_eq(ev.code, MODULE_CODE + 1); /* another module's codes are safe */
        }
    }
    ez_fxt_in_close(in);
}
END_TEST

START_TEST(without_a_trace_none_is_recorded)
{
    for (unsigned i = 0; i < 100; i++)
        record(i);
    struct ez_drain_stat s = stat_now();
    ck_assert_uint_eq(s.entries, 100);
    ck_assert_uint_eq(s.untraced, 100);
    ck_assert_uint_eq(s.recorded, 0);
}
END_TEST

START_TEST(what_finds_no_room_is_counted)
{
    ok(ez_drain_open(drain, path));
    hdr->overflow_wait = 0;
    for (unsigned i = 0; i < 200000; i++)
        record(i);
    struct ez_drain_stat s = stat_now();
    ck_assert_uint_eq(s.entries, 200000);
    ck_assert_uint_eq(s.recorded + s.dropped, 200000);
}
END_TEST

/* What a hostile target writes: words are missing, too many, alone, of nobody. */
START_TEST(what_is_no_event_is_torn)
{
    static const struct {
        uint64_t code[4];
        unsigned torn;
    } bad[] = {
        { { MODULE_CODE << 8 | 4, (uint64_t)EZ_R_MORE << 8 | 1 }, 1 }, /* a word is missing */
        { { MODULE_CODE << 8 | (EZT_MAX_WORDS + 2) }, 1 },
        { { MODULE_CODE << 8 }, 1 },
        { { (EZ_C_MODULE + 0x1000000ull) << 8 | 1 }, 1 }, /* beyond all modules */
        { { (uint64_t)EZ_R_MORE << 8 | 1 }, 0 },
        { { (uint64_t)EZ_R_PAD << 8 | 1, (uint64_t)EZ_R_PAD << 8 | 1 }, 0 },
        { { (uint64_t)EZ_R_MORE << 8 | 2 }, 1 },
    };
    unsigned hits;
    ok(ez_drain_open(drain, path));
    record(0);
    unsigned l = 1;
    head[l] = rt_ctl_of(l)->head;
    for (unsigned k = 0; k < 4 && bad[_i].code[k]; k++)
        commit(reserve(l), 7, bad[_i].code[k]);
    rt_ctl_of(l)->head = head[l];
    record(1);
    struct ez_drain_stat s;
    ez_drain_flush(drain);
    ez_drain_stat(drain, &s);
    ck_assert_uint_eq(s.torn, bad[_i].torn);
    ck_assert_uint_eq(s.recorded, 2);
    ok(ez_drain_close(drain));
    ck_assert_uint_eq(read_back(0, &hits), 2);
}
END_TEST

/* ---- the guard ------------------------------------------------------------------------------------ */

static uint64_t left_out(void)
{
    return counter_of(1, ID)->exit;
}

START_TEST(a_replacement_does_not_see_itself)
{
    struct ezt_frame frame[4]; /* a deeper call has a lower address */
    struct ezt_frame *outer = &frame[3], *inner = &frame[1];
    ck_assert_int_eq(ez_enter(&module, outer), 1);
    ck_assert_int_eq(ez_enter(&module, inner), 0);
    ck_assert_uint_eq(left_out(), 1);
    ezt_guard_(outer, outer->outer); /* out: in the original all is seen */
    ck_assert_int_eq(ez_enter(&module, inner), 1);
    ezt_guard_(inner, inner->outer);
    ez_again(&module, outer);
    ck_assert_int_eq(ez_enter(&module, inner), 0);
    ezt_guard_(outer, outer->outer); /* leave */
    ck_assert_int_eq(ez_enter(&module, inner), 1);
    ck_assert_uint_eq(left_out(), 2);
}
END_TEST

/* A longjmp left a replacement whose frame was deeper: its guard means nothing any more. */
START_TEST(a_guard_that_was_left_is_none)
{
    struct ezt_frame frame[4];
    ck_assert_int_eq(ez_enter(&module, &frame[0]), 1);
    ck_assert_int_eq(ez_enter(&module, &frame[2]), 1);
    ck_assert_int_eq(ez_enter(&module, &frame[1]), 0);
    ezt_guard_(&frame[2], frame[2].outer);
    ck_assert_int_eq(ez_enter(&module, &frame[1]), 1);
}
END_TEST

START_TEST(a_forked_child_records_nothing)
{
    struct ezt_frame f;
    rt_process()->alive = 0;
    ck_assert_int_eq(ez_enter(&module, &f), 0);
    record(1);
    ez_again(&module, &f);
    ck_assert_uint_eq(hdr->common_dropped, 0);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("event");
    TCase *c = tcase_create("event");
    tcase_set_timeout(c, 60);
    tcase_add_checked_fixture(c, event_setup, teardown);
    tcase_add_loop_test(c, what_is_recorded_is_in_the_trace, 0, 3);
    tcase_add_test(c, more_words_than_fit_are_cut);
    tcase_add_test(c, without_a_trace_none_is_recorded);
    tcase_add_test(c, what_finds_no_room_is_counted);
    tcase_add_loop_test(c, what_is_no_event_is_torn, 0, 7);
    tcase_add_test(c, a_replacement_does_not_see_itself);
    tcase_add_test(c, a_guard_that_was_left_is_none);
    tcase_add_test(c, a_forked_child_records_nothing);
    suite_add_tcase(s, c);
    return run_suite(s);
}
