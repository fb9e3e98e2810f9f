/* SPDX-License-Identifier: GPL-3.0-or-later */
/* return_thunk.h - pools of return thunks, through which a call-through comes back. See return_thunk.c. */
#ifndef EZ_PATCH_RETURN_THUNK_H
#define EZ_PATCH_RETURN_THUNK_H

#include "engine/patch/site.h"

/* Make return thunks within reach of addr, if there are none yet. World stopped. EZ_E_RANGE,
 * EZ_E_LIMIT: exits go by slots. */
ez_err *ez_pool_reserve(struct ez_target *t, uint64_t addr) EZ_WUR;
struct ez_pool *ez_pool_near(struct ez_target *t, uint64_t addr); /* NULL = none     */
/* Set the return thunk of `id`: its call leads to `target`, its way out to where exits are
 * recorded or, unless `recorded`, counted. Returns the thunk's address. */
uint64_t ez_return_thunk_set(struct ez_target *t, struct ez_pool *pool, uint32_t id,
                             uint64_t target, bool recorded);
ez_err *ez_return_thunks_flush(struct ez_target *t) EZ_WUR;
/* Check the thunk pools that an earlier shell made for ids < n, and take them over. */
ez_err *ez_pools_adopt(struct ez_target *t, const uint64_t *base, unsigned npools,
                       uint32_t n) EZ_WUR;

#endif
