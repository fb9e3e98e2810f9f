/* SPDX-License-Identifier: GPL-3.0-or-later */
/* chunk.h - encodes bytes of a file as text for a line of JSON: compressed (zlib, RFC 1950), then
 * base64 (RFC 4648).
 * Tests: tests/unit/jobs/check_reply.c */
#ifndef EZ_CHUNK_H
#define EZ_CHUNK_H

#include "engine/base/base.h"

#define EZ_FILE_PART ((size_t)512 << 10) /* maximum bytes of a file in one message */

/* Returns the encoded text of the n bytes at data; the caller frees the text. */
char *ez_chunk_encode(const void *data, size_t n);
/* Decodes a text of ez_chunk_encode() into data, and sets *n to the number of decoded bytes.
 * Returns false if the text is damaged, or if more than `size` bytes would be decoded. */
bool ez_chunk_decode(const char *text, void *data, size_t size, size_t *n);

#endif
