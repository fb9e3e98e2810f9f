/* SPDX-License-Identifier: GPL-3.0-or-later */
/* branch.h - finds the branches of #if that will be compiled, by running the compiler's
 * preprocessor. */
#ifndef EZ_BRANCH_H
#define EZ_BRANCH_H

#include "modules/instrument/source/instrument.h"

/* Returns the text for libclang. It has the same length as `text`, but the conditions of #if are
 * replaced by 0 or 1, as the compiler evaluates them; those whose values are unknown stay. Returns
 * NULL if there are no conditions, or the directives do not match. The caller frees it. */
char *ez_branch_view(const struct ez_instrument *k, const char *text, size_t size);

#endif
