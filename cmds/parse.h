/* SPDX-License-Identifier: GPL-3.0-or-later */
/* parse.h - addresses and locations of the program, as typed (words that need no program:
 * shell/parse_word.h).
 *
 * An address is a sum of terms: a number, $_ (the last address shown or returned), $REGISTER,
 * $_exitcode, a symbol; `main+4`, `$sp - 8`, `*0x1139`. Errors: EZ_E_ARG with the text that was not
 * understood. */
#ifndef EZ_PARSE_H
#define EZ_PARSE_H

#include "engine/base/base.h"
#include "engine/base/err.h"

struct ez_sess;

ez_err *parse_value(struct ez_sess *s, const char *text, uint64_t *out) EZ_WUR;
ez_err *parse_addr(struct ez_sess *s, const char *text, ez_addr *out) EZ_WUR;
/* Parses the number of a probe, or a $variable whose value is one. Returns EZ_E_ARG for other
 * text. */
ez_err *parse_probe(struct ez_sess *s, const char *text, int *out) EZ_WUR;
/* Appends the addresses that a LOCATION names, each once; *ADDR may be any expression. Free with
 * EZ_VEC_FREE. */
struct parse_places {
    ez_addr *at;
    size_t n, cap;
};
ez_err *parse_places(struct ez_sess *s, const char *location, struct parse_places *out) EZ_WUR;
/* Returns the names of the functions into which `name`, which has no code of its own, is inlined,
 * as in "main, area"; "" if none is known. */
const char *parse_inlined(struct ez_sess *s, const char *name);
/* Returns the names of the functions into which the function at address func is inlined; "" if it
 * is inlined nowhere. */
const char *parse_code_inlined(struct ez_sess *s, uint64_t func);
/* Adds the names of parse_inlined() as a hint to the error about a location that was not found.
 * Takes ownership of e and returns it. */
ez_err *parse_hint_inlined(struct ez_sess *s, const char *location, ez_err *e);
/* Removes parameters and result from the name of a function, as ez_sym_pretty() returns it. */
const char *parse_bare_name(struct ez_sess *s, const char *pretty);

#endif
