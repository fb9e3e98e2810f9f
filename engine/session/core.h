/* SPDX-License-Identifier: GPL-3.0-or-later */
/* core.h - the two halves of writing a core file (core.c): its notes, and which memory is in it. */
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

struct ez_core_part { /* a mapping                                                */
    uint64_t lo, hi;
    uint64_t kept; /* bytes of it that the file has, from lo on                */
    const struct ez_map *map;
    bool anonymous; /* pages that are not there are zeros                       */
};
struct ez_core_parts {
    struct ez_core_part *at;
    size_t n, cap;
};

/* core_notes.c: what the notes say of the process, and of its threads, the current one first. World stopped. */
ez_err *ez_core_notes(struct ez_target *t, const struct ez_maps *maps,
                      struct ez_core_bytes *out) EZ_WUR;
/* core_parts.c: all mappings, and which of them are kept: what the kernel would keep, by coredump_filter. */
ez_err *ez_core_parts(struct ez_target *t, const struct ez_maps *maps,
                      struct ez_core_parts *out) EZ_WUR;

/* core.c: where the thread would stand if there were no probes. */
uint64_t ez_core_pc(struct ez_target *t, uint64_t pc);

#endif
