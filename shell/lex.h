/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lex.h - splits a line of input into words.
 *
 * Words are separated by blanks. '…' and "…" quote (in "…" a backslash quotes the
 * next " or \); elsewhere a backslash is an ordinary character, because regular
 * expressions need it. `#` at the start of a word begins a comment. A command's
 * name may touch what follows: `x/4x`, `!ls`, `|info probes | wc`.
 * Tests: tests/unit/shell/check_lex.c */
#ifndef EZ_LEX_H
#define EZ_LEX_H

#include "engine/base/base.h"
#include "engine/base/err.h"

/* Returns the length of the command name at the start of `text`, in bytes (0 = none). */
size_t lex_name(const char *text);
/* Returns the length of the word at the start of `text`, with its quotes. */
size_t lex_word(const char *text);
const char *lex_skip_blanks(const char *text);
/* Splits text into *n words without their quotes: a NULL-terminated vector that the caller frees
 * with lex_free(). Returns EZ_E_ARG if a quote is not closed. */
ez_err *lex_words(const char *text, char ***words, int *n) EZ_WUR;
/* Returns the position of the first whole word of `text` that is one of `words` (a NULL ends the
 * list), without quotes and before a comment; the end of `text` if there is none. */
const char *lex_find_word(const char *text, const char *const *words);
void lex_free(char **words);
/* Quotes one word for lex_words(); the caller frees. */
char *lex_quote(const char *word);
/* Quotes one word for /bin/sh; the caller frees. */
char *lex_sh_quote(const char *word);

#endif
