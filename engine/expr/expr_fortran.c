/* SPDX-License-Identifier: GPL-3.0-or-later */
/* expr_fortran.c - the syntax of Fortran's expressions (expr_priv.h): operators with Fortran's
 * precedence, literals, names of types, sections of arrays. Names and operators are
 * case-insensitive.
 *
 * Tests: tests/procs/fortran.sh, tests/unit/engine/check_expr.c */
#include "engine/expr/expr_priv.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "engine/base/strutil.h"

#define MOST_DIGITS 200

/* ---- operators ------------------------------------------------------------------------------ */

/* The levels of precedence; a higher one binds more tightly. */
enum {
    LEVEL_EQV = 1,
    LEVEL_OR,
    LEVEL_AND,
    LEVEL_NOT,
    LEVEL_BIT_OR,
    LEVEL_BIT_XOR,
    LEVEL_BIT_AND,
    LEVEL_COMPARE,
    LEVEL_REPEAT,
    LEVEL_SUM,
    LEVEL_PRODUCT,
    LEVEL_POWER
};

static const struct fortran_infix {
    const char *text;
    int level, op;
} forexpr_infixes[] = {
    { ".eqv.", LEVEL_EQV, EZ_OP_EQV },
    { ".neqv.", LEVEL_EQV, EZ_OP_NEQV },
    { ".xor.", LEVEL_EQV, EZ_OP_NEQV },
    { ".or.", LEVEL_OR, EZ_OP2('|', '|') },
    { ".and.", LEVEL_AND, EZ_OP2('&', '&') },
    { ".eq.", LEVEL_COMPARE, EZ_OP2('=', '=') },
    { ".ne.", LEVEL_COMPARE, EZ_OP2('!', '=') },
    { ".lt.", LEVEL_COMPARE, '<' },
    { ".le.", LEVEL_COMPARE, EZ_OP2('<', '=') },
    { ".gt.", LEVEL_COMPARE, '>' },
    { ".ge.", LEVEL_COMPARE, EZ_OP2('>', '=') },
    { "==", LEVEL_COMPARE, EZ_OP2('=', '=') },
    { "/=", LEVEL_COMPARE, EZ_OP2('!', '=') },
    { "<=", LEVEL_COMPARE, EZ_OP2('<', '=') },
    { ">=", LEVEL_COMPARE, EZ_OP2('>', '=') },
    { "<", LEVEL_COMPARE, '<' },
    { ">", LEVEL_COMPARE, '>' },
    { "|", LEVEL_BIT_OR, '|' }, /* on bits, as in gdb */
    { "^", LEVEL_BIT_XOR, '^' },
    { "&", LEVEL_BIT_AND, '&' },
    { "@", LEVEL_REPEAT, '@' },
    { "+", LEVEL_SUM, '+' },
    { "-", LEVEL_SUM, '-' },
    { "**", LEVEL_POWER, EZ_OP_POWER },
    { "*", LEVEL_PRODUCT, '*' },
    { "/", LEVEL_PRODUCT, '/' },
};

static bool forexpr_accept(struct parse *p, const char *word)
{
    size_t n = strlen(word);
    expr_skip(p);
    if (strncasecmp(p->at, word, n))
        return false;
    p->at += n;
    return true;
}

/* Consumes and returns the next operator, if it is of this level. */
static const struct fortran_infix *forexpr_next(struct parse *p, int level)
{
    expr_skip(p);
    for (size_t i = 0; i < EZ_ARRAY_LEN(forexpr_infixes); i++) {
        const struct fortran_infix *f = &forexpr_infixes[i];
        if (strncasecmp(p->at, f->text, strlen(f->text)))
            continue;
        if (f->level != level)
            return NULL;
        p->at += strlen(f->text);
        return f;
    }
    return NULL;
}

static ez_err *forexpr_level(struct parse *p, int level, struct ez_expr **out);

/* Parses a prefix operator before an operand of that level. */
static ez_err *forexpr_prefix(struct parse *p, int op, int level, struct ez_expr **out)
{
    struct ez_expr *x = NULL;
    EZ_TRY(expr_operator(p));
    EZ_TRY(forexpr_level(p, level, &x));
    *out = op == '+' ? x : expr_with(EZ_X_UNARY, op, x, NULL);
    return NULL;
}

/* Parses a**b**c as a**(b**c); the exponent may have a sign. */
static ez_err *forexpr_power(struct parse *p, struct ez_expr **out)
{
    struct ez_expr *base = NULL, *by = NULL;
    EZ_TRY(expr_unary(p, &base));
    if (!forexpr_next(p, LEVEL_POWER)) {
        *out = base;
        return NULL;
    }
    ez_err *e = expr_operator(p);
    if (!e && forexpr_accept(p, "-"))
        e = forexpr_prefix(p, '-', LEVEL_POWER, &by);
    else if (!e)
        e = forexpr_level(p, LEVEL_POWER, &by);
    if (e) {
        ez_expr_free(base);
        return e;
    }
    *out = expr_with(EZ_X_BINARY, EZ_OP_POWER, base, by);
    return NULL;
}

/* Parses the first operand of a level. A sign applies to a whole product: -2**2 is -4. */
static ez_err *forexpr_first(struct parse *p, int level, struct ez_expr **out)
{
    if (level == LEVEL_SUM && forexpr_accept(p, "-"))
        return forexpr_prefix(p, '-', LEVEL_PRODUCT, out);
    if (level == LEVEL_SUM && forexpr_accept(p, "+"))
        return forexpr_prefix(p, '+', LEVEL_PRODUCT, out);
    return forexpr_level(p, level + 1, out);
}

/* Parses the operand after an operator of that level, which may have a sign: a * -b. */
static ez_err *forexpr_second(struct parse *p, int level, struct ez_expr **out)
{
    expr_skip(p);
    int sign = *p->at;
    if (level < LEVEL_SUM || (sign != '-' && sign != '+'))
        return forexpr_level(p, level + 1, out);
    p->at++;
    return forexpr_prefix(p, sign, level + 1, out);
}

static ez_err *forexpr_level(struct parse *p, int level, struct ez_expr **out)
{
    struct ez_expr *x = NULL;
    const struct fortran_infix *by;
    if (level == LEVEL_POWER)
        return forexpr_power(p, out);
    if (level == LEVEL_NOT && forexpr_accept(p, ".not."))
        return forexpr_prefix(p, '!', LEVEL_NOT, out);
    EZ_TRY(forexpr_first(p, level, &x));
    ez_err *e = NULL;
    while (!e && (by = forexpr_next(p, level)))
        e = expr_infix(p, by->op, forexpr_second, level, &x);
    if (e)
        ez_expr_free(x);
    else
        *out = x;
    return e;
}

ez_err *expr_fortran(struct parse *p, struct ez_expr **out)
{
    return forexpr_level(p, LEVEL_EQV, out);
}

/* ---- subscripts ------------------------------------------------------------------------------ */

/* Parses one part of a range, if it is there. */
static ez_err *forexpr_bound(struct parse *p, unsigned which, struct ez_expr *range)
{
    struct ez_expr *x = NULL;
    expr_skip(p);
    if (*p->at == ':' || *p->at == ',' || *p->at == ')')
        return NULL;
    EZ_TRY(expr_assign(p, &x));
    range->number |= which;
    EZ_PUSH(&range->at, x);
    return NULL;
}

/* Parses an argument, or FIRST:LAST:STRIDE, each of which is optional. */
static ez_err *forexpr_argument(struct parse *p, struct ez_expr **out)
{
    struct ez_expr *range = expr_new(EZ_X_RANGE);
    ez_err *e = forexpr_bound(p, EZ_RANGE_FIRST, range);
    bool is = !e && expr_accept(p, ":");
    if (is)
        e = forexpr_bound(p, EZ_RANGE_LAST, range);
    if (is && !e && expr_accept(p, ":"))
        e = forexpr_bound(p, EZ_RANGE_STRIDE, range);
    if (!e && !is && !range->at.n)
        e = expr_wrong(p);
    if (!e && !is) {
        *out = range->at.at[0];
        range->at.n = 0;
    } else if (!e) {
        *out = range;
        return NULL;
    }
    ez_expr_free(range);
    return e;
}

ez_err *expr_fortran_arguments(struct parse *p, struct ez_expr *call)
{
    if (expr_accept(p, ")"))
        return NULL;
    do {
        struct ez_expr *x = NULL;
        EZ_TRY(forexpr_argument(p, &x));
        EZ_PUSH(&call->at, x);
    } while (expr_accept(p, ","));
    return expr_accept(p, ")") ? NULL : expr_wrong(p);
}

struct ez_expr *expr_fortran_parenthesis(struct ez_expr *x)
{
    if (x->kind != EZ_X_BINARY || x->op != ',')
        return x;
    struct ez_expr *f = expr_new(EZ_X_NAME), *call, *kind = expr_new(EZ_X_INT);
    f->text = ez_strdup("cmplx");
    kind->number = 8;
    call = expr_with(EZ_X_CALL, 0, f, NULL);
    for (size_t i = 0; i < x->at.n; i++)
        EZ_PUSH(&call->at, x->at.at[i]);
    EZ_PUSH(&call->at, kind);
    x->at.n = 0;
    ez_expr_free(x);
    return call;
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
                 p->by.means(p->by.arg, own); /* of a part in another language */
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
    if (in && forexpr_accept(p, "kind"))
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

/* Parses type(NAME). */
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
        unsigned kind; /* default kind; 0 if it has none */
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

/* Parses a text between quotes; a doubled quote stands for one. */
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

/* Returns the length of the digits with point and exponent. The operator in 1.eq.2 is not part of
 * them. */
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
    bool yes = forexpr_accept(p, ".true.");
    if (yes || forexpr_accept(p, ".false.")) {
        *out = forexpr_typed(expr_new(EZ_X_INT), ez_strdup("logical(kind=4)"));
        (*out)->number = yes;
        return NULL;
    }
    bool hexadecimal = *s == '0' && (s[1] | 32) == 'x'; /* C's syntax, as in gdb */
    bool digit = isdigit((unsigned char)*s) || (*s == '.' && isdigit((unsigned char)s[1]));
    if (digit && !hexadecimal)
        return forexpr_number(p, out);
    return *s == '"' || (*s == '\'' && !strstr(s, "'::")) ? forexpr_text(p, out) : NULL;
}
