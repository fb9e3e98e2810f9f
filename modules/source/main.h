/* SPDX-License-Identifier: GPL-3.0-or-later */
/* main.h - what the two ways to call eztsh-instrument share: on source files (main.c), around a compiler (wrap.c). */
#ifndef EZ_MAIN_H
#define EZ_MAIN_H

#include "modules/source/instrument.h"

struct ez_main {
    struct ez_spec spec;
    EZ_VEC(struct ez_src *) read;
    EZ_VEC(char *) sources;
    const char *out, *lang;
    int form; /* 1 = fixed, 2 = free                                                        */
    bool report, json;
    int first; /* of the words behind "--"; 0 = none                                         */
};

/* Writes "eztsh-instrument: ..." on standard error. Always 2. */
int ez_main_fail(const char *fmt, ...) EZ_PRINTF(1, 2);
/* Says what is wrong in specifications, once. True: something is. */
bool ez_main_reported(struct ez_main *m);
/* What -lang says, else what the compiler takes it for; 0 = none that is known. */
unsigned ez_main_lang(const struct ez_main *m, const char *compiler, const char *file,
                      const char *forced);
/* Instruments a file for the compiler cc[0]. Free *d in each case. */
ez_err *ez_main_apply(struct ez_main *m, const char *file, unsigned lang, char *const *cc,
                      const ez_words *options, struct ez_instrumented *d) EZ_WUR;
/* "-" is standard output. EZ_E_SYS. */
ez_err *ez_main_write(const char *path, const char *text, size_t n) EZ_WUR;
/* Warns of each routine that a clause applies to and that was left alone, in a line each on standard error. */
void ez_main_warn(const char *file, const struct ez_instrumented *d);
void ez_main_report(const struct ez_main *m, const char *file, const struct ez_instrumented *d);

/* Runs the compiler argv[0], the list ends with NULL, on instrumented files. Its status. */
int ez_main_wrap(struct ez_main *m, char **argv);

#endif
