/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_session.h - `eztsh --check FILE`: checks that a saved session still prints the same
 * output. */
#ifndef EZ_CHECK_SESSION_H
#define EZ_CHECK_SESSION_H

#include "engine/base/base.h"
#include "engine/base/err.h"

struct ez_sess;

/* Runs the commands of the file `path` and reports each command whose output differs from the
 * comments behind the command in the file, after masking (mask_addresses.h). given: eztsh's command
 * line names a program, so the file's `file` commands are skipped. The session's exit status
 * becomes 0 if the file has commands and all outputs are equal, otherwise 1, unless a signal ends
 * the session. Returns an error only if the file cannot be read. */
ez_err *check_session_file(struct ez_sess *s, const char *path, bool given) EZ_WUR;

#endif
