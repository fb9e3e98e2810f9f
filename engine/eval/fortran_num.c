/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fortran_num.c - Fortran operations that compiled code does not compute
 * (engine/expr/gen_fortran.c): powers, modulo of floating-point numbers, a complex number made of
 * two real numbers.
 *
 * Tests: tests/procs/fortran.sh */
#include <math.h>
#include <string.h>

#include "engine/expr/gen.h"
#include "engine/eval/eval_priv.h"

bool fortran_computes(const struct gen_wide *w)
{
    if (w->kind != EZ_X_BINARY)
        return false;
    return w->op == EZ_OP_POWER || w->op == GEN_OP_MODULO || w->op == EZ_OP_COMPLEX ||
           (w->op == '%' && gen_is_float(w->in));
}

/* Computes the integer power, modulo 2^64. */
static ez_err *fortran_power(int64_t base, int64_t by, uint64_t *out)
{
    uint64_t b = (uint64_t)base, n = (uint64_t)by;
    *out = 1;
    if (by < 0 && !base)
        return ez_err_gdb(EZ_E_ARG, "Attempt to raise 0 to negative power.");
    if (by < 0) { /* 1 / base**-by, truncated to an integer */
        *out = base == 1 || (base == -1 && !(n & 1)) ? 1 : base == -1 ? UINT64_MAX : 0;
        return NULL;
    }
    for (; n; n >>= 1, b *= b)
        *out *= n & 1 ? b : 1;
    return NULL;
}

static ez_err *fortran_integers(const struct gen_wide *w, const struct ez_value *v,
                                struct ez_value *out)
{
    uint64_t a, b, result;
    bool real;
    double d;
    EZ_TRY(ez_value_number(&v[0], &a, &real, &d));
    EZ_TRY(ez_value_number(&v[1], &b, &real, &d));
    EZ_TRY(fortran_power((int64_t)a, (int64_t)b, &result));
    *out = value_made(w->type, &result, EZ_MIN(ez_type_strip(w->type)->size, sizeof result));
    return NULL;
}

static long double fortran_real(const struct gen_wide *w, long double a, long double b)
{
    bool wide = ez_type_strip(w->in)->size > 8;
    if (w->op == EZ_OP_POWER)
        return wide ? powl(a, b) : (long double)pow((double)a, (double)b);
    long double rest = wide ? fmodl(a, b) : (long double)fmod((double)a, (double)b);
    bool other = rest != 0 && (rest < 0) != (b < 0);
    return w->op == GEN_OP_MODULO && other ? rest + b : rest;
}

ez_err *fortran_apply(const struct gen_wide *w, const struct ez_value *operand,
                      struct ez_value *out)
{
    struct ez_value v[2] = { { .type = NULL }, { .type = NULL } };
    if (!gen_is_float(w->in) && w->op != EZ_OP_POWER)
        return ez_err_new(EZ_E_ARG, 0, "MODULO needs integers of at most 8 bytes");
    if (!gen_is_float(w->in))
        return fortran_integers(w, operand, out);
    ez_err *e = value_convert(&operand[0], w->in, &v[0]);
    if (!e)
        e = value_convert(&operand[1], w->in, &v[1]);
    if (!e && w->op == EZ_OP_COMPLEX) {
        uint8_t both[32];
        memcpy(both, v[0].byte, v[0].n);
        memcpy(both + v[0].n, v[1].byte, v[1].n);
        *out = value_made(w->type, both, 2 * v[0].n);
    } else if (!e) {
        long double a = value_real(w->in, v[0].byte), b = value_real(w->in, v[1].byte);
        long double result = fortran_real(w, a, b);
        *out = value_made_float(w->type, result);
        if (w->op == EZ_OP_POWER && isnan(result) && !isnan(a) && !isnan(b)) {
            ez_value_clear(out);
            e = ez_err_new(EZ_E_ARG, 0,
                           "A negative number cannot be raised to a power that is not an integer");
        }
    }
    ez_value_clear(&v[0]);
    ez_value_clear(&v[1]);
    return e;
}
