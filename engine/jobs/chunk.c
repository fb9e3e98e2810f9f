/* SPDX-License-Identifier: GPL-3.0-or-later */
/* chunk.c - encodes bytes of a file as text for a line of JSON, and decodes them (chunk.h). */
#include "engine/jobs/chunk.h"

#include <string.h>
#include <zlib.h>

#include "engine/base/base64.h"

char *ez_chunk_encode(const void *data, size_t n)
{
    uLongf packed = compressBound(n);
    EZ_FREE unsigned char *raw = ez_alloc(packed);
    if (compress2(raw, &packed, data, n, 1) != Z_OK)
        packed = 0;
    return ez_base64(raw, packed);
}

bool ez_chunk_decode(const char *text, void *data, size_t size, size_t *n)
{
    size_t raw_n = 0;
    EZ_FREE unsigned char *raw = ez_alloc(strlen(text) / 4 * 3 + 3);
    if (!ez_base64_decode(text, raw, &raw_n))
        return false;
    uLongf out = size;
    if (uncompress(data, &out, raw, raw_n) != Z_OK)
        return false;
    *n = out;
    return true;
}
