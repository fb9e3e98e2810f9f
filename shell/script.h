/* SPDX-License-Identifier: GPL-3.0-or-later */
/* script.h - commands from files, from rc files and from a pipe. */
#ifndef EZ_SCRIPT_H
#define EZ_SCRIPT_H

#include "engine/base/base.h"

struct ez_sess;

/* Runs ~/.eztshrc unless `skip_home`, then ./.eztshrc if it is another file, and a directory of
 * `set auto-load safe-path` contains it: a directory must not run commands merely because the user
 * enters it. */
void script_rc_files(struct ez_sess *s, bool skip_home);
/* Runs the lines of a standard input that is not a terminal, one at a time, to its end. */
void script_stdin(struct ez_sess *s);

#endif
