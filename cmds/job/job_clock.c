/* SPDX-License-Identifier: GPL-3.0-or-later */
/* job_clock.c - the wall clocks of a job's hosts. Traces of several hosts are merged by wall
 * clocks, which differ. So the daemons compare their clocks (engine/jobs/node_clock.c), and each
 * driver writes corrected times into its trace: at the first event, and again from time to time,
 * so that readers see the drift (engine/trace/merge.c).
 * Tests: tests/procs/job_hosts.sh */
#include <string.h>

#include "cmds/job/jobs.h"
#include "engine/base/now.h"
#include "shell/sess.h"

#define CLOCK_NS 10000000000ull

static bool clock_several_hosts(const struct ez_front *f)
{
    for (size_t i = 1; i < f->host.n; i++)
        if (strcmp(f->host.at[i], f->host.at[0]))
            return true;
    return false;
}

ez_err *jobs_clocks(struct ez_sess *s)
{
    struct ez_reply r;
    long id;
    if (!clock_several_hosts(s->job->front))
        return NULL;
    EZ_TRY(ez_front_request(s->job->front, "clock", NULL, &id));
    EZ_TRY(jobs_await(s, id, &r));
    ez_front_clocks(s->job->front, &r);
    ez_reply_free(&r);
    s->job->clock_ns = ez_now_ns() + CLOCK_NS;
    return NULL;
}

void jobs_clocks_tick(struct ez_sess *s)
{
    struct job *j = s->job;
    if (!j || !j->clock_ns || j->clock || ez_now_ns() < j->clock_ns || j->front->out < 0)
        return;
    j->clock_ns = ez_now_ns() + CLOCK_NS;
    if (!ez_err_drop(ez_front_request(j->front, "clock", NULL, &j->clock)))
        j->clock = 0;
}

/* Sends a node's clock offset to the drivers of that node. Nobody waits for their answers. */
static void clock_print_node(struct ez_front *f, uint32_t node)
{
    struct ez_ranks ranks = { 0 };
    long ignored;
    EZ_FREE char *command = ez_sprintf("maint wall-offset %lld", (long long)f->wall.at[node]);
    for (size_t i = 0; i < f->roster.member.n; i++)
        if (f->roster.member.at[i].node == node &&
            1u << f->roster.member.at[i].state & EZ_MEMBER_LIVE)
            ez_ranks_add(&ranks, f->roster.member.at[i].rank, f->roster.member.at[i].rank);
    if (ranks.span.n)
        ez_err_drop(ez_front_command(f, &ranks, command, false, &ignored));
    ez_ranks_free(&ranks);
}

void jobs_clocks_came(struct ez_sess *s)
{
    struct ez_reply r;
    struct job *j = s->job;
    if (!j->clock || !ez_front_reply(j->front, j->clock, &r))
        return;
    j->clock = 0;
    ez_front_clocks(j->front, &r);
    ez_reply_free(&r);
    for (uint32_t i = 1; i < j->front->wall.n; i++)
        clock_print_node(j->front, i);
}
