/* SPDX-License-Identifier: GPL-3.0-or-later */
/* json.h - writes JSON: begins, fills and ends objects and arrays, and adds commas and quotes.
 *
 * In an object each value has a key, which may be any text; in an array the key is NULL. Begin with
 * a struct ez_json in which all bytes are 0. The result is the member `text`. ez_json_free() frees
 * the text.
 *
 * Tests: tests/unit/base/check_text.c, tests/procs/machine.sh */
#ifndef EZ_JSON_H
#define EZ_JSON_H

#include "engine/base/base.h"

struct ez_json {
    char *text;
    size_t n, cap;
    bool compact;    /* omits blanks after commas and colons */
    bool more;       /* a comma is needed before the next value */
    unsigned indent; /* if nonzero, the next value or end begins a line with indent - 1 blanks */
};

void ez_json_begin(struct ez_json *j, const char *key, char bracket); /* '{' or '[' */
void ez_json_end(struct ez_json *j, char bracket);
/* Adds a string in ASCII, or null for NULL. Bytes that are not UTF-8 become \ufffd. '<' is escaped,
 * so that the text can be part of an HTML page. */
void ez_json_add_text(struct ez_json *j, const char *key, const char *text);
void ez_json_add_int(struct ez_json *j, const char *key, int64_t n);
void ez_json_add_uint(struct ez_json *j, const char *key, uint64_t n);
void ez_json_add_hex(struct ez_json *j, const char *key, uint64_t n); /* a string: "0x1f" */
/* adds ns as microseconds: 1234.567 */
void ez_json_add_us(struct ez_json *j, const char *key, uint64_t ns);
void ez_json_add_real(struct ez_json *j, const char *key, double n); /* NaN, infinity: null */
void ez_json_add_bool(struct ez_json *j, const char *key, bool is);
/* Adds `json`, a value in JSON, unchanged. */
void ez_json_add_raw(struct ez_json *j, const char *key, const char *json);
/* Adds a key. The next call adds the key's value, with the key NULL. */
void ez_json_add_key(struct ez_json *j, const char *key);
/* Appends the text of `from` to j. `from` may end in an open object or after a key: the next value
 * added to j then goes into that object, or belongs to that key. */
void ez_json_add_part(struct ez_json *j, const struct ez_json *from);
/* Writes a line break and `indent` blanks before the next value or end of an object or array. */
void ez_json_next_line(struct ez_json *j, unsigned indent);
/* Empties `text`, after the caller has copied it to its output. The same document continues. */
void ez_json_used(struct ez_json *j);
void ez_json_free(struct ez_json *j); /* also prepares *j for the next document */

/* Returns the same JSON in ASCII, with escapes for all other characters. Returns NULL if json is
 * not UTF-8 or has a non-ASCII character after a backslash. The caller frees the result. */
char *ez_json_ascii(const char *json);

#endif
