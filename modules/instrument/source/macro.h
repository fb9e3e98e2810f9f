/* SPDX-License-Identifier: GPL-3.0-or-later */
/* macro.h - expands uses of macros in place, with the compiler that will compile the file. */
#ifndef EZ_MACRO_H
#define EZ_MACRO_H

#include "modules/instrument/source/instrument.h"
#include "modules/instrument/source/tu.h"

struct ez_macro_settled { /* a use that must stay, because its expansion names a macro that would be
                        * expanded again */
    char *use;            /* text of the use; owned */
    bool itself;          /* it expands to that text */
    bool value;           /* its expansion contains no end of a statement, and no brace */
};
typedef EZ_VEC(struct ez_macro_settled) ez_macros_settled;

/* Returns the text with the uses [a, b) replaced by their expansions; lines stay where they are.
 * Adds uses that must stay to `settled`. Returns NULL if none could be replaced and none was added.
 * The caller frees the text. Sorts `uses`. */
char *ez_macro_expand(const struct ez_instrument *k, const char *text, size_t size,
                      struct ez_tu_macro *uses, size_t n, ez_macros_settled *settled);
void ez_macros_settled_free(ez_macros_settled *v);

/* Returns the text as the compiler preprocesses it in place of the file, or NULL if that fails. The
 * caller frees it. */
char *ez_macro_preprocess(const struct ez_instrument *k, const char *text, size_t size);

#endif
