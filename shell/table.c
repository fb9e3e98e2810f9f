/* SPDX-License-Identifier: GPL-3.0-or-later */
/* table.c - prints tables. A column is as wide as its widest cell. Where lines would be longer
 * than the terminal's, names are shortened, numbers never.
 * Tests: tests/unit/shell/check_out.c, check_repl.c */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "shell/out.h"
#include "shell/width.h"

#define NAME_LEAST 12 /* columns that shortening leaves of a name */
#define GAP 2         /* between two columns                      */

static void table_push(struct out_table *t, const char *text)
{
    if (t->n == t->cap) {
        t->cap = t->cap ? 2 * t->cap : 64;
        t->cell = ez_realloc(t->cell, t->cap * sizeof *t->cell);
    }
    t->cell[t->n++] = out_escape(text);
}

void out_table_init(struct out_table *t, struct ez_sess *s, ...)
{
    va_list ap;
    const char *head;
    memset(t, 0, sizeof *t);
    t->sess = s;
    va_start(ap, s);
    while ((head = va_arg(ap, const char *))) {
        if (*head == '>')
            t->right |= 1u << t->columns;
        if (*head == '~')
            t->names |= 1u << t->columns;
        table_push(t, head + (*head == '>' || *head == '~'));
        t->columns++;
    }
    va_end(ap);
}

void out_row(struct out_table *t, ...)
{
    va_list ap;
    const char *text;
    va_start(ap, t);
    while ((text = va_arg(ap, const char *)))
        table_push(t, text);
    va_end(ap);
}

static void table_print_row(struct out_table *t, char **cell, const size_t *width, bool head)
{
    EZ_FREE char *line = NULL;
    size_t size;
    FILE *f = open_memstream(&line, &size);
    size_t shown = t->columns;
    while (shown && !width[shown - 1])
        shown--;
    for (size_t c = 0; c < shown; c++) {
        if (!width[c])
            continue;
        EZ_FREE char *text = width_shorten(cell[c], width[c]);
        int pad = (int)(width[c] - width_of(text));
        bool right = t->right >> c & 1, last = c + 1 == shown;
        fprintf(f, "%*s%s%*s%s", right ? pad : 0, "", text, right || last ? 0 : pad, "",
                last ? "" : "  ");
    }
    fclose(f);
    /* the cells were escaped when they came in */
    (head ? out_head : out_safe)(t->sess, line);
}

static size_t table_line_of(const struct out_table *t, const size_t *width)
{
    size_t all = 0;
    for (size_t c = 0; c < t->columns; c++)
        all += width[c] ? width[c] + GAP : 0;
    return all ? all - GAP : 0;
}

/* Shorten the widest name by a column, again and again, until the line fits or no name can be
 * shortened. */
static void table_shorten_names(const struct out_table *t, size_t *width, size_t most)
{
    for (size_t line = table_line_of(t, width); line > most; line--) {
        size_t widest = t->columns, least = 0;
        for (size_t c = 0; c < t->columns; c++)
            if (t->names >> c & 1 && width[c] > EZ_MAX((size_t)NAME_LEAST, least)) {
                widest = c;
                least = width[c];
            }
        if (widest == t->columns)
            return;
        width[widest]--;
    }
}

static void table_fit(const struct out_table *t, size_t *width)
{
    size_t most = t->most;
    if (!most && !t->wide && isatty(STDOUT_FILENO))
        most = out_columns(t->sess);
    if (!most)
        return;
    table_shorten_names(t, width, most);
    for (size_t c = t->columns; t->most && c-- > 1 && table_line_of(t, width) > most;)
        width[c] = 0; /* a line must not wrap: drop the column, rather than cut a number */
}

void out_table_print(struct out_table *t)
{
    EZ_FREE size_t *width = ez_alloc((t->columns + 1) * sizeof *width);
    for (size_t i = 0; i < t->n; i++)
        width[i % t->columns] = EZ_MAX(width[i % t->columns], width_of(t->cell[i]));
    table_fit(t, width);
    size_t heads = 0;
    for (size_t i = 0; i < t->columns; i++)
        heads += *t->cell[i] != 0;
    for (size_t i = heads ? 0 : t->columns; i + t->columns <= t->n; i += t->columns)
        table_print_row(t, t->cell + i, width, !i);
    out_table_drop(t);
}

void out_table_drop(struct out_table *t)
{
    for (size_t i = 0; i < t->n; i++)
        free(t->cell[i]);
    free(t->cell);
    memset(t, 0, sizeof *t);
}
