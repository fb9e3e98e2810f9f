/* SPDX-License-Identifier: GPL-3.0-or-later */
/* show_text.c - texts and addresses as gdb shows them (eval_priv.h). */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "engine/base/strutil.h"
#include "engine/eval/eval_priv.h"
#include "engine/target.h"
#include "engine/inferior/inferior.h"
#include "engine/ring/items.h"

struct show show_begin(struct ez_history *v, char format)
{
    unsigned most = v->t->set.print_elements;
    most = most && most < SHOW_UNLIMITED ? most : SHOW_UNLIMITED;
    return (struct show){
        .v = v, .format = format, .most = most, .left = most, .pretty = v->t->set.print_pretty
    };
}

void show_add(struct show *s, const char *fmt, ...)
{
    char small[256];
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(small, sizeof small, fmt, ap);
    va_end(ap);
    if (n < 0)
        return;
    EZ_RESERVE(&s->text, (size_t)n + 1);
    va_start(ap, fmt);
    vsnprintf(s->text.at + s->text.n, (size_t)n + 1, fmt, ap);
    va_end(ap);
    s->text.n += (size_t)n;
}

void show_item(struct show *s, enum ez_item_type type, const uint64_t *word, unsigned n)
{
    const struct ez_data_item item = { "", type, "", 0 };
    const struct ez_item_value v = { .item = &item, .word = word, .n = n };
    EZ_FREE char *text = ez_item_text(&v, NULL);
    show_add(s, "%s", text);
}

/* One character, or the UTF-8 of one: returns how many bytes. after_octal: the digits 0 to 9 would
 * become part of the \ooo before them. */
static size_t show_character(struct show *s, const uint8_t *c, size_t left, char quote,
                             bool *after_octal)
{
    static const char from[] = "\a\b\f\n\r\t\v", to[] = "abfnrtv";
    unsigned char four[5] = { 0 };
    uint32_t cp;
    memcpy(four, c, EZ_MIN(left, 4ul));
    const char *k = *c ? strchr(from, *c) : NULL;
    size_t n = *c >= 0x80 ? ez_utf8_decode(four, &cp) : 0;
    bool octal = false;
    if (n > 1 && cp >= 0xa0)
        show_add(s, "%.*s", (int)n, (const char *)c);
    else if (k)
        show_add(s, "\\%c", to[k - from]);
    else if (*c == quote || *c == '\\')
        show_add(s, "\\%c", *c);
    else if (*c >= 0x20 && *c < 0x7f && !(*after_octal && *c >= '0' && *c <= '9'))
        show_add(s, "%c", *c);
    else
        show_add(s, "\\%03o", *c), octal = true;
    *after_octal = octal;
    return n > 1 && cp >= 0xa0 ? n : 1;
}

struct show_kind show_kind_of(const struct ez_type *t)
{
    static const struct show_kind kinds[] = { { "wchar_t", 'L', 4 },
                                              { "char16_t", 'u', 2 },
                                              { "char32_t", 'U', 4 } };
    for (; t; t = t->to) {
        for (size_t k = 0; k < EZ_ARRAY_LEN(kinds); k++)
            if (t->name && !strcmp(t->name, kinds[k].name) &&
                ez_type_strip(t)->size == kinds[k].size)
                return kinds[k];
        if (t->kind != EZ_TY_NAMED && t->kind != EZ_TY_CONST)
            break;
    }
    return (struct show_kind){ NULL, 0, 0 };
}

/* A character by its number. */
static void show_wide_character(struct show *s, uint32_t c, char quote, bool *after_octal)
{
    uint8_t text[4] = { (uint8_t)c };
    size_t n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (size_t i = n - 1; n > 1 && i; i--, c >>= 6)
        text[i] = (uint8_t)(0x80 | (c & 0x3f));
    if (n > 1)
        text[0] = (uint8_t)(0xf00 >> n | c);
    show_character(s, text, n, quote, after_octal);
}

void show_wide(struct show *s, const struct ez_type *t, const uint8_t *byte)
{
    const struct show_kind k = show_kind_of(t);
    bool octal = false;
    if (!k.name)
        return;
    show_add(s, " %c'", k.prefix);
    show_wide_character(s, (uint32_t)show_word(byte, k.size), '\'', &octal);
    show_add(s, "'");
}

/* Character i of n, and how many elements it takes: two are one in UTF-16. */
static uint32_t show_wide_at(const struct show_kind *k, const uint8_t *byte, size_t i, size_t n,
                             size_t *took)
{
    uint32_t c = (uint32_t)show_word(byte + i * k->size, k->size), d;
    *took = 1;
    if (k->size != 2 || c < 0xd800 || c >= 0xdc00 || i + 1 >= n)
        return c;
    d = (uint32_t)show_word(byte + (i + 1) * 2, 2);
    if (d < 0xdc00 || d >= 0xe000)
        return c;
    *took = 2;
    return 0x10000 + ((c - 0xd800) << 10) + (d - 0xdc00);
}

void show_wide_string(struct show *s, const struct show_kind *k, const uint8_t *byte, size_t n,
                      bool more)
{
    bool open = false, octal = false, any = false;
    unsigned told = 0;
    size_t took, i = 0;
    for (; i < n && told < s->most; any = true) {
        size_t run = 1;
        while (i + run < n && !memcmp(byte + (i + run) * k->size, byte + i * k->size, k->size))
            run++;
        uint32_t c = show_wide_at(k, byte, i, n, &took);
        if (run > SHOW_REPEATS) {
            octal = false;
            show_add(s, "%s%s%c'", open ? "\"" : "", any ? ", " : "", k->prefix);
            show_wide_character(s, c, '\'', &octal);
            show_add(s, "' <repeats %zu times>", run);
            open = false;
            told += SHOW_REPEATS;
            i += run;
            continue;
        }
        if (!open) {
            show_add(s, "%s%c\"", any ? ", " : "", k->prefix);
            octal = false;
        }
        open = true;
        told++;
        show_wide_character(s, c, '"', &octal);
        i += took;
    }
    if (!any)
        show_add(s, "%c\"", k->prefix);
    if (open || !any)
        show_add(s, "\"");
    if (more || i < n)
        show_add(s, "...");
}

void show_wide_pointed(struct show *s, const struct show_kind *k, uint64_t at)
{
    EZ_FREE uint8_t *byte = ez_alloc((size_t)s->most * k->size);
    static const uint8_t nul[4] = { 0 };
    size_t n = 0, got = k->size;
    for (; n < s->most && got == k->size; n++) {
        got = ez_read_some(s->v->t, ez_addr_of(at + n * k->size), byte + n * k->size, k->size);
        if (got == k->size && !memcmp(byte + n * k->size, nul, k->size))
            break;
        n -= got != k->size;
    }
    if (n || got == k->size)
        show_wide_string(s, k, byte, n, n == s->most);
    if (got != k->size)
        show_add(s, "<error: Cannot access memory at address 0x%llx>",
                 (unsigned long long)(at + n * k->size));
}

void show_string(struct show *s, const uint8_t *c, size_t n, bool more)
{
    bool open = false, octal = false, any = false;
    unsigned told = 0;
    size_t i = 0;
    while (i < n && told < s->most) {
        size_t run = 1;
        while (i + run < n && c[i + run] == c[i])
            run++;
        if (run > SHOW_REPEATS) {
            octal = false;
            show_add(s, "%s%s'", open ? "\"" : "", any ? ", " : "");
            show_character(s, c + i, 1, '\'', &octal);
            show_add(s, "' <repeats %zu times>", run);
            open = false;
            told += SHOW_REPEATS;
            i += run;
        } else {
            if (!open) {
                show_add(s, "%s\"", any ? ", " : "");
                octal = false;
            }
            open = true;
            told++;
            i += show_character(s, c + i, n - i, '"', &octal);
        }
        any = true;
    }
    if (!any)
        show_add(s, "\"");
    if (open || !any)
        show_add(s, "\"");
    if (more || i < n)
        show_add(s, "...");
}

size_t show_read(struct ez_target *t, uint64_t at, void *to, size_t most, bool *good)
{
    char *c = to;
    size_t n = 0, got = 1, step = 256;
    for (; n < most && got; n += got) {
        got = ez_read_some(t, ez_addr_of(at + n), c + n, EZ_MIN(step, most - n));
        const char *end = memchr(c + n, 0, got);
        *good = got;
        if (end)
            return (size_t)(end - c);
    }
    return n;
}

void show_pointed(struct show *s, uint64_t at)
{
    EZ_FREE uint8_t *c = ez_alloc(s->most);
    bool good;
    size_t n = show_read(s->v->t, at, c, s->most, &good);
    if (n || good)
        show_string(s, c, n, n == s->most);
    if (!good)
        show_add(s, "<error: Cannot access memory at address 0x%llx>",
                 (unsigned long long)(at + n));
}

ez_err *ez_text_at(struct ez_history *v, uint64_t at, size_t *n, char **out)
{
    struct show s = show_begin(v, 0);
    EZ_FREE uint8_t *c = ez_alloc(s.most);
    bool good;
    size_t len = show_read(v->t, at, c, s.most, &good);
    if (!len && !good)
        return ez_read(v->t, ez_addr_of(at), c, 1);
    *n = len + (len < s.most);
    show_string(&s, c, len, len == s.most);
    EZ_PUSH(&s.text, 0);
    *out = s.text.at;
    return NULL;
}

void show_address(struct show *s, uint64_t at)
{
    uint64_t off = 0;
    struct ez_module_info m;
    const struct ez_sym *sym = ez_symbolize_any(s->v->t, ez_addr_of(at), &off, &m);
    show_add(s, "0x%llx", (unsigned long long)at);
    if (sym && off)
        show_add(s, " <%s+%llu>", ez_sym_pretty(sym), (unsigned long long)off);
    else if (sym)
        show_add(s, " <%s>", ez_sym_pretty(sym));
}
