/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fown.h - names that inserted code declares in a Fortran routine that uses the same names for
 * something else (own.h), such as a variable of its module, which the code's name would hide. */
#ifndef EZ_FOWN_H
#define EZ_FOWN_H

#include "engine/base/base.h"
#include "engine/base/vec.h"

typedef EZ_VEC(char *) ez_fown_names;

/* Finds the names that the code declares and that the n bytes of the unit use, except names of its
 * head: arguments, the result. */
void ez_fown_find(const char *code, const char *text, size_t n, const char *head,
                  ez_fown_names *out);
/* Returns code in which these names are replaced. Takes `code` over. */
char *ez_fown_rename(const ez_fown_names *names, char *code);
void ez_fown_free(ez_fown_names *names);

#endif
