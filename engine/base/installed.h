/* SPDX-License-Identifier: GPL-3.0-or-later */
/* installed.h - finds the files that belong to eztsh: in the build tree, where `make install` put
 * them, or where the whole installation was moved later. */
#ifndef EZ_INSTALLED_H
#define EZ_INSTALLED_H

#include <stddef.h>

/* The caller frees the texts that these functions return. */

/* Returns the path of the running program, or "" if it is unknown (/proc is not mounted). */
char *ez_own_program(void);

/* Returns the path of the helper program `name`: the value of the environment variable `variable`
 * if it is set, else the path in the build tree or in the installation. The file may not exist. */
char *ez_helper(const char *name, const char *variable);

/* Returns the path of the example program `name`. */
char *ez_example(const char *name);

/* Returns the folder of the headers for modules (ezt_probe.h). */
char *ez_header_folder(void);

/* Returns the folders in which modules are searched, in the order of the search: those of
 * EZTRACE_LIBRARY_PATH that exist (separated by colons; empty names, which would mean the current
 * folder, are skipped), then `modules` beside eztsh, as in a build tree, then the installed folder.
 * The caller frees each text and the array. */
char **ez_module_folders(size_t *n);

#endif
