/* SPDX-License-Identifier: GPL-3.0-or-later */
/* island.h - memory where punned jumps lead. See island.c. */
#ifndef EZ_PATCH_ISLAND_H
#define EZ_PATCH_ISLAND_H

#include "engine/patch/site.h"

/* Choose where a punned jump over w shall lead: w->island. `keep` takes the room of the island.
 * Nothing is mapped yet. EZ_E_REFUSED. */
ez_err *ez_island_pun(struct ez_target *t, struct ez_patch_region *w, bool keep) EZ_WUR;
/* Choose islands for a window f of one byte and for the window g of the function right behind it,
 * which becomes f's host. */
ez_err *ez_island_pair(struct ez_target *t, struct ez_patch_region *f, struct ez_patch_region *g,
                       bool keep) EZ_WUR;
/* Map the pages of islands that were taken. World stopped. A page that the target uses by now
 * stays unmapped. */
ez_err *ez_islands_map(struct ez_target *t) EZ_WUR;
/* Look at the target's mappings again: give up the pages of islands that others mapped since. */
ez_err *ez_islands_refresh(struct ez_target *t) EZ_WUR;
/* Do we have the pages of this island, taken or mapped? */
bool ez_island_ours(const struct ez_target *t, uint64_t island);
bool ez_island_mapped(const struct ez_target *t, uint64_t island);
/* Take over the pages of an island that an earlier shell mapped, and that nothing leads to any
 * more. */
void ez_island_adopt(struct ez_target *t, uint64_t island);
void ez_islands_clear(struct ez_target *t);

#endif
