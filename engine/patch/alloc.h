/* SPDX-License-Identifier: GPL-3.0-or-later */
/* alloc.h - room for stubs within reach of the functions they serve. See alloc.c. */
#ifndef EZ_PATCH_ALLOC_H
#define EZ_PATCH_ALLOC_H

#include "engine/patch/site.h"

/* Take room for a stub of `n` bytes within reach of addr: *at in the target, *mirror here. A new
 * area also gets `more` bytes for later stubs. */
ez_err *ez_stub_room(struct ez_target *t, uint64_t addr, size_t n, size_t more, uint64_t *at,
                     uint8_t **mirror) EZ_WUR;
/* Give back the end of the room at `at`, which was taken last: its stub needs only n bytes. */
void ez_stub_fits(struct ez_target *t, uint64_t at, size_t n);
ez_err *ez_stub_flush(struct ez_target *t) EZ_WUR; /* mirrors, return thunks -> target   */
/* The bytes of the stub at `at` as they were made; NULL: another shell made them. */
const uint8_t *ez_stub_mirror(const struct ez_target *t, uint64_t at);
/* Map `size` bytes R-X within reach of addr. World stopped. EZ_E_RANGE. */
ez_err *ez_near_map(struct ez_target *t, uint64_t addr, size_t size, const char *why,
                    uint64_t *at) EZ_WUR;
/* Make room for stubs of `n` bytes in all within reach of addr, unless there is room already.
 * World stopped. */
ez_err *ez_stub_reserve(struct ez_target *t, uint64_t addr, size_t n) EZ_WUR;
/* *at = where ez_stub_room() would put a stub: in an area that is there, or in the nearest free
 * memory. Nothing is taken. EZ_E_RANGE. */
ez_err *ez_stub_place(struct ez_target *t, uint64_t addr, size_t n, uint64_t *at) EZ_WUR;
/* [lo, hi) has stubs that an earlier shell made. */
void ez_stub_adopt(struct ez_target *t, uint64_t lo, uint64_t hi);
bool ez_stub_owns(struct ez_target *t, uint64_t lo, uint64_t hi);

#endif
