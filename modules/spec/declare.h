/* SPDX-License-Identifier: GPL-3.0-or-later */
/* declare.h - declarations that the code of a rule with file and line has of what the program defines itself.
 *
 * `static int level;` and `extern int level;` mean the file's own variable. Where a compiler would not have it so, before the
 * definition or in another object, something else stands in their place. */
#ifndef EZ_SPEC_DECLARE_H
#define EZ_SPEC_DECLARE_H

#include "engine/base/base.h"
#include "engine/base/vec.h"

struct ez_declaration {
    bool is_static; /* else `extern`                                                         */
    const char *name;
    const char *specifiers, *before,
        *behind; /* " const int", "*table[3]", " __attribute__((...))" */
};
/* true: *text, which the callee makes, stands for the declaration; NULL = nothing does. */
typedef bool ez_declare_fn(const struct ez_declaration *d, char **text, void *arg);
/* The code, with what fn says in place of declarations without a value. The caller frees it. */
char *ez_spec_declarations(const char *code, ez_declare_fn *fn, void *arg);

#endif
