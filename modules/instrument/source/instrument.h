/* SPDX-License-Identifier: GPL-3.0-or-later */
/* instrument.h - applies a specification to a source file, and reports the result. */
#ifndef EZ_INSTRUMENT_H
#define EZ_INSTRUMENT_H

#include "engine/base/err.h"
#include "modules/instrument/source/command.h"
#include "modules/instrument/source/edit.h"
#include "modules/instrument/source/lines.h"
#include "modules/instrument/spec/declare.h"

struct ez_done { /* result for one routine */
    char *name, *signature;
    unsigned line;   /* line of the routine's name */
    unsigned places; /* number of places that got code */
    char *left;      /* reason why the routine was left unchanged; NULL = the routine was changed */
    bool missed;     /* a clause applies to the routine, but it was left unchanged */
};

struct ez_instrumented {
    char *text; /* the edited file, n bytes; NULL = the file stays unchanged */
    size_t n;
    EZ_VEC(struct ez_done) routines;
    unsigned lines; /* number of file and line rules inserted */
    char *whole;    /* why the whole file was left unchanged, or NULL */
};

struct ez_instrument {
    const struct ez_spec *spec;
    const char *file; /* name of the file for the compiler */
    enum ez_spec_lang lang;
    bool fixed;              /* Fortran: fixed form */
    char *const *cc;         /* words that run the compiler as a preprocessor, its name first */
    const ez_words *options; /* options on which the meaning of the file depends */
};

/* Instruments a C or C++ file. Returns EZ_E_NOTFOUND or EZ_E_SYS if the file cannot be read. Free
 * `out` in each case. */
ez_err *ez_instrument_c(const struct ez_instrument *k, struct ez_instrumented *out) EZ_WUR;
/* Instruments a Fortran file. If the compiler preprocesses the file, the result is the
 * preprocessor's output, edited. */
ez_err *ez_instrument_fortran(const struct ez_instrument *k, struct ez_instrumented *out) EZ_WUR;
/* Reads the file; the caller frees the text. Returns EZ_E_NOTFOUND or EZ_E_SYS if the file cannot
 * be read. */
ez_err *ez_instrument_load(const struct ez_instrument *k, char **text, size_t *size) EZ_WUR;
/* Applies the rules of file and line. Returns how many apply. */
unsigned ez_instrument_lines(const struct ez_instrument *k, const ez_lines *lines,
                             struct ez_edits *edits, ez_declare_fn *own, void *arg);
void ez_instrumented_free(struct ez_instrumented *d);

#endif
