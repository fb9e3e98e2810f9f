/* SPDX-License-Identifier: GPL-3.0-or-later */
/* routine.h - the routines of a file for specifications: signature, place in the source, and how C
 * code accesses arguments and result (modules/ezt_fragment.h). Without debug information, only the
 * symbols are known. */
#ifndef EZ_ROUTINE_H
#define EZ_ROUTINE_H

#include "engine/base/err.h"
#include "engine/base/vec.h"

struct ez_object;

enum ez_routine_lang { EZ_ROUTINE_C, EZ_ROUTINE_CXX, EZ_ROUTINE_FORTRAN };

struct ez_routine_param {
    const char *name;
    /* declaration: C code, "int n = (int)ez->reg[5]"; in Fortran, C code of the parameter's
     * address. Only for Fortran: fortran, "integer(kind=4), pointer :: n"; of an array: shape, ",
     * [2, 3]", and bounds, "(1:, 0:)". Owned. */
    char *declaration, *fortran, *shape, *bounds;
    /* why Fortran code cannot use the parameter: "is of a derived type"; NULL if it can */
    const char *why;
    bool result; /* true if the variable is the function's result; Fortran only */
    /* tag of the struct of `size` bytes to which the parameter points: "struct pair"; owned, or
     * NULL */
    char *tag;
    uint64_t size;
};

struct ez_routine {
    uint64_t vaddr, end; /* range of its code in the file */
    const char *symbol;
    char *name, *signature; /* "ns::C::f", "int ns::C::f(int) const"; owned */
    /* source file as given to the compiler; without debug information, the name of the object */
    const char *file;
    enum ez_routine_lang lang;
    unsigned begin_line, begin_col, end_line, end_col; /* of the body, from 1; 0 if unknown */
    bool known;                                        /* the routine has debug information */
    /* where the routine is inlined: "into main, f: 3 copies"; NULL if nowhere; owned. vaddr is 0 if
     * it has no code of its own. */
    char *inlined;
    /* C code for the result, "(int)ez->reg[0]"; NULL if there is no result; "" if C cannot express
     * it; owned */
    char *result;
    EZ_VEC(struct ez_routine_param) param; /* the parameters that C code can read */
};

struct ez_routine_call { /* a direct call in a routine's code */
    uint64_t behind;     /* return address of the call, as an address in the file */
    /* the called function; 0 if it is in another file, and `symbol` is its name */
    uint64_t to;
    const char *symbol; /* never NULL */
    const char *file;   /* NULL if unknown */
    unsigned line;      /* 0 if unknown */
};
/* Calls fn for each direct call in [begin, end), addresses in the file. lines: find the calls'
 * source lines. */
void ez_routine_calls_of(struct ez_object *obj, uint64_t begin, uint64_t end, bool lines,
                         void (*fn)(const struct ez_routine_call *, void *), void *arg);

/* Calls fn for each return statement of a routine with a result. vaddr: an address in the file; a
 * thread that executes it leaves the routine by that statement; 0 if there is no such address.
 * line: 0 if unknown. Does not call fn if no return is known. */
void ez_routine_returns(struct ez_object *obj, const struct ez_routine *of,
                        void (*fn)(uint64_t vaddr, unsigned line, void *arg), void *arg);

/* What a name in lower case means in a Fortran routine, if it is no parameter: a variable of a
 * module or a COMMON block, a saved variable, a constant. */
struct ez_routine_name {
    char *fortran, *shape, *bounds; /* as in struct ez_routine_param; owned by the caller */
    uint64_t vaddr;                 /* address of the variable in the file; 0 for a constant */
    const char *why;                /* as in struct ez_routine_param */
};
/* Returns false if the debug information of the routine's file has no such variable. */
bool ez_routine_name(struct ez_object *obj, uint64_t vaddr, const char *name,
                     struct ez_routine_name *out);
void ez_routine_name_free(struct ez_routine_name *n);

/* Calls fn for each function of the file; with debug information, only for functions that a source
 * file defines, not a header. They include functions that are inlined everywhere. The routine is
 * valid only during the call. fn returns false to stop. */
void ez_routines_of(struct ez_object *obj, bool (*fn)(const struct ez_routine *, void *),
                    void *arg);

#endif
