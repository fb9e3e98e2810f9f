/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pingpong.c - a message goes to and fro between two ranks: an example for the module mpi, and the
 * program that measures what the module costs (table I of the paper on EZTrace's plugins).
 *   mpirun -np 2 pingpong [ROUNDS [BYTES]]
 * Prints the time of one way, half a round. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static void play(int me, char *ball, int bytes, long rounds)
{
    for (long i = 0; i < rounds; i++) {
        if (me == 0)
            MPI_Send(ball, bytes, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
        MPI_Recv(ball, bytes, MPI_CHAR, !me, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (me == 1)
            MPI_Send(ball, bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    int me;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    long rounds = argc > 1 ? atol(argv[1]) : 1000;
    int bytes = argc > 2 ? atoi(argv[2]) : 16;
    char *ball = calloc(1, (size_t)bytes + 1);
    if (me < 2)
        play(me, ball, bytes, 10); /* connections are made by the first messages */
    MPI_Barrier(MPI_COMM_WORLD);
    double t = MPI_Wtime();
    if (me < 2)
        play(me, ball, bytes, rounds);
    t = MPI_Wtime() - t;
    if (me == 0)
        printf("%.1f ns one way\n", t * 1e9 / (double)rounds / 2);
    free(ball);
    MPI_Finalize();
    return 0;
}
