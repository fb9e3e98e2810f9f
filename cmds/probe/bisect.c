/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bisect.c - `bisect`: finds the probe that makes the program fail. It runs the program repeatedly,
 * each time with half of the suspected probes enabled.
 *
 * The program always fails with the suspected probes together. Each round runs the first half of
 * them; if that run passes, the second half is suspected. At the end the program runs with the last
 * probe alone, which verifies the result.
 * Tests: tests/procs/bisect.sh */
#include <regex.h>
#include <signal.h>
#include <string.h>
#include <time.h>

#include "cmds/cmd.h"
#include "cmds/run/run.h"
#include "engine/base/strutil.h"
#include "shell/out.h"
#include "shell/sess.h"

#define STUCK (-2) /* pseudo exit status of a run that exceeds the time limit */
#define ROUND 10   /* time between two checks whether the process has ended, in ms */

struct bisect_probe {
    int number;
    char name[160];
};

struct bisect {
    struct ez_sess *s;
    const char *cmd;
    regex_t regex;
    bool by_name;
    char *args;
    uint64_t most_ms;
    unsigned runs;
    EZ_VEC(struct bisect_probe) probe;
};

static void bisect_add_probe(const struct ez_probe_info *p, void *arg)
{
    struct bisect *b = arg;
    struct bisect_probe one = { .number = p->number };
    const char *name = *p->function ? p->function : p->spec->location;
    if (p->optional || p->state == EZ_PROBE_DISABLED || p->state == EZ_PROBE_REFUSED)
        return;
    if (b->by_name && regexec(&b->regex, name, 0, NULL, 0))
        return;
    strncat(one.name, name, sizeof one.name - 1);
    EZ_PUSH(&b->probe, one);
}

/* Enables or disables probes [from, from + n). */
static ez_err *bisect_switch(struct bisect *b, size_t from, size_t n, bool on)
{
    EZ_VEC(struct ez_numbers) which = { 0 };
    for (size_t i = from; i < from + n; i++) {
        int number = b->probe.at[i].number;
        if (which.n && which.at[which.n - 1].hi == number - 1)
            which.at[which.n - 1].hi = number;
        else
            EZ_PUSH(&which, ((struct ez_numbers){ number, number }));
    }
    ez_err *e = which.n ? ez_probe_enable(b->s->target, which.at, which.n, on) : NULL;
    EZ_VEC_FREE(&which);
    return e;
}

/* Enables only probes [from, from + n). */
static ez_err *bisect_only(struct bisect *b, size_t from, size_t n)
{
    EZ_TRY(bisect_switch(b, 0, from, false));
    EZ_TRY(bisect_switch(b, from + n, b->probe.n - from - n, false));
    return bisect_switch(b, from, n, true);
}

static uint64_t bisect_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* Waits for the end of the process. A stop by a probe's action, or by a signal, is not the end.
 * Kills the process after b->most_ms; *status is then STUCK. */
static ez_err *bisect_wait(struct bisect *b, int *status)
{
    struct ez_sess *s = b->s;
    uint64_t begin = bisect_ms();
    while (ez_target_state(s->target) != EZ_NONE) {
        if (!sess_sleep(s, ROUND) || s->end.quit)
            return ez_err_gdb(EZ_E_QUIT, "Quit");
        sess_events(s);
        if (ez_target_state(s->target) == EZ_STOPPED)
            EZ_TRY(ez_continue(s->target, false, -1));
        if (bisect_ms() - begin > b->most_ms) {
            *status = STUCK;
            return ez_kill(s->target);
        }
    }
    sess_events(s); /* prints how the process ended */
    *status = s->program.status;
    return NULL;
}

static ez_err *bisect_launch(struct bisect *b, bool stop_at_main)
{
    struct ez_run how = run_how(b->s);
    how.args = b->args;
    how.stop_at_main = stop_at_main;
    how.own_pgrp = true;
    b->s->program.status = -1;
    return ez_run(b->s->target, &how);
}

/* Runs the program with the currently enabled probes. *bad: the run failed. */
static ez_err *bisect_run(struct bisect *b, bool *bad, int *status)
{
    struct ez_sess *s = b->s;
    size_t from = s->kept.n;
    b->runs++;
    *status = -1; /* the program was not started */
    sess_quiet(s, true);
    unsigned failed = s->end.failed;
    ez_err *e = bisect_launch(b, false);
    if (!e)
        e = bisect_wait(b, status);
    if (e && ez_target_state(s->target) != EZ_NONE)
        (void)ez_err_drop(ez_kill(s->target));
    if (!e && b->cmd)
        e = sess_shell(s, b->cmd);
    s->end.failed = failed;
    sess_quiet(s, false);
    sess_forget(s, from);
    *bad = b->cmd && *status != STUCK ? s->shell_exit != 0 : *status != 0;
    return e;
}

static const char *bisect_how(struct bisect *b, int status)
{
    if (status == STUCK)
        return "it did not end in time";
    if (b->cmd)
        return "the command said so";
    if (status > 128)
        return out_signal(b->s, status - 128);
    return sess_format(b->s, "status %d", status);
}

/* Halves the range [*from, *from + *n) until one probe is left. If the first half passes, the
 * second half is assumed to fail. */
static ez_err *bisect_halve(struct bisect *b, size_t *from, size_t *n)
{
    bool bad;
    int status;
    while (*n > 1) {
        size_t half = *n / 2;
        out_status(b->s, "%zu probe%s left, %u run%s", *n, ez_plural(*n), b->runs,
                   ez_plural(b->runs));
        EZ_TRY(bisect_only(b, *from, half));
        EZ_TRY(bisect_run(b, &bad, &status));
        if (!bad) {
            *from += half;
            half = *n - half;
        }
        *n = half;
    }
    out_status(b->s, "%s", "");
    return NULL;
}

/* Starts a process for `check` and `why`. */
static ez_err *bisect_start(struct bisect *b)
{
    struct ez_sess *s = b->s;
    sess_quiet(s, true);
    ez_err *e = bisect_launch(b, true);
    while (!e && ez_target_state(s->target) == EZ_RUNNING)
        if (!sess_sleep(s, ROUND))
            e = ez_err_gdb(EZ_E_QUIT, "Quit");
    sess_events(s);
    sess_quiet(s, false);
    return e;
}

struct bisect_find {
    int number;
    uint64_t addr;
};

static void bisect_if(const struct ez_probe_info *p, void *arg)
{
    struct bisect_find *f = arg;
    if (p->number == f->number)
        f->addr = p->addr;
}

static ez_err *bisect_print(struct bisect *b, const struct bisect_probe *p, int status)
{
    struct ez_sess *s = b->s;
    struct bisect_find f = { p->number, 0 };
    out_line(s, "Probe %d (%s): The program fails with this probe alone (%s). %u run%s.", p->number,
             p->name, bisect_how(b, status), b->runs, ez_plural(b->runs));
    EZ_TRY(bisect_start(b));
    ez_probes(s->target, bisect_if, &f);
    ez_err *e = NULL;
    if (f.addr && ez_target_state(s->target) == EZ_STOPPED) {
        EZ_FREE char *check = ez_sprintf("check *%s", out_addr(s, f.addr));
        EZ_FREE char *why = ez_sprintf("why *%s", out_addr(s, f.addr));
        /* `check` returns an error for a difference, which is expected here */
        (void)ez_err_drop(sess_run(s, check));
        e = sess_run(s, why);
    }
    sess_quiet(s, true);
    if (ez_target_state(s->target) != EZ_NONE)
        e = ez_err_first(e, ez_kill(s->target));
    sess_quiet(s, false);
    return e;
}

static ez_err *bisect_search(struct bisect *b)
{
    struct ez_sess *s = b->s;
    bool bad;
    int status = 0;
    /* Rules (probe -r) have probes for all libraries only after this run. */
    EZ_TRY(bisect_run(b, &bad, &status));
    ez_probes(s->target, bisect_add_probe, b);
    if (!b->probe.n)
        return ez_err_new(EZ_E_NOTFOUND, 0, "No probe is enabled, so bisect has nothing to search");
    if (!bad)
        return ez_err_new(EZ_E_STATE, 0, "The program does not fail with these %zu probe%s",
                          b->probe.n, ez_plural(b->probe.n));
    EZ_TRY(bisect_only(b, 0, 0));
    EZ_TRY(bisect_run(b, &bad, &status));
    if (bad)
        return ez_err_new(EZ_E_STATE, 0, "The program fails without these probes, too (%s)",
                          bisect_how(b, status));
    size_t from = 0, n = b->probe.n;
    out_line(s, "The program fails with %zu probe%s, and does not without.", n, ez_plural(n));
    EZ_TRY(bisect_halve(b, &from, &n));
    EZ_TRY(bisect_only(b, from, 1));
    EZ_TRY(bisect_run(b, &bad, &status));
    if (bad)
        return bisect_print(b, &b->probe.at[from], status);
    return ez_err_new(
        EZ_E_STATE, 0,
        "No single probe was found that makes the program fail: several together do, or "
        "the program does not fail each time. The last probe tried was %d (%s)",
        b->probe.at[from].number, b->probe.at[from].name);
}

static ez_err *bisect_begin(struct bisect *b)
{
    struct ez_sess *s = b->s;
    const char *regex = opt_text(s, "-r");
    if (!ez_target_program(s->target))
        return ez_err_hint(ez_err_new(EZ_E_STATE, 0, "No executable file specified"),
                           "Use the \"file\" command");
    if (ez_target_state(s->target) != EZ_NONE)
        return ez_err_hint(ez_err_new(EZ_E_STATE, 0, "The program is being run already"),
                           "Type \"kill\" first: bisect runs the program itself");
    if (regex && regcomp(&b->regex, regex, REG_EXTENDED | REG_NOSUB))
        return ez_err_new(EZ_E_ARG, 0, "Invalid regular expression \"%s\"", regex);
    b->by_name = regex != NULL;
    return NULL;
}

static ez_err *cmd_bisect(struct ez_sess *s, int argc, char **argv)
{
    struct ez_settings *set = ez_settings(s->target);
    struct bisect b = { .s = s,
                        .cmd = opt_text(s, "-cmd"),
                        .most_ms = opt_number(s, "-timeout", 60000000000) / 1000000 };
    EZ_TRY(bisect_begin(&b));
    bool redirects = strpbrk(s->ui.args, "<>|") != NULL;
    b.args = ez_sprintf("%s%s", s->ui.args, redirects ? "" : " </dev/null >/dev/null 2>&1");
    bool trace_auto = set->trace_auto, pass = set->pass_signals;
    set->trace_auto = false;
    set->pass_signals = true;
    ez_err *e = bisect_search(&b);
    set->trace_auto = trace_auto;
    set->pass_signals = pass;
    out_status(s, "%s", "");
    e = ez_err_first(e, bisect_switch(&b, 0, b.probe.n, true)); /* Enables all probes again. */
    if (b.by_name)
        regfree(&b.regex);
    free(b.args);
    EZ_VEC_FREE(&b.probe);
    return e;
}

const struct ez_cmd command_bisect = {
    .name = "bisect",
    .usage = "",
    .brief = "Find the probe that makes the program fail.",
    .help = "Use this for a program that fails only when it has probes. bisect runs the\n"
            "program with all probes, without probes, and then with halves of the probes\n"
            "until one probe is left. The result names this probe, with the output of\n"
            "\"check\" and \"why\".\n"
            "\n"
            "A run fails if its status is not 0 or a signal kills the program. The run\n"
            "without probes must not fail. With -cmd, a run fails if the shell command ends\n"
            "with a status other than 0.\n"
            "\n"
            "bisect does not use disabled probes and probes of modules. Nothing is recorded.\n"
            "Input and output of the program are /dev/null unless its arguments redirect one\n"
            "of them.",
    .examples = "probe -count -r .\n"
                "bisect\n"
                "set args >out\n"
                "bisect -cmd \"cmp out right\"",
    .see_also = "check, why, info probes, disable",
    OPERANDS(PROBE, 0, 0),
    OPTIONS(
        { .name = "-cmd",
          .kind = OPT_TEXT,
          .value = "COMMAND",
          .meaning = "run this shell command after each run; the run failed if the command fails" },
        { .name = "-r",
          .kind = OPT_TEXT,
          .value = "REGEX",
          .meaning = "use only the probes on functions whose names match" },
        { .name = "-timeout",
          .kind = OPT_TIME,
          .value = "TIME",
          .meaning = "end a run after this time and count it as failed; the default is 60s" }),
    .flags = NO_REPEAT | MUTATES | HERE | TEXT_ONLY,
    .fn = cmd_bisect,
};
