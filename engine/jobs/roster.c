/* SPDX-License-Identifier: GPL-3.0-or-later */
/* roster.c - the list of a job's processes (roster.h). */
#include "engine/jobs/roster.h"

#include <string.h>

static size_t roster_upto(const struct ez_roster *r, uint32_t rank)
{
    return EZ_UPTO(r->member.at, r->member.n, rank, rank);
}

struct ez_member *ez_roster_find(const struct ez_roster *r, uint32_t rank)
{
    size_t i = roster_upto(r, rank);
    return i && r->member.at[i - 1].rank == rank ? &r->member.at[i - 1] : NULL;
}

struct ez_member *ez_roster_put(struct ez_roster *r, uint32_t rank)
{
    struct ez_member *m = ez_roster_find(r, rank);
    if (m)
        return m;
    size_t i = roster_upto(r, rank);
    struct ez_member one = {
        .rank = rank, .keeps = -1, .host = ez_strdup(""), .program = ez_strdup("")
    };
    EZ_PUSH(&r->member, one);
    m = &r->member.at[i];
    memmove(m + 1, m, (r->member.n - 1 - i) * sizeof *m);
    *m = one;
    return m;
}

void ez_roster_free(struct ez_roster *r)
{
    for (size_t i = 0; i < r->member.n; i++) {
        free(r->member.at[i].host);
        free(r->member.at[i].program);
    }
    EZ_VEC_FREE(&r->member);
}

void ez_roster_in(const struct ez_roster *r, unsigned states, struct ez_ranks *out)
{
    *out = (struct ez_ranks){ 0 };
    for (size_t i = 0; i < r->member.n; i++)
        if (states >> r->member.at[i].state & 1)
            ez_ranks_add(out, r->member.at[i].rank, r->member.at[i].rank);
}

void ez_roster_all(const struct ez_roster *r, struct ez_ranks *out)
{
    ez_roster_in(r, ~0u, out);
}

void ez_roster_count_local(struct ez_roster *r)
{
    for (size_t i = 0; i < r->member.n; i++) {
        struct ez_member *m = &r->member.at[i];
        m->local = 0;
        for (size_t k = i; k-- > 0;)
            if (!strcmp(r->member.at[k].host, m->host)) {
                m->local = r->member.at[k].local + 1;
                break;
            }
    }
}

const char *ez_member_state_name(enum ez_member_state s)
{
    static const char *const name[] = {
        [EZ_MEMBER_HELD] = "held",       [EZ_MEMBER_STOPPED] = "stopped",
        [EZ_MEMBER_RUNNING] = "running", [EZ_MEMBER_EXITED] = "exited",
        [EZ_MEMBER_KILLED] = "killed",   [EZ_MEMBER_GONE] = "gone",
        [EZ_MEMBER_LEFT] = "detached",   [EZ_MEMBER_BLIND] = "blind",
    };
    return name[s];
}
