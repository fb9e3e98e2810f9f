/* SPDX-License-Identifier: GPL-3.0-or-later */
/* return_thunk.h - pools of return thunks, the code through which a call-through returns
 * (return_thunk.c). */
#ifndef EZ_PATCH_RETURN_THUNK_H
#define EZ_PATCH_RETURN_THUNK_H

#include "engine/patch/site.h"

/* Maps a pool of return thunks within reach of addr, unless there is one. The target must be
 * stopped. Returns EZ_E_RANGE or EZ_E_LIMIT if that is impossible; then exits must use return
 * trampolines. */
ez_err *ez_pool_reserve(struct ez_target *t, uint64_t addr) EZ_WUR;
/* Returns a pool within reach of addr, or NULL if there is none. */
struct ez_pool *ez_pool_near(struct ez_target *t, uint64_t addr);
/* Returns the pool at address `base`, or NULL if there is none. */
struct ez_pool *ez_pool_at(struct ez_runtime *rt, uint64_t base);
/* Prepares the return thunk of `id`: it calls address `target`, and then jumps to the code that
 * records exits (recorded true) or counts them (false). Returns the thunk's address. */
uint64_t ez_return_thunk_set(struct ez_target *t, struct ez_pool *pool, uint32_t id,
                             uint64_t target, bool recorded);
ez_err *ez_return_thunks_flush(struct ez_target *t) EZ_WUR;
/* Writes the trampolines that the shell has prepared, then the return thunks, to the target. */
ez_err *ez_code_flush(struct ez_target *t) EZ_WUR;
/* Checks the pools of return thunks that an earlier shell wrote for ids below n, and adopts them.
 * base: the addresses of the pools. */
ez_err *ez_pools_adopt(struct ez_target *t, const uint64_t *base, unsigned npools,
                       uint32_t n) EZ_WUR;

#endif
