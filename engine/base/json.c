/* SPDX-License-Identifier: GPL-3.0-or-later */
/* json.c - writes JSON (json.h). */
#include "engine/base/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine/base/strutil.h"

/* ---- text ------------------------------------------------------------------------------------ */

static int json_unit(char *to, uint32_t u)
{
    return sprintf(to, "\\u%04x", u);
}

/* Writes the character c as one or two escapes (\uXXXX). Returns the number of bytes written. */
static int json_units(char *to, uint32_t c)
{
    if (c < 0x10000)
        return json_unit(to, c);
    int n = json_unit(to, 0xd7c0 + (c >> 10));
    return n + json_unit(to + n, 0xdc00 | (c & 0x3ff));
}

char *ez_json_ascii(const char *json)
{
    char *out = ez_alloc(6 * strlen(json) + 1), *o = out;
    uint32_t c;
    bool escaped = false; /* the previous character is a backslash that is not escaped itself */
    for (size_t n; *json; json += n) {
        n = ez_utf8_decode((const unsigned char *)json, &c);
        if (!n || (escaped && c >= 0x80)) {
            free(out);
            return NULL;
        }
        escaped = c == '\\' && !escaped;
        if (c < 0x80)
            *o++ = (char)c;
        else
            o += json_units(o, c);
    }
    return out;
}

/* Writes the text in quotes to o. Returns the address after the last byte written. */
static char *json_quote(char *o, const char *text)
{
    *o++ = '"';
    for (const unsigned char *p = (const unsigned char *)text; *p;) {
        uint32_t c = *p;
        size_t n = c < 0x80 ? 1 : ez_utf8_decode(p, &c);
        p += n ? n : 1;
        if (!n) {
            o += json_unit(o, 0xfffd);
        } else if (c < ' ' || c >= 0x7f || c == '<') {
            o += json_units(o, c);
        } else {
            if (c == '"' || c == '\\')
                *o++ = '\\';
            *o++ = (char)c;
        }
    }
    *o++ = '"';
    return o;
}

static size_t json_quoted_most(const char *text)
{
    return 6 * strlen(text) + 2;
}

/* ---- commas, line breaks and keys ------------------------------------------------------------ */

void ez_json_next_line(struct ez_json *j, unsigned indent)
{
    j->indent = indent + 1;
}

/* Returns the address at which the caller writes the next bytes of the text, at most n. */
static char *json_room(struct ez_json *j, size_t n)
{
    if (j->n + n >= j->cap) {
        j->cap = 2 * (j->n + n) + 64;
        j->text = ez_realloc(j->text, j->cap);
    }
    return j->text + j->n;
}

static void json_wrote(struct ez_json *j, char *end)
{
    *end = '\0';
    j->n = (size_t)(end - j->text);
}

static char *json_line(struct ez_json *j, char *o)
{
    if (!j->indent)
        return o;
    *o++ = '\n';
    while (--j->indent)
        *o++ = ' ';
    return o;
}

/* Writes the comma, the line break and the key that precede a value. Returns the address at which
 * the caller writes the value, of at most n bytes. */
static char *json_lead(struct ez_json *j, const char *key, size_t n)
{
    char *o = json_room(j, n + j->indent + (key ? json_quoted_most(key) : 0) + 4);
    if (j->more) {
        *o++ = ',';
        if (!j->compact && !j->indent)
            *o++ = ' ';
    }
    j->more = true;
    o = json_line(j, o);
    if (!key)
        return o;
    o = json_quote(o, key);
    *o++ = ':';
    if (!j->compact)
        *o++ = ' ';
    return o;
}

static void json_add(struct ez_json *j, const char *key, const char *json, size_t n)
{
    char *o = json_lead(j, key, n);
    memcpy(o, json, n);
    json_wrote(j, o + n);
}

/* ---- values ---------------------------------------------------------------------------------- */

void ez_json_begin(struct ez_json *j, const char *key, char bracket)
{
    char *o = json_lead(j, key, 1);
    *o++ = bracket;
    json_wrote(j, o);
    j->more = false;
}

void ez_json_end(struct ez_json *j, char bracket)
{
    char *o = json_line(j, json_room(j, j->indent + 1));
    *o++ = bracket;
    json_wrote(j, o);
    j->more = true;
}

void ez_json_add_key(struct ez_json *j, const char *key)
{
    json_add(j, key, "", 0);
    j->more = false;
}

void ez_json_add_raw(struct ez_json *j, const char *key, const char *json)
{
    json_add(j, key, json, strlen(json));
}

void ez_json_add_text(struct ez_json *j, const char *key, const char *text)
{
    if (!text) {
        ez_json_add_raw(j, key, "null");
        return;
    }
    char *o = json_lead(j, key, json_quoted_most(text));
    json_wrote(j, json_quote(o, text));
}

void ez_json_add_int(struct ez_json *j, const char *key, int64_t n)
{
    char digits[24];
    snprintf(digits, sizeof digits, "%" PRId64, n);
    ez_json_add_raw(j, key, digits);
}

void ez_json_add_uint(struct ez_json *j, const char *key, uint64_t n)
{
    char digits[24], *end = digits + sizeof digits, *p = ez_str_digits(end, n);
    json_add(j, key, p, (size_t)(end - p));
}

void ez_json_add_hex(struct ez_json *j, const char *key, uint64_t n)
{
    char digits[24];
    snprintf(digits, sizeof digits, "0x%" PRIx64, n);
    ez_json_add_text(j, key, digits);
}

void ez_json_add_us(struct ez_json *j, const char *key, uint64_t ns)
{
    char digits[32], *end = digits + sizeof digits, *p = ez_str_digits(end, ns);
    while (p > end - 4)
        *--p = '0';
    memmove(p - 1, p, (size_t)(end - 3 - p));
    p--;
    end[-4] = '.';
    json_add(j, key, p, (size_t)(end - p));
}

void ez_json_add_real(struct ez_json *j, const char *key, double n)
{
    char digits[32];
    if (n >= 0 && n < 1e15 && n == (double)(uint64_t)n) { /* faster than snprintf() */
        ez_json_add_uint(j, key, (uint64_t)n);
        return;
    }
    snprintf(digits, sizeof digits, "%.17g", n);
    ez_json_add_raw(j, key, isfinite(n) ? digits : "null");
}

void ez_json_add_bool(struct ez_json *j, const char *key, bool is)
{
    ez_json_add_raw(j, key, is ? "true" : "false");
}

void ez_json_add_part(struct ez_json *j, const struct ez_json *from)
{
    if (!from->n)
        return;
    json_add(j, NULL, from->text, from->n);
    j->more = from->more;
}

void ez_json_used(struct ez_json *j)
{
    j->n = 0;
}

void ez_json_free(struct ez_json *j)
{
    free(j->text);
    *j = (struct ez_json){ .text = NULL };
}
