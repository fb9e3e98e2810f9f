/* SPDX-License-Identifier: GPL-3.0-or-later */
/* unwind.h - lets exceptions and backtraces pass through eztsh's frames. See unwind.c. */
#ifndef EZ_PROBE_UNWIND_H
#define EZ_PROBE_UNWIND_H

#include "engine/probe/probe.h"

/* Hooks the loader, and the table look-up (_Unwind_Find_FDE) of every loaded unwinder (without exit
 * probes, not of one on which a user's probe is). The target must be stopped. */
ez_err *ez_unwind_hooks(struct ez_target *t) EZ_WUR;
/* Returns true if func is the address of an unwinder's function that eztsh hooks. */
bool ez_unwind_is_hook(struct ez_target *t, uint64_t func);
/* Returns true if s is the site of an unwinder's hook, and calls of probed functions are open.
 * These calls need the hook even after the shell has detached. */
bool ez_unwind_stays(struct ez_target *t, const struct ez_site *s);
void ez_unwind_left(struct ez_target *t); /* Posts a note for each hook that ez_unwind_stays(). */

#endif
