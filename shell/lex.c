/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lex.c - splits a line into words and removes their quotes (lex.h). */
#include "shell/lex.h"

#include <ctype.h>
#include <string.h>

#include "engine/base/vec.h"

static bool lex_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

const char *lex_skip_blanks(const char *text)
{
    while (lex_blank(*text))
        text++;
    return text;
}

size_t lex_name(const char *text)
{
    size_t n = 0;
    if (*text == '!' || *text == '|')
        return 1;
    while (isalnum((unsigned char)text[n]) || text[n] == '-' || text[n] == '_' || text[n] == '.')
        n++;
    return n;
}

size_t lex_word(const char *text)
{
    size_t n = 0;
    while (text[n] && !strchr(" \t", text[n])) {
        char quote = text[n];
        n++;
        if (quote != '"' && quote != '\'')
            continue;
        while (text[n] && text[n] != quote)
            n++;
        n += text[n] != 0;
    }
    return n;
}

/* Copies one word to `out`, without its quotes. Returns the end of the word in p; NULL if a quote
 * is not closed. */
static const char *lex_copy_word(const char *p, char *out)
{
    char quote = 0;
    for (; *p && (quote || !lex_blank(*p)); p++) {
        if (quote && *p == quote)
            quote = 0;
        else if (!quote && (*p == '\'' || *p == '"'))
            quote = *p;
        else if (quote == '"' && *p == '\\' && (p[1] == '"' || p[1] == '\\'))
            *out++ = *++p;
        else
            *out++ = *p;
    }
    *out = '\0';
    return quote ? NULL : p;
}

ez_err *lex_words(const char *text, char ***words, int *n)
{
    EZ_VEC(char *) v = { 0 };
    const char *p = lex_skip_blanks(text);
    EZ_FREE char *word = ez_alloc(strlen(p) + 1); /* no word is longer than the rest of the line */
    while (*p && *p != '#') {
        p = lex_copy_word(p, word);
        if (!p) {
            EZ_PUSH(&v, NULL);
            lex_free(v.at);
            return ez_err_new(EZ_E_ARG, 0, "Unmatched quote");
        }
        EZ_PUSH(&v, ez_strdup(word));
        p = lex_skip_blanks(p);
    }
    *n = (int)v.n;
    EZ_PUSH(&v, NULL);
    *words = v.at;
    return NULL;
}

const char *lex_find_word(const char *text, const char *const *words)
{
    EZ_FREE char *word = ez_alloc(strlen(text) + 1);
    const char *p = lex_skip_blanks(text), *end;
    for (; *p && *p != '#' && (end = lex_copy_word(p, word)); p = lex_skip_blanks(end))
        for (const char *const *w = words; *w; w++)
            if (strlen(*w) == (size_t)(end - p) && !strncmp(p, *w, (size_t)(end - p)))
                return p;
    return p + strlen(p);
}

void lex_free(char **words)
{
    for (char **w = words; w && *w; w++)
        free(*w);
    free(words);
}

/* Returns true if no character of the word has a special meaning for eztsh or /bin/sh. */
static bool lex_is_plain(const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "@%_+=:,./-";
    return *word && strspn(word, plain) == strlen(word);
}

char *lex_quote(const char *word)
{
    if (lex_is_plain(word))
        return ez_strdup(word);
    char *out = ez_alloc(2 * strlen(word) + 3), *o = out;
    *o++ = '"';
    for (; *word; word++) {
        if (*word == '"' || *word == '\\')
            *o++ = '\\';
        *o++ = *word;
    }
    strcpy(o, "\"");
    return out;
}

char *lex_sh_quote(const char *word)
{
    if (lex_is_plain(word))
        return ez_strdup(word);
    char *out = ez_alloc(4 * strlen(word) + 3), *o = out;
    *o++ = '\'';
    for (; *word; word++) {
        if (*word == '\'')
            o = stpcpy(o, "'\\''");
        else
            *o++ = *word;
    }
    strcpy(o, "'");
    return out;
}
