/* SPDX-License-Identifier: GPL-3.0-or-later */
/* helper.h - where the programs are that do what must not be done in ours. */
#ifndef EZ_HELPER_H
#define EZ_HELPER_H

/* Path of the program `name`: what the environment says in `variable`; beside our own program, as in a
 * build tree; where it is installed, there or not. The caller frees. */
char *ez_helper(const char *name, const char *variable);

#endif
