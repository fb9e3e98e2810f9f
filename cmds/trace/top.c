/* SPDX-License-Identifier: GPL-3.0-or-later */
/* top.c - `top [PID|FILE.fxt...]`: a table of functions of a trace that grows, on the whole
 * terminal (top_screen.c), or printed repeatedly.
 * Tests: tests/trace/screen.sh, tests/unit/shell/check_read.c, tests/e2e/live.ezt */
#include "cmds/trace/top.h"

#include <string.h>
#include <unistd.h>

#include "cmds/cmd.h"
#include "cmds/probe/budget.h"
#include "cmds/trace/traces.h"
#include "engine/base/now.h"
#include "shell/out.h"
#include "shell/screen.h"
#include "shell/sess.h"

enum { EVERY_MS = 1000, EVERY_LEAST_MS = 100, POLL_MS = 400, BUDGET = 5 };

/* ---- reading -------------------------------------------------------------------------- */

static ez_err *top_item(void *arg, const struct ez_item *it)
{
    struct top_feed *f = arg;
    if (!f->timed)
        ez_intervals_zero_ns(f->source, ez_live_zero_ns(f->live));
    f->timed = true;
    return ez_intervals_item(f->source, it);
}

static ez_err *top_open(struct top *t)
{
    t->table = ez_intervals_create(t->every_ns, TOP_SLICES);
    t->feed = ez_alloc((t->file.n + 1) * sizeof *t->feed);
    for (size_t i = 0; i < t->file.n; i++) {
        struct top_feed *f = &t->feed[i];
        EZ_TRY(ez_live_open_items(t->file.at[i], &f->live));
        t->n = i + 1;
        EZ_TRY(traces_follow(t->s, f->live));
        f->source = ez_intervals_source(t->table, ez_live_model(f->live));
        ez_live_feed(f->live, top_item, f);
    }
    return NULL;
}

static void top_free(struct top *t)
{
    ez_intervals_free(t->table);
    for (size_t i = 0; i < t->n; i++)
        ez_live_close(t->feed[i].live);
    free(t->feed);
    parse_list_free(&t->file);
    if (t->filter)
        regfree(&t->re);
    free(t->filter);
}

/* ---- printed tables ------------------------------------------------------------------- */

static bool top_goes_on(const struct top *t)
{
    enum ez_state st = ez_target_state(t->s->target);
    if (t->s->end.interrupted || t->s->end.quit || t->s->out.quit_pager)
        return false;
    return t->of_target ? st != EZ_NONE && st != EZ_STOPPED : !top_whole(t);
}

/* Reads all data that the traces have. Returns after the time of one slice, so that the first rates
 * are those of a whole slice. */
static ez_err *top_wait(struct top *t)
{
    uint64_t end = ez_now_ns() + t->every_ns;
    do {
        EZ_TRY(top_poll(t, POLL_MS));
        uint64_t now = ez_now_ns();
        if (!t->behind && now < end && top_goes_on(t))
            sess_sleep(t->s, (int)EZ_MIN((end - now) / 1000000 + 1, (uint64_t)POLL_MS));
    } while (top_goes_on(t) && (t->behind || ez_now_ns() < end));
    return top_poll(t, POLL_MS);
}

/* Prints a table after each slice, t->rounds times (0 = no limit), or until Ctrl-C, or until the
 * program or all traces ended. */
static ez_err *top_tables(struct top *t)
{
    struct ez_sess *s = t->s;
    s->out.no_pager = true;
    for (uint64_t round = 0; !t->rounds || round < t->rounds; round++) {
        size_t kept = s->kept.n;
        EZ_TRY(top_wait(t));
        if (s->end.interrupted)
            break;
        if (round)
            out_line(s, "%s", "");
        top_print(t);
        sess_forget(s, kept);
        out_flush(s);
        if (!top_goes_on(t))
            break;
    }
    if (s->end.interrupted && !s->end.quit)
        out_line(s, "Quit");
    return NULL;
}

/* Returns EZ_E_NOTFOUND if the traces have no such thread, process or rank as an option wants. */
static ez_err *top_missing(const struct top *t)
{
    EZ_FREE struct ez_live **all = ez_alloc((t->n + 1) * sizeof *all);
    for (size_t i = 0; i < t->n; i++)
        all[i] = t->feed[i].live;
    return ez_live_missing(all, t->n);
}

static ez_err *top_run(struct top *t)
{
    struct ez_sess *s = t->s;
    if (!screen_possible(s) || out_json_requested(s) || t->rounds || !screen_open(s))
        return top_tables(t);
    ez_err *e = top_screen(t);
    screen_close(s);
    return e;
}

static ez_err *top_show(struct top *t)
{
    EZ_TRY(top_open(t));
    sess_uninterrupt(t->s);
    EZ_TRY(top_run(t));
    return top_missing(t);
}

/* ---- the trace ------------------------------------------------------------------------- */

static ez_err *top_of_target(struct top *t)
{
    struct ez_trace_info info = { 0 };
    if (t->s->job)
        return ez_err_hint(ez_err_new(EZ_E_ARG, 0, "The command top shows one process, not a job"),
                           "\"stats -live\" refreshes a table of the job");
    ez_trace_info(t->s->target, &info);
    if (!info.path || info.pending)
        return ez_err_hint(ez_err_new(EZ_E_STATE, 0, "There is no trace yet"),
                           "\"probe\" records functions; \"top PID\" probes all functions");
    t->of_target = true;
    EZ_PUSH(&t->file, ez_strdup(info.path));
    sess_keep(t->s, t->file.at[0]);
    return top_show(t);
}

static ez_err *top_run_line(struct ez_sess *s, const char *line)
{
    ez_err *e = sess_run(s, line);
    out_flush(s);
    return e;
}

/* Probes all functions, within a budget, unless the process has probes. */
static ez_err *top_probe(struct ez_sess *s, bool *budget)
{
    if (ez_probe_count(s->target))
        return NULL;
    *budget = !ez_settings(s->target)->budget;
    if (*budget)
        EZ_TRY(budget_set(s, BUDGET));
    return top_run_line(s, "probe -r .");
}

/* Attaches, shows the process until the user ends it, and detaches, which removes the probes. Of
 * the process that the shell has already, only shows it. */
static ez_err *top_of_process(struct top *t, const char *pid)
{
    struct ez_sess *s = t->s;
    bool budget = false;
    if (ez_target_live(s->target) && !strcmp(pid, sess_format(s, "%d", ez_target_pid(s->target))))
        return top_of_target(t);
    EZ_TRY(top_run_line(s, sess_format(s, "attach %s", pid)));
    ez_err *e = top_probe(s, &budget);
    if (!e)
        e = top_run_line(s, "continue &");
    if (!e)
        e = top_of_target(t);
    bool live = ez_target_live(s->target);
    if (live && !s->end.quit)
        e = ez_err_first(e, top_run_line(s, "detach"));
    return budget ? ez_err_first(e, budget_set(s, 0)) : e;
}

/* ---- the command ----------------------------------------------------------------------- */

/* Before `topk` had its name, it was "top FUNC by KEY [if EXPR]". */
static bool top_is_aggregate(struct ez_sess *s, int argc, char **argv)
{
    return *s->run.tail || (argc > 3 && !strcmp(argv[2], "by"));
}

static ez_err *top_aggregate(struct ez_sess *s, int argc, char **argv)
{
    const char *line = "topk";
    for (int i = 1; i < argc; i++)
        line = sess_format(s, "%s %s", line, argv[i]);
    return sess_run(s, sess_format(s, "%s %s", line, s->run.tail));
}

static bool top_is_pid(const char *word)
{
    return *word && !word[strspn(word, "0123456789")] && access(word, F_OK);
}

static ez_err *top_parse(struct ez_sess *s, struct top *t)
{
    t->every_ns = opt_number(s, "-every", EVERY_MS * 1000000ull);
    t->rounds = opt_number(s, "-n", out_json_requested(s) || s->wire ? 1 : 0);
    t->by = (enum ez_interval_by)opt_number(s, "-by", EZ_INTERVAL_FUNCTION);
    t->sort = (enum ez_interval_sort)opt_number(s, "-sort", EZ_INTERVAL_SELF);
    t->most = opt_number(s, "-top", out_json_requested(s) ? 0 : TOP_ROWS);
    if (t->every_ns < EVERY_LEAST_MS * 1000000ull)
        return ez_err_new(EZ_E_ARG, 0, "-every needs at least 100 ms");
    return traces_may_follow(s); /* Checks this before the command attaches to the process. */
}

static ez_err *cmd_top(struct ez_sess *s, int argc, char **argv)
{
    EZ_CLEANUP(top_free) struct top t = { .s = s };
    if (top_is_aggregate(s, argc, argv))
        return top_aggregate(s, argc, argv);
    EZ_TRY(top_parse(s, &t));
    if (argc < 2)
        return top_of_target(&t);
    if (argc == 2 && top_is_pid(argv[1]))
        return top_of_process(&t, argv[1]);
    for (int i = 1; i < argc; i++)
        EZ_TRY(parse_files(s, argv[i], &t.file));
    return top_show(&t);
}

static const struct ez_opt_word top_by_words[] = { { "function", EZ_INTERVAL_FUNCTION },
                                                   { "thread", EZ_INTERVAL_THREAD },
                                                   { "process", EZ_INTERVAL_PROCESS },
                                                   { "rank", EZ_INTERVAL_PROCESS },
                                                   { NULL, 0 } };
static const struct ez_opt_word top_sort_words[] = {
    { "rate", EZ_INTERVAL_RATE },   { "calls", EZ_INTERVAL_CALLS },
    { "total", EZ_INTERVAL_TOTAL }, { "self", EZ_INTERVAL_SELF },
    { "mean", EZ_INTERVAL_MEAN },   { "max", EZ_INTERVAL_MAX },
    { "name", EZ_INTERVAL_NAME },   { NULL, 0 }
};

const struct ez_cmd command_top = {
    .name = "top",
    .usage = "[PID|FILE.fxt...]",
    .brief = "Show functions and their calls per second, live.",
    .help = "On a terminal top fills the screen; the key \"?\" lists the keys, \"q\" ends top.\n"
            "If the output is no terminal, and with -n, top prints a table after each\n"
            "period. Calls/s is the rate in the last complete period, or, before the first\n"
            "period is complete, the rate since the trace began; the other columns count\n"
            "since the trace began. The last column draws the rates of the last 20 periods.\n"
            "Calls that have not ended yet have no times.\n"
            "\n"
            "Without an operand, top shows the trace that is being written. With PID, top\n"
            "attaches to the process. If the process has no probes, top records all functions\n"
            "of the program with a budget of 5 % (\"set budget\"). At the end top detaches,\n"
            "which removes all probes; the trace file stays. With FILE, top reads traces\n"
            "that are being written.",
    .examples = "top\n"
                "top -every 500ms 4242\n"
                "top -sort rate -n 1 app-4242.fxt",
    .see_also = "replay, set budget, stats, topk",
    OPERANDS(TRACE, 0, -1),
    OPTIONS({ .name = "-every",
              .kind = OPT_TIME,
              .value = "T",
              .meaning = "the period, 1 s by default" },
            { .name = "-n",
              .kind = OPT_NUMBER,
              .value = "N",
              .meaning = "print N tables; 1 with -json" },
            { .name = "-by",
              .kind = OPT_ONE_OF,
              .value = "WHAT",
              .words = top_by_words,
              .meaning = "one row for each function, or\n"
                         "for each function in each thread, or process" },
            { .name = "-sort",
              .kind = OPT_ONE_OF,
              .value = "KEY",
              .words = top_sort_words,
              .meaning = "the order of rows" },
            { .name = "-top",
              .kind = OPT_NUMBER,
              .value = "N",
              .meaning = "print the first N rows only, 20 by default, with -json all; 0: all" },
            FOR_PROGRAMS, FILTERS),
    .flags = HERE | TAIL | NO_REPEAT | FRONT,
    .fn = cmd_top,
    .complete = comp_fxt,
};
