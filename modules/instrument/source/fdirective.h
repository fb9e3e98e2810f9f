/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fdirective.h - OpenMP and OpenACC directives that belong to a statement of Fortran: code must not
 * be inserted between.
 * Tests: tests/source/snippets.sh (directives.f90, directives_loops.f90) */
#ifndef EZ_FDIRECTIVE_H
#define EZ_FDIRECTIVE_H

#include "modules/instrument/source/lines.h"

/* Returns the offset of the first line that belongs to the statement at `begin`: that of the
 * directives above which apply to it. With `all`, other directives count, too, except those that
 * declare or end something. */
size_t ez_fdirective_above(const char *text, const ez_lines *lines, bool fixed, size_t begin,
                           bool all);
/* Returns the end of the line with the directive that ends the construct of a statement; `end`, the
 * end of the statement's line, if there is none. */
size_t ez_fdirective_below(const char *text, size_t size, size_t end);

#endif
