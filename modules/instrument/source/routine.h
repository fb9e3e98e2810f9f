/* SPDX-License-Identifier: GPL-3.0-or-later */
/* routine.h - the routines with a body in a C or C++ file. */
#ifndef EZ_ROUTINE_H
#define EZ_ROUTINE_H

#include "modules/instrument/source/tu.h"

struct ez_own_routine {
    CXCursor cursor, body;
    size_t begin, end;        /* range of the body: from its '{' to after its '}' */
    struct ez_spec_routine r; /* the routine's description; owns its strings */
    char *left; /* why the routine cannot be instrumented; NULL = the routine can be instrumented */
    char *result; /* type of the result; NULL = void */
    bool scalar;  /* the result is no class and no reference */
    bool lambda;
    bool hidden; /* a macro contains the body: `begin` is in the macro's use */
    bool is_main;
    unsigned line; /* line of its name, as in debug information */
};

typedef EZ_VEC(struct ez_own_routine) ez_routines;

/* Finds the routines of the file, in their order. file: the name for specifications. */
void ez_routines_find(const struct ez_tu *t, const char *file, ez_routines *out);
void ez_routines_free(ez_routines *v);
/* Return "ns::C::f", and "int ns::C::f(int) const", for a function. The caller frees the text. */
char *ez_routine_name(CXCursor c);
char *ez_routine_signature(CXCursor c);

#endif
