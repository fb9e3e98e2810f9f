/* SPDX-License-Identifier: GPL-3.0-or-later */
/* unit.h - the program units and procedures of a Fortran file, and kinds of statements. */
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
    char *name;           /* "module::sub", "module.submodule::sub", in lower case */
    size_t parent;        /* SIZE_MAX: none */
    size_t head;          /* first statement; SIZE_MAX: a program without one */
    size_t end, contains; /* SIZE_MAX: none */
    size_t first;         /* first executable statement, `contains` or `end` */
    bool pure;
    EZ_VEC(size_t) own; /* its statements, without those of its inner procedures */
};

typedef EZ_VEC(struct ez_unit) ez_units;

/* Finds the units, except those in interfaces, and those without an end. */
void ez_units_find(const ez_fstmts *s, ez_units *out);
void ez_units_free(ez_units *v);

/* Finds what a statement does. *from: for `if (...) return` and similar ones, the index of the
 * letter at which the action begins; otherwise 0. */
enum ez_unit_act {
    EZ_UNIT_OTHER,
    EZ_UNIT_RETURN,
    EZ_UNIT_STOP, /* STOP, ERROR STOP, CALL EXIT, CALL ABORT */
    EZ_UNIT_CALL,
    EZ_UNIT_ENTRY,
};
enum ez_unit_act ez_unit_act(const struct ez_fstmt *s, size_t *from);

#endif
