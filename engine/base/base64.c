/* SPDX-License-Identifier: GPL-3.0-or-later */
/* base64.c - converts bytes to text and back (base64.h). */
#include "engine/base/base64.h"

#include <string.h>

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

char *ez_base64(const void *data, size_t n)
{
    const unsigned char *raw = data;
    char *text = ez_alloc((n + 2) / 3 * 4 + 1), *p = text;
    for (size_t i = 0; i < n; i += 3) {
        uint32_t v = (uint32_t)raw[i] << 16;
        v |= i + 1 < n ? (uint32_t)raw[i + 1] << 8 : 0;
        v |= i + 2 < n ? raw[i + 2] : 0;
        for (int k = 18; k >= 0; k -= 6)
            *p++ = i + (size_t)(18 - k) / 6 <= n ? letters[v >> k & 63] : '=';
    }
    return text;
}

bool ez_base64_decode(const char *text, unsigned char *data, size_t *n)
{
    size_t len = strlen(text), out = 0;
    uint32_t v = 0;
    if (len % 4)
        return false;
    for (size_t i = 0; i < len; i++) {
        const char *at = text[i] == '=' && i + 2 >= len ? letters : strchr(letters, text[i]);
        if (!at || !*at)
            return false;
        v = v << 6 | (uint32_t)(at - letters);
        if (i % 4 != 3)
            continue;
        data[out++] = (unsigned char)(v >> 16);
        data[out++] = (unsigned char)(v >> 8);
        data[out++] = (unsigned char)v;
    }
    *n = out - (len && text[len - 1] == '=' ? 1 + (text[len - 2] == '=') : 0);
    return true;
}
