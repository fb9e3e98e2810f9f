/* SPDX-License-Identifier: GPL-3.0-or-later */
/* budget.h - `set budget PERCENT`: which probes only count, so that recording does not take more of the
 * target's processor time than that (budget.c measures and switches, budget_plan.c chooses). */
#ifndef EZ_BUDGET_H
#define EZ_BUDGET_H

#include "engine/base/base.h"

#define EZ_BUDGET_ROOM 0.8 /* of the budget: throttled are so many that the others take no more   */
#define EZ_BUDGET_BACK 0.5 /* of the budget: a probe records again if all take no more than that, */
#define EZ_BUDGET_CALM 5u /* for so many rounds together, twice as many each time it is throttled */
#define EZ_BUDGET_TIMES 6 /* but not more often than that                                        */

/* One probe that records, in one round. */
struct ez_budget_row {
    double cost;    /* what recording its hits of the round takes, or would: in ns          */
    bool fixed;     /* it is never throttled                                                */
    bool throttled; /* now, and after ez_budget_plan(): from now on                         */
    unsigned calm;  /* rounds in which there was room for it; kept from round to round      */
    unsigned times; /* how often it was throttled                                           */
};
struct ez_budget_round {
    double cpu, wall; /* the processor time that the target used, and how long it took, in ns */
    double percent;   /* the budget; 0 = none                                               */
    double work;      /* found: processor time without recording                            */
};
/* A probe's cost in percent of the processor time, if these take `others` besides. */
double ez_budget_share(const struct ez_budget_round *r, double cost, double others);
/* Changes `throttled` of those rows for which it is time. */
void ez_budget_plan(struct ez_budget_round *r, struct ez_budget_row *row, size_t n);

#endif
