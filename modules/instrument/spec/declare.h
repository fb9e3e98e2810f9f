/* SPDX-License-Identifier: GPL-3.0-or-later */
/* declare.h - finds declarations, in the code of a rule with file and line, of variables and
 * functions that the program itself defines.
 *
 * `static int level;` and `extern int level;` mean the file's own variable. In some places a
 * compiler would take them for something else: before the file's definition, or in another object.
 * There another text replaces the declaration. Declarations may be in namespaces or in `extern "C"
 * {}`. */
#ifndef EZ_SPEC_DECLARE_H
#define EZ_SPEC_DECLARE_H

#define EZ_SPEC_UNNAMED "(anonymous namespace)::"

#include "engine/base/base.h"
#include "engine/base/vec.h"

struct ez_declaration {
    bool is_static;     /* true: `static`; false: `extern` */
    const char *within; /* namespaces around it: "ns::", "(anonymous namespace)::"; "" = file
                         * scope */
    bool is_function;
    const char *name;
    const char *specifiers, *before,
        *behind; /* such as " const int", "*table[3]" and " __attribute__((...))" */
    size_t at;   /* offset of the name in `before` */
};
/* Callback for a declaration. Returns true to replace it by *text, which the callback allocates;
 * NULL = by nothing. *last: text to add at the end of the file. */
typedef bool ez_declare_fn(const struct ez_declaration *d, char **text, char **last, void *arg);
/* Returns the code with its declarations replaced as fn says; those with a value stay. *last: text
 * for the end of the file, with the line numbers of the declarations; NULL = none. The caller frees
 * both. */
char *ez_spec_declarations(const char *code, ez_declare_fn *fn, void *arg, char **last);

#endif
