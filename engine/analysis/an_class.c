/* SPDX-License-Identifier: GPL-3.0-or-later */
/* an_class.c - what the states of a trace mean for the analysis, by their names
 * (analysis_priv.h).
 *
 * Tests: tests/unit/analysis/check_analysis.c */
#include <string.h>

#include "engine/analysis/analysis_priv.h"
#include "engine/trace/locks.h"

struct known {
    const char *name;
    enum an_op op;
    enum ez_wait_kind wait;
};

/* MPI functions without "MPI_" and without the "I" of nonblocking collective operations. A name
 * that ends in '*' stands for all names with this beginning. */
static const struct known mpi_known[] = {
    { "Send", OP_MPI_SENDS, EZ_WAIT_NONE },
    { "Bsend", OP_MPI_SENDS, EZ_WAIT_NONE },
    { "Ssend", OP_MPI_SENDS, EZ_WAIT_NONE },
    { "Rsend", OP_MPI_SENDS, EZ_WAIT_NONE },
    { "Sendrecv*", OP_MPI_SENDS, EZ_WAIT_NONE },
    { "Init", OP_MPI_INIT, EZ_WAIT_NONE },
    { "Init_thread", OP_MPI_INIT, EZ_WAIT_NONE },
    { "Finalize", OP_MPI_FINALIZE, EZ_WAIT_FINALIZE },
    { "Barrier", OP_NXN, EZ_WAIT_BARRIER },
    { "Allgather*", OP_NXN, EZ_WAIT_NXN },
    { "Alltoall*", OP_NXN, EZ_WAIT_NXN },
    { "Allreduce", OP_NXN, EZ_WAIT_NXN },
    { "Reduce_scatter*", OP_NXN, EZ_WAIT_NXN },
    { "Bcast", OP_FROM_ROOT, EZ_WAIT_LATE_BROADCAST },
    { "Scatter*", OP_FROM_ROOT, EZ_WAIT_LATE_BROADCAST },
    { "Reduce", OP_TO_ROOT, EZ_WAIT_EARLY_REDUCE },
    { "Gather*", OP_TO_ROOT, EZ_WAIT_EARLY_REDUCE },
    { "Scan", OP_OTHER_COLLECTIVE, EZ_WAIT_NONE },
    { "Exscan", OP_OTHER_COLLECTIVE, EZ_WAIT_NONE },
    { "Comm_create", OP_NXN, EZ_WAIT_NXN },
    { "Comm_dup", OP_NXN, EZ_WAIT_NXN },
    { "Comm_dup_with_info", OP_NXN, EZ_WAIT_NXN },
    { "Comm_split", OP_NXN, EZ_WAIT_NXN },
    { "Comm_split_type", OP_NXN, EZ_WAIT_NXN },
    { "Cart_create", OP_NXN, EZ_WAIT_NXN },
    { "Cart_sub", OP_NXN, EZ_WAIT_NXN },
    { "Graph_create", OP_NXN, EZ_WAIT_NXN },
    { "Win_create*", OP_NXN, EZ_WAIT_NXN },
    { "Win_allocate*", OP_NXN, EZ_WAIT_NXN },
    { "Win_free", OP_NXN, EZ_WAIT_NXN },
    { "Win_fence", OP_NXN, EZ_WAIT_NXN },
};

static const struct known openmp_known[] = {
    { "Parallel region", OP_REGION, EZ_WAIT_NONE },
    { "Working", OP_WORKING, EZ_WAIT_NONE },
    { "Task", OP_TASK, EZ_WAIT_NONE },
    { "Waiting at a barrier", OP_OMP_BARRIER, EZ_WAIT_OMP_BARRIER },
    { "Blocked on a critical section", OP_BLOCKED, EZ_WAIT_OMP_CRITICAL },
    { "Blocked on a lock", OP_BLOCKED, EZ_WAIT_OMP_LOCK },
    { "Waiting for tasks", OP_OMP_TASKS, EZ_WAIT_OMP_TASKS },
    { "Waiting for the turn", OP_OMP_OTHER, EZ_WAIT_NONE },
    { EZ_LOCK_HELD, OP_HELD, EZ_WAIT_NONE },
};

static const struct known pthread_known[] = {
    { "Blocked on a semaphore", OP_SEMAPHORE, EZ_WAIT_SEMAPHORE },
    { "Blocked on a *", OP_BLOCKED, EZ_WAIT_MUTEX },
    { "Waiting for a condition", OP_CONDITION, EZ_WAIT_CONDITION },
    { "Waiting at a barrier", OP_THREAD_BARRIER, EZ_WAIT_THREAD_BARRIER },
    { "Waiting for a thread", OP_JOIN, EZ_WAIT_JOIN },
    { EZ_LOCK_HELD, OP_HELD, EZ_WAIT_NONE },
};

static const struct known pause_known[] = {
    { "[preempted]", OP_PREEMPTED, EZ_WAIT_NONE },
    { "[slept]", OP_SLEPT, EZ_WAIT_NONE },
    { "[waiting for the trace]", OP_OURS, EZ_WAIT_NONE },
    { "[events lost]", OP_LOST, EZ_WAIT_NONE },
};

static bool class_matches(const char *pattern, const char *name)
{
    size_t n = strlen(pattern) - 1;
    return pattern[n] == '*' ? !strncmp(pattern, name, n) : !strcmp(pattern, name);
}

static bool class_find(const struct known *k, size_t n, const char *name, struct an_class *c)
{
    for (size_t i = 0; i < n; i++)
        if (class_matches(k[i].name, name)) {
            c->op = k[i].op;
            c->wait = k[i].wait;
            return true;
        }
    return false;
}

static void class_mpi(const char *text, struct an_class *c)
{
    EZ_FREE char *name = ez_mpi_function(text);
    c->op = OP_MPI;
    c->synchronous = name && (!strcmp(name, "Ssend") || !strcmp(name, "Issend"));
    if (!name || class_find(mpi_known, EZ_ARRAY_LEN(mpi_known), name, c) || *name != 'I')
        return;
    /* "Ibarrier" is "Barrier" without waiting; "Isend" is no collective operation */
    EZ_FREE char *blocking = ez_strdup(name + 1);
    *blocking = (char)(*blocking - 'a' + 'A');
    struct an_class b = { .op = OP_MPI };
    if (class_find(mpi_known, EZ_ARRAY_LEN(mpi_known), blocking, &b) && b.op >= OP_NXN) {
        c->op = b.op;
        c->wait = b.wait;
        c->starts_only = true;
    }
}

struct an_class an_class_of(const struct ez_name *n)
{
    struct an_class c = { .known = true, .paradigm = ez_paradigm_of(n), .op = OP_CALL };
    switch (n->kind == EZ_N_STATE ? c.paradigm : EZ_PARADIGM_USER) {
    case EZ_PARADIGM_PAUSE:
        c.op = OP_IGNORED;
        class_find(pause_known, EZ_ARRAY_LEN(pause_known), n->text, &c);
        break;
    case EZ_PARADIGM_MPI:
        if (!n->addr) /* a probed function of the library is an ordinary call */
            class_mpi(n->text, &c);
        break;
    case EZ_PARADIGM_OPENMP:
        c.op = OP_IGNORED;
        class_find(openmp_known, EZ_ARRAY_LEN(openmp_known), n->text, &c);
        break;
    case EZ_PARADIGM_PTHREAD:
        class_find(pthread_known, EZ_ARRAY_LEN(pthread_known), n->text, &c);
        break;
    case EZ_PARADIGM_IO:
    case EZ_PARADIGM_MEMORY:
    case EZ_PARADIGM_USER:
        break;
    }
    return c;
}
