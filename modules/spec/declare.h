/* SPDX-License-Identifier: GPL-3.0-or-later */
/* declare.h - declarations that the code of a rule with file and line has of what the program defines itself.
 *
 * `static int level;` and `extern int level;` mean the file's own variable. Where a compiler would not have it so, before the
 * definition or in another object, something else stands in their place. They may be in namespaces, or in `extern "C" {}`. */
#ifndef EZ_SPEC_DECLARE_H
#define EZ_SPEC_DECLARE_H

#define EZ_SPEC_UNNAMED "(anonymous namespace)::"

#include "engine/base/base.h"
#include "engine/base/vec.h"

struct ez_declaration {
    bool is_static;     /* else `extern`                                                         */
    const char *within; /* "ns::", "(anonymous namespace)::"; "" = the file's                  */
    bool is_function;
    const char *name;
    const char *specifiers, *before,
        *behind; /* " const int", "*table[3]", " __attribute__((...))" */
    size_t at;   /* where the name is in `before`                      */
};
/* true: *text, which the callee makes, stands for the declaration; NULL = nothing does. So does *last, at the end of the
 * file. */
typedef bool ez_declare_fn(const struct ez_declaration *d, char **text, char **last, void *arg);
/* The code, with what fn says in place of declarations without a value. *last: what stands at the end of the file, in the
 * lines of the code to which it belongs; NULL = nothing. The caller frees both. */
char *ez_spec_declarations(const char *code, ez_declare_fn *fn, void *arg, char **last);

#endif
