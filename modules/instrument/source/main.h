/* SPDX-License-Identifier: GPL-3.0-or-later */
/* main.h - shared by the two ways to call eztsh-instrument: on source files (main.c), around a
 * compiler (wrap.c). */
#ifndef EZ_MAIN_H
#define EZ_MAIN_H

#include "modules/instrument/source/instrument.h"

struct ez_main {
    struct ez_spec spec;
    EZ_VEC(struct ez_src *) read;
    EZ_VEC(char *) sources;
    const char *out, *lang;
    int form; /* form of Fortran sources: 1 = fixed, 2 = free, 0 = not given */
    bool report, json;
    int first; /* index of the first word after "--"; 0 = there is no "--" */
};

/* Prints "eztsh-instrument: ..." on standard error. Returns 2, an exit status. */
int ez_main_fail(const char *fmt, ...) EZ_PRINTF(1, 2);
/* Reports errors in specifications, once. Returns true if there are any. */
bool ez_main_reported(struct ez_main *m);
/* Returns the language of a file: that of -lang, else the one that the compiler uses; 0 =
 * unknown. */
unsigned ez_main_lang(const struct ez_main *m, const char *compiler, const char *file,
                      const char *forced);
/* Instruments a file for the compiler cc[0]. Free *d in each case. */
ez_err *ez_main_apply(struct ez_main *m, const char *file, unsigned lang, char *const *cc,
                      const ez_words *options, struct ez_instrumented *d) EZ_WUR;
/* Writes a file; "-" is standard output. Returns EZ_E_SYS if that fails. */
ez_err *ez_main_write(const char *path, const char *text, size_t n) EZ_WUR;
/* Warns about routines that were left unchanged although a clause applies, a line each on standard
 * error. */
void ez_main_warn(const char *file, const struct ez_instrumented *d);
void ez_main_report(const struct ez_main *m, const char *file, const struct ez_instrumented *d);

/* Runs the compiler argv[0] (NULL ends argv) with its source files replaced by instrumented ones.
 * Returns the exit status. */
int ez_main_wrap(struct ez_main *m, char **argv);

#endif
