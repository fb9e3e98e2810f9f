/* SPDX-License-Identifier: GPL-3.0-or-later */
/* parse.h - numbers, addresses and sizes as users write them.
 *
 * An address is a sum of terms: a number, $_ (the last address shown or
 * returned), $REGISTER, $_exitcode, a symbol; `main+4`, `$sp - 8`, `*0x1139`.
 * Errors: EZ_E_ARG with the text that was not understood. */
#ifndef EZ_PARSE_H
#define EZ_PARSE_H

#include "engine/base/base.h"
#include "engine/base/err.h"

struct ez_sess;

ez_err *parse_value(struct ez_sess *s, const char *text, uint64_t *out) EZ_WUR;
ez_err *parse_addr(struct ez_sess *s, const char *text, ez_addr *out) EZ_WUR;
/* The number of a probe, also by a $variable. EZ_E_ARG. */
ez_err *parse_probe(struct ez_sess *s, const char *text, int *out) EZ_WUR;
/* 4096, 0x1000, 4K, 2M, 1G (powers of 1024) */
ez_err *parse_size(const char *text, uint64_t *out) EZ_WUR;
/* Appends the addresses that a LOCATION names, each once; *ADDR may be any expression. Free with
 * EZ_VEC_FREE. */
struct parse_places {
    ez_addr *at;
    size_t n, cap;
};
ez_err *parse_places(struct ez_sess *s, const char *location, struct parse_places *out) EZ_WUR;
/* The functions into which a function without code of its own is inlined, as in "main, area";
 * "" = none is known. */
const char *parse_inlined(struct ez_sess *s, const char *name);
/* The same of a function that has code of its own, which begins at func; "" = nowhere. */
const char *parse_code_inlined(struct ez_sess *s, uint64_t func);
/* Says so of a location that was not found. Takes e. */
ez_err *parse_hint_inlined(struct ez_sess *s, const char *location, ez_err *e);
/* The text from `from` to `to`, without blanks before `to`; lives until the command returns. */
const char *parse_text(struct ez_sess *s, const char *from, const char *to);
/* A plain number >= 0 in decimal, hex or octal. `what` names it in the error. */
ez_err *parse_count(const char *text, const char *what, uint64_t *out) EZ_WUR;

/* A file name with a leading ~ expanded; lives until the command returns. */
const char *parse_path(struct ez_sess *s, const char *name);
/* The files that a word names: its wildcards are expanded as in a shell, sorted. EZ_E_NOTFOUND
 * if the word has wildcards and no file matches. The names live until the command returns. */
struct parse_list {
    char **at;
    size_t n, cap;
};
ez_err *parse_files(struct ez_sess *s, const char *word, struct parse_list *list) EZ_WUR;
void parse_list_free(struct parse_list *list);
/* A time as in 1.5s 300ms 20us 7ns, in nanoseconds; a bare number is seconds, as in most tools. */
ez_err *parse_time(const char *text, uint64_t *ns) EZ_WUR;
/* Skip blanks. */
const char *parse_skip(const char *p);
/* "SIGUSR1", "USR1", "SIG34", "10": the number of a signal; 0 = it is none. */
int parse_signal(const char *word);

#endif
