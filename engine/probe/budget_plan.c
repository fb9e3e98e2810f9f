/* SPDX-License-Identifier: GPL-3.0-or-later */
/* budget_plan.c - chooses the probes to throttle, from the numbers of a round only (budget.h).
 *
 * WORK. The processor time consists of the target's work and the cost of the recording probes. A
 * throttled probe costs nothing, and the target makes more calls in the same time. So the share of
 * a set of probes is their cost relative to the work plus that cost. The work is assumed to be at
 * least 1 % of a processor, so that a few hits in a sleeping target do not count as load.
 *
 * NO OSCILLATION. Above the budget, probes are throttled at once, the costliest first, until the
 * other probes use at most the share EZ_BUDGET_ROOM of the budget. A probe records again after
 * EZ_BUDGET_CALM rounds in which the recording probes together with it would have used at most the
 * share EZ_BUDGET_BACK. The number of rounds doubles each time the probe is throttled, because its
 * load varies.
 *
 * Tests: tests/unit/probe/check_budget.c */
#include "engine/probe/budget.h"

/* Minimum of the assumed work, as shares of the processor time and of the round's length. Costs are
 * estimates, and their sum may exceed the processor time. */
#define WORK_LEAST_OF_CPU 0.02
#define WORK_LEAST_OF_WALL 0.01

double ez_budget_share(const struct ez_budget_round *r, double cost, double others)
{
    double all = r->work + cost + others;
    return all > 0 ? 100 * cost / all : 0;
}

static double budget_recording(const struct ez_budget_row *row, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += row[i].throttled ? 0 : row[i].cost;
    return sum;
}

static struct ez_budget_row *budget_costliest(struct ez_budget_row *row, size_t n)
{
    struct ez_budget_row *most = NULL;
    for (size_t i = 0; i < n; i++)
        if (!row[i].throttled && !row[i].fixed && row[i].cost > 0 &&
            (!most || row[i].cost > most->cost))
            most = &row[i];
    return most;
}

static void budget_throttle(const struct ez_budget_round *r, struct ez_budget_row *row, size_t n)
{
    double sum = budget_recording(row, n);
    while (ez_budget_share(r, sum, 0) > r->percent * EZ_BUDGET_ROOM) {
        struct ez_budget_row *most = budget_costliest(row, n);
        if (!most)
            return;
        most->throttled = true;
        most->calm = 0;
        most->times += most->times < EZ_BUDGET_TIMES;
        sum -= most->cost;
    }
}

static bool budget_is_calm(const struct ez_budget_row *p)
{
    return p->calm >= EZ_BUDGET_CALM << (p->times ? p->times - 1 : 0);
}

/* Lets throttled probes record again, the cheapest first. For a probe that does not fit into the
 * budget, the rounds are counted anew. */
static void budget_restore(const struct ez_budget_round *r, struct ez_budget_row *row, size_t n)
{
    double sum = budget_recording(row, n), last = -1;
    for (;;) {
        double next = -1;
        for (size_t i = 0; i < n; i++)
            if (row[i].throttled && row[i].cost > last && (next < 0 || row[i].cost < next))
                next = row[i].cost;
        if (next < 0)
            return;
        for (size_t i = 0; i < n; i++) {
            struct ez_budget_row *p = &row[i];
            if (!p->throttled || p->cost != next)
                continue;
            bool room = ez_budget_share(r, sum + p->cost, 0) <= r->percent * EZ_BUDGET_BACK;
            /* p's cost is reserved in the sum even while p still waits */
            sum += room ? p->cost : 0;
            p->calm = room ? p->calm + 1 : 0;
            p->throttled = !budget_is_calm(p);
        }
        last = next;
    }
}

void ez_budget_plan(struct ez_budget_round *r, struct ez_budget_row *row, size_t n)
{
    double sum = budget_recording(row, n);
    r->work =
        EZ_MAX(r->cpu - sum, EZ_MAX(r->cpu * WORK_LEAST_OF_CPU, r->wall * WORK_LEAST_OF_WALL));
    if (r->percent <= 0) {
        for (size_t i = 0; i < n; i++)
            row[i].throttled = false;
        return;
    }
    if (ez_budget_share(r, sum, 0) > r->percent)
        budget_throttle(r, row, n);
    else
        budget_restore(r, row, n);
}
