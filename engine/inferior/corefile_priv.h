/* SPDX-License-Identifier: GPL-3.0-or-later */
/* corefile_priv.h - shared by corefile.c and corefile_notes.c. */
#ifndef EZ_INFERIOR_COREFILE_PRIV_H
#define EZ_INFERIOR_COREFILE_PRIV_H

#include "engine/base/foreign.h"
#include "engine/inferior/corefile.h"

/* PT_LOAD: size bytes from lo on, of which the first `kept` are in the file at `offset`, or were
 * before the file was cut: then it has only `there` of them. */
struct core_segment {
    uint64_t lo, size, offset, kept, there;
    uint32_t flags; /* PF_* */
};

struct core_name { /* a file that was mapped */
    char *name;
    char *path;               /* where it was found; NULL: not found */
    struct ez_foreign *file;  /* NULL: not found */
    bool tried, other, taken; /* other: a file of that name has another build-id */
};

struct core_mapping { /* a row of NT_FILE */
    uint64_t lo, hi, offset;
    size_t name; /* index in struct ez_corefile.name */
};

struct ez_corefile {
    struct ez_foreign *file;
    char *path;
    uint64_t size; /* bytes of the file */
    const struct ez_arch *arch;
    EZ_VEC(struct core_segment) segment; /* sorted by lo, without overlaps */
    EZ_VEC(struct core_mapping) mapping; /* likewise */
    EZ_VEC(struct core_name) name;
    EZ_VEC(struct ez_map) map;
    EZ_VEC(struct ez_core_thread) thread;
    EZ_VEC(uint8_t *) note; /* contents of the PT_NOTE segments */
    const uint8_t *auxv;
    size_t nauxv;
    pid_t pid;
    char command[81];
    char *sysroot, *search, *damage;
};

/* Parses the n bytes of a PT_NOTE segment, which c owns (corefile_notes.c). */
void corefile_notes(struct ez_corefile *c, const uint8_t *note, size_t n);
/* Stores the first reason why the file is incomplete. */
void corefile_damaged(struct ez_corefile *c, const char *format, ...) EZ_PRINTF(2, 3);

#endif
