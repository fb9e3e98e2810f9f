/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scan.c - splits a Fortran file into statements (scan.h). */
#include "modules/instrument/source/scan.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

bool ez_fstarts(const char *t, const char *prefix)
{
    return !strncmp(t, prefix, strlen(prefix));
}

size_t ez_fname(const char *t)
{
    size_t n = 0;
    if (isalpha((unsigned char)*t))
        while (isalnum((unsigned char)t[n]) || t[n] == '_')
            n++;
    return n;
}

size_t ez_fclose(const char *t, size_t i)
{
    size_t depth = 0;
    char quote = 0;
    for (; t[i]; i++)
        if (quote)
            quote = t[i] == quote ? 0 : quote;
        else if (t[i] == '\'' || t[i] == '"')
            quote = t[i];
        else if (t[i] == '(' || t[i] == '[')
            depth++;
        else if ((t[i] == ')' || t[i] == ']') && depth && --depth == 0)
            return i;
    return SIZE_MAX;
}

bool ez_fassigns(const char *t)
{
    size_t i = ez_fname(t);
    if (!i)
        return false;
    while (t[i] == '(' || t[i] == '[' || t[i] == '%')
        if (t[i] == '%') {
            size_t n = ez_fname(t + i + 1);
            if (!n)
                return false;
            i += n + 1;
        } else {
            size_t end = ez_fclose(t, i);
            if (end == SIZE_MAX)
                return false;
            i = end + 1;
        }
    return t[i] == '=' && t[i + 1] != '=';
}

/* ---- the two forms -------------------------------------------------------------------------------------- */

struct scan {
    const char *text;
    ez_fstmts *out;
    struct ez_fstmt s;
    EZ_VEC(char) letters;
    char quote;  /* quote of the open literal */
    bool joined; /* free form: the line ended with '&', so the statement continues */
};

static void fscan_flush(struct scan *x)
{
    if (x->letters.n) {
        x->s.n = x->letters.n;
        EZ_PUSH(&x->letters, 0);
        EZ_PUSH(&x->s.raw, 0);
        x->s.t = x->letters.at;
        EZ_PUSH(x->out, x->s);
    } else {
        EZ_VEC_FREE(&x->s.at);
        EZ_VEC_FREE(&x->s.in_raw);
        EZ_VEC_FREE(&x->s.raw);
        EZ_VEC_FREE(&x->letters);
    }
    x->letters.at = NULL;
    x->letters.n = x->letters.cap = 0;
    x->s = (struct ez_fstmt){ 0 };
    x->quote = 0;
}

static void fscan_begin(struct scan *x, size_t at, bool behind)
{
    fscan_flush(x);
    x->s.a = x->s.b = at;
    x->s.behind = behind;
}

/* Adds the byte at `at` to the statement. */
static void fscan_byte(struct scan *x, size_t at)
{
    char c = x->text[at];
    bool inside = x->quote != 0;
    if (inside && c == x->quote)
        x->quote = 0;
    else if (!inside && (c == '\'' || c == '"'))
        x->quote = c;
    if (!inside && c == ';') {
        fscan_begin(x, at + 1, true);
        return;
    }
    EZ_PUSH(&x->s.raw, c);
    if (!inside && isspace((unsigned char)c))
        return;
    if (!x->letters.n && !x->s.label_n)
        x->s.a = at;
    EZ_PUSH(&x->letters, inside && x->quote ? '\1' : (char)tolower((unsigned char)c));
    EZ_PUSH(&x->s.at, at);
    EZ_PUSH(&x->s.in_raw, x->s.raw.n - 1);
    x->s.b = at + 1;
}

static size_t fscan_label(struct scan *x, size_t at, size_t end)
{
    size_t n = 0;
    while (at < end && isspace((unsigned char)x->text[at]))
        at++;
    while (at + n < end && isdigit((unsigned char)x->text[at + n]))
        n++;
    if (n) {
        x->s.label = x->s.a = at;
        x->s.label_n = n;
        x->s.label_value = strtoul(x->text + at, NULL, 10);
    }
    return at + n;
}

static void fscan_free_line(struct scan *x, size_t at, size_t end)
{
    const char *p = x->text;
    while (at < end && isspace((unsigned char)p[at]))
        at++;
    /* A blank line, a comment or a preprocessor line: a statement may continue after such a
     * line. */
    if (at == end || p[at] == '!' || (p[at] == '#' && !x->quote))
        return;
    if (!x->joined) {
        fscan_begin(x, at, false);
        size_t behind = fscan_label(x, at, end);
        at = x->s.label_n && behind < end && !isspace((unsigned char)p[behind]) ? at : behind;
        if (at != behind)
            x->s.label_n = x->s.label_value = 0; /* The digits are no label. */
    } else if (p[at] == '&') {
        at++;
    }
    x->joined = false;
    for (; at < end; at++) {
        size_t rest = at + 1;
        while (rest < end && isspace((unsigned char)p[rest]))
            rest++;
        if (p[at] == '!' && !x->quote)
            return;
        if (p[at] == '&' && (rest == end || (!x->quote && p[rest] == '!'))) {
            x->joined = true;
            return;
        }
        fscan_byte(x, at);
    }
    x->quote = 0;
}

/* Reads a line in fixed form. Columns 1 to 5 are a label, a character in column 6 marks a
 * continuation, columns 7 to 72 are the statement. A tab in the first columns means column 7; a
 * digit after the tab marks a continuation. */
static void fscan_fixed_line(struct scan *x, size_t at, size_t end)
{
    const char *p = x->text;
    size_t blank = at;
    while (blank < end && isspace((unsigned char)p[blank]))
        blank++;
    if (at == end || blank == end || strchr("cC*!dD#", p[at]) ||
        (p[blank] == '!' && blank - at != 5))
        return;
    const char *tab = memchr(p + at, '\t', EZ_MIN(end - at, (size_t)6));
    size_t body = tab ? (size_t)(tab - p) + 1 : EZ_MIN(at + 6, end),
           labels = tab ? body - 1 : EZ_MIN(at + 5, end);
    bool goes_on = tab ? body < end && p[body] >= '1' && p[body] <= '9'
                       : body == at + 6 && !strchr(" 0", p[at + 5]);
    body += tab && goes_on;
    if (!goes_on) {
        fscan_begin(x, at, false);
        (void)fscan_label(x, at, labels);
    }
    for (size_t i = body; i < (tab ? end : EZ_MIN(end, at + 72)); i++) {
        if (p[i] == '!' && !x->quote)
            return;
        fscan_byte(x, i);
    }
}

void ez_fscan(const char *text, size_t size, bool fixed, ez_fstmts *out)
{
    struct scan x = { .text = text, .out = out };
    for (size_t at = 0; at < size;) {
        const char *feed = memchr(text + at, '\n', size - at);
        size_t end = feed ? (size_t)(feed - text) : size, next = end + 1;
        if (end > at && text[end - 1] == '\r')
            end--;
        if (fixed)
            fscan_fixed_line(&x, at, end);
        else
            fscan_free_line(&x, at, end);
        at = next;
    }
    fscan_flush(&x);
}

void ez_fscan_free(ez_fstmts *v)
{
    for (size_t i = 0; i < v->n; i++) {
        free(v->at[i].t);
        EZ_VEC_FREE(&v->at[i].at);
        EZ_VEC_FREE(&v->at[i].in_raw);
        EZ_VEC_FREE(&v->at[i].raw);
    }
    EZ_VEC_FREE(v);
}
