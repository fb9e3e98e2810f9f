/* SPDX-License-Identifier: GPL-3.0-or-later */
/* traces.c - finds and opens the traces that a command reads (traces.h).
 * Tests: tests/unit/shell/check_read.c */
#include "cmds/trace/traces.h"

#include <string.h>
#include <unistd.h>

#include "cmds/job/jobs.h"
#include "shell/opt.h"
#include "shell/out.h"
#include "shell/sess.h"

static const struct ez_opt traces_options[] = { FILTERS, { .name = NULL } };

const struct ez_opt_group traces_filters = {
    .name = "filters",
    .brief = "choose a part of the trace",
    .help = "All commands that show or convert traces have these options. A call is shown if\n"
            "it meets all given options. Depths and self times are computed from the shown\n"
            "calls only: the time of a call that is not shown counts as self time of its\n"
            "nearest shown caller.\n"
            "\n"
            "REGEX matches any part of the function's name; ^send$ matches only send. A call\n"
            "that is not complete between -from and -to is shortened to the part between\n"
            "them. If only a part of a call is in the trace, its duration is that of the\n"
            "part. A call without a value that EXPR needs is not shown. -min, -max, -callee,\n"
            "and -where with values or durations, can be decided only when a call has ended:\n"
            "with these options the trace is read twice.",
    .examples = "stats app-4242.fxt -function ^MPI_ -min 1ms\n"
                "timeline app-4242.fxt -thread worker -from 1.2s -to 1.3s\n"
                "stats app-4242.fxt -where 'n > 100 && duration > 1e6'",
    .list = traces_options,
};

static ez_err *traces_parse_part(struct ez_sess *s, struct ez_trace_part *p)
{
    p->from_ns = opt_number(s, "-from", 0);
    p->to_ns = opt_number(s, "-to", UINT64_MAX);
    p->index = s->ui.trace_index ? EZ_INDEX_MAKE : EZ_INDEX_NONE;
    p->filter = (struct ez_filter_spec){
        .threads = opt_text(s, "-thread"),
        .processes = opt_text(s, "-process"),
        .ranks = opt_text(s, "-rank"),
        .function = opt_text(s, "-function"),
        .not_function = opt_text(s, "-not"),
        .library = opt_text(s, "-library"),
        .caller = opt_text(s, "-caller"),
        .callee = opt_text(s, "-callee"),
        .where = opt_text(s, "-where"),
        .depth = opt_number(s, "-depth", 0),
        .min_ns = opt_number(s, "-min", 0),
        .max_ns = opt_number(s, "-max", 0),
        .no_pauses = opt_given(s, "-no-pauses") || !s->ui.pauses,
    };
    if (opt_given(s, "-to") && p->from_ns >= p->to_ns)
        return ez_err_new(EZ_E_ARG, 0, "The period is empty: %s is not before %s",
                          out_time(s, p->from_ns), out_time(s, p->to_ns));
    if (opt_given(s, "-depth") && !p->filter.depth)
        return ez_err_new(EZ_E_ARG, 0, "-depth needs a number greater than 0");
    if (opt_given(s, "-max") && !p->filter.max_ns)
        return ez_err_new(EZ_E_ARG, 0, "-max needs a duration greater than 0");
    return NULL;
}

ez_err *traces_parse(struct ez_sess *s, struct traces *t, int n, char **words)
{
    EZ_TRY(traces_parse_part(s, &t->part));
    for (int i = 0; i < n; i++)
        EZ_TRY(parse_files(s, words[i], &t->file));
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

bool traces_is_file(const char *word)
{
    return strpbrk(word, "*?[/") || !access(word, F_OK);
}

bool traces_part(const struct ez_sess *s)
{
    for (const struct ez_opt *o = traces_options; o->name; o++)
        if (opt_given(s, o->name))
            return true;
    return false;
}

const char *traces_read_what(const struct ez_sess *s)
{
    return traces_part(s) ? "the chosen part of the trace" : "the trace";
}

ez_err *traces_open(const struct traces *t, const struct ez_progress *progress,
                    struct ez_replay **out)
{
    return ez_replay_open_part(t->file.at, t->file.n, &t->part, progress, out);
}

static ez_err *traces_parse_growing(struct ez_sess *s, struct ez_trace_part *part)
{
    EZ_TRY(traces_parse_part(s, part));
    if (opt_given(s, "-from") || opt_given(s, "-to"))
        return ez_err_hint(
            ez_err_new(
                EZ_E_ARG, 0,
                "-from and -to need a complete trace, but this command follows a growing one"),
            "Use them with a FILE, or without the option to follow");
    return NULL;
}

ez_err *traces_may_follow(struct ez_sess *s)
{
    struct ez_trace_part part;
    EZ_TRY(traces_parse_growing(s, &part));
    return ez_live_may_choose(&part.filter);
}

ez_err *traces_follow(struct ez_sess *s, struct ez_live *l)
{
    struct ez_trace_part part;
    EZ_TRY(traces_parse_growing(s, &part));
    return ez_live_choose(l, &part.filter);
}

void traces_free(struct traces *t)
{
    parse_list_free(&t->file);
}
