/* SPDX-License-Identifier: GPL-3.0-or-later */
/* roster.h - the processes of a job, in the order of their ranks (of a process tree: of their numbers).
 * Tests: tests/unit/jobs/check_context.c */
#ifndef EZ_ROSTER_H
#define EZ_ROSTER_H

#include <sys/types.h>

#include "engine/base/vec.h"
#include "engine/jobs/ranks.h"

enum ez_member_state {
    EZ_MEMBER_HELD,    /* has not begun: nobody drives it yet              */
    EZ_MEMBER_STOPPED, /* under a driver, from here on                     */
    EZ_MEMBER_RUNNING,
    EZ_MEMBER_EXITED, /* status                                           */
    EZ_MEMBER_KILLED, /* status: 128 + the signal                          */
    EZ_MEMBER_GONE,   /* it ended, and only its parent knows how          */
    EZ_MEMBER_LEFT,   /* detached                                         */
    EZ_MEMBER_BLIND,  /* its driver ended: it runs on, its probes count   */
};

struct ez_member {
    uint32_t rank, local; /* local: which of its host's                        */
    pid_t pid, parent;    /* parent: of a process tree; else 0                 */
    uint32_t node;        /* the daemon that drives it                         */
    bool held;            /* it is eztsh-hold still                            */
    enum ez_member_state state;
    int64_t keeps; /* how many probes its next driver must find; -1: it is told all of them anew */
    int status;
    char *host, *program;
};

struct ez_roster {
    EZ_VEC(struct ez_member) member; /* sorted by rank */
};

/* Adds one of that rank, or finds it. Pointers to members end with the next one that is added. */
struct ez_member *ez_roster_put(struct ez_roster *r, uint32_t rank);
struct ez_member *ez_roster_find(const struct ez_roster *r, uint32_t rank);
void ez_roster_free(struct ez_roster *r);
void ez_roster_all(const struct ez_roster *r, struct ez_ranks *out);
/* Those in one of the states that the bits (1u << state) name. */
void ez_roster_in(const struct ez_roster *r, unsigned states, struct ez_ranks *out);
/* Numbers the members of each host, in the order of ranks. */
void ez_roster_count_local(struct ez_roster *r);
const char *ez_member_state_name(enum ez_member_state s);
#define EZ_MEMBER_LIVE                                                                             \
    (1u << EZ_MEMBER_STOPPED | 1u << EZ_MEMBER_RUNNING) /* states in which a driver answers */

#endif
