/* SPDX-License-Identifier: GPL-3.0-or-later */
/* chunk.c - encodes a part of a file as text for a JSON line (chunk.h). */
#include "engine/jobs/chunk.h"

#include <string.h>
#include <zlib.h>

static const char chunk_letters[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

char *ez_chunk_encode(const void *data, size_t n)
{
    uLongf packed = compressBound(n);
    EZ_FREE unsigned char *raw = ez_alloc(packed + 3);
    if (compress2(raw, &packed, data, n, 1) != Z_OK)
        packed = 0;
    char *text = ez_alloc((packed + 2) / 3 * 4 + 1), *p = text;
    for (size_t i = 0; i < packed; i += 3) {
        uint32_t v = (uint32_t)raw[i] << 16 | (uint32_t)raw[i + 1] << 8 |
                     raw[i + 2]; /* `raw` has three more bytes, which are 0 */
        for (int k = 18; k >= 0; k -= 6)
            *p++ = i + (size_t)(18 - k) / 6 <= packed ? chunk_letters[v >> k & 63] : '=';
    }
    return text;
}

bool ez_chunk_decode(const char *text, void *data, size_t size, size_t *n)
{
    size_t len = strlen(text), raw_n = 0;
    EZ_FREE unsigned char *raw = ez_alloc(len / 4 * 3 + 3);
    uint32_t v = 0;
    if (len % 4)
        return false;
    for (size_t i = 0; i < len; i++) {
        const char *at =
            text[i] == '=' && i + 2 >= len ? chunk_letters : strchr(chunk_letters, text[i]);
        if (!at || !*at)
            return false;
        v = v << 6 | (uint32_t)(at - chunk_letters);
        if (i % 4 != 3)
            continue;
        raw[raw_n++] = (unsigned char)(v >> 16);
        raw[raw_n++] = (unsigned char)(v >> 8);
        raw[raw_n++] = (unsigned char)v;
    }
    raw_n -= len && text[len - 1] == '=' ? 1 + (text[len - 2] == '=') : 0;
    uLongf out = size;
    if (uncompress(data, &out, raw, raw_n) != Z_OK)
        return false;
    *n = out;
    return true;
}
