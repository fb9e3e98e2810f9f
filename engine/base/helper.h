/* SPDX-License-Identifier: GPL-3.0-or-later */
/* helper.h - finds the programs that do work which must not be done in the shell. */
#ifndef EZ_HELPER_H
#define EZ_HELPER_H

/* Returns the path of the program `name`: the value of the environment variable `variable`, else
 * the path beside the shell's own program, as in a build tree, else the installed path, even if no
 * file is there. The caller frees the path. */
char *ez_helper(const char *name, const char *variable);

#endif
