/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ezt_specs.h - specifications on the running program: a part of ezt.h, which includes it.
 *
 * modules/instrument/fragment/ selects the routines for a specification's fragments and compiles
 * them to an object. The engine loads that object into the process; probes run its functions. */
#ifndef EZ_EZT_SPECS_H
#define EZ_EZT_SPECS_H

#include "engine/base/err.h"
#include "engine/expr/routine.h"

struct ez_target;

/* Calls fn for the routines of the program, and of the loaded libraries whose names match the shell
 * pattern `libraries` (NULL = of no library). `path`: file that contains the routine. EZ_E_STATE:
 * there is no program. */
typedef bool ez_routine_fn(const struct ez_routine *r, const char *path, void *arg);
ez_err *ez_routines(struct ez_target *t, const char *libraries, ez_routine_fn *fn,
                    void *arg) EZ_WUR;
/* Calls fn for each direct call in the routine's code, its .cold part included, in order of
 * address. `lines` adds source lines. `r` has the symbol and the code that ez_routines() passed. */
void ez_routine_calls(struct ez_target *t, const char *path, const struct ez_routine *r, bool lines,
                      void (*fn)(const struct ez_routine_call *, void *), void *arg);

/* Result of looking up a name in a source file of the program. */
enum ez_static {
    EZ_STATIC_NONE,  /* no source file of the program defines the name */
    EZ_STATIC_THERE, /* the file defines an object or function with a fixed address */
    /* as EZ_STATIC_THERE, but no mangled symbol confirms which definition has the address */
    EZ_STATIC_PLAIN,
    /* the file defines the name, but the definition has no address, or an address in each thread */
    EZ_STATIC_NO_PLACE,
    /* the file does not define the name, but another file of the program defines it */
    EZ_STATIC_OTHER,
};
struct ez_static_is {
    uint64_t vaddr;    /* address of the variable in the program's file */
    char *declaration; /* "int level"; NULL = not known, or not expressible. Owned */
    uint64_t size;     /* size of the variable in bytes, if the declaration does not imply it; 0 =
                        * not known */
    char *tag; /* "struct pair": type to which the variable points, of `pointed` bytes; NULL = none.
                * Owned */
    uint64_t pointed;
    bool function;
};
/* Looks up the variable or function `name` that a source file of C or C++ defines. With `enums`,
 * out->declaration names enums of C by their tags. The caller frees out->declaration and
 * out->tag. */
enum ez_static ez_spec_static(struct ez_target *t, const char *file, const char *name, bool cxx,
                              bool enums, struct ez_static_is *out);

/* Calls fn for the return statements of a routine of the file `path`, as ez_routine_returns()
 * does. */
void ez_spec_returns(struct ez_target *t, const char *path, const struct ez_routine *r,
                     void (*fn)(uint64_t vaddr, unsigned line, void *arg), void *arg);
/* Looks up a name, in lower case, in the Fortran routine at vaddr of the file `path`. Returns false
 * if the name is not that of a variable. */
bool ez_spec_name(struct ez_target *t, const char *path, uint64_t vaddr, const char *name,
                  struct ez_routine_name *out);

struct ez_spec_want {    /* request for one routine; texts are copied */
    const char *path;    /* file that contains the routine */
    uint64_t vaddr, end; /* code range in that file */
    const char *function, *file;
    unsigned line;
    unsigned row;     /* row in the object's table of fragments */
    bool aborts;      /* has code for the end of the program */
    bool suspends;    /* the fragment also needs the exit of the call */
    unsigned places;  /* number of places inside the routine at which code runs */
    const char *why;  /* reason why the routine is skipped and has no row; NULL = not skipped */
    const char *note; /* further note for the user; NULL = none */
};
enum ez_spec_counted {
    EZ_SPEC_ENTRIES,
    EZ_SPEC_EXITS,
    EZ_SPEC_ENDS,
    EZ_SPEC_PLACES,
    EZ_SPEC_NOTHING
};
struct ez_spec_place { /* place inside a routine: before a call, or after it */
    unsigned row, number;
    bool behind;
};
struct ez_spec_clause_want {        /* a clause of the specification */
    const char *text, *place, *why; /* why: reason why the clause has no effect here; NULL = none */
    enum ez_spec_counted counted;   /* events that are counted as hits of the clause */
    size_t routines;                /* number of routines to which the clause applies; `row` lists
                                     * the n routines that are not skipped */
    const unsigned *row;
    size_t n;
    /* places at which code of the clause runs, for EZ_SPEC_PLACES */
    const struct ez_spec_place *inside;
    size_t ninside;
    const char *note; /* further note for the user; NULL = none */
};
struct ez_spec_callee_want { /* function that a routine calls at a place with code */
    const char *path;        /* file that contains the function; NULL = look up `symbol` */
    uint64_t vaddr;
    const char *symbol, *name; /* name: name in messages */
    bool before, behind;       /* whether code runs before the call; whether code runs behind it */
    /* true: `vaddr` is an instruction in the routine `name`, at which code runs; false: it is a
     * function */
    bool there;
};
struct ez_spec_object {
    const char *name, *path; /* name for the user; path of the object */
    unsigned rows;           /* number of rows of the object's table of fragments */
    bool init;               /* the object defines ez_fragment_init(argc, argv) */
    const struct ez_spec_want *want;
    size_t n;
    const struct ez_spec_clause_want *clause;
    size_t nclauses;
    const struct ez_spec_callee_want *callee;
    size_t ncallees;
};
/* Loads the object into the process, now or when it starts, and plants a probe on each routine that
 * runs its fragment. ez_spec_routines() also lists routines that cannot be probed, with reasons.
 * EZ_E_REFUSED, EZ_E_REMOTE: the process could not load the object; the target is unchanged. */
ez_err *ez_spec_load(struct ez_target *t, const struct ez_spec_object *o, int *number) EZ_WUR;
/* Returns the number of the newest specification; 0 if none was loaded yet. */
int ez_spec_newest(const struct ez_target *t);
/* Removes a specification and its probes; calls in progress still get their exits.
 * EZ_E_NOTFOUND. */
ez_err *ez_spec_delete(struct ez_target *t, int number) EZ_WUR;

struct ez_spec_info {
    int number;
    const char *name, *path;
    bool there;          /* loaded in the live process */
    const char *problem; /* reason why the specification is not loaded; NULL = no problem */
    unsigned routines, planted, pending, refused, disabled;
};
void ez_specs(struct ez_target *t, void (*fn)(const struct ez_spec_info *, void *), void *arg);

struct ez_spec_clause_info {
    const char *text, *place, *why, *note;
    size_t routines;
    bool counted; /* `hits` is valid: the clause has countable hits */
    uint64_t hits;
};
/* Calls fn for each clause of a specification. EZ_E_NOTFOUND: there is no such specification. */
ez_err *ez_spec_clauses(struct ez_target *t, int number,
                        void (*fn)(const struct ez_spec_clause_info *, void *), void *arg) EZ_WUR;

struct ez_spec_routine_info {
    int probe; /* number of its probe; 0 = skipped */
    const char *function, *file;
    unsigned line;
    const char *state, *reason; /* "planted", "pending", ...; reason "" = none */
    const char *note;           /* further note for the user; NULL = none */
    uint64_t entries, exits;
    uint64_t left, ends; /* left: exits that were not returns; ends: ends of the program */
    /* without: number of calls at which the fragment did not run; unordered: number of exits at
     * which it did not run */
    uint64_t without, unordered;
    uint64_t recursed; /* part of `without`: number of calls by the routine's own fragment */
    /* numbers of calls without the fragment in this process: another fragment was running; no
     * memory for its stack */
    uint64_t nested, no_room;
};
/* Calls fn for each routine of a specification. EZ_E_NOTFOUND: there is no such specification. */
ez_err *ez_spec_routines(struct ez_target *t, int number,
                         void (*fn)(const struct ez_spec_routine_info *, void *), void *arg) EZ_WUR;

#endif
