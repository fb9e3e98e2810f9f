/* SPDX-License-Identifier: GPL-3.0-or-later */
/* print.c - generates the items of `dprintf LOCATION,"FORMAT",EXPR,...`: one item for each
 * conversion, of the conversion's type. An argument that does not fit its conversion, about which C
 * compilers warn, is an error. An integer may be narrower than its conversion.
 *
 * Tests: tests/procs/dprintf.sh */
#include <string.h>

#include "engine/expr/collect.h"
#include "engine/record/format.h"

static bool print_is_integer(const struct ez_type *t)
{
    return t->kind == EZ_TY_INT || t->kind == EZ_TY_BOOL || t->kind == EZ_TY_CHAR ||
           t->kind == EZ_TY_ENUM;
}

static bool print_is_text(const struct ez_type *t)
{
    const struct ez_type *to = ez_type_strip(t->to);
    if (t->kind == EZ_TY_STRUCT)
        return t->is_char_text;
    return (t->kind == EZ_TY_POINTER || t->kind == EZ_TY_ARRAY) && to->kind == EZ_TY_CHAR &&
           to->size == 1;
}

static ez_err *print_misfit(const struct ez_conversion *k, const char *format, const char *name,
                            const struct ez_type *t)
{
    EZ_FREE char *type = ez_type_text(t);
    static const char *const wants[] = { "an integer", "an integer of 8 bytes at most", "a string",
                                         "a floating point number", "an address" };
    const char *want = k->what == 's'                ? wants[2]
                       : k->what == 'p'              ? wants[4]
                       : strchr("fFeEgGaA", k->what) ? wants[3]
                       : ez_type_strip(t)->size > 8  ? wants[1]
                                                     : wants[0];
    return ez_err_new(EZ_E_ARG, 0, "\"%.*s\" needs %s, but %s has type %s", (int)(k->to - k->from),
                      format + k->from, want, name, type);
}

/* Returns whether the expression is $REGISTER or $argN, whose type is unknown, so that it fits any
 * conversion. */
static bool print_is_word(const char *name, const struct ez_type *t)
{
    return *name == '$' && t->kind == EZ_TY_INT && t->size == 8;
}

static ez_err *print_converted(struct collect *c, const char *format, const struct ez_conversion *k,
                               const char *name, struct gen_operand *o)
{
    const struct ez_type *t = ez_type_strip(o->type), *as = o->type;
    bool word = print_is_word(name, t);
    if (k->what == 's' && print_is_text(t))
        return collect_value(c, name, true, o);
    if (k->what == 's' && word) {
        EZ_TRY(gen_load(c->gen, o));
        return collect_text(c, name, true, true, c->max_string);
    }
    bool real = strchr("fFeEgGaA", k->what), pointer = gen_is_pointer(t);
    bool fits = real             ? t->kind == EZ_TY_FLOAT && t->size <= 8
                : k->what == 'p' ? pointer || (print_is_integer(t) && t->size == 8)
                                 : print_is_integer(t) && t->size <= 8;
    if (!fits || k->what == 's')
        return print_misfit(k, format, name, as);
    if (!real && k->what != 'c' && t->size > k->bytes && t->size > 4 && !word && !pointer)
        return ez_err_hint(ez_err_new(EZ_E_ARG, 0, "\"%.*s\" needs an int, but %s has %u bytes",
                                      (int)(k->to - k->from), format + k->from, name,
                                      (unsigned)t->size),
                           "Use %%l%c", k->what);
    EZ_TRY(gen_load(c->gen, o));
    collect_word(c, name, true,
                 real                    ? EZ_IT_DOUBLE
                 : k->what == 'p'        ? EZ_IT_PTR
                 : k->what == 'c'        ? EZ_IT_CHAR
                 : strchr("xX", k->what) ? EZ_IT_HEX
                 : t->is_signed          ? EZ_IT_INT
                                         : EZ_IT_UINT,
                 "");
    return collect_room(c);
}

static ez_err *print_item(struct collect *c, const char *format, const struct ez_conversion *k,
                          const char *text, size_t len)
{
    const struct ez_scope *s = c->gen->scope;
    EZ_FREE char *expr = ez_strndup(text, len), *name = collect_name(text, len);
    struct ez_expr *x = NULL;
    struct gen_operand o;
    if (!*name)
        return ez_err_new(EZ_E_ARG, 0, "An expression is missing after a comma");
    const struct ez_language words = ez_scope_language(s);
    EZ_TRY(ez_expr_parse(expr, &words, &x));
    collect_begin(c);
    ez_err *e = gen_expr(c->gen, x, &o);
    ez_expr_free(x);
    return e ? e : print_converted(c, format, k, name, &o);
}

ez_err *collect_print(struct collect *c, const char *print)
{
    struct ez_conversion k;
    EZ_FREE char *format = NULL;
    const char *p;
    bool more;
    EZ_TRY(ez_format_unquote(print, &format, &p));
    for (size_t at = 0;; at = k.to) {
        EZ_TRY(ez_format_next(format, at, &k, &more));
        p += strspn(p, " \t");
        if (!more || !*p)
            break;
        if (*p++ != ',')
            return ez_err_gdb(EZ_E_ARG, "Invalid argument syntax");
        size_t len = collect_length(p);
        EZ_TRY(print_item(c, format, &k, p, len));
        p += len;
    }
    return more == (*p != 0) ? NULL
                             : ez_err_new(EZ_E_ARG, 0, "Bad format string: %s",
                                          more ? "an argument is missing"
                                               : "there are more arguments than conversions");
}
