/* SPDX-License-Identifier: GPL-3.0-or-later */
/* objects.h - finds the file that a mapping shows, and reads its symbols, once per file. See objects.c. */
#ifndef EZ_INFERIOR_OBJECTS_H
#define EZ_INFERIOR_OBJECTS_H

#include "engine/inferior/inferior.h"

ez_err *ez_object_cached(struct ez_target *t, const char *path, const char *display,
                         struct ez_object **out) EZ_WUR;
/* The object of the file that `m` maps; `m` shows the file's first bytes. */
ez_err *ez_object_mapped(struct ez_target *t, const struct ez_map *m,
                         struct ez_object **out) EZ_WUR;
/* The name of the mapped file, also when that was deleted or replaced: what is known by name holds
 * for the file that takes its place, too. The caller frees. */
char *ez_mapped_name(const struct ez_map *m);
/* Sets m->path of the program to the name it was run by, if that still leads to the file. */
void ez_run_name(struct ez_target *t, struct ez_module *m);
const char *ez_program_name(const struct ez_target *t); /* of the process; NULL = unknown */
void ez_objects_changed(struct ez_target *t);           /* posts a note, once for each object */

#endif
