/* SPDX-License-Identifier: GPL-3.0-or-later */
/* floop.h - the DO loops of a Fortran unit, and which of them a statement leaves. */
#ifndef EZ_FLOOP_H
#define EZ_FLOOP_H

#include "modules/instrument/source/unit.h"

struct ez_floop {
    size_t begin, end; /* its DO, and its last statement: END DO, or the one with its label */
    const char *name;  /* n letters: `name: do`; n = 0: no name */
    size_t n;
    size_t label, label_n; /* letters of its DO: label that ends it; label_n = 0: END DO ends it */
    bool concurrent;       /* called procedures must be pure */
    bool closed;           /* set by the edits: nothing may be inserted before and after it */
};

typedef EZ_VEC(struct ez_floop) ez_floops;

/* Finds loops, outer before inner ones. Several may end at one label. Names are those of the
 * statements. */
void ez_floops_find(const ez_fstmts *s, const struct ez_unit *u, ez_floops *out);
/* Returns how many loops the statement leaves by EXIT, CYCLE, GO TO or RETURN without reaching
 * their ends. */
size_t ez_floops_left(const ez_fstmts *s, const struct ez_unit *u, const ez_floops *loops,
                      size_t i);
/* Returns true if the statement is after the loop's DO, and not after its end. */
bool ez_floop_has(const struct ez_floop *l, size_t i);

#endif
