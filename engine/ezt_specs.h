/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ezt_specs.h - specifications on the running program: a part of ezt.h, which includes it.
 *
 * What a specification's fragments are for which routine, and their compiled object, is made outside of the engine
 * (modules/fragment/); here the object comes into the process, and probes run its functions. */
#ifndef EZ_EZT_SPECS_H
#define EZ_EZT_SPECS_H

#include "engine/base/err.h"
#include "engine/data/routine.h"

struct ez_target;

/* Calls fn for the routines of the program, and of the libraries whose names match the shell pattern `libraries`
 * (NULL = none): those that are loaded. `path`: of the file. EZ_E_STATE: there is no program. */
typedef bool ez_routine_fn(const struct ez_routine *r, const char *path, void *arg);
ez_err *ez_routines(struct ez_target *t, const char *libraries, ez_routine_fn *fn,
                    void *arg) EZ_WUR;
/* Calls fn for each direct call that the routine's code makes, its .cold part included, in the order of addresses there;
 * `lines`: with their lines. The routine's symbol and code as ez_routines() told them. */
void ez_routine_calls(struct ez_target *t, const char *path, const struct ez_routine *r, bool lines,
                      void (*fn)(const struct ez_routine_call *, void *), void *arg);

enum ez_static { /* a name in a file of the program                                   */
                 EZ_STATIC_NONE, /* the file defines nothing of that name                               */
                 EZ_STATIC_THERE, /* it defines something that is always at one place                    */
                 EZ_STATIC_PLAIN, /* so it does, and no mangled symbol says which it is                  */
                 EZ_STATIC_NO_PLACE, /* what it defines is at no place, or each thread has one              */
                 EZ_STATIC_OTHER, /* it defines nothing of that name, but another file of the program does     */
};
struct ez_static_is {
    uint64_t vaddr;    /* in the program's file                                               */
    char *declaration; /* "int level"; NULL = it is not known, or cannot be said. Owned        */
    uint64_t size;     /* bytes of a variable that the declaration does not tell; 0 = not known   */
    char *
        tag; /* "struct pair": the variable points to that, of `pointed` bytes; NULL = to nothing so. Owned */
    uint64_t pointed;
    bool function;
};
/* What the variable or function `name` is that the source file, of C or C++, defines. out->declaration, with the
 * enums of C by their tags if asked for, and out->tag are to be freed. */
enum ez_static ez_spec_static(struct ez_target *t, const char *file, const char *name, bool cxx,
                              bool enums, struct ez_static_is *out);

/* The return statements of a routine of the file `path`, as ez_routine_returns() has them. */
void ez_spec_returns(struct ez_target *t, const char *path, const struct ez_routine *r,
                     void (*fn)(uint64_t vaddr, unsigned line, void *arg), void *arg);
/* What the name, in lower case, means in the routine of Fortran at vaddr of the file `path`. false = it means no variable. */
bool ez_spec_name(struct ez_target *t, const char *path, uint64_t vaddr, const char *name,
                  struct ez_routine_name *out);

struct ez_spec_want {    /* what one routine gets; texts are copied                        */
    const char *path;    /* of the file that has it                                      */
    uint64_t vaddr, end; /* its code there                                               */
    const char *function, *file;
    unsigned line;
    unsigned row;     /* in the object's table                                               */
    bool aborts;      /* it has code for the end of the program                                */
    bool suspends;    /* the fragment wants the call's exit, too                             */
    unsigned places;  /* numbers of places inside of it that have code                       */
    const char *why;  /* it is left alone, and has no row; NULL = it is not                 */
    const char *note; /* what else is to be known of it; NULL = nothing                      */
};
enum ez_spec_counted {
    EZ_SPEC_ENTRIES,
    EZ_SPEC_EXITS,
    EZ_SPEC_ENDS,
    EZ_SPEC_PLACES,
    EZ_SPEC_NOTHING
};
struct ez_spec_place { /* inside a routine: before a call, or behind it                      */
    unsigned row, number;
    bool behind;
};
struct ez_spec_clause_want {        /* a clause of the specification                              */
    const char *text, *place, *why; /* why it does nothing here; NULL = it may                */
    enum ez_spec_counted counted;   /* what its hits are                                      */
    size_t routines;                /* that it applies to; those that are not left alone:      */
    const unsigned *row;
    size_t n;
    const struct ez_spec_place *inside; /* of EZ_SPEC_PLACES: that it has code in             */
    size_t ninside;
    const char *note; /* what else is to be known of it; NULL = nothing                      */
};
struct ez_spec_callee_want { /* a function that some routine calls in a place                     */
    const char *path;        /* of the file that has it; NULL = the symbol says it           */
    uint64_t vaddr;
    const char *symbol, *name; /* name: for people                                          */
    bool before, behind;       /* where there is code                                       */
    bool there; /* it is no function, but an instruction with code, in the function `name`     */
};
struct ez_spec_object {
    const char *name, *path; /* as the user calls it; the object                            */
    unsigned rows;           /* of its table                                                */
    bool init;               /* it has an ez_fragment_init(argc, argv)                      */
    const struct ez_spec_want *want;
    size_t n;
    const struct ez_spec_clause_want *clause;
    size_t nclauses;
    const struct ez_spec_callee_want *callee;
    size_t ncallees;
};
/* Have the process load the object, now or when it begins, and plant a probe on each routine that runs its
 * fragment. Those that cannot be probed stay, with their reasons. EZ_E_REFUSED, EZ_E_REMOTE: the process could not
 * load it; the target is as it was. */
ez_err *ez_spec_load(struct ez_target *t, const struct ez_spec_object *o, int *number) EZ_WUR;
int ez_spec_newest(const struct ez_target *t); /* the last number given; 0 = none yet */
/* Take its probes away; calls that are under way get their exits. EZ_E_NOTFOUND. */
ez_err *ez_spec_delete(struct ez_target *t, int number) EZ_WUR;

struct ez_spec_info {
    int number;
    const char *name, *path;
    bool there;          /* in the live process                                             */
    const char *problem; /* why it is not; NULL = nothing is wrong                          */
    unsigned routines, planted, pending, refused, disabled;
};
void ez_specs(struct ez_target *t, void (*fn)(const struct ez_spec_info *, void *), void *arg);

struct ez_spec_clause_info {
    const char *text, *place, *why, *note;
    size_t routines;
    bool counted; /* it has hits that are counted                                          */
    uint64_t hits;
};
/* EZ_E_NOTFOUND: there is no such specification. */
ez_err *ez_spec_clauses(struct ez_target *t, int number,
                        void (*fn)(const struct ez_spec_clause_info *, void *), void *arg) EZ_WUR;

struct ez_spec_routine_info {
    int probe; /* its number; 0 = it is left alone                                         */
    const char *function, *file;
    unsigned line;
    const char *state, *reason; /* "planted", "pending", ...; reason "" = none               */
    const char *note;           /* what else is to be known of it; NULL = nothing             */
    uint64_t entries, exits;
    uint64_t left, ends;         /* exits that were no returns; ends of the program               */
    uint64_t without, unordered; /* calls, and exits, whose code did not run                   */
    uint64_t recursed;           /* of `without`: by their own fragment                       */
    uint64_t nested, no_room;    /* of this process: other causes of `without`                */
};
/* EZ_E_NOTFOUND: there is no such specification. */
ez_err *ez_spec_routines(struct ez_target *t, int number,
                         void (*fn)(const struct ez_spec_routine_info *, void *), void *arg) EZ_WUR;

#endif
