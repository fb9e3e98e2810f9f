/* SPDX-License-Identifier: GPL-3.0-or-later */
/* job_accounting.c - sums up the accounting of all members, and finds their traces.
 * Tests: tests/procs/jobs.sh, tests/procs/job_mpi.sh */
#include <string.h>

#include "cmds/cmd.h"
#include "cmds/job/jobs.h"
#include "engine/base/strutil.h"
#include "shell/parse_word.h"
#include "shell/out.h"
#include "shell/sess.h"

static void accounting_add(struct ez_accounting *l, struct json_object *row)
{
    l->hits += (uint64_t)ez_json_int(row, "hits", 0);
    l->recorded += (uint64_t)ez_json_int(row, "recorded", 0);
    l->filtered += (uint64_t)ez_json_int(row, "filtered", 0);
    l->untraced += (uint64_t)ez_json_int(row, "untraced", 0);
    l->dropped += (uint64_t)ez_json_int(row, "dropped", 0);
    l->overwritten += (uint64_t)ez_json_int(row, "overwritten", 0);
}

static void accounting_answer(struct ez_sess *s, const struct ez_group *g,
                              struct ez_accounting *sum)
{
    struct json_object *o = json_tokener_parse(g->text), *result = ez_json_get(o, "result");
    struct json_object *rows = ez_json_get(result, "rows");
    uint64_t times = ez_ranks_count(&g->ranks); /* one answer stands for all members that gave it */
    for (size_t i = 0; i < (rows ? json_object_array_length(rows) : 0); i++)
        if (!strcmp(ez_json_text(json_object_array_get_idx(rows, i), "whose"), "shell"))
            for (uint64_t k = 0; k < times; k++)
                accounting_add(sum, json_object_array_get_idx(rows, i));
    json_object_put(o);
}

bool jobs_request_accounting(struct ez_sess *s, struct ez_accounting *sum,
                             struct ez_ranks *requested, const char *without)
{
    struct ez_reply r;
    *sum = s->job->front->ended;
    ez_roster_in(&s->job->front->roster,
                 EZ_MEMBER_LIVE | 1u << EZ_MEMBER_EXITED | 1u << EZ_MEMBER_KILLED |
                     1u << EZ_MEMBER_GONE,
                 requested);
    if (!requested->span.n ||
        !ez_err_drop(jobs_run_on(s, requested, "info trace -json", true, &r))) {
        ez_ranks_free(requested);
        return false;
    }
    for (size_t i = 0; i < r.group.n; i++)
        accounting_answer(s, &r.group.at[i], sum);
    if (r.late.span.n)
        out_warning(s, "%sno answer within %u s: %s.", jobs_who(s, &r.late), s->ui.job_timeout,
                    without);
    ez_ranks_remove(requested, &r.late);
    ez_reply_free(&r);
    return true;
}

void jobs_print_accounting(struct ez_sess *s)
{
    struct ez_accounting sum;
    struct ez_ranks requested;
    if (jobs_request_accounting(s, &sum, &requested, "their hits are not in the sum") && sum.hits)
        out_accounting(s, sess_format(s, "%s", jobs_who(s, &requested)), &sum);
    ez_ranks_free(&requested);
}

const char *jobs_trace_copy(const struct ez_traced *t)
{
    const char *copy = t->copy.n ? t->copy.at[t->copy.n - 1] : NULL;
    return copy && !access(copy, R_OK) ? copy : NULL;
}

/* Returns the file from which this host reads the trace: a complete copy, else the live file if it
 * is readable, else an older copy (*old). NULL: the trace is on another host. */
static const char *accounting_trace(const struct ez_traced *t, unsigned *old)
{
    const char *copy = jobs_trace_copy(t);
    if (copy && t->whole)
        return copy;
    if (!access(t->here, R_OK))
        return t->here;
    *old += copy != NULL;
    return copy;
}

ez_err *jobs_traces(struct ez_sess *s, struct parse_list *out)
{
    struct ez_accounting sum;
    struct ez_ranks requested;
    unsigned elsewhere = 0, old = 0;
    jobs_request_accounting(s, &sum, &requested,
                            ACCOUNTING_UNWRITTEN); /* `info trace` flushes the rings to the files */
    ez_ranks_free(&requested);
    for (size_t i = 0; i < s->job->front->trace.n; i++) {
        const char *path = accounting_trace(&s->job->front->trace.at[i], &old);
        if (path)
            EZ_PUSH(out, sess_keep(s, ez_strdup(path)));
        else
            elsewhere++;
    }
    if (out->n && elsewhere)
        out_warning(s, "%u trace%s cannot be read on this host. \"job gather DIR\" copies %s.",
                    elsewhere, ez_plural(elsewhere), elsewhere == 1 ? "it" : "them");
    if (old)
        out_warning(s, "%u trace%s %s. \"job gather DIR\" copies %s again.", old, ez_plural(old),
                    old == 1 ? "is an old copy" : "are old copies", old == 1 ? "it" : "them");
    if (out->n)
        return NULL;
    return ez_err_hint(ez_err_new(EZ_E_STATE, 0,
                                  elsewhere ? "No trace of the job can be read on this host"
                                            : "There is no trace yet"),
                       elsewhere ? "\"job gather DIR\" copies the traces of other hosts"
                                 : "Name a FILE.fxt");
}
