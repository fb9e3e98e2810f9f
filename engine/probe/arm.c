/* SPDX-License-Identifier: GPL-3.0-or-later */
/* arm.c - plants any number of probes together.
 * Tests: tests/e2e/matching.ezt */
#include "engine/target.h"
#include "engine/inferior/progress.h"
#include "engine/inferior/image.h"
#include "engine/inferior/modules.h"
#include "engine/inferior/rseq.h"
#include "engine/inferior/stop.h"
#include "engine/inferior/thread.h"
#include "engine/patch/alloc.h"
#include "engine/patch/island.h"
#include "engine/patch/return_thunk.h"
#include "engine/patch/variant.h"
#include "engine/probe/arm.h"
#include "engine/probe/carry.h"
#include "engine/probe/clause.h"
#include "engine/probe/filter.h"
#include "engine/probe/probe_list.h"
#include "engine/probe/resolve.h"
#include "engine/probe/solib.h"
#include "engine/probe/stap.h"
#include "engine/probe/unwind.h"
#include "engine/probe/verdict.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define RECORDS (EZ_ROW_REC_ENTRY | EZ_ROW_REC_EXIT)

/* Returns the number of a replacement whose replacing function is at address func, or 0. */
static int arm_replacement(const struct ez_target *t, uint64_t func)
{
    for (size_t i = 0; i < t->probes.probe.n; i++) {
        const struct ez_probe *q = t->probes.probe.at[i];
        if (q->spec.with && q->site >= 0 && t->patcher.site.at[q->site].with.func == func)
            return q->number;
    }
    return 0;
}

/* Adds replacement p to its site. Returns an error if the site has a replacement already, if the
 * replacing function or its twin (ez_replace_twin()) is unknown, if the prototypes do not fit, or
 * if there would be a chain of replacements, which could be circular. */
static ez_err *arm_join_replaced(struct ez_target *t, const struct ez_probe *p, int site)
{
    struct ez_with with;
    int other = ez_replaced_by(t, site);
    if (other)
        return ez_err_new(EZ_E_REFUSED, 0, "the function is already replaced, by replacement %d",
                          other);
    EZ_TRY(ez_replace_find(t, p, &with));
    EZ_TRY(ez_replace_fits(&t->patcher.site.at[site]));
    if (with.func == p->addr)
        return ez_err_new(EZ_E_REFUSED, 0, "a function cannot replace itself");
    int there = ez_site_find(t, with.func);
    other = there < 0 ? 0 : ez_replaced_by(t, there);
    if (other)
        return ez_err_new(EZ_E_REFUSED, 0, "%s is itself replaced, by replacement %d", p->spec.with,
                          other);
    other = arm_replacement(t, p->addr);
    if (other)
        return ez_err_new(EZ_E_REFUSED, 0,
                          "the function itself replaces another one, by replacement %d", other);
    if (p->spec.twins)
        EZ_TRY(ez_replace_twin(t, p, with.func));
    ez_site_replace(t, site, with);
    return NULL;
}

/* Gives the site the name of the inlined function whose instance begins there. The trace has one name
 * for a place, so instances of two functions at one place cannot both be recorded. */
static ez_err *arm_name_instance(struct ez_target *t, const struct ez_probe *p, int site)
{
    struct ez_site *s = &t->patcher.site.at[site];
    if (!ez_location_inlined(p->spec.location) || (s->inlined && !strcmp(s->inlined, p->function)))
        return NULL;
    if (s->inlined && ez_probe_records(p))
        return ez_err_new(
            EZ_E_REFUSED, 0,
            "an inlined instance of %s begins at the same place, 0x%llx, and only one "
            "can be recorded",
            s->inlined, (unsigned long long)p->addr);
    if (!s->inlined)
        s->inlined = ez_strdup(p->function);
    return NULL;
}

/* Finds or adds the probe's site, and adds the probe's request to it. more: EZ_BY_NOT_ALONE or
 * 0. */
static ez_err *arm_join_site(struct ez_target *t, struct ez_probe *p, unsigned more)
{
    int site;
    EZ_TRY(ez_verdict_site(t, p->spec.kind, more, p->addr, &site));
    if (p->spec.with)
        EZ_TRY(arm_join_replaced(t, p, site));
    EZ_TRY(ez_semaphore_check(t, p));
    EZ_TRY(arm_name_instance(t, p, site));
    p->site = site;
    if (!t->patcher.site.at[site].called && p->function)
        ez_site_call(&t->patcher.site.at[site], p->function);
    if (p->budget.throttled && !(ez_site_wanted(&t->patcher.site.at[site]) & RECORDS))
        ez_site_throttled(t, &t->patcher.site.at[site], true);
    if (ez_probe_has_request(p))
        return ez_probe_join_clause(t, p, site, ez_probe_flags(p->spec.kind, ez_probe_records(p)));
    ez_site_want(t, site, ez_probe_flags(p->spec.kind, ez_probe_records(p)), 1);
    return NULL;
}

/* ---- the three steps -------------------------------------------------------------------- */

/* Maps memory for the trampolines, and a pool of return thunks, for all probes of a module at once.
 * The probes of a module are consecutive in p[]. */
ez_err *ez_arm_reserve(struct ez_target *t, struct ez_probe **p, size_t n)
{
    for (size_t i = 0, k; i < n; i = k) {
        const struct ez_module *m = ez_module_at(t, p[i]->addr);
        for (k = i + 1; m && k < n && p[k]->addr >= m->lo && p[k]->addr < m->hi; k++)
            continue;
        ez_err *e = m && !p[i]->user_disabled
                        ? ez_trampoline_reserve(t, p[i]->addr,
                                                (k - i) * EZ_TRAMPOLINE_MOST + EZ_TRAMPOLINE_ROOM)
                        : NULL;
        if (e && (e->code == EZ_E_SECCOMP || e->code == EZ_E_GONE))
            return e;
        /* The error is dropped: without memory the next step refuses probes, one by one. */
        ez_err_free(e);
        e = m && t->probes.exits && t->set.exit_mode != EZ_EXIT_RETURN_TRAMPOLINES
                ? ez_pool_reserve(t, p[i]->addr)
                : NULL;
        if (e && e->code == EZ_E_GONE)
            return e;
        /* The error is dropped: without a pool, exits use return trampolines. */
        ez_err_free(e);
    }
    return NULL;
}

/* Returns an error if the process uses the processor's shadow stacks. The processor compares each
 * return address with its shadow stack, which call-throughs and return trampolines would not
 * match. */
static ez_err *arm_no_shadow_stack(struct ez_target *t)
{
    const struct ez_arch_rt *a = t->inf.arch->rt;
    struct ez_proc_status s;
    ez_proc_status(t->inf.pid, ez_live_tid(t), &s);
    if (!a->shadow_word || !strstr(s.features, a->shadow_word))
        return NULL;
    return ez_err_hint(
        ez_err_new(EZ_E_REFUSED, 0, "process %d runs with shadow stacks", t->inf.pid), "%s",
        a->shadow_help);
}

void ez_arm_needs(struct ez_target *t, const struct ez_probe *p)
{
    t->probes.exits |= p->spec.kind & EZ_PROBE_EXIT;
    bool runs = p->spec.fragment.spec != 0;
    t->probes.calls |= p->spec.kind & EZ_PROBE_EXIT && (ez_probe_records(p) || runs);
    t->probes.aborts |= p->spec.fragment.aborts;
    t->probes.reads |= ez_probe_has_request(p);
}

ez_err *ez_arm_runtime(struct ez_target *t, struct ez_probe **p, size_t n)
{
    ez_filter_callers_forget(t);
    EZ_TRY(arm_no_shadow_stack(t));
    EZ_TRY(ez_sharers_none(t));
    ez_rseq_look(t);
    EZ_TRY(ez_rt_fit(t));
    EZ_TRY(ez_islands_refresh(t));
    for (size_t i = 0; i < n; i++)
        if (!p[i]->user_disabled)
            ez_arm_needs(t, p[i]);
    EZ_TRY(ez_profiled_hooks(t));
    /* Hooks are planted before probes, because a function with a hook must be refused for
     * probes. */
    EZ_TRY(ez_unwind_hooks(t));
    EZ_TRY(ez_jump_hooks(t));
    EZ_TRY(ez_ranges_register(t));
    for (size_t i = 0; i < n; i++) {
        ez_err *e = p[i]->ifunc && !p[i]->user_disabled ? ez_verdict_ifunc(t, &p[i]->addr) : NULL;
        if (e && !ez_verdict_is_refusal(e))
            return e;
        if (e)
            ez_probe_refuse(p[i], e);
    }
    return NULL;
}

ez_err *ez_arm_ready(struct ez_target *t, struct ez_probe **p, size_t n)
{
    EZ_TRY(ez_arm_runtime(t, p, n));
    return ez_arm_reserve(t, p, n);
}

/* Returns true if the probe's site has no patch. Then its counts do not change, and can be read
 * before the stop. */
static bool arm_counts_stand_still(const struct ez_target *t, const struct ez_probe *p)
{
    return t->patcher.site.at[p->site].current < 0;
}

/* Finds or adds the sites of all probes. A pun forbids changes of the bytes behind it, often those
 * of the next function. So with several probes, the first pass permits a pun only together with a
 * jump at the next function (EZ_BY_NOT_ALONE). The second pass handles the probes that were refused
 * in the first. */
static ez_err *arm_join_sites(struct ez_target *t, struct ez_probe **p, size_t n)
{
    EZ_FREE uint8_t *done = ez_alloc(n);
    for (int last = n == 1; last < 2; last++) {
        for (size_t i = 0; i < n; i++) {
            EZ_TRY(ez_progress_step(t, last && n > 1 ? "Judging the rest" : "Judging functions", i,
                                    n));
            if (done[i] || p[i]->user_disabled || p[i]->state == EZ_PROBE_REFUSED)
                continue;
            ez_err *e = arm_join_site(t, p[i], last ? 0 : EZ_BY_NOT_ALONE);
            if (e && !ez_verdict_is_refusal(e))
                return e;
            done[i] = !e || last;
            if (e && last)
                ez_probe_refuse(p[i], e);
            else if (e)
                ez_err_free(e);
            else if (arm_counts_stand_still(t, p[i]))
                ez_probe_start_counts(t, p[i]);
        }
    }
    return NULL;
}

static void arm_refuse_exits(struct ez_target *t, struct ez_probe **p, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        ez_err *e = p[i]->site < 0
                        ? NULL
                        : ez_verdict_exit(t, &t->patcher.site.at[p[i]->site], p[i]->spec.kind);
        if (!e)
            continue;
        ez_probe_leave(t, p[i]);
        p[i]->site = -1;
        ez_probe_refuse(p[i], e);
    }
}

static bool arm_records_some(struct ez_probe **p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (p[i]->site >= 0 && ez_probe_records(p[i]) && !p[i]->user_disabled)
            return true;
    return false;
}

ez_err *ez_arm_make(struct ez_target *t, struct ez_probe **p, size_t n)
{
    ez_texts_refresh(t);
    ez_sites_reserve(t, n);
    if (t->rt.up) {
        uint64_t ids = EZ_MIN((uint64_t)t->rt.nids + n, (uint64_t)t->rt.hdr->ids_max);
        ez_drain_reserve_begin(t->tracing.drain, (uint32_t)ids);
    }
    ez_err *e = arm_join_sites(t, p, n);
    if (!e && !t->rt.up) /* the process ended in the meantime */
        return ez_err_new(EZ_E_GONE, 0, "The process ended");
    ez_err *reserved = t->rt.up ? ez_drain_finish(t->tracing.drain) : NULL;
    EZ_TRY(ez_err_first(e, reserved));
    EZ_TRY(ez_sites_prove(t));
    arm_refuse_exits(t, p, n);
    bool opening = arm_records_some(p, n) && ez_trace_auto_begin(t);
    e = ez_probes_prepare(t, p, n);
    if (opening)
        ez_trace_auto_end(t);
    return e;
}

ez_err *ez_arm_plan(struct ez_target *t, struct ez_probe **p, size_t n)
{
    EZ_TRY(ez_arm_make(t, p, n));
    return ez_code_flush(t);
}

static bool arm_leads_nowhere(const struct ez_target *t, int site)
{
    const struct ez_patch_region *w = site < 0 ? NULL : &t->patcher.site.at[site].win;
    return w && ez_strategy(w->strategy)->island == EZ_ISLAND_MAPPED &&
           !ez_island_mapped(t, w->island);
}

/* Refuses the probes whose island, or whose evicted neighbour's island, could not be mapped because
 * the target has mapped memory at its address. */
static void arm_refuse_unmapped(struct ez_target *t, struct ez_probe **p, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        int site = p[i]->site,
            evicted = site < 0 ? -1 : ez_site_evict(t, &t->patcher.site.at[site]);
        if (!arm_leads_nowhere(t, site) && !arm_leads_nowhere(t, evicted))
            continue;
        ez_probe_leave(t, p[i]);
        p[i]->site = -1;
        ez_probe_refuse(p[i],
                        ez_err_new(EZ_E_REFUSED, 0,
                                   "a punned jump would lead to memory that the program uses"));
    }
}

ez_err *ez_arm_write(struct ez_target *t, struct ez_probe **p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (p[i]->site >= 0 && !arm_counts_stand_still(t, p[i]))
            ez_probe_start_counts(t, p[i]);
    EZ_TRY(ez_islands_map(t));
    arm_refuse_unmapped(t, p, n);
    EZ_TRY(ez_probes_apply(t, p, n));
    for (size_t i = 0; i < n; i++) {
        /* skip refused probes, and those whose site is lost */
        if (p[i]->site < 0 || ez_probe_note_lost(t, p[i]))
            continue;
        p[i]->state = EZ_PROBE_ARMED;
        ez_probe_reason(p[i], NULL);
    }
    return ez_semaphores_settle(t);
}

ez_err *ez_probes_arm(struct ez_target *t, struct ez_probe **p, size_t n)
{
    EZ_TRY(ez_arm_ready(t, p, n));
    EZ_TRY(ez_arm_plan(t, p, n));
    return ez_arm_write(t, p, n);
}

/* Calls work(), a step of planting, with the target stopped. Adds the length of the stop in ms to
 * *stopped_ms. */
static ez_err *arm_while_stopped(struct ez_target *t, struct ez_probe **p, size_t n,
                                 double *stopped_ms,
                                 ez_err *(*work)(struct ez_target *, struct ez_probe **, size_t))
{
    enum ez_state was;
    double start = ez_now_exact();
    EZ_TRY(ez_world_stop(t, &was));
    ez_err *e = work(t, p, n);
    ez_err *r = ez_world_resume(t, was);
    *stopped_ms += ez_now_exact() - start;
    return ez_err_first(e, r);
}

ez_err *ez_arm_live(struct ez_target *t, struct ez_probe **p, size_t n, double *stopped_ms)
{
    if (ez_solib_awaited(t))
        return NULL;
    EZ_TRY(arm_while_stopped(t, p, n, stopped_ms, ez_arm_ready));
    EZ_TRY(ez_arm_plan(t, p, n));
    return arm_while_stopped(t, p, n, stopped_ms, ez_arm_write);
}
