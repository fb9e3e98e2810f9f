/* SPDX-License-Identifier: GPL-3.0-or-later */
/* throttle.h - functions that `set budget` throttled: for some of the time, their calls were
 * counted but not recorded (engine/probe/budget.c).
 *
 * The times of such a function are those of its recorded calls. The self times of its callers
 * include the calls that were only counted.
 *
 * Tests: tests/unit/trace/check_throttle.c, tests/procs/budget.sh */
#ifndef EZ_THROTTLE_H
#define EZ_THROTTLE_H

#include "engine/trace/merge.h"

struct ez_throttled {
    char *function, *library; /* one allocation for both */
    uint64_t ns;              /* time in which calls were only counted, summed over processes */
    uint64_t times;           /* number of times that the function was throttled */
};
#define EZ_THROTTLED_NOTES 5 /* maximum number of functions that have a note of their own */
struct ez_throttled_rows {
    EZ_VEC(struct ez_throttled) row; /* sorted by falling ns */
};

/* Finds the functions that were throttled between `from` and `to`, in ns since the first event. The
 * caller frees *out with ez_throttled_free(). */
void ez_throttled_find(const struct ez_merge *in, uint64_t from, uint64_t to,
                       struct ez_throttled_rows *out);
/* Returns note i for the user, a message without the final full stop, or NULL if there is no such
 * note. Each of the first EZ_THROTTLED_NOTES functions has a note; one more note counts the other
 * functions. The caller frees the note. */
char *ez_throttled_note(const struct ez_throttled_rows *r, size_t i);
struct ez_throttled_rows ez_throttled_copy(const struct ez_throttled_rows *from);
void ez_throttled_free(struct ez_throttled_rows *r);

#endif
