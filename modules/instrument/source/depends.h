/* SPDX-License-Identifier: GPL-3.0-or-later */
/* depends.h - corrects the rules for make that a compiler wrote (-MD and the like). */
#ifndef EZ_DEPENDS_H
#define EZ_DEPENDS_H

#include "modules/instrument/source/command.h"

/* In the rules that a compiler wrote, replaces `path`, the file that it compiled, by `source`.
 * *found: a file with such a rule existed. EZ_E_SYS: the file cannot be written. */
ez_err *ez_depends_rename(const struct ez_command *c, const char *path, const char *source,
                          bool *found) EZ_WUR;

#endif
