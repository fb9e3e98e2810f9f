/* SPDX-License-Identifier: GPL-3.0-or-later */
/* island.c - islands: memory at the destinations of punned jumps (patch_region.c, "pun").
 *
 * A punned jump has few possible destinations: one address if the function's first instruction has
 * one byte, 16 million if it has four, and more if prefixes precede the jump. eztsh maps a page at
 * a destination and writes an island to it: a far jump to the trampoline. When eztsh analyses a
 * function, it chooses a page and reserves the island's bytes; it maps the page when the target is
 * stopped for planting the probe. If the target has mapped memory at the page's address by then,
 * the probe is refused. Several islands share a page.
 *
 * Pages are unmapped only at a detach (rt_trim.c), because a thread may be on an island.
 * Tests: tests/fault/check_strategy.sh, tests/procs/pages.sh */
#include <string.h>
#include <sys/mman.h>

#include "engine/target.h"
#include "engine/inferior/inject.h"
#include "engine/inferior/maps.h"
#include "engine/inferior/mem.h"
#include "engine/patch/island.h"

static struct ez_island_page *island_page_of(const struct ez_target *t, uint64_t at)
{
    for (size_t i = 0; i < t->patcher.island_page.n; i++)
        if (t->patcher.island_page.at[i].base == (at & ~(EZ_PAGE - 1)))
            return &t->patcher.island_page.at[i];
    return NULL;
}

static bool island_byte_used(const struct ez_island_page *p, uint64_t at)
{
    uint64_t off = at & (EZ_PAGE - 1);
    return p->used[off / 8] >> (off % 8) & 1;
}

/* Returns true if the n bytes at address `at` are free, and in one page that is unmapped or a page
 * of islands. An island must be in one page so that a single write can replace its jump. */
static bool island_is_free(const struct ez_target *t, uint64_t at, size_t n)
{
    if (at % EZ_PAGE + n > EZ_PAGE)
        return false;
    for (uint64_t b = at; b < at + n; b++) {
        const struct ez_island_page *p = island_page_of(t, b);
        if (p ? island_byte_used(p, b) : ez_maps_free_at(t->patcher.island_maps, b, b, 1) != b)
            return false;
    }
    return true;
}

static void island_claim(struct ez_target *t, uint64_t at, size_t n)
{
    for (uint64_t b = at; b < at + n; b++) {
        struct ez_island_page *p = island_page_of(t, b);
        if (!p) {
            struct ez_island_page page = { .base = b & ~(EZ_PAGE - 1) };
            EZ_PUSH(&t->patcher.island_page, page);
            p = &t->patcher.island_page.at[t->patcher.island_page.n - 1];
        }
        p->used[b % EZ_PAGE / 8] |= (uint8_t)(1u << (b % 8));
    }
}

/* Returns an address in [lo, hi] with n free bytes for an island, in an existing page of islands or
 * in a new one. Returns 0 if there is none. */
static uint64_t island_find(struct ez_target *t, uint64_t lo, uint64_t hi, size_t n)
{
    for (size_t i = 0; i < t->patcher.island_page.n; i++) {
        uint64_t base = t->patcher.island_page.at[i].base;
        uint64_t from = EZ_MAX(lo, base - n + 1), to = EZ_MIN(hi, base + EZ_PAGE - 1);
        for (uint64_t at = from; at <= to && at >= from; at++)
            if (island_is_free(t, at, n))
                return at;
    }
    uint64_t at = ez_maps_free_at(t->patcher.island_maps, lo, hi, n);
    /* skip addresses in a reserved page, and those whose n bytes span two pages */
    while (at && !island_is_free(t, at, n))
        at = at < hi ? ez_maps_free_at(t->patcher.island_maps, at + 1, hi, n) : 0;
    return at;
}

/* Reads the target's mappings, unless patcher.island_maps has them. */
static ez_err *island_look(struct ez_target *t)
{
    if (t->patcher.island_maps)
        return NULL;
    struct ez_maps *m = ez_alloc(sizeof *m);
    ez_err *e = ez_maps_read(t->inf.pid, m);
    if (e)
        free(m);
    else
        t->patcher.island_maps = m;
    return e;
}

static void island_forget_maps(struct ez_target *t)
{
    if (t->patcher.island_maps)
        ez_maps_free(t->patcher.island_maps);
    free(t->patcher.island_maps);
    t->patcher.island_maps = NULL;
}

ez_err *ez_island_pun(struct ez_target *t, struct ez_patch_region *w, bool keep)
{
    size_t n = (size_t)t->inf.arch->jump.far_len;
    EZ_TRY(island_look(t));
    for (size_t k = 0; k < w->jump; k++) {
        uint64_t lo, hi;
        t->inf.arch->jump.pun_range(w->bytes, w->jump, k, w->site, &lo, &hi);
        uint64_t at = hi >> t->inf.arch->address_bits ? 0 : island_find(t, lo, hi, n);
        if (!at)
            continue;
        if (keep)
            island_claim(t, at, n);
        w->island = at;
        w->prefix = (uint8_t)k;
        return NULL;
    }
    return ez_err_why(
        ez_err_new(EZ_E_REFUSED, 0, "no free memory at an address that a punned jump can reach"),
        EZ_REFUSE_MEMORY);
}

/* Finds islands for functions f and g. Function f has one byte, which is too short for a
 * displacement. But if g begins at the next byte and gets a jump, too, eztsh chooses the bytes of
 * g's jump, and so the destinations of both jumps:
 *
 *      f:  op                           jump to f + 5 + (r2 r1 r0 op)
 *      g:     op r0 r1 r2 r3            jump to g + 5 + (r3 r2 r1 r0)
 *
 * Sets *f_island and *g_island, or returns false if no such pair is free. g's five bytes must not
 * change while f's jump is planted. */
static bool island_find_pair(struct ez_target *t, uint64_t f, uint64_t g, size_t n,
                             uint64_t *f_island, uint64_t *g_island)
{
    const uint64_t f_end = f + (uint64_t)t->inf.arch->jump.len, step = 1ull << 24;
    const uint64_t g_end = g + (uint64_t)t->inf.arch->jump.len;
    for (int64_t r2 = -128; r2 < 128; r2++) {
        uint8_t op[16];
        ez_err_drop(t->inf.arch->jump.write(g, g, op));
        uint64_t lo = f_end + (uint64_t)(r2 * (int64_t)step) + op[0];
        uint64_t at = lo >> t->inf.arch->address_bits
                          ? 0
                          : ez_maps_free_at(t->patcher.island_maps, lo, lo + step - 256, n);
        at = at ? lo + EZ_ROUND_UP(at - lo, 256) : 0;
        if (!at || at >= lo + step || !island_is_free(t, at, n))
            continue;
        uint64_t low = (at - f_end) >> 8 & (step - 1); /* displacement bytes r0 to r2 */
        for (int64_t r3 = -128; r3 < 128; r3++) {
            uint64_t to = g_end + low + (uint64_t)(r3 * (int64_t)step);
            bool apart = to + n <= at || at + n <= to;
            if (to >> t->inf.arch->address_bits || !apart || !island_is_free(t, to, n))
                continue;
            *f_island = at;
            *g_island = to;
            return true;
        }
    }
    return false;
}

ez_err *ez_island_pair(struct ez_target *t, struct ez_patch_region *f, struct ez_patch_region *g,
                       bool keep)
{
    size_t n = (size_t)t->inf.arch->jump.far_len;
    EZ_TRY(island_look(t));
    if (f->jump != 1 || g->site != f->site + 1 || g->jump != t->inf.arch->jump.len ||
        !island_find_pair(t, f->site, g->site, n, &f->island, &g->island))
        return ez_err_why(ez_err_new(EZ_E_REFUSED, 0,
                                     "no free memory at addresses that two punned jumps can reach"),
                          EZ_REFUSE_MEMORY);
    if (keep) {
        island_claim(t, f->island, n);
        island_claim(t, g->island, n);
    }
    f->strategy = g->strategy = EZ_PUN;
    f->prefix = g->prefix = 0;
    return NULL;
}

static ez_err *island_map_page(struct ez_target *t, struct ez_island_page *p)
{
    uint8_t code[EZ_PAGE];
    uint64_t at;
    EZ_TRY(ez_inject_mmap(
        t,
        &(struct ez_mmap){ .at = p->base,
                           .size = EZ_PAGE,
                           .prot = PROT_READ | PROT_EXEC,
                           .flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE },
        &at, "map a page for punned jumps"));
    memset(code, t->inf.arch->trap.insn[0], sizeof code);
    p->mapped = true;
    return ez_mem_write(t, p->base, code, sizeof code, "fill a page of islands");
}

/* Drops the reserved pages that eztsh has not mapped and for which used() returns true. Sites whose
 * island is in such a page are analysed again when a probe needs them. */
static void island_drop_pages(struct ez_target *t,
                              bool (*used)(const struct ez_target *, uint64_t base))
{
    size_t k = 0;
    for (size_t i = 0; i < t->patcher.island_page.n; i++)
        if (t->patcher.island_page.at[i].mapped || !used(t, t->patcher.island_page.at[i].base))
            t->patcher.island_page.at[k++] = t->patcher.island_page.at[i];
    t->patcher.island_page.n = k;
}

static bool island_is_mapped_now(const struct ez_target *t, uint64_t base)
{
    return ez_maps_free_at(t->patcher.island_maps, base, base, EZ_PAGE) != base;
}

static bool island_is_mapped_always(const struct ez_target *t, uint64_t base)
{
    (void)t, (void)base;
    return true;
}

ez_err *ez_islands_refresh(struct ez_target *t)
{
    island_forget_maps(t);
    if (!t->patcher.island_page.n)
        return NULL;
    EZ_TRY(island_look(t));
    island_drop_pages(t, island_is_mapped_now);
    return NULL;
}

ez_err *ez_islands_map(struct ez_target *t)
{
    for (size_t i = 0; i < t->patcher.island_page.n; i++) {
        ez_err *e = t->patcher.island_page.at[i].mapped
                        ? NULL
                        : island_map_page(t, &t->patcher.island_page.at[i]);
        /* EZ_E_REMOTE: the target has mapped memory at the address */
        if (e && e->code != EZ_E_REMOTE)
            return e;
        ez_err_free(e);
    }
    island_drop_pages(t, island_is_mapped_always);
    island_forget_maps(t);
    return NULL;
}

void ez_island_adopt(struct ez_target *t, uint64_t island)
{
    const uint64_t end[] = { island, island + (uint64_t)t->inf.arch->jump.far_len - 1 };
    for (size_t i = 0; i < EZ_ARRAY_LEN(end); i++)
        if (!island_page_of(t, end[i]))
            EZ_PUSH(&t->patcher.island_page,
                    ((struct ez_island_page){ .base = end[i] & ~(EZ_PAGE - 1), .mapped = true }));
}

void ez_island_page_adopt(struct ez_target *t, uint64_t base)
{
    struct ez_island_page page = { .base = base, .mapped = true };
    memset(page.used, 0xff, sizeof page.used);
    if (!island_page_of(t, base))
        EZ_PUSH(&t->patcher.island_page, page);
}

bool ez_island_ours(const struct ez_target *t, uint64_t island)
{
    return island_page_of(t, island) &&
           island_page_of(t, island + (uint64_t)t->inf.arch->jump.far_len - 1);
}

bool ez_island_mapped(const struct ez_target *t, uint64_t island)
{
    const struct ez_island_page *a = island_page_of(t, island),
                                *b = island_page_of(t, island +
                                                           (uint64_t)t->inf.arch->jump.far_len - 1);
    return a && b && a->mapped && b->mapped;
}

void ez_islands_clear(struct ez_target *t)
{
    island_forget_maps(t);
    EZ_VEC_FREE(&t->patcher.island_page);
}
