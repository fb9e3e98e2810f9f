/* SPDX-License-Identifier: GPL-3.0-or-later */
/* objects.h - finds the file of a mapping, and reads its symbols, once per file. See objects.c. */
#ifndef EZ_INFERIOR_OBJECTS_H
#define EZ_INFERIOR_OBJECTS_H

#include "engine/inferior/inferior.h"

/* Returns a value of the auxiliary vector of the process or core file; 0: none. */
uint64_t ez_auxv_of(struct ez_target *t, uint64_t type);
ez_err *ez_object_cached(struct ez_target *t, const char *path, const char *display,
                         struct ez_object **out) EZ_WUR;
/* Sets *out to the object of the file that m maps; m must map the file's first bytes. */
ez_err *ez_object_mapped(struct ez_target *t, const struct ez_map *m,
                         struct ez_object **out) EZ_WUR;
/* Returns the name of the mapped file, without the kernel's " (deleted)", because a user's request
 * by name applies to a file that replaced the mapped one, too. The caller frees the name. */
char *ez_mapped_name(const struct ez_map *m);
/* Sets m->path of the program to the name by which it was run, if this name still leads to the
 * file. */
void ez_run_name(struct ez_target *t, struct ez_module *m);
/* Posts a note, once for each object, that its file has changed. */
void ez_objects_changed(struct ez_target *t);

#endif
