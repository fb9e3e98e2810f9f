/* SPDX-License-Identifier: GPL-3.0-or-later */
/* roster.h - the processes of a job, sorted by rank. If the job is a tree of processes (parents and
 * children), the front end numbers the processes, and the numbers are the ranks.
 * Tests: tests/unit/jobs/check_context.c */
#ifndef EZ_ROSTER_H
#define EZ_ROSTER_H

#include <sys/types.h>

#include "engine/base/vec.h"
#include "engine/jobs/ranks.h"

enum ez_member_state {
    EZ_MEMBER_HELD,    /* found, but no driver has attached to the process yet */
    EZ_MEMBER_STOPPED, /* a driver is attached; the process is stopped */
    EZ_MEMBER_RUNNING, /* a driver is attached; the process is running */
    EZ_MEMBER_EXITED,  /* exited; `status` is the exit status */
    EZ_MEMBER_KILLED,  /* ended by a signal; `status` is 128 + the signal number */
    EZ_MEMBER_GONE,    /* ended; the exit status is not known */
    EZ_MEMBER_LEFT,    /* the driver detached from the process */
    EZ_MEMBER_BLIND,   /* the driver has ended; the process runs on, with its probes */
};

struct ez_member {
    uint32_t rank, local; /* local: index among the members on the same host */
    pid_t pid, parent;    /* parent: id of the parent process, in a tree of processes; else 0 */
    uint32_t node;        /* number of the daemon that started the process's driver */
    bool held;            /* the process was executing eztsh-hold when it was found */
    enum ez_member_state state;
    /* number of probes in the process. If the next driver finds as many probes, the rules are not
     * repeated; -1 = they are always repeated */
    int64_t keeps;
    int status;
    char *host, *program;
};

struct ez_roster {
    EZ_VEC(struct ez_member) member; /* sorted by rank */
};

/* Returns the member with that rank; if r has none, adds a member whose host and program are "".
 * The pointer is valid until the next member is added. */
struct ez_member *ez_roster_put(struct ez_roster *r, uint32_t rank);
/* Returns the member with that rank, or NULL if r has none. The pointer is valid until the next
 * member is added. */
struct ez_member *ez_roster_find(const struct ez_roster *r, uint32_t rank);
void ez_roster_free(struct ez_roster *r);
void ez_roster_all(const struct ez_roster *r, struct ez_ranks *out);
/* Sets *out to the ranks of the members whose state is in `states`, a set of bits 1u << state. The
 * caller frees *out. */
void ez_roster_in(const struct ez_roster *r, unsigned states, struct ez_ranks *out);
/* Sets `local` of all members: numbers the members on each host from 0, in the order of their
 * ranks. */
void ez_roster_count_local(struct ez_roster *r);
const char *ez_member_state_name(enum ez_member_state s);
/* states in which a driver answers requests */
#define EZ_MEMBER_LIVE (1u << EZ_MEMBER_STOPPED | 1u << EZ_MEMBER_RUNNING)

#endif
