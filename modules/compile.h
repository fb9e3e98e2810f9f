/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compile.h - compiles a plugin script to a module: the interface for programs.
 *
 * Reads a script (doc/MODULES.md), writes C, lets the C compiler make a shared object from it, and
 * puts the object at DIR/NAME.so once it is complete. No name, text or path of the script reaches a
 * shell. Prints nothing: messages about the script are in `said`.
 * Tests: tests/unit/modules/check_script.c, tests/unit/modules/check_module.c */
#ifndef EZ_COMPILE_H
#define EZ_COMPILE_H

#include "engine/base/base.h"
#include "engine/base/err.h"

struct ez_compile_options {
    const char *script; /* path of the script */
    const char *dir;    /* folder for NAME.so; NULL: the current folder */
    bool keep_c;        /* also writes DIR/NAME.c */
    bool only_check;    /* only checks the script, and writes no file */
};

struct ez_compiled {
    char *said;            /* errors and warnings with their lines; "": none */
    char *name;            /* NAME of the script; NULL = missing */
    char *object, *source; /* paths of the written files; NULL = not written */
    unsigned id, functions, events, warnings;
};

/* Compiles a script. Returns EZ_E_FORMAT if the script or its C has errors, which are in out->said;
 * other errors concern a file or the compiler. The caller frees `out` in each case. */
ez_err *ez_module_compile(const struct ez_compile_options *o, struct ez_compiled *out) EZ_WUR;
void ez_compiled_free(struct ez_compiled *c);

/* Returns the folder of ezt_probe.h: $EZT_INCLUDE; or a folder beside the program, in a build
 * tree or in an installation; or the folder of the configured installation. The caller frees
 * the text. */
char *ez_compile_include(void);

#endif
