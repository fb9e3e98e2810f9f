/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sym_line.c - source lines: the line of an address, and the addresses of a line.
 *
 * FILE:LINE means the function that the line is in, not one that begins behind the line. A
 * line without code of its own (a brace, a comment) stands for the next line with code, if that
 * is in a function that begins no later than the wanted line.
 * Tests: tests/unit/engine/check_sym.c, tests/procs/lines.sh */
#include <string.h>

#include "engine/sym/sym_priv.h"
#include "engine/base/strutil.h"

bool ez_object_line(struct ez_object *o, uint64_t vaddr, const char **file, unsigned *line)
{
    struct line_entry e;
    if (!sym_section(o, vaddr) || !symbfd_lines(o, &vaddr, 1, &e) || !e.line)
        return false;
    *file = e.file;
    *line = e.line;
    return true;
}

/* "src/main.c" matches ".../src/main.c", not ".../othersrc/main.c". */
bool ez_source_is(const char *path, const char *wanted)
{
    size_t n = strlen(path), w = strlen(wanted);
    return n >= w && !strcmp(path + n - w, wanted) &&
           (n == w || wanted[0] == '/' || path[n - w - 1] == '/');
}

struct find {
    struct ez_object *o;
    const char *file;
    unsigned line;
    struct line_rows rows; /* of that file, in code                            */
    EZ_VEC(struct ez_line) found;
};

/* Is a row of the wanted file? Rows may have less of the path than libbfd, which knows the
 * folder of the compiler's run. */
static bool sym_is_of_file(struct find *f, const struct line_entry *row,
                           const struct line_entry *last, bool was)
{
    const char *file;
    unsigned line;
    if (last && last->file == row->file)
        return was;
    return ez_source_is(row->file, f->file) ||
           (row->file[0] != '/' && ez_source_is(f->file, row->file) &&
            ez_object_line(f->o, row->vaddr, &file, &line) && ez_source_is(file, f->file));
}

static bool sym_line_read_rows(struct find *f)
{
    struct line_rows all = { 0 };
    bool was = false, good = symbfd_rows(f->o, ez_base_name(f->file), &all);
    for (size_t i = 0; good && i < all.n; i++) {
        struct line_entry *row = &all.at[i];
        was = sym_is_of_file(f, row, i ? row - 1 : NULL, was);
        if (was && sym_section(f->o, row->vaddr))
            EZ_PUSH(&f->rows, *row);
    }
    EZ_VEC_FREE(&all);
    return good && f->rows.n;
}

static void sym_line_take_first(const struct ez_sym *s, void *arg)
{
    const struct ez_sym **first = arg;
    *first = *first ? *first : s;
}

/* The function at vaddr; for an unlikely half ("f.cold"), the whole function. */
static const struct ez_sym *sym_function_at(const struct find *f, uint64_t vaddr)
{
    const struct ez_sym *whole = NULL, *s = ez_object_find_addr(f->o, vaddr);
    if (!s || s->kind != EZ_SYM_COLD)
        return s;
    EZ_FREE char *name = ez_strdup(s->name);
    *strstr(name, ".cold") = 0;
    ez_object_find_name(f->o, name, sym_line_take_first, &whole);
    return whole ? whole : s;
}

/* The line on which function s begins, 0 = it begins in another file. */
static unsigned sym_begins_on(const struct find *f, const struct ez_sym *s)
{
    unsigned first = 0;
    struct line_entry e;
    if (symbfd_begin(f->o, s, &e) && ez_source_is(e.file, f->file))
        return e.line;
    for (size_t i = 0; i < f->rows.n; i++)
        if (f->rows.at[i].vaddr == s->vaddr && (!first || f->rows.at[i].line < first))
            first = f->rows.at[i].line;
    return first;
}

static unsigned sym_next_with_code(const struct find *f)
{
    unsigned next = 0;
    for (size_t i = 0; i < f->rows.n; i++)
        if (f->rows.at[i].line >= f->line && (!next || f->rows.at[i].line < next))
            next = f->rows.at[i].line;
    return next;
}

/* Keeps the first row of each function; a row that has instructions is better than one
 * without. */
static void sym_line_add(struct find *f, const struct line_entry *row, const struct ez_sym *in)
{
    struct line_entry at = { 0 };
    bool some = row->end > row->vaddr;
    if (some)
        (void)symbfd_lines(f->o, &row->vaddr, 1, &at);
    const char *inlined = at.inlined ? symname_readable(f->o, at.inlined) : NULL;
    struct ez_line l = { row->vaddr, row->end, in, inlined, row->file, row->line };
    for (size_t i = 0; i < f->found.n; i++) {
        struct ez_line *k = &f->found.at[i];
        if (k->in != in)
            continue;
        bool same = !k->inlined == !l.inlined;
        if (k->end == k->vaddr ? some : !same ? !l.inlined : l.vaddr < k->vaddr && some)
            *k = l;
        return;
    }
    EZ_PUSH(&f->found, l);
}

static void sym_line_add_line(struct find *f, unsigned line)
{
    for (size_t i = 0; i < f->rows.n; i++) {
        const struct line_entry *row = &f->rows.at[i];
        const struct ez_sym *in = row->line == line ? sym_function_at(f, row->vaddr) : NULL;
        if (in && in->kind != EZ_SYM_PLT)
            sym_line_add(f, row, in);
    }
}

/* For a line without code: keeps only functions that begin no later than the line. *next = a
 * function that begins later. */
static void sym_drop_later(struct find *f, const struct ez_line **next)
{
    size_t k = 0;
    for (size_t i = 0; i < f->found.n; i++) {
        unsigned first = sym_begins_on(f, f->found.at[i].in);
        if (f->found.at[i].inlined || (first && first <= f->line))
            f->found.at[k++] = f->found.at[i];
        else
            *next = &f->found.at[i];
    }
    f->found.n = k;
}

static ez_err *sym_line_find(struct find *f)
{
    const struct ez_line *next = NULL;
    if (!sym_line_read_rows(f))
        return ez_err_new(EZ_E_NOTFOUND, 0, "No source file named %s.", f->file);
    unsigned line = sym_next_with_code(f);
    if (line)
        sym_line_add_line(f, line);
    if (line != f->line)
        sym_drop_later(f, &next);
    if (f->found.n)
        return NULL;
    ez_err *e =
        ez_err_new(EZ_E_ARG, 0, "No function contains line %u of \"%s\".", f->line, f->file);
    return next ? ez_err_hint(e, "the next one is %s, at line %u", ez_sym_pretty(next->in),
                              sym_begins_on(f, next->in))
                : e;
}

ez_err *ez_object_find_line(struct ez_object *o, const char *file, unsigned line,
                            void (*fn)(const struct ez_line *, void *), void *arg)
{
    struct find f = { .o = o, .file = file, .line = line };
    ez_err *e = sym_line_find(&f);
    for (size_t i = 0; !e && i < f.found.n; i++)
        fn(&f.found.at[i], arg);
    EZ_VEC_FREE(&f.rows);
    EZ_VEC_FREE(&f.found);
    return e;
}

void ez_object_inlined(struct ez_object *o, const char *name,
                       void (*fn)(const struct ez_sym *in, void *), void *arg)
{
    struct find f = { .o = o };
    if (!symbfd_inlined(o, name, &f.rows))
        f.rows.n = 0;
    for (size_t i = 0; i < f.rows.n; i++) {
        const struct ez_sym *in = sym_function_at(&f, f.rows.at[i].vaddr);
        bool told = !in;
        for (size_t k = 0; !told && k < f.found.n; k++)
            told = f.found.at[k].in == in;
        if (told)
            continue;
        EZ_PUSH(&f.found, ((struct ez_line){ .in = in }));
        fn(in, arg);
    }
    EZ_VEC_FREE(&f.rows);
    EZ_VEC_FREE(&f.found);
}
