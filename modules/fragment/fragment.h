/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fragment.h - from a specification and the routines of a program to one shared object whose functions are their
 * fragments (modules/ezt_fragment.h). No process is touched, and nothing is printed.
 * Tests: tests/procs/spec.sh */
#ifndef EZ_FRAGMENT_H
#define EZ_FRAGMENT_H

#include "engine/base/base.h"
#include "engine/base/err.h"
#include "engine/base/hash.h"
#include "engine/base/vec.h"
#include "modules/spec/spec.h"

struct ez_fragment_param {
    const char *name, *declaration; /* in C: "int n = (int)ez->reg[5]"                       */
    /* In Fortran the declaration is an address in C, and these say what is there:
     * "integer(kind=4), pointer :: n", and of an array ", [2, 3]" and "(1:, 0:)", else NULL. */
    const char *fortran, *shape, *bounds;
    const char *why; /* "is of a derived type": code of Fortran cannot name it. NULL = it can     */
    bool result;     /* the function's: known at the exit                                   */
    const char
        *tag; /* in C: "struct pair", to which it points, of `size` bytes; NULL = to nothing so */
    uint64_t size;
};

struct ez_fragment_call { /* a call in a routine's code; texts are the caller's              */
    int64_t at;           /* its return address, from the routine's begin on                 */
    const char *symbol, *callee; /* callee: as specifications name it                          */
    unsigned line;
};
/* A return statement of a routine that has several. at: from the routine's begin on; code that comes there leaves by it, 0 =
 * there is no such place. line 0 = it is not known. */
struct ez_fragment_return {
    int64_t at;
    unsigned line;
};
struct ez_fragment_place { /* code for such calls                                             */
    char *before, *behind; /* NULL = none                                                     */
};
struct ez_fragment_at {
    int64_t at;
    unsigned number; /* of the place; of a return, its line                                    */
    size_t call;     /* EZ_FRAGMENT_NO_CALL: it is the instruction before which code runs */
};
#define EZ_FRAGMENT_NO_CALL SIZE_MAX

struct ez_fragment_routine { /* a routine of the program; texts are the caller's               */
    struct ez_spec_routine r;
    unsigned exit_line,
        abort_line;      /* of all returns, of all calls that end the program; 0 = of several */
    bool is_main, known; /* known: there is debug information about it                        */
    const char
        *inlined; /* it has no code of its own, for that reason; NULL = it has some            */
    const char *result; /* in C: "(int)ez->reg[0]"; NULL: it has none; "": C cannot say it     */
    const struct ez_fragment_param *param;
    size_t nparams;
    const struct ez_fragment_call *call;
    size_t ncalls;
    const struct ez_fragment_return *ret; /* if the code of `exit` asks for lines                 */
    size_t nrets;
    /* what became of it: */
    EZ_VEC(struct ez_fragment_place) place;
    EZ_VEC(struct ez_fragment_at) at; /* sorted                                               */
    EZ_VEC(struct ez_fragment_param) outer; /* Fortran: what its code names besides (outer.c)  */
    bool applies;    /* some clause applies, and nothing speaks against it                   */
    bool aborts;     /* it has abort code                                                     */
    bool suspends;   /* its fragment wants the exit of calls                                 */
    unsigned row;    /* in the object's table, if it is wanted                               */
    const char *why; /* it is left alone; NULL = it is not. Lives as long as the struct below  */
};

struct ez_fragment_clause { /* of the specification, by index                                 */
    EZ_VEC(size_t) routine; /* it applies to these, those that are left alone included        */
    EZ_VEC(struct ez_fragment_inside {
        size_t routine;
        unsigned number;
        bool behind;
    })
    inside;          /* places that have its code                                            */
    const char *why; /* it does nothing on running programs; NULL = it may                     */
    char *note;      /* what it does not see; NULL = nothing. Owned                            */
};

enum ez_fragment_own { /* a static variable or function of a file of the program            */
                       EZ_FRAGMENT_NONE, /* the file has none of that name                                    */
                       EZ_FRAGMENT_THERE, /* it is at an address                                               */
                       EZ_FRAGMENT_PLAIN, /* the same, and no other symbol has its name                        */
                       EZ_FRAGMENT_NO_PLACE, /* the optimiser left it out, or each thread has one                 */
                       EZ_FRAGMENT_OTHER, /* the file has none, but another one of the program does            */
};
struct ez_fragment_static { /* what it is there; texts are the caller's                        */
    uint64_t vaddr;
    const char *declaration; /* "int level"; NULL = it is not known, or cannot be said          */
    uint64_t size; /* of a variable, where the declaration does not tell it; 0 = not known      */
    const char
        *tag; /* "struct pair": it points to that, of `pointed` bytes; NULL = to nothing so */
    uint64_t pointed;
    bool function;
};

struct ez_fragments {
    struct ez_spec *spec;
    struct ez_fragment_routine *routine;
    size_t n;
    const char *const *option; /* more of the compilers' and the linker's                   */
    size_t noptions;
    bool (*is_own)(const char *name, void *arg); /* a symbol that the program defines */
    /* `name` may be "ns::level". enums: the declaration has enums of C by their tags, not as integers. */
    enum ez_fragment_own (*own_static)(const char *name, const char *file, bool cxx, bool enums,
                                       struct ez_fragment_static *out, void *arg);
    /* What a name means in routine i, of Fortran: out->why, or else out->fortran, shape and bounds, which are owned by who
     * asks, and *vaddr, 0 = it is a constant. false = no variable of the program. */
    bool (*outer)(size_t i, const char *name, struct ez_fragment_param *out, uint64_t *vaddr,
                  void *arg);
    void *arg;
    /* what was made: */
    EZ_VEC(struct ez_fragment_clause) clause;
    unsigned rows;
    bool init;    /* the object has an ez_fragment_init()                                       */
    char *object; /* its path                                                                */
    char *said;   /* errors of the compiler, a line each; "" = there are none                   */
    struct ez_hash own;     /* names in the texts that the program defines                       */
    EZ_VEC(char *) mangled; /* symbols of C++ that the object needs of the program             */
    bool cached; /* it was there already                                                     */
    EZ_VEC(char *) kept;
};

/* Writes the fragments, has them compiled, or finds them compiled in the cache. Routines whose fragment is wrong are left
 * alone; f->said tells the errors. EZ_E_FORMAT: the specification is wrong (its texts say where), or nothing compiles;
 * EZ_E_SYS: no compiler, no cache. */
ez_err *ez_fragments_make(struct ez_fragments *f) EZ_WUR;
void ez_fragments_free(struct ez_fragments *f);

/* ---- within modules/fragment ---- */

typedef EZ_VEC(char) ez_fragment_bytes;
struct ez_fragment_unit { /* what is compiled by itself                                        */
    enum ez_spec_lang lang;
    char *head; /* the rules with file and line: what its routines' files begin with            */
    ez_fragment_bytes text;
};
struct ez_fragment_texts {
    EZ_VEC(struct ez_fragment_unit) unit; /* the first is C, and has the table                */
};
/* text.c: of all routines that are wanted and not left alone. */
void ez_fragment_write(struct ez_fragments *f, struct ez_fragment_texts *out);
void ez_fragment_texts_free(struct ez_fragment_texts *t);
/* bind.c: code with the declarations of the program's variables and functions connected with these; block: code in a
 * function, else what files begin with. The caller frees. */
char *ez_fragment_bind(struct ez_fragments *f, const struct ez_fragment_routine *r,
                       const char *code, bool block);
/* A statement that the compiler refuses if what the tag stands for is known to it with another size; n: the routine's own
 * number of it. The caller frees. */
char *ez_fragment_same_tag(const char *tag, uint64_t size, unsigned n);
/* What a compiler says, without words about the functions that compare types. The caller frees. */
char *ez_fragment_plain(const char *error);
/* The symbol that stands for that place in the program's file. The caller frees. */
char *ez_fragment_label(struct ez_fragments *f, uint64_t vaddr);
/* text.c: the code of a clause, as that of the routine's language, behind lines that say its place in the specification.
 * The caller frees. */
char *ez_fragment_placed(const struct ez_fragment_routine *r, const struct ez_spec_clause *c,
                         const struct ez_spec_site *site);
/* text.c: the code of all clauses for the point, each behind a line that says its place in the specification. */
void ez_fragment_code(struct ez_fragments *f, ez_fragment_bytes *to,
                      const struct ez_fragment_routine *r, enum ez_spec_point p);
/* outer.c: the variables of the program that the code of routine i, of Fortran, names. It is left alone if one of them, or
 * of its arguments, has no place. */
void ez_fragment_outer(struct ez_fragments *f, size_t i);
void ez_fragment_outer_free(struct ez_fragment_routine *r);
/* blame.c: leaves the routines alone whose fragments the compiler refuses; argv: how the unit was compiled. false = they
 * are not to be found. */
bool ez_fragment_blame(struct ez_fragments *f, const struct ez_fragment_unit *u,
                       const char *const *argv);
/* weak.c: what the object lacks and the program has becomes weak. */
void ez_fragment_weaken(struct ez_fragments *f, const char *object);
/* place.c: places inside of routine i. */
void ez_fragment_look_inside(struct ez_fragments *f, size_t i);
void ez_fragment_places_free(struct ez_fragment_routine *r);
/* Clause k is about calls of routines that were inlined, too. */
void ez_fragment_note_inlined(struct ez_fragments *f, size_t k);
bool ez_fragment_is_inside(enum ez_spec_point p);
/* which.c: which clauses apply where. */
void ez_fragment_match(struct ez_fragments *f);
struct ez_spec_site ez_fragment_site(const struct ez_fragment_routine *r, enum ez_spec_point p);
/* Leaves routine i alone, for that reason. */
void ez_fragment_leave(struct ez_fragments *f, size_t i, const char *why);

#endif
