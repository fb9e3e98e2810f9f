/* SPDX-License-Identifier: GPL-3.0-or-later */
/* switches.h - when the threads of a process had no processor, and what they are called, by
 * the kernel's own account (perf_event_open). */
#ifndef EZ_SWITCHES_H
#define EZ_SWITCHES_H

#include <sys/types.h>

#include "engine/base/base.h"

struct ez_switches;

enum { EZ_SWITCHES_AUTO, EZ_SWITCHES_ON, EZ_SWITCHES_OFF }; /* set trace-switches */

enum ez_switch_kind {
    EZ_SWITCH_SLEPT, /* from here on it waits for something                           */
    EZ_SWITCH_PREEMPTED,
    EZ_SWITCH_IN,   /* it runs                                                       */
    EZ_SWITCH_NAME, /* it is called `name`                                           */
    EZ_SWITCH_ENDED,
};

struct ez_switch {
    uint64_t ns;  /* CLOCK_MONOTONIC                                              */
    uint32_t tid; /* as seen from the caller's pid namespace                      */
    enum ez_switch_kind kind;
    char name[16];
};

/* Begin, for all threads that `pid` has and will have. 0 or errno: EACCES, EPERM where the
 * kernel refuses it (perf_event_paranoid, seccomp), ENOSYS, EMFILE (a descriptor a thread and
 * processor), ESRCH. */
int ez_switches_open(pid_t pid, struct ez_switches **out);
/* What came since, oldest first; how many. *out is valid until the next call. */
size_t ez_switches_read(struct ez_switches *s, const struct ez_switch **out);
bool ez_switches_pressed(const struct ez_switches *s);  /* a ring was half full then */
uint64_t ez_switches_lost(const struct ez_switches *s); /* of what was read, found no room */
void ez_switches_close(struct ez_switches *s);          /* NULL = nothing                 */

#endif
