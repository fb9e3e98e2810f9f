/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tree_mpi.c - the channels between daemons that mpirun or srun has started (tree.h).
 *
 * The file is compiled once for each installed MPI, into a daemon for that MPI. Between MPI_Init
 * and MPI_Finalize, no call blocks: MPI_Isend sends a message, MPI_Improbe finds it and MPI_Imrecv
 * receives it. So a hanging node delays only the nodes below it in the tree; a collective operation
 * would delay all nodes.
 *
 * MPI has no descriptor to poll, so the node calls MPI every PAUSE_NS while messages or input
 * arrive, and less often the longer nothing has arrived. The node always sleeps between the calls:
 * without sleep, it would use processor time that the drivers and ranks need, for which it waits.
 * With 8 daemons of MPICH on two processors, a command takes 1.7 ms with sleep, and 3 ms without.
 * Tests: tests/procs/job_mpi.sh */
#include "engine/jobs/tree.h"

#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "engine/base/now.h"
#include "engine/base/vec.h"
#include "engine/jobs/node.h"

#define FANOUT 8
#define TAG 4711
/* time after the last message during which the node polls every PAUSE_NS */
#define NEAR_NS 10000000ull
#define PAUSE_NS 100000ull
/* longest sleep in the first 3 s after a message, so that periodic results (one each second) are
 * not delayed */
#define REST_NS 1500000ull
#define IDLE_NS 5000000ull /* longest sleep, from 10 s after the last message on */
#define END_NS 1000000000ull
#define STAGGER_NS 20000000

struct tree_sending {
    MPI_Request request;
    char *text;
};

struct tree_coming {
    MPI_Request request;
    uint32_t from;
    char *text;
};

struct tree_mpi {
    EZ_VEC(struct tree_sending) sending;
    EZ_VEC(struct tree_coming) coming;
};

ez_err *ez_tree_begin(struct ez_tree *t, int *argc, char ***argv)
{
    int rank, size;
    const char *fanout = getenv("EZT_JOB_FANOUT");
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD); /* so that a handler of MPI does not reap the drivers */
    sigprocmask(SIG_BLOCK, &child, NULL);
    if (MPI_Init(argc, argv) != MPI_SUCCESS)
        return ez_err_new(EZ_E_SYS, 0, "MPI_Init failed");
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    *t = (struct ez_tree){ .node = (uint32_t)rank,
                           .nodes = (uint32_t)size,
                           .fanout = fanout && atoi(fanout) > 0 ? (uint32_t)atoi(fanout) : FANOUT,
                           .own = ez_alloc(sizeof(struct tree_mpi)) };
    return NULL;
}

void ez_tree_send(struct ez_tree *t, uint32_t to, const char *line)
{
    struct tree_mpi *m = t->own;
    struct tree_sending s = { .text = ez_strdup(line) };
    MPI_Isend(s.text, (int)strlen(line) + 1, MPI_CHAR, (int)to, TAG, MPI_COMM_WORLD, &s.request);
    EZ_PUSH(&m->sending, s);
}

static bool tree_drive_sends(struct tree_mpi *m)
{
    for (size_t i = 0; i < m->sending.n;) {
        int sent = 0;
        MPI_Test(&m->sending.at[i].request, &sent, MPI_STATUS_IGNORE);
        if (!sent) {
            i++;
            continue;
        }
        free(m->sending.at[i].text);
        m->sending.at[i] = m->sending.at[--m->sending.n];
    }
    return m->sending.n;
}

static void tree_receive(struct tree_mpi *m)
{
    for (;;) {
        int there = 0, n;
        MPI_Message message;
        MPI_Status status;
        MPI_Improbe(MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &there, &message, &status);
        if (!there)
            return;
        MPI_Get_count(&status, MPI_CHAR, &n);
        struct tree_coming c = { .from = (uint32_t)status.MPI_SOURCE,
                                 .text = ez_alloc((size_t)n + 1) };
        MPI_Imrecv(c.text, n, MPI_CHAR, &message, &c.request);
        EZ_PUSH(&m->coming, c);
    }
}

/* Continues all sends and receives. The messages of a sender are returned in the order in which
 * they were sent. */
char *ez_tree_receive(struct ez_tree *t, uint32_t *from)
{
    struct tree_mpi *m = t->own;
    tree_drive_sends(m);
    tree_receive(m);
    for (size_t i = 0; i < m->coming.n; i++) {
        struct tree_coming c = m->coming.at[i];
        bool later = false;
        int here = 0;
        for (size_t k = 0; k < i; k++)
            later |= m->coming.at[k].from == c.from;
        if (!later)
            MPI_Test(&m->coming.at[i].request, &here, MPI_STATUS_IGNORE);
        if (!here)
            continue;
        memmove(&m->coming.at[i], &m->coming.at[i + 1], (--m->coming.n - i) * sizeof c);
        *from = c.from;
        return c.text;
    }
    return NULL;
}

uint64_t ez_tree_patience(const struct ez_tree *t, uint64_t idle_ns)
{
    const struct tree_mpi *m = t->own;
    if (idle_ns < NEAR_NS || m->sending.n || m->coming.n)
        return PAUSE_NS;
    return EZ_MAX(EZ_MIN(idle_ns / 100, REST_NS), EZ_MIN(idle_ns / 2000, IDLE_NS));
}

#if defined(MPICH_NUMVERSION) && MPICH_NUMVERSION < 40200000
static void tree_leave(int sig)
{
    (void)sig;
    _exit(0);
}
#endif

/* Delays MPI_Finalize by a time that depends on the node, so that the daemons call it one after the
 * other: in MPICH before 4.2, MPI_Finalize over TCP can hang if all processes call it at the same
 * time (MPICH's pull request 6596). If it hangs nevertheless, an alarm ends the daemon. */
static void tree_stagger(const struct ez_tree *t)
{
#if defined(MPICH_NUMVERSION) && MPICH_NUMVERSION < 40200000
    nanosleep(&(struct timespec){ .tv_nsec = EZ_MIN(t->node, 49u) * STAGGER_NS }, NULL);
    signal(SIGALRM, tree_leave); /* If SIGALRM killed the daemon, mpirun would print an error. */
    alarm(2);
#else
    (void)t;
#endif
}

void ez_tree_end(struct ez_tree *t)
{
    struct tree_mpi *m = t->own;
    uint64_t until = ez_now_ns() + END_NS;
    while (tree_drive_sends(m) && ez_now_ns() < until)
        nanosleep(&(struct timespec){ .tv_nsec = PAUSE_NS }, NULL);
    tree_stagger(t);
    MPI_Finalize();
}

int main(int argc, char **argv)
{
    const char *eztsh = argc > 1 ? argv[1] : "eztsh";
    ez_err *e = ez_node_run(argc, argv, eztsh);
    if (e) {
        EZ_FREE char *why = ez_err_text(e);
        EZ_FREE char *line = ez_sprintf("eztsh-daemon: %s\n", why);
        fputs(line, stderr);
    }
    return !ez_err_drop(e);
}
