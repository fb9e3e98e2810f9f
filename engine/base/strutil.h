/* SPDX-License-Identifier: GPL-3.0-or-later */
/* strutil.h - functions for text that does not come from eztsh: symbols, paths, thread names.
 *
 * Tests: tests/unit/shell/check_out.c, tests/unit/format/check_formats.c */
#ifndef EZ_STRUTIL_H
#define EZ_STRUTIL_H

#include <regex.h>

#include "engine/base/base.h"
#include "engine/base/err.h"

const char *ez_base_name(const char *path); /* part after the last slash */
/* Returns true if the path ends in the components of `wanted`: "src/main.c" matches
 * ".../src/main.c", not ".../othersrc/main.c". */
bool ez_path_ends_in(const char *path, const char *wanted);
/* Returns true if `lib` names the file of a library: "libm", "libm.so", "libm.so.6" and the full path
 * all name /lib/.../libm.so.6. */
bool ez_path_is_library(const char *path, const char *lib);
/* Returns the number of bytes of the character at p, and sets *cp to its code point. Returns 0 if
 * the bytes are not UTF-8. Overlong forms and surrogates are not UTF-8. */
size_t ez_utf8_decode(const unsigned char *p, uint32_t *cp);
/* Returns the ending of a noun that is counted: "" for 1, else "s". */
const char *ez_plural(uint64_t n);
/* Writes v as decimal digits, the last one at end - 1. Returns the address of the first digit. */
char *ez_str_digits(char *end, uint64_t v);
/* ez_str_escape(), ez_str_ours() and ez_str_plain() return one printable line of UTF-8. Bytes that
 * cannot be printed become \ooo (octal). The caller frees the result. */
char *ez_str_escape(const char *text); /* for the terminal: tabs are kept, a backslash becomes \\ */
/* for the shell's own text: as ez_str_escape(), but a backslash is not doubled */
char *ez_str_ours(const char *text);
/* Tabs become \011. Replaces each character of `forbidden` by `instead`. */
char *ez_str_plain(const char *text, const char *forbidden, char instead);
/* Returns the byte of a C escape. p is after the backslash and not at the end of the text; *next is
 * after the escape. If C does not define the escape, returns the character itself. */
unsigned char ez_str_unescape(const char *p, const char **next);
/* Compiles an extended regular expression with REG_NOSUB and `flags`. The caller calls regfree().
 * Returns EZ_E_ARG if the pattern is wrong. */
ez_err *ez_str_regcomp(regex_t *re, const char *pattern, int flags) EZ_WUR;
/* Returns the name of a signal: "SIGUSR1", "SIG34". */
const char *ez_str_signal(int sig, char buf[16]);
/* Returns a time with its unit: "12 ns", "3.40 us", "1.25 ms", "2.500 s". */
const char *ez_str_time(uint64_t ns, char buf[32]);
/* Adds a line to *lines, which is NULL at first. Newlines separate lines. The caller frees
 * *lines. */
void ez_str_add_line(char **lines, const char *fmt, ...) EZ_PRINTF(2, 3);
/* Reads a source line number, or a number of lines, in decimal digits. Returns EZ_E_ARG if the
 * number is above 2^30, so that the sum of two such numbers fits into an unsigned. */
ez_err *ez_str_line(const char *digits, unsigned *out) EZ_WUR;
/* Returns up to `most` bytes from the beginning of a file, followed by a byte 0, and sets *n to
 * their number. Works for files of /proc, whose size is not known. Returns NULL and sets errno if
 * the file cannot be opened. A read error ends the text. The caller frees the text. */
char *ez_str_load(const char *path, size_t most, size_t *n);

#endif
