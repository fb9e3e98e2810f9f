/* SPDX-License-Identifier: GPL-3.0-or-later */
/* numbers.c - `delete`, `enable`, `disable`: probes and breakpoints by their numbers, which they share. */
#include <string.h>

#include "cmds/breaks.h"
#include "cmds/cmd.h"
#include "cmds/parse.h"
#include "shell/out.h"
#include "shell/sess.h"

/* "3" and "5-9" -> ranges. None = all. */
static ez_err *numbers_of(struct ez_sess *s, int argc, char **argv, struct ez_numbers *which)
{
    for (int i = 1; i < argc; i++) {
        int lo, hi;
        EZ_FREE char *a = ez_strdup(argv[i]);
        char *dash = strchr(a, '-');
        if (dash)
            *dash++ = '\0';
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

ez_err *cmd_delete(struct ez_sess *s, int argc, char **argv)
{
    EZ_FREE struct ez_numbers *which = ez_alloc((size_t)argc * sizeof *which);
    EZ_TRY(numbers_of(s, argc, argv, which));
    if (argc == 1 && !ez_probe_count(s->target) && !breaks_any(s))
        return NULL;
    if (argc == 1 && !sess_query(s, breaks_any(s) ? "Delete all probes and breakpoints? "
                                                  : "Delete all probes? "))
        return NULL;
    if (argc == 1)
        breaks_all(s, breaks_delete);
    size_t n = breaks_take(s, which, (size_t)argc - 1, breaks_delete);
    return argc == 1 || n ? ez_probe_delete(s->target, which, n) : NULL;
}

static ez_err *numbers_enable(struct ez_sess *s, int argc, char **argv, bool on)
{
    EZ_FREE struct ez_numbers *which = ez_alloc((size_t)argc * sizeof *which);
    EZ_TRY(numbers_of(s, argc, argv, which));
    if (argc == 1)
        breaks_all(s, on ? breaks_enable : breaks_disable);
    size_t n = breaks_take(s, which, (size_t)argc - 1, on ? breaks_enable : breaks_disable);
    return argc == 1 || n ? ez_probe_enable(s->target, which, n, on) : NULL;
}

ez_err *cmd_enable(struct ez_sess *s, int argc, char **argv)
{
    return numbers_enable(s, argc, argv, true);
}

ez_err *cmd_disable(struct ez_sess *s, int argc, char **argv)
{
    return numbers_enable(s, argc, argv, false);
}
