/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_calls.c - which calls were left (calls.h), against programs made up here that know it:
 * random ones on stacks of their own, and what no program would say. */
#include "tests/unit/many.h"

#include <check.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "engine/record/calls.h"
#include "tests/unit/suite.h"

#define LEFT_MOST 100000

static struct {
    uint32_t id;
    uint64_t tick;
} left[LEFT_MOST];
static size_t nleft, told;
static struct ez_calls calls;
static struct ez_calls_env env;
static struct ez_call_region map[16];
static size_t nmap, asked;
static uint64_t now;

static void on_left(void *arg, const struct ez_open_call *k, uint64_t tick)
{
    told++;
    if (nleft < LEFT_MOST) {
        left[nleft].id = k->id;
        left[nleft++].tick = tick;
    }
}

static bool region(void *arg, uint64_t frame, struct ez_call_region *out)
{
    asked++;
    for (size_t i = 0; i < nmap; i++)
        if (frame >= map[i].lo && frame < map[i].hi) {
            *out = map[i];
            return true;
        }
    return false;
}

static void setup(void)
{
    env = (struct ez_calls_env){ .left = on_left, .region = region };
    calls = (struct ez_calls){ .on = 0 };
    nleft = told = nmap = asked = 0;
    now = 1000;
}

static void teardown(void)
{
    ez_calls_forget(&calls, &env);
    ck_assert_uint_eq(env.room, 0);
    ck_assert_uint_eq(calls.room, 0);
}

static void own(uint64_t lo, uint64_t hi, bool mine)
{
    map[nmap++] = (struct ez_call_region){ lo, hi, .own = mine };
}

/* Enter a call, as the drain does it. */
static void in(uint64_t frame, uint32_t id)
{
    env.before = now++;
    if (!ez_calls_quick_entry(&calls, frame, id))
        ez_calls_entry(&calls, &env, frame, now, id, true);
}

static void out(uint64_t frame)
{
    env.before = now++;
    if (!ez_calls_quick_exit(&calls, frame))
        ez_calls_exit(&calls, &env, frame, now);
}

static void gone(uint64_t frame)
{
    env.before = now++;
    ez_calls_left(&calls, &env, frame, now);
}

static void new_stack(uint64_t lo, uint64_t hi)
{
    env.before = now++;
    ez_calls_stack(&calls, &env, lo, hi, now);
}

static void were_left(size_t n, ...)
{
    va_list ap;
    va_start(ap, n);
    ck_assert_uint_eq(nleft, n);
    for (size_t i = 0; i < n; i++) {
        ck_assert_uint_eq(left[i].id, va_arg(ap, unsigned));
        ck_assert_uint_eq(left[i].tick, va_arg(ap, unsigned));
    }
    va_end(ap);
    nleft = 0;
}

START_TEST(returns_are_no_news)
{
    own(0, 0x10000, true);
    for (int round = 0; round < 100; round++) {
        for (uint32_t i = 0; i < 50; i++)
            in(0x9000 - i * 16, i);
        for (uint32_t i = 50; i-- > 0;)
            out(0x9000 - i * 16);
    }
    ez_calls_end(&calls, &env, ++now);
    were_left(0);
    ck_assert_uint_eq(asked, 1);
}
END_TEST

START_TEST(the_next_event_at_or_above_tells)
{
    own(0, 0x10000, true);
    in(0x9000, 1), in(0x8000, 2), in(0x7000, 3); /* 1001 to 1003 */
    in(0x8000, 4);
    were_left(2, 3, 1004, 2, 1004);
    out(0x8000);
    in(0x7000, 5), out(0x9000);
    were_left(1, 5, 1007);
    ez_calls_end(&calls, &env, ++now);
    were_left(0);
}
END_TEST

/* A record of an entry-only probe says where the stack is; such a call is never told as left. */
START_TEST(entries_alone_are_not_followed)
{
    own(0, 0x10000, true);
    in(0x9000, 1);
    ez_calls_entry(&calls, &env, 0x8000, ++now, 7, false);
    ez_calls_entry(&calls, &env, 0x9000, ++now, 8, false); /* in the same frame */
    were_left(0);
    ez_calls_entry(&calls, &env, 0x9008, ++now, 7, false);
    were_left(1, 1, 1004);
    out(0x8000);
    ez_calls_end(&calls, &env, ++now);
    were_left(0);
}
END_TEST

START_TEST(who_leaves_is_believed)
{
    own(0, 0x10000, true);
    in(0x9000, 1), in(0x8000, 2), in(0x7000, 3), in(0x6000, 4);
    gone(0x6000);
    were_left(1, 4, 1005);
    gone(0x7ff8); /* the jump lands between two frames */
    were_left(1, 3, 1006);
    in(0x5000, 5); /* deeper than the calls that are gone */
    out(0x5000);
    out(0x8000), out(0x9000);
    were_left(0);
}
END_TEST

START_TEST(other_stacks_rest)
{
    own(0x1000000, 0x2000000, true);
    own(0x100000, 0x110000, false);
    own(0x200000, 0x210000, false);
    in(0x1900000, 1), in(0x1800000, 2); /* 1002 */
    for (int i = 0; i < 3; i++) {
        in(0x109000 - (unsigned)i * 64, 10 + (unsigned)i); /* goes a call deeper each time */
        in(0x209000, 20), out(0x209000);
        in(0x1700000, 3), out(0x1700000);
    }
    were_left(0);
    for (int i = 3; i-- > 0;)
        out(0x109000 - (unsigned)i * 64);
    out(0x1800000), out(0x1900000);
    were_left(0);
    ez_calls_end(&calls, &env, ++now);
    were_left(0);
    ck_assert_uint_eq(asked, 3);
}
END_TEST

/* Two coroutines in one mapping: a call below may be suspended, and was if it returns. */
START_TEST(what_rests_in_one_mapping_is_parked)
{
    own(0x100000, 0x180000, false);
    in(0x109000, 1), in(0x108000, 2); /* 1002; the low one */
    in(0x149000, 3);                  /* 1003; the high one: 1 and 2 are parked */
    out(0x108000);
    in(0x148000, 4);
    out(0x148000), out(0x149000);
    in(0x108000, 5), out(0x108000);
    out(0x109000);
    were_left(0);
    in(0x109000, 6); /* 1011 */
    in(0x149000, 7); /* 1012: 6 is parked */
    out(0x149000);   /* 1013 */
    in(0x109000, 8); /* 1014: another has its place, so it was gone then */
    were_left(1, 6, 1012);
    ez_calls_end(&calls, &env, ++now);
    were_left(1, 8, 1015);
}
END_TEST

/* The same two where the runtime says what is one stack, and no mapping is known: the one that is left
 * for good ends when it was left, though the other goes on. */
START_TEST(stacks_that_are_told_are_told_apart)
{
    own(0x1000000, 0x2000000, true);
    new_stack(0x140000, 0x180000), gone(0x17fff8);
    in(0x149000, 1), in(0x148000, 2); /* 1004 */
    gone(0x1900000);                  /* 1005 */
    new_stack(0x100000, 0x140000), gone(0x13fff8);
    in(0x109000, 3), in(0x108000, 4); /* 1009 */
    in(0x1800000, 5);                 /* 1010 */
    new_stack(0x100000, 0x140000);    /* once more */
    in(0x107000, 6), out(0x107000), out(0x108000);
    in(0x1700000, 7); /* 1015 */
    were_left(0);
    ez_calls_end(&calls, &env, ++now);
    were_left(5, 3, 1014, 2, 1004, 1, 1004, 7, 1016, 5, 1016);
}
END_TEST

/* Memory that had stacks is given to another; what lies between stacks has a mapping, but its own
 * stack. One inside the thread's own is a part of it. */
START_TEST(what_a_new_stack_takes)
{
    own(0x1000000, 0x2000000, true);
    own(0x100000, 0x200000, false);
    new_stack(0x110000, 0x120000), in(0x11f000, 1); /* 1002 */
    new_stack(0x130000, 0x140000), in(0x13f000, 2); /* 1004 */
    in(0x12f000, 3);                                /* 1005 */
    in(0x1900000, 4);                               /* 1006 */
    ck_assert_uint_eq(calls.stack.n, 4);
    new_stack(0x118000, 0x120000); /* 1007 */
    were_left(1, 1, 1003);
    new_stack(0x110000, 0x131000); /* 1008: somebody knows better */
    in(0x1800000, 5);
    new_stack(0x1100000, 0x1200000);
    in(0x11f0000, 6), out(0x1900000); /* 1012 */
    were_left(2, 6, 1012, 5, 1012);
    out(0x12f000), out(0x13f000);
    ez_calls_end(&calls, &env, ++now);
    were_left(0);
}
END_TEST

/* More stacks come than are kept: those on which calls rest stay. */
START_TEST(stacks_without_calls_are_forgotten)
{
    in(0x90, 1);
    for (uint32_t i = 1; i < 3 * EZ_CALLS_STACKS; i++) {
        new_stack(i * 0x1000, i * 0x1000 + 0x1000);
        in(i * 0x1000 + 0xff0, i), out(i * 0x1000 + 0xff0);
        ck_assert_uint_le(calls.stack.n, EZ_CALLS_STACKS);
    }
    out(0x90);
    ez_calls_end(&calls, &env, ++now);
    were_left(0);
}
END_TEST

/* A handler on a stack of its own leaves by siglongjmp: its call ended with the jump, and before the
 * call that the handler interrupted. */
START_TEST(what_is_left_elsewhere_ends_when_it_was_left)
{
    own(0x1000000, 0x2000000, true);
    own(0x100000, 0x110000, false);
    in(0x1900000, 1);
    in(0x109000, 2);  /* 1002: the handler */
    gone(0x18ffff8);  /* 1003: lands on the first stack */
    out(0x1900000);   /* 1004 */
    in(0x1900000, 3); /* 1005 */
    in(0x109000, 4);  /* 1006: the next handler */
    were_left(1, 2, 1002);
    gone(0x18ffff8); /* 1007 */
    out(0x1900000);
    ez_calls_end(&calls, &env, now += 100);
    were_left(1, 4, 1006);
    in(0x109000, 5); /* 1109 */
    now += 9;
    gone(0x18ffff8); /* 1119 */
    ez_calls_end(&calls, &env, now += 100);
    were_left(1, 5, 1118);
}
END_TEST

START_TEST(a_stack_may_grow_and_blocks_may_join)
{
    own(0x8000000, 0x8010000, true);
    in(0x8009000, 1);
    map[0].lo = 0x7000000;
    in(0x7f00000, 2), in(0x7800000, 3);
    ck_assert_uint_eq(calls.stack.n, 1);
    out(0x7800000), out(0x7f00000), out(0x8009000);
    were_left(0);
    /* nobody knows, then somebody does */
    nmap = 0;
    in(0x20a00000, 4), in(0x20900000, 5), in(0x20800000, 6), in(0x207ffff0, 7);
    ck_assert_uint_gt(calls.stack.n, 2);
    own(0x20000000, 0x21000000, false);
    in(0x20500000, 8);
    ck_assert_uint_eq(calls.stack.n, 2);
    out(0x20500000), out(0x207ffff0), out(0x20800000), out(0x20900000), out(0x20a00000);
    ez_calls_end(&calls, &env, ++now);
    were_left(0);
}
END_TEST

/* ---- random programs ---------------------------------------------------------------------- */

static uint64_t seed;
static uint32_t die(uint32_t n)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (uint32_t)(seed % n);
}

struct truth { /* a stack as the program itself knows it */
    uint64_t frame[64];
    uint32_t id[64];
    unsigned n;
};

/* Calls, returns, throws and jumps on four stacks with a mapping each, one of them the
 * thread's own; each event that leaves says so. All that is told is what the program did. */
START_TEST(random_programs)
{
    for (unsigned round = 1; round <= 300; round++) {
        static struct truth t[4];
        uint32_t id = 0;
        seed = round * 2654435761u;
        ez_calls_forget(&calls, &env);
        memset(t, 0, sizeof t);
        nmap = 0;
        for (unsigned i = 0; i < 4; i++)
            own((i + 1) << 24, (i + 2) << 24, !i);
        for (unsigned step = 0, on = 0; step < 2000; step++) {
            struct truth *s = &t[on];
            uint64_t top = ((on + 2ull) << 24) - 64;
            nleft = 0;
            switch (die(5)) {
            case 0: /* another stack */
                on = die(4);
                break;
            case 1:
            case 2:
                if (s->n == 64)
                    break;
                s->frame[s->n] = (s->n ? s->frame[s->n - 1] : top) - 16 - die(200) * 16;
                s->id[s->n] = ++id;
                in(s->frame[s->n++], id);
                ck_assert_uint_eq(nleft, 0);
                break;
            case 3:
                if (!s->n)
                    break;
                out(s->frame[--s->n]);
                ck_assert_uint_eq(nleft, 0);
                break;
            default: /* an exception, frame by frame, or a jump over several */
                if (!s->n)
                    break;
                unsigned down = die(s->n), was = s->n;
                for (unsigned k = was; on && k-- > down;) /* elsewhere a jump parks */
                    gone(s->frame[k]);
                if (!on)
                    gone(s->frame[down] + die(2) * 8);
                s->n = down;
                ck_assert_uint_eq(nleft, was - down);
                for (unsigned k = 0; k < was - down; k++)
                    ck_assert_uint_eq(left[k].id, s->id[was - 1 - k]);
            }
        }
        size_t open = t[0].n + t[1].n + t[2].n + t[3].n;
        nleft = 0;
        ez_calls_end(&calls, &env, ++now);
        ck_assert_uint_eq(nleft, open);
    }
}
END_TEST

/* Whatever the records say, no more calls end than began, and memory stays bounded. */
START_TEST(hostile_records)
{
    uint64_t entered = 0;
    for (unsigned round = 1; round <= 6; round++) {
        seed = round * 40503;
        for (unsigned i = 0; i < 4; i++)
            map[i] = (struct ez_call_region){ seed << i * 9, (seed << i * 9) + (1u << (4 + 5 * i)),
                                              .own = i & 1 };
        nmap = round % 3 ? 4 : 0;
        for (unsigned i = 0; i < 400000; i++) {
            static const uint64_t edge[] = { 0, UINT64_MAX, UINT64_MAX - 8, 1, 1u << 20 };
            uint64_t frame = die(3)   ? 0x7000000000 - i * 8 * (uint64_t)(round & 1)
                             : die(2) ? edge[die(5)]
                                      : (uint64_t)die(64) << die(60);
            now += die(100) ? 1 : (uint64_t)0 - die(1000);
            switch (die(4)) {
            case 0:
                if (!die(50))
                    ez_calls_stack(&calls, &env, frame, frame + ((uint64_t)1 << die(40)), now);
                out(frame);
                break;
            case 1:
                gone(frame);
                break;
            default:
                entered++;
                in(frame, i);
            }
            ck_assert_uint_le(told, entered);
            ck_assert_uint_le(calls.room, EZ_CALLS_MOST);
            ck_assert_uint_le(calls.stack.n, EZ_CALLS_STACKS);
        }
    }
    ez_calls_end(&calls, &env, now);
    ck_assert_uint_le(told, entered);
}
END_TEST

/* As many nested calls as a stack of the usual size has room for. */
START_TEST(a_deep_recursion_is_left)
{
    uint32_t n = (8u << 20) / 16;
    own(0, UINT64_MAX, true);
    for (uint32_t i = 0; i < n; i++)
        in(0x7000000000 - i * 16ull, i);
    gone(0x7000000000);
    ck_assert_uint_eq(told, n);
}
END_TEST

/* Calls deeper than the limit are not followed, and their exits are accepted. */
START_TEST(there_is_a_limit)
{
    uint32_t n = EZ_CALLS_MOST + 1000;
    own(0, UINT64_MAX, true);
    for (uint32_t i = 0; i < n; i++)
        in(0x7000000000 - i * 16ull, i);
    for (uint32_t i = n; i-- > 0;)
        out(0x7000000000 - i * 16ull);
    ck_assert_uint_eq(told, 0);
    ez_calls_end(&calls, &env, ++now);
    ck_assert_uint_eq(told, 0);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        returns_are_no_news,
        the_next_event_at_or_above_tells,
        entries_alone_are_not_followed,
        who_leaves_is_believed,
        other_stacks_rest,
        what_rests_in_one_mapping_is_parked,
        stacks_that_are_told_are_told_apart,
        what_a_new_stack_takes,
        stacks_without_calls_are_forgotten,
        what_is_left_elsewhere_ends_when_it_was_left,
        a_stack_may_grow_and_blocks_may_join,
        random_programs,
        hostile_records,
        a_deep_recursion_is_left,
        there_is_a_limit,
    };
    Suite *s = suite_create("calls");
    TCase *c = tcase_create("calls");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_set_timeout(c, 60);
    for (size_t i = 0; i < EZ_ARRAY_LEN(tests); i++)
        tcase_add_test(c, tests[i]);
    suite_add_tcase(s, c);
    return run_suite(s);
}
