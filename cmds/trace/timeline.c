/* SPDX-License-Identifier: GPL-3.0-or-later */
/* timeline.c - `timeline FILE.fxt...`: draws the states of threads over time in the terminal, or
 * with -of the subjects of the states.
 * Tests: tests/unit/shell/check_read.c, tests/procs/json.sh */
#include <ctype.h>
#include <string.h>

#include "cmds/cmd.h"
#include "cmds/probe/repaired.h"
#include "cmds/progress.h"
#include "cmds/trace/traces.h"
#include "engine/base/json.h"
#include "engine/base/strutil.h"
#include "engine/trace/long_messages.h"
#include "engine/trace/replay.h"
#include "engine/trace/timeline.h"
#include "shell/out.h"
#include "shell/sess.h"
#include "shell/width.h"

/* letters of functions; lower case means that the thread paused */
static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

enum { LETTERS = sizeof letters - 1, NAME_COLUMNS = 24, JSON_SLICES = 1000 };

struct drawing {
    struct ez_sess *s;
    const struct ez_model *m;
    struct ez_timeline *t;
    struct ez_long_messages *messages; /* NULL = list none */
    const char *of;                    /* kind of subjects to draw; NULL = draw functions */
    uint32_t named[LETTERS]; /* index of the name, or of the subject, that each letter stands for */
    size_t n;
};

/* Gives letters to the states with the most time. */
static void timeline_give_letters(struct drawing *d)
{
    const struct ez_timeline *t = d->t;
    for (uint32_t i = 0; i < t->names; i++) {
        size_t k = d->n;
        if (!t->name[i].ns)
            continue;
        if (k == LETTERS && t->name[d->named[k - 1]].ns >= t->name[i].ns)
            continue;
        k -= k == LETTERS;
        for (; k && t->name[d->named[k - 1]].ns < t->name[i].ns; k--)
            d->named[k] = d->named[k - 1];
        d->named[k] = i;
        d->n = EZ_MIN(d->n + 1, (size_t)LETTERS);
    }
}

static char timeline_letter_of(const struct drawing *d, uint32_t name, bool paused)
{
    if (name == EZ_NONE_IDX)
        return '.';
    if (name == EZ_PART_IDX)
        return ':';
    for (size_t i = 0; i < d->n; i++)
        if (d->named[i] == name)
            return paused ? (char)tolower((unsigned char)letters[i]) : letters[i];
    return paused ? '-' : '+';
}

/* ---- messages ---------------------------------------------------------------------------- */

static void timeline_print_messages(const struct drawing *d)
{
    const struct ez_long_messages *l = d->messages;
    struct ez_sess *s = d->s;
    struct out_table t;
    if (!l->n) {
        out_line(s, "No messages.");
        return;
    }
    out_line(s, "%s", "");
    out_table_init(&t, s, "~From", "~To", ">Sent", ">Received", ">Time", ">Bytes", ">Tag", NULL);
    for (size_t i = 0; i < l->n; i++) {
        const struct ez_message *m = &l->at[i];
        size_t kept = s->kept.n;
        out_row(&t, d->m->container.at[m->from].name, d->m->container.at[m->to].name,
                out_time(s, m->sent_ns), out_time(s, m->received_ns),
                out_time(s, m->received_ns - m->sent_ns), out_count(s, m->bytes),
                sess_format(s, "%lld", (long long)m->tag), NULL);
        sess_forget(s, kept);
    }
    out_table_print(&t);
    if (l->all > l->n)
        out_line(s, "%llu more message%s took less time or the same.",
                 (unsigned long long)(l->all - l->n), ez_plural(l->all - l->n));
}

/* Returns the messages as a list of JSON. */
static const char *timeline_json_messages(const struct drawing *d)
{
    struct ez_json j = { .text = NULL };
    ez_json_begin(&j, NULL, '[');
    for (size_t i = 0; i < d->messages->n; i++) {
        const struct ez_message *m = &d->messages->at[i];
        ez_json_begin(&j, NULL, '{');
        ez_json_add_text(&j, "from", d->m->container.at[m->from].name);
        ez_json_add_text(&j, "to", d->m->container.at[m->to].name);
        ez_json_add_uint(&j, "sent_ns", m->sent_ns);
        ez_json_add_uint(&j, "received_ns", m->received_ns);
        ez_json_add_uint(&j, "bytes", m->bytes);
        ez_json_add_int(&j, "tag", (int64_t)m->tag);
        ez_json_end(&j, '}');
    }
    ez_json_end(&j, ']');
    const char *text = sess_format(d->s, "%s", j.text);
    ez_json_free(&j);
    return text;
}

static ez_err *timeline_item(void *drawing, const struct ez_item *it)
{
    struct drawing *d = drawing;
    if (d->messages)
        EZ_TRY(ez_long_messages_item(d->messages, it));
    return ez_timeline_item(d->t, it);
}

/* ---- the picture ------------------------------------------------------------------------- */

/* Prints a JSON row for each period in which a thread was in a state. */
static void timeline_rows(struct drawing *d)
{
    const struct ez_timeline *t = d->t;
    struct ez_sess *s = d->s;
    struct out_table rows;
    uint64_t span = t->to_ns - t->from_ns;
    out_table_json(&rows, s, "timeline", "thread from_ns# to_ns# state group partly? paused?");
    out_fact(&rows, "from_ns#", out_cell_count(s, t->from_ns));
    out_fact(&rows, "to_ns#", out_cell_count(s, t->to_ns));
    out_fact(&rows, "slices#", sess_format(s, "%u", t->slices));
    out_fact(&rows, "of", d->of ? d->of : "");
    if (d->messages)
        out_fact(&rows, "messages!", timeline_json_messages(d));
    for (size_t i = 0; i < t->n; i++) {
        const uint32_t *slice = t->row[i].slice;
        const char *thread = d->m->container.at[t->row[i].container].name;
        for (unsigned k = 0, end; k < t->slices; k = end) {
            const bool *paused = t->row[i].paused;
            for (end = k + 1;
                 end < t->slices && slice[end] == slice[k] && paused[end] == paused[k];)
                end++;
            bool none = slice[k] == EZ_NONE_IDX || slice[k] == EZ_PART_IDX;
            const struct ez_name *n = none || d->of ? NULL : &d->m->name.at[slice[k]];
            size_t kept = s->kept.n;
            out_row(&rows, thread,
                    out_cell_count(s, t->from_ns + (uint64_t)((double)span * k / t->slices)),
                    out_cell_count(s, t->from_ns + (uint64_t)((double)span * end / t->slices)),
                    n      ? n->text
                    : none ? ""
                           : d->m->subject.at[slice[k]].text,
                    n ? n->group : "", slice[k] == EZ_PART_IDX ? "yes" : "no",
                    paused[k] ? "yes" : "no", NULL);
            sess_forget(s, kept);
        }
    }
    out_table_json_end(&rows, NULL);
}

static void timeline_draw_rows(const struct drawing *d)
{
    const struct ez_timeline *t = d->t;
    EZ_FREE char *line = ez_alloc(t->slices + 1);
    for (size_t i = 0; i < t->n && !d->s->out.quit_pager; i++) {
        for (unsigned k = 0; k < t->slices; k++)
            line[k] = timeline_letter_of(d, t->row[i].slice[k], t->row[i].paused[k]);
        EZ_FREE char *whole = ez_str_escape(d->m->container.at[t->row[i].container].name);
        EZ_FREE char *name = width_shorten(whole, NAME_COLUMNS);
        out_line(d->s, "%s%*s %s", name, (int)(NAME_COLUMNS - width_of(name)), "", line);
    }
}

/* Prints a line of the legend. If it is longer than the terminal's, shortens the name, and then the
 * library or the kind of the subject. */
static void timeline_legend_line(const struct drawing *d, const char *before, const char *name,
                                 const char *group, const char *paused)
{
    enum { LEAST = 24 };
    const size_t limit = out_limit(d->s);
    const char *kind = d->of ? d->of : "";
    const char *between = d->of ? " " : "", *open = *group ? " (" : "", *close = *group ? ")" : "";
    EZ_FREE char *whole_name = ez_str_escape(name), *whole_group = ez_str_escape(group);
    size_t rest = width_of(before) + width_of(kind) + strlen(between) + strlen(open) +
                  strlen(close) + width_of(paused);
    size_t names = width_of(whole_name), groups = width_of(whole_group);
    if (limit && rest + names + groups > limit)
        names = EZ_MIN(names, EZ_MAX(limit - EZ_MIN(limit, rest + groups), (size_t)LEAST));
    if (limit && rest + names + groups > limit)
        groups = EZ_MIN(groups, limit - EZ_MIN(limit, rest + names));
    EZ_FREE char *short_name = width_shorten(whole_name, names);
    EZ_FREE char *short_group = width_shorten(whole_group, groups);
    out_line(d->s, "%s%s%s%s%s%s%s%s", before, kind, between, short_name, open, short_group, close,
             paused);
}

static void timeline_draw_legend(const struct drawing *d)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < d->t->names; i++)
        sum += d->t->name[i].ns;
    for (size_t i = 0; i < d->n; i++) {
        const struct ez_timeline_name *time = &d->t->name[d->named[i]];
        const char *paused = time->paused_ns
                                 ? sess_format(d->s, ", %.1f %% of this paused",
                                               100 * (double)time->paused_ns / (double)time->ns)
                                 : "";
        double share = 100 * (double)time->ns / (double)sum;
        const char *before = sess_format(d->s, "  %c %5.1f %%  ", letters[i], share);
        const struct ez_name *n = d->of ? NULL : &d->m->name.at[d->named[i]];
        const char *name = n ? n->text : d->m->subject.at[d->named[i]].text;
        timeline_legend_line(d, before, name, n ? n->group : "", paused);
    }
}

static bool timeline_has_pauses(const struct ez_timeline *t)
{
    for (size_t i = 0; i < t->n; i++)
        if (memchr(t->row[i].paused, true, t->slices))
            return true;
    return false;
}

static void timeline_picture(struct drawing *d)
{
    const struct ez_timeline *t = d->t;
    struct ez_sess *s = d->s;
    uint64_t from = t->from_ns, to = t->to_ns;
    if (!t->n) {
        out_line(s, "No calls.");
        return;
    }
    timeline_give_letters(d);
    out_line(s, "%*s %-*s %s", NAME_COLUMNS, "", (int)t->slices - 1 - (int)strlen(out_time(s, to)),
             out_time(s, from), out_time(s, to));
    timeline_draw_rows(d);
    out_line(s, "Each column is %s; '.' is outside all %s%s, ':' mostly.",
             out_time(s, (to - from) / t->slices),
             d->of ? "calls that are about a " : "probed functions", d->of ? d->of : "");
    if (timeline_has_pauses(t))
        out_line(s, "Lower case: the thread slept or was preempted there.");
    if (t->left_out)
        out_line(s, "%zu more thread%s %s not drawn.", t->left_out, ez_plural(t->left_out),
                 t->left_out == 1 ? "is" : "are");
    timeline_draw_legend(d);
    if (d->messages)
        timeline_print_messages(d);
}

static ez_err *timeline_draw(struct ez_sess *s, struct ez_replay *r, const struct traces *p,
                             const struct ez_progress *progress)
{
    uint64_t span = ez_replay_sum(r)->span_ns, to = EZ_MIN(p->part.to_ns, EZ_MAX(span, span + 1));
    unsigned columns = out_columns(s);
    unsigned slices = out_json_requested(s)         ? JSON_SLICES
                      : columns > NAME_COLUMNS + 11 ? columns - NAME_COLUMNS - 1
                                                    : 10;
    struct ez_timeline *t = ez_timeline_create(ez_replay_model(r), p->part.from_ns, to, slices);
    t->most_rows = opt_number(s, "-rows", SIZE_MAX);
    struct drawing d = { .s = s, .m = ez_replay_model(r), .t = t, .of = opt_text(s, "-of") };
    if (d.of) {
        ez_timeline_subjects(t, d.of);
        ez_replay_about(r, d.of);
    }
    if (opt_given(s, "-messages"))
        d.messages = ez_long_messages_create(d.m, opt_number(s, "-messages", 0));
    ez_err *e = ez_replay_run(r, timeline_item, &d, progress);
    progress_end(progress->arg);
    if (!e)
        ez_timeline_finish(t);
    if (!e && d.messages)
        ez_long_messages_sort(d.messages);
    if (!e && d.of && !t->n)
        e = ez_err_hint(
            ez_err_new(EZ_E_NOTFOUND, 0, "No call in %s has data about \"%s\"", traces_read_what(s),
                       d.of),
            "\"stats\" names the collected values, \"stats -of KIND\" the other subjects");
    if (!e)
        (out_json_requested(s) ? timeline_rows : timeline_picture)(&d);
    ez_long_messages_free(d.messages);
    ez_timeline_free(t);
    return e;
}

static ez_err *cmd_timeline(struct ez_sess *s, int argc, char **argv)
{
    EZ_CLEANUP(traces_free) struct traces p = { .file = { NULL, 0, 0 } };
    struct ez_replay *r = NULL;
    struct progress bar;
    if (opt_given(s, "-messages") && !opt_number(s, "-messages", 0))
        return ez_err_new(EZ_E_ARG, 0, "-messages needs a number of messages above 0");
    EZ_TRY(traces_read(s, &p, argc - 1, argv + 1));
    struct ez_progress progress = progress_start(&bar, s);
    ez_err *e = traces_open(&p, &progress, &r);
    if (!e)
        e = timeline_draw(s, r, &p, &progress);
    progress_end(&bar);
    if (!e && !out_json_requested(s))
        print_repaired(s, ez_replay_sum(r));
    ez_replay_close(r);
    return e;
}

const struct ez_cmd command_timeline = {
    .name = "timeline",
    .usage = "[FILE.fxt...]",
    .brief = "Draw what each thread did, in the terminal.",
    .help = "Each thread has one line. A column is a slice of time. A column shows the\n"
            "letter of the innermost function in which the thread spent the longest part of\n"
            "the slice. The letter is in lower case if the thread slept or was preempted for\n"
            "more than half of this part. A function without a letter is shown as +, or as -\n"
            "in place of lower case.\n"
            "\n"
            "Without a file, timeline uses the trace that is being written, or the newest\n"
            "trace of the session.",
    .examples = "timeline app-4242.fxt\n"
                "timeline app-4242.fxt -from 1.2s -to 1.3s\n"
                "timeline -of $arg0 app-4242.fxt\n"
                "timeline -messages 10 app-*.fxt -from 1.2s -to 1.3s",
    .see_also = "report, stats, convert",
    OPERANDS(TRACE, 0, -1),
    OPTIONS({ .name = "-of",
              .kind = OPT_TEXT,
              .value = "KIND",
              .meaning = "show locks, files, regions, ..., or the values of the item KIND that\n"
                         "probes collected at the entry, instead of functions" },
            { .name = "-rows",
              .kind = OPT_NUMBER,
              .value = "N",
              .meaning = "draw the first N threads only" },
            { .name = "-messages",
              .kind = OPT_NUMBER,
              .value = "N",
              .meaning = "list the N messages that took longest, from the start of the send to\n"
                         "the end of the receive (module mpi)" },
            FOR_PROGRAMS, FILTERS),
    .flags = HERE | FRONT,
    .fn = cmd_timeline,
    .complete = comp_fxt,
};
