/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dwarf_frame.c - requests from the reader what frames need: rows of unwind and line tables, active
 * functions, names of their variables (dwarf.h).
 *
 * Tests: tests/procs/bt.sh */
#include <string.h>

#include "engine/dwarf/dwarf_query.h"
#include "engine/sym/sym.h"

#define MOST_NAMES 1024

void ez_dwarf_tables(struct ez_object *o, struct ez_dwarf_table *out[2])
{
    struct ez_dwarf *d = dwarf_made(o);
    out[0] = &d->table[0];
    out[1] = &d->table[1];
}

bool ez_dwarf_row(struct ez_dwarf_table *by, uint64_t vaddr, bool behind_call, unsigned n,
                  struct ez_dwarf_row *out)
{
    const uint64_t word[3] = { vaddr, n ? n - 1 : 0, behind_call };
    struct said a;
    *out = (struct ez_dwarf_row){ .signal = false };
    if (!by->file)
        return false;
    bool found = dwarf_request_of(by, DWARF_ROW, word, &a);
    if (found) {
        out->signal = dwarf_number(&a);
        out->ra = dwarf_number(&a);
        dwarf_read_ops(&a, &out->cfa);
    }
    for (unsigned i = 0; found && i < n && i < EZ_DWARF_COLUMNS; i++) {
        out->kept[i] = dwarf_number(&a);
        dwarf_read_ops(&a, &out->at[i]);
    }
    found = found && a.good;
    free(a.all);
    return found;
}

void ez_dwarf_row_free(struct ez_dwarf_row *row)
{
    EZ_VEC_FREE(&row->cfa.op);
    for (unsigned i = 0; i < EZ_DWARF_COLUMNS; i++)
        EZ_VEC_FREE(&row->at[i].op);
}

/* ---- calls ----------------------------------------------------------------------------------- */

bool ez_dwarf_site(struct ez_dwarf *d, uint64_t vaddr, uint64_t reg, struct ez_dwarf_site *out)
{
    const uint64_t word[3] = { vaddr, reg };
    struct said a;
    *out = (struct ez_dwarf_site){ .callee = 0 };
    bool found = dwarf_request_again(d, DWARF_SITE, word, &a);
    if (found) {
        out->callee = dwarf_number(&a);
        out->name = dwarf_name(d, &a);
        dwarf_read_ops(&a, &out->target);
        dwarf_read_ops(&a, &out->value);
        dwarf_read_ops(&a, &out->base);
    }
    found = found && a.good;
    free(a.all);
    return found;
}

void ez_dwarf_site_free(struct ez_dwarf_site *s)
{
    EZ_VEC_FREE(&s->target.op);
    EZ_VEC_FREE(&s->value.op);
    EZ_VEC_FREE(&s->base.op);
}

bool ez_dwarf_entry(struct ez_dwarf *d, uint64_t vaddr, uint64_t *begin, bool *tails)
{
    const uint64_t word[3] = { vaddr };
    struct said a;
    bool found = dwarf_request_again(d, DWARF_ENTRY, word, &a);
    *begin = found ? dwarf_number(&a) : 0;
    *tails = found && dwarf_number(&a);
    found = found && a.good;
    free(a.all);
    return found;
}

/* ---- arrays ---------------------------------------------------------------------------------- */

bool ez_dwarf_shape(const struct ez_type *t, uint64_t vaddr, struct ez_dwarf_shape *out)
{
    const uint64_t word[3] = { t->key, vaddr };
    struct said a;
    *out = (struct ez_dwarf_shape){ .fortran = false };
    bool found = t->maker && dwarf_request(t->maker, DWARF_SHAPE, "", word, &a);
    if (!found)
        return false;
    dwarf_read_ops(&a, &out->data);
    dwarf_read_ops(&a, &out->exists);
    dwarf_read_ops(&a, &out->length);
    dwarf_read_ops(&a, &out->rank);
    out->fortran = dwarf_number(&a);
    while (dwarf_number(&a) && a.good && out->dim.n < EZ_DWARF_DIMENSIONS) {
        struct ez_dwarf_dimension d = { .lower = { { 0 } } };
        dwarf_read_ops(&a, &d.lower);
        dwarf_read_ops(&a, &d.upper);
        dwarf_read_ops(&a, &d.count);
        dwarf_read_ops(&a, &d.stride);
        EZ_PUSH(&out->dim, d);
    }
    found = a.good;
    free(a.all);
    return found;
}

void ez_dwarf_shape_free(struct ez_dwarf_shape *s)
{
    EZ_VEC_FREE(&s->data.op);
    EZ_VEC_FREE(&s->exists.op);
    EZ_VEC_FREE(&s->length.op);
    EZ_VEC_FREE(&s->rank.op);
    for (size_t i = 0; i < s->dim.n; i++) {
        EZ_VEC_FREE(&s->dim.at[i].lower.op);
        EZ_VEC_FREE(&s->dim.at[i].upper.op);
        EZ_VEC_FREE(&s->dim.at[i].count.op);
        EZ_VEC_FREE(&s->dim.at[i].stride.op);
    }
    EZ_VEC_FREE(&s->dim);
}

/* ---- active functions, their variables ------------------------------------------------------- */

static void dwarf_read_call(struct ez_dwarf *d, struct said *a, struct ez_dwarf_calls *out)
{
    struct ez_dwarf_call c = { .key = dwarf_number(a) };
    c.name = dwarf_text(d, a);
    char *pretty = c.name ? ez_name_pretty(c.name) : NULL;
    if (pretty) {
        EZ_PUSH(&d->kept, (void *)pretty);
        c.name = pretty;
    }
    c.begins = dwarf_number(a);
    c.file = dwarf_name(d, a);
    c.line = (unsigned)dwarf_number(a);
    if (a->good)
        EZ_PUSH(&out->call, c);
}

/* Keeps the answers by address, because a recursion has thousands of frames at a few
 * instructions. */
const struct ez_dwarf_calls *ez_dwarf_calls(struct ez_dwarf *d, uint64_t vaddr)
{
    const uint64_t word[3] = { vaddr };
    struct said a;
    size_t i = ez_hash_put(&d->by_pc, vaddr, d->calls.n);
    if (i < d->calls.n)
        return d->calls.at[i];
    struct ez_dwarf_calls *out = ez_alloc(sizeof *out);
    EZ_PUSH(&d->calls, out);
    bool found = dwarf_request(d, DWARF_CALLS, "", word, &a);
    while (found && dwarf_number(&a) && a.good && out->call.n < MOST_NAMES)
        dwarf_read_call(d, &a, out);
    free(a.all);
    return out;
}

bool ez_dwarf_names(struct ez_dwarf *d, uint64_t vaddr, unsigned inside, bool others,
                    void (*fn)(const char *name, void *arg), void *arg)
{
    const uint64_t word[3] = { vaddr, others, inside };
    struct said a;
    bool found = dwarf_request(d, DWARF_NAMES, "", word, &a);
    for (size_t i = 0; found && dwarf_number(&a) && a.good && i < MOST_NAMES; i++) {
        const char *its = dwarf_text(d, &a);
        if (its)
            fn(its, arg);
    }
    free(a.all);
    return found;
}

bool ez_dwarf_line(struct ez_dwarf *d, uint64_t vaddr, struct ez_dwarf_line *out)
{
    const uint64_t word[3] = { vaddr };
    struct said a;
    bool found = dwarf_request(d, DWARF_LINE, "", word, &a);
    if (found) {
        out->lo = dwarf_number(&a);
        out->hi = dwarf_number(&a);
        out->line = (unsigned)dwarf_number(&a);
        out->own.lo = dwarf_number(&a);
        out->own.line = (unsigned)dwarf_number(&a);
        out->own.col = (unsigned)dwarf_number(&a);
        out->statement = dwarf_number(&a);
        out->file = dwarf_number(&a);
        out->name = dwarf_name(d, &a);
        out->own.name = dwarf_name(d, &a);
    }
    found = found && a.good;
    free(a.all);
    return found && out->lo <= vaddr && vaddr < out->hi;
}

uint64_t ez_dwarf_prologue(struct ez_dwarf *d, uint64_t func, uint64_t end)
{
    const uint64_t word[3] = { func, end };
    struct said a;
    uint64_t at = dwarf_request(d, DWARF_PROLOGUE, "", word, &a) ? dwarf_number(&a) : 0;
    free(a.all);
    return at;
}

bool ez_dwarf_unit(struct ez_dwarf *d, uint64_t vaddr, struct ez_dwarf_unit *out)
{
    const uint64_t word[3] = { vaddr };
    struct said a;
    bool found = dwarf_request(d, DWARF_UNIT, "", word, &a);
    if (found) {
        out->name = dwarf_name(d, &a);
        out->folder = dwarf_name(d, &a);
        out->language = dwarf_name(d, &a);
        out->producer = dwarf_name(d, &a);
        out->version = (unsigned)dwarf_number(&a);
        out->macros = dwarf_number(&a);
    }
    found = found && a.good;
    free(a.all);
    return found;
}

bool ez_dwarf_has_macros(struct ez_dwarf *d, uint64_t vaddr)
{
    struct ez_dwarf_unit u;
    if (d->macros_at != vaddr || !vaddr) {
        d->macros_at = vaddr;
        d->macros = ez_dwarf_unit(d, vaddr, &u) && u.macros;
    }
    return d->macros;
}

static void dwarf_request_macro(struct ez_dwarf *d, const uint64_t word[3], const char *name,
                                struct ez_dwarf_macro *out)
{
    struct said a;
    *out = (struct ez_dwarf_macro){ .text = NULL };
    if (dwarf_request(d, DWARF_MACRO, name, word, &a))
        out->text = dwarf_name(d, &a);
    while (out->text && dwarf_number(&a) && a.good && out->n < EZ_DWARF_INCLUDED) {
        out->at[out->n].file = dwarf_name(d, &a);
        out->at[out->n++].line = (unsigned)dwarf_number(&a);
    }
    if (!a.good)
        out->text = NULL;
    free(a.all);
}

/* Keeps the most recent answers, because the condition of a breakpoint needs the same macros at
 * each hit. */
bool ez_dwarf_macro(struct ez_dwarf *d, uint64_t vaddr, bool whole, const char *name,
                    struct ez_dwarf_macro *out)
{
    const uint64_t word[3] = { vaddr, whole };
    struct dwarf_macro_kept *kept =
        &d->macro[ez_hash_key(EZ_HASH_SEED, name) % EZ_ARRAY_LEN(d->macro)];
    if (!kept->name || strcmp(kept->name, name) || kept->vaddr != vaddr || kept->whole != whole) {
        free(kept->name);
        *kept = (struct dwarf_macro_kept){ ez_strdup(name), vaddr, whole, { .text = NULL } };
        dwarf_request_macro(d, word, name, &kept->is);
    }
    *out = kept->is;
    return out->text != NULL;
}

void ez_dwarf_inlined_into(struct ez_dwarf *d, uint64_t vaddr,
                           void (*fn)(const char *into, void *arg), void *arg)
{
    const uint64_t word[3] = { vaddr };
    struct said a;
    bool more = dwarf_request(d, DWARF_INTO, "", word, &a);
    while (more && dwarf_number(&a) && a.good) {
        const char *into = dwarf_name(d, &a);
        if (into)
            fn(into, arg);
    }
    free(a.all);
}

void ez_dwarf_inlined_named(struct ez_dwarf *d, const char *name,
                            void (*fn)(uint64_t into, void *arg), void *arg)
{
    const uint64_t word[3] = { 0 };
    struct said a;
    bool more = dwarf_request(d, DWARF_WITHIN, name, word, &a);
    while (more && dwarf_number(&a) && a.good) {
        const uint64_t into = dwarf_number(&a);
        if (a.good)
            fn(into, arg);
    }
    free(a.all);
}

static unsigned dwarf_pieces(struct said *a, struct ez_dwarf_piece *out)
{
    unsigned n = (unsigned)dwarf_number(a);
    for (unsigned i = 0; i < n && a->good; i++) {
        struct ez_dwarf_piece p;
        p.lo = dwarf_number(a);
        p.hi = dwarf_number(a);
        if (i < EZ_DWARF_PIECES)
            out[i] = p;
    }
    return EZ_MIN(n, EZ_DWARF_PIECES);
}

void ez_dwarf_instances(struct ez_dwarf *d, const char *name,
                        void (*fn)(const struct ez_dwarf_instance *, void *arg), void *arg)
{
    const uint64_t word[3] = { 0 };
    struct said a;
    bool more = dwarf_request(d, DWARF_INSTANCES, name, word, &a);
    while (more && dwarf_number(&a) && a.good) {
        struct ez_dwarf_instance b = { .entry = dwarf_number(&a) };
        b.npieces = dwarf_pieces(&a, b.piece);
        b.ninto = dwarf_pieces(&a, b.into);
        if (a.good)
            fn(&b, arg);
    }
    free(a.all);
}

/* ---- functions that were inlined ------------------------------------------------------------- */

void ez_dwarf_inlined(struct ez_dwarf *d, void (*fn)(const struct ez_dwarf_inlined *, void *),
                      void *arg)
{
    bool found = true;
    for (uint64_t unit = 0; found; unit++) {
        const uint64_t word[3] = { unit };
        struct said a;
        found = dwarf_request(d, DWARF_INLINED, "", word, &a);
        while (found && dwarf_number(&a) && a.good) {
            struct ez_dwarf_inlined f = { .type = ez_dwarf_type(d, dwarf_number(&a)) };
            f.name = dwarf_name(d, &a);
            f.file = dwarf_name(d, &a);
            f.language = (unsigned)dwarf_number(&a);
            f.line = (unsigned)dwarf_number(&a);
            f.begin = dwarf_number(&a);
            f.copies = dwarf_number(&a);
            f.into = dwarf_name(d, &a);
            if (a.good && f.name && f.file)
                fn(&f, arg);
        }
        free(a.all);
    }
}
