/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check.c - `check`: verifies that relocated prologues do the same as the originals.
 * Tests: tests/procs/check.sh, tests/e2e/probes.ezt */
#include "engine/base/strutil.h"
#include "engine/check/check.h"

#include "cmds/cmd.h"
#include "cmds/parse.h"
#include "shell/out.h"
#include "shell/sess.h"

struct tally {
    unsigned checked, of[4]; /* of: numbers of checks, indexed by enum ez_checked_how */
    struct out_table t;      /* JSON rows */
};

static void check_row(struct out_table *t, const struct ez_checked *c)
{
    static const char *const how[] = { [EZ_CHECK_EQUAL] = "equal",
                                       [EZ_CHECK_DIFFERS] = "different",
                                       [EZ_CHECK_REFUSED] = "refused",
                                       [EZ_CHECK_UNSTEADY] = "unsteady" };
    struct ez_sess *s = t->sess;
    out_row(t, c->name, c->library, out_addr16(s, c->func), how[c->how],
            sess_format(s, "%u", c->states), sess_format(s, "%u", c->faulted),
            sess_format(s, "%u", c->insns), c->planted ? "yes" : "no",
            c->how == EZ_CHECK_EQUAL ? "" : c->text, NULL);
}

static void check_say(struct ez_sess *s, const struct ez_checked *c)
{
    const char *who = sess_format(s, "%s (%s)", c->name, c->library);
    switch (c->how) {
    case EZ_CHECK_EQUAL:
        out_line(s, "%s: equal in %u states%s, %u instruction%s%s", who, c->states,
                 c->faulted ? sess_format(s, " (%u fault alike)", c->faulted) : "", c->insns,
                 ez_plural(c->insns), c->planted ? ", planted" : "");
        break;
    case EZ_CHECK_DIFFERS:
        out_line(s, "%s: DIFFERS %s", who, c->text);
        break;
    case EZ_CHECK_REFUSED:
        out_line(s, "%s: a probe is impossible: %s", who, c->text);
        break;
    case EZ_CHECK_UNSTEADY:
        out_line(s, "%s: the results differ each time: %s", who, c->text);
        break;
    }
}

static ez_err *check_all(struct ez_sess *s, const struct parse_places *p, struct tally *t)
{
    struct ez_checker *c;
    struct ez_checked one;
    ez_err *e = NULL;
    size_t kept = s->kept.n;
    EZ_TRY(ez_check_open(s->target, &c));
    for (size_t i = 0; !e && i < p->n && !s->out.quit_pager && sess_sleep(s, 0); i++) {
        e = ez_check_func(c, p->at[i], &one);
        if (e)
            break;
        if (t->t.json)
            check_row(&t->t, &one);
        else
            check_say(s, &one);
        sess_forget(s, kept); /* a regular expression may match thousands of functions */
        t->checked++;
        t->of[one.how]++;
    }
    ez_err *left = ez_check_close(c);
    return ez_err_first(e, left);
}

static ez_err *check_sum_up(struct ez_sess *s, const struct tally *t)
{
    if (t->checked > 1 && !t->t.json)
        out_line(s, "Checked %u functions: %u equal, %u different, %u cannot be probed%s.",
                 t->checked, t->of[EZ_CHECK_EQUAL], t->of[EZ_CHECK_DIFFERS],
                 t->of[EZ_CHECK_REFUSED],
                 t->of[EZ_CHECK_UNSTEADY]
                     ? sess_format(s, ", %u give other results each time", t->of[EZ_CHECK_UNSTEADY])
                     : "");
    if (!t->of[EZ_CHECK_DIFFERS])
        return NULL;
    return ez_err_hint(
        ez_err_new(EZ_E_MISMATCH, 0, "%u relocated prologue%s not do what the original does",
                   t->of[EZ_CHECK_DIFFERS], t->of[EZ_CHECK_DIFFERS] == 1 ? " does" : "s do"),
        "Do not probe these functions, and please report this");
}

static ez_err *check_collect(struct ez_sess *s, const char *word, bool matching,
                             struct parse_places *p)
{
    EZ_FREE ez_addr *found = NULL;
    size_t n = 0;
    if (!matching)
        return parse_places(s, word, p);
    EZ_TRY(ez_functions_matching(s->target, word, &found, &n));
    for (size_t i = 0; i < n; i++)
        EZ_PUSH(p, found[i]);
    return n ? NULL : ez_err_new(EZ_E_NOTFOUND, 0, "No function matches \"%s\"", word);
}

static ez_err *cmd_check(struct ez_sess *s, int argc, char **argv)
{
    struct parse_places p = { .at = NULL };
    struct tally t = { .checked = 0 };
    ez_err *e = NULL;
    for (int i = 1; !e && i < argc; i++)
        e = check_collect(s, argv[i], opt_given(s, "-r"), &p);
    out_table_json(&t.t, s, "check",
                   "function library address result states# faulted# instructions# planted? text");
    if (!e)
        e = check_all(s, &p, &t);
    EZ_VEC_FREE(&p);
    ez_err *wrong = check_sum_up(s, &t);
    out_table_json_end(&t.t, e);
    return ez_err_first(e, wrong);
}

const struct ez_cmd command_check = {
    .name = "check",
    .usage = "LOCATION...",
    .brief = "Compare prologues with their relocated copies.",
    .help = "check compares the first instructions of each function with the copy that a\n"
            "probe makes of them. Two scratch copies of the process execute them, one the\n"
            "original and one the copy, from many starting states. check compares registers,\n"
            "flags, vector registers and memory afterwards. If one of these differs, the\n"
            "command fails.\n"
            "\n"
            "The function needs no probe. If the function has a probe, check uses the copy\n"
            "in the trampoline of that probe. The target is not changed.",
    .examples = "check compute\n"
                "check -r 'libc:^str'",
    .see_also = "info coverage, measure, probe, why",
    OPERANDS(PROBE, 1, -1),
    .min_abbrev = 3,
    OPTIONS({ .name = "-r", .meaning = "each LOCATION is [LIB:]REGEX, as in \"probe -r\"" },
            FOR_PROGRAMS),
    .flags = NEED_STOPPED,
    .fn = cmd_check,
    .complete = comp_location,
};
