/* SPDX-License-Identifier: GPL-3.0-or-later */
/* instrument.h - a source file with a specification applied, and what was done in it. */
#ifndef EZ_INSTRUMENT_H
#define EZ_INSTRUMENT_H

#include "engine/base/err.h"
#include "modules/source/command.h"
#include "modules/source/edit.h"
#include "modules/source/lines.h"
#include "modules/spec/declare.h"

struct ez_done { /* a routine                                                                */
    char *name, *signature;
    unsigned line;   /* of its name                                                         */
    unsigned places; /* that were instrumented                                               */
    char *left;      /* why it was left alone; NULL = it was not                             */
    bool missed;     /* it was left alone, and a clause applies to it                        */
};

struct ez_instrumented {
    char *text; /* n bytes; NULL = the file stays as it is                                   */
    size_t n;
    EZ_VEC(struct ez_done) routines;
    unsigned lines; /* of file and line that were put in                                    */
    char *whole;    /* why the file as a whole was left alone; NULL = it was not            */
};

struct ez_instrument {
    const struct ez_spec *spec;
    const char *file; /* as the compiler is given it                                 */
    enum ez_spec_lang lang;
    bool fixed;              /* Fortran's form                                              */
    char *const *cc;         /* the compiler's words, for macros: its name first            */
    const ez_words *options; /* that decide what the file means                             */
};

/* EZ_E_NOTFOUND, EZ_E_SYS: the file cannot be read. Free `out` in each case. */
ez_err *ez_instrument_c(const struct ez_instrument *k, struct ez_instrumented *out) EZ_WUR;
/* A file of Fortran. One that is preprocessed first comes out preprocessed. */
ez_err *ez_instrument_fortran(const struct ez_instrument *k, struct ez_instrumented *out) EZ_WUR;
/* Reads the file, for the caller to free. EZ_E_NOTFOUND, EZ_E_SYS. */
ez_err *ez_instrument_load(const struct ez_instrument *k, char **text, size_t *size) EZ_WUR;
/* The rules of file and line. How many apply. */
unsigned ez_instrument_lines(const struct ez_instrument *k, const ez_lines *lines,
                             struct ez_edits *edits, ez_declare_fn *own, void *arg);
void ez_instrumented_free(struct ez_instrumented *d);

#endif
