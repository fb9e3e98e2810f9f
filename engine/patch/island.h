/* SPDX-License-Identifier: GPL-3.0-or-later */
/* island.h - islands: memory at the destinations of punned jumps. See island.c. */
#ifndef EZ_PATCH_ISLAND_H
#define EZ_PATCH_ISLAND_H

#include "engine/patch/site.h"

/* Chooses the destination of a punned jump at patch region w: sets w->island and w->prefix. keep:
 * also reserves the island's bytes. Maps no page. EZ_E_REFUSED: no destination is free. */
ez_err *ez_island_pun(struct ez_target *t, struct ez_patch_region *w, bool keep) EZ_WUR;
/* Chooses islands for the jumps at patch region f, which has one byte, and at patch region g of the
 * function that begins at the next byte, and makes both jumps puns. keep, EZ_E_REFUSED: as
 * above. */
ez_err *ez_island_pair(struct ez_target *t, struct ez_patch_region *f, struct ez_patch_region *g,
                       bool keep) EZ_WUR;
/* Maps the pages of reserved islands. Drops a page at whose address the target has mapped memory
 * since the reservation. The target must be stopped. */
ez_err *ez_islands_map(struct ez_target *t) EZ_WUR;
/* Reads the target's mappings again. Drops reserved pages at whose addresses the target has mapped
 * memory since the reservation. */
ez_err *ez_islands_refresh(struct ez_target *t) EZ_WUR;
/* Returns true if eztsh has reserved or mapped all pages of the island at this address. */
bool ez_island_ours(const struct ez_target *t, uint64_t island);
/* Returns true if eztsh has mapped all pages of the island at this address. */
bool ez_island_mapped(const struct ez_target *t, uint64_t island);
/* Adds the pages of an island that an earlier shell mapped, and to which no jump leads any more, to
 * this shell's pages for islands. */
void ez_island_adopt(struct ez_target *t, uint64_t island);
/* Adds a page of islands that an earlier shell mapped at `base`, unless this shell has it. No island
 * of this shell may be in it. */
void ez_island_page_adopt(struct ez_target *t, uint64_t base);
void ez_islands_clear(struct ez_target *t);

#endif
