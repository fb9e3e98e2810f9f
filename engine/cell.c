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

/* The first page, and its place in the list of unwind tables. */
static ez_err *furnish(struct ez_target *t, uint64_t base)
{
    struct ez_runtime *rt = &t->rt;
    const struct ez_blob_hdr *h = rt->bh;
    uint8_t page[EZ_KIT_CELLS];
    struct ez_kit_words words = { .cont = base + EZ_KIT_CELLS + EZ_CELL_CONT,
                                  .slow = rt->blob + h->through_slow,
                                  .room = rt->blob + h->room,
                                  .tick = rt->blob + h->tick };
    uint64_t state = rt->blob + EZ_RT_STATE, n = rt->nkits + 1;
    memset(page, 0, sizeof page);
    memcpy(page, rt->image + h->kit, h->kit_end - h->kit);
    memcpy(page + (h->kit_words - h->kit), &words, sizeof words);
    EZ_TRY(ez_mem_write(t, base, page, sizeof page, "write the way out of cells"));
    EZ_TRY(ez_mem_write(t, state + offsetof(struct rt_state, kit) + rt->nkits * 8, &base, 8,
                        "say where an unwind table is"));
    return ez_mem_write(t, state + offsetof(struct rt_state, nkits), &n, 8,
                        "say that there is an unwind table");
}

ez_err *ez_kit_reserve(struct ez_target *t, uint64_t addr)
{
    uint64_t base;
    if (ez_kit_near(t, addr))
        return NULL;
    if (t->rt.nkits == EZ_NKITS)
        return ez_err_new(EZ_E_LIMIT, 0, "no more than %d places with cells", EZ_NKITS);
    EZ_TRY(ez_near_map(t, addr, EZ_KIT_SIZE, "map cells", &base));
    /* all of it is in use: no room for stubs */
    EZ_PUSH(&t->rt.area,
            ((struct ez_area){
                .base = base, .size = EZ_KIT_SIZE, .used = EZ_KIT_SIZE, .flushed = EZ_KIT_SIZE }));
    EZ_TRY(furnish(t, base));
    t->rt.kit[t->rt.nkits++] = (struct ez_kit){ .base = base };
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

/* Code of the cells from `coded` on to the page that holds the last one. */
static ez_err *write_code(struct ez_target *t, struct ez_kit *kit)
{
    size_t n = EZ_ROUND_UP(kit->cell.n, EZ_PAGE / EZ_CELL) - kit->coded;
    if (kit->coded >= kit->cell.n)
        return NULL;
    EZ_FREE uint8_t *code = ez_alloc(n * EZ_CELL);
    for (size_t i = 0; i < n; i++)
        memcpy(code + i * EZ_CELL, t->rt.image + t->rt.bh->cell, EZ_CELL);
    EZ_TRY(ez_mem_write(t, kit->base + EZ_KIT_CELLS + kit->coded * EZ_CELL, code, n * EZ_CELL,
                        "write cells"));
    kit->coded += n;
    return NULL;
}

static ez_err *flush(struct ez_target *t, struct ez_kit *kit)
{
    size_t from = kit->written, n = kit->cell.n - from;
    if (!n)
        return NULL;
    EZ_TRY(write_code(t, kit));
    EZ_TRY(ez_mem_write(t, kit->base + EZ_KIT_CELLS + EZ_CELL_DIST + from * EZ_CELL,
                        kit->cell.at + from, n * EZ_CELL, "write where cells lead"));
    kit->written = kit->cell.n;
    return NULL;
}

ez_err *ez_cells_flush(struct ez_target *t)
{
    for (unsigned i = 0; i < t->rt.nkits; i++)
        EZ_TRY(flush(t, &t->rt.kit[i]));
    return NULL;
}
