/* SPDX-License-Identifier: MIT */
/* ezt_counters.h - what the calling thread has used so far: the command COUNTERS of scripts.
 *
 * The kernel is asked by getrusage and by the thread's own clock, 0.7 us together. No descriptor is
 * opened in the program, and no permission is needed, as both are for perf_event_open. Whether the
 * thread has changed its processor is seen from one sample to the next: two changes between them
 * count as one, or as none. */
#ifndef EZT_COUNTERS_H
#define EZT_COUNTERS_H

#include <errno.h>
#include <ezt_probe.h>
#include <sys/resource.h>
#include <time.h>

#ifndef RUSAGE_THREAD /* without _GNU_SOURCE */
#define RUSAGE_THREAD 1
#endif
extern int sched_getcpu(void);

#define EZT_COUNTERS_WORDS "task-clock:uint page-faults:uint context-switches:uint migrations:uint"

static __thread uint32_t ezt_counters_cpu __attribute__((tls_model("initial-exec")));
static __thread uint32_t ezt_counters_moves __attribute__((tls_model("initial-exec")));

static inline void ezt_counters(uint32_t event)
{
    int was = errno;
    uint32_t cpu = (uint32_t)sched_getcpu() + 1; /* 0 = none was seen yet */
    struct rusage used;
    struct timespec ran;
    getrusage((__typeof__(RUSAGE_SELF))RUSAGE_THREAD, &used);
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ran);
    if (ezt_counters_cpu && ezt_counters_cpu != cpu)
        ezt_counters_moves++;
    ezt_counters_cpu = cpu;
    ezt_event4(event, (uint64_t)ran.tv_sec * 1000000000u + (uint64_t)ran.tv_nsec,
               (uint64_t)(used.ru_minflt + used.ru_majflt),
               (uint64_t)(used.ru_nvcsw + used.ru_nivcsw), ezt_counters_moves);
    errno = was;
}

#endif
