/* SPDX-License-Identifier: GPL-3.0-or-later */
/* branch.h - which branches of #if the compiler takes that will see the file. */
#ifndef EZ_BRANCH_H
#define EZ_BRANCH_H

#include "modules/source/instrument.h"

/* The text as libclang has to see it: of the same length, the conditions of #if replaced by what the compiler
 * makes of them. NULL: there are none, or that cannot be found out. The caller frees it. */
char *ez_branch_view(const struct ez_instrument *k, const char *text, size_t size);

#endif
