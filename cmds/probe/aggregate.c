/* SPDX-License-Identifier: GPL-3.0-or-later */
/* aggregate.c - `count`, `sum`, `min`, `max`, `avg`, `hist`, `topk`, and `info aggregates`.
 *
 *   WORD [EXPR at] FUNC [by KEY] [if EXPR]
 *
 * An aggregate is a probe that records no events: the target adds values up in tables of its
 * threads.
 * Tests: tests/procs/addup.sh */
#include <string.h>

#include "cmds/probe/aggregate.h"
#include "cmds/cmd.h"
#include "cmds/job/jobs.h"
#include "engine/base/json.h"
#include "shell/lex.h"
#include "shell/parse_word.h"
#include "shell/out.h"
#include "shell/sess.h"

struct aggregate_words {
    const char *value, *function, *key, *cond;
};

/* Splits "EXPR at FUNC by KEY if EXPR" into its parts; without "at" there is no value. Returns
 * false if a word such as "by" has nothing after it. */
static bool aggregate_split(struct ez_sess *s, const char *text, struct aggregate_words *w)
{
    static const char *const at[] = { "at", NULL }, *const parts[] = { "by", "if", NULL };
    const char *p = lex_find_word(text, at);
    *w = (struct aggregate_words){ "", "", "", "" };
    if (*p) {
        w->value = parse_text(s, text, p);
        text = lex_skip_blanks(p + 2);
    }
    p = lex_find_word(text, parts);
    w->function = parse_text(s, text, p);
    while (*p) {
        const char **to = *p == 'b' ? &w->key : &w->cond, *from = lex_skip_blanks(p + 2);
        p = lex_find_word(from, parts);
        *to = parse_text(s, from, p);
        if (!**to)
            return false;
    }
    return *w->function;
}

static bool aggregate_needs_exit(const struct aggregate_words *w, enum ez_adds adds)
{
    return ez_adds_ops[adds].ticks || strstr(w->value, "$ret") || strstr(w->value, "$fret") ||
           strstr(w->key, "$ret");
}

static ez_err *cmd_adds(struct ez_sess *s, int argc, char **argv)
{
    enum ez_adds adds = ez_adds_of(argv[0]);
    const struct ez_adds_op *op = &ez_adds_ops[adds];
    struct aggregate_words w;
    int first = 0, n = 0;
    if (!aggregate_split(s, argc > 1 ? argv[1] : "", &w) || (op->needs_value && !*w.value) ||
        (op->needs_key && !*w.key))
        return opt_misuse(s);
    if (!*w.value && op->without_value)
        adds = op->without_value;
    const struct ez_probe_spec spec = {
        .kind = aggregate_needs_exit(&w, adds) ? EZ_PROBE_BOTH : EZ_PROBE_ENTRY,
        .location = w.function,
        .cond = w.cond,
        .adds = adds,
        .value = w.value,
        .key = w.key,
    };
    EZ_TRY(ez_location_check(w.function));
    EZ_TRY(ez_probe_add(s->target, &spec, &first, &n));
    for (int i = 0; i < n; i++)
        out_line(s, "Aggregate %d at %s.", first + i, w.function);
    return NULL;
}

static ez_err *cmd_info_aggregates(struct ez_sess *s, int argc, char **argv)
{
    struct ez_json j = { .text = NULL };
    (void)argc, (void)argv;
    if (s->job)
        return jobs_info_aggregates(s, (unsigned)opt_number(s, "-by", 0));
    if (!out_json_requested(s)) {
        ez_aggregates(s->target, aggregates_print, s);
        return NULL;
    }
    ez_json_begin(&j, NULL, '{');
    ez_json_add_text(&j, "schema", "eztsh-aggregates-1");
    ez_json_begin(&j, "aggregates", '[');
    ez_aggregates(s->target, aggregates_json, &j);
    ez_json_next_line(&j, 0);
    ez_json_end(&j, ']');
    ez_json_end(&j, '}');
    out_json(s, &j);
    return NULL;
}

const struct ez_cmd command_info_aggregates = {
    .parent = "info",
    .name = "aggregates",
    .usage = "",
    .brief = "Show the results of count, sum, avg, min, max, hist, topk.",
    .help = "The command prints the keys with the most hits and their values. A histogram is\n"
            "printed with quantiles and a bar for each power of two. The results are also\n"
            "available after the program's end. In a job the results are those of all\n"
            "processes together.",
    .examples = "count write by $arg0\n"
                "info aggregates",
    .see_also = "count, hist, info probes",
    OPERANDS(PROBE, 0, 0),
    OPTIONS(FOR_PROGRAMS,
            { .name = "-by",
              .kind = OPT_ONE_OF,
              .words = (const struct ez_opt_word[]){ { "host", 1 }, { "rank", 2 }, { NULL, 0 } },
              .meaning = "in a job: print a row for each host, or for each rank" }),
    .flags = HERE,
    .fn = cmd_info_aggregates,
};

static const char help_aggregate[] =
    "An aggregate records no event. Each thread of the target adds its values up in\n"
    "a table in memory; \"info aggregates\" adds the tables up and prints the result,\n"
    "also after the program's end.\n"
    "\n"
    "KEY is an expression: an integer, a string (char *, or with \":str\"), $caller or\n"
    "$thread. EXPR is an expression as in \"help probe\". If EXPR or KEY contains $ret,\n"
    "and for a \"hist\" of durations, the aggregate is updated at the exit of FUNC.\n"
    "\n"
    "A process has room for 192 aggregates. The table of a thread has room for about\n"
    "1,000 keys, or for 16 keys of a histogram. Hits for which a table has no room\n"
    "are only counted. Aggregates and probes share one sequence of numbers. An open\n"
    "trace contains the results.";
static const char see_also_aggregate[] = "info aggregates, probe, delete";

const struct ez_cmd command_avg = {
    .name = "avg",
    .usage = "EXPR at FUNC [by KEY] [if EXPR]",
    .brief = "Compute the mean of a value in the target.",
    .help = help_aggregate,
    .examples = "avg n at insert by $caller",
    .see_also = see_also_aggregate,
    OPERANDS(PROBE, 1, 1),
    .flags = RAW | MUTATES | TEXT_ONLY,
    .fn = cmd_adds,
    .complete = comp_location,
};

const struct ez_cmd command_count = {
    .name = "count",
    .usage = "FUNC [by KEY] [if EXPR]",
    .brief = "Count calls by key in the target.",
    .help = help_aggregate,
    .examples = "count open by $arg0:str",
    .see_also = see_also_aggregate,
    OPERANDS(PROBE, 1, 1),
    .flags = RAW | MUTATES | TEXT_ONLY,
    .fn = cmd_adds,
    .complete = comp_location,
};

const struct ez_cmd command_hist = {
    .name = "hist",
    .usage = "[EXPR at] FUNC [by KEY] [if EXPR]",
    .brief = "Make a histogram of a value or of call durations.",
    .help = help_aggregate,
    .examples = "hist compute\n"
                "hist $ret at read by $arg0",
    .see_also = see_also_aggregate,
    OPERANDS(PROBE, 1, 1),
    .flags = RAW | MUTATES | TEXT_ONLY,
    .fn = cmd_adds,
    .complete = comp_location,
};

const struct ez_cmd command_max = {
    .name = "max",
    .usage = "EXPR at FUNC [by KEY] [if EXPR]",
    .brief = "Find the maximum of a value in the target.",
    .help = help_aggregate,
    .examples = "max n at insert if list->n > 10",
    .see_also = see_also_aggregate,
    OPERANDS(PROBE, 1, 1),
    .flags = RAW | MUTATES | TEXT_ONLY,
    .fn = cmd_adds,
    .complete = comp_location,
};

const struct ez_cmd command_min = {
    .name = "min",
    .usage = "EXPR at FUNC [by KEY] [if EXPR]",
    .brief = "Find the minimum of a value in the target.",
    .help = help_aggregate,
    .examples = "min $ret at read by $thread",
    .see_also = see_also_aggregate,
    OPERANDS(PROBE, 1, 1),
    .flags = RAW | MUTATES | TEXT_ONLY,
    .fn = cmd_adds,
    .complete = comp_location,
};

const struct ez_cmd command_sum = {
    .name = "sum",
    .usage = "EXPR at FUNC [by KEY] [if EXPR]",
    .brief = "Add a value up in the target.",
    .help = help_aggregate,
    .examples = "sum $ret at read by $arg0",
    .see_also = see_also_aggregate,
    OPERANDS(PROBE, 1, 1),
    .flags = RAW | MUTATES | TEXT_ONLY,
    .fn = cmd_adds,
    .complete = comp_location,
};

const struct ez_cmd command_topk = {
    .name = "topk",
    .usage = "FUNC by KEY [if EXPR]",
    .brief = "Show the keys with the most calls.",
    .help = help_aggregate,
    .examples = "topk open by $arg0:str",
    .see_also = see_also_aggregate,
    OPERANDS(PROBE, 1, 1),
    .flags = RAW | MUTATES | TEXT_ONLY,
    .fn = cmd_adds,
    .complete = comp_location,
};
