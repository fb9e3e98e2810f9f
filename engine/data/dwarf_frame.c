/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dwarf_frame.c - rows of unwind and line tables, and the names of a function's variables (dwarf.h).
 * Tests: tests/procs/bt.sh */
#include "config.h"

#include <string.h>

#include "engine/data/dwarf_asked.h"
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
    bool found =
        dwarf_ask_of(&by->known, by->file, "/nonexistent/program", DWARF_ROW, "", word, &a);
    if (found) {
        out->signal = dwarf_number(&a);
        out->ra = dwarf_number(&a);
        dwarf_take_ops(&a, &out->cfa);
    }
    for (unsigned i = 0; found && i < n && i < EZ_DWARF_COLUMNS; i++) {
        out->kept[i] = dwarf_number(&a);
        dwarf_take_ops(&a, &out->at[i]);
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

bool ez_dwarf_names(struct ez_dwarf *d, uint64_t vaddr, bool others,
                    void (*fn)(const char *name, void *arg), void *arg)
{
    const uint64_t word[3] = { vaddr, others };
    struct said a;
    bool found = dwarf_ask(d, DWARF_NAMES, "", word, &a);
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
    bool found = dwarf_ask(d, DWARF_LINE, "", word, &a);
    if (found) {
        out->lo = dwarf_number(&a);
        out->hi = dwarf_number(&a);
        out->line = (unsigned)dwarf_number(&a);
        out->statement = dwarf_number(&a);
        out->file = dwarf_number(&a);
        out->prologue = dwarf_number(&a);
        out->name = dwarf_name(d, &a);
    }
    found = found && a.good;
    free(a.all);
    return found && out->lo <= vaddr && vaddr < out->hi;
}
