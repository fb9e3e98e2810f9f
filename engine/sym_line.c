/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sym_line.c - source lines, by libbfd's DWARF reader.
 *
 * bfd_find_nearest_line opens the separate debug file by itself. It finds lines
 * by address only; FILE:LINE therefore asks it about every function once.
 * Tests: tests/unit/engine/check_sym.c */
#include "config.h"

#include <bfd.h>
#include <string.h>

#include "engine/sym_priv.h"

static asection *section_at(bfd *b, uint64_t vaddr)
{
    for (asection *s = b->sections; s; s = s->next)
        if (s->flags & SEC_CODE && vaddr >= s->vma && vaddr - s->vma < s->size)
            return s;
    return NULL;
}

bool ez_object_line(struct ez_object *o, uint64_t vaddr, const char **file, unsigned *line)
{
    const char *f = NULL, *function;
    unsigned l = 0;
    asection *s = o->bfd ? section_at(o->bfd, vaddr) : NULL;
    if (!s)
        return false;
    FILE *loud = symbfd_hush(); /* it may open a debug file */
    bool found = bfd_find_nearest_line(o->bfd, s, NULL, vaddr - s->vma, &f, &function, &l);
    symbfd_unhush(loud);
    if (!found || !f || !l)
        return false;
    *file = f;
    *line = l;
    return true;
}

static void read_lines(struct ez_object *o)
{
    o->lines_ready = true;
    for (size_t i = 0; i < o->ncode; i++) {
        const struct ez_sym *s = &o->syms.at[i];
        struct line_entry e = { .vaddr = s->vaddr };
        bool seen = i && s[-1].vaddr == s->vaddr;
        if (!seen && (s->kind == EZ_SYM_FUNC || s->kind == EZ_SYM_IFUNC) &&
            ez_object_line(o, s->vaddr, &e.file, &e.line))
            EZ_PUSH(&o->lines, e);
    }
}

/* "src/main.c" matches ".../src/main.c", not ".../othersrc/main.c". */
static bool same_file(const char *path, const char *wanted)
{
    size_t n = strlen(path), w = strlen(wanted);
    return n >= w && !strcmp(path + n - w, wanted) &&
           (n == w || wanted[0] == '/' || path[n - w - 1] == '/');
}

/* The line of the function's body: where the line changes first. */
static unsigned body_line(struct ez_object *o, const struct line_entry *e)
{
    enum { PROLOGUE = 64 };
    const char *file;
    unsigned line;
    for (unsigned k = 1; k < PROLOGUE; k++)
        if (ez_object_line(o, e->vaddr + k, &file, &line) && line > e->line)
            return line;
    return e->line;
}

ez_err *ez_object_find_line(struct ez_object *o, const char *file, unsigned line, uint64_t *vaddr)
{
    const struct line_entry *best = NULL;
    unsigned best_line = 0;
    bool known = false;
    if (!o->lines_ready)
        read_lines(o);
    for (size_t i = 0; i < o->lines.n; i++) {
        const struct line_entry *e = &o->lines.at[i];
        if (!same_file(e->file, file))
            continue;
        known = true;
        if (best && e->line > best_line)
            continue;
        unsigned body = e->line >= line ? e->line : body_line(o, e);
        if (body >= line && (!best || body < best_line)) {
            best = e;
            best_line = body;
        }
    }
    if (!best)
        return known ? ez_err_new(EZ_E_NOTFOUND, 0, "No line %u in file \"%s\".", line, file)
                     : ez_err_new(EZ_E_NOTFOUND, 0, "No source file named %s.", file);
    *vaddr = best->vaddr;
    return NULL;
}
