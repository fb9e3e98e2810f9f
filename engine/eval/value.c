/* SPDX-License-Identifier: GPL-3.0-or-later */
/* value.c - makes, converts and frees values.
 * Tests: tests/unit/eval/check_eval.c, tests/procs/print.sh */
#include <math.h>
#include <string.h>

#include "engine/expr/gen.h"

#include "engine/eval/eval_priv.h"

#define LONGEST 65535 /* maximum length of a string in characters */

uint64_t value_word(const uint8_t *byte, size_t n)
{
    uint64_t v = 0;
    memcpy(&v, byte, EZ_MIN(n, sizeof v));
    return v;
}

/* Returns the index of the first NUL character, or the number of characters if there is none. */
static size_t value_end(const char *c, size_t n, size_t size)
{
    static const char zeros[4];
    for (size_t i = 0; i < n; i++)
        if (!memcmp(c + i * size, zeros, size))
            return i;
    return n;
}

size_t value_read(struct ez_target *t, uint64_t at, void *to, size_t most, size_t size, bool *good)
{
    char *c = to;
    size_t n = 0, got = 1, step = 256;
    for (; n < most && got; n += got) {
        got = ez_read_some(t, ez_addr_of(at + n * size), c + n * size,
                           size * EZ_MIN(step, most - n)) /
              size;
        size_t end = value_end(c + n * size, got, size);
        *good = got;
        if (end < got)
            return n + end;
    }
    return n;
}

struct ez_value value_made(const struct ez_type *t, const void *bytes, size_t n)
{
    struct ez_value v = { .type = t, .byte = ez_alloc(n + 1), .n = n };
    if (n)
        memcpy(v.byte, bytes, n);
    return v;
}

bool ez_value_same(const struct ez_value *a, const struct ez_value *b)
{
    bool whole = !a->gone && !a->lost && !b->gone && !b->lost;
    return whole && a->n == b->n && !memcmp(a->byte, b->byte, a->n);
}

enum value_lost value_lost(const uint8_t *lost, size_t n)
{
    size_t any = 0, all = 0;
    for (size_t i = 0; lost && i < n; i++) {
        any += lost[i] != 0;
        all += lost[i] == 0xff;
    }
    return !any ? VALUE_THERE : all == n ? VALUE_GONE : VALUE_PARTLY;
}

bool value_bits_lost(const uint8_t *lost, unsigned bit, unsigned bits)
{
    for (unsigned i = bit; lost && i < bit + bits; i++)
        if (lost[i / 8] >> i % 8 & 1)
            return true;
    return false;
}

struct ez_value value_partly(const struct ez_type *t, const uint8_t *bytes, const uint8_t *lost,
                             size_t n)
{
    struct ez_value v = value_made(t, bytes, n);
    enum value_lost what = value_lost(lost, n);
    v.gone = what == VALUE_GONE || (what && ez_type_is_scalar(t));
    if (what && !v.gone)
        v.lost = value_copy_lost(lost, n);
    return v;
}

uint8_t *value_copy_lost(const uint8_t *lost, size_t n)
{
    return lost ? memcpy(ez_alloc(n), lost, n) : NULL;
}

size_t value_bits_bytes(unsigned bit, unsigned bits)
{
    return (bit + bits + 7) / 8;
}

uint64_t value_bits(const void *bytes, unsigned bit, unsigned bits, bool is_signed)
{
    unsigned __int128 around = 0;
    memcpy(&around, bytes, EZ_MIN(value_bits_bytes(bit, bits), sizeof around));
    return ez_cut((uint64_t)(around >> bit), bits, is_signed);
}

ez_err *value_is_gone(void)
{
    return ez_err_gdb(EZ_E_ARG, "value has been optimized out");
}

ez_err *value_whole(const struct ez_value *value)
{
    return value->gone || value->lost ? value_is_gone() : NULL;
}

void ez_value_clear(struct ez_value *v)
{
    free(v->byte);
    free(v->lost);
    *v = (struct ez_value){ .type = NULL };
}

bool ez_value_is_scalar(const struct ez_value *value)
{
    const struct ez_type *t = ez_type_strip(value->type);
    if (t->kind == EZ_TY_REFERENCE && t->to)
        t = ez_type_strip(t->to);
    return t->kind != EZ_TY_STRUCT && t->kind != EZ_TY_UNION && t->kind != EZ_TY_ARRAY;
}

bool ez_value_is_void(const struct ez_value *value)
{
    return ez_type_strip(value->type)->kind == EZ_TY_VOID;
}

/* A floating-point format for which C has no type: 16 bits, or IEEE's 128 bits. */
struct value_format {
    unsigned mantissa, bias, most; /* most: the exponent of infinity and NaN */
};

static struct value_format value_format_of(const struct ez_type *t)
{
    return t->size == 2 ? (struct value_format){ 10, 15, 31 }
                        : (struct value_format){ 112, 16383, 32767 };
}

static long double value_decode(const struct ez_type *t, const uint8_t *byte)
{
    const struct value_format f = value_format_of(t);
    unsigned __int128 bits = 0, one = 1;
    memcpy(&bits, byte, t->size);
    bool minus = bits >> (8 * t->size - 1) & 1;
    unsigned exponent = (unsigned)(bits >> f.mantissa) & f.most;
    bits &= (one << f.mantissa) - 1;
    long double v;
    if (exponent == f.most)
        v = bits ? (long double)NAN : (long double)INFINITY;
    else
        v = ldexpl((long double)(exponent ? bits | one << f.mantissa : bits),
                   (int)(exponent ? exponent : 1) - (int)f.bias - (int)f.mantissa);
    return minus ? -v : v;
}

static void value_encode(const struct ez_type *t, long double v, uint8_t *byte)
{
    const struct value_format f = value_format_of(t);
    int exponent = 0;
    unsigned __int128 bits, one = 1;
    bool minus = signbit(v);
    v = fabsl(v);
    if (isnan(v) || isinf(v)) {
        bits = (unsigned __int128)f.most << f.mantissa | (isnan(v) ? one << (f.mantissa - 1) : 0);
    } else {
        (void)frexpl(v, &exponent);
        exponent = EZ_MAX(exponent - 1 + (int)f.bias, 1); /* below 1, the number is subnormal */
        bits = (unsigned __int128)rintl(ldexpl(v, (int)f.bias + (int)f.mantissa - exponent));
        bool small = !(bits >> f.mantissa);
        bits += small ? 0 : (unsigned __int128)(exponent - 1) << f.mantissa;
        if (bits >> f.mantissa >= f.most)
            bits = (unsigned __int128)f.most << f.mantissa;
    }
    bits |= (unsigned __int128)minus << (8 * t->size - 1);
    memcpy(byte, &bits, t->size);
}

long double value_real(const struct ez_type *type, const uint8_t *byte)
{
    const struct ez_type *t = ez_type_strip(type);
    float f;
    double d;
    long double l = 0;
    if (gen_is_strange_float(t))
        return value_decode(t, byte);
    if (t->size == sizeof f) {
        memcpy(&f, byte, sizeof f);
        return f;
    }
    if (t->size == sizeof d) {
        memcpy(&d, byte, sizeof d);
        return d;
    }
    memcpy(&l, byte, EZ_MIN(t->size, (uint64_t)sizeof l));
    return l;
}

struct ez_value value_made_float(const struct ez_type *type, long double v)
{
    const struct ez_type *t = ez_type_strip(type);
    float f = (float)v;
    double d = (double)v;
    uint8_t other[16] = { 0 };
    if (gen_is_strange_float(t))
        value_encode(t, v, other);
    return value_made(type,
                      gen_is_strange_float(t) ? (void *)other
                      : t->size == 4          ? (void *)&f
                      : t->size == 8          ? (void *)&d
                                              : (void *)&v,
                      EZ_MIN(t->size, (uint64_t)16));
}

ez_err *ez_value_number(const struct ez_value *value, uint64_t *out, bool *is_real, double *real)
{
    const struct ez_type *t = ez_type_strip(value->type);
    *is_real = t->kind == EZ_TY_FLOAT;
    *real = 0;
    *out = 0;
    if (value->gone)
        return value_is_gone();
    if (!ez_type_is_scalar(t) || (!*is_real && value->n > 8))
        return ez_err_gdb(EZ_E_ARG, "Value can't be converted to integer.");
    if (*is_real) {
        *real = (double)value_real(value->type, value->byte);
        *out = *real >= -0x1p63 && *real < 0x1p63 ? (uint64_t)(int64_t)*real : 1ull << 63;
        return NULL;
    }
    *out = ez_cut(value_word(value->byte, value->n), 8 * (unsigned)value->n,
                  t->is_signed && t->kind != EZ_TY_POINTER);
    return t->kind == EZ_TY_POINTER ? held_check(value) : NULL;
}

ez_err *ez_value_address(const struct ez_value *value, uint64_t *out)
{
    const struct ez_type *t = ez_type_strip(value->type);
    bool real;
    double d;
    if (t->kind != EZ_TY_ARRAY && t->kind != EZ_TY_FUNC)
        return ez_value_number(value, out, &real, &d);
    *out = value->addr;
    return value->lval == EZ_L_MEMORY
               ? NULL
               : ez_err_gdb(EZ_E_ARG, "Attempt to take address of value not located in memory.");
}

ez_err *ez_value_string(struct ez_history *v, const struct ez_value *value, char **out)
{
    EZ_FREE char *text = NULL;
    uint64_t at;
    bool good;
    EZ_TRY(value_whole(value));
    if (ez_type_strip(value->type)->kind == EZ_TY_ARRAY) {
        *out = ez_strndup((const char *)value->byte, value->n);
        return NULL;
    }
    EZ_TRY(ez_value_address(value, &at));
    text = ez_alloc(LONGEST + 1);
    size_t n = value_read(v->t, at, text, LONGEST, 1, &good);
    if (!good)
        return ez_err_gdb(EZ_E_SYS, "Cannot access memory at address 0x%llx",
                          (unsigned long long)(at + n));
    *out = text;
    text = NULL;
    return NULL;
}

/* Reads a number of any size. Sets *real and *r for a floating-point number, else *v,
 * sign-extended. */
static ez_err *value_number(const struct ez_value *from, unsigned __int128 *v, bool *real,
                            long double *r)
{
    const struct ez_type *t = ez_type_strip(from->type);
    bool is_signed = t->is_signed && t->kind != EZ_TY_POINTER;
    *v = 0;
    *r = 0;
    *real = t->kind == EZ_TY_FLOAT;
    EZ_TRY(value_whole(from));
    if (!ez_type_is_scalar(t) || from->n > 16)
        return ez_err_gdb(EZ_E_ARG, "Value can't be converted to integer.");
    if (*real) {
        *r = value_real(from->type, from->byte);
        return NULL;
    }
    memcpy(v, from->byte, from->n);
    if (from->n <= 8 && from->n)
        *v = is_signed ? (unsigned __int128)(__int128)(int64_t)ez_cut((uint64_t)*v,
                                                                      8 * (unsigned)from->n, true)
                       : *v;
    return NULL;
}

/* Converts a float to an integer as processors do: a value out of range becomes the smallest
 * integer. */
static unsigned __int128 value_of_real(long double r, const struct ez_type *t)
{
    if (r >= -0x1p63L && r < 0x1p63L)
        return (unsigned __int128)(__int128)(int64_t)r;
    if (t->size <= 8)
        return r > 0 && r < 0x1p64L ? (uint64_t)r : 1ull << 63;
    if (r >= -0x1p127L && r < 0x1p127L)
        return (unsigned __int128)(__int128)r;
    return r > 0 && r < 0x1p128L ? (unsigned __int128)r : (unsigned __int128)1 << 127;
}

static struct ez_value value_made_real(const struct ez_type *type, unsigned __int128 v, bool minus,
                                       bool real, long double r)
{
    const struct ez_type *t = ez_type_strip(type);
    __int128 s = (__int128)v;
    float f = real ? (float)r : minus ? (float)s : (float)v;
    double d = real ? (double)r : minus ? (double)s : (double)v;
    long double l = real ? r : minus ? (long double)s : (long double)v;
    if (t->size != 4 && t->size != 8)
        return value_made_float(type, l);
    return value_made(type, t->size == 4 ? (void *)&f : (void *)&d, t->size);
}

/* Converts a number to a complex type. A real number gets the imaginary part 0. */
static ez_err *value_to_complex(const struct ez_value *from, const struct ez_type *type,
                                struct ez_value *out)
{
    const struct ez_type *t = ez_type_strip(type), *own = ez_type_strip(from->type);
    const struct ez_type *part = ez_type_part(t);
    bool two = own->kind == EZ_TY_COMPLEX;
    const struct ez_type *in = two ? ez_type_part(own) : from->type;
    uint8_t both[32] = { 0 };
    EZ_TRY(value_whole(from));
    for (size_t i = 0; i < (two ? 2 : 1); i++) {
        struct ez_value one = two ? value_made(in, from->byte + i * in->size, in->size) : *from;
        struct ez_value is;
        ez_err *e = value_convert(&one, part, &is);
        if (two)
            ez_value_clear(&one);
        EZ_TRY(e);
        memcpy(both + i * part->size, is.byte, part->size);
        ez_value_clear(&is);
    }
    *out = value_made(type, both, t->size);
    return NULL;
}

/* Converts from a complex number by its real part. Converted to bool, it is true if any part is
 * nonzero. */
static ez_err *value_of_complex(const struct ez_value *from, const struct ez_type *type,
                                struct ez_value *out)
{
    const struct ez_type *part = ez_type_part(ez_type_strip(from->type));
    bool imag = ez_type_strip(type)->kind == EZ_TY_BOOL && value_real(part, from->byte) == 0;
    EZ_TRY(value_whole(from));
    struct ez_value one = value_made(part, from->byte + (imag ? part->size : 0), part->size);
    ez_err *e = value_convert(&one, type, out);
    ez_value_clear(&one);
    return e;
}

ez_err *value_convert(const struct ez_value *from, const struct ez_type *type, struct ez_value *out)
{
    const struct ez_type *t = ez_type_strip(type), *own = ez_type_strip(from->type);
    unsigned __int128 v;
    bool real;
    long double r;
    bool complex =
        t->kind == EZ_TY_COMPLEX && (own->kind == EZ_TY_COMPLEX || ez_type_is_scalar(from->type));
    bool same = own == t || (from->n == t->size && !ez_type_is_scalar(t) && !complex);
    if (same && !from->gone) {
        *out = value_partly(type, from->byte, from->lost, from->n);
        return NULL;
    }
    if (complex)
        return value_to_complex(from, type, out);
    if (own->kind == EZ_TY_COMPLEX && ez_type_is_scalar(t))
        return value_of_complex(from, type, out);
    EZ_TRY(value_number(from, &v, &real, &r));
    if (!ez_type_is_scalar(t))
        return ez_err_gdb(EZ_E_ARG, "Invalid cast.");
    if (t->kind == EZ_TY_FLOAT) {
        bool minus = own->is_signed && own->kind != EZ_TY_POINTER && (__int128)v < 0;
        *out = value_made_real(type, v, minus, real, r);
        return NULL;
    }
    if (t->kind == EZ_TY_BOOL)
        v = real ? r != 0 : v != 0;
    else if (real)
        v = value_of_real(r, t);
    *out = value_made(type, &v, EZ_MIN(t->size, (uint64_t)16));
    return NULL;
}

ez_err *value_no_calls(void)
{
    return ez_err_hint(ez_err_new(EZ_E_ARG, 0, "This command calls no functions of the program"),
                       "\"call FUNC(ARG...)\" calls a function");
}
