/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tu.h - a source file parsed by libclang: offsets, macros, errors. Other files use libclang
 * through this header. */
#ifndef EZ_TU_H
#define EZ_TU_H

#include <clang-c/Index.h>

#include "engine/base/err.h"
#include "modules/instrument/source/command.h"

struct ez_tu_macro { /* a use of a macro: the bytes [a, b) */
    size_t a, b;
    /* the use must not be expanded, and its expansion has neither a brace nor a ';' that ends a
     * statement */
    bool stays;
};

struct ez_tu_error {
    size_t at; /* offset of the error; SIZE_MAX = not in the file itself */
    char *text;
    EZ_VEC(size_t) notes; /* offsets in the file to which notes of the error refer */
};

struct ez_tu {
    CXIndex index;
    CXTranslationUnit unit;
    CXFile file;
    const char *name, *text; /* name and text of the file; the caller owns them */
    size_t size;
    enum ez_spec_lang lang;
    unsigned standard; /* C++ standard: 3 for C++98, 11, 14 or later */
    bool exceptions;   /* C++ without -fno-exceptions */
    EZ_VEC(struct ez_tu_macro) macros;
    EZ_VEC(struct ez_tu_error) errors;
};

/* Parses `text` as the file `name`. Errors of the kind that a compiler reports go to t->errors.
 * EZ_E_SYS: libclang failed. Free *t in each case. */
ez_err *ez_tu_parse(struct ez_tu *t, const char *name, const char *text, size_t size,
                    enum ez_spec_lang lang, const ez_words *options) EZ_WUR;
void ez_tu_free(struct ez_tu *t);

/* Finds the offsets of the text of a cursor. Inside of a macro, finds the offsets of the macro's
 * use. Returns false if the text is not in the file itself. */
bool ez_tu_range(const struct ez_tu *t, CXCursor c, size_t *a, size_t *b);
/* Returns the use of a macro that contains the byte; NULL if none does. */
const struct ez_tu_macro *ez_tu_in_macro(const struct ez_tu *t, size_t at);
/* Finds the line and column of a byte; both count from 1. */
void ez_tu_place(const struct ez_tu *t, size_t at, unsigned *line, unsigned *col);
/* Returns the offset of the next token: skips blanks, comments and backslashes at line ends. */
size_t ez_tu_skip(const struct ez_tu *t, size_t at);
/* Returns true if the bytes [a, b) contain the word outside comments and literals. */
bool ez_tu_has_word(const struct ez_tu *t, size_t a, size_t b, const char *word);
enum ez_tu_own { EZ_TU_NONE, EZ_TU_VARIABLE, EZ_TU_FUNCTION };
/* Finds what `name` is at file scope: a static variable or function, or one in an unnamed namespace
 * (*unnamed). */
enum ez_tu_own ez_tu_static(const struct ez_tu *t, const char *name, bool *unnamed);
/* Returns a copy, and disposes of the string. The caller frees the copy. */
char *ez_tu_string(CXString s);

#endif
