/* SPDX-License-Identifier: GPL-3.0-or-later */
/* alloc.h - memory for trampolines within reach of the functions they serve. See alloc.c. */
#ifndef EZ_PATCH_ALLOC_H
#define EZ_PATCH_ALLOC_H

#include "engine/patch/site.h"

/* Allocates n bytes for a trampoline within reach of addr: *at in the target, *mirror in the shell.
 * A new area also gets `more` bytes for later trampolines. */
ez_err *ez_trampoline_room(struct ez_target *t, uint64_t addr, size_t n, size_t more, uint64_t *at,
                           uint8_t **mirror) EZ_WUR;
/* Gives back the end of the newest allocation, at `at`: its trampoline needs only n bytes. */
void ez_trampoline_fits(struct ez_target *t, uint64_t at, size_t n);
/* Writes changes of the mirrors to the target. Only ez_code_flush() (return_thunk.h) calls this
 * function. */
ez_err *ez_trampoline_flush(struct ez_target *t) EZ_WUR;
/* Returns the mirror of the trampoline at `at`, or NULL if another shell made it. */
const uint8_t *ez_trampoline_mirror(const struct ez_target *t, uint64_t at);
/* Maps `size` bytes R-X within reach of addr, and sets *at to their address. The target must be
 * stopped. Returns EZ_E_RANGE if no memory is free within reach. */
ez_err *ez_near_map(struct ez_target *t, uint64_t addr, size_t size, const char *why,
                    uint64_t *at) EZ_WUR;
/* Makes room within reach of addr for trampolines that have n bytes together, unless there is room
 * already. The target must be stopped. */
ez_err *ez_trampoline_reserve(struct ez_target *t, uint64_t addr, size_t n) EZ_WUR;
/* Sets *at to the place where ez_trampoline_room() would put a trampoline: in an existing area, or
 * in the nearest free memory. Allocates nothing. EZ_E_RANGE. */
ez_err *ez_trampoline_place(struct ez_target *t, uint64_t addr, size_t n, uint64_t *at) EZ_WUR;
/* Notes that [lo, hi) contains trampolines of an earlier shell. */
void ez_trampoline_adopt(struct ez_target *t, uint64_t lo, uint64_t hi);
/* Returns true if [lo, hi) overlaps memory for trampolines. */
bool ez_trampoline_owns(struct ez_target *t, uint64_t lo, uint64_t hi);

#endif
