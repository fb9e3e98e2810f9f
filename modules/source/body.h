/* SPDX-License-Identifier: GPL-3.0-or-later */
/* body.h - the edits of one routine of C or C++.
 *
 * The code is `{ DECL INIT ENTRY { the body } EXIT }`. A block of its own keeps the body's names apart from
 * those of DECL. In C each `return e;` becomes a block that has evaluated e before EXIT; in C++ one object,
 * made behind ENTRY, runs EXIT when it is destroyed, so that exceptions, moves and elided copies are what
 * they were. An object needs a lambda: in C++98 it is as in C, in a try block that runs EXIT for exceptions.
 * Tests: tests/source/snippets.sh */
#ifndef EZ_BODY_H
#define EZ_BODY_H

#include "modules/source/edit.h"
#include "modules/source/own.h"
#include "modules/source/routine.h"

struct ez_body_loop { /* the bytes [a, b)                                                    */
    size_t a, b;
};

struct ez_body {
    const struct ez_tu *t;
    const struct ez_spec *spec;
    struct ez_own_routine *r; /* `left` is set when a place cannot be instrumented               */
    struct ez_edits *edits;
    unsigned id;             /* of the routine, for names                                       */
    const ez_own_names *own; /* that are others in its code: of routine id - 1           */
    EZ_VEC(struct ez_tu_macro) hiding; /* macros that hide a place: they must be expanded first */
    EZ_VEC(char *) exits; /* C++: EXIT's text at each return where it is not that at the end */
    char *leave;          /* EXIT at the end of the body; NULL = there is none               */
    bool result;          /* EXIT asks for ez_ret()                                          */
    EZ_VEC(struct ez_body_loop) loops; /* that have an exit                                  */
    size_t collapsed; /* the end of a loop whose inner loops are one with it             */
    long order;       /* of the frame, in edits                                           */
    unsigned places;  /* that were instrumented                                          */
};

/* The fragment at a byte of the file; NULL = there is none. */
char *ez_body_fragment(const struct ez_body *b, enum ez_spec_point point, size_t at,
                       const char *callee);
/* Do objects run what is at an end? Since C++11; else the code is there itself. */
bool ez_body_guarded(const struct ez_body *b);
/* Are exceptions caught for that? Not in destructors: what they throw ends the program since C++11. */
bool ez_body_catches(const struct ez_body *b);
/* Does a macro have either end of the piece? Then it must be expanded. */
bool ez_body_hidden(struct ez_body *b, size_t from, size_t last);
void ez_body_leave(struct ez_body *b, const char *why);
/* Code around a call, and before one that ends the program. */
void ez_body_call(struct ez_body *b, CXCursor c, size_t a, size_t end);
/* What begins and ends the body, once the places in it are known. */
void ez_body_frame(struct ez_body *b);
/* Adds the edits. With a macro in `hiding`, they are to be thrown away. */
void ez_body_edit(struct ez_body *b);
void ez_body_free(struct ez_body *b);

/* The text that a file of C++ needs before these edits. */
extern const char ez_body_prelude[];

#endif
