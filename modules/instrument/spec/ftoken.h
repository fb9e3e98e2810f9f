/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ftoken.h - tokens of Fortran code in free form, and the names that it declares.
 * Tests: tests/procs/spec.sh, tests/source/names.sh */
#ifndef EZ_FTOKEN_H
#define EZ_FTOKEN_H

#include "engine/base/base.h"

#define EZ_FTOKEN_WORD 1 /* kinds of tokens: 0 (the end), a word, or the character */

struct ez_ftoken {
    int kind;
    const char *at;
    size_t n;
};

/* Skips blanks, comments, line markers, and continuations of lines. */
const char *ez_ftoken_blank(const char *p, const char *text);
/* Returns the token at *p, and advances *p. */
struct ez_ftoken ez_ftoken(const char **p, const char *text);
/* Returns the token in lower case. The caller frees the text. */
char *ez_ftoken_lower(const struct ez_ftoken *t);
/* Returns true if the token ends a statement. */
bool ez_ftoken_ends(const struct ez_ftoken *t);

/* Callback for a declared name. name: in lower case; statement: the first word of its statement,
 * such as "integer" or "common". */
typedef void ez_fdeclared_fn(const char *name, const char *statement, void *arg);
/* Calls fn for each name that the declarations declare. */
void ez_fdeclared(const char *code, ez_fdeclared_fn *fn, void *arg);

#endif
