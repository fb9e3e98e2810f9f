/* SPDX-License-Identifier: GPL-3.0-or-later */
/* probe_list.c - the list of probes and rules: creates, numbers, finds and frees them. probe.c has
 * the operations on probes.
 * Tests: tests/e2e/probes.ezt */
#include "engine/target.h"
#include "engine/probe/act.h"
#include "engine/probe/coverage.h"
#include "engine/probe/filter.h"
#include "engine/probe/probe_list.h"

#include <stdlib.h>

int ez_probe_number(struct ez_target *t)
{
    return t->probes.next_number++;
}

void ez_probe_number_from(struct ez_target *t, int number)
{
    t->probes.next_number = EZ_MAX(t->probes.next_number, number);
}

void ez_probe_keep(struct ez_target *t, struct ez_probe *p)
{
    EZ_PUSH(&t->probes.probe, p);
}

void ez_rule_keep(struct ez_target *t, const struct ez_rule *rule)
{
    EZ_PUSH(&t->probes.rule, *rule);
    struct ez_rule *r = &t->probes.rule.at[t->probes.rule.n - 1];
    r->serial = r->serial ? r->serial : (unsigned)ez_probe_family(t);
}

void ez_rule_free(struct ez_rule *rule)
{
    ez_probe_spec_free(&rule->spec);
}

int ez_probe_family(struct ez_target *t)
{
    return ++t->probes.families;
}

void ez_probe_copy_of(struct ez_target *t, struct ez_probe *p, int family)
{
    p->family = family;
    p->copy = t->probes.copied = true;
}

struct ez_probe *ez_probe_new(struct ez_target *t, const struct ez_probe_spec *spec)
{
    struct ez_probe *p = ez_alloc(sizeof *p);
    p->number = ez_probe_number(t);
    p->family = ez_probe_family(t);
    ez_probe_spec_copy(&p->spec, spec);
    ez_err_drop(ez_act_parse(p->spec.action, &p->act)); /* ez_probe_add() has checked the action */
    p->site = p->clause = p->table = p->gate = p->act_site = -1;
    if (p->spec.fragment.places)
        p->place = ez_alloc(4ul * p->spec.fragment.places * sizeof *p->place);
    if (p->spec.tracepoint) {
        p->gate = EZ_GATE_TSTART;
        p->gate_shut = !t->probes.tracepoints.running;
    }
    ez_filter_renew(t, p);
    ez_probe_keep(t, p);
    return p;
}

struct ez_probe *ez_probe_numbered(const struct ez_target *t, int number)
{
    for (size_t i = 0; i < t->probes.probe.n; i++)
        if (t->probes.probe.at[i]->number == number)
            return t->probes.probe.at[i];
    return NULL;
}

bool ez_probe_records(const struct ez_probe *p)
{
    return p->spec.record && !p->budget.throttled;
}

bool ez_spec_has_request(const struct ez_probe_spec *s)
{
    return s->cond || s->collect || s->leave || s->adds || ez_filter_has_request(&s->filter);
}

bool ez_probe_has_request(const struct ez_probe *p)
{
    return p->gate >= 0 || p->spec.fragment.spec || p->spec.action || p->spec.print ||
           ez_spec_has_request(&p->spec);
}

bool ez_probes_any_pending(struct ez_target *t)
{
    for (size_t i = 0; i < t->probes.probe.n; i++)
        if (t->probes.probe.at[i]->state == EZ_PROBE_PENDING &&
            !t->probes.probe.at[i]->user_disabled && !t->probes.probe.at[i]->held)
            return true;
    return t->probes.rule.n > 0;
}

void ez_probe_free(struct ez_probe *p)
{
    ez_probe_spec_free(&p->spec);
    free(p->reason);
    free(p->help);
    free(p->missing);
    free(p->place);
    ez_addup_free(&p->added);
    free(p->object_path);
    free(p->function);
    free(p->library);
    free(p->file);
    free(p);
}

void ez_probe_forget_places(struct ez_probe *p, bool all)
{
    const size_t n = 2ul * p->spec.fragment.places;
    if (n)
        memset(p->place + (all ? 0 : n), 0, (all ? 2 : 1) * n * sizeof *p->place);
}

int ez_replaced_by(const struct ez_target *t, int site)
{
    for (size_t i = 0; i < t->probes.probe.n; i++)
        if (t->probes.probe.at[i]->spec.with && t->probes.probe.at[i]->site == site)
            return t->probes.probe.at[i]->number;
    return 0;
}

void ez_probe_reason(struct ez_probe *p, const char *text)
{
    free(p->reason);
    p->reason = text ? ez_strdup(text) : NULL;
    p->what = 0;
    p->why = EZ_REFUSE_OTHER;
}

void ez_probe_refuse(struct ez_probe *p, ez_err *e)
{
    p->state = EZ_PROBE_REFUSED;
    ez_probe_reason(p, e->msg);
    p->what = e->what;
    p->why = e->why;
    free(p->help);
    p->help = e->hint;
    e->hint = NULL;
    ez_err_free(e);
}

void ez_probes_forget(struct ez_target *t)
{
    for (size_t i = 0; i < t->probes.probe.n; i++)
        ez_probe_free(t->probes.probe.at[i]);
    for (size_t i = 0; i < t->probes.rule.n; i++)
        ez_rule_free(&t->probes.rule.at[i]);
    t->probes.probe.n = t->probes.rule.n = 0;
    t->probes.next_number = 1;
}

void ez_probes_keepable(const struct ez_target *t, unsigned *n, unsigned *kept)
{
    *n = (unsigned)(t->probes.probe.n + t->probes.rule.n);
    *kept = 0;
    for (size_t i = 0; i < t->probes.probe.n; i++) {
        const struct ez_probe *p = t->probes.probe.at[i];
        *kept += p->state == EZ_PROBE_ARMED && !p->user_disabled && !ez_probe_has_request(p);
    }
}

void ez_probes_free(struct ez_target *t)
{
    ez_probes_forget(t);
    EZ_VEC_FREE(&t->probes.probe);
    EZ_VEC_FREE(&t->probes.rule);
    EZ_VEC_FREE(&t->probes.semaphore);
    EZ_VEC_FREE(&t->probes.break_semaphore);
    ez_hash_free(&t->probes.standing);
    ez_filter_callers_forget(t);
    ez_cover_free(t);
}
