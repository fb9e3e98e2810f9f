/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_analysis.c - waits, their causes, the critical path and the efficiencies: programs whose
 * answer is known, and random programs against a simulation that knows who waits for whom. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine/analysis/analysis.h"
#include "engine/base/strutil.h"
#include "tests/unit/suite.h"

enum { RANKS = 4, PATHS = 32, WORLD = 1, BIG = 1 << 20, LATENCY = 3 };

static const struct ez_words started_words = {
    .word = { { "comm", EZ_W_HEX }, { "bytes", EZ_W_UINT }, { "id", EZ_W_UINT } },
    .n = 3,
    .subject = -1,
    .by_name = -1
};

static struct ez_model m;
static struct ez_analysis *a;
static uint32_t process[RANKS], thread[RANKS];

static const struct ez_words send_words = {
    .word = { { "bytes", EZ_W_UINT }, { "tag", EZ_W_INT }, { "communicator", EZ_W_UINT } },
    .n = 3,
    .subject = -1,
    .by_name = -1
};
static const struct ez_words coll_words = {
    .word = { { "comm", EZ_W_HEX }, { "bytes", EZ_W_UINT }, { "root", EZ_W_INT } },
    .n = 3,
    .subject = -1,
    .by_name = -1
};

/* ---- what happens: noted in any order, played in the order of time -------------------------------- */

struct event {
    uint64_t ns, order;
    enum what { PUSH, POP, COLLECTIVE, STARTED, SEND, GOT, REQUEST, EVENT, OFF, GAP } what;
    uint32_t container, name, peer, subject;
    uint64_t key, bytes, request;
    int number; /* root of a collective operation, enum ez_request, enum ez_off */
};
static struct event events[1 << 16];
static size_t n;

static struct event *note(uint64_t ns, uint32_t container, enum what what, uint32_t name)
{
    struct event *e = &events[n];
    *e = (struct event){ .ns = ns,
                         .order = n,
                         .what = what,
                         .container = container,
                         .name = name,
                         .number = -1,
                         .subject = EZ_NONE_IDX };
    n++;
    return e;
}

static int in_order(const void *x, const void *y)
{
    const struct event *p = x, *q = y;
    if (p->ns != q->ns)
        return p->ns < q->ns ? -1 : 1;
    return p->order < q->order ? -1 : 1;
}

static void play_event(const struct event *e)
{
    const uint64_t message[] = { e->bytes, 5, WORLD };
    const uint64_t coll[] = { e->key ? e->key : WORLD, 8, (uint64_t)e->number };
    const struct ez_link l = { e->name, e->peer, e->key, e->request, message, 3, 0, &send_words };
    struct ez_about about = EZ_ABOUT_NOTHING;
    about.subject = e->subject;
    ez_model_at(&m, e->ns);
    switch (e->what) {
    case PUSH:
        ez_model_push(&m, e->container, e->name, about);
        break;
    case POP:
        ez_model_pop(&m, e->container, about);
        break;
    case COLLECTIVE:
        about.words = &coll_words;
        ez_model_push_record(&m, e->container, e->name, coll, e->number == -1 ? 2 : 3, about);
        break;
    case STARTED:
        about.words = &started_words;
        ez_model_push_record(&m, e->container, e->name, (const uint64_t[]){ WORLD, 8, e->request },
                             3, about);
        break;
    case SEND:
        ez_model_link_start(&m, e->container, &l);
        break;
    case GOT:
        ez_model_link_end(&m, e->container, &l);
        break;
    case REQUEST:
        ez_model_request(&m, e->container, e->name, e->request, (enum ez_request)e->number);
        break;
    case EVENT:
        ez_model_event(&m, e->container, e->name, NULL, 0, about);
        break;
    case GAP:
        ez_model_gap(&m, e->container, 4);
        break;
    case OFF:
        ez_model_off(&m, e->container, (enum ez_off)e->number);
        break;
    }
}

static void setup(void)
{
    char name[32];
    ez_model_init(&m, "app", NULL, NULL);
    for (unsigned i = 0; i < RANKS; i++) {
        snprintf(name, sizeof name, "rank %u", i);
        process[i] = ez_model_container(&m, EZ_L_PROCESS, 0, name, 10 + i, 0);
        m.container.at[process[i]].rank = i;
        snprintf(name, sizeof name, "rank %u: app %u", i, 10 + i);
        thread[i] = ez_model_container(&m, EZ_L_THREAD, process[i], name, 10 + i, 10 + i);
    }
    n = 0;
    a = ez_analysis_create(&m);
    m.fn = ez_analysis_item;
    m.fn_arg = a;
}

static void teardown(void)
{
    ez_analysis_free(a);
    ez_model_deinit(&m);
}

static void finish(void)
{
    qsort(events, n, sizeof *events, in_order);
    for (size_t i = 0; i < n; i++)
        play_event(&events[i]);
    ez_model_end(&m);
    ez_analysis_finish(a);
}

static uint32_t state(const char *name)
{
    bool mpi = !strncmp(name, "MPI_", 4);
    return ez_model_name(&m, EZ_N_STATE, name, mpi ? "mpi" : "app", mpi ? 0 : 0x1000);
}
static uint32_t message(void)
{
    return ez_model_name(&m, EZ_N_LINK, "message", "mpi", 0);
}

static void push(uint64_t ns, unsigned rank, const char *name)
{
    note(ns, thread[rank], PUSH, state(name));
}
static void pop(uint64_t ns, unsigned rank)
{
    note(ns, thread[rank], POP, 0);
}
/* root: -1 = the operation has none, -2 = the rank is in the root's group of an intercommunicator */
static void collective(uint64_t ns, unsigned rank, const char *name, int root)
{
    note(ns, thread[rank], COLLECTIVE, state(name))->number = root;
}
/* A nonblocking operation with this number. */
static void starts(uint64_t ns, unsigned rank, const char *name, uint64_t number)
{
    note(ns, thread[rank], STARTED, state(name))->request = number;
}
static void message_end(uint64_t ns, enum what what, unsigned at, unsigned other, uint64_t key,
                        uint64_t bytes, uint64_t request)
{
    struct event *e = note(ns, thread[at], what, message());
    e->peer = thread[other];
    e->key = key;
    e->bytes = bytes;
    e->request = request;
}
static void sends(uint64_t ns, unsigned from, unsigned to, uint64_t key, uint64_t bytes,
                  uint64_t request)
{
    message_end(ns, SEND, from, to, key, bytes, request);
}
static void receives(uint64_t ns, unsigned from, unsigned to, uint64_t key, uint64_t bytes,
                     uint64_t request)
{
    message_end(ns, GOT, to, from, key, bytes, request);
}
static void request(uint64_t ns, unsigned rank, uint64_t number, enum ez_request did)
{
    struct event *e = note(ns, thread[rank], REQUEST, message());
    e->request = number;
    e->number = (int)did;
}
static void call(uint64_t from, uint64_t to, unsigned rank, const char *name)
{
    push(from, rank, name);
    pop(to, rank);
}

/* ---- what is found ------------------------------------------------------------------------------- */

static uint64_t waited(enum ez_wait_kind kind, unsigned rank)
{
    uint64_t ns = 0;
    for (size_t i = 0; i < a->waits; i++)
        if (a->wait[i].kind == kind && a->thread[a->wait[i].thread].container == thread[rank])
            ns += a->wait[i].ns;
    return ns;
}
static uint64_t waited_at_all(void)
{
    uint64_t ns = 0;
    for (size_t i = 0; i < a->waits; i++)
        ns += a->wait[i].ns;
    return ns;
}

static const struct ez_cause_row *cause(const char *path, unsigned rank)
{
    for (size_t i = 0; i < a->causes; i++) {
        EZ_FREE char *text = ez_analysis_path(a, a->cause[i].path);
        if (!strcmp(text, path) && a->thread[a->cause[i].thread].container == thread[rank])
            return &a->cause[i];
    }
    return NULL;
}

static void cause_is(const char *path, unsigned rank, double direct, double indirect)
{
    const struct ez_cause_row *c = cause(path, rank);
    ck_assert_msg(c != NULL, "%s of rank %u", path, rank);
    ck_assert_msg(fabs(c->short_ns - direct) < 1e-6 && fabs(c->long_ns - indirect) < 1e-6,
                  "%s of rank %u: %f + %f", path, rank, c->short_ns, c->long_ns);
}

/* What must hold in any program. */
static void adds_up(void)
{
    double cost = a->unknown_ns;
    int64_t critical = 0;
    for (size_t i = 0; i < a->threads; i++) {
        uint64_t all = a->thread[i].absent_ns;
        for (int k = 0; k < EZ_TIMES; k++)
            all += a->thread[i].time[k];
        ck_assert_uint_eq(all, a->to_ns - a->from_ns);
    }
    for (size_t i = 0; i < a->causes; i++) {
        double victims = 0;
        cost += a->cause[i].short_ns + a->cause[i].long_ns;
        critical += a->cause[i].critical_ns;
        ck_assert_int_ge(a->cause[i].critical_ns, 0);
        for (size_t k = 0; k < a->cause[i].victims; k++)
            victims += a->cause[i].victim[k].ns;
        ck_assert(fabs(victims - a->cause[i].short_ns - a->cause[i].long_ns) < 1e-3);
    }
    ck_assert_int_eq(critical, (int64_t)(a->to_ns - a->from_ns));
    ck_assert_msg(fabs(cost - (double)waited_at_all()) < 1e-3, "costs %f, waits %llu", cost,
                  (unsigned long long)waited_at_all());
    if (a->mpi_processes) {
        const struct ez_efficiency *e = &a->eff;
        ck_assert(fabs(e->mpi - e->load_balance * e->communication) < 1e-9);
        ck_assert(fabs(e->communication - e->serialisation * e->transfer) < 1e-9);
        ck_assert_uint_le(a->ideal_ns, a->to_ns - a->from_ns);
    }
}

/* ---- programs whose answer is known ---------------------------------------------------------------- */

/* Rank 0 computes for 100; the message goes round: each rank computes for 20 before it sends. */
START_TEST(chain)
{
    push(0, 0, "late");
    for (unsigned i = 1; i < RANKS; i++)
        push(0, i, "MPI_Recv");
    pop(100, 0);
    for (unsigned i = 0; i < RANKS; i++) {
        uint64_t begin = 100 + 20 * i;
        call(begin, begin + 20, i, "work");
        if (i + 1 == RANKS)
            break;
        push(begin + 20, i, "MPI_Send");
        sends(begin + 20, i, i + 1, i + 1, 4, 0);
        pop(begin + 20, i);
        receives(begin + 20, i, i + 1, i + 1, 4, 0);
        pop(begin + 20, i + 1);
    }
    finish();
    adds_up();
    ck_assert_uint_eq(waited(EZ_WAIT_LATE_SENDER, 0), 0);
    for (unsigned i = 1; i < RANKS; i++)
        ck_assert_uint_eq(waited(EZ_WAIT_LATE_SENDER, i), 100 + 20 * i);
    cause_is("late", 0, 100, 200);
    cause_is("work", 0, 20, 40);
    cause_is("work", 1, 20, 20);
    cause_is("work", 2, 20, 0);
    ck_assert_int_eq(cause("late", 0)->critical_ns, 100);
    for (unsigned i = 0; i < RANKS; i++)
        ck_assert_int_eq(cause("work", i)->critical_ns, 20);
    ck_assert_uint_eq(cause("late", 0)->mean_ns, 25);
    ck_assert_uint_eq(cause("late", 1) ? 1 : 0, 0);
    ck_assert_uint_eq(cause("late", 0)->max_ns, 100);
    ck_assert_uint_eq(cause("work", 2)->max_ns, 20);
    /* without the time of messages, the chain takes as long */
    ck_assert_uint_eq(a->ideal_ns, 180);
}
END_TEST

/* The excess of a thread is charged, not what it did last: both do `same` after it. */
START_TEST(excess)
{
    for (unsigned i = 0; i < 2; i++)
        collective(0, i, "MPI_Barrier", -1);
    for (unsigned i = 0; i < 2; i++)
        pop(10, i);
    call(10, 110, 0, "late");
    call(10, 60, 1, "same");
    collective(60, 1, "MPI_Barrier", -1);
    call(110, 160, 0, "same");
    collective(160, 0, "MPI_Barrier", -1);
    for (unsigned i = 0; i < 2; i++)
        pop(165, i);
    finish();
    adds_up();
    ck_assert_uint_eq(waited(EZ_WAIT_BARRIER, 1), 100);
    cause_is("late", 0, 100, 0);
    cause_is("same", 0, 0, 0);
    ck_assert_uint_eq(a->collectives, 1);
    ck_assert_uint_eq(a->collective[0].calls, 4);
    ck_assert_uint_eq(a->collective[0].bytes, 4 * 8);
    ck_assert_uint_eq(a->collective[0].wait_ns, 100);
    ck_assert_uint_eq(a->collective[0].ns, 20 + 105 + 5);
}
END_TEST

START_TEST(late_receiver)
{
    call(0, 100, 1, "late");
    push(0, 0, "MPI_Send");
    sends(0, 0, 1, 1, BIG, 0);
    push(100, 1, "MPI_Recv");
    receives(130, 0, 1, 1, BIG, 0);
    pop(130, 1);
    pop(131, 0);
    /* the sender's end is seen first */
    call(200, 300, 1, "late");
    push(200, 0, "MPI_Send");
    sends(200, 0, 1, 2, BIG, 0);
    push(300, 1, "MPI_Recv");
    pop(330, 0);
    receives(331, 0, 1, 2, BIG, 0);
    pop(331, 1);
    /* a small message needs no receiver */
    push(400, 0, "MPI_Send");
    sends(400, 0, 1, 3, 100, 0);
    push(420, 1, "MPI_Recv");
    receives(421, 0, 1, 3, 100, 0);
    pop(421, 1);
    pop(430, 0);
    finish();
    adds_up();
    ck_assert_uint_eq(waited(EZ_WAIT_LATE_RECEIVER, 0), 200);
    ck_assert_uint_eq(waited_at_all(), 200);
    ck_assert_double_ge(cause("late", 1)->short_ns, 199);
}
END_TEST

/* Synchronous sends wait for the receive even if the message is small. */
START_TEST(synchronous_send)
{
    call(0, 100, 1, "late");
    push(0, 0, "MPI_Ssend");
    sends(0, 0, 1, 1, 4, 0);
    push(100, 1, "MPI_Recv");
    receives(101, 0, 1, 1, 4, 0);
    pop(101, 1);
    pop(102, 0);
    call(200, 300, 1, "late");
    push(200, 0, "MPI_Issend");
    sends(200, 0, 1, 2, 4, 7);
    pop(201, 0);
    push(250, 0, "MPI_Wait");
    push(300, 1, "MPI_Recv");
    receives(301, 0, 1, 2, 4, 0);
    pop(301, 1);
    request(302, 0, 7, EZ_REQUEST_SENT);
    pop(302, 0);
    finish();
    adds_up();
    ck_assert_uint_eq(waited(EZ_WAIT_LATE_RECEIVER, 0), 150);
    ck_assert_uint_eq(waited_at_all(), 150);
    ck_assert_double_ge(cause("late", 1)->short_ns, 147);
}
END_TEST

/* Isend and Wait: the wait is that of the call that completes the send. */
START_TEST(late_receiver_of_a_request)
{
    for (int late = 0; late < 2; late++) {
        uint64_t t = 1000 * (uint64_t)late, key = 1 + (uint64_t)late;
        call(t, t + 200, 1, "late");
        push(t, 0, "MPI_Isend");
        sends(t, 0, 1, key, BIG, key);
        pop(t + 1, 0);
        push(t + 50, 0, "MPI_Wait");
        push(t + 200, 1, "MPI_Recv");
        if (!late)
            receives(t + 230, 0, 1, key, BIG, 0);
        request(t + 231, 0, key, EZ_REQUEST_SENT);
        pop(t + 231, 0);
        if (late)
            receives(t + 232, 0, 1, key, BIG, 0);
        pop(t + 233, 1);
    }
    finish();
    adds_up();
    ck_assert_uint_eq(waited(EZ_WAIT_LATE_RECEIVER, 0), 300);
    ck_assert_double_ge(cause("late", 1)->short_ns, 297);
}
END_TEST

/* The receive is posted in time, but the receiver computes and does not call MPI. */
START_TEST(late_progress)
{
    push(0, 1, "MPI_Irecv");
    request(1, 1, 7, EZ_REQUEST_POSTED);
    pop(2, 1);
    push(10, 0, "MPI_Send");
    sends(10, 0, 1, 1, BIG, 0);
    call(2, 110, 1, "busy");
    push(110, 1, "MPI_Wait");
    receives(130, 0, 1, 1, BIG, 7);
    pop(130, 1);
    pop(131, 0);
    finish();
    adds_up();
    ck_assert_uint_eq(waited(EZ_WAIT_LATE_PROGRESS, 0), 100);
    ck_assert_double_gt(cause("busy", 1)->short_ns, 98);
}
END_TEST

/* The receive is posted while the sender waits, but the receiver does not call MPI then. The end of
 * the send is seen before that of the receive, after it, or is that of a request. */
START_TEST(late_progress_after_late_receiver)
{
    for (unsigned i = 0; i < 3; i++) {
        uint64_t t = 1000 * i, key = 1 + i;
        push(t, 0, i == 2 ? "MPI_Isend" : "MPI_Send");
        sends(t, 0, 1, key, BIG, i == 2 ? key : 0);
        if (i == 2) {
            pop(t + 1, 0);
            push(t + 1, 0, "MPI_Wait");
        }
        push(t + 20, 1, "MPI_Irecv");
        request(t + 21, 1, 10 + i, EZ_REQUEST_POSTED);
        pop(t + 21, 1);
        call(t + 21, t + 121, 1, "busy");
        push(t + 121, 1, "MPI_Wait");
        receives(t + (i == 1 ? 140 : 130), 0, 1, key, BIG, 10 + i);
        if (i == 2)
            request(t + 131, 0, key, EZ_REQUEST_SENT);
        pop(t + 131, 0);
        pop(t + 141, 1);
    }
    finish();
    adds_up();
    ck_assert_uint_eq(waited(EZ_WAIT_LATE_PROGRESS, 0), 121 + 121 + 120);
    ck_assert_uint_eq(waited(EZ_WAIT_LATE_RECEIVER, 0), 0);
}
END_TEST

START_TEST(wrong_order)
{
    push(0, 0, "MPI_Send");
    sends(0, 0, 1, 1, 4, 0);
    pop(5, 0);
    push(10, 1, "MPI_Recv");
    call(5, 105, 0, "late");
    push(105, 0, "MPI_Send");
    sends(105, 0, 1, 2, 4, 0);
    pop(106, 0);
    receives(108, 0, 1, 2, 4, 0);
    pop(108, 1);
    push(110, 1, "MPI_Recv");
    receives(111, 0, 1, 1, 4, 0);
    pop(111, 1);
    finish();
    adds_up();
    ck_assert_uint_eq(waited(EZ_WAIT_WRONG_ORDER, 1), 95);
    ck_assert_uint_eq(waited(EZ_WAIT_LATE_SENDER, 1), 0);
}
END_TEST

/* The root of a reduction waits for the first member, then for the last one; that of a broadcast
 * keeps the others waiting, and may be ahead of them by several operations. */
START_TEST(roots)
{
    collective(0, 1, "MPI_Reduce", 1);
    call(0, 50, 0, "work");
    call(0, 110, 2, "late");
    collective(50, 0, "MPI_Reduce", 1);
    pop(51, 0);
    collective(110, 2, "MPI_Reduce", 1);
    pop(111, 2);
    pop(112, 1);
    for (unsigned i = 0; i < 3; i++) {
        collective(200 + i, 2, "MPI_Bcast", 2);
        pop(200 + i, 2);
    }
    for (unsigned i = 0; i < 3; i++) {
        collective(300 + i, 0, "MPI_Bcast", 2);
        pop(300 + i, 0);
        collective(150 + 200 * i, 1, "MPI_Bcast", 2);
        pop(250 + 200 * i, 1);
    }
    finish();
    adds_up();
    ck_assert_uint_eq(waited(EZ_WAIT_EARLY_REDUCE, 1), 50);
    ck_assert_uint_eq(waited(EZ_WAIT_LATE_REDUCE, 1), 60);
    ck_assert_uint_eq(waited(EZ_WAIT_LATE_BROADCAST, 0), 0);
    cause_is("late", 2, 110, 0);
}
END_TEST

/* A nonblocking operation is waited for by the call that completes it; others may be open. */
START_TEST(nonblocking)
{
    for (unsigned i = 0; i < 2; i++) {
        uint64_t late = 100 * (uint64_t)i;
        call(0, late, i, "work");
        for (uint64_t k = 0; k < 3; k++) {
            starts(late + 2 * k, i, k == 1 ? "MPI_Ibarrier" : "MPI_Iallreduce", k + 1);
            pop(late + 2 * k + 1, i);
        }
    }
    push(10, 0, "MPI_Wait"); /* for the second one first */
    request(105, 0, 2, EZ_REQUEST_DONE);
    pop(105, 0);
    push(106, 0, "MPI_Waitall");
    request(107, 0, 1, EZ_REQUEST_DONE);
    request(107, 0, 3, EZ_REQUEST_DONE);
    pop(107, 0);
    push(106, 1, "MPI_Waitall");
    for (uint64_t k = 1; k <= 3; k++)
        request(108, 1, k, EZ_REQUEST_DONE);
    pop(108, 1);
    /* another one has its own number */
    collective(120, 0, "MPI_Barrier", -1);
    collective(150, 1, "MPI_Barrier", -1);
    pop(151, 0);
    pop(151, 1);
    finish();
    adds_up();
    ck_assert_uint_eq(waited(EZ_WAIT_BARRIER, 0), (102 - 10) + 30);
    ck_assert_uint_eq(waited(EZ_WAIT_NXN, 0), 0);
    ck_assert_uint_eq(waited_at_all(), (102 - 10) + 30);
}
END_TEST

/* Ranks 0 and 1 are one group of an intercommunicator, and rank 0 is the root: rank 1 takes no part. */
START_TEST(roots_of_intercommunicators)
{
    call(0, 100, 0, "late");
    collective(0, 1, "MPI_Bcast", -2);
    pop(90, 1);
    for (unsigned i = 2; i < 4; i++) {
        collective(0, i, "MPI_Bcast", 0);
        pop(101, i);
    }
    collective(100, 0, "MPI_Bcast", 0);
    pop(101, 0);
    collective(200, 0, "MPI_Reduce", 0);
    call(90, 300, 1, "work");
    collective(300, 1, "MPI_Reduce", -2);
    pop(301, 1);
    for (unsigned i = 2; i < 4; i++) {
        collective(200 + 20 * i, i, "MPI_Reduce", 0);
        pop(201 + 20 * i, i);
    }
    pop(400, 0);
    finish();
    adds_up();
    ck_assert_uint_eq(waited(EZ_WAIT_LATE_BROADCAST, 1), 0);
    ck_assert_uint_eq(waited(EZ_WAIT_LATE_BROADCAST, 2), 100);
    ck_assert_uint_eq(waited(EZ_WAIT_LATE_BROADCAST, 3), 100);
    ck_assert_uint_eq(waited(EZ_WAIT_EARLY_REDUCE, 0), 40);
    ck_assert_uint_eq(waited(EZ_WAIT_LATE_REDUCE, 0), 20);
}
END_TEST

/* Communicators are made and freed. Rank 2 still is in an operation of the first one. */
START_TEST(many_communicators)
{
    enum { MANY = 5000 };
    note(0, thread[2], COLLECTIVE, state("MPI_Barrier"))->key = 2;
    for (uint64_t k = 0; k < MANY; k++)
        for (unsigned i = 0; i < 2; i++) {
            uint64_t begin = 100 * k + 50 * i + 1;
            note(begin, thread[i], COLLECTIVE, state("MPI_Barrier"))->key = 3 + k;
            pop(100 * k + 52, i);
        }
    note(100 * MANY, thread[3], COLLECTIVE, state("MPI_Barrier"))->key = 2;
    pop(100 * MANY + 1, 2);
    pop(100 * MANY + 1, 3);
    finish();
    adds_up();
    ck_assert_uint_eq(waited(EZ_WAIT_BARRIER, 0), 50 * MANY);
    ck_assert_uint_eq(waited(EZ_WAIT_BARRIER, 1), 0);
    /* too many others since: unknown, but not wrong */
    ck_assert_uint_eq(waited(EZ_WAIT_BARRIER, 2), 0);
}
END_TEST

static void allreduce(uint64_t from, uint64_t to, unsigned rank)
{
    collective(from, rank, "MPI_Allreduce", -1);
    pop(to, rank);
}

/* The period begins when ranks 0 and 1 have left an operation that the others have not left. */
START_TEST(period_begins_in_operation)
{
    allreduce(0, 10, 2);
    allreduce(0, 20, 3);
    allreduce(12, 101, 0); /* the next one */
    allreduce(50, 101, 1);
    allreduce(60, 102, 2);
    call(20, 100, 3, "late");
    allreduce(100, 102, 3);
    finish();
    adds_up();
    ck_assert_uint_eq(waited(EZ_WAIT_NXN, 0), 88);
    ck_assert_uint_eq(waited(EZ_WAIT_NXN, 1), 50);
    ck_assert_uint_eq(waited(EZ_WAIT_NXN, 2), 40);
    ck_assert_uint_eq(waited(EZ_WAIT_NXN, 3), 0);
}
END_TEST

/* A call that begins before the period is in the communicator that its record names. */
START_TEST(call_begins_before_period)
{
    ez_model_window(&m, 100, 1000);
    allreduce(0, 10, 0);
    allreduce(0, 10, 1);
    allreduce(50, 151, 0);
    call(10, 150, 1, "late");
    allreduce(150, 151, 1);
    allreduce(160, 181, 1);
    allreduce(180, 181, 0);
    finish();
    adds_up();
    ck_assert_uint_eq(waited(EZ_WAIT_NXN, 0), 50);
    ck_assert_uint_eq(waited(EZ_WAIT_NXN, 1), 20);
}
END_TEST

/* The period begins in a broadcast that rank 1 has not left yet: the functions differ. */
START_TEST(period_begins_in_broadcast)
{
    collective(0, 1, "MPI_Bcast", 0);
    pop(30, 1);
    allreduce(10, 101, 0);
    allreduce(100, 101, 1);
    finish();
    adds_up();
    ck_assert_uint_eq(waited(EZ_WAIT_NXN, 0), 90);
    ck_assert_uint_eq(waited_at_all(), 90);
}
END_TEST

/* Events of rank 1 are lost, two operations among them. */
START_TEST(operations_are_lost)
{
    for (unsigned k = 0; k < 4; k++)
        for (unsigned i = 0; i < 2; i++) {
            uint64_t begin = 100 * k + 50 * (i ^ (k & 1));
            if (i && k == 1)
                note(begin, thread[1], GAP, 0);
            if (i && k == 2)
                call(begin, 299, 1, "work"); /* the first events after the gap */
            if (!i || k == 0 || k == 3)
                allreduce(begin, 100 * k + 51, i);
        }
    finish();
    ck_assert_uint_eq(waited(EZ_WAIT_NXN, 0), 50);
    ck_assert_uint_eq(waited(EZ_WAIT_NXN, 1), 50);
}
END_TEST

START_TEST(missing_ranks)
{
    for (unsigned i = 0; i < 3; i++) {
        m.container.at[process[i]].ranks = 5;
        allreduce(10 * i, 40, i);
    }
    finish();
    ck_assert_uint_eq(a->missing, 2);
}
END_TEST

/* A run in which messages took no time: what a late root, a late member, or a sender delays. */
START_TEST(ideal)
{
    for (unsigned i = 0; i < 3; i++)
        call(0, i == 2 ? 100 : 10, i, "work");
    for (unsigned i = 0; i < 3; i++) {
        collective(i == 2 ? 100 : 10, i, "MPI_Bcast", 2);
        pop(150, i); /* 50 of it is transfer */
    }
    call(150, 160, 0, "work");
    call(150, 170, 1, "work");
    call(150, 155, 2, "work");
    for (unsigned i = 0; i < 3; i++) {
        collective(i == 2 ? 155 : 160 + 10 * i, i, "MPI_Reduce", 0);
        pop(i ? 180 : 200, i);
    }
    call(200, 230, 0, "work");
    push(300, 2, "MPI_Isend"); /* nobody receives it */
    sends(300, 2, 1, 1, 8, 5);
    pop(301, 2);
    finish();
    adds_up();
    ck_assert_uint_eq(a->unpaired, 1);
    /* rank 0 could have ended at 150: 100 at the broadcast, 120 at the reduction, as rank 1, and
     * 30 after it; rank 2 later: it is outside of MPI for 100, for 5, and from 180 to 300 */
    ck_assert_uint_eq(a->ideal_ns, 100 + 5 + 120);
    ck_assert(fabs(a->eff.transfer - (double)a->ideal_ns / 301) < 1e-9);
}
END_TEST

/* What happens before the first end of MPI_Init, and after the last MPI_Finalize, is left out. */
START_TEST(init_and_finalize)
{
    for (unsigned i = 0; i < 2; i++) {
        push(10 * i, i, "before");
        push(20, i, "MPI_Init");
    }
    pop(100, 0);
    pop(120, 1);
    call(100, 150, 0, "work");
    call(120, 300, 1, "late");
    push(150, 0, "MPI_Finalize");
    push(300, 1, "MPI_Finalize");
    pop(310, 0);
    pop(320, 1);
    call(320, 900, 1, "after");
    finish();
    adds_up();
    ck_assert_uint_eq(a->from_ns, 100);
    ck_assert_uint_eq(a->to_ns, 300);
    ck_assert_uint_eq(waited(EZ_WAIT_FINALIZE, 0), 150);
    ck_assert(fabs(a->eff.load_balance - (50 + 180) / 2. / 180) < 1e-9);
    ck_assert(fabs(a->eff.mpi - (50 + 180) / 2. / 200) < 1e-9);
}
END_TEST

/* Rank 1 never calls MPI_Finalize: the time lasts until its end. */
START_TEST(rank_without_finalize)
{
    call(0, 100, 0, "work");
    push(100, 0, "MPI_Finalize");
    call(0, 300, 1, "late");
    pop(301, 0);
    finish();
    adds_up();
    ck_assert_uint_eq(a->to_ns, 300);
    ck_assert_uint_eq(waited(EZ_WAIT_FINALIZE, 0), 0);
    ck_assert_int_eq(cause("late", 1)->critical_ns, 300);
}
END_TEST

/* Ranks do not wait for those of another job. */
START_TEST(two_jobs)
{
    for (unsigned i = 0; i < 4; i++) {
        uint64_t end = 100 * (i + 1);
        m.container.at[process[i]].job = ez_strdup(i < 2 ? "one" : "two");
        call(0, end, i, "work");
        push(end, i, "MPI_Finalize");
        pop(500, i);
    }
    finish();
    adds_up();
    ck_assert_uint_eq(waited(EZ_WAIT_FINALIZE, 0), 100);
    ck_assert_uint_eq(waited(EZ_WAIT_FINALIZE, 1), 0);
    ck_assert_uint_eq(waited(EZ_WAIT_FINALIZE, 2), 100);
    ck_assert_uint_eq(a->to_ns, 400);
}
END_TEST

/* A message that nobody receives is counted, whether or not its sender calls MPI_Finalize. */
START_TEST(never_received)
{
    sends(0, 0, 1, 1, 4, 0);
    for (uint64_t k = 2; k < 500; k++) {
        sends(10 * k, 0, 1, k, 4, 0);
        receives(10 * k + 15, 0, 1, k, 4, 0);
    }
    call(0, 6000, 2, "work");
    if (_i)
        push(6000, 0, "MPI_Finalize");
    finish();
    adds_up();
    ck_assert_uint_eq(a->unpaired, 1);
}
END_TEST

/* A thread that is preempted is not blamed for its function: the pause is. */
START_TEST(preempted)
{
    collective(0, 1, "MPI_Barrier", -1);
    push(0, 0, "work");
    note(10, thread[0], OFF, 0)->number = EZ_OFF_PREEMPTED;
    note(90, thread[0], OFF, 0)->number = EZ_OFF_NOT;
    pop(100, 0);
    collective(100, 0, "MPI_Barrier", -1);
    pop(101, 0);
    pop(101, 1);
    finish();
    adds_up();
    cause_is("work/[preempted]", 0, 80, 0);
    cause_is("work", 0, 20, 0);
    ck_assert(fabs(a->eff.ran - 0.2) < 1e-9);
}
END_TEST

/* ---- OpenMP and pthread ------------------------------------------------------------------------------- */

static uint32_t worker[3];

static void workers(void)
{
    worker[0] = thread[0];
    worker[1] = ez_model_container(&m, EZ_L_THREAD, process[0], "w1", 10, 101);
    worker[2] = ez_model_container(&m, EZ_L_THREAD, process[0], "w2", 10, 102);
}
static struct event *of(struct event *e, const char *subject)
{
    if (subject)
        e->subject = ez_model_subject(&m, "lock", subject, process[0]);
    return e;
}
static void enter(uint64_t ns, unsigned w, const char *name, const char *group, const char *subject)
{
    uint64_t addr = strcmp(group, "app") ? 0 : 1;
    of(note(ns, worker[w], PUSH, ez_model_name(&m, EZ_N_STATE, name, group, addr)), subject);
}
static void leave(uint64_t ns, unsigned w)
{
    note(ns, worker[w], POP, 0);
}
static void point(uint64_t ns, unsigned w, const char *name, const char *subject)
{
    of(note(ns, worker[w], EVENT, ez_model_name(&m, EZ_N_EVENT, name, "pthread", 0)), subject);
}
static uint64_t worker_waited(enum ez_wait_kind kind, unsigned w)
{
    uint64_t ns = 0;
    for (size_t i = 0; i < a->waits; i++)
        if (a->wait[i].kind == kind && a->thread[a->wait[i].thread].container == worker[w])
            ns += a->wait[i].ns;
    return ns;
}

/* Two regions with a serial part between them; a task in the first one's end. */
START_TEST(team)
{
    workers();
    enter(0, 0, "main", "app", NULL);
    for (uint64_t t = 0; t <= 1000; t += 1000) {
        enter(t, 0, "Parallel region", "openmp", "body");
        for (unsigned w = 0; w < 3; w++)
            enter(t, w, "Working", "openmp", "body");
        for (unsigned w = 0; w < 3; w++) {
            enter(t, w, "work", "app", NULL);
        }
        for (unsigned w = 0; w < 3; w++) {
            leave(t + 100 * (w + 1), w);
            leave(t + 100 * (w + 1), w);
        }
        if (!t) { /* thread 0 runs a task while it waits, and it takes longest */
            enter(t + 310, 0, "Task", "openmp", "task");
            leave(t + 350, 0);
        }
        leave(t + 360, 0);
        if (!t) {
            enter(400, 0, "serial", "app", NULL);
            leave(900, 0);
        }
    }
    leave(1400, 0);
    finish();
    adds_up();
    /* until 350: 100 to 310, 200 to 350, 300 to 350; then until 1300 */
    ck_assert_uint_eq(worker_waited(EZ_WAIT_OMP_BARRIER, 0), 0 + 200);
    ck_assert_uint_eq(worker_waited(EZ_WAIT_OMP_BARRIER, 1), 150 + 100);
    ck_assert_uint_eq(worker_waited(EZ_WAIT_OMP_BARRIER, 2), 50);
    ck_assert_uint_eq(worker_waited(EZ_WAIT_OMP_IDLE, 1), 640);
    ck_assert_uint_eq(worker_waited(EZ_WAIT_OMP_IDLE, 2), 640);
    ck_assert_uint_eq(worker_waited(EZ_WAIT_OMP_IDLE, 0), 0);
    ck_assert_double_ge(cause("main/serial", 0)->short_ns, 1000);
    ck_assert(isnan(a->eff.mpi) && isnan(a->eff.transfer) && isnan(a->eff.openmp));
    ck_assert(a->eff.parallel > 0 && a->eff.load_balance > 0);
}
END_TEST

/* Thread 2 has no part in the second region, and only if _i in the third one: else it has ended. */
START_TEST(smaller_team)
{
    workers();
    enter(0, 0, "main", "app", NULL);
    for (uint64_t k = 0; k < 3; k++) {
        unsigned most = k == 0 || (_i && k == 2) ? 3 : 2;
        uint64_t t = 200 * k;
        enter(t, 0, "Parallel region", "openmp", "body");
        for (unsigned w = 0; w < most; w++)
            enter(t, w, "Working", "openmp", "body");
        for (unsigned w = 0; w < most; w++)
            leave(t + 100, w);
        leave(t + 100, 0);
    }
    leave(700, 0);
    finish();
    adds_up();
    ck_assert_uint_eq(worker_waited(EZ_WAIT_OMP_IDLE, 1), 200);
    ck_assert_uint_eq(worker_waited(EZ_WAIT_OMP_IDLE, 2), _i ? 300 : 100);
}
END_TEST

/* What was before a thread's first region, or before its creation, is the work of another one. */
START_TEST(route_of_a_new_thread)
{
    workers();
    enter(0, 0, "main", "app", NULL);
    enter(0, 0, "setup", "app", NULL);
    if (_i) {
        struct event *e =
            note(90, worker[0], SEND, ez_model_name(&m, EZ_N_LINK, "creation", "pthread", 0));
        e->peer = EZ_NONE_IDX;
        e->key = 1;
        note(100, worker[1], GOT, e->name)->key = 1;
    }
    leave(100, 0);
    if (!_i) {
        enter(100, 0, "Parallel region", "openmp", "body");
        enter(100, 0, "Working", "openmp", "body");
        enter(100, 1, "Working", "openmp", "body");
    }
    enter(100, 1, "work", "app", NULL);
    leave(200, 1);
    if (!_i) {
        leave(120, 0);
        leave(200, 1);
        leave(200, 0);
    } else {
        enter(100, 0, "Waiting for a thread", "pthread", NULL);
        point(200, 1, "thread ended", NULL);
        leave(200, 0);
    }
    leave(201, 0);
    finish();
    adds_up();
    ck_assert_int_eq(cause("main/setup", 0)->critical_ns, 100);
    int64_t of_worker = 0;
    for (size_t i = 0; i < a->causes; i++)
        if (a->thread[a->cause[i].thread].container == worker[1])
            of_worker += a->cause[i].critical_ns;
    ck_assert_int_eq(of_worker, 100);
}
END_TEST

START_TEST(team_barrier)
{
    workers();
    enter(0, 0, "Parallel region", "openmp", "body");
    for (unsigned w = 0; w < 3; w++)
        enter(0, w, "Working", "openmp", "body");
    for (uint64_t round = 0; round < 2; round++) {
        for (unsigned w = 0; w < 3; w++)
            enter(1000 * round + 100 * (round ? 3 - w : w + 1), w, "Waiting at a barrier", "openmp",
                  "at");
        for (unsigned w = 0; w < 3; w++)
            leave(1000 * round + 310, w);
    }
    for (unsigned w = 0; w < 3; w++)
        leave(2000, w);
    leave(2000, 0);
    finish();
    adds_up();
    for (unsigned w = 0; w < 3; w++)
        ck_assert_uint_eq(worker_waited(EZ_WAIT_OMP_BARRIER, w), 200);
}
END_TEST

/* A wait for a lock that two threads hold, one after the other. */
START_TEST(lock)
{
    workers();
    enter(0, 1, "Critical Section", "pthread", "lock");
    enter(0, 1, "first", "app", NULL);
    enter(10, 0, "Blocked on a mutex", "pthread", "lock");
    leave(100, 1);
    leave(100, 1);
    enter(102, 2, "Critical Section", "pthread", "lock");
    enter(102, 2, "second", "app", NULL);
    leave(200, 2);
    leave(200, 2);
    leave(204, 0);
    enter(204, 0, "Critical Section", "pthread", "lock");
    leave(210, 0);
    finish();
    adds_up();
    ck_assert_uint_eq(worker_waited(EZ_WAIT_MUTEX, 0), 194);
    for (size_t i = 0; i < a->waits; i++)
        ck_assert_uint_eq(a->wait[i].count, 1);
    ck_assert_double_eq(a->unknown_ns, 4);
}
END_TEST

/* Two threads of rank 0 call MPI in turns: the operations of a process are numbered. */
START_TEST(threads_take_turns)
{
    workers();
    for (unsigned k = 0; k < 6; k++) {
        const uint64_t t = 100 * k;
        note(t, worker[k % 2], COLLECTIVE, state("MPI_Allreduce"));
        note(t + 61, worker[k % 2], POP, 0);
        allreduce(t + 60, t + 61, 1);
    }
    finish();
    adds_up();
    ck_assert_uint_eq(worker_waited(EZ_WAIT_NXN, 0), 180);
    ck_assert_uint_eq(worker_waited(EZ_WAIT_NXN, 1), 180);
    ck_assert_uint_eq(waited_at_all(), 360);
}
END_TEST

START_TEST(others_of_threads)
{
    workers();
    enter(0, 0, "Waiting for a condition", "pthread", "cond");
    enter(0, 1, "produce", "app", NULL);
    point(100, 1, "condition signalled", "cond");
    leave(105, 0);
    enter(110, 0, "Blocked on a semaphore", "pthread", "sem");
    point(150, 1, "semaphore posted", "sem");
    leave(151, 0);
    enter(160, 0, "Waiting for a thread", "pthread", NULL);
    leave(170, 1);
    point(170, 1, "thread ended", NULL);
    leave(172, 0);
    enter(200, 0, "Waiting at a barrier", "pthread", "bar");
    enter(250, 2, "Waiting at a barrier", "pthread", "bar");
    leave(251, 0);
    leave(252, 2);
    finish();
    adds_up();
    ck_assert_uint_eq(worker_waited(EZ_WAIT_CONDITION, 0), 100);
    ck_assert_uint_eq(worker_waited(EZ_WAIT_SEMAPHORE, 0), 40);
    ck_assert_uint_eq(worker_waited(EZ_WAIT_JOIN, 0), 10);
    ck_assert_uint_eq(worker_waited(EZ_WAIT_THREAD_BARRIER, 0), 50);
    ck_assert_uint_eq(worker_waited(EZ_WAIT_THREAD_BARRIER, 2), 0);
}
END_TEST

/* At the end of the period, thread 0 waits for thread 1, which determines the time. */
START_TEST(period_ends_in_wait)
{
    workers();
    enter(0, 0, "Waiting for a thread", "pthread", NULL);
    enter(0, 1, "produce", "app", NULL);
    leave(100, 1);
    leave(100, 0);
    finish();
    adds_up();
    ck_assert_uint_eq(a->causes, 2);
    for (size_t i = 0; i < a->causes; i++)
        if (a->thread[a->cause[i].thread].container == worker[1])
            ck_assert_int_eq(a->cause[i].critical_ns, 100);
}
END_TEST

/* A thread waits for a thread of its own process, although one of another process ends later. */
START_TEST(join_beside_another_process)
{
    workers();
    enter(0, 0, "Waiting for a thread", "pthread", NULL);
    enter(0, 1, "produce", "app", NULL);
    leave(90, 1);
    point(90, 1, "thread ended", NULL);
    note(95, thread[1], EVENT, ez_model_name(&m, EZ_N_EVENT, "thread ended", "pthread", 0));
    leave(100, 0);
    finish();
    adds_up();
    ck_assert_uint_eq(worker_waited(EZ_WAIT_JOIN, 0), 90);
}
END_TEST

/* ---- random programs ------------------------------------------------------------------------------------ */

static uint64_t seed;
static uint64_t dice(uint64_t below)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (seed >> 33) % below;
}

static uint64_t clocks[RANKS], keys;

/* What the simulation knows: spans of each rank in a call path, and its waits. */
struct span {
    uint64_t from, to;
    char path[40];
};
struct known {
    enum ez_wait_kind kind;
    uint64_t from, until, end; /* end: of the call */
    unsigned cause;
};
struct letter { /* a message */
    unsigned to;
    uint64_t sent, posted; /* posted: of its receive, NEVER = nobody receives it */
};
#define NEVER UINT64_MAX
static struct span spans[RANKS][1 << 14];
static struct known waits[RANKS][1 << 12];
static struct letter letters[RANKS << 12];
static size_t span_n[RANKS], wait_n[RANKS], letter_n;

static void spent(unsigned rank, uint64_t from, uint64_t to, const char *path)
{
    struct span *s = &spans[rank][span_n[rank]++];
    s->from = from;
    s->to = to;
    snprintf(s->path, sizeof s->path, "%s", path);
}
static void waits_for(unsigned rank, enum ez_wait_kind kind, uint64_t from, uint64_t until,
                      unsigned cause_rank)
{
    if (until > from && cause_rank != rank)
        waits[rank][wait_n[rank]++] = (struct known){ kind, from, until, 0, cause_rank };
}
static void letter(unsigned to, uint64_t sent, uint64_t posted)
{
    letters[letter_n++] = (struct letter){ to, sent, posted };
}
/* Returns the kind of a wait: a late sender is wrong order if a message that was sent earlier is
 * received later. */
static enum ez_wait_kind kind_of(unsigned rank, const struct known *w)
{
    for (size_t i = 0; w->kind == EZ_WAIT_LATE_SENDER && i < letter_n; i++)
        if (letters[i].to == rank && letters[i].sent < w->until && letters[i].posted != NEVER &&
            letters[i].posted >= w->end)
            return EZ_WAIT_WRONG_ORDER;
    return w->kind;
}
/* Rank is in an MPI call from its clock to `end`. */
static void in_call(unsigned rank, const char *name, uint64_t end)
{
    size_t n = wait_n[rank];
    spent(rank, clocks[rank], end, name);
    if (n && waits[rank][n - 1].from == clocks[rank])
        waits[rank][n - 1].end = end;
    clocks[rank] = end;
}

static void computes(unsigned rank)
{
    static const char *const names[] = { "f", "g", "h" };
    for (uint64_t calls = dice(3); calls > 0; calls--) {
        const char *name = names[dice(3)];
        uint64_t begin = clocks[rank], end = begin + dice(200);
        push(begin, rank, name);
        pop(end, rank);
        spent(rank, begin, end, name);
        clocks[rank] = end + 1 + dice(10);
        spent(rank, end, clocks[rank], "(outside recorded functions)");
    }
}

static void all_meet(const char *name, enum ez_wait_kind kind)
{
    unsigned last = 0;
    uint64_t begin[RANKS];
    memcpy(begin, clocks, sizeof begin);
    /* ranks that come at one time come in their order: the last one is last in the trace */
    for (unsigned i = 0; i < RANKS; i++)
        last = begin[i] >= begin[last] ? i : last;
    for (unsigned i = 0; i < RANKS; i++) {
        collective(begin[i], i, name, -1);
        waits_for(i, kind, begin[i], begin[last], last);
        in_call(i, name, begin[last] + LATENCY + i);
        pop(clocks[i], i);
    }
}

static void from_root(unsigned root)
{
    uint64_t begin = clocks[root];
    for (unsigned i = 0; i < RANKS; i++) {
        uint64_t own = clocks[i];
        collective(own, i, "MPI_Bcast", (int)root);
        waits_for(i, EZ_WAIT_LATE_BROADCAST, own, begin, root);
        in_call(i, "MPI_Bcast", EZ_MAX(own, begin) + LATENCY);
        pop(clocks[i], i);
    }
}

/* Each rank sends to the next one, and receives from the one before. */
static void ring(bool with_requests)
{
    uint64_t sent[RANKS], posted[RANKS], key = keys;
    keys += RANKS;
    for (unsigned i = 0; i < RANKS; i++) {
        const char *name = with_requests ? "MPI_Isend" : "MPI_Send";
        if (with_requests) {
            push(clocks[i], i, "MPI_Irecv");
            request(clocks[i], i, key + i + 1000000, EZ_REQUEST_POSTED);
            posted[i] = clocks[i];
            in_call(i, "MPI_Irecv", clocks[i] + 1);
            pop(clocks[i], i);
        }
        sent[i] = clocks[i];
        push(clocks[i], i, name);
        sends(clocks[i], i, (i + 1) % RANKS, key + i, 8, with_requests ? key + i : 0);
        in_call(i, name, clocks[i] + 2);
        pop(clocks[i], i);
        computes(i);
    }
    for (unsigned i = 0; i < RANKS; i++) {
        unsigned before = (i + RANKS - 1) % RANKS;
        const char *name = with_requests ? "MPI_Waitall" : "MPI_Recv";
        uint64_t own = clocks[i];
        push(own, i, name);
        waits_for(i, EZ_WAIT_LATE_SENDER, own, sent[before], before);
        letter(i, sent[before], with_requests ? posted[i] : own);
        in_call(i, name, EZ_MAX(own, sent[before]) + LATENCY);
        receives(clocks[i], before, i, key + before, 8, with_requests ? key + i + 1000000 : 0);
        if (with_requests)
            request(clocks[i], i, key + i, EZ_REQUEST_SENT);
        pop(clocks[i], i);
    }
}

/* Even ranks send to odd ones, and both must be there. */
static void synchronous(void)
{
    for (unsigned i = 0; i < RANKS; i += 2) {
        uint64_t s = clocks[i], r = clocks[i + 1], key = keys++;
        push(s, i, "MPI_Ssend");
        sends(s, i, i + 1, key, BIG, 0);
        push(r, i + 1, "MPI_Recv");
        waits_for(i, EZ_WAIT_LATE_RECEIVER, s, r, i + 1);
        waits_for(i + 1, EZ_WAIT_LATE_SENDER, r, s, i);
        letter(i + 1, s, r);
        in_call(i + 1, "MPI_Recv", EZ_MAX(s, r) + LATENCY);
        receives(clocks[i + 1], i, i + 1, key, BIG, 0);
        pop(clocks[i + 1], i + 1);
        /* the sender may return before the receiver, or after it */
        in_call(i, "MPI_Ssend", EZ_MAX(s, r) + 2 + dice(3));
        pop(clocks[i], i);
    }
}

static void asks_rank(unsigned rank)
{
    push(clocks[rank], rank, "MPI_Comm_rank");
    in_call(rank, "MPI_Comm_rank", clocks[rank] + 1);
    pop(clocks[rank], rank);
}

/* One rank sends some messages to another one, which receives them in any order, perhaps not all;
 * or it posts all receives first, and waits for them in any order. */
static void any_order(bool with_requests)
{
    enum { MOST = 5 };
    uint64_t sent[MOST], key = keys;
    unsigned from = (unsigned)dice(RANKS), to = (from + 1 + (unsigned)dice(RANKS - 1)) % RANKS;
    unsigned some = 1 + (unsigned)dice(MOST), left = some;
    const uint64_t first = clocks[to], asked = 1000000;
    const char *name = with_requests ? "MPI_Wait" : "MPI_Recv";
    keys += some;
    for (unsigned i = 0; with_requests && i < some; i++)
        request(first, to, key + i + asked, EZ_REQUEST_POSTED);
    if (with_requests)
        computes(to);
    for (unsigned i = 0; i < some; i++) {
        computes(from);
        sent[i] = clocks[from];
        push(sent[i], from, "MPI_Send");
        sends(sent[i], from, to, key + i, 8, 0);
        in_call(from, "MPI_Send", sent[i] + 2);
        pop(clocks[from], from);
    }
    while (left) {
        unsigned i = (unsigned)dice(some);
        uint64_t own = clocks[to];
        if (!sent[i])
            continue;
        left--;
        if (with_requests || dice(8)) {
            push(own, to, name);
            waits_for(to, EZ_WAIT_LATE_SENDER, own, sent[i], from);
            letter(to, sent[i], with_requests ? first : own);
            in_call(to, name, EZ_MAX(own, sent[i]) + LATENCY);
            receives(clocks[to], from, to, key + i, 8, with_requests ? key + i + asked : 0);
            pop(clocks[to], to);
        } else {
            letter(to, sent[i], NEVER);
        }
        sent[i] = 0;
    }
}

static void simulate(unsigned rounds)
{
    memset(clocks, 0, sizeof clocks);
    memset(span_n, 0, sizeof span_n);
    memset(wait_n, 0, sizeof wait_n);
    letter_n = 0;
    keys = 1;
    for (unsigned i = 0; i < RANKS; i++) /* all begin at 0 */
        asks_rank(i);
    for (unsigned k = 0; k < rounds; k++) {
        for (unsigned i = 0; i < RANKS; i++)
            computes(i);
        switch (dice(7)) {
        case 0:
            all_meet("MPI_Allreduce", EZ_WAIT_NXN);
            break;
        case 1:
            all_meet("MPI_Barrier", EZ_WAIT_BARRIER);
            break;
        case 2:
            from_root((unsigned)dice(RANKS));
            break;
        case 3:
            ring(false);
            break;
        case 4:
            ring(true);
            break;
        case 5:
            any_order(dice(2));
            break;
        default:
            synchronous();
        }
    }
    for (unsigned i = 0; i < RANKS; i++) /* the last event of each rank is its end */
        asks_rank(i);
}

/* The critical path, backward from the end: the time of each rank and path on it. */
static void walk(unsigned rank, uint64_t then)
{
    static int64_t on[RANKS][PATHS];
    static char names[PATHS][40];
    size_t known = 0;
    memset(on, 0, sizeof on);
    while (then) {
        const struct known *w = NULL;
        uint64_t low = 0;
        for (size_t i = 0; i < wait_n[rank]; i++)
            if (waits[rank][i].until <= then && (!w || waits[rank][i].until > w->until))
                w = &waits[rank][i];
        low = w ? w->until : 0;
        for (size_t i = 0; i < span_n[rank]; i++) {
            const struct span *s = &spans[rank][i];
            uint64_t from = EZ_MAX(s->from, low), to = EZ_MIN(s->to, then);
            size_t k = 0;
            if (from >= to)
                continue;
            while (k < known && strcmp(names[k], s->path))
                k++;
            if (k == known)
                snprintf(names[known++], sizeof names[0], "%s", s->path);
            ck_assert_uint_lt(k, PATHS);
            on[rank][k] += (int64_t)(to - from);
        }
        rank = w ? w->cause : rank;
        then = low;
    }
    for (unsigned r = 0; r < RANKS; r++)
        for (size_t k = 0; k < known; k++) {
            const struct ez_cause_row *c = cause(names[k], r);
            ck_assert_msg((c ? c->critical_ns : 0) == on[r][k], "%s of rank %u: %lld, not %lld",
                          names[k], r, c ? (long long)c->critical_ns : 0, (long long)on[r][k]);
        }
}

START_TEST(random_programs)
{
    static const enum ez_wait_kind kinds[] = { EZ_WAIT_LATE_SENDER,    EZ_WAIT_LATE_RECEIVER,
                                               EZ_WAIT_LATE_BROADCAST, EZ_WAIT_NXN,
                                               EZ_WAIT_BARRIER,        EZ_WAIT_WRONG_ORDER };
    seed = (uint64_t)_i + 1;
    simulate(2 + (unsigned)dice(40));
    finish();
    adds_up();
    unsigned last = 0;
    for (unsigned i = 0; i < RANKS; i++) {
        last = clocks[i] > clocks[last] ? i : last;
        for (size_t k = 0; k < EZ_ARRAY_LEN(kinds); k++) {
            uint64_t want = 0;
            for (size_t w = 0; w < wait_n[i]; w++)
                want +=
                    kind_of(i, &waits[i][w]) == kinds[k] ? waits[i][w].until - waits[i][w].from : 0;
            ck_assert_uint_eq(waited(kinds[k], i), want);
        }
    }
    ck_assert_uint_eq(a->to_ns, clocks[last]);
    walk(last, clocks[last]);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("analysis");
    TCase *t = tcase_create("analysis");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_set_timeout(t, 60);
    tcase_add_test(t, chain);
    tcase_add_test(t, excess);
    tcase_add_test(t, late_receiver);
    tcase_add_test(t, synchronous_send);
    tcase_add_test(t, late_receiver_of_a_request);
    tcase_add_test(t, late_progress);
    tcase_add_test(t, late_progress_after_late_receiver);
    tcase_add_test(t, wrong_order);
    tcase_add_test(t, roots);
    tcase_add_test(t, nonblocking);
    tcase_add_test(t, ideal);
    tcase_add_test(t, roots_of_intercommunicators);
    tcase_add_test(t, many_communicators);
    tcase_add_test(t, period_begins_in_operation);
    tcase_add_test(t, call_begins_before_period);
    tcase_add_test(t, period_begins_in_broadcast);
    tcase_add_test(t, operations_are_lost);
    tcase_add_test(t, threads_take_turns);
    tcase_add_test(t, missing_ranks);
    tcase_add_test(t, init_and_finalize);
    tcase_add_test(t, rank_without_finalize);
    tcase_add_test(t, two_jobs);
    tcase_add_loop_test(t, never_received, 0, 2);
    tcase_add_test(t, preempted);
    tcase_add_test(t, team);
    tcase_add_loop_test(t, smaller_team, 0, 2);
    tcase_add_loop_test(t, route_of_a_new_thread, 0, 2);
    tcase_add_test(t, team_barrier);
    tcase_add_test(t, lock);
    tcase_add_test(t, others_of_threads);
    tcase_add_test(t, join_beside_another_process);
    tcase_add_test(t, period_ends_in_wait);
    tcase_add_loop_test(t, random_programs, 0, 200);
    suite_add_tcase(s, t);
    return run_suite(s);
}
