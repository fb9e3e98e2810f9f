/* SPDX-License-Identifier: GPL-3.0-or-later */
/* frame.h - may a call of this function be made one level deeper than its caller made
 * it? (Call-through: engine/rt/rt.h.) Pure: looks at bytes, touches no process. */
#ifndef EZ_FRAME_H
#define EZ_FRAME_H

#include "arch/arch.h"

#define EZ_FRAME_MOST 4096 /* bytes of a function that is looked at              */

/* NULL = it is proved that the function code[0..n) at va touches nothing on the stack
 * from its return address up, and leaves by returning there. Else why not, in a few
 * words. `site`: nothing in it may jump to the entry up to there (it would be a call
 * to the probe). */
const char *ez_frame_why_not(const struct ez_arch *arch, const uint8_t *code, size_t n, uint64_t va,
                             uint64_t site);

/* Why its exit must not be followed at all, `why` being what the former says: it would
 * see another return address, or takes more than that off the stack. NULL = by a slot. */
const char *ez_frame_no_exit(const struct ez_arch *arch, const uint8_t *code, size_t n,
                             const char *why);

#endif
