/* SPDX-License-Identifier: GPL-3.0-or-later */
/* clause.c - probes with conditions and data. The user's request is compiled when the probe's
 * function is known (engine/expr/clause.h).
 *
 * A clause has an id of its own, under which the hits that pass its condition are counted and
 * recorded. If the probe does not record, they are only counted.
 * Tests: tests/procs/data.sh, tests/procs/addup.sh */
#include "engine/target.h"

#include <string.h>

#include "engine/expr/scope.h"
#include "engine/patch/clause.h"
#include "engine/patch/variant.h"
#include "engine/probe/act.h"
#include "engine/probe/clause.h"
#include "engine/probe/filter.h"
#include "engine/probe/probe_list.h"
#include "engine/probe/stap.h"

/* Copies the probe's action to the request. */
static void clause_act(const struct ez_target *t, const struct ez_probe *p,
                       struct ez_request *request)
{
    const struct ez_probe *other = ez_probe_numbered(t, p->act.number);
    request->act = p->act.kind;
    request->act_gate = other && other->gate >= 0 ? (unsigned)other->gate : 0;
    if ((request->act == EZ_ACT_ENABLE || request->act == EZ_ACT_DISABLE) &&
        (!other || other->gate < 0))
        request->act = EZ_ACT_NONE; /* the user has deleted the other probe */
}

/* Compiles the probe's request for the function at vaddr of file obj, which is loaded with this
 * bias. */
static ez_err *clause_compile(struct ez_target *t, const struct ez_probe *p, struct ez_object *obj,
                              uint64_t bias, uint64_t vaddr, const struct ez_guards *guards,
                              struct ez_clause_code **out)
{
    struct ez_request request = {
        .spec = &p->spec,
        .tracepoint = p->spec.tracepoint ? p->number : 0,
        .max_string = t->set.max_string,
        .table = (unsigned)EZ_MAX(p->table, 0),
        .guards = *guards,
        .serial = p->serial,
        .fragment = p->spec.fragment.callee == EZT_THERE ? bias + vaddr
                    : p->spec.fragment.callee            ? 0
                                                         : p->spec.fragment.at,
        .places = p->spec.fragment.places,
        .place = p->spec.fragment.callee,
    };
    struct ez_scope *scope = NULL;
    clause_act(t, p, &request);
    if (p->spec.fragment.spec) { /* a fragment uses no names of the function */
        const struct ez_scope none = { .function = "it" };
        return ez_clause_compile(&request, &none, out);
    }
    const struct ez_sym *sym = ez_object_find_addr(obj, vaddr);
    const struct ez_stap *note = ez_location_stap(p->spec.location)
                                     ? ez_stap_named(obj, p->spec.location, vaddr)
                                     : ez_object_stap_at(obj, vaddr);
    const struct ez_scope_stap stap = { note, obj, bias };
    EZ_TRY(ez_scope_of(obj, bias, sym, vaddr, p->spec.prototype, &scope));
    scope->stap = note ? &stap : NULL;
    scope->is_inside = !sym || sym->vaddr != vaddr;
    ez_err *e = ez_clause_compile(&request, scope, out);
    ez_scope_free(scope);
    return e;
}

static void clause_copy_missing(struct ez_probe *p, const struct ez_clause_code *code)
{
    free(p->missing);
    p->missing = code->missing ? ez_strdup(code->missing) : NULL;
}

ez_err *ez_probe_check_request(struct ez_target *t, struct ez_probe *p)
{
    struct ez_clause_code *code = NULL;
    if (!ez_probe_has_request(p) || !p->obj)
        return NULL;
    const struct ez_guards none = { .skip = p->spec.filter.ignore,
                                    .most = p->spec.filter.passcount };
    EZ_TRY(clause_compile(t, p, p->obj, 0, p->vaddr, &none, &code));
    clause_copy_missing(p, code);
    ez_clause_free(code);
    return NULL;
}

/* Allocates a table for the probe, if it is an aggregate without a table. */
static ez_err *clause_table(struct ez_target *t, struct ez_probe *p)
{
    if (!p->spec.adds || p->table >= 0)
        return NULL;
    if (t->probes.ntables == EZ_ADDUPS)
        return ez_err_new(EZ_E_LIMIT, 0, "A process has room for %d aggregates", EZ_ADDUPS);
    EZ_TRY(ez_drain_reserve_addups(t->tracing.drain, t->probes.ntables + 1));
    p->table = (int)t->probes.ntables++;
    return NULL;
}

/* Writes the definition of the aggregate to the trace. */
static void clause_define_adds(struct ez_target *t, const struct ez_probe *p)
{
    const struct ez_addup_sum found = { .kind = p->added.kind, .of = p->added.of };
    ez_drain_define_adds(
        t->tracing.drain, (uint32_t)p->table,
        &(struct ez_aggregate){ .number = p->number,
                                .function = p->function ? p->function : p->spec.location,
                                .value = ez_text(p->spec.value),
                                .key = ez_text(p->spec.key),
                                .adds = p->spec.adds,
                                .key_type = p->key_type,
                                .sum = &found });
}

ez_err *ez_probe_join_clause(struct ez_target *t, struct ez_probe *p, int site, int flags)
{
    const struct ez_site *s = &t->patcher.site.at[site];
    struct ez_clause_code *code = NULL;
    struct ez_guards guards;
    struct ez_drain_filter filter;
    int index;
    ez_err *e = clause_table(t, p);
    if (!e)
        e = ez_filter_guards(t, p, &guards);
    if (!e)
        e = clause_compile(t, p, s->mod->obj, s->mod->bias, s->func - s->mod->bias, &guards, &code);
    /* Only this function is refused, because the request's names may exist in another function. */
    if (e) {
        e->code = e->code == EZ_E_LIMIT ? EZ_E_LIMIT : EZ_E_REFUSED;
        p->site = -1;
        return e;
    }
    p->key_type = code->key;
    clause_copy_missing(p, code);
    p->added.kind = ez_adds_kind(p->spec.adds);
    p->added.of = code->adds_of;
    ez_filter_drain(p, &guards, &filter);
    flags |= p->budget.throttled ? EZ_DEF_APART : 0;
    e = ez_clause_join(t, site, code, flags, &filter, &index);
    if (e)
        p->site = -1;
    else
        p->clause = index;
    if (!e)
        ez_act_planted(t, p);
    if (!e && p->table >= 0)
        clause_define_adds(t, p);
    return e;
}

void ez_probe_counts(struct ez_target *t, const struct ez_probe *p, struct ez_clause_counts *out)
{
    const struct ez_site *s = &t->patcher.site.at[p->site];
    if (p->clause >= 0) {
        ez_clause_counts(t, s, p->clause, out);
        return;
    }
    *out = (struct ez_clause_counts){ 0 };
    ez_site_counts(t, s, &out->entries, &out->exits);
    for (size_t i = 0; i < s->clause.n;
         i++) { /* adds the calls that a clause records instead of the site */
        struct ez_clause_counts c;
        if (!(s->clause.at[i].flags & (EZ_ROW_REC_ENTRY | EZ_ROW_REC_EXIT)))
            continue;
        ez_clause_counts(t, s, (int)i, &c);
        out->entries += c.entries;
        out->exits += c.exits;
    }
}
