/* SPDX-License-Identifier: GPL-3.0-or-later */
/* command.h - the command line of a compiler: its source files, and the options that other
 * compilers understand, too.
 * Tests: tests/source/snippets.sh */
#ifndef EZ_COMMAND_H
#define EZ_COMMAND_H

#include "modules/instrument/spec/spec.h"

typedef EZ_VEC(char *) ez_words;

struct ez_source {      /* a source file on the command line to which a specification may apply */
    size_t word;        /* index of its name in argv */
    const char *forced; /* language that -x forces; NULL = by the suffix of the file's name */
};

struct ez_command {
    char **argv; /* words of the command line, the compiler first; the caller owns them */
    size_t n;
    /* index of the compiler's name: 0, or more after a launcher such as ccache */
    size_t compiler;
    size_t options; /* index in argv at which options may be inserted */
    EZ_VEC(struct ez_source) sources;
    const char *forced; /* language given by the last -x */
    bool compiles;      /* generates code: not -E, -M, -fsyntax-only, --version */
    bool input;         /* the source is standard input */
    bool depends;       /* -MD or -MMD: the compiler writes rules for make with the files that it
                         * has read */
    ez_words rules;     /* files for these rules, if options name such files */
    const char *out;    /* value of -o */
    /* the option because of which the command line must not be changed: it is unknown, or allows no
     * other file in place of a source; NULL = none */
    char *odd;
};

/* Appends argv[0..n), with response files (@FILE) replaced by their words, as GCC does. */
void ez_command_expand(char **argv, size_t n, ez_words *out);
/* Analyzes the command line argv[0..n). The caller frees *c with ez_command_free(). */
void ez_command_read(struct ez_command *c, char **argv, size_t n);
void ez_command_free(struct ez_command *c);
/* Returns the language (a bit of ez_spec_lang) of a file, from its suffix or from `forced` ("c++",
 * ...). compiler: its name, as g++ compiles .c as C++; NULL = any. Returns 0 for languages that
 * specifications do not support. */
unsigned ez_command_lang(const char *compiler, const char *file, const char *forced);
/* Appends the options that determine the meaning of a source file, such as -I, -D, -std. The caller
 * frees each. */
void ez_command_meaning(const struct ez_command *c, ez_words *out);
void ez_words_free(ez_words *w);
/* ez_command_preprocessed returns true if a Fortran file is preprocessed first (.F90, -cpp);
 * ez_command_fixed, if it is in fixed form. */
bool ez_command_preprocessed(const char *file, const ez_words *options);
bool ez_command_fixed(const char *file, const ez_words *options);

/* Returns the output of the preprocessor of `cc` for a file. more: further words, the file last,
 * then NULL. Returns NULL if that fails. The caller frees the text. */
char *ez_command_preprocess(const char *cc, const ez_words *options, const char *const *more);

/* Appends the folders in which `cc` looks for headers, "-idirafter" before each. The caller frees
 * each. */
void ez_command_folders(const char *cc, const ez_words *options, bool cxx, ez_words *out);

/* Runs argv. With `out`, its output on descriptor fd (1 or 2) is stored in *out, which the caller
 * frees, and its other output is dropped. Returns the exit status, 128 + n for signal n, or 127
 * with errno set if argv cannot be run. */
int ez_command_run(char **argv, int fd, char **out);
/* Like ez_command_run(), but drops all output. */
int ez_command_run_quietly(char **argv);

#endif
