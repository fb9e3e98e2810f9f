/* SPDX-License-Identifier: GPL-3.0-or-later */
/* answers.c - a program of MPI and OpenMP for tests/trace/answers.sh: rank 2 computes longest, each
 * rank sends to the next one, and the threads of a rank wait for two locks, mostly for table_lock.
 * `answers FILE` writes "right" into FILE.RANK at the end. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { STEPS = 8, THREADS = 3, ROOM = 2048 };

void kernel(int ms), update(int us), note(int us), compute(int rank), report_sum(int rank);
void exchange(int rank, int ranks, double *buffer, int n);

static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
static volatile double work_done[THREADS];

/* Uses processor time, however busy the machine is. */
__attribute__((noinline)) void kernel(int ms)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    const double end = (double)t.tv_sec + (double)t.tv_nsec * 1e-9 + ms * 1e-3;
    while ((double)t.tv_sec + (double)t.tv_nsec * 1e-9 < end) {
        work_done[0] += 1e-9;
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    }
}

__attribute__((noinline)) void update(int us)
{
    pthread_mutex_lock(&table_lock);
    usleep((useconds_t)us);
    pthread_mutex_unlock(&table_lock);
}

__attribute__((noinline)) void note(int us)
{
    pthread_mutex_lock(&log_lock);
    usleep((useconds_t)us);
    pthread_mutex_unlock(&log_lock);
}

__attribute__((noinline)) void compute(int rank)
{
#pragma omp parallel num_threads(THREADS)
    {
        kernel(rank == 2 ? 30 : 1);
        update(1500);
        note(200);
    }
}

__attribute__((noinline)) void exchange(int rank, int ranks, double *buffer, int n)
{
    MPI_Request request[2];
    MPI_Irecv(buffer, ROOM, MPI_DOUBLE, (rank + ranks - 1) % ranks, 7, MPI_COMM_WORLD, &request[0]);
    MPI_Isend(buffer + ROOM, n, MPI_DOUBLE, (rank + 1) % ranks, 7, MPI_COMM_WORLD, &request[1]);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
}

__attribute__((noinline)) void report_sum(int rank)
{
    double in = rank, sum;
    MPI_Allreduce(&in, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int rank, ranks;
    char name[4096];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    double *buffer = calloc(2 * ROOM, sizeof *buffer);
    for (int i = 0; buffer && i < STEPS; i++) {
        compute(rank);
        exchange(rank, ranks, buffer, 100 * (rank + 1));
        report_sum(rank);
    }
    free(buffer);
    MPI_Finalize();
    snprintf(name, sizeof name, "%s.%d", argc > 1 ? argv[1] : "answers", rank);
    FILE *f = fopen(name, "w");
    return !f || fputs("right\n", f) < 0 || fclose(f);
}
