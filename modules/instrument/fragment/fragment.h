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
    const char *name, *declaration; /* in C: "int n = (int)ez->reg[5]" */
    /* In Fortran the declaration is an address in C, and these describe its contents:
     * "integer(kind=4), pointer :: n", and for an array ", [2, 3]" and "(1:, 0:)", otherwise
     * NULL. */
    const char *fortran, *shape, *bounds;
    const char *why; /* why Fortran code cannot name it: "is of a derived type"; NULL: it can */
    bool result;     /* the function's result: known at the exit */
    const char *tag; /* in C: "struct pair" that it points to, of `size` bytes; NULL: none */
    uint64_t size;
};

struct ez_fragment_call {        /* a call in a routine's code; the caller owns the texts */
    int64_t at;                  /* return address, relative to the routine's begin */
    const char *symbol, *callee; /* callee: name in specifications */
    unsigned line;
};
/* A return statement of a routine that has several. at: relative to the routine's begin; code that
 * reaches this place leaves by this statement; 0: unknown place. line 0: unknown line. */
struct ez_fragment_return {
    int64_t at;
    unsigned line;
};
struct ez_fragment_place { /* code for such calls */
    char *before, *behind; /* NULL: none */
};
struct ez_fragment_at {
    int64_t at;
    unsigned number; /* number of the place; for a return, its line */
    size_t call;     /* EZ_FRAGMENT_NO_CALL: code runs before this instruction */
};
#define EZ_FRAGMENT_NO_CALL SIZE_MAX

struct ez_fragment_routine { /* a routine of the program; the caller owns the texts */
    struct ez_spec_routine r;
    unsigned exit_line,
        /* lines of all returns, and of all calls that end the program; 0: several lines */
        abort_line;
    bool is_main, known; /* known: debug information describes it */
    const char *inlined; /* why it has no code of its own; NULL: it has */
    const char *result;  /* in C: "(int)ez->reg[0]"; NULL: no result; "": C cannot express it */
    const struct ez_fragment_param *param;
    size_t nparams;
    const struct ez_fragment_call *call;
    size_t ncalls;
    const struct ez_fragment_return *ret; /* if the code of `exit` uses lines */
    size_t nrets;
    /* Results: */
    EZ_VEC(struct ez_fragment_place) place;
    EZ_VEC(struct ez_fragment_at) at; /* sorted */
    /* Fortran: other variables that its code names (outer.c) */
    EZ_VEC(struct ez_fragment_param) outer;
    bool applies;    /* some clause applies, and nothing prevents it */
    bool aborts;     /* it has abort code */
    bool suspends;   /* its fragment needs the exit of calls */
    unsigned row;    /* row in the object's table */
    const char *why; /* why it is left alone, or NULL; lives as long as struct ez_fragments */
};

struct ez_fragment_clause { /* a clause of the specification, by index */
    EZ_VEC(size_t) routine; /* routines that it applies to, including those left alone */
    EZ_VEC(struct ez_fragment_inside {
        size_t routine;
        unsigned number;
        bool behind;
    })
    inside;          /* places with its code */
    const char *why; /* why it does nothing on running programs, or NULL */
    char *note;      /* what it does not see, or NULL; owned */
};

enum ez_fragment_own { /* a static variable or function of a file of the program */
                       EZ_FRAGMENT_NONE,  /* the file has none with that name */
                       EZ_FRAGMENT_THERE, /* it has an address */
                       EZ_FRAGMENT_PLAIN, /* the same, and its name is unique among the symbols */
                       EZ_FRAGMENT_NO_PLACE, /* the optimizer removed it, or each thread has one */
                       /* the file has none, but another file of the program does */
                       EZ_FRAGMENT_OTHER,
};
struct ez_fragment_static { /* description of it; the caller owns the texts */
    uint64_t vaddr;
    const char *declaration; /* "int level"; NULL: unknown, or not expressible */
    uint64_t size;   /* size of a variable, if the declaration does not give it; 0: unknown */
    const char *tag; /* "struct pair" that it points to, of `pointed` bytes; NULL: none */
    uint64_t pointed;
    bool function;
};

struct ez_fragments {
    struct ez_spec *spec;
    struct ez_fragment_routine *routine;
    size_t n;
    const char *const *option; /* more options for the compilers and the linker */
    size_t noptions;
    /* returns true for a symbol that the program defines */
    bool (*is_own)(const char *name, void *arg);
    /* Finds a static. `name` may be "ns::level". enums: declare C enums by their tags, not as
     * integers. */
    enum ez_fragment_own (*own_static)(const char *name, const char *file, bool cxx, bool enums,
                                       struct ez_fragment_static *out, void *arg);
    /* Finds the meaning of a name in Fortran routine i: sets out->why, or out->fortran, shape and
     * bounds, which the caller owns, and *vaddr, 0 for a constant. Returns false if it is no
     * variable of the program. */
    bool (*outer)(size_t i, const char *name, struct ez_fragment_param *out, uint64_t *vaddr,
                  void *arg);
    void *arg;
    /* Results: */
    EZ_VEC(struct ez_fragment_clause) clause;
    unsigned rows;
    bool init;              /* the object has an ez_fragment_init() */
    char *object;           /* path of the object */
    char *said;             /* errors of the compiler, one line each; "": none */
    struct ez_hash own;     /* names in the texts that the program defines */
    EZ_VEC(char *) mangled; /* C++ symbols that the object needs from the program */
    bool cached;            /* the object was in the cache */
    EZ_VEC(char *) kept;
};

/* Writes and compiles the fragments, or finds them in the cache. Leaves routines with a wrong
 * fragment alone; f->said has the errors. EZ_E_FORMAT: the specification is wrong (its texts say
 * where), or nothing compiles; EZ_E_SYS: no compiler, no cache. */
ez_err *ez_fragments_make(struct ez_fragments *f) EZ_WUR;
void ez_fragments_free(struct ez_fragments *f);

/* ---- within modules/instrument/fragment ---- */

typedef EZ_VEC(char) ez_fragment_bytes;
struct ez_fragment_unit { /* a separately compiled unit */
    enum ez_spec_lang lang;
    char *head; /* the rules with file and line, for the beginning of its routines' files */
    ez_fragment_bytes text;
};
struct ez_fragment_texts {
    EZ_VEC(struct ez_fragment_unit) unit; /* the first one is C, and has the table */
};
/* text.c: writes all wanted routines that are not left alone. */
void ez_fragment_write(struct ez_fragments *f, struct ez_fragment_texts *out);
void ez_fragment_texts_free(struct ez_fragment_texts *t);
/* bind.c: returns code whose declarations of the program's variables and functions are bound to
 * these. block: the code is in a function, otherwise at the beginning of files. The caller frees
 * the code. */
char *ez_fragment_bind(struct ez_fragments *f, const struct ez_fragment_routine *r,
                       const char *code, bool block);
/* Returns a statement that the compiler refuses if it knows another size for the tag's type. n: the
 * statement's number in the routine. The caller frees the text. */
char *ez_fragment_same_tag(const char *tag, uint64_t size, unsigned n);
/* Returns a compiler's message without text about the functions that compare types. The caller
 * frees it. */
char *ez_fragment_plain(const char *error);
/* Returns the symbol for that address in the program's file. The caller frees the text. */
char *ez_fragment_label(struct ez_fragments *f, uint64_t vaddr);
/* text.c: returns a clause's code in the routine's language, with lines that give its place in the
 * specification. The caller frees the code. */
char *ez_fragment_placed(const struct ez_fragment_routine *r, const struct ez_spec_clause *c,
                         const struct ez_spec_site *site);
/* text.c: appends the code of all clauses for the point, each with a line that gives its place in
 * the specification. */
void ez_fragment_code(struct ez_fragments *f, ez_fragment_bytes *to,
                      const struct ez_fragment_routine *r, enum ez_spec_point p);
/* outer.c: finds the variables of the program that the code of Fortran routine i names. Leaves the
 * routine alone if one of them, or of its arguments, has no place. */
void ez_fragment_outer(struct ez_fragments *f, size_t i);
void ez_fragment_outer_free(struct ez_fragment_routine *r);
/* blame.c: leaves the routines alone whose fragments the compiler refuses. argv: how the unit was
 * compiled. Returns false if they cannot be found. */
bool ez_fragment_blame(struct ez_fragments *f, const struct ez_fragment_unit *u,
                       const char *const *argv);
/* weak.c: makes symbols weak that the object lacks and the program has. */
void ez_fragment_weaken(struct ez_fragments *f, const char *object);
/* place.c: finds places inside routine i. */
void ez_fragment_look_inside(struct ez_fragments *f, size_t i);
void ez_fragment_places_free(struct ez_fragment_routine *r);
/* Notes that clause k also is about calls of routines that were inlined. */
void ez_fragment_note_inlined(struct ez_fragments *f, size_t k);
bool ez_fragment_is_inside(enum ez_spec_point p);
/* which.c: finds which clauses apply where. */
void ez_fragment_match(struct ez_fragments *f);
struct ez_spec_site ez_fragment_site(const struct ez_fragment_routine *r, enum ez_spec_point p);
/* Leaves routine i alone, for that reason. */
void ez_fragment_leave(struct ez_fragments *f, size_t i, const char *why);

#endif
