/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cell.c - kits: the cells that call-through goes through, and the way out of them
 * (engine/rt/rt.h).
 *
 * Inputs: id, where the body begins, which way out. A kit is mapped where stubs are,
 * within reach of the functions it serves. Like stubs, cells are prepared here and
 * written in one go (ez_stub_flush), before the first jump leads to one. Their code is
 * the same everywhere and written by whole pages, as far as ids are in use; all of a
 * kit is R-X in the target. Nothing is ever taken back: a frame may return through it.
 * Errors: those of mapping and writing; without a kit, exits go by slots.
 * Invariant: what `written` counts is in the target; the unwind table of a kit is
 * announced (rt_state.nkits) before the first cell of it is in use.
 * Test: tests/fault/check_exits.sh */
#include "engine/target.h"

#include <string.h>
#include <sys/mman.h>

struct ez_kit *ez_kit_near(struct ez_target *t, uint64_t addr)
{
    int64_t margin = t->arch->jump_reach - 2 * EZ_KIT_SIZE;
    for (unsigned i = 0; i < t->rt.nkits; i++) {
        int64_t off = (int64_t)(t->rt.kit[i].base - addr);
        if (off > -margin && off < margin)
            return &t->rt.kit[i];
    }
    return NULL;
}

/* The way out of the cells of a kit there, and its unwind table. */
static void first_page(const struct ez_runtime *rt, uint64_t base, uint8_t page[EZ_KIT_CELLS])
{
    const struct ez_blob_hdr *h = rt->bh;
    struct ez_kit_words words = { .cont = base + EZ_KIT_CELLS + EZ_CELL_CONT,
                                  .slow = rt->blob + h->through_slow,
                                  .room = rt->blob + h->room,
                                  .tick = rt->blob + h->tick,
                                  .left = rt->blob + h->left_cell };
    memset(page, 0, EZ_KIT_CELLS);
    memcpy(page, rt->image + h->kit, h->kit_end - h->kit);
    memcpy(page + (h->kit_words - h->kit), &words, sizeof words);
}

/* The first page, and its place in the list of unwind tables. */
static ez_err *thunk_furnish(struct ez_target *t, uint64_t base)
{
    struct ez_runtime *rt = &t->rt;
    uint8_t page[EZ_KIT_CELLS];
    uint64_t state = rt->blob + EZ_RT_STATE, n = rt->nkits + 1;
    first_page(rt, base, page);
    EZ_TRY(ez_mem_write(t, base, page, sizeof page, "write the way out of cells"));
    EZ_TRY(ez_mem_write(t, state + offsetof(struct rt_state, kit) + rt->nkits * 8, &base, 8,
                        "say where an unwind table is"));
    return ez_mem_write(t, state + offsetof(struct rt_state, nkits), &n, 8,
                        "say that there is an unwind table");
}

/* All of it is in use: no room for stubs. */
static struct ez_kit *thunk_add(struct ez_target *t, uint64_t base)
{
    EZ_PUSH(&t->rt.area,
            ((struct ez_area){
                .base = base, .size = EZ_KIT_SIZE, .used = EZ_KIT_SIZE, .flushed = EZ_KIT_SIZE }));
    t->rt.kit[t->rt.nkits] = (struct ez_kit){ .base = base };
    return &t->rt.kit[t->rt.nkits++];
}

ez_err *ez_kit_reserve(struct ez_target *t, uint64_t addr)
{
    uint64_t base;
    if (ez_kit_near(t, addr))
        return NULL;
    if (t->rt.nkits == EZ_NKITS)
        return ez_err_new(EZ_E_LIMIT, 0, "no more than %d places with cells", EZ_NKITS);
    EZ_TRY(ez_near_map(t, addr, EZ_KIT_SIZE, "map cells", &base));
    EZ_TRY(thunk_furnish(t, base));
    thunk_add(t, base);
    return NULL;
}

uint64_t ez_cell_set(struct ez_target *t, struct ez_kit *kit, uint32_t id, uint64_t target,
                     bool recorded)
{
    const struct ez_blob_hdr *h = t->rt.bh;
    const struct ez_cell none = { 0 };
    while (kit->cell.n <= id)
        EZ_PUSH(&kit->cell, none);
    kit->cell.at[id] = (struct ez_cell){
        .target = target,
        .exit = kit->base + (recorded ? h->through_rec : h->through) - h->kit,
    };
    kit->written = EZ_MIN(kit->written, id);
    return kit->base + EZ_KIT_CELLS + (uint64_t)id * EZ_CELL;
}

/* Code of n cells, for who frees it. */
static uint8_t *code_of(const struct ez_target *t, size_t n)
{
    uint8_t *code = ez_alloc(n * EZ_CELL);
    for (size_t i = 0; i < n; i++)
        memcpy(code + i * EZ_CELL, t->rt.image + t->rt.bh->cell, EZ_CELL);
    return code;
}

/* Of the cells from `coded` on to the page that holds the last one. */
static ez_err *thunk_write_code(struct ez_target *t, struct ez_kit *kit)
{
    size_t n = EZ_ROUND_UP(kit->cell.n, EZ_PAGE / EZ_CELL) - kit->coded;
    if (kit->coded >= kit->cell.n)
        return NULL;
    EZ_FREE uint8_t *code = code_of(t, n);
    EZ_TRY(ez_mem_write(t, kit->base + EZ_KIT_CELLS + kit->coded * EZ_CELL, code, n * EZ_CELL,
                        "write cells"));
    kit->coded += n;
    return NULL;
}

static ez_err *thunk_flush(struct ez_target *t, struct ez_kit *kit)
{
    size_t from = kit->written, n = kit->cell.n - from;
    if (!n)
        return NULL;
    EZ_TRY(thunk_write_code(t, kit));
    EZ_TRY(ez_mem_write(t, kit->base + EZ_KIT_CELLS + EZ_CELL_DIST + from * EZ_CELL,
                        kit->cell.at + from, n * EZ_CELL, "write where cells lead"));
    kit->written = kit->cell.n;
    return NULL;
}

ez_err *ez_cells_flush(struct ez_target *t)
{
    for (unsigned i = 0; i < t->rt.nkits; i++)
        EZ_TRY(thunk_flush(t, &t->rt.kit[i]));
    return NULL;
}

/* ---- kits of an earlier shell ----------------------------------------------------------- */

/* Whole pages of code, as many as there are; the words, as they are. */
static bool take_cells(struct ez_target *t, struct ez_kit *kit, uint32_t n)
{
    const size_t page = EZ_PAGE / EZ_CELL, most = EZ_ROUND_UP(n, page);
    const uint64_t at = kit->base + EZ_KIT_CELLS;
    EZ_FREE uint8_t *want = code_of(t, page), *live = ez_alloc(most * EZ_CELL + 1);
    if (ez_mem_read_some(t, at, live, most * EZ_CELL) != most * EZ_CELL)
        return false;
    while (kit->coded < most && !memcmp(live + kit->coded * EZ_CELL, want, EZ_PAGE))
        kit->coded += page;
    for (size_t i = kit->coded * EZ_CELL; i < most * EZ_CELL; i++)
        if (live[i])
            return false;
    const struct ez_cell none = { 0 };
    while (kit->cell.n < n)
        EZ_PUSH(&kit->cell, none);
    kit->written = n;
    return ez_mem_read_some(t, at + EZ_CELL_DIST, kit->cell.at, n * EZ_CELL) == n * EZ_CELL;
}

ez_err *ez_kits_adopt(struct ez_target *t, const uint64_t *base, unsigned nkits, uint32_t n)
{
    for (unsigned i = 0; i < nkits; i++) {
        uint8_t want[EZ_KIT_CELLS], live[sizeof want];
        first_page(&t->rt, base[i], want);
        EZ_TRY(ez_mem_read(t, base[i], live, sizeof live));
        if (memcmp(want, live, sizeof live) || !take_cells(t, thunk_add(t, base[i]), n))
            return ez_err_new(EZ_E_MISMATCH, 0, "the cells at 0x%lx are not what this eztsh makes",
                              (unsigned long)base[i]);
    }
    return NULL;
}
