/* SPDX-License-Identifier: GPL-3.0-or-later */
/* folders.h - the folders with modules: for processes (engine/plugin/) and for the interpretation
 * of traces (engine/trace/interp_file.c). */
#ifndef EZ_FOLDERS_H
#define EZ_FOLDERS_H

#include "engine/base/base.h"

/* Returns the folders in the order of the search. The caller frees each and the array. */
char **ez_module_folders(size_t *n);

#endif
