/* SPDX-License-Identifier: GPL-3.0-or-later */
/* delete_enable.c - `delete`, `enable`, `disable`: probes and breakpoints, which share their
 * numbers.
 * Tests: tests/e2e/probes.ezt, tests/e2e/wrong_run.ezt */
#include <string.h>

#include "cmds/run/breaks.h"
#include "cmds/cmd.h"
#include "cmds/parse.h"
#include "shell/parse_word.h"
#include "shell/out.h"
#include "shell/sess.h"

/* Parses "3" and "5-9" into ranges. */
static ez_err *numbers_of(struct ez_sess *s, int argc, char **argv, struct ez_numbers *which)
{
    for (int i = 1; i < argc; i++) {
        int lo, hi;
        EZ_FREE char *a = ez_strdup(argv[i]);
        char *dash = strchr(a, '-');
        if (dash)
            *dash++ = '\0';
        if (dash && (!*a || !*dash))
            return ez_err_new(EZ_E_ARG, 0, "Bad probe number '%s'", argv[i]);
        EZ_TRY(parse_probe(s, a, &lo));
        hi = lo;
        if (dash)
            EZ_TRY(parse_probe(s, dash, &hi));
        if (hi < lo)
            return ez_err_new(EZ_E_ARG, 0, "Bad probe number '%s'", argv[i]);
        which[i - 1] = (struct ez_numbers){ lo, hi };
    }
    return NULL;
}

static ez_err *cmd_delete(struct ez_sess *s, int argc, char **argv)
{
    EZ_FREE struct ez_numbers *which = ez_alloc((size_t)argc * sizeof *which);
    EZ_TRY(numbers_of(s, argc, argv, which));
    if (argc == 1 && !ez_probe_count(s->target) && !breaks_any(s))
        return NULL;
    if (argc == 1 && !sess_query(s, breaks_any(s) ? "Delete all probes and breakpoints? "
                                                  : "Delete all probes? "))
        return NULL;
    if (argc == 1)
        breaks_all(s, BREAKS_DELETE, 0);
    size_t n = breaks_apply(s, which, (size_t)argc - 1, BREAKS_DELETE, 0);
    return argc == 1 || n ? ez_probe_delete(s->target, which, n) : NULL;
}

const struct ez_cmd command_delete = {
    .name = "delete",
    .alias = "unprobe",
    .usage = "[N...]",
    .brief = "Delete probes and breakpoints; without numbers, all.",
    .help = "eztsh restores the original bytes of a function that has no other probe. The\n"
            "number of a deleted probe is never used again. N may be a range: 2-4.",
    .examples = "delete 2\n"
                "delete 3-7",
    .see_also = "probe, disable, info probes",
    OPERANDS(PROBE, 0, -1),
    .min_abbrev = 1,
    .flags = MUTATES | TEXT_ONLY,
    .fn = cmd_delete,
    .complete = comp_probe,
};

/* Handles "2.1" and "2.1-3", which name locations of breakpoint 2. Returns false if the word has
 * another form. */
static bool numbers_of_place(struct ez_sess *s, const char *word, bool on, ez_err **e)
{
    const char *dot = strchr(word, '.');
    int number;
    uint64_t lo = 0, hi;
    if (!dot)
        return false;
    EZ_FREE char *first = ez_strdup(dot + 1);
    char *dash = strchr(first, '-');
    if (dash)
        *dash++ = '\0';
    *e = parse_probe(s, sess_format(s, "%.*s", (int)(dot - word), word), &number);
    if (!*e)
        *e = parse_count(first, "a breakpoint's location", &lo);
    hi = lo;
    if (!*e && dash)
        *e = parse_count(dash, "a breakpoint's location", &hi);
    for (uint64_t i = lo; !*e && i <= hi; i++)
        *e = breaks_place(s, number, i, on);
    return true;
}

/* Applies words of the form "2.1" or "2.1-3", and keeps the other words in argv. */
static ez_err *numbers_apply_places(struct ez_sess *s, int *argc, char **argv, bool on)
{
    int kept = 1;
    for (int i = 1; i < *argc; i++) {
        ez_err *e = NULL;
        if (!numbers_of_place(s, argv[i], on, &e))
            argv[kept++] = argv[i];
        EZ_TRY(e);
    }
    *argc = kept;
    return NULL;
}

static ez_err *numbers_enable(struct ez_sess *s, int argc, char **argv, bool on)
{
    EZ_FREE struct ez_numbers *which = ez_alloc((size_t)argc * sizeof *which);
    enum breaks_verb verb = on ? BREAKS_ENABLE : BREAKS_DISABLE;
    int given = argc;
    EZ_TRY(numbers_apply_places(s, &argc, argv, on));
    if (argc == 1 && given > 1)
        return NULL;
    EZ_TRY(numbers_of(s, argc, argv, which));
    if (argc == 1)
        breaks_all(s, verb, 0);
    size_t n = breaks_apply(s, which, (size_t)argc - 1, verb, 0);
    return argc == 1 || n ? ez_probe_enable(s->target, which, n, on) : NULL;
}

static ez_err *cmd_enable(struct ez_sess *s, int argc, char **argv)
{
    return numbers_enable(s, argc, argv, true);
}

const struct ez_cmd command_enable = {
    .name = "enable",
    .usage = "[N...] | once|delete|count ...",
    .brief = "Enable probes and breakpoints.",
    .help = "Without numbers, enable all probes and breakpoints. N.M is location M of\n"
            "breakpoint N.",
    .examples = "enable 1\n"
                "enable once 2",
    .see_also = "disable, info probes",
    OPERANDS(PROBE, 0, -1),
    .flags = MUTATES | OWN_WORDS | TEXT_ONLY,
    .fn = cmd_enable,
    .complete = comp_probe,
};

static ez_err *cmd_disable(struct ez_sess *s, int argc, char **argv)
{
    return numbers_enable(s, argc, argv, false);
}

const struct ez_cmd command_disable = {
    .name = "disable",
    .usage = "[N...]",
    .brief = "Disable probes and breakpoints.",
    .help = "Without numbers, disable all probes and breakpoints. eztsh restores the\n"
            "original bytes of a function that has no enabled probe. A disabled probe keeps\n"
            "its number and its counts. N.M is location M of breakpoint N.",
    .examples = "disable 1\n"
                "disable 2.1",
    .see_also = "enable, delete",
    OPERANDS(PROBE, 0, -1),
    .min_abbrev = 3,
    .flags = MUTATES | TEXT_ONLY,
    .fn = cmd_disable,
    .complete = comp_probe,
};

/* ---- enable once, delete, count -------------------------------------------------------------- */

static ez_err *numbers_enable_for(struct ez_sess *s, int argc, char **argv, enum breaks_verb verb,
                                  uint64_t stops)
{
    EZ_FREE struct ez_numbers *which = ez_alloc((size_t)argc * sizeof *which);
    EZ_TRY(numbers_of(s, argc, argv, which));
    if (argc == 1)
        breaks_all(s, verb, stops);
    if (!breaks_apply(s, which, (size_t)argc - 1, verb, stops))
        return NULL;
    return ez_err_hint(ez_err_new(EZ_E_NOTFOUND, 0, "No breakpoint number %d", which[0].lo),
                       "For a probe use \"passcount COUNT N\" and \"enable N\"");
}

static ez_err *cmd_enable_once(struct ez_sess *s, int argc, char **argv)
{
    return numbers_enable_for(s, argc, argv, BREAKS_COUNT, 1);
}

static const char help_enabled[] =
    "\"info breakpoints\" shows the state. To disable a probe after some hits, use\n"
    "\"passcount\".";
static const char examples_enabled[] = "enable once 2\n"
                                       "enable delete 2\n"
                                       "enable count 5 2";
static const char see_also_enabled[] = "enable, ignore, passcount, tbreak";

const struct ez_cmd command_enable_once = {
    .parent = "enable",
    .name = "once",
    .usage = "[N...]",
    .brief = "Enable breakpoints for one stop.",
    .help = help_enabled,
    .examples = examples_enabled,
    .see_also = see_also_enabled,
    OPERANDS(RUN, 0, -1),
    .fn = cmd_enable_once,
};

static ez_err *cmd_enable_delete(struct ez_sess *s, int argc, char **argv)
{
    return numbers_enable_for(s, argc, argv, BREAKS_DELETE_AFTER, 0);
}

const struct ez_cmd command_enable_delete = {
    .parent = "enable",
    .name = "delete",
    .usage = "[N...]",
    .brief = "Enable breakpoints, and delete each at its next stop.",
    .help = help_enabled,
    .examples = examples_enabled,
    .see_also = see_also_enabled,
    OPERANDS(RUN, 0, -1),
    .fn = cmd_enable_delete,
};

static ez_err *cmd_enable_count(struct ez_sess *s, int argc, char **argv)
{
    uint64_t n;
    EZ_TRY(parse_count(argv[1], "a number of stops", &n));
    if (!n)
        return ez_err_new(EZ_E_ARG, 0, "The count must be greater than 0");
    return numbers_enable_for(s, argc - 1, argv + 1, BREAKS_COUNT, n);
}

const struct ez_cmd command_enable_count = {
    .parent = "enable",
    .name = "count",
    .usage = "COUNT [N...]",
    .brief = "Enable breakpoints for COUNT stops.",
    .help = help_enabled,
    .examples = examples_enabled,
    .see_also = see_also_enabled,
    OPERANDS(RUN, 1, -1),
    .fn = cmd_enable_count,
};
