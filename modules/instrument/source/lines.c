/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lines.c - finds the lines of a text (lines.h). */
#include "modules/instrument/source/lines.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

bool ez_linemark(const char *text, size_t size, struct ez_linemark *m)
{
    size_t i = 2;
    *m = (struct ez_linemark){ 0 };
    if (size < 3 || text[0] != '#' || text[1] != ' ')
        return false;
    for (; i < size && isdigit((unsigned char)text[i]) && m->line < 100000000; i++)
        m->line = 10 * m->line + (unsigned)(text[i] - '0');
    if (i == 2 || (i < size && !isspace((unsigned char)text[i])))
        return false;
    while (i < size && text[i] == ' ')
        i++;
    if (i == size || text[i] != '"')
        return true;
    size_t end = i + 1;
    while (end < size && text[end] != '"' && text[end] != '\n')
        end += 1 + (text[end] == '\\' && end + 1 < size && text[end + 1] != '\n');
    if (end >= size || text[end] != '"')
        return false;
    m->file = text + i;
    m->n = end + 1 - i;
    return true;
}

void ez_lines_read(ez_lines *l, const char *text, size_t size, bool marks)
{
    struct ez_linemark m, first = { 0 };
    struct ez_text_line now = { .number = 1, .own = true };
    l->n = 0;
    for (size_t at = 0; !l->n || at < size;) {
        const char *feed = at < size ? memchr(text + at, '\n', size - at) : NULL;
        now.at = at;
        now.mark = marks && ez_linemark(text + at, size - at, &m);
        if (now.mark) {
            now.number = m.line;
            first = first.n ? first : m;
            now.own = m.n ? m.n == first.n && !memcmp(m.file, first.file, m.n) : now.own;
        }
        EZ_PUSH(l, now);
        now.number += !now.mark;
        at = feed ? (size_t)(feed + 1 - text) : size;
    }
}

static const struct ez_text_line *lines_of(const ez_lines *l, size_t at)
{
    size_t n = EZ_UPTO(l->at, l->n, at, at);
    return &l->at[n ? n - 1 : 0];
}

void ez_lines_place(const ez_lines *l, size_t at, unsigned *line, unsigned *col)
{
    const struct ez_text_line *k = lines_of(l, at);
    *line = k->number;
    *col = (unsigned)(at - k->at) + 1;
}

size_t ez_lines_begin(const ez_lines *l, size_t at)
{
    return lines_of(l, at)->at;
}

size_t ez_lines_find(const ez_lines *l, unsigned number)
{
    size_t first = SIZE_MAX, behind = SIZE_MAX;
    bool there = false;
    for (size_t i = 0; i < l->n; i++) {
        const struct ez_text_line *k = &l->at[i];
        there |= k->own && k->number >= number;
        if (!k->own || k->mark)
            continue;
        if (k->number == number)
            return k->at;
        first = EZ_MIN(first, i);
        behind = k->number < number ? i + 1 : behind;
    }
    size_t found = behind != SIZE_MAX ? behind : first;
    return there && found < l->n ? l->at[found].at : SIZE_MAX;
}
