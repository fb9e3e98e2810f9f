/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mpi_edges.c - calls MPI in ways that are rare, and right: requests that are given away, calls that
 * fail, communicators that are made at once. */
#include "mpi_own.h"

#include <unistd.h>

/* A receive that was given away, cancelled before or not, takes no message from the next. */
static void freed(void)
{
    static int kept[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
        int out[2] = { rank + i, rank - i }, in[2], never;
        MPI_Request r;
        CALL(MPI_Irecv, &never, 1, MPI_INT, i % 2 ? before() : MPI_ANY_SOURCE, 1, WORLD, &r);
        CALL(MPI_Cancel, &r);
        CALL(MPI_Request_free, &r);
        CALL(MPI_Irecv, &kept[i], 1, MPI_INT, before(), 1, WORLD, &r);
        CALL(MPI_Request_free, &r);
        CALL(MPI_Barrier, WORLD);
        CALL(MPI_Send, &out[0], 1, MPI_INT, to(next(), 4), 1, WORLD);
        CALL(MPI_Send, out, 2, MPI_INT, to(next(), 8), 1, WORLD);
        CALL(MPI_Recv, in, 2, MPI_INT, before(), 1, WORLD, MPI_STATUS_IGNORE);
        RIGHT(in[1] == before() - i && kept[i] == before() + i);
        CALL(MPI_Barrier, WORLD);
    }
}

/* Of the receives of one call one fails, since its message is too long. */
static void errors(void)
{
    MPI_Comm_set_errhandler(WORLD, MPI_ERRORS_RETURN);
    for (int i = 0; i < ROUNDS; i++) {
        int out[9] = { rank + i }, in[2][9];
        MPI_Request r[2];
        MPI_Status s[2];
        CALL(MPI_Irecv, in[0], 1, MPI_INT, before(), 1, WORLD, &r[0]);
        CALL(MPI_Irecv, in[1], 9, MPI_INT, i % 2 ? before() : MPI_ANY_SOURCE, 2, WORLD, &r[1]);
        CALL(MPI_Barrier, WORLD);
        CALL(MPI_Send, out, 9, MPI_INT, to(next(), 36), 1, WORLD);
        CALL(MPI_Send, out, 9, MPI_INT, to(next(), 36), 2, WORLD);
        int e = CALL(MPI_Waitall, 2, r, s);
        RIGHT(e == MPI_ERR_IN_STATUS);
        if (r[1] != MPI_REQUEST_NULL)
            CALL(MPI_Wait, &r[1], MPI_STATUS_IGNORE);
        RIGHT(in[1][0] == before() + i);
        e = CALL(MPI_Send, out, -1, MPI_INT, next(), 3, WORLD);
        RIGHT(e != MPI_SUCCESS);
        unsent++;
        CALL(MPI_Send, out, 1, MPI_INT, to(next(), 4), 3, WORLD);
        CALL(MPI_Recv, in[0], 1, MPI_INT, before(), 3, WORLD, MPI_STATUS_IGNORE);
        CALL(MPI_Send, out, 9, MPI_INT, to(next(), 36), 4, WORLD);
        e = CALL(MPI_Recv, in[0], 1, MPI_INT, MPI_ANY_SOURCE, 4, WORLD, MPI_STATUS_IGNORE);
        RIGHT(e != MPI_SUCCESS);
        CALL(MPI_Barrier, WORLD);
    }
}

/* Communicators of the same members are made at once, of two others, and in another order in each rank. */
static void at_once(void)
{
    MPI_Comm of[2], c[2];
    CALL(MPI_Comm_dup, WORLD, &of[0]);
    CALL(MPI_Comm_dup, WORLD, &of[1]);
    for (int i = 0; i < ROUNDS; i++) {
        int out[9] = { i }, in[9] = { 0 };
        MPI_Request r[2];
        for (int k = 0; k < 2; k++)
            CALL(MPI_Comm_idup, of[(k ^ rank) & 1], &c[(k ^ rank) & 1], &r[k]);
        CALL(MPI_Waitall, 2, r, MPI_STATUSES_IGNORE);
        for (int k = 0; k < 5; k++) {
            CALL(MPI_Send, out, 1 + k % 2, MPI_INT, to(next(), 4 + 4UL * (k % 2)), 1, c[k % 2]);
            CALL(MPI_Recv, in, 9, MPI_INT, before(), 1, c[k % 2], MPI_STATUS_IGNORE);
            RIGHT(in[0] == i);
        }
        CALL(MPI_Comm_free, &c[0]);
        CALL(MPI_Comm_free, &c[1]);
    }
    CALL(MPI_Comm_free, &of[0]);
    CALL(MPI_Comm_free, &of[1]);
}

/* To itself; more requests than the module has room for; communicators made in other ways. */
static void many(void)
{
    enum { N = 40 };
    int out[N], in[N], n, at[N], seen = 0;
    MPI_Request r[2 * N];
    for (int i = 0; i < N; i++)
        CALL(MPI_Irecv, &in[i], 1, MPI_INT, i % 3 ? before() : MPI_ANY_SOURCE, i, WORLD, &r[i]);
    for (int i = 0; i < N; i++)
        out[i] = i, CALL(MPI_Isend, &out[i], 1, MPI_INT, to(next(), 4), i, WORLD, &r[N + i]);
    CALL(MPI_Waitall, 2 * N, r, MPI_STATUSES_IGNORE);
    for (int i = 0; i < N; i++)
        CALL(MPI_Irecv, &in[i], 1, MPI_INT, MPI_ANY_SOURCE, i, WORLD, &r[i]);
    for (int i = N; i-- > 0;)
        CALL(MPI_Send, &out[i], 1, MPI_INT, to(before(), 4), i, WORLD);
    while (seen < N) {
        CALL(MPI_Waitsome, N, r, &n, at, MPI_STATUSES_IGNORE);
        seen += n;
    }
    for (int i = 0; i < N; i++)
        RIGHT(in[i] == i);
    CALL(MPI_Sendrecv, &out[7], 1, MPI_INT, (to(rank, 4), 0), 3, in, 1, MPI_INT, 0, 3,
         MPI_COMM_SELF, MPI_STATUS_IGNORE);
}

/* Messages in parts, beside others of the same tag: one for each time that they are begun. */
static void parted(void)
{
#if MPI_VERSION >= 4
    int out[8], in[8], one, flag;
    MPI_Request r[2];
    CALL(MPI_Psend_init, out, 4, 2, MPI_INT, next(), 3, WORLD, MPI_INFO_NULL, &r[0]);
    CALL(MPI_Precv_init, in, 2, 4, MPI_INT, before(), 3, WORLD, MPI_INFO_NULL, &r[1]);
    for (int i = 0; i < ROUNDS; i++) {
        to(next(), 32);
        CALL(MPI_Startall, 2, r);
        for (int k = 0; k < 8; k++)
            out[k] = rank + i + k;
        CALL(MPI_Pready, 3, r[0]);
        CALL(MPI_Send, &i, 1, MPI_INT, to(next(), 4), 3, WORLD);
        CALL(MPI_Recv, &one, 1, MPI_INT, before(), 3, WORLD, MPI_STATUS_IGNORE);
        CALL(MPI_Pready_range, 0, 2, r[0]);
        for (flag = 0; !flag;)
            CALL(MPI_Parrived, r[1], 1, &flag);
        CALL(MPI_Waitall, 2, r, MPI_STATUSES_IGNORE);
        for (int k = 0; k < 8; k++)
            RIGHT(in[k] == before() + i + k);
    }
    CALL(MPI_Request_free, &r[0]);
    CALL(MPI_Request_free, &r[1]);
#endif
}

/* Until there is a file "stop"; its number is in the file pid.RANK. */
static void keep(void)
{
    char name[32];
    int stop = 0;
    snprintf(name, sizeof name, "pid.%d", rank);
    FILE *f = fopen(name, "w");
    RIGHT(f && fprintf(f, "%d\n", (int)getpid()) > 0);
    if (f)
        fclose(f);
    for (int i = 0; !stop; i++) {
        int out[2] = { i, i + 1 }, in[2], sum;
        MPI_Request r[4];
        MPI_Comm c;
        MPI_Irecv(&in[0], 1, MPI_INT, before(), 1, WORLD, &r[0]);
        MPI_Irecv(&in[1], 1, MPI_INT, MPI_ANY_SOURCE, 2, WORLD, &r[1]);
        MPI_Isend(&out[0], 1, MPI_INT, next(), 1, WORLD, &r[2]);
        MPI_Isend(&out[1], 1, MPI_INT, next(), 2, WORLD, &r[3]);
        MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
        RIGHT(in[0] == i && in[1] == i + 1);
        MPI_Comm_split(WORLD, rank % 2, rank, &c);
        MPI_Allreduce(&i, &sum, 1, MPI_INT, MPI_MAX, c);
        MPI_Comm_free(&c);
        stop = !rank && !access("stop", F_OK);
        MPI_Bcast(&stop, 1, MPI_INT, 0, WORLD);
    }
}

int main(int argc, char **argv)
{
    static const struct part part[] = { { "freed", freed },     { "errors", errors },
                                        { "at_once", at_once }, { "keep", keep },
                                        { "parted", parted },   { "many", many } };
    return own_main(part, sizeof part / sizeof *part, argc, argv);
}
