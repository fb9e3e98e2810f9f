/* SPDX-License-Identifier: GPL-3.0-or-later */
/* help.h - help, apropos and the manual's command chapter, from the table. */
#ifndef EZ_HELP_H
#define EZ_HELP_H

#include <stdio.h>

/* The COMMANDS chapter of eztsh.1, which the build puts into doc/eztsh.1.in (doc/local.mk).
 * Tests: tests/unit/shell/check_man.sh */
void help_manual(FILE *f);
/* The same in Texinfo: doc/commands.texi. */
void help_texinfo(FILE *f);

extern const char help_version[]; /* lines: `show version`, -version */

#endif
