/* SPDX-License-Identifier: GPL-3.0-or-later */
/* body.h - the edits of one routine of C or C++.
 *
 * The edited body is `{ DECL INIT ENTRY { the body } EXIT }`. The inner block keeps names of the
 * body apart from those of DECL. In C each `return e;` becomes a block that evaluates e before
 * EXIT. In C++ an object, made after ENTRY, runs EXIT in its destructor, so that exceptions, moves
 * and elided copies stay as they were. The object needs a lambda, which C++98 does not have. So
 * C++98 is handled as C, with a try block that runs EXIT for exceptions.
 * Tests: tests/source/snippets.sh */
#ifndef EZ_BODY_H
#define EZ_BODY_H

#include "modules/instrument/source/edit.h"
#include "modules/instrument/source/own.h"
#include "modules/instrument/source/routine.h"

struct ez_body_loop { /* a loop: the bytes [a, b) */
    size_t a, b;
};

struct ez_body {
    const struct ez_tu *t;
    const struct ez_spec *spec;
    struct ez_own_routine *r; /* the routine; its `left` is set if a place cannot be instrumented */
    struct ez_edits *edits;
    unsigned id;                       /* number of the routine, which makes inserted names
                                        * unique */
    const ez_own_names *own;           /* names that the code must not use in this routine */
    EZ_VEC(struct ez_tu_macro) hiding; /* macros that hide a place: they must be expanded first */
    /* C++: texts of EXIT that differ from the one at the end of the body */
    EZ_VEC(char *) exits;
    char *leave;                       /* EXIT at the end of the body, or NULL */
    bool result;                       /* EXIT uses ez_ret() */
    EZ_VEC(struct ez_body_loop) loops; /* loops that have an exit */
    size_t collapsed;                  /* end of the loop whose inner loops an OpenMP pragma
                                        * collapses */
    long order;                        /* place of the frame in the order of edits */
    unsigned places;                   /* number of places that got code */
};

/* Returns the code of all clauses for a point at byte `at`; NULL if there is none. The caller
 * frees. */
char *ez_body_fragment(const struct ez_body *b, enum ez_spec_point point, size_t at,
                       const char *callee);
/* Returns true if an object's destructor runs EXIT (since C++11); else EXIT's code is at each
 * return. */
bool ez_body_guarded(const struct ez_body *b);
/* Returns true if a try block runs EXIT for exceptions, because no object does. Not in destructors:
 * since C++11 their exceptions end the program. */
bool ez_body_catches(const struct ez_body *b);
/* Returns true if the start or the end of the bytes is inside of a macro's use. Then the macro is
 * added to `hiding`, to be expanded. */
bool ez_body_hidden(struct ez_body *b, size_t from, size_t last);
void ez_body_leave(struct ez_body *b, const char *why);
/* Adds code around a call, and before one that ends the program. */
void ez_body_call(struct ez_body *b, CXCursor c, size_t a, size_t end);
/* Adds the edits at the start and the end of the body. Called last, because they depend on the
 * places inside. */
void ez_body_frame(struct ez_body *b);
/* Adds all edits of the routine. If `hiding` is not empty afterwards, the caller must drop them,
 * expand these macros and begin again. */
void ez_body_edit(struct ez_body *b);
void ez_body_free(struct ez_body *b);

/* Declarations that a C++ file needs before the edited routines. */
extern const char ez_body_prelude[];

#endif
