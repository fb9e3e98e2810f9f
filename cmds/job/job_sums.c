/* SPDX-License-Identifier: GPL-3.0-or-later */
/* job_sums.c - `aggregate`, and `info aggregates` of a job: adds values up in each process, then
 * over the processes of a host, then over hosts (Blue Gene/L, 2005, section 4.3).
 *
 * The target runs `count`, `sum` or `hist` (aggregate.c), which keep hits, sum, minimum and maximum
 * of each key. So the result of every operation is computed from one row of such values. The reply
 * to a request for a window has the values of all aggregates at once: one vector goes up the tree
 * (engine/jobs/reduce.h).
 * Tests: tests/procs/jobs.sh, tests/procs/job_windows.sh */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cmds/probe/aggregate.h"
#include "cmds/cmd.h"
#include "cmds/job/jobs.h"
#include "engine/base/now.h"
#include "engine/base/strutil.h"
#include "shell/lex.h"
#include "shell/parse_word.h"
#include "shell/out.h"
#include "shell/sess.h"

#define HITS_NS 200000000ull /* -every N hits is checked once in this time */

/* ---- parsing --------------------------------------------------------------------------------- */

struct sums_words {
    const char *location, *operation, *value, *context, *plugin;
    bool domain;
    double low, high;   /* bounds of -domain */
    struct job_sum how; /* every_ns, every_hits and at_end of the new aggregate */
};

static const char *const sums_operations[] = { "sum", "avg",  "min",   "max",
                                               "own", "hist", "count", "plugin" };

/* Returns the word at *p and moves *p past it. */
static const char *sums_word(struct ez_sess *s, const char **p)
{
    *p = lex_skip_blanks(*p);
    size_t n = strcspn(*p, " \t");
    const char *word = sess_format(s, "%.*s", (int)n, *p);
    *p = lex_skip_blanks(*p + n);
    return word;
}

static const char *sums_trim(struct ez_sess *s, const char *from, const char *to)
{
    while (to > from && strchr(" \t", to[-1]))
        to--;
    return sess_format(s, "%.*s", (int)(to - from), from);
}

static ez_err *sums_every(struct ez_sess *s, const char **p, struct job_sum *how)
{
    const char *word = sums_word(s, p);
    if (!strncmp(*p, "hits", 4)) {
        sums_word(s, p);
        return parse_count(word, "a number of hits", &how->every_hits);
    }
    EZ_TRY(parse_time(word, &how->every_ns));
    if (how->every_ns >= 1000000)
        return NULL;
    return ez_err_new(EZ_E_ARG, 0, "-every needs a time of at least 1 ms");
}

/* Parses LOW:HIGH, the domain of the user's function. */
static ez_err *sums_domain(struct ez_sess *s, const char *word, struct sums_words *w)
{
    char *end;
    w->low = strtod(word, &end);
    if (end > word && *end == ':') {
        const char *high = end + 1;
        w->high = strtod(high, &end);
        w->domain = end > high && !*end && w->low <= w->high;
    }
    if (w->domain)
        return NULL;
    return ez_err_new(EZ_E_ARG, 0,
                      "\"%s\" is not a range of values: write LOW:HIGH, with LOW at most HIGH",
                      word);
}

/* Parses -every, -at-end, -domain, -c, which come last. */
static ez_err *sums_options(struct ez_sess *s, const char *p, struct sums_words *w)
{
    while (*p) {
        const char *word = sums_word(s, &p);
        if (!strcmp(word, "-every") && *p)
            EZ_TRY(sums_every(s, &p, &w->how));
        else if (!strcmp(word, "-domain") && *p && w->plugin)
            EZ_TRY(sums_domain(s, sums_word(s, &p), w));
        else if (!strcmp(word, "-at-end"))
            w->how.at_end = true;
        else if (!strcmp(word, "-c") && *p)
            w->context = jobs_context_word(s, &p);
        else
            return opt_misuse(s);
    }
    return NULL;
}

static ez_err *sums_parse(struct ez_sess *s, const char *text, struct sums_words *w)
{
    static const char *const by[] = { "by", NULL }, *const rest[] = { "of",      "-every",
                                                                      "-at-end", "-domain",
                                                                      "-c",      NULL };
    const char *p = lex_find_word(text, by);
    if (!*p || p == text)
        return opt_misuse(s);
    w->location = sums_trim(s, text, p);
    p = lex_skip_blanks(p + 2);
    w->operation = sums_word(s, &p);
    bool known = false;
    for (size_t i = 0; i < EZ_ARRAY_LEN(sums_operations); i++)
        known |= !strcmp(w->operation, sums_operations[i]);
    if (!known)
        return ez_err_hint(
            ez_err_new(EZ_E_ARG, 0, "\"%s\" is not an operation of \"aggregate\"", w->operation),
            "The operations are sum, avg, min, max, own, hist, count and plugin FILE:FUNC");
    if (!strcmp(w->operation, "plugin"))
        w->plugin = sums_word(s, &p);
    w->value = "";
    if (!strncmp(p, "of ", 3)) {
        const char *end = lex_find_word(p + 3, rest + 1);
        w->value = sums_trim(s, lex_skip_blanks(p + 3), end);
        p = end;
    }
    return sums_options(s, p, w);
}

/* Returns the aggregate's command for each member. Without a value, members measure the durations
 * of calls. */
static const char *sums_command(struct ez_sess *s, const struct sums_words *w)
{
    /* A plugin gets each value with its frequency, so members count by value. */
    if (w->plugin && strcmp(w->value, "hits"))
        return sess_format(s, "count %s by %s", w->location, w->value);
    if (!strcmp(w->operation, "count") || !strcmp(w->value, "hits"))
        return sess_format(s, "count %s", w->location);
    if (!*w->value)
        return sess_format(s, "hist %s", w->location);
    return sess_format(s, "%s %s at %s", strcmp(w->operation, "hist") ? "sum" : "hist", w->value,
                       w->location);
}

/* ---- windows --------------------------------------------------------------------------------- */

/* Requests a window: the results of these ranks until now. requested: true = only for the
 * aggregates of this session, false = for all aggregates of the members. */
static ez_err *sums_request(struct ez_sess *s, const struct ez_ranks *ranks, bool requested,
                            long *id)
{
    struct json_object *o = json_object_new_object(), *requests = json_object_new_array();
    for (size_t i = 0; requested && i < s->job->sums.n; i++) {
        const struct job_sum *x = &s->job->sums.at[i];
        struct json_object *a = json_object_new_object();
        ez_json_put_text(a, "id", x->id);
        ez_json_put_text(a, "of", x->of);
        if (!x->all)
            ez_json_put_ranks(a, "ranks", &x->ranks);
        json_object_object_add(a, "own", json_object_new_boolean(!strcmp(x->operation, "own")));
        if (x->plugin)
            ez_json_put_text(a, "plugin", x->plugin);
        json_object_array_add(requests, a);
    }
    json_object_object_add(o, "asks", requests);
    ez_json_put_ranks(o, "ranks", ranks);
    return ez_front_request(s->job->front, "window", o, id);
}

/* Returns all members but those in the states HELD and BLIND. Members that ended keep their last
 * results. */
static void sums_ranks(struct ez_sess *s, struct ez_ranks *out)
{
    ez_roster_in(&s->job->front->roster,
                 EZ_MEMBER_LIVE | 1u << EZ_MEMBER_EXITED | 1u << EZ_MEMBER_KILLED |
                     1u << EZ_MEMBER_GONE | 1u << EZ_MEMBER_LEFT,
                 out);
}

/* Returns the current results of the aggregates of these ranks. */
static ez_err *sums_window(struct ez_sess *s, const struct ez_ranks *ranks, struct ez_reply *out)
{
    long id;
    EZ_TRY(sums_request(s, ranks, true, &id));
    return jobs_await(s, id, out);
}

static ez_err *sums_members(struct ez_sess *s, const struct ez_ranks *ranks, struct ez_reply *out)
{
    long id;
    EZ_TRY(sums_request(s, ranks, false, &id));
    return jobs_await(s, id, out);
}

/* Returns v as text: as a time if `ns`, except in JSON; "-" if v is not finite. */
static const char *sums_number(struct ez_sess *s, bool ns, double v)
{
    if (!isfinite(v))
        return "-";
    if (ns && !s->run.json)
        return out_time(s, (uint64_t)(v + 0.5));
    return out_number(s, v);
}

static bool sums_counts(const struct job_sum *x)
{
    return !x->plugin && (!strcmp(x->operation, "count") || *x->id == 'c');
}

/* Returns the aggregate's value: its operation applied to the row. NAN = none. */
static double sums_value(const struct job_sum *x, const struct ez_sum *sum,
                         const struct ez_sum_row *t)
{
    const char *op = x->operation;
    if (sums_counts(x))
        return (double)t->hits;
    if (x->plugin)
        return x->bad ? NAN : sum->made;
    if (!t->hits)
        return NAN;
    if (!strcmp(op, "avg") || !strcmp(op, "hist"))
        return t->sum / (double)t->hits;
    return !strcmp(op, "min") ? t->min : !strcmp(op, "max") ? t->max : t->sum;
}

/* Returns the value since the last window. Returns NAN for operations without such a value
 * (minimum, maximum, own, the user's functions), for a mean without new hits, and if hits are
 * missing, because a driver ended or did not answer. */
static double sums_windowed(const struct job_sum *x, const struct ez_sum_row *t)
{
    const char *op = x->operation;
    double sum = t->sum - x->printed_sum, hits = (double)t->hits - (double)x->printed_hits;
    if (hits < 0)
        return NAN;
    if (sums_counts(x))
        return hits;
    if (!strcmp(op, "avg") || !strcmp(op, "hist"))
        return hits > 0 ? sum / hits : NAN;
    return !strcmp(op, "sum") ? sum : NAN;
}

static double sums_own_before(const struct job_sum *x, uint32_t rank)
{
    for (size_t i = 0; i < x->printed_own.n; i++)
        if (x->printed_own.at[i].rank == rank)
            return x->printed_own.at[i].value;
    return 0;
}

/* Returns the values of the first 16 ranks as text. window: subtracts the values at the last
 * window. */
static const char *sums_own(struct ez_sess *s, const struct job_sum *x, const struct ez_sum *sum,
                            bool window)
{
    const char *text = "";
    for (size_t i = 0; i < sum->own.n && i < 16; i++) {
        const struct ez_own *o = &sum->own.at[i];
        double v = o->value - (window ? sums_own_before(x, o->rank) : 0);
        text =
            sess_format(s, "%s%s%u: %s", text, i ? ", " : "", o->rank, sums_number(s, sum->ns, v));
    }
    return sum->own.n > 16 ? sess_format(s, "%s, ...", text) : text;
}

/* Returns "WINDOW (TOTAL in all)", or the total alone: at the end, and for operations without a
 * window value. */
static const char *sums_text(struct ez_sess *s, const struct job_sum *x, const struct ez_sum *sum,
                             double total, double window, bool time, bool at_end)
{
    bool own = !strcmp(x->operation, "own"), every = x->every_ns || x->every_hits;
    const char *all = own ? sums_own(s, x, sum, false) : sums_number(s, time, total);
    if (at_end || !every)
        return all;
    bool has = own || sums_counts(x) || !strcmp(x->operation, "avg") ||
               !strcmp(x->operation, "hist") || !strcmp(x->operation, "sum");
    const char *now = own ? sums_own(s, x, sum, true) : sums_number(s, time, window);
    return has ? sess_format(s, "%s (%s in all)", now, all) : sess_format(s, "%s in all", all);
}

static void sums_note_printed(struct job_sum *x, const struct ez_sum *sum,
                              const struct ez_sum_row *t)
{
    x->printed_hits = t->hits;
    x->printed_sum = t->sum;
    x->printed_own.n = 0;
    EZ_APPEND(&x->printed_own, sum->own.at, sum->own.n);
}

/* Checks the user's function once, on values that the program had. If the result depends on their
 * order, prints an error, and sets x->bad. */
static void sums_try(struct ez_sess *s, struct job_sum *x, const struct ez_sum *sum)
{
    double v[12];
    size_t n = 0, step = sum->row.n / EZ_ARRAY_LEN(v) + 1;
    for (size_t i = 0; i < sum->row.n && n < EZ_ARRAY_LEN(v); i += step)
        n += ez_sum_key(&sum->row.at[i], &v[n]);
    if (!x->plugin || x->tried || !n)
        return;
    x->tried = true;
    ez_err *e = ez_operation_check(x->plugin, v, n);
    if (!e)
        return;
    x->bad = true;
    s->end.failed++;
    out_error(s, e);
}

/* Prints a window. The total becomes smaller if a driver ended (its results are lost), or did not
 * answer in time. */
static void sums_print(struct ez_sess *s, struct job_sum *x, const struct ez_sum *sum,
                       const struct ez_ranks *late, bool at_end)
{
    struct ez_sum_row t = ez_sum_total(sum);
    uint64_t n = ez_ranks_count(&sum->ranks);
    double seconds = (double)(ez_now_ns() - s->job->began) / 1e9;
    sums_try(s, x, sum);
    double made = sums_value(x, sum, &t), window = sums_windowed(x, &t);
    bool time = sum->ns && !sums_counts(x);
    const char *value = sums_text(s, x, sum, made, window, time, at_end);
    jobs_record(s, x, sum, made, x->every_ns || x->every_hits ? window : NAN, time);
    const char *without = late->span.n ? sess_format(s, ", %sno answer", jobs_who(s, late)) : "";
    if (x->plugin && sum->no_room)
        without = sess_format(s, "%s, %llu hit%s with other values found no room", without,
                              (unsigned long long)sum->no_room, ez_plural(sum->no_room));
    out_line(s, "%8.2f s  %d: %s = %s  (%llu hit%s, %+lld, %llu process%s%s)", seconds, x->number,
             x->title, value, (unsigned long long)t.hits, ez_plural(t.hits),
             (long long)(t.hits - x->printed_hits), (unsigned long long)n, n == 1 ? "" : "es",
             without);
    sums_note_printed(x, sum, &t);
    EZ_VEC_FREE(&t.bucket);
}

static bool sums_due(struct job_sum *x, const struct ez_sum *sum, uint64_t now)
{
    struct ez_sum_row t = ez_sum_total(sum);
    EZ_VEC_FREE(&t.bucket);
    if (x->every_hits)
        return t.hits / x->every_hits != x->printed_hits / x->every_hits;
    if (!x->every_ns || now < x->next_ns)
        return false;
    x->next_ns = EZ_MAX(x->next_ns + x->every_ns, now);
    return true;
}

int jobs_tick_ms(const struct ez_sess *s)
{
    uint64_t now = ez_now_ns(),
             next = s->job && s->job->clock_ns && !s->job->clock ? s->job->clock_ns : UINT64_MAX;
    if (!s->job || s->job->over || s->job->window)
        return -1;
    for (size_t i = 0; i < s->job->sums.n; i++)
        if (s->job->sums.at[i].every_ns || s->job->sums.at[i].every_hits)
            next = EZ_MIN(next, s->job->sums.at[i].next_ns);
    return next == UINT64_MAX ? -1 : next <= now ? 0 : (int)((next - now) / 1000000) + 1;
}

void jobs_tick(struct ez_sess *s)
{
    struct ez_ranks ranks;
    jobs_clocks_tick(s);
    if (jobs_tick_ms(s) || !s->job->sums.n)
        return;
    sums_ranks(s, &ranks);
    if (!ranks.span.n || !ez_err_drop(sums_request(s, &ranks, true, &s->job->window)))
        s->job->window = 0;
    ez_ranks_free(&ranks);
}

static void sums_print_due(struct ez_sess *s, const struct ez_reply *r)
{
    uint64_t now = ez_now_ns();
    for (size_t i = 0; i < s->job->sums.n; i++) {
        struct job_sum *x = &s->job->sums.at[i];
        const struct ez_sum *sum = ez_sums_find(&r->sums, x->id);
        if (x->every_hits)
            x->next_ns = now + HITS_NS;
        if (sum && sums_due(x, sum, now))
            sums_print(s, x, sum, &r->late, false);
    }
}

void jobs_window_came(struct ez_sess *s)
{
    struct ez_reply r;
    if (!s->job->window || !ez_front_reply(s->job->front, s->job->window, &r))
        return;
    s->job->window = 0;
    sums_print_due(s, &r);
    ez_reply_free(&r);
}

void jobs_sums_end(struct ez_sess *s)
{
    struct ez_ranks ranks;
    struct ez_reply r;
    if (!s->job->sums.n || s->job->front->out < 0)
        return;
    sums_ranks(s, &ranks);
    bool good = ranks.span.n && ez_err_drop(sums_window(s, &ranks, &r));
    for (size_t i = 0; good && i < s->job->sums.n; i++) {
        const struct ez_sum *sum = ez_sums_find(&r.sums, s->job->sums.at[i].id);
        if (sum)
            sums_print(s, &s->job->sums.at[i], sum, &r.late, true);
    }
    if (good)
        ez_reply_free(&r);
    ez_ranks_free(&ranks);
}

/* ---- the command ----------------------------------------------------------------------------- */

/* Returns the id of the aggregate that `after` has and `before` has not; NULL if none. */
static const char *sums_fresh(struct ez_sess *s, const struct ez_reply *before,
                              const struct ez_reply *after)
{
    for (size_t i = 0; i < after->sums.v.n; i++)
        if (!ez_sums_find(&before->sums, after->sums.v.at[i].id))
            return sess_format(s, "%s", after->sums.v.at[i].id);
    return NULL;
}

ez_err *jobs_probe(struct ez_sess *s, const struct ez_ranks *ranks, uint64_t number,
                   const char *what, const char **out)
{
    struct ez_reply r;
    struct ez_ranks all = { 0 };
    if (!ranks)
        EZ_TRY(jobs_ranks(s, NULL, &all));
    ez_err *e = jobs_run_on(s, ranks ? ranks : &all, "info probes -json", false, &r);
    ez_ranks_free(&all);
    EZ_TRY(e);
    *out = NULL;
    for (size_t g = 0; g < r.group.n && !*out; g++) {
        struct json_object *o = json_tokener_parse(r.group.at[g].text);
        struct json_object *rows = ez_json_get(ez_json_get(o, "result"), "rows");
        for (size_t i = 0; i < (rows ? json_object_array_length(rows) : 0); i++) {
            struct json_object *row = json_object_array_get_idx(rows, i);
            if (ez_json_int(row, "number", 0) == (int64_t)number)
                *out = sess_format(s, "%s", ez_json_text(row, what));
        }
        json_object_put(o);
    }
    ez_reply_free(&r);
    return *out ? NULL
                : ez_err_new(EZ_E_NOTFOUND, 0, "No probe number %llu", (unsigned long long)number);
}

/* Replaces the number of a probe in *w by the probe's location, which members report. */
static ez_err *sums_of_probe(struct ez_sess *s, const struct ez_ranks *ranks, struct sums_words *w)
{
    uint64_t number;
    if (w->location[strspn(w->location, "0123456789")])
        return NULL;
    EZ_TRY(parse_count(w->location, "a probe", &number));
    return jobs_probe(s, ranks, number, "location", &w->location);
}

static ez_err *sums_print_members(struct ez_sess *s, const struct ez_ranks *ranks,
                                  const char *command)
{
    struct ez_reply r;
    EZ_TRY(jobs_run_on(s, ranks, command, false, &r));
    ez_err *e = jobs_print_failed(s, &r);
    ez_reply_free(&r);
    return e;
}

/* Starts the aggregate in the members. *of becomes its id in the members. */
static ez_err *sums_plant(struct ez_sess *s, const struct ez_ranks *ranks, const char *command,
                          const char **of)
{
    struct ez_reply before, after;
    EZ_TRY(sums_members(s, ranks, &before));
    ez_err *e = sums_print_members(s, ranks, command);
    if (!e)
        e = sums_members(s, ranks, &after);
    if (!e) {
        *of = sums_fresh(s, &before, &after);
        ez_reply_free(&after);
    }
    ez_reply_free(&before);
    if (!e && !*of)
        e = ez_err_new(
            EZ_E_STATE, 0,
            "The processes already have this aggregate, but this session does not know its number");
    return e;
}

/* Starts an aggregate. If some members already add up the same values, starts the aggregate only in
 * the other members. */
static ez_err *sums_begin(struct ez_sess *s, const struct ez_ranks *ranks, const char *command,
                          bool all, const char **of)
{
    struct ez_ranks fresh = { 0 };
    ez_err *e = NULL;
    bool ruled = false;
    *of = NULL;
    ez_ranks_copy(&fresh, ranks);
    for (size_t i = 0; i < s->job->sums.n; i++) {
        const struct job_sum *x = &s->job->sums.at[i];
        if (strcmp(x->command, command))
            continue;
        *of = x->of;
        ruled |= x->all;
        if (x->all) /* A rule starts the aggregate in all members, also in later members. */
            ez_ranks_free(&fresh);
        else
            ez_ranks_remove(&fresh, &x->ranks);
    }
    if (!*of)
        e = sums_plant(s, ranks, command, of);
    else if (fresh.span.n)
        e = sums_print_members(s, &fresh, command);
    if (!e && (fresh.span.n || (all && !ruled)))
        ez_front_add_rule(s->job->front, command, true, all ? NULL : &fresh);
    if (!e && fresh.span.n)
        jobs_note_probes(s, &fresh);
    ez_ranks_free(&fresh);
    return e;
}

/* Tries the function on values of its domain, before the aggregate begins. Without a domain,
 * sums_try() does that later. */
static ez_err *sums_check_plugin(const struct sums_words *w)
{
    double v[9];
    size_t n = w->domain ? EZ_ARRAY_LEN(v) : 0;
    if (!*w->value)
        return ez_err_hint(
            ez_err_new(EZ_E_ARG, 0, "The operation \"plugin\" needs values to combine"),
            "Add \"of EXPR\" or \"of hits\"");
    for (size_t i = 0; i < n; i++)
        v[i] = w->low + (w->high - w->low) * (double)i / (double)(n - 1);
    return ez_operation_check(w->plugin, v, n);
}

static ez_err *sums_add(struct ez_sess *s, const struct ez_ranks *ranks, struct sums_words *w)
{
    const char *of;
    struct job_sum x = w->how;
    EZ_TRY(sums_of_probe(s, ranks, w));
    if (w->plugin)
        EZ_TRY(sums_check_plugin(w));
    const char *command = sums_command(s, w);
    x.all = jobs_means_all(s, w->context);
    EZ_TRY(sums_begin(s, ranks, command, x.all, &of));
    EZ_FREE char *over = ez_ranks_text(ranks);
    x.number = s->job->sums.n ? s->job->sums.at[s->job->sums.n - 1].number + 1 : 1;
    x.of = ez_strdup(of);
    x.id = ez_sprintf("%s|%s", of, x.all ? "" : over);
    ez_ranks_copy(&x.ranks, ranks);
    x.operation = ez_strdup(w->operation);
    x.plugin = w->plugin ? ez_strdup(w->plugin) : NULL;
    x.command = ez_strdup(command);
    x.title = ez_sprintf("%s%s%s%s%s at %s%s%s", w->operation, w->plugin ? " " : "",
                         w->plugin ? w->plugin : "", *w->value ? " of " : "", w->value, w->location,
                         x.all ? "" : ", ranks ", x.all ? "" : over);
    x.next_ns = ez_now_ns() + (x.every_hits ? HITS_NS : x.every_ns);
    EZ_PUSH(&s->job->sums, x);
    const unsigned long long n = ez_ranks_count(ranks);
    out_line(s, "Aggregate %d: %s, over %llu process%s.", x.number, x.title, n, n == 1 ? "" : "es");
    return NULL;
}

static ez_err *cmd_aggregate(struct ez_sess *s, int argc, char **argv)
{
    struct sums_words w = { .location = NULL };
    struct ez_ranks ranks, live;
    EZ_TRY(sums_parse(s, argv[1], &w));
    EZ_TRY(jobs_ranks(s, w.context, &ranks));
    ez_roster_in(&s->job->front->roster, EZ_MEMBER_LIVE, &live);
    ez_ranks_intersect(&ranks, &live);
    ez_ranks_free(&live);
    ez_err *e = ranks.span.n
                    ? sums_add(s, &ranks, &w)
                    : ez_err_new(EZ_E_STATE, 0,
                                 "None of the selected processes is under the control of eztsh");
    ez_ranks_free(&ranks);
    return e;
}

const struct ez_cmd command_aggregate = {
    .name = "aggregate",
    .usage = "PROBE by OPERATION [of EXPR] [WHEN] [WHERE]",
    .brief = "Aggregate values over the processes of a job.",
    .help = "PROBE is a location or the number of a probe. Without \"of EXPR\" a value is the\n"
            "duration of a call; EXPR is an expression over the arguments and $ret; \"of\n"
            "hits\" counts. No event is recorded: the processes, the daemons and the tree of\n"
            "daemons add the values up. OPERATION is one of:\n"
            "  sum, avg, min, max, hist, count\n"
            "  own               the value of each process\n"
            "  plugin FILE:FUNC  double FUNC(double, double) of a shared object. FUNC must be\n"
            "                    associative and commutative: eztsh tests this on values that\n"
            "                    occurred, or with -domain LOW:HIGH on values of this range.\n"
            "\n"
            "WHEN is -every TIME, -every N hits, or -at-end (of all processes). -every\n"
            "prints the value since its last line and then the total; for min, max and\n"
            "plugin it prints only the total. WHERE is -c CONTEXT.\n"
            "\n"
            "The values of a process that has ended stay in the total. The output says how\n"
            "many processes contribute. PROG-jobTOKEN-aggregates.fxt contains the values for\n"
            "\"report\", unless \"set trace-auto\" is off.",
    .examples = "aggregate exchange by avg -every 1s\n"
                "aggregate send by sum of n -every 10000 hits -c edge\n"
                "info aggregates -by host",
    .see_also = "info aggregates, count, sum, hist, context",
    OPERANDS(JOB, 1, 1),
    .flags = RAW | MUTATES | TEXT_ONLY,
    .fn = cmd_aggregate,
    .complete = comp_location,
};

/* ---- info aggregates ------------------------------------------------------------------------- */

/* Returns the title of the aggregate with the id "sum|f|n|k": "sum of n at f by k". */
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
    const char *made = sum->plugin ? sums_number(s, ns, value) : "";
    out_row(t, x ? sess_format(s, "%d", x->number) : "", x ? x->title : sums_title(s, sum->id),
            group, out_cell_count(s, ez_ranks_count(&sum->ranks)), out_cell_count(s, r->hits),
            any && !count ? sums_number(s, ns, r->sum) : none,
            any && !count ? sums_number(s, ns, r->sum / (double)r->hits) : none,
            any && !count ? sums_number(s, ns, r->min) : none,
            any && !count ? sums_number(s, ns, r->max) : none, made, ns ? "ns" : "", NULL);
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

/* Prints the aggregates of this session in their order, then the other ones of the members. */
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

/* Prints the results of these ranks. Adds ranks that did not answer to `late`. */
static ez_err *sums_group(struct ez_sess *s, struct out_table *t, const struct ez_ranks *ranks,
                          const char *group, struct ez_ranks *late)
{
    struct ez_reply r;
    if (!ranks->span.n)
        return NULL;
    EZ_TRY(sums_window(s, ranks, &r));
    sums_rows(t, &r, group);
    ez_ranks_unite(late, &r.late);
    ez_reply_free(&r);
    return NULL;
}

/* Prints the results of each host, or of each rank. */
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
        sums_ranks(s, &all);
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
    sums_ranks(s, &ranks);
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
