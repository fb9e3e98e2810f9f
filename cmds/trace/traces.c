/* SPDX-License-Identifier: GPL-3.0-or-later */
/* traces.c - finds and opens the traces that a command reads (traces.h).
 * Tests: tests/unit/shell/check_read.c */
#include "cmds/trace/traces.h"

#include <string.h>

#include "cmds/job/jobs.h"
#include "shell/opt.h"
#include "shell/out.h"
#include "shell/sess.h"

ez_err *traces_parse(struct ez_sess *s, struct traces *t, int n, char **words)
{
    t->from = opt_number(s, "-from", 0);
    t->to = opt_number(s, "-to", UINT64_MAX);
    for (int i = 0; i < n; i++)
        EZ_TRY(parse_files(s, words[i], &t->file));
    if (t->from >= t->to)
        return ez_err_new(EZ_E_ARG, 0, "There are no events between %s and %s",
                          out_time(s, t->from), out_time(s, t->to));
    return NULL;
}

ez_err *traces_read(struct ez_sess *s, struct traces *t, int n, char **words)
{
    struct ez_trace_info info = { 0 };
    EZ_TRY(traces_parse(s, t, n, words));
    if (t->file.n)
        return NULL;
    if (s->job)
        return jobs_traces(s, &t->file);
    ez_aggregates_write(s->target);
    ez_trace_info(s->target, &info); /* flushes the rings to the file */
    if (!info.path || info.pending)
        return ez_err_hint(ez_err_new(EZ_E_STATE, 0, "There is no trace yet"), "Name a FILE.fxt");
    EZ_PUSH(&t->file, sess_keep(s, ez_strdup(info.path)));
    return NULL;
}

bool traces_window(const struct traces *t)
{
    return t->from || t->to < UINT64_MAX;
}

ez_err *traces_open(const struct traces *t, const struct ez_progress *progress,
                    struct ez_replay **out)
{
    EZ_TRY(ez_replay_open(t->file.at, t->file.n, progress, out));
    return traces_window(t) ? ez_replay_window(*out, t->from, t->to) : NULL;
}

void traces_free(struct traces *t)
{
    parse_list_free(&t->file);
}
