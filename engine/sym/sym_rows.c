/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sym_rows.c - the line programs of DWARF 2 to 5: which addresses the lines of a source file have.
 *
 * libbfd answers by address only. This file reads .debug_line itself, in the server process,
 * which may die of it (sym_bfd.c). Each step takes at least one byte, and none reads beyond
 * its unit.
 * Tests: tests/unit/engine/check_sym.c ("line_programs"), tests/procs/lines.sh */
#include <string.h>

#include "engine/sym/sym_rows.h"

struct cursor {
    const uint8_t *p, *end;
};

static uint64_t rows_line_fixed(struct cursor *c, size_t n)
{
    uint64_t v = 0;
    if (n > sizeof v || (size_t)(c->end - c->p) < n) {
        c->p = c->end;
        return 0;
    }
    memcpy(&v, c->p, n);
    c->p += n;
    return v;
}

static uint64_t rows_line_uleb(struct cursor *c)
{
    uint64_t v = 0, byte = 0x80;
    for (unsigned shift = 0; byte & 0x80 && c->p < c->end; shift += 7) {
        byte = *c->p++;
        v |= shift < 64 ? (byte & 0x7f) << shift : 0;
    }
    return v;
}

static int64_t rows_line_sleb(struct cursor *c)
{
    uint64_t v = 0, byte = 0x80;
    unsigned shift = 0;
    for (; byte & 0x80 && c->p < c->end; shift += 7) {
        byte = *c->p++;
        v |= shift < 64 ? (byte & 0x7f) << shift : 0;
    }
    return (int64_t)(shift < 64 && byte & 0x40 ? v | ~0ull << shift : v);
}

static void rows_line_skip(struct cursor *c, uint64_t n)
{
    c->p = n < (uint64_t)(c->end - c->p) ? c->p + n : c->end;
}

static const char *rows_line_text(struct cursor *c)
{
    const uint8_t *s = c->p, *nul = memchr(s, 0, (size_t)(c->end - s));
    c->p = nul ? nul + 1 : c->end;
    return nul ? (const char *)s : "";
}

static const char *rows_text_at(const struct rows_part *part, uint64_t at)
{
    struct cursor c = { part->data, part->data + part->size };
    rows_line_skip(&c, at);
    return rows_line_text(&c);
}

/* ---- the header of a unit -------------------------------------------------------------------- */

struct name {
    const char *text;
    uint64_t dir;
};

struct unit {
    const struct rows_in *in;
    struct cursor c; /* the program */
    unsigned version, word, min_inst, line_range, opcode_base;
    bool is_stmt;
    int8_t line_base;
    uint8_t lengths[256];
    EZ_VEC(struct name) dir;
    EZ_VEC(struct name) file;
};

static void rows_old_tables(struct unit *u, struct cursor *c)
{
    EZ_PUSH(&u->dir, ((struct name){ "", 0 })); /* number 0 is where the compiler ran */
    for (const char *s; *(s = rows_line_text(c));)
        EZ_PUSH(&u->dir, ((struct name){ s, 0 }));
    EZ_PUSH(&u->file, ((struct name){ "", 0 }));
    for (const char *s; *(s = rows_line_text(c));) {
        struct name n = { s, rows_line_uleb(c) };
        rows_line_uleb(c), rows_line_uleb(c); /* time, size */
        EZ_PUSH(&u->file, n);
    }
}

enum { PATH = 1, DIRECTORY = 2 };

static const char *rows_text_form(struct unit *u, struct cursor *c, uint64_t form)
{
    switch (form) {
    case 0x08:
        return rows_line_text(c);
    case 0x0e:
        return rows_text_at(&u->in->str, rows_line_fixed(c, u->word));
    case 0x1f:
        return rows_text_at(&u->in->line_str, rows_line_fixed(c, u->word));
    }
    return NULL;
}

static uint64_t rows_number_form(struct unit *u, struct cursor *c, uint64_t form)
{
    static const struct {
        uint8_t form, size;
    } size[] = { { 0x0b, 1 }, { 0x05, 2 }, { 0x06, 4 }, { 0x07, 8 },
                 { 0x25, 1 }, { 0x26, 2 }, { 0x27, 3 }, { 0x28, 4 } };
    for (size_t i = 0; i < EZ_ARRAY_LEN(size); i++)
        if (size[i].form == form)
            return rows_line_fixed(c, size[i].size);
    if (form == 0x1e)
        rows_line_skip(c, 16); /* MD5 */
    else if (form == 0x0f || form == 0x1a)
        return rows_line_uleb(c);
    else if (form == 0x09)
        rows_line_skip(c, rows_line_uleb(c));
    else
        c->p = c->end; /* unknown: nothing behind it can be read */
    return 0;
}

/* Reads a table of version 5: the fields of an entry and their forms, then the entries. */
static void rows_new_table(struct unit *u, struct cursor *c,
                           void (*add)(struct unit *, struct name))
{
    struct {
        uint64_t what, form;
    } has[256];
    size_t n = rows_line_fixed(c, 1);
    for (size_t i = 0; i < n; i++) {
        has[i].what = rows_line_uleb(c);
        has[i].form = rows_line_uleb(c);
    }
    for (uint64_t left = rows_line_uleb(c); n && left && c->p < c->end; left--) {
        struct name name = { "", 0 };
        for (size_t i = 0; i < n; i++) {
            const char *s = rows_text_form(u, c, has[i].form);
            uint64_t number = s ? 0 : rows_number_form(u, c, has[i].form);
            if (has[i].what == PATH)
                name.text = s ? s : "";
            else if (has[i].what == DIRECTORY)
                name.dir = number;
        }
        add(u, name);
    }
}

static void rows_add_dir(struct unit *u, struct name n)
{
    EZ_PUSH(&u->dir, n);
}

static void rows_add_file(struct unit *u, struct name n)
{
    EZ_PUSH(&u->file, n);
}

/* Reads a unit's header. false = its version is not known; *all then is behind the unit, too. */
static bool rows_line_read_header(struct unit *u, struct cursor *all)
{
    uint64_t length = rows_line_fixed(all, 4);
    u->word = length == 0xffffffff ? 8 : 4;
    if (u->word == 8)
        length = rows_line_fixed(all, 8);
    struct cursor c = *all;
    rows_line_skip(all, length);
    c.end = all->p;
    u->version = (unsigned)rows_line_fixed(&c, 2);
    if (u->version >= 5)
        rows_line_skip(&c, 2); /* sizes of addresses and segments */
    uint64_t header = rows_line_fixed(&c, u->word);
    u->c = c;
    rows_line_skip(&u->c, header);
    u->min_inst = (unsigned)rows_line_fixed(&c, 1);
    if (u->version >= 4)
        rows_line_skip(&c, 1); /* operations of an instruction: one on all known processors */
    u->is_stmt = rows_line_fixed(&c, 1);
    u->line_base = (int8_t)rows_line_fixed(&c, 1);
    u->line_range = (unsigned)rows_line_fixed(&c, 1);
    u->opcode_base = (unsigned)rows_line_fixed(&c, 1);
    for (unsigned i = 1; i < u->opcode_base; i++)
        u->lengths[i] = (uint8_t)rows_line_fixed(&c, 1);
    if (u->version < 2 || u->version > 5 || !u->line_range || !u->opcode_base)
        return false;
    if (u->version < 5) {
        rows_old_tables(u, &c);
    } else {
        rows_new_table(u, &c, rows_add_dir);
        rows_new_table(u, &c, rows_add_file);
    }
    return true;
}

/* ---- its program ----------------------------------------------------------------------------- */

struct state {
    uint64_t addr, file, line;
    bool is_stmt;
};

struct run {
    struct unit *u;
    struct state now, last; /* last: the row before, without an end yet */
    bool has_last, real;    /* real: the sequence begins at an address that is one */
    rows_fn *fn;
    void *arg;
};

static void rows_line_tell(struct run *r)
{
    struct unit *u = r->u;
    const struct state *s = &r->last;
    const struct name *f = s->file < u->file.n ? &u->file.at[s->file] : NULL;
    if (!r->has_last || !r->real || !f || (!s->is_stmt && !u->in->all) || !s->line ||
        s->line > UINT32_MAX)
        return;
    const char *dir = f->dir < u->dir.n ? u->dir.at[f->dir].text : "";
    const char *root = *dir != '/' && u->dir.n ? u->dir.at[0].text : ""; /* version 5 only */
    struct row row = { s->addr, r->now.addr, (uint32_t)s->line, { root, dir, f->text } };
    if (dir == root || f->text[0] == '/')
        row.path[0] = "";
    if (f->text[0] == '/')
        row.path[1] = "";
    r->fn(&row, r->arg);
}

static void rows_line_add_row(struct run *r, bool ends)
{
    const struct state *a = &r->last, *b = &r->now;
    if (r->has_last && !ends && a->line == b->line && a->file == b->file &&
        a->is_stmt >= b->is_stmt)
        return; /* the same line goes on */
    rows_line_tell(r);
    if (!r->has_last)
        r->real = r->now.addr != 0; /* code that the linker left out begins at 0 */
    r->last = r->now;
    r->has_last = !ends;
    if (ends)
        r->now = (struct state){ .file = 1, .line = 1, .is_stmt = r->u->is_stmt };
}

static void rows_line_extended(struct run *r)
{
    struct cursor *c = &r->u->c;
    uint64_t n = rows_line_uleb(c);
    struct cursor in = *c;
    rows_line_skip(c, n);
    in.end = c->p;
    switch (rows_line_fixed(&in, 1)) {
    case 1:
        rows_line_add_row(r, true);
        break;
    case 2:
        r->now.addr = rows_line_fixed(&in, EZ_MIN((size_t)(in.end - in.p), (size_t)8));
        break;
    }
}

static void rows_line_standard(struct run *r, unsigned op)
{
    struct unit *u = r->u;
    switch (op) {
    case 1:
        rows_line_add_row(r, false);
        break;
    case 2:
        r->now.addr += rows_line_uleb(&u->c) * u->min_inst;
        break;
    case 3:
        r->now.line += (uint64_t)rows_line_sleb(&u->c);
        break;
    case 4:
        r->now.file = rows_line_uleb(&u->c);
        break;
    case 6:
        r->now.is_stmt = !r->now.is_stmt;
        break;
    case 8:
        r->now.addr += (255 - u->opcode_base) / u->line_range * u->min_inst;
        break;
    case 9:
        r->now.addr += rows_line_fixed(&u->c, 2);
        break;
    default:
        for (unsigned i = 0; i < u->lengths[op]; i++)
            rows_line_uleb(&u->c);
    }
}

static void rows_line_run(struct run *r)
{
    struct unit *u = r->u;
    r->now = (struct state){ .file = 1, .line = 1, .is_stmt = u->is_stmt };
    while (u->c.p < u->c.end) {
        unsigned op = (unsigned)rows_line_fixed(&u->c, 1);
        if (op >= u->opcode_base) {
            op -= u->opcode_base;
            r->now.addr += op / u->line_range * u->min_inst;
            r->now.line += (uint64_t)(u->line_base + (int)(op % u->line_range));
            rows_line_add_row(r, false);
        } else if (op) {
            rows_line_standard(r, op);
        } else {
            rows_line_extended(r);
        }
    }
}

void symrows_read(const struct rows_in *in, rows_fn *fn, void *arg)
{
    struct cursor all = { in->line.data, in->line.data + in->line.size };
    while (all.p < all.end) {
        struct unit u = { .in = in };
        struct run r = { .u = &u, .fn = fn, .arg = arg };
        if (rows_line_read_header(&u, &all))
            rows_line_run(&r);
        EZ_VEC_FREE(&u.dir);
        EZ_VEC_FREE(&u.file);
    }
}
