/* SPDX-License-Identifier: GPL-3.0-or-later */
/* expr_fortran.c - the syntax of Fortran's expressions (expr_priv.h): operators with Fortran's
 * precedence, sections of arrays. Names and operators are case-insensitive.
 *
 * Tests: tests/procs/fortran.sh, tests/unit/expr/check_expr.c */
#include "engine/expr/expr_priv.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "engine/base/strutil.h"

/* ---- operators ------------------------------------------------------------------------------ */

/* Precedences; a higher one binds more tightly. */
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
    { "|", LEVEL_BIT_OR, '|' }, /* bitwise on integers, as in gdb */
    { "^", LEVEL_BIT_XOR, '^' },
    { "&", LEVEL_BIT_AND, '&' },
    { "@", LEVEL_REPEAT, '@' },
    { "+", LEVEL_SUM, '+' },
    { "-", LEVEL_SUM, '-' },
    { "**", LEVEL_POWER, EZ_OP_POWER },
    { "*", LEVEL_PRODUCT, '*' },
    { "/", LEVEL_PRODUCT, '/' },
};

/* Consumes and returns the next operator if it has that level, else returns NULL. */
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

/* Parses the operand, of level `level`, that follows a prefix operator. */
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
    if (!e && expr_fortran_accept(p, "-"))
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

/* Parses the first operand of the operators of a level. A sign applies to a whole product: -2**2 is
 * -4. */
static ez_err *forexpr_first(struct parse *p, int level, struct ez_expr **out)
{
    if (level == LEVEL_SUM && expr_fortran_accept(p, "-"))
        return forexpr_prefix(p, '-', LEVEL_PRODUCT, out);
    if (level == LEVEL_SUM && expr_fortran_accept(p, "+"))
        return forexpr_prefix(p, '+', LEVEL_PRODUCT, out);
    return forexpr_level(p, level + 1, out);
}

/* Parses the operand after an operator of that level. The operand may have a sign: a * -b. */
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
    if (level == LEVEL_NOT && expr_fortran_accept(p, ".not."))
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

/* Parses a part of a range, if it is given, and adds it to `range`. */
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
