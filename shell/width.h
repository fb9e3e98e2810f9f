/* SPDX-License-Identifier: GPL-3.0-or-later */
/* width.h - how much of a terminal's line text takes: columns, not bytes or characters. Text is
 * escaped (out.h), so all of it is printable.
 * Tests: tests/unit/shell/check_out.c */
#ifndef EZ_WIDTH_H
#define EZ_WIDTH_H

#include "engine/base/base.h"

size_t width_of(const char *text); /* columns */
/* How many bytes the longest beginning of at most so many columns has. */
size_t width_head(const char *text, size_t columns);
/* Shortens text to at most so many columns (3 at least), with "..." in place of the middle. The
 * caller frees. */
char *width_shorten(const char *text, size_t columns);

#endif
