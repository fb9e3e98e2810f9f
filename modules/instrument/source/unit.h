/* SPDX-License-Identifier: GPL-3.0-or-later */
/* unit.h - program units and procedures of a Fortran file, and what their statements do. */
#ifndef EZ_UNIT_H
#define EZ_UNIT_H

#include "modules/instrument/source/scan.h"

enum ez_unit_kind {
    EZ_UNIT_PROGRAM,
    EZ_UNIT_PROCEDURE, /* subroutine, function, separate module procedure */
    EZ_UNIT_SCOPE,     /* module, submodule, block data: no code of its own */
};

struct ez_unit {
    enum ez_unit_kind kind;
    char *name;           /* name in lower case: "module::sub", "module.submodule::sub" */
    size_t parent;        /* index of the surrounding unit; SIZE_MAX = none */
    size_t head;          /* index of its first statement; SIZE_MAX = a main program without a
                           * head */
    size_t end, contains; /* indexes of END and of CONTAINS; SIZE_MAX = none */
    size_t first;         /* index of the first executable statement; if there is none, of CONTAINS
                           * or END */
    bool pure;
    EZ_VEC(size_t) own; /* indexes of the unit's statements, without those of inner procedures */
};

typedef EZ_VEC(struct ez_unit) ez_units;

/* Finds the units of a file, except those in interface blocks. */
void ez_units_find(const ez_fstmts *s, ez_units *out);
void ez_units_free(ez_units *v);

/* Finds what a statement does. *from: index of the letter at which the statement's action begins,
 * as after the condition of `if (...) return`; otherwise 0. */
enum ez_unit_act {
    EZ_UNIT_OTHER,
    EZ_UNIT_RETURN,
    EZ_UNIT_STOP, /* STOP, ERROR STOP, CALL EXIT, CALL ABORT */
    EZ_UNIT_CALL,
    EZ_UNIT_ENTRY,
};
enum ez_unit_act ez_unit_act(const struct ez_fstmt *s, size_t *from);

#endif
