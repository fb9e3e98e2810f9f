/* SPDX-License-Identifier: GPL-3.0-or-later */
/* job_life.c - the start and the end of a job: `job detach|kill|reattach`, and a job that continues
 * without the shell. Blind members (processes that lost their driver) get a new driver first,
 * because they still have their probes.
 * Tests: tests/procs/job_faults.sh, tests/procs/jobs.sh */
#include <string.h>

#include "cmds/cmd.h"
#include "cmds/job/jobs.h"
#include "shell/out.h"
#include "shell/sess.h"
#include "shell/settings.h"

#define UNDONE (EZ_MEMBER_LIVE | 1u << EZ_MEMBER_BLIND)

/* Gives blind members drivers again; starts new daemons if those of the members have ended. */
static ez_err *life_claim(struct ez_sess *s, enum ez_claim which)
{
    struct ez_front *f = s->job->front;
    if (f->out < 0) {
        EZ_TRY(ez_front_start(f, s->job->tool));
        EZ_TRY(jobs_hello(s));
    }
    return jobs_bring(s, which);
}

/* Gives blind members drivers. Prints an error only if daemons cannot be started: life_live() names
 * the members that are still blind. */
static void life_claim_blind(struct ez_sess *s, enum ez_claim which)
{
    struct ez_ranks blind;
    ez_front_launcher_ended(s->job->front);
    ez_roster_in(&s->job->front->roster, 1u << EZ_MEMBER_BLIND, &blind);
    ez_err *e = blind.span.n ? life_claim(s, which) : NULL;
    ez_ranks_free(&blind);
    if (e && s->job->front->out < 0)
        out_error(s, e);
    else
        ez_err_free(e);
}

/* Runs the command on all live members. Succeeds if no member is live or blind afterwards. A
 * launcher ends all its processes once one has ended, so members may end before the command reaches
 * them. */
static ez_err *life_live(struct ez_sess *s, const char *command, const char *undone)
{
    struct ez_ranks live, left;
    struct ez_reply r;
    ez_roster_in(&s->job->front->roster, EZ_MEMBER_LIVE, &live);
    ez_err *e = live.span.n ? jobs_run_on(s, &live, command, false, &r) : NULL;
    if (!e && live.span.n) {
        if (jobs_any_in(s, EZ_MEMBER_LIVE, &live))
            ez_err_free(jobs_print_failed(s, &r));
        ez_reply_free(&r);
    }
    ez_ranks_free(&live);
    ez_roster_in(&s->job->front->roster, UNDONE, &left);
    if (!e && left.span.n)
        e = ez_err_new(EZ_E_REFUSED, 0, "%s%s", jobs_who(s, &left), undone);
    ez_ranks_free(&left);
    return e;
}

static const char life_not_let_go[] = "Not let go: what probes are there stay.";

/* Detaches from the members of a job that continues without the shell, and names members that keep
 * their probes. */
static void life_let_go(struct ez_sess *s)
{
    if (!jobs_any_in(s, UNDONE, NULL))
        return;
    life_claim_blind(s, EZ_CLAIM_TO_RELEASE);
    ez_err *e = life_live(s, "detach", life_not_let_go);
    if (e) {
        s->end.failed++;
        out_error(s, e);
    }
}

void jobs_end(struct ez_sess *s)
{
    if (!s->job)
        return;
    struct ez_front *f = s->job->front;
    if (f->launcher && !ez_front_launcher_ended(f) && !f->attached) {
        struct ez_ranks live;
        struct ez_reply r;
        ez_roster_in(&f->roster, EZ_MEMBER_LIVE, &live);
        if (live.span.n && ez_err_drop(jobs_run_on(s, &live, "kill", false, &r)))
            ez_reply_free(&r);
        if (!live.span.n)
            ez_front_let_launcher_end(f);
        ez_ranks_free(&live);
        if (!f->launcher_ended)
            ez_front_kill_launcher(f);
    }
    if (f->attached)
        life_let_go(s);
    jobs_free(s);
}

/* ---- the start ------------------------------------------------------------------------------- */

static void life_put_line(char **before, const char *line)
{
    char *more = ez_sprintf("%s%s%s", *before, **before ? "\n" : "", line);
    free(*before);
    *before = more;
}

/* Adds a changed setting to the commands of later drivers, except `follow-fork-mode all` and
 * detach-on-fork: the job decides how children are followed (drivers offer children to the job). */
static void life_put_setting(const char *name, const char *value, void *arg)
{
    if ((!strcmp(name, "follow-fork-mode") && !strcmp(value, "all")) ||
        !strcmp(name, "detach-on-fork"))
        return;
    EZ_FREE char *line = ez_sprintf("set %s %s", name, value);
    life_put_line(arg, line);
}

/* Adds the settings that the user changed to the commands that later drivers run first. */
static void life_settings(struct ez_sess *s)
{
    struct ez_front *f = s->job->front;
    settings_changed(s, life_put_setting, &f->before);
    life_put_line(&f->before, f->tree ? "set follow-fork-mode offer" : "set background-traced on");
    if (s->batch)
        life_put_line(&f->before, "handle all nostop pass");
}

ez_err *jobs_begin(struct ez_sess *s, const char *what, bool tree)
{
    if (s->job && !s->job->over && jobs_any_live(s) &&
        !sess_query(s, "There is a job already.  End it? "))
        return ez_err_new(EZ_E_STATE, 0, "New job not started");
    jobs_end(s);
    if (ez_target_live(s->target))
        return ez_err_hint(
            ez_err_new(EZ_E_STATE, 0, "A job cannot begin while the session has a process"),
            "Type \"kill\" or \"detach\" first");
    jobs_make(s, what, tree);
    life_settings(s);
    return NULL;
}

/* ---- the commands ---------------------------------------------------------------------------- */

static ez_err *cmd_job_detach(struct ez_sess *s, int argc, char **argv)
{
    bool keep = opt_given(s, "-keep");
    EZ_TRY(jobs_need(s));
    life_claim_blind(s, keep ? EZ_CLAIM_BLIND : EZ_CLAIM_TO_RELEASE);
    jobs_print_accounting(s);
    EZ_TRY(life_live(s, keep ? "detach -keep" : "detach", life_not_let_go));
    size_t n = s->job->front->roster.member.n;
    s->job->front->attached = true; /* so jobs_end() does not kill the processes */
    jobs_end(s);
    out_line(s, "[Job of %zu process%s detached]", n, n == 1 ? "" : "es");
    return NULL;
}

const struct ez_cmd command_job_detach = {
    .parent = "job",
    .name = "detach",
    .usage = "",
    .brief = "Remove all probes and let all processes run.",
    .examples = "job detach -keep",
    .see_also = "job, job attach, detach",
    OPERANDS(JOB, 0, 0),
    OPTIONS({ .name = "-keep", .meaning = "leave the probes in the processes" }),
    .flags = NO_REPEAT,
    .fn = cmd_job_detach,
};

static ez_err *cmd_job_kill(struct ez_sess *s, int argc, char **argv)
{
    EZ_TRY(jobs_need(s));
    if (!sess_query(s, "Kill all processes of the job? "))
        return ez_err_new(EZ_E_STATE, 0, "Not confirmed");
    life_claim_blind(s, EZ_CLAIM_TO_RELEASE);
    jobs_print_accounting(s);
    EZ_TRY(life_live(s, "kill", "Not killed."));
    size_t n = s->job->front->roster.member.n;
    jobs_end(s);
    out_line(s, "[Job of %zu process%s killed]", n, n == 1 ? "" : "es");
    return NULL;
}

const struct ez_cmd command_job_kill = {
    .parent = "job",
    .name = "kill",
    .usage = "",
    .brief = "Kill all processes of the job.",
    .examples = "job kill",
    .see_also = "job, job detach",
    OPERANDS(JOB, 0, 0),
    .flags = NO_REPEAT,
    .fn = cmd_job_kill,
};

static ez_err *cmd_job_reattach(struct ez_sess *s, int argc, char **argv)
{
    struct ez_ranks blind, live;
    EZ_TRY(jobs_need(s));
    struct ez_front *f = s->job->front;
    if (ez_front_launcher_ended(f))
        return ez_err_new(EZ_E_GONE, 0, "The job has ended, so no process can be taken over");
    ez_roster_in(&f->roster, 1u << EZ_MEMBER_BLIND, &blind);
    bool any = blind.span.n;
    ez_err *e = life_claim(s, EZ_CLAIM_BLIND);
    ez_roster_in(&f->roster, EZ_MEMBER_LIVE, &live);
    /* The other blind members have ended, or an error about the member was printed. */
    ez_ranks_intersect(&blind, &live);
    if (blind.span.n)
        out_line(s, "%staken over and stopped.", jobs_who(s, &blind));
    else if (!any && !e)
        out_line(s, "No process has lost its daemon.");
    ez_ranks_free(&blind);
    ez_ranks_free(&live);
    return e;
}

const struct ez_cmd command_job_reattach = {
    .parent = "job",
    .name = "reattach",
    .usage = "",
    .brief = "Take over processes that have lost their daemon.",
    .help = "The daemon or the driver of these processes has ended. The processes still run,\n"
            "and their probes still count. The command stops the processes and adopts their\n"
            "probes and counts. If not all probes of a process can be adopted, the probes\n"
            "and aggregates of the process are sent again, and count from 0.",
    .examples = "job reattach",
    .see_also = "job, info job",
    OPERANDS(JOB, 0, 0),
    .flags = NO_REPEAT,
    .fn = cmd_job_reattach,
};
