/* SPDX-License-Identifier: GPL-3.0-or-later */
/* json.c - see json.h. */
#include "engine/base/json.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "engine/base/strutil.h"

static void json_put(struct ez_json *j, const char *text)
{
    size_t n = strlen(text);
    if (j->n + n >= j->cap) {
        j->cap = 2 * (j->n + n) + 64;
        j->text = ez_realloc(j->text, j->cap);
    }
    memcpy(j->text + j->n, text, n + 1);
    j->n += n;
}

static void json_put_line(struct ez_json *j)
{
    if (!j->indent)
        return;
    json_put(j, "\n");
    while (--j->indent)
        json_put(j, " ");
}

static void json_put_key(struct ez_json *j, const char *key)
{
    if (j->more)
        json_put(j, j->indent ? "," : ", ");
    json_put_line(j);
    j->more = true;
    if (!key)
        return;
    json_put(j, "\"");
    json_put(j, key);
    json_put(j, "\": ");
}

void ez_json_begin(struct ez_json *j, const char *key, char bracket)
{
    json_put_key(j, key);
    json_put(j, (char[]){ bracket, '\0' });
    j->more = false;
}

void ez_json_end(struct ez_json *j, char bracket)
{
    json_put_line(j);
    json_put(j, (char[]){ bracket, '\0' });
    j->more = true;
}

void ez_json_add_raw(struct ez_json *j, const char *key, const char *json)
{
    json_put_key(j, key);
    json_put(j, json);
}

void ez_json_add_text(struct ez_json *j, const char *key, const char *text)
{
    EZ_FREE char *quoted = text ? ez_json_quote(text) : NULL;
    ez_json_add_raw(j, key, quoted ? quoted : "null");
}

void ez_json_add_int(struct ez_json *j, const char *key, int64_t n)
{
    char digits[24];
    snprintf(digits, sizeof digits, "%" PRId64, n);
    ez_json_add_raw(j, key, digits);
}

void ez_json_add_uint(struct ez_json *j, const char *key, uint64_t n)
{
    char digits[24];
    snprintf(digits, sizeof digits, "%" PRIu64, n);
    ez_json_add_raw(j, key, digits);
}

void ez_json_add_real(struct ez_json *j, const char *key, double n)
{
    char digits[32];
    snprintf(digits, sizeof digits, "%.17g", n);
    ez_json_add_raw(j, key, digits);
}

void ez_json_next_line(struct ez_json *j, unsigned indent)
{
    j->indent = indent + 1;
}

void ez_json_add_bool(struct ez_json *j, const char *key, bool is)
{
    ez_json_add_raw(j, key, is ? "true" : "false");
}

void ez_json_free(struct ez_json *j)
{
    free(j->text);
    *j = (struct ez_json){ .text = NULL };
}
