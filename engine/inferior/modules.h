/* SPDX-License-Identifier: GPL-3.0-or-later */
/* modules.h - modules: the objects that are mapped in the process. See modules.c. */
#ifndef EZ_INFERIOR_MODULES_H
#define EZ_INFERIOR_MODULES_H

#include "engine/inferior/inferior.h"

/* Reads the list again; sets `fresh` in new modules. */
ez_err *ez_modules_refresh(struct ez_target *t) EZ_WUR;
void ez_modules_clear(struct ez_target *t);
struct ez_module_info ez_module_info_of(const struct ez_module *m);
struct ez_module *ez_module_at(struct ez_target *t, uint64_t addr);
struct ez_module *ez_module_program(const struct ez_target *t);
struct ez_module *ez_module_loader(struct ez_target *t);
/* Returns the name of the program that the process runs, or NULL. */
const char *ez_program_name(const struct ez_target *t);
uint64_t ez_symbol_addr(struct ez_target *t, const struct ez_module *m, const char *name);
/* Returns the address of the symbol in the first module that has it, or 0. */
uint64_t ez_symbol_in_any(struct ez_target *t, const char *name);
/* Returns true if the module is the program, and was compiled for gprof (gcc -pg). */
bool ez_module_profiled(struct ez_target *t, const struct ez_module *m);
/* Returns an error if the program that the process runs is for another processor. */
ez_err *ez_image_known(struct ez_target *t) EZ_WUR;
/* Returns true if the process has exec'ed or ended since t->inf.memfd was opened. */
bool ez_image_changed(struct ez_target *t);
/* Returns the symbol that begins at addr, or NULL if none begins there. */
const struct ez_sym *ez_begins_at(struct ez_target *t, uint64_t addr);

#endif
