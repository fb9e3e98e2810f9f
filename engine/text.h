/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text.h - text that came from outside: symbols, paths, thread names.
 * Tests: tests/unit/shell/check_out.c, tests/unit/engine/check_stats.c */
#ifndef EZ_TEXT_H
#define EZ_TEXT_H

#include "engine/base.h"

/* Bytes of the character at p, 0 = not UTF-8. Overlong forms and surrogates are not. */
size_t ez_utf8_decode(const unsigned char *p, uint32_t *cp);
/* As a JSON string in ASCII, with its quotes; bytes that are no UTF-8 become \ufffd.
 * The caller frees. */
char *ez_json_quote(const char *text);

#endif
