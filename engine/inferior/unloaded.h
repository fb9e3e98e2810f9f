/* SPDX-License-Identifier: GPL-3.0-or-later */
/* unloaded.h - keeps unloaded libraries, in case they are loaded again. See unloaded.c. */
#ifndef EZ_INFERIOR_UNLOADED_H
#define EZ_INFERIOR_UNLOADED_H

#include "engine/inferior/inferior.h"

void ez_module_free(struct ez_module *m);
void ez_module_gone(struct ez_target *t, struct ez_module *m);
/* Returns the kept module, and frees m, if m is the same file at the same address. Otherwise
 * returns m. */
struct ez_module *ez_module_again(struct ez_target *t, struct ez_module *m);
void ez_unloaded_clear(struct ez_target *t);

#endif
