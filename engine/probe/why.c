/* SPDX-License-Identifier: GPL-3.0-or-later */
/* why.c - explains how a probe on a function is or would be planted (why.h). */
#include "engine/probe/why.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "engine/target.h"
#include "engine/inferior/modules.h"
#include "engine/inferior/rseq.h"
#include "engine/inferior/stop.h"
#include "engine/inferior/thread.h"
#include "engine/patch/alloc.h"
#include "engine/patch/island.h"
#include "engine/patch/variant.h"
#include "engine/probe/verdict.h"

/* ---- the verdict ----------------------------------------------------------------------- */

/* Returns an error if there is no memory for a trampoline, or if the instructions cannot be
 * relocated. *room: the trampoline's address. */
static ez_err *why_could_stand(struct ez_target *t, const struct ez_site *s, uint64_t *room)
{
    struct ez_reloc r;
    EZ_TRY(ez_trampoline_place(t, s->addr, 512, room));
    return t->inf.arch->codegen.relocate(s->win.bytes, s->win.len, s->addr, *room, &r);
}

static void why_reason(char *to, size_t size, ez_err *e)
{
    snprintf(to, size, "%s", e ? e->msg : "");
    ez_err_free(e);
}

/* Returns EZ_PROBE_TRAP if the user permits a trap, or if a trap is planted on the function;
 * otherwise 0. */
static enum ez_probe_kind why_trap_of(const struct ez_target *t, const struct ez_why *w)
{
    int site = ez_site_find(t, w->func);
    bool stands = site >= 0 && t->patcher.site.at[site].current >= 0;
    return w->trap || (stands && ez_strategy(t->patcher.site.at[site].win.strategy)->trap)
               ? EZ_PROBE_TRAP
               : 0;
}

static ez_err *why_judge(struct ez_target *t, struct ez_why *w, int *site)
{
    int again;
    uint64_t addr = w->func, same = w->func;
    enum ez_probe_kind trap = why_trap_of(t, w);
    ez_err *e = ez_verdict(t, EZ_PROBE_ENTRY | trap, &addr, site);
    if (!e && *site >= 0)
        e = why_could_stand(t, &t->patcher.site.at[*site], &w->room);
    if (e && (e->code == EZ_E_GONE || e->code == EZ_E_STATE || e->code == EZ_E_SYS))
        return e;
    w->func = addr;
    w->help = e ? ez_refusal_help(e->why) : NULL;
    why_reason(w->entry, sizeof w->entry, e);
    if (*w->entry)
        snprintf(w->exit, sizeof w->exit, "%s", w->entry);
    else
        why_reason(w->exit, sizeof w->exit, ez_verdict(t, EZ_PROBE_EXIT | trap, &same, &again));
    return NULL;
}

/* Calls why_judge(), with the target stopped if the function is an IFUNC, because its resolver can
 * be called only in a stopped target. */
static ez_err *why_judge_ready(struct ez_target *t, struct ez_why *w, int *site)
{
    enum ez_state was;
    const struct ez_module *m = ez_module_at(t, w->func);
    const struct ez_sym *s = m && m->obj ? ez_object_find_addr(m->obj, w->func - m->bias) : NULL;
    if (t->inf.state == EZ_STOPPED || !s || s->kind != EZ_SYM_IFUNC)
        return why_judge(t, w, site);
    EZ_TRY(ez_world_stop(t, &was));
    ez_err *e = why_judge(t, w, site);
    ez_err *r = ez_world_resume(t, was);
    return ez_err_first(e, r);
}

/* ---- the instructions ----------------------------------------------------------------------- */

static enum ez_why_role why_role_of(const struct ez_why *w, const struct ez_insn *in, uint64_t at)
{
    if (at < w->site)
        return EZ_WHY_LANDING;
    if (at >= w->site + w->covered)
        return at < w->site + w->covered + w->padding ? EZ_WHY_PADDING : EZ_WHY_BEHIND;
    return in->flow != EZ_FLOW_PLAIN || in->riprel ? EZ_WHY_REWRITTEN : EZ_WHY_MOVED;
}

static uint64_t why_moved_to(const struct ez_target *t, int site, uint64_t at)
{
    const struct ez_site *s = site < 0 ? NULL : &t->patcher.site.at[site];
    if (!s || s->current < 0)
        return 0;
    for (size_t i = 0; i < s->reloc.n; i++)
        if (s->addr + s->reloc.from[i] == at)
            return s->variant.at[s->current].relocated + s->reloc.to[i];
    return 0;
}

/* Lists the function's instructions from the first to a few behind those that the jump overwrites
 * (for a refused function: would overwrite). */
static void why_list_insns(struct ez_target *t, struct ez_why *w, int site)
{
    uint64_t stop = w->site + EZ_MAX(w->covered + w->padding, w->jump) + 8;
    for (uint64_t at = w->func; at < stop && w->ninsn < EZ_ARRAY_LEN(w->insn);) {
        struct ez_why_insn *i = &w->insn[w->ninsn];
        struct ez_insn in;
        struct ez_disassembled d;
        if (!ez_err_drop(ez_disassemble(t, ez_addr_of(at), true, &d)) || !d.len ||
            !ez_err_drop(t->inf.arch->decode.insn(d.bytes, sizeof d.bytes, at, &in)))
            break;
        i->addr = at;
        i->len = (uint8_t)EZ_MIN(d.len, sizeof i->bytes);
        memcpy(i->bytes, d.bytes, i->len);
        snprintf(i->text, sizeof i->text, "%.*s", (int)sizeof i->text - 1, d.text);
        i->role = why_role_of(w, &in, at);
        i->moved_to = why_moved_to(t, site, at);
        w->ninsn++;
        at += d.len;
    }
}

static void why_note_lead(uint64_t source, enum ez_lead lead, void *arg)
{
    struct ez_why *w = arg;
    if (!w->nleads[lead]++)
        w->lead[lead] = source;
}

/* Returns the address behind the function's landing instruction (endbr64), or func if it has none.
 * The code is read, because a refused function has no site with this address. */
static uint64_t why_behind_landing(struct ez_target *t, uint64_t func)
{
    struct ez_insn in;
    uint8_t bytes[16];
    size_t n = ez_read_original(t, func, bytes, sizeof bytes);
    return n && ez_err_drop(t->inf.arch->decode.insn(bytes, n, func, &in)) && in.is_landing
               ? func + in.len
               : func;
}

/* ---- the answer ------------------------------------------------------------------------------ */

static void why_describe_site(struct ez_target *t, struct ez_why *w, int site)
{
    const struct ez_site *s = &t->patcher.site.at[site];
    w->site = s->addr;
    w->covered = s->win.len;
    w->padding = s->win.padding;
    w->jump = s->win.jump;
    w->island = s->win.island;
    if (!*w->exit)
        w->exit_mode = ez_exit_mode(t, site, &w->exit_because);
    w->strategy = *w->entry ? EZ_NO_STRATEGY : s->win.strategy;
    if (s->current < 0)
        return;
    const struct ez_variant *v = &s->variant.at[s->current];
    w->planted = true;
    w->trampoline = w->room = v->trampoline;
    w->relocated = v->relocated;
    w->with = v->with.func;
    w->kept = v->flags & EZ_ROW_KEEP;
    w->trampoline_len = (unsigned)(v->relocated - v->trampoline);
    w->relocated_len = (unsigned)s->reloc.len;
    for (size_t i = 0; i < t->probes.probe.n; i++)
        if (t->probes.probe.at[i]->site == site && t->probes.probe.at[i]->state == EZ_PROBE_ARMED) {
            if (w->nprobe < EZ_ARRAY_LEN(w->probe))
                w->probe[w->nprobe] = t->probes.probe.at[i]->number;
            w->nprobe++;
        }
}

static void why_describe_function(struct ez_why *w, struct ez_module *m)
{
    const struct ez_sym *s = ez_object_find_addr(m->obj, w->func - m->bias);
    uint64_t off = s ? w->func - m->bias - s->vaddr : 0;
    snprintf(w->name, sizeof w->name, off ? "%.170s+%" PRIu64 : "%.170s",
             s ? ez_sym_pretty(s) : "?", off);
    snprintf(w->library, sizeof w->library, "%s", ez_base_name(m->path));
    w->end = s ? ez_sym_end(s) + m->bias : 0;
    w->next = s ? ez_sym_next(s) + m->bias : 0;
}

/* Determines for each strategy alone whether it is possible. If w->func is still an IFUNC's
 * resolver, the resolver could not be called, and no strategy applies. */
static void why_collect(struct ez_target *t, struct ez_why *w)
{
    const struct ez_sym *s = ez_begins_at(t, w->func);
    if (s && s->kind == EZ_SYM_IFUNC)
        return;
    for (unsigned i = EZ_JUMP; i < EZ_NSTRATEGY; i++) {
        bool chosen = i == w->strategy;
        ez_err *e = chosen ? NULL : ez_verdict_by(t, w->func, (enum ez_strategy)i);
        const char *what = chosen                 ? "chosen"
                           : e                    ? e->msg
                           : ez_strategy(i)->trap ? "possible: probe -trap"
                                                  : "possible";
        snprintf(w->against[i], sizeof w->against[i], "%s", what);
        ez_err_free(e);
    }
}

ez_err *ez_why(struct ez_target *t, ez_addr addr, bool trap, struct ez_why *w)
{
    int site = -1;
    *w = (struct ez_why){ .func = addr.v, .trap = trap, .jump = (unsigned)t->inf.arch->jump.len };
    EZ_TRY(ez_need_process(t));
    EZ_TRY(ez_modules_refresh(t));
    EZ_TRY(ez_islands_refresh(t));
    if (t->inf.state == EZ_STOPPED)
        ez_rseq_look(t);
    EZ_TRY(why_judge_ready(t, w, &site));
    struct ez_module *m = ez_module_at(t, w->func);
    if (!m || !m->obj)
        return ez_err_gdb(EZ_E_NOTFOUND, "No function contains specified address.");
    why_describe_function(w, m);
    w->site = why_behind_landing(t, w->func);
    if (site >= 0)
        why_describe_site(t, w, site);
    if (m->text)
        ez_text_leads(m->text, w->site, w->site + w->jump, why_note_lead, w);
    if (m->text)
        why_collect(t, w);
    why_list_insns(t, w, site);
    return NULL;
}

/* ---- inside a trampoline --------------------------------------------------------------------- */

bool ez_trampoline_origin(struct ez_target *t, ez_addr addr, ez_addr *origin, int *probe)
{
    *origin = ez_addr_of(0);
    *probe = 0;
    if (t->rt.up && addr.v - t->rt.blob < t->rt.image_size)
        return true;
    if (!ez_trampoline_owns(t, addr.v, addr.v + 1))
        return false;
    for (size_t i = 0; i < t->patcher.site.n; i++) {
        const struct ez_site *s = &t->patcher.site.at[i];
        for (size_t k = 0; k < s->variant.n; k++) {
            const struct ez_variant *v = &s->variant.at[k];
            if (addr.v < v->trampoline || addr.v >= v->relocated + EZ_MAX_RELOCATED)
                continue;
            struct ez_reloc r;
            if (!ez_err_drop(t->inf.arch->codegen.relocate(s->win.bytes, s->win.len, s->addr,
                                                           v->relocated, &r)) ||
                addr.v >= v->relocated + r.len)
                continue;
            for (size_t j = 0; j < r.n && addr.v >= v->relocated + r.to[j]; j++)
                *origin = ez_addr_of(s->addr + r.from[j]);
            for (size_t j = 0; j < t->probes.probe.n && !*probe; j++)
                *probe = t->probes.probe.at[j]->site == (int)i ? t->probes.probe.at[j]->number : 0;
            return true;
        }
    }
    return true;
}

void ez_thread_places(struct ez_target *t, void (*fn)(const struct ez_thread_place *, void *),
                      void *arg)
{
    for (size_t i = 0; i < t->patcher.region.n; i++)
        fn(&t->patcher.region.at[i], arg);
}
