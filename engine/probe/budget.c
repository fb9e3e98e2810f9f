/* SPDX-License-Identifier: GPL-3.0-or-later */
/* budget.c - "set budget PERCENT": measures the cost of probes, and throttles the most expensive
 * ones, which then only count.
 *
 * The drain thread wakes the main thread every EZ_ROUND_NS (ez_drain_want_rounds()), which compares
 * the counters with those of the previous round. A probe's cost is its number of hits times the
 * cost of recording a hit (measured by the program of "info cost" when the budget is set, otherwise
 * HIT_NS), relative to the processor time of the process in the round. budget_plan.c chooses the
 * probes.
 *
 * A throttled probe leaves its site and joins it again without EZ_ROW_REC_*, in one stop, so no hit
 * is missed. Its hits are counted under an id that does not record, and appear as filtered in the
 * accounting. The exit of a call is recorded if and only if its entry was recorded. A probe is
 * never throttled if it does more than record, has a filter, or is enabled and disabled by other
 * probes.
 * Tests: tests/procs/budget.sh, tests/unit/probe/check_budget.c */
#include "engine/probe/budget.h"

#include <stdio.h>
#include <stdlib.h>

#include "engine/target.h"
#include "engine/inferior/queue.h"
#include "engine/inferior/stop.h"
#include "engine/probe/carry.h"

#define HIT_NS 15.0 /* ns that recording a hit takes in addition to counting it, if not measured */
/* Minimum length of a round in ms: the main thread also wakes for other reasons. */
#define ROUND_LEAST_MS 50

/* ---- measuring ------------------------------------------------------------------------------ */

static bool budget_counts(const struct ez_probe *p)
{
    return p->state == EZ_PROBE_ARMED && p->spec.record && !p->spec.with && p->site >= 0;
}

static bool budget_is_fixed(const struct ez_probe *p)
{
    return p->gate >= 0 || p->serial || p->spec.tracepoint || p->spec.adds || p->spec.action ||
           p->spec.print;
}

/* Returns the number of the probe's hits since the last call. */
static uint64_t budget_hits(struct ez_target *t, struct ez_probe *p)
{
    ez_probe_collect(t, p);
    uint64_t now = p->entries + p->exits, was = EZ_MIN(p->budget.seen, now);
    p->budget.seen = now;
    return now - was;
}

struct budget_look {
    EZ_VEC(struct ez_probe *) probe;
    EZ_VEC(struct ez_budget_row) row;
    EZ_VEC(uint64_t) hits;
    struct ez_budget_round round;
};

static void budget_free(struct budget_look *l)
{
    EZ_VEC_FREE(&l->probe);
    EZ_VEC_FREE(&l->row);
    EZ_VEC_FREE(&l->hits);
}

/* Measures the round since the last call into *l. Returns false if there was no earlier call in
 * this process to compare with. */
static bool budget_measure(struct ez_target *t, struct budget_look *l)
{
    double now = ez_now_exact(), cpu = ez_process_cpu_ns(t->inf.pid), each = t->set.budget_hit_ns;
    struct ez_budget *b = &t->probes.budget;
    bool first = !b->at_ms || cpu < b->cpu_ns;
    l->round = (struct ez_budget_round){ .cpu = cpu - b->cpu_ns,
                                         .wall = (now - b->at_ms) * 1e6,
                                         .percent = t->set.budget };
    for (size_t i = 0; i < t->probes.probe.n; i++) {
        struct ez_probe *p = t->probes.probe.at[i];
        bool fresh = !p->budget.known;
        if (!budget_counts(p))
            continue;
        uint64_t hits = budget_hits(t, p);
        p->budget.known = true;
        hits = fresh ? 0 : hits;
        EZ_PUSH(&l->probe, p);
        EZ_PUSH(&l->hits, hits);
        EZ_PUSH(&l->row, ((struct ez_budget_row){ .cost = (double)hits * (each > 0 ? each : HIT_NS),
                                                  .fixed = budget_is_fixed(p),
                                                  .throttled = p->budget.throttled,
                                                  .calm = p->budget.calm,
                                                  .times = p->budget.times }));
    }
    b->at_ms = now;
    b->cpu_ns = cpu;
    return !first;
}

/* ---- switching ------------------------------------------------------------------------------ */

static const char *budget_number(double n, char *out, size_t size)
{
    const char *unit = n >= 1e6 ? " M" : n >= 1e3 ? " k" : "";
    snprintf(out, size, "%.*f%s", *unit ? 1 : 0, n / (n >= 1e6 ? 1e6 : n >= 1e3 ? 1e3 : 1), unit);
    return out;
}

static void budget_notify(struct ez_target *t, const struct budget_look *l, size_t i, double others)
{
    const struct ez_probe *p = l->probe.at[i];
    double share = ez_budget_share(&l->round, l->row.at[i].cost, others - l->row.at[i].cost);
    char rate[32];
    if (p->budget.throttled)
        ez_post_note(t,
                     "Probe %d (%s) is throttled: %s hits/s would cost %.*f %% of the processor "
                     "time, the budget is %u %%.",
                     p->number, p->function,
                     budget_number((double)l->hits.at[i] * 1e9 / l->round.wall, rate, sizeof rate),
                     share < 10, share, t->set.budget);
    else
        ez_post_note(t, "Probe %d (%s) records again.", p->number, p->function);
}

/* Makes the n probes leave their sites and join them again, throttled if budget.desired is true.
 * The target must be stopped. */
static ez_err *budget_rejoin(struct ez_target *t, struct ez_probe **p, size_t n)
{
    EZ_TRY(ez_probe_switch(t, p, n, false)); /* this also clears `throttled` */
    for (size_t i = 0; i < n; i++)
        p[i]->budget.throttled = p[i]->budget.desired;
    return ez_probe_switch(t, p, n, true);
}

/* Throttles probes again that were refused when they were to record again, because another probe
 * with a condition or data records the function now. */
static ez_err *budget_rejoin_refused(struct ez_target *t, struct ez_probe **p, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (p[i]->state != EZ_PROBE_REFUSED || p[i]->budget.desired)
            continue;
        p[i]->budget.throttled = p[i]->budget.desired = true;
        p[i]->budget.calm = 0;
        p[i]->budget.times = EZ_BUDGET_TIMES;
        ez_post_note(t, "Probe %d (%s) only counts from now on: %s.", p[i]->number, p[i]->function,
                     p[i]->reason ? p[i]->reason : "recording was refused");
        EZ_TRY(ez_probe_switch(t, &p[i], 1, true));
    }
    return NULL;
}

static ez_err *budget_switch(struct ez_target *t, struct ez_probe **p, size_t n)
{
    enum ez_state was;
    EZ_TRY(ez_world_stop(t, &was));
    ez_err *e = t->inf.state == EZ_NONE ? NULL : budget_rejoin(t, p, n);
    if (!e && t->inf.state != EZ_NONE)
        e = budget_rejoin_refused(t, p, n);
    return ez_err_first(e, ez_world_resume(t, was));
}

/* Throttles probes, or lets them record again, as the rows say, and posts a note for each
 * change. */
static ez_err *budget_carry_out(struct ez_target *t, struct budget_look *l)
{
    EZ_VEC(struct ez_probe *) v = { 0 };
    EZ_VEC(size_t) row = { 0 }; /* for each element of v, its row's index */
    double all = 0;
    for (size_t i = 0; i < l->row.n; i++) {
        struct ez_probe_budget *b = &l->probe.at[i]->budget;
        all += b->throttled ? 0 : l->row.at[i].cost;
        b->calm = l->row.at[i].calm;
        b->times = l->row.at[i].times;
        b->desired = l->row.at[i].throttled;
        if (b->desired == b->throttled)
            continue;
        EZ_PUSH(&v, l->probe.at[i]);
        EZ_PUSH(&row, i);
    }
    ez_err *e = v.n ? budget_switch(t, v.at, v.n) : NULL;
    for (size_t i = 0; i < v.n && t->inf.state != EZ_NONE; i++)
        if (v.at[i]->budget.desired == l->row.at[row.at[i]].throttled &&
            v.at[i]->state == EZ_PROBE_ARMED)
            budget_notify(t, l, row.at[i], all);
    EZ_VEC_FREE(&row);
    EZ_VEC_FREE(&v);
    return e;
}

ez_err *ez_budget_look(struct ez_target *t)
{
    struct ez_budget *b = &t->probes.budget;
    bool runs = t->inf.state != EZ_STOPPED && t->inf.state != EZ_NONE && t->rt.up;
    if (!runs)
        b->at_ms = 0; /* a round in which the target was stopped is not measured */
    if (!t->set.budget || !runs || (b->at_ms && ez_now_exact() - b->at_ms < ROUND_LEAST_MS))
        return NULL;
    EZ_CLEANUP(budget_free) struct budget_look l = { 0 };
    if (!budget_measure(t, &l))
        return NULL;
    ez_budget_plan(&l.round, l.row.at, l.row.n);
    return budget_carry_out(t, &l);
}

ez_err *ez_budget_release(struct ez_target *t)
{
    EZ_CLEANUP(budget_free) struct budget_look l = { 0 };
    t->probes.budget.at_ms = 0;
    if (t->inf.state == EZ_NONE || !t->rt.up)
        return NULL;
    budget_measure(t, &l);
    t->probes.budget.at_ms = 0;
    l.round.percent = 0;
    ez_budget_plan(&l.round, l.row.at, l.row.n);
    return budget_carry_out(t, &l);
}

ez_err *ez_budget_changed(struct ez_target *t)
{
    if (t->tracing.drain)
        ez_drain_want_rounds(t->tracing.drain, t->set.budget != 0);
    return t->set.budget ? NULL : ez_budget_release(t);
}
