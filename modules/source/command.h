/* SPDX-License-Identifier: GPL-3.0-or-later */
/* command.h - the command line of a compiler: its source files, and what of it another may be told.
 * Tests: tests/source/snippets.sh */
#ifndef EZ_COMMAND_H
#define EZ_COMMAND_H

#include "modules/spec/spec.h"

typedef EZ_VEC(char *) ez_words;

struct ez_source {      /* a file to compile that a specification may apply to             */
    size_t word;        /* its index in argv                                              */
    const char *forced; /* the language that -x says; NULL = its name's ending decides     */
};

struct ez_command {
    char **argv; /* of the compiler, with its name; the caller's                            */
    size_t n;
    size_t compiler; /* its word: the first, or one behind a launcher such as ccache        */
    size_t options;  /* the first word behind the compiler where options may be put          */
    EZ_VEC(struct ez_source) sources;
    const char *forced; /* what the last -x says                                            */
    bool compiles;      /* it makes code: not -E, -M, -fsyntax-only, --version                 */
    bool input;         /* it compiles standard input                                          */
    bool depends;       /* -MD, -MMD: it writes which files it has read                        */
    ez_words rules;     /* the files where it writes that, as far as the options name them       */
    const char *out;    /* what -o says                                                        */
    char *odd; /* an option whose meaning is not known, or with which no other file may stand
                      * for a source; NULL = there is none                                   */
};

/* argv[0..n) with response files (@FILE) replaced by the words in them, as GCC does. Appended. */
void ez_command_expand(char **argv, size_t n, ez_words *out);
/* Looks at argv[0..n), where argv[0] is the compiler. The caller frees *c with ez_command_free. */
void ez_command_read(struct ez_command *c, char **argv, size_t n);
void ez_command_free(struct ez_command *c);
/* The language of a file by its ending, or by `forced` ("c++", ...), for that compiler (NULL = any: g++ takes
 * .c for C++); 0 = none that specifications know. */
unsigned ez_command_lang(const char *compiler, const char *file, const char *forced);
/* The options that decide what a source file means: -I, -D, -std and their kin. Appended; the caller
 * frees each. */
void ez_command_meaning(const struct ez_command *c, ez_words *out);
void ez_words_free(ez_words *w);
/* Of a file of Fortran: does the preprocessor see it first (.F90, -cpp)? Is it in fixed form? */
bool ez_command_preprocessed(const char *file, const ez_words *options);
bool ez_command_fixed(const char *file, const ez_words *options);

/* What the preprocessor of `cc` makes of a file, with `more` words, the last of which is the file; NULL ends
 * them. The caller frees it. NULL: that fails. */
char *ez_command_preprocess(const char *cc, const ez_words *options, const char *const *more);

/* The folders in which `cc` looks for headers, "-idirafter" before each. Appended; the caller frees each. */
void ez_command_folders(const char *cc, const ez_words *options, bool cxx, ez_words *out);

/* Runs argv. If `out` is no NULL, what it writes to fd (1 or 2) goes there, for the caller to free, and what it
 * writes to the other nowhere. The status; 128 + n for a signal. 127 and errno: it cannot be run. */
int ez_command_run(char **argv, int fd, char **out);
/* The same, and nothing of what it writes is seen. */
int ez_command_run_quietly(char **argv);

#endif
