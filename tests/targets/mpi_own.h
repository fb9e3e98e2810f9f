/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mpi_own.h - for programs that call MPI and know what they called: `PROGRAM PART,... FILE` writes
 * FILE.RANK with lines "call MPI_Send N", "message FROM TO MESSAGES BYTES", "unsent N", "result ...", "right". Built
 * by mpi.sh. */
#ifndef MPI_OWN_H
#define MPI_OWN_H

#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifndef ROUNDS
#define ROUNDS 20 /* of each part */
#endif
enum { MOST = 64, FUNCTIONS = 256 };
static struct {
    const char *name;
    unsigned n;
} count[FUNCTIONS + 1];
static int rank, size, wrong;
static unsigned long unsent; /* sends that failed */
static unsigned long messages[MOST], bytes[MOST], result;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void called(const char *name)
{
    int i = 0;
    pthread_mutex_lock(&lock);
    while (count[i].name && strcmp(count[i].name, name))
        i++;
    if (i == FUNCTIONS)
        abort();
    count[i].name = name;
    count[i].n++;
    pthread_mutex_unlock(&lock);
}
#define CALL(f, ...) (called(#f), f(__VA_ARGS__))
#define RIGHT(x) (wrong += !(x) && printf("rank %d: line %d: %s\n", rank, __LINE__, #x))
#define WORLD MPI_COMM_WORLD

/* A message to a rank of WORLD. */
static int to(int dest, unsigned long n)
{
    pthread_mutex_lock(&lock);
    messages[dest]++;
    bytes[dest] += n;
    pthread_mutex_unlock(&lock);
    return dest;
}
static int next(void)
{
    return (rank + 1) % size;
}
static int before(void)
{
    return (rank + size - 1) % size;
}

struct part {
    const char *name;
    void (*f)(void);
};

/* Runs the parts that argv[1] names, with commas between. If the name of the first one begins with "threads",
 * many threads may call MPI at once. A barrier keeps a part's messages from the receives of the one before. */
static int own_main(const struct part *part, size_t n, int argc, char **argv)
{
    int provided;
    char name[256];
    if (argc < 3)
        return 2;
    if (strncmp(argv[1], "threads", 7))
        CALL(MPI_Init, &argc, &argv);
    else
        CALL(MPI_Init_thread, &argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(WORLD, &rank);
    MPI_Comm_size(WORLD, &size);
    for (char *word = strtok(argv[1], ","); word;) {
        size_t i = 0;
        while (i < n && strcmp(part[i].name, word))
            i++;
        if (i == n)
            return 2;
        part[i].f();
        word = strtok(NULL, ",");
        if (word)
            CALL(MPI_Barrier, WORLD);
    }
    CALL(MPI_Finalize);
    snprintf(name, sizeof name, "%s.%d", argv[2], rank);
    FILE *f = fopen(name, "w");
    for (int i = 0; count[i].name; i++)
        fprintf(f, "call %s %u\n", count[i].name, count[i].n);
    for (int i = 0; i < size; i++)
        if (messages[i])
            fprintf(f, "message %d %d %lu %lu\n", rank, i, messages[i], bytes[i]);
    fprintf(f, "unsent %lu\nresult %lu\n%s\n", unsent, result, wrong ? "wrong" : "right");
    return fclose(f) || wrong;
}

#endif
