/* SPDX-License-Identifier: GPL-3.0-or-later */
/* site.c - finds and analyses sites. A site is the bytes at an address, usually the first bytes of
 * a function, that a patch may change. variant.c decides to which trampoline a site's patch leads.
 *
 * All probes on a function share its site. If a site has too few bytes for a jump, another site may
 * have to serve as its evicted neighbour: see engine/code/holes.c and island.c.
 * Tests: tests/procs/why.sh, tests/e2e/refused.ezt */
#include "engine/target.h"
#include "engine/inferior/image.h"
#include "engine/inferior/modules.h"
#include "engine/inferior/rseq.h"
#include "engine/expr/clause.h"
#include "engine/patch/island.h"

#include <stdio.h>
#include <string.h>

/* ---- finding -------------------------------------------------------------------------- */

static size_t site_slot_of(const struct ez_target *t, uint64_t func)
{
    size_t h = (size_t)(func * 0x9e3779b97f4a7c15ull >> 32) & (t->patcher.site_hash_size - 1);
    while (t->patcher.site_hash[h] && t->patcher.site.at[t->patcher.site_hash[h] - 1].func != func)
        h = (h + 1) & (t->patcher.site_hash_size - 1);
    return h;
}

static void site_rehash(struct ez_target *t)
{
    if (t->patcher.site_hash_size > t->patcher.site.n * 2 + 8)
        return;
    free(t->patcher.site_hash);
    t->patcher.site_hash_size = t->patcher.site_hash_size ? t->patcher.site_hash_size * 4 : 64;
    /* The table is at most half full. */
    while (t->patcher.site_hash_size <= t->patcher.site.n * 2 + 8)
        t->patcher.site_hash_size *= 4;
    t->patcher.site_hash = ez_alloc(t->patcher.site_hash_size * sizeof *t->patcher.site_hash);
    for (size_t i = 0; i < t->patcher.site.n; i++)
        t->patcher.site_hash[site_slot_of(t, t->patcher.site.at[i].func)] = (uint32_t)i + 1;
}

void ez_sites_reserve(struct ez_target *t, size_t more)
{
    EZ_RESERVE(&t->patcher.site, more);
}

static void site_free_parts(struct ez_site *s)
{
    free(s->inlined);
    EZ_VEC_FREE(&s->variant);
    for (size_t i = 0; i < s->clause.n; i++)
        ez_clause_free(s->clause.at[i].code);
    EZ_VEC_FREE(&s->clause);
}

void ez_sites_clear(struct ez_target *t)
{
    for (size_t i = 0; i < t->patcher.site.n; i++)
        site_free_parts(&t->patcher.site.at[i]);
    t->patcher.site.n = t->patcher.left_hook.n = 0;
    free(t->patcher.site_hash);
    t->patcher.site_hash = NULL;
    t->patcher.site_hash_size = 0;
    t->patcher.exact_sites = false;
    t->patcher.strategies = 0;
    memset(t->patcher.punned, 0, sizeof t->patcher.punned);
    ez_islands_clear(t);
}

void ez_sites_free(struct ez_target *t)
{
    EZ_VEC_FREE(&t->patcher.site);
    EZ_VEC_FREE(&t->patcher.left_hook);
    EZ_VEC_FREE(&t->patcher.region);
}

void ez_left_hook_add(struct ez_target *t, uint64_t addr, const uint8_t *bytes, unsigned len)
{
    struct ez_left_hook h = { .addr = addr, .len = EZ_MIN(len, (unsigned)sizeof h.bytes) };
    memcpy(h.bytes, bytes, h.len);
    EZ_PUSH(&t->patcher.left_hook, h);
}

bool ez_is_left_hook(const struct ez_target *t, uint64_t at, uint8_t live)
{
    for (size_t i = 0; i < t->patcher.left_hook.n; i++) {
        const struct ez_left_hook *h = &t->patcher.left_hook.at[i];
        if (at - h->addr < h->len && h->bytes[at - h->addr] == live)
            return true;
    }
    return false;
}

bool ez_sites_planted(const struct ez_target *t, bool lost)
{
    for (size_t i = 0; i < t->patcher.site.n; i++)
        if (ez_site_planted(&t->patcher.site.at[i]) && t->patcher.site.at[i].lost == lost)
            return true;
    return false;
}

int ez_site_find(const struct ez_target *t, uint64_t func)
{
    return t->patcher.site_hash_size ? (int)t->patcher.site_hash[site_slot_of(t, func)] - 1 : -1;
}

/* Returns the byte of patcher.punned for addr, and its bit. The table has one bit for each 32 bytes
 * of text. 32 is more than twice EZ_SITE_NEAR, so two bits cover all addresses within EZ_SITE_NEAR
 * bytes of a site. */
static uint8_t *site_punned_at(struct ez_target *t, uint64_t addr, uint8_t *bit)
{
    *bit = (uint8_t)(1u << (addr / 32 % 8));
    return &t->patcher.punned[addr / 256 % sizeof t->patcher.punned];
}

static void site_mark_punned(struct ez_target *t, uint64_t addr)
{
    uint8_t bit;
    *site_punned_at(t, addr, &bit) |= bit;
}

bool ez_site_near_punned(struct ez_target *t, uint64_t func)
{
    uint8_t bit;
    return *site_punned_at(t, func, &bit) & bit;
}

static int site_put(struct ez_target *t, const struct ez_site *s)
{
    EZ_PUSH(&t->patcher.site, *s);
    site_rehash(t);
    t->patcher.exact_sites |= s->exact;
    t->patcher.strategies |= EZ_BY(s->win.strategy);
    if (ez_strategy(s->win.strategy)->relies_on_next) {
        site_mark_punned(t, s->func - EZ_SITE_NEAR);
        site_mark_punned(t, s->func + EZ_SITE_NEAR);
    }
    return (int)t->patcher.site.n - 1;
}

static int site_append(struct ez_target *t, const struct ez_site *s)
{
    int site = site_put(t, s);
    t->patcher.site_hash[site_slot_of(t, s->func)] = (uint32_t)site + 1;
    return site;
}

/* Adds site s at a new index, and returns the index. If `known` is not -1, ez_site_find() then
 * finds s in place of the old site with index `known`, whose library was unloaded, or which is
 * unused and was analysed again. In the second case s gets the variants (as retired ones) and
 * clauses of the old site, because threads may still run through their trampolines and be
 * counted. */
static int site_add_instead(struct ez_target *t, int known, struct ez_site *s)
{
    if (known < 0)
        return site_append(t, s);
    size_t slot = site_slot_of(t, s->func);
    struct ez_site *old = &t->patcher.site.at[known];
    if (old->mod == s->mod) {
        /* s has no variants yet, so the old site's variants are moved to it */
        s->variant = old->variant;
        memset(&old->variant, 0, sizeof old->variant);
        s->clause.at = old->clause.at;
        s->clause.n = old->clause.n;
        s->clause.cap = old->clause.cap;
        memset(&old->clause, 0, sizeof old->clause);
        for (size_t i = 0; i < s->variant.n; i++)
            s->variant.at[i].flags |= EZ_RETIRED;
    }
    old->func = 0;
    t->patcher.site_hash[slot] = (uint32_t)t->patcher.site.n + 1;
    return site_put(t, s);
}

int ez_site_evict(const struct ez_target *t, const struct ez_site *s)
{
    return s->win.evicted ? ez_site_find(t, s->win.evicted) : -1;
}

uint64_t ez_clauses_wanted(const struct ez_site *s)
{
    uint64_t which = 0;
    for (size_t i = 0; i < s->clause.n; i++)
        which |= (uint64_t)(s->clause.at[i].wants > 0) << i;
    return which;
}

bool ez_site_is_wanted(const struct ez_site *s)
{
    if (ez_clauses_wanted(s))
        return true;
    for (size_t i = 0; i < EZ_NWANT; i++)
        if (s->want[i])
            return true;
    return false;
}

/* Returns true if the analysis of the site is still valid. It is not if the site's library was
 * unloaded, if the site's evicted neighbour was analysed again, or if the target has mapped memory
 * at the site's island. */
static bool site_is_current(const struct ez_target *t, const struct ez_site *s)
{
    bool mapped = ez_strategy(s->win.strategy)->island == EZ_ISLAND_MAPPED;
    return s->mod && (!mapped || ez_island_ours(t, s->win.island)) &&
           (!s->win.evicted || ez_site_evict(t, s) == s->evicted);
}

bool ez_site_serves(const struct ez_site *s)
{
    return s->hook || s->jump || s->guests || s->current >= 0 || ez_site_is_wanted(s);
}

/* Returns true if address `at` is in the island in the text that patch region w uses. */
static bool site_on_island(const struct ez_target *t, const struct ez_patch_region *w, uint64_t at)
{
    return ez_strategy(w->strategy)->island == EZ_ISLAND_IN_TEXT &&
           at - w->island < (uint64_t)t->inf.arch->jump.len;
}

const uint8_t *ez_site_original(const struct ez_target *t, const struct ez_site *s, uint64_t at)
{
    const struct ez_patch_region *w = &s->win;
    if (at - s->addr < w->jump)
        return &w->bytes[at - s->addr];
    if (site_on_island(t, w, at))
        return &w->island_bytes[at - w->island];
    return NULL;
}

const uint8_t *ez_site_written(const struct ez_target *t, const struct ez_site *s, uint64_t at)
{
    const struct ez_patch_region *w = &s->win;
    if (s->current < 0)
        return NULL;
    const struct ez_row *row = &t->rt.rows[s->variant.at[s->current].id];
    if (at - s->addr < w->jump)
        return &row->after[at - s->addr];
    if (site_on_island(t, w, at))
        return &row->island_after[at - w->island];
    return NULL;
}

static ez_err *site_analyze(struct ez_site *s, unsigned by)
{
    struct ez_text *text = s->mod->text;
    return s->exact ? ez_analyze_at(text, s->func, by, &s->win)
                    : ez_analyze(text, s->func, by, &s->win);
}

/* Returns EZ_E_REFUSED if a patch of other code is at the site or overlaps it: a jump that the file
 * does not have, for example of the shell that probed the process from which this process was
 * forked. The code at the foreign jump's destination returns to the instruction behind those that
 * the foreign jump replaced. This instruction must not begin inside eztsh's jump, as it does if the
 * foreign jump is shorter, or is a pun, whose last bytes are the next instruction's. Also, eztsh's
 * jump must not change the last bytes of a foreign jump that begins before the site. */
static ez_err *site_not_anothers(const struct ez_target *t, const struct ez_site *s)
{
    const struct ez_module *m = s->mod;
    uint8_t file[EZ_SITE_NEAR + 16];
    uint64_t va = s->win.site - m->bias, start, end, at = s->win.site - m->image_va;
    if (!ez_object_section(m->obj, va, NULL, &start, &end))
        return NULL;
    uint64_t near = EZ_MIN(EZ_MIN(at, va - start), (uint64_t)EZ_SITE_NEAR);
    const uint8_t *live = m->image + at; /* the image is followed by zeros */
    size_t n = ez_object_read_text(m->obj, va - near, file, near + 16);
    if (n <= near || !memcmp(file, live - near, n))
        return NULL;
    for (uint64_t d = 0; d <= near; d++) {
        struct ez_insn in;
        if (!ez_err_drop(t->inf.arch->decode.insn(live - d, 16, s->win.site - d, &in)) ||
            in.flow != EZ_FLOW_JMP || in.len <= d || near - d + in.len > n ||
            !memcmp(file + near - d, live - d, in.len))
            continue;
        if (d || in.len < t->inf.arch->jump.len || file[near + in.len - 1] == live[in.len - 1])
            return ez_err_new(EZ_E_REFUSED, 0, "another tool's jump is at this address");
    }
    return NULL;
}

/* Returns an error if a restartable sequence (rseq) or a foreign patch relies on the site's
 * bytes. */
static ez_err *site_unclaimed(const struct ez_target *t, const struct ez_site *s)
{
    EZ_TRY(ez_rseq_spared(t, s));
    return site_not_anothers(t, s);
}

/* Returns true if the function at address func can be the evicted neighbour of `guest`, with a
 * patch region that extends at least to address `end`. *out, if the result is true: index of the
 * function's site in use or, with `keep`, of the site added for it; else -1. */
static bool site_evict_at(struct ez_target *t, const struct ez_site *guest, uint64_t func,
                          uint64_t end, bool keep, int *out)
{
    struct ez_module *m = guest->mod;
    int known = ez_site_find(t, func);
    struct ez_site h = { .func = func, .mod = m, .current = -1, .reloc_of = -1 };
    if (known >= 0 && t->patcher.site.at[known].mod && ez_site_serves(&t->patcher.site.at[known])) {
        *out = known; /* a site in use cannot change, but its patch region may be long enough */
        const struct ez_site *o = &t->patcher.site.at[known];
        return o->win.strategy == EZ_JUMP && o->addr + o->win.len >= end;
    }
    h.sym = ez_object_find_addr(m->obj, func - m->bias);
    if (!h.sym || h.sym->kind != EZ_SYM_FUNC || ez_probe_denied(h.sym->name) ||
        ez_hook_wanted(h.sym->name) ||
        !ez_err_drop(ez_analyze_evicted(m->text, func, guest->win.site, &h.win)) ||
        !ez_err_drop(site_unclaimed(t, &h)) || h.win.site + h.win.len < end)
        return false;
    h.addr = h.win.site;
    *out = keep ? site_add_instead(t, known, &h) : -1;
    return true;
}

/* Finds an evicted neighbour, another function whose patch region has room for the site's island.
 * Returns false if there is none. keep: adds the neighbour's site. */
static bool site_find_evicted(struct ez_target *t, struct ez_site *s, bool keep)
{
    struct ez_text *text = s->mod->text;
    uint64_t func = 0, island = 0, n = (uint64_t)t->inf.arch->jump.len;
    int evicted;
    if (s->exact || !ez_err_drop(ez_analyze_guest(text, s->func, &s->win)))
        return false;
    while (ez_text_evict(text, s->win.site, &func, &island)) {
        if (!site_evict_at(t, s, func, island + n, keep, &evicted))
            continue;
        s->win.evicted = func;
        s->evicted = evicted;
        s->win.island = island;
        if (evicted >= 0)
            memcpy(s->win.island_bytes,
                   t->patcher.site.at[evicted].win.bytes +
                       (island - t->patcher.site.at[evicted].addr),
                   n);
        return true;
    }
    return false;
}

/* If the site has one byte and another function begins at the next byte, chooses the jumps of both
 * functions together (ez_island_pair). Returns false if that is not possible. */
static bool site_find_pair(struct ez_target *t, struct ez_site *s, bool keep)
{
    struct ez_site g = { .func = s->win.site + 1, .mod = s->mod, .current = -1, .reloc_of = -1 };
    int known = ez_site_find(t, g.func);
    if (known >= 0 && t->patcher.site.at[known].mod && ez_site_serves(&t->patcher.site.at[known]))
        return false;
    g.sym = ez_object_find_addr(s->mod->obj, g.func - s->mod->bias);
    if (!g.sym || g.sym->kind != EZ_SYM_FUNC || g.sym->vaddr + s->mod->bias != g.func ||
        ez_probe_denied(g.sym->name) || ez_hook_wanted(g.sym->name) ||
        !ez_err_drop(site_analyze(&g, EZ_BY(EZ_JUMP))) || !ez_err_drop(site_unclaimed(t, &g)) ||
        !ez_err_drop(ez_island_pair(t, &s->win, &g.win, keep)))
        return false;
    g.addr = g.win.site;
    s->evicted = keep ? site_add_instead(t, known, &g) : -1;
    s->win.evicted = g.func;
    return true;
}

/* Finds the shortest pun that leads to free memory. Returns an error if there is none. */
static ez_err *site_find_pun(struct ez_target *t, struct ez_site *s, bool keep)
{
    ez_err *e = ez_island_pun(t, &s->win, keep);
    while (e && !s->exact && ez_err_drop(ez_analyze_longer_pun(s->mod->text, s->func, &s->win))) {
        ez_err_free(e);
        e = ez_island_pun(t, &s->win, keep);
    }
    return e;
}

static ez_err *site_not_alone(const struct ez_site *s)
{
    return ez_err_new(EZ_E_REFUSED, 0,
                      "a pun at 0x%lx needs bytes of the next function, which must not change",
                      (unsigned long)s->addr);
}

struct site_trial {
    struct ez_target *t;
    struct ez_site *s;
    bool alone, keep;
};

/* Analyses the site for the strategies `by`, which need the same kind of island (row->island), and
 * finds memory for its island. */
static ez_err *site_try(void *trial, const struct ez_strategy_row *row, unsigned by)
{
    const struct site_trial *q = trial;
    ez_err *e = site_analyze(q->s, by);
    if (e && row->island == EZ_ISLAND_IN_TEXT && site_find_evicted(q->t, q->s, q->keep)) {
        ez_err_free(e);
        return NULL;
    }
    if (e || row->island != EZ_ISLAND_MAPPED || site_find_pair(q->t, q->s, q->keep))
        return e;
    return q->alone ? site_find_pun(q->t, q->s, q->keep) : site_not_alone(q->s);
}

/* Analyses the site: chooses its patch region and strategy by its bytes, the functions nearby, and
 * the memory of the process. keep: reserves the evicted neighbour, the padding or the memory that
 * the strategy needs. */
static ez_err *site_judge(struct ez_target *t, struct ez_site *s, unsigned by, bool keep)
{
    struct site_trial q = { t, s, .alone = !(by & EZ_BY_NOT_ALONE), .keep = keep };
    EZ_TRY(ez_module_text(t, s->mod));
    if (!s->exact && s->sym && s->sym->kind == EZ_SYM_FUNC)
        EZ_TRY(ez_module_not_cut(s->mod, s->func));
    EZ_TRY(by & EZ_BY_ALL ? ez_strategy_choose(by, site_try, &q) : site_analyze(s, 0));
    EZ_TRY(site_unclaimed(t, s));
    if (keep && ez_strategy(s->win.strategy)->island == EZ_ISLAND_IN_TEXT)
        ez_text_claim(s->mod->text, s->win.island);
    return NULL;
}

static struct ez_site site_at(struct ez_target *t, uint64_t func, bool exact)
{
    struct ez_site s = { .func = func, .addr = func, .current = -1, .reloc_of = -1 };
    s.exact = exact;
    s.mod = ez_module_at(t, func);
    if (s.mod && s.mod->obj)
        s.sym = ez_object_find_addr(s.mod->obj, func - s.mod->bias);
    return s;
}

static ez_err *site_judged(struct ez_target *t, uint64_t func, bool exact, unsigned by, bool keep,
                           struct ez_site *out)
{
    *out = site_at(t, func, exact);
    if (!out->mod)
        return ez_err_new(EZ_E_REFUSED, 0, "0x%lx is in no program or library",
                          (unsigned long)func);
    EZ_TRY(site_judge(t, out, by, keep));
    out->addr = out->win.site;
    return NULL;
}

void ez_site_call(struct ez_site *s, const char *name)
{
    size_t n;
    const struct ez_sym *all = s->mod && s->sym ? ez_object_syms(s->mod->obj, &n) : NULL;
    for (const struct ez_sym *a = s->sym; all && a < all + n && a->vaddr == s->sym->vaddr; a++)
        if (!strcmp(ez_sym_pretty(a), name)) {
            s->called = a;
            break;
        }
}

ez_err *ez_site_get(struct ez_target *t, uint64_t func, bool exact, unsigned by, int *out)
{
    int known = ez_site_find(t, func);
    const struct ez_site *o = known < 0 ? NULL : &t->patcher.site.at[known];
    if (o && o->mod &&
        (ez_site_serves(o) || (by & EZ_BY(o->win.strategy) && site_is_current(t, o)))) {
        *out = known;
        return NULL;
    }
    struct ez_site s;
    EZ_TRY(site_judged(t, func, exact, by, true, &s));
    *out = site_add_instead(t, known, &s);
    return NULL;
}

ez_err *ez_site_try(struct ez_target *t, uint64_t func, bool exact, unsigned by,
                    struct ez_site *out)
{
    int known = ez_site_find(t, func);
    EZ_TRY(site_judged(t, func, exact, by, false, out));
    out->hook = known >= 0 && t->patcher.site.at[known].hook;
    return NULL;
}

int ez_site_hold(struct ez_target *t, uint64_t func)
{
    struct ez_site s = site_at(t, func, !ez_begins_at(t, func));
    site_rehash(t);
    return site_append(t, &s);
}

/* ---- libraries that are unloaded and loaded again (unloaded.c) ------------------------------- */

void ez_sites_unloaded(struct ez_target *t, struct ez_module *m)
{
    for (size_t i = 0; i < t->patcher.site.n; i++) {
        struct ez_site *s = &t->patcher.site.at[i];
        if (s->mod != m)
            continue;
        s->mod = NULL;
        s->gone = m;
    }
}

/* Resets a site whose library was loaded again: the site has no patch, and no probe wants it
 * yet. */
static void site_renew(struct ez_site *s, struct ez_module *m)
{
    s->mod = m;
    s->gone = NULL;
    s->current = -1;
    s->guests = 0;
    s->lost = s->hosted = s->hook = false;
    s->jump = 0;
    memset(s->want, 0, sizeof s->want);
    for (size_t i = 0; i < s->clause.n; i++)
        s->clause.at[i].wants = 0;
}

void ez_sites_loaded_again(struct ez_target *t, struct ez_module *m)
{
    for (size_t i = 0; i < t->patcher.site.n; i++)
        if (t->patcher.site.at[i].gone == m &&
            ez_site_find(t, t->patcher.site.at[i].func) == (int)i)
            site_renew(&t->patcher.site.at[i], m);
}

void ez_sites_dropped(struct ez_target *t, const struct ez_module *m)
{
    for (size_t i = 0; i < t->patcher.site.n; i++)
        if (t->patcher.site.at[i].gone == m)
            t->patcher.site.at[i].gone = NULL;
}
