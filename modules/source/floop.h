/* SPDX-License-Identifier: GPL-3.0-or-later */
/* floop.h - the DO loops of a Fortran unit, and which of them a statement leaves. */
#ifndef EZ_FLOOP_H
#define EZ_FLOOP_H

#include "modules/source/unit.h"

struct ez_floop {
    size_t begin, end; /* its DO, and its last statement: END DO, or that with its label    */
    const char *name;  /* n letters: it is `name: do`; n = 0: it has none                  */
    size_t n;
};

typedef EZ_VEC(struct ez_floop) ez_floops;

/* Those that have an end of their own, outer before inner ones: of loops that end at one label, the outermost
 * has it. Names are of the statements. */
void ez_floops_find(const ez_fstmts *s, const struct ez_unit *u, ez_floops *out);
/* How many loops the statement leaves by EXIT, CYCLE, GO TO or RETURN so that it does not come to their
 * ends. */
size_t ez_floops_left(const ez_fstmts *s, const ez_floops *loops, size_t i);

#endif
