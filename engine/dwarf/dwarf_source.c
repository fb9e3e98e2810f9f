/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dwarf_source.c - finds the code of a source line in all units, and the line on which a function
 * begins.
 *
 * Code that the linker dropped leaves rows behind, with addresses from 0 on. So a row is used only
 * if its unit has code at the row's address.
 *
 * Tests: tests/procs/lines.sh */
#include <string.h>

#include "engine/base/jail.h"
#include "engine/base/strutil.h"
#include "engine/dwarf/dwarf_read.h"

struct source_row {
    /* lo is the address of the row, hi that of the next line; equal if the next line begins at the
     * same address */
    uint64_t lo, hi;
    const char *file;
    Dwarf_Die *unit;
};
struct source_search {
    struct dwarf_file *f;
    const char *file, *base; /* the wanted file and its last component */
    int line, next;          /* next: the first line from `line` on with code; 0 = none yet */
    bool known;              /* some code comes from the file */
    const char *last;        /* file name of the previous row, compared by its pointer */
    bool is;                 /* `last` names the wanted file */
    EZ_VEC(struct source_row) row;
};

static bool dwarfsource_is_file(struct source_search *q, Dwarf_Die *unit, const char *name)
{
    if (name == q->last)
        return q->is;
    q->last = name;
    q->is = false;
    if (name && !strcmp(ez_base_name(name), q->base)) {
        EZ_FREE char *full = dwarfline_full_name(unit, name);
        q->is = ez_path_ends_in(full, q->file);
    }
    return q->is;
}

static uint64_t dwarfsource_addr(Dwarf_Line *row)
{
    Dwarf_Addr at = 0;
    return dwarf_lineaddr(row, &at) ? 0 : at;
}

/* Returns the index of the first row after i that does not continue the line of row i. */
static size_t dwarfsource_behind(Dwarf_Lines *rows, size_t n, size_t i)
{
    Dwarf_Line *row = dwarf_onesrcline(rows, i);
    bool first = false, goes_on = false;
    dwarf_linebeginstatement(row, &first);
    for (size_t k = i + 1; k < n; k++) {
        Dwarf_Line *next = dwarf_onesrcline(rows, k);
        if (!dwarfline_same(next, row) || dwarf_linebeginstatement(next, &goes_on) ||
            first < goes_on)
            return k;
    }
    return n;
}

static void dwarfsource_row(struct source_search *q, struct dwarf_unit *u, Dwarf_Die *unit,
                            Dwarf_Line *row, uint64_t hi)
{
    bool ends = true, statement = false;
    int line = 0;
    const char *file = dwarf_linesrc(row, NULL, NULL);
    const uint64_t lo = dwarfsource_addr(row);
    if (dwarf_lineendsequence(row, &ends) || ends || dwarf_linebeginstatement(row, &statement) ||
        !statement || dwarf_lineno(row, &line) || line <= 0 ||
        !dwarfsource_is_file(q, unit, file) || dwarfindex_covering(q->f, lo) != u)
        return;
    q->known = true;
    if (line < q->line || (q->next && line > q->next))
        return;
    if (line != q->next)
        q->row.n = 0;
    q->next = line;
    EZ_PUSH(&q->row, ((struct source_row){ lo, hi, file, unit }));
}

static void dwarfsource_unit(struct source_search *q, struct dwarf_unit *u)
{
    Dwarf_Die *die = u->skeleton.addr ? &u->skeleton : &u->die;
    const int tag = dwarf_tag(die);
    Dwarf_Lines *rows;
    size_t n;
    if ((tag != DW_TAG_compile_unit && tag != DW_TAG_skeleton_unit) ||
        dwarf_getsrclines(die, &rows, &n))
        return;
    q->last = NULL;
    for (size_t i = 0, next; i < n; i = next) {
        next = dwarfsource_behind(rows, n, i);
        Dwarf_Line *row = dwarf_onesrcline(rows, i);
        Dwarf_Line *end = dwarf_onesrcline(rows, EZ_MIN(next, n - 1));
        dwarfsource_row(q, u, die, row, dwarfsource_addr(end));
    }
}

void dwarfsource_emit(struct dwarf_file *f, struct dwarf_answer *a, const char *file, uint64_t line)
{
    struct source_search q = {
        .f = f, .file = file, .base = ez_base_name(file), .line = (int)EZ_MIN(line, INT32_MAX)
    };
    for (size_t i = 0; i < f->unit.n; i++) {
        dwarfsource_unit(&q, &f->unit.at[i]);
        ez_jail_live_on();
    }
    if (!q.known)
        return;
    dwarf_answer_number(a, (uint64_t)q.next);
    for (size_t i = 0; i < q.row.n; i++) {
        const struct source_row *r = &q.row.at[i];
        dwarf_answer_number(a, 1);
        dwarf_answer_number(a, r->lo);
        dwarf_answer_number(a, r->hi);
        dwarfline_emit_file(a, r->unit, r->file);
    }
    dwarf_answer_number(a, 0);
    EZ_VEC_FREE(&q.row);
}

/* Returns the smallest line among the rows of the wanted file at vaddr, or 0 if there is none. */
static int dwarfsource_first(struct source_search *q, struct dwarf_unit *u, uint64_t vaddr)
{
    Dwarf_Lines *rows;
    size_t n;
    int first = 0, line = 0;
    if (dwarf_getsrclines(&u->die, &rows, &n))
        return 0;
    for (size_t i = 0; i < n; i++) {
        Dwarf_Line *row = dwarf_onesrcline(rows, i);
        bool ends = true;
        if (dwarfsource_addr(row) == vaddr && !dwarf_lineendsequence(row, &ends) && !ends &&
            !dwarf_lineno(row, &line) && line && (!first || line < first) &&
            dwarfsource_is_file(q, &u->die, dwarf_linesrc(row, NULL, NULL)))
            first = line;
    }
    return first;
}

void dwarfsource_emit_begin(struct dwarf_file *f, struct dwarf_answer *a, const char *file,
                            uint64_t vaddr)
{
    struct source_search q = { .f = f, .file = file, .base = ez_base_name(file) };
    struct dwarf_unit *u = dwarfindex_unit_at(f, vaddr);
    struct dwarf_entry *e = u ? dwarfindex_function_at(u, vaddr) : NULL;
    const char *declared = e ? dwarfread_file(&e->die, DW_AT_decl_file) : NULL;
    int line = 0;
    if (!u)
        return;
    if (!declared || !dwarfsource_is_file(&q, &u->die, declared) || dwarf_decl_line(&e->die, &line))
        line = dwarfsource_first(&q, u, vaddr);
    dwarf_answer_number(a, (uint64_t)line);
}
