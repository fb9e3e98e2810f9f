/* SPDX-License-Identifier: GPL-3.0-or-later */
/* papers_mpi.c - MPI programs for the tables of paper 002.
 *
 *   ping N   table I: N messages of 16 bytes there and back; prints the latency in us, half of that
 *   halo N   table II: N steps of a line of cells, whose ends the neighbours get (as in LU, MG, SP)
 *   alone N  table II: N rounds of random numbers, and one sum at the end (as in EP)
 *
 * Rank 0 prints "papers: NUMBER", of the last two the seconds. They are no NAS kernels. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size;

static double ping(long n)
{
    char message[16] = "sixteen bytes..";
    double start = 0;
    for (long i = -n / 10; i < n; i++) { /* the first ones are not counted */
        if (!i)
            start = MPI_Wtime();
        if (rank == 0)
            MPI_Send(message, sizeof message, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
        if (rank < 2)
            MPI_Recv(message, sizeof message, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        if (rank == 1)
            MPI_Send(message, sizeof message, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
    }
    return (MPI_Wtime() - start) / (double)n / 2 * 1e6;
}

static double halo(long n)
{
    enum { CELLS = 400000 };
    static double cell[CELLS + 2], next[CELLS + 2];
    int left = (rank + size - 1) % size, right = (rank + 1) % size;
    double start = MPI_Wtime();
    cell[CELLS / 2] = rank + 1;
    for (long i = 0; i < n; i++) {
        MPI_Sendrecv(&cell[1], 1, MPI_DOUBLE, left, 1, &cell[CELLS + 1], 1, MPI_DOUBLE, right, 1,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(&cell[CELLS], 1, MPI_DOUBLE, right, 2, &cell[0], 1, MPI_DOUBLE, left, 2,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int k = 1; k <= CELLS; k++)
            next[k] = (cell[k - 1] + 2 * cell[k] + cell[k + 1]) / 4;
        memcpy(cell + 1, next + 1, CELLS * sizeof *cell);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    return MPI_Wtime() - start;
}

static double alone(long n)
{
    unsigned long in = 0, all = 0;
    unsigned long long random = 271828183ull + (unsigned)rank;
    double start = MPI_Wtime();
    for (long i = 0; i < n * 100000; i++) {
        random = random * 6364136223846793005ull + 1442695040888963407ull;
        double a = (double)(random >> 40) / (1 << 24),
               b = (double)(random >> 16 & 0xffffff) / (1 << 24);
        in += a * a + b * b < 1;
    }
    MPI_Allreduce(&in, &all, 1, MPI_UNSIGNED_LONG, MPI_SUM, MPI_COMM_WORLD);
    double s = MPI_Wtime() - start;
    if (!rank)
        fprintf(stderr, "%lu inside\n", all);
    return s;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const char *what = argc > 1 ? argv[1] : "ping";
    long n = argc > 2 ? atol(argv[2]) : 1000;
    double got = !strcmp(what, "ping") ? ping(n) : !strcmp(what, "halo") ? halo(n) : alone(n);
    if (!rank)
        printf("papers: %.6f\n", got);
    MPI_Finalize();
    return 0;
}
