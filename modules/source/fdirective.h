/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fdirective.h - OpenMP's and OpenACC's directives around a statement of Fortran.
 * Tests: tests/source/snippets.sh (directives.f90, directives_loops.f90) */
#ifndef EZ_FDIRECTIVE_H
#define EZ_FDIRECTIVE_H

#include "modules/source/lines.h"

/* The line at or above `begin` before which nothing belongs to the statement at `begin`: the directives above that are
 * about it, or all that do not declare or end something. */
size_t ez_fdirective_above(const char *text, const ez_lines *lines, bool fixed, size_t begin,
                           bool all);
/* The end of the line with the directive that ends what the statement on the line that ends at `end` is in; else
 * `end`. */
size_t ez_fdirective_below(const char *text, size_t size, size_t end);

#endif
