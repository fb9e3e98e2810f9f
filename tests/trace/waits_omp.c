/* SPDX-License-Identifier: GPL-3.0-or-later */
/* waits_omp.c - OpenMP threads that wait for each other in the ways that `analyze` knows, a function phase_NAME for
 * each way, and note when (stamps.h). For analyze.sh. */
#include "tests/trace/stamps.h"

#include <omp.h>

enum { THREADS = 3, ROUNDS = 2 };
static omp_lock_t lock;

WORK(late)
WORK(same)
WORK(short)

/* A thread's part of a region ends: it waits for the others, unless they wait already. */
#define PART_ENDS() stamp_note(stamp_now(), stamp_now(), "part")

static void phase_region(void)
{
#pragma omp parallel num_threads(THREADS)
    {
        if (omp_get_thread_num() == 1)
            DO(late, 30);
        else
            DO(short, 5);
        PART_ENDS();
    }
}

static void phase_explicit(void)
{
#pragma omp parallel num_threads(THREADS)
    {
        if (omp_get_thread_num() == 2)
            DO(late, 30);
        long long before = stamp_now();
#pragma omp barrier
        stamp_note(before, stamp_now(), "barrier");
        DO(same, 5);
        PART_ENDS();
    }
}

static void phase_loop(void)
{
#pragma omp parallel num_threads(THREADS)
    {
        long long before = 0;
#pragma omp for schedule(static, 1)
        for (int i = 0; i < THREADS; i++) {
            if (i == 1)
                DO(late, 30);
            else
                DO(short, 5);
            before = stamp_now();
        }
        stamp_note(before, stamp_now(), "barrier");
        PART_ENDS();
    }
}

static void phase_critical(void)
{
#pragma omp parallel num_threads(THREADS)
    {
        long long before = stamp_now(), after;
#pragma omp critical(one)
        {
            after = stamp_now();
            DO(late, 15);
        }
        stamp_note(before, after, "blocked pattern=omp_critical");
        PART_ENDS();
    }
}

static void phase_lock(void)
{
#pragma omp parallel num_threads(THREADS)
    {
        STAMP(omp_set_lock(&lock), "blocked pattern=omp_lock");
        DO(late, 15);
        omp_unset_lock(&lock);
        PART_ENDS();
    }
}

static void phase_balanced(void)
{
#pragma omp parallel num_threads(THREADS)
    {
        DO(same, 20);
        PART_ENDS();
    }
}

#define PHASE(f)                                                                                   \
    do {                                                                                           \
        stamp_phase = #f;                                                                          \
        for (int k = 0; k < ROUNDS; k++)                                                           \
            STAMP(phase_##f(), "region");                                                          \
    } while (0)
/* Outside of all regions: the team is idle. */
static void phase_idle(void)
{
    DO(late, 30);
}

int main(void)
{
    stamps_begin();
    omp_init_lock(&lock);
    PHASE(region);
    PHASE(explicit);
    PHASE(loop);
    PHASE(critical);
    PHASE(lock);
    PHASE(balanced);
    stamp_phase = "idle";
    phase_idle();
    stamp_phase = "balanced";
    STAMP(phase_balanced(), "region");
    stamps_write(0);
    return 0;
}
