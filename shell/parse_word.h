/* SPDX-License-Identifier: GPL-3.0-or-later */
/* parse_word.h - words whose meaning needs no program: numbers, sizes, times, file names, signals.
 *
 * Numbers, sizes and times that are not understood: EZ_E_ARG with their text.
 * Tests: tests/unit/shell/check_lex.c */
#ifndef EZ_PARSE_WORD_H
#define EZ_PARSE_WORD_H

#include "engine/base/base.h"
#include "engine/base/err.h"

struct ez_sess;

/* Parses a number in decimal, hex or octal; *end is the text after it. Returns false if no digit is
 * at the start of `text`, or if the number needs more than 64 bits. */
bool parse_number(const char *text, uint64_t *out, const char **end);
/* Parses a word that is a number >= 0 in decimal, hex or octal. `what` names the number in the
 * error. */
ez_err *parse_count(const char *text, const char *what, uint64_t *out) EZ_WUR;
/* Parses a size in bytes: 4096, 0x1000, 4K, 2M, 1G, 1T (powers of 1024). */
ez_err *parse_size(const char *text, uint64_t *out) EZ_WUR;
/* Parses a time into nanoseconds: 1.5s 300ms 20us 7ns. A bare number is seconds, as in most
 * tools. */
ez_err *parse_time(const char *text, uint64_t *ns) EZ_WUR;
/* Returns the number of a signal: "SIGUSR1", "USR1", "SIG34", "10"; 0 if the word is no signal. */
int parse_signal(const char *word);

/* Skips blanks. */
const char *parse_skip(const char *p);
/* Returns the text from `from` to `to`, without blanks before `to`; lives until the command
 * returns. */
const char *parse_text(struct ez_sess *s, const char *from, const char *to);

/* Replaces a leading ~ of a file name by $HOME. The result lives until the command returns. */
const char *parse_path(struct ez_sess *s, const char *name);
/* Lists the files that a word names: expands wildcards (glob(3)), sorted, unless a file has exactly
 * this name. EZ_E_NOTFOUND if the word has wildcards and no file matches. The names live until the
 * command returns. */
struct parse_list {
    char **at;
    size_t n, cap;
};
ez_err *parse_files(struct ez_sess *s, const char *word, struct parse_list *list) EZ_WUR;
void parse_list_free(struct parse_list *list);

#endif
