/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tu.h - a source file as libclang has parsed it: offsets, macros, errors. All other files that ask
 * libclang include it through this. */
#ifndef EZ_TU_H
#define EZ_TU_H

#include <clang-c/Index.h>

#include "engine/base/err.h"
#include "modules/source/command.h"

struct ez_tu_macro { /* a use of one: the bytes [a, b)                                      */
    size_t a, b;
    bool stays; /* it cannot be expanded, and has no end of a statement, and no brace        */
};

struct ez_tu_error {
    size_t at; /* SIZE_MAX: not in the file itself                                          */
    char *text;
    EZ_VEC(size_t) notes; /* places in the file that it has to do with                        */
};

struct ez_tu {
    CXIndex index;
    CXTranslationUnit unit;
    CXFile file;
    const char *name, *text; /* the caller's                                                */
    size_t size;
    enum ez_spec_lang lang;
    unsigned standard; /* of C++: 98, which sorts as 3, 11, 14 or a later one                 */
    bool exceptions;   /* C++ without -fno-exceptions                                         */
    EZ_VEC(struct ez_tu_macro) macros;
    EZ_VEC(struct ez_tu_error) errors;
};

/* Parses `text` as the file `name`. What the compiler would refuse is in `errors`; EZ_E_SYS: libclang
 * gave nothing at all. Free it in each case. */
ez_err *ez_tu_parse(struct ez_tu *t, const char *name, const char *text, size_t size,
                    enum ez_spec_lang lang, const ez_words *options) EZ_WUR;
void ez_tu_free(struct ez_tu *t);

/* The bytes of the cursor, or of the place where the macro is used that has it. False: it is not in the
 * file itself. */
bool ez_tu_range(const struct ez_tu *t, CXCursor c, size_t *a, size_t *b);
/* The macro that the byte comes from; NULL = none. */
const struct ez_tu_macro *ez_tu_in_macro(const struct ez_tu *t, size_t at);
/* From 1. */
void ez_tu_place(const struct ez_tu *t, size_t at, unsigned *line, unsigned *col);
/* Behind blanks, comments and joints of lines. */
size_t ez_tu_skip(const struct ez_tu *t, size_t at);
/* Does a word stand in the bytes [a, b), outside comments and literals? */
bool ez_tu_has_word(const struct ez_tu *t, size_t a, size_t b, const char *word);
enum ez_tu_own { EZ_TU_NONE, EZ_TU_VARIABLE, EZ_TU_FUNCTION };
/* What the file itself declares as static, or in a namespace without a name (*unnamed), outside of functions, by that
 * name. */
enum ez_tu_own ez_tu_static(const struct ez_tu *t, const char *name, bool *unnamed);
/* A copy; the string is given back. The caller frees it. */
char *ez_tu_string(CXString s);

#endif
