/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compile.h - from a plugin script to a module: all that programs may call here.
 *
 * Reads a script (doc/MODULES.md), writes C, has the C compiler make a shared object of it, and
 * puts that at DIR/NAME.so once it is complete. No name, text or path of the script reaches a
 * shell. Nothing is printed: what is to be told about the script is in `said`.
 * Tests: tests/unit/modules/ */
#ifndef EZ_COMPILE_H
#define EZ_COMPILE_H

#include "engine/base/base.h"
#include "engine/base/err.h"

struct ez_compile_options {
    const char *script; /* path of the script                                       */
    const char *dir;    /* where NAME.so goes; NULL = the current folder             */
    bool keep_c;        /* write DIR/NAME.c, too                                     */
    bool only_check;    /* write nothing                                             */
};

struct ez_compiled {
    char *said;            /* errors and warnings with their lines; "" = there are none */
    char *name;            /* NULL = the script gives none; so are the others           */
    char *object, *source; /* what was written                                          */
    unsigned id, functions, events, warnings;
};

/* EZ_E_NOTFOUND, EZ_E_SYS: a file or the compiler; EZ_E_FORMAT: the script is wrong, and `out`
 * says where. The caller frees `out` in each case. */
ez_err *ez_module_compile(const struct ez_compile_options *o, struct ez_compiled *out) EZ_WUR;
void ez_compiled_free(struct ez_compiled *c);

/* The folder of ezt_probe.h: $EZT_INCLUDE; else beside the program, in a build tree or where
 * both are installed; else where it was to be installed. The caller frees it. */
char *ez_compile_include(void);

#endif
