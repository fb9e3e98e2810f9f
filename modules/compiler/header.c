/* SPDX-License-Identifier: GPL-3.0-or-later */
/* header.c - reads a module's description: NAME, DESC, LANGUAGE, TYPE, ID, and the blocks of C
 * lines and of options.
 * Tests: tests/unit/modules/check_script.c */
#include <string.h>

#include "modules/ezt_probe.h"
#include "modules/compiler/script.h"
#include "modules/compiler/token.h"

#define HEADER_NAME 64 /* maximum number of bytes of a NAME */
#define HEADER_FLAGS 1000

/* Returns the rest of the line after the word that was read, without a comment and without blanks
 * at its ends. */
static struct ez_piece header_rest(struct ez_script *s)
{
    const char *p = s->t->text;
    size_t at = s->at, end = ez_src_line_end(s->t, at);
    s->at = end;
    const char *comment = memchr(p + at, '#', end - at);
    if (comment)
        end = (size_t)(comment - p);
    while (at < end && strchr(" \t\r", p[at]))
        at++;
    while (end > at && strchr(" \t\r", p[end - 1]))
        end--;
    return (struct ez_piece){ at, end - at };
}

/* Reads one word, which must be the only one. Returns NULL after reporting an error. */
static char *header_word(struct ez_script *s, const char *header)
{
    struct ez_piece rest = header_rest(s);
    char *word = ez_piece_copy(s->t, rest);
    size_t n = strcspn(word, " \t");
    if (rest.n && n == rest.n)
        return word;
    if (!rest.n)
        ez_src_error(s->t, rest.at, "%s needs a word on its line", header);
    else
        ez_src_error(s->t, rest.at + n, "%s takes one word", header);
    free(word);
    return NULL;
}

static void header_name(struct ez_script *s)
{
    char *word = header_word(s, "NAME");
    if (!word)
        return;
    size_t at = s->name_at - 1 + strlen("NAME");
    while (strchr(" \t", s->t->text[at]))
        at++;
    size_t good = strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-0123456789");
    if (word[good])
        ez_src_error(s->t, at + good, "a NAME is made of letters, digits, '_' and '-'");
    else if (strchr("-0123456789", *word))
        ez_src_error(s->t, at, "a NAME begins with a letter or '_'");
    else if (good > HEADER_NAME)
        ez_src_error(s->t, at, "a NAME has at most %d characters", HEADER_NAME);
    free(s->name);
    s->name = word;
}

static void header_desc(struct ez_script *s)
{
    size_t line = ez_src_line_end(s->t, s->at);
    struct ez_token k = ez_token_peek(s->t, s->at);
    free(s->desc);
    s->desc = NULL;
    if (k.kind == EZ_TOK_TEXT || s->t->text[k.p.at] == '"') {
        s->desc = ez_body_text(s->t, &s->at);
        struct ez_piece rest = header_rest(s);
        if (s->desc && rest.n)
            ez_src_error(s->t, rest.at, "DESC takes one text");
        return;
    }
    struct ez_piece rest = header_rest(s); /* a text without quotes */
    s->at = line;
    if (!rest.n)
        ez_src_error(s->t, rest.at, "DESC needs a text on its line");
    for (size_t i = 0; i < rest.n; i++)
        if ((unsigned char)s->t->text[rest.at + i] < ' ' || s->t->text[rest.at + i] == 0x7f) {
            ez_src_error(s->t, rest.at + i, "a text has no tabs or other control characters");
            return;
        }
    s->desc = ez_piece_copy(s->t, rest);
}

static void header_language(struct ez_script *s)
{
    EZ_FREE char *word = header_word(s, "LANGUAGE");
    if (!word)
        return;
    s->fortran = !strcmp(word, "FORTRAN") || !strcmp(word, "Fortran") || !strcmp(word, "fortran");
    if (!s->fortran && strcmp(word, "C"))
        ez_src_error(s->t, s->language_at - 1, "LANGUAGE is C or FORTRAN");
    else if (s->functions.n)
        ez_src_error(s->t, s->language_at - 1, "LANGUAGE must stand before the first function");
}

static void header_type(struct ez_script *s)
{
    EZ_FREE char *word = header_word(s, "TYPE");
    if (!word)
        return;
    s->application = !strcmp(word, "APPLICATION");
    if (!s->application && strcmp(word, "LIBRARY"))
        ez_src_error(s->t, s->type_at - 1, "TYPE is LIBRARY or APPLICATION");
}

static void header_id(struct ez_script *s)
{
    EZ_FREE char *word = header_word(s, "ID");
    if (!word)
        return;
    const char *digits = !strncasecmp(word, "0x", 2) ? word + 2 : word;
    size_t n = strspn(digits, "0123456789abcdefABCDEF");
    s->id = n && n <= 4 && !digits[n] ? (unsigned)strtoul(digits, NULL, 16) : 0;
    if (s->id < EZT_ID_MIN || s->id > EZT_ID_MAX)
        ez_src_error(s->t, s->id_at - 1, "ID is a hexadecimal number from %x to %x", EZT_ID_MIN,
                     EZT_ID_MAX);
}

/* ---- blocks --------------------------------------------------------------------------------- */

/* Reads the lines from the next one up to the line that is only `end`. */
static bool header_block(struct ez_script *s, size_t begin, const char *end, struct ez_piece *lines)
{
    struct ez_piece rest = header_rest(s);
    if (rest.n)
        ez_src_error(s->t, rest.at, "the block begins on the next line");
    lines->at = EZ_MIN(s->at + 1, s->t->n);
    for (size_t at = lines->at; at < s->t->n; at = ez_src_line_end(s->t, at) + 1) {
        size_t last = ez_src_line_end(s->t, at), from = at;
        while (from < last && strchr(" \t", s->t->text[from]))
            from++;
        s->at = last;
        while (last > from && strchr(" \t\r", s->t->text[last - 1]))
            last--;
        if (ez_piece_is(s->t, (struct ez_piece){ from, last - from }, end)) {
            lines->n = at - lines->at;
            return true;
        }
    }
    ez_src_error(s->t, begin, "there is no line %s", end);
    s->at = s->t->n;
    return false;
}

/* Reads one option. Removes quotes as a shell does, but expands nothing. */
static char *header_flag(struct ez_src *t, size_t *at, size_t end)
{
    char *word = ez_alloc(end - *at + 1), *o = word, quote = 0;
    size_t from = *at;
    for (; *at < end; ++*at) {
        char c = t->text[*at];
        if (quote ? c == quote : c == '"' || c == '\'')
            quote = quote ? 0 : c;
        else if (!quote && strchr(" \t\r\n", c))
            break;
        else if (c == '\\' && quote != '\'' && *at + 1 < end && t->text[*at + 1] != '\n')
            *o++ = t->text[++*at];
        else
            *o++ = c;
    }
    if (quote)
        ez_src_error(t, from, "the quote is not closed");
    return word;
}

static void header_flags(struct ez_script *s, struct ez_piece lines, bool linker)
{
    static const char *const ours[] = { "-", "-c", "-S", "-E", "-fsyntax-only", "" };
    size_t at = lines.at, end = lines.at + lines.n;
    while (at < end) {
        size_t from = at;
        if (strchr(" \t\r\n", s->t->text[at])) {
            at++;
            continue;
        }
        if (s->t->text[at] == '#') {
            at = ez_src_line_end(s->t, at);
            continue;
        }
        char *word = header_flag(s->t, &at, end);
        bool refused = !strncmp(word, "-o", 2) || !strncmp(word, "-x", 2);
        for (size_t i = 0; i < EZ_ARRAY_LEN(ours); i++)
            refused |= !strcmp(word, ours[i]);
        if (s->cflags.n + s->ldflags.n == HEADER_FLAGS)
            ez_src_error(s->t, from, "more than %d options", HEADER_FLAGS);
        else if (refused)
            ez_src_error(s->t, from, "a script cannot choose the compiler's input and output");
        if (linker)
            EZ_PUSH(&s->ldflags, word);
        else
            EZ_PUSH(&s->cflags, word);
    }
}

bool ez_header_read(struct ez_script *s)
{
    const struct {
        const char *name;
        size_t *given;
        void (*read)(struct ez_script *);
    } lines[] = {
        { "NAME", &s->name_at, header_name },
        { "DESC", &s->desc_at, header_desc },
        { "LANGUAGE", &s->language_at, header_language },
        { "TYPE", &s->type_at, header_type },
        { "ID", &s->id_at, header_id },
    };
    struct ez_token k = ez_token_peek(s->t, s->at);
    struct ez_piece block;
    size_t at = k.p.at + k.p.n;
    for (size_t i = 0; i < EZ_ARRAY_LEN(lines); i++) {
        if (!ez_token_is(s->t, k, lines[i].name))
            continue;
        s->at = at;
        if (*lines[i].given)
            ez_src_error(s->t, k.p.at, "a second %s", lines[i].name);
        *lines[i].given = k.p.at + 1;
        lines[i].read(s);
        return true;
    }
    bool include = ez_token_is(s->t, k, "BEGIN_INCLUDE"), c = ez_token_is(s->t, k, "BEGIN_CFLAGS");
    if (!include && !c && !ez_token_is(s->t, k, "BEGIN_LDFLAGS"))
        return false;
    s->at = at;
    if (!header_block(s, k.p.at,
                      include ? "END_INCLUDE"
                      : c     ? "END_CFLAGS"
                              : "END_LDFLAGS",
                      &block))
        return true;
    if (include)
        EZ_PUSH(&s->includes, block);
    else
        header_flags(s, block, !c);
    return true;
}
