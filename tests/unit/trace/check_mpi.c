/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_mpi.c - which receive got which message, what was waited for, and the table of messages. */
#include <check.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "engine/trace/interp.h"
#include "tests/unit/suite.h"

enum {
    RANKS = 3,
    SEND = 100,
    ISEND = 120,
    RECV = 140,
    IRECV = 150,
    SENDRECV = 160,
    WAIT = 204,
    INIT = 250
};
enum { POP = 91, RANK, COMPLETE, START_SEND, POST, RECEIVED, UNSENT, SENT, DONE, ISENDRECV = 170 };
enum { ANY = -1, NONE = -2, WORLD = 1, OTHER = 77 };

static struct ez_model m;
static struct ez_fxt_defs defs[RANKS];
static struct ez_interps *all;
static char told[1 << 16], asked[1 << 18];
static uint64_t late, twins;
static unsigned to_nobody; /* messages to a process that is not there */

/* Lines "NS FROM>TO BYTES TAG COMM" when a message arrives, "NS RANK NAME +NS" for lost time. */
static ez_err *tell(void *arg, const struct ez_item *it)
{
    static double was[2][64];
    static uint64_t began[1000];
    char *to = told + strlen(told);
    uint64_t who = m.container.at[it->container].pid;
    (void)arg;
    if (it->kind == EZ_I_REQUEST ||
        (it->kind > EZ_I_VAR && it->kind <= EZ_I_LINK_END && it->request))
        sprintf(asked + strlen(asked), "%llu %llu %llu %s\n", (unsigned long long)it->ns,
                (unsigned long long)who, (unsigned long long)it->request,
                it->kind == EZ_I_LINK_START    ? "sends"
                : it->kind == EZ_I_LINK_END    ? "receives"
                : it->did == EZ_REQUEST_POSTED ? "posted"
                : it->did == EZ_REQUEST_SENT   ? "sent"
                : it->did == EZ_REQUEST_DONE   ? "done"
                                               : "cancelled");
    if (it->kind == EZ_I_LINK_START) {
        began[it->key % 1000] = it->ns;
        to_nobody += it->peer == EZ_NONE_IDX;
    }
    if (it->kind == EZ_I_LINK_END && it->narg == 3)
        sprintf(to, "%llu %llu@%llu>%llu %llu %lld %llu\n", (unsigned long long)it->ns,
                (unsigned long long)m.container.at[it->peer].pid,
                (unsigned long long)began[it->key % 1000], (unsigned long long)who,
                (unsigned long long)it->arg[0], (long long)it->arg[1],
                (unsigned long long)it->arg[2]);
    if (it->kind == EZ_I_LINK_END && it->narg != 3)
        sprintf(to, "%llu %llu lost a message\n", (unsigned long long)it->ns,
                (unsigned long long)who);
    if (it->kind == EZ_I_VAR) {
        const char *name = m.name.at[it->name].text;
        double *old = &was[!strcmp(name, "Late sender")][it->container];
        if (it->value < *old) /* another test's */
            *old = 0;
        sprintf(to, "%llu %llu %s +%.0f\n", (unsigned long long)it->ns, (unsigned long long)who,
                name, (it->value - *old) * 1e9);
        *old = it->value;
    }
    return NULL;
}

static void setup(void)
{
    struct ez_fxt_defs *d[RANKS];
    memset(defs, 0, sizeof defs);
    told[0] = asked[0] = 0;
    to_nobody = 0;
    ez_model_init(&m, "app", tell, NULL);
    for (unsigned i = 0; i < RANKS; i++) {
        defs[i].pid = 10 + i;
        defs[i].rank = i;
        defs[i].job = ez_strdup("job");
        d[i] = &defs[i];
    }
    all = ez_interps_create(&m, d, RANKS);
}

static void finish(const char *expected, uint64_t unpaired, uint64_t unsure)
{
    ez_model_end(&m);
    ez_interps_destroy(all);
    ck_assert_str_eq(told, expected);
    ck_assert_uint_eq(m.count.unpaired_links, unpaired);
    ck_assert_uint_eq(m.count.unsure_links, unsure);
    late = m.count.late_processes;
    twins = m.count.twin_processes;
    ez_model_deinit(&m);
    for (unsigned i = 0; i < RANKS; i++)
        ez_fxt_defs_free(&defs[i]);
}

static void event(uint64_t ns, uint32_t rank, uint64_t n, unsigned narg, ...)
{
    uint64_t word[16];
    va_list ap;
    va_start(ap, narg);
    for (unsigned i = 0; i < narg; i++)
        word[i] = (uint64_t)va_arg(ap, int);
    va_end(ap);
    struct ez_merged ev = { .ns = ns,
                            .tid = rank < RANKS ? 10 + rank : 20,
                            .code = EZ_C_MODULE + (0x53 << 16) + n,
                            .arg = word,
                            .narg = narg,
                            .input = rank < RANKS ? rank : 0 };
    ez_model_at(&m, ns);
    ez_interps_event(all, &ev);
}
static void begins(uint64_t ns, uint32_t rank, uint64_t n, int comm, int peer, int tag, int last)
{
    event(ns, rank, n, 4, comm, peer, tag, last);
}
static void ends(uint64_t ns, uint32_t rank)
{
    event(ns, rank, POP, 0);
}
static void sends(uint64_t ns, uint32_t rank, int to, int tag, int bytes)
{
    begins(ns, rank, ISEND, WORLD, to, tag, bytes);
    ends(ns, rank);
}
static void posts(uint64_t ns, uint32_t rank, int from, int tag, int id)
{
    begins(ns, rank, IRECV, WORLD, from, tag, id);
    ends(ns, rank);
}
/* A wait that takes no time. */
static void gets(uint64_t ns, uint32_t rank, int id, int from, int tag)
{
    event(ns, rank, WAIT, 0);
    event(ns, rank, COMPLETE, 3, id, from, tag);
    ends(ns, rank);
}

START_TEST(in_order)
{
    setup();
    sends(10, 0, 1, 5, 100);
    sends(11, 0, 1, 5, 200);
    sends(12, 0, 1, 6, 300);
    begins(13, 0, ISEND, OTHER, 1, 5, 400);
    ends(13, 0);
    posts(20, 1, 0, 6, 1);
    posts(21, 1, 0, 5, 2);
    posts(22, 1, 0, 5, 3);
    begins(23, 1, IRECV, OTHER, 0, 5, 4);
    ends(23, 1);
    event(30, 1, WAIT, 0);
    event(40, 1, COMPLETE, 9, 3, 0, 5, 1, 0, 6, 4, 0, 5); /* the later of two is complete first */
    ends(41, 1);
    gets(50, 1, 2, 0, 5);
    finish("40 10@11>11 200 5 1\n40 10@12>11 300 6 1\n40 10@13>11 400 5 77\n50 10@10>11 100 5 1\n",
           0, 0);
}
END_TEST

START_TEST(blocking_and_both_ways)
{
    setup();
    begins(10, 0, SEND, WORLD, 1, 5, 100);
    ends(11, 0);
    event(12, 1, RECV, 3, WORLD, 0, 5);
    event(13, 1, RECEIVED, 2, 0, 5);
    event(20, 0, SENDRECV, 6, WORLD, 1, 7, 70, 1, 8);
    event(20, 1, SENDRECV, 6, WORLD, 0, 8, 80, ANY, ANY);
    event(25, 0, RECEIVED, 2, 1, 8);
    event(26, 1, RECEIVED, 2, 0, 7);
    event(30, 0, SENDRECV, 6, WORLD, NONE, 7, 70, NONE, 8); /* at the end of a line of ranks */
    ends(31, 0);
    event(40, 2, RECV, 3, WORLD, NONE, 8);
    ends(41, 2);
    event(50, 0, START_SEND, 4, WORLD, 2, 1, 11);
    event(51, 2, POST, 4, WORLD, 0, 1, 1);
    gets(52, 2, 1, 0, 1);
    finish("13 10@10>11 100 5 1\n25 11@20>10 80 8 1\n26 10@20>11 70 7 1\n52 10@50>12 11 1 1\n", 0,
           0);
}
END_TEST

/* A receive from any source has its place by when it was posted, and the messages of others stay. */
START_TEST(from_any_source)
{
    setup();
    posts(10, 2, ANY, 5, 1);
    posts(11, 2, ANY, ANY, 2);
    posts(12, 2, 0, 5, 3);
    sends(20, 0, 2, 5, 100);
    sends(21, 1, 2, 5, 200);
    sends(22, 0, 2, 5, 300);
    gets(30, 2, 1, 0, 5);
    gets(31, 2, 2, 1, 5);
    gets(32, 2, 3, 0, 5);
    finish("30 10@20>12 100 5 1\n31 11@21>12 200 5 1\n32 10@22>12 300 5 1\n", 0, 0);
}
END_TEST

/* The receive that was posted later is complete first: by then nobody knows where the other belongs. */
START_TEST(not_sure)
{
    setup();
    posts(10, 2, ANY, 5, 1);
    posts(12, 2, 0, 5, 3);
    sends(20, 0, 2, 5, 100);
    sends(22, 0, 2, 5, 300);
    gets(30, 2, 3, 0, 5);
    gets(31, 2, 1, 0, 5);
    posts(40, 2, ANY, 5, 4); /* it came from another: that is sure */
    posts(41, 2, 0, 5, 5);
    sends(42, 0, 2, 5, 400);
    sends(43, 1, 2, 5, 500);
    gets(44, 2, 5, 0, 5);
    gets(45, 2, 4, 1, 5);
    finish("30 10@20>12 100 5 1\n31 10@22>12 300 5 1\n44 10@42>12 400 5 1\n45 11@43>12 500 5 1\n",
           0, 1);
}
END_TEST

/* Clocks are inexact: messages may arrive before they are sent. */
START_TEST(ends_before_it_begins)
{
    setup();
    posts(10, 1, 0, 5, 1);
    posts(10, 1, 0, 5, 2);
    gets(12, 1, 2, 0, 5);
    gets(13, 1, 1, 0, 5);
    sends(14, 0, 1, 5, 100);
    sends(15, 0, 1, 5, 200);
    finish("14 10@14>11 100 5 1\n15 10@15>11 200 5 1\n", 0, 0);
}
END_TEST

/* Requests: both ways, of any source, cancelled, and of a call that failed. */
START_TEST(requests)
{
    setup();
    event(10, 0, ISEND, 5, WORLD, 1, 5, 100, 1);
    ends(11, 0);
    event(12, 1, ISENDRECV, 8, WORLD, 0, 6, 50, ANY, 5, 1, 2);
    ends(13, 1);
    event(14, 0, WAIT, 1, 1);
    event(15, 0, SENT, 1, 1);
    ends(15, 0);
    event(16, 1, COMPLETE, 3, 1, 0, 5);
    event(17, 1, SENT, 1, 2);
    posts(18, 2, 0, 7, 9);
    gets(19, 2, 9, NONE, 0);
    event(20, 2, ISEND, 5, WORLD, 0, 5, 100, 10);
    event(21, 2, UNSENT, 0);
    event(22, 2, START_SEND, 5, WORLD, 0, 5, 100, 11);
    event(23, 2, SENT, 2, 11, 0);
    event(24, 2, DONE, 1, 12);
    finish("16 10@10>11 100 5 1\n24 12 lost a message\n24 11 lost a message\n"
           "24 12 lost a message\n",
           3, 0);
    ck_assert_str_eq(asked, "10 10 1 sends\n12 11 2 sends\n12 11 1 posted\n15 10 1 sent\n"
                            "16 11 1 receives\n17 11 2 sent\n18 12 9 posted\n19 12 9 cancelled\n"
                            "20 12 10 sends\n21 12 10 cancelled\n22 12 11 sends\n23 12 11 sent\n"
                            "24 12 12 done\n");
}
END_TEST

START_TEST(lonely_ends)
{
    setup();
    sends(10, 0, 1, 5, 100); /* nobody got it */
    sends(11, 0, 9, 5, 100); /* that rank has no trace */
    posts(20, 1, 0, 6, 1);   /* nothing came */
    posts(21, 1, 2, 7, 2);
    gets(22, 1, 2, 2, 7); /* nobody sent it */
    gets(23, 1, 8, 2, 7); /* nobody posted it */
    posts(24, 1, ANY, 7, 3);
    gets(25, 1, 3, NONE, 0); /* it was cancelled */
    posts(26, 1, 2, 8, 4);
    posts(27, 1, 2, 8, 5);
    gets(28, 1, 5, 2, 8);
    gets(29, 1, 4, NONE, 8); /* this one, too: the next gets what is left */
    sends(30, 2, 1, 8, 9);
    finish("30 12@30>11 9 8 1\n30 10 lost a message\n30 10 lost a message\n", 3, 0);
}
END_TEST

START_TEST(late_senders)
{
    setup();
    event(100, 1, RECV, 3, WORLD, 0, 5);
    sends(150, 0, 1, 5, 100);
    event(160, 1, RECEIVED, 2, 0, 5);
    posts(200, 1, 0, 5, 1);
    posts(200, 1, 0, 5, 2);
    posts(200, 1, 2, 5, 3);
    sends(205, 2, 1, 5, 1);
    event(210, 1, WAIT, 0);
    sends(220, 0, 1, 5, 2);
    sends(250, 0, 1, 5, 3);
    event(260, 1, COMPLETE, 9, 1, 0, 5, 2, 0, 5, 3, 2, 5); /* the latest counts */
    ends(261, 1);
    event(300, 1, RECV, 3, WORLD, 0, 5);
    event(310, 1, RECEIVED, 2, 0, 5);
    sends(320, 0, 1, 5, 4); /* by inexact clocks: the receive waited all its time */
    finish("160 10@150>11 100 5 1\n160 11 Late sender +50\n"
           "260 10@220>11 2 5 1\n260 10@250>11 3 5 1\n260 12@205>11 1 5 1\n"
           "261 11 Late sender +40\n320 11 Late sender +10\n320 10@320>11 4 5 1\n",
           0, 0);
}
END_TEST

START_TEST(late_receivers)
{
    setup();
    begins(100, 0, SEND, WORLD, 1, 5, 1); /* the send ends first */
    event(130, 1, RECV, 3, WORLD, 0, 5);
    ends(140, 0);
    event(150, 1, RECEIVED, 2, 0, 5);
    begins(200, 0, SEND, WORLD, 1, 5, 2); /* the receive ends first */
    event(220, 1, RECV, 3, WORLD, 0, 5);
    event(230, 1, RECEIVED, 2, 0, 5);
    ends(240, 0);
    begins(300, 0, SEND, WORLD, 1, 5, 3); /* it did not wait */
    ends(310, 0);
    event(320, 1, RECV, 3, WORLD, 0, 5);
    event(330, 1, RECEIVED, 2, 0, 5);
    posts(400, 1, 0, 5, 1); /* posted early */
    begins(410, 0, SEND, WORLD, 1, 5, 4);
    gets(420, 1, 1, 0, 5);
    ends(430, 0);
    finish("150 10 Late receiver +30\n150 10@100>11 1 5 1\n"
           "230 10@200>11 2 5 1\n240 10 Late receiver +20\n330 10@300>11 3 5 1\n"
           "420 10@410>11 4 5 1\n",
           0, 0);
}
END_TEST

/* Many messages that are not taken in order, and many tags. */
START_TEST(many)
{
    enum { N = 1000 };
    char want[1 << 16] = "", *to = want;
    setup();
    for (int i = 0; i < N; i++)
        sends(10, 0, 1, 5, i);
    for (int i = 0; i < N; i++)
        posts(20, 1, 0, 5, i + 1);
    for (int i = 0; i < N; i++) {
        int id = i * 7 % N;
        gets(30, 1, id + 1, 0, 5);
        to += sprintf(to, "30 10@10>11 %d 5 1\n", id);
    }
    for (int i = 0; i < N; i++) {
        sends(40, 0, 1, i, i);
        posts(40, 1, ANY, i, N + i + 1);
        gets(40, 1, N + i + 1, 0, i);
        to += sprintf(to, "40 10@40>11 %d %d 1\n", i, i);
    }
    finish(want, 0, 0);
}
END_TEST

/* The rank that MPI tells is right; ranks of other jobs are others. */
START_TEST(ranks)
{
    setup();
    event(1, 0, RANK, 2, 1, 3);
    event(1, 1, RANK, 2, 0, 3);
    sends(10, 0, 0, 5, 100);
    posts(11, 1, 1, 5, 1);
    gets(12, 1, 1, 1, 5);
    finish("12 10@10>11 100 5 1\n", 0, 0);
}
END_TEST

START_TEST(rank_that_nobody_has)
{
    setup();
    sends(1, 1, 0, 5, 100);
    ck_assert_uint_eq(to_nobody, 0);
    event(2, 0, RANK, 2, 7, 8); /* the environment said 0 */
    sends(3, 1, 0, 5, 100);
    ck_assert_uint_eq(to_nobody, 1);
    sends(4, 1, 7, 5, 100);
    ck_assert_uint_eq(to_nobody, 1);
    finish("4 11 lost a message\n4 11 lost a message\n4 11 lost a message\n", 3, 0);
}
END_TEST

/* Rank 0 is known since its MPI_Init, 1 was not all the time, 2 has the rank of 1. */
START_TEST(doubtful)
{
    setup();
    event(1, 0, INIT, 0);
    event(2, 0, RANK, 2, 0, 2);
    ends(3, 0);
    event(1, 1, INIT, 0);
    event(2, 1, RANK, 2, 1, 2);
    ends(3, 1);
    event(4, 1, RANK, 2, 1, 2);
    event(1, 2, INIT, 0);
    event(2, 2, RANK, 2, 1, 2);
    ends(3, 2);
    for (unsigned i = 0; i < RANKS; i++)
        posts(5, i, ANY, 5, 1);
    finish("", 0, 0);
    ck_assert_uint_eq(late, 1);
    ck_assert_uint_eq(twins, 1);
}
END_TEST

/* A send that failed takes no receive from the next, nor does a receive. */
START_TEST(failed)
{
    setup();
    begins(10, 0, SEND, WORLD, 1, 5, 100);
    event(11, 0, UNSENT, 0);
    ends(12, 0);
    event(13, 0, SENDRECV, 6, WORLD, 1, 5, 200, NONE, 5);
    event(14, 0, UNSENT, 0);
    ends(15, 0);
    begins(16, 0, WAIT, 0, 0, 0, 0);
    event(17, 0, UNSENT, 0); /* of nothing */
    ends(18, 0);
    sends(20, 0, 1, 5, 300);
    begins(30, 1, IRECV, WORLD, 0, 5, 1);
    event(31, 1, COMPLETE, 3, 1, NONE, 0);
    ends(32, 1);
    posts(33, 1, 0, 5, 2);
    gets(40, 1, 2, 0, 5);
    finish("40 10@20>11 300 5 1\n40 10 lost a message\n40 10 lost a message\n", 2, 0);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("mpi");
    TCase *c = tcase_create("mpi");
    tcase_set_timeout(c, 60);
    tcase_add_test(c, in_order);
    tcase_add_test(c, blocking_and_both_ways);
    tcase_add_test(c, from_any_source);
    tcase_add_test(c, not_sure);
    tcase_add_test(c, ends_before_it_begins);
    tcase_add_test(c, requests);
    tcase_add_test(c, lonely_ends);
    tcase_add_test(c, late_senders);
    tcase_add_test(c, late_receivers);
    tcase_add_test(c, many);
    tcase_add_test(c, ranks);
    tcase_add_test(c, rank_that_nobody_has);
    tcase_add_test(c, doubtful);
    tcase_add_test(c, failed);
    suite_add_tcase(s, c);
    return run_suite(s);
}
