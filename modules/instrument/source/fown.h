/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fown.h - names that inserted code declares in a Fortran routine which uses the same names for
 * something else (own.h): a variable of its module, for example, would be hidden by the code's. */
#ifndef EZ_FOWN_H
#define EZ_FOWN_H

#include "engine/base/base.h"
#include "engine/base/vec.h"

typedef EZ_VEC(char *) ez_fown_names;

/* Finds the names that the code declares and that the unit (text[0..n)) also uses, except names in
 * the unit's head: arguments and the result. */
void ez_fown_find(const char *code, const char *text, size_t n, const char *head,
                  ez_fown_names *out);
/* Returns the code with these names replaced. Owns `code`. */
char *ez_fown_rename(const ez_fown_names *names, char *code);
void ez_fown_free(ez_fown_names *names);

#endif
