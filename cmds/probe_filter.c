/* SPDX-License-Identifier: GPL-3.0-or-later */
/* probe_filter.c - see probe_filter.h; and `condition`, `ignore`, `passcount`, as in gdb. */
#include "cmds/probe_filter.h"

#include <stdlib.h>
#include <string.h>

#include "cmds/breaks.h"
#include "cmds/cmd.h"
#include "cmds/opt.h"
#include "cmds/parse.h"
#include "cmds/tracepoint.h"
#include "shell/lex.h"
#include "shell/out.h"
#include "shell/sess.h"

ez_err *probe_parse_filter(struct ez_sess *s, struct ez_probe_filter *f)
{
    const char *thread = opt_text(s, "-thread"), *max = opt_text(s, "-max");
    uint64_t n = 0;
    f->caller = opt_text(s, "-caller");
    f->after_ns = opt_number(s, "-after", 0);
    f->for_ns = opt_number(s, "-for", 0);
    f->min_ns = opt_number(s, "-min-time", 0);
    uint64_t depth = opt_number(s, "-maxdepth", 0);
    f->maxdepth = (unsigned)EZ_MIN(depth, 1u << 29);
    if (opt_given(s, "-maxdepth") && !depth)
        return ez_err_new(EZ_E_ARG, 0, "-maxdepth must be 1 or more.");
    if (opt_given(s, "-for") && !f->for_ns)
        return ez_err_new(EZ_E_ARG, 0, "-for must be longer than no time.");
    if (thread && thread[strspn(thread, "0123456789")]) {
        if (strlen(thread) > 15)
            return ez_err_new(EZ_E_ARG, 0, "A thread's name has 15 characters at most.");
        f->thread_name = thread;
    } else if (thread) {
        EZ_TRY(parse_count(thread, "-thread", &n));
        f->thread = (uint32_t)n;
        if (!n || n > INT32_MAX)
            return ez_err_new(EZ_E_ARG, 0, "%s is no thread's id.", thread);
    }
    if (max)
        EZ_TRY(parse_size(max, &f->max_bytes));
    return NULL;
}

/* ---- as they are listed -------------------------------------------------------------------- */

/* As it may be typed: "10s", "1500us". */
static const char *filter_time(struct ez_sess *s, uint64_t ns)
{
    static const struct {
        uint64_t ns;
        const char *name;
    } unit[] = { { 1000000000, "s" }, { 1000000, "ms" }, { 1000, "us" }, { 1, "ns" } };
    size_t i = 0;
    while (ns % unit[i].ns)
        i++;
    return sess_format(s, "%llu%s", (unsigned long long)(ns / unit[i].ns), unit[i].name);
}

/* The filters of a probe as they are typed, with a blank before each. */
const char *probe_filter_text(struct ez_sess *s, const struct ez_probe_filter *f)
{
    const char *t = "";
    if (f->thread)
        t = sess_format(s, "%s -thread %u", t, f->thread);
    if (f->thread_name)
        t = sess_format(s, "%s -thread %s", t, f->thread_name);
    if (f->caller)
        t = sess_format(s, "%s -caller %s", t, f->caller);
    if (f->after_ns)
        t = sess_format(s, "%s -after %s", t, filter_time(s, f->after_ns));
    if (f->for_ns)
        t = sess_format(s, "%s -for %s", t, filter_time(s, f->for_ns));
    if (f->ignore)
        t = sess_format(s, "%s ignore %llu", t, (unsigned long long)f->ignore);
    if (f->passcount)
        t = sess_format(s, "%s passcount %llu", t, (unsigned long long)f->passcount);
    return t;
}

const char *probe_limit_text(struct ez_sess *s, const struct ez_probe_filter *f)
{
    const char *t = "";
    if (f->maxdepth)
        t = sess_format(s, "%s -maxdepth %u", t, f->maxdepth);
    if (f->min_ns)
        t = sess_format(s, "%s -min-time %s", t, filter_time(s, f->min_ns));
    if (f->max_bytes)
        t = sess_format(s, "%s -max %llu", t, (unsigned long long)f->max_bytes);
    return t;
}

/* ---- conditions and turns ------------------------------------------------------------------ */

/* condition N [EXPR]; the expression is the rest of the line, verbatim. */
ez_err *cmd_condition(struct ez_sess *s, int argc, char **argv)
{
    int n = 0;
    if (argc < 2)
        return ez_err_new(EZ_E_ARG, 0, "Argument required (a probe's or breakpoint's number).");
    size_t len = strcspn(argv[1], " \t");
    EZ_TRY(parse_probe(s, sess_format(s, "%.*s", (int)len, argv[1]), &n));
    const char *cond = lex_skip_blanks(argv[1] + len);
    if (!strncmp(cond, "if ", 3)) /* as in "probe LOCATION if EXPR" */
        cond = lex_skip_blanks(cond + 3);
    if (breaks_is(s, n))
        return breaks_condition(s, n, cond);
    EZ_TRY(ez_probe_condition(s->target, n, cond));
    if (!*cond)
        out_line(s, "Probe %d now unconditional.", n);
    return NULL;
}

ez_err *cmd_ignore(struct ez_sess *s, int argc, char **argv)
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
                 count == 1 ? "" : "s", n);
    else
        out_line(s, "Will ignore no crossing of probe %d.", n);
    return NULL;
}

/* Without a number it is the newest probe's. */
static void filter_note_newest(const struct ez_probe_info *p, void *arg)
{
    if (!p->with)
        *(int *)arg = EZ_MAX(*(int *)arg, p->number);
}

ez_err *cmd_passcount(struct ez_sess *s, int argc, char **argv)
{
    int n = 0;
    uint64_t count;
    EZ_TRY(parse_count(argv[1], "passcount", &count));
    if (argc > 2)
        EZ_TRY(parse_probe(s, argv[2], &n));
    else
        ez_probes(s->target, filter_note_newest, &n);
    if (!n)
        return ez_err_new(EZ_E_STATE, 0, "No probes.");
    if (breaks_is(s, n))
        return ez_err_hint(ez_err_new(EZ_E_ARG, 0, "Breakpoint %d is no probe.", n),
                           "\"enable count %llu %d\" disables it after %llu stops",
                           (unsigned long long)count, n, (unsigned long long)count);
    EZ_TRY(ez_probe_turns(s->target, n, NULL, &count));
    out_line(s, "Setting %s %d's passcount to %llu", tracepoint_is(s, n) ? "tracepoint" : "probe",
             n, (unsigned long long)count);
    return NULL;
}
