/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spec.h - what an instrumentation specification says.
 *
 * A clause names a *point* (the entry of a routine, a call, line 1 of a file, ...), selects files,
 * routines and languages, and gives code. At a point, the code of all clauses that match is joined, line by
 * line, in the order of the files and of the clauses in them. Lists of routines and files, which a filter
 * file or any specification may have, take places away again: they win over clauses.
 * After M. Geimer, S. Shende, A. Malony, F. Wolf: A Generic and Configurable Source-Code Instrumentation
 * Component (ICCS 2009), section 4 and table 1; loop, throw, catch, call, ~= and != are ours.
 * Tests: tests/unit/modules/check_spec.c, tests/fuzz/fuzz_spec.c */
#ifndef EZ_SPEC_H
#define EZ_SPEC_H

#include <regex.h>

#include "modules/text.h"

enum ez_spec_lang {
    EZ_SPEC_C = 1,
    EZ_SPEC_CXX = 2,
    EZ_SPEC_FORTRAN = 4,
    EZ_SPEC_ALL = 7,
};

enum ez_spec_point {               /* in the order of their names in words.c */
                     EZ_SPEC_FILE, /* before a line of a file                             */
                     EZ_SPEC_DECL,
                     EZ_SPEC_INIT, /* of the main program                                 */
                     EZ_SPEC_ENTRY,
                     EZ_SPEC_EXIT,
                     EZ_SPEC_ABORT, /* before exit(), abort(), STOP                       */
                     EZ_SPEC_LOOP_ENTRY,
                     EZ_SPEC_LOOP_EXIT,
                     EZ_SPEC_CALL_ENTRY, /* before a call                                 */
                     EZ_SPEC_CALL_EXIT,
                     EZ_SPEC_THROW,
                     EZ_SPEC_CATCH, /* first thing in a handler                           */
                     EZ_SPEC_POINTS,
};

struct ez_spec_pattern {
    char *text; /* NULL = everything                                                       */
    bool regex, negated;
    regex_t re; /* of a regex                                                              */
};

struct ez_spec_clause {
    struct ez_src *t; /* where it stands                                                   */
    size_t at;
    enum ez_spec_point point;
    unsigned langs;
    struct ez_spec_pattern file, routine, callee;
    unsigned line; /* of EZ_SPEC_FILE; of other points: it is in the routine's body. 0 = any     */
    char *code;    /* without the quotes and escapes                                */
    struct ez_piece raw; /* as it was written, between the quotes                         */
};

enum ez_spec_list { /* in the order of their names in words.c */
                    EZ_SPEC_EXCLUDE,
                    EZ_SPEC_INCLUDE,
                    EZ_SPEC_FILE_EXCLUDE,
                    EZ_SPEC_FILE_INCLUDE,
                    EZ_SPEC_LISTS,
};

struct
    ez_spec_loops { /* TAU's `loops file="..." routine="..."`: loop clauses are about these alone */
    unsigned langs;
    struct ez_spec_pattern file, routine;
};

struct ez_spec {
    EZ_VEC(struct ez_spec_clause) clauses;
    EZ_VEC(struct ez_spec_loops) loops; /* none: all loops                                 */
    EZ_VEC(struct ez_spec_pattern) lists[EZ_SPEC_LISTS];
};

/* A routine as both worlds know it. Texts are the caller's. */
struct ez_spec_routine {
    const char *name;      /* qualified: "main", "ns::C::f", "module::sub"                 */
    const char *signature; /* "int ns::C::f(int) const"; of Fortran: the name              */
    const char *file;
    enum ez_spec_lang lang;
    unsigned begin_line, begin_col, end_line, end_col; /* of the body, from 1              */
    const char *rtti;        /* C++ that gives its name at run time; NULL = no template           */
    const char *argc, *argv; /* the parameters of main                                     */
};

struct ez_spec_site {
    const struct ez_spec_routine *routine; /* NULL: EZ_SPEC_FILE                           */
    const char *file;
    enum ez_spec_lang lang;
    unsigned line, col; /* from 1                                                          */
    const char *callee; /* EZ_SPEC_CALL_...: its qualified name                            */
};

/* Adds what the file says; what is wrong is in `t`, which lives as long as `s` does. */
void ez_spec_read(struct ez_spec *s, struct ez_src *t);
void ez_spec_deinit(struct ez_spec *s);

/* Do the lists leave the file, and the routine with its file? */
bool ez_spec_wants_file(const struct ez_spec *s, const char *file);
bool ez_spec_wants(const struct ez_spec *s, const struct ez_spec_routine *r);
/* Does a clause put code into the routine, whatever its body contains? */
bool ez_spec_applies(const struct ez_spec *s, const struct ez_spec_routine *r);
/* The first clause from `from` on that applies there, lists included. SIZE_MAX = there is none. */
size_t ez_spec_next(const struct ez_spec *s, size_t from, enum ez_spec_point point,
                    const struct ez_spec_site *site);
/* Its code with the keywords replaced. What does not fit the language is an error in the clause's text.
 * The caller frees it. */
char *ez_spec_expand(const struct ez_spec_clause *c, const struct ez_spec_site *site);
/* The code of all clauses there, joined by line feeds; NULL = there is none. The caller frees it. */
char *ez_spec_fragment(const struct ez_spec *s, enum ez_spec_point point,
                       const struct ez_spec_site *site);

/* Code with the places of its lines in the specification: before each a line that is `before`, the number, and the file's name
 * between `quote`. The caller frees it. */
char *ez_spec_placed(const struct ez_spec_clause *c, const char *code, const char *before,
                     const char *quote);
/* ez_spec_fragment() for an instrumented source: places begin with EZ_SPEC_FROM, EZ_SPEC_BACK is behind all. No code has these
 * bytes. */
#define EZ_SPEC_FROM '\036'
#define EZ_SPEC_BACK '\037'
char *ez_spec_marked(const struct ez_spec *s, enum ez_spec_point point,
                     const struct ez_spec_site *site);
/* The same of one clause's code, which is taken. */
char *ez_spec_mark(const struct ez_spec_clause *c, char *code);
/* The line of the specification in which line i of a clause's code begins, from 0. */
unsigned ez_spec_code_line(const struct ez_spec_clause *c, size_t i);

/* The specification, a clause a line, in one way of writing it that means the same. The caller frees it. */
char *ez_spec_show(const struct ez_spec *s);
/* A clause but for its code. The caller frees it. */
char *ez_spec_show_where(const struct ez_spec_clause *c);

/* The bit of "c", "c++" or "fortran"; 0 = none of them. */
unsigned ez_spec_lang(const char *name);
/* "entry", "loop exit", ... of a point. */
const char *ez_spec_point_name(enum ez_spec_point point);

#endif
