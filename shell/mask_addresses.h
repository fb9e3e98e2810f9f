/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mask_addresses.h - what may differ between two runs of the same session, taken out of a printed line.
 *
 *   addresses  0x and hexadecimal digits, but not 1 to 3 or 8 of them: ADDR. Which address it is, is
 *              told apart: the same one again must be the same again (mask_same).
 *   numbers    of ten digits or more, and the decimal in parentheses behind an address: N
 *   pids       behind "process", "LWP", "/proc/", "attach", and in NAME-PID.fxt: PID
 *   times      a number and a unit, ns, us, ms or s: TIME
 *   folders    of absolute paths: only the last part stays
 *   blanks     two or more, and tabs, are two; those at the end are none
 *
 * Tests: tests/unit/shell/check_mask.c, tests/procs/session.sh */
#ifndef EZ_MASK_H
#define EZ_MASK_H

#include "engine/base/base.h"
#include "engine/base/vec.h"

struct mask_addrs {
    EZ_VEC(uint64_t) v;
};
/* Which address of one run is which of the other. */
struct mask_pair {
    uint64_t a, b;
};
struct mask_pairs {
    EZ_VEC(struct mask_pair) v;
};

/* The masked line of n bytes at `line`, which the caller frees; its addresses, in order, are added to *addrs. */
char *mask_line(const char *line, size_t n, struct mask_addrs *addrs);
/* Do two lines say the same? Their addresses are noted in *pairs if they do. */
bool mask_same(const char *a, size_t na, const char *b, size_t nb, struct mask_pairs *pairs);

#endif
