/* SPDX-License-Identifier: GPL-3.0-or-later */
/* island.h - memory at the destinations of punned jumps. See island.c. */
#ifndef EZ_PATCH_ISLAND_H
#define EZ_PATCH_ISLAND_H

#include "engine/patch/site.h"

/* Chooses the destination of a punned jump over patch region w: sets w->island. keep: reserves the
 * island's bytes. Maps nothing yet. EZ_E_REFUSED. */
ez_err *ez_island_pun(struct ez_target *t, struct ez_patch_region *w, bool keep) EZ_WUR;
/* Chooses islands for a patch region f of one byte and for the patch region g of the function right
 * after it, which becomes f's evicted neighbour. */
ez_err *ez_island_pair(struct ez_target *t, struct ez_patch_region *f, struct ez_patch_region *g,
                       bool keep) EZ_WUR;
/* Maps the pages of reserved islands. Drops a page if the target has mapped memory at its address
 * since. The target must be stopped. */
ez_err *ez_islands_map(struct ez_target *t) EZ_WUR;
/* Reads the target's mappings again. Drops reserved pages at whose addresses the target has mapped
 * memory since. */
ez_err *ez_islands_refresh(struct ez_target *t) EZ_WUR;
/* Returns true if eztsh has reserved or mapped all pages of this island. */
bool ez_island_ours(const struct ez_target *t, uint64_t island);
/* Returns true if eztsh has mapped all pages of this island. */
bool ez_island_mapped(const struct ez_target *t, uint64_t island);
/* Takes over the pages of an island that an earlier shell mapped and that no jump leads to any
 * more. */
void ez_island_adopt(struct ez_target *t, uint64_t island);
void ez_islands_clear(struct ez_target *t);

#endif
