/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spec.h - reading specifications, for spec.c, spec_load.c, spec_info.c and spec_end.c. */
#ifndef CMDS_SPEC_H
#define CMDS_SPEC_H

#include "modules/instrument/spec/spec.h"
#include "shell/sess.h"

struct spec_files { /* files that form one specification */
    struct ez_spec spec;
    struct ez_src *file;
    size_t n;
};
/* Reads the files and prints their errors. Free *out with spec_files_free(), also after an
 * error. */
ez_err *spec_files_read(struct ez_sess *s, int argc, char **argv, const char *filter,
                        struct spec_files *out) EZ_WUR;
void spec_files_free(struct spec_files *f);

/* the Fortran source file that was read last; spec_end_line() keeps it for the next line */
struct spec_end {
    char *file, *text;
};
/* Returns the line of the first END statement from `line` on, if only comments, blank lines and
 * preprocessor lines are before it; else returns `line`. */
unsigned spec_end_line(struct spec_end *e, const char *file, unsigned line);
void spec_end_free(struct spec_end *e);

/* Parses the number of a specification, "3". Returns EZ_E_ARG for other text. */
ez_err *spec_number(const char *word, int *out) EZ_WUR;

#endif
