/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text.c - see text.h. */
#include "engine/text.h"

#include <stdio.h>
#include <string.h>

size_t ez_utf8_decode(const unsigned char *p, uint32_t *cp)
{
    static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
    size_t n = *p < 0x80 ? 1 : *p >> 5 == 6 ? 2 : *p >> 4 == 14 ? 3 : *p >> 3 == 30 ? 4 : 0;
    if (n <= 1) {
        *cp = *p;
        return n;
    }
    *cp = *p & (0xffu >> (n + 1));
    for (size_t i = 1; i < n; i++) {
        if ((p[i] & 0xc0) != 0x80)
            return 0;
        *cp = *cp << 6 | (p[i] & 0x3f);
    }
    bool surrogate = *cp >= 0xd800 && *cp < 0xe000;
    return *cp >= least[n] && *cp < 0x110000 && !surrogate ? n : 0;
}

static int unit(char *to, uint32_t u)
{
    return sprintf(to, "\\u%04x", u);
}

char *ez_json_quote(const char *text)
{
    char *out = ez_alloc(6 * strlen(text) + 3), *o = out;
    *o++ = '"';
    for (const unsigned char *p = (const unsigned char *)text; *p;) {
        uint32_t c;
        size_t n = ez_utf8_decode(p, &c);
        if (!n)
            o += unit(o, 0xfffd);
        else if (c == '"' || c == '\\')
            *o++ = '\\', *o++ = (char)c;
        else if (c >= ' ' && c < 0x7f)
            *o++ = (char)c;
        else if (c < 0x10000)
            o += unit(o, c);
        else
            o += unit(o, 0xd7c0 + (c >> 10)), o += unit(o, 0xdc00 | (c & 0x3ff));
        p += n ? n : 1;
    }
    *o++ = '"';
    return out;
}

/* Would it move, hide or reorder what stands around it on a terminal? */
static bool unprintable(uint32_t cp)
{
    return cp < 0x20 || (cp >= 0x7f && cp < 0xa0) || (cp >= 0x200b && cp < 0x2010) ||
           (cp >= 0x2028 && cp < 0x202f) || (cp >= 0x2060 && cp < 0x2070) || cp == 0x61c ||
           cp == 0xfeff;
}

char *ez_text_plain(const char *text, const char *forbidden, char instead)
{
    char *out = ez_alloc(4 * strlen(text) + 1), *o = out;
    for (const unsigned char *p = (const unsigned char *)text; *p;) {
        uint32_t cp;
        size_t n = ez_utf8_decode(p, &cp);
        bool bad = !n || unprintable(cp);
        for (n = n ? n : 1; n; n--, p++) {
            if (bad)
                o += sprintf(o, "\\%03o", *p);
            else
                *o++ = *p < 0x80 && strchr(forbidden, *p) ? instead : (char)*p;
        }
    }
    return out;
}
