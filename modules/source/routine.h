/* SPDX-License-Identifier: GPL-3.0-or-later */
/* routine.h - the routines of a file of C or C++ that have a body in it. */
#ifndef EZ_ROUTINE_H
#define EZ_ROUTINE_H

#include "modules/source/tu.h"

struct ez_own_routine {
    CXCursor cursor, body;
    size_t begin, end; /* of the body: at its '{', behind its '}'                            */
    struct ez_spec_routine r; /* its texts belong to it                                      */
    char *left;   /* why it is left alone; NULL = it is not                             */
    char *result; /* the type, as C has it; NULL = void                                 */
    bool scalar;  /* the result is no class and no reference                            */
    bool lambda;
    bool hidden; /* the body comes out of a macro: `begin` is in its use               */
    bool is_main;
    unsigned line; /* of its name, as debug information has it                              */
};

typedef EZ_VEC(struct ez_own_routine) ez_routines;

/* Those of the file, in its order. `file` is the name that specifications see. */
void ez_routines_find(const struct ez_tu *t, const char *file, ez_routines *out);
void ez_routines_free(ez_routines *v);
/* "int ns::C::f(int) const" and "ns::C::f" of a function. The caller frees them. */
char *ez_routine_name(CXCursor c);
char *ez_routine_signature(CXCursor c);

#endif
