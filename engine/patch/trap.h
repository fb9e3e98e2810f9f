/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trap.h - breakpoints that lead to a trampoline (`probe -trap`, traps of halts), and their table
 * in the target (trap.c). */
#ifndef EZ_PATCH_TRAP_H
#define EZ_PATCH_TRAP_H

#include "engine/patch/site.h"

/* The target must be stopped for all functions that return an error. Returns EZ_E_REFUSED if a
 * thread blocks SIGTRAP. */
ez_err *ez_trap_allowed(struct ez_target *t) EZ_WUR;
/* Returns true if the breakpoint at `at` has an entry in the table. Entries are never removed. */
bool ez_trap_known(const struct ez_target *t, uint64_t at);
/* Returns NULL if the breakpoint at `at` has an entry, or if there is room for it besides `others`
 * new entries. EZ_E_REFUSED. */
ez_err *ez_trap_room(const struct ez_target *t, uint64_t at, size_t others) EZ_WUR;
/* Leads the breakpoint at `at` to `trampoline` from now on. */
ez_err *ez_trap_point(struct ez_target *t, uint64_t at, uint64_t trampoline) EZ_WUR;
/* Restores the program's own handler. Call when no trap is planted any more. */
ez_err *ez_traps_end(struct ez_target *t) EZ_WUR;
/* Takes over the table of an earlier shell. */
ez_err *ez_traps_adopt(struct ez_target *t) EZ_WUR;
/* Returns true if a breakpoint of eztsh was ever planted. */
bool ez_traps_any(const struct ez_target *t);
/* Returns the trampoline of eztsh's breakpoint that a thread with this pc hit, or 0. */
uint64_t ez_trap_trampoline(const struct ez_target *t, uint64_t pc);

#endif
