/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dispatch.h - runs a line: parses the options of its command, and checks preconditions and the
 * number of operands, all from the table.
 * Tests: tests/unit/shell/check_dispatch.c */
#ifndef EZ_DISPATCH_H
#define EZ_DISPATCH_H

#include "engine/base/base.h"
#include "engine/base/err.h"

struct ez_sess;

/* Runs a line and returns its error. */
ez_err *dispatch(struct ez_sess *s, const char *line) EZ_WUR;
/* Runs a line, prints its error and counts the failure. Returns false if the line failed. */
bool dispatch_print(struct ez_sess *s, const char *line);

#endif
