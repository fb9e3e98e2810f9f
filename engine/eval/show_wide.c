/* SPDX-License-Identifier: GPL-3.0-or-later */
/* show_wide.c - shows characters of 2 and 4 bytes, and strings of them, like gdb (eval_priv.h).
 *
 * Tests: tests/procs/forms.sh */
#include <string.h>

#include "engine/dwarf/type.h"
#include "engine/eval/eval_priv.h"

static const char *const show_wide_names[] = { "wchar_t", "char16_t", "char32_t" };

static size_t show_wide_kind(const struct ez_type *t)
{
    size_t k = 0;
    while (k < EZ_ARRAY_LEN(show_wide_names) && (!t->name || strcmp(t->name, show_wide_names[k])))
        k++;
    return ez_type_strip(t)->kind == EZ_TY_INT ? k : EZ_ARRAY_LEN(show_wide_names);
}

bool show_wide_is_named(const struct ez_type *t)
{
    return t && show_wide_kind(t) < EZ_ARRAY_LEN(show_wide_names);
}

char show_wide_prefix(const struct ez_type *t, size_t *size)
{
    for (; t; t = t->to) {
        size_t k = show_wide_kind(t);
        if (k < EZ_ARRAY_LEN(show_wide_names)) {
            *size = k == 1 ? 2 : 4;
            return "LuU"[k];
        }
        if (t->kind != EZ_TY_NAMED && t->kind != EZ_TY_CONST)
            break;
    }
    return 0;
}

static uint32_t show_wide_at(const uint8_t *byte, size_t i, size_t size)
{
    return (uint32_t)value_word(byte + i * size, size);
}

/* Encodes a character in UTF-8. Returns the number of bytes. */
static size_t show_wide_encode(uint32_t c, uint8_t text[4])
{
    size_t n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    text[0] = (uint8_t)c;
    for (size_t i = n - 1; n > 1 && i; i--, c >>= 6)
        text[i] = (uint8_t)(0x80 | (c & 0x3f));
    if (n > 1)
        text[0] = (uint8_t)(0xf00 >> n | c);
    return n;
}

/* Shows one character. An invalid character is shown as a number. *after_hex: the number was
 * hexadecimal, so a digit that follows must be shown as a number, too. */
static void show_wide_one(struct show *s, uint32_t c, char quote, bool *after_hex)
{
    uint8_t text[4];
    bool hex = c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff);
    if (hex)
        show_add(s, "\\x%x", c);
    else if ((c >= 0x80 && c < 0xa0) || (*after_hex && c >= '0' && c <= '9'))
        show_add(s, "\\%03o", c);
    else
        show_character(s, text, show_wide_encode(c, text), quote);
    *after_hex = hex;
}

void show_wide(struct show *s, const struct ez_type *t, const uint8_t *byte)
{
    size_t size = 0;
    bool hex = false;
    const char prefix = show_wide_prefix(t, &size);
    if (!prefix)
        return;
    show_add(s, " %c'", prefix);
    show_wide_one(s, show_wide_at(byte, 0, size), '\'', &hex);
    show_add(s, "'");
}

void show_wide_string(struct show *s, char prefix, const uint8_t *byte, size_t n, size_t size,
                      bool more)
{
    bool open = false, hex = false;
    size_t i = 0, run;
    for (unsigned shown = 0; i < n && shown < s->most; i += run) {
        const uint32_t c = show_wide_at(byte, i, size);
        for (run = 1; i + run < n && show_wide_at(byte, i + run, size) == c;)
            run++;
        bool repeats = run > SHOW_REPEATS, apart = repeats || !open;
        if (apart)
            show_add(s, "%s%s%.*s%c", open ? "\"" : "", i ? ", " : "", !i, &prefix,
                     repeats ? '\'' : '"'); /* As gdb, writes the prefix once. */
        hex &= !apart;
        show_wide_one(s, c, repeats ? '\'' : '"', &hex);
        if (repeats)
            show_add(s, "' <repeats %zu times>", run);
        else
            run = 1;
        open = !repeats;
        shown += repeats ? SHOW_REPEATS : 1;
    }
    show_add(s, "%s", open ? "\"" : "");
    if (!n)
        show_add(s, "%c\"\"", prefix);
    if (more || i < n)
        show_add(s, "...");
}

void show_wide_chars(struct show *s, char prefix, const uint8_t *byte, size_t n, size_t size)
{
    size_t most = EZ_MIN(n, (size_t)s->most), whole = n;
    while (whole &&
           /* zeros at the end of the array do not count for the limit of characters */
           !show_wide_at(byte, whole - 1, size))
        whole--;
    bool cut = whole > most;
    size_t all = n - (n && !show_wide_at(byte, n - 1, size));
    n = cut ? most : n;
    while (cut && n < whole && show_wide_at(byte, n, size) == show_wide_at(byte, n - 1, size))
        n++; /* do not end within a run of equal characters */
    cut &= n < all;
    if (!cut && n && !show_wide_at(byte, n - 1, size))
        n--; /* the terminating NUL */
    show_wide_string(s, prefix, byte, n, size, cut);
}
