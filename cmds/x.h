/* SPDX-License-Identifier: GPL-3.0-or-later */
/* x.h - memory as `x` shows it, for `display`, too. */
#ifndef EZ_X_H
#define EZ_X_H

#include "engine/base/base.h"
#include "engine/base/err.h"

struct ez_sess;

struct x_format {
    int count;     /* below 0: so many before the address                       */
    unsigned size; /* bytes of a unit                                           */
    char letter;
};

/* Takes a format, without its slash, and the blanks behind it off the text; what it leaves out is as in `last`. EZ_E_ARG. */
ez_err *x_parse_format(const char **text, const struct x_format *last, struct x_format *out) EZ_WUR;
/* What an expression, or a symbol of unknown type, names in memory. */
ez_err *x_address(struct ez_sess *s, const char *text, uint64_t *out) EZ_WUR;
/* Shows it, with `lead` before its first line, and moves *at to what follows. */
ez_err *x_show(struct ez_sess *s, const char *lead, const struct x_format *f, uint64_t *at) EZ_WUR;

#endif
