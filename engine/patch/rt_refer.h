/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rt_refer.h - determines whether a thread of the process can still reach code that eztsh
 * mapped. */
#ifndef EZ_RT_REFER_H
#define EZ_RT_REFER_H

#include "engine/inferior/inferior.h"
#include "engine/base/vec.h"

struct ez_target;

enum ez_refer {
    EZ_REFER_NONE, /* no register and no memory contains an address of eztsh's code */
    /* an address is in a register or on a stack, from which it may disappear soon */
    EZ_REFER_PASSING,
    EZ_REFER_LASTING /* an address is in other memory, or the search was not possible */
};

struct ez_mapped { /* the ranges that eztsh mapped; `code` is sorted, without overlaps */
    const struct ez_range *code, *data;
    size_t ncode, ndata;
    struct ez_range ctls; /* the control blocks, struct ez_ctl[] */
};

/* Pages of control blocks to which a replacement of a module will write when it returns: its frame
 * (struct ezt_frame) contains the address of a guard. May have duplicates. Freed with
 * EZ_VEC_FREE(). */
struct ez_guard_pages {
    EZ_VEC(uint64_t) page;
};

/* Returns whether a thread can still reach eztsh's code. If the result is EZ_REFER_NONE, *guards is
 * complete. The target must be stopped. */
enum ez_refer ez_rt_referred(struct ez_target *t, const struct ez_mapped *ours,
                             struct ez_guard_pages *guards);

#endif
