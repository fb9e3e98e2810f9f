/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fragment.h - makes one shared object from a specification and the routines of a program. The
 * object's functions are the routines' fragments (modules/ezt_fragment.h). No process is touched,
 * and nothing is printed.
 * Tests: tests/procs/spec.sh */
#ifndef EZ_FRAGMENT_H
#define EZ_FRAGMENT_H

#include "engine/base/base.h"
#include "engine/base/err.h"
#include "engine/base/hash.h"
#include "engine/base/vec.h"
#include "modules/instrument/spec/spec.h"

struct ez_fragment_param {
    const char *name, *declaration; /* name: of a parameter; declaration: in C, such as "int n =
                                     * (int)ez->reg[5]" */
    /* For Fortran, `declaration` is an address in C, and these describe what is there: fortran:
     * "integer(kind=4), pointer :: n"; for an array also shape: ", [2, 3]" and bounds: "(1:, 0:)",
     * else NULL. */
    const char *fortran, *shape, *bounds;
    /* why Fortran code cannot use the parameter: "is of a derived type"; NULL = the code can */
    const char *why;
    bool result;     /* the function's result: known at the exit */
    const char *tag; /* in C: the struct to which the parameter points, "struct pair", of `size`
                      * bytes; NULL = none */
    uint64_t size;
};

struct ez_fragment_call { /* a call in a routine's code; the caller owns the texts */
    int64_t at;           /* return address of the call, relative to the start of the routine */
    const char *symbol, *callee; /* callee: the function's name as in specifications */
    unsigned line;
};
/* A return statement of a routine that has several. at: address relative to the routine's start,
 * through which only this statement leaves; 0 = unknown. line: 0 = unknown. */
struct ez_fragment_return {
    int64_t at;
    unsigned line;
};
struct ez_fragment_place { /* code that runs at certain calls */
    char *before, *behind; /* code before and after the call; NULL = none */
};
struct ez_fragment_at {
    int64_t at;
    unsigned number; /* number of the place; for a return, its line */
    size_t call;     /* index of the call; EZ_FRAGMENT_NO_CALL = the code runs before an
                      * instruction */
};
#define EZ_FRAGMENT_NO_CALL SIZE_MAX

struct ez_fragment_routine { /* a routine of the program; the caller owns the texts */
    struct ez_spec_routine r;
    unsigned exit_line,
        /* line of all returns, and of all calls that end the program; 0 = there are several */
        abort_line;
    bool is_main, known; /* known: debug information describes the routine */
    const char *inlined; /* why the routine has no code of its own; NULL = the routine has code */
    const char *result;  /* the result in C: "(int)ez->reg[0]"; NULL = no result; "" = C cannot
                          * express it */
    const struct ez_fragment_param *param;
    size_t nparams;
    const struct ez_fragment_call *call;
    size_t ncalls;
    const struct ez_fragment_return *ret; /* return statements, if the code of `exit` uses @LINE@ */
    size_t nrets;
    /* Set by ez_fragments_make(): */
    EZ_VEC(struct ez_fragment_place) place;
    EZ_VEC(struct ez_fragment_at) at; /* places in the code, sorted by address */
    /* Fortran: variables of the program that the routine's code names (outer.c) */
    EZ_VEC(struct ez_fragment_param) outer;
    bool applies;    /* some clause applies, and nothing prevents the instrumentation */
    bool aborts;     /* the routine has code for `abort` */
    bool suspends;   /* the routine's fragment continues at the exit of calls */
    unsigned row;    /* row in the object's table */
    const char *why; /* why the routine is excluded, or NULL; lives as long as the struct
                      * ez_fragments */
};

struct ez_fragment_clause { /* result for the clause of the specification with the same index */
    /* indexes of routines to which the clause applies, including excluded routines */
    EZ_VEC(size_t) routine;
    EZ_VEC(struct ez_fragment_inside {
        size_t routine;
        unsigned number;
        bool behind;
    })
    inside;          /* number of places that have its code */
    const char *why; /* why the clause does nothing on running programs, or NULL */
    char *note;      /* note about routines that the clause does not reach, or NULL; owned */
};

enum ez_fragment_own { /* Meaning in a file of the program of a name that a rule declares. */
                       EZ_FRAGMENT_NONE,  /* the file has no static variable or function of that
                                           * name */
                       EZ_FRAGMENT_THERE, /* the file has the name, and the address is known */
                       EZ_FRAGMENT_PLAIN, /* as THERE, and the program has only one symbol of that
                                           * name */
                       /* the file has the name, but no address: the optimizer removed the
                        * variable, or it is thread-local */
                       EZ_FRAGMENT_NO_PLACE,
                       /* another file of the program has the name, but not this file */
                       EZ_FRAGMENT_OTHER,
};
struct ez_fragment_static { /* a static variable or function; the caller owns the strings */
    uint64_t vaddr;
    const char *declaration; /* its declaration, "int level"; NULL = unknown, or C cannot express
                              * it */
    uint64_t size;   /* bytes of a variable whose declaration does not determine it; 0 = unknown */
    const char *tag; /* the struct to which it points, "struct pair", of `pointed` bytes; NULL =
                      * none */
    uint64_t pointed;
    bool function;
};

struct ez_fragments {
    struct ez_spec *spec;
    struct ez_fragment_routine *routine;
    size_t n;
    const char *const *option; /* more options for the compilers and the linker */
    size_t noptions;
    /* Callback: returns true if the program defines the symbol. */
    bool (*is_own)(const char *name, void *arg);
    /* Callback: finds what `name` ("level" or "ns::level") means in a file. enums: `declaration`
     * names C enums by their tags, not as integers. */
    enum ez_fragment_own (*own_static)(const char *name, const char *file, bool cxx, bool enums,
                                       struct ez_fragment_static *out, void *arg);
    /* Callback: finds the meaning of a name in Fortran routine i. Sets out->why; or out->fortran,
     * shape and bounds, which the caller owns, and *vaddr (0 for a constant). Returns false if the
     * name is no variable of the program. */
    bool (*outer)(size_t i, const char *name, struct ez_fragment_param *out, uint64_t *vaddr,
                  void *arg);
    void *arg;
    /* Set by ez_fragments_make(): */
    EZ_VEC(struct ez_fragment_clause) clause;
    unsigned rows;
    bool init;              /* the object has an ez_fragment_init() */
    char *object;           /* path of the object */
    char *said;             /* errors of the compilers, a line each; "" = none */
    struct ez_hash own;     /* names in the texts that the program defines */
    EZ_VEC(char *) mangled; /* C++ symbols that the object needs from the program */
    bool cached;            /* the object was in the cache */
    EZ_VEC(char *) kept;
};

/* Writes and compiles the fragments, or finds them in the cache. Excludes routines whose fragments
 * do not compile; f->said has the errors. Returns EZ_E_FORMAT if the specification has errors
 * (which are in its struct ez_src) or if no fragment compiles; other errors concern the compiler or
 * the cache. */
ez_err *ez_fragments_make(struct ez_fragments *f) EZ_WUR;
void ez_fragments_free(struct ez_fragments *f);

/* ---- within modules/instrument/fragment ---- */

typedef EZ_VEC(char) ez_fragment_bytes;
struct ez_fragment_unit { /* text that is compiled separately */
    enum ez_spec_lang lang;
    char *head; /* text before the functions: code of rules with file and line */
    ez_fragment_bytes text;
};
struct ez_fragment_texts {
    EZ_VEC(struct ez_fragment_unit) unit; /* the first one is C, and has the table */
};
/* text.c: writes the fragments of all routines that apply and are not excluded. */
void ez_fragment_write(struct ez_fragments *f, struct ez_fragment_texts *out);
void ez_fragment_texts_free(struct ez_fragment_texts *t);
/* bind.c: returns code whose declarations of the program's variables and functions are bound to the
 * program. block: the code is inside a function, else at the start of a file. The caller frees. */
char *ez_fragment_bind(struct ez_fragments *f, const struct ez_fragment_routine *r,
                       const char *code, bool block);
/* Returns a statement that does not compile if the struct `tag` has another size. n: number of the
 * statement in the routine, to make it unique. The caller frees. */
char *ez_fragment_same_tag(const char *tag, uint64_t size, unsigned n);
/* Returns a compiler's message without the names of functions that eztsh made to compare types. The
 * caller frees. */
char *ez_fragment_plain(const char *error);
/* Returns the symbol for that address in the program's file. The caller frees the text. */
char *ez_fragment_label(struct ez_fragments *f, uint64_t vaddr);
/* text.c: returns a clause's code in the routine's language, with line directives that name its
 * place in the specification. The caller frees. */
char *ez_fragment_placed(const struct ez_fragment_routine *r, const struct ez_spec_clause *c,
                         const struct ez_spec_site *site);
/* text.c: appends the code of all clauses for point p of the routine, with line directives that
 * name their places in the specification. */
void ez_fragment_code(struct ez_fragments *f, ez_fragment_bytes *to,
                      const struct ez_fragment_routine *r, enum ez_spec_point p);
/* outer.c: finds the variables of the program that the code of Fortran routine i names. Excludes
 * the routine if one of these, or of its arguments, has no known address. */
void ez_fragment_outer(struct ez_fragments *f, size_t i);
void ez_fragment_outer_free(struct ez_fragment_routine *r);
/* blame.c: excludes the routines whose fragments the compiler refuses. argv: how the unit was
 * compiled. Returns false if no routine can be blamed. */
bool ez_fragment_blame(struct ez_fragments *f, const struct ez_fragment_unit *u,
                       const char *const *argv);
/* weak.c: makes those undefined symbols of the object weak that the program defines. */
void ez_fragment_weaken(struct ez_fragments *f, const char *object);
/* place.c: finds the places inside routine i that get code. */
void ez_fragment_look_inside(struct ez_fragments *f, size_t i);
void ez_fragment_places_free(struct ez_fragment_routine *r);
/* Adds a note to clause k: the clause does not apply to calls of routines that were inlined. */
void ez_fragment_note_inlined(struct ez_fragments *f, size_t k);
bool ez_fragment_is_inside(enum ez_spec_point p);
/* which.c: finds which clauses apply where. */
void ez_fragment_match(struct ez_fragments *f);
struct ez_spec_site ez_fragment_site(const struct ez_fragment_routine *r, enum ez_spec_point p);
/* Excludes routine i, for the reason `why`. */
void ez_fragment_leave(struct ez_fragments *f, size_t i, const char *why);

#endif
