/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fwrap.h - code of Fortran, each line within the length that its form has.
 * Tests: tests/source/snippets.sh (long_lines.f90, fixed_hard.f) */
#ifndef EZ_FWRAP_H
#define EZ_FWRAP_H

#include "engine/base/base.h"

/* Takes and replaces the code; NULL stays NULL. */
char *ez_fwrap(bool fixed, char *code);

#endif
