/* SPDX-License-Identifier: GPL-3.0-or-later */
/* alloc.h - memory for trampolines within reach of the functions they serve. See alloc.c. */
#ifndef EZ_PATCH_ALLOC_H
#define EZ_PATCH_ALLOC_H

#include "engine/patch/site.h"

/* Allocates n bytes for a trampoline within reach of addr. *at: their address in the target;
 * *mirror: their address in the shell's copy. If a new area is mapped, it also has room for `more`
 * bytes of later trampolines. */
ez_err *ez_trampoline_room(struct ez_target *t, uint64_t addr, size_t n, size_t more, uint64_t *at,
                           uint8_t **mirror) EZ_WUR;
/* Shrinks the newest allocation, whose address in the target is `at`, to n bytes. */
void ez_trampoline_fits(struct ez_target *t, uint64_t at, size_t n);
/* Writes the new parts of the mirrors to the target. Only ez_code_flush() (return_thunk.h) calls
 * this function. */
ez_err *ez_trampoline_flush(struct ez_target *t) EZ_WUR;
/* Returns the shell's copy of the trampoline at address `at`, or NULL if an earlier shell wrote the
 * trampoline. */
const uint8_t *ez_trampoline_mirror(const struct ez_target *t, uint64_t at);
/* Maps `size` bytes R-X within reach of addr, and sets *at to their address. The target must be
 * stopped. Returns EZ_E_RANGE if no memory is free within reach. */
ez_err *ez_near_map(struct ez_target *t, uint64_t addr, size_t size, const char *why,
                    uint64_t *at) EZ_WUR;
/* Maps an area within reach of addr for trampolines of n bytes in total, unless an area has n free
 * bytes. The target must be stopped. */
ez_err *ez_trampoline_reserve(struct ez_target *t, uint64_t addr, size_t n) EZ_WUR;
/* Sets *at to an address within reach of addr at which n bytes for a trampoline are free, in an
 * area or in unmapped memory. Allocates nothing. EZ_E_RANGE: no memory is free within reach. */
ez_err *ez_trampoline_place(struct ez_target *t, uint64_t addr, size_t n, uint64_t *at) EZ_WUR;
/* Records that [lo, hi) contains trampolines of an earlier shell. */
void ez_trampoline_adopt(struct ez_target *t, uint64_t lo, uint64_t hi);
/* Adds an area that an earlier shell mapped. Its first `used` bytes become a full area, the others an
 * empty one. */
void ez_area_adopt(struct ez_target *t, uint64_t base, size_t used, size_t size);
/* Returns true if [lo, hi) overlaps an area of trampolines or a pool of return thunks. */
bool ez_trampoline_owns(struct ez_target *t, uint64_t lo, uint64_t hi);

#endif
