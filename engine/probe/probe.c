/* SPDX-License-Identifier: GPL-3.0-or-later */
/* probe.c - the life of probes: adding, enabling, disabling, deleting, listing.
 *
 * LIFE CYCLE
 *   PENDING -> ARMED <-> DISABLED        REFUSED (with the reason)     LOST
 *   A probe outlives the process. When a process ends, or execs, its probes are PENDING again, and
 *   are planted in the next process. All probes on a function share one *site* (the bytes at an
 *   address). Each probe has a request to its site, and the site gets the patch that all requests
 *   together need (carry.c). A probe's hits are the hits of its site or clause while the probe is
 *   planted.
 *
 * arm.c plants probes; resolve.c finds their addresses.
 * Tests: tests/e2e/probes.ezt, tests/unit/patch/check_refused.c */
#include "engine/target.h"
#include "engine/inferior/progress.h"
#include "engine/inferior/image.h"
#include "engine/inferior/modules.h"
#include "engine/inferior/queue.h"
#include "engine/inferior/stop.h"
#include "engine/patch/clause.h"
#include "engine/patch/trap.h"
#include "engine/patch/variant.h"
#include "engine/probe/act.h"
#include "engine/probe/arm.h"
#include "engine/probe/carry.h"
#include "engine/probe/bulk.h"
#include "engine/probe/clause.h"
#include "engine/probe/coverage.h"
#include "engine/probe/filter.h"
#include "engine/probe/probe_list.h"
#include "engine/probe/resolve.h"
#include "engine/probe/solib.h"
#include "engine/probe/stap.h"
#include "engine/probe/transact.h"
#include "engine/probe/unwind.h"

#include <stdio.h>
#include <string.h>

/* Drops p if it is the newest probe. Its number is then used again. */
static void probe_unmake(struct ez_target *t, struct ez_probe *p)
{
    if (t->probes.probe.n && t->probes.probe.at[t->probes.probe.n - 1] == p) {
        t->probes.probe.n--;
        t->probes.next_number--;
        ez_probe_free(p);
    }
}

/* ---- adding ---------------------------------------------------------------------------------- */

static ez_err *probe_arm_new(struct ez_target *t, size_t from)
{
    enum ez_state was;
    EZ_TRY(ez_world_stop(t, &was));
    ez_progress_begin(t);
    ez_err *e =
        ez_progress_end(t, ez_probes_arm(t, t->probes.probe.at + from, t->probes.probe.n - from));
    ez_err *r = ez_world_resume(t, was);
    return ez_err_first(e, r);
}

/* Drops the refused and lost probes from index `from` on. Returns an error with the first reason,
 * or NULL if none was dropped. first: the next probe's number if no probe remains. */
static ez_err *probe_drop_refused(struct ez_target *t, size_t from, int first)
{
    ez_err *e = NULL;
    size_t k = from;
    for (size_t i = from; i < t->probes.probe.n; i++) {
        struct ez_probe *p = t->probes.probe.at[i];
        if (p->state != EZ_PROBE_REFUSED && p->state != EZ_PROBE_LOST) {
            t->probes.probe.at[k++] = p;
            continue;
        }
        if (!e)
            e = ez_err_new(EZ_E_REFUSED, 0, "Cannot %s %s: %s", p->spec.with ? "replace" : "probe",
                           *p->function ? p->function : p->spec.location, p->reason);
        if (e && !e->hint && p->help)
            e = ez_err_hint(e, "%s", p->help);
        ez_cover_refused(t, p->reason, p->what);
        ez_probe_leave(t, p);
        ez_probe_free(p);
    }
    t->probes.probe.n = k;
    t->probes.next_number = k > from ? t->probes.probe.at[k - 1]->number + 1 : first;
    return e;
}

bool ez_probe_may_wait(const struct ez_target *t, const char *location, const ez_err *e)
{
    return e->code == EZ_E_NOTFOUND && location[0] != '*' &&
           (t->inf.program || t->inf.state != EZ_NONE);
}

/* Plants the new probes, from index `from` on, unless the loader is still awaited. Drops the
 * refused ones (then returns an error) or, if planting fails, all. */
static ez_err *probe_plant_new(struct ez_target *t, size_t from, int first)
{
    if (ez_solib_awaited(t))
        return ez_probes_watch(t);
    ez_err *e = probe_arm_new(t, from);
    if (!e)
        return probe_drop_refused(t, from, first);
    while (t->probes.probe.n > from) {
        ez_probe_leave(t, t->probes.probe.at[t->probes.probe.n - 1]);
        probe_unmake(t, t->probes.probe.at[t->probes.probe.n - 1]);
    }
    return e;
}

/* Leaves the probe pending, with e's message as reason, because its function or replacing function
 * is not loaded yet. Frees e. */
static ez_err *probe_wait(struct ez_target *t, struct ez_probe *p, ez_err *e)
{
    ez_probe_reason(p, e->msg);
    ez_err_free(e);
    p->held = t->probes.holding;
    return ez_probes_watch(t);
}

/* Returns an error if the replacing function of the new replacement is not found, otherwise
 * NULL. */
static ez_err *probe_missing(struct ez_target *t, const struct ez_probe *p)
{
    struct ez_with with;
    return p->spec.with && t->inf.state != EZ_NONE ? ez_replace_find(t, p, &with) : NULL;
}

ez_err *ez_probe_make(struct ez_target *t, const struct ez_probe_spec *spec, int *first, int *n)
{
    struct ez_places at = { 0 };
    size_t from = t->probes.probe.n;
    *first = t->probes.next_number;
    *n = 0;
    EZ_TRY(ez_hand_none(t));
    EZ_TRY(ez_need_strategy());
    ez_err *e = ez_places(t, spec->location, &at);
    if (e && ez_probe_may_wait(t, spec->location, e)) {
        *n = 1;
        return probe_wait(t, ez_probe_new(t, spec), e);
    }
    EZ_TRY(e);
    if (spec->with && at.n > 1) { /* the functions' prototypes may differ */
        e = ez_err_hint(ez_err_new(EZ_E_ARG, 0, "\"%s\" names %zu functions", spec->location, at.n),
                        "LIB:FUNC or *ADDRESS names a single one");
        EZ_VEC_FREE(&at);
        return e;
    }
    for (size_t i = 0; i < at.n; i++)
        ez_probe_resolved(t, ez_probe_new(t, spec), at.at[i].sym, ez_module_at(t, at.at[i].addr),
                          at.at[i].addr);
    EZ_VEC_FREE(&at);
    for (size_t i = from; i < t->probes.probe.n; i++)
        ez_probe_look_copy(t, t->probes.probe.at[i]);
    *n = (int)(t->probes.probe.n - from);
    struct ez_err *missing = *n ? probe_missing(t, t->probes.probe.at[from]) : NULL;
    if (*n)
        e = ez_probe_check_request(t, t->probes.probe.at[from]);
    if (e) {
        while (t->probes.probe.n > from)
            probe_unmake(t, t->probes.probe.at[t->probes.probe.n - 1]);
        ez_err_free(missing);
        *n = 0;
        return e;
    }
    if (t->probes.holding)
        ez_hold(t, from);
    else if (missing && missing->code == EZ_E_NOTFOUND)
        return probe_wait(t, t->probes.probe.at[from], missing);
    else if (t->inf.state != EZ_NONE)
        e = probe_plant_new(t, from, *first);
    ez_err_free(missing); /* dropped, because planting reports the same error */
    *n = (int)(t->probes.probe.n - from);
    return e;
}

/* ---- pending --------------------------------------------------------------------------------- */

ez_err *ez_probes_pending(struct ez_target *t, bool announce)
{
    EZ_VEC(struct ez_probe *) ready = { 0 };
    if (t->inf.state == EZ_STOPPED)
        EZ_TRY(ez_modules_refresh(t));
    ez_probes_resolve(t, false);
    ez_probes_copies(t);
    ez_probes_find_begin(t);
    for (size_t i = 0; i < t->probes.probe.n; i++) {
        struct ez_probe *p = t->probes.probe.at[i];
        if (p->state == EZ_PROBE_PENDING && !p->user_disabled && !p->held && ez_probe_find(t, p))
            EZ_PUSH(&ready, p);
    }
    ez_err *e = ez_bulk_pending(t, ready.at, ready.n, announce);
    for (size_t i = 0; e && i < ready.n; i++) {
        struct ez_probe *p = ready.at[i];
        if (p->state == EZ_PROBE_ARMED)
            continue;
        /* the probe leaves its site, so that the next attempt begins without one */
        ez_probe_leave(t, p);
        p->site = -1;
        p->state = EZ_PROBE_PENDING;
    }
    EZ_VEC_FREE(&ready);
    return e;
}

void ez_rules(const struct ez_target *t, void (*fn)(const struct ez_rule_info *, void *), void *arg)
{
    for (size_t i = 0; i < t->probes.rule.n; i++) {
        const struct ez_rule *r = &t->probes.rule.at[i];
        fn(&(struct ez_rule_info){ r->serial, r->matched, &r->spec }, arg);
    }
}

void ez_rules_unmatched(struct ez_target *t)
{
    for (size_t i = 0; i < t->probes.rule.n; i++) {
        if (t->probes.rule.at[i].matched)
            continue;
        struct ez_event ev = { .kind = EZ_EV_PROBE, .status = 1 };
        ev.text =
            ez_sprintf("No function ever matched \"%s\".", t->probes.rule.at[i].spec.location);
        ez_post(t, ev);
    }
}

void ez_probes_unloaded(struct ez_target *t)
{
    for (size_t i = 0; i < t->probes.probe.n; i++) {
        struct ez_probe *p = t->probes.probe.at[i];
        if (p->site < 0 || t->patcher.site.at[p->site].mod)
            continue;
        ez_probe_collect(t, p);
        ez_semaphore_unloaded(t, p);
        p->site = p->clause = -1;
        p->budget.throttled = false;
        p->addr = 0;
        p->again |= p->state == EZ_PROBE_ARMED;
        p->state = EZ_PROBE_PENDING;
        ez_probe_reason(p, "its library was unloaded");
    }
}

void ez_probes_process_begins(struct ez_target *t)
{
    t->probes.plant_later = false;
    for (size_t i = 0; i < t->probes.probe.n; i++)
        t->probes.probe.at[i]->entries = t->probes.probe.at[i]->exits = 0,
        t->probes.probe.at[i]->filtered = t->probes.probe.at[i]->faulted = 0,
        t->probes.probe.at[i]->left_out = t->probes.probe.at[i]->planted = 0,
        t->probes.probe.at[i]->ran = (struct ez_fragment_counts){ 0 },
        ez_probe_forget_places(t->probes.probe.at[i], true),
        ez_addup_free(&t->probes.probe.at[i]->added);
}

void ez_probes_adopted(struct ez_target *t)
{
    struct ez_hdr *h = t->rt.hdr;
    t->probes.ntables = EZ_MIN(h->addups_ready, (uint32_t)EZ_ADDUPS);
    t->probes.snapshots = h->snapshots;
    h->stops_on = 0;
    for (size_t i = 0; i < t->inf.module.n; i++)
        t->inf.module.at[i]->copied = true;
}

/* Sets `twin` of each recording probe at whose site an earlier probe records, too. */
static void probe_mark_twins(struct ez_target *t)
{
    EZ_FREE bool *seen = ez_alloc(t->patcher.site.n + 1);
    for (size_t i = 0; i < t->probes.probe.n; i++) {
        struct ez_probe *p = t->probes.probe.at[i];
        bool records = p->site >= 0 && p->spec.record && !p->spec.with;
        p->twin = records && seen[p->site];
        if (records)
            seen[p->site] = true;
    }
}

void ez_probes_process_ended(struct ez_target *t)
{
    ez_hand_ended(t);
    probe_mark_twins(t);
    t->probes.tracepoints.ended = t->probes.tracepoints.running;
    t->probes.exits = t->probes.calls = t->probes.aborts = t->probes.reads = false;
    t->probes.ntables = 0;
    t->probes.loader_left = false;
    ez_acts_process_ended(t);
    ez_semaphores_forget(t);
    t->probes.loader_done = 0;
    t->probes.budget = (struct ez_budget){ 0 };
    ez_cover_ended(t);
    for (size_t i = 0; i < t->probes.probe.n; i++) {
        struct ez_probe *p = t->probes.probe.at[i];
        p->missed = p->state == EZ_PROBE_PENDING && !p->user_disabled && !p->again;
        ez_probe_collect(t, p);
        ez_probe_adds_end(t, p);
        p->site = -1;
        p->addr = 0;
        p->base = (struct ez_clause_counts){ 0 };
        ez_probe_forget_places(p, false);
        p->clause = -1;
        p->budget = (struct ez_probe_budget){ 0 };
        p->again = false;
        if (p->spent) /* the limit is counted anew in the next process */
            p->spent = p->user_disabled = false, p->state = EZ_PROBE_PENDING;
        if (p->state == EZ_PROBE_ARMED || p->state == EZ_PROBE_LOST)
            p->state = EZ_PROBE_PENDING;
    }
    ez_sites_clear(t);
}

/* ---- enabling, disabling, deleting ----------------------------------------------------------- */

static bool probe_is_listed(const struct ez_numbers *which, size_t n, int number)
{
    for (size_t i = 0; i < n; i++)
        if (number >= which[i].lo && number <= which[i].hi)
            return true;
    return !n;
}

/* Returns EZ_E_NOTFOUND if there is a range without any probe's number. */
static ez_err *probe_check_numbers(const struct ez_target *t, const struct ez_numbers *which,
                                   size_t n)
{
    for (size_t i = 0; i < n; i++) {
        size_t k = 0;
        while (k < t->probes.probe.n &&
               !probe_is_listed(&which[i], 1, t->probes.probe.at[k]->number))
            k++;
        if (k == t->probes.probe.n)
            return ez_err_new(EZ_E_NOTFOUND, 0, "No probe number %d", which[i].lo);
    }
    return NULL;
}

ez_err *ez_probe_switch(struct ez_target *t, struct ez_probe **p, size_t n, bool on)
{
    enum ez_state was;
    for (size_t i = 0; i < n; i++) {
        p[i]->user_disabled = !on;
        if (on && p[i]->spent)
            ez_filter_renew(t, p[i]);
    }
    if (t->inf.state == EZ_NONE) {
        for (size_t i = 0; i < n; i++)
            p[i]->state = on ? EZ_PROBE_PENDING : EZ_PROBE_DISABLED;
        return NULL;
    }
    EZ_TRY(ez_world_stop(t, &was));
    ez_err *e = NULL;
    if (on) {
        for (size_t i = 0; i < n; i++)
            p[i]->state = EZ_PROBE_PENDING;
        ez_progress_begin(t);
        e = ez_progress_end(t, ez_solib_awaited(t) ? NULL : ez_probes_pending(t, false));
        for (size_t i = 0; i < n; i++)
            if (e && p[i]->state == EZ_PROBE_PENDING) {
                p[i]->user_disabled = true;
                p[i]->state = EZ_PROBE_DISABLED;
            }
    } else {
        for (size_t i = 0; i < n; i++) {
            ez_probe_collect(t, p[i]);
            if (p[i]->state == EZ_PROBE_ARMED)
                ez_probe_leave(t, p[i]);
            /* if the probe is enabled again, the budget decides anew */
            p[i]->budget.throttled = false;
            p[i]->state = EZ_PROBE_DISABLED;
        }
        e = ez_semaphores_settle(t);
        if (!e)
            e = ez_probes_apply(t, p, n);
        for (size_t i = 0; i < n; i++)
            p[i]->site = -1;
    }
    ez_err *r = ez_world_resume(t, was);
    return ez_err_first(e, r);
}

ez_err *ez_probe_enable(struct ez_target *t, const struct ez_numbers *which, size_t n, bool on)
{
    EZ_VEC(struct ez_probe *) v = { 0 };
    EZ_TRY(ez_hand_none(t));
    EZ_TRY(probe_check_numbers(t, which, n));
    for (size_t i = 0; i < t->probes.probe.n; i++) {
        struct ez_probe *p = t->probes.probe.at[i];
        bool off = p->state == EZ_PROBE_DISABLED;
        if (on && probe_is_listed(which, n, p->number) && p->gate >= 0 && !p->spec.tracepoint)
            ez_gate_set(t, p, true);
        /* enabling includes pending probes, because planting them may have failed */
        bool turns = on ? off || p->state == EZ_PROBE_PENDING : !off;
        if (probe_is_listed(which, n, p->number) && p->state != EZ_PROBE_REFUSED && turns)
            EZ_PUSH(&v, p);
    }
    ez_err *e = v.n ? ez_probe_switch(t, v.at, v.n, on) : NULL;
    EZ_VEC_FREE(&v);
    return e;
}

ez_err *ez_probe_delete(struct ez_target *t, const struct ez_numbers *which, size_t n)
{
    size_t kept = 0;
    EZ_TRY(ez_probe_enable(t, which, n, false));
    for (size_t i = 0; i < t->probes.probe.n; i++) {
        struct ez_probe *p = t->probes.probe.at[i];
        if (probe_is_listed(which, n, p->number)) {
            /* a refused probe was counted when it was refused */
            ez_cover_removed(t, p->state != EZ_PROBE_REFUSED);
            ez_probe_free(p);
        } else {
            t->probes.probe.at[kept++] = p;
        }
    }
    t->probes.probe.n = kept;
    for (size_t i = 0; !n && i < t->probes.rule.n; i++)
        ez_rule_free(&t->probes.rule.at[i]);
    if (!n)
        t->probes.rule.n = 0;
    return NULL;
}

ez_err *ez_rule_delete(struct ez_target *t, unsigned number)
{
    EZ_VEC(struct ez_numbers) own = { 0 };
    size_t at = 0;
    while (at < t->probes.rule.n && t->probes.rule.at[at].serial != number)
        at++;
    if (at == t->probes.rule.n)
        return NULL;
    for (size_t i = 0; i < t->probes.probe.n; i++) {
        const struct ez_probe *p = t->probes.probe.at[i];
        if (p->family == -(int)number)
            EZ_PUSH(&own, ((struct ez_numbers){ p->number, p->number }));
    }
    ez_err *e = own.n ? ez_probe_delete(t, own.at, own.n) : NULL;
    EZ_VEC_FREE(&own);
    if (e)
        return e;
    ez_rule_free(&t->probes.rule.at[at]);
    t->probes.rule.n--;
    for (; at < t->probes.rule.n; at++)
        t->probes.rule.at[at] = t->probes.rule.at[at + 1];
    return NULL;
}

ez_err *ez_probes_begin_anew(struct ez_target *t)
{
    EZ_TRY(ez_probe_delete(t, NULL, 0));
    ez_probes_forget(t);
    return NULL;
}

/* Removes all patches, also the hook on the loader's rendezvous, except hooks that open calls need,
 * and patches whose bytes the target changed. The probes keep their counts. */
ez_err *ez_probes_unplant_all(struct ez_target *t)
{
    ez_held_no_more(t);
    EZ_VEC(struct ez_change) c = { 0 };
    unsigned lost;
    if (t->probes.hand.number)
        EZ_TRY(ez_rollback(t, &lost));
    for (size_t i = 0; i < t->probes.probe.n; i++)
        ez_probe_collect(t, t->probes.probe.at[i]);
    EZ_TRY(ez_semaphores_lower_all(t));
    for (size_t i = 0; i < t->patcher.site.n; i++)
        if (ez_site_planted(&t->patcher.site.at[i]) && !t->patcher.site.at[i].lost &&
            !ez_unwind_stays(t, &t->patcher.site.at[i]))
            EZ_PUSH(&c, ((struct ez_change){ (int)i, -1 }));
    ez_err *e = t->rt.up ? ez_patch_apply(t, c.at, c.n, &lost) : NULL;
    EZ_VEC_FREE(&c);
    return e ? e : ez_traps_end(t);
}

/* ---- listing --------------------------------------------------------------------------------- */

/* Returns the name of the site's strategy, for an exit probe together with its exit mode. */
static const char *probe_how(const struct ez_site *s, enum ez_probe_kind kind)
{
    const struct ez_strategy_row *k = ez_strategy(s->win.strategy);
    int flags = s->current < 0 ? 0 : s->variant.at[s->current].flags;
    return kind & EZ_PROBE_EXIT ? k->name_exit[flags & EZ_ROW_THROUGH ? 1 : 0] : k->name;
}

static uint64_t probe_original(const struct ez_target *t, const struct ez_probe *p)
{
    const struct ez_site *s = p->site < 0 ? NULL : &t->patcher.site.at[p->site];
    return p->spec.with && s && s->current >= 0 ? s->variant.at[s->current].relocated : 0;
}

int ez_probe_newest(const struct ez_target *t)
{
    return t->probes.next_number - 1;
}

size_t ez_probe_count(const struct ez_target *t)
{
    return t->probes.probe.n;
}

void ez_probes(struct ez_target *t, void (*fn)(const struct ez_probe_info *, void *), void *arg)
{
    if (t->inf.state != EZ_NONE)
        probe_mark_twins(t);
    for (size_t i = 0; i < t->probes.probe.n; i++) {
        struct ez_probe *p = t->probes.probe.at[i];
        ez_probe_collect(t, p);
        const struct ez_probe_info info = {
            .number = p->number,
            .spec = &p->spec,
            .rule = p->family < 0 ? (unsigned)-p->family : 0,
            .state = p->state,
            .throttled = p->state == EZ_PROBE_ARMED && p->budget.throttled,
            .addr = p->addr || t->inf.state != EZ_NONE ? p->addr : p->vaddr,
            .entries = p->entries - p->earlier_entries,
            .exits = p->exits - p->earlier_exits,
            .earlier_entries = p->earlier_entries,
            .earlier_exits = p->earlier_exits,
            .copy = p->copy,
            .function = p->function ? p->function : "",
            .library = p->library ? p->library : "",
            .reason = p->reason ? p->reason : "",
            .how = p->state == EZ_PROBE_ARMED
                       ? probe_how(&t->patcher.site.at[p->site], p->spec.kind)
                       : "",
            .optional = p->spec.with && p->spec.record,
            .missed = p->missed,
            .original = probe_original(t, p),
            .filtered = p->filtered,
            .faulted = p->faulted,
            .shut = p->state == EZ_PROBE_ARMED && ez_gate_is_shut(t, p),
            .left_out = p->left_out,
            .twin = p->twin,
            .missing = p->missing ? p->missing : "",
        };
        fn(&info, arg);
    }
}
