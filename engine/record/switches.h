/* SPDX-License-Identifier: GPL-3.0-or-later */
/* switches.h - reads from the kernel (perf_event_open) when the threads of a process did not run,
 * the names of the threads, and when they ended. */
#ifndef EZ_SWITCHES_H
#define EZ_SWITCHES_H

#include <sys/types.h>

#include "engine/base/base.h"

struct ez_switches;

enum { EZ_SWITCHES_AUTO, EZ_SWITCHES_ON, EZ_SWITCHES_OFF }; /* values of "set trace-switches" */

enum ez_switch_kind {
    EZ_SWITCH_SLEPT, /* the thread went to sleep */
    EZ_SWITCH_PREEMPTED,
    EZ_SWITCH_IN,   /* the thread runs again */
    EZ_SWITCH_NAME, /* the thread got a new name */
    EZ_SWITCH_ENDED,
};

struct ez_switch {
    uint64_t ns;  /* CLOCK_MONOTONIC */
    uint32_t tid; /* thread id in the caller's pid namespace */
    enum ez_switch_kind kind;
    char name[16];
};

/* Starts recording for all current and future threads of the process `pid`. Returns 0 or an errno:
 * EACCES or EPERM if the kernel refuses (perf_event_paranoid, seccomp), ENOSYS, EMFILE (each thread
 * needs a descriptor per processor), ESRCH. */
int ez_switches_open(pid_t pid, struct ez_switches **out);
/* Reads the switches since the previous call, sorted by time. Returns their number. *out is valid
 * until the next call. */
size_t ez_switches_read(struct ez_switches *s, const struct ez_switch **out);
/* Returns true if the last ez_switches_read() found a ring half full. */
bool ez_switches_pressed(const struct ez_switches *s);
/* Returns the number of switches that found no room in a ring. */
uint64_t ez_switches_lost(const struct ez_switches *s);
void ez_switches_close(struct ez_switches *s); /* Frees s, which may be NULL. */

#endif
