/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text.c - places in a text, and messages about them (text.h). */
#include "modules/text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "engine/base/strutil.h"

#define TEXT_WIDE 100 /* maximum number of bytes of a source line that a message shows */

void ez_src_init(struct ez_src *t, const char *name, const char *text, size_t n)
{
    *t = (struct ez_src){ 0 };
    if (n >= 3 && !memcmp(text, "\xef\xbb\xbf", 3)) {
        text += 3;
        n -= 3;
    }
    t->name = ez_strdup(name);
    t->text = ez_alloc(n + 1);
    if (n)
        memcpy(t->text, text, n);
    t->n = strlen(t->text);
    if (t->n < n)
        ez_src_error(t, t->n, "a zero byte: the file is no text");
}

ez_err *ez_src_load(struct ez_src *t, const char *path)
{
    struct stat st;
    size_t n;
    if (stat(path, &st))
        return ez_err_new(EZ_E_NOTFOUND, errno, "%s", path);
    if (!S_ISREG(st.st_mode))
        return ez_err_new(EZ_E_ARG, 0, "%s is not a regular file", path);
    if (st.st_size > EZ_SRC_MOST)
        return ez_err_new(EZ_E_LIMIT, 0, "%s is larger than 1 MiB", path);
    EZ_FREE char *text = ez_str_load(path, EZ_SRC_MOST, &n);
    if (!text)
        return ez_err_new(EZ_E_SYS, errno, "%s", path);
    ez_src_init(t, path, text, n);
    return NULL;
}

void ez_src_deinit(struct ez_src *t)
{
    for (size_t i = 0; i < t->notes.n; i++)
        free(t->notes.at[i].text);
    EZ_VEC_FREE(&t->notes);
    free(t->name);
    free(t->text);
    *t = (struct ez_src){ 0 };
}

/* ---- messages ------------------------------------------------------------------------- */

static void text_note(struct ez_src *t, size_t at, bool warning, const char *fmt, va_list ap)
{
    char *text;
    unsigned *count = warning ? &t->warnings : &t->errors;
    if (++*count > EZ_SRC_ERRORS)
        return;
    if (vasprintf(&text, fmt, ap) < 0)
        ez_out_of_memory();
    for (size_t i = 0; i < t->notes.n; i++)
        if (t->notes.at[i].at == at && !strcmp(t->notes.at[i].text, text)) {
            --*count;
            free(text);
            return;
        }
    EZ_PUSH(&t->notes, ((struct ez_src_note){ EZ_MIN(at, t->n), warning, text }));
}

void ez_src_error(struct ez_src *t, size_t at, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    text_note(t, at, false, fmt, ap);
    va_end(ap);
}

void ez_src_warn(struct ez_src *t, size_t at, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    text_note(t, at, true, fmt, ap);
    va_end(ap);
}

/* Returns the line of the place, shortened if it is long, and below it a caret. ez_str_ours()
 * escapes bytes that are not printable, so the caret's position counts the escaped text. */
static char *text_show(const struct ez_src *t, size_t at)
{
    size_t start = at, end = ez_src_line_end(t, at);
    while (start && t->text[start - 1] != '\n')
        start--;
    if (end > start && t->text[end - 1] == '\r')
        end--;
    at = EZ_MIN(at, end);
    size_t first = at - start > TEXT_WIDE * 3 / 4 ? at - TEXT_WIDE * 3 / 4 : start;
    size_t last = EZ_MIN(end, first + TEXT_WIDE);
    EZ_FREE char *before = ez_piece_copy(t, (struct ez_piece){ first, at - first });
    EZ_FREE char *behind = ez_piece_copy(t, (struct ez_piece){ at, last - at });
    EZ_FREE char *left = ez_str_ours(before), *right = ez_str_ours(behind);
    EZ_FREE char *blank = ez_alloc(strlen(left) + 1);
    char *o = blank;
    for (const char *p = left; *p; p++)
        if (*p == '\t' || ((unsigned char)*p & 0xc0) != 0x80)
            *o++ = *p == '\t' ? '\t' : ' ';
    return ez_sprintf("    %s%s\n    %s^\n", left, right, blank);
}

static int text_by_place(const void *a, const void *b)
{
    const struct ez_src_note *x = a, *y = b;
    return x->at < y->at ? -1 : x->at > y->at;
}

/* Returns `said` with `more` appended; frees both. */
static char *text_join(char *said, char *more)
{
    char *all = ez_sprintf("%s%s", said, more);
    free(said);
    free(more);
    return all;
}

char *ez_src_said(const struct ez_src *t)
{
    char *said = ez_strdup("");
    EZ_FREE char *name = ez_str_escape(t->name);
    ez_sort(t->notes.at, t->notes.n, sizeof *t->notes.at, text_by_place);
    for (size_t i = 0; i < t->notes.n; i++) {
        const struct ez_src_note *note = &t->notes.at[i];
        unsigned line, col;
        ez_src_place(t, note->at, &line, &col);
        EZ_FREE char *text = ez_str_ours(note->text);
        said = text_join(said, ez_sprintf("%s:%u:%u: %s%s\n", name, line, col,
                                          note->warning ? "warning: " : "", text));
        said = text_join(said, text_show(t, note->at));
    }
    if (t->errors > EZ_SRC_ERRORS)
        said = text_join(said, ez_sprintf("%s: %u more errors\n", name, t->errors - EZ_SRC_ERRORS));
    return said;
}

/* ---- places ----------------------------------------------------------------------------- */

void ez_src_place(const struct ez_src *t, size_t at, unsigned *line, unsigned *col)
{
    size_t start = 0;
    *line = 1;
    for (size_t i = 0; i < at && i < t->n; i++)
        if (t->text[i] == '\n') {
            ++*line;
            start = i + 1;
        }
    *col = (unsigned)(at - start) + 1;
}

unsigned ez_src_line(const struct ez_src *t, size_t at)
{
    unsigned line, col;
    ez_src_place(t, at, &line, &col);
    return line;
}

size_t ez_src_line_end(const struct ez_src *t, size_t at)
{
    const char *feed = at < t->n ? memchr(t->text + at, '\n', t->n - at) : NULL;
    return feed ? (size_t)(feed - t->text) : t->n;
}

char *ez_piece_copy(const struct ez_src *t, struct ez_piece p)
{
    char *copy = ez_alloc(p.n + 1);
    memcpy(copy, t->text + p.at, p.n);
    return copy;
}

bool ez_piece_is(const struct ez_src *t, struct ez_piece p, const char *word)
{
    return p.n == strlen(word) && !memcmp(t->text + p.at, word, p.n);
}
