/* SPDX-License-Identifier: GPL-3.0-or-later */
/* score.c - `score`: counts the calls of functions, estimates from that a trace of all of them, and
 * proposes functions to exclude. After Score-P's scorep-score.
 *
 * Counted: calls. Measured: the processor time of the process (less the cost of counting), and the
 * cost of a recorded call on this machine (`info cost`). Sampled: the functions that use the time.
 * All other numbers are computed from these.
 * Tests: tests/procs/score.sh */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "cmds/cmd.h"
#include "cmds/probe/cost.h"
#include "cmds/probe/score.h"
#include "cmds/run/run.h"
#include "engine/base/now.h"
#include "engine/base/outfile.h"
#include "engine/base/strutil.h"
#include "engine/check/sampler.h"
#include "shell/out.h"
#include "shell/sess.h"

#define STEP_MS 20
#define CALL_BYTES 48 /* bytes of a call in a trace: two records; about 5 when compressed */

struct score {
    struct ez_sess *s;
    struct score_plan plan;
    const char *spec;
    uint64_t for_ns;
    int first; /* number of the first probe that this command made */
    struct ez_sampler *sampler;
    double cpu_ns; /* processor time of the process, less the cost of counting */
    struct ez_cost cost;
    bool ended;
    EZ_VEC(uint64_t)
    addr; /* address of the function in the process, by probe number - first; 0 = not known */
};

/* ---- the run ------------------------------------------------------------------------------- */

static void score_last(const struct ez_probe_info *p, void *arg)
{
    int *last = arg;
    *last = EZ_MAX(*last, p->number);
}

/* Returns the processor time of the shell's ended children, in ns. */
static double score_cpu_ended(void)
{
    struct rusage u;
    getrusage(RUSAGE_CHILDREN, &u);
    return 1e9 * (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           1e3 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

static ez_err *score_plant(struct score *c)
{
    struct ez_bulk b;
    int last = 0;
    ez_probes(c->s->target, score_last, &last);
    c->first = last + 1;
    memset(&b, 0, sizeof b);
    EZ_TRY(ez_probe_add_matching(
        c->s->target, &(struct ez_probe_spec){ .kind = EZ_PROBE_BOTH, .location = c->spec }, &b));
    if (!b.matched && ez_target_state(c->s->target) != EZ_NONE)
        return ez_err_hint(ez_err_new(EZ_E_NOTFOUND, 0, "No function matches \"%s\"", c->spec),
                           "\"info functions REGEX\" searches for functions");
    return NULL;
}

/* Stores a function's address while the process lives, to compare with sampled addresses. */
static void score_note(const struct ez_probe_info *p, void *arg)
{
    struct score *c = arg;
    if (p->number < c->first || p->state != EZ_PROBE_ARMED)
        return;
    while (c->addr.n <= (size_t)(p->number - c->first))
        EZ_PUSH(&c->addr, (uint64_t)0);
    c->addr.at[p->number - c->first] = p->addr;
}

static double score_share(const struct score *c, const struct ez_probe_info *p)
{
    size_t i = (size_t)(p->number - c->first);
    return c->sampler && i < c->addr.n && c->addr.at[i]
               ? ez_sampler_share(c->sampler, c->addr.at[i])
               : -1;
}

/* Runs the process to its end, or stops it after the given time or at Ctrl-C. */
static ez_err *score_run(struct score *c)
{
    struct ez_sess *s = c->s;
    const struct ez_run how = run_how(s);
    bool launch = ez_target_state(s->target) == EZ_NONE;
    pid_t pid = ez_target_pid(s->target);
    double before = launch ? score_cpu_ended() : ez_process_cpu_ns(pid), last = before;
    sess_uninterrupt(s);
    sess_hand_over(s);
    if (launch)
        EZ_TRY(ez_run(s->target, &how));
    pid = ez_target_pid(s->target);
    c->sampler = ez_sampler_begin(pid); /* Without a sampler, only the self times are missing. */
    ez_probes(s->target, score_note, c);
    if (ez_target_state(s->target) == EZ_STOPPED)
        EZ_TRY(ez_continue(s->target, false, -1));
    uint64_t until = c->for_ns ? ez_now_ns() + c->for_ns : UINT64_MAX;
    while (ez_target_state(s->target) != EZ_NONE && ez_target_state(s->target) != EZ_STOPPED &&
           ez_now_ns() < until && sess_sleep(s, STEP_MS)) {
        double now = ez_process_cpu_ns(pid);
        last = now > 0 ? now : last;
        if (ez_target_state(s->target) != EZ_NONE)
            ez_probes(s->target, score_note, c);
        if (c->sampler)
            ez_sampler_read(c->sampler, s->target);
    }
    c->ended = ez_target_state(s->target) == EZ_NONE;
    if (!c->ended && ez_target_state(s->target) != EZ_STOPPED)
        EZ_TRY(ez_interrupt(s->target));
    if (launch)
        c->cpu_ns = c->ended ? score_cpu_ended() - before : ez_process_cpu_ns(pid);
    else
        c->cpu_ns = (c->ended ? last : ez_process_cpu_ns(pid)) - before;
    EZ_TRY(sess_foreground(s)); /* Waits, and gives the terminal back to the shell. */
    if (!c->ended)
        out_line(s, "The program is stopped.");
    return NULL;
}

/* ---- the figures ---------------------------------------------------------------------------- */

static void score_add_probe(const struct ez_probe_info *p, void *arg)
{
    struct score *c = arg;
    if (p->number < c->first || !p->entries)
        return;
    const struct score_row r = { .function = sess_keep(c->s, ez_strdup(p->function)),
                                 .library = sess_keep(c->s, ez_strdup(p->library)),
                                 .calls = p->entries,
                                 .share = score_share(c, p) };
    EZ_PUSH(&c->plan.row, r);
}

static void score_figures(struct score *c)
{
    double bare = c->cost.ns[EZ_COST_BARE];
    double counting = c->cost.ns[EZ_COST_COUNT_BOTH] - bare, calls = 0;
    for (size_t i = 0; i < c->plan.row.n; i++)
        calls += (double)c->plan.row.at[i].calls;
    c->cpu_ns = EZ_MAX(c->cpu_ns - calls * counting, c->cpu_ns / 10);
    for (size_t i = 0; i < c->plan.row.n; i++) {
        struct score_row *r = &c->plan.row.at[i];
        r->bytes = (double)r->calls * CALL_BYTES;
        r->slowdown = c->cpu_ns > 0 ? 100 * (double)r->calls *
                                          (c->cost.ns[EZ_COST_RECORD_BOTH] - bare) / c->cpu_ns
                                    : 0;
    }
    score_plan_exclude(&c->plan);
}

/* ---- output ---------------------------------------------------------------------------------- */

static const char *score_bytes(struct ez_sess *s, double n)
{
    if (out_json_requested(s))
        return sess_format(s, "%.0f", n);
    return n < 1 << 20 ? sess_format(s, "%.1f KiB", n / 1024)
                       : sess_format(s, "%.1f MiB", n / (1 << 20));
}

static void score_facts(struct score *c, struct out_table *t)
{
    struct ez_sess *s = c->s;
    const struct score_plan *p = &c->plan;
    const struct {
        const char *key;
        double value;
    } fact[] = { { "trace_bytes#", p->all_bytes },
                 { "slowdown_percent#", p->all_slowdown },
                 { "left_trace_bytes#", p->left_bytes },
                 { "left_slowdown_percent#", p->left_slowdown },
                 { "limit_trace_bytes#", p->max_bytes },
                 { "limit_slowdown_percent#", p->max_slowdown },
                 { "cpu_ns#", c->cpu_ns } };
    EZ_FREE char *script = score_plan_script(&c->plan);
    for (size_t i = 0; i < EZ_ARRAY_LEN(fact); i++)
        out_fact(t, fact[i].key, sess_format(s, "%.2f", fact[i].value));
    out_fact(t, "command", script);
}

static void score_print_rows(struct score *c)
{
    struct ez_sess *s = c->s;
    struct out_table t;
    out_table_init(&t, s, "~Function", "~Library", ">Calls", ">Own time", ">Trace", ">Slowdown %",
                   "Leave out", NULL);
    out_table_keys(&t, "score",
                   "function library calls# own_ns# trace_bytes# slowdown_percent# leave_out?");
    score_facts(c, &t);
    for (size_t i = 0; i < c->plan.row.n; i++) {
        const struct score_row *r = &c->plan.row.at[i];
        out_row(&t, r->function, r->library, sess_format(s, "%" PRIu64, r->calls),
                r->share < 0 ? "-" : out_cell_time(s, (uint64_t)(r->share * c->cpu_ns)),
                score_bytes(s, r->bytes), sess_format(s, "%.2f", r->slowdown), r->out ? "yes" : "",
                NULL);
    }
    out_table_print(&t);
}

static ez_err *score_write(const char *file, const char *text)
{
    struct ez_outfile *f;
    EZ_TRY(ez_outfile_open(file, false, &f));
    ez_outfile_puts(f, text);
    ez_err *e = ez_outfile_commit(f);
    ez_outfile_destroy(f);
    return e;
}

/* Prints the commands to type or source. They name only called functions, because the others cost
 * nothing. */
static ez_err *score_proposal(struct score *c, const char *file)
{
    EZ_FREE char *text = score_plan_script(&c->plan);
    if (file) {
        EZ_TRY(score_write(file, text));
        out_line(c->s, "\"source %s\" plants probes on the remaining functions.", file);
        return NULL;
    }
    out_line(c->s, "These commands plant probes on the remaining functions:");
    text[strlen(text) - 1] = 0; /* removes the last newline */
    out_lines(c->s, "%s", text);
    return NULL;
}

static ez_err *score_print(struct score *c)
{
    struct ez_sess *s = c->s;
    struct score_plan *p = &c->plan;
    const char *file = opt_text(s, "-o");
    if (out_json_requested(s)) {
        score_print_rows(c);
        EZ_FREE char *script = score_plan_script(p);
        return file && p->nout ? score_write(file, script) : NULL;
    }
    if (!p->row.n) {
        out_line(s, "No call of a function that matches \"%s\" was counted.", c->spec);
        return NULL;
    }
    score_print_rows(c);
    out_line(s,
             "A trace of all functions: %s (estimated; %d bytes a call, compressed about 5), %.1f "
             "%% slower (estimated:",
             score_bytes(s, p->all_bytes), CALL_BYTES, p->all_slowdown);
    out_line(s,
             "calls x %.1f ns, measured here, over %s of processor time). Calls are counted, self "
             "time is sampled%s.",
             c->cost.ns[EZ_COST_RECORD_BOTH] - c->cost.ns[EZ_COST_BARE],
             out_time(s, (uint64_t)c->cpu_ns), c->sampler ? "" : ": not allowed here");
    if (!p->nout) {
        out_line(s,
                 "The trace is within the limits of %s and %.1f %%: nothing needs to be left out.",
                 score_bytes(s, p->max_bytes), p->max_slowdown);
        return NULL;
    }
    out_line(s, "Without %zu function%s: %s, %.1f %% slower (limits: %s, %.1f %%).", p->nout,
             ez_plural(p->nout), score_bytes(s, p->left_bytes), p->left_slowdown,
             score_bytes(s, p->max_bytes), p->max_slowdown);
    return score_proposal(c, file);
}

static void score_free(struct score *c)
{
    ez_sampler_end(c->sampler);
    score_plan_free(&c->plan);
    EZ_VEC_FREE(&c->addr);
}

static ez_err *cmd_score(struct ez_sess *s, int argc, char **argv)
{
    EZ_CLEANUP(score_free) struct score c = { .s = s, .spec = opt_text(s, "-r") };
    int last = 0;
    (void)argc, (void)argv;
    c.spec = c.spec ? c.spec : ".";
    c.for_ns = opt_number(s, "-for", 0);
    c.plan.max_bytes = (double)opt_number(s, "-max-size", SCORE_MIB) * (1 << 20);
    c.plan.max_slowdown = (double)opt_number(s, "-max-slowdown", SCORE_PERCENT);
    if (!ez_target_program(s->target) && ez_target_state(s->target) == EZ_NONE)
        return ez_err_hint(ez_err_new(EZ_E_STATE, 0, "No executable file specified"),
                           "Use the \"file\" command");
    EZ_TRY(cost_measure(s, &c.cost));
    EZ_TRY(score_plant(&c));
    ez_err *e = score_run(&c);
    ez_probes(s->target, score_add_probe, &c);
    ez_probes(s->target, score_last, &last);
    if (last >= c.first)
        e = ez_err_first(e, ez_probe_delete(s->target, &(struct ez_numbers){ c.first, last }, 1));
    if (e)
        return e;
    score_figures(&c);
    return score_print(&c);
}

const struct ez_cmd command_score = {
    .name = "score",
    .usage = "",
    .brief = "Estimate the cost of a trace, and what to leave out.",
    .help = "score runs the program, or continues the current process, with counters alone.\n"
            "It prints for each function the calls, the self time, the size of the events\n"
            "and the slowdown. If a trace of these functions would exceed a limit, score\n"
            "proposes functions to leave out, those with the most calls first.\n"
            "\n"
            "Calls are counted. The kernel samples the self time a thousand times a second;\n"
            "\"-\" means that the kernel does not allow sampling. Size and slowdown are\n"
            "estimates from the calls and from the costs of \"info cost\". The slowdown is\n"
            "relative to processor time, without waiting. The slowdown may be higher in a\n"
            "program with many cache misses.",
    .examples = "score -for 10s -max-slowdown 5 -o keep.ezt\n"
                "source keep.ezt",
    .see_also = "info cost, probe, stats, source",
    OPERANDS(TRACE, 0, 0),
    OPTIONS({ .name = "-for",
              .kind = OPT_TIME,
              .value = "T",
              .meaning = "stop the program after this time; score also ends when the program\n"
                         "ends or stops, and at Ctrl-C" },
            { .name = "-r",
              .kind = OPT_TEXT,
              .value = "REGEX",
              .meaning = "[LIB:]REGEX: score these functions; the default is the program's" },
            { .name = "-max-size",
              .kind = OPT_NUMBER,
              .value = "MIB",
              .meaning = "the limit of the trace, uncompressed; the default is 1024 MiB" },
            { .name = "-max-slowdown",
              .kind = OPT_NUMBER,
              .value = "PERCENT",
              .meaning = "the limit of the slowdown; the default is 10 percent" },
            { .name = "-o",
              .kind = OPT_FILE,
              .value = "FILE",
              .meaning = "write the proposal to FILE, for \"source\"" },
            FOR_PROGRAMS),
    .flags = HERE,
    .fn = cmd_score,
};
