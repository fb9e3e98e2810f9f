/* SPDX-License-Identifier: GPL-3.0-or-later */
/* job_route.c - routes command lines to the members of a job: commands whose class is the program,
 * its data, its probes or its traces, and settings of the engine. `-c CONTEXT` selects members,
 * `-each` prints every answer, `-atomic` undoes the command on all members if some failed.
 *
 * A line that changes what members record is kept as a rule for later processes
 * (engine/jobs/node_claim.c).
 * Tests: tests/procs/jobs.sh, tests/e2e/wrong_jobs.ezt */
#include "cmds/job/jobs.h"

#include <string.h>

#include "cmds/cmd.h"
#include "shell/lex.h"
#include "shell/out.h"
#include "shell/sess.h"
#include "shell/settings.h"

struct route {
    const char *context; /* expression of -c; NULL = the default context */
    bool each, atomic;
    const char *line; /* the line without -c, -each and -atomic */
};

bool jobs_routes(const struct ez_sess *s, const struct ez_cmd *c, const char *name,
                 const char *text)
{
    if (!s->job || c->flags & HERE)
        return false;
    if (!strncmp(name, "set ", 4)) /* `set variable` concerns data */
        return c->cls == EZ_CLASS_DATA || settings_is_engine(name + 4);
    return c->cls == EZ_CLASS_RUN || c->cls == EZ_CLASS_DATA || c->cls == EZ_CLASS_PROBE ||
           c->cls == EZ_CLASS_TRACE;
}

/* ---- -c, -each, -atomic ---------------------------------------------------------------------- */

/* Returns true if the line has the command's own option -json. Members parse the option again, and
 * report errors. */
static bool route_requests_json(struct ez_sess *s, const struct ez_cmd *c, const char *rest)
{
    struct ez_opts opts = { .command = c->name,
                            .operands = c->usage,
                            .list = c->options,
                            .first = c->flags & OPTIONS_FIRST };
    char **words;
    int n;
    if (c->flags & RAW)
        return ez_err_drop(opt_parse_line(s, &opts, &rest)) && opt_json(&opts);
    EZ_FREE char *head = ez_strndup(rest, strlen(rest) - strlen(lex_find_word(rest, cmd_tail)));
    if (!ez_err_drop(lex_words(c->flags & TAIL ? head : rest, &words, &n)))
        return false;
    EZ_FREE char **argv = ez_alloc(((size_t)n + 2) * sizeof *argv);
    memcpy(argv + 1, words, (size_t)n * sizeof *argv);
    n++;
    bool json = ez_err_drop(opt_parse(s, &opts, &n, argv)) && opt_json(&opts);
    lex_free(words);
    return json;
}

/* Removes -c, -each and -atomic from the words. In a verbatim line (RAW) they must come first. */
static ez_err *route_parse(struct ez_sess *s, const char *name, const char *text, bool raw,
                           struct route *out)
{
    const char *kept = name, *p = text + strspn(text, " \t");
    bool ours = true;
    while (*p) {
        size_t n = lex_word(p), gap = strspn(p + n, " \t");
        const char *next = p + n + gap;
        if (ours && n == 2 && !strncmp(p, "-c", 2)) {
            out->context = jobs_context_word(s, &next);
            if (!out->context)
                return ez_err_new(EZ_E_ARG, 0, "-c needs a context");
            p = next;
            continue;
        }
        if (ours && n == 5 && !strncmp(p, "-each", 5)) {
            out->each = true;
        } else if (ours && n == 7 && !strncmp(p, "-atomic", 7)) {
            out->atomic = true;
        } else {
            ours = !raw;
            kept = sess_format(s, "%s %.*s", kept, (int)n, p);
            if (raw) {
                kept = sess_format(s, "%s%s", kept, p + n);
                break;
            }
        }
        p = next;
    }
    out->line = kept;
    return NULL;
}

/* ---- -atomic --------------------------------------------------------------------------------- */

/* Returns the command that deletes what the answer lists under `name` (numbers of new probes, for
 * example); NULL if it lists nothing. */
static const char *route_delete(struct ez_sess *s, const char *verb, struct json_object *answer,
                                const char *name)
{
    struct json_object *range = ez_json_get(answer, name);
    if (!json_object_is_type(range, json_type_array) || json_object_array_length(range) != 2)
        return NULL;
    int from = json_object_get_int(json_object_array_get_idx(range, 0)),
        to = json_object_get_int(json_object_array_get_idx(range, 1));
    return from == to ? sess_format(s, "%s %d", verb, from)
                      : sess_format(s, "%s %d-%d", verb, from, to);
}

/* Returns the command that undoes `line`, whose answer is `answer`; NULL if nothing can undo it. */
static const char *route_undo(struct ez_sess *s, const char *name, const char *line,
                              struct json_object *answer)
{
    static const char *const inverse[][2] = {
        { "enable", "disable" },
        { "disable", "enable" },
        { "module load", "module unload" },
    };
    for (size_t i = 0; i < EZ_ARRAY_LEN(inverse); i++)
        if (!strcmp(name, inverse[i][0]))
            return sess_format(s, "%s%s", inverse[i][1], line + strlen(name));
    const char *spec = route_delete(s, "spec delete", answer, "specifications");
    return spec ? spec : route_delete(s, "delete", answer, "created");
}

static ez_err *route_rollback(struct ez_sess *s, const char *name, const char *line,
                              const struct ez_reply *r)
{
    uint64_t undone = 0;
    for (size_t i = 0; i < r->group.n; i++) {
        const struct ez_group *g = &r->group.at[i];
        struct json_object *o = json_tokener_parse(g->text);
        bool ok = json_object_get_boolean(ez_json_get(o, "ok"));
        const char *undo = ok ? route_undo(s, name, line, o) : NULL;
        struct ez_reply back;
        json_object_put(o);
        if (!ok)
            continue;
        if (!undo)
            return ez_err_hint(
                ez_err_new(EZ_E_ARG, 0, "-atomic cannot undo \"%s\"", line),
                "-atomic can undo \"module load\", \"enable\", \"disable\", and new probes, "
                "breakpoints, aggregates, replacements and specifications");
        EZ_TRY(jobs_run_on(s, &g->ranks, undo, false, &back));
        ez_err *e = jobs_print(s, &back, false);
        ez_reply_free(&back);
        EZ_TRY(e);
        undone += ez_ranks_count(&g->ranks);
    }
    if (undone)
        out_line(s, "The command was undone in %llu processes.", (unsigned long long)undone);
    return NULL;
}

static bool route_any_failed(const struct ez_reply *r)
{
    bool failed = r->late.span.n;
    for (size_t i = 0; i < r->group.n; i++)
        failed |= !ez_group_ok(&r->group.at[i]);
    return failed;
}

/* ---- commands with special routing ----------------------------------------------------------- */

/* Removes ranks that are in none of the states (a mask of 1u << state). */
static void route_only(struct ez_sess *s, struct ez_ranks *ranks, unsigned states)
{
    struct ez_ranks in;
    ez_roster_in(&s->job->front->roster, states, &in);
    ez_ranks_intersect(ranks, &in);
    ez_ranks_free(&in);
}

static ez_err *route_continue(struct ez_sess *s, struct ez_ranks *ranks, bool background)
{
    struct ez_reply r;
    route_only(s, ranks, 1u << EZ_MEMBER_STOPPED);
    if (!ranks->span.n)
        return ez_err_new(EZ_E_STATE, 0, "None of the selected processes is stopped");
    EZ_TRY(jobs_run_on(s, ranks, "continue &", false, &r));
    bool failed = route_any_failed(&r);
    ez_err *e = failed ? jobs_print(s, &r, false) : NULL;
    ez_reply_free(&r);
    if (e || background)
        return e;
    return jobs_wait_stand(s, ranks);
}

static ez_err *route_request(struct ez_sess *s, const struct ez_cmd *c, const char *name,
                             const struct route *r, const struct ez_ranks *ranks)
{
    struct ez_reply reply;
    EZ_TRY(jobs_run_on(s, ranks, r->line, r->each, &reply));
    ez_err *e = jobs_print(s, &reply, r->each);
    if (r->atomic && route_any_failed(&reply))
        e = ez_err_first(route_rollback(s, name, r->line, &reply), e);
    else if ((c->flags & MUTATES || c->cls == EZ_CLASS_SUPPORT) && c->cls != EZ_CLASS_RUN &&
             c->cls != EZ_CLASS_DATA && reply.group.n)
        ez_front_add_rule(s->job->front, r->line, c->cls == EZ_CLASS_PROBE,
                          jobs_means_all(s, r->context) ? NULL : ranks);
    ez_reply_free(&reply);
    if (c->cls == EZ_CLASS_PROBE && c->flags & MUTATES)
        jobs_note_probes(s, ranks);
    return e;
}

static ez_err *route_none(struct ez_sess *s)
{
    struct ez_ranks blind;
    ez_err *e =
        ez_err_new(EZ_E_STATE, 0, "None of the selected processes is under the control of eztsh");
    ez_roster_in(&s->job->front->roster, 1u << EZ_MEMBER_BLIND, &blind);
    bool any = blind.span.n;
    ez_ranks_free(&blind);
    return any ? ez_err_hint(e, "\"job reattach\" takes over processes that have lost their daemon")
               : e;
}

ez_err *jobs_command(struct ez_sess *s, const struct ez_cmd *c, const char *name, const char *text)
{
    struct route r = { .context = NULL };
    struct ez_ranks ranks;
    EZ_TRY(route_parse(s, name, text, c->flags & RAW, &r));
    EZ_TRY(jobs_ranks(s, r.context, &ranks));
    ez_err *e = NULL;
    bool go_on = !strcmp(name, "continue"), wait = !strcmp(name, "wait");
    s->run.json = route_requests_json(s, c, lex_skip_blanks(r.line + strlen(name)));
    if (!ranks.span.n)
        e = ez_err_new(EZ_E_STATE, 0, "No process of the job is in context \"%s\"",
                       r.context ? r.context : s->job->context);
    else if (go_on)
        e = route_continue(s, &ranks, strchr(text, '&') != NULL);
    else if (wait)
        e = jobs_wait_stand(s, &ranks);
    else {
        route_only(s, &ranks,
                   EZ_MEMBER_LIVE | (c->flags & (NEED_TARGET | NEED_STOPPED)
                                         ? 0
                                         : 1u << EZ_MEMBER_EXITED | 1u << EZ_MEMBER_KILLED |
                                               1u << EZ_MEMBER_GONE));
        e = ranks.span.n ? route_request(s, c, name, &r, &ranks) : route_none(s);
    }
    ez_ranks_free(&ranks);
    return e;
}
