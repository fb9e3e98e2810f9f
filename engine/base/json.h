/* SPDX-License-Identifier: GPL-3.0-or-later */
/* json.h - writes JSON: begins, fills and ends objects and arrays, and adds commas and quotes.
 *
 * In an object each value has a key; in an array the key is NULL. Begin with a struct of zeros, use
 * `text`, and free it with ez_json_free().
 *
 * Tests: tests/procs/machine.sh */
#ifndef EZ_JSON_H
#define EZ_JSON_H

#include "engine/base/base.h"

struct ez_json {
    char *text;
    size_t n, cap;
    bool more;       /* a value precedes the next one */
    unsigned indent; /* if nonzero, the next value or end begins a line with indent - 1 blanks */
};

void ez_json_begin(struct ez_json *j, const char *key, char bracket);        /* '{' or '[' */
void ez_json_end(struct ez_json *j, char bracket);                           /* '}' or ']' */
void ez_json_add_text(struct ez_json *j, const char *key, const char *text); /* NULL: null */
void ez_json_add_int(struct ez_json *j, const char *key, int64_t n);
void ez_json_add_uint(struct ez_json *j, const char *key, uint64_t n);
void ez_json_add_real(struct ez_json *j, const char *key, double n);
void ez_json_add_bool(struct ez_json *j, const char *key, bool is);
void ez_json_add_raw(struct ez_json *j, const char *key,
                     const char *json); /* adds a value unchanged */
/* Makes the next value or end begin a line, with that many blanks. */
void ez_json_next_line(struct ez_json *j, unsigned indent);
void ez_json_free(struct ez_json *j); /* also prepares *j for the next document */

#endif
