/* SPDX-License-Identifier: GPL-3.0-or-later */
/* probe_filter.c - `condition`, `ignore`, `passcount`, as in gdb.
 * Tests: tests/procs/filters.sh */

#include <stdlib.h>
#include <string.h>

#include "cmds/run/breaks.h"
#include "cmds/cmd.h"
#include "engine/base/strutil.h"
#include "shell/opt.h"
#include "cmds/parse.h"
#include "cmds/probe/tracepoint.h"
#include "shell/lex.h"
#include "shell/parse_word.h"
#include "shell/out.h"
#include "shell/sess.h"

/* The command condition N [[if] EXPR]; the expression is the rest of the line, verbatim. */
static ez_err *cmd_condition(struct ez_sess *s, int argc, char **argv)
{
    int n = 0;
    if (argc < 2)
        return ez_err_new(EZ_E_ARG, 0, "Argument required (a probe's or breakpoint's number)");
    size_t len = strcspn(argv[1], " \t");
    EZ_TRY(parse_probe(s, sess_format(s, "%.*s", (int)len, argv[1]), &n));
    const char *cond = lex_skip_blanks(argv[1] + len);
    if (!strncmp(cond, "if ", 3)) /* allows "if EXPR", as after "probe LOCATION" */
        cond = lex_skip_blanks(cond + 3);
    if (breaks_is(s, n))
        return breaks_condition(s, n, cond);
    EZ_TRY(ez_probe_condition(s->target, n, cond));
    if (!*cond)
        out_line(s, "Probe %d now unconditional.", n);
    return NULL;
}

static ez_err *cmd_ignore(struct ez_sess *s, int argc, char **argv)
{
    int n = 0;
    uint64_t count;
    EZ_TRY(parse_probe(s, argv[1], &n));
    EZ_TRY(parse_count(argv[2], "ignore", &count));
    if (breaks_is(s, n))
        return breaks_ignore(s, n, count);
    EZ_TRY(ez_probe_turns(s->target, n, &count, NULL));
    if (count)
        out_line(s, "Will ignore next %llu crossing%s of probe %d.", (unsigned long long)count,
                 ez_plural(count), n);
    else
        out_line(s, "Will ignore no crossing of probe %d.", n);
    return NULL;
}

/* Stores the number of the newest probe, for commands without a number. A callback of
 * ez_probes(). */
static void filter_note_newest(const struct ez_probe_info *p, void *arg)
{
    if (!p->spec->with)
        *(int *)arg = EZ_MAX(*(int *)arg, p->number);
}

static ez_err *cmd_passcount(struct ez_sess *s, int argc, char **argv)
{
    int n = 0;
    uint64_t count;
    EZ_TRY(parse_count(argv[1], "passcount", &count));
    if (argc > 2)
        EZ_TRY(parse_probe(s, argv[2], &n));
    else
        ez_probes(s->target, filter_note_newest, &n);
    if (!n)
        return ez_err_new(EZ_E_STATE, 0, "There is no probe whose hits \"passcount\" could limit");
    if (breaks_is(s, n))
        return ez_err_hint(
            ez_err_new(EZ_E_ARG, 0, "Breakpoint %d is not a probe", n),
            "\"enable count %llu %d\" disables the breakpoint after that number of stops",
            (unsigned long long)count, n);
    EZ_TRY(ez_probe_turns(s->target, n, NULL, &count));
    out_line(s, "Setting %s %d's passcount to %llu", tracepoint_is(s, n) ? "tracepoint" : "probe",
             n, (unsigned long long)count);
    return NULL;
}

const struct ez_cmd command_condition = {
    .name = "condition",
    .usage = "N [EXPR]",
    .brief = "Change or remove the condition of a probe or breakpoint.",
    .help = "From now on probe N records or counts only hits at which EXPR is nonzero, and\n"
            "breakpoint N stops only at such hits. Without EXPR, the condition is removed.\n"
            "The counts of the probe are not reset. EXPR is as in \"probe LOCATION if EXPR\"\n"
            "or \"break LOCATION if EXPR\".",
    .examples = "condition 1 $arg0 > 100",
    .see_also = "probe, ignore, passcount, info probes",
    OPERANDS(PROBE, 0, -1),
    .flags = MUTATES | RAW | TEXT_ONLY,
    .fn = cmd_condition,
    .complete = comp_probe,
};

const struct ez_cmd command_ignore = {
    .name = "ignore",
    .usage = "N COUNT",
    .brief = "Ignore the next COUNT hits of probe or breakpoint N.",
    .help = "The next COUNT hits at which the condition is true, of all threads together,\n"
            "are counted as filtered. After these hits the probe records. \"ignore N 0\" lets\n"
            "the probe record at once. In each new process, COUNT hits are ignored again.\n"
            "Breakpoint N does not stop the program at its next COUNT hits.",
    .examples = "ignore 1 1000",
    .see_also = "condition, passcount, info probes",
    OPERANDS(PROBE, 2, 2),
    .flags = MUTATES | TEXT_ONLY,
    .fn = cmd_ignore,
    .complete = comp_probe,
};

const struct ez_cmd command_passcount = {
    .name = "passcount",
    .usage = "COUNT [N]",
    .brief = "Disable probe N after COUNT hits.",
    .help = "At most COUNT hits are recorded, of all threads together. Soon afterwards eztsh\n"
            "disables the probe. Hits between the last recorded one and the disabling are\n"
            "counted as filtered. \"enable N\" lets the probe record COUNT more hits. COUNT 0\n"
            "removes the limit. Without N the command sets the passcount of the newest\n"
            "probe. For a breakpoint use \"enable count COUNT N\".",
    .examples = "passcount 5 1",
    .see_also = "ignore, condition, disable, info probes",
    OPERANDS(PROBE, 1, 2),
    .flags = MUTATES | TEXT_ONLY,
    .fn = cmd_passcount,
};
