/* SPDX-License-Identifier: GPL-3.0-or-later */
/* format.c - parses formats like those of printf, and fills them in (format.h). */
#include "engine/record/format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/strutil.h"

/* ---- the text ------------------------------------------------------------------------------- */

ez_err *ez_format_unquote(const char *text, char **out, const char **end)
{
    if (*text != '"')
        return ez_err_hint(ez_err_new(EZ_E_ARG, 0, "Bad format string"),
                           "A format begins with a double quote");
    char *to = *out = ez_alloc(strlen(text) + 1);
    const char *p = text + 1;
    while (*p && *p != '"') {
        if (*p == '\\' && p[1])
            *to++ = (char)ez_str_unescape(p + 1, &p);
        else
            *to++ = *p++;
    }
    *to = 0;
    if (*p == '"') {
        *end = p + 1;
        return NULL;
    }
    free(*out);
    *out = NULL;
    return ez_err_new(EZ_E_ARG, 0, "Bad format string, non-terminated '\"'");
}

/* ---- conversions ---------------------------------------------------------------------------- */

/* Returns the size in bytes of the integer that the length modifier at *p selects, and moves *p
 * behind the modifier. Without a modifier, returns 4 (int). */
static unsigned format_length(const char **p)
{
    static const struct {
        const char *word;
        unsigned bytes;
    } known[] = { { "hh", 1 }, { "h", 2 }, { "ll", 8 }, { "l", 8 },
                  { "z", 8 },  { "j", 8 }, { "t", 8 } };
    for (size_t i = 0; i < EZ_ARRAY_LEN(known); i++) {
        size_t n = strlen(known[i].word);
        if (!strncmp(*p, known[i].word, n)) {
            *p += n;
            return known[i].bytes;
        }
    }
    return 4;
}

/* Returns the conversion letters that are allowed after the length modifier length[0..n). */
static const char *format_letters(const char *length, size_t n)
{
    return !n                         ? "diuxXocpsfFeEgGaA"
           : *length == 'L'           ? "fFeEgGaA"
           : *length == 'l' && n == 1 ? "diuxXofFeEgGaA"
                                      : "diuxXo";
}

ez_err *ez_format_next(const char *text, size_t at, struct ez_conversion *out, bool *found)
{
    const char *p = text + at;
    for (p = strchr(p, '%'); p && p[1] == '%';)
        p = strchr(p + 2, '%');
    *found = p != NULL;
    if (!p)
        return NULL;
    *out = (struct ez_conversion){ .from = (size_t)(p - text) };
    const char *begin = p++;
    p += strspn(p, "-+ #0");
    const char *number = p;
    p += strspn(p, "0123456789");
    if (*p == '.')
        p += 1 + strspn(p + 1, "0123456789");
    if (p - number > 8)
        return ez_err_new(EZ_E_ARG, 0, "The width or precision in \"%.*s\" is too large",
                          (int)(p - begin), begin);
    const char *length = p;
    out->bytes = format_length(&p);
    p += p == length && *p == 'L';
    if (!*p || !strchr(format_letters(length, (size_t)(p - length)), *p))
        return ez_err_hint(
            ez_err_new(EZ_E_ARG, 0, "\"%.*s\" is not a conversion", (int)(p - begin + (*p != 0)),
                       begin),
            "The conversions are %%d %%i %%u %%o %%x %%X %%c %%s %%p %%f %%e %%g %%a, with "
            "hh, h, l, ll, z, j or t before integers");
    out->what = *p;
    out->to = (size_t)(p + 1 - text);
    if (*p == 'p')
        out->bytes = 8;
    return NULL;
}

/* ---- values --------------------------------------------------------------------------------- */

/* only this function has a variable format; ez_format_next() has checked it */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
static char *format_print(const char *spec, char what, uint64_t v, double d, const char *s)
{
    char *out = NULL;
    int n = what == 's'                  ? asprintf(&out, spec, s)
            : what == 'p'                ? asprintf(&out, spec, (void *)(uintptr_t)v)
            : what == 'c'                ? asprintf(&out, spec, (int)v)
            : strchr("fFeEgGaA", what)   ? asprintf(&out, spec, d)
            : what == 'd' || what == 'i' ? asprintf(&out, spec, (long long)v)
                                         : asprintf(&out, spec, (unsigned long long)v);
    return n < 0 ? ez_strdup("") : out;
}
#pragma GCC diagnostic pop

struct format_fill {
    const char *text;
    size_t at;
    char *out;
};

static void format_add(struct format_fill *f, char *more)
{
    char *longer = ez_sprintf("%s%s", f->out, more);
    free(f->out);
    free(more);
    f->out = longer;
}

char *ez_format_plain(const char *text, size_t from, size_t to)
{
    char *plain = ez_alloc(to - from + 1), *p = plain;
    for (; from < to; from++) {
        from += text[from] == '%';
        *p++ = text[from];
    }
    return plain;
}

static void format_plain(struct format_fill *f, size_t to)
{
    format_add(f, ez_format_plain(f->text, f->at, to));
    f->at = to;
}

/* Returns a copy of the characters of a text value. The caller frees it. */
static char *format_string(const struct ez_item_value *v)
{
    char *raw = ez_alloc(v->len + 1);
    for (uint64_t i = 0; i < v->len && 1 + i / 8 < v->n; i++)
        raw[i] = (char)(v->word[1 + i / 8] >> 8 * (i % 8));
    return raw;
}

char *ez_format_one(const char *text, const struct ez_conversion *c, uint64_t v, double d,
                    const char *s)
{
    /* Each integer is truncated to its size, and printed as 64 bits: "%5hd" becomes "%5lld". */
    const char *from = text + c->from;
    size_t n = strcspn(from, "hlLzjtdiuxXocpsfFeEgGaA");
    bool integer = strchr("diuxXo", c->what);
    EZ_FREE char *spec = ez_sprintf("%.*s%s%c", (int)n, from, integer ? "ll" : "", c->what);
    unsigned k = 64 - 8 * c->bytes;
    if (c->what == 'd' || c->what == 'i')
        v = (uint64_t)((int64_t)(v << k) >> k);
    else if (integer)
        v = v << k >> k;
    return format_print(spec, c->what, v, d, s);
}

static void format_value(const struct ez_item_value *v, void *arg)
{
    struct format_fill *f = arg;
    struct ez_conversion c;
    bool found;
    if (!ez_err_drop(ez_format_next(f->text, f->at, &c, &found)) || !found)
        return;
    format_plain(f, c.from);
    f->at = c.to;
    if (v->state != EZ_V_GOOD) {
        format_add(f, ez_strdup("<fault>"));
    } else if (c.what == 's') {
        EZ_FREE char *s = format_string(v);
        format_add(f, ez_format_one(f->text, &c, 0, 0, s));
    } else if (strchr("fFeEgGaA", c.what)) {
        double d = 0;
        ez_item_number(v, &d);
        format_add(f, ez_format_one(f->text, &c, 0, d, NULL));
    } else if (c.what == 'c') {
        format_add(f, ez_format_one(f->text, &c, v->word[0] & 0xff, 0, NULL));
    } else {
        format_add(f, ez_format_one(f->text, &c, v->word[0], 0, NULL));
    }
}

char *ez_format_fill(const char *text, const struct ez_items *items, const uint64_t *word,
                     unsigned n)
{
    struct format_fill f = { .text = text, .out = ez_strdup("") };
    if (items->at.n)
        ez_items_values(items, false, word, n, format_value, &f);
    struct ez_conversion c;
    bool found;
    /* conversions without a value, because the event is cut off */
    while (ez_err_drop(ez_format_next(text, f.at, &c, &found)) && found) {
        format_plain(&f, c.from);
        f.at = c.to;
        format_add(&f, ez_strdup("<cut>"));
    }
    format_plain(&f, strlen(text));
    return f.out;
}
