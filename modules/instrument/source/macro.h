/* SPDX-License-Identifier: GPL-3.0-or-later */
/* macro.h - replaces uses of macros by their expansions, as the compiler of the file expands
 * them. */
#ifndef EZ_MACRO_H
#define EZ_MACRO_H

#include "modules/instrument/source/instrument.h"
#include "modules/instrument/source/tu.h"

struct ez_macro_settled { /* a use that must not be expanded: its expansion names a macro, which the
                           * compiler would expand again */
    char *use;            /* text of the use; owned */
    bool itself;          /* the expansion is the same text */
    bool value;           /* the expansion has no ';' that ends a statement, and no brace */
};
typedef EZ_VEC(struct ez_macro_settled) ez_macros_settled;

/* Returns the text with uses of macros replaced by their expansions; line numbers do not change.
 * Sorts `uses`. Adds uses that must not be expanded to `settled`. Returns NULL if none was replaced
 * and none added. The caller frees the text. */
char *ez_macro_expand(const struct ez_instrument *k, const char *text, size_t size,
                      struct ez_tu_macro *uses, size_t n, ez_macros_settled *settled);
void ez_macros_settled_free(ez_macros_settled *v);

/* Returns the text as the compiler preprocesses it in place of the file, or NULL if that fails. The
 * caller frees it. */
char *ez_macro_preprocess(const struct ez_instrument *k, const char *text, size_t size);

#endif
