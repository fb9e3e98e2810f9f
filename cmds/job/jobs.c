/* SPDX-License-Identifier: GPL-3.0-or-later */
/* jobs.c - the session's job: its state, requests to its members, and their output (jobs.h). */
#include "cmds/job/jobs.h"

#include <stdio.h>
#include <string.h>

#include "cmds/cmd.h"
#include "engine/base/now.h"
#include "engine/jobs/series.h"
#include "shell/out.h"
#include "shell/sess.h"

const char *jobs_prompt(struct ez_sess *s)
{
    const char *p = s->ui.prompt, *paren = strrchr(p, ')');
    if (!s->job || !paren)
        return p;
    return sess_format(s, "%.*s %s%s", (int)(paren - p), p, s->job->context, paren);
}

/* ---- output of members ----------------------------------------------------------------------- */

const char *jobs_who(struct ez_sess *s, const struct ez_ranks *ranks)
{
    EZ_FREE char *text = ez_ranks_text(ranks);
    bool only = s->job->front->roster.member.n == 1;
    return only ? "" : sess_format(s, "[%s] ", text);
}

static void jobs_line(struct ez_sess *s, const char *who, const char *line)
{
    out_line(s, "%s%s", who, line);
}

static const char *jobs_line_at(struct json_object *out, size_t i)
{
    return json_object_get_string(json_object_array_get_idx(out, i));
}

/* Prints a single line after the rank prefix, and several lines below it. */
static void jobs_output(struct ez_sess *s, const char *who, struct json_object *o)
{
    struct json_object *out = ez_json_get(o, "output");
    size_t n = json_object_is_type(out, json_type_array) ? json_object_array_length(out) : 0, i = 0;
    while (i < n && !*jobs_line_at(out, i)) /* a stop begins with an empty line */
        i++;
    if (n - i > 1 && *who)
        out_line(s, "%.*s:", (int)strlen(who) - 1, who);
    for (const char *before = n - i > 1 ? "" : who; i < n; i++)
        jobs_line(s, before, jobs_line_at(out, i));
    if (!n && !strcmp(ez_json_text(o, "event"), "message"))
        jobs_line(s, who, ez_json_text(o, "text"));
}

static void jobs_end_of(struct ez_sess *s, const char *who, struct json_object *o)
{
    const char *event = ez_json_text(o, "event");
    int status = (int)ez_json_int(o, "status", 0);
    if (!strcmp(event, "exited") && !status)
        out_line(s, "%s[exited normally]", who);
    else if (!strcmp(event, "exited"))
        out_line(s, "%s[exited with code %02o]", who, status);
    else if (!strcmp(event, "killed"))
        out_line(s, "%s[terminated by signal %s]", who, ez_json_text(o, "signal"));
    else
        out_line(s, "%s[ended]", who);
}

static bool jobs_is_end(struct json_object *o)
{
    const char *event = ez_json_text(o, "event");
    return !strcmp(event, "exited") || !strcmp(event, "killed") || !strcmp(event, "gone");
}

/* Handles the fork of a member: gives the child a number and a driver, applies the rules of the job
 * to it, and continues it. */
static void jobs_forked(struct ez_sess *s, const struct ez_group *g, struct json_object *event)
{
    struct ez_front *f = s->job->front;
    pid_t child = (pid_t)ez_json_int(event, "child", 0);
    const struct ez_member *parent =
        g->ranks.span.n ? ez_roster_find(&f->roster, g->ranks.span.at[0].from) : NULL;
    if (!child || !parent)
        return;
    uint32_t number = f->roster.member.at[f->roster.member.n - 1].rank + 1, node = parent->node;
    pid_t of = parent->pid;
    EZ_FREE char *host = ez_strdup(parent->host), *program = ez_strdup(parent->program);
    struct ez_member *m = ez_roster_put(&f->roster, number);
    free(m->host);
    free(m->program);
    m->pid = child;
    m->parent = of;
    m->node = node;
    m->host = host;
    m->program = program;
    host = program = NULL;
    m->state = EZ_MEMBER_HELD;
    ez_roster_count_local(&f->roster);
    struct ez_ranks one = { 0 };
    long id;
    ez_ranks_add(&one, number, number);
    ez_err *e = ez_front_claim(f, &one, EZ_CLAIM_HELD, "continue &", &id);
    ez_ranks_free(&one);
    m->state = EZ_MEMBER_RUNNING; /* until its driver reports its state */
    if (e)
        out_error(s, e);
    if (s->ui.inferior_events)
        out_line(s, "[New inferior %u (process %d), forked by %u]", number, (int)child,
                 g->ranks.span.at[0].from);
}

static void jobs_print_answer(struct ez_sess *s, const struct ez_group *g)
{
    struct json_object *o = json_tokener_parse(g->text);
    const char *who = jobs_who(s, &g->ranks), *event = ez_json_text(o, "event");
    if (jobs_is_end(o))
        jobs_end_of(s, who, o);
    else if (!strcmp(event, "blind"))
        out_line(s,
                 "%sIts driver has ended, and the process runs without it. \"job reattach\" takes "
                 "the process over.",
                 who);
    else if (!strcmp(event, "forked"))
        jobs_forked(s, g, o);
    else if (!strcmp(event, "trace-lost"))
        /* the lost trace counts as a failed command; another event prints the message */
        s->end.failed++;
    else
        jobs_output(s, who, o);
    json_object_put(o);
}

/* Files that members reported, printed as one line with the common parts of their names. */
struct jobs_files {
    struct ez_ranks ranks;
    char *first;
    size_t head, tail, n; /* head, tail: length of the names' common begin and end, in bytes; n:
                           * number of files */
};

static bool jobs_note_file(struct jobs_files *q, const struct ez_group *g)
{
    struct json_object *o = json_tokener_parse(g->text);
    const char *name = ez_json_text(o, "text");
    size_t len = strlen(name);
    bool file = !strcmp(ez_json_text(o, "event"), "trace");
    if (file && !q->n++) {
        q->first = ez_strdup(name);
        q->head = q->tail = len;
    } else if (file) {
        size_t all = strlen(q->first), head = 0, tail = 0;
        while (head < q->head && head < len && name[head] == q->first[head])
            head++;
        while (tail < q->tail && head + tail < len &&
               name[len - 1 - tail] == q->first[all - 1 - tail])
            tail++;
        q->head = head;
        q->tail = EZ_MIN(tail, all - head);
    }
    if (file)
        ez_ranks_unite(&q->ranks, &g->ranks);
    json_object_put(o);
    return file;
}

static void jobs_print_files(struct ez_sess *s, struct jobs_files *q)
{
    if (q->n == 1)
        out_line(s, "%sRecording to %s.", jobs_who(s, &q->ranks), q->first);
    else if (q->n)
        out_line(s, "%sRecording to %zu files, %.*s*%s.", jobs_who(s, &q->ranks), q->n,
                 (int)q->head, q->first, q->first + strlen(q->first) - q->tail);
    free(q->first);
    ez_ranks_free(&q->ranks);
}

static void jobs_print_all(struct ez_sess *s, const struct ez_reply *news)
{
    struct jobs_files files = { .n = 0 };
    for (size_t i = 0; i < news->group.n; i++)
        if (!jobs_note_file(&files, &news->group.at[i]))
            jobs_print_answer(s, &news->group.at[i]);
    jobs_print_files(s, &files);
}

static void jobs_news(struct ez_reply *news, void *arg)
{
    struct ez_sess *s = arg;
    bool fork = false;
    for (size_t i = 0; i < news->group.n; i++)
        /* a forked child is held until its event is handled, so the event cannot wait for the
         * reply */
        fork |= ez_group_is(&news->group.at[i], "forked");
    if (s->job->waits && !fork)
        ez_reply_merge(&s->job->news, news);
    else
        jobs_print_all(s, news);
}

static void jobs_print_news(struct ez_sess *s)
{
    struct ez_reply news = s->job->news;
    s->job->waits = false;
    s->job->news = (struct ez_reply){ .id = 0 };
    jobs_print_all(s, &news);
    ez_reply_free(&news);
}

/* Prints the error of members that failed, with their ranks. */
static void jobs_error(struct ez_sess *s, const char *who, struct json_object *o)
{
    struct json_object *e = ez_json_get(o, "error");
    const char *hint = ez_json_text(e, "hint");
    ez_err *err = ez_err_new(EZ_E_REFUSED, 0, "%s%s", who, ez_json_text(e, "message"));
    out_error(s, *hint ? ez_err_hint(err, "%s", hint) : err);
}

static void jobs_print_json(struct ez_sess *s, const struct ez_reply *r)
{
    struct json_object *o = ez_reply_to_json(r);
    ez_json_put_text(o, "schema", "eztsh-answers-1");
    json_object_object_del(o, "id");
    json_object_object_del(o, "states");
    out_safe(s, json_object_to_json_string_ext(o, JSON_C_TO_STRING_SPACED |
                                                      JSON_C_TO_STRING_NOSLASHESCAPE));
    json_object_put(o);
}

static void jobs_print_group(struct ez_sess *s, const struct ez_group *g, uint64_t *failed,
                             bool json)
{
    struct json_object *o = json_tokener_parse(g->text);
    const char *who = jobs_who(s, &g->ranks);
    if (!json)
        jobs_output(s, who, o);
    if (!json_object_get_boolean(ez_json_get(o, "ok"))) {
        *failed += ez_ranks_count(&g->ranks);
        jobs_error(s, who, o);
    }
    json_object_put(o);
}

ez_err *jobs_late(struct ez_sess *s, const struct ez_ranks *late, bool printed)
{
    if (!late->span.n)
        return NULL;
    return ez_err_hint(ez_err_new(EZ_E_TIMEOUT, 0, "%sno answer within %u s", jobs_who(s, late),
                                  s->ui.job_timeout),
                       "\"set job-timeout\" allows more time%s",
                       printed ? "; later answers are printed" : "");
}

ez_err *jobs_print(struct ez_sess *s, const struct ez_reply *r, bool each)
{
    struct ez_ranks rest = ez_reply_rest(r);
    uint64_t failed = 0, all = ez_ranks_count(&rest) + ez_ranks_count(&r->late);
    if (s->run.json)
        jobs_print_json(s, r);
    for (size_t i = 0; i < r->group.n; i++) {
        jobs_print_group(s, &r->group.at[i], &failed, s->run.json);
        all += ez_ranks_count(&r->group.at[i].ranks);
    }
    if (rest.span.n && !s->run.json)
        out_line(s, "%sother answers (-each shows them all)", jobs_who(s, &rest));
    ez_ranks_free(&rest);
    if (r->late.span.n)
        return jobs_late(s, &r->late, true);
    if (!failed)
        return NULL;
    return ez_err_new(EZ_E_REFUSED, 0, "The command failed in %llu of %llu processes",
                      (unsigned long long)failed, (unsigned long long)all);
}

ez_err *jobs_print_failed(struct ez_sess *s, const struct ez_reply *r)
{
    struct ez_reply failed = { .id = r->id, .late = r->late };
    for (size_t i = 0; i < r->group.n; i++)
        if (!ez_group_ok(&r->group.at[i]))
            EZ_PUSH(&failed.group, r->group.at[i]);
    ez_err *e = jobs_print(s, &failed, true);
    EZ_VEC_FREE(&failed.group);
    return e;
}

/* ---- waiting --------------------------------------------------------------------------------- */

static ez_err *jobs_await_reply(struct ez_sess *s, long id, struct ez_reply *out)
{
    struct ez_front *f = s->job->front;
    int64_t until = ez_now_ms() + f->last_ms + 2000;
    while (!ez_front_reply(f, id, out)) {
        if (f->out < 0)
            return ez_front_ended(f);
        if (ez_now_ms() > until)
            return ez_err_hint(
                ez_err_new(EZ_E_TIMEOUT, 0, "The daemons do not answer"),
                "\"info hosts\" lists the daemons. The processes run on without the daemons");
        /* If text is unsent, tries again after 20 ms: the pipe is full, because a stopped daemon
         * reads nothing. */
        bool pass = sess_pass(s, f->box.text.n ? 20 : 1000);
        ez_outbox_flush(&f->box, f->in);
        if (!pass)
            return ez_err_gdb(EZ_E_QUIT, "Quit");
    }
    return NULL;
}

/* Waits for the root's reply. The root daemon answers in time even if other daemons do not. If the
 * root does not answer, it hangs, and this is an error. */
ez_err *jobs_await(struct ez_sess *s, long id, struct ez_reply *out)
{
    s->job->waits = true;
    ez_err *e = jobs_await_reply(s, id, out);
    jobs_print_news(s);
    return e;
}

ez_err *jobs_run_on(struct ez_sess *s, const struct ez_ranks *ranks, const char *command, bool each,
                    struct ez_reply *out)
{
    long id;
    EZ_TRY(ez_front_command(s->job->front, ranks, command, each, &id));
    return jobs_await(s, id, out);
}

enum ez_state jobs_state(const struct ez_sess *s)
{
    if (!s->job)
        return EZ_NONE;
    if (jobs_any_in(s, 1u << EZ_MEMBER_RUNNING, NULL))
        return EZ_RUNNING;
    return jobs_any_in(s, 1u << EZ_MEMBER_STOPPED, NULL) ? EZ_STOPPED : EZ_NONE;
}

bool jobs_any_in(const struct ez_sess *s, unsigned states, const struct ez_ranks *ranks)
{
    struct ez_ranks in;
    ez_roster_in(&s->job->front->roster, states, &in);
    if (ranks)
        ez_ranks_intersect(&in, ranks);
    bool any = in.span.n;
    ez_ranks_free(&in);
    return any;
}

bool jobs_any_live(const struct ez_sess *s)
{
    return s->job &&
           jobs_any_in(s, EZ_MEMBER_LIVE | 1u << EZ_MEMBER_HELD | 1u << EZ_MEMBER_BLIND, NULL);
}

bool jobs_launched(const struct ez_sess *s)
{
    return s->job && s->job->front->launcher && !s->job->front->attached;
}

static int64_t jobs_keeps(const struct ez_group *g)
{
    struct json_object *o = json_tokener_parse(g->text), *r = ez_json_get(o, "result");
    int64_t n = ez_json_int(r, "probes", -1), kept = ez_json_int(r, "kept", 0);
    json_object_put(o);
    return n == kept ? n : -1;
}

void jobs_note_probes(struct ez_sess *s, const struct ez_ranks *ranks)
{
    struct ez_roster *all = &s->job->front->roster;
    struct ez_reply r = { .id = 0 };
    bool good = ez_err_drop(jobs_run_on(s, ranks, "maint probe-count -json", true, &r));
    for (size_t i = 0; i < all->member.n; i++) {
        struct ez_member *m = &all->member.at[i];
        if (!ez_ranks_has(ranks, m->rank))
            continue;
        m->keeps = -1;
        for (size_t k = 0; good && k < r.group.n; k++)
            if (ez_ranks_has(&r.group.at[k].ranks, m->rank))
                m->keeps = jobs_keeps(&r.group.at[k]);
    }
    if (good)
        ez_reply_free(&r);
}

/* ---- begin and end --------------------------------------------------------------------------- */

ez_err *jobs_need(const struct ez_sess *s)
{
    if (s->job)
        return NULL;
    return ez_err_hint(ez_err_new(EZ_E_STATE, 0, "There is no job"),
                       "\"job run\" or \"job attach\" begins a job");
}

ez_err *jobs_ranks(struct ez_sess *s, const char *expr, struct ez_ranks *out)
{
    EZ_TRY(jobs_need(s));
    const struct ez_front *f = s->job->front;
    EZ_TRY(ez_context_ranks(&f->contexts, &f->roster, expr ? expr : s->job->context, out));
    if (expr)
        jobs_print_missing(s, expr);
    return NULL;
}

void jobs_print_missing(struct ez_sess *s, const char *expr)
{
    const struct ez_front *f = s->job->front;
    struct ez_ranks missing, all;
    ez_context_missing(&f->contexts, &f->roster, expr, &missing);
    ez_roster_all(&f->roster, &all);
    EZ_FREE char *none = ez_ranks_text(&missing), *there = ez_ranks_text(&all);
    if (missing.span.n)
        out_warning(s, "There is no rank %s: the job has %s.", none, there);
    ez_ranks_free(&missing);
    ez_ranks_free(&all);
}

ez_err *jobs_launch_failed(struct ez_sess *s)
{
    return ez_err_new(EZ_E_GONE, 0,
                      "%s ended with status %d before the processes of the job started",
                      s->job->what, s->job->front->launcher_status);
}

char **jobs_copy(char *const *words)
{
    size_t n = 0;
    if (!words)
        return NULL;
    while (words[n])
        n++;
    char **copy = ez_alloc((n + 1) * sizeof *copy);
    for (size_t i = 0; i < n; i++)
        copy[i] = ez_strdup(words[i]);
    return copy;
}

void jobs_make(struct ez_sess *s, const char *what, bool tree)
{
    struct job *j = s->job = ez_alloc(sizeof *s->job);
    j->context = ez_strdup("all");
    j->what = ez_strdup(what);
    j->began = ez_now_ns();
    j->front = ez_front_create(&s->ui.job_timeout);
    j->front->tree = tree;
    j->front->news = jobs_news;
    j->front->arg = s;
}

void jobs_free(struct ez_sess *s)
{
    struct job *j = s->job;
    for (char **w = j->tool; w && *w; w++)
        free(*w);
    free(j->tool);
    for (size_t i = 0; i < j->sums.n; i++) {
        free(j->sums.at[i].id);
        free(j->sums.at[i].of);
        ez_ranks_free(&j->sums.at[i].ranks);
        EZ_VEC_FREE(&j->sums.at[i].printed_own);
        free(j->sums.at[i].title);
        free(j->sums.at[i].operation);
        free(j->sums.at[i].plugin);
        free(j->sums.at[i].command);
    }
    EZ_VEC_FREE(&j->sums);
    ez_series_end(j->series);
    ez_front_free(j->front);
    free(j->context);
    free(j->what);
    free(j);
    s->job = NULL;
}

ez_err *jobs_daemons(struct ez_sess *s, char **tool)
{
    s->job->tool = tool;
    return ez_front_start(s->job->front, tool);
}
