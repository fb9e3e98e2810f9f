/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fwrap.h - wraps lines of Fortran code at the maximum length of its form, fixed or free.
 * Tests: tests/source/snippets.sh (long_lines.f90, fixed_hard.f) */
#ifndef EZ_FWRAP_H
#define EZ_FWRAP_H

#include "engine/base/base.h"

/* Returns the code with long lines wrapped; NULL for NULL. Owns `code`. The caller frees the
 * result. */
char *ez_fwrap(bool fixed, char *code);

/* Replaces the name of a variable by `as`. Literals, names of components, and names before
 * arguments stay; with `arrays`, names before arguments are replaced, too. Owns `code`. The caller
 * frees the result. */
char *ez_frename(char *code, const char *name, const char *as, bool arrays);

#endif
