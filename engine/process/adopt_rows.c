/* SPDX-License-Identifier: GPL-3.0-or-later */
/* adopt_rows.c - the sites that an earlier shell left (adopt.c; keep.h).
 *
 * What happens to a row of the journal depends on its patch:
 *
 *   a jump over whole instructions    The function is analysed and the trampoline generated
 *                                     again. If both equal what is in the target, the patch is
 *                                     adopted.
 *   any other planted patch           The patch (island, evicted neighbour, pun, trap) is removed,
 *                                     and its probes are planted again in the same stop
 *                                     (adopt_probes.c).
 *   a trampoline with clauses         The patch is removed, and its probes are dropped.
 *   the trap of a halt                restore.c has restored the bytes before.
 *   a patch that is not planted       The row becomes a retired variant: the site's counts
 *                                     include its counts.
 *
 * After a patch is removed, trampolines, return thunks, return trampolines and the table of traps
 * stay in the target. A thread in such code continues, and counts under the old id, which now
 * belongs to a retired variant. If a library was unloaded and loaded again at the same address, its
 * rows from both times belong to different sites (ez_row.first).
 *
 * adopt_rows() changes nothing in the target. adopt_give_back() clears a row's `planted` only after
 * the bytes of its patch are the file's again.
 * Errors: EZ_E_MISMATCH; EZ_E_SECCOMP, because planting again needs injected system calls.
 * Tests: tests/procs/keep.sh, tests/procs/reach.sh */
#include <string.h>

#include "engine/process/keep_priv.h"
#include "engine/inferior/image.h"
#include "engine/inferior/inject.h"
#include "engine/inferior/maps.h"
#include "engine/inferior/mem.h"
#include "engine/inferior/modules.h"
#include "engine/patch/alloc.h"
#include "engine/patch/island.h"
#include "engine/patch/variant.h"

#define ROW_FLAGS (EZ_ROW_KEEP * 2 - 1)

ez_err *adopt_differs(const char *what)
{
    return ez_err_new(EZ_E_MISMATCH, 0, "%s", what);
}

/* Returns true if the row's original bytes equal the bytes of the file at that address, so that the
 * row's library is still loaded. Then live has the bytes that are in the target. */
static bool adopt_rows_rooted(struct ez_target *t, const struct ez_row *r, uint8_t live[16])
{
    return r->addr && row_is_files(t, r) && ez_module_at(t, r->addr) == ez_module_at(t, r->func) &&
           ez_mem_read_some(t, r->addr, live, r->len) == r->len;
}

/* ---- one row ------------------------------------------------------------------------------ */

static bool adopt_is_plain(const struct ez_target *t, const struct ez_row *r)
{
    return ez_strategy(r->strategy)->direct && !(r->flags & EZ_ROW_PASS) &&
           r->len == t->inf.arch->jump.len;
}

/* Returns true if the row's site may be an evicted neighbour, because some island is within the
 * longest possible patch region at the row's address. */
static bool adopt_may_evict(const struct adoption *o, const struct ez_row *r)
{
    for (uint32_t i = 0; i < o->hdr.ids_used; i++)
        if (ez_strategy(o->row[i].strategy)->island == EZ_ISLAND_IN_TEXT &&
            o->row[i].island - r->addr < sizeof((struct ez_patch_region *)0)->bytes)
            return true;
    return false;
}

/* Returns true if the bytes in the row are those that its strategy writes to reach the trampoline.
 * A pun cannot be computed again, because the row lacks the pun's prefix; for a pun the result is
 * true if the row has an island. Used for planted patches that will be removed. */
static bool adopt_rows_leads(const struct ez_target *t, const struct ez_row *r)
{
    const struct ez_strategy_row *k = ez_strategy(r->strategy);
    struct ez_row again = *r;
    if (!k->lead || !row_whole(t, r))
        return false;
    if (k->relies_on_next)
        return r->island;
    return ez_err_drop(k->lead(t->inf.arch, &again, 0)) && !memcmp(again.after, r->after, r->len) &&
           !memcmp(again.island_after, r->island_after, sizeof r->island_after);
}

/* Returns the index of the function's site; -1 if there is none. Drops the site's variants if they
 * belong to a library that was loaded at the address earlier. */
static int adopt_rows_site_of(struct ez_target *t, const struct adoption *o, const struct ez_row *r)
{
    int site = ez_site_find(t, r->func);
    struct ez_site *s = site < 0 ? NULL : &t->patcher.site.at[site];
    if (s && s->variant.n && o->row[s->variant.at[0].id].first != r->first)
        s->variant.n = 0;
    return site;
}

/* Finds the jump at the end of the row's relocated code, and stores its address and destination in
 * v. Does nothing if there is no jump at the row's offset. */
static void adopt_rows_find_back(struct ez_target *t, const struct adoption *o,
                                 const struct ez_row *r, struct ez_variant *v)
{
    uint8_t code[16];
    struct ez_insn in;
    size_t n = (size_t)t->inf.arch->jump.len;
    uint64_t at = r->trampoline + r->back;
    if (r->back && ez_maps_cover(&o->maps, at, at + n, "r-xp") &&
        ez_mem_read_some(t, at, code, n) == n &&
        ez_err_drop(t->inf.arch->decode.insn(code, n, at, &in)) && in.flow == EZ_FLOW_JMP &&
        in.len == n) {
        v->back = at;
        v->lands = in.target;
    }
}

/* Clears the analysis of a site that has only retired variants and no current patch. The analysis
 * assumed a plain jump, but the row has another patch. The site is analysed again when its probes
 * are planted, perhaps as an evicted neighbour. */
static void adopt_forget_judgement(struct ez_site *s)
{
    for (size_t i = 0; i < s->variant.n; i++)
        if (!(s->variant.at[i].flags & EZ_RETIRED))
            return;
    if (s->current >= 0 || s->hook)
        return;
    s->win = (struct ez_patch_region){ 0 };
    s->addr = s->func;
}

/* Adds a retired variant for the row to its site, and adds the row to o->given, so that its patch
 * is removed. stands: the row's ROW_* flags if its probes will be planted again, otherwise 0. */
static void adopt_make_retired(struct ez_target *t, struct adoption *o, uint32_t id,
                               unsigned stands)
{
    const struct ez_row *r = &o->row[id];
    int site = ez_site_find(t, r->func);
    if (site < 0)
        site = ez_site_hold(t, r->func);
    adopt_forget_judgement(&t->patcher.site.at[site]);
    struct ez_variant v = { .id = id, .flags = r->flags | EZ_RETIRED, .trampoline = r->trampoline };
    adopt_rows_find_back(t, o, r, &v);
    EZ_PUSH(&t->patcher.site.at[site].variant, v);
    EZ_PUSH(&o->given, id);
    if (stands & ROW_SITE && r->flags & EZ_ROW_REPLACE)
        ez_site_replace(t, site, (struct ez_with){ r->with, r->orig });
    while (o->carried.n <= (size_t)site)
        EZ_PUSH(&o->carried, 0);
    if (stands & ROW_SITE)
        o->carried.at[site] = r->flags | (ez_strategy(r->strategy)->trap ? CARRIED_TRAP : 0u);
    o->anew |= stands & (ROW_SITE | ROW_ISLAND);
    if (ez_maps_cover(&o->maps, r->trampoline, r->trampoline + EZ_TRAMPOLINE_MOST, "r-xp"))
        ez_trampoline_adopt(t, r->trampoline, r->trampoline + EZ_TRAMPOLINE_MOST);
}

static ez_err *adopt_plain_row(struct ez_target *t, const struct adoption *o, uint32_t id)
{
    uint64_t end;
    EZ_TRY(ez_site_adopt(t, id, &o->row[id], &end));
    if (!ez_maps_cover(&o->maps, o->row[id].trampoline, end, "r-xp"))
        return adopt_differs("their journal is damaged");
    ez_trampoline_adopt(t, o->row[id].trampoline, end);
    return NULL;
}

/* Adds the row of a trampoline with clauses to o->given, so that its patch is removed. The patch is
 * not planted again, because the row does not contain the clauses' code. The row becomes a retired
 * variant, because threads and open calls may still use the trampoline. */
static void adopt_leave_out(struct ez_target *t, struct adoption *o, uint32_t id)
{
    const struct ez_row *r = &o->row[id];
    unsigned stands = row_stands(t, r);
    uint8_t live[16];
    if (adopt_rows_rooted(t, r, live)) {
        adopt_rows_site_of(t, o, r);
        adopt_make_retired(t, o, id, 0);
    } else if (stands) {
        EZ_PUSH(&o->given, id);
    }
    o->left_out += stands & ROW_SITE;
}

static ez_err *adopt_one_row(struct ez_target *t, struct adoption *o, uint32_t id)
{
    const struct ez_row *r = &o->row[id];
    uint8_t live[16] = { 0 };
    if (row_is_halt(t, r)) /* repair.c has restored the bytes already */
        return NULL;
    if (r->flags & EZ_ROW_DATA)
        return adopt_leave_out(t, o, id), NULL;
    if (r->len > sizeof live)
        return adopt_differs("their journal is damaged");
    /* A row that was never used, or whose library is unloaded, is skipped, and so is its id. */
    if (!adopt_rows_rooted(t, r, live)) {
        size_t len = r->len;
        bool there = r->addr && len && ez_mem_read_some(t, r->addr, live, len) == len;
        return there && !memcmp(live, r->after, len) ? adopt_differs("their journal is damaged")
                                                     : NULL;
    }
    unsigned stands = row_stands(t, r);
    bool hook = r->flags & EZ_ROW_INTERNAL, plain = adopt_is_plain(t, r);
    if (r->flags & ~ROW_FLAGS || (r->planted && !row_whole(t, r)) ||
        (hook && r->flags != EZ_ROW_INTERNAL) ||
        (stands & ROW_SITE && !adopt_rows_leads(t, r) && !plain))
        return adopt_differs("their journal is damaged");
    if (hook && stands && !plain)
        return adopt_differs("one of their hooks is not a plain jump");
    adopt_rows_site_of(t, o, r);
    if (plain) {
        /* the text decides whether the patch is planted, not the row */
        bool there = !memcmp(live, r->after, r->len);
        ez_err *e = adopt_plain_row(t, o, id);
        if (!e || (there && (hook || !stands || !adopt_rows_leads(t, r) || !adopt_may_evict(o, r))))
            return e;
        ez_err_free(e);
    }
    if (!hook)
        adopt_make_retired(t, o, id, stands);
    return NULL;
}

/* ---- all rows ------------------------------------------------------------------------------- */

ez_err *adopt_rows(struct ez_target *t, struct adoption *o)
{
    uint32_t n = o->hdr.ids_used;
    ez_err *e = NULL;
    o->row = ez_alloc(n * sizeof *o->row + 1);
    EZ_TRY(ez_mem_read(t, o->seg.lo + o->hdr.off_rows, o->row, n * sizeof *o->row));
    ez_image_old_rows(t, o->row, n);
    for (uint32_t i = 0; i < n && !e; i++)
        e = adopt_one_row(t, o, i);
    ez_image_old_rows(t, NULL, 0);
    if (!e && o->anew)
        e = ez_inject_allowed(t);
    return e;
}

/* Sets `current` and `lost` of each site by the bytes in the text, not by the journal. */
static void adopt_find_current(struct ez_target *t, const struct adoption *o)
{
    for (size_t i = 0; i < t->patcher.site.n; i++) {
        struct ez_site *s = &t->patcher.site.at[i];
        size_t len = (size_t)t->inf.arch->jump.len;
        uint8_t live[16];
        if (!s->win.strategy || ez_mem_read_some(t, s->addr, live, len) != len)
            continue;
        s->lost = memcmp(live, s->win.bytes, len);
        for (size_t k = 0; k < s->variant.n; k++) {
            const struct ez_variant *v = &s->variant.at[k];
            if (v->flags & EZ_RETIRED || memcmp(live, o->row[v->id].after, len))
                continue;
            s->current = (int)k;
            s->lost = false;
            if (v->flags & EZ_ROW_REPLACE)
                ez_site_replace(t, (int)i, v->with);
        }
    }
}

ez_err *adopt_give_back(struct ez_target *t, struct adoption *o)
{
    EZ_FREE struct ez_row *row = ez_alloc(o->given.n * sizeof *row + 1);
    unsigned sites;
    for (size_t i = 0; i < o->given.n; i++)
        row[i] = o->row[o->given.at[i]];
    /* An island's page that exists is used for further islands of this shell. */
    EZ_FREE uint8_t *page = ez_alloc(o->given.n + 1);
    for (size_t i = 0; i < o->given.n; i++)
        page[i] =
            row_stands(t, &row[i]) & ROW_MAPPED &&
            ez_maps_cover(&o->maps, row[i].island & ~(EZ_PAGE - 1),
                          EZ_ROUND_UP(row[i].island + (unsigned)t->inf.arch->jump.far_len, EZ_PAGE),
                          "r-xp");
    EZ_TRY(rows_restore(t, row, o->given.n, "restore the bytes of a probe that is planted again",
                        &sites));
    for (size_t i = 0; i < o->given.n; i++) {
        t->rt.rows[o->given.at[i]].planted = 0;
        if (page[i])
            ez_island_adopt(t, row[i].island);
    }
    adopt_find_current(t, o);
    return NULL;
}
