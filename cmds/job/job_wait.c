/* SPDX-License-Identifier: GPL-3.0-or-later */
/* job_wait.c - what happens while a job runs: events from the daemons, stops of members, and the
 * end of all members.
 * Tests: tests/procs/jobs.sh */
#include "cmds/job/jobs.h"
#include "shell/out.h"
#include "shell/sess.h"

/* ---- for the loop ---------------------------------------------------------------------------- */

int jobs_fd(const struct ez_sess *s)
{
    return s->job && s->job->front ? s->job->front->out : -1;
}

void jobs_heard(struct ez_sess *s)
{
    bool hidden = s->in.editing;
    if (hidden)
        s->in.editor->hide_line();
    ez_err *e = ez_front_read(s->job->front);
    if (e) {
        s->end.failed++;
        out_error(s, e);
    }
    jobs_window_came(s);
    jobs_clocks_came(s);
    out_flush(s);
    if (hidden)
        s->in.editor->show_line();
}

/* ---- waiting --------------------------------------------------------------------------------- */

/* Prints that the job has ended, and its accounting, once all members and the launcher have ended.
 * Prints nothing for a job that the session attached to. */
static void wait_over(struct ez_sess *s)
{
    struct job *j = s->job;
    struct ez_ranks live;
    ez_roster_in(&j->front->roster, EZ_MEMBER_LIVE | 1u << EZ_MEMBER_HELD, &live);
    bool any = live.span.n;
    ez_ranks_free(&live);
    if (any || j->over || (j->front->launcher && !ez_front_launcher_ended(j->front)) ||
        !j->front->roster.member.n)
        return;
    j->over = true;
    if (!j->front->launcher)
        return;
    s->program.status = j->front->launcher_status;
    jobs_sums_end(s);
    if (j->front->launcher_status)
        out_line(s, "[Job (%s) ended with status %d]", j->what, j->front->launcher_status);
    else
        out_line(s, "[Job (%s) ended normally]", j->what);
    jobs_print_accounting(s);
}

static ez_err *wait_interrupt(struct ez_sess *s, const struct ez_ranks *ranks)
{
    struct ez_ranks running;
    struct ez_reply r;
    ez_roster_in(&s->job->front->roster, 1u << EZ_MEMBER_RUNNING, &running);
    ez_ranks_intersect(&running, ranks);
    sess_uninterrupt(s);
    ez_err *e = jobs_run_on(s, &running, "interrupt", false, &r);
    ez_ranks_free(&running);
    EZ_TRY(e);
    e = jobs_print(s, &r, false);
    ez_reply_free(&r);
    return e;
}

/* Waits until none of the ranks runs. In a tree of processes, also waits for children that are
 * forked meanwhile. */
ez_err *jobs_wait_stand(struct ez_sess *s, const struct ez_ranks *ranks)
{
    struct job *j = s->job;
    struct ez_ranks all = { 0 };
    ez_err *e = NULL;
    if (j->foreground)
        sess_hand_to(s, j->front->launcher);
    for (;;) {
        ez_ranks_free(&all);
        if (j->front->tree)
            ez_roster_all(&j->front->roster, &all);
        else
            ez_ranks_copy(&all, ranks);
        bool ending = j->front->launcher && !ez_front_launcher_ended(j->front) && !jobs_any_live(s);
        if (j->front->out < 0 || (!jobs_any_in(s, 1u << EZ_MEMBER_RUNNING, &all) && !ending))
            break;
        if (!sess_pass(s, ending ? 20 : 500)) {
            e = wait_interrupt(s, &all);
            break;
        }
    }
    ez_ranks_free(&all);
    sess_reclaim_terminal(s);
    wait_over(s);
    return e;
}
