/* SPDX-License-Identifier: GPL-3.0-or-later */
/* frame.h - proves that a trampoline may call a function one level deeper than the caller's own
 * call. (Call-through: engine/rt/rt.h.) Reads only bytes; touches no process. */
#ifndef EZ_FRAME_H
#define EZ_FRAME_H

#include "engine/base/base.h"

struct ez_arch;

#define EZ_FRAME_MOST 4096 /* bytes of the longest function that is proved */

/* Returns NULL if the function code[0..n) at va provably touches nothing on the stack from its
 * return address up, and leaves by returning there. Otherwise returns the reason in a few words. No
 * instruction of the function may jump back to [va, site]: the jump would count as another call. */
const char *ez_frame_why_not(const struct ez_arch *arch, const uint8_t *code, size_t n, uint64_t va,
                             uint64_t site);

/* Returns why the function's exit must not be followed at all: the function would see another
 * return address, or removes more than the return address from the stack. why: the result of
 * ez_frame_why_not(). Returns NULL if a return trampoline can follow the exit. */
const char *ez_frame_no_exit(const struct ez_arch *arch, const uint8_t *code, size_t n, uint64_t va,
                             const char *why);

#endif
