/* SPDX-License-Identifier: GPL-3.0-or-later */
/* info_cost.c - `info cost`: the cost of a probe on this machine.
 * Tests: tests/procs/cost.sh */
#include "cmds/cmd.h"
#include "cmds/probe/cost.h"
#include "shell/out.h"
#include "shell/sess.h"

static const char *cost_name(struct ez_sess *s, int i)
{
    static const char *const what[EZ_COST_N] = {
        [EZ_COST_BARE] = "bare call",
        [EZ_COST_COUNT_ENTRY] = "count the entry",
        [EZ_COST_COUNT_BOTH] = "count entry and exit (call-through)",
        [EZ_COST_COUNT_TRAMPOLINE] = "count entry and exit (return trampolines)",
        [EZ_COST_RECORD_ENTRY] = "record the entry",
        [EZ_COST_RECORD_BOTH] = "record entry and exit (call-through)",
        [EZ_COST_RECORD_TRAMPOLINE] = "record entry and exit (return trampolines)",
    };
    if (i == EZ_COST_BOUND)
        return sess_format(s, "two %s and two 16-byte records", ez_cost_stamp());
    return i == EZ_COST_STAMP ? ez_cost_stamp() : what[i];
}

static bool cost_go_on(void *arg, uint64_t done, uint64_t total)
{
    return sess_sleep(arg, 0);
}

ez_err *cost_measure(struct ez_sess *s, struct ez_cost *out)
{
    sess_uninterrupt(s);
    return ez_cost(ez_settings(s->target), &(struct ez_progress){ cost_go_on, s }, out);
}

static ez_err *cmd_info_cost(struct ez_sess *s, int argc, char **argv)
{
    struct ez_cost c;
    struct out_table t;
    EZ_TRY(cost_measure(s, &c));
    out_table_init(&t, s, "A call with", ">Median ns", ">Over bare", ">Times bare", NULL);
    out_table_keys(&t, "cost", "call median_ns# over_bare_ns# times_bare#");
    for (int i = 0; i < EZ_COST_N; i++)
        out_row(&t, cost_name(s, i), sess_format(s, "%.2f", c.ns[i]),
                sess_format(s, "%.2f", c.ns[i] - c.ns[EZ_COST_BARE]),
                sess_format(s, "%.1f", c.ns[i] / c.ns[EZ_COST_BARE]), NULL);
    double over = (c.ns[EZ_COST_RECORD_BOTH] - c.ns[EZ_COST_BARE]) /
                  (c.ns[EZ_COST_BOUND] - c.ns[EZ_COST_BARE]);
    out_fact(&t, "over_bound#", sess_format(s, "%.2f", over));
    out_fact(&t, "clock", c.mono ? "monotonic" : "counter");
    out_table_print(&t);
    if (out_json_requested(s))
        return NULL;
    out_line(s, "Recording entry and exit / two %s and two records: %.2f.", ez_cost_stamp(), over);
    out_line(s, "Clock of the records: %s. Measured in a process of its own.",
             c.mono ? "CLOCK_MONOTONIC" : "the time stamp counter");
    return NULL;
}

const struct ez_cmd command_info_cost = {
    .parent = "info",
    .name = "cost",
    .usage = "",
    .brief = "Measure what a probe costs on this machine.",
    .help = "A second eztsh probes a small program and runs it. Each time is the median of\n"
            "several runs of a loop. The target and the trace of this session do not change.\n"
            "\"set trace-clock\" chooses the clock.",
    .examples = "info cost",
    .see_also = "info trace, probe",
    OPERANDS(PROBE, 0, 0),
    OPTIONS(FOR_PROGRAMS),
    .flags = NO_REPEAT,
    .fn = cmd_info_cost,
};
