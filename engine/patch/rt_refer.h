/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rt_refer.h - can a thread of the process still reach code that we mapped? */
#ifndef EZ_RT_REFER_H
#define EZ_RT_REFER_H

#include <stddef.h>

struct ez_range;
struct ez_target;

enum ez_refer {
    EZ_REFER_NONE,    /* nothing leads to our code                                      */
    EZ_REFER_PASSING, /* a thread's register or stack does: soon it may not             */
    EZ_REFER_LASTING  /* other memory does, or it would take long to look, or cannot be */
};

struct ez_mapped { /* what we mapped: sorted, and without overlaps */
    const struct ez_range *code, *data;
    size_t ncode, ndata;
};

/* Does a thread still reach our code? The world must be stopped. */
enum ez_refer ez_rt_referred(struct ez_target *t, const struct ez_mapped *ours);

#endif
