/* SPDX-License-Identifier: GPL-3.0-or-later */
/* throttle.h - functions whose calls a trace has only in part: `set budget` had them counted for some of the
 * time (engine/probe/budget.c). What is told of their times holds for the rest of it, and their callers' own
 * times have that of the calls that were only counted.
 * Tests: tests/unit/engine/check_throttle.c, tests/procs/budget.sh */
#ifndef EZ_THROTTLE_H
#define EZ_THROTTLE_H

#include "engine/trace/merge.h"

struct ez_throttled {
    char *function, *library; /* one allocation                                             */
    uint64_t ns;              /* in which its calls were only counted: a sum over processes */
    uint64_t times;           /* how often that began                                       */
};
struct ez_throttled_rows {
    EZ_VEC(struct ez_throttled) row; /* the longest first                                    */
};

/* What the files say of from..to (ns since the first event). */
void ez_throttled_find(const struct ez_merge *in, uint64_t from, uint64_t to,
                       struct ez_throttled_rows *out);
struct ez_throttled_rows ez_throttled_copy(const struct ez_throttled_rows *from);
void ez_throttled_free(struct ez_throttled_rows *r);

#endif
