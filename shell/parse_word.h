/* SPDX-License-Identifier: GPL-3.0-or-later */
/* parse_word.h - words that mean something without a program: numbers, sizes, times, file names, signals.
 *
 * Errors: EZ_E_ARG with the text that was not understood. Tests: tests/unit/shell/check_lex.c */
#ifndef EZ_PARSE_WORD_H
#define EZ_PARSE_WORD_H

#include "engine/base/base.h"
#include "engine/base/err.h"

struct ez_sess;

/* A number in decimal, hex or octal; *end is what follows it. false = there is none. */
bool parse_number(const char *text, uint64_t *out, const char **end);
/* A plain number >= 0 in decimal, hex or octal. `what` names it in the error. */
ez_err *parse_count(const char *text, const char *what, uint64_t *out) EZ_WUR;
/* 4096, 0x1000, 4K, 2M, 1G (powers of 1024) */
ez_err *parse_size(const char *text, uint64_t *out) EZ_WUR;
/* A time as in 1.5s 300ms 20us 7ns, in nanoseconds; a bare number is seconds, as in most tools. */
ez_err *parse_time(const char *text, uint64_t *ns) EZ_WUR;
/* "SIGUSR1", "USR1", "SIG34", "10": the number of a signal; 0 = it is none. */
int parse_signal(const char *word);

/* Skip blanks. */
const char *parse_skip(const char *p);
/* The text from `from` to `to`, without blanks before `to`; lives until the command returns. */
const char *parse_text(struct ez_sess *s, const char *from, const char *to);

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

#endif
