/* SPDX-License-Identifier: GPL-3.0-or-later */
/* folders.h - where modules are: both those that go into processes (engine/plugin/), and those that
 * interpret traces (engine/trace/interp_file.c). */
#ifndef EZ_FOLDERS_H
#define EZ_FOLDERS_H

#include "engine/base/base.h"

/* The folders that are searched, first to last; the caller frees each, and the array. */
char **ez_module_folders(size_t *n);

#endif
