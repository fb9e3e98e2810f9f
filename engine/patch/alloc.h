/* SPDX-License-Identifier: GPL-3.0-or-later */
/* alloc.h - room for trampolines within reach of the functions they serve. See alloc.c. */
#ifndef EZ_PATCH_ALLOC_H
#define EZ_PATCH_ALLOC_H

#include "engine/patch/site.h"

/* Take room for a trampoline of `n` bytes within reach of addr: *at in the target, *mirror here. A new
 * area also gets `more` bytes for later trampolines. */
ez_err *ez_trampoline_room(struct ez_target *t, uint64_t addr, size_t n, size_t more, uint64_t *at,
                           uint8_t **mirror) EZ_WUR;
/* Give back the end of the room at `at`, which was taken last: its trampoline needs only n bytes. */
void ez_trampoline_fits(struct ez_target *t, uint64_t at, size_t n);
ez_err *ez_trampoline_flush(struct ez_target *t) EZ_WUR; /* mirrors, return thunks -> target   */
/* The bytes of the trampoline at `at` as they were made; NULL: another shell made them. */
const uint8_t *ez_trampoline_mirror(const struct ez_target *t, uint64_t at);
/* Map `size` bytes R-X within reach of addr. World stopped. EZ_E_RANGE. */
ez_err *ez_near_map(struct ez_target *t, uint64_t addr, size_t size, const char *why,
                    uint64_t *at) EZ_WUR;
/* Make room for trampolines of `n` bytes in all within reach of addr, unless there is room already.
 * World stopped. */
ez_err *ez_trampoline_reserve(struct ez_target *t, uint64_t addr, size_t n) EZ_WUR;
/* *at = where ez_trampoline_room() would put a trampoline: in an area that is there, or in the nearest free
 * memory. Nothing is taken. EZ_E_RANGE. */
ez_err *ez_trampoline_place(struct ez_target *t, uint64_t addr, size_t n, uint64_t *at) EZ_WUR;
/* [lo, hi) has trampolines that an earlier shell made. */
void ez_trampoline_adopt(struct ez_target *t, uint64_t lo, uint64_t hi);
bool ez_trampoline_owns(struct ez_target *t, uint64_t lo, uint64_t hi);

#endif
