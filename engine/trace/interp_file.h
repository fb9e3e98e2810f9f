/* SPDX-License-Identifier: GPL-3.0-or-later */
/* interp_file.h - interpreters loaded from shared objects (modules/ezt_interp.h); used by interp.c
 * only. */
#ifndef EZ_INTERP_FILE_H
#define EZ_INTERP_FILE_H

#include "engine/trace/interp.h"

struct ez_interp_files;

/* Loads the interpreters of the modules that the inputs name. Skips a file that cannot be used, and
 * adds the reason to *said, as lines; the caller frees *said. Never returns NULL. */
struct ez_interp_files *ez_interp_files_load(struct ez_inputs *all, char **said);
bool ez_interp_files_any(const struct ez_interp_files *f); /* true if an interpreter is loaded */
/* Returns true if an interpreter is loaded for the module with this ID in this input. */
bool ez_interp_files_has(const struct ez_interp_files *f, uint32_t input, uint64_t id);
/* Passes an event to the loaded interpreters. Returns the largest of their results EZT_NOT_MINE,
 * EZT_ALSO and EZT_INSTEAD (modules/ezt_interp.h). */
int ez_interp_files_event(struct ez_interp_files *f, const struct ez_merged *ev);
/* Call after the last event. Appends the final lines of the interpreters to ez_model.line. */
void ez_interp_files_finish(struct ez_interp_files *f);
void ez_interp_files_free(struct ez_interp_files *f);

#endif
