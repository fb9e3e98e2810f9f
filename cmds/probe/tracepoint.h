/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tracepoint.h - declarations that gdb's tracepoint commands share with `probe` and `trace`. */
#ifndef EZ_TRACEPOINT_H
#define EZ_TRACEPOINT_H

#include "engine/base/base.h"
#include "engine/base/err.h"

struct ez_sess;

/* Returns true if the word after `trace` is a file: it ends in .fxt, has a slash, or names an
 * existing file. Any other word is a LOCATION. */
bool tracepoint_is_file(const char *word);
bool tracepoint_is(struct ez_sess *s, int number); /* Returns true if the probe with this number is
                                                    * a tracepoint. */
/* Makes a tracepoint and prints it (probe.c). */
ez_err *probe_tracepoint(struct ez_sess *s, const char *location, const char *cond) EZ_WUR;

extern const char help_tracepoint[];
ez_err *cmd_tp(struct ez_sess *s, int argc, char **argv) EZ_WUR;

#endif
