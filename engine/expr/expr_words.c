/* SPDX-License-Identifier: GPL-3.0-or-later */
/* expr_words.c - literals and names of types in expressions (expr.h).
 * Tests: tests/unit/expr/check_expr.c */
#include "engine/expr/expr_priv.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/strutil.h"

#define MOST_ARGUMENTS 4096 /* maximum length of a name's template arguments in bytes */

/* ---- characters --------------------------------------------------------------------------- */

void expr_skip(struct parse *p)
{
    while (isspace((unsigned char)*p->at))
        p->at++;
}

ez_err *expr_wrong(struct parse *p)
{
    expr_skip(p);
    EZ_FREE char *near = ez_str_escape(p->at);
    return ez_err_gdb(EZ_E_ARG, "A syntax error in expression, near `%s'.", near);
}

bool expr_accept(struct parse *p, const char *word)
{
    size_t n = strlen(word);
    expr_skip(p);
    if (strncmp(p->at, word, n))
        return false;
    if (isalpha((unsigned char)*word) && (isalnum((unsigned char)p->at[n]) || p->at[n] == '_'))
        return false;
    p->at += n;
    return true;
}

bool expr_is_word(int c)
{
    return isalnum(c) || c == '_' || c == '$' || c >= 0x80;
}

char *expr_cut(const char *from, const char *to)
{
    return ez_strndup(from, (size_t)(to - from));
}

/* ---- types -------------------------------------------------------------------------------- */

static const char *const base_words[] = { "void",  "char",   "short",    "int",      "long",
                                          "float", "double", "signed",   "unsigned", "_Bool",
                                          "bool",  "const",  "volatile", "_Complex", "__int128" };

bool expr_is_base(const char *word, size_t n)
{
    for (size_t i = 0; i < EZ_ARRAY_LEN(base_words); i++)
        if (strlen(base_words[i]) == n && !memcmp(base_words[i], word, n))
            return true;
    return false;
}

size_t expr_word_len(const char *s)
{
    size_t n = 0;
    if (!expr_is_word((unsigned char)*s) || isdigit((unsigned char)*s) || *s == '$')
        return 0;
    while (expr_is_word((unsigned char)s[n]) ||
           (s[n] == ':' && s[n + 1] == ':' && expr_is_word((unsigned char)s[n + 2])))
        n += s[n] == ':' ? 2 : 1;
    return n;
}

/* Returns the length up to the end of the template arguments that begin at s, or 0 if there are
 * none. */
static size_t expr_arguments_len(const char *s)
{
    int depth = 0;
    for (size_t n = 0; *s == '<' && s[n] && n < MOST_ARGUMENTS; n++) {
        if (!expr_is_word((unsigned char)s[n]) && !strchr("<>:,*&()[]- ';{}#=+", s[n]))
            return 0;
        depth += s[n] == '<';
        depth -= s[n] == '>' && (!n || s[n - 1] != '-'); /* do not count the ">" of "->" */
        if (!depth)
            return n + 1;
    }
    return 0;
}

static bool expr_is_known(struct parse *p, const char *from, size_t n)
{
    EZ_FREE char *name = expr_cut(from, from + n);
    return p->by.means(p->by.arg, name) != EZ_MEANS_NOTHING;
}

size_t expr_name_len(struct parse *p)
{
    const char *s = p->at;
    bool paths = p->by.is_cxx || p->by.is_rust;
    size_t n = paths && !strncmp(s, "::", 2) ? 2 : 0, k = expr_word_len(s + n);
    if (!k)
        return 0;
    n += k;
    while ((p->by.is_cxx || p->by.is_rust) && p->by.means && (k = expr_arguments_len(s + n)) &&
           expr_is_known(p, s, n + k)) {
        n += k;
        k = strncmp(s + n, "::", 2) ? 0 : expr_word_len(s + n + 2);
        n += k ? k + 2 : 0;
    }
    return n;
}

static bool expr_tagged(struct parse *p, const char **tag)
{
    static const char *const tags[] = { "struct", "union", "class", "enum" };
    for (size_t i = 0; i < EZ_ARRAY_LEN(tags); i++)
        if (expr_accept(p, tags[i])) {
            *tag = tags[i];
            return true;
        }
    return false;
}

/* Returns whether the next n bytes, a word of C's types ("int"), mean that type. In Fortran the
 * word may be a variable's name. */
static bool expr_means_base(struct parse *p, size_t n)
{
    if (!p->by.is_fortran || !p->by.means)
        return true;
    EZ_FREE char *word = expr_cut(p->at, p->at + n);
    return p->by.means(p->by.arg, word) != EZ_MEANS_VALUE;
}

/* Parses the words of a base type. Returns NULL and consumes nothing if there are none. */
static char *expr_base_type(struct parse *p)
{
    const char *begin = p->at, *tag;
    char *base = p->by.is_fortran ? expr_fortran_type(p) : NULL;
    if (base)
        return base;
    /* const may precede the type: const struct s * */
    while (expr_accept(p, "const") || expr_accept(p, "volatile"))
        ;
    expr_skip(p);
    if (expr_tagged(p, &tag)) {
        expr_skip(p);
        size_t n = expr_name_len(p);
        if (n)
            base = ez_sprintf("%s %.*s", tag, (int)n, p->at);
        p->at += n;
    } else {
        for (size_t n;
             (n = expr_word_len(p->at)) && expr_is_base(p->at, n) && expr_means_base(p, n);
             expr_skip(p)) {
            char *longer =
                base ? ez_sprintf("%s %.*s", base, (int)n, p->at) : expr_cut(p->at, p->at + n);
            free(base);
            base = longer;
            p->at += n;
        }
        size_t n = base ? 0 : expr_name_len(p);
        EZ_FREE char *word = n ? expr_cut(p->at, p->at + n) : NULL;
        if (word && p->by.means && p->by.means(p->by.arg, word) == EZ_MEANS_TYPE) {
            base = ez_strdup(word);
            p->at += n;
        }
    }
    if (!base)
        p->at = begin;
    return base;
}

static ez_err *expr_dims(struct parse *p, struct ez_type_name *t)
{
    while (expr_accept(p, "[")) {
        char *end;
        expr_skip(p);
        uint64_t n = strtoull(p->at, &end, 0);
        if (end == p->at || !isdigit((unsigned char)*p->at))
            return expr_wrong(p);
        p->at = end;
        EZ_PUSH(&t->dim, n);
        if (!expr_accept(p, "]"))
            return expr_wrong(p);
    }
    return NULL;
}

static unsigned expr_stars(struct parse *p)
{
    unsigned n = 0;
    for (;;) {
        if (expr_accept(p, "*"))
            n++;
        else if (!expr_accept(p, "const") && !expr_accept(p, "volatile") &&
                 !expr_accept(p, "restrict"))
            return n;
    }
}

/* Parses the stars of "(*)". Returns their number, or 0 after consuming nothing. */
static unsigned expr_outer(struct parse *p)
{
    const char *begin = p->at;
    unsigned n = expr_accept(p, "(") ? expr_stars(p) : 0;
    if (n && expr_accept(p, ")"))
        return n;
    p->at = begin;
    return 0;
}

/* Skips the "(int, char *)" of a function's type. */
static bool expr_skip_parameters(struct parse *p)
{
    int depth = 0;
    expr_skip(p);
    if (*p->at != '(')
        return false;
    for (const char *s = p->at; *s; s++) {
        depth += *s == '(';
        depth -= *s == ')';
        if (!depth) {
            p->at = s + 1;
            return true;
        }
    }
    return false;
}

/* Parses a type. Sets *out to NULL and consumes nothing if there is none. */
ez_err *expr_type(struct parse *p, struct ez_type_name **out)
{
    const char *begin = p->at;
    unsigned stars = p->by.is_rust ? expr_rust_stars(p) : 0;
    char *base = expr_base_type(p);
    *out = NULL;
    if (!base) {
        p->at = begin;
        return NULL;
    }
    struct ez_type_name *t = ez_alloc(sizeof *t);
    t->base = base;
    t->stars = stars + (p->by.is_rust ? 0 : expr_stars(p));
    t->is_reference = !p->by.is_rust && (expr_accept(p, "&&") || expr_accept(p, "&"));
    t->outer = expr_outer(p);
    t->is_function = t->outer && expr_skip_parameters(p);
    ez_err *e = expr_dims(p, t);
    if (e)
        ez_type_name_free(t);
    else
        *out = t;
    return e;
}

/* ---- literals ------------------------------------------------------------------------------ */

/* Parses one character of a literal, which may be an escape sequence. */
static int expr_char(struct parse *p)
{
    int c = (unsigned char)*p->at++;
    return c == '\\' && *p->at ? ez_str_unescape(p->at, &p->at) : c;
}

/* Returns whether the prefix u8 is next. It precedes a string or a character in UTF-8, whose type
 * is char. */
static bool expr_is_utf8(const struct parse *p)
{
    return !strncmp(p->at, "u8", 2) && (p->at[2] == '\'' || p->at[2] == '"');
}

/* Consumes the prefix of a string or character. Returns the character type of L'a', u'a', U'a';
 * NULL for char. */
static const char *expr_wide(struct parse *p)
{
    if (expr_is_utf8(p)) {
        p->at += 2;
        return NULL;
    }
    const char *type = *p->at == 'L'   ? "wchar_t"
                       : *p->at == 'u' ? "char16_t"
                       : *p->at == 'U' ? "char32_t"
                                       : NULL;
    p->at += type != NULL;
    return type;
}

bool expr_is_quoted(const struct parse *p)
{
    bool wide = *p->at && strchr("LuU", *p->at) && (p->at[1] == '\'' || p->at[1] == '"');
    return wide || expr_is_utf8(p) || *p->at == '"' || *p->at == '\'';
}

ez_err *expr_quoted(struct parse *p, struct ez_expr **out)
{
    const char *wide = expr_wide(p);
    char quote = *p->at;
    EZ_VEC(char) text = { 0 };
    do { /* adjacent strings are joined */
        p->at++;
        while (*p->at && *p->at != quote)
            EZ_PUSH(&text, (char)expr_char(p));
        if (!*p->at) {
            EZ_VEC_FREE(&text);
            return ez_err_gdb(EZ_E_ARG, quote == '"' ? "Unterminated string in expression."
                                                     : "Unmatched single quote.");
        }
        p->at++;
        expr_skip(p);
    } while (quote == '"' && *p->at == '"');
    bool is_char = quote == '\'' && text.n == 1;
    *out = expr_new(is_char ? EZ_X_CHAR : quote == '"' ? EZ_X_STRING : EZ_X_NAME);
    (*out)->number = !is_char ? text.n
                     : wide   ? (uint64_t)(uint8_t)text.at[0]
                              : (uint64_t)(int64_t)text.at[0];
    EZ_PUSH(&text, 0);
    (*out)->text = text.at;
    if ((is_char || quote == '"') && wide) {
        (*out)->type = ez_alloc(sizeof *(*out)->type);
        (*out)->type->base = ez_strdup(wide);
    }
    return NULL;
}

static ez_err *expr_bad_number(const char *from, const char *to)
{
    while (expr_is_word((unsigned char)*to) || *to == '.')
        to++;
    return ez_err_gdb(EZ_E_ARG, "Invalid number \"%.*s\".", (int)(to - from), from);
}

/* Parses the suffix of a number: any of u, l, ll and f, and i for an imaginary number. Returns
 * false if other letters follow. */
static bool expr_suffix(struct parse *p, struct ez_expr *x, bool *imaginary)
{
    for (; expr_is_word((unsigned char)*p->at) || *p->at == '.'; p->at++) {
        int c = tolower((unsigned char)*p->at);
        if (*p->at == 'i' && !*imaginary && !p->by.is_fortran) {
            *imaginary = true;
            continue;
        }
        bool real = x->kind == EZ_X_FLOAT;
        x->is_unsigned |= c == 'u';
        x->is_long |= c == 'l';
        x->is_float |= c == 'f';
        if (real ? c != 'f' && c != 'l' : c != 'u' && c != 'l')
            return false;
    }
    return true;
}

ez_err *expr_number(struct parse *p, struct ez_expr **out)
{
    if (p->by.is_rust)
        return expr_rust_number(p, out);
    const char *from = p->at;
    char *end, *real_end;
    bool hex = from[0] == '0' && (from[1] | 32) == 'x',
         binary = from[0] == '0' && (from[1] | 32) == 'b';
    bool hex_real = hex && from[strspn(from, "0123456789abcdefABCDEFxX.")] != 0 &&
                    strchr("pP", from[strspn(from, "0123456789abcdefABCDEFxX.")]);
    double real = hex && !hex_real ? 0 : strtod(from, &real_end);
    struct ez_expr *x = expr_new(EZ_X_INT);
    errno = 0;
    x->number = binary ? strtoull(from + 2, &end, 2) : strtoull(from, &end, 0);
    bool large = errno == ERANGE, imaginary = false;
    const char *mark = strpbrk(from, ".eE");
    if (hex_real || (!hex && !binary && real_end > end && mark && mark < real_end)) {
        x->kind = EZ_X_FLOAT;
        x->real = real;
        end = real_end;
        large = false;
    }
    p->at = end;
    x->is_decimal = *from != '0';
    if (!expr_suffix(p, x, &imaginary)) {
        ez_expr_free(x);
        return expr_bad_number(from, p->at);
    }
    if (large) {
        ez_expr_free(x);
        return ez_err_gdb(EZ_E_ARG, "Numeric constant too large.");
    }
    *out = imaginary ? expr_with(EZ_X_BINARY, EZ_OP_COMPLEX, expr_new(EZ_X_INT), x) : x;
    return NULL;
}
