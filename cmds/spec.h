/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spec.h - specifications as commands read them: for spec.c, spec_load.c and spec_info.c. */
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

/* "3": the number of a specification. EZ_E_ARG. */
ez_err *spec_number(const char *word, int *out) EZ_WUR;

#endif
