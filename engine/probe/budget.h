/* SPDX-License-Identifier: GPL-3.0-or-later */
/* budget.h - "set budget PERCENT": throttles probes (they only count), so that recording uses at
 * most PERCENT of the target's processor time (budget.c measures and switches, budget_plan.c
 * chooses). */
#ifndef EZ_BUDGET_H
#define EZ_BUDGET_H

#include "engine/base/base.h"

#define EZ_BUDGET_ROOM 0.8 /* throttling reduces the cost to this share of the budget */
/* A throttled probe records again if the cost with it would be at most the share EZ_BUDGET_BACK of
 * the budget, for EZ_BUDGET_CALM rounds in a row. The number of rounds doubles each time the probe
 * is throttled, at most EZ_BUDGET_TIMES - 1 times. */
#define EZ_BUDGET_BACK 0.5
#define EZ_BUDGET_CALM 5u
#define EZ_BUDGET_TIMES 6

/* The data of one round about a probe that records or is throttled. */
struct ez_budget_row {
    /* processor time in ns that recording the round's hits costs or, while throttled, would cost */
    double cost;
    bool fixed;     /* never throttled */
    bool throttled; /* in: throttled in the round; out: throttled from now on */
    /* number of rounds in a row in which the budget had room for the probe; kept between rounds */
    unsigned calm;
    unsigned times; /* number of times that the probe was throttled, EZ_BUDGET_TIMES at most */
};
struct ez_budget_round {
    /* cpu: processor time of the target in the round, in ns; wall: length of the round in ns */
    double cpu, wall;
    double percent; /* the budget; 0: none */
    double work;    /* out: processor time in ns, without the cost of recording */
};
/* Returns the share of a probe with this cost (ns) in the processor time, in percent, if the other
 * recording probes cost `others` ns. */
double ez_budget_share(const struct ez_budget_round *r, double cost, double others);
/* Decides which probes are throttled from now on, and sets `throttled`, `calm` and `times` of the
 * rows. */
void ez_budget_plan(struct ez_budget_round *r, struct ez_budget_row *row, size_t n);

#endif
