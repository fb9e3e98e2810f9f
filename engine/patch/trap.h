/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trap.h - probes that are a breakpoint (`probe -trap`), for functions that can carry no jump. See trap.c. */
#ifndef EZ_PATCH_TRAP_H
#define EZ_PATCH_TRAP_H

#include "engine/patch/site.h"

/* World stopped */
ez_err *ez_trap_allowed(struct ez_target *t) EZ_WUR; /* EZ_E_REFUSED               */
/* Has the breakpoint at `at` an entry in the table? Entries are never given back. */
bool ez_trap_known(const struct ez_target *t, uint64_t at);
/* Has the breakpoint at `at` an entry, or room for one besides `others` new ones? EZ_E_REFUSED. */
ez_err *ez_trap_room(const struct ez_target *t, uint64_t at, size_t others) EZ_WUR;
/* The breakpoint at `at` leads to `trampoline` from now on. */
ez_err *ez_trap_point(struct ez_target *t, uint64_t at, uint64_t trampoline) EZ_WUR;
ez_err *ez_traps_end(struct ez_target *t) EZ_WUR; /* no trap is planted any more   */
/* Go on with the table that an earlier shell left. */
ez_err *ez_traps_adopt(struct ez_target *t) EZ_WUR;
bool ez_traps_any(const struct ez_target *t); /* was a breakpoint of ours ever planted? */
/* The trampoline of our breakpoint that a thread with this pc ran into; 0 = it ran into none. */
uint64_t ez_trap_trampoline(const struct ez_target *t, uint64_t pc);

#endif
