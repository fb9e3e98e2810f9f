/* SPDX-License-Identifier: GPL-3.0-or-later */
/* maps.h - the target's mappings, from /proc/PID/maps, and the free address ranges between them
 * (maps.c). */
#ifndef EZ_INFERIOR_MAPS_H
#define EZ_INFERIOR_MAPS_H

#include "engine/inferior/inferior.h"

/* Returns true if m maps a memfd of eztsh. */
bool ez_map_is_ours(const struct ez_map *m);
/* Returns true if m maps the return trampolines of eztsh's runtime. */
bool ez_map_is_return_trampolines(const struct ez_map *m);
/* Reads the mappings of a process. Returns EZ_E_GONE if the process is gone or a zombie, EZ_E_SYS
 * after another error. */
ez_err *ez_maps_read(pid_t pid, struct ez_maps *m) EZ_WUR;
/* Reads the mappings of the target, a process or a core file. The names of a core file's mappings
 * are valid while it is open. */
ez_err *ez_maps_of(struct ez_target *t, struct ez_maps *m) EZ_WUR;
void ez_maps_free(struct ez_maps *m);
/* Returns the index of the first mapping that ends above address `at`; m->map.n: there is none. */
size_t ez_maps_above(const struct ez_maps *m, uint64_t at);
/* Returns true if all of [lo, hi) is anonymous memory with exactly the permissions perm. */
bool ez_maps_cover(const struct ez_maps *m, uint64_t lo, uint64_t hi, const char *perm);
/* Returns an address in [lo, hi] from which on `size` bytes lie in pages that no mapping uses or
 * may grow into (heap, stack), or 0. Tries only the lowest address in each free range. */
uint64_t ez_maps_free_at(const struct ez_maps *m, uint64_t lo, uint64_t hi, uint64_t size);
/* Returns a free address far from all mappings, for memory that need not be near code: memory near
 * code is scarce. The address is near the end of the last free range that has enough room, because
 * sanitizers refuse mappings in the middle of the address space; without such a range, it is in the
 * middle of the largest one. *behind: the number of free bytes from this address on, EZ_FAR_SIZE at
 * most. */
uint64_t ez_maps_far(const struct ez_maps *m, uint64_t *behind);
#define EZ_FAR_SIZE (1ull << 38) /* 256 GiB; ThreadSanitizer leaves 500 GiB for all mappings */
/* Returns the address of a free range of `size` bytes that is less than `reach` bytes from each
 * address of [lo, hi), or 0. */
uint64_t ez_maps_gap(const struct ez_maps *m, uint64_t lo, uint64_t hi, uint64_t size,
                     int64_t reach);

#endif
