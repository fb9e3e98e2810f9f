/* SPDX-License-Identifier: GPL-3.0-or-later */
/* routine.h - the routines of a file for specifications: signature, place in the source, and how C
 * code accesses arguments and result (modules/ezt_fragment.h). Without debug information, only the
 * symbols. */
#ifndef EZ_ROUTINE_H
#define EZ_ROUTINE_H

#include "engine/base/err.h"
#include "engine/base/vec.h"

struct ez_object;

enum ez_routine_lang { EZ_ROUTINE_C, EZ_ROUTINE_CXX, EZ_ROUTINE_FORTRAN };

struct ez_routine_param {
    const char *name;
    /* declaration: C code, "int n = (int)ez->reg[5]". For Fortran: its address in C;
     * "integer(kind=4), pointer :: n"; and for an array ", [2, 3]" and "(1:, 0:)". Owned. */
    char *declaration, *fortran, *shape, *bounds;
    const char *why; /* reason why Fortran code cannot name it: "is of a derived type"; or NULL */
    bool result;     /* the function's result instead of a parameter; Fortran only */
    /* tag of the struct of `size` bytes that it points to: "struct pair"; owned, or NULL */
    char *tag;
    uint64_t size;
};

struct ez_routine {
    uint64_t vaddr, end; /* range of its code in the file */
    const char *symbol;
    char *name, *signature; /* "ns::C::f", "int ns::C::f(int) const"; owned */
    const char *file; /* name that the compiler got; without debug information, the object's name */
    enum ez_routine_lang lang;
    unsigned begin_line, begin_col, end_line, end_col; /* of the body, from 1; 0 if unknown */
    bool known;                                        /* has debug information */
    /* "into main, f: 3 copies", or NULL; with vaddr 0 there is no other code; owned */
    char *inlined;
    char *result; /* "(int)ez->reg[0]"; NULL if there is none; "" if C cannot express it; owned */
    EZ_VEC(struct ez_routine_param) param; /* parameters that C can express */
};

struct ez_routine_call { /* a direct call in a routine's code */
    uint64_t behind;     /* its return address in the file */
    uint64_t to;         /* the called function; 0 for one of another file, named by `symbol` */
    const char *symbol;  /* never NULL */
    const char *file;    /* NULL if unknown */
    unsigned line;       /* 0 if unknown */
};
/* Calls fn for each call in [begin, end) of the file. */
void ez_routine_calls_of(struct ez_object *obj, uint64_t begin, uint64_t end, bool lines,
                         void (*fn)(const struct ez_routine_call *, void *), void *arg);

/* Calls fn for each return statement of a routine with a result. Code that reaches vaddr (in the
 * file) leaves by that statement; 0 = there is no such address. line is 0 if unknown. Does not call
 * fn if no return is known. */
void ez_routine_returns(struct ez_object *obj, const struct ez_routine *of,
                        void (*fn)(uint64_t vaddr, unsigned line, void *arg), void *arg);

/* The meaning of a Fortran name, in lower case, in a routine, other than its parameters: a variable
 * of a module or a COMMON block, a saved variable, a constant. */
struct ez_routine_name {
    char *fortran, *shape, *bounds; /* as in a parameter; owned by the caller */
    uint64_t vaddr;                 /* its address in the file; 0 for a constant */
    const char *why;                /* as in a parameter */
};
/* Returns false if the debug information of the routine's file has no such variable. */
bool ez_routine_name(struct ez_object *obj, uint64_t vaddr, const char *name,
                     struct ez_routine_name *out);
void ez_routine_name_free(struct ez_routine_name *n);

/* Calls fn for each function of the file; with debug information, for those defined in a source
 * file, not in a header, including functions that were inlined everywhere. The routine is valid
 * only during the call. fn returns false to stop. */
void ez_routines_of(struct ez_object *obj, bool (*fn)(const struct ez_routine *, void *),
                    void *arg);

#endif
