/* SPDX-License-Identifier: GPL-3.0-or-later */
/* routine.h - the routines of a file, as specifications know them: signature, place in the source, and how code of C
 * gets at arguments and result (modules/ezt_fragment.h). Without debug information: the symbols. */
#ifndef EZ_ROUTINE_H
#define EZ_ROUTINE_H

#include "engine/base/err.h"
#include "engine/base/vec.h"

struct ez_object;

enum ez_routine_lang { EZ_ROUTINE_C, EZ_ROUTINE_CXX, EZ_ROUTINE_FORTRAN };

struct ez_routine_param {
    const char *name;
    /* "int n = (int)ez->reg[5]", in C. Of Fortran its address, in C; "integer(kind=4), pointer :: n"; and of an array
     * ", [2, 3]" and "(1:, 0:)". Owned. */
    char *declaration, *fortran, *shape, *bounds;
    const char
        *why;    /* Fortran: "is of a derived type": code cannot name it. NULL = it can        */
    bool result; /* no parameter, but the function's result; in Fortran alone              */
    char *
        tag; /* "struct pair": it points to that, which has `size` bytes; NULL = to nothing so. Owned */
    uint64_t size;
};

struct ez_routine {
    uint64_t vaddr, end; /* its code, in the file                                         */
    const char *symbol;
    char *name, *signature; /* "ns::C::f", "int ns::C::f(int) const"; owned               */
    const char
        *file; /* as the compiler was given it; without debug information the object's name */
    enum ez_routine_lang lang;
    unsigned begin_line, begin_col, end_line, end_col; /* of the body, from 1; 0 = not known */
    bool known; /* there is debug information about it                                  */
    char *
        inlined; /* "into main, f: 3 copies"; NULL = nowhere. With vaddr 0 there is no code besides. Owned */
    char *result; /* "(int)ez->reg[0]"; NULL: it has none; "": C cannot say it. Owned      */
    EZ_VEC(struct ez_routine_param) param; /* those that C can say                        */
};

struct ez_routine_call { /* a direct call in a routine's code                                    */
    uint64_t behind;     /* its return address, in the file                                   */
    uint64_t to;         /* the function there; 0 = another file's, which `symbol` names      */
    const char *symbol;  /* never NULL                                                        */
    const char *file;    /* NULL = not known                                                  */
    unsigned line;       /* 0 = not known                                                     */
};
/* Calls fn for each call in [begin, end) of the file. */
void ez_routine_calls_of(struct ez_object *obj, uint64_t begin, uint64_t end, bool lines,
                         void (*fn)(const struct ez_routine_call *, void *), void *arg);

/* Calls fn for each return statement by which a routine with a result is left, with its line. vaddr: in the file; code that
 * comes there leaves by that statement; 0 = there is no such place. line 0 = of one that is not known. No call: none is
 * known. */
void ez_routine_returns(struct ez_object *obj, const struct ez_routine *of,
                        void (*fn)(uint64_t vaddr, unsigned line, void *arg), void *arg);

/* What a name of Fortran, in lower case, means in a routine besides its parameters: a variable of a module, of a COMMON
 * block, a saved one, a constant. */
struct ez_routine_name {
    char *fortran, *shape, *bounds; /* as of a parameter; owned by who asked                 */
    uint64_t vaddr;                 /* its place in the file; 0 = it is a constant              */
    const char *why;                /* as of a parameter                                     */
};
/* false: the debug information of the routine's file knows no such variable. */
bool ez_routine_name(struct ez_object *obj, uint64_t vaddr, const char *name,
                     struct ez_routine_name *out);
void ez_routine_name_free(struct ez_routine_name *n);

/* Calls fn for each function of the file; with debug information, those that a source file itself defines, not a header, also such as were
 * inlined everywhere; what is made for the call is gone when
 * it returns. false from fn ends it. */
void ez_routines_of(struct ez_object *obj, bool (*fn)(const struct ez_routine *, void *),
                    void *arg);

#endif
