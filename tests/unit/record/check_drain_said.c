/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_drain_said.c - the drain's errors when it cannot begin, open or close; that a trace has its
 * clock's events to its end; and that a drain gives back its memory, with a trace or without. */
#include "tests/unit/drain_harness.h"
#include "engine/record/drain_priv.h"
#include "engine/record/fxt_out.h"
#include "engine/target.h"
#include "tests/unit/leaks.h"
#include "tests/unit/suite.h"

static void says(ez_err *e, enum ez_code code, const char *want)
{
    ck_assert_msg(e != NULL, "no error: %s", want);
    ck_assert_str_eq(e->msg, want);
    ck_assert_int_eq(e->code, code);
    ez_err_free(e);
}

/* ---- the layout ------------------------------------------------------------------------------ */

#define FIELD(name) offsetof(struct ez_hdr, name), sizeof((struct ez_hdr *)0)->name

/* Each part of the layout ends with the segment, and then a step behind its end. */
static const struct {
    const char *what;
    size_t field, bytes;
    uint64_t step;
} part[] = {
    { "rows", FIELD(off_rows), 8 },         { "lanes", FIELD(off_buffers), 8 },
    { "counters", FIELD(off_counters), 8 }, { "rings", FIELD(off_rings), EZ_SUB_BYTES },
    { "aggregates", FIELD(off_addups), 8 }, { "no lanes", FIELD(nbuffers), 0 },
    { "no ids", FIELD(ids_max), 0 },        { "no sub-buffers", FIELD(nsub), 0 },
    { "one sub-buffer", FIELD(nsub), 1 },
};

static uint64_t size_of(size_t i)
{
    const uint64_t size[] = { IDS_MAX * sizeof(struct ez_row), NBUFFERS * sizeof(struct ez_buffer),
                              (uint64_t)NBUFFERS * IDS_MAX * sizeof(struct ez_counter),
                              NBUFFERS * RING_BYTES,
                              (uint64_t)NBUFFERS * EZ_ADDUPS * EZ_ADDUP_BYTES };
    return size[i];
}

/* The layout of an earlier shell's header must fit the segment before any of it is used. */
START_TEST(a_layout_must_fit)
{
    struct ez_hdr layout = *hdr;
    struct ez_drain_cfg cfg = {
        .hdr = hdr, .memfd = memfd, .pid = getpid(), .event_fd = event_fd, .layout = &layout
    };
    struct ez_drain *d;
    ez_drain_destroy(drain);
    hdr->buffers_ready = 0;
    size_t files = files_open();
    uint64_t last = _i < 5 ? hdr->size - size_of((size_t)_i) : 0;
    uint64_t bad = _i < 5 ? last + part[_i].step : part[_i].step;
    memcpy((char *)&layout + part[_i].field, &bad, part[_i].bytes);
    ez_err *e = ez_drain_create(&cfg, &d);
    ck_assert_msg(e != NULL, "%s", part[_i].what);
    says(e, EZ_E_FORMAT,
         "The shared memory of the process is damaged: its header does not fit its size");
    ck_assert_uint_eq(files_open(), files);
    if (_i == 4) { /* they are the last part: they are where they may be */
        layout = *hdr;
        ck_assert_uint_eq(layout.off_addups, last);
        ok(ez_drain_create(&cfg, &d));
        ez_drain_destroy(d);
    }
    hdr->buffers_ready = 0;
    ok(create(getpid()));
}
END_TEST

/* ---- what is counted ------------------------------------------------------------------------- */

START_TEST(what_the_runtime_says)
{
    for (unsigned how = 0; how < 4; how++) {
        hdr->no_syscalls = how & 1;
        hdr->clock_enters = how >> 1;
        struct ez_drain_stat s = stat_now();
        ck_assert_int_eq(s.no_syscalls, how & 1);
        ck_assert_int_eq(s.clock_enters, how >> 1);
    }
}
END_TEST

/* Each id's counters in all buffers, and no other id's; none of an id that is not there. */
START_TEST(counts_of_each_id)
{
    uint64_t in[IDS_MAX] = { 0 }, out[IDS_MAX] = { 0 }, entries, exits;
    unsigned buffers = hdr->buffers_ready, ids = drain->buffers.reserved;
    ck_assert(buffers > 1 && ids > 1);
    for (unsigned l = 0; l < buffers; l++)
        for (unsigned id = 0; id < ids; id++) {
            in[id] += counter_of(l, id)->entry = 1 + l * 100 + id;
            out[id] += counter_of(l, id)->exit = 3 + l * 1000 + id;
        }
    for (unsigned id = 0; id < ids; id++) {
        ez_drain_counts(drain, id, &entries, &exits);
        ck_assert_uint_eq(entries, in[id]);
        ck_assert_uint_eq(exits, out[id]);
    }
    const uint32_t none[] = { ids, ids + 1, IDS_MAX, UINT32_MAX };
    for (size_t i = 0; i < EZ_ARRAY_LEN(none); i++) {
        ez_drain_counts(drain, none[i], &entries, &exits);
        ck_assert(!entries && !exits);
    }
}
END_TEST

/* ---- traces ---------------------------------------------------------------------------------- */

START_TEST(one_trace_at_a_time)
{
    says(ez_drain_close(drain), EZ_E_STATE, "No trace is open");
    ok(ez_drain_open(drain, path));
    says(ez_drain_open(drain, "other.fxt"), EZ_E_STATE, "A trace is open already");
    ck_assert_int_eq(access("other.fxt", F_OK), -1);
    ok(ez_drain_close(drain));
    says(ez_drain_close(drain), EZ_E_STATE, "No trace is open");
}
END_TEST

static void no_file_beyond(uint64_t bytes)
{
    struct rlimit lim;
    signal(SIGXFSZ, SIG_IGN);
    ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &lim), 0);
    lim.rlim_cur = bytes;
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &lim), 0);
}

/* The disk is full while events are written, or when the trace is closed. */
START_TEST(a_full_disk)
{
    define_all();
    ok(ez_drain_open(drain, path));
    unsigned l = take_buffer((uint32_t)gettid());
    for (int i = 0; i < 1000; i++)
        hit(l, 7, i % 2);
    struct ez_drain_stat s = stat_now();
    ck_assert(s.open && !s.lost);
    no_file_beyond(s.bytes);
    if (_i) { /* more events */
        for (int i = 0; i < 1000; i++)
            hit(l, 7, i % 2);
        s = stat_now();
        ck_assert(!s.open && s.lost);
        says(ez_drain_close(drain), EZ_E_SYS,
             "The trace ended early, because its file could not be written: File too large");
    } else {
        says(ez_drain_close(drain), EZ_E_SYS,
             "The end of the trace could not be written: File too large");
    }
    no_file_beyond(RLIM_INFINITY);
    ck_assert_uint_eq(count_events(path, false), 1000);
    ok(ez_drain_open(drain, path)); /* room again: the next one is whole */
    hit(l, 7, 0);
    ok(ez_drain_close(drain));
    ck_assert_uint_eq(count_events(path, false), 1);
}
END_TEST

START_TEST(ids_have_a_limit)
{
    EZ_FREE char *want = ez_sprintf(
        "Cannot allocate shared memory to count hits of %u probes: No space left on device",
        IDS_MAX + 1);
    says(ez_drain_reserve_ids(drain, IDS_MAX + 1), EZ_E_SYS, want);
    ok(ez_drain_reserve_ids(drain, IDS_MAX));
}
END_TEST

/* The trace begins with a clock event, and has one behind all its other events. */
START_TEST(the_clock_is_told_to_the_end)
{
    struct ez_fxt_in *in;
    struct ez_fxt_event ev;
    bool got = true;
    uint64_t clocks = 0, first = 0, last = 0, least = UINT64_MAX, most = 0;
    define_all();
    ok(ez_drain_open(drain, path));
    unsigned l = take_buffer((uint32_t)gettid());
    for (int i = 0; i < 100; i++)
        hit(l, 7, i % 2);
    ok(ez_drain_close(drain));
    ok(ez_fxt_in_open(path, &in));
    while (got) {
        ok(ez_fxt_in_next(in, &ev, &got));
        if (got && ev.code == EZ_C_DEF + EZ_DEF_CLOCK) {
            first = clocks++ ? first : ev.tick;
            last = ev.tick;
        } else if (got && ev.code >= EZ_C_PROBE) {
            least = EZ_MIN(least, ev.tick);
            most = EZ_MAX(most, ev.tick);
        }
    }
    ez_fxt_in_close(in);
    ck_assert_uint_ge(clocks, 2);
    ck_assert_uint_le(first, least);
    ck_assert_uint_ge(last, most);
}
END_TEST

/* ---- what is shown of the newest events ------------------------------------------------------ */

static void take_last(const struct ez_live_event *e, void *arg)
{
    *(struct ez_live_event *)arg = *e;
}

/* A clock may not advance during a short call. */
START_TEST(a_call_of_0_ns_has_a_duration)
{
    struct ez_target *t;
    struct ez_live_event last = { 0 };
    uint64_t cursor = 0;
    define_all();
    ok(ez_target_create(&t));
    t->tracing.drain = drain;
    ok(ez_drain_open(drain, path));
    unsigned l = take_buffer((uint32_t)gettid());
    hit(l, 7, 1); /* the entry of this call was not recorded */
    ck_assert_uint_eq(ez_live_events(t, 1, &cursor, take_last, &last), 1);
    ck_assert(last.exit && !last.timed);
    hit(l, 7, 0);
    struct ez_rec *entry = rec_at(l, head[l] - EZ_REC_BYTES);
    hit(l, 7, 1);
    rec_at(l, head[l] - EZ_REC_BYTES)->tick = entry->tick;
    ck_assert_uint_eq(ez_live_events(t, 2, &cursor, take_last, &last), 2);
    ck_assert(last.exit && last.timed && !last.duration_ns);
    t->tracing.drain = NULL;
    ez_target_destroy(t);
}
END_TEST

/* ---- what is given back ---------------------------------------------------------------------- */

enum life { PLAIN, TRACE, TRACE_LEFT_OPEN, TWO_TRACES, PARTED, NLIVES };

static void live_once(void *arg)
{
    const enum life how = *(const enum life *)arg;
    teardown_segment();
    make_segment();
    ok(create(getpid()));
    define_all();
    ok(ez_drain_reserve_ids(drain, 5000));
    for (int traces = how == TWO_TRACES ? 2 : how != PLAIN; traces--;) {
        ok(ez_drain_open(drain, path));
        unsigned l = take_buffer((uint32_t)gettid());
        for (int i = 0; i < 40; i++)
            hit(l, 7, i % 2);
        free(ez_drain_path(drain));
        ez_drain_flush(drain);
        if (how != TRACE_LEFT_OPEN && how != PARTED)
            ok(ez_drain_close(drain));
    }
    if (how == PARTED) {
        ez_drain_park(drain);
        ez_drain_leave(drain, false);
    } else {
        ez_drain_destroy(drain);
    }
}

START_TEST(nothing_is_lost)
{
    enum life how = (enum life)_i;
    ez_drain_destroy(drain);
    gives_back(live_once, &how, 10);
    teardown_segment();
    make_segment();
    ok(create(getpid()));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("drain_said");
    TCase *c = tcase_create("drain_said");
    tcase_set_timeout(c, 30);
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_loop_test(c, a_layout_must_fit, 0, EZ_ARRAY_LEN(part));
    tcase_add_test(c, what_the_runtime_says);
    tcase_add_test(c, counts_of_each_id);
    tcase_add_test(c, one_trace_at_a_time);
    tcase_add_loop_test(c, a_full_disk, 0, 2);
    tcase_add_test(c, ids_have_a_limit);
    tcase_add_test(c, the_clock_is_told_to_the_end);
    tcase_add_test(c, a_call_of_0_ns_has_a_duration);
    tcase_add_loop_test(c, nothing_is_lost, 0, NLIVES);
    suite_add_tcase(s, c);
    return run_suite(s);
}
