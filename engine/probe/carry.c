/* SPDX-License-Identifier: GPL-3.0-or-later */
/* carry.c - plants at each site the patch that all its probes together request, and computes the
 * probes' counts: a probe's count is the increase of its clause's or (without a clause) its site's
 * count while the probe is planted.
 * Tests: tests/e2e/probes.ezt, tests/unit/patch/check_refused.c */
#include "engine/target.h"
#include "engine/inferior/progress.h"
#include "engine/patch/clause.h"
#include "engine/patch/trap.h"
#include "engine/patch/variant.h"
#include "engine/probe/carry.h"
#include "engine/probe/clause.h"
#include "engine/probe/probe_list.h"
#include "engine/probe/verdict.h"

#include <stdlib.h>

int ez_probe_flags(enum ez_probe_kind kind, bool record)
{
    int flags = kind & EZ_PROBE_REPLACE ? EZ_ROW_REPLACE : 0;
    if (kind & EZ_PROBE_ENTRY)
        flags |= EZ_ROW_ENTRY | (record ? EZ_ROW_REC_ENTRY : 0);
    if (kind & EZ_PROBE_EXIT)
        flags |= EZ_ROW_EXIT | (record ? EZ_ROW_REC_EXIT : 0);
    return flags;
}

void ez_probe_leave(struct ez_target *t, struct ez_probe *p)
{
    if (p->site < 0)
        return;
    if (p->budget.throttled)
        ez_site_throttled(t, &t->patcher.site.at[p->site], false);
    if (p->clause >= 0)
        ez_clause_want(t, p->site, p->clause, -1);
    else if (!ez_probe_has_request(p))
        ez_site_want(t, p->site, ez_probe_flags(p->spec.kind, ez_probe_records(p)), -1);
    p->clause = -1;
}

/* Adds the runs since the last call of the code at the places (call sites) of the probe's fragment
 * to the probe's counts. add false: discards these runs instead. */
static void carry_collect_places(struct ez_target *t, struct ez_probe *p, bool add)
{
    const size_t n = 2ul * p->spec.fragment.places;
    uint64_t *base = p->place + n;
    EZ_FREE uint64_t *now = n && p->clause >= 0 ? ez_alloc(n * sizeof *now) : NULL;
    if (!now)
        return;
    ez_clause_places(t, &t->patcher.site.at[p->site], p->clause, now);
    for (size_t i = 0; i < n; i++) {
        p->place[i] += add ? now[i] - base[i] : 0;
        base[i] = now[i];
    }
}

void ez_probe_collect(struct ez_target *t, struct ez_probe *p)
{
    struct ez_clause_counts now;
    if (p->site < 0 || p->state != EZ_PROBE_ARMED)
        return;
    ez_probe_counts(t, p, &now);
    p->entries += now.entries - p->base.entries;
    p->exits += now.exits - p->base.exits;
    p->filtered += now.filtered - p->base.filtered;
    p->faulted += now.faulted - p->base.faulted;
    p->left_out += now.left_out - p->base.left_out;
    p->ran.ends += now.fragment.ends - p->base.fragment.ends;
    p->ran.left += now.fragment.left - p->base.fragment.left;
    p->ran.without += now.fragment.without - p->base.fragment.without;
    p->ran.recursed += now.fragment.recursed - p->base.fragment.recursed;
    p->ran.off += now.fragment.off - p->base.fragment.off;
    p->ran.unordered += now.fragment.unordered - p->base.fragment.unordered;
    p->base = now;
    carry_collect_places(t, p, true);
}

void ez_probe_start_counts(struct ez_target *t, struct ez_probe *p)
{
    ez_probe_counts(t, p, &p->base);
    carry_collect_places(t, p, false);
}

/* The changes to make: the new variant of each site. A site occurs once. */
struct changes {
    struct ez_change *at;
    size_t n;
    size_t traps;  /* number of new traps */
    uint8_t *seen; /* for each site (by its index): 1 if the site is in `at` or needs no change */
};

static ez_err *carry_change_site(struct ez_target *t, int site, size_t more, struct changes *c)
{
    int variant;
    if (site < 0 || c->seen[site])
        return NULL;
    c->seen[site] = 1;
    const struct ez_site *s = &t->patcher.site.at[site];
    if (!s->mod || s->lost)
        return NULL;
    bool trap = ez_strategy(s->win.strategy)->trap && !ez_trap_known(t, s->addr);
    ez_err *e = trap ? ez_trap_room(t, s->addr, c->traps++) : NULL;
    if (!e)
        e = ez_site_prepare(t, site, more, &variant);
    /* cleared, so that the next probe on this site gets the error, too */
    if (e)
        c->seen[site] = 0;
    else if (variant != t->patcher.site.at[site].current)
        c->at[c->n++] = (struct ez_change){ site, variant };
    return e;
}

static ez_err *carry_changes_for(struct ez_target *t, struct ez_probe **p, size_t n,
                                 struct changes *c)
{
    for (size_t i = 0; i < n; i++) {
        EZ_TRY(ez_progress_step(t, "Preparing probes", i, n));
        if (p[i]->site < 0)
            continue;
        int evicted = ez_site_evict(t, &t->patcher.site.at[p[i]->site]);
        ez_err *e = carry_change_site(t, evicted, (n - i) * EZ_TRAMPOLINE_USUAL, c);
        if (!e)
            e = carry_change_site(t, p[i]->site, (n - i) * EZ_TRAMPOLINE_USUAL, c);
        if (e && ez_verdict_is_refusal(e)) {
            ez_probe_leave(t, p[i]);
            p[i]->site = -1;
            ez_probe_refuse(p[i], e);
            continue;
        }
        EZ_TRY(e);
    }
    return NULL;
}

/* Collects the changes of the sites of the n probes, and of their evicted neighbours. */
static ez_err *carry_collect_changes(struct ez_target *t, struct ez_probe **p, size_t n,
                                     struct changes *c)
{
    c->seen = ez_alloc(t->patcher.site.n + 1);
    c->at = ez_alloc((2 * n + 1) * sizeof *c->at);
    c->n = c->traps = 0;
    return carry_changes_for(t, p, n, c);
}

static void carry_drop_changes(struct changes *c)
{
    free(c->seen);
    free(c->at);
}

bool ez_probe_note_lost(const struct ez_target *t, struct ez_probe *p)
{
    if (p->site < 0 || !t->patcher.site.at[p->site].lost)
        return false;
    p->state = EZ_PROBE_LOST;
    ez_probe_reason(p, "the target changed these bytes");
    return true;
}

ez_err *ez_probes_prepare(struct ez_target *t, struct ez_probe **p, size_t n)
{
    struct changes c;
    ez_err *e = carry_collect_changes(t, p, n, &c);
    carry_drop_changes(&c);
    return e;
}

ez_err *ez_probes_apply(struct ez_target *t, struct ez_probe **p, size_t n)
{
    struct changes c;
    unsigned lost = 0;
    ez_err *e = carry_collect_changes(t, p, n, &c);
    if (!e)
        e = ez_patch_apply(t, c.at, c.n, &lost);
    carry_drop_changes(&c);
    EZ_TRY(e);
    for (size_t i = 0; lost && i < n; i++)
        ez_probe_note_lost(t, p[i]);
    return NULL;
}

ez_err *ez_probe_threads(struct ez_target *t, struct ez_probe *p, bool look)
{
    struct changes c;
    ez_err *e = carry_collect_changes(t, &p, 1, &c);
    if (!e)
        e = ez_patch_threads(t, c.at, c.n, look);
    carry_drop_changes(&c);
    return e;
}
