/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_session.h - `eztsh --check FILE`: checks that a saved session still prints the same
 * output. */
#ifndef EZ_CHECK_SESSION_H
#define EZ_CHECK_SESSION_H

#include "engine/base/base.h"
#include "engine/base/err.h"

struct ez_sess;

/* Runs the commands of FILE and reports each command whose output differs from the comments in
 * FILE (mask_addresses.h lists what is masked). `given`: the command line names a program, which
 * replaces the programs that FILE names. The session's exit status becomes 0 or 1. Error: FILE
 * cannot be read. */
ez_err *check_session_file(struct ez_sess *s, const char *path, bool given) EZ_WUR;

#endif
