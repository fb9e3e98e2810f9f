/* SPDX-License-Identifier: GPL-3.0-or-later */
/* maint.c - `maint`: faults made on purpose, for the engine's makers. Neither listed nor completed. */
#include <stdio.h>
#include <string.h>

#include "cmds/cmd.h"
#include "cmds/parse.h"
#include "engine/base/now.h"
#include "engine/probe/why.h"
#include "shell/parse_word.h"
#include "shell/out.h"
#include "shell/sess.h"

#define STRATEGIES 5 /* of ez_strategy_name(), from 1 */

struct maint_find {
    int number;
    bool found;
    char *function; /* "" = not known yet */
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
    if (!out_json_asked(s))
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
        out_line(s, "Relocated code is right from now on, in stubs to come.");
        return NULL;
    }
    if (strcspn(argv[1], "$0123456789")) {
        snprintf(set->corrupt, sizeof set->corrupt, "%s", argv[1]);
        return NULL;
    }
    EZ_TRY(parse_probe(s, argv[1], &f.number));
    ez_probes(s->target, maint_if, &f);
    if (!f.found)
        return ez_err_new(EZ_E_NOTFOUND, 0, "No probe number %d.", f.number);
    if (!*set->corrupt)
        return ez_err_new(EZ_E_STATE, 0, "It is not known yet which function probe %d is on.",
                          f.number);
    EZ_TRY(ez_maint_spoil(s->target, f.number));
    out_line(s, "Relocated code of %s lacks its instructions from now on.", set->corrupt);
    return NULL;
}

const struct ez_cmd command_maint_corrupt_relocation = {
    .parent = "maint",
    .name = "corrupt-relocation",
    .usage = "[PROBE|FUNCTION|none]",
    .brief = "Have relocated code lack its instructions.",
    .help =
        "In the probe's function, in this process and those to come: control comes back behind "
        "the\n"
        "moved instructions without having run them. FUNCTION: in stubs to come, without a\n"
        "word. \"none\" ends that, for stubs to come. Without operand: in which function it is so.",
    .examples = "maint corrupt-relocation 1\n"
                "check step",
    .see_also = "maint, bisect, check",
    TAKES(PROBE, 0, 1),
    OPTIONS(FOR_PROGRAMS),
    .flags = MUTATES,
    .fn = cmd_maint_corrupt,
    .complete = comp_probe,
};

static ez_err *cmd_maint_refuse(struct ez_sess *s, int argc, char **argv)
{
    struct ez_settings *set = ez_settings(s->target);
    set->refused = 0;
    for (int i = 1; i <= STRATEGIES; i++)
        if (!strcmp(ez_strategy_name(i), argv[1]))
            set->refused = 1U << i;
    if (set->refused || !strcmp(argv[1], "none"))
        return NULL;
    return ez_err_hint(ez_err_new(EZ_E_ARG, 0, "No strategy \"%s\".", argv[1]),
                       "jump, padding, island, pun, trap; none");
}

const struct ez_cmd command_maint_refuse = {
    .parent = "maint",
    .name = "refuse",
    .usage = "jump|padding|island|pun|trap|none",
    .brief = "Plant no new probe by this strategy.",
    .help = "As if it could not stand anywhere: the next one in line is used. \"none\" ends that.",
    .examples = "maint refuse jump",
    .see_also = "maint, set strategy, why",
    TAKES(PROBE, 1, 1),
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
    .brief = "Have the Nth call of ptrace from now fail.",
    .help = "With EIO; 0 takes that back. Only in an eztsh that was configured with\n"
            "--enable-fault-injection. EZ_FAULT in the environment can do more: "
            "doc/HOWTO_FAULT_TEST.md.",
    .examples = "maint fail-ptrace 3",
    .see_also = "maint, info ptrace",
    TAKES(SUPPORT, 1, 1),
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
    .brief = "Read what the first probe of a process needs.",
    .help = "The text of the program and of the libraries that will carry hooks: so the first "
            "probe stands\n"
            "sooner. A job's drivers do that while you think about which it shall be.",
    .examples = "maint read-ahead",
    .see_also = "maint, job run",
    TAKES(SUPPORT, 0, 0),
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
    .brief = "Delete all probes, and number the next ones from 1.",
    .help = "A job's drivers do so when a process is taken over whose probes are told anew.",
    .examples = "maint forget-probes",
    .see_also = "maint, job reattach",
    TAKES(SUPPORT, 0, 0),
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
        out_line(s, "%u probes and rules, of which a shell finds %u again when this one is killed.",
                 n, kept);
    out_table_json_end(&t, NULL);
    return NULL;
}

const struct ez_cmd command_maint_probe_count = {
    .parent = "maint",
    .name = "probe-count",
    .usage = "",
    .brief = "How many probes a shell would find again.",
    .help =
        "Of a killed shell the next one takes over the probes that are at work and need no shell.",
    .examples = "maint probe-count",
    .see_also = "maint, job reattach",
    TAKES(SUPPORT, 0, 0),
    OPTIONS(FOR_PROGRAMS),
    .flags = NO_REPEAT,
    .fn = cmd_maint_probe_count,
};

static ez_err *cmd_maint_stop_frames(struct ez_sess *s, int argc, char **argv)
{
    bool off = !strcmp(argv[1], "off");
    if (!off && strcmp(argv[1], "on") != 0)
        return ez_err_new(EZ_E_ARG, 0, "\"on\" or \"off\" expected.");
    s->no_stop_frames = off;
    return NULL;
}

const struct ez_cmd command_maint_stop_frames = {
    .parent = "maint",
    .name = "stop-frames",
    .usage = "on|off",
    .brief = "Tell where the target stands when it stops.",
    .help = "A job's drivers do not, while a process is brought to its first instruction: nobody "
            "reads that,\n"
            "and it takes the debug information of the libraries it stands in.",
    .examples = "maint stop-frames off",
    .see_also = "maint, job run",
    TAKES(SUPPORT, 1, 1),
    .flags = NO_REPEAT,
    .fn = cmd_maint_stop_frames,
};

static ez_err *cmd_maint_wall(struct ez_sess *s, int argc, char **argv)
{
    char *end;
    long long ns = strtoll(argv[1], &end, 10);
    if (*end || end == argv[1])
        return ez_err_new(EZ_E_ARG, 0, "\"%s\" is no number of nanoseconds.", argv[1]);
    ez_wall_correct(ns);
    return NULL;
}

const struct ez_cmd command_maint = {
    .name = "maint",
    .alias = "maintenance",
    .usage = "corrupt-relocation|fail-ptrace|refuse ...",
    .brief = "Make faults on purpose, to test eztsh itself.",
    .help = "For the engine's makers: neither listed nor completed. What it breaks is broken.",
    .examples = "maint corrupt-relocation 1\n"
                "maint refuse jump\n"
                "maint fail-ptrace 3",
    .see_also = "maint corrupt-relocation, maint refuse, maint fail-ptrace",
    TAKES(SUPPORT, 0, -1),
    .flags = HIDDEN | TEXT_ONLY,
    .fn = cmd_list_sub,
};

const struct ez_cmd command_maint_wall_offset = {
    .parent = "maint",
    .name = "wall-offset",
    .usage = "NS",
    .brief = "Correct the wall clock in traces by so much.",
    .help =
        "Daemons of a job over several hosts say so: by how much this host's clock is to be moved.",
    .examples = "maint wall-offset -1250",
    .see_also = "maint, job",
    TAKES(TRACE, 1, 1),
    .flags = NO_REPEAT,
    .fn = cmd_maint_wall,
};
