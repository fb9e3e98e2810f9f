/* SPDX-License-Identifier: GPL-3.0-or-later */
/* job_none.c - the commands of jobs in an eztsh that was built without json-c. */
#include "cmds/cmd.h"
#include "cmds/jobs.h"
#include "shell/sess.h"

static ez_err *job_none(void)
{
    return ez_err_hint(
        ez_err_new(EZ_E_STATE, 0, "eztsh was built without json-c: there are no jobs."),
        "build it again where libjson-c-dev (Debian) or json-c-devel (Fedora) is");
}

#define NONE(command)                                                                              \
    ez_err *cmd_##command(struct ez_sess *s, int argc, char **argv)                                \
    {                                                                                              \
        (void)s, (void)argc, (void)argv;                                                           \
        return job_none();                                                                         \
    }
NONE(aggregate)
NONE(context)
NONE(inferior)
NONE(info_contexts)
NONE(info_hosts)
NONE(info_inferiors)
NONE(info_job)
NONE(job_attach)
NONE(job_detach)
NONE(job_gather)
NONE(job_kill)
NONE(job_reattach)
NONE(job_run)

int jobs_daemon(int argc, char **argv)
{
    return ez_err_drop(job_none()) ? 0 : 1;
}

int jobs_fd(const struct ez_sess *s)
{
    return -1;
}

void jobs_heard(struct ez_sess *s)
{
}

const char *jobs_prompt(struct ez_sess *s)
{
    return s->ui.prompt;
}

void jobs_end(struct ez_sess *s)
{
}

bool jobs_take(const struct ez_sess *s, const struct ez_cmd *c, const char *name, const char *text)
{
    return false;
}

ez_err *jobs_command(struct ez_sess *s, const struct ez_cmd *c, const char *name, const char *text)
{
    return job_none();
}

bool jobs_run_takes(const struct ez_sess *s)
{
    return false;
}

ez_err *jobs_run(struct ez_sess *s, bool stop)
{
    return job_none();
}

ez_err *jobs_traces(struct ez_sess *s, struct parse_list *out)
{
    return job_none();
}

int jobs_tick_ms(const struct ez_sess *s)
{
    return -1;
}

void jobs_tick(struct ez_sess *s)
{
}

ez_err *jobs_info_aggregates(struct ez_sess *s, unsigned by)
{
    return job_none();
}

ez_err *jobs_attach(struct ez_sess *s, pid_t pid)
{
    return job_none();
}

ez_err *jobs_probe(struct ez_sess *s, const struct ez_ranks *ranks, uint64_t number,
                   const char *what, const char **out)
{
    return job_none();
}

ez_err *jobs_stats(struct ez_sess *s, uint64_t top)
{
    return job_none();
}

enum ez_state jobs_state(const struct ez_sess *s)
{
    return EZ_NONE;
}

bool jobs_any_live(const struct ez_sess *s)
{
    return false;
}

bool jobs_launched(const struct ez_sess *s)
{
    return false;
}
