/* SPDX-License-Identifier: GPL-3.0-or-later */
/* job_files.c - `job gather` copies traces of other hosts, in parts, through the tree of daemons.
 * `stats -job` leaves the traces in place, and adds up the results of the processes' drivers.
 * Tests: tests/procs/job_hosts.sh, tests/procs/jobs.sh */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cmds/cmd.h"
#include "cmds/job/jobs.h"
#include "engine/base/newfile.h"
#include "engine/base/strutil.h"
#include "engine/jobs/chunk.h"
#include "shell/parse_word.h"
#include "shell/out.h"
#include "shell/sess.h"

/* ---- gather ---------------------------------------------------------------------------------- */

struct files_copy {
    const struct ez_traced *from;
    const char *here; /* file to copy, if it is on this host; NULL = request it from the rank's
                       * host */
    int to;
    uint64_t at, size;
};

static ez_err *files_request(struct ez_sess *s, const struct files_copy *c, struct ez_reply *r)
{
    struct json_object *o = json_object_new_object();
    EZ_FREE char *rank = ez_sprintf("%u", c->from->rank);
    long id;
    ez_json_put_text(o, "ranks", rank);
    ez_json_put_text(o, "path", c->from->path);
    ez_json_put_int(o, "at", (int64_t)c->at);
    EZ_TRY(ez_front_request(s->job->front, "read", o, &id));
    return jobs_await(s, id, r);
}

/* Appends to the copy. */
static ez_err *files_write(struct files_copy *c, const char *bytes, size_t n)
{
    int e = ez_pwrite_all(c->to, bytes, n, c->at, NULL);
    if (e)
        return ez_err_new(EZ_E_SYS, e, "Cannot copy %s", c->from->path);
    c->at += n;
    return NULL;
}

static ez_err *files_copy_part(struct files_copy *c, const struct ez_reply *r, char *bytes)
{
    struct json_object *m = r->members && json_object_array_length(r->members)
                                ? json_object_array_get_idx(r->members, 0)
                                : NULL;
    size_t n = 0;
    if (!m || !ez_json_get(m, "data"))
        return ez_err_new(EZ_E_NOTFOUND, 0, "%s: The host of rank %u does not have the file",
                          c->from->path, c->from->rank);
    if (!ez_chunk_decode(ez_json_text(m, "data"), bytes, EZ_FILE_PART, &n) ||
        n != (size_t)ez_json_int(m, "bytes", -1))
        return ez_err_new(EZ_E_FORMAT, 0, "%s: A part of the copy is damaged", c->from->path);
    EZ_TRY(files_write(c, bytes, n));
    c->size = (uint64_t)ez_json_int(m, "size", 0);
    if (!n)
        c->size = c->at; /* the file became shorter */
    return NULL;
}

/* Copies a file of this host: the job's own trace (job_windows.c), or an earlier copy. */
static ez_err *files_copy_here(struct files_copy *c, char *bytes)
{
    EZ_CLOSE int from = open(c->here, O_RDONLY | O_CLOEXEC);
    ssize_t n = -1;
    while (from >= 0 && (n = read(from, bytes, EZ_FILE_PART)) > 0)
        EZ_TRY(files_write(c, bytes, (size_t)n));
    return n < 0 ? ez_err_new(EZ_E_SYS, errno, "%s", c->here) : NULL;
}

static ez_err *files_copy(struct ez_sess *s, struct files_copy *c)
{
    EZ_FREE char *bytes = ez_alloc(EZ_FILE_PART);
    if (c->here)
        return files_copy_here(c, bytes);
    do {
        struct ez_reply r;
        EZ_TRY(files_request(s, c, &r));
        ez_err *e = files_copy_part(c, &r, bytes);
        ez_reply_free(&r);
        EZ_TRY(e);
    } while (c->at < c->size);
    return NULL;
}

/* Returns the index of an earlier copy in this folder; t->copy.n if none. */
static size_t files_own(const struct ez_traced *t, const char *dir)
{
    size_t i = 0, n = strlen(dir);
    while (i < t->copy.n &&
           (strncmp(t->copy.at[i], dir, n) || strrchr(t->copy.at[i], '/') != t->copy.at[i] + n))
        i++;
    return i;
}

/* Returns the name of the copy: the trace's own file name, with the rank in front if a file of that
 * name exists. The trace of the job itself has a unique name. */
static char *files_name(const char *dir, const struct ez_traced *t)
{
    const char *base = ez_base_name(t->path);
    char *name = ez_sprintf("%s/%s", dir, base);
    if (access(name, F_OK))
        return name;
    free(name);
    return ez_sprintf("%s/%u-%s", dir, t->rank, base);
}

/* Copies to a temporary file, and renames it when it is complete. Until then, or if this fails, the
 * earlier copy stays valid. */
static ez_err *files_make(struct ez_sess *s, struct files_copy *c, const char *name, bool replace)
{
    struct ez_newfile file;
    if (!ez_newfile_open(&file, name, 0666))
        return ez_err_new(EZ_E_SYS, errno, "%s", name);
    c->to = file.fd;
    ez_err *e = files_copy(s, c);
    if (!e && !(replace ? ez_newfile_replace(&file, name) : ez_newfile_claim(&file, name)))
        e = ez_err_new(EZ_E_SYS, errno, "%s", name);
    if (e)
        ez_newfile_drop(&file);
    close(file.fd);
    return e;
}

/* Copies a trace into `dir`, an absolute path without symbolic links. If this host has a complete
 * copy already, copies that, because other hosts may no longer have the original. ended: nobody
 * writes to the original any more, so the new copy is complete. */
static ez_err *files_bring(struct ez_sess *s, const char *dir, struct ez_traced *t, bool ended,
                           uint64_t *bytes)
{
    const char *whole = t->whole ? jobs_trace_copy(t) : NULL;
    size_t own = files_own(t, dir);
    bool again = own < t->copy.n;
    char *name = again ? ez_strdup(t->copy.at[own]) : files_name(dir, t);
    struct files_copy c = { .from = t, .here = t->rank == EZ_NO_RANK ? t->here : whole };
    ez_err *e = files_make(s, &c, name, again);
    if (e) {
        free(name);
        return e;
    }
    *bytes += c.at;
    t->whole = whole || ended;
    if (again)
        free(t->copy.at[own]);
    for (size_t i = own; i + 1 < t->copy.n; i++)
        t->copy.at[i] = t->copy.at[i + 1];
    if (again)
        t->copy.at[t->copy.n - 1] = name;
    else
        EZ_PUSH(&t->copy, name);
    return NULL;
}

/* Flushes the rings of all members. *ended: the ranks that had ended before the flush and answered,
 * so their files are complete. */
static void files_flush(struct ez_sess *s, struct ez_ranks *ended)
{
    struct ez_accounting sum;
    struct ez_ranks requested;
    ez_roster_in(&s->job->front->roster,
                 1u << EZ_MEMBER_EXITED | 1u << EZ_MEMBER_KILLED | 1u << EZ_MEMBER_GONE, ended);
    jobs_request_accounting(s, &sum, &requested,
                            ACCOUNTING_UNWRITTEN); /* `info trace` flushes the rings to the files */
    ez_ranks_intersect(ended, &requested);
    ez_ranks_free(&requested);
}

static ez_err *files_gather(struct ez_sess *s, const char *dir, uint64_t *bytes)
{
    struct ez_front *f = s->job->front;
    struct ez_ranks ended;
    ez_err *e = NULL;
    files_flush(s, &ended);
    for (size_t i = 0; i < f->trace.n && !e; i++) {
        struct ez_traced *t = &f->trace.at[i];
        out_status(s, "Gathering %zu of %zu", i + 1, f->trace.n);
        e = files_bring(s, dir, t, t->rank != EZ_NO_RANK && ez_ranks_has(&ended, t->rank), bytes);
    }
    out_status(s, "%s", "");
    ez_ranks_free(&ended);
    return e;
}

static ez_err *cmd_job_gather(struct ez_sess *s, int argc, char **argv)
{
    uint64_t bytes = 0;
    EZ_TRY(jobs_need(s));
    const char *dir = parse_path(s, argv[1]);
    if (mkdir(dir, 0777) < 0 && errno != EEXIST)
        return ez_err_new(EZ_E_SYS, errno, "%s", dir);
    EZ_FREE char *place = realpath(dir, NULL); /* `cd` may change the directory later */
    if (!place)
        return ez_err_new(EZ_E_SYS, errno, "%s", dir);
    EZ_TRY(files_gather(s, place, &bytes));
    size_t n = s->job->front->trace.n;
    out_line(s, "%zu trace%s, %s, in %s.", n, ez_plural(n), out_size(s, bytes), dir);
    return NULL;
}

const struct ez_cmd command_job_gather = {
    .parent = "job",
    .name = "gather",
    .usage = "DIR",
    .brief = "Copy the traces of all processes to a folder of this host.",
    .help = "An open trace is copied as far as it is written. The command makes the folder\n"
            "and replaces files of an earlier gather. After it, stats, report and the other\n"
            "commands on traces read the copies of ranks that have ended. For a rank of this\n"
            "host that still runs, they read the original trace.",
    .examples = "job gather traces\n"
                "report -o job.html",
    .see_also = "job, stats, convert",
    OPERANDS(JOB, 1, 1),
    .flags = NO_REPEAT,
    .fn = cmd_job_gather,
    .complete = comp_file,
};

/* ---- stats -job ------------------------------------------------------------------------------ */

static int files_by_self(const void *a, const void *b, void *self)
{
    const struct ez_sum_row *const *x = a, *const *y = b;
    const struct ez_sum_row *p = ez_sum_row(self, (*x)->key), *q = ez_sum_row(self, (*y)->key);
    double u = p ? p->sum : 0, v = q ? q->sum : 0;
    return u != v ? (u < v) - (u > v) : strcmp((*x)->key, (*y)->key);
}

static const char *files_ns(struct ez_sess *s, double ns)
{
    return out_cell_time(s, (uint64_t)(ns + 0.5));
}

/* The results of the processes' drivers (node_file.c), by function. */
struct files_stats {
    const struct ez_sum *calls, *total, *self, *times;
};

/* Prints a row. Calls that were only counted have no times. */
static void files_stats_row(struct out_table *t, const struct ez_sum_row *calls,
                            const struct files_stats *st)
{
    struct ez_sess *s = t->sess;
    const struct ez_sum_row *total = ez_sum_row(st->total, calls->key),
                            *self = ez_sum_row(st->self, calls->key),
                            *times = ez_sum_row(st->times, calls->key);
    const char *tab = strchr(calls->key, '\t');
    int name = tab ? (int)(tab - calls->key) : (int)strlen(calls->key);
    double mean = self && self->hits ? self->sum / (double)self->hits : 0;
    out_row(t, sess_format(s, "%.*s", name, calls->key), tab ? tab + 1 : "",
            out_cell_count(s, (uint64_t)calls->sum), out_cell_count(s, calls->hits),
            total ? files_ns(s, total->sum) : "-", self ? files_ns(s, self->sum) : "-",
            times ? files_ns(s, times->sum / (double)EZ_MAX(times->hits, 1)) : "-",
            times ? files_ns(s, times->min) : "-", times ? files_ns(s, times->max) : "-",
            self ? files_ns(s, self->min) : "-", self ? files_ns(s, self->max) : "-",
            self && mean > 0 ? sess_format(s, "%.1f", 100 * (self->max / mean - 1)) : "-", NULL);
}

static void files_stats_print(struct ez_sess *s, const struct ez_reply *r, uint64_t top)
{
    struct out_table t;
    const struct files_stats st = { ez_sums_find(&r->sums, "calls|||"),
                                    ez_sums_find(&r->sums, "total|||"),
                                    ez_sums_find(&r->sums, "self|||"),
                                    ez_sums_find(&r->sums, "times|||") };
    out_table_init(&t, s, "~Function", "~Library", ">Processes", ">Calls", ">Total", ">Self",
                   ">Mean", ">Min", ">Max", ">Self, least", ">most", ">% over mean", NULL);
    out_table_keys(&t, "job-stats",
                   "function library processes# calls# total_ns# self_ns# mean_ns# min_ns# max_ns# "
                   "least_self_ns# most_self_ns# imbalance_percent#");
    size_t n = st.calls ? st.calls->row.n : 0;
    EZ_FREE const struct ez_sum_row **order = ez_alloc((n + 1) * sizeof *order);
    for (size_t i = 0; i < n; i++)
        order[i] = &st.calls->row.at[i];
    qsort_r(order, n, sizeof *order, files_by_self, (void *)st.self);
    for (size_t i = 0; i < n && (!top || i < top); i++)
        files_stats_row(&t, order[i], &st);
    out_table_end(&t, "No calls.");
}

ez_err *jobs_stats(struct ez_sess *s, uint64_t top)
{
    struct ez_ranks ranks, requested;
    struct ez_accounting sum;
    struct ez_reply r;
    long id;
    EZ_TRY(jobs_ranks(s, NULL, &ranks));
    jobs_request_accounting(s, &sum, &requested, "they are not in the table");
    ez_ranks_intersect(&ranks, &requested);
    ez_ranks_free(&requested);
    struct json_object *o = json_object_new_object();
    ez_json_put_ranks(o, "ranks", &ranks);
    /* a longer time limit, because drivers read whole traces */
    ez_json_put_int(o, "ms", EZ_MAX(s->ui.job_timeout * 1000, 60000u));
    ez_err *e = ez_front_request(s->job->front, "stats", o, &id);
    if (!e)
        e = jobs_await(s, id, &r);
    ez_ranks_free(&ranks);
    EZ_TRY(e);
    files_stats_print(s, &r, top);
    if (r.late.span.n)
        out_warning(s, "%sno answer in time: the table lacks these processes.",
                    jobs_who(s, &r.late));
    ez_reply_free(&r);
    return NULL;
}
