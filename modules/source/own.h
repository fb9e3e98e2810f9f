/* SPDX-License-Identifier: GPL-3.0-or-later */
/* own.h - names that the code of a specification declares in a routine which has the same names for something else.
 *
 * `decl code="static int level;"` would hide the file's `level` from the routine, and a variable of the routine would hide that one
 * from code at its end. On a binary neither happens. So such names become others in code. */
#ifndef EZ_OWN_H
#define EZ_OWN_H

#include "modules/source/edit.h"
#include "modules/source/routine.h"

struct ez_own_name {
    size_t routine; /* by index                                                              */
    char *name;
};
typedef EZ_VEC(struct ez_own_name) ez_own_names;

/* Adds what `made`, the text with the edits, declares in the routines of `t`. true: there are new ones. */
bool ez_own_find(const struct ez_tu *made, const struct ez_edits *edits, const struct ez_tu *t,
                 const ez_routines *routines, ez_own_names *names);
/* Code in which the name, if the routine has it, is another. The code is taken. */
char *ez_own_rename(const ez_own_names *names, size_t routine, char *code);
void ez_own_free(ez_own_names *names);

#endif
