/* SPDX-License-Identifier: GPL-3.0-or-later */
/* variant_adopt.c - adopts variants that an earlier shell planted and described in rows of the
 * journal.
 *
 * Every field of a row is validated: the patch region must be the one that this shell would choose,
 * and the trampoline and its return thunk must have the bytes that this shell would write.
 * Tests: tests/unit/process/check_adopt.c */
#include "engine/target.h"
#include "engine/inferior/mem.h"
#include "engine/inferior/modules.h"
#include "engine/patch/variant.h"

#include <string.h>

/* Sets s->jump from the data of an earlier shell's hook, which is at address `at` in the target.
 * Returns false if the data has no valid EZ_JUMP_*. */
static bool variant_jump_data(struct ez_target *t, struct ez_site *s, uint64_t at)
{
    struct ez_trampoline_data theirs;
    if (ez_mem_read_some(t, at, &theirs, sizeof theirs) != sizeof theirs || !theirs.exit ||
        theirs.exit >= EZ_NJUMPS)
        return false;
    s->jump = (uint8_t)theirs.exit;
    return true;
}

/* Returns true if the data of an earlier shell's hook, `live`, has the address of runtime code that
 * hooks call. *d: the data that this shell would write for this hook. Marks the site as hooked. */
static bool variant_hook_data(struct ez_target *t, struct ez_site *s, const uint8_t *live,
                              struct ez_trampoline_data *d)
{
    struct ez_trampoline_data theirs;
    memcpy(&theirs, live, sizeof theirs);
    bool loader = theirs.slow == t->rt.blob + t->rt.bh->loader && !theirs.cnt;
    bool unwind = theirs.slow == t->rt.blob + t->rt.bh->unwind && !theirs.cnt;
    bool profile = theirs.slow == t->rt.blob + t->rt.bh->profile && !theirs.cnt;
    *d = (struct ez_trampoline_data){ .body = d->body, .slow = theirs.slow };
    s->hook = true;
    t->rt.watching |= loader;
    s->mod->unwind_hooked |= unwind;
    s->mod->profile_hooked |= profile;
    return loader || unwind || profile;
}

/* Generates the trampoline as ez_variant_fill() does, and returns an error if the return thunk that
 * this generates differs from the earlier shell's. Leaves the earlier shell's thunk unchanged. */
static ez_err *variant_fill_and_check_return_thunk(struct ez_target *t, struct ez_site *s,
                                                   struct ez_variant *v, uint8_t *to)
{
    struct ez_pool *pool = ez_pool_of(t, s, v->trampoline + ez_variant_template_len(t, v->flags));
    if (!(v->flags & EZ_ROW_THROUGH))
        return ez_variant_fill(t, s, v, to);
    if (ez_site_not_through(t, s) || !pool || pool->thunk.n <= v->id)
        return ez_err_new(EZ_E_MISMATCH, 0,
                          "This eztsh instruments the exit of the function at 0x%lx in another way "
                          "than the earlier shell",
                          (unsigned long)s->func);
    struct ez_return_thunk was = pool->thunk.at[v->id];
    size_t written = pool->written;
    EZ_TRY(ez_variant_fill(t, s, v, to));
    bool same = !memcmp(&was, &pool->thunk.at[v->id], sizeof was);
    pool->thunk.at[v->id] = was;
    pool->written = written;
    return same ? NULL
                : ez_err_new(EZ_E_MISMATCH, 0,
                             "The return thunk of the function at 0x%lx is not the one that this "
                             "eztsh generates",
                             (unsigned long)s->func);
}

/* Returns an error if the trampoline differs from the bytes that this shell would write. */
static ez_err *variant_check_trampoline(struct ez_target *t, struct ez_site *s,
                                        struct ez_variant *v)
{
    const struct ez_blob_hdr *h = t->rt.bh;
    size_t room = ez_variant_template_len(t, v->flags) + EZ_MAX_RELOCATED;
    EZ_FREE uint8_t *want = ez_alloc(room), *live = ez_alloc(room);
    size_t data = h->tmpl_data[ez_template_of(v->flags)] - h->tmpl[ez_template_of(v->flags)];
    if (v->flags & EZ_ROW_JUMP && !variant_jump_data(t, s, v->trampoline + data))
        return ez_err_new(EZ_E_MISMATCH, 0,
                          "The hook at 0x%lx is not the one that this eztsh generates",
                          (unsigned long)v->trampoline);
    EZ_TRY(variant_fill_and_check_return_thunk(t, s, v, want));
    size_t len = ez_variant_template_len(t, v->flags) + s->reloc.len;
    EZ_TRY(ez_mem_read(t, v->trampoline, live, len));
    bool known = !(v->flags & EZ_ROW_INTERNAL) ||
                 variant_hook_data(t, s, live + data, (struct ez_trampoline_data *)(want + data));
    if (!known || memcmp(want, live, len))
        return ez_err_new(EZ_E_MISMATCH, 0,
                          "The trampoline at 0x%lx is not the one that this eztsh generates",
                          (unsigned long)v->trampoline);
    return NULL;
}

ez_err *ez_site_adopt(struct ez_target *t, uint32_t id, const struct ez_row *row, uint64_t *end)
{
    struct ez_variant v = { .id = id,
                            .flags = row->flags,
                            .trampoline = row->trampoline,
                            .with = { row->with, row->orig } };
    uint8_t jump[16];
    int site;
    EZ_TRY(ez_site_get(t, row->func, !ez_begins_at(t, row->func), ez_strategies_with(row->strategy),
                       &site));
    struct ez_site *s = &t->patcher.site.at[site];
    if (s->addr != row->addr || memcmp(row->before, s->win.bytes, row->len))
        return ez_err_new(
            EZ_E_MISMATCH, 0,
            "This eztsh instruments the function at 0x%lx in another way than the earlier shell",
            (unsigned long)row->func);
    EZ_TRY(t->inf.arch->jump.write(s->addr, v.trampoline, jump));
    if (memcmp(jump, row->after, row->len))
        return ez_err_new(EZ_E_MISMATCH, 0, "The jump at 0x%lx does not lead to its trampoline",
                          (unsigned long)s->addr);
    EZ_TRY(variant_check_trampoline(t, s, &v));
    s->reloc_of = -1;
    *end = v.relocated + s->reloc.len;
    EZ_PUSH(&s->variant, v);
    return NULL;
}
