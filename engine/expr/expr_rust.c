/* SPDX-License-Identifier: GPL-3.0-or-later */
/* expr_rust.c - parses what only Rust's expressions have (expr_priv.h): numbers with suffixes, `x
 * as TYPE`, types of pointers.
 * Tests: tests/procs/rust.sh */
#include "engine/expr/expr_priv.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MOST_DIGITS 200 /* maximum length of a number with its suffix */

/* Consumes a number, and copies its digits without "_". Returns its suffix ("u8"), or NULL if it
 * has none. A dot belongs to the number if digits follow. */
static const char *rust_digits(struct parse *p, char digits[MOST_DIGITS])
{
    static const char *const suffixes[] = { "i8",  "i16", "i32",  "i64",   "i128",  "u8",  "u16",
                                            "u32", "u64", "u128", "isize", "usize", "f32", "f64" };
    size_t n = 0;
    const char *s = p->at;
    for (; n < MOST_DIGITS - 1; s++) {
        bool dot = *s == '.' && isdigit((unsigned char)s[1]) && !memchr(digits, '.', n);
        bool sign = (*s == '+' || *s == '-') && n && tolower((unsigned char)digits[n - 1]) == 'e' &&
                    strncmp(digits, "0x", 2) && isdigit((unsigned char)s[1]);
        if (!isalnum((unsigned char)*s) && *s != '_' && !dot && !sign)
            break;
        if (*s != '_')
            digits[n++] = *s;
    }
    digits[n] = 0;
    p->at = s;
    for (size_t i = 0; i < EZ_ARRAY_LEN(suffixes); i++) {
        size_t k = strlen(suffixes[i]);
        /* no float suffix for hexadecimal numbers: 0xf32 is a number */
        bool real = *suffixes[i] == 'f';
        if (n > k && !strcmp(digits + n - k, suffixes[i]) && !(real && !strncmp(digits, "0x", 2))) {
            digits[n - k] = 0;
            return suffixes[i];
        }
    }
    return NULL;
}

ez_err *expr_rust_number(struct parse *p, struct ez_expr **out)
{
    char digits[MOST_DIGITS], *end, *real_end;
    const char *from = p->at, *suffix = rust_digits(p, digits);
    int base = !strncmp(digits, "0x", 2)   ? 16
               : !strncmp(digits, "0b", 2) ? 2
               : !strncmp(digits, "0o", 2) ? 8
                                           : 10;
    struct ez_expr *x = expr_new(EZ_X_INT);
    errno = 0;
    x->number = strtoull(digits + (base == 10 ? 0 : 2), &end, base);
    bool large = errno == ERANGE;
    x->real = strtod(digits, &real_end);
    x->is_decimal = base == 10;
    if (base == 10 && (*end || (suffix && *suffix == 'f'))) {
        x->kind = EZ_X_FLOAT;
        end = real_end;
        large = false;
    }
    if (*end || large) {
        ez_expr_free(x);
        return large ? ez_err_gdb(EZ_E_ARG, "Numeric constant too large.")
                     : ez_err_gdb(EZ_E_ARG, "Invalid number \"%.*s\".", (int)(p->at - from), from);
    }
    if (suffix) {
        x->type = ez_alloc(sizeof *x->type);
        x->type->base = ez_strdup(suffix);
    }
    *out = x;
    return NULL;
}

unsigned expr_rust_stars(struct parse *p)
{
    unsigned n = 0;
    for (;;) {
        const char *begin = p->at;
        bool pointer = expr_accept(p, "*") && (expr_accept(p, "const") || expr_accept(p, "mut"));
        if (!pointer) {
            p->at = begin;
            if (!expr_accept(p, "&"))
                return n;
            expr_accept(p, "mut");
        }
        n++;
    }
}

ez_err *expr_rust_as(struct parse *p, struct ez_expr **x)
{
    while (p->by.is_rust && expr_accept(p, "as")) {
        struct ez_type_name *t = NULL;
        EZ_TRY(expr_type(p, &t));
        if (!t)
            return expr_wrong(p);
        struct ez_expr *cast = expr_new(EZ_X_CAST);
        cast->op = EZ_CAST_C;
        cast->type = t;
        EZ_PUSH(&cast->at, *x);
        *x = cast;
    }
    return NULL;
}
