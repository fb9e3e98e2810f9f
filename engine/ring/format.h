/* SPDX-License-Identifier: GPL-3.0-or-later */
/* format.h - formats as C's printf has them, for values that a probe collected (`dprintf`), and for `printf`: parsed when
 * they are set, so that a wrong one is an error, and filled in when the event has come.
 *
 * %d %i %u %x %X %o %c %p %s %f %F %e %E %g %G %a %A %%, with flags, width and precision, hh h l ll
 * z j t before integers, and l L before floats. There is no *, no $, no %n. Tests: tests/unit/engine/check_code.c,
 * tests/procs/dprintf.sh */
#ifndef EZ_FORMAT_H
#define EZ_FORMAT_H

#include "engine/base/base.h"
#include "engine/base/err.h"
#include "engine/ring/items.h"

/* One conversion: text[from] to text[to - 1], of which letter `what` is the last. */
struct ez_conversion {
    size_t from, to;
    char what;
    unsigned bytes; /* of the integer that it takes                                   */
};
/* The text between quotes, with its escapes (\n, \", \033) made one character; *end = behind its closing
 * quote. The caller frees. EZ_E_ARG. */
ez_err *ez_format_unquote(const char *text, char **out, const char **end) EZ_WUR;
/* The next conversion at or behind `at`, %% left out. *found false = there is none. EZ_E_ARG. */
ez_err *ez_format_next(const char *text, size_t at, struct ez_conversion *out, bool *found) EZ_WUR;
/* A value as its conversion has it: `s` of %s, `d` of floats, else `v`. The caller frees. */
char *ez_format_one(const char *text, const struct ez_conversion *c, uint64_t v, double d,
                    const char *s);
/* text[from] to text[to - 1], which has no conversion but %%. The caller frees. */
char *ez_format_plain(const char *text, size_t from, size_t to);
/* The text with the values of an event of n words. The caller frees. */
char *ez_format_fill(const char *text, const struct ez_items *items, const uint64_t *word,
                     unsigned n);

#endif
