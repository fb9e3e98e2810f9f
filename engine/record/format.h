/* SPDX-License-Identifier: GPL-3.0-or-later */
/* format.h - formats as in C's printf, for "dprintf" and "printf".
 *
 * A format is parsed when the user types it, so that errors are reported at once. Values are filled
 * in when the event arrives. Conversions: %d %i %u %x %X %o %c %p %s %f %F %e %E %g %G %a %A %%,
 * with flags, width and precision, and hh h l ll z j t before integers, l L before floats. *, $ and
 * %n are errors.
 * Tests: tests/unit/rt/check_code.c, tests/procs/dprintf.sh */
#ifndef EZ_FORMAT_H
#define EZ_FORMAT_H

#include "engine/base/base.h"
#include "engine/base/err.h"
#include "engine/record/items.h"

/* A conversion: text[from] to text[to - 1]. `what` is the last letter of the conversion. */
struct ez_conversion {
    size_t from, to;
    char what;
    unsigned bytes; /* size of the integer argument */
};
/* Sets *out to the quoted text without its quotes, with escapes (\n, \", \033) resolved. *end
 * points behind the closing quote. The caller frees the text. EZ_E_ARG if the text is wrong. */
ez_err *ez_format_unquote(const char *text, char **out, const char **end) EZ_WUR;
/* Finds the next conversion at or after `at`, except %%. *found is false if there is none. EZ_E_ARG
 * if a conversion is wrong. */
ez_err *ez_format_next(const char *text, size_t at, struct ez_conversion *out, bool *found) EZ_WUR;
/* Formats one value: `s` for %s, `d` for floats, otherwise `v`. The caller frees the text. */
char *ez_format_one(const char *text, const struct ez_conversion *c, uint64_t v, double d,
                    const char *s);
/* Returns text[from] to text[to - 1], which contains no conversion except %%. The caller frees
 * it. */
char *ez_format_plain(const char *text, size_t from, size_t to);
/* Returns the text filled in with the values of an event of n words. The caller frees the text. */
char *ez_format_fill(const char *text, const struct ez_items *items, const uint64_t *word,
                     unsigned n);

#endif
