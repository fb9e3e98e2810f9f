/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scratch.h - temporary files, in a private folder under $TMPDIR or /tmp. They are removed when the
 * program ends, also by a terminating signal that it can handle. */
#ifndef EZ_SCRATCH_H
#define EZ_SCRATCH_H

#include "engine/base/err.h"

/* Returns a unique path for a file of that name; the path stays valid. EZ_E_SYS, EZ_E_LIMIT. */
ez_err *ez_scratch_path(const char *name, const char **path) EZ_WUR;
void ez_scratch_clean(void);
/* Makes the program report a crash and execute argv, which must stay valid. */
void ez_scratch_instead(char **argv);

#endif
