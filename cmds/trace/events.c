/* SPDX-License-Identifier: GPL-3.0-or-later */
/* events.c - `events`: shows the newest events of the trace that is being written, or the last
 * events of trace files.
 * Tests: tests/unit/shell/check_read.c, tests/e2e/follow.ezt */
#include <inttypes.h>
#include <string.h>

#include "cmds/cmd.h"
#include "cmds/probe/repaired.h"
#include "cmds/progress.h"
#include "cmds/trace/traces.h"
#include "engine/base/strutil.h"
#include "shell/parse_word.h"
#include "shell/out.h"
#include "shell/sess.h"
#include "shell/width.h"

/* Escapes the backslashes of a name. Values have their escapes already, as gdb writes them. */
static const char *events_name(struct ez_sess *s, const char *name)
{
    return sess_keep(s, ez_str_escape(name));
}

/* Prints an event. If the line is longer than the terminal's, shortens the values, and then the
 * name. data may be NULL. */
static void events_line(struct ez_sess *s, const char *before, const char *name, const char *data,
                        const char *after)
{
    enum { DATA_LEAST = 12, NAME_LEAST = 12 };
    const size_t limit = out_limit(s), rest = width_of(before) + width_of(after) + (data ? 2 : 0);
    name = events_name(s, name);
    data = data ? sess_keep(s, ez_str_ours(data)) : "";
    size_t names = width_of(name), values = width_of(data);
    if (limit && rest + names + values > limit)
        values = EZ_MIN(values, EZ_MAX(limit - EZ_MIN(limit, rest + names), (size_t)DATA_LEAST));
    if (limit && rest + names + values > limit)
        names = EZ_MIN(names, EZ_MAX(limit - EZ_MIN(limit, rest + values), (size_t)NAME_LEAST));
    EZ_FREE char *short_name = width_shorten(name, names);
    EZ_FREE char *short_data = width_shorten(data, values);
    out_ours(s, "%s%s%s%s%s", before, short_name, *data ? "  " : "", short_data, after);
}

/* Begins the table, which is printed with -json only. Text output has no rows: lines are printed at
 * once. */
static void events_table(struct ez_sess *s, struct out_table *t)
{
    out_table_init(t, s, "", "", "", "", "", "", "", "", "", NULL);
    out_table_keys(t, "events", "ns# rank# thread tid# kind function data duration_ns# unwound?");
}

/* ---- live traces -------------------------------------------------------------------------- */

static const char *events_kind(const struct ez_live_event *e)
{
    return e->point ? "event" : e->exit ? "exit" : "entry";
}

static void events_row(struct out_table *t, const struct ez_live_event *e)
{
    struct ez_sess *s = t->sess;
    const char *tid = out_cell_count(s, e->tid);
    out_row(t, out_cell_count(s, e->ns), e->rank == EZ_NO_RANK ? "" : sess_format(s, "%u", e->rank),
            tid, tid, events_kind(e), e->function ? e->function : "", e->data ? e->data : "",
            e->timed ? out_cell_count(s, e->duration_ns) : "", e->unwound ? "yes" : "no", NULL);
}

static void events_print(const struct ez_live_event *e, void *arg)
{
    struct out_table *table = arg;
    struct ez_sess *s = table->sess;
    if (table->json) {
        events_row(table, e);
        return;
    }
    const char *took = e->timed ? out_time(s, e->duration_ns) : "";
    const char *rank = e->rank == EZ_NO_RANK ? "" : sess_format(s, "rank %u: ", e->rank);
    events_line(s,
                sess_format(s, "%14.6f ms  %s%-7llu %-5s ", (double)e->ns / 1e6, rank,
                            (unsigned long long)e->tid, events_kind(e)),
                e->function ? e->function : "?", e->data,
                sess_format(s, "%s%s%s", *took ? "  " : "", took, e->unwound ? "  unwound" : ""));
}

static void events_print_lost(struct ez_sess *s)
{
    struct ez_trace_info t = { 0 };
    ez_trace_info(s->target, &t);
    if (t.accounting.dropped)
        out_line(s, "%llu event%s dropped because a buffer was full.",
                 (unsigned long long)t.accounting.dropped,
                 t.accounting.dropped == 1 ? " was" : "s were");
}

/* Prints new events until Ctrl-C, or until the process has ended and all its events are printed. */
static void events_follow(struct ez_sess *s, struct out_table *t, uint64_t *cursor)
{
    size_t kept = s->kept.n;
    s->out.no_pager = true;
    sess_uninterrupt(s);
    for (bool last = false; !last && !s->end.interrupted;) {
        last = !ez_target_live(s->target);
        while (ez_live_events(s->target, 4096, cursor, events_print, t))
            sess_forget(s, kept);
        if (!last)
            sess_sleep(s, 100);
    }
    if (s->end.interrupted && !s->end.quit)
        out_line(s, "Quit");
}

/* ---- trace files --------------------------------------------------------------------------- */

struct happened {
    struct ez_item item;
    bool pause;
    char *data; /* collected values as text; heap; NULL = none */
};

struct last { /* a ring buffer of the last n events */
    const struct ez_model *m;
    uint64_t n, seen;
    EZ_VEC(struct happened) ring;
};

/* Returns true if a probe recorded the event. The reader adds the ends of calls that are open when
 * the trace, or the window, ends. */
static bool events_is_event(const struct ez_item *it)
{
    if (it->kind == EZ_I_POP)
        return it->end != EZ_END_UNKNOWN && !it->cut;
    return it->kind == EZ_I_PUSH || it->kind == EZ_I_EVENT;
}

static ez_err *events_remember(void *arg, const struct ez_item *it)
{
    struct last *l = arg;
    if (!events_is_event(it) || !l->n)
        return NULL;
    struct happened h = { *it, l->m->name.at[it->name].pause, ez_event_data_text(it->data) };
    if (l->ring.n < l->n) {
        EZ_PUSH(&l->ring, h);
    } else {
        free(l->ring.at[l->seen % l->n].data);
        l->ring.at[l->seen % l->n] = h;
    }
    l->seen++;
    return NULL;
}

static void events_print_item(struct out_table *t, const struct last *l, const struct happened *h)
{
    struct ez_sess *s = t->sess;
    const struct ez_item *it = &h->item;
    const struct ez_container *c = &l->m->container.at[it->container];
    bool pop = it->kind == EZ_I_POP;
    const char *what = it->kind == EZ_I_EVENT ? "event" : pop ? "exit" : "entry";
    /* name of the container; with one process, the thread's number alone, as in the output of a
     * live trace */
    const char *who = c->name;
    if (h->pause)
        what = pop ? "end" : "begin";
    if (!l->m->roster && c->level == EZ_L_THREAD)
        who = sess_format(s, "%" PRIu64, c->tid);
    if (t->json) {
        out_row(t, out_cell_count(s, it->ns), "", who, out_cell_count(s, c->tid), what,
                l->m->name.at[it->name].text, h->data ? h->data : "",
                pop ? out_cell_count(s, it->spent_ns) : "",
                pop && it->end == EZ_END_UNWOUND ? "yes" : "no", NULL);
        return;
    }
    events_line(
        s, sess_format(s, "%14.6f ms  %-7s %-5s ", (double)it->ns / 1e6, events_name(s, who), what),
        l->m->name.at[it->name].text, h->data,
        sess_format(s, "%s%s%s", pop ? "  " : "", pop ? out_time(s, it->spent_ns) : "",
                    pop && it->end == EZ_END_UNWOUND ? "  unwound" : ""));
}

static void events_print_last(struct ez_sess *s, const struct last *l)
{
    size_t kept = s->kept.n;
    uint64_t first = l->seen - l->ring.n;
    struct out_table t;
    events_table(s, &t);
    for (uint64_t i = first; i < l->seen && !s->out.quit_pager; i++) {
        events_print_item(&t, l, &l->ring.at[i % l->n]);
        sess_forget(s, kept);
    }
    if (t.json || !l->seen)
        out_table_end(&t, "No events.");
    else
        out_table_drop(&t);
}

static ez_err *events_of_files(struct ez_sess *s, const struct traces *t, uint64_t n)
{
    struct ez_replay *r = NULL;
    struct last l = { .n = n };
    struct progress bar;
    struct ez_progress progress = progress_start(&bar, s);
    ez_err *e = traces_open(t, &progress, &r);
    if (!e) {
        l.m = ez_replay_model(r);
        e = ez_replay_run(r, events_remember, &l, &progress);
    }
    progress_end(&bar);
    if (!e) {
        events_print_last(s, &l);
        if (!out_json_requested(s))
            print_repaired(s, ez_replay_sum(r));
    }
    for (size_t i = 0; i < l.ring.n; i++)
        free(l.ring.at[i].data);
    EZ_VEC_FREE(&l.ring);
    ez_replay_close(r);
    return e;
}

/* ---- the command ----------------------------------------------------------------------------- */

static bool events_is_number(const char *word)
{
    return !word[strspn(word, "0123456789")];
}

/* Removes the word that is a number from argv and stores it in *n. Without such a word, *n is
 * unchanged. */
static ez_err *events_number(int *argc, char **argv, uint64_t *n)
{
    int k = 1;
    for (int i = 1; i < *argc; i++) {
        if (!events_is_number(argv[i])) {
            argv[k++] = argv[i];
            continue;
        }
        if (k < i)
            return ez_err_new(EZ_E_ARG, 0, "\"%s\" is a second number: events takes one", argv[i]);
        EZ_TRY(parse_count(argv[i], "events", n));
    }
    *argc = k;
    return NULL;
}

static ez_err *events_parse(struct ez_sess *s, struct traces *t, int argc, char **argv, uint64_t *n)
{
    EZ_TRY(events_number(&argc, argv, n));
    EZ_TRY(traces_parse(s, t, argc - 1, argv + 1));
    bool files = t->file.n || traces_part(s);
    if (opt_given(s, "-f") && out_json_requested(s))
        return ez_err_new(EZ_E_ARG, 0,
                          "-f prints lines as they come, and -json one table: use one of them");
    if (files && opt_given(s, "-f"))
        return ez_err_new(
            EZ_E_ARG, 0,
            "-f takes no FILE and no filters: it shows the trace that is being written");
    if (s->job && opt_given(s, "-f"))
        return ez_err_hint(
            ez_err_new(EZ_E_ARG, 0, "-f follows one process, not a job"),
            "\"events N\" prints the newest events of the job, \"stats -live\" refreshes a table");
    return (files || s->job) && !t->file.n ? traces_read(s, t, 0, NULL) : NULL;
}

static ez_err *cmd_events(struct ez_sess *s, int argc, char **argv)
{
    EZ_CLEANUP(traces_free) struct traces t = { .file = { NULL, 0, 0 } };
    uint64_t n = 10, cursor = 0;
    EZ_TRY(events_parse(s, &t, argc, argv, &n));
    if (t.file.n)
        return events_of_files(s, &t, n);
    struct out_table table;
    events_table(s, &table);
    size_t shown = ez_live_events(s->target, n, &cursor, events_print, &table);
    if (opt_given(s, "-f"))
        events_follow(s, &table, &cursor);
    if (table.json || (!shown && !opt_given(s, "-f")))
        out_table_end(&table, "No events.");
    else
        out_table_drop(&table);
    if (!out_json_requested(s))
        events_print_lost(s);
    return NULL;
}

const struct ez_cmd command_events = {
    .name = "events",
    .usage = "[N] [FILE.fxt...]",
    .brief = "Print the newest events of the trace.",
    .help = "The command prints the last N events (10 by default). The columns are the time\n"
            "since the trace began, the thread, the kind (entry, exit or event), the function\n"
            "or the event, the collected values and the duration of the call.\n"
            "\n"
            "With FILE the events are the last N of that file, or of the time span -from,\n"
            "-to of the file. With FILE the first column is the time since the first event\n"
            "of the file.",
    .examples = "events 20\n"
                "events -f\n"
                "events 100 app-4242.fxt -to 1.2s",
    .see_also = "trace, stats, info trace",
    OPERANDS(TRACE, 0, -1),
    OPTIONS({ .name = "-f", .meaning = "follow the trace until Ctrl-C or the program's end" },
            FOR_PROGRAMS, FILTERS),
    .flags = HERE | FRONT,
    .fn = cmd_events,
    .complete = comp_fxt,
};
