/* SPDX-License-Identifier: GPL-3.0-or-later */
/* roster.h - the processes of a job, sorted by rank. In a tree of processes, the front end numbers
 * the processes, and the number serves as rank.
 * Tests: tests/unit/jobs/check_context.c */
#ifndef EZ_ROSTER_H
#define EZ_ROSTER_H

#include <sys/types.h>

#include "engine/base/vec.h"
#include "engine/jobs/ranks.h"

enum ez_member_state {
    EZ_MEMBER_HELD,    /* the process was found, but no driver has attached yet */
    EZ_MEMBER_STOPPED, /* under a driver, and stopped */
    EZ_MEMBER_RUNNING, /* under a driver, and running */
    EZ_MEMBER_EXITED,  /* ended; `status` is its exit status */
    EZ_MEMBER_KILLED,  /* ended by a signal; `status` is 128 + the signal */
    EZ_MEMBER_GONE,    /* ended; the status is not known */
    EZ_MEMBER_LEFT,    /* the driver detached from the process */
    EZ_MEMBER_BLIND,   /* the driver has ended; the process runs on, and its probes count */
};

struct ez_member {
    uint32_t rank, local; /* local: index on its host */
    pid_t pid, parent;    /* parent: parent process, in a tree of processes; else 0 */
    uint32_t node;        /* number of the daemon that has the process's driver */
    bool held;            /* the process was eztsh-hold when it was found */
    enum ez_member_state state;
    int64_t keeps; /* number of probes in the process. If its next driver finds as many, these
                    * probes are not planted again; -1 = all rules are repeated in any case */
    int status;
    char *host, *program;
};

struct ez_roster {
    EZ_VEC(struct ez_member) member; /* sorted by rank */
};

/* Returns the member with that rank; if there is none, adds a member without data. The pointer is
 * valid until the next member is added. */
struct ez_member *ez_roster_put(struct ez_roster *r, uint32_t rank);
/* Returns the member with that rank, or NULL; valid until the next member is added. */
struct ez_member *ez_roster_find(const struct ez_roster *r, uint32_t rank);
void ez_roster_free(struct ez_roster *r);
void ez_roster_all(const struct ez_roster *r, struct ez_ranks *out);
/* Sets *out to the ranks of the members whose state is one of `states`, a mask of bits 1u << state.
 * The caller frees *out. */
void ez_roster_in(const struct ez_roster *r, unsigned states, struct ez_ranks *out);
/* Sets `local` of all members: the members of each host are numbered from 0, in rank order. */
void ez_roster_count_local(struct ez_roster *r);
const char *ez_member_state_name(enum ez_member_state s);
#define EZ_MEMBER_LIVE                                                                             \
    (1u << EZ_MEMBER_STOPPED | 1u << EZ_MEMBER_RUNNING) /* states in which a driver answers */

#endif
