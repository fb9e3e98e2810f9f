/* SPDX-License-Identifier: GPL-3.0-or-later */
/* width.c - measures and shortens text (width.h). wcwidth() of libc gives the columns of a
 * character. It is called in a UTF-8 locale, because names are UTF-8 whatever the user's locale
 * is. */
#include "shell/width.h"

#include <locale.h>
#include <string.h>
#include <wchar.h>

#include "engine/base/strutil.h"

static size_t width_columns_of(uint32_t c)
{
    static locale_t utf8;
    if (c < 0x80)
        return 1;
    if (!utf8)
        utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", NULL);
    if (!utf8)
        return 1;
    locale_t was = uselocale(utf8);
    int n = wcwidth((wchar_t)c);
    uselocale(was);
    return n < 0 ? 1 : (size_t)n;
}

/* Returns the bytes of the first character of `text`; *columns is its width. */
static size_t width_next(const char *text, size_t *columns)
{
    uint32_t c;
    size_t n = ez_utf8_decode((const unsigned char *)text, &c);
    *columns = n ? width_columns_of(c) : 1;
    return n ? n : 1;
}

size_t width_of(const char *text)
{
    size_t all = 0, w;
    for (; *text; all += w)
        text += width_next(text, &w);
    return all;
}

size_t width_head(const char *text, size_t columns)
{
    size_t at = 0, w;
    while (text[at]) {
        size_t n = width_next(text + at, &w);
        if (w > columns)
            break;
        columns -= w;
        at += n;
    }
    return at;
}

/* Returns the length, in bytes, of the longest tail of `text` that fits into `columns`. */
static size_t width_tail(const char *text, size_t columns)
{
    size_t all = width_of(text), w;
    const char *at = text;
    while (*at && all > columns) {
        at += width_next(at, &w);
        all -= w;
    }
    for (size_t n; *at && (n = width_next(at, &w)) && !w;) /* skips combining accents whose letter
                                                            * is not in the tail */
        at += n;
    return strlen(at);
}

char *width_shorten(const char *text, size_t columns)
{
    if (width_of(text) <= columns)
        return ez_strdup(text);
    size_t left = columns > 3 ? columns - 3 : 0;
    size_t head = width_head(text, left - left / 2), tail = width_tail(text, left / 2);
    return ez_sprintf("%.*s...%s", (int)head, text, text + strlen(text) - tail);
}

char *width_shorten_at(const char *text, size_t columns, size_t at)
{
    enum { DOTS = 6, LEAST = 9 };
    size_t left = columns > DOTS ? columns - DOTS : 0, third = left / 3, n = strlen(text);
    size_t head = width_head(text, third), tail = width_tail(text, third);
    while (at && ((unsigned char)text[at] & 0xc0) == 0x80) /* moves to the start of the character */
        at--;
    if (left < LEAST || width_of(text) <= columns || at < head || at >= n - tail)
        return width_shorten(text, columns);
    size_t part = width_head(text + at, left - 2 * third);
    return ez_sprintf("%.*s...%.*s...%s", (int)head, text, (int)EZ_MIN(part, n - tail - at),
                      text + at, text + n - tail);
}
