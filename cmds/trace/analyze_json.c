/* SPDX-License-Identifier: GPL-3.0-or-later */
/* analyze_json.c - `analyze -json`: all tables as one JSON object (analyze.h).
 * Tests: tests/trace/analyze.sh */
#include "cmds/trace/analyze.h"
#include "cmds/trace/stats.h"
#include "engine/base/json.h"
#include "shell/out.h"
#include "shell/sess.h"

static void json_thread(const struct analyze *v, struct ez_json *j, const char *key,
                        uint32_t thread)
{
    ez_json_add_text(
        j, key,
        thread == EZ_NONE_IDX ? NULL : v->m->container.at[v->a->thread[thread].container].name);
}

/* Adds the rank of the thread's process, null if it has none. */
static void json_rank(const struct analyze *v, struct ez_json *j, uint32_t thread)
{
    uint32_t rank =
        thread == EZ_NONE_IDX ? EZ_NO_RANK : v->m->container.at[v->a->thread[thread].process].rank;
    if (rank == EZ_NO_RANK)
        ez_json_add_raw(j, "rank", "null");
    else
        ez_json_add_uint(j, "rank", rank);
}

static void json_path(const struct analyze *v, struct ez_json *j, uint32_t path)
{
    EZ_FREE char *text = ez_analysis_path(v->a, path);
    ez_json_add_text(j, "path", text);
}

static void json_efficiency(const struct analyze *v, struct ez_json *j)
{
    const struct ez_efficiency *e = &v->a->eff;
    ez_json_next_line(j, 2);
    ez_json_begin(j, "efficiency", '{');
    ez_json_add_real(j, "parallel", e->parallel);
    ez_json_add_real(j, "mpi", e->mpi);
    ez_json_add_real(j, "load_balance", e->load_balance);
    ez_json_add_real(j, "communication", e->communication);
    ez_json_add_real(j, "serialisation", e->serialisation);
    ez_json_add_real(j, "transfer", e->transfer);
    ez_json_add_real(j, "threads", e->openmp);
    ez_json_add_real(j, "ran", e->ran);
    ez_json_end(j, '}');
}

static void json_threads(const struct analyze *v, struct ez_json *j)
{
    stats_json_rows_begin(j, "threads");
    for (uint32_t i = 0; i < v->a->threads; i++) {
        const struct ez_thread_row *t = &v->a->thread[i];
        stats_json_row(j);
        json_thread(v, j, "thread", i);
        json_rank(v, j, i);
        ez_json_add_bool(j, "mpi", t->mpi);
        ez_json_add_uint(j, "useful_ns", t->time[EZ_TIME_USEFUL]);
        ez_json_add_uint(j, "wait_ns", t->time[EZ_TIME_WAIT]);
        ez_json_add_uint(j, "mpi_ns", t->time[EZ_TIME_MPI]);
        ez_json_add_uint(j, "runtime_ns", t->time[EZ_TIME_RUNTIME]);
        ez_json_add_uint(j, "eztsh_ns", t->time[EZ_TIME_OURS]);
        ez_json_add_uint(j, "absent_ns", t->absent_ns);
        ez_json_add_uint(j, "outside_mpi_ns", t->outside_ns);
        ez_json_add_uint(j, "preempted_ns", t->preempted_ns);
        ez_json_add_uint(j, "slept_ns", t->slept_ns);
        ez_json_add_uint(j, "mpi_preempted_ns", t->mpi_preempted_ns);
        ez_json_end(j, '}');
    }
    stats_json_rows_end(j);
}

static void json_waits(const struct analyze *v, struct ez_json *j)
{
    stats_json_rows_begin(j, "waits");
    for (size_t i = 0; i < v->a->waits; i++) {
        const struct ez_wait_row *w = &v->a->wait[i];
        stats_json_row(j);
        ez_json_add_text(j, "pattern", ez_wait_name(w->kind));
        json_path(v, j, w->path);
        json_thread(v, j, "thread", w->thread);
        json_rank(v, j, w->thread);
        ez_json_add_uint(j, "count", w->count);
        ez_json_add_uint(j, "ns", w->ns);
        ez_json_add_uint(j, "longest_ns", w->longest_ns);
        ez_json_add_uint(j, "longest_start_ns", w->longest_start_ns);
        json_thread(v, j, "longest_cause", w->longest_cause);
        ez_json_end(j, '}');
    }
    stats_json_rows_end(j);
}

static void json_victims(const struct analyze *v, struct ez_json *j, const struct ez_cause_row *c)
{
    ez_json_begin(j, "waiting", '[');
    for (size_t i = 0; i < c->victims; i++) {
        ez_json_begin(j, NULL, '{');
        json_thread(v, j, "thread", c->victim[i].thread);
        json_rank(v, j, c->victim[i].thread);
        ez_json_add_text(j, "call",
                         c->victim[i].call == EZ_NONE_IDX ? NULL
                                                          : v->m->name.at[c->victim[i].call].text);
        ez_json_add_uint(j, "ns", (uint64_t)c->victim[i].ns);
        ez_json_end(j, '}');
    }
    ez_json_end(j, ']');
}

static void json_causes(const struct analyze *v, struct ez_json *j)
{
    stats_json_rows_begin(j, "paths");
    for (size_t i = 0; i < v->a->causes; i++) {
        const struct ez_cause_row *c = &v->a->cause[i];
        stats_json_row(j);
        json_path(v, j, c->path);
        json_thread(v, j, "thread", c->thread);
        json_rank(v, j, c->thread);
        ez_json_add_uint(j, "own_ns", c->own_ns);
        ez_json_add_uint(j, "mean_ns", c->mean_ns);
        ez_json_add_uint(j, "max_ns", c->max_ns);
        ez_json_add_uint(j, "delay_short_ns", (uint64_t)c->short_ns);
        ez_json_add_uint(j, "delay_long_ns", (uint64_t)c->long_ns);
        ez_json_add_int(j, "critical_ns", c->critical_ns);
        json_victims(v, j, c);
        ez_json_end(j, '}');
    }
    stats_json_rows_end(j);
}

static void json_collectives(const struct analyze *v, struct ez_json *j)
{
    stats_json_rows_begin(j, "collectives");
    for (size_t i = 0; i < v->a->collectives; i++) {
        const struct ez_collective_row *c = &v->a->collective[i];
        stats_json_row(j);
        ez_json_add_text(j, "call", v->m->name.at[c->name].text);
        ez_json_add_uint(j, "calls", c->calls);
        ez_json_add_uint(j, "bytes", c->bytes);
        ez_json_add_uint(j, "ns", c->ns);
        ez_json_add_uint(j, "wait_ns", c->wait_ns);
        ez_json_end(j, '}');
    }
    stats_json_rows_end(j);
}

void analyze_json(const struct analyze *v)
{
    const struct ez_analysis *a = v->a;
    struct ez_json j = { .text = NULL };
    ez_json_begin(&j, NULL, '{');
    ez_json_add_text(&j, "schema", "eztsh-analysis-1");
    ez_json_next_line(&j, 2);
    ez_json_add_uint(&j, "from_ns", a->from_ns);
    ez_json_add_uint(&j, "to_ns", a->to_ns);
    ez_json_add_uint(&j, "processor_ns", a->area_ns);
    ez_json_add_uint(&j, "ideal_ns", a->ideal_ns);
    ez_json_add_uint(&j, "ranks", a->mpi_processes);
    ez_json_add_uint(&j, "ranks_missing", a->missing);
    ez_json_next_line(&j, 2);
    ez_json_add_uint(&j, "unknown_cause_ns", (uint64_t)a->unknown_ns);
    ez_json_add_uint(&j, "backwards", a->backwards);
    ez_json_add_uint(&j, "backwards_ns", a->backwards_ns);
    ez_json_add_uint(&j, "unpaired", a->unpaired);
    ez_json_add_bool(&j, "events_lost", a->lost);
    json_efficiency(v, &j);
    json_threads(v, &j);
    json_waits(v, &j);
    json_causes(v, &j);
    json_collectives(v, &j);
    ez_json_next_line(&j, 0);
    ez_json_end(&j, '}');
    out_json(v->s, &j);
}
