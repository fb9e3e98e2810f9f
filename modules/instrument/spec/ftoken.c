/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ftoken.c - splits Fortran code into tokens, and finds declared names (ftoken.h). */
#include "modules/instrument/spec/ftoken.h"

#include <ctype.h>
#include <string.h>

static bool ftoken_in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

const char *ez_ftoken_blank(const char *p, const char *text)
{
    for (;;) {
        const char *from = p;
        p += strspn(p, " \t\r&");
        if (*p == '!' || (*p == '#' && (p == text || p[-1] == '\n')))
            p += strcspn(p, "\n");
        if (*p == '\n' && from < p && memchr(from, '&', (size_t)(p - from)))
            p++;
        if (p == from)
            return p;
    }
}

struct ez_ftoken ez_ftoken(const char **p, const char *text)
{
    const char *at = ez_ftoken_blank(*p, text);
    struct ez_ftoken t = { *at, at, *at != 0 };
    if (*at == '\'' || *at == '"') {
        const char *end = at + 1 + strcspn(at + 1, *at == '"' ? "\"\n" : "'\n");
        t.n = (size_t)(end - at) + (*end == *at);
    } else if (ftoken_in_word(*at)) {
        for (t.kind = EZ_FTOKEN_WORD; ftoken_in_word(at[t.n]);)
            t.n++;
    }
    *p = at + t.n;
    return t;
}

char *ez_ftoken_lower(const struct ez_ftoken *t)
{
    char *word = ez_strndup(t->at, t->n);
    for (char *c = word; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    return word;
}

bool ez_ftoken_ends(const struct ez_ftoken *t)
{
    return !t->kind || t->kind == '\n' || t->kind == ';';
}

/* ---- declared names -------------------------------------------------------------------------- */

/* Handles one statement. "integer, save :: a = b, c(n)" declares a and c; the colons may be
 * missing, as in "integer a". Returns the text after it. */
static const char *ftoken_statement(const char *p, const char *text, ez_fdeclared_fn *fn, void *arg)
{
    EZ_FREE char *statement = NULL;
    bool colons = false, value = false, first = true;
    int depth = 0;
    const char *end = p;
    for (struct ez_ftoken t = ez_ftoken(&end, text); !ez_ftoken_ends(&t); t = ez_ftoken(&end, text))
        colons |= t.kind == ':' && *end == ':';
    for (struct ez_ftoken t = ez_ftoken(&p, text); !ez_ftoken_ends(&t); t = ez_ftoken(&p, text)) {
        if (colons && t.kind == ':' && *p == ':' && !depth) {
            p++;
            colons = false;
            continue;
        }
        depth += (t.kind == '(' || t.kind == '[') - (t.kind == ')' || t.kind == ']');
        value = t.kind == '=' || (value && (t.kind != ',' || depth));
        EZ_FREE char *word = ez_ftoken_lower(&t);
        if (first)
            statement = ez_strdup(word);
        else if (t.kind == EZ_FTOKEN_WORD && !colons && !depth && !value)
            fn(word, statement, arg);
        first = false;
    }
    return p;
}

void ez_fdeclared(const char *code, ez_fdeclared_fn *fn, void *arg)
{
    for (const char *p = code; *p;)
        p = ftoken_statement(p, code, fn, arg);
}
