/* SPDX-License-Identifier: GPL-3.0-or-later */
/* modules.h - modules. See modules.c. */
#ifndef EZ_INFERIOR_MODULES_H
#define EZ_INFERIOR_MODULES_H

#include "engine/inferior/inferior.h"

ez_err *ez_modules_refresh(struct ez_target *t) EZ_WUR; /* sets `fresh` on new ones */
void ez_modules_clear(struct ez_target *t);
struct ez_module_info ez_module_info_of(const struct ez_module *m);
struct ez_module *ez_module_at(struct ez_target *t, uint64_t addr);
struct ez_module *ez_module_program(const struct ez_target *t);
struct ez_module *ez_module_loader(struct ez_target *t);
uint64_t ez_symbol_addr(struct ez_target *t, const struct ez_module *m, const char *name);
/* The same of the first module that has one of that name; 0 = none has. */
uint64_t ez_symbol_in_any(struct ez_target *t, const char *name);
/* Is it a program that was compiled for gprof (gcc -pg)? */
bool ez_module_profiled(struct ez_target *t, const struct ez_module *m);
/* NULL if this eztsh can work on the program that runs in the process. */
ez_err *ez_image_known(struct ez_target *t) EZ_WUR;
/* True if the process exec'ed in the background since it was last looked at. */
bool ez_image_changed(struct ez_target *t);
/* The symbol that begins at addr; NULL = none (probe *ADDR inside a function). */
const struct ez_sym *ez_begins_at(struct ez_target *t, uint64_t addr);

#endif
