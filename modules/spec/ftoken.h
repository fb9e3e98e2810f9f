/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ftoken.h - words of code of Fortran in free form, and what it declares.
 * Tests: tests/procs/spec.sh, tests/source/names.sh */
#ifndef EZ_FTOKEN_H
#define EZ_FTOKEN_H

#include "engine/base/base.h"

#define EZ_FTOKEN_WORD 1 /* kinds of tokens: 0 = the end, a word, else the character */

struct ez_ftoken {
    int kind;
    const char *at;
    size_t n;
};

/* Behind blanks, comments, lines that tell places, and joints of lines. */
const char *ez_ftoken_blank(const char *p, const char *text);
/* The token at *p, which goes behind it. */
struct ez_ftoken ez_ftoken(const char **p, const char *text);
/* In small letters. The caller frees. */
char *ez_ftoken_lower(const struct ez_ftoken *t);
/* Is it the end of a statement? */
bool ez_ftoken_ends(const struct ez_ftoken *t);

/* The name, in small letters, and the first word of the statement: "integer", "common". */
typedef void ez_fdeclared_fn(const char *name, const char *statement, void *arg);
/* Calls fn for each name that the declarations declare. */
void ez_fdeclared(const char *code, ez_fdeclared_fn *fn, void *arg);

#endif
