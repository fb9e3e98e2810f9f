/* SPDX-License-Identifier: GPL-3.0-or-later */
/* maint.c - `maint`: faults made on purpose, for the engine's makers. Neither listed nor completed. */
#include <stdio.h>
#include <string.h>

#include "cmds/cmd.h"
#include "cmds/parse.h"
#include "engine/base/now.h"
#include "engine/probe/why.h"
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

ez_err *cmd_maint_corrupt(struct ez_sess *s, int argc, char **argv)
{
    struct ez_settings *set = ez_settings(s->target);
    struct maint_find f = { .function = set->corrupt, .size = sizeof set->corrupt };
    *set->corrupt = '\0';
    if (!strcmp(argv[1], "none")) {
        out_line(s, "Relocated code is right from now on, in stubs to come.");
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

ez_err *cmd_maint_refuse(struct ez_sess *s, int argc, char **argv)
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

ez_err *cmd_maint_fail(struct ez_sess *s, int argc, char **argv)
{
    uint64_t nth;
    EZ_TRY(parse_count(argv[1], "a number of calls", &nth));
    return ez_maint_fail_ptrace(nth);
}

ez_err *cmd_maint_read_ahead(struct ez_sess *s, int argc, char **argv)
{
    return ez_read_ahead(s->target);
}

ez_err *cmd_maint_forget_probes(struct ez_sess *s, int argc, char **argv)
{
    return ez_probes_begin_anew(s->target);
}

ez_err *cmd_maint_probe_count(struct ez_sess *s, int argc, char **argv)
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

ez_err *cmd_maint_stop_frames(struct ez_sess *s, int argc, char **argv)
{
    bool off = !strcmp(argv[1], "off");
    if (!off && strcmp(argv[1], "on") != 0)
        return ez_err_new(EZ_E_ARG, 0, "\"on\" or \"off\" expected.");
    s->no_stop_frames = off;
    return NULL;
}

ez_err *cmd_maint_wall(struct ez_sess *s, int argc, char **argv)
{
    char *end;
    long long ns = strtoll(argv[1], &end, 10);
    if (*end || end == argv[1])
        return ez_err_new(EZ_E_ARG, 0, "\"%s\" is no number of nanoseconds.", argv[1]);
    ez_wall_correct(ns);
    return NULL;
}
