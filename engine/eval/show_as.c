/* SPDX-License-Identifier: GPL-3.0-or-later */
/* show_as.c - shows floating-point numbers, and scalars in a format's notation, like gdb's print/x
 * (eval_priv.h).
 * Tests: tests/unit/eval/check_eval.c, tests/procs/print.sh */
#include <math.h>
#include <string.h>

#include "engine/expr/gen.h"
#include "engine/dwarf/type.h"
#include "engine/eval/eval_priv.h"

/* ---- floating-point numbers ------------------------------------------------------------------ */

/* Shows a NaN with its mantissa bits: "nan(0x8000000000000)". */
static bool show_nan(struct show *s, double d, size_t size)
{
    uint64_t bits;
    float f = (float)d;
    uint32_t half;
    if (!isnan(d))
        return false;
    memcpy(&bits, &d, sizeof bits);
    memcpy(&half, &f, sizeof half);
    unsigned long long mantissa = size == 4 ? half & 0x7fffff : bits & 0xfffffffffffff;
    show_add(s, "%snan(0x%llx)", signbit(d) ? "-" : "", mantissa);
    return true;
}

/* Shows a NaN of the ten-byte x87 format, like show_nan(). */
static bool show_long_nan(struct show *s, const uint64_t w[2])
{
    if ((w[1] & 0x7fff) != 0x7fff || !(w[0] << 1))
        return false;
    show_add(s, "%snan(0x%llx)", w[1] & 0x8000 ? "-" : "", (unsigned long long)w[0]);
    return true;
}

/* Shows a number of a floating-point type that is not float, double or long double, with the digits
 * that are exact. */
static void show_strange(struct show *s, const struct ez_type *t, const uint8_t *byte)
{
    show_add(s, "%.*Lg", t->size == 2 ? 5 : 18, value_real(t, byte));
}

void show_float(struct show *s, const struct ez_type *t, const uint8_t *byte)
{
    uint64_t w[2] = { 0 };
    memcpy(w, byte, EZ_MIN(t->size, (uint64_t)sizeof w));
    double d = 0;
    if (gen_is_strange_float(t)) {
        show_strange(s, t, byte);
        return;
    }
    if (t->size == 4) {
        float f;
        memcpy(&f, byte, sizeof f);
        d = f;
        memcpy(w, &d, sizeof d);
    } else {
        memcpy(&d, w, sizeof d);
    }
    if (t->size > 8 && !show_long_nan(s, w))
        show_item(s, EZ_IT_LDOUBLE, w, 2);
    else if (t->size > 8)
        return;
    else if (!show_nan(s, d, t->size))
        show_item(s, t->size == 4 ? EZ_IT_FLOAT : EZ_IT_DOUBLE, w, 1);
}

/* ---- a format's notation --------------------------------------------------------------------- */

static void show_digits(struct show *s, const uint8_t *byte, size_t n, unsigned per, bool all)
{
    bool any = false; /* per: number of bits of a digit */
    unsigned bits = 8 * (unsigned)n, digits = (bits + per - 1) / per;
    for (unsigned i = digits; i-- > 0;) {
        unsigned d = 0;
        for (unsigned k = 0; k < per && i * per + k < bits; k++)
            d |= (byte[(i * per + k) / 8] >> (i * per + k) % 8 & 1u) << k;
        any |= d || all || !i;
        if (any)
            show_add(s, "%x", d);
    }
}

static void show_number(struct show *s, const uint8_t *byte, size_t n, bool is_signed)
{
    uint64_t w[2] = { 0 };
    memcpy(w, byte, EZ_MIN(n, sizeof w));
    if (n <= 8 && is_signed)
        show_add(s, "%lld", (long long)ez_cut(w[0], 8 * (unsigned)n, true));
    else if (n <= 8)
        show_add(s, "%llu", (unsigned long long)w[0]);
    else
        show_item(s, is_signed ? EZ_IT_INT128 : EZ_IT_UINT128, w, 2);
}

/* Converts a floating-point number like gdb: a value out of range, or a NaN, becomes the smallest
 * or the largest integer. */
static uint64_t show_whole(const struct ez_type *t, const uint8_t *byte)
{
    const long double v = value_real(t, byte);
    if (v <= -0x1p63L)
        return (uint64_t)INT64_MIN;
    return v < 0x1p63L ? (uint64_t)(int64_t)v : (uint64_t)INT64_MAX;
}

static void show_as_character(struct show *s, uint64_t v, bool is_signed)
{
    const uint64_t w = ez_cut(v, 8, is_signed);
    show_item(s, EZ_IT_CHAR, &w, 1);
}

/* Shows the bits as the floating-point number of that size, or as an integer if no such type has
 * that size. */
static bool show_as_float(struct show *s, const struct ez_type *t, const uint8_t *byte)
{
    const char *of = t->size == 4    ? "float"
                     : t->size == 8  ? "double"
                     : t->size == 16 ? "long double"
                                     : NULL;
    if (t->kind == EZ_TY_FLOAT)
        return false;
    if (of)
        show_float(s, ez_type_base(of), byte);
    else
        show_number(s, byte, t->size, t->is_signed);
    return true;
}

/* Converts the value to 64 bits, for formats that show at most 64 bits. Returns false, after
 * show_wrong(), if the value cannot be converted. */
static bool show_integer(struct show *s, const struct ez_type *t, const uint8_t *byte,
                         uint64_t *out)
{
    bool is_signed = t->is_signed && t->kind != EZ_TY_POINTER;
    if (t->kind == EZ_TY_COMPLEX)
        show_wrong(s, "Value can't be converted to integer.");
    else if (t->kind == EZ_TY_FLOAT)
        *out = show_whole(t, byte);
    else if (t->size > sizeof *out)
        show_wrong(s, "That operation is not available on integers of more than 8 bytes.");
    else
        *out = ez_cut(value_word(byte, t->size), 8 * (unsigned)t->size, is_signed);
    return !s->wrong;
}

bool show_as(struct show *s, const struct ez_type *t, const uint8_t *byte)
{
    size_t n = t->size;
    bool is_signed = t->is_signed && t->kind != EZ_TY_POINTER;
    uint8_t cut[32] = { 0 };
    if (n > sizeof cut || (t->kind == EZ_TY_POINTER && held_is_pointed(value_word(byte, n))))
        return false;
    memcpy(cut, byte, n);
    bool zero = true;
    for (size_t i = 0; i < n; i++)
        zero &= !cut[i];
    uint64_t word = 0;
    switch (s->format) {
    case 'x':
    case 'z':
        show_add(s, "0x");
        show_digits(s, cut, n, 4, s->sized || s->format == 'z');
        return true;
    case 'o':
        show_add(s, zero ? "" : "0");
        show_digits(s, cut, n, 3, false);
        return true;
    case 't':
        show_digits(s, cut, n, 1, s->sized);
        return true;
    case 'd':
    case 'u':
        if (n > 16)
            return false;
        show_number(s, cut, n, s->format == 'd');
        return true;
    case 'a':
        if (show_integer(s, t, cut, &word))
            show_address(s, word);
        return true;
    case 'c':
        if (show_integer(s, t, cut, &word))
            show_as_character(s, word, is_signed || t->kind == EZ_TY_BOOL);
        return true;
    case 'f':
        return show_as_float(s, t, cut);
    default:
        return false;
    }
}
