/* SPDX-License-Identifier: GPL-3.0-or-later */
/* strutil.h - text that came from outside: symbols, paths, thread names.
 * Tests: tests/unit/shell/check_out.c, tests/unit/engine/check_formats.c */
#ifndef EZ_STRUTIL_H
#define EZ_STRUTIL_H

#include <regex.h>

#include "engine/base/base.h"
#include "engine/base/err.h"

const char *ez_base_name(const char *path); /* behind the last slash */
/* Bytes of the character at p, 0 = not UTF-8. Overlong forms and surrogates are not. */
size_t ez_utf8_decode(const unsigned char *p, uint32_t *cp);
/* As a JSON string in ASCII, with its quotes; bytes that are no UTF-8 become \ufffd, and
 * '<' is escaped so that the text may stand inside a page. The caller frees. */
char *ez_json_quote(const char *text);
/* One printable line of UTF-8: what is not that becomes \ooo, as the shell prints it, and
 * each character of `forbidden` becomes `instead`. The caller frees. */
char *ez_str_escape(const char *text); /* for the terminal: tabs stay, and \\ is a backslash */
char *ez_str_ours(const char *text);   /* the same of text in which backslashes are ours */
/* Extended, for matches without places; `flags` besides. regfree() it. EZ_E_ARG. */
ez_err *ez_str_regcomp(regex_t *re, const char *pattern, int flags) EZ_WUR;
char *ez_str_plain(const char *text, const char *forbidden, char instead);
/* The first `most` bytes of a file (of /proc: its size is not known), and a zero behind them;
 * NULL and errno: it cannot be opened. What cannot be read ends it. The caller frees. */
char *ez_str_load(const char *path, size_t most, size_t *n);

#endif
