/* SPDX-License-Identifier: GPL-3.0-or-later */
/* frame.h - proves that a trampoline may itself call a function (call-through, engine/rt/rt.h): the
 * function works although the stack has one more return address than after its caller's call. Reads
 * only bytes; touches no process. */
#ifndef EZ_FRAME_H
#define EZ_FRAME_H

#include "engine/base/base.h"

struct ez_arch;

#define EZ_FRAME_MOST 4096 /* bytes of the longest function that is proved */

/* Returns NULL if it is proved that the function code[0..n) at va accesses neither its return
 * address nor anything above it on the stack, and leaves only by returning. Otherwise returns the
 * reason in a few words (a constant). No instruction of the function may jump back to [va, site]:
 * the jump would count as another call. */
const char *ez_frame_why_not(const struct ez_arch *arch, const uint8_t *code, size_t n, uint64_t va,
                             uint64_t site);

/* Returns why the function cannot have an exit probe at all, or NULL if a return trampoline can
 * replace its return address. Reasons: the function reads its return address, or removes arguments
 * from the stack when it returns. why: the result of ez_frame_why_not(). */
const char *ez_frame_no_exit(const struct ez_arch *arch, const uint8_t *code, size_t n, uint64_t va,
                             const char *why);

#endif
