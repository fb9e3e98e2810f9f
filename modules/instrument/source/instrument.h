/* SPDX-License-Identifier: GPL-3.0-or-later */
/* instrument.h - applies a specification to a source file, and reports what was done. */
#ifndef EZ_INSTRUMENT_H
#define EZ_INSTRUMENT_H

#include "engine/base/err.h"
#include "modules/instrument/source/command.h"
#include "modules/instrument/source/edit.h"
#include "modules/instrument/source/lines.h"
#include "modules/instrument/spec/declare.h"

struct ez_done { /* result for a routine */
    char *name, *signature;
    unsigned line;   /* line of its name */
    unsigned places; /* number of instrumented places */
    char *left;      /* why it was left alone, or NULL */
    bool missed;     /* it was left alone although a clause applies to it */
};

struct ez_instrumented {
    char *text; /* n bytes; NULL: the file stays as it is */
    size_t n;
    EZ_VEC(struct ez_done) routines;
    unsigned lines; /* number of file and line rules inserted */
    char *whole;    /* why the whole file was left alone, or NULL */
};

struct ez_instrument {
    const struct ez_spec *spec;
    const char *file; /* name that the compiler gets */
    enum ez_spec_lang lang;
    bool fixed;              /* Fortran: fixed form */
    char *const *cc;         /* the compiler's words, for macros: its name first */
    const ez_words *options; /* options that determine the file's meaning */
};

/* Instruments a C or C++ file. EZ_E_NOTFOUND, EZ_E_SYS: the file cannot be read. Free `out` in each
 * case. */
ez_err *ez_instrument_c(const struct ez_instrument *k, struct ez_instrumented *out) EZ_WUR;
/* Instruments a Fortran file. A file that is preprocessed first comes out preprocessed. */
ez_err *ez_instrument_fortran(const struct ez_instrument *k, struct ez_instrumented *out) EZ_WUR;
/* Reads the file; the caller frees the text. EZ_E_NOTFOUND, EZ_E_SYS. */
ez_err *ez_instrument_load(const struct ez_instrument *k, char **text, size_t *size) EZ_WUR;
/* Applies the rules of file and line. Returns how many apply. */
unsigned ez_instrument_lines(const struct ez_instrument *k, const ez_lines *lines,
                             struct ez_edits *edits, ez_declare_fn *own, void *arg);
void ez_instrumented_free(struct ez_instrumented *d);

#endif
