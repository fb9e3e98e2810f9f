/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rt_extent.h - the memory of a runtime in the process: whether the process still refers to its
 * code, and how it is unmapped (rt_extent.c). */
#ifndef EZ_RT_EXTENT_H
#define EZ_RT_EXTENT_H

#include "engine/patch/runtime.h"

/* The mappings of one runtime. The ranges of `code` begin after the address to which no word may
 * point, so that the mapping begins at the page of `lo`. */
struct ez_extent {
    uint64_t blob, ctls, ctls_size;
    ez_ranges segment;  /* the mapped parts of the shared segment */
    ez_ranges code;     /* areas of trampolines, and return thunks */
    ez_ranges spare;    /* unused ends of areas, which are parts of `code` */
    ez_ranges island;   /* pages of islands */
    ez_ranges fragment; /* stacks of fragments (engine/rt/rt_fragment.c), guard page included */
    ez_ranges loader;   /* stacks of threads that load modules (rt_stack.c) */
};

/* Appends [at, at + size) to a list of ranges, unless it is empty. */
void ez_range_add(ez_ranges *all, uint64_t at, uint64_t size);
/* Sets *x, which the caller frees, to the memory of t->rt. */
void ez_extent_of(struct ez_target *t, struct ez_extent *x);
/* Returns true if the mappings at [at, at + EZ_FRAGMENT_STACK) are those of a fragment's stack. */
bool ez_extent_is_fragment(const struct ez_maps *maps, uint64_t at);
/* Returns whether a thread can still reach the runtime's code. The target must be stopped, and no
 * call may be open that returns to the runtime (ez_calls_open()). */
enum ez_refer ez_extent_referred(struct ez_target *t, const struct ez_extent *x);
/* Unmaps all of *x. A part that cannot be unmapped (under a seccomp filter) stays mapped. EZ_E_GONE. */
ez_err *ez_extent_unmap(struct ez_target *t, const struct ez_extent *x) EZ_WUR;
void ez_extent_free(struct ez_extent *x);

#endif
