/* SPDX-License-Identifier: GPL-3.0-or-later */
/* unwind.h - lets exceptions and backtraces pass through eztsh's frames. See unwind.c. */
#ifndef EZ_PROBE_UNWIND_H
#define EZ_PROBE_UNWIND_H

#include "engine/probe/probe.h"

/* Hooks the table look-up of every loaded unwinder. The target must be stopped. */
ez_err *ez_unwind_hooks(struct ez_target *t) EZ_WUR;
/* Returns true if `func` is the function of an unwinder that eztsh hooks. */
bool ez_unwind_is_hook(struct ez_target *t, uint64_t func);
/* Returns true if s is the site of an unwinder's hook, and calls of probed functions are open:
 * such calls need the hook also after the shell has detached. */
bool ez_unwind_stays(struct ez_target *t, const struct ez_site *s);
void ez_unwind_left(struct ez_target *t); /* Posts a note for each such hook. */

#endif
