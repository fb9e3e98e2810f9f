/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spec.h - specifications as commands read them: for spec.c, spec_load.c, spec_info.c and spec_end.c. */
#ifndef CMDS_SPEC_H
#define CMDS_SPEC_H

#include "modules/spec/spec.h"
#include "shell/sess.h"

struct spec_files { /* several files, read as one specification                           */
    struct ez_spec spec;
    struct ez_src *file;
    size_t n;
};
/* What is wrong in them is printed. In any case to be freed by spec_files_free(). */
ez_err *spec_files_read(struct ez_sess *s, int argc, char **argv, const char *filter,
                        struct spec_files *out) EZ_WUR;
void spec_files_free(struct spec_files *f);

struct spec_end { /* the source file that was read last                                     */
    char *file, *text;
};
/* The line of the END that follows, if nothing but comments and blank lines is between; else that line. */
unsigned spec_end_line(struct spec_end *e, const char *file, unsigned line);
void spec_end_free(struct spec_end *e);

/* "3": the number of a specification. EZ_E_ARG. */
ez_err *spec_number(const char *word, int *out) EZ_WUR;

#endif
