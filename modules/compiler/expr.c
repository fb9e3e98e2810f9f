/* SPDX-License-Identifier: GPL-3.0-or-later */
/* expr.c - checks values: C expressions, which the C compiler reads later. Refuses everything that
 * does more than compute a value: an expression must not end the statement, begin another
 * statement, or write to an argument before the original gets the argument.
 * Tests: tests/unit/modules/check_script.c */
#include <string.h>

#include "modules/compiler/script.h"
#include "modules/compiler/token.h"

#define EXPR_DEPTH 64

static bool expr_in(const struct ez_src *t, struct ez_token k, const char *const *words)
{
    for (; *words; words++)
        if (ez_token_is(t, k, *words))
            return true;
    return false;
}

/* Checks that a token may be part of a value. Returns false after reporting an error. */
static bool expr_fits(struct ez_src *t, struct ez_token k, size_t depth)
{
    static const char *const writes[] = { "=",  "+=", "-=",  "*=",  "/=", "%=", "&=",
                                          "|=", "^=", "<<=", ">>=", "++", "--", NULL };
    static const char *const ends[] = { ";", "{", "}", "...", NULL };
    static const char *const bad[] = { "asm", "__asm__", "__asm", "goto", "return", NULL };
    if (k.kind == EZ_TOK_BAD) {
        ez_token_unfit(t, k, "a value");
    } else if (expr_in(t, k, writes)) {
        ez_src_error(t, k.p.at, "a value must not change anything: '%.*s'%s", (int)k.p.n,
                     t->text + k.p.at, k.p.n == 1 ? " (for equality: '==')" : "");
    } else if (expr_in(t, k, ends) || expr_in(t, k, bad)) {
        ez_src_error(t, k.p.at, "'%.*s' has no place in a value", (int)k.p.n, t->text + k.p.at);
    } else if (!depth && ez_token_is(t, k, ",")) {
        ez_src_error(t, k.p.at, "one value was expected: put brackets around what has a comma");
    } else {
        return true;
    }
    return false;
}

bool ez_expr_read(struct ez_src *t, size_t *at, struct ez_piece *expr)
{
    char open[EXPR_DEPTH];
    size_t depth = 0, from = *at;
    for (*expr = (struct ez_piece){ from, 0 };;) {
        struct ez_token k = ez_token_peek(t, *at);
        char c = t->text[k.p.at];
        if (k.kind == EZ_TOK_END || ez_token_reserved(t, k)) {
            ez_src_error(t, from - 1, "the value that begins here has no ')' at its end");
            return false;
        }
        if (!depth && ez_token_is(t, k, ")")) {
            if (!expr->n)
                ez_token_unfit(t, k, "a value");
            return expr->n;
        }
        if (!expr_fits(t, k, depth))
            return false;
        if (k.kind == EZ_TOK_SIGN && strchr("([", c)) {
            if (depth == EXPR_DEPTH) {
                ez_src_error(t, k.p.at, "brackets are nested too deeply");
                return false;
            }
            open[depth++] = c == '(' ? ')' : ']';
        } else if (k.kind == EZ_TOK_SIGN && strchr(")]", c) && (!depth || open[--depth] != c)) {
            ez_src_error(t, k.p.at, "this '%c' does not fit the brackets before", c);
            return false;
        }
        if (!expr->n)
            expr->at = k.p.at;
        *at = k.p.at + k.p.n;
        expr->n = *at - expr->at;
    }
}

static bool expr_names_type(const struct ez_src *t, struct ez_token k)
{
    static const char *const words[] = { "char",   "short",    "int",      "long",   "float",
                                         "double", "signed",   "void",     "struct", "unsigned",
                                         "union",  "enum",     "const",    "_Bool",  "bool",
                                         "FILE",   "volatile", "_Complex", NULL };
    return k.kind == EZ_TOK_WORD &&
           (expr_in(t, k, words) || (k.p.n > 2 && !memcmp(t->text + k.p.at + k.p.n - 2, "_t", 2)));
}

/* Returns true if the expression calls something. "(f)(x)" is a call, "(long)(x)" is a cast. If
 * unsure, it counts as a call. */
bool ez_expr_calls(const struct ez_src *t, struct ez_piece expr)
{
    static const char *const operators[] = { "sizeof", "_Alignof",   "__alignof__",
                                             "typeof", "__typeof__", NULL };
    /* for each depth of brackets: true if the open bracket begins with a type */
    bool cast[EXPR_DEPTH + 1] = { 0 };
    struct ez_token last = { EZ_TOK_END, { 0, 0 } };
    bool last_cast = false;
    size_t depth = 0, at = expr.at;
    while (at < expr.at + expr.n) {
        struct ez_token k = ez_token_next(t, &at);
        if (ez_token_is(t, k, "(")) {
            if (last.kind == EZ_TOK_WORD && !expr_in(t, last, operators))
                return true;
            if (ez_token_is(t, last, "]") || (ez_token_is(t, last, ")") && !last_cast))
                return true;
            cast[depth] = expr_names_type(t, ez_token_peek(t, at)) || expr_in(t, last, operators);
            depth += depth < EXPR_DEPTH;
        } else if (ez_token_is(t, k, ")")) {
            depth -= depth > 0;
            last_cast = cast[depth];
        }
        last = k;
    }
    return false;
}

size_t ez_expr_uses(const struct ez_src *t, struct ez_piece expr, const char *name)
{
    static const char *const member[] = { ".", "->", NULL };
    struct ez_token last = { EZ_TOK_END, { 0, 0 } };
    size_t at = expr.at;
    while (at < expr.at + expr.n) {
        struct ez_token k = ez_token_next(t, &at);
        if (ez_token_is(t, k, name) && !expr_in(t, last, member))
            return k.p.at;
        last = k;
    }
    return SIZE_MAX;
}
