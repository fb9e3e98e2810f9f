/* SPDX-License-Identifier: GPL-3.0-or-later */
/* floop.h - the DO loops of a Fortran unit, and which of them a statement leaves. */
#ifndef EZ_FLOOP_H
#define EZ_FLOOP_H

#include "modules/source/unit.h"

struct ez_floop {
    size_t begin, end; /* its DO, and its last statement: END DO, or that with its label    */
    const char *name;  /* n letters: it is `name: do`; n = 0: it has none                  */
    size_t n;
    size_t label,
        label_n;     /* letters of its DO: of the label that ends it; label_n = 0: END DO does */
    bool concurrent; /* what is called in it must be pure                             */
    bool closed;     /* the edits' own: nothing may be put before and behind it                 */
};

typedef EZ_VEC(struct ez_floop) ez_floops;

/* Outer before inner ones. Several may end at one label. Names are of the statements. */
void ez_floops_find(const ez_fstmts *s, const struct ez_unit *u, ez_floops *out);
/* How many loops the statement leaves by EXIT, CYCLE, GO TO or RETURN so that it does not come to their
 * ends. */
size_t ez_floops_left(const ez_fstmts *s, const struct ez_unit *u, const ez_floops *loops,
                      size_t i);
/* Is the statement behind its DO, and no later than its end? */
bool ez_floop_has(const struct ez_floop *l, size_t i);

#endif
