/* SPDX-License-Identifier: GPL-3.0-or-later */
/* maps.h - the target's mappings, from /proc/PID/maps, and the free room between them (maps.c). */
#ifndef EZ_INFERIOR_MAPS_H
#define EZ_INFERIOR_MAPS_H

#include "engine/inferior/inferior.h"

bool ez_map_is_ours(
    const struct ez_map *m); /* true for the runtime's memory that is shared with the shell */
/* Reads the mappings of a process. Returns EZ_E_GONE (also for a zombie) or EZ_E_SYS. */
ez_err *ez_maps_read(pid_t pid, struct ez_maps *m) EZ_WUR;
void ez_maps_free(struct ez_maps *m);
/* Returns true if all of [lo, hi) is mapped with the permissions `perm`, and without a file. */
bool ez_maps_cover(const struct ez_maps *m, uint64_t lo, uint64_t hi, const char *perm);
/* Returns the first address in [lo, hi] at which `size` bytes are in pages that no mapping uses or
 * will grow into, or 0. */
uint64_t ez_maps_free_at(const struct ez_maps *m, uint64_t lo, uint64_t hi, uint64_t size);
/* Returns a free address far from all mappings, for memory that need not be near code: memory near
 * code is scarce. The address is below the libraries or the stack, because sanitizers refuse
 * mappings in the middle. *behind: the number of free bytes from there on, EZ_FAR_SIZE at most. */
uint64_t ez_maps_far(const struct ez_maps *m, uint64_t *behind);
#define EZ_FAR_SIZE (1ull << 38) /* ThreadSanitizer leaves 500 GiB in all */
/* Returns a free range of `size` bytes within reach of [lo, hi), or 0. */
uint64_t ez_maps_gap(const struct ez_maps *m, uint64_t lo, uint64_t hi, uint64_t size,
                     int64_t reach);

#endif
