/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fwrap.h - code of Fortran, each line within the length that its form has.
 * Tests: tests/source/snippets.sh (long_lines.f90, fixed_hard.f) */
#ifndef EZ_FWRAP_H
#define EZ_FWRAP_H

#include "engine/base/base.h"

/* Takes and replaces the code; NULL stays NULL. */
char *ez_fwrap(bool fixed, char *code);

/* The code, which is taken, with `as` in place of the name where it is a variable's: not in a literal, of a component, or,
 * but for arrays, before arguments. The caller frees. */
char *ez_frename(char *code, const char *name, const char *as, bool arrays);

#endif
