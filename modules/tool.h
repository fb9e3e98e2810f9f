/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tool.h - runs a compiler with exactly these arguments, without a shell. The environment is
 * eztsh's environment with LC_ALL=C, because eztsh parses the compiler's messages. Input and output
 * are files in memory: the compiler leaves no file behind, and no pipe can fill up. */
#ifndef EZ_TOOL_H
#define EZ_TOOL_H

#include "engine/base/err.h"
#include "engine/base/vec.h"

#define EZ_TOOL_SAID (1u << 20) /* maximum number of bytes that are read of the messages */

struct ez_tool {
    const char *what, *hint; /* what: the compiler's name in errors, "the C compiler"; hint: a hint
                              * for these errors */
    const char *const *argv; /* ends with NULL */
    const char *text;        /* standard input, n bytes */
    size_t n;
    const char *folder; /* working folder; NULL: the current folder */
};
/* Runs the compiler. *good: its exit status was 0. *said: its messages, which the caller frees.
 * EZ_E_SYS: the compiler cannot be run, or a signal ended it. */
ez_err *ez_tool_run(const struct ez_tool *t, bool *good, char **said) EZ_WUR;

#endif
