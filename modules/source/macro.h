/* SPDX-License-Identifier: GPL-3.0-or-later */
/* macro.h - expands uses of macros in place, by the compiler that will see the file. */
#ifndef EZ_MACRO_H
#define EZ_MACRO_H

#include "modules/source/instrument.h"
#include "modules/source/tu.h"

/* The text with the uses [a, b) replaced by what they become; lines stay where they are. NULL: none
 * could be replaced. The caller frees it. `uses` is sorted. */
char *ez_macro_expand(const struct ez_instrument *k, const char *text, size_t size,
                      struct ez_tu_macro *uses, size_t n);

/* The text as the compiler preprocesses it in place of the file. NULL: that fails. The caller frees it. */
char *ez_macro_preprocess(const struct ez_instrument *k, const char *text, size_t size);

#endif
