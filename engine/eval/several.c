/* SPDX-License-Identifier: GPL-3.0-or-later */
/* several.c - computes with vectors and complex numbers, part by part (eval_priv.h).
 *
 * Tests: tests/procs/wide.sh */
#include <string.h>

#include "engine/expr/gen.h"
#include "engine/eval/eval_priv.h"

static const struct ez_type *several_part(const struct ez_type *t)
{
    t = ez_type_strip(t);
    return t->kind == EZ_TY_COMPLEX ? ez_type_part(t) : t->to;
}

/* Returns part k of an operand, converted to the type of the result's parts. If the operand is a
 * plain number, each part is that number in a vector operation; in a complex operation, the second
 * part is 0. */
static ez_err *several_copy_part(const struct ez_value *v, const struct ez_type *in, size_t k,
                                 struct ez_value *out)
{
    const struct ez_type *part = several_part(in);
    bool several = gen_is_several(v->type);
    if (!several && k && ez_type_strip(in)->kind == EZ_TY_COMPLEX) {
        const struct ez_value none = value_made_float(part, 0);
        *out = none;
        return NULL;
    }
    const struct ez_type *own = several ? several_part(v->type) : v->type;
    size_t size = ez_type_strip(own)->size, from = several ? k * size : 0;
    if (from + size > v->n)
        return ez_err_new(EZ_E_ARG, 0, "An operation needs vectors of the same size");
    struct ez_value one = value_made(own, v->byte + from, size);
    ez_err *e = value_convert(&one, part, out);
    ez_value_clear(&one);
    return e;
}

/* Returns whether the operation is defined if the parts are floating-point numbers. (~ is defined
 * for a complex number: it means the conjugate.) */
static bool several_has(const struct gen_wide *w)
{
    if (w->kind != EZ_X_BINARY)
        return w->op != '~' || ez_type_strip(w->in)->kind == EZ_TY_COMPLEX;
    switch (w->op) {
    case '+':
    case '-':
    case '*':
    case '/':
    case '<':
    case '>':
    case EZ_OP2('=', '='):
    case EZ_OP2('!', '='):
    case EZ_OP2('<', '='):
    case EZ_OP2('>', '='):
        return true;
    default:
        return false;
    }
}

static ez_err *several_one(const struct gen_wide *w, const struct ez_value *operand, size_t k,
                           struct ez_value *out)
{
    const struct ez_type *part = several_part(w->in), *result = several_part(w->type);
    struct gen_wide by = *w;
    struct ez_value v[2] = { { .type = NULL }, { .type = NULL } };
    by.in = part;
    by.type = result;
    ez_err *e = several_copy_part(&operand[0], w->in, k, &v[0]);
    if (!e && w->kind == EZ_X_BINARY)
        e = several_copy_part(&operand[1], w->in, k, &v[1]);
    if (!e && gen_is_float(part) && !several_has(w))
        e = ez_err_gdb(EZ_E_ARG, "Integer-only operation on floating point number.");
    if (w->kind != EZ_X_BINARY && w->op == '~' && gen_is_float(part))
        by.op = k ? '-' : '+';
    if (!e)
        e = wide_apply(&by, v, out);
    ez_value_clear(&v[0]);
    ez_value_clear(&v[1]);
    return e;
}

/* Computes products and quotients of complex numbers. */
static ez_err *several_complex(const struct gen_wide *w, const struct ez_value *operand,
                               struct ez_value *out)
{
    const struct ez_type *part = several_part(w->in);
    long double x[4];
    for (unsigned i = 0; i < 4; i++) {
        struct ez_value v;
        EZ_TRY(several_copy_part(&operand[i / 2], w->in, i % 2, &v));
        x[i] = value_real(v.type, v.byte);
        ez_value_clear(&v);
    }
    long double n = x[2] * x[2] + x[3] * x[3];
    bool times = w->op == '*';
    struct ez_value re = value_made_float(part, times ? x[0] * x[2] - x[1] * x[3]
                                                      : (x[0] * x[2] + x[1] * x[3]) / n),
                    im = value_made_float(part, times ? x[0] * x[3] + x[1] * x[2]
                                                      : (x[1] * x[2] - x[0] * x[3]) / n);
    EZ_FREE uint8_t *byte = ez_alloc(re.n + im.n);
    memcpy(byte, re.byte, re.n);
    memcpy(byte + re.n, im.byte, im.n);
    *out = value_made(w->type, byte, re.n + im.n);
    ez_value_clear(&re);
    ez_value_clear(&im);
    return NULL;
}

/* Compares floating-point numbers by value, not by bytes: 0 equals -0, and an x87 number has unused
 * bytes. */
static bool several_same(const struct ez_value *a, const struct ez_value *b)
{
    if (gen_is_float(a->type))
        return value_real(a->type, a->byte) == value_real(b->type, b->byte);
    return a->n == b->n && !memcmp(a->byte, b->byte, a->n);
}

/* Computes == and != of all parts. Other comparisons are not defined. */
static ez_err *several_compare(const struct gen_wide *w, const struct ez_value *operand, size_t n,
                               struct ez_value *out)
{
    bool equal = true;
    if (w->op != EZ_OP2('=', '=') && w->op != EZ_OP2('!', '='))
        return ez_err_new(EZ_E_ARG, 0,
                          "Vectors and complex numbers can be compared only by == and !=");
    for (size_t k = 0; k < n && equal; k++) {
        struct ez_value v[2] = { { .type = NULL }, { .type = NULL } };
        ez_err *e = several_copy_part(&operand[0], w->in, k, &v[0]);
        if (!e)
            e = several_copy_part(&operand[1], w->in, k, &v[1]);
        equal = !e && several_same(&v[0], &v[1]);
        ez_value_clear(&v[0]);
        ez_value_clear(&v[1]);
        EZ_TRY(e);
    }
    uint8_t is[8] = { equal == (w->op == EZ_OP2('=', '=')) };
    *out = value_made(w->type, is, EZ_MIN(ez_type_strip(w->type)->size, sizeof is));
    return NULL;
}

ez_err *several_apply(const struct gen_wide *w, const struct ez_value *operand,
                      struct ez_value *out)
{
    const struct ez_type *t = ez_type_strip(w->in);
    size_t size = ez_type_strip(several_part(t))->size, n = size ? t->size / size : 0;
    EZ_FREE uint8_t *byte = ez_alloc(t->size + 1);
    if (w->kind == EZ_X_BINARY && !gen_is_several(w->type))
        return several_compare(w, operand, n, out);
    if (w->kind == EZ_X_BINARY && t->kind == EZ_TY_COMPLEX && (w->op == '*' || w->op == '/'))
        return several_complex(w, operand, out);
    for (size_t k = 0; k < n; k++) {
        struct ez_value one;
        EZ_TRY(several_one(w, operand, k, &one));
        memcpy(byte + k * size, one.byte, EZ_MIN(size, one.n));
        ez_value_clear(&one);
    }
    *out = value_made(w->type, byte, t->size);
    return NULL;
}
