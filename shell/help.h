/* SPDX-License-Identifier: GPL-3.0-or-later */
/* help.h - help, apropos and the manual's command chapter, from the tables of commands. */
#ifndef EZ_HELP_H
#define EZ_HELP_H

#include <stdio.h>

/* Writes the COMMANDS chapter of the manual page eztsh.1. The build replaces a line of
 * doc/eztsh.1.in by the chapter (doc/local.mk).
 * Tests: tests/unit/shell/check_man.sh */
void help_manual(FILE *f);
/* Writes the COMMANDS chapter in Texinfo: doc/commands.texi. */
void help_texinfo(FILE *f);

extern const char help_version[]; /* lines of `show version` and -version */

#endif
