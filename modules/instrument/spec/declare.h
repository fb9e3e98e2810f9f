/* SPDX-License-Identifier: GPL-3.0-or-later */
/* declare.h - declarations, in the code of a rule with file and line, of what the program defines
 * itself.
 *
 * `static int level;` and `extern int level;` mean the file's own variable. Where a compiler would
 * not treat them so, before the definition or in another object, another text replaces them. They
 * may be in namespaces, or in `extern "C" {}`. */
#ifndef EZ_SPEC_DECLARE_H
#define EZ_SPEC_DECLARE_H

#define EZ_SPEC_UNNAMED "(anonymous namespace)::"

#include "engine/base/base.h"
#include "engine/base/vec.h"

struct ez_declaration {
    bool is_static;     /* otherwise `extern` */
    const char *within; /* "ns::", "(anonymous namespace)::"; "": file scope */
    bool is_function;
    const char *name;
    const char *specifiers, *before,
        *behind; /* " const int", "*table[3]", " __attribute__((...))" */
    size_t at;   /* offset of the name in `before` */
};
/* Returns true if *text, which the callee allocates, replaces the declaration; NULL: nothing
 * replaces it. *last is added at the end of the file. */
typedef bool ez_declare_fn(const struct ez_declaration *d, char **text, char **last, void *arg);
/* Returns the code, with fn's texts in place of declarations without a value. *last: text for the
 * end of the file, in the lines of the code to which it belongs; NULL: nothing. The caller frees
 * both. */
char *ez_spec_declarations(const char *code, ez_declare_fn *fn, void *arg, char **last);

#endif
