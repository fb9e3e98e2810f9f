/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_session.h - `eztsh --check FILE`: does a saved session still print what it printed? */
#ifndef EZ_HOMEWORK_H
#define EZ_HOMEWORK_H

#include "engine/base/base.h"
#include "engine/base/err.h"

struct ez_sess;

/* Runs the commands of FILE, and tells each that prints something else than its comments say (mask_addresses.h says
 * what is masked). `given`: there is a program, which takes the place of those that FILE names. The session's
 * exit status becomes 0 or 1. Errors: FILE cannot be read. */
ez_err *homework_check(struct ez_sess *s, const char *path, bool given) EZ_WUR;

#endif
