/* SPDX-License-Identifier: GPL-3.0-or-later */
/* macro.h - expands preprocessor macros in a text, by C's rules. */
#ifndef EZ_MACRO_H
#define EZ_MACRO_H

#include "engine/base/base.h"
#include "engine/base/err.h"

struct ez_macros {
    /* Returns the definition as in debug information, "NAME body" or "NAME(a,b) body", or NULL if
     * the name is no macro. The definition must live until the text is expanded. */
    const char *(*find)(void *arg, const char *name);
    void *arg;
};

/* Expands the text. *out is the result, which the caller frees, or NULL if the text has no macros.
 * Returns EZ_E_ARG: "Wrong number of arguments to macro ..."; EZ_E_LIMIT if the text becomes too
 * long or macros are nested too deeply. */
ez_err *ez_macro_expand(const struct ez_macros *m, const char *text, char **out) EZ_WUR;

#endif
