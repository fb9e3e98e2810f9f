/* SPDX-License-Identifier: GPL-3.0-or-later */
/* waits_mpi.c - four ranks that wait for each other in all ways that `analyze` knows, a function phase_NAME for each
 * way, and note when they call MPI (stamps.h). For analyze.sh. The arguments are the phases to run, all without any. */
#include "tests/trace/stamps.h"

#include <mpi.h>

enum { ROUNDS = 2, BIG = 1 << 20 };
#define WORLD MPI_COMM_WORLD

static int me, requests;
static char out[BIG], in[BIG];

WORK(late)
WORK(same)
WORK(short)

/* ---- calls of MPI, each with its note -------------------------------------------------------- */

#define SEND(f, to, tag, bytes)                                                                    \
    STAMP(f(out, bytes, MPI_CHAR, to, tag, WORLD), #f " to=%d tag=%d comm=world bytes=%d", to,     \
          tag, bytes)
#define RECV(from, tag, bytes)                                                                     \
    STAMP(MPI_Recv(in, bytes, MPI_CHAR, from, tag, WORLD, MPI_STATUS_IGNORE),                      \
          "MPI_Recv from=%d tag=%d comm=world", from, tag)
#define ISEND(request, to, tag, bytes)                                                             \
    STAMP(MPI_Isend(out, bytes, MPI_CHAR, to, tag, WORLD, &(request)),                             \
          "MPI_Isend to=%d tag=%d comm=world bytes=%d request=%d", to, tag, bytes, ++requests)
#define IRECV(request, at, from, tag, bytes)                                                       \
    STAMP(MPI_Irecv(in + (at), bytes, MPI_CHAR, from, tag, WORLD, &(request)),                     \
          "MPI_Irecv from=%d tag=%d comm=world request=%d", from, tag, ++requests)
#define WAIT(request) STAMP(MPI_Wait(&(request), MPI_STATUS_IGNORE), "MPI_Wait done=%d", requests)
#define WAITALL2(request)                                                                          \
    STAMP(MPI_Waitall(2, request, MPI_STATUSES_IGNORE), "MPI_Waitall done=%d,%d", requests - 1,    \
          requests)
#define NXN(call, name) STAMP(call, name " coll=nxn comm=world")
#define BARRIER() STAMP(MPI_Barrier(WORLD), "MPI_Barrier coll=barrier comm=world")

/* ---- messages -------------------------------------------------------------------------------- */

static void phase_late_sender(void)
{
    if (me == 0) {
        DO(late, 30);
        SEND(MPI_Send, 1, 5, 4);
    } else if (me == 1) {
        RECV(0, 5, 4);
    }
}

/* Rank 1 waits for two messages at once: rank 2 sends early, rank 0 late. */
static void phase_waitall(void)
{
    MPI_Request r[2];
    if (me == 0) {
        DO(late, 30);
        SEND(MPI_Send, 1, 5, 4);
    } else if (me == 1) {
        IRECV(r[0], 0, 0, 5, 4);
        IRECV(r[1], 8, 2, 5, 4);
        WAITALL2(r);
    } else if (me == 2) {
        DO(short, 5);
        SEND(MPI_Send, 1, 5, 4);
    }
}

/* Rank 1 receives each message as it comes: from rank 2, then from rank 0, with one call each. */
static void phase_waitany(void)
{
    MPI_Request r[2];
    int at, n;
    if (me == 0) {
        DO(late, 30);
        SEND(MPI_Send, 1, 5, 4);
    } else if (me == 2) {
        DO(short, 10);
        SEND(MPI_Send, 1, 5, 4);
    } else if (me == 1) {
        IRECV(r[0], 0, 0, 5, 4);
        IRECV(r[1], 8, 2, 5, 4);
        STAMP(MPI_Waitany(2, r, &at, MPI_STATUS_IGNORE), "MPI_Waitany done=%d", requests - 1 + at);
        STAMP(MPI_Waitsome(2, r, &n, &at, MPI_STATUSES_IGNORE), "MPI_Waitsome done=%d",
              requests - 1 + at);
    }
}

/* Rank 1 takes the messages in the order in which they come. */
static void phase_any_source(void)
{
    MPI_Status status;
    if (me == 3)
        DO(late, 50);
    else if (me != 1)
        DO(short, 10 + 5 * me);
    if (me != 1)
        SEND(MPI_Send, 1, 5, 4);
    else
        for (int i = 0; i < 3; i++)
            STAMP(MPI_Recv(in, 4, MPI_CHAR, MPI_ANY_SOURCE, 5, WORLD, &status),
                  "MPI_Recv from=%d tag=5 comm=world", status.MPI_SOURCE);
}

/* The message that is received last is sent first. */
static void phase_wrong_order(void)
{
    if (me == 0) {
        SEND(MPI_Send, 1, 1, 4);
        DO(late, 30);
        SEND(MPI_Send, 1, 2, 4);
    } else if (me == 1) {
        RECV(0, 2, 4);
        RECV(0, 1, 4);
    }
}

static void phase_late_receiver(void)
{
    if (me == 0) {
        SEND(MPI_Ssend, 1, 5, BIG);
    } else if (me == 1) {
        DO(late, 30);
        RECV(0, 5, BIG);
    }
}

/* A short message is buffered, but not by MPI_Ssend. */
static void phase_synchronous(void)
{
    if (me == 2) {
        SEND(MPI_Ssend, 3, 5, 4);
    } else if (me == 3) {
        DO(late, 30);
        RECV(2, 5, 4);
    }
}

static void phase_late_receiver_wait(void)
{
    MPI_Request r;
    if (me == 2) {
        ISEND(r, 3, 5, BIG);
        DO(short, 5);
        WAIT(r);
    } else if (me == 3) {
        DO(late, 35);
        RECV(2, 5, BIG);
    }
}

/* The receive is posted in time, but the receiver does not call MPI while it computes. */
static void phase_late_progress(void)
{
    MPI_Request r;
    if (me == 0) {
        DO(short, 10);
        SEND(MPI_Send, 1, 5, BIG);
    } else if (me == 1) {
        IRECV(r, 0, 0, 5, BIG);
        DO(late, 50);
        WAIT(r);
    }
}

/* Each rank waits for the one before, and the first one computes. */
static void phase_chain(void)
{
    if (me == 0)
        DO(late, 30);
    else
        RECV(me - 1, 5, 4);
    DO(same, 5);
    if (me < 3)
        SEND(MPI_Send, me + 1, 5, 4);
}

static void phase_ring(void)
{
    int to = (me + 1) % 4, from = (me + 3) % 4;
    if (me == 1)
        DO(late, 30);
    STAMP(MPI_Sendrecv(out, 4, MPI_CHAR, to, 7, in, 4, MPI_CHAR, from, 7, WORLD, MPI_STATUS_IGNORE),
          "MPI_Sendrecv to=%d tag=7 comm=world bytes=4 from=%d", to, from);
}

/* ---- collective operations ------------------------------------------------------------------- */

static void phase_reduce(void)
{
    int x = me, sum;
    if (me == 3)
        DO(late, 35);
    else if (me != 2)
        DO(short, 10 + 5 * me);
    STAMP(MPI_Reduce(&x, &sum, 1, MPI_INT, MPI_SUM, 2, WORLD),
          "MPI_Reduce coll=to_root root=2 comm=world");
}

static void phase_gather(void)
{
    if (me == 1)
        DO(late, 30);
    else if (me == 0)
        DO(short, 10);
    STAMP(MPI_Gather(out, 4, MPI_CHAR, in, 4, MPI_CHAR, 0, WORLD),
          "MPI_Gather coll=to_root root=0 comm=world");
}

static void phase_broadcast(void)
{
    if (me == 1)
        DO(late, 30);
    STAMP(MPI_Bcast(out, 4, MPI_CHAR, 1, WORLD), "MPI_Bcast coll=from_root root=1 comm=world");
}

static void phase_scatter(void)
{
    if (me == 3)
        DO(late, 30);
    STAMP(MPI_Scatter(out, 4, MPI_CHAR, in, 4, MPI_CHAR, 3, WORLD),
          "MPI_Scatter coll=from_root root=3 comm=world");
}

static void phase_allreduce(void)
{
    int x = me, sum;
    if (me == 3)
        DO(late, 30);
    NXN(MPI_Allreduce(&x, &sum, 1, MPI_INT, MPI_SUM, WORLD), "MPI_Allreduce");
}

static void phase_alltoall(void)
{
    if (me == 0)
        DO(late, 30);
    NXN(MPI_Alltoall(out, 4, MPI_CHAR, in, 4, MPI_CHAR, WORLD), "MPI_Alltoall");
}

static void phase_barrier(void)
{
    if (me == 2)
        DO(late, 30);
    BARRIER();
}

/* A window is made, fenced twice, and freed: each time one rank is late. */
static void phase_window(void)
{
    MPI_Win win;
    int *mine;
    if (me == 0)
        DO(late, 20);
    NXN(MPI_Win_allocate(sizeof *mine, 1, MPI_INFO_NULL, WORLD, &mine, &win), "MPI_Win_allocate");
    if (me == 1)
        DO(late, 30);
    NXN(MPI_Win_fence(0, win), "MPI_Win_fence");
    if (me == 2)
        DO(late, 25);
    MPI_Put(&me, 1, MPI_INT, (me + 1) % 4, 0, 1, MPI_INT, win);
    NXN(MPI_Win_fence(0, win), "MPI_Win_fence");
    if (me == 3)
        DO(late, 35);
    NXN(MPI_Win_free(&win), "MPI_Win_free");
}

/* Rank 2 is late by what it does first, not by what all ranks do. */
static void phase_excess(void)
{
    int x = me, sum;
    if (me == 2)
        DO(late, 20);
    DO(same, 30);
    NXN(MPI_Allreduce(&x, &sum, 1, MPI_INT, MPI_SUM, WORLD), "MPI_Allreduce");
}

/* Two halves, each with a late rank of its own. */
static void phase_subcomm(void)
{
    MPI_Comm half;
    int x = me, sum;
    NXN(MPI_Comm_split(WORLD, me % 2, me, &half), "MPI_Comm_split");
    if (me == 2)
        DO(late, 30);
    else if (me == 3)
        DO(short, 10);
    STAMP(MPI_Allreduce(&x, &sum, 1, MPI_INT, MPI_SUM, half), "MPI_Allreduce coll=nxn comm=half%d",
          me % 2);
    STAMP(MPI_Bcast(&x, 1, MPI_INT, 1, half), "MPI_Bcast coll=from_root root=%d comm=half%d",
          2 + me % 2, me % 2);
    STAMP(MPI_Comm_free(&half), "MPI_Comm_free");
}

/* Rank 0 is the root for the odd ranks; rank 2, which is on its side, takes no part. */
static void phase_intercomm(void)
{
    MPI_Comm half, inter;
    int x = me, sum, root = me == 0 ? MPI_ROOT : me == 2 ? MPI_PROC_NULL : 0;
    NXN(MPI_Comm_split(WORLD, me % 2, me, &half), "MPI_Comm_split");
    STAMP(MPI_Intercomm_create(half, 0, WORLD, 1 - me % 2, 9, &inter), "MPI_Intercomm_create");
    if (me == 0)
        DO(late, 30);
    STAMP(MPI_Bcast(&x, 1, MPI_INT, root, inter), "MPI_Bcast coll=%s root=0 comm=inter",
          me == 2 ? "apart" : "from_root");
    if (me)
        DO(short, 5 * me);
    STAMP(MPI_Reduce(&x, &sum, 1, MPI_INT, MPI_SUM, root, inter),
          "MPI_Reduce coll=%s root=0 comm=inter", me == 2 ? "apart" : "to_root");
    STAMP(MPI_Comm_free(&inter), "MPI_Comm_free");
    STAMP(MPI_Comm_free(&half), "MPI_Comm_free");
}

static void phase_balanced(void)
{
    int x = me, sum;
    DO(same, 20);
    NXN(MPI_Allreduce(&x, &sum, 1, MPI_INT, MPI_SUM, WORLD), "MPI_Allreduce");
}

/* ---- all phases ------------------------------------------------------------------------------ */

#define PHASE(f)                                                                                   \
    {                                                                                              \
#f, phase_##f                                                                              \
    }
static const struct {
    const char *name;
    void (*run)(void);
} phase[] = { PHASE(late_sender), PHASE(waitall),       PHASE(waitany),
              PHASE(any_source),  PHASE(wrong_order),   PHASE(late_receiver),
              PHASE(synchronous), PHASE(late_progress), PHASE(late_receiver_wait),
              PHASE(chain),       PHASE(ring),          PHASE(barrier),
              PHASE(reduce),      PHASE(gather),        PHASE(broadcast),
              PHASE(scatter),     PHASE(allreduce),     PHASE(alltoall),
              PHASE(excess),      PHASE(subcomm),       PHASE(intercomm),
              PHASE(window),      PHASE(balanced) };

static int wanted(const char *name, int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (!strcmp(name, argv[i]))
            return 1;
    return argc == 1;
}

int main(int argc, char **argv)
{
    stamps_begin();
    STAMP(MPI_Init(&argc, &argv), "MPI_Init");
    MPI_Comm_rank(WORLD, &me);
    memset(out, 1, BIG);
    memset(in, 1, BIG);
    for (unsigned i = 0; i < sizeof phase / sizeof *phase; i++)
        for (int k = 0; k < ROUNDS && wanted(phase[i].name, argc, argv); k++) {
            stamp_phase = "main";
            BARRIER();
            stamp_phase = phase[i].name;
            stamp_note(stamp_now(), stamp_now(), "begins");
            phase[i].run();
        }
    stamp_phase = "main";
    STAMP(MPI_Finalize(), "MPI_Finalize");
    stamps_write(me);
    return 0;
}
