/* SPDX-License-Identifier: GPL-3.0-or-later */
/* depends.h - the rules for make that a compiler writes (such as -MD). */
#ifndef EZ_DEPENDS_H
#define EZ_DEPENDS_H

#include "modules/instrument/source/command.h"

/* Replaces `path`, which the compiler got, by `source` in the rules. *found: a file with such a
 * rule existed. EZ_E_SYS: it cannot be written. */
ez_err *ez_depends_rename(const struct ez_command *c, const char *path, const char *source,
                          bool *found) EZ_WUR;

#endif
