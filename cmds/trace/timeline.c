/* SPDX-License-Identifier: GPL-3.0-or-later */
/* timeline.c - `timeline FILE.fxt...`: draws the states of threads over time in the terminal, or
 * with -of the subjects of the states.
 * Tests: tests/unit/shell/check_read.c, tests/procs/json.sh */
#include <string.h>

#include "cmds/cmd.h"
#include "cmds/probe/repaired.h"
#include "cmds/progress.h"
#include "cmds/trace/traces.h"
#include "engine/trace/replay.h"
#include "engine/trace/timeline.h"
#include "shell/out.h"
#include "shell/sess.h"

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

enum { LETTERS = sizeof letters - 1, NAME_COLUMNS = 24, JSON_SLICES = 1000 };

struct drawing {
    struct ez_sess *s;
    const struct ez_model *m;
    const struct ez_timeline *t;
    const char *of;          /* kind of subjects to draw; NULL = draw functions */
    uint32_t named[LETTERS]; /* index of the name, or of the subject, that each letter stands for */
    size_t n;
};

/* Gives letters to the states with the most time. */
static void timeline_give_letters(struct drawing *d)
{
    const struct ez_timeline *t = d->t;
    for (uint32_t i = 0; i < t->names; i++) {
        size_t k = d->n;
        if (!t->name_ns[i])
            continue;
        if (k == LETTERS && t->name_ns[d->named[k - 1]] >= t->name_ns[i])
            continue;
        k -= k == LETTERS;
        for (; k && t->name_ns[d->named[k - 1]] < t->name_ns[i]; k--)
            d->named[k] = d->named[k - 1];
        d->named[k] = i;
        d->n = EZ_MIN(d->n + 1, (size_t)LETTERS);
    }
}

static char timeline_letter_of(const struct drawing *d, uint32_t name)
{
    if (name == EZ_NONE_IDX)
        return '.';
    if (name == EZ_PART_IDX)
        return ':';
    for (size_t i = 0; i < d->n; i++)
        if (d->named[i] == name)
            return letters[i];
    return '+';
}

/* Prints a JSON row for each period in which a thread was in a state. */
static void timeline_rows(struct drawing *d)
{
    const struct ez_timeline *t = d->t;
    struct ez_sess *s = d->s;
    struct out_table rows;
    uint64_t span = t->to_ns - t->from_ns;
    out_table_json(&rows, s, "timeline", "thread from_ns# to_ns# state group partly?");
    out_fact(&rows, "from_ns#", out_cell_count(s, t->from_ns));
    out_fact(&rows, "to_ns#", out_cell_count(s, t->to_ns));
    out_fact(&rows, "slices#", sess_format(s, "%u", t->slices));
    out_fact(&rows, "of", d->of ? d->of : "");
    for (size_t i = 0; i < t->n; i++) {
        const uint32_t *slice = t->row[i].slice;
        const char *thread = d->m->container.at[t->row[i].container].name;
        for (unsigned k = 0, end; k < t->slices; k = end) {
            for (end = k + 1; end < t->slices && slice[end] == slice[k];)
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
                    n ? n->group : "", slice[k] == EZ_PART_IDX ? "yes" : "no", NULL);
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
            line[k] = timeline_letter_of(d, t->row[i].slice[k]);
        out_line(d->s, "%-*.*s %s", NAME_COLUMNS, NAME_COLUMNS,
                 d->m->container.at[t->row[i].container].name, line);
    }
}

static void timeline_draw_legend(const struct drawing *d)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < d->t->names; i++)
        sum += d->t->name_ns[i];
    for (size_t i = 0; i < d->n; i++) {
        uint64_t ns = d->t->name_ns[d->named[i]];
        if (d->of) {
            out_line(d->s, "  %c %5.1f %%  %s %s", letters[i], 100 * (double)ns / (double)sum,
                     d->of, d->m->subject.at[d->named[i]].text);
            continue;
        }
        const struct ez_name *n = &d->m->name.at[d->named[i]];
        out_line(d->s, "  %c %5.1f %%  %s%s%s%s", letters[i], 100 * (double)ns / (double)sum,
                 n->text, *n->group ? " (" : "", n->group, *n->group ? ")" : "");
    }
}

static void timeline_picture(struct drawing *d)
{
    const struct ez_timeline *t = d->t;
    struct ez_sess *s = d->s;
    uint64_t from = t->from_ns, to = t->to_ns;
    timeline_give_letters(d);
    out_line(s, "%*s %-*s %s", NAME_COLUMNS, "", (int)t->slices - 1 - (int)strlen(out_time(s, to)),
             out_time(s, from), out_time(s, to));
    timeline_draw_rows(d);
    out_line(s, "Each column is %s; '.' is outside all %s%s, ':' mostly.",
             out_time(s, (to - from) / t->slices),
             d->of ? "calls that are about a " : "probed functions", d->of ? d->of : "");
    timeline_draw_legend(d);
}

static ez_err *timeline_draw(struct ez_sess *s, struct ez_replay *r, const struct traces *p,
                             const struct ez_progress *progress)
{
    uint64_t span = ez_replay_sum(r)->span_ns, to = EZ_MIN(p->to, EZ_MAX(span, span + 1));
    unsigned columns = out_columns(s);
    unsigned slices = out_json_requested(s)         ? JSON_SLICES
                      : columns > NAME_COLUMNS + 11 ? columns - NAME_COLUMNS - 1
                                                    : 10;
    if (p->from >= to)
        return ez_err_new(EZ_E_ARG, 0, "The trace has nothing after %s: it ends at %s",
                          out_time(s, p->from), out_time(s, span));
    struct ez_timeline *t = ez_timeline_create(ez_replay_model(r), p->from, to, slices);
    struct drawing d = { .s = s, .m = ez_replay_model(r), .t = t, .of = opt_text(s, "-of") };
    if (d.of) {
        ez_timeline_subjects(t, d.of);
        ez_replay_about(r, d.of);
    }
    ez_err *e = ez_replay_run(r, ez_timeline_item, t, progress);
    progress_end(progress->arg);
    if (!e)
        ez_timeline_finish(t);
    if (!e && d.of && !t->n)
        e = ez_err_hint(
            ez_err_new(EZ_E_NOTFOUND, 0, "No call in the trace has data about \"%s\"", d.of),
            "\"stats\" names the collected values, \"stats -of KIND\" the other subjects");
    if (!e)
        (out_json_requested(s) ? timeline_rows : timeline_picture)(&d);
    ez_timeline_free(t);
    return e;
}

static ez_err *cmd_timeline(struct ez_sess *s, int argc, char **argv)
{
    EZ_CLEANUP(traces_free) struct traces p = { .from = 0 };
    struct ez_replay *r = NULL;
    struct progress bar;
    EZ_TRY(traces_read(s, &p, argc - 1, argv + 1));
    struct ez_progress progress = progress_start(&bar, s);
    ez_err *e = ez_replay_open(p.file.at, p.file.n, &progress, &r);
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
    .help = "Each thread has one line. A column shows the letter of the innermost function\n"
            "in which the thread was for most of that time. Without a file, timeline uses\n"
            "the trace that is being written, or the last one.",
    .examples = "timeline app-4242.fxt\n"
                "timeline app-4242.fxt -from 1.2s -to 1.3s\n"
                "timeline -of $arg0 app-4242.fxt",
    .see_also = "report, stats, convert",
    OPERANDS(TRACE, 0, -1),
    OPTIONS({ .name = "-of",
              .kind = OPT_TEXT,
              .value = "KIND",
              .meaning = "show locks, files, regions, ..., or the values of the item KIND that\n"
                         "probes collected at the entry, instead of functions" },
            FOR_PROGRAMS, WINDOW),
    .flags = HERE,
    .fn = cmd_timeline,
    .complete = comp_fxt,
};
