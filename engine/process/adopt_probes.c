/* SPDX-License-Identifier: GPL-3.0-or-later */
/* adopt_probes.c - creates this shell's probes for adopted sites (adopt.c; keep.h).
 *
 * If `detach -keep` left a list, each probe gets its former state. A killed shell left no list:
 * each planted site gets one or two probes, according to the flags of the site's variant. Probes
 * that this shell already had keep their numbers; an adopted probe whose number is in use gets a
 * new one. Probes whose patch was removed (adopt_rows.c) are planted again, and their counts
 * continue. In the end each site has exactly the patch that its probes request, so no jump remains
 * without a probe.
 * Tests: tests/procs/keep.sh, tests/procs/reach.sh */
#include <string.h>

#include "engine/process/keep_priv.h"
#include "engine/inferior/queue.h"
#include "engine/patch/variant.h"
#include "engine/probe/arm.h"
#include "engine/probe/carry.h"
#include "engine/probe/probe_list.h"
#include "engine/probe/resolve.h"
#include "engine/probe/stap.h"

/* ---- from the list ------------------------------------------------------------------------- */

struct adopt_by_func { /* a function's address, and the index of its site or row */
    uint64_t func;
    int at;
};

struct index {
    struct adopt_by_func *site, *row;
    size_t nsites, nrows;
};

static int adopt_by_func(const void *a, const void *b)
{
    const struct adopt_by_func *x = a, *y = b;
    return x->func < y->func ? -1 : x->func > y->func;
}

static void adopt_index_make(struct index *x, const struct ez_target *t, const struct adoption *o)
{
    x->site = ez_alloc((t->patcher.site.n + 1) * sizeof *x->site);
    x->row = ez_alloc((o->hdr.ids_used + 1) * sizeof *x->row);
    for (x->nsites = 0; x->nsites < t->patcher.site.n; x->nsites++)
        x->site[x->nsites] =
            (struct adopt_by_func){ t->patcher.site.at[x->nsites].func, (int)x->nsites };
    for (uint32_t i = 0; i < o->hdr.ids_used; i++)
        if (!(o->row[i].flags & (EZ_ROW_INTERNAL | EZ_ROW_CLAUSE)))
            x->row[x->nrows++] = (struct adopt_by_func){ o->row[i].func, (int)i };
    qsort(x->site, x->nsites, sizeof *x->site, adopt_by_func);
    qsort(x->row, x->nrows, sizeof *x->row, adopt_by_func);
}

static const struct adopt_by_func *adopt_find_func(const struct adopt_by_func *v, size_t n,
                                                   uint64_t func)
{
    struct adopt_by_func key = { .func = func };
    return func ? bsearch(&key, v, n, sizeof *v, adopt_by_func) : NULL;
}

static bool adopt_number_exists(const struct ez_target *t, size_t own, int number)
{
    for (size_t i = 0; i < own; i++)
        if (t->probes.probe.at[i]->number == number)
            return true;
    return false;
}

/* Resolves p to the site's function. If the probe was planted, and the site is not a hook of eztsh,
 * attaches p to the site. */
static void adopt_join(struct ez_target *t, struct ez_probe *p, const struct kept_probe *k,
                       int site)
{
    struct ez_site *s = &t->patcher.site.at[site];
    p->addr = s->func;
    p->obj = s->mod ? s->mod->obj : NULL;
    p->bias = s->mod ? s->mod->bias : 0;
    if (k->state != EZ_PROBE_ARMED && k->state != EZ_PROBE_LOST)
        return;
    if (s->hook)
        return;
    p->site = site;
    p->base.entries = k->base_entry;
    p->base.exits = k->base_exit;
    p->state = s->lost ? EZ_PROBE_LOST : EZ_PROBE_ARMED;
    ez_site_want(t, site, ez_probe_flags(p->spec.kind, p->spec.record), 1);
}

/* The ids of a function's rows, without rows of libraries that were loaded at the address
 * earlier. */
struct ids {
    EZ_VEC(uint32_t) v;
};

static void adopt_rows_of(const struct adoption *o, const struct index *x, uint64_t func,
                          struct ids *ids)
{
    const struct adopt_by_func *r = adopt_find_func(x->row, x->nrows, func),
                               *end = x->row + x->nrows;
    uint32_t last = 0;
    while (r && r > x->row && r[-1].func == func)
        r--;
    for (; r && r < end && r->func == func; r++) {
        uint32_t first = o->row[r->at].first;
        if (first > last)
            ids->v.n = 0;
        if (first >= last)
            EZ_PUSH(&ids->v, (uint32_t)r->at);
        last = EZ_MAX(first, last);
    }
}

/* Returns the index of the function's site; -1 if there is none, or if its variants have other rows
 * than ids, because another library is loaded at the address now. */
static int adopt_site_of(const struct ez_target *t, const struct adoption *o, const struct index *x,
                         uint64_t func, const struct ids *ids)
{
    const struct adopt_by_func *found = adopt_find_func(x->site, x->nsites, func);
    const struct ez_site *s = found ? &t->patcher.site.at[found->at] : NULL;
    if (!s || s->variant.n != ids->v.n)
        return -1;
    bool same = !ids->v.n || o->row[s->variant.at[0].id].first == o->row[ids->v.at[0]].first;
    return same ? found->at : -1;
}

/* For a probe whose library is unloaded: adds the hits since the list was written. */
static void adopt_count_gone(struct ez_target *t, struct ez_probe *p, const struct kept_probe *k,
                             const struct ids *ids)
{
    uint64_t in, out;
    if (!ids->v.n || k->state != EZ_PROBE_ARMED)
        return;
    p->entries -= k->base_entry;
    p->exits -= k->base_exit;
    for (size_t i = 0; i < ids->v.n; i++) {
        ez_drain_counts(t->tracing.drain, ids->v.at[i], &in, &out);
        p->entries += in;
        p->exits += out;
    }
}

/* Stores the counts of p's hits so far as counts of earlier shells. */
static void adopt_count_anew(struct ez_target *t, struct ez_probe *p)
{
    ez_probe_collect(t, p);
    p->earlier_entries = p->entries;
    p->earlier_exits = p->exits;
}

/* Returns the family number in this session for family `kept` of the list, with the same sign. of:
 * the map from the list's families to this session's, which the function extends. */
static int adopt_family(struct ez_target *t, struct ez_hash *of, int kept)
{
    const uint64_t key = (uint64_t)(kept < 0 ? -kept : kept);
    size_t known;
    if (!ez_hash_get(of, key, &known))
        known = ez_hash_put(of, key, (size_t)ez_probe_family(t));
    return kept < 0 ? -(int)known : (int)known;
}

static void adopt_add_probe(struct ez_target *t, const struct adoption *o,
                            const struct kept_probe *k, size_t own, const struct index *index,
                            struct ez_hash *families)
{
    const struct kept *l = &o->kept;
    struct ez_probe *p = ez_alloc(sizeof *p);
    struct ids ids = { 0 };
    adopt_rows_of(o, index, k->func, &ids);
    int site = adopt_site_of(t, o, index, k->func, &ids);
    p->number = adopt_number_exists(t, own, k->number) ? ez_probe_number(t) : k->number;
    const int family = adopt_family(t, families, k->family);
    if (k->copy)
        ez_probe_copy_of(t, p, family);
    else
        p->family = family;
    p->spec.kind = k->kind;
    p->spec.record = k->record;
    p->user_disabled = k->user_disabled;
    p->spec.location = kept_string(l, k->location);
    p->reason = kept_string(l, k->reason);
    p->spec.with = kept_string(l, k->with);
    p->spec.orig = kept_string(l, k->orig);
    p->object_path = kept_string(l, k->object_path);
    p->function = kept_string(l, k->function);
    p->library = kept_string(l, k->library);
    p->file = kept_string(l, k->file);
    p->line = k->line;
    p->ifunc = k->ifunc != 0;
    p->vaddr = k->vaddr;
    p->entries = k->entries;
    p->exits = k->exits;
    p->site = p->clause = p->table = p->gate = p->act_site = -1;
    p->spec.matching = p->family < 0;
    p->state =
        k->state == EZ_PROBE_ARMED || k->state == EZ_PROBE_LOST ? EZ_PROBE_PENDING : k->state;
    if (site >= 0)
        adopt_join(t, p, k, site);
    else
        adopt_count_gone(t, p, k, &ids);
    adopt_count_anew(t, p);
    EZ_VEC_FREE(&ids.v);
    ez_probe_keep(t, p);
}

static int adopt_by_number(const void *a, const void *b)
{
    return (*(struct ez_probe *const *)a)->number - (*(struct ez_probe *const *)b)->number;
}

static void adopt_add_probes(struct ez_target *t, const struct adoption *o)
{
    size_t own = t->probes.probe.n;
    const struct kept *l = &o->kept;
    struct index index = { 0 };
    struct ez_hash families = { 0 };
    adopt_index_make(&index, t, o);
    ez_probe_number_from(t, (int)l->head.next_number);
    for (uint32_t i = 0; i < l->head.nprobes; i++)
        adopt_add_probe(t, o, &l->probe[i], own, &index, &families);
    free(index.site);
    free(index.row);
    if (t->probes.probe.n)
        qsort(t->probes.probe.at, t->probes.probe.n, sizeof *t->probes.probe.at, adopt_by_number);
    for (uint32_t i = 0; i < l->head.nrules; i++) {
        const struct kept_rule *r = &l->rule[i];
        struct ez_rule rule = { .spec = { .kind = r->kind,
                                          .record = r->record,
                                          .matching = true,
                                          .no_startup = r->no_startup,
                                          .location = kept_string(l, r->spec) },
                                .matched = r->matched,
                                .serial = (unsigned)-adopt_family(t, &families, -(int)r->serial) };
        ez_rule_keep(t, &rule);
    }
    ez_hash_free(&families);
}

/* ---- from the journal ------------------------------------------------------------------------ */

/* Returns a LOCATION for an address of the target, or if `variable` is true the name of the
 * variable that begins there (NULL: none). The caller frees the string. */
static char *adopt_name_of(struct ez_target *t, uint64_t addr, bool variable)
{
    uint64_t off;
    struct ez_module_info m;
    const struct ez_sym *s = addr ? ez_symbolize_any(t, ez_addr_of(addr), &off, &m) : NULL;
    if (s && !off)
        return variable ? ez_strdup(s->name) : ez_sprintf("%s:%s", ez_base_name(m.path), s->name);
    return variable ? NULL : ez_sprintf("*0x%lx", (unsigned long)addr);
}

static void adopt_make(struct ez_target *t, int site, int kind, bool record)
{
    struct ez_site *s = &t->patcher.site.at[site];
    EZ_FREE char *at = ez_sprintf("*0x%lx", (unsigned long)s->func);
    bool replaced = kind & EZ_PROBE_REPLACE;
    EZ_FREE char *with = replaced ? adopt_name_of(t, s->with.func, false) : NULL;
    EZ_FREE char *orig = replaced ? adopt_name_of(t, s->with.orig, true) : NULL;
    const struct ez_probe_spec spec = { .kind = (enum ez_probe_kind)kind,
                                        .record = record,
                                        .location = s->sym && !s->exact ? s->sym->name : at,
                                        .with = with,
                                        .orig = orig };
    struct ez_probe *p = ez_probe_new(t, &spec);
    ez_probe_resolved(t, p, s->sym, s->mod, s->func);
    ez_probe_look_copy(t, p);
    p->site = site;
    p->state = EZ_PROBE_ARMED;
    ez_site_want(t, site, ez_probe_flags(p->spec.kind, record), 1);
    adopt_count_anew(t, p);
}

static uint32_t adopt_carried(const struct adoption *o, size_t site)
{
    return site < o->carried.n ? o->carried.at[site] : 0;
}

/* Creates the probes that the flags of a site's variant suggest. Every trampoline counts entries,
 * even if no probe requested them. So an exit probe that only counts looks like a probe of entries
 * and exits, and becomes one. */
static void adopt_guess(struct ez_target *t, const struct adoption *o, int site)
{
    const struct ez_site *s = &t->patcher.site.at[site];
    uint32_t flags =
        s->current >= 0 ? s->variant.at[s->current].flags : adopt_carried(o, (size_t)site);
    int trap = flags & CARRIED_TRAP ? EZ_PROBE_TRAP : 0;
    if (!(flags & EZ_ROW_ENTRY) || s->hook)
        return;
    if (flags & EZ_ROW_REPLACE)
        adopt_make(t, site, EZ_PROBE_REPLACE, false);
    int record = (flags & EZ_ROW_REC_ENTRY ? EZ_PROBE_ENTRY : 0) |
                 (flags & EZ_ROW_REC_EXIT ? EZ_PROBE_EXIT : 0);
    if (record)
        adopt_make(t, site, record | trap, true);
    else if (flags & EZ_ROW_EXIT || !(flags & EZ_ROW_REPLACE))
        adopt_make(t, site, (flags & EZ_ROW_EXIT ? EZ_PROBE_BOTH : EZ_PROBE_ENTRY) | trap, false);
    if (record && flags & EZ_ROW_EXIT && !(flags & EZ_ROW_REC_EXIT))
        adopt_make(t, site, EZ_PROBE_EXIT | trap, false);
}

/* ---- from list and journal ------------------------------------------------------------------- */

/* Plants at each site the variant that its probes request. Another variant can be planted there,
 * because the earlier shell may have changed the text after it wrote the list. */
static ez_err *adopt_align_text(struct ez_target *t)
{
    EZ_VEC(struct ez_change) c = { 0 };
    ez_err *e = NULL;
    unsigned lost;
    for (size_t i = 0; i < t->patcher.site.n && !e; i++) {
        int variant;
        /* adopt_plant_anew() handles sites without a strategy, which have not been analysed yet. */
        if (t->patcher.site.at[i].hook || t->patcher.site.at[i].lost ||
            !t->patcher.site.at[i].mod || !t->patcher.site.at[i].win.strategy)
            continue;
        e = ez_site_prepare(t, (int)i, 0, &variant);
        if (!e && variant != t->patcher.site.at[i].current)
            EZ_PUSH(&c, ((struct ez_change){ (int)i, variant }));
    }
    if (!e)
        e = ez_patch_apply(t, c.at, c.n, &lost);
    EZ_VEC_FREE(&c);
    return e;
}

/* Analyses and plants the probes whose patch was removed, like new probes. They keep their numbers
 * and counts. */
static ez_err *adopt_plant_anew(struct ez_target *t, const struct adoption *o)
{
    EZ_VEC(struct ez_probe *) again = { 0 };
    ez_probes_find_begin(t);
    for (size_t i = 0; i < t->probes.probe.n; i++) {
        struct ez_probe *p = t->probes.probe.at[i];
        if (p->site < 0 || t->patcher.site.at[p->site].win.strategy)
            continue;
        /* the earlier patch was a trap, so the user had allowed traps */
        if (adopt_carried(o, (size_t)p->site) & CARRIED_TRAP)
            p->spec.kind |= EZ_PROBE_TRAP;
        ez_probe_collect(t, p);
        ez_probe_leave(t, p);
        p->site = -1;
        p->state = EZ_PROBE_PENDING;
        if (ez_probe_find(t, p))
            EZ_PUSH(&again, p);
    }
    ez_err *e = again.n ? ez_probes_arm(t, again.at, again.n) : NULL;
    for (size_t i = 0; i < again.n; i++)
        if (again.at[i]->state == EZ_PROBE_REFUSED)
            ez_post_note(t, "Probe %d was taken over, but cannot be planted again: %s.",
                         again.at[i]->number, again.at[i]->reason);
    EZ_VEC_FREE(&again);
    return e;
}

/* Opens the trace that the user requested or, if a probe records, the automatic trace. Lets the
 * drain continue, which also writes the events that the rings already have. */
static ez_err *adopt_open_trace(struct ez_target *t)
{
    bool records = false;
    for (size_t i = 0; i < t->probes.probe.n; i++)
        records |=
            t->probes.probe.at[i]->spec.record && t->probes.probe.at[i]->state == EZ_PROBE_ARMED;
    ez_err *e = ez_trace_opened(t);
    if (!e && records && ez_trace_auto_begin(t))
        ez_trace_auto_end(t);
    /* otherwise the target might wait for ever for space in a ring */
    ez_drain_unhold(t->tracing.drain);
    return e;
}

/* Posts error e as a note and frees it, because the adoption continues after an error. */
static void adopt_complain(struct ez_target *t, ez_err *e)
{
    if (e)
        ez_post_note(t, "The probes were taken over, but one step failed: %s.", e->msg);
    ez_err_free(e);
}

unsigned adopt_probes(struct ez_target *t, const struct adoption *o)
{
    size_t own = t->probes.probe.n;
    adopt_complain(t, ez_semaphores_recover(t, o->seg.lo + o->hdr.off_semaphores));
    if (o->kept.all)
        adopt_add_probes(t, o);
    for (size_t i = 0; !o->kept.all && i < t->patcher.site.n; i++)
        adopt_guess(t, o, (int)i);
    for (size_t i = 0; i < t->probes.probe.n; i++) {
        const struct ez_probe *p = t->probes.probe.at[i];
        if (p->site >= 0)
            ez_arm_needs(t, p);
    }
    ez_drain_anew(t->tracing.drain);
    adopt_complain(t, adopt_open_trace(t));
    adopt_complain(t, adopt_align_text(t));
    adopt_complain(t, ez_jump_hooks(t));
    adopt_complain(t, adopt_plant_anew(t, o));
    adopt_complain(t, ez_semaphores_settle(t));
    return (unsigned)(t->probes.probe.n - own);
}
