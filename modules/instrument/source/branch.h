/* SPDX-License-Identifier: GPL-3.0-or-later */
/* branch.h - which branches of #if the compiler takes that will see the file. */
#ifndef EZ_BRANCH_H
#define EZ_BRANCH_H

#include "modules/instrument/source/instrument.h"

/* Returns the text for libclang: of the same length, with the conditions of #if replaced by the
 * compiler's results. Returns NULL if there are none, or if the results are unknown. The caller
 * frees it. */
char *ez_branch_view(const struct ez_instrument *k, const char *text, size_t size);

#endif
