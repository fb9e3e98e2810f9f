/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rt_refer.h - determines whether a thread of the process can still reach code that eztsh
 * mapped. */
#ifndef EZ_RT_REFER_H
#define EZ_RT_REFER_H

#include <stddef.h>

struct ez_range;
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
};

/* Returns whether a thread can still reach eztsh's code. The target must be stopped. */
enum ez_refer ez_rt_referred(struct ez_target *t, const struct ez_mapped *ours);

#endif
