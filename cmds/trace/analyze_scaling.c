/* SPDX-License-Identifier: GPL-3.0-or-later */
/* analyze_scaling.c - `analyze RUN vs RUN...`: how the efficiencies change with the number of ranks
 * or threads (analyze.h).
 * Tests: tests/trace/analyze.sh */
#include <math.h>
#include <string.h>

#include "cmds/trace/analyze.h"
#include "shell/out.h"
#include "shell/sess.h"

#define SCALING_KEYS                                                                               \
    "run ranks# threads# run_ns# useful_ns# speedup# global_percent# computation_percent# "        \
    "parallel_percent# mpi_percent# load_balance_percent# serialisation_percent# "                 \
    "transfer_percent# threads_percent#"

bool analyze_is_scaling(int n, char **word)
{
    for (int i = 0; i < n; i++)
        if (!strcmp(word[i], "vs"))
            return true;
    return false;
}

static const char *scaling_percent(struct ez_sess *s, double factor)
{
    return isnan(factor) ? "" : sess_format(s, "%.1f", 100 * factor);
}

static void scaling_print(struct ez_sess *s, const struct analyze_run *run, size_t n)
{
    struct out_table t;
    out_table_init(&t, s, "~Run", ">Ranks", ">Threads", ">Time", ">Useful", ">Speedup", ">Global %",
                   ">Computation %", ">Parallel %", ">MPI %", ">Load balance %", ">Serialisation %",
                   ">Transfer %", ">Threads %", NULL);
    out_table_keys(&t, "scaling", SCALING_KEYS);
    t.wide = opt_given(s, "-wide");
    for (size_t i = 0; i < n; i++) {
        const struct ez_efficiency *e = &run[i].eff;
        /* the same work in less useful time is better than the first run, more is worse */
        double computation =
            run[i].useful_ns ? (double)run[0].useful_ns / (double)run[i].useful_ns : NAN;
        double speedup = run[i].run_ns ? (double)run[0].run_ns / (double)run[i].run_ns : NAN;
        out_row(&t, run[i].name, run[i].ranks ? out_cell_count(s, run[i].ranks) : "",
                out_cell_count(s, run[i].threads), out_cell_time(s, run[i].run_ns),
                out_cell_time(s, run[i].useful_ns),
                isnan(speedup) ? "" : sess_format(s, "%.2f", speedup),
                scaling_percent(s, computation * e->parallel), scaling_percent(s, computation),
                scaling_percent(s, e->parallel), scaling_percent(s, e->mpi),
                scaling_percent(s, e->load_balance), scaling_percent(s, e->serialisation),
                scaling_percent(s, e->transfer), scaling_percent(s, e->openmp), NULL);
    }
    out_table_print(&t);
}

ez_err *analyze_scaling(struct ez_sess *s, int n, char **word, analyze_fn *fn)
{
    EZ_VEC(struct analyze_run) run = { NULL, 0, 0 };
    ez_err *e = NULL;
    for (int first = 0, i = 0; i <= n && !e; i++) {
        if (i < n && strcmp(word[i], "vs"))
            continue;
        struct analyze_run r = { .name = first < i ? word[first] : NULL };
        if (!r.name)
            e = ez_err_new(EZ_E_ARG, 0, "\"vs\" needs runs on both sides");
        else
            e = fn(s, i - first, word + first, &r);
        if (!e)
            EZ_PUSH(&run, r);
        first = i + 1;
    }
    if (!e)
        scaling_print(s, run.at, run.n);
    EZ_VEC_FREE(&run);
    return e;
}
