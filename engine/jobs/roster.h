/* SPDX-License-Identifier: GPL-3.0-or-later */
/* roster.h - the processes of a job, sorted by rank (in a process tree: by number).
 * Tests: tests/unit/jobs/check_context.c */
#ifndef EZ_ROSTER_H
#define EZ_ROSTER_H

#include <sys/types.h>

#include "engine/base/vec.h"
#include "engine/jobs/ranks.h"

enum ez_member_state {
    EZ_MEMBER_HELD,    /* not started, without a driver */
    EZ_MEMBER_STOPPED, /* this and the following states have a driver */
    EZ_MEMBER_RUNNING,
    EZ_MEMBER_EXITED, /* status */
    EZ_MEMBER_KILLED, /* status: 128 + the signal */
    EZ_MEMBER_GONE,   /* ended; only its parent knows the status */
    EZ_MEMBER_LEFT,   /* detached */
    EZ_MEMBER_BLIND,  /* its driver ended: the process runs on, and its probes count */
};

struct ez_member {
    uint32_t rank, local; /* local: index on its host */
    pid_t pid, parent;    /* parent: in a process tree; else 0 */
    uint32_t node;        /* daemon of its driver */
    bool held;            /* still eztsh-hold */
    enum ez_member_state state;
    int64_t keeps; /* number of probes that its next driver must find; -1 = all rules are
                    * repeated */
    int status;
    char *host, *program;
};

struct ez_roster {
    EZ_VEC(struct ez_member) member; /* sorted by rank */
};

/* Returns the member of that rank, and adds it if needed. Pointers to members are valid until the
 * next addition. */
struct ez_member *ez_roster_put(struct ez_roster *r, uint32_t rank);
struct ez_member *ez_roster_find(const struct ez_roster *r, uint32_t rank);
void ez_roster_free(struct ez_roster *r);
void ez_roster_all(const struct ez_roster *r, struct ez_ranks *out);
/* Returns the members in one of the states that the bits (1u << state) select. */
void ez_roster_in(const struct ez_roster *r, unsigned states, struct ez_ranks *out);
/* Numbers the members of each host, in rank order. */
void ez_roster_count_local(struct ez_roster *r);
const char *ez_member_state_name(enum ez_member_state s);
#define EZ_MEMBER_LIVE                                                                             \
    (1u << EZ_MEMBER_STOPPED | 1u << EZ_MEMBER_RUNNING) /* states in which a driver answers */

#endif
