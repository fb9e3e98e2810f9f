/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scratch.h - temporary files, in a private folder under $TMPDIR or /tmp. They are removed when the
 * program ends, also by SIGINT, SIGTERM or SIGHUP. */
#ifndef EZ_SCRATCH_H
#define EZ_SCRATCH_H

#include "engine/base/err.h"

/* Returns the path of a new file with this name, in a folder of its own; the path stays valid.
 * Returns EZ_E_SYS if a folder cannot be made, EZ_E_LIMIT if there are too many files. */
ez_err *ez_scratch_path(const char *name, const char **path) EZ_WUR;
void ez_scratch_clean(void);
/* Installs handlers: if the program crashes later, the handler prints a message and executes argv,
 * which must stay valid. */
void ez_scratch_instead(char **argv);

#endif
