/* SPDX-License-Identifier: GPL-3.0-or-later */
/* body.h - the edits of one routine of C or C++.
 *
 * The code is `{ DECL INIT ENTRY { the body } EXIT }`. A separate block keeps the body's names
 * apart from those of DECL. In C each `return e;` becomes a block that evaluates e before EXIT. In
 * C++ an object, made after ENTRY, runs EXIT when it is destroyed, so that exceptions, moves and
 * elided copies stay as they were. The object needs a lambda. So C++98 is handled as C, in a try
 * block that runs EXIT for exceptions.
 * Tests: tests/source/snippets.sh */
#ifndef EZ_BODY_H
#define EZ_BODY_H

#include "modules/instrument/source/edit.h"
#include "modules/instrument/source/own.h"
#include "modules/instrument/source/routine.h"

struct ez_body_loop { /* the bytes [a, b) */
    size_t a, b;
};

struct ez_body {
    const struct ez_tu *t;
    const struct ez_spec *spec;
    struct ez_own_routine *r; /* `left` is set if a place cannot be instrumented */
    struct ez_edits *edits;
    unsigned id;                       /* number of the routine, for names */
    const ez_own_names *own;           /* names of routine id - 1 that its code must avoid */
    EZ_VEC(struct ez_tu_macro) hiding; /* macros that hide a place: they must be expanded first */
    /* C++: EXIT's text at each return where it differs from that at the end */
    EZ_VEC(char *) exits;
    char *leave;                       /* EXIT at the end of the body, or NULL */
    bool result;                       /* EXIT uses ez_ret() */
    EZ_VEC(struct ez_body_loop) loops; /* loops that have an exit */
    size_t collapsed;                  /* end of a loop whose inner loops are collapsed with it */
    long order;                        /* place of the frame in the order of edits */
    unsigned places;                   /* number of instrumented places */
};

/* Returns the fragment at a byte of the file, or NULL. */
char *ez_body_fragment(const struct ez_body *b, enum ez_spec_point point, size_t at,
                       const char *callee);
/* Returns true if objects run the code at an end, since C++11; otherwise the code is there
 * itself. */
bool ez_body_guarded(const struct ez_body *b);
/* Returns true if exceptions are caught for that. Not in destructors: their exceptions end the
 * program since C++11. */
bool ez_body_catches(const struct ez_body *b);
/* Returns true if a macro contains either end of the piece. Then the macro must be expanded. */
bool ez_body_hidden(struct ez_body *b, size_t from, size_t last);
void ez_body_leave(struct ez_body *b, const char *why);
/* Adds code around a call, and before one that ends the program. */
void ez_body_call(struct ez_body *b, CXCursor c, size_t a, size_t end);
/* Adds the beginning and end of the body, once the places in it are known. */
void ez_body_frame(struct ez_body *b);
/* Adds the edits. If `hiding` is not empty, the edits must be dropped. */
void ez_body_edit(struct ez_body *b);
void ez_body_free(struct ez_body *b);

/* Text that a C++ file needs before these edits. */
extern const char ez_body_prelude[];

#endif
