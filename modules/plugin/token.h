/* SPDX-License-Identifier: GPL-3.0-or-later */
/* token.h - the words of a script: what C has, and '#' for comments up to the end of the line.
 *
 * Blanks, line ends and comments part tokens and mean nothing else. Reading a token says
 * nothing about errors: a token that is none is EZ_TOK_BAD, and who meets it complains.
 * Tests: tests/unit/modules/check_script.c, tests/fuzz/fuzz_tpl.c */
#ifndef EZ_TPL_TOKEN_H
#define EZ_TPL_TOKEN_H

#include "modules/text.h"

enum ez_token_kind {
    EZ_TOK_END,    /* of the script                                            */
    EZ_TOK_WORD,   /* letters, digits, '_'; begins with no digit               */
    EZ_TOK_NUMBER, /* begins with a digit, or with '.' and a digit             */
    EZ_TOK_TEXT,   /* "..."                                                    */
    EZ_TOK_CHAR,   /* '...'                                                    */
    EZ_TOK_SIGN,   /* an operator of C, the longest that fits                  */
    EZ_TOK_BAD,    /* an open text, an open comment, or a byte that C has not  */
};

struct ez_token {
    enum ez_token_kind kind;
    struct ez_piece p;
};

/* The token at or behind *at; *at moves behind it. */
struct ez_token ez_token_next(const struct ez_src *t, size_t *at);
struct ez_token ez_token_peek(const struct ez_src *t, size_t at);
/* Is it this word or sign? */
bool ez_token_is(const struct ez_src *t, struct ez_token token, const char *word);
/* *at moves behind the closing bracket that belongs to the opening one at *at; false: there is
 * none, or a token in between is none, which is said, and *at is where reading stopped. */
bool ez_token_balance(struct ez_src *t, size_t *at) __attribute__((warn_unused_result));
/* Adds the error: `expected` was wanted where this token is. */
void ez_token_unfit(struct ez_src *t, struct ez_token token, const char *expected);
/* A word of the script language that begins a part: BEGIN, END, NAME, ... No part of C may run
 * into one: a bracket that was not closed ends there. */
bool ez_token_reserved(const struct ez_src *t, struct ez_token token);

#endif
