/* SPDX-License-Identifier: GPL-3.0-or-later */
/* job_windows.c - writes the results of aggregates as a trace (engine/jobs/series.h), when they are
 * printed. Each aggregate is one variable, or with `own` one variable for each rank. With -every, an
 * aggregate of count, sum, avg or hist has a second variable, its value in the last window. The
 * trace is listed with the ranks' traces, so that `report`, `convert` and `job gather` include it.
 * The first result creates the trace, unless `set trace-auto` is off. Its times are of this host's
 * clock, which counts as the clock of the daemons' first host.
 * Tests: tests/procs/job_windows.sh */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmds/job/jobs.h"
#include "engine/base/strutil.h"
#include "engine/jobs/series.h"
#include "shell/out.h"
#include "shell/sess.h"

static const char *windows_program(const struct ez_front *f)
{
    const char *program = f->roster.member.n ? f->roster.member.at[0].program : NULL;
    return program ? ez_base_name(program) : "a job";
}

/* Returns PROG-jobTOKEN-aggregates.fxt, in the folder of automatic traces. */
static const char *windows_name(struct ez_sess *s)
{
    const struct ez_front *f = s->job->front;
    const char *dir = getenv("EZTRACE_TRACE_DIR");
    const char *token = f->token ? f->token : sess_format(s, "%d", getpid());
    return sess_format(s, "%s%s%.96s-job%s-aggregates.fxt", dir ? dir : "", dir ? "/" : "",
                       windows_program(f), token);
}

static void windows_begin(struct ez_sess *s)
{
    struct job *j = s->job;
    j->series_begun = true;
    if (!ez_settings(s->target)->trace_auto)
        return;
    ez_err *e = ez_series_begin(
        windows_name(s), sess_format(s, "aggregates of %s", windows_program(j->front)), &j->series);
    if (e) {
        out_warning(s, "The aggregates are not recorded: %s.", e->msg);
        ez_err_free(e);
        return;
    }
    EZ_FREE char *dir = getcwd(NULL, 0);
    ez_front_note_trace(j->front, EZ_NO_RANK, ez_series_path(j->series), dir);
    out_line(s, "Recording the aggregates to %s.", ez_series_path(j->series));
}

static void windows_set(struct ez_sess *s, const char *variable, double value)
{
    struct job *j = s->job;
    ez_err *e = j->series && isfinite(value) ? ez_series_set(j->series, variable, value) : NULL;
    if (!e)
        return;
    out_warning(s, "The aggregates are not recorded any more: %s.", e->msg);
    ez_err_free(e);
    ez_series_end(j->series);
    j->series = NULL;
}

void jobs_record(struct ez_sess *s, const struct job_sum *x, const struct ez_sum *sum, double value,
                 double window, bool time)
{
    const char *title = sess_format(s, "%s%s", x->title, time ? ", ns" : "");
    if (!s->job->series_begun)
        windows_begin(s);
    windows_set(s, sess_format(s, "%s, in the window", title), window);
    if (strcmp(x->operation, "own"))
        windows_set(s, title, value);
    else
        for (size_t i = 0; i < sum->own.n; i++)
            windows_set(s, sess_format(s, "%s, rank %u", title, sum->own.at[i].rank),
                        sum->own.at[i].value);
}
