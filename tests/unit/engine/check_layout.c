/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_layout.c - how large the shared memory is, and where its parts lie: rows, lanes, counters and
 * rings one behind the other, without overlap and no larger than need be; and how it shrinks to a
 * limit. rt_load.c itself is in this program. */
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "engine/patch/rt_load.c"

#include "tests/unit/engine/fake.h"
#include "tests/unit/suite.h"

START_TEST(parts_of_the_segment)
{
    for (int round = 0; round < 20000; round++) {
        struct ez_hdr h = { .nlanes = 1 + roll(5000), .ids_max = 1 + roll(1 << 20), .nsub = 2 };
        h.nsub <<= roll(9);
        uint64_t rows_end = EZ_PAGE + h.ids_max * sizeof(struct ez_row);
        uint64_t lanes_end = rows_end + h.nlanes * sizeof(struct ez_lane);
        SURE(ez_rt_layout(&h) == h.size);
        SURE(h.off_rows == EZ_PAGE);
        SURE(h.off_lanes == rows_end);
        SURE(h.off_counters >= lanes_end && h.off_counters < lanes_end + EZ_PAGE);
        SURE(h.off_counters % EZ_PAGE == 0);
        uint64_t counters_end =
            h.off_counters + (uint64_t)h.nlanes * h.ids_max * sizeof(struct ez_counter);
        SURE(h.off_rings >= counters_end && h.off_rings < counters_end + EZ_SUB_BYTES);
        SURE(h.off_rings % EZ_SUB_BYTES == 0);
        SURE(h.size == h.off_rings + (uint64_t)h.nlanes * h.nsub * EZ_SUB_BYTES);
    }
    for (uint32_t n = 1; n < 3000; n++) {
        uint64_t size = ez_rt_ctls_size(n), least = 4096 + n * sizeof(struct ez_ctl);
        SURE(size >= least && size < least + EZ_PAGE && size % EZ_PAGE == 0);
    }
}
END_TEST

/* What is halved next, in its order. */
static bool halved(struct ez_hdr *h)
{
    if (h->nlanes > NLANES_USUAL)
        h->nlanes /= 2;
    else if (h->ids_max > IDS_LEAST)
        h->ids_max /= 2;
    else if (h->nlanes > NLANES_LEAST)
        h->nlanes /= 2;
    else if (h->nsub > 2)
        h->nsub /= 2;
    else
        return false;
    return true;
}

/* Each step of the way down, from the most to the least: a limit of exactly its size gives it, one byte
 * less gives the next. */
START_TEST(it_shrinks_to_a_limit)
{
    uint32_t generation = 0;
    for (uint32_t nsub = 2; nsub <= 512; nsub *= 16) {
        struct ez_hdr want = { .nlanes = NLANES, .ids_max = IDS_MAX, .nsub = nsub };
        bool more = true;
        fake_begin();
        fake.inf.pid = 4711;
        for (unsigned steps = 0; more; steps++) {
            uint64_t size = ez_rt_layout(&want);
            struct ez_hdr next = want;
            more = halved(&next);
            for (uint64_t most = size; most + 1 >= size; most--) {
                struct ez_hdr h = { 0 };
                const struct ez_hdr *is = most == size ? &want : &next;
                ez_rt_layout(&next);
                rt_header_init(&fake, &h, nsub, most);
                if (size > EZ_FAR_SIZE - 4 * FAR_STEP)
                    continue; /* that is more than there is room for */
                ck_assert_uint_eq(h.nlanes, is->nlanes);
                ck_assert_uint_eq(h.ids_max, is->ids_max);
                ck_assert_uint_eq(h.nsub, is->nsub);
                ck_assert_uint_eq(h.size, is->size);
                ck_assert_uint_gt(h.generation, generation);
                generation = h.generation;
            }
            want = next;
        }
        ck_assert_uint_eq(want.nlanes, NLANES_LEAST);
        ck_assert_uint_eq(want.ids_max, IDS_LEAST);
        ck_assert_uint_eq(want.nsub, 2);
        struct ez_hdr all = { 0 };
        rt_header_init(&fake, &all, nsub, UINT64_MAX);
        ck_assert_uint_le(all.size, EZ_FAR_SIZE - 4 * FAR_STEP);
    }
}
END_TEST

START_TEST(what_the_header_says)
{
    for (int how = 0; how < 4; how++) {
        struct ez_hdr h = { 0 };
        fake_begin();
        fake.inf.pid = 4711;
        fake.tracing.mono = how & 1;
        fake.set.overflow_wait = how & 2;
        rt_header_init(&fake, &h, 8, 1 << 30);
        ck_assert(h.magic == EZ_ABI_MAGIC && h.abi == EZ_ABI_VERSION);
        ck_assert_uint_eq(h.row_bytes, sizeof(struct ez_row));
        ck_assert_uint_eq(h.target_pid, 4711);
        ck_assert_uint_eq(h.shell_pid, (uint32_t)getpid());
        ck_assert_uint_eq(h.clock, how & 1 ? EZ_CLOCK_MONO_NS : EZ_CLOCK_RAW_TSC);
        ck_assert_int_eq(h.overflow_wait != 0, (how & 2) != 0);
    }
}
END_TEST

START_TEST(rings_are_as_large_as_asked_for)
{
    const unsigned sub = EZ_SUB_BYTES / 1024;
    fake_begin();
    for (unsigned kib = 1; kib <= 2000 * sub; kib += kib < 64 * sub ? 1 : sub - 1) {
        fake.set.ring_kib = kib;
        uint32_t n = rt_ring_subs(&fake);
        SURE(n >= 2 && n <= 512 && !(n & (n - 1)));
        SURE(n == 2 || n * sub <= kib);
        SURE(n == 512 || n * 2 * sub > kib);
    }
}
END_TEST

/* Half of what is left under the limit; all there is without one. */
START_TEST(room_under_a_limit)
{
    pid_t child = fork();
    if (!child) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        for (;;)
            pause();
    }
    char path[64];
    unsigned long pages = 0;
    struct rlimit limit = { .rlim_cur = RLIM_INFINITY, .rlim_max = RLIM_INFINITY };
    snprintf(path, sizeof path, "/proc/%d/statm", child);
    FILE *f = fopen(path, "re");
    ck_assert(f && fscanf(f, "%lu", &pages) == 1);
    fclose(f);
    ck_assert_uint_eq(rt_address_room(child), UINT64_MAX);
    const struct {
        uint64_t limit, room;
    } c[] = { { pages * ez_page() + (1ull << 40), 1ull << 39 },
              { pages * ez_page() + 2, 1 },
              { pages * ez_page(), 0 },
              { pages * ez_page() - 1, 0 },
              { 0, 0 } };
    for (size_t i = 0; i < EZ_ARRAY_LEN(c); i++) {
        limit.rlim_cur = c[i].limit;
        ck_assert_int_eq(prlimit(child, RLIMIT_AS, &limit, NULL), 0);
        ck_assert_uint_eq(rt_address_room(child), c[i].room);
    }
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    ck_assert_uint_eq(rt_address_room(1 << 30), UINT64_MAX); /* no process */
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("layout");
    TCase *c = tcase_create("layout");
    tcase_set_timeout(c, 60);
    tcase_add_test(c, parts_of_the_segment);
    tcase_add_test(c, it_shrinks_to_a_limit);
    tcase_add_test(c, what_the_header_says);
    tcase_add_test(c, rings_are_as_large_as_asked_for);
    tcase_add_test(c, room_under_a_limit);
    suite_add_tcase(suite, c);
    return run_suite(suite);
}
