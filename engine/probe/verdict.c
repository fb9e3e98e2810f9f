/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verdict.c - decides whether a probe of a given kind is possible at an address.
 *
 * site.c checks the function's bytes; this file checks its name, other probes, the strategy that
 * the user has set, and the state of the process. Planting, `why` and dry-run all call this file,
 * so that their results agree. No patch is written to the target.
 * Tests: tests/procs/why.sh, tests/fault/check_strategy.sh */
#include "engine/target.h"
#include "engine/inferior/image.h"
#include "engine/inferior/modules.h"
#include "engine/patch/trap.h"
#include "engine/probe/verdict.h"

#include <string.h>

static unsigned verdict_strategies(const struct ez_target *t, enum ez_probe_kind kind)
{
    unsigned by = ez_strategies_used(t->set.strategy);
    if (t->set.strategy == EZ_USE_ANY && !(kind & EZ_PROBE_TRAP))
        by = EZ_BY_DEFAULT;
    return by & ez_strategies_of(t->inf.arch) & ~t->set.refused;
}

/* Returns an error that refuses exit probes only, with a hint that an entry probe may be possible;
 * NULL if why is NULL. */
static ez_err *verdict_no_exit(const char *why)
{
    return why ? ez_err_why(ez_err_hint(ez_err_new(EZ_E_REFUSED, 0, "%s", why),
                                        "\"probe entry\" may be possible"),
                            EZ_REFUSE_EXIT)
               : NULL;
}

static ez_err *verdict_may_exit(const struct ez_site *s)
{
    if (s->exact)
        return ez_err_new(
            EZ_E_REFUSED, 0,
            "not the first instruction of a function: only an entry probe is possible");
    const char *why = s->sym ? ez_exit_denied(s->sym->name) : NULL;
    if (!why && s->sym && s->mod)
        why = ez_object_no_exit(s->mod->obj);
    if (!why && s->sym && ez_sym_guarded(s->sym))
        why = "without a name the function may be one that returns twice or walks the stack";
    return verdict_no_exit(why);
}

/* Returns a reason if the function is a PLT entry of Mono's compiled code, otherwise NULL. Mono
 * reads the bytes of the entry's jump to find its destination. */
static const char *verdict_mono_plt(struct ez_target *t, const struct ez_site *s)
{
    static const char prefix[] = "plt_";
    const struct ez_module *m = s->mod;
    const uint64_t off = m ? s->func - m->image_va : 0;
    bool named = m && m->obj && m->image && !strncmp(s->sym->name, prefix, sizeof prefix - 1);
    bool jumps =
        named && off + 2 <= m->image_len && m->image[off] == 0xff && m->image[off + 1] == 0x25;
    return jumps || (named && ez_symbol_addr(t, m, "mono_aot_file_info"))
               ? "Mono reads the bytes of this function"
               : NULL;
}

static ez_err *verdict_may_probe(struct ez_target *t, const struct ez_site *s,
                                 enum ez_probe_kind kind)
{
    const char *why = NULL;
    if (s->hook)
        return ez_err_why(ez_err_new(EZ_E_REFUSED, 0, "eztsh itself needs this function"),
                          EZ_REFUSE_HOOK);
    if (s->sym && !s->exact) {
        why = ez_probe_denied(s->sym->name);
        if (!why && !strcmp(s->sym->name, "_dl_debug_state") && s->mod == ez_module_loader(t))
            return ez_err_why(
                ez_err_new(EZ_E_REFUSED, 0, "eztsh itself waits at this function for libraries"),
                EZ_REFUSE_LOADER);
        if (!why && s->sym->kind == EZ_SYM_COLD)
            why = "a .cold fragment is jumped to, not called";
        why = why ? why : verdict_mono_plt(t, s);
    }
    if (why)
        return ez_err_new(EZ_E_REFUSED, 0, "%s", why);
    return kind & EZ_PROBE_EXIT ? verdict_may_exit(s) : NULL;
}

static bool verdict_in_use(const struct ez_site *s)
{
    return s->mod && ez_site_serves(s);
}

/* Returns the end address of the bytes that a site relies on. A pun also relies on the bytes of the
 * next instructions that are the last bytes of its jump. */
static uint64_t verdict_end_of(const struct ez_target *t, const struct ez_site *s)
{
    size_t own = EZ_MAX(s->win.len, s->win.jump);
    uint64_t jump = (uint64_t)t->inf.arch->jump.len + s->win.prefix;
    return s->addr + (ez_strategy(s->win.strategy)->relies_on_next ? jump : own);
}

struct span {
    uint64_t lo, hi;
};

/* Sets out to the address ranges of the bytes that a site relies on: those of its patch region, and
 * of its island in padding. Returns the number of ranges. */
static size_t verdict_spans(const struct ez_target *t, const struct ez_site *s, struct span out[2])
{
    const struct ez_patch_region *w = &s->win;
    out[0] = (struct span){ s->addr, verdict_end_of(t, s) };
    if (ez_strategy(w->strategy)->island != EZ_ISLAND_IN_TEXT || w->evicted)
        return 1;
    out[1] = (struct span){ w->island, w->island + (uint64_t)t->inf.arch->jump.len };
    return 2;
}

static ez_err *verdict_no_overlap_with(const struct ez_target *t, const struct ez_site *s,
                                       const struct ez_site *o)
{
    struct span a[2], b[2];
    bool together = o->func == s->win.evicted || s->func == o->win.evicted;
    if (o->func == s->func || together || !verdict_in_use(o))
        return NULL;
    size_t na = verdict_spans(t, s, a), nb = verdict_spans(t, o, b);
    for (size_t i = 0; i < na; i++)
        for (size_t k = 0; k < nb; k++)
            if (a[i].lo < b[k].hi && b[k].lo < a[i].hi)
                return ez_err_place(ez_err_new(EZ_E_REFUSED, 0, "overlaps the probe"), " at 0x%lx",
                                    (unsigned long)o->addr);
    return NULL;
}

/* Returns true if sites of strategies a and b may overlap even if their functions are far apart:
 * one of them has an island in padding, and the other relies on bytes behind its jump. */
static bool verdict_may_meet(const struct ez_strategy_row *a, const struct ez_strategy_row *b)
{
    return (a->island == EZ_ISLAND_IN_TEXT && b->relies_on_next) ||
           (b->island == EZ_ISLAND_IN_TEXT && a->relies_on_next);
}

/* Returns true if the site must be compared with all other sites, because a site is not at a
 * function's first byte, or because islands and puns may overlap. */
static bool verdict_may_meet_all(const struct ez_target *t, const struct ez_site *s)
{
    bool may = t->patcher.exact_sites;
    for (unsigned i = EZ_JUMP; i < EZ_NSTRATEGY; i++)
        may |= t->patcher.strategies & EZ_BY(i) &&
               verdict_may_meet(ez_strategy(s->win.strategy), ez_strategy(i));
    return may;
}

/* Returns an error if the bytes that the site relies on (verdict_spans()) overlap those of another
 * site in use. */
static ez_err *verdict_no_overlap(struct ez_target *t, const struct ez_site *s)
{
    bool all = verdict_may_meet_all(t, s);
    for (size_t i = 0; all && i < t->patcher.site.n; i++)
        EZ_TRY(verdict_no_overlap_with(t, s, &t->patcher.site.at[i]));
    /* Otherwise, only sites that begin within a few bytes of s can overlap s. */
    bool near = !all && ez_site_near_punned(t, s->func);
    for (int d = -EZ_SITE_NEAR; near && d <= EZ_SITE_NEAR; d++) {
        int o = d ? ez_site_find(t, s->func + (uint64_t)(int64_t)d) : -1;
        if (o >= 0)
            EZ_TRY(verdict_no_overlap_with(t, s, &t->patcher.site.at[o]));
    }
    return NULL;
}

/* Calls of an IFUNC go to the function that its resolver returned, so this function is probed. */
ez_err *ez_verdict_ifunc(struct ez_target *t, uint64_t *addr)
{
    uint64_t target;
    ez_err *e = ez_ifunc_target(t, *addr, &target);
    if (e && e->code == EZ_E_REMOTE) {
        ez_err_free(e);
        return ez_err_why(
            ez_err_new(
                EZ_E_REFUSED, 0,
                "an IFUNC whose resolver cannot be called: probe the implementation by its name"),
            EZ_REFUSE_IFUNC);
    }
    EZ_TRY(e);
    *addr = target;
    return NULL;
}

/* If the site's strategy is a trap, returns an error if traps are not allowed or this trap cannot
 * be planted. */
static ez_err *verdict_may_trap(struct ez_target *t, const struct ez_site *s, unsigned by)
{
    if (!ez_strategy(s->win.strategy)->trap)
        return NULL;
    if (!(by & EZ_BY(s->win.strategy)))
        return ez_err_new(EZ_E_REFUSED, 0,
                          "the patch at this address is a trap: use \"probe -trap\"");
    EZ_TRY(ez_trap_room(t, s->addr, 0));
    return ez_trap_allowed(t);
}

/* Checks everything except the site's bytes and the code at the function's exits. */
static ez_err *verdict_may_stand(struct ez_target *t, const struct ez_site *s,
                                 enum ez_probe_kind kind, unsigned by)
{
    EZ_TRY(verdict_may_probe(t, s, kind));
    EZ_TRY(verdict_may_trap(t, s, by));
    int evicted = ez_site_evict(t, s);
    if (evicted >= 0)
        EZ_TRY(verdict_no_overlap(t, &t->patcher.site.at[evicted]));
    return verdict_no_overlap(t, s);
}

/* addr must not be an IFUNC's resolver; ez_verdict_ifunc() replaces such an address before. */
ez_err *ez_verdict_site(struct ez_target *t, enum ez_probe_kind kind, unsigned more, uint64_t addr,
                        int *site)
{
    unsigned by = verdict_strategies(t, kind);
    *site = -1;
    EZ_TRY(ez_site_get(t, addr, !ez_begins_at(t, addr), by | more, site));
    return verdict_may_stand(t, &t->patcher.site.at[*site], kind, by);
}

ez_err *ez_verdict_by(struct ez_target *t, uint64_t addr, enum ez_strategy strategy)
{
    struct ez_site s;
    unsigned by = EZ_BY((unsigned)strategy);
    if (by & t->set.refused)
        return ez_err_new(EZ_E_REFUSED, 0, "\"maint refuse\" refuses this strategy");
    EZ_TRY(ez_site_try(t, addr, !ez_begins_at(t, addr), by, &s));
    return verdict_may_stand(t, &s, EZ_PROBE_ENTRY, by);
}

/* Returns a reason if the exits of the function need a return trampoline and LuaJIT is loaded,
 * otherwise NULL. LuaJIT's unwinder fails at frames without unwind information. */
static const char *verdict_no_return_trampoline(struct ez_target *t, struct ez_site *s)
{
    if (t->set.exit_mode != EZ_EXIT_RETURN_TRAMPOLINES && !ez_site_not_through(t, s))
        return NULL;
    for (size_t i = 0; i < t->inf.module.n; i++)
        if (t->inf.module.at[i]->obj && ez_symbol_addr(t, t->inf.module.at[i], "luaJIT_setmode"))
            return "its exits would need a return trampoline, at which LuaJIT's unwinder fails";
    return NULL;
}

/* Called last, because analysing the function's code takes longest. */
ez_err *ez_verdict_exit(struct ez_target *t, struct ez_site *s, enum ez_probe_kind kind)
{
    if (!(kind & EZ_PROBE_EXIT))
        return NULL;
    const char *why = ez_site_no_exit(t, s);
    return verdict_no_exit(why ? why : verdict_no_return_trampoline(t, s));
}

ez_err *ez_verdict(struct ez_target *t, enum ez_probe_kind kind, uint64_t *addr, int *site)
{
    const struct ez_sym *s = ez_begins_at(t, *addr);
    *site = -1;
    EZ_TRY(ez_need_strategy());
    if (s && s->kind == EZ_SYM_IFUNC)
        EZ_TRY(ez_verdict_ifunc(t, addr));
    EZ_TRY(ez_verdict_site(t, kind, 0, *addr, site));
    return ez_verdict_exit(t, &t->patcher.site.at[*site], kind);
}

bool ez_verdict_is_refusal(const ez_err *e)
{
    return e->code == EZ_E_REFUSED || e->code == EZ_E_UNRELOC || e->code == EZ_E_RANGE ||
           e->code == EZ_E_DECODE || e->code == EZ_E_ARG || e->code == EZ_E_LIMIT;
}
