/* SPDX-License-Identifier: GPL-3.0-or-later */
/* x.h - the output of `x`, also for `display`. */
#ifndef EZ_X_H
#define EZ_X_H

#include "engine/base/base.h"
#include "engine/base/err.h"

struct ez_sess;

struct x_format {
    int count;     /* number of units; negative = units before the address */
    unsigned size; /* bytes of a unit */
    char letter;
};

/* Parses a format, without its slash, and removes it and the following blanks from the text. A
 * missing letter or size comes from `last`; a missing count is 1. Returns EZ_E_ARG for another
 * format, EZ_E_LIMIT for too large a count. */
ez_err *x_parse_format(const char **text, const struct x_format *last, struct x_format *out) EZ_WUR;
/* Returns the memory address of an expression, or of a symbol of unknown type. */
ez_err *x_address(struct ez_sess *s, const char *text, uint64_t *out) EZ_WUR;
/* Prints the memory, with `lead` before the first line, and moves *at past it. With a negative
 * count, prints the memory before *at, and moves *at to its start. */
ez_err *x_show(struct ez_sess *s, const char *lead, const struct x_format *f, uint64_t *at) EZ_WUR;

/* Sets $_, and the address at which `x` without an address continues. */
void x_set_next(struct ez_sess *s, uint64_t addr);

#endif
