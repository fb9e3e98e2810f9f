/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cc.h - runs the C compiler, and maps its messages to places of the script.
 * Tests: tests/unit/modules/check_module.c */
#ifndef EZ_CC_H
#define EZ_CC_H

#include "engine/base/err.h"
#include "modules/compiler/emit.h"

struct ez_cc {
    const struct ez_emit *c;
    const char *include; /* folder of ezt_probe.h */
    const char *home;    /* folder of the script; relative paths in its options start there */
    const char *object;  /* absolute path; NULL: only check for errors */
};

/* Compiles the C. *good becomes false if the C is wrong or cannot be linked. Errors and warnings
 * that have a place in the script go to `t`; others go to *said, a line each, which the caller
 * frees. Returns EZ_E_SYS if the compiler cannot be run, or a signal ended it. */
ez_err *ez_cc_run(const struct ez_cc *cc, struct ez_src *t, bool *good, char **said) EZ_WUR;

#endif
