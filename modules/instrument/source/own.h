/* SPDX-License-Identifier: GPL-3.0-or-later */
/* own.h - names that a specification's code declares in a routine which uses the same names for
 * something else.
 *
 * `decl code="static int level;"` would hide the file's `level` from the routine, and a variable of
 * the routine would hide the code's `level` from code at the routine's end. In a binary neither can
 * happen. So such names are replaced in the code. */
#ifndef EZ_OWN_H
#define EZ_OWN_H

#include "modules/instrument/source/edit.h"
#include "modules/instrument/source/routine.h"

struct ez_own_name {
    size_t routine; /* index of the routine */
    char *name;
};
typedef EZ_VEC(struct ez_own_name) ez_own_names;

/* Finds the names that the code declares in routines. made: the edited text; t: the original.
 * Returns true if it added names. */
bool ez_own_find(const struct ez_tu *made, const struct ez_edits *edits, const struct ez_tu *t,
                 const ez_routines *routines, ez_own_names *names);
/* Returns the code with the names of this routine replaced. Owns `code`. */
char *ez_own_rename(const ez_own_names *names, size_t routine, char *code);
void ez_own_free(ez_own_names *names);

#endif
