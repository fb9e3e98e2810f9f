/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spec.h - an instrumentation specification.
 *
 * A clause names a *point* (the entry of a routine, a call, line 1 of a file, ...), selects
 * files, routines and languages, and gives code. At a point, the code of all matching clauses
 * is joined, line by line, in the order of the files and of the clauses in them. Lists of
 * routines and files, which a filter file or any specification may have, exclude places again:
 * they override clauses.
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
                     EZ_SPEC_INIT, /* in the main program */
                     EZ_SPEC_ENTRY,
                     EZ_SPEC_EXIT,
                     EZ_SPEC_ABORT, /* before exit(), abort(), STOP */
                     EZ_SPEC_LOOP_ENTRY,
                     EZ_SPEC_LOOP_EXIT,
                     EZ_SPEC_CALL_ENTRY, /* before a call */
                     EZ_SPEC_CALL_EXIT,
                     EZ_SPEC_THROW,
                     EZ_SPEC_CATCH, /* at the beginning of a handler */
                     EZ_SPEC_POINTS,
};

struct ez_spec_pattern {
    char *text; /* NULL: everything */
    bool regex, negated;
    regex_t re; /* compiled regex */
};

struct ez_spec_clause {
    struct ez_src *t; /* text that contains the clause */
    size_t at;
    enum ez_spec_point point;
    unsigned langs;
    struct ez_spec_pattern file, routine, callee;
    /* line of EZ_SPEC_FILE; for other points, a line in the routine's body; 0: any */
    unsigned line;
    char *code;          /* without quotes and escapes */
    struct ez_piece raw; /* as written, between the quotes */
};

enum ez_spec_list { /* in the order of their names in words.c */
                    EZ_SPEC_EXCLUDE,
                    EZ_SPEC_INCLUDE,
                    EZ_SPEC_FILE_EXCLUDE,
                    EZ_SPEC_FILE_INCLUDE,
                    EZ_SPEC_LISTS,
};

struct ez_spec_loops { /* TAU's `loops file="..." routine="..."`: limits loop clauses to these */
    unsigned langs;
    struct ez_spec_pattern file, routine;
};

struct ez_spec {
    EZ_VEC(struct ez_spec_clause) clauses;
    EZ_VEC(struct ez_spec_loops) loops; /* empty: all loops */
    EZ_VEC(struct ez_spec_pattern) lists[EZ_SPEC_LISTS];
};

/* A routine in a source file or a program. The caller owns the texts. */
struct ez_spec_routine {
    const char *name;      /* qualified: "main", "ns::C::f", "module::sub"                 */
    const char *signature; /* "int ns::C::f(int) const"; Fortran: the name */
    const char *file;
    enum ez_spec_lang lang;
    unsigned begin_line, begin_col, end_line, end_col; /* range of the body, from 1 */
    const char *rtti;        /* C++ expression for its name at run time; NULL: no template */
    const char *argc, *argv; /* parameters of main */
};

struct ez_spec_site {
    const struct ez_spec_routine *routine; /* NULL: EZ_SPEC_FILE */
    const char *file;
    enum ez_spec_lang lang;
    unsigned line, col; /* from 1 */
    const char *callee; /* EZ_SPEC_CALL_...: qualified name of the called routine */
};

/* Adds the clauses of the file. Errors go to `t`, which must live as long as `s`. */
void ez_spec_read(struct ez_spec *s, struct ez_src *t);
void ez_spec_deinit(struct ez_spec *s);

/* Return true if the lists do not exclude the file, or the routine with its file. */
bool ez_spec_wants_file(const struct ez_spec *s, const char *file);
bool ez_spec_wants(const struct ez_spec *s, const struct ez_spec_routine *r);
/* Returns true if a clause puts code into the routine, whatever its body contains. */
bool ez_spec_applies(const struct ez_spec *s, const struct ez_spec_routine *r);
/* Returns the first clause from index `from` on that applies there, considering the lists, or
 * SIZE_MAX. */
size_t ez_spec_next(const struct ez_spec *s, size_t from, enum ez_spec_point point,
                    const struct ez_spec_site *site);
/* Returns the clause's code with the keywords replaced. Code that does not fit the language is an
 * error in the clause's text. The caller frees the code. */
char *ez_spec_expand(const struct ez_spec_clause *c, const struct ez_spec_site *site);
/* Returns the code of all clauses there, joined by line feeds, or NULL if there are none. The
 * caller frees the code. */
char *ez_spec_fragment(const struct ez_spec *s, enum ez_spec_point point,
                       const struct ez_spec_site *site);

/* Returns code with the places of its lines in the specification: each line follows a line of
 * `before`, the number, and the file's name between `quote`. The caller frees the code. */
char *ez_spec_placed(const struct ez_spec_clause *c, const char *code, const char *before,
                     const char *quote);
/* ez_spec_marked() is ez_spec_fragment() for an instrumented source: places begin with
 * EZ_SPEC_FROM, and EZ_SPEC_BACK comes last. No code has these bytes. */
#define EZ_SPEC_FROM '\036'
#define EZ_SPEC_BACK '\037'
char *ez_spec_marked(const struct ez_spec *s, enum ez_spec_point point,
                     const struct ez_spec_site *site);
/* Does the same for one clause's code. Takes `code` over. */
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
