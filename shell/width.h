/* SPDX-License-Identifier: GPL-3.0-or-later */
/* width.h - the columns that text occupies in a terminal's line, which differ from bytes and
 * characters. Text is escaped (out.h), so all of it is printable.
 * Tests: tests/unit/shell/check_out.c */
#ifndef EZ_WIDTH_H
#define EZ_WIDTH_H

#include "engine/base/base.h"

size_t width_of(const char *text); /* Returns the columns of text. */
/* Returns the length, in bytes, of the longest head of `text` that fits into `columns`. */
size_t width_head(const char *text, size_t columns);
/* Returns a copy of text with at most `columns` columns, or 3 if `columns` is less, with "..." in
 * place of the middle. The caller frees. */
char *width_shorten(const char *text, size_t columns);
/* Returns a copy as width_shorten() does, but also with the text from byte `at` on, if that byte is
 * in the omitted middle: "head...part...tail". */
char *width_shorten_at(const char *text, size_t columns, size_t at);

#endif
