/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spec.h - an instrumentation specification.
 *
 * A clause names a *point* (the entry of a routine, a call, line 1 of a file, ...), selects files,
 * routines and languages, and has code. If several clauses apply at a point, their code is joined,
 * line by line, in the order of the files and of the clauses in them. Lists of routines and files
 * exclude places: they override clauses. Such lists may be in a filter file or in any
 * specification.
 * Source: M. Geimer, S. Shende, A. Malony, F. Wolf: A Generic and Configurable Source-Code
 * Instrumentation Component (ICCS 2009), section 4 and table 1; loop, throw, catch, call, ~= and !=
 * are added here.
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
                     EZ_SPEC_FILE, /* before a line of a file */
                     EZ_SPEC_DECL,
                     EZ_SPEC_INIT, /* at the start of the main program */
                     EZ_SPEC_ENTRY,
                     EZ_SPEC_EXIT,
                     EZ_SPEC_ABORT, /* before a call that ends the program: exit(), abort(), STOP */
                     EZ_SPEC_LOOP_ENTRY,
                     EZ_SPEC_LOOP_EXIT,
                     EZ_SPEC_CALL_ENTRY, /* before a call */
                     EZ_SPEC_CALL_EXIT,
                     EZ_SPEC_THROW,
                     EZ_SPEC_CATCH, /* at the start of an exception handler */
                     EZ_SPEC_POINTS,
};

struct ez_spec_pattern {
    char *text; /* the pattern; NULL = matches everything */
    bool regex, negated;
    regex_t re; /* compiled regex */
};

struct ez_spec_clause {
    struct ez_src *t; /* file in which the clause is */
    size_t at;
    enum ez_spec_point point;
    unsigned langs;
    struct ez_spec_pattern file, routine, callee;
    /* EZ_SPEC_FILE: the line of the file. Other points: selects the routine whose body has the
     * line; 0 = any. */
    unsigned line;
    char *code;          /* the code, with its escapes resolved */
    struct ez_piece raw; /* the code as written between the quotes */
};

enum ez_spec_list { /* in the order of their names in words.c */
                    EZ_SPEC_EXCLUDE,
                    EZ_SPEC_INCLUDE,
                    EZ_SPEC_FILE_EXCLUDE,
                    EZ_SPEC_FILE_INCLUDE,
                    EZ_SPEC_LISTS,
};

struct ez_spec_loops { /* a line of TAU, `loops file="..." routine="..."`: limits clauses for loops
                        * to these routines */
    unsigned langs;
    struct ez_spec_pattern file, routine;
};

struct ez_spec {
    EZ_VEC(struct ez_spec_clause) clauses;
    EZ_VEC(struct ez_spec_loops) loops; /* empty = clauses for loops apply to all */
    EZ_VEC(struct ez_spec_pattern) lists[EZ_SPEC_LISTS];
};

/* A routine in a source file or a program. The caller owns the texts. */
struct ez_spec_routine {
    const char *name;      /* qualified: "main", "ns::C::f", "module::sub"                 */
    const char *signature; /* "int ns::C::f(int) const"; Fortran: the name */
    const char *file;
    enum ez_spec_lang lang;
    unsigned begin_line, begin_col, end_line, end_col; /* lines and columns of the body, from 1 */
    const char *rtti;        /* C++ expression that computes the name of a template's instance at
                              * run time; NULL = no template */
    const char *argc, *argv; /* parameters of main */
};

struct ez_spec_site {
    const struct ez_spec_routine *routine; /* NULL: EZ_SPEC_FILE */
    const char *file;
    enum ez_spec_lang lang;
    unsigned line, col; /* line and column of the place, from 1 */
    const char *callee; /* EZ_SPEC_CALL_...: qualified name of the called routine */
};

/* Adds the clauses of the file. Errors go to `t`, which must live as long as `s`. */
void ez_spec_read(struct ez_spec *s, struct ez_src *t);
void ez_spec_deinit(struct ez_spec *s);

/* ez_spec_wants_file returns false if the lists exclude the file, ez_spec_wants if they exclude the
 * routine or its file. */
bool ez_spec_wants_file(const struct ez_spec *s, const char *file);
bool ez_spec_wants(const struct ez_spec *s, const struct ez_spec_routine *r);
/* Returns true if a clause of decl, entry or exit puts code into the routine. */
bool ez_spec_applies(const struct ez_spec *s, const struct ez_spec_routine *r);
/* Returns the index of the first clause from `from` on that applies at the point and is not
 * excluded by lists; SIZE_MAX if there is none. */
size_t ez_spec_next(const struct ez_spec *s, size_t from, enum ez_spec_point point,
                    const struct ez_spec_site *site);
/* Returns the code of a clause with its keywords replaced for the place. If the code does not fit
 * the language, adds an error at the clause. The caller frees the code. */
char *ez_spec_expand(const struct ez_spec_clause *c, const struct ez_spec_site *site);
/* Returns the code of all clauses that apply at the point, joined by newlines; NULL if there is
 * none. The caller frees the code. */
char *ez_spec_fragment(const struct ez_spec *s, enum ez_spec_point point,
                       const struct ez_spec_site *site);

/* Returns code in which each line follows a line that names its place in the specification:
 * `before`, the line number, and the name of the file between `quote`. The caller frees the
 * code. */
char *ez_spec_placed(const struct ez_spec_clause *c, const char *code, const char *before,
                     const char *quote);
/* Like ez_spec_fragment(), for a source that is instrumented: a mark names the place of each line.
 * Marks begin with EZ_SPEC_FROM, and EZ_SPEC_BACK comes at the end. No code contains these
 * bytes. */
#define EZ_SPEC_FROM '\036'
#define EZ_SPEC_BACK '\037'
char *ez_spec_marked(const struct ez_spec *s, enum ez_spec_point point,
                     const struct ez_spec_site *site);
/* Adds such marks to the code of one clause. Owns `code`. */
char *ez_spec_mark(const struct ez_spec_clause *c, char *code);
/* Returns the line of the specification in which line i (from 0) of a clause's code begins. */
unsigned ez_spec_code_line(const struct ez_spec_clause *c, size_t i);

/* Returns the specification in a canonical form with the same meaning, one clause a line. The
 * caller frees the text. */
char *ez_spec_show(const struct ez_spec *s);
/* Returns a clause without its code. The caller frees the text. */
char *ez_spec_show_where(const struct ez_spec_clause *c);

/* Returns the bit of "c", "c++" or "fortran", or 0 for another name. */
unsigned ez_spec_lang(const char *name);
/* Returns the name of a point: "entry", "loop exit", ... */
const char *ez_spec_point_name(enum ez_spec_point point);

#endif
