/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trap.h - trap instructions that lead to a trampoline (`probe -trap`) or to a copied instruction
 * (halts), and their table in the target (trap.c). */
#ifndef EZ_PATCH_TRAP_H
#define EZ_PATCH_TRAP_H

#include "engine/patch/site.h"

/* Returns EZ_E_REFUSED if a thread blocks or ignores SIGTRAP. */
ez_err *ez_trap_allowed(struct ez_target *t) EZ_WUR;
/* Returns true if the table has an entry for a trap at address `at`. Entries are never removed. */
bool ez_trap_known(const struct ez_target *t, uint64_t at);
/* Returns EZ_E_REFUSED if the table has no entry for address `at` and no room for one in addition
 * to `others` new entries. */
ez_err *ez_trap_room(const struct ez_target *t, uint64_t at, size_t others) EZ_WUR;
/* Adds or changes the table's entry: a thread that hits the trap at address `at` continues at
 * `trampoline`. The target must be stopped. */
ez_err *ez_trap_point(struct ez_target *t, uint64_t at, uint64_t trampoline) EZ_WUR;
/* Restores the program's own handler of SIGTRAP, unless a thread has a pending SIGTRAP or no system
 * call can be injected. Call it when no trap is planted any more. The target must be stopped. */
ez_err *ez_traps_end(struct ez_target *t) EZ_WUR;
/* Reads the table that an earlier shell wrote. */
ez_err *ez_traps_adopt(struct ez_target *t) EZ_WUR;
/* Returns true if the table has entries, so that a trap was planted at some time. */
bool ez_traps_any(const struct ez_target *t);
/* Returns the trampoline of the trap that a thread with this pc has hit; 0 if pc is not behind a
 * trap of eztsh. */
uint64_t ez_trap_trampoline(const struct ez_target *t, uint64_t pc);

#endif
