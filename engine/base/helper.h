/* SPDX-License-Identifier: GPL-3.0-or-later */
/* helper.h - where the programs are that do work which must not be done in the shell. */
#ifndef EZ_HELPER_H
#define EZ_HELPER_H

/* The path of the program `name`: what the environment says in `variable`; else beside the
 * shell's own program, as in a build tree; else where it is installed, even if it is missing
 * there. The caller frees it. */
char *ez_helper(const char *name, const char *variable);

#endif
