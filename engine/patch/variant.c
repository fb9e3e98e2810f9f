/* SPDX-License-Identifier: GPL-3.0-or-later */
/* variant.c - variants of a site. Each variant is a trampoline for everything that the enabled
 * probes of the site request together (entry, exit, recorded or counted, replacement).
 *
 * Each variant has an id of its own, so that a counter never changes its meaning. A variant's
 * trampoline is removed only at a detach (rt_trim.c), because a frame may return through it.
 *
 *   trampoline = template | data | relocated prologue, jump back          (engine/rt/rt.h)
 * Tests: tests/unit/patch/check_refused.c */
#include "engine/target.h"
#include "engine/inferior/mem.h"
#include "engine/patch/alloc.h"
#include "engine/patch/clause.h"
#include "engine/patch/island.h"
#include "engine/patch/return_thunk.h"
#include "engine/patch/variant.h"

#include <string.h>

/* Returns `flags` with EZ_ROW_JUMP for a function that leaves calls (s->jump): the trampoline of
 * its hook also serves the function's probes. longjmp and similar functions do not return, so their
 * exits are not followed. A function called at a thread's end (EZ_JUMP_END) returns: if a probe
 * wants its exit, the site has no hook. A replaced function has no hook, either. */
static int variant_hooked(const struct ez_site *s, int flags)
{
    if (!s->jump || flags & EZ_ROW_REPLACE || (s->jump == EZ_JUMP_END && flags & EZ_ROW_EXIT))
        return flags;
    return flags | EZ_ROW_JUMP;
}

/* Returns true if the site's exits can use call-through. A replaced function's exits cannot,
 * because the proof covers only the code of the original. */
static bool variant_by_through(const struct ez_target *t, struct ez_site *s)
{
    return !s->want[EZ_WANT_REPLACE] && t->set.exit_mode != EZ_EXIT_RETURN_TRAMPOLINES &&
           !s->hook && !ez_site_not_through(t, s);
}

const char *ez_exit_mode(struct ez_target *t, int site, const char **because)
{
    struct ez_site *s = &t->patcher.site.at[site];
    bool through = s->current >= 0 && s->variant.at[s->current].flags & EZ_ROW_EXIT
                       ? s->variant.at[s->current].flags & EZ_ROW_THROUGH
                       : variant_by_through(t, s);
    *because = through                    ? NULL
               : s->want[EZ_WANT_REPLACE] ? "it is replaced"
                                          : ez_site_not_through(t, s);
    return through ? "call-through" : "return trampoline";
}

/* Prefers a pool near the trampoline to one near the function. Any pool would work, because the
 * trampoline's jump to the thunk reaches all memory, but near pools are faster. */
struct ez_pool *ez_pool_of(struct ez_target *t, const struct ez_site *s, uint64_t relocated)
{
    struct ez_pool *near = ez_pool_near(t, relocated);
    return near ? near : ez_pool_near(t, s->addr);
}

static void variant_fill_data(struct ez_target *t, const struct ez_site *s,
                              const struct ez_variant *v, struct ez_trampoline_data *d)
{
    const struct ez_blob_hdr *h = t->rt.bh;
    uint32_t id = v->id;
    int flags = v->flags;
    uint64_t code = (uint64_t)(EZ_C_PROBE + 2 * id) << 8 | 1;
    d->body = flags & EZ_ROW_REPLACE ? v->with.func : v->relocated;
    d->cnt = id * (uint32_t)sizeof(struct ez_counter);
    d->flags = flags & EZ_ROW_REC_ENTRY ? EZ_TRAMPOLINE_REC : 0;
    d->exit = flags & EZ_ROW_REC_EXIT ? (uint32_t)(code + (1 << 8)) : 0;
    d->code = (uint32_t)code;
    d->slow = t->rt.blob + h->slow;
    if (flags & EZ_ROW_DATA) {
        d->slow = t->rt.blob + h->data;
        d->flags |= ez_row_follows(flags) ? EZ_TRAMPOLINE_PAIRED : 0;
        d->flags |= flags & EZ_ROW_EXIT ? EZ_TRAMPOLINE_FOLLOW : 0;
    } else if (flags & EZ_ROW_JUMP) {
        d->exit = s->jump;
        d->flags |= flags & EZ_ROW_ENTRY ? EZ_TRAMPOLINE_COUNT : 0;
        d->slow = t->rt.blob + h->jump;
    } else if (flags & EZ_ROW_THROUGH) {
        d->thunk = ez_return_thunk_set(t, ez_pool_of(t, s, v->relocated), id, v->relocated,
                                       flags & EZ_ROW_REC_EXIT);
    } else if (flags & EZ_ROW_EXIT) {
        d->flags |= EZ_TRAMPOLINE_PAIRED;
    }
    d->room = flags & EZ_ROW_DATA ? v->program : t->rt.blob + h->room;
    d->tick = t->rt.blob + h->tick;
}

/* Relocates the patch region's instructions to address `to`. The site stores only the offsets of
 * the instructions, not the code (*r), so that thousands of sites stay small. */
static ez_err *variant_move_prologue(struct ez_target *t, struct ez_site *s, uint64_t to,
                                     struct ez_reloc *r)
{
    EZ_TRY(t->inf.arch->codegen.relocate(s->win.bytes, s->win.len, s->addr, to, r));
    s->reloc = (struct ez_moved){ .len = (uint16_t)r->len, .n = (uint16_t)r->n };
    memcpy(s->reloc.from, r->from, r->n * sizeof *r->from);
    memcpy(s->reloc.to, r->to, r->n * sizeof *r->to);
    return NULL;
}

size_t ez_variant_template_len(const struct ez_target *t, int flags)
{
    const struct ez_blob_hdr *h = t->rt.bh;
    if (flags & EZ_ROW_PASS) /* the trampoline is only the relocated code */
        return 0;
    return h->tmpl_end[ez_template_of(flags)] - h->tmpl[ez_template_of(flags)] +
           (flags & EZ_ROW_KEEP ? h->keep_in_end - h->keep_in : 0);
}

/* Writes the code that calls the replacement and preserves registers (rt_keep.S) behind the
 * template, and makes the trampoline jump to it (data->body). to: the trampoline; data: its
 * data. */
static void variant_fill_keep(struct ez_target *t, struct ez_site *s, const struct ez_variant *v,
                              uint8_t *to, struct ez_trampoline_data *data)
{
    const struct ez_blob_hdr *h = t->rt.bh;
    size_t at = ez_variant_template_len(t, v->flags) - (h->keep_in_end - h->keep_in);
    unsigned results;
    ez_site_kept(t, s, &results);
    const struct ez_keep k = { .with = v->with.func,
                               .enter = t->rt.blob + h->keep,
                               .results = results };
    memcpy(to + at, t->rt.image + h->keep_in, h->keep_in_end - h->keep_in);
    memcpy(to + at + h->keep_in_data - h->keep_in, &k, sizeof k);
    data->body = v->trampoline + at;
}

/* Sets v->back to the address of the jump at the end of the relocated code that leads to the
 * instruction behind the patch region, or to 0 if the code ends with another instruction. */
static void variant_find_back(const struct ez_target *t, const struct ez_site *s,
                              const struct ez_reloc *r, struct ez_variant *v)
{
    uint8_t jump[16];
    size_t n = (size_t)t->inf.arch->jump.len, at = r->len - n;
    v->lands = s->addr + s->win.len;
    v->back = r->len >= n &&
                      ez_err_drop(t->inf.arch->jump.write(v->relocated + at, v->lands, jump)) &&
                      !memcmp(r->code + at, jump, n)
                  ? v->relocated + at
                  : 0;
}

/* Returns true if a test requests wrong relocated code for the function, without its instructions
 * (`maint corrupt-relocation`). */
static bool variant_spoiled(const struct ez_target *t, const struct ez_site *s)
{
    return *t->set.corrupt && s->sym && !s->hook && !strcmp(ez_sym_pretty(s->sym), t->set.corrupt);
}

ez_err *ez_variant_fill(struct ez_target *t, struct ez_site *s, struct ez_variant *v, uint8_t *to)
{
    const struct ez_blob_hdr *h = t->rt.bh;
    int k = ez_template_of(v->flags);
    size_t len = ez_variant_template_len(t, v->flags);
    struct ez_reloc r;
    v->relocated = v->trampoline + len;
    if (v->flags & EZ_ROW_THROUGH && !ez_pool_of(t, s, v->relocated))
        return ez_err_new(EZ_E_RANGE, 0, "no return thunks within reach of 0x%lx",
                          (unsigned long)s->addr);
    EZ_TRY(variant_move_prologue(t, s, v->relocated, &r));
    v->program = EZ_ROUND_UP(v->relocated + r.len, 8);
    struct ez_trampoline_data *data =
        (struct ez_trampoline_data *)(to + h->tmpl_data[k] - h->tmpl[k]);
    if (!(v->flags & EZ_ROW_PASS)) {
        memcpy(to, t->rt.image + h->tmpl[k], h->tmpl_end[k] - h->tmpl[k]);
        variant_fill_data(t, s, v, data);
        if (v->clauses)
            ez_clauses_straighten(h, s, v, to, data);
    }
    if (v->flags & EZ_ROW_KEEP)
        variant_fill_keep(t, s, v, to, data);
    if (!(v->flags & EZ_ROW_PASS) && h->tmpl_cnt[k])
        memcpy(to + h->tmpl_cnt[k] - h->tmpl[k], &(uint32_t){ v->id * sizeof(struct ez_counter) },
               4);
    memcpy(to + len, r.code, r.len);
    if (v->clauses)
        ez_clauses_fill(s, v->clauses, to + (v->program - v->trampoline));
    variant_find_back(t, s, &r, v);
    return v->back && variant_spoiled(t, s)
               ? t->inf.arch->jump.write(v->relocated, v->lands, to + len)
               : NULL;
}

/* Returns true if the jump back spans two pages, which is not allowed, because a later change of
 * the jump must be a single write. */
static bool variant_back_is_cut(const struct ez_target *t, const struct ez_variant *v)
{
    return v->back && v->back % EZ_PAGE + (uint64_t)t->inf.arch->jump.len > EZ_PAGE;
}

/* Allocates the trampoline and writes it to the mirror. more: total size of later trampolines. */
static ez_err *variant_make_trampoline(struct ez_target *t, struct ez_site *s, struct ez_variant *v,
                                       size_t more)
{
    uint8_t *mirror;
    size_t len = ez_variant_template_len(t, v->flags), data = ez_clauses_size(s, v->clauses);
    EZ_TRY(ez_trampoline_room(t, s->addr, len + EZ_MAX_RELOCATED + EZ_TRAMPOLINE_ALIGN + 8 + data,
                              more, &v->trampoline, &mirror));
    ez_err *e = ez_variant_fill(t, s, v, mirror);
    if (!e && variant_back_is_cut(t, v)) {
        v->trampoline += EZ_TRAMPOLINE_ALIGN;
        e = ez_variant_fill(t, s, v, mirror + EZ_TRAMPOLINE_ALIGN);
    }
    ez_trampoline_fits(t, v->trampoline,
                       e      ? 0
                       : data ? v->program + data - v->trampoline
                              : len + s->reloc.len);
    return e;
}

static ez_err *variant_make_row(struct ez_target *t, struct ez_site *s, const struct ez_variant *v)
{
    const struct ez_patch_region *w = &s->win;
    struct ez_row row = {
        .addr = s->addr,
        .func = s->func,
        .trampoline = v->trampoline,
        .flags = v->flags,
        .len = w->jump,
        .relocated = (uint32_t)(v->relocated - v->trampoline),
        .strategy = w->strategy,
        .island = w->island,
        .back = v->back ? (uint32_t)(v->back - v->trampoline) : 0,
        .with = v->with.func,
        .orig = v->with.orig,
        .first = s->variant.n ? t->rt.rows[s->variant.at[0].id].first : v->id,
    };
    memcpy(row.before, w->bytes, row.len);
    memcpy(row.island_before, w->island_bytes, sizeof row.island_before);
    ez_err *e = ez_strategy(w->strategy)->lead(t->inf.arch, &row, w->prefix);
    t->rt.rows[v->id] = row; /* written last and as a whole, because the target can change rows[] */
    return e;
}

static struct ez_with variant_with(const struct ez_site *s, int flags)
{
    return flags & EZ_ROW_REPLACE ? s->with : (struct ez_with){ 0, 0 };
}

static ez_err *variant_new(struct ez_target *t, struct ez_site *s, int flags, size_t more)
{
    uint64_t clauses = flags & EZ_ROW_DATA ? ez_clauses_wanted(s) : 0;
    EZ_TRY(ez_clauses_number(t, s, clauses));
    struct ez_variant v = { .id = t->rt.nids,
                            .flags = (uint16_t)flags,
                            .with = variant_with(s, flags),
                            .clauses = clauses };
    EZ_TRY(ez_id_room(t, flags));
    EZ_TRY(variant_make_trampoline(t, s, &v, more));
    EZ_TRY(variant_make_row(t, s, &v));
    ez_id_use(t);
    EZ_PUSH(&s->variant, v);
    if (flags & EZ_ROW_ENTRY)
        ez_site_describe(t, s, &v);
    return NULL;
}

static bool variant_serves(const struct ez_site *s, const struct ez_variant *v, int flags)
{
    struct ez_with with = variant_with(s, flags);
    return v->flags == (uint32_t)flags && v->with.func == with.func && v->with.orig == with.orig &&
           v->clauses == (flags & EZ_ROW_DATA ? ez_clauses_wanted(s) : 0);
}

static ez_err *variant_for(struct ez_target *t, struct ez_site *s, int flags, size_t more, int *out)
{
    for (size_t i = 0; i < s->variant.n; i++) {
        if (variant_serves(s, &s->variant.at[i], flags)) {
            *out = (int)i;
            if (s->reloc_of == *out)
                return NULL;
            /* recompute s->reloc for this variant */
            s->reloc_of = *out;
            return variant_move_prologue(t, s, s->variant.at[i].relocated,
                                         &(struct ez_reloc){ .n = 0 });
        }
    }
    s->reloc_of = -1;
    EZ_TRY(variant_new(t, s, flags, more));
    *out = s->reloc_of = (int)s->variant.n - 1;
    return NULL;
}

ez_err *ez_site_prepare(struct ez_target *t, int site, size_t more, int *variant)
{
    struct ez_site *s = &t->patcher.site.at[site];
    int flags = variant_hooked(s, ez_site_wanted(s));
    flags |= ez_clauses_flags(s, ez_clauses_wanted(s), flags);
    *variant = -1;
    if (flags & EZ_ROW_EXIT && !(flags & (EZ_ROW_JUMP | EZ_ROW_DATA)) && variant_by_through(t, s) &&
        ez_pool_near(t, s->addr))
        flags |= EZ_ROW_THROUGH;
    unsigned results;
    if (flags & EZ_ROW_REPLACE && ez_site_kept(t, s, &results))
        flags |= EZ_ROW_KEEP;
    return flags ? variant_for(t, s, flags, more, variant) : NULL;
}

ez_err *ez_site_hook(struct ez_target *t, uint64_t func, uint64_t thunk)
{
    const struct ez_blob_hdr *h = t->rt.bh;
    int site, variant;
    unsigned lost;
    EZ_TRY(ez_site_get(t, func, false, EZ_BY_DEFAULT, &site));
    struct ez_site *s = &t->patcher.site.at[site];
    if (s->hook || s->current >= 0)
        return ez_err_new(EZ_E_STATE, 0, "A probe is already at 0x%lx", (unsigned long)func);
    EZ_TRY(variant_for(t, s, EZ_ROW_INTERNAL, 0, &variant));
    struct ez_trampoline_data d = { .body = s->variant.at[variant].relocated,
                                    .slow = t->rt.blob + thunk };
    uint64_t at =
        s->variant.at[variant].trampoline + h->tmpl_data[EZ_TMPL_HOOK] - h->tmpl[EZ_TMPL_HOOK];
    EZ_TRY(ez_code_flush(t));
    EZ_TRY(ez_mem_write(t, at, &d, sizeof d, "set up a hook"));
    s->hook = true;
    EZ_TRY(ez_islands_map(t));
    EZ_TRY(ez_patch_apply(t, &(struct ez_change){ site, variant }, 1, &lost));
    t->rt.watching |= thunk == h->loader;
    return NULL;
}

bool ez_loader_hooked(const struct ez_target *t)
{
    return t->rt.watching;
}

ez_err *ez_site_jump(struct ez_target *t, uint64_t func, unsigned kind, struct ez_changes *out)
{
    int site, variant;
    EZ_TRY(ez_site_get(t, func, false, EZ_BY_DEFAULT, &site));
    struct ez_site *s = &t->patcher.site.at[site];
    if (s->hook || s->lost || s->jump)
        return NULL;
    s->jump = (uint8_t)kind;
    ez_err *e = ez_site_prepare(t, site, 0, &variant);
    if (e)
        t->patcher.site.at[site].jump = 0;
    EZ_TRY(e);
    EZ_PUSH(out, ((struct ez_change){ site, variant }));
    return NULL;
}

ez_err *ez_site_jumps_plant(struct ez_target *t, const struct ez_changes *c)
{
    unsigned lost;
    if (!c->n)
        return NULL;
    EZ_TRY(ez_code_flush(t));
    EZ_TRY(ez_islands_map(t));
    return ez_patch_apply(t, c->at, c->n, &lost);
}

void ez_site_counts(struct ez_target *t, const struct ez_site *s, uint64_t *entries,
                    uint64_t *exits)
{
    *entries = *exits = 0;
    for (size_t i = 0; t->tracing.drain && i < s->variant.n; i++) {
        uint64_t in, out;
        ez_drain_counts(t->tracing.drain, s->variant.at[i].id, &in, &out);
        *entries += in;
        *exits += out;
    }
}
