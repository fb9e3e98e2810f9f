/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bulk.c - `probe -r`: plans probes for thousands of functions while the target runs, plants them
 * in one stop, and counts each refusal under its reason.
 * Tests: tests/e2e/matching.ezt */
#include "engine/target.h"
#include "engine/base/strutil.h"
#include "engine/inferior/progress.h"
#include "engine/inferior/image.h"
#include "engine/inferior/modules.h"
#include "engine/inferior/thread.h"
#include "engine/patch/island.h"
#include "engine/patch/trap.h"
#include "engine/probe/arm.h"
#include "engine/probe/carry.h"
#include "engine/probe/bulk.h"
#include "engine/probe/coverage.h"
#include "engine/probe/filter.h"
#include "engine/probe/probe_list.h"
#include "engine/probe/resolve.h"
#include "engine/probe/transact.h"
#include "engine/probe/verdict.h"

#include <regex.h>
#include <string.h>

struct match {
    struct ez_target *t;
    const struct ez_rule *rule; /* NULL: only collect addresses */
    const char *lib;            /* NULL: the program; "*": all modules */
    regex_t re;
    /* again: skip modules to which the rule was applied; copy: the module is a further loaded copy
     * of a library whose probes exist */
    bool again, copy;
    size_t from; /* index of the first new probe */
    unsigned matched;
    EZ_VEC(uint64_t) addr; /* addresses of the matching functions; used without a rule */
};

static bool bulk_module_wanted(const struct match *q, const char *path, bool is_program)
{
    if (!q->lib)
        return is_program;
    return !strcmp(q->lib, "*") || ez_path_is_library(path, q->lib);
}

static void bulk_make_probe(struct match *q, const struct ez_sym *s, const struct ez_module *m)
{
    struct ez_probe *p = ez_probe_new(q->t, &q->rule->spec);
    p->object_path = ez_strdup(m->path);
    p->obj = m->obj;
    p->vaddr = s->vaddr;
    p->addr = s->vaddr + m->bias;
    p->bias = m->bias;
    p->family = -(int)q->rule->serial;
    if (q->copy)
        ez_probe_copy_of(q->t, p, p->family);
    p->ifunc = ez_is_ifunc(m->obj, p->vaddr);
    p->function = ez_strdup(ez_sym_pretty(s));
    p->library = ez_strdup(ez_base_name(m->path));
}

/* Counts the functions of the file that match. Makes a probe, or stores the address, for each of
 * them, unless m is NULL. A function with several symbols is handled once, because symbols are
 * sorted by address. */
static ez_err *bulk_match_object(struct match *q, struct ez_object *obj, struct ez_module *m)
{
    size_t n;
    const struct ez_sym *s = ez_object_syms(obj, &n);
    uint64_t last = ~0ull;
    for (size_t i = 0; i < n; i++) {
        EZ_TRY(ez_progress_step(q->t, "Matching names", i, n));
        if (s[i].vaddr == last || !ez_sym_matches(&s[i], &q->re) ||
            (q->rule && q->rule->spec.no_startup && ez_sym_is_startup(&s[i])))
            continue;
        last = s[i].vaddr;
        q->matched++;
        if (m && q->rule)
            bulk_make_probe(q, &s[i], m);
        else if (m)
            EZ_PUSH(&q->addr, s[i].vaddr + m->bias);
    }
    return NULL;
}

/* Sets is[k] for the module k of p or, if p has no address, for the first unmarked module of its
 * path. */
static void bulk_mark_probed(const struct ez_target *t, const struct ez_probe *p, bool *is)
{
    for (size_t k = 0; k < t->inf.module.n; k++) {
        const struct ez_module *m = t->inf.module.at[k];
        if (p->addr ? p->obj != m->obj || p->bias != m->bias
                    : is[k] || strcmp(m->path, p->object_path))
            continue;
        is[k] = true;
        return;
    }
}

/* Returns true if `next`, a later probe of p's rule, is in the same module as p. If the probes have
 * no address, vaddr decides: it increases within a module. */
static bool bulk_follows(const struct ez_probe *p, const struct ez_probe *next)
{
    bool one = p->addr ? next->bias == p->bias : next->vaddr > p->vaddr;
    return one && p->copy == next->copy && !strcmp(p->object_path, next->object_path);
}

/* Returns an array that has true for each module with probes of the rule; the caller frees it.
 * Probes without an address belong to a file that was unloaded and may be loaded again. One pass
 * over the probes with an address and one over the others suffice, because the probes of a module
 * are consecutive. (Programs load hundreds of files with 100,000 functions.) */
static bool *bulk_probed_already(const struct ez_target *t, const struct ez_rule *r)
{
    bool *is = ez_alloc(t->inf.module.n + 1);
    for (int waiting = 0; waiting < 2; waiting++) {
        const struct ez_probe *last = NULL;
        for (size_t i = 0; i < t->probes.probe.n; i++) {
            const struct ez_probe *p = t->probes.probe.at[i];
            if (!p->object_path || waiting != !p->addr || p->family != -(int)r->serial)
                continue;
            if (!last || !bulk_follows(last, p))
                bulk_mark_probed(t, p, is);
            last = p;
        }
    }
    return is;
}

static bool bulk_is_copy(const struct ez_target *t, const struct ez_module *m, const bool *probed)
{
    for (size_t i = 0; i < t->inf.module.n; i++)
        if (t->inf.module.at[i] != m && t->inf.module.at[i]->obj == m->obj && probed[i])
            return true;
    return false;
}

/* Returns true if the rule was applied to the module. The module has a list of these rules, because
 * no probe remains if all were refused. */
static bool bulk_applied(const struct ez_module *m, const struct ez_rule *r)
{
    for (size_t i = 0; i < m->rule.n; i++)
        if (m->rule.at[i] == r->serial)
            return true;
    return false;
}

static void bulk_note_applied(struct match *q)
{
    for (size_t i = 0; i < q->t->inf.module.n; i++) {
        struct ez_module *m = q->t->inf.module.at[i];
        if (m->obj && bulk_module_wanted(q, m->path, m->is_program) && !bulk_applied(m, q->rule))
            EZ_PUSH(&m->rule, q->rule->serial);
    }
}

/* Of the probes with index in [from, to), counts and drops the refused ones. Counts the planted and
 * pending ones, which remain. */
static void bulk_settle(struct ez_target *t, size_t from, size_t to, struct ez_bulk *b)
{
    size_t k = from;
    for (size_t i = from; i < to; i++) {
        struct ez_probe *p = t->probes.probe.at[i];
        if (p->state == EZ_PROBE_ARMED || p->state == EZ_PROBE_PENDING) {
            t->probes.probe.at[k++] = p;
            b->planted += p->state == EZ_PROBE_ARMED;
            b->partial += p->missing != NULL;
            b->pending += p->state == EZ_PROBE_PENDING;
            continue;
        }
        b->refused++;
        b->exit_only += p->why == EZ_REFUSE_EXIT;
        ez_bulk_reason(b, p->reason, p->what);
        ez_cover_refused(t, p->reason, p->what);
        ez_probe_free(p);
    }
    for (; to < t->probes.probe.n; to++)
        t->probes.probe.at[k++] = t->probes.probe.at[to];
    t->probes.probe.n = k;
    ez_bulk_sort(b);
}

/* Returns the address of the colon in LIB:REGEX, or NULL if all of spec is a regular expression
 * (which may contain "::"). */
static char *bulk_library_end(const char *spec)
{
    char *colon = strchr(spec, ':');
    return colon && colon[1] != ':' ? colon : NULL;
}

static ez_err *bulk_compile(struct match *q, char *copy)
{
    char *colon = bulk_library_end(copy);
    if (!colon)
        return ez_str_regcomp(&q->re, copy, 0);
    *colon = 0;
    q->lib = copy;
    return ez_str_regcomp(&q->re, colon + 1, 0);
}

/* Creates probes for the matching functions of the loaded modules, with q->again only of modules
 * to which the rule was not applied. While the target runs, reads the text of these modules. */
static ez_err *bulk_match_modules(struct match *q, struct ez_bulk *b)
{
    struct ez_target *t = q->t;
    EZ_TRY(ez_modules_refresh(t)); /* at `start`, the modules were not read since the exec */
    EZ_FREE bool *had = q->again ? bulk_probed_already(t, q->rule) : ez_alloc(t->inf.module.n + 1);
    for (size_t i = 0; i < t->inf.module.n; i++) {
        struct ez_module *m = t->inf.module.at[i];
        if (!m->obj || !bulk_module_wanted(q, m->path, m->is_program) ||
            (q->again && (had[i] || bulk_applied(m, q->rule))))
            continue;
        q->copy = bulk_is_copy(t, m, had);
        EZ_TRY(bulk_match_object(q, m->obj, m));
        had[i] = true;
        if (t->inf.state != EZ_STOPPED)
            EZ_TRY(ez_module_text(t, m));
    }
    b->matched = q->matched;
    return NULL;
}

/* Drops the probes from index `from` on, none of which is planted. Their numbers are used again. */
static void bulk_forget_matched(struct ez_target *t, size_t from)
{
    while (t->probes.probe.n > from) {
        struct ez_probe *p = t->probes.probe.at[--t->probes.probe.n];
        ez_probe_leave(t, p);
        t->probes.next_number = p->number;
        ez_probe_free(p);
    }
}

static void bulk_forget_applied(struct ez_target *t, const struct ez_rule *r)
{
    for (size_t i = 0; i < t->inf.module.n; i++) {
        struct ez_module *m = t->inf.module.at[i];
        size_t k = 0;
        for (size_t j = 0; j < m->rule.n; j++)
            if (m->rule.at[j] != r->serial)
                m->rule.at[k++] = m->rule.at[j];
        m->rule.n = k;
    }
}

/* Creates probes for the functions that the rule matches, without planting them. */
static ez_err *bulk_match_rule(struct ez_target *t, struct ez_rule *rule, bool again,
                               struct ez_bulk *out)
{
    struct match q = { .t = t, .rule = rule, .again = again, .from = t->probes.probe.n };
    EZ_FREE char *copy = ez_strdup(rule->spec.location);
    memset(out, 0, sizeof *out);
    EZ_TRY(bulk_compile(&q, copy));
    ez_err *e = NULL;
    if (!rule->serial)
        rule->serial = (unsigned)ez_probe_family(t);
    if (t->inf.state != EZ_NONE) {
        e = bulk_match_modules(&q, out);
        if (!e)
            bulk_note_applied(&q);
    } else if (t->inf.prog_obj && bulk_module_wanted(&q, t->inf.program, true)) {
        e = bulk_match_object(&q, t->inf.prog_obj, NULL);
        out->matched = out->pending = q.matched;
    }
    regfree(&q.re);
    if (e)
        bulk_forget_matched(t, q.from);
    return e;
}

/* Applies a new rule. A live process keeps running during the analysis. It is stopped while the
 * runtime and memory for trampolines are mapped, and while the jumps are written. */
static ez_err *bulk_apply(struct ez_target *t, struct ez_rule *rule, struct ez_bulk *out)
{
    size_t from = t->probes.probe.n;
    EZ_TRY(bulk_match_rule(t, rule, false, out));
    if (t->inf.state == EZ_NONE)
        return NULL;
    ez_err *e = NULL;
    if (rule->held)
        ez_hold(t, from);
    else if (t->probes.probe.n > from)
        e = ez_arm_live(t, t->probes.probe.at + from, t->probes.probe.n - from, &out->stopped_ms);
    if (e) {
        bulk_forget_matched(t, from);
        bulk_forget_applied(t, rule);
    }
    bulk_settle(t, from, t->probes.probe.n, out);
    return e;
}

static ez_err *bulk_match_rules(struct ez_target *t, struct ez_bulk *b, size_t *end)
{
    for (size_t i = 0; i < t->probes.rule.n; i++) {
        size_t from = t->probes.probe.n;
        EZ_TRY(bulk_match_rule(t, &t->probes.rule.at[i], true, &b[i]));
        if (t->probes.rule.at[i].held)
            ez_hold(t, from);
        end[i] = t->probes.probe.n;
    }
    return NULL;
}

/* Calls bulk_settle() for the probes of each rule. Begins with the last rule, because bulk_settle()
 * moves the probes behind those of its rule in the list. */
static void bulk_settle_rules(struct ez_target *t, size_t from, struct ez_bulk *b,
                              const size_t *end)
{
    for (size_t i = t->probes.rule.n; i-- > 0;)
        bulk_settle(t, i ? end[i - 1] : from, end[i], &b[i]);
    for (size_t i = 0; i < t->probes.rule.n; i++) {
        t->probes.rule.at[i].matched |= b[i].matched > 0;
        if (b[i].matched)
            ez_bulk_announce(t, &b[i]);
    }
}

ez_err *ez_bulk_pending(struct ez_target *t, struct ez_probe **p, size_t n, bool announce)
{
    EZ_FREE struct ez_bulk *b = ez_alloc((t->probes.rule.n + 1) * sizeof *b);
    EZ_FREE size_t *end = ez_alloc((t->probes.rule.n + 1) * sizeof *end);
    EZ_VEC(struct ez_probe *) all = { 0 };
    size_t from = t->probes.probe.n;
    ez_err *e = bulk_match_rules(t, b, end);
    for (size_t i = 0; !e && i < n; i++)
        EZ_PUSH(&all, p[i]);
    for (size_t i = from; !e && i < t->probes.probe.n; i++)
        if (!t->probes.probe.at[i]->held)
            EZ_PUSH(&all, t->probes.probe.at[i]);
    if (!e && all.n)
        e = ez_probes_arm(t, all.at, all.n);
    EZ_VEC_FREE(&all);
    if (!e) {
        ez_probes_announce(t, p, n, announce);
        bulk_settle_rules(t, from, b, end);
        return NULL;
    }
    bulk_forget_matched(t, from);
    for (size_t i = 0; i < t->probes.rule.n; i++)
        bulk_forget_applied(t, &t->probes.rule.at[i]);
    return e;
}

/* Returns an error if the function at *addr cannot be probed. *traps: number of new traps that the
 * functions so far need. */
static ez_err *bulk_verdict_of_many(struct ez_target *t, enum ez_probe_kind kind, uint64_t *addr,
                                    size_t *traps)
{
    int site;
    EZ_TRY(ez_verdict(t, kind, addr, &site));
    const struct ez_site *s = &t->patcher.site.at[site];
    return ez_strategy(s->win.strategy)->trap && !ez_trap_known(t, s->addr)
               ? ez_trap_room(t, s->addr, (*traps)++)
               : NULL;
}

ez_err *ez_probe_plan_matching(struct ez_target *t, enum ez_probe_kind kind, const char *spec,
                               struct ez_bulk *out)
{
    struct ez_rule rule = { .spec = { .kind = kind, .location = spec } };
    struct match q = { .t = t, .rule = &rule, .from = t->probes.probe.n };
    EZ_FREE char *copy = ez_strdup(spec);
    int first = t->probes.next_number;
    size_t traps = 0;
    memset(out, 0, sizeof *out);
    EZ_TRY(ez_need_strategy());
    EZ_TRY(ez_need_process(t));
    EZ_TRY(ez_islands_refresh(t));
    EZ_TRY(bulk_compile(&q, copy));
    ez_progress_begin(t);
    ez_err *e = bulk_match_modules(&q, out);
    regfree(&q.re);
    for (size_t i = q.from; i < t->probes.probe.n; i++) {
        struct ez_probe *p = t->probes.probe.at[i];
        if (!e)
            e = ez_progress_step(t, "Judging functions", i - q.from, t->probes.probe.n - q.from);
        ez_err *no = e || p->ifunc ? NULL : bulk_verdict_of_many(t, kind, &p->addr, &traps);
        out->planted += !no;
        if (no)
            ez_bulk_reason(out, no->msg, no->what);
        out->refused += no != NULL;
        out->exit_only += no && no->why == EZ_REFUSE_EXIT;
        ez_err_free(no);
        ez_probe_free(p);
    }
    t->probes.probe.n = q.from;
    t->probes.next_number = first;
    ez_bulk_sort(out);
    return ez_progress_end(t, e);
}

ez_err *ez_functions_matching(struct ez_target *t, const char *spec, ez_addr **addr, size_t *n)
{
    struct match q = { .t = t };
    EZ_FREE char *copy = ez_strdup(spec);
    *addr = NULL;
    *n = 0;
    EZ_TRY(ez_need_process(t));
    EZ_TRY(bulk_compile(&q, copy));
    ez_err *e = ez_modules_refresh(t);
    for (size_t i = 0; !e && i < t->inf.module.n; i++) {
        struct ez_module *m = t->inf.module.at[i];
        if (m->obj && bulk_module_wanted(&q, m->path, m->is_program))
            e = bulk_match_object(&q, m->obj, m);
    }
    regfree(&q.re);
    *addr = ez_alloc((q.addr.n + 1) * sizeof **addr);
    for (size_t i = 0; i < q.addr.n; i++)
        (*addr)[(*n)++] = ez_addr_of(q.addr.at[i]);
    EZ_VEC_FREE(&q.addr);
    return e;
}

ez_err *ez_probe_add_matching(struct ez_target *t, const struct ez_probe_spec *spec,
                              struct ez_bulk *out)
{
    EZ_TRY(ez_hand_none(t));
    EZ_TRY(ez_need_strategy());
    EZ_TRY(ez_filter_check(spec));
    struct ez_rule rule = { .held = t->probes.holding };
    ez_probe_spec_copy(&rule.spec, spec);
    rule.spec.matching = true;
    double start = ez_now_exact();
    ez_progress_begin(t);
    ez_err *e = ez_progress_end(t, bulk_apply(t, &rule, out));
    out->total_ms = ez_now_exact() - start;
    if (e) {
        ez_rule_free(&rule);
        return e;
    }
    bool may_come = t->inf.state == EZ_NONE &&
                    /* a library that the rule names may be loaded later */
                    bulk_library_end(spec->location);
    if (!out->matched && !may_come) {
        ez_rule_free(&rule);
        return NULL;
    }
    rule.matched = t->inf.state != EZ_NONE;
    /* the rule remains, because it also applies to libraries that are loaded later */
    ez_rule_keep(t, &rule);
    return ez_probes_watch(t);
}
