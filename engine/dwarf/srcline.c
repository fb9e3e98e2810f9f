/* SPDX-License-Identifier: GPL-3.0-or-later */
/* srcline.c - finds the source line of an address, and the addresses of a source line.
 *
 * FILE:LINE must be in a function. If the line has no code (a brace, a comment), the next line with
 * code is used, but only in a function that begins on the wanted line or before it.
 *
 * Tests: tests/unit/dwarf/check_srcline.c, tests/procs/lines.sh */
#include "engine/dwarf/srcline.h"

#include <string.h>

#include "engine/base/strutil.h"
#include "engine/dwarf/dwarf_query.h"
#include "engine/sym/sym.h"

bool ez_srcline_at(struct ez_object *o, uint64_t vaddr, const char **file, unsigned *line)
{
    const char *why;
    struct ez_dwarf_line l;
    struct ez_dwarf *d = ez_dwarf_of(o, &why);
    if (!d || !ez_dwarf_line(d, vaddr, &l) || !l.own.line || !l.own.name)
        return false;
    *file = l.own.name;
    *line = l.own.line;
    return true;
}

/* Returns the line of `file` on which the function at vaddr is declared, or 0. */
static unsigned srcline_declared(struct ez_dwarf *d, const char *file, uint64_t vaddr)
{
    const uint64_t word[3] = { vaddr };
    struct said a;
    unsigned line = dwarf_request(d, DWARF_BEGIN, file, word, &a) ? (unsigned)dwarf_number(&a) : 0;
    free(a.all);
    return line;
}

/* Several rows may have a function's first address, if the compiler moved instructions. */
bool ez_srcline_function(struct ez_object *o, uint64_t vaddr, const char **file, unsigned *line,
                         unsigned *end)
{
    const char *why;
    struct ez_dwarf_body body;
    struct ez_dwarf *d = ez_dwarf_of(o, &why);
    *end = 0;
    if (!d || !ez_srcline_at(o, vaddr, file, line))
        return false;
    unsigned declared = srcline_declared(d, *file, vaddr);
    *line = declared ? declared : *line;
    if (ez_dwarf_body(d, vaddr, &body) && body.file && body.end_line >= *line &&
        !strcmp(ez_base_name(body.file), ez_base_name(*file)))
        *end = body.end_line;
    return true;
}

struct find {
    struct ez_object *o;
    struct ez_dwarf *d;
    const char *file;
    unsigned line;
    EZ_VEC(struct ez_line) found;
};

static void srcline_keep_first(const struct ez_sym *s, void *arg)
{
    const struct ez_sym **first = arg;
    *first = *first ? *first : s;
}

/* Returns the function at vaddr; for the part "f.cold" that the compiler split off, the function
 * f. */
static const struct ez_sym *srcline_function_at(const struct find *f, uint64_t vaddr)
{
    const struct ez_sym *whole = NULL, *s = ez_object_find_addr(f->o, vaddr);
    if (!s || s->kind != EZ_SYM_COLD)
        return s;
    EZ_FREE char *name = ez_strdup(s->name);
    *strstr(name, ".cold") = 0;
    ez_object_find_name(f->o, name, srcline_keep_first, &whole);
    return whole ? whole : s;
}

/* Returns the inlined function to which a line belongs, or NULL: the innermost function that is
 * active at the line's first instruction, without functions that are called on the line itself. */
static const char *srcline_inlined(const struct find *f, const struct ez_line *l)
{
    const struct ez_dwarf_calls *c = ez_dwarf_calls(f->d, l->vaddr);
    for (size_t i = 0; i + 1 < c->call.n; i++) {
        const struct ez_dwarf_call *in = &c->call.at[i];
        bool calls = in->line == l->line && in->file &&
                     !strcmp(ez_base_name(in->file), ez_base_name(l->file));
        if (!calls)
            return in->name;
    }
    return NULL;
}

/* Adds a row. Keeps one row for each function: a row with instructions before one without, then a
 * row outside of inlined functions before one inside, then the row with the lower address. */
static void srcline_add(struct find *f, struct ez_line l)
{
    bool some = l.end > l.vaddr;
    l.inlined = some ? srcline_inlined(f, &l) : NULL;
    for (size_t i = 0; i < f->found.n; i++) {
        struct ez_line *k = &f->found.at[i];
        if (k->in != l.in)
            continue;
        bool same = !k->inlined == !l.inlined;
        if (k->end == k->vaddr ? some : !same ? !l.inlined : l.vaddr < k->vaddr && some)
            *k = l;
        return;
    }
    EZ_PUSH(&f->found, l);
}

/* Requests the rows of the wanted line or, if the wanted line has no code, of the next line with
 * code. Returns the number of the line of the rows, or 0 if there is none. *known is true if the
 * file has code. */
static unsigned srcline_read_rows(struct find *f, bool *known)
{
    const uint64_t word[3] = { f->line };
    struct said a;
    *known = dwarf_request(f->d, DWARF_SOURCE, f->file, word, &a);
    const unsigned line = *known ? (unsigned)dwarf_number(&a) : 0;
    while (*known && dwarf_number(&a) && a.good) {
        struct ez_line l = { .vaddr = dwarf_number(&a), .line = line };
        l.end = dwarf_number(&a);
        l.file = dwarf_name(f->d, &a);
        l.in = srcline_function_at(f, l.vaddr);
        if (a.good && l.file && l.in && l.in->kind != EZ_SYM_PLT)
            srcline_add(f, l);
    }
    free(a.all);
    return line;
}

/* For a wanted line without code: drops the rows of functions that begin after the line, except
 * rows in inlined functions. Sets *next to one of the dropped rows, if any. */
static void srcline_drop_later(struct find *f, const struct ez_line **next)
{
    size_t k = 0;
    for (size_t i = 0; i < f->found.n; i++) {
        unsigned first = srcline_declared(f->d, f->file, f->found.at[i].in->vaddr);
        if (f->found.at[i].inlined || (first && first <= f->line))
            f->found.at[k++] = f->found.at[i];
        else
            *next = &f->found.at[i];
    }
    f->found.n = k;
}

static ez_err *srcline_look(struct find *f)
{
    const struct ez_line *next = NULL;
    bool known = false;
    unsigned line = f->d ? srcline_read_rows(f, &known) : 0;
    if (!known)
        return ez_err_gdb(EZ_E_NOTFOUND, "No source file named %s.", f->file);
    if (line != f->line)
        srcline_drop_later(f, &next);
    if (f->found.n)
        return NULL;
    ez_err *e = ez_err_new(EZ_E_ARG, 0, "No function contains line %u of \"%s\"", f->line, f->file);
    return next ? ez_err_hint(e, "The next function is %s, at line %u", ez_sym_pretty(next->in),
                              srcline_declared(f->d, f->file, next->in->vaddr))
                : e;
}

ez_err *ez_srcline_find(struct ez_object *o, const char *file, unsigned line,
                        void (*fn)(const struct ez_line *, void *), void *arg)
{
    const char *why;
    struct find f = { .o = o, .d = ez_dwarf_of(o, &why), .file = file, .line = line };
    ez_err *e = srcline_look(&f);
    for (size_t i = 0; !e && i < f.found.n; i++)
        fn(&f.found.at[i], arg);
    EZ_VEC_FREE(&f.found);
    return e;
}
