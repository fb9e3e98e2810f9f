/* SPDX-License-Identifier: GPL-3.0-or-later */
/* objects.h - finds the file of a mapping, and reads its symbols, once per file. See objects.c. */
#ifndef EZ_INFERIOR_OBJECTS_H
#define EZ_INFERIOR_OBJECTS_H

#include "engine/inferior/inferior.h"

ez_err *ez_object_cached(struct ez_target *t, const char *path, const char *display,
                         struct ez_object **out) EZ_WUR;
/* Finds the object of the file that `m` maps; `m` must map the file's first bytes. */
ez_err *ez_object_mapped(struct ez_target *t, const struct ez_map *m,
                         struct ez_object **out) EZ_WUR;
/* Returns the name of the mapped file, also if the file was deleted or replaced, because what the
 * user requests by name applies to its replacement, too. The caller frees the name. */
char *ez_mapped_name(const struct ez_map *m);
/* Sets m->path of the program to the name it was run by, if that still leads to the file. */
void ez_run_name(struct ez_target *t, struct ez_module *m);
/* posts a note for each object whose file changed, once */
void ez_objects_changed(struct ez_target *t);

#endif
