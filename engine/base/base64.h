/* SPDX-License-Identifier: GPL-3.0-or-later */
/* base64.h - converts bytes to text and back (base64, RFC 4648).
 * Tests: tests/unit/jobs/check_reply.c */
#ifndef EZ_BASE64_H
#define EZ_BASE64_H

#include "engine/base/base.h"

/* Returns the text for n bytes, padded with '=' to a multiple of 4 characters. The caller frees the
 * text. */
char *ez_base64(const void *data, size_t n);
/* Decodes a text that ends with NUL. Writes up to strlen(text) / 4 * 3 bytes to data, without an
 * ending NUL, and sets *n to the number of bytes. Returns false if the text is damaged. */
bool ez_base64_decode(const char *text, unsigned char *data, size_t *n);

#endif
