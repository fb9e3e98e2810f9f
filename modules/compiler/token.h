/* SPDX-License-Identifier: GPL-3.0-or-later */
/* token.h - the tokens of a script: those of C, and '#' for comments up to the end of the line.
 *
 * Blanks, line ends and comments separate tokens, and have no other meaning. Reading a token
 * reports no errors: an invalid token is EZ_TOK_BAD, and the caller reports it.
 * Tests: tests/unit/modules/check_script.c, tests/fuzz/fuzz_tpl.c */
#ifndef EZ_TPL_TOKEN_H
#define EZ_TPL_TOKEN_H

#include "modules/text.h"

enum ez_token_kind {
    EZ_TOK_END,    /* end of the script */
    EZ_TOK_WORD,   /* letters, digits, '_'; no digit first */
    EZ_TOK_NUMBER, /* begins with a digit, or with '.' and a digit */
    EZ_TOK_TEXT,   /* "..."                                                    */
    EZ_TOK_CHAR,   /* '...' */
    EZ_TOK_SIGN,   /* an operator of C, as long as possible */
    EZ_TOK_BAD,    /* an unclosed text or comment, or a byte that C does not have */
};

struct ez_token {
    enum ez_token_kind kind;
    struct ez_piece p;
};

/* Returns the token at or after *at, and advances *at behind it. */
struct ez_token ez_token_next(const struct ez_src *t, size_t *at);
struct ez_token ez_token_peek(const struct ez_src *t, size_t at);
/* Returns true for this word or sign. */
bool ez_token_is(const struct ez_src *t, struct ez_token token, const char *word);
/* Moves *at from an opening bracket to behind its closing bracket. Returns false after reporting an
 * error; *at is then where reading stopped. */
bool ez_token_balance(struct ez_src *t, size_t *at) __attribute__((warn_unused_result));
/* Adds the error that `expected` was wanted in place of this token. */
void ez_token_unfit(struct ez_src *t, struct ez_token token, const char *expected);
/* Returns true for a word that begins or ends a part of the script: BEGIN, END_IF, CALL_FUNC, ... A
 * piece of C cannot contain such a word. A piece with an open bracket ends at such a word. */
bool ez_token_reserved(const struct ez_src *t, struct ez_token token);

#endif
