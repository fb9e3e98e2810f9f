/* SPDX-License-Identifier: GPL-3.0-or-later */
/* interp_file.h - interpreters of others: modules/ezt_interp.h; for interp.c. */
#ifndef EZ_INTERP_FILE_H
#define EZ_INTERP_FILE_H

#include "engine/trace/interp.h"

struct ez_interp_files;

/* Those of the modules that the inputs name. A file that cannot be used is left out; why is in
 * *said, lines that the caller frees. Never NULL. */
struct ez_interp_files *ez_interp_files_load(struct ez_interps *all, size_t inputs, char **said);
/* Has the module with that ID an interpreter? */
bool ez_interp_files_has(const struct ez_interp_files *f, uint32_t input, uint64_t id);
/* EZT_NOT_MINE, EZT_ALSO or EZT_INSTEAD of modules/ezt_interp.h: the most that one of them said. */
int ez_interp_files_event(struct ez_interp_files *f, const struct ez_merged *ev);
/* The trace is over: what they have to say goes to the model's lines. */
void ez_interp_files_finish(struct ez_interp_files *f);
void ez_interp_files_free(struct ez_interp_files *f);

#endif
