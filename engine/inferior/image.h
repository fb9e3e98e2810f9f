/* SPDX-License-Identifier: GPL-3.0-or-later */
/* image.h - the text of a module, read from the process and prepared for analysis. See image.c. */
#ifndef EZ_INFERIOR_IMAGE_H
#define EZ_INFERIOR_IMAGE_H

#include "engine/inferior/inferior.h"

/* Returns an error if eztsh cannot plant probes on this processor. */
ez_err *ez_need_strategy(void) EZ_WUR;
/* Sets the n rows of an earlier shell's journal (NULL: none). Their patches are in the target's
 * text; images that are read from now on contain the file's bytes instead. */
void ez_image_old_rows(struct ez_target *t, const struct ez_row *row, uint32_t n);
ez_err *ez_module_text(struct ez_target *t, struct ez_module *m) EZ_WUR;
/* Drops the cached jump tables of all modules, so that they are read again. */
void ez_texts_refresh(struct ez_target *t);
/* Returns EZ_E_REFUSED if the symbol at address func is in the middle of another function's
 * instruction. ez_module_text() must have been called for the module. */
ez_err *ez_module_not_cut(const struct ez_module *m, uint64_t func) EZ_WUR;

#endif
