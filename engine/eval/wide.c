/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wide.c - computes with numbers of more than 8 bytes: __int128 and long double (engine/expr/gen.h:
 * struct gen_wide).
 *
 * Tests: tests/procs/wide.sh */
#include <math.h>
#include <string.h>

#include "engine/expr/gen.h"
#include "engine/eval/eval_priv.h"

struct wide { /* an operand, converted to the type of the computation */
    unsigned __int128 v;
    long double r;
};

static struct wide wide_of(const struct ez_value *value)
{
    struct wide w = { 0 };
    if (gen_is_float(value->type))
        w.r = value_real(value->type, value->byte);
    else
        memcpy(&w.v, value->byte, EZ_MIN(value->n, sizeof w.v));
    if (gen_is_signed(value->type) && value->n && value->n < sizeof w.v) { /* sign-extend */
        unsigned above = (unsigned)(8 * (sizeof w.v - value->n));
        w.v = (unsigned __int128)((__int128)(w.v << above) >> above);
    }
    return w;
}

/* Returns -1, 0 or 1, or 2 if an operand is a NaN. */
static int wide_compare(const struct ez_type *in, const struct wide *a, const struct wide *b)
{
    if (gen_is_float(in))
        return isnan(a->r) || isnan(b->r) ? 2 : (a->r > b->r) - (a->r < b->r);
    if (gen_is_signed(in))
        return ((__int128)a->v > (__int128)b->v) - ((__int128)a->v < (__int128)b->v);
    return (a->v > b->v) - (a->v < b->v);
}

/* Returns the result of comparison `op`, for the result of wide_compare(). Sets *is to false if
 * `op` is no comparison. */
static bool wide_compares(int op, int order, bool *is)
{
    *is = true;
    switch (op) {
    case EZ_OP2('=', '='):
        return order == 0;
    case EZ_OP2('!', '='):
        return order != 0;
    case '<':
        return order == -1;
    case '>':
        return order == 1;
    case EZ_OP2('<', '='):
        return order == -1 || order == 0;
    case EZ_OP2('>', '='):
        return order == 1 || order == 0;
    default:
        *is = false;
        return false;
    }
}

static long double wide_reals(int op, long double a, long double b)
{
    return op == '+' ? a + b : op == '-' ? a - b : op == '*' ? a * b : a / b;
}

static unsigned __int128 wide_divided(const struct ez_type *in, int op, unsigned __int128 a,
                                      unsigned __int128 b)
{
    __int128 x = (__int128)a, y = (__int128)b;
    if (!gen_is_signed(in))
        return op == '/' ? a / b : a % b;
    if (y == -1) /* dividing the smallest number by -1 overflows */
        return op == '/' ? -a : 0;
    return (unsigned __int128)(op == '/' ? x / y : x % y);
}

static unsigned __int128 wide_shifted(const struct ez_type *in, int op, unsigned __int128 a,
                                      unsigned __int128 by)
{
    bool far = by > 127;
    unsigned n = far ? 127 : (unsigned)by;
    if (op == EZ_OP2('<', '<'))
        return far ? 0 : a << n;
    if (gen_is_signed(in))
        return (unsigned __int128)((__int128)a >> n);
    return far ? 0 : a >> n;
}

static ez_err *wide_integers(const struct ez_type *in, int op, unsigned __int128 a,
                             unsigned __int128 b, unsigned __int128 *out)
{
    if ((op == '/' || op == '%') && !b)
        return ez_err_gdb(EZ_E_ARG, "Division by zero");
    switch (op) {
    case '+':
        *out = a + b;
        return NULL;
    case '-':
        *out = a - b;
        return NULL;
    case '*':
        *out = a * b;
        return NULL;
    case '&':
        *out = a & b;
        return NULL;
    case '|':
        *out = a | b;
        return NULL;
    case '^':
        *out = a ^ b;
        return NULL;
    case '/':
    case '%':
        *out = wide_divided(in, op, a, b);
        return NULL;
    default:
        *out = wide_shifted(in, op, a, b);
        return NULL;
    }
}

/* Makes a value of a computed number. */
static struct ez_value wide_made(const struct ez_type *type, const struct wide *w)
{
    return gen_is_float(type)
               ? value_made_float(type, w->r)
               : value_made(type, &w->v, EZ_MIN(ez_type_strip(type)->size, sizeof w->v));
}

static ez_err *wide_binary(const struct gen_wide *w, const struct wide *a, const struct wide *b,
                           struct wide *out)
{
    bool compares, is = wide_compares(w->op, wide_compare(w->in, a, b), &compares);
    if (compares) {
        out->v = is;
        return NULL;
    }
    if (!gen_is_float(w->in))
        return wide_integers(w->in, w->op, a->v, b->v, &out->v);
    out->r = wide_reals(w->op, a->r, b->r);
    return NULL;
}

static void wide_unary(const struct gen_wide *w, const struct wide *a, struct wide *out)
{
    bool minus = w->op == '-';
    out->v = minus ? -a->v : w->op == '~' ? ~a->v : a->v;
    out->r = minus ? -a->r : a->r;
}

/* Converts an operand. The second operand of a shift keeps its own type. */
static ez_err *wide_operand(const struct gen_wide *w, const struct ez_value *v, bool own,
                            struct wide *out)
{
    struct ez_value as = { .type = NULL };
    ez_err *e = value_convert(v, own ? ez_type_base("unsigned __int128") : w->in, &as);
    if (!e)
        *out = wide_of(&as);
    ez_value_clear(&as);
    return e;
}

ez_err *wide_apply(const struct gen_wide *w, const struct ez_value *operand, struct ez_value *out)
{
    bool shifts =
        w->kind == EZ_X_BINARY && (w->op == EZ_OP2('<', '<') || w->op == EZ_OP2('>', '>'));
    struct wide a, b, result = { 0 };
    if (fortran_computes(w))
        return fortran_apply(w, operand, out);
    EZ_TRY(wide_operand(w, &operand[0], false, &a));
    if (w->kind == EZ_X_BINARY) {
        EZ_TRY(wide_operand(w, &operand[1], shifts, &b));
        EZ_TRY(wide_binary(w, &a, &b, &result));
    } else if (w->kind == EZ_X_UNARY) {
        wide_unary(w, &a, &result);
    } else {
        result = a;
    }
    *out = wide_made(w->type, &result);
    return NULL;
}
