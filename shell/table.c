/* SPDX-License-Identifier: GPL-3.0-or-later */
/* table.c - prints tables (out.h). A column is as wide as its widest cell. If a line would be
 * longer than the terminal's, names are shortened, numbers never. With -json a table is one JSON
 * object.
 * Tests: tests/unit/shell/check_out.c, tests/unit/shell/check_repl.c */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "engine/base/json.h"
#include "engine/base/strutil.h"
#include "shell/out.h"
#include "shell/sess.h"
#include "shell/width.h"
#include "shell/wire.h"

#define NAME_LEAST 12 /* minimum columns of a shortened name */
#define GAP 2         /* blanks between two columns */

void out_cell(struct out_table *t, const char *text)
{
    if (t->n == t->cap) {
        t->cap = t->cap ? 2 * t->cap : 64;
        t->cell = ez_realloc(t->cell, t->cap * sizeof *t->cell);
    }
    t->cell[t->n++] = t->json ? ez_strdup(text) : out_escape(text);
}

void out_table_column(struct out_table *t, const char *head)
{
    if (*head == '>')
        t->right |= 1u << t->columns;
    if (*head == '~')
        t->names |= 1u << t->columns;
    if (*head == '?')
        t->spare |= 1u << t->columns;
    out_cell(t, head + (*head == '>' || *head == '~' || *head == '?'));
    t->columns++;
}

void out_table_init(struct out_table *t, struct ez_sess *s, ...)
{
    va_list ap;
    const char *head;
    memset(t, 0, sizeof *t);
    t->sess = s;
    va_start(ap, s);
    while ((head = va_arg(ap, const char *)))
        out_table_column(t, head);
    va_end(ap);
}

void out_row(struct out_table *t, ...)
{
    va_list ap;
    const char *text;
    va_start(ap, t);
    while ((text = va_arg(ap, const char *)))
        out_cell(t, text);
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
    /* not out_line(): the cells are escaped already */
    (head ? out_head : out_safe)(t->sess, line);
}

/* ---- for programs ---------------------------------------------------------------------------- */

bool out_json_requested(const struct ez_sess *s)
{
    return s->run.json;
}

void out_table_keys(struct out_table *t, const char *schema, const char *keys)
{
    t->json = t->sess->run.json;
    t->schema = schema;
    t->keys = keys;
}

void out_table_json(struct out_table *t, struct ez_sess *s, const char *schema, const char *keys)
{
    out_table_init(t, s, NULL);
    out_table_keys(t, schema, keys);
    for (size_t n; (n = strcspn(keys, " ")); keys += n + (keys[n] == ' '), t->columns++)
        out_cell(t, "");
}

void out_table_json_end(struct out_table *t, const ez_err *e)
{
    if (t->json && !e)
        out_table_print(t);
    else
        out_table_drop(t);
}

/* Returns true for a number of JSON: not nan, 0x10 or "1.". */
static bool table_is_number(const char *text)
{
    const char *p = text + (*text == '-');
    size_t whole = strspn(p, "0123456789");
    if (!whole || (*p == '0' && whole > 1))
        return false;
    p += whole;
    if (*p == '.') {
        size_t part = strspn(p + 1, "0123456789");
        if (!part)
            return false;
        p += 1 + part;
    }
    if (*p == 'e' || *p == 'E') {
        p += 1 + (p[1] == '+' || p[1] == '-');
        size_t power = strspn(p, "0123456789");
        return power && !p[power];
    }
    return !*p;
}

/* Adds a JSON member. key[0..n) is the key with its mark; the text of the cell is the value. */
static void table_add_member(struct ez_json *j, const char *key, size_t n, const char *text)
{
    char mark = key[n - 1];
    EZ_FREE char *name = ez_strndup(key, n - (mark == '#' || mark == '?' || mark == '!'));
    if (mark == '!')
        ez_json_add_raw(j, name, *text ? text : "null");
    else if (mark == '?')
        ez_json_add_bool(j, name, !strcasecmp(text, "yes"));
    else if (mark == '#')
        ez_json_add_raw(j, name, table_is_number(text) ? text : "null");
    else
        ez_json_add_text(j, name, *text ? text : NULL);
}

static void table_add_row(struct ez_json *j, const char *keys, char **cell)
{
    size_t n;
    ez_json_next_line(j, 2);
    ez_json_begin(j, NULL, '{');
    for (const char *key = keys; (n = strcspn(key, " ")); key += n + (key[n] == ' '), cell++)
        if (*key != '.')
            table_add_member(j, key, n, *cell);
    ez_json_end(j, '}');
}

static void table_print_json(struct out_table *t)
{
    struct ez_json j = { .text = NULL };
    EZ_FREE char *schema = ez_sprintf("eztsh-%s-1", t->schema);
    ez_json_begin(&j, NULL, '{');
    ez_json_add_text(&j, "schema", schema);
    ez_json_add_part(&j, &t->facts);
    if (t->columns) {
        ez_json_begin(&j, "rows", '[');
        for (size_t i = t->columns; i + t->columns <= t->n; i += t->columns)
            table_add_row(&j, t->keys, t->cell + i);
        ez_json_next_line(&j, 0);
        ez_json_end(&j, ']');
    }
    ez_json_end(&j, '}');
    out_json(t->sess, &j);
    /* Ends this document, because a command may print several documents. */
    if (t->sess->wire)
        wire_json_ends(t->sess);
}

void out_fact(struct out_table *t, const char *key, const char *value)
{
    if (t->json)
        table_add_member(&t->facts, key, strlen(key), value);
}

const char *out_cell_count(struct ez_sess *s, uint64_t n)
{
    return sess_format(s, "%llu", (unsigned long long)n);
}

const char *out_cell_time(struct ez_sess *s, uint64_t ns)
{
    return s->run.json ? out_cell_count(s, ns) : out_time(s, ns);
}

const char *out_cell_only(struct ez_sess *s, const char *text)
{
    return s->run.json ? text : "";
}

void out_table_end(struct out_table *t, const char *none)
{
    if (t->json || t->n > t->columns) {
        out_table_print(t);
        return;
    }
    out_line(t->sess, "%s", none);
    out_table_drop(t);
}

/* ---- for people ------------------------------------------------------------------------------ */

static size_t table_line_of(const struct out_table *t, const size_t *width)
{
    size_t all = 0;
    for (size_t c = 0; c < t->columns; c++)
        all += width[c] ? width[c] + GAP : 0;
    return all ? all - GAP : 0;
}

/* Shortens the widest name by a column, repeatedly, until the line fits or no name can be
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

/* ---- names that stay distinct --------------------------------------------------------------- */

struct short_name {
    char **cell; /* the table's cell with the whole name */
    char *text;  /* the shortened name; owned */
};

static int table_by_short(const void *a, const void *b)
{
    const struct short_name *x = a, *y = b;
    int c = strcmp(x->text, y->text);
    return c ? c : strcmp(*x->cell, *y->cell);
}

/* Returns the number of names from `from` on that are shortened to the same text. *common is the
 * length of the start that the whole names share; *distinct says whether they differ. */
static size_t table_same(const struct short_name *name, size_t n, size_t from, size_t *common,
                         bool *distinct)
{
    const char *first = *name[from].cell;
    size_t k = from;
    *common = SIZE_MAX;
    *distinct = false;
    for (; k < n && !strcmp(name[k].text, name[from].text); k++) {
        size_t i = 0;
        while (first[i] && first[i] == (*name[k].cell)[i])
            i++;
        if (first[i] == (*name[k].cell)[i])
            continue;
        *distinct = true;
        *common = EZ_MIN(*common, i);
    }
    return k - from;
}

/* Gives new short texts to different names that were shortened to the same text. With `numbered`,
 * the new texts end with a number; without, they show where the names differ. */
static void table_distinguish(struct short_name *name, size_t n, size_t width, bool numbered)
{
    size_t common, same;
    bool distinct;
    qsort(name, n, sizeof *name, table_by_short);
    for (size_t i = 0; i < n; i += same) {
        same = table_same(name, n, i, &common, &distinct);
        unsigned number = 0;
        for (size_t k = i; distinct && k < i + same; k++) {
            number += k == i || strcmp(*name[k].cell, *name[k - 1].cell);
            EZ_FREE char *tag = ez_sprintf("#%u", number);
            EZ_FREE char *head = width_shorten(*name[k].cell, width - EZ_MIN(strlen(tag), width));
            free(name[k].text);
            name[k].text = numbered ? ez_sprintf("%s%s", head, tag)
                                    : width_shorten_at(*name[k].cell, width, common);
        }
    }
}

/* Replaces the names of a column by short ones. */
static void table_shorten_column(struct out_table *t, size_t c, size_t width)
{
    size_t n = t->n / t->columns - 1;
    EZ_FREE struct short_name *name = ez_alloc((n + 1) * sizeof *name);
    for (size_t i = 0; i < n; i++) {
        char **cell = &t->cell[(i + 1) * t->columns + c];
        name[i] = (struct short_name){ cell, width_shorten(*cell, width) };
    }
    table_distinguish(name, n, width, false);
    table_distinguish(name, n, width, true);
    for (size_t i = 0; i < n; i++) {
        free(*name[i].cell);
        *name[i].cell = name[i].text;
    }
}

/* Returns true if the nonempty cells of column c, at least two, are equal, so that the column
 * distinguishes no rows. */
static bool table_is_constant(const struct out_table *t, size_t c)
{
    const char *first = NULL;
    size_t cells = 0;
    for (size_t i = t->columns + c; i < t->n; i += t->columns) {
        if (!*t->cell[i])
            continue;
        if (first && strcmp(first, t->cell[i]))
            return false;
        first = t->cell[i];
        cells++;
    }
    return cells > 1;
}

static void table_fit(const struct out_table *t, size_t *width)
{
    size_t most = t->most;
    if (!most && !t->wide)
        most = out_limit(t->sess);
    if (!most)
        return;
    for (size_t c = 0; c < t->columns && table_line_of(t, width) > most; c++)
        if (t->spare >> c & 1)
            width[c] = 0;
    for (size_t c = 1; t->leaves_out && c < t->columns && table_line_of(t, width) > most; c++)
        if (t->names >> c & 1 && table_is_constant(t, c))
            width[c] = 0;
    table_shorten_names(t, width, most);
    for (size_t c = t->columns;
         (t->most || t->leaves_out) && c-- > 1 && table_line_of(t, width) > most;)
        width[c] = 0; /* omits the column: a line must not wrap, and a cut number would be wrong */
}

/* Prints the heads of the columns that did not fit: width[c] is 0, but wanted[c] is not. */
static void table_print_omitted(struct out_table *t, const size_t *wanted, const size_t *width)
{
    const char *names = "";
    for (size_t c = 0; c < t->columns; c++)
        if (wanted[c] && !width[c])
            names = sess_format(t->sess, "%s%s%s", names, *names ? ", " : "", t->cell[c]);
    if (*names)
        out_line(t->sess, "The terminal has no room for: %s (-wide).", names);
}

void out_table_print(struct out_table *t)
{
    if (t->json) {
        table_print_json(t);
        out_table_drop(t);
        return;
    }
    EZ_FREE size_t *width = ez_alloc((t->columns + 1) * sizeof *width);
    for (size_t i = 0; i < t->n; i++)
        width[i % t->columns] = EZ_MAX(width[i % t->columns], width_of(t->cell[i]));
    EZ_FREE size_t *wanted = ez_alloc((t->columns + 1) * sizeof *wanted);
    memcpy(wanted, width, t->columns * sizeof *width);
    table_fit(t, width);
    for (size_t c = 0; c < t->columns; c++)
        if (t->names >> c & 1 && width[c] && width[c] < wanted[c])
            table_shorten_column(t, c, width[c]);
    size_t heads = 0;
    for (size_t i = 0; i < t->columns; i++)
        heads += *t->cell[i] != 0;
    for (size_t i = heads ? 0 : t->columns; i + t->columns <= t->n; i += t->columns)
        table_print_row(t, t->cell + i, width, !i);
    if (t->leaves_out && !t->most)
        table_print_omitted(t, wanted, width);
    out_table_drop(t);
}

void out_table_drop(struct out_table *t)
{
    for (size_t i = 0; i < t->n; i++)
        free(t->cell[i]);
    free(t->cell);
    ez_json_free(&t->facts);
    memset(t, 0, sizeof *t);
}
