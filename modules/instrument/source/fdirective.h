/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fdirective.h - OpenMP and OpenACC directives around a statement of Fortran.
 * Tests: tests/source/snippets.sh (directives.f90, directives_loops.f90) */
#ifndef EZ_FDIRECTIVE_H
#define EZ_FDIRECTIVE_H

#include "modules/instrument/source/lines.h"

/* Returns the first line of what belongs to the statement at `begin`: the directives above that
 * apply to it, or, with `all`, all that declare or end nothing. */
size_t ez_fdirective_above(const char *text, const ez_lines *lines, bool fixed, size_t begin,
                           bool all);
/* Returns the end of the line with the directive that ends the construct around the statement on
 * the line that ends at `end`, otherwise `end`. */
size_t ez_fdirective_below(const char *text, size_t size, size_t end);

#endif
