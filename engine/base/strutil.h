/* SPDX-License-Identifier: GPL-3.0-or-later */
/* strutil.h - functions for text from outside: symbols, paths, thread names.
 * Tests: tests/unit/shell/check_out.c, tests/unit/engine/check_formats.c */
#ifndef EZ_STRUTIL_H
#define EZ_STRUTIL_H

#include <regex.h>

#include "engine/base/base.h"
#include "engine/base/err.h"

const char *ez_base_name(const char *path); /* behind the last slash */
/* Bytes of the character at p, 0 = not UTF-8. Overlong forms and surrogates count as not
 * UTF-8. */
size_t ez_utf8_decode(const unsigned char *p, uint32_t *cp);
/* As a JSON string in ASCII, with its quotes; bytes that are no UTF-8 become \ufffd, and
 * '<' is escaped so that the text may stand inside a page. The caller frees. */
char *ez_json_quote(const char *text);
/* The same JSON in ASCII: an escape stands for each other character. NULL if json is not UTF-8, or
 * has such a character behind a backslash. The caller frees the result. */
char *ez_json_ascii(const char *json);
/* One printable line of UTF-8: other bytes become \ooo, as the shell prints them.
 * ez_str_plain: each character of `forbidden` becomes `instead`. The caller frees the text. */
char *ez_str_escape(const char *text); /* for the terminal: tabs stay, and \\ is a backslash */
/* the same for text in which backslashes are the shell's own */
char *ez_str_ours(const char *text);
/* The byte that a C escape means, with p behind the backslash, not at the text's end; *next = behind the
 * escape. One that C does not know means its own character. */
unsigned char ez_str_unescape(const char *p, const char **next);
/* Compiles an extended regular expression, for matches without places; `flags` are added. The
 * caller calls regfree(). EZ_E_ARG. */
ez_err *ez_str_regcomp(regex_t *re, const char *pattern, int flags) EZ_WUR;
char *ez_str_plain(const char *text, const char *forbidden, char instead);
/* "SIGUSR1", "SIG34": the name of a signal. */
const char *ez_str_signal(int sig, char buf[16]);
/* Adds a line to *lines, which is NULL at first; newlines stand between lines. The caller frees. */
void ez_str_add_line(char **lines, const char *fmt, ...) EZ_PRINTF(2, 3);
/* The number of a source line, or of lines, by its decimal digits. EZ_E_ARG: it is above 2^30, so that sums of two
 * such numbers fit. */
ez_err *ez_str_line(const char *digits, unsigned *out) EZ_WUR;
/* The first `most` bytes of a file (of /proc: its size is not known), with a zero behind them.
 * NULL and errno: the file cannot be opened. A read error ends the text. The caller frees it. */
char *ez_str_load(const char *path, size_t most, size_t *n);

#endif
