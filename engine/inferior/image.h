/* SPDX-License-Identifier: GPL-3.0-or-later */
/* image.h - the text of a module, read from the process and prepared for analysis. See image.c. */
#ifndef EZ_INFERIOR_IMAGE_H
#define EZ_INFERIOR_IMAGE_H

#include "engine/inferior/inferior.h"

ez_err *ez_need_strategy(void) EZ_WUR; /* image.c: can anything be planted? */
/* The patches of these rows (n of them; NULL = none) are in the text that is read, and are
 * taken out of its copy. */
void ez_image_old_rows(struct ez_target *t, const struct ez_row *row, uint32_t n);
ez_err *ez_module_text(struct ez_target *t, struct ez_module *m) EZ_WUR;
/* Forgets the jump tables that were read, so that they are read anew. */
void ez_texts_refresh(struct ez_target *t);
/* In a prepared module: EZ_E_REFUSED if func is in the middle of another function's instruction. */
ez_err *ez_module_not_cut(const struct ez_module *m, uint64_t func) EZ_WUR;

#endif
