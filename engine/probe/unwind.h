/* SPDX-License-Identifier: GPL-3.0-or-later */
/* unwind.h - lets exceptions and backtraces pass through our frames. See unwind.c. */
#ifndef EZ_PROBE_UNWIND_H
#define EZ_PROBE_UNWIND_H

#include "engine/probe/probe.h"

/* Hook the table look-up of every unwinder that is loaded. World stopped. */
ez_err *ez_unwind_hooks(struct ez_target *t) EZ_WUR;
/* Is `func` the function of an unwinder that eztsh hooks? */
bool ez_unwind_is_hook(struct ez_target *t, uint64_t func);
/* Is s the site of an unwinder's hook that open calls need after the shell is gone? */
bool ez_unwind_stays(struct ez_target *t, const struct ez_site *s);
void ez_unwind_left(struct ez_target *t); /* tells of those */

#endif
