/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fown.h - names that code declares in a routine of Fortran which has the same names for something else (own.h): a variable
 * of its module, for one, which the code's would hide. */
#ifndef EZ_FOWN_H
#define EZ_FOWN_H

#include "engine/base/base.h"
#include "engine/base/vec.h"

typedef EZ_VEC(char *) ez_fown_names;

/* Those that the code declares and the n bytes of the unit name, but for what its head names: arguments, the result. */
void ez_fown_find(const char *code, const char *text, size_t n, const char *head,
                  ez_fown_names *out);
/* Code in which they are others. It is taken. */
char *ez_fown_rename(const ez_fown_names *names, char *code);
void ez_fown_free(ez_fown_names *names);

#endif
