/* SPDX-License-Identifier: GPL-3.0-or-later */
/* token.c - splits a script into tokens (token.h). */
#include "modules/compiler/token.h"

#include <string.h>

static bool token_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool token_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Returns the end of blanks and comments that begin at `at`. Does not skip an unclosed comment. */
static size_t token_skip(const struct ez_src *t, size_t at)
{
    const char *p = t->text;
    for (;;) {
        while (at < t->n && p[at] && strchr(" \t\r\n\f\v", p[at]))
            at++;
        if (p[at] == '#' || (p[at] == '/' && p[at + 1] == '/')) {
            at = ez_src_line_end(t, at);
        } else if (p[at] == '/' && p[at + 1] == '*') {
            const char *end = strstr(p + at + 2, "*/");
            if (!end)
                return at;
            at = (size_t)(end - p) + 2;
        } else {
            return at;
        }
    }
}

/* Reads a text or a character, up to the closing quote on the same line. */
static struct ez_token token_quoted(const struct ez_src *t, size_t at)
{
    size_t i = at + 1;
    char quote = t->text[at];
    while (i < t->n && t->text[i] != quote && t->text[i] != '\n')
        i += t->text[i] == '\\' && i + 1 < t->n && t->text[i + 1] != '\n' ? 2 : 1;
    i = EZ_MIN(i, t->n);
    if (t->text[i] != quote)
        return (struct ez_token){ EZ_TOK_BAD, { at, i - at } };
    return (struct ez_token){ quote == '"' ? EZ_TOK_TEXT : EZ_TOK_CHAR, { at, i + 1 - at } };
}

static size_t token_number(const char *p)
{
    size_t n = 1;
    while (token_letter(p[n]) || token_digit(p[n]) || p[n] == '.' ||
           (strchr("+-", p[n]) && p[n] && strchr("eEpP", p[n - 1])))
        n++;
    return n;
}

static size_t token_sign(const char *p)
{
    static const char *const signs[] = { "...", "<<=", ">>=", "->", "++", "--", "<<", ">>",
                                         "<=",  ">=",  "==",  "!=", "&&", "||", "*=", "/=",
                                         "%=",  "+=",  "-=",  "&=", "^=", "|=" };
    for (size_t i = 0; i < EZ_ARRAY_LEN(signs); i++)
        if (!strncmp(p, signs[i], strlen(signs[i])))
            return strlen(signs[i]);
    return *p && strchr("()[]{}<>.,;:?!~+-*/%&|^=", *p) ? 1 : 0;
}

struct ez_token ez_token_next(const struct ez_src *t, size_t *at)
{
    size_t i = token_skip(t, *at);
    const char *p = t->text + i;
    struct ez_token token = { EZ_TOK_BAD, { i, 1 } };
    if (i >= t->n) {
        token = (struct ez_token){ EZ_TOK_END, { t->n, 0 } };
    } else if (token_letter(*p)) {
        token.kind = EZ_TOK_WORD;
        while (token_letter(p[token.p.n]) || token_digit(p[token.p.n]))
            token.p.n++;
    } else if (token_digit(*p) || (*p == '.' && token_digit(p[1]))) {
        token = (struct ez_token){ EZ_TOK_NUMBER, { i, token_number(p) } };
    } else if (*p == '"' || *p == '\'') {
        token = token_quoted(t, i);
    } else if (p[0] == '/' && p[1] == '*') {
        token.p.n = t->n - i;
    } else if (token_sign(p)) {
        token = (struct ez_token){ EZ_TOK_SIGN, { i, token_sign(p) } };
    }
    *at = token.p.at + token.p.n;
    return token;
}

struct ez_token ez_token_peek(const struct ez_src *t, size_t at)
{
    return ez_token_next(t, &at);
}

bool ez_token_is(const struct ez_src *t, struct ez_token token, const char *word)
{
    return (token.kind == EZ_TOK_WORD || token.kind == EZ_TOK_SIGN) &&
           ez_piece_is(t, token.p, word);
}

bool ez_token_reserved(const struct ez_src *t, struct ez_token token)
{
    static const char *const words[] = {
        "BEGIN",         "END",         "BEGIN_MODULE", "END_MODULE",
        "BEGIN_INCLUDE", "END_INCLUDE", "BEGIN_CFLAGS", "END_CFLAGS",
        "BEGIN_LDFLAGS", "END_LDFLAGS", "END_IF",       "CALL_FUNC",
    };
    for (size_t i = 0; token.kind == EZ_TOK_WORD && i < EZ_ARRAY_LEN(words); i++)
        if (ez_piece_is(t, token.p, words[i]))
            return true;
    return false;
}

void ez_token_unfit(struct ez_src *t, struct ez_token token, const char *expected)
{
    char c = t->text[token.p.at];
    if (token.kind == EZ_TOK_END) {
        ez_src_error(t, token.p.at, "%s was expected, not the end of the script", expected);
    } else if (token.kind != EZ_TOK_BAD) {
        ez_src_error(t, token.p.at, "%s was expected, not %.*s", expected,
                     (int)EZ_MIN(token.p.n, (size_t)60), t->text + token.p.at);
    } else if (c == '"' || c == '\'') {
        ez_src_error(t, token.p.at, "the quote is not closed on its line");
    } else if (c == '/') {
        ez_src_error(t, token.p.at, "the comment is not closed");
    } else {
        ez_src_error(t, token.p.at, "the character %.*s has no meaning here", 1, &c);
    }
}

bool ez_token_balance(struct ez_src *t, size_t *at)
{
    char open[64];
    size_t depth = 0, first = token_skip(t, *at);
    do {
        struct ez_token k = ez_token_peek(t, *at);
        char c = t->text[k.p.at];
        if (k.kind == EZ_TOK_END || ez_token_reserved(t, k)) {
            ez_src_error(t, first, "the '%c' is not closed", t->text[first]);
            return false;
        }
        if (k.kind == EZ_TOK_BAD) {
            ez_token_unfit(t, k, "a bracket");
            return false;
        }
        *at = k.p.at + k.p.n;
        if (k.kind != EZ_TOK_SIGN || !strchr("()[]{}", c))
            continue;
        if (strchr("([{", c) && depth == sizeof open) {
            ez_src_error(t, k.p.at, "brackets are nested too deeply");
            return false;
        }
        if (strchr("([{", c)) {
            open[depth++] = c == '(' ? ')' : c == '[' ? ']' : '}';
        } else if (!depth || c != open[--depth]) {
            ez_src_error(t, k.p.at, "this '%c' does not fit the brackets before", c);
            return false;
        }
    } while (depth);
    return true;
}
