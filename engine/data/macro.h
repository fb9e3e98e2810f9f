/* SPDX-License-Identifier: GPL-3.0-or-later */
/* macro.h - text with preprocessor macros becomes text without, by C's rules. */
#ifndef EZ_MACRO_H
#define EZ_MACRO_H

#include "engine/base/base.h"
#include "engine/base/err.h"

struct ez_macros {
    /* The definition, as debug information has it: "NAME body", "NAME(a,b) body"; NULL = it is no macro. It must live
     * until the text is expanded. */
    const char *(*find)(void *arg, const char *name);
    void *arg;
};

/* *out: the text, to be freed; NULL = it has no macros. EZ_E_ARG: "Wrong number of arguments to macro ...";
 * EZ_E_LIMIT: it becomes too long. */
ez_err *ez_macro_expand(const struct ez_macros *m, const char *text, char **out) EZ_WUR;

#endif
