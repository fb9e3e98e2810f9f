/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fwrap.h - limits the lines of Fortran code to the length of its form.
 * Tests: tests/source/snippets.sh (long_lines.f90, fixed_hard.f) */
#ifndef EZ_FWRAP_H
#define EZ_FWRAP_H

#include "engine/base/base.h"

/* Takes the code over, and returns the wrapped code; NULL for NULL. */
char *ez_fwrap(bool fixed, char *code);

/* Replaces a variable's name by `as`: not in a literal, of a component, or, except for arrays,
 * before arguments. Takes the code over. The caller frees the result. */
char *ez_frename(char *code, const char *name, const char *as, bool arrays);

#endif
