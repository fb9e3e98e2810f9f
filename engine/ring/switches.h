/* SPDX-License-Identifier: GPL-3.0-or-later */
/* switches.h - when the threads of a process had no processor, and what their names are, as the
 * kernel reports it (perf_event_open). */
#ifndef EZ_SWITCHES_H
#define EZ_SWITCHES_H

#include <sys/types.h>

#include "engine/base/base.h"

struct ez_switches;

enum { EZ_SWITCHES_AUTO, EZ_SWITCHES_ON, EZ_SWITCHES_OFF }; /* set trace-switches */

enum ez_switch_kind {
    EZ_SWITCH_SLEPT, /* the thread waits from here on                                 */
    EZ_SWITCH_PREEMPTED,
    EZ_SWITCH_IN,   /* the thread runs from here on                                  */
    EZ_SWITCH_NAME, /* the thread's name is now `name`                               */
    EZ_SWITCH_ENDED,
};

struct ez_switch {
    uint64_t ns;  /* CLOCK_MONOTONIC                                              */
    uint32_t tid; /* as seen from the caller's pid namespace                      */
    enum ez_switch_kind kind;
    char name[16];
};

/* Begin to watch all threads that process `pid` has and will have. Returns 0 or errno: EACCES or
 * EPERM where the kernel refuses (perf_event_paranoid, seccomp), ENOSYS, EMFILE (each thread needs
 * a descriptor per processor), ESRCH. */
int ez_switches_open(pid_t pid, struct ez_switches **out);
/* The switches since the last call, oldest first; returns how many. *out is valid until the next
 * call. */
size_t ez_switches_read(struct ez_switches *s, const struct ez_switch **out);
bool ez_switches_pressed(const struct ez_switches *s);  /* the last read found a ring half full */
uint64_t ez_switches_lost(const struct ez_switches *s); /* switches that found no room in a ring */
void ez_switches_close(struct ez_switches *s);          /* s may be NULL                  */

#endif
