/* SPDX-License-Identifier: GPL-3.0-or-later */
/* expr_fortran_words.c - literals, names and types of Fortran in expressions (expr_priv.h).
 *
 * Tests: tests/procs/fortran.sh, tests/unit/expr/check_expr.c */
#include "engine/expr/expr_priv.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "engine/base/strutil.h"

#define MOST_DIGITS 200

bool expr_fortran_accept(struct parse *p, const char *word)
{
    size_t n = strlen(word);
    expr_skip(p);
    if (strncasecmp(p->at, word, n))
        return false;
    p->at += n;
    return true;
}

/* ---- names and types ------------------------------------------------------------------------- */

static char *forexpr_small(const char *from, size_t n)
{
    char *s = expr_cut(from, from + n);
    for (char *c = s; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    return s;
}

char *expr_fortran_name(struct parse *p, const char *from, size_t n)
{
    char *small = forexpr_small(from, n);
    EZ_FREE char *own = expr_cut(from, from + n);
    bool other = strcmp(small, own) && p->by.means && !p->by.means(p->by.arg, small) &&
                 /* a symbol of another language may have capital letters */
                 p->by.means(p->by.arg, own);
    if (!other)
        return small;
    free(small);
    return ez_strdup(own);
}

/* Parses the kind after a type's name: "*8", "(8)", "(kind=8)", "_8". Returns 0 and consumes
 * nothing if there is none. */
static unsigned forexpr_kind(struct parse *p)
{
    const char *begin = p->at;
    bool in = expr_accept(p, "(");
    bool any = in || expr_accept(p, "*") || expr_accept(p, "_");
    if (in && expr_fortran_accept(p, "kind"))
        any = expr_accept(p, "=");
    expr_skip(p);
    size_t n = strspn(p->at, "0123456789");
    unsigned long kind = n && n < 4 ? strtoul(p->at, NULL, 10) : 0;
    p->at += n;
    if (any && kind && (!in || expr_accept(p, ")")))
        return (unsigned)kind;
    p->at = begin;
    return 0;
}

/* Parses the "(NAME)" in type(NAME). Returns the name, or NULL and consumes nothing if NAME is no
 * type. */
static char *forexpr_derived(struct parse *p)
{
    const char *begin = p->at;
    char *name = NULL;
    size_t n;
    if (expr_accept(p, "(")) {
        expr_skip(p);
        n = expr_name_len(p);
        name = n ? forexpr_small(p->at, n) : NULL;
        p->at += n;
    }
    if (name && expr_accept(p, ")") && p->by.means && p->by.means(p->by.arg, name) == EZ_MEANS_TYPE)
        return name;
    free(name);
    p->at = begin;
    return NULL;
}

char *expr_fortran_type(struct parse *p)
{
    static const struct {
        const char *words;
        const char *name;
        unsigned kind; /* the type's default kind; 0 if it has none */
    } types[] = {
        { "integer", "integer", 4 },        { "real", "real", 4 },
        { "logical", "logical", 4 },        { "complex", "complex", 4 },
        { "character", "character", 0 },    { "double precision", "real", 8 },
        { "double complex", "complex", 8 },
    };
    const char *begin = p->at;
    expr_skip(p);
    size_t n = strspn(p->at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
    EZ_FREE char *word = forexpr_small(p->at, n);
    bool twice = !strcmp(word, "double") && isspace((unsigned char)p->at[n]);
    size_t blank = twice ? strspn(p->at + n, " \t") : 0;
    size_t more =
        twice ? strspn(p->at + n + blank, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
              : 0;
    EZ_FREE char *second = forexpr_small(p->at + n + blank, more);
    EZ_FREE char *words = more ? ez_sprintf("%s %s", word, second) : ez_strdup(word);
    const char *end = p->at + n + blank + more;
    if (!strcmp(word, "type")) {
        p->at += n;
        char *derived = forexpr_derived(p);
        p->at = derived ? p->at : begin;
        return derived;
    }
    for (size_t i = 0; i < EZ_ARRAY_LEN(types); i++) {
        if (strcmp(types[i].words, words))
            continue;
        p->at = end;
        unsigned kind = forexpr_kind(p);
        bool whole = kind || !expr_is_word((unsigned char)*p->at);
        bool value = p->by.means && p->by.means(p->by.arg, words) == EZ_MEANS_VALUE;
        if (!whole || value)
            break;
        kind = kind && types[i].kind ? kind : types[i].kind;
        return kind ? ez_sprintf("%s*%u", types[i].name, kind) : ez_strdup(types[i].name);
    }
    p->at = begin;
    return NULL;
}

/* ---- literals -------------------------------------------------------------------------------- */

static struct ez_expr *forexpr_typed(struct ez_expr *x, char *type)
{
    x->type = ez_alloc(sizeof *x->type);
    x->type->base = type;
    return x;
}

/* Parses a string between quotes; two quotes in it stand for one. */
static ez_err *forexpr_text(struct parse *p, struct ez_expr **out)
{
    EZ_VEC(char) text = { 0 };
    char quote = *p->at++;
    for (; *p->at && (*p->at != quote || p->at[1] == quote); p->at++) {
        p->at += *p->at == quote;
        EZ_PUSH(&text, *p->at);
    }
    if (!*p->at) {
        EZ_VEC_FREE(&text);
        return ez_err_gdb(EZ_E_ARG, "Unterminated string in expression.");
    }
    p->at++;
    *out = expr_new(EZ_X_STRING);
    (*out)->number = text.n;
    EZ_PUSH(&text, 0);
    (*out)->text = text.at;
    return NULL;
}

/* Returns the length of an exponent, "e-3", "D5", or 0 if there is none. */
static size_t forexpr_exponent(const char *s)
{
    size_t sign = *s && strchr("eEdD", *s) ? (s[1] == '-' || s[1] == '+') : 0;
    size_t n = *s && strchr("eEdD", *s) ? strspn(s + 1 + sign, "0123456789") : 0;
    return n ? 1 + sign + n : 0;
}

/* Returns the length of the digits with point and exponent. In 1.eq.2 the dot does not belong to
 * the number. */
static size_t forexpr_digits(const char *s, bool *real)
{
    size_t n = strspn(s, "0123456789");
    bool point = s[n] == '.' && (!isalpha((unsigned char)s[n + 1]) || forexpr_exponent(s + n + 1));
    if (point)
        n += 1 + strspn(s + n + 1, "0123456789");
    size_t exponent = forexpr_exponent(s + n);
    *real = point || exponent;
    return n + exponent;
}

static ez_err *forexpr_number(struct parse *p, struct ez_expr **out)
{
    bool real;
    const char *from = p->at;
    size_t n = forexpr_digits(from, &real);
    EZ_FREE char *digits = forexpr_small(from, EZ_MIN(n, (size_t)MOST_DIGITS));
    char *d = strchr(digits, 'd');
    if (d)
        *d = 'e';
    p->at += n;
    unsigned kind = *p->at == '_' ? forexpr_kind(p) : 0;
    if (expr_is_word((unsigned char)*p->at) || n > MOST_DIGITS)
        return ez_err_gdb(EZ_E_ARG, "Invalid number \"%.*s\".", (int)(p->at - from) + 1, from);
    struct ez_expr *x = expr_new(real ? EZ_X_FLOAT : EZ_X_INT);
    errno = 0;
    x->real = real ? strtod(digits, NULL) : 0;
    x->number = real ? 0 : strtoull(digits, NULL, 10);
    x->is_decimal = true;
    if (!real && errno == ERANGE) {
        ez_expr_free(x);
        return ez_err_gdb(EZ_E_ARG, "Numeric constant too large.");
    }
    if (kind || real)
        forexpr_typed(x, ez_sprintf(real ? "real*%u" : "integer*%u", kind ? kind : 8));
    *out = x;
    return NULL;
}

ez_err *expr_fortran_literal(struct parse *p, struct ez_expr **out)
{
    const char *s = p->at;
    bool yes = expr_fortran_accept(p, ".true.");
    if (yes || expr_fortran_accept(p, ".false.")) {
        *out = forexpr_typed(expr_new(EZ_X_INT), ez_strdup("logical(kind=4)"));
        (*out)->number = yes;
        return NULL;
    }
    bool hexadecimal = *s == '0' && (s[1] | 32) == 'x'; /* hexadecimal in C's syntax, as in gdb */
    bool digit = isdigit((unsigned char)*s) || (*s == '.' && isdigit((unsigned char)s[1]));
    if (digit && !hexadecimal)
        return forexpr_number(p, out);
    return *s == '"' || (*s == '\'' && !strstr(s, "'::")) ? forexpr_text(p, out) : NULL;
}
