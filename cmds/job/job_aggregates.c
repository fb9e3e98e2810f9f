/* SPDX-License-Identifier: GPL-3.0-or-later */
/* job_aggregates.c - `info aggregates` of a job: as a whole, by host, by rank.
 * Tests: tests/procs/jobs.sh, tests/procs/job_windows.sh */
#include <math.h>
#include <string.h>

#include "cmds/cmd.h"
#include "cmds/job/jobs.h"
#include "shell/out.h"
#include "shell/sess.h"

/* Returns the command that members ran for the aggregate "sum|f|n|k". */
static const char *sums_title(struct ez_sess *s, const char *id)
{
    EZ_FREE char *copy = ez_strdup(id);
    char *rest = copy, *part[4];
    for (size_t i = 0; i < EZ_ARRAY_LEN(part); i++) {
        part[i] = strsep(&rest, "|");
        part[i] = part[i] ? part[i] : (char *)"";
    }
    return sess_format(s, "%s%s%s at %s%s%s", part[0], *part[2] ? " of " : "", part[2], part[1],
                       *part[3] ? " by " : "", part[3]);
}

/* Prints a row. x NULL = an aggregate without a number in this session. */
static void sums_row(struct out_table *t, const struct job_sum *x, const struct ez_sum *sum,
                     const char *group, const struct ez_sum_row *r)
{
    struct ez_sess *s = t->sess;
    bool any = r->hits, ns = sum->ns, count = *sum->id == 'c';
    double value = x && x->bad ? NAN : sum->made;
    const char *none = s->run.json ? "" : "-";
    const char *made = sum->plugin ? jobs_sums_number(s, ns, value) : "";
    out_row(t, x ? sess_format(s, "%d", x->number) : "", x ? x->title : sums_title(s, sum->id),
            group, out_cell_count(s, ez_ranks_count(&sum->ranks)), out_cell_count(s, r->hits),
            any && !count ? jobs_sums_number(s, ns, r->sum) : none,
            any && !count ? jobs_sums_number(s, ns, r->sum / (double)r->hits) : none,
            any && !count ? jobs_sums_number(s, ns, r->min) : none,
            any && !count ? jobs_sums_number(s, ns, r->max) : none, made, ns ? "ns" : "", NULL);
}

static void sums_row_of(struct out_table *t, const struct job_sum *x, const struct ez_sum *sum,
                        const char *group)
{
    struct ez_sum_row all = ez_sum_total(sum);
    sums_row(t, x, sum, group, &all);
    EZ_VEC_FREE(&all.bucket);
}

static bool sums_has_number(const struct job *j, const char *id)
{
    for (size_t k = 0; k < j->sums.n; k++)
        if (!strcmp(j->sums.at[k].id, id))
            return true;
    return false;
}

/* Prints the aggregates with a number here, in its order, then the others. */
static void sums_rows(struct out_table *t, const struct ez_reply *r, const char *group)
{
    const struct job *j = t->sess->job;
    for (size_t k = 0; k < j->sums.n; k++) {
        const struct ez_sum *sum = ez_sums_find(&r->sums, j->sums.at[k].id);
        if (sum)
            sums_row_of(t, &j->sums.at[k], sum, group);
    }
    for (size_t i = 0; i < r->sums.v.n; i++)
        if (!sums_has_number(j, r->sums.v.at[i].id))
            sums_row_of(t, NULL, &r->sums.v.at[i], group);
}

/* Prints a window over these ranks. Adds the ranks without an answer to `late`. */
static ez_err *sums_group(struct ez_sess *s, struct out_table *t, const struct ez_ranks *ranks,
                          const char *group, struct ez_ranks *late)
{
    struct ez_reply r;
    if (!ranks->span.n)
        return NULL;
    EZ_TRY(jobs_sums_window(s, ranks, &r));
    sums_rows(t, &r, group);
    ez_ranks_unite(late, &r.late);
    ez_reply_free(&r);
    return NULL;
}

/* Prints a window for each host, or for each rank. */
static ez_err *sums_by(struct ez_sess *s, struct out_table *t, bool host, struct ez_ranks *late)
{
    const struct ez_roster *ro = &s->job->front->roster;
    for (size_t i = 0; i < ro->member.n; i++) {
        const struct ez_member *m = &ro->member.at[i];
        struct ez_ranks those = { 0 }, all;
        if (host && m->local)
            continue;
        for (size_t k = 0; k < ro->member.n; k++)
            if (k == i || (host && !strcmp(ro->member.at[k].host, m->host)))
                ez_ranks_add(&those, ro->member.at[k].rank, ro->member.at[k].rank);
        jobs_sums_ranks(s, &all);
        ez_ranks_intersect(&those, &all);
        ez_ranks_free(&all);
        const char *group =
            host ? sess_format(s, "%s", m->host) : sess_format(s, "rank %u", m->rank);
        ez_err *e = sums_group(s, t, &those, group, late);
        ez_ranks_free(&those);
        EZ_TRY(e);
    }
    return NULL;
}

static ez_err *sums_whole(struct ez_sess *s, struct out_table *t, struct ez_ranks *late)
{
    struct ez_ranks ranks;
    jobs_sums_ranks(s, &ranks);
    ez_err *e = sums_group(s, t, &ranks, "", late);
    ez_ranks_free(&ranks);
    return e;
}

ez_err *jobs_info_aggregates(struct ez_sess *s, unsigned by)
{
    struct out_table t;
    struct ez_ranks late = { 0 };
    out_table_init(&t, s, ">Num", "~What", by ? "Of" : "", ">Processes", ">Hits", ">Sum", ">Mean",
                   ">Least", ">Greatest", ">Made", "", NULL);
    out_table_keys(&t, "job-aggregates",
                   "number# what of processes# hits# sum# mean# min# max# made# unit");
    ez_err *e = by ? sums_by(s, &t, by == 1, &late) : sums_whole(s, &t, &late);
    if (e)
        out_table_drop(&t);
    else
        out_table_end(&t, "No aggregates.");
    if (!e)
        e = jobs_late(s, &late, false);
    ez_ranks_free(&late);
    return e;
}
