/* SPDX-License-Identifier: GPL-3.0-or-later */
/* floop.h - the DO loops of a Fortran unit, and which of them a statement leaves. */
#ifndef EZ_FLOOP_H
#define EZ_FLOOP_H

#include "modules/instrument/source/unit.h"

struct ez_floop {
    size_t begin, end; /* indexes of statements: its DO; its last one, END DO or the statement with
                        * its label */
    const char *name;  /* name of the loop, n letters, as in `name: do`; n 0 = none */
    size_t n;
    size_t label, label_n; /* position of the label in the letters of the DO; label_n 0 = no label,
                            * END DO ends the loop */
    bool concurrent;       /* DO CONCURRENT, in which called procedures must be pure */
    bool closed;           /* set by fortran.c: code cannot be inserted before and after the loop */
};

typedef EZ_VEC(struct ez_floop) ez_floops;

/* Finds the loops of a unit, outer before inner ones. Several may end at the same label. Their
 * names point into the statements. */
void ez_floops_find(const ez_fstmts *s, const struct ez_unit *u, ez_floops *out);
/* Returns how many loops the statement leaves by EXIT, CYCLE, GO TO or RETURN without reaching
 * their ends. */
size_t ez_floops_left(const ez_fstmts *s, const struct ez_unit *u, const ez_floops *loops,
                      size_t i);
/* Returns true if statement i is in the loop: after its DO, up to its end. */
bool ez_floop_has(const struct ez_floop *l, size_t i);

#endif
