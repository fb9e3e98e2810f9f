/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_snapshot.c - the flight recorder: what a snapshot has, in order, and that each record is accounted
 * for while threads write and snapshots are taken. */
#include <sys/prctl.h>

#include "engine/trace/fxt_defs.h"
#include "tests/unit/drain_harness.h"
#include "tests/unit/suite.h"

enum { PLAIN = 3, LONG = 5, EVENTS = 1000 /* that are kept of a buffer, about */ };

static struct ez_drain_stat snapped;

static void keep(uint64_t bytes)
{
    ez_drain_keep_begin(drain, &bytes);
    ok(ez_drain_finish(drain));
}

static void keep_setup(void)
{
    setup();
    define_all();
    hdr->overflow_wait = 1;
}

static void snapshot(void)
{
    char *written;
    unlink(path);
    ok(ez_drain_snapshot(drain, path, false, &written, &snapped));
    ck_assert_str_eq(written, path);
    free(written);
    ck_assert_uint_eq(snapped.entries + snapped.exits, snapped.recorded + snapped.filtered +
                                                           snapped.untraced + snapped.dropped +
                                                           snapped.overwritten);
}

struct seen {
    uint64_t events, gaps, lost, entries, exits, clocks, accounting[EZ_ACCOUNTING];
    uint64_t first, last; /* ticks of probes' events                              */
    bool ordered;         /* each thread's ticks rise                             */
    char name[32];
};

static struct seen look(void)
{
    struct seen s = { .ordered = true };
    struct ez_fxt_in *in = NULL;
    struct ez_fxt_event ev;
    struct ez_fxt_defs defs = { 0 };
    uint64_t before[1024] = { 0 };
    bool got = true;
    ok(ez_fxt_in_open(path, &in));
    while (got) {
        ok(ez_fxt_in_next(in, &ev, &got));
        if (!got)
            break;
        if (ez_fxt_is_def(&ev)) {
            ez_fxt_defs_learn(&defs, &ev);
            s.clocks += ev.code == EZ_C_DEF + EZ_DEF_CLOCK;
            if (ev.code == EZ_C_DEF + EZ_DEF_THREAD)
                snprintf(s.name, sizeof s.name, "%.*s", 15, (const char *)(ev.arg + 1));
        } else if (ev.code >= EZ_C_PROBE) {
            s.events++;
            s.first = s.first ? s.first : ev.tick;
            s.last = ev.tick;
            s.ordered &= ev.tick >= before[ev.tid % 1024];
            before[ev.tid % 1024] = ev.tick;
            *(ev.code & 1 ? &s.exits : &s.entries) += 1;
        } else if (ev.code == EZ_C_THREAD + EZ_T_GAP) {
            s.gaps++;
            s.lost += ev.arg[0];
        }
    }
    ck_assert(defs.has_accounting);
    memcpy(s.accounting, defs.accounting, sizeof s.accounting);
    ez_fxt_in_close(in);
    ez_fxt_defs_free(&defs);
    return s;
}

static unsigned buffer(void)
{
    return take_buffer((uint32_t)syscall(SYS_gettid));
}

START_TEST(all_is_there_again_and_again)
{
    char name[16];
    ck_assert(!prctl(PR_GET_NAME, name));
    keep(1 << 20);
    unsigned l = buffer();
    for (unsigned round = 1; round < 4; round++) {
        for (unsigned i = 0; i < 50; i++)
            hit(l, PLAIN, 0), hit(l, PLAIN, 1);
        snapshot();
        struct seen s = look();
        ck_assert_uint_eq(s.events, 100 * round);
        ck_assert_uint_eq(s.gaps, 0);
        ck_assert_uint_eq(s.accounting[0], 100 * round);
        ck_assert_uint_eq(s.accounting[1], 100 * round);
        ck_assert_uint_eq(s.accounting[EZ_ACCOUNTING - 1], 0);
        ck_assert(s.ordered);
        ck_assert_str_eq(s.name, name);
        ck_assert_uint_gt(s.clocks, round); /* the first, and one of each snapshot */
        uint64_t printed = printed_events();
        ck_assert(printed == UINT64_MAX || printed == s.events);
    }
    ok(ez_drain_close(drain));
    struct ez_drain_stat s = stat_now();
    ck_assert_uint_eq(s.overwritten, 300);
    ck_assert(!s.keeps && !s.open);
}
END_TEST

/* Hits between the snapshot's copy and its count, as of threads that run while the shell does not. */
static unsigned late_hits, late_buffer;

void __real_drain_accounting(struct ez_drain *d, struct ez_drain_stat *st);
void __wrap_drain_accounting(struct ez_drain *d, struct ez_drain_stat *st);
void __wrap_drain_accounting(struct ez_drain *d, struct ez_drain_stat *st)
{
    for (; late_hits; late_hits--)
        hit(late_buffer, PLAIN, 0), hit(late_buffer, PLAIN, 1);
    __real_drain_accounting(d, st);
}

START_TEST(hits_behind_the_copy_are_for_the_next)
{
    keep(1 << 20);
    late_buffer = buffer();
    for (unsigned i = 0; i < 10; i++)
        hit(late_buffer, PLAIN, 0), hit(late_buffer, PLAIN, 1);
    late_hits = 90;
    snapshot();
    ck_assert_uint_eq(snapped.entries, 10);
    ck_assert_uint_eq(snapped.exits, 10);
    ck_assert_uint_eq(look().events, 20);
    snapshot();
    ck_assert_uint_eq(snapped.entries, 100);
    ck_assert_uint_eq(look().events, 200);
}
END_TEST

START_TEST(the_newest_are_kept)
{
    keep(EVENTS * 24);
    unsigned l = buffer();
    uint64_t last = 0;
    for (unsigned i = 0; i < 20000; i++) {
        hit(l, PLAIN, 0);
        hit(l, PLAIN, 1);
        last = rec_at(l, head[l] - EZ_REC_BYTES)->tick;
    }
    snapshot();
    struct seen s = look();
    ck_assert_uint_ge(s.events, EVENTS);
    ck_assert_uint_le(s.events, 3 * EVENTS); /* the least is a block */
    ck_assert(s.ordered);
    ck_assert(!last || s.last == last);
    ck_assert_uint_eq(s.gaps, 1);
    ck_assert_uint_eq(s.lost, 40000 - s.events);
    ck_assert_uint_eq(s.accounting[0], 40000);
    ck_assert_uint_eq(s.accounting[1], s.events);
    ck_assert_uint_eq(s.accounting[EZ_ACCOUNTING - 1], 40000 - s.events);
    ok(ez_drain_close(drain));
    ck_assert_uint_eq(stat_now().overwritten, 40000);
}
END_TEST

START_TEST(filters_hold)
{
    ez_drain_filter(drain, LONG,
                    &(struct ez_drain_filter){ .min_ns = 1, .depth = 1, .follows = true });
    keep(1 << 20);
    unsigned l = buffer();
    for (unsigned i = 0; i < 10; i++) {
        hit(l, LONG, 0);
        hit(l, LONG, 0);
        hit(l, LONG, 1);
        hit(l, LONG, 1);
    }
    snapshot();
    struct seen s = look();
    ck_assert_uint_eq(s.events + snapped.filtered, 40);
    ck_assert_uint_ge(snapped.filtered, 20);
    ck_assert_uint_eq(s.entries, s.exits);
    ok(ez_drain_close(drain));
    stat_now();
}
END_TEST

START_TEST(a_disk_that_fails_ends_nothing)
{
    char *written;
    keep(1 << 20);
    unsigned l = buffer();
    hit(l, PLAIN, 0);
    ez_err *e = ez_drain_snapshot(drain, "no/such/folder.fxt", false, &written, &snapped);
    ck_assert(!ez_err_drop(e) && !written);
    e = ez_drain_snapshot(drain, "/dev/full", false, &written, &snapped);
    ez_err_free(e);
    free(written);
    hit(l, PLAIN, 1);
    ck_assert_int_eq((int)hdr->trace_open, 1);
    snapshot();
    ck_assert_uint_eq(look().events, 2);
    refused(ez_drain_open(drain, "other.fxt"), EZ_E_STATE, 0);
    ok(ez_drain_close(drain));
    e = ez_drain_snapshot(drain, path, false, &written, &snapped);
    refused(e, EZ_E_STATE, 0);
}
END_TEST

/* ---- while threads write ---------------------------------------------------------------- */

static volatile int stop;
static pthread_mutex_t taking = PTHREAD_MUTEX_INITIALIZER;

static void *writes(void *arg)
{
    unsigned l = 0;
    while (!l) { /* the drain makes more buffers */
        pthread_mutex_lock(&taking);
        l = buffer();
        pthread_mutex_unlock(&taking);
    }
    do {
        for (unsigned i = 0; i < 100; i++)
            hit(l, PLAIN + l % 2, 0), hit(l, PLAIN + l % 2, 1);
    } while (!stop);
    *(unsigned *)arg = l;
    return NULL;
}

START_TEST(threads_write_meanwhile)
{
    pthread_t id[4];
    unsigned l[4];
    uint64_t sum = 0;
    keep(64 << 10);
    for (unsigned i = 0; i < 4; i++)
        pthread_create(&id[i], NULL, writes, &l[i]);
    for (unsigned i = 0; i < 20; i++) {
        snapshot();
        struct seen s = look();
        ck_assert(s.ordered);
        ck_assert_uint_eq(s.accounting[1], s.events);
        ck_assert_uint_eq(s.accounting[EZ_ACCOUNTING - 1], s.lost);
    }
    stop = 1;
    for (unsigned i = 0; i < 4; i++)
        pthread_join(id[i], NULL);
    snapshot();
    struct seen s = look();
    for (unsigned i = 0; i < 4; i++)
        sum += counter_of(l[i], PLAIN + l[i] % 2)->entry * 2;
    ck_assert_uint_eq(s.accounting[0], sum);
    ck_assert_uint_eq(s.events + s.lost, sum);
    ok(ez_drain_close(drain));
    stat_now();
}
END_TEST

int main(void)
{
    Suite *s = suite_create("snapshot");
    TCase *c = tcase_create("snapshot");
    tcase_set_timeout(c, 60);
    tcase_add_checked_fixture(c, keep_setup, teardown);
    tcase_add_test(c, all_is_there_again_and_again);
    tcase_add_test(c, hits_behind_the_copy_are_for_the_next);
    tcase_add_test(c, the_newest_are_kept);
    tcase_add_test(c, filters_hold);
    tcase_add_test(c, a_disk_that_fails_ends_nothing);
    tcase_add_test(c, threads_write_meanwhile);
    suite_add_tcase(s, c);
    return run_suite(s);
}
