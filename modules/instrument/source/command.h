/* SPDX-License-Identifier: GPL-3.0-or-later */
/* command.h - the command line of a compiler: its source files, and the options that another
 * compiler may get.
 * Tests: tests/source/snippets.sh */
#ifndef EZ_COMMAND_H
#define EZ_COMMAND_H

#include "modules/instrument/spec/spec.h"

typedef EZ_VEC(char *) ez_words;

struct ez_source {      /* a file to compile that a specification may apply to */
    size_t word;        /* index in argv */
    const char *forced; /* language given by -x; NULL: the file name's ending decides */
};

struct ez_command {
    char **argv; /* the compiler's words, with its name; owned by the caller */
    size_t n;
    /* index of its name: the first word, or the word after a launcher such as ccache */
    size_t compiler;
    size_t options; /* first word after the compiler where options may be inserted */
    EZ_VEC(struct ez_source) sources;
    const char *forced; /* language given by the last -x */
    bool compiles;      /* generates code: not -E, -M, -fsyntax-only, --version */
    bool input;         /* compiles standard input */
    bool depends;       /* -MD, -MMD: writes which files it has read */
    ez_words rules;     /* files for that, if the options name them */
    const char *out;    /* value of -o */
    /* An unknown option, or one that does not allow another file in place of a source; or NULL. */
    char *odd;
};

/* Appends argv[0..n), with response files (@FILE) replaced by their words, as GCC does. */
void ez_command_expand(char **argv, size_t n, ez_words *out);
/* Analyzes argv[0..n); argv[0] is the compiler. The caller frees *c with ez_command_free(). */
void ez_command_read(struct ez_command *c, char **argv, size_t n);
void ez_command_free(struct ez_command *c);
/* Returns the language of a file by its ending, or by `forced` ("c++", ...), for that compiler
 * (NULL: any; g++ compiles .c as C++). Returns 0 for languages that specifications do not know. */
unsigned ez_command_lang(const char *compiler, const char *file, const char *forced);
/* Appends the options that determine the meaning of a source file, such as -I, -D, -std. The caller
 * frees each. */
void ez_command_meaning(const struct ez_command *c, ez_words *out);
void ez_words_free(ez_words *w);
/* Return true if a Fortran file is preprocessed first (.F90, -cpp), and if it is in fixed form. */
bool ez_command_preprocessed(const char *file, const ez_words *options);
bool ez_command_fixed(const char *file, const ez_words *options);

/* Returns the output of the preprocessor of `cc` for a file. more: further words, the file last,
 * then NULL. Returns NULL if that fails. The caller frees the text. */
char *ez_command_preprocess(const char *cc, const ez_words *options, const char *const *more);

/* Appends the folders in which `cc` looks for headers, "-idirafter" before each. The caller frees
 * each. */
void ez_command_folders(const char *cc, const ez_words *options, bool cxx, ez_words *out);

/* Runs argv. If `out` is not NULL, *out gets the output on fd (1 or 2), which the caller frees, and
 * the other output is dropped. Returns the exit status, 128 + n for a signal, or 127 and errno if
 * argv cannot be run. */
int ez_command_run(char **argv, int fd, char **out);
/* Does the same, and drops all output. */
int ez_command_run_quietly(char **argv);

#endif
