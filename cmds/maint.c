/* SPDX-License-Identifier: GPL-3.0-or-later */
/* maint.c - `maint`: deliberate faults, for eztsh's developers. Not listed and not completed.
 * Tests: tests/procs/bisect.sh */
#include <stdio.h>
#include <string.h>

#include "cmds/cmd.h"
#include "cmds/parse.h"
#include "engine/base/now.h"
#include "engine/probe/why.h"
#include "shell/parse_word.h"
#include "shell/out.h"
#include "shell/sess.h"

struct maint_find {
    int number;
    bool found;
    char *function; /* name of the function; "" until the function is found */
    size_t size;
};

static void maint_if(const struct ez_probe_info *p, void *arg)
{
    struct maint_find *f = arg;
    if (p->number != f->number)
        return;
    f->found = true;
    snprintf(f->function, f->size, "%s", p->function);
}

static void maint_show_corrupt(struct ez_sess *s, const char *function)
{
    struct out_table t;
    out_table_json(&t, s, "corrupt-relocation", "");
    out_fact(&t, "function", function);
    if (!out_json_requested(s))
        out_line(s, "Function whose relocated code lacks its instructions: %s",
                 *function ? function : "none");
    out_table_json_end(&t, NULL);
}

static ez_err *cmd_maint_corrupt(struct ez_sess *s, int argc, char **argv)
{
    struct ez_settings *set = ez_settings(s->target);
    struct maint_find f = { .function = set->corrupt, .size = sizeof set->corrupt };
    if (argc < 2) {
        maint_show_corrupt(s, set->corrupt);
        return NULL;
    }
    *set->corrupt = '\0';
    if (!strcmp(argv[1], "none")) {
        out_line(s, "Later trampolines have correct relocated code again.");
        return NULL;
    }
    if (strcspn(argv[1], "$0123456789")) {
        snprintf(set->corrupt, sizeof set->corrupt, "%s", argv[1]);
        return NULL;
    }
    EZ_TRY(parse_probe(s, argv[1], &f.number));
    ez_probes(s->target, maint_if, &f);
    if (!f.found)
        return ez_err_new(EZ_E_NOTFOUND, 0, "No probe number %d", f.number);
    if (!*set->corrupt)
        return ez_err_new(EZ_E_STATE, 0, "The function of probe %d is not known yet", f.number);
    EZ_TRY(ez_maint_spoil(s->target, f.number));
    out_line(s, "Relocated code of %s lacks its instructions from now on.", set->corrupt);
    return NULL;
}

const struct ez_cmd command_maint_corrupt_relocation = {
    .parent = "maint",
    .name = "corrupt-relocation",
    .usage = "[PROBE|FUNCTION|none]",
    .brief = "Make a probe skip the instructions that it moved.",
    .help = "The command makes an error on purpose: the trampolines of the probe's function\n"
            "continue behind the moved instructions without executing them. Trampolines in\n"
            "later processes have the error, too. With FUNCTION, only later trampolines have\n"
            "the error. \"none\" makes later trampolines correct again. Without an operand,\n"
            "show the function.",
    .examples = "maint corrupt-relocation 1\n"
                "check step",
    .see_also = "maint, bisect, check",
    OPERANDS(PROBE, 0, 1),
    OPTIONS(FOR_PROGRAMS),
    .flags = MUTATES,
    .fn = cmd_maint_corrupt,
    .complete = comp_probe,
};

/* Returns the names: "jump, padding, island, pun and trap". */
static const char *maint_strategies(struct ez_sess *s)
{
    const char *names = ez_strategy(EZ_JUMP)->name;
    for (unsigned i = EZ_JUMP + 1; i < EZ_NSTRATEGY; i++)
        names = sess_format(s, "%s%s%s", names, i + 1 < EZ_NSTRATEGY ? ", " : " and ",
                            ez_strategy(i)->name);
    return names;
}

static ez_err *cmd_maint_refuse(struct ez_sess *s, int argc, char **argv)
{
    struct ez_settings *set = ez_settings(s->target);
    set->refused = 0;
    for (unsigned i = EZ_JUMP; i < EZ_NSTRATEGY; i++)
        if (!strcmp(ez_strategy(i)->name, argv[1]))
            set->refused = EZ_BY(i);
    if (set->refused || !strcmp(argv[1], "none"))
        return NULL;
    return ez_err_hint(ez_err_new(EZ_E_ARG, 0, "No strategy \"%s\"", argv[1]),
                       "The strategies are %s; \"none\" refuses none", maint_strategies(s));
}

const struct ez_cmd command_maint_refuse = {
    .parent = "maint",
    .name = "refuse",
    .usage = EZ_STRATEGY_NAMES "|none",
    .brief = "Plant no new probe with this strategy.",
    .help = "eztsh tries the next strategy, as if this strategy were impossible. \"none\"\n"
            "allows all strategies again.",
    .examples = "maint refuse jump",
    .see_also = "maint, set strategy, why",
    OPERANDS(PROBE, 1, 1),
    .flags = NO_REPEAT,
    .fn = cmd_maint_refuse,
};

static ez_err *cmd_maint_fail(struct ez_sess *s, int argc, char **argv)
{
    uint64_t nth;
    EZ_TRY(parse_count(argv[1], "a number of calls", &nth));
    return ez_maint_fail_ptrace(nth);
}

const struct ez_cmd command_maint_fail_ptrace = {
    .parent = "maint",
    .name = "fail-ptrace",
    .usage = "N",
    .brief = "Make the Nth call of ptrace from now fail.",
    .help = "The call fails with EIO. N 0 cancels the failure. The command needs an eztsh\n"
            "that was configured with --enable-fault-injection. EZ_FAULT in the environment\n"
            "does more: doc/HOWTO_FAULT_TEST.md.",
    .examples = "maint fail-ptrace 3",
    .see_also = "maint, info ptrace",
    OPERANDS(SUPPORT, 1, 1),
    .flags = NO_REPEAT,
    .fn = cmd_maint_fail,
};

static ez_err *cmd_maint_read_ahead(struct ez_sess *s, int argc, char **argv)
{
    return ez_read_ahead(s->target);
}

const struct ez_cmd command_maint_read_ahead = {
    .parent = "maint",
    .name = "read-ahead",
    .usage = "",
    .brief = "Read the files that the first probe of a process needs.",
    .help = "The files are the program and the libraries in which eztsh plants hooks of its\n"
            "own: the C library, the loader and the unwinder. The first probe is then\n"
            "planted sooner. The drivers of a job run this command while the user types.",
    .examples = "maint read-ahead",
    .see_also = "maint, job run",
    OPERANDS(SUPPORT, 0, 0),
    .flags = NO_REPEAT,
    .fn = cmd_maint_read_ahead,
};

static ez_err *cmd_maint_forget_probes(struct ez_sess *s, int argc, char **argv)
{
    return ez_probes_begin_anew(s->target);
}

const struct ez_cmd command_maint_forget_probes = {
    .parent = "maint",
    .name = "forget-probes",
    .usage = "",
    .brief = "Delete all probes, and number later ones from 1.",
    .help = "The driver of a process of a job runs this command when it takes over a process\n"
            "whose probes are sent again.",
    .examples = "maint forget-probes",
    .see_also = "maint, job reattach",
    OPERANDS(SUPPORT, 0, 0),
    .flags = NO_REPEAT,
    .fn = cmd_maint_forget_probes,
};

static ez_err *cmd_maint_probe_count(struct ez_sess *s, int argc, char **argv)
{
    struct out_table t;
    unsigned n, kept;
    ez_probes_keepable(s->target, &n, &kept);
    out_table_json(&t, s, "probe-count", "");
    out_fact(&t, "probes#", sess_format(s, "%u", n));
    out_fact(&t, "kept#", sess_format(s, "%u", kept));
    if (!t.json)
        out_line(s,
                 "%u probes and rules. If this shell is killed, the next shell finds %u of them.",
                 n, kept);
    out_table_json_end(&t, NULL);
    return NULL;
}

const struct ez_cmd command_maint_probe_count = {
    .parent = "maint",
    .name = "probe-count",
    .usage = "",
    .brief = "Print how many probes the next shell can adopt.",
    .help = "If a shell is killed, the next shell, if root runs it, adopts those probes of\n"
            "the killed shell that work without a shell.",
    .examples = "maint probe-count",
    .see_also = "maint, job reattach",
    OPERANDS(SUPPORT, 0, 0),
    OPTIONS(FOR_PROGRAMS),
    .flags = NO_REPEAT,
    .fn = cmd_maint_probe_count,
};

static ez_err *cmd_maint_stop_frames(struct ez_sess *s, int argc, char **argv)
{
    bool off = !strcmp(argv[1], "off");
    if (!off && strcmp(argv[1], "on") != 0)
        return ez_err_new(EZ_E_ARG, 0, "\"on\" or \"off\" expected");
    s->program.no_stop_frames = off;
    return NULL;
}

const struct ez_cmd command_maint_stop_frames = {
    .parent = "maint",
    .name = "stop-frames",
    .usage = "on|off",
    .brief = "Choose whether a stop prints the frame.",
    .help = "The drivers of a job use \"off\" while a process runs to its first instruction,\n"
            "because printing the frame reads debug information.",
    .examples = "maint stop-frames off",
    .see_also = "maint, job run",
    OPERANDS(SUPPORT, 1, 1),
    .flags = NO_REPEAT,
    .fn = cmd_maint_stop_frames,
};

static ez_err *cmd_maint_wall(struct ez_sess *s, int argc, char **argv)
{
    char *end;
    long long ns = strtoll(argv[1], &end, 10);
    if (*end || end == argv[1])
        return ez_err_new(EZ_E_ARG, 0, "\"%s\" is not a number of nanoseconds", argv[1]);
    ez_wall_correct(ns);
    return NULL;
}

const struct ez_cmd command_maint = {
    .name = "maint",
    .alias = "maintenance",
    .usage = "corrupt-relocation|fail-ptrace|refuse ...",
    .brief = "Make errors on purpose, to test eztsh itself.",
    .help = "These commands are for the developers of eztsh. They are neither listed nor\n"
            "completed. They can damage the target.",
    .examples = "maint corrupt-relocation 1\n"
                "maint refuse jump\n"
                "maint fail-ptrace 3",
    .see_also = "maint corrupt-relocation, maint refuse, maint fail-ptrace",
    OPERANDS(SUPPORT, 0, -1),
    .flags = HIDDEN | TEXT_ONLY,
    .fn = cmd_list_sub,
};

const struct ez_cmd command_maint_wall_offset = {
    .parent = "maint",
    .name = "wall-offset",
    .usage = "NS",
    .brief = "Correct the wall clock in traces by NS nanoseconds.",
    .help = "In a job over several hosts, eztsh uses this command to align the clocks of the\n"
            "hosts.",
    .examples = "maint wall-offset -1250",
    .see_also = "maint, job",
    OPERANDS(TRACE, 1, 1),
    .flags = NO_REPEAT,
    .fn = cmd_maint_wall,
};
