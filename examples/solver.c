/* SPDX-License-Identifier: MIT */
/* solver.c - heat in a rod that is divided among ranks: an example for `analyze`. The last rank gets
 * twice as many cells as each other rank; with "even" all get equal parts.
 *   mpirun -np 4 solver [even [STEPS]]
 * Prints the heat that is left, the same for each division. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CELLS 240000 /* of the whole rod */

struct part { /* of the rod: n cells, and one of each neighbour */
    int n, left, right;
    double *old, *now;
};

/* The new temperature of each cell. Returns the largest change. */
__attribute__((noinline)) static double relax(struct part *p)
{
    double change = 0;
    for (int i = 1; i <= p->n; i++) {
        p->now[i] = p->old[i] + 0.4 * (p->old[i - 1] - 2 * p->old[i] + p->old[i + 1]);
        double d = p->now[i] - p->old[i];
        change = d > change ? d : -d > change ? -d : change;
    }
    double *swap = p->old;
    p->old = p->now;
    p->now = swap;
    return change;
}

/* Gets the neighbours' cells at both ends. */
__attribute__((noinline)) static void exchange(struct part *p)
{
    MPI_Sendrecv(&p->old[1], 1, MPI_DOUBLE, p->left, 0, &p->old[p->n + 1], 1, MPI_DOUBLE, p->right,
                 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&p->old[p->n], 1, MPI_DOUBLE, p->right, 1, &p->old[0], 1, MPI_DOUBLE, p->left, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

__attribute__((noinline)) static double largest(double change)
{
    double all;
    MPI_Allreduce(&change, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return all;
}

/* Returns the number of cells of a rank. */
static int cells_of(int rank, int ranks, int even)
{
    if (even)
        return CELLS / ranks;
    return CELLS / (ranks + 1) * (1 + (rank == ranks - 1));
}

int main(int argc, char **argv)
{
    int me, ranks, even = argc > 1 && !strcmp(argv[1], "even");
    int steps = argc > 2 ? atoi(argv[2]) : 300;
    double heat = 0, all;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    struct part p = { .n = cells_of(me, ranks, even),
                      .left = me ? me - 1 : MPI_PROC_NULL,
                      .right = me + 1 < ranks ? me + 1 : MPI_PROC_NULL };
    p.old = calloc((size_t)p.n + 2, sizeof *p.old);
    p.now = calloc((size_t)p.n + 2, sizeof *p.now);
    if (!me)
        p.old[1] = 1000;
    for (int i = 0; i < steps; i++) {
        exchange(&p);
        if (largest(relax(&p)) < 1e-9)
            break;
    }
    for (int i = 1; i <= p.n; i++)
        heat += p.old[i];
    MPI_Reduce(&heat, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (!me)
        printf("heat %.3f\n", all);
    free(p.old);
    free(p.now);
    MPI_Finalize();
    return 0;
}
