/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pmpi_count.c - counts messages beside eztsh, for programs that nobody compiles here: preloaded, it
 * writes to the folder $PMPI_COUNT at MPI_Finalize a file for each rank, with lines
 * "sent|received FROM TO MESSAGES BYTES"; ranks are those of MPI_COMM_WORLD. It knows the functions that
 * LAMMPS and HPCC call. A message is received when its request is complete, and not cancelled. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { RANKS = 64, REQUESTS = 4096 };
static struct {
    long n, bytes;
} sent[RANKS], received[RANKS];
static struct {
    MPI_Request request;
    MPI_Comm comm;
    int open;
} receive[REQUESTS];

/* -1: there is no such process (MPI_PROC_NULL) */
static int count_rank(MPI_Comm comm, int rank)
{
    MPI_Group own, all;
    int there;
    if (rank < 0)
        return -1;
    PMPI_Comm_group(comm, &own);
    PMPI_Comm_group(MPI_COMM_WORLD, &all);
    PMPI_Group_translate_ranks(own, 1, &rank, all, &there);
    PMPI_Group_free(&own);
    PMPI_Group_free(&all);
    if (there >= RANKS)
        abort();
    return there;
}

static void count_send(int n, MPI_Datatype type, int dest, MPI_Comm comm)
{
    int size, to = count_rank(comm, dest);
    if (to < 0)
        return;
    PMPI_Type_size(type, &size);
    sent[to].n++;
    sent[to].bytes += (long)size * n;
}

static void count_received(const MPI_Status *status, MPI_Comm comm)
{
    int bytes, cancelled, from = count_rank(comm, status->MPI_SOURCE);
    PMPI_Test_cancelled(status, &cancelled);
    if (from < 0 || cancelled)
        return;
    PMPI_Get_count(status, MPI_BYTE, &bytes);
    received[from].n++;
    received[from].bytes += bytes;
}

/* ---- receives that are under way ---- */

static int count_find(MPI_Request request)
{
    for (int i = 0; request != MPI_REQUEST_NULL && i < REQUESTS; i++)
        if (receive[i].open && receive[i].request == request)
            return i;
    return -1;
}

static void count_post(MPI_Request request, MPI_Comm comm)
{
    int i = 0;
    while (i < REQUESTS && receive[i].open)
        i++;
    if (i == REQUESTS)
        abort();
    receive[i].request = request;
    receive[i].comm = comm;
    receive[i].open = 1;
}

static void count_complete(int i, const MPI_Status *status)
{
    if (i < 0) /* a send */
        return;
    receive[i].open = 0;
    count_received(status, receive[i].comm);
}

/* ---- the functions ---- */

#define SEND(f)                                                                                    \
    int MPI_##f(const void *buf, int n, MPI_Datatype type, int dest, int tag, MPI_Comm comm)       \
    {                                                                                              \
        count_send(n, type, dest, comm);                                                           \
        return PMPI_##f(buf, n, type, dest, tag, comm);                                            \
    }
#define ISEND(f)                                                                                   \
    int MPI_##f(const void *buf, int n, MPI_Datatype type, int dest, int tag, MPI_Comm comm,       \
                MPI_Request *request)                                                              \
    {                                                                                              \
        count_send(n, type, dest, comm);                                                           \
        return PMPI_##f(buf, n, type, dest, tag, comm, request);                                   \
    }
SEND(Send)
SEND(Ssend)
SEND(Rsend)
ISEND(Isend)
ISEND(Issend)

int MPI_Recv(void *buf, int n, MPI_Datatype type, int source, int tag, MPI_Comm comm,
             MPI_Status *status)
{
    MPI_Status own;
    int r = PMPI_Recv(buf, n, type, source, tag, comm, &own);
    count_received(&own, comm);
    if (status != MPI_STATUS_IGNORE)
        *status = own;
    return r;
}

int MPI_Sendrecv(const void *out, int outs, MPI_Datatype out_type, int dest, int out_tag, void *in,
                 int ins, MPI_Datatype in_type, int source, int in_tag, MPI_Comm comm,
                 MPI_Status *status)
{
    MPI_Status own;
    count_send(outs, out_type, dest, comm);
    int r = PMPI_Sendrecv(out, outs, out_type, dest, out_tag, in, ins, in_type, source, in_tag,
                          comm, &own);
    count_received(&own, comm);
    if (status != MPI_STATUS_IGNORE)
        *status = own;
    return r;
}

int MPI_Irecv(void *buf, int n, MPI_Datatype type, int source, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    int r = PMPI_Irecv(buf, n, type, source, tag, comm, request);
    count_post(*request, comm);
    return r;
}

int MPI_Wait(MPI_Request *request, MPI_Status *status)
{
    MPI_Status own;
    int i = count_find(*request), r = PMPI_Wait(request, &own);
    count_complete(i, &own);
    if (status != MPI_STATUS_IGNORE)
        *status = own;
    return r;
}

int MPI_Test(MPI_Request *request, int *over, MPI_Status *status)
{
    MPI_Status own;
    int i = count_find(*request), r = PMPI_Test(request, over, &own);
    if (!*over)
        return r;
    count_complete(i, &own);
    if (status != MPI_STATUS_IGNORE)
        *status = own;
    return r;
}

int MPI_Waitall(int n, MPI_Request *request, MPI_Status *status)
{
    MPI_Status *own = calloc((size_t)n + 1, sizeof *own);
    int *is = calloc((size_t)n + 1, sizeof *is);
    for (int i = 0; i < n; i++)
        is[i] = count_find(request[i]);
    int r = PMPI_Waitall(n, request, own);
    for (int i = 0; i < n; i++) {
        count_complete(is[i], &own[i]);
        if (status != MPI_STATUSES_IGNORE)
            status[i] = own[i];
    }
    free(is);
    free(own);
    return r;
}

/* over: NULL = waits */
static int count_any(int n, MPI_Request *request, int *which, int *over, MPI_Status *status)
{
    MPI_Status own;
    int *is = calloc((size_t)n + 1, sizeof *is);
    for (int i = 0; i < n; i++)
        is[i] = count_find(request[i]);
    int r =
        over ? PMPI_Testany(n, request, which, over, &own) : PMPI_Waitany(n, request, which, &own);
    if (!over || *over) {
        if (*which != MPI_UNDEFINED)
            count_complete(is[*which], &own);
        if (status != MPI_STATUS_IGNORE)
            *status = own;
    }
    free(is);
    return r;
}

int MPI_Waitany(int n, MPI_Request *request, int *which, MPI_Status *status)
{
    return count_any(n, request, which, NULL, status);
}

int MPI_Testany(int n, MPI_Request *request, int *which, int *over, MPI_Status *status)
{
    return count_any(n, request, which, over, status);
}

int MPI_Finalize(void)
{
    char name[4096];
    const char *folder = getenv("PMPI_COUNT");
    int me;
    PMPI_Comm_rank(MPI_COMM_WORLD, &me);
    snprintf(name, sizeof name, "%s/%d", folder ? folder : ".", me);
    FILE *f = fopen(name, "w");
    for (int i = 0; f && i < RANKS; i++) {
        if (sent[i].n)
            fprintf(f, "sent %d %d %ld %ld\n", me, i, sent[i].n, sent[i].bytes);
        if (received[i].n)
            fprintf(f, "received %d %d %ld %ld\n", i, me, received[i].n, received[i].bytes);
    }
    if (f)
        fclose(f);
    return PMPI_Finalize();
}
