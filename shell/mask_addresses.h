/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mask_addresses.h - masks the parts of a printed line that may differ between two runs of a
 * session.
 *
 *   addresses  0x and 4 to 16 hexadecimal digits, but not 8: ADDR. An address that recurs in one
 *              run must recur in the other (mask_same).
 *   numbers    of ten digits or more, and the decimal in parentheses after an address: N
 *   pids       after "process", "LWP", "/proc/", "attach", and in NAME-PID.fxt: PID
 *   times      a number and a unit, ns, us, ms or s: TIME
 *   folders    of absolute paths: only the last part stays
 *   blanks     two or more, and tabs, become two; blanks at the end are removed
 *
 * Tests: tests/unit/shell/check_mask.c, tests/procs/session.sh */
#ifndef EZ_MASK_H
#define EZ_MASK_H

#include "engine/base/base.h"
#include "engine/base/vec.h"

struct mask_addrs {
    EZ_VEC(uint64_t) v;
};
/* An address of one run and the corresponding address of the other run. */
struct mask_pair {
    uint64_t a, b;
};
struct mask_pairs {
    EZ_VEC(struct mask_pair) v;
};

/* Returns the masked line of n bytes at `line`; the caller frees. Adds its addresses, in order, to
 * *addrs. */
char *mask_line(const char *line, size_t n, struct mask_addrs *addrs);
/* Returns true if two lines are equal after masking and their addresses do not contradict *pairs.
 * If so, adds their addresses to *pairs. */
bool mask_same(const char *a, size_t na, const char *b, size_t nb, struct mask_pairs *pairs);

#endif
