/* SPDX-License-Identifier: GPL-3.0-or-later */
/* core.h - the notes and the memory of a core file (core.c). */
#ifndef EZ_CORE_H
#define EZ_CORE_H

#include "engine/base/base.h"
#include "engine/base/err.h"
#include "engine/base/vec.h"
#include "engine/inferior/inferior.h"

struct ez_core_bytes {
    uint8_t *at;
    size_t n, cap;
};

struct ez_core_part { /* a mapping, which becomes a PT_LOAD segment */
    uint64_t lo, hi;
    uint64_t kept; /* number of the mapping's bytes in the core file, from lo on */
    const struct ez_map *map;
    bool anonymous; /* pages that do not exist read as zeros */
};
struct ez_core_parts {
    struct ez_core_part *at;
    size_t n, cap;
};

/* Appends the notes about the process and its stopped threads, the current thread first, to out
 * (core_notes.c). The target must be stopped. */
ez_err *ez_core_notes(struct ez_target *t, const struct ez_maps *maps,
                      struct ez_core_bytes *out) EZ_WUR;
/* Lists all mappings except eztsh's shared memory and [vsyscall]. Sets `kept` to the number of bytes
 * that the kernel would dump, according to coredump_filter (core_parts.c). */
ez_err *ez_core_parts(struct ez_target *t, const struct ez_maps *maps,
                      struct ez_core_parts *out) EZ_WUR;

#endif
