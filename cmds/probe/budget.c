/* SPDX-License-Identifier: GPL-3.0-or-later */
/* budget.c - sets the budget for recording (budget.h). Tests: tests/procs/budget.sh */
#include "cmds/probe/budget.h"

#include "cmds/probe/cost.h"
#include "shell/out.h"
#include "shell/sess.h"

/* Measures the cost of recording a hit beyond counting it, on this machine. */
static ez_err *budget_measure_hit(struct ez_sess *s)
{
    struct ez_settings *set = ez_settings(s->target);
    struct ez_cost c;
    ez_err *e = cost_measure(s, &c);
    if (e && e->code == EZ_E_QUIT)
        return e;
    if (e)
        out_line(s, "The cost of recording is estimated, not measured: %s.", e->msg);
    else
        set->budget_hit_ns = EZ_MAX((c.ns[EZ_COST_RECORD_BOTH] - c.ns[EZ_COST_COUNT_BOTH]) / 2, 1.);
    ez_err_free(e);
    return NULL;
}

ez_err *budget_set(struct ez_sess *s, unsigned percent)
{
    if (percent && ez_settings(s->target)->budget_hit_ns <= 0)
        EZ_TRY(budget_measure_hit(s));
    ez_settings(s->target)->budget = percent;
    return ez_budget_changed(s->target);
}
