/* SPDX-License-Identifier: GPL-3.0-or-later */
/* macro.h - expands uses of macros in place, by the compiler that will see the file. */
#ifndef EZ_MACRO_H
#define EZ_MACRO_H

#include "modules/source/instrument.h"
#include "modules/source/tu.h"

struct
    ez_macro_settled { /* a use that stays, for its expansion names a macro that would be expanded again */
    char *use;         /* its text; owned                                              */
    bool itself; /* it expands to that text                                      */
    bool value;  /* its expansion has no end of a statement, and no brace        */
};
typedef EZ_VEC(struct ez_macro_settled) ez_macros_settled;

/* Returns the text with the uses [a, b) replaced by their expansions; lines stay where they are. Adds uses that must
 * stay to `settled`. NULL: none could be replaced, and none is new there. The caller frees it. Sorts `uses`. */
char *ez_macro_expand(const struct ez_instrument *k, const char *text, size_t size,
                      struct ez_tu_macro *uses, size_t n, ez_macros_settled *settled);
void ez_macros_settled_free(ez_macros_settled *v);

/* The text as the compiler preprocesses it in place of the file. NULL: that fails. The caller frees it. */
char *ez_macro_preprocess(const struct ez_instrument *k, const char *text, size_t size);

#endif
