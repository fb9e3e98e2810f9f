/* SPDX-License-Identifier: GPL-3.0-or-later */
/* site.c - a site: the bytes of one function that may carry a jump.
 *
 * One site is shared by all probes on the function. What it carries at a moment is a
 * *variant*: a stub made for what the enabled probes ask for together (entry, exit,
 * recorded or counted). Each variant has an id of its own, so that a counter always
 * means one thing, and keeps its stub for ever: a frame may return through it.
 *
 *   stub = template | data | relocated prologue, jump back          (engine/rt/rt.h) */
#include "engine/target.h"

#include <stdio.h>
#include <string.h>

#include "engine/frame.h"

/* ---- the text image of a module ------------------------------------------------------ */

static int by_addr(const void *a, const void *b)
{
    const struct ez_func *x = a, *y = b;
    return x->addr < y->addr ? -1 : x->addr > y->addr;
}

static void collect_funcs(struct ez_module *m)
{
    size_t n, k = 0;
    const struct ez_sym *s = ez_object_syms(m->obj, &n);
    m->funcs = ez_alloc(n * sizeof *m->funcs);
    for (size_t i = 0; i < n; i++) {
        uint64_t at = s[i].vaddr + m->bias;
        if (s[i].kind == EZ_SYM_DATA || s[i].kind == EZ_SYM_PLT || at < m->image_va ||
            at >= m->image_va + m->image_len || (k && m->funcs[k - 1].addr == at))
            continue;
        m->funcs[k++] =
            (struct ez_func){ at, ez_sym_end(&s[i]) + m->bias, ez_sym_next(&s[i]) + m->bias };
    }
    m->nfuncs = k;
    qsort(m->funcs, k, sizeof *m->funcs, by_addr);
}

static bool executable(const struct ez_module *m, const struct ez_map *e)
{
    return e->lo >= m->lo && e->hi <= m->hi && e->perm[2] == 'x';
}

/* The executable mappings of the module, read live. What lies between them is zero. */
static ez_err *read_image(struct ez_target *t, struct ez_module *m)
{
    struct ez_maps maps;
    uint64_t lo = 0, hi = 0;
    EZ_TRY(ez_maps_read(t->pid, &maps));
    for (size_t i = 0; i < maps.map.n; i++) {
        if (!executable(m, &maps.map.at[i]))
            continue;
        lo = lo ? lo : maps.map.at[i].lo;
        hi = maps.map.at[i].hi;
    }
    m->image_va = lo;
    m->image_len = hi - lo;
    m->image = ez_alloc(m->image_len + 64);
    ez_err *e = lo ? NULL : ez_err_new(EZ_E_REFUSED, 0, "no executable mapping of %s", m->path);
    for (size_t i = 0; i < maps.map.n && !e; i++) {
        const struct ez_map *x = &maps.map.at[i];
        if (executable(m, x))
            e = ez_mem_read(t, x->lo, m->image + (x->lo - lo), x->hi - x->lo);
    }
    ez_maps_free(&maps);
    return e;
}

ez_err *ez_module_text(struct ez_target *t, struct ez_module *m)
{
    if (m->text)
        return NULL;
    if (!m->obj)
        return ez_err_new(EZ_E_REFUSED, 0, "no symbols: %s cannot be read", m->path);
    EZ_TRY(read_image(t, m));
    collect_funcs(m);
    return ez_text_create(t->arch, m->image, m->image_len, m->image_va, m->funcs, m->nfuncs,
                          &m->text);
}

/* ---- finding -------------------------------------------------------------------------- */

static size_t slot_of(const struct ez_target *t, uint64_t func)
{
    size_t h = (size_t)(func * 0x9e3779b97f4a7c15ull >> 32) & (t->site_hash_size - 1);
    while (t->site_hash[h] && t->site.at[t->site_hash[h] - 1].func != func)
        h = (h + 1) & (t->site_hash_size - 1);
    return h;
}

static void rehash(struct ez_target *t)
{
    if (t->site_hash_size > t->site.n * 2 + 8)
        return;
    free(t->site_hash);
    t->site_hash_size = t->site_hash_size ? t->site_hash_size * 4 : 64;
    while (t->site_hash_size <= t->site.n * 2 + 8) /* made anew: never full */
        t->site_hash_size *= 4;
    t->site_hash = ez_alloc(t->site_hash_size * sizeof *t->site_hash);
    for (size_t i = 0; i < t->site.n; i++)
        t->site_hash[slot_of(t, t->site.at[i].func)] = (uint32_t)i + 1;
}

void ez_sites_clear(struct ez_target *t)
{
    for (size_t i = 0; i < t->site.n; i++)
        EZ_VEC_FREE(&t->site.at[i].variant);
    t->site.n = 0;
    free(t->site_hash);
    t->site_hash = NULL;
    t->site_hash_size = 0;
    t->exact_sites = t->punned_sites = false;
    ez_hops_clear(t);
}

int ez_site_find(const struct ez_target *t, uint64_t func)
{
    return t->site_hash_size ? (int)t->site_hash[slot_of(t, func)] - 1 : -1;
}

static int add_site(struct ez_target *t, const struct ez_site *s)
{
    EZ_PUSH(&t->site, *s);
    rehash(t);
    t->site_hash[slot_of(t, s->func)] = (uint32_t)t->site.n;
    t->exact_sites |= s->exact;
    t->punned_sites |= s->win.strategy == EZ_PUN;
    return (int)t->site.n - 1;
}

/* Another site may be made where this one was: its library went away, or it serves
 * nobody and another strategy is wanted now. Its stubs stay. */
static void orphan(struct ez_target *t, struct ez_site *s)
{
    s->func = 0;
    free(t->site_hash);
    t->site_hash = NULL;
    t->site_hash_size = 0;
    rehash(t);
}

int ez_site_host(const struct ez_target *t, const struct ez_site *s)
{
    return s->win.host ? ez_site_find(t, s->win.host) : -1;
}

bool ez_site_serves(const struct ez_site *s)
{
    return s->hook || s->guests || s->current >= 0 || s->want[0] || s->want[1] || s->want[2] ||
           s->want[3];
}

const uint8_t *ez_site_original(const struct ez_target *t, const struct ez_site *s, uint64_t at)
{
    const struct ez_window *w = &s->win;
    if (at - s->addr < w->jump)
        return &w->bytes[at - s->addr];
    if (w->strategy == EZ_HOP && at - w->hop < (uint64_t)t->arch->jump_len)
        return &w->hop_bytes[at - w->hop];
    return NULL;
}

static ez_err *analyze(struct ez_site *s, unsigned by)
{
    struct ez_text *text = s->mod->text;
    return s->exact ? ez_analyze_at(text, s->func, by, &s->win)
                    : ez_analyze(text, s->func, by, &s->win);
}

/* A site whose window has room for the hop of another. false: it has none, or none now. */
static bool host_at(struct ez_target *t, const struct ez_site *guest, uint64_t func, uint64_t end,
                    int *out)
{
    struct ez_module *m = guest->mod;
    int known = ez_site_find(t, func);
    struct ez_site h = { .func = func, .mod = m, .current = -1, .reloc_of = -1 };
    if (known >= 0 && t->site.at[known].mod && ez_site_serves(&t->site.at[known])) {
        *out = known; /* it may be long enough as it is */
        const struct ez_site *o = &t->site.at[known];
        return o->win.strategy == EZ_JUMP && o->addr + o->win.len >= end;
    }
    h.sym = ez_object_find_addr(m->obj, func - m->bias);
    if (!h.sym || h.sym->kind != EZ_SYM_FUNC || ez_probe_denied(h.sym->name) ||
        !ez_err_drop(ez_analyze_host(m->text, func, guest->win.site, &h.win)) ||
        h.win.site + h.win.len < end)
        return false;
    if (known >= 0)
        orphan(t, &t->site.at[known]);
    h.addr = h.win.site;
    *out = add_site(t, &h);
    return true;
}

/* No padding for a hop: another function makes room. */
static bool find_host(struct ez_target *t, struct ez_site *s)
{
    struct ez_text *text = s->mod->text;
    uint64_t func = 0, hop = 0, n = (uint64_t)t->arch->jump_len;
    int host;
    if (s->exact || !ez_err_drop(ez_analyze_guest(text, s->func, &s->win)))
        return false;
    while (ez_text_host(text, s->win.site, &func, &hop)) {
        if (!host_at(t, s, func, hop + n, &host))
            continue;
        const struct ez_site *h = &t->site.at[host];
        s->win.host = func;
        s->win.hop = hop;
        memcpy(s->win.hop_bytes, h->win.bytes + (hop - h->addr), n);
        return true;
    }
    return false;
}

/* A byte's worth of function right before another: the jumps of both are chosen together. */
static bool find_pair(struct ez_target *t, struct ez_site *s)
{
    struct ez_site g = { .func = s->win.site + 1, .mod = s->mod, .current = -1, .reloc_of = -1 };
    int known = ez_site_find(t, g.func);
    if (known >= 0 && t->site.at[known].mod && ez_site_serves(&t->site.at[known]))
        return false;
    g.sym = ez_object_find_addr(s->mod->obj, g.func - s->mod->bias);
    if (!g.sym || g.sym->kind != EZ_SYM_FUNC || g.sym->vaddr + s->mod->bias != g.func ||
        ez_probe_denied(g.sym->name) || !ez_err_drop(analyze(&g, EZ_BY(EZ_JUMP))) ||
        !ez_err_drop(ez_hop_pair(t, &s->win, &g.win)))
        return false;
    if (known >= 0)
        orphan(t, &t->site.at[known]);
    g.addr = g.win.site;
    add_site(t, &g);
    s->win.host = g.func;
    return true;
}

/* What other functions and the memory of the process allow, beyond the bytes themselves:
 * before punning, which freezes the neighbour's bytes, room for a hop is made. */
static ez_err *judge(struct ez_target *t, struct ez_site *s, unsigned by)
{
    EZ_TRY(ez_module_text(t, s->mod));
    ez_err *e = analyze(s, by & ~EZ_BY(EZ_PUN) & ~EZ_BY(EZ_TRAP));
    if (e && by & EZ_BY(EZ_HOP) && find_host(t, s)) {
        ez_err_free(e);
        e = NULL;
    }
    for (int i = EZ_PUN; e && i <= EZ_TRAP; i++) {
        ez_err *no = by & EZ_BY(i) ? analyze(s, EZ_BY(i)) : e;
        if (!no && i == EZ_PUN && !find_pair(t, s))
            no = ez_hop_pun(t, &s->win);
        if (no == e)
            continue;
        if (by == EZ_BY((unsigned)i) || !no) { /* its own reason, or none */
            ez_err_free(e);
            e = no;
        } else {
            ez_err_free(no);
        }
    }
    if (!e && s->win.strategy == EZ_HOP)
        ez_text_take(s->mod->text, s->win.hop);
    return e;
}

ez_err *ez_site_get(struct ez_target *t, uint64_t func, bool exact, unsigned by, int *out)
{
    rehash(t);
    size_t h = slot_of(t, func);
    if (t->site_hash[h]) {
        struct ez_site *known = &t->site.at[t->site_hash[h] - 1];
        if (known->mod && (by & EZ_BY(known->win.strategy) || ez_site_serves(known))) {
            *out = (int)t->site_hash[h] - 1;
            return NULL;
        }
        orphan(t, known);
    }
    struct ez_site s = { .func = func, .current = -1, .reloc_of = -1, .exact = exact };
    s.mod = ez_module_at(t, func);
    if (!s.mod)
        return ez_err_new(EZ_E_REFUSED, 0, "0x%lx is in no program or library",
                          (unsigned long)func);
    if (s.mod->obj)
        s.sym = ez_object_find_addr(s.mod->obj, func - s.mod->bias);
    EZ_TRY(judge(t, &s, by));
    s.addr = s.win.site;
    *out = add_site(t, &s);
    return NULL;
}

/* ---- variants ---------------------------------------------------------------------------- */

static const int want_bit[4] = { EZ_ROW_ENTRY, EZ_ROW_EXIT, EZ_ROW_REC_ENTRY, EZ_ROW_REC_EXIT };

static bool wants(const struct ez_site *s)
{
    return s->want[0] || s->want[1] || s->want[2] || s->want[3];
}

/* A site with a host needs it as long as anybody wants the site. */
void ez_site_want(struct ez_target *t, int site, int flags, int delta)
{
    struct ez_site *s = &t->site.at[site];
    int host = ez_site_host(t, s);
    bool before = wants(s);
    for (int i = 0; i < 4; i++)
        if (flags & want_bit[i])
            s->want[i] += (unsigned)delta;
    if (host >= 0)
        t->site.at[host].guests += (unsigned)(wants(s) - before);
}

static int wanted(const struct ez_site *s)
{
    int flags = 0;
    for (int i = 0; i < 4; i++)
        if (s->want[i])
            flags |= want_bit[i];
    if (!flags)
        return s->guests ? EZ_ROW_PASS : 0;
    return flags | EZ_ROW_ENTRY; /* every stub counts entries */
}

/* Why this site's exits cannot go by call-through; NULL = they can. */
static const char *not_through(const struct ez_target *t, struct ez_site *s)
{
    const struct ez_module *m = s->mod;
    if (s->framed)
        return s->not_through;
    s->framed = true;
    if (!s->sym || s->exact || s->func < m->image_va)
        return s->not_through = "its end is not known";
    uint64_t off = s->func - m->image_va, end = ez_sym_end(s->sym) + m->bias;
    size_t n = end > s->func ? (size_t)(end - s->func) : 0;
    return s->not_through = off + n > m->image_len
                                ? "its end is not known"
                                : ez_frame_why_not(t->arch, m->image + off, n, s->func, s->addr);
}

static bool by_through(const struct ez_target *t, struct ez_site *s)
{
    return t->set.exit_mode != EZ_EXIT_SLOTS && !s->hook && !not_through(t, s);
}

const char *ez_exit_mode(struct ez_target *t, int site, const char **because)
{
    struct ez_site *s = &t->site.at[site];
    bool through = s->current >= 0 && s->variant.at[s->current].flags & EZ_ROW_EXIT
                       ? s->variant.at[s->current].flags & EZ_ROW_THROUGH
                       : by_through(t, s);
    *because = through ? NULL : not_through(t, s);
    return through ? "call-through" : "paired return slot";
}

static int template_of(int flags)
{
    if (flags & EZ_ROW_INTERNAL)
        return EZ_TMPL_HOOK;
    if (flags & EZ_ROW_THROUGH)
        return flags & EZ_ROW_REC_ENTRY ? EZ_TMPL_THROUGH_REC : EZ_TMPL_THROUGH;
    return (flags & EZ_ROW_REC_ENTRY ? EZ_TMPL_REC : 0) | (flags & EZ_ROW_EXIT ? EZ_TMPL_EXIT : 0);
}

static void fill_data(struct ez_target *t, struct ez_stub_data *d, uint32_t id, int flags,
                      uint64_t replay)
{
    const struct ez_blob_hdr *h = t->rt.bh;
    uint64_t code = (uint64_t)(EZ_C_PROBE + 2 * id) << 8 | 1;
    d->body = replay;
    d->cnt = id * (uint32_t)sizeof(struct ez_counter);
    d->exit = flags & EZ_ROW_REC_EXIT ? (uint32_t)(code + (1 << 8)) : 0;
    d->code = (uint32_t)code;
    d->flags = flags & EZ_ROW_REC_ENTRY ? EZ_STUB_REC : 0;
    if (flags & EZ_ROW_THROUGH)
        d->cell = ez_cell_set(t, ez_kit_near(t, replay), id, replay, flags & EZ_ROW_REC_EXIT);
    else if (flags & EZ_ROW_EXIT)
        d->flags |= EZ_STUB_PAIRED;
    d->slow = t->rt.blob + h->slow;
    d->room = t->rt.blob + h->room;
    d->tick = t->rt.blob + h->tick;
}

/* Of the code in *r the site keeps where the instructions went: thousands are small, then. */
static ez_err *move_prologue(struct ez_target *t, struct ez_site *s, uint64_t to,
                             struct ez_reloc *r)
{
    EZ_TRY(t->arch->relocate(s->win.bytes, s->win.len, s->addr, to, r));
    s->reloc = (struct ez_moved){ .len = (uint16_t)r->len, .n = (uint16_t)r->n };
    memcpy(s->reloc.from, r->from, sizeof r->from);
    memcpy(s->reloc.to, r->to, sizeof r->to);
    return NULL;
}

/* Write the stub into its mirror. `more` = room that later stubs will need. */
static ez_err *make_stub(struct ez_target *t, struct ez_site *s, struct ez_variant *v, size_t more)
{
    const struct ez_blob_hdr *h = t->rt.bh;
    int k = template_of(v->flags);
    bool passes = v->flags & EZ_ROW_PASS; /* nothing but the moved prologue        */
    size_t len = passes ? 0 : h->tmpl_end[k] - h->tmpl[k];
    struct ez_reloc r;
    uint8_t *mirror;
    /* the length does not depend on the place: measure it next door first */
    EZ_TRY(move_prologue(t, s, s->addr + 0x10000, &r));
    EZ_TRY(ez_stub_room(t, s->addr, len + r.len, more, &v->stub, &mirror));
    v->replay = v->stub + len;
    EZ_TRY(move_prologue(t, s, v->replay, &r));
    memcpy(mirror, t->rt.image + h->tmpl[k], len);
    if (!passes)
        fill_data(t, (struct ez_stub_data *)(mirror + h->tmpl_data[k] - h->tmpl[k]), v->id,
                  v->flags, v->replay);
    if (!passes && h->tmpl_cnt[k])
        memcpy(mirror + h->tmpl_cnt[k] - h->tmpl[k],
               &(uint32_t){ v->id * sizeof(struct ez_counter) }, 4);
    memcpy(mirror + len, r.code, r.len);
    return NULL;
}

/* The bytes that lead from the site to the stub. */
static ez_err *lead_to(struct ez_target *t, const struct ez_site *s, const struct ez_variant *v,
                       struct ez_row *row)
{
    const struct ez_window *w = &s->win;
    switch (w->strategy) {
    case EZ_HOP:
        row->hop = w->hop;
        memcpy(row->hop_before, w->hop_bytes, sizeof row->hop_before);
        EZ_TRY(t->arch->jump(w->hop, v->stub, row->hop_after));
        return t->arch->short_jump(s->addr, w->hop, row->after);
    case EZ_PUN: /* its hop is in memory of our own, and no row's business */
        t->arch->pun_jump(w->jump, w->prefix, s->addr, w->hop, row->after);
        return NULL;
    case EZ_TRAP:
        memcpy(row->after, t->arch->trap, t->arch->trap_len);
        return NULL;
    default:
        return t->arch->jump(s->addr, v->stub, row->after);
    }
}

static ez_err *make_row(struct ez_target *t, struct ez_site *s, const struct ez_variant *v)
{
    struct ez_row *row = &t->rt.rows[v->id];
    memset(row, 0, sizeof *row);
    row->addr = s->addr;
    row->func = s->func;
    row->stub = v->stub;
    row->flags = v->flags;
    row->len = s->win.jump;
    row->replay = (uint32_t)(v->replay - v->stub);
    row->strategy = s->win.strategy;
    memcpy(row->before, s->win.bytes, row->len);
    return lead_to(t, s, v, row);
}

static void describe(struct ez_target *t, const struct ez_site *s, const struct ez_variant *v)
{
    char name[32];
    snprintf(name, sizeof name, "0x%lx", (unsigned long)s->func);
    ez_drain_define(t->rt.drain, v->id, v->flags, s->func,
                    s->sym && !s->exact ? ez_sym_pretty(s->sym) : name, ez_base_name(s->mod->path));
}

static ez_err *new_variant(struct ez_target *t, struct ez_site *s, int flags, size_t more)
{
    struct ez_variant v = { .id = t->rt.nids, .flags = (uint16_t)flags };
    if (v.id >= t->rt.hdr->ids_max)
        return ez_err_new(EZ_E_LIMIT, 0, "no more than %u probe variants in one process",
                          t->rt.hdr->ids_max);
    EZ_TRY(ez_drain_reserve_ids(t->rt.drain, v.id + 1));
    EZ_TRY(make_stub(t, s, &v, more));
    EZ_TRY(make_row(t, s, &v));
    t->rt.nids++;
    t->rt.hdr->ids_used = t->rt.nids;
    EZ_PUSH(&s->variant, v);
    if (!(flags & (EZ_ROW_INTERNAL | EZ_ROW_PASS)))
        describe(t, s, &v);
    return NULL;
}

static ez_err *variant_for(struct ez_target *t, struct ez_site *s, int flags, size_t more, int *out)
{
    for (size_t i = 0; i < s->variant.n; i++) {
        if (s->variant.at[i].flags == flags) {
            *out = (int)i;
            if (s->reloc_of == *out)
                return NULL;
            /* the program counter map must be this variant's */
            s->reloc_of = *out;
            return move_prologue(t, s, s->variant.at[i].replay, &(struct ez_reloc){ .n = 0 });
        }
    }
    s->reloc_of = -1;
    EZ_TRY(new_variant(t, s, flags, more));
    *out = s->reloc_of = (int)s->variant.n - 1;
    return NULL;
}

ez_err *ez_site_prepare(struct ez_target *t, int site, size_t more, int *variant)
{
    struct ez_site *s = &t->site.at[site];
    int flags = wanted(s);
    *variant = -1;
    if (flags & EZ_ROW_EXIT && by_through(t, s) && ez_kit_near(t, s->addr))
        flags |= EZ_ROW_THROUGH;
    return flags ? variant_for(t, s, flags, more, variant) : NULL;
}

ez_err *ez_site_hook(struct ez_target *t, uint64_t func, uint64_t thunk, uint32_t tag)
{
    const struct ez_blob_hdr *h = t->rt.bh;
    int site, variant;
    unsigned lost;
    EZ_TRY(ez_site_get(t, func, false, EZ_BY_DEFAULT, &site));
    struct ez_site *s = &t->site.at[site];
    if (s->hook || s->current >= 0)
        return ez_err_new(EZ_E_STATE, 0, "a probe stands at 0x%lx already", (unsigned long)func);
    EZ_TRY(variant_for(t, s, EZ_ROW_INTERNAL, 0, &variant));
    struct ez_stub_data d = { .body = s->variant.at[variant].replay,
                              .cnt = tag,
                              .slow = t->rt.blob + thunk };
    uint64_t at = s->variant.at[variant].stub + h->tmpl_data[EZ_TMPL_HOOK] - h->tmpl[EZ_TMPL_HOOK];
    EZ_TRY(ez_stub_flush(t));
    EZ_TRY(ez_mem_write(t, at, &d, sizeof d, "set up a hook"));
    s->hook = true;
    EZ_TRY(ez_hops_map(t));
    return ez_patch_apply(t, &(struct ez_change){ site, variant }, 1, &lost);
}

void ez_site_counts(struct ez_target *t, const struct ez_site *s, uint64_t *entries,
                    uint64_t *exits)
{
    *entries = *exits = 0;
    for (size_t i = 0; t->rt.drain && i < s->variant.n; i++) {
        uint64_t in, out;
        ez_drain_counts(t->rt.drain, s->variant.at[i].id, &in, &out);
        *entries += in;
        *exits += out;
    }
}
