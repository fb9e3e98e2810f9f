/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scratch.h - files that exist while the program runs, in a folder of its own under $TMPDIR or /tmp. They are gone when it ends, also by
 * a signal that asks it to. */
#ifndef EZ_SCRATCH_H
#define EZ_SCRATCH_H

#include "engine/base/err.h"

/* A path for a file of that name, which nobody else has; it stays valid. EZ_E_SYS, EZ_E_LIMIT. */
ez_err *ez_scratch_path(const char *name, const char **path) EZ_WUR;
void ez_scratch_clean(void);
/* If this program crashes, it says so, and becomes argv, which stays valid. */
void ez_scratch_instead(char **argv);

#endif
