/* SPDX-License-Identifier: GPL-3.0-or-later */
/* budget.h - "set budget PERCENT": throttles probes (they only count), so that recording uses at
 * most PERCENT of the target's processor time (budget.c measures and switches, budget_plan.c
 * chooses). */
#ifndef EZ_BUDGET_H
#define EZ_BUDGET_H

#include "engine/base/base.h"

#define EZ_BUDGET_ROOM 0.8 /* share of the budget to which throttling reduces the cost */
/* Share of the budget: a probe records again if all probes use no more than this, for
 * EZ_BUDGET_CALM rounds in a row. The number of rounds doubles each time the probe is throttled, up
 * to EZ_BUDGET_TIMES times. */
#define EZ_BUDGET_BACK 0.5
#define EZ_BUDGET_CALM 5u
#define EZ_BUDGET_TIMES 6

/* A probe that records or is throttled, in one round. */
struct ez_budget_row {
    double cost;    /* ns that recording the round's hits costs, or would cost */
    bool fixed;     /* never throttled */
    bool throttled; /* throttled now; after ez_budget_plan(): throttled from now on */
    unsigned calm;  /* rounds in which there was room for the probe; kept between rounds */
    unsigned times; /* number of times the probe was throttled */
};
struct ez_budget_round {
    double cpu, wall; /* ns of processor time that the target used; length of the round in ns */
    double percent;   /* the budget; 0: none */
    double work;      /* result: processor time in ns without recording */
};
/* Returns a probe's cost in percent of the processor time, if the other probes cost `others` ns. */
double ez_budget_share(const struct ez_budget_round *r, double cost, double others);
/* Decides which probes are throttled from now on, and sets `throttled`, `calm` and `times` of the
 * rows. */
void ez_budget_plan(struct ez_budget_round *r, struct ez_budget_row *row, size_t n);

#endif
