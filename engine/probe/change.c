/* SPDX-License-Identifier: GPL-3.0-or-later */
/* change.c - changes the request of a probe at the user's command, and disables probes that have
 * reached a limit (filter.c). A probe with a changed request leaves its site and joins it again
 * with another clause, in one stop, so no hit is missed, and the probe's counts continue. This file
 * also adds probes, because the action of a new probe may enable or disable an existing probe,
 * which then needs a gate.
 * Tests: tests/procs/filters.sh */
#include "engine/target.h"
#include "engine/inferior/image.h"
#include "engine/inferior/queue.h"
#include "engine/inferior/stop.h"
#include "engine/patch/clause.h"
#include "engine/probe/act.h"
#include "engine/probe/clause.h"
#include "engine/probe/filter.h"
#include "engine/probe/probe_list.h"
#include "engine/probe/transact.h"

#include <stdlib.h>

/* ---- changes -------------------------------------------------------------------------------- */

/* Reduces `ignore` and `passcount` by the hits so far, because the probe's new clause counts from
 * 0. */
static void change_save_turns(struct ez_target *t, struct ez_probe *p)
{
    struct ez_probe_filter *f = &p->spec.filter;
    struct ez_clause_counts now;
    if (p->state != EZ_PROBE_ARMED || p->clause < 0)
        return;
    ez_probe_counts(t, p, &now);
    uint64_t ignored = EZ_MIN(now.turns, f->ignore), used = now.turns - ignored;
    f->ignore -= ignored;
    /* at least 1 remains, because 0 means no limit; a probe at its limit is disabled soon */
    if (f->passcount)
        f->passcount -= EZ_MIN(used, f->passcount - 1);
}

/* If the probe is planted, makes it leave its site and join it again with its present request. The
 * target must be stopped. */
static ez_err *change_rejoin(struct ez_target *t, struct ez_probe *p)
{
    if (p->state != EZ_PROBE_ARMED)
        return NULL;
    EZ_TRY(ez_probe_switch(t, &p, 1, false));
    EZ_TRY(ez_probe_switch(t, &p, 1, true));
    if (p->state == EZ_PROBE_ARMED)
        return NULL;
    return ez_err_new(EZ_E_REFUSED, 0, "Probe %d is no longer planted: %s", p->number,
                      p->reason ? p->reason : "it was refused");
}

struct change {
    const char *cond, *collect;
    const uint64_t *ignore, *passcount;
};

/* Changes the probe's request. If the new request is invalid, the probe still has the old one. The
 * target must be stopped. */
static ez_err *change_apply(struct ez_target *t, struct ez_probe *p, const struct change *c)
{
    struct ez_probe_spec was = p->spec, now;
    change_save_turns(t, p);
    now = p->spec;
    if (c->cond)
        now.cond = c->cond;
    if (c->collect)
        now.collect = c->collect;
    if (c->ignore)
        now.filter.ignore = *c->ignore;
    if (c->passcount)
        now.filter.passcount = *c->passcount;
    ez_probe_spec_copy(&p->spec, &now);
    ez_err *e = ez_probe_check_request(t, p);
    struct ez_probe_spec unused = e ? p->spec : was;
    if (e)
        p->spec = was;
    ez_probe_spec_free(&unused);
    if (e)
        return e;
    uint64_t planted = p->planted;
    ez_filter_renew(t, p);
    p->planted = planted;
    return change_rejoin(t, p);
}

static ez_err *change_number(struct ez_target *t, int number, const struct change *c)
{
    struct ez_probe *p = ez_probe_numbered(t, number);
    enum ez_state was;
    EZ_TRY(ez_hand_none(t));
    if (!p)
        return ez_err_new(EZ_E_NOTFOUND, 0, "No probe number %d", number);
    if (p->spec.with)
        return ez_err_new(EZ_E_ARG, 0,
                          "Number %d is a replacement, which has no condition and no counts",
                          number);
    if (t->inf.state == EZ_NONE)
        return change_apply(t, p, c);
    EZ_TRY(ez_world_stop(t, &was));
    ez_err *e = change_apply(t, p, c);
    return ez_err_first(e, ez_world_resume(t, was));
}

ez_err *ez_probe_condition(struct ez_target *t, int number, const char *cond)
{
    return change_number(t, number, &(struct change){ .cond = cond });
}

ez_err *ez_probe_collect_items(struct ez_target *t, int number, const char *items)
{
    return change_number(t, number, &(struct change){ .collect = items });
}

ez_err *ez_probe_turns(struct ez_target *t, int number, const uint64_t *ignore,
                       const uint64_t *passcount)
{
    return change_number(t, number, &(struct change){ .ignore = ignore, .passcount = passcount });
}

/* ---- probes that switch others --------------------------------------------------------------- */

/* Allocates a gate for p, so that actions can enable and disable p. The gate is open if p is
 * enabled. A planted p leaves its site and joins it again, because its clause changes; a disabled p
 * is planted with its gate shut. */
static ez_err *change_gate(struct ez_target *t, struct ez_probe *p)
{
    bool off = p->state == EZ_PROBE_DISABLED, on = p->state == EZ_PROBE_ARMED;
    if (p->gate >= 0 && !off)
        return NULL;
    if (p->gate < 0 && t->probes.ngates == EZ_GATE_TSTART)
        return ez_err_new(EZ_E_LIMIT, 0,
                          "At most %d probes can be enabled and disabled by other probes",
                          EZ_GATE_TSTART);
    if (on)
        EZ_TRY(ez_probe_switch(t, &p, 1, false));
    int was = p->gate;
    if (was < 0)
        p->gate = (int)t->probes.ngates++;
    ez_gate_set(t, p, on || (!off && p->state == EZ_PROBE_PENDING));
    ez_err *e = on || off ? ez_probe_switch(t, &p, 1, true) : NULL;
    if (!e && (on || off) && p->state == EZ_PROBE_REFUSED)
        e = ez_err_new(EZ_E_REFUSED, 0,
                       "Probe %d cannot be enabled and disabled by another probe: %s", p->number,
                       p->reason);
    return e;
}

/* Checks the probe that the action enables or disables, and allocates its gate. */
static ez_err *change_prepare(struct ez_target *t, const struct ez_act *act)
{
    if (act->kind != EZ_ACT_ENABLE && act->kind != EZ_ACT_DISABLE)
        return NULL;
    struct ez_probe *p = ez_probe_numbered(t, act->number);
    if (!p)
        return ez_err_new(EZ_E_NOTFOUND, 0, "No probe number %d", act->number);
    if (p->spec.with)
        return ez_err_new(EZ_E_ARG, 0,
                          "Number %d is a replacement, which a probe cannot enable or disable",
                          act->number);
    if (p->spec.tracepoint)
        return ez_err_new(
            EZ_E_ARG, 0,
            "Number %d is a tracepoint: only \"tstart\" and \"tstop\" switch it on and off",
            act->number);
    return change_gate(t, p);
}

ez_err *ez_probe_add(struct ez_target *t, const struct ez_probe_spec *spec, int *first, int *n)
{
    struct ez_act act;
    EZ_TRY(ez_need_strategy());
    EZ_TRY(ez_filter_check(spec));
    EZ_TRY(ez_act_parse(spec->action, &act));
    EZ_TRY(change_prepare(t, &act));
    return ez_probe_make(t, spec, first, n);
}

/* ---- limits that are reached ---------------------------------------------------------------- */

static const char *change_why(struct ez_target *t, const struct ez_probe *p)
{
    const struct ez_probe_filter *f = &p->spec.filter;
    struct ez_clause_counts now;
    ez_probe_counts(t, p, &now);
    if (f->passcount && now.turns >= f->ignore + f->passcount)
        return "its passcount is reached";
    return f->max_bytes && !f->for_ns ? "its limit of trace bytes (-max) is reached"
           : !f->max_bytes
               ? "its time (-for) is over"
               : "its time (-for) is over, or its limit of trace bytes (-max) is reached";
}

ez_err *ez_filters_spent(struct ez_target *t)
{
    EZ_VEC(struct ez_probe *) v = { 0 };
    for (size_t i = 0; i < t->probes.probe.n; i++) {
        struct ez_probe *p = t->probes.probe.at[i];
        struct ez_clause_counts now;
        if (p->state != EZ_PROBE_ARMED || p->clause < 0 || !p->serial)
            continue;
        ez_probe_counts(t, p, &now);
        if (!now.spent)
            continue;
        ez_post_note(t, "%s %d is disabled: %s.", p->spec.tracepoint ? "Tracepoint" : "Probe",
                     p->number, change_why(t, p));
        p->spent = true;
        if (p->spec.tracepoint)
            ez_tstop_by(t, p->number);
        EZ_PUSH(&v, p);
    }
    ez_err *e = v.n ? ez_probe_switch(t, v.at, v.n, false) : NULL;
    EZ_VEC_FREE(&v);
    return e;
}
