/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tool.h - runs a compiler. It gets its arguments as they are, no shell is between, and our environment but for the
 * language of its messages, which are read. Its input and output are files in memory: nothing is left behind, and
 * no pipe can fill up. */
#ifndef EZ_TOOL_H
#define EZ_TOOL_H

#include "engine/base/err.h"
#include "engine/base/vec.h"

#define EZ_TOOL_SAID (1u << 20) /* bytes of messages that are read, at most */

struct ez_tool {
    const char *what, *hint; /* for the error that it cannot be run: "the C compiler"         */
    const char *const *argv; /* ends with NULL                                               */
    const char *text;        /* its input, n bytes                                           */
    size_t n;
    const char *folder; /* where it runs; NULL = here                                    */
};
/* *good: it ended with 0. *said: its messages, which the caller frees. EZ_E_SYS: it cannot be run, or a signal
 * ended it. */
ez_err *ez_tool_run(const struct ez_tool *t, bool *good, char **said) EZ_WUR;

#endif
